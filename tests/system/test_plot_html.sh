#!/bin/sh
# knoten plot -o x.html: a page that needs nothing but itself, looked at in a real browser where there is one.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
sed 's/^ *//' >step.cir <<'END'
    It's <b>odd</b> & "quoted" </script>
    .param rv=1k
    v1 in 0 pulse(0 1 0 1n 1n 10m 20m)
    r1 in out {rv}
    c1 out 0 100n
    .step param rv list 500 1k 2k
    .tran 1u 1m
    .end
END
"$KNOTEN" --quiet -o step.raw step.cir >out 2>&1 || fail "step.cir: $(cat out)"
if ! "$KNOTEN" plot -q step.raw 'v(out)' -o step.html 2>err; then
    grep -q 'was built without npm.*install npm' err || fail "no HTML, and no reason: $(cat err)"
    [ "$failures" -eq 0 ] && skip "this build has no uPlot"
    finish
fi
"$KNOTEN" plot step.raw 'v(out)' 'v(in)' 'i(v1)' -o step.html >out 2>err || fail "step.html: $(cat err)"
grep -q 'the picture is in step.html' err || fail "nothing is said of the page: $(cat err)"
grep -q "default-src 'none'" step.html || fail "the page has no policy"
grep -q 'Permission is hereby granted' step.html || fail "the licence of uPlot is not in the page"
sed '/^<script>/,$d' step.html | grep -oE '(src|href)="[^"]*"' | grep -v 'href="data:,"' && fail "the page refers to something"
[ "$(grep -c '</script' step.html)" -eq "$(grep -c '<script' step.html)" ] || fail "a title has ended a script"
# Nothing is lost: doubles are base64 of their eight bytes.  3 points, the x of 0, 0.1 and 0.3.
printf 'Title: t\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 2\nNo. Points: 3\nVariables:\n\t0\ttime\ttime\n' >few.raw
printf '\t1\tv(1)\tvoltage\nValues:\n0\t0\n\t1\n1\t0.1\n\t0.5\n2\t0.3\n\t-2\n' >>few.raw
"$KNOTEN" plot -q few.raw -o few.html || fail few.html
grep -q 'data-bytes="8">AAAAAAAAAACamZmZmZm5PzMzMzMzM9M/<' few.html || fail "0, 0.1, 0.3 are not in the page as doubles"
grep -q 'data-bytes="4">AACAPwAAAD8AAADA<' few.html || fail "1, 0.5, -2 are not in the page as singles"

awk 'BEGIN { n = 300000
    printf "Title: long\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 2\nNo. Points: %d\nVariables:\n\t0\ttime\ttime\n\t1\tv(1)\tvoltage\nValues:\n", n
    for (i = 0; i < n; i++) printf "%d\t%.9g\n\t%.6g\n", i, i * 1e-9, i == 210000 ? 6 : sin(i / 50) }' >long.raw
"$KNOTEN" plot -q long.raw -o long.html || fail long.html
awk 'BEGIN { n = 500
    printf "Title: circle\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 3\nNo. Points: %d\nVariables:\n\t0\ttime\ttime\n\t1\tv(1)\tvoltage\n\t2\tv(2)\tvoltage\nValues:\n", n
    for (i = 0; i < n; i++) printf "%d\t%.9g\n\t%.9g\n\t%.9g\n", i, i, cos(i * 6.2831853 / 499), sin(i * 6.2831853 / 499) }' >circle.raw
"$KNOTEN" plot -q --xy circle.raw 'v(1)' 'v(2)' -o circle.html || fail circle.html
awk 'BEGIN { n = 200000
    printf "Title: spiral\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 3\nNo. Points: %d\nVariables:\n\t0\ttime\ttime\n\t1\tv(1)\tvoltage\n\t2\tv(2)\tvoltage\nValues:\n", n
    for (i = 0; i < n; i++) printf "%d\t%.9g\n\t%.6g\n\t%.6g\n", i, i, i / n * cos(i / 500), i / n * sin(i / 500) }' >spiral.raw
"$KNOTEN" plot -q --xy spiral.raw 'v(1)' 'v(2)' -o spiral.html || fail spiral.html
"$KNOTEN" plot -q circle.raw -o nowhere/x.html 2>err && fail "a page in no folder is written"
grep -q "cannot write 'nowhere/x.html'" err || fail "no reason: $(cat err)"

CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
export CHROMIUM
if [ -z "$CHROMIUM" ] || ! command -v node >/dev/null; then
    [ "$failures" -eq 0 ] && skip "no chromium or no node to look at the pages with"
    finish
fi
timeout 120 node "$KNOTEN_SOURCE/tests/system/plot_html.js" "$KNOTEN_SOURCE/tests/tools/browser.js" step.html long.html circle.html spiral.html >looked 2>&1 ||
    fail "in the browser: $(cat looked)"
finish
