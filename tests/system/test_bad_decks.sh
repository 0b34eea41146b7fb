#!/bin/sh
# Bad input ends with messages that name the place and the cause, never with a crash, a result file or silence.
# KNOTEN_CHECKER, if set, is put before the program (for instance "valgrind -q --error-exitcode=99").
. "$(dirname "$0")/common.sh"

decks=$KNOTEN_SOURCE/tests/decks/bad

# answer ARGUMENT..: runs the program in an empty folder; $status, $scratch/out, $scratch/err.
answer()
{
    rm -rf "$scratch/run"
    mkdir "$scratch/run"
    status=0
    (cd "$scratch/run" && ulimit -t 60 && ${KNOTEN_CHECKER:-} "$KNOTEN" "$@" >../out 2>../err </dev/null) || status=$?
    [ "$status" -lt 126 ] || fail "$name: ended by a signal or a checker, status $status"
}

nothing_written()
{
    [ -z "$(ls -A "$scratch/run")" ] || fail "$name: wrote $(ls -A "$scratch/run")"
}

# ---- decks that say themselves what is expected

for deck in "$decks"/*.cir; do
    name=$(basename "$deck" .cir)
    answer "$deck"
    mv "$scratch/err" "$scratch/$name.err"
    printf '%s\t%s\t%s\n' "$status" "$deck" "$scratch/$name.err" >>"$scratch/list"
    # A run that got under way keeps its rows; everything else leaves no file.
    case $name in
    singular-in-time | blow-up) ;;
    *) grep -q "^\*! status 0" "$deck" || nothing_written ;;
    esac
done
awk -f "$KNOTEN_SOURCE/tests/tools/expect.awk" "$scratch/list" || fail "other messages"

# ---- files that are no decks at all

# refuse NAME STATUS WORD..: the file $scratch/NAME is refused; the words are somewhere in what is said.
refuse()
{
    name=$1 expected=$2
    shift 2
    answer "$scratch/$name"
    [ "$status" -eq "$expected" ] || fail "$name: exit status $status, expected $expected"
    [ -s "$scratch/err" ] || fail "$name: no message"
    for word; do
        grep -qiF -e "$word" "$scratch/err" || { fail "$name: no '$word' in the message"; head -n 5 "$scratch/err"; }
    done
    [ "$(wc -c <"$scratch/err")" -lt 200000 ] || fail "$name: floods the terminal"
    nothing_written
}

: >"$scratch/empty.cir"
refuse empty.cir 2 empty
printf 'only a title\n' >"$scratch/title.cir"
refuse title.cir 2 "no elements"
printf 'title\n* a comment\n; another\n\n.end\n' >"$scratch/comments.cir"
refuse comments.cir 2 "no elements"
printf '\n\n\n\n' >"$scratch/blank.cir"
refuse blank.cir 2
printf '\177ELF\002\001\001\000\000\000\003\000\076\000R1 a 0 1k\n.tran 1u 1m\n' >"$scratch/binary.cir"
refuse binary.cir 2
dd if="$KNOTEN" of="$scratch/program.cir" bs=1024 count=300 2>"$scratch/dd"
refuse program.cir 2
awk 'BEGIN { srand(1); for (i = 0; i < 50000; i++) printf "%c", 1 + int(255 * rand()) }' >"$scratch/noise.cir"
refuse noise.cir 2
awk 'BEGIN { srand(2); for (i = 0; i < 20000; i++) printf "%c", 33 + int(94 * rand()) (rand() < .02 ? "\n" : "") }' \
    >"$scratch/letters.cir"
refuse letters.cir 2
awk 'BEGIN { print "deep"; printf "R1 a 0 {"; for (i = 0; i < 100000; i++) printf "("; print "1}\n.tran 1u 1m\n.end" }' \
    >"$scratch/deep.cir"
refuse deep.cir 2
awk 'BEGIN { print "long"; printf "R1 a 0 "; for (i = 0; i < 300000; i++) printf "x"; print "\n.tran 1u 1m\n.end" }' \
    >"$scratch/long.cir"
refuse long.cir 2
# Nodes of a P card more than any line has, and models each of which is a kind of the next.
awk 'BEGIN { print "many\nV1 a 0 1\nP1 a 0 b"; for (i = 0; i < 300; i++) print "+ c d e f g h"; print ".op\n.end" }' \
    >"$scratch/line.cir"
refuse line.cir 2 "'P1': expected the same number of nodes, 16 at most"
awk 'BEGIN { print "kinds\nV1 a 0 1\nD1 a 0 m0";
             for (i = 0; i < 30000; i++) print ".model m" i " ako:m" i + 1 " d (is=1e-14)";
             print ".model m30000 d (is=1e-14)\n.op\n.end" }' >"$scratch/kinds.cir"
answer "$scratch/kinds.cir"
[ "$status" -eq 2 ] || fail "kinds.cir: exit status $status, expected 2"
grep -q "is a kind of another, and so on, more than 50 times" "$scratch/err" ||
    { fail "kinds.cir: another message"; head -n 3 "$scratch/err"; }
# A gate with 500,000 inputs: each is looked at once (minutes where each is sought among all).
awk 'BEGIN { print "gate\nV1 a 0 1\nA1 [a] [d] ad\n.model ad adc_bridge\nA2 ["; for (i = 0; i < 500000; i += 10) print "+ d d d d d d d d d d";
             print "+ ] o g\n.model g d_and\nA3 [o] [oo] da\n.model da dac_bridge\nR1 oo 0 1k\n.op\n.end" }' >"$scratch/gate.cir"
answer "$scratch/gate.cir"
[ "$status" -eq 0 ] || fail "gate.cir: exit status $status"
# An options card of Xyce with 100,000 times: each is read once.
awk 'BEGIN { print "times\nR1 a 0 1"; printf "V1 a 0 1\n.options output outputtimepoints=0";
             for (i = 1; i < 100000; i++) printf ",%.7e", i * 1e-9; print "\n.tran 1u 1m\n.end" }' >"$scratch/times.cir"
answer "$scratch/times.cir"
[ "$status" -eq 0 ] || fail "100,000 times on an options card: exit status $status"
printf 'no newline at the end\nR1 a 0' >"$scratch/cut.cir"
refuse cut.cir 2 R1
mkdir "$scratch/folder.cir"
refuse folder.cir 2 folder.cir
refuse absent.cir 2 absent.cir
printf 'windows lines\r\nV1 a 0 1\r\nD1 a 0 nomodel\r\n.tran 1u 1m\r\n.end\r\n' >"$scratch/windows.cir"
refuse windows.cir 2 nomodel windows.cir:3:8

# ---- command lines

# usage NAME WORD ARGUMENT..: exit status 2 and the word in the message.
usage()
{
    name=$1 word=$2
    shift 2
    answer "$@"
    [ "$status" -eq 2 ] || fail "usage, $name: exit status $status, expected 2"
    grep -qiF -e "$word" "$scratch/err" || { fail "usage, $name: no '$word' in the message"; head -n 5 "$scratch/err"; }
    nothing_written
}

good=$KNOTEN_SOURCE/examples/rc.cir
usage "no deck" deck
usage "unknown option" "did you mean '--format'" --formta csv "$good"
usage "option without a value" --reltol "$good" --reltol
usage "reltol of letters" abc "$good" --reltol abc
usage "reltol above one" --reltol "$good" --reltol 2
usage "unknown format" "csv" "$good" --format xls
usage "unknown method" "did you mean 'gear'" "$good" --method geer
usage "two decks" "$good" "$good" "$good"
name="result folder that does not exist"
answer "$good" -o "$scratch/no/such/folder/x.raw"
[ "$status" -eq 1 ] || fail "$name: exit status $status, expected 1"
grep -qF "no/such/folder" "$scratch/err" || fail "$name: the message does not name it"
name="full disk"
if [ -w /dev/full ]; then
    answer "$good" --format csv -o /dev/full
    [ "$status" -eq 1 ] || fail "$name: exit status $status, expected 1"
fi

finish
