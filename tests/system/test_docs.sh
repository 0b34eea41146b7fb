#!/bin/sh
# The documentation is what the program does: every block ```console of README.md and of the pages in docs/ is run in a copy of
# docs/decks and of the examples, and its outputs are compared with those that are shown (docs.awk says how); links lead somewhere; mkdocs builds the
# pages without a warning.
#
#   tests/system/test_docs.sh --update PAGE..    writes the pages anew with the outputs as they are
case ${1-} in
--update) : "${KNOTEN_SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}" "${KNOTEN_BUILD:=$KNOTEN_SOURCE/build}" "${KNOTEN:=$KNOTEN_BUILD/knoten}" ;;
esac
. "$KNOTEN_SOURCE/tests/system/common.sh"
LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS LINES
mkdir "$scratch/bin"
ln -s "$KNOTEN" "$scratch/bin/knoten"
PATH=$scratch/bin:$PATH
export PATH LC_ALL

# run_page PAGE: in a fresh copy of the decks.
run_page()
{
    rm -rf "$scratch/decks"
    cp -r "$KNOTEN_SOURCE/docs/decks" "$scratch/decks"
    cp -r "$KNOTEN_SOURCE/examples" "$scratch/decks/examples"
    (cd "$scratch/decks" && awk -v update="$update" -f "$KNOTEN_SOURCE/tests/system/docs.awk" "$1")
}

update=
if [ "${1-}" = --update ]; then
    update=1
    shift
    for page in "$@"; do
        run_page "$(realpath "$page")" >"$scratch/page" && cp "$scratch/page" "$page"
    done
    exit
fi

# ---- what tells right from wrong can tell ----

mkdir "$scratch/decks"
printf '```console\n$ echo a 1.00 c\na 1.01 c\n```\n' >"$scratch/wrong.md"
printf '<!-- within 2 %% -->\n```console\n$ echo a 1.00 c\na 1.01 c\n$ printf "1\\n2\\n3\\n"\n1\n..\n3\n$ echo took 5 s\ntook .. s\n```\n' >"$scratch/right.md"
update= run_page "$scratch/wrong.md" >"$scratch/log" 2>&1 && fail "a wrong output is not seen"
run_page "$scratch/right.md" >"$scratch/log" 2>&1 || { fail "a right output is not accepted"; cat "$scratch/log"; }

# ---- every page ----

total=0
for page in $(grep -l '^```console$' "$KNOTEN_SOURCE/README.md" "$KNOTEN_SOURCE"/docs/*.md "$KNOTEN_SOURCE"/docs/*/*.md); do
    run_page "$page" >"$scratch/log" 2>"$scratch/count" || { fail "${page#"$KNOTEN_SOURCE"/} shows what is not so"; cat "$scratch/log"; }
    total=$((total + $(sed 's/ .*//' "$scratch/count")))
done
[ "$total" -ge 100 ] || fail "only $total commands with outputs found in the pages"
echo "$total commands have the outputs that the pages show"

# ---- links and pages ----

cd "$KNOTEN_SOURCE/docs" || exit 1
grep -o ']([^)#: ]*[)#]' ./*.md ./*/*.md | sed 's/:](/ /; s/[)#]$//' >"$scratch/links"
while read -r page target; do
    [ -e "${page%/*}/$target" ] || fail "docs/$page links to $target, which does not exist"
done <"$scratch/links"
[ "$(wc -l <"$scratch/links")" -ge 40 ] || fail "only $(wc -l <"$scratch/links") links found"
for page in *.md */*.md; do
    grep -q " $page\$" ../mkdocs.yml || fail "mkdocs.yml does not have docs/$page"
done
if command -v mkdocs >/dev/null; then
    mkdocs build --strict --quiet --config-file ../mkdocs.yml --site-dir "$scratch/site" >"$scratch/log" 2>&1 || fail "mkdocs"
    [ ! -s "$scratch/log" ] || { fail "mkdocs warns"; cat "$scratch/log"; }
    ! grep -rhoE '(src|href)="https?://[^"]*"' "$scratch/site" --include=*.html | grep -E '\.(js|css|woff2?)"' >"$scratch/log" ||
        { fail "pages load things from elsewhere"; sort -u "$scratch/log"; }
fi
finish
