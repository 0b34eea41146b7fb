#!/bin/sh
# `knoten report`: one page that needs nothing else, with all its sections, for good decks and bad ones; in a browser it
# fits a narrow screen and asks nobody for anything.
. "$(dirname "$0")/common.sh"

holds()
{
    grep -q -e "$2" "$scratch/$1" || fail "'$2' is not in $1"
}

lacks()
{
    ! grep -qi -e "$2" "$scratch/$1" || fail "'$2' is in $1"
}

cat >"$scratch/tank.cir" <<'E2'
a tank & a <source> "quoted"
V1 in 0 DC 1 AC 1 PULSE(0 1 1u 10n 10n 40u 100u)
R1 in a 50
L1 a b 10u
C1 b 0 1n
Rl b 0 10k
V2 b c 0
C3 c 0 100p
.op
.ac dec 20 1k 100meg
.tran 0.1u 200u
.measure tran vmax max v(b)
.measure tran never when v(b)=50
.print tran v(b) i(l1)
.end
E2

"$KNOTEN" report "$scratch/tank.cir" -o "$scratch/tank.html" >"$scratch/out" 2>"$scratch/err" || fail "exit status $?"
holds err 'the report is in'

# By itself: no scripts, nothing from elsewhere; names of XML's languages are not fetched.
lacks tank.html '<script'
lacks tank.html ' src='
lacks tank.html '@import'
! grep -o 'https\{0,1\}://[^" <]*' "$scratch/tank.html" | grep -v '^http://www.w3.org/' || fail "the page names addresses"
holds tank.html "default-src 'none'"

for id in circuit index waveforms steps eigenvalues statistics messages equations; do
    holds tank.html "<section id=\"$id\">"
    holds tank.html "<a href=\"#$id\">"
done
holds tank.html '<h1>a tank &amp; a &lt;source&gt; &quot;quoted&quot;</h1>'
holds tank.html 'The equations have index 2'
holds tank.html 'C-V loop</b> C1 .* V2 .* C3'
holds tank.html '<math>'
holds tank.html 'AC Analysis'
holds tank.html 'v(b)</figcaption>\|v(b) <span'
holds tank.html 'what limited the step'
holds tank.html 'a corner or jump of a source'
holds tank.html '<td class="mono">vmax</td>'
holds tank.html 'never crosses 50'
holds tank.html '@media print'
holds tank.html 'prefers-color-scheme: dark'
if command -v dot >/dev/null; then
    holds tank.html '#d62728' # the loop, in red
    holds tank.html '<svg style='
fi

# Well-formed: each svg and each table is closed.
for tag in svg table figure section; do
    [ "$(grep -o "<$tag[ >]" "$scratch/tank.html" | wc -l)" -eq "$(grep -o "</$tag>" "$scratch/tank.html" | wc -l)" ] ||
        fail "<$tag> is not closed everywhere"
done

# Waveforms by name; without Graphviz; to standard output.
mkdir "$scratch/empty"
PATH=$scratch/empty "$KNOTEN" report "$scratch/tank.cir" --vectors 'v(a),i(v1)' -o - >"$scratch/chosen.html" 2>"$scratch/err" ||
    fail "chosen: exit status $?"
holds chosen.html 'v(a)'
lacks chosen.html '>v(b), '
holds chosen.html 'apt install graphviz'

# What cannot be solved or run has a page, too, and exit status 1; what cannot be read has none.
printf 'two sources\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n.tran 1u 1m\n.end\n' >"$scratch/loop.cir"
"$KNOTEN" report "$scratch/loop.cir" -o "$scratch/loop.html" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ] || fail "singular: exit status"
holds loop.html 'have no unique solution'
holds loop.html 'V loop</b> V1 .* V2'
printf 'runaway\nC1 a 0 1 ic=1\nB1 0 a i=v(a)*v(a)\n.tran 1m 2 uic\n.end\n' >"$scratch/runaway.cir"
"$KNOTEN" report "$scratch/runaway.cir" -o "$scratch/runaway.html" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ] || fail "runaway: exit status"
holds runaway.html 'the run failed'
holds runaway.html 'class="message error"'
holds runaway.html 'step size'
printf 'bad\nR1 a\n.end\n' >"$scratch/bad.cir"
"$KNOTEN" report "$scratch/bad.cir" -o "$scratch/bad.html" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 2 ] || fail "bad deck: exit status"
[ ! -e "$scratch/bad.html" ] || fail "a page of a deck that cannot be read"
"$KNOTEN" report "$scratch/tank.cir" -o "$scratch/none/x.html" >"$scratch/out" 2>"$scratch/err" && fail "no such folder: exit status 0"
holds err 'cannot write'

# Families, and large circuits without picture and equations.
printf 'family\nV1 a 0 1\nR1 a b {r}\nC1 b 0 1u ic=0\n.param r=1k\n.step param r list 1k 2k 4k\n.tran 10u 5m uic\n.end\n' >"$scratch/family.cir"
"$KNOTEN" report "$scratch/family.cir" -o "$scratch/family.html" >"$scratch/out" 2>"$scratch/err" || fail "family: exit status $?"
holds family.html 'of 3 runs'
awk 'BEGIN { print "line"; print "V1 n0 0 SIN(0 1 1k)"; for (k = 1; k <= 200; k++)
    printf "R%d n%d n%d 1\nC%d n%d 0 1n\n", k, k - 1, k, k, k; print ".tran 10u 1m\n.end" }' >"$scratch/line.cir"
"$KNOTEN" report "$scratch/line.cir" -o "$scratch/line.html" >"$scratch/out" 2>"$scratch/err" || fail "line: exit status $?"
holds line.html 'too many to be drawn'
holds line.html 'too many to be read'

# In a browser: what it measures it says in the title.  The measuring script is let in by leaving the policy out.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
    measure='<script>addEventListener("load", () => { document.title = "measured " + innerWidth + " " + document.documentElement.scrollWidth + " " + document.querySelectorAll("svg.chart").length + " " + performance.getEntriesByType("resource").length; });</script>'
    for page in tank runaway family line; do
        sed "s|<meta http-equiv=\"Content-Security-Policy\"[^>]*>|$measure|" "$scratch/$page.html" >"$scratch/measured.html"
        cat >"$scratch/frame.html" <<E2
<!DOCTYPE html><html><body style="margin:0"><iframe id="f" src="measured.html" style="width:360px;height:3000px;border:0"></iframe>
<script>addEventListener("load", () => { document.title = document.getElementById("f").contentDocument.title; });</script></body></html>
E2
        timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --allow-file-access-from-files --virtual-time-budget=4000 \
            --user-data-dir="$scratch/profile" --dump-dom "file://$scratch/frame.html" >"$scratch/dom" 2>"$scratch/err" || true
        set -- $(sed -n 's/.*<title>measured \([0-9 ]*\)<.*/\1/p' "$scratch/dom")
        [ $# -eq 4 ] || { echo "the browser measured nothing of $page"; continue; }
        [ "$1" -eq 360 ] && [ "$2" -le 360 ] || fail "$page is $2 pixels wide on a screen of $1"
        [ "$3" -ge 3 ] || fail "$page shows $3 charts"
        [ "$4" -eq 0 ] || fail "$page asked for $4 things"
        measured=yes
    done
    [ "${measured:-no}" = yes ] || echo "no measurement in the browser"
fi

# On paper: no heading at the end of a page whose text stands on the next.
if [ -n "$browser" ] && command -v pdftotext >/dev/null; then
    "$KNOTEN" report "$KNOTEN_SOURCE/examples/rectifier.cir" -o "$scratch/paper.html" >"$scratch/out" 2>&1 || fail "paper: exit status $?"
    timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir="$scratch/profile" \
        --print-to-pdf="$scratch/paper.pdf" "file://$scratch/paper.html" >"$scratch/out" 2>&1 || true
    if pdftotext -layout "$scratch/paper.pdf" "$scratch/paper.txt" 2>"$scratch/err"; then
        tr '\n\f' '~\n' <"$scratch/paper.txt" | sed 's/~*$//; s/.*~ *//' >"$scratch/ends"
        [ "$(wc -l <"$scratch/ends")" -ge 5 ] || fail "a report of $(wc -l <"$scratch/ends") pages"
        ! grep -E '^(Circuit|Index|Waveforms|Steps|Eigenvalues|Statistics|Messages|Equations|voltage sources:)$' "$scratch/ends" ||
            fail "a heading ends a page"
    fi
fi

finish
