#!/bin/sh
# Decks of all dialects, a construct each, give what they say (tests/decks/conformance/README.md).
. "$(dirname "$0")/common.sh"
tools=$KNOTEN_SOURCE/tests/tools
decks=0
cd "$scratch" || exit 1

# "OPTIONS|DECK" of all decks, one process for all: it takes as long to start as the program.
awk '
    function close_deck() { if (deck != "" && !claims) print "-|" deck; else if (deck != "") print options "|" deck }
    FNR == 1 { close_deck(); deck = FILENAME; options = ""; claims = 0 }
    /^\*- / { options = options " " substr($0, 4) }
    /^\*[?!] / { claims = 1 }
    END { close_deck() }' "$KNOTEN_SOURCE"/tests/decks/conformance/*/*.cir >options
while IFS='|' read -r options deck <&3; do
    [ "$options" != - ] || fail "$deck: it claims nothing"
    decks=$((decks + 1))
    status=0
    # shellcheck disable=SC2086 # options are words
    (ulimit -t 60 && exec "$KNOTEN" -q --format csv -o $decks.csv --measures $decks.json $options "$deck") \
        >$decks.out 2>$decks.err </dev/null || status=$?
    printf '%s\t%s\t%s\n' $status "$deck" $decks.err >>list
done 3<options
awk -v usual=0 -v complete=1 -f "$tools/expect.awk" list || fail "other messages"
awk -f "$tools/conformance.awk" list || fail "other results"
echo "$decks decks"
finish
