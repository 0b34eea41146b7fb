#!/bin/sh
# docs/architecture.md names functions as file:function; each is defined there, and the picture is that of the .dot file.
. "$(dirname "$0")/common.sh"
cd "$KNOTEN_SOURCE" || exit 1
page=docs/architecture.md

grep -o '`[a-z_/]*\.c:[a-z_0-9]*`' "$page" | tr -d '`' | sort -u >"$scratch/stations"
[ "$(wc -l <"$scratch/stations")" -ge 25 ] || fail "only $(wc -l <"$scratch/stations") stations found in $page"
while IFS=: read -r file function; do
    [ -e "$file" ] || { fail "$page: there is no $file"; continue; }
    # A definition begins in the first column and does not end in a semicolon.
    awk -v name="$function" '/^[a-z]/ && !/;$/ { at = index($0, name "("); if (at > 1 && substr($0, at - 1, 1) ~ /[ *]/) found = 1 }
        END { exit !found }' "$file" || fail "$page: $file does not define $function"
done <"$scratch/stations"

# The way of a value has at most ten stations.
stations=$(sed -n '/^## A value/,/^## A step/p' "$page" | grep -c '^[0-9]*\. ')
[ "$stations" -ge 5 ] && [ "$stations" -le 10 ] || fail "$page: $stations stations from the deck to the matrix"

# Files and folders that are named without a function exist as well.
for path in $(grep -o '`[a-z_]*/[a-z_/]*\(\.[a-z]*\)*`' "$page" | tr -d '`'); do
    [ -e "$path" ] || fail "$page: there is no $path"
done

# Every box of the picture is in the graph that it is made from, and the other way round.
sed -n 's/^ *[a-z]* *\[label="\([^\\"]*\).*/\1/p' docs/architecture.dot | sort >"$scratch/boxes"
sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' docs/architecture.svg | sort >"$scratch/drawn"
[ "$(wc -l <"$scratch/boxes")" -ge 10 ] || fail "no boxes found in docs/architecture.dot"
while read -r box; do
    grep -qxF "$box" "$scratch/drawn" || fail "the picture lacks $box: dot -Tsvg docs/architecture.dot -o docs/architecture.svg"
done <"$scratch/boxes"
finish
