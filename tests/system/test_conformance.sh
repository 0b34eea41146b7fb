#!/bin/sh
# Decks of all dialects, a construct each, give what they say (tests/decks/conformance/README.md).
. "$(dirname "$0")/common.sh"
tools=$KNOTEN_SOURCE/tests/tools
decks=0
cd "$scratch" || exit 1

# conform DECK OPTIONS: what it says of itself holds.
conform()
{
    name=${1##*/}
    name=${name%.cir}
    : >measures.json
    : >results.csv
    status=0
    # shellcheck disable=SC2086 # options are words
    timeout 60 "$KNOTEN" -q --format csv -o results.csv --measures measures.json $2 "$1" >out 2>err </dev/null || status=$?
    awk -v deck="$name" -v status="$status" -v usual=0 -v complete=1 -f "$tools/expect.awk" "$1" err ||
        { fail "$1: other messages"; head -n 12 err; }
    [ -e results.csv ] || : >results.csv
    awk -f "$tools/conformance.awk" "$1" measures.json results.csv || fail "$1: other results"
    decks=$((decks + 1))
}

# "OPTIONS|DECK" of all decks, one process for all: it takes as long to start as the program.
awk '
    function close_deck() { if (deck != "" && !claims) print "-|" deck; else if (deck != "") print options "|" deck }
    FNR == 1 { close_deck(); deck = FILENAME; options = ""; claims = 0 }
    /^\*- / { options = options " " substr($0, 4) }
    /^\*[?!] / { claims = 1 }
    END { close_deck() }' "$KNOTEN_SOURCE"/tests/decks/conformance/*/*.cir >options
while IFS='|' read -r options deck <&3; do
    [ "$options" != - ] || fail "$deck: it claims nothing"
    conform "$deck" "$options"
done 3<options
echo "$decks decks"
finish
