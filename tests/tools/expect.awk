# Compares what the program said with what a deck expects (tests/decks/bad/README.md):
#   awk -v deck=NAME -v status=N [-v usual=0 -v complete=1] -f expect.awk DECK STDERR
# usual: the exit status of a deck that names none (2); complete: there are no other errors and warnings than it names.  Prints each broken expectation; exit status 1 when there is one.

function complain(text) { print "  " text; broken = 1 }

# "error", "warning" or "note" when a message begins at this line ("place: error: text"); the lines after it (source,
# caret, hint) belong to it.
function kind_of(line)
{
    if (line !~ /(^|: )(error|warning|note): /)
        return ""
    match(line, /(error|warning|note): /)
    return substr(line, RSTART, RLENGTH - 2)
}

function holds_all(text, words,    i, list, count)
{
    count = split(tolower(words), list, /; */)
    for (i = 1; i <= count; i++)
        if (index(text, list[i]) == 0)
            return 0
    return 1
}

# place "12", "12:5", "file:12" or "-" against the head of a message
function is_at(first, place,    file)
{
    if (place == "-")
        return 1
    file = place ~ /^[0-9:]+$/ ? deck ".cir:" place : place
    return index(first, "/" file ":") > 0 || index(first, file ":") == 1
}

FNR == NR && /^\*! status/ { expected_status = $3 }
FNR == NR && /^\*! (errors|warnings|notes) / { expected_count[substr($2, 1, length($2) - 1)] = $3 }
FNR == NR && /^\*! (error|warning|note) / {
    kind[++expectations] = $2
    place[expectations] = $3
    sub(/^\*! [a-z]+ [^ ]+ */, "")
    words[expectations] = $0
}
FNR == NR { next }

kind_of($0) != "" { head[++messages] = $0; said[messages] = kind_of($0); count_of[said[messages]]++ }
messages > 0 { body[messages] = body[messages] " " tolower($0) }

END {
    if (expected_status == "")
        expected_status = usual == "" ? 2 : usual
    for (e = 1; complete && e <= split("error warning", kinds, " "); e++)
        if (!(kinds[e] in expected_count)) {
            expected_count[kinds[e]] = 0
            for (k = 1; k <= expectations; k++)
                expected_count[kinds[e]] += kind[k] == kinds[e]
        }
    if (status != expected_status)
        complain("exit status " status ", expected " expected_status)
    if (expected_status > 0 && !count_of["error"])
        complain("no error message")
    for (k in expected_count)
        if (count_of[k] + 0 != expected_count[k])
            complain(count_of[k] + 0 " " k "s, expected " expected_count[k])
    for (e = 1; e <= expectations; e++) {
        found = 0
        for (m = 1; m <= messages; m++)
            if (said[m] == kind[e] && is_at(head[m], place[e]) && holds_all(body[m], words[e]))
                found = 1
        if (!found)
            complain("no " kind[e] " at " place[e] " with: " words[e])
    }
    exit broken
}
