# Compares what the program said with what a deck expects (tests/decks/bad/README.md):
#   awk -v deck=NAME -v status=N -f expect.awk DECK STDERR
# Prints each broken expectation; exit status 1 when there is one.

function complain(text) { print "  " text; broken = 1 }

# A message begins at a line "place: error: text" and takes the lines after it (source, caret, hint) along.
function begins_message(line) { return line ~ /(^|: )(error|warning|note): / }

function holds_all(text, words, count,    i, list)
{
    count = split(tolower(words), list, /; */)
    for (i = 1; i <= count; i++)
        if (index(text, list[i]) == 0)
            return 0
    return 1
}

# place "12", "12:5", "file:12" or "-" against the head of a message
function is_at(head, place,    file)
{
    if (place == "-")
        return 1
    file = place ~ /^[0-9:]+$/ ? deck ".cir:" place : place
    return index(head, "/" file ":") > 0 || index(head, file ":") == 1
}

FNR == NR && /^\*! status/ { expected_status = $3 }
FNR == NR && /^\*! errors/ { expected_errors = $3 }
FNR == NR && /^\*! error / {
    place[++expectations] = $3
    sub(/^\*! error [^ ]+ */, "")
    words[expectations] = $0
}
FNR == NR { next }

begins_message($0) { head[++messages] = $0; is_error[messages] = $0 ~ /(^|: )error: / }
messages > 0 { body[messages] = body[messages] " " tolower($0) }

END {
    if (expected_status == "")
        expected_status = 2
    if (status != expected_status)
        complain("exit status " status ", expected " expected_status)
    for (m = 1; m <= messages; m++)
        errors += is_error[m]
    if (errors == 0)
        complain("no error message")
    if (expected_errors != "" && errors != expected_errors)
        complain(errors + 0 " errors, expected " expected_errors)
    for (e = 1; e <= expectations; e++) {
        found = 0
        for (m = 1; m <= messages; m++)
            if (is_error[m] && is_at(head[m], place[e]) && holds_all(body[m], words[e]))
                found = 1
        if (!found)
            complain("no error at " place[e] " with: " words[e])
    }
    exit broken
}
