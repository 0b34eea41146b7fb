# Compares what the program said with what decks expect (tests/decks/bad/README.md):
#   awk [-v usual=0 -v complete=1] -f expect.awk LIST
# LIST has a line for each deck: exit status, deck, file of what was said, between tabs; all by one process, which takes as long
# to start as the program.  usual: the exit status of a deck that names none (2); complete: there are no other errors and
# warnings than it names.  Prints each deck with the expectations that it breaks; exit status 1 when there is one.

BEGIN { FS = "\t" }

function complain(text)
{
    if (!broken++)
        print path ":"
    print "  " text
}

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
    file = place ~ /^[0-9:]+$/ ? name ":" place : place
    return index(first, "/" file ":") > 0 || index(first, file ":") == 1
}

function read_expectations(    line, word)
{
    expectations = 0
    expected_status = usual == "" ? 2 : usual
    split("", expected_count)
    while ((getline line < path) > 0) {
        if (line !~ /^\*! /)
            continue
        split(line, word, " ")
        if (word[2] == "status")
            expected_status = word[3]
        else if (word[2] ~ /^(errors|warnings|notes)$/)
            expected_count[substr(word[2], 1, length(word[2]) - 1)] = word[3]
        else if (word[2] ~ /^(error|warning|note)$/) {
            kind[++expectations] = word[2]
            place[expectations] = word[3]
            sub(/^\*! [a-z]+ [^ ]+ */, "", line)
            words[expectations] = line
        }
    }
    close(path)
}

function read_messages(file,    line)
{
    messages = 0
    split("", count_of)
    while ((getline line < file) > 0) {
        if (kind_of(line) != "") {
            head[++messages] = line
            said[messages] = kind_of(line)
            body[messages] = ""
            count_of[said[messages]]++
        }
        if (messages > 0)
            body[messages] = body[messages] " " tolower(line)
    }
    close(file)
}

function is_said(e,    m)
{
    for (m = 1; m <= messages; m++)
        if (said[m] == kind[e] && is_at(head[m], place[e]) && holds_all(body[m], words[e]))
            return 1
    return 0
}

# Without a number of its own a kind of messages comes as often as the deck names some.
function count_expected(kinds,    list, n, e)
{
    for (n = split(kinds, list, " "); n > 0; n--)
        if (!(list[n] in expected_count)) {
            expected_count[list[n]] = 0
            for (e = 1; e <= expectations; e++)
                expected_count[list[n]] += kind[e] == list[n]
        }
}

{
    path = $2
    name = path
    sub(/.*\//, "", name)
    decks++
    broken = 0
    read_expectations()
    read_messages($3)
    if (complete)
        count_expected("error warning")
    if ($1 != expected_status)
        complain("exit status " $1 ", expected " expected_status)
    if (expected_status > 0 && !count_of["error"])
        complain("no error message")
    for (k in expected_count)
        if (count_of[k] + 0 != expected_count[k])
            complain(count_of[k] + 0 " " k "s, expected " expected_count[k])
    for (e = 1; e <= expectations; e++)
        if (!is_said(e))
            complain("no " kind[e] " at " place[e] " with: " words[e])
    bad += broken > 0
}
END { exit bad > 0 || decks == 0 }
