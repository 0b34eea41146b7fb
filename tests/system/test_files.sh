#!/bin/sh
# What the program writes: never over an input or another output, and never lost in silence.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# expect STATUS ARGUMENTS..
expect()
{
    wanted=$1
    shift
    "$KNOTEN" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "knoten $*: exit status $status, expected $wanted: $(cat err)"
}

says() { grep -q -e "$1" err || fail "'$1' is not in: $(cat err)"; }

# kept FILE: it is what it was.
kept() { cmp -s "$1" "originals/$1" || fail "$1 was overwritten"; }

deck()
{
    printf 'files\n.include part.inc\n.lib lib.inc one\nV1 in 0 SIN(0 1 1k)\nR1 in out 1k\n.tran 10u 100u\n'
    printf '.print tran v(out)\n.measure tran top MAX v(out)\n.end\n'
}
mkdir originals sub
deck >deck.cir
cp deck.cir deck.dot
cp deck.cir deck.svg
cp deck.cir deck.raw
printf 'C1 out 0 10n\n' >part.inc
printf '.lib one\nR2 out 0 1k\n.endl\n.lib two\nR2 out 0 2k\n.endl\n' >lib.inc
cp part.inc part.dot
cp ./*.cir ./*.dot ./*.svg ./*.raw ./*.inc originals

# ---- inputs ----

refused() # FILE ARGUMENTS..: with status 2, before anything is written
{
    file=$1
    shift
    rm -f new.raw new.json
    expect 2 "$@"
    says 'would overwrite'
    says "$file"
    kept "$file"
    [ ! -e new.raw ] && [ ! -e new.json ] || fail "$*: something was written"
}
ln -s deck.cir link.cir
ln -s "$scratch/deck.dot" link.dot
ln deck.svg hard.svg
ln -s ../part.inc sub/part
refused deck.raw deck.raw
refused deck.cir -o deck.cir deck.cir
refused deck.cir -o ./deck.cir "$scratch/deck.cir"
refused deck.cir -o link.cir deck.cir
refused deck.cir -o new.raw --measures deck.cir deck.cir
refused part.inc -o part.inc deck.cir
refused part.inc -o sub/part deck.cir
refused lib.inc -o lib.inc deck.cir
refused lib.inc -o new.raw --measures lib.inc deck.cir
refused deck.dot check --graph deck.dot deck.dot
refused deck.dot check --graph link.dot deck.dot
refused deck.svg compare -o deck.svg deck.svg
refused deck.svg compare -o hard.svg deck.svg
refused deck.cir explain -o deck.cir deck.cir
refused deck.cir explain -o ./deck.cir deck.cir
refused part.inc explain -o part.inc deck.cir
sed 's/part.inc/part.dot/' deck.cir >dotted.cir
refused part.dot check --graph part.dot dotted.cir
"$KNOTEN" -o deck.cir - <deck.cir >out 2>err
[ $? -eq 2 ] || fail "the deck on standard input may not be overwritten"
says 'standard input'
kept deck.cir

# ---- outputs ----

together() # ARGUMENTS..
{
    expect 2 "$@"
    says 'would both go to'
}
ln -s new.raw dangling.json
mkdir -p results
ln -s results other
together -o new.raw --measures new.raw deck.cir
together -o new.raw --measures ./new.raw deck.cir
together -o new.raw --measures "$scratch/new.raw" deck.cir
together -o new.raw --measures dangling.json deck.cir
together -o results/x --measures other/x deck.cir
together -o - --measures - deck.cir
[ ! -e new.raw ] || fail "new.raw was written"
: >both.raw
ln both.raw hard.json
together -o both.raw --measures hard.json deck.cir
"$KNOTEN" -o err deck.cir >out 2>err
[ $? -eq 2 ] || fail "results and messages in one file"
"$KNOTEN" -o out deck.cir >out 2>err
[ $? -eq 2 ] || fail "results and tables in one file"
expect 0 --quiet -o new.raw --measures new.json deck.cir
[ ! -c /dev/null ] || expect 0 --quiet -o /dev/null --measures /dev/null deck.cir

# ---- output that is lost ----

printf 'rc\nV1 in 0 1\nR1 in out 1k\nC1 out 0 1n\n.op\n.end\n' >op.cir
lost() # ARGUMENTS..: what they print does not arrive
{
    "$KNOTEN" "$@" >/dev/full 2>err
    status=$?
    [ "$status" -eq 1 ] || fail "knoten $* >/dev/full: exit status $status"
    says 'No space left\|incomplete'
    "$KNOTEN" "$@" >&- 2>err
    status=$?
    [ "$status" -eq 1 ] || fail "knoten $* >&-: exit status $status"
    says 'Bad file descriptor\|incomplete'
}
if [ -w /dev/full ]; then
    lost --version
    lost --help
    lost devices
    lost devices --markdown
    lost devices npn
    lost run --help
    lost check --help
    lost explain op.cir
    lost explain --format latex op.cir
    lost explain --format html op.cir
    lost check op.cir
    lost check --json op.cir
    lost --quiet -o new.raw deck.cir
    lost --quiet -o new.raw op.cir
    lost --quiet -o new.raw --plot deck.cir
    lost --quiet -o new.raw --measures - deck.cir
    lost --quiet --format csv -o - deck.cir
    lost --quiet -o - deck.cir
    lost compare --methods bdf --tol 1e-3:1e-3 --runs 1 -q deck.cir
    lost compare --methods bdf --tol 1e-3:1e-3 --runs 1 -q --format csv deck.cir
    lost verify -q deck.cir
    lost verify -q --json deck.cir
    ln -s /dev/full full.dot
    ln -s /dev/full full.svg
    expect 1 --quiet -o /dev/full deck.cir
    expect 1 --quiet -o new.raw --measures /dev/full deck.cir
    expect 1 explain -o /dev/full op.cir
    expect 1 check --graph full.dot op.cir
    if command -v dot >/dev/null; then
        expect 1 check --graph full.svg op.cir
    fi
    if command -v gnuplot >/dev/null; then
        expect 1 compare --methods bdf,radau --tol 1e-3:1e-4 --runs 1 -q -o full.svg deck.cir
    fi
fi

# With standard output closed, no file takes its place.
"$KNOTEN" -o new.raw op.cir >&- 2>err
"$KNOTEN" -o again.raw op.cir >out 2>err
[ "$(wc -c <new.raw)" -eq "$(wc -c <again.raw)" ] || fail "text for the screen is in the result file"

# Whoever looks at the first lines only is no failure.
{
    "$KNOTEN" devices --markdown 2>err
    echo $? >status
} | head -n 1 >out
[ "$(cat status)" -eq 0 ] || fail "devices | head: exit status $(cat status)"

finish
