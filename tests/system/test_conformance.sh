#!/bin/sh
# Decks of all dialects, a construct each, give what they say (tests/decks/conformance/README.md).
. "$(dirname "$0")/common.sh"
tools=$KNOTEN_SOURCE/tests/tools
decks=0
cd "$scratch" || exit 1

# conform DECK: what it says of itself holds.
conform()
{
    name=$(basename "$(dirname "$1")")/$(basename "$1" .cir)
    rm -f ./*.csv ./*.json
    : >measures.json
    status=0
    # shellcheck disable=SC2046 # options are words
    timeout 60 "$KNOTEN" -q --format csv -o results.csv --measures measures.json \
        $(sed -n 's/^\*- //p' "$1") "$1" >out 2>err </dev/null || status=$?
    grep -q '^\*[?!] ' "$1" || fail "$name: it claims nothing"
    {
        grep '^\*! ' "$1"
        grep -q '^\*! status' "$1" || echo "*! status 0"
        for kind in error warning; do
            grep -q "^\*! $kind"s "$1" || echo "*! ${kind}s $(grep -c "^\*! $kind " "$1")"
        done
    } >claims
    awk -v deck="$(basename "$1" .cir)" -v status="$status" -f "$tools/expect.awk" claims err ||
        { fail "$name: other messages"; head -n 12 err; }
    [ "$status" -ne 0 ] || [ -e results.csv ] || : >results.csv
    [ "$status" -ne 0 ] || awk -f "$tools/conformance.awk" "$1" measures.json results.csv || fail "$name: other results"
    decks=$((decks + 1))
}

for deck in "$KNOTEN_SOURCE"/tests/decks/conformance/*/*.cir; do
    conform "$deck"
done
echo "$decks decks"
finish
