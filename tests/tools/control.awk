# control.awk - do scripts print what they say, and the numbers of ngspice?
#
#   awk -v decks=FOLDER -v peers=1 -f control.awk LIST
#
# LIST has a line for each script: its exit status and its name, between tabs; the deck is FOLDER/NAME.cir, what the program
# printed and said is in NAME.out and NAME.err, what ngspice printed in NAME.peer, if it was asked.  Lines "*= TEXT" of a
# deck stand in what was printed, in this order, and nothing else is said; "*~ DIFFERENCE" is the relative difference of
# numbers that is allowed (1e-5).  Prints each script with what does not hold, and exits with 1 then; also when there are
# fewer than 80 scripts or, with peers, fewer than 160 numbers compared.

BEGIN { FS = "\t" }

function broken(text) { print "  " name ": " text; bad = 1 }

function size(x) { return x < 0 ? -x : x }

function larger(x, y) { return x > y ? x : y }

function read_deck(    line)
{
    wanted = 0
    tolerance = 1e-5
    while ((getline line < (decks "/" name ".cir")) > 0)
        if (line ~ /^\*= /)
            want[++wanted] = substr(line, 4)
        else if (line ~ /^\*~ /)
            tolerance = substr(line, 4) + 0
    close(decks "/" name ".cir")
}

# Numbers of "name = 1.0e+00[,2.0]" and of meas, and how many of the wanted lines there are; -1 without the file.
function read_output(file, label, numbers,    line, status, count, value, part)
{
    found = 0
    while ((status = getline line < file) > 0) {
        if (found < wanted && line == want[found + 1])
            found++
        if (line ~ /^(Doing|No\. of|Note)/ ||
            line !~ /^[^= ][^=]*= *[-+0-9.]+(e[-+0-9]+)?(,[-+0-9.e]+)?( +(at|from|to|targ|trig)=.*)?$/)
            continue
        value = line
        sub(/^[^=]*= */, "", value)
        sub(/ .*/, "", value)
        split(value, part, ",")
        sub(/ *=.*/, "", line)
        sub(/^([a-z]+[0-9]*\.)+/, "", line) # the plot, which ngspice names twice
        label[++count] = tolower(line)
        numbers[count] = part[1] + 0
        numbers[count, "im"] = part[2] + 0
    }
    close(file)
    return status < 0 ? -1 : count + 0
}

function near(a, b) { return size(a - b) <= tolerance * larger(size(a), size(b)) + 1e-12 }

function compare(    k)
{
    if (own_count != peer_count)
        broken(own_count " numbers, but " peer_count " of ngspice")
    for (k = 1; k <= own_count && k <= peer_count; k++)
        if (own_label[k] != peer_label[k] || !near(own[k], peer[k]) || !near(own[k, "im"], peer[k, "im"]))
            broken(own_label[k] " = " own[k] "," own[k, "im"] ", but " \
                   peer_label[k] " = " peer[k] "," peer[k, "im"] " of ngspice")
    compared += own_count
}

{
    name = $2
    scripts++
    if ($1 != 0)
        broken("exit status " $1)
    while ((getline line < (name ".err")) > 0 && line !~ /gnuplot is not installed/)
        broken("says " line)
    close(name ".err")
    if ($1 != 0)
        next
    read_deck()
    own_count = read_output(name ".out", own_label, own)
    if (found < wanted)
        broken("missing, in this order: " want[found + 1])
    peer_count = read_output(name ".peer", peer_label, peer)
    if (peer_count >= 0)
        compare()
}
END {
    name = "all"
    if (scripts < 80)
        broken("80 scripts expected, " scripts + 0 " found")
    if (peers && compared < 160)
        broken("only " compared + 0 " numbers were compared")
    print scripts " scripts, " compared + 0 " numbers as in ngspice"
    exit bad
}
