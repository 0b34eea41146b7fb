#!/bin/sh
# All that is wrong with a deck is said in one run, whatever it is that is wrong, and nothing is run.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# Mistakes of one line or more, "name|lines", \n between them, and what is said of them alone.
cat >mistakes <<'END'
nodes|R71 a|'R71': expected 2 nodes
model|D72 a 0 nomod|unknown model 'nomod'
parameter|R73 a 0 {q+1}|unknown parameter 'q'
formula|B74 a 0 I=v(a)+*2|expected a number, name or '('
instance|X75 a 0 nosub|unknown subcircuit 'nosub'
inside|.subckt s76 a b\nR1 a b {w76}\n.ends\nX76 a 0 s76|unknown parameter 'w76'
waveform|V77 b 0 PULSE(0 1 0 -1)\nR77 b 0 1|the rise time of PULSE must not be negative
setting|R78 a 0 1k tc1=foo|tc1 needs a number, not 'foo'
line|T79 a 0 b 0|'T79' has no characteristic impedance
unknown|.foo 1 2|unknown card '.foo'
tran|.tran a b|expected a number, found 'a'
ac|.ac dec 0 1 10|'.ac': the number of points
dc|.dc V9 0 1 0.1|'.dc': there is no source, element or parameter 'V9'
step|.step R9 1 2 1|'.step': there is no source, element or parameter 'R9'
runs|.mc 0|'.mc': the number of runs
options|.options reltol=foo|option 'reltol' needs a positive number
periodic|.pac lin 1 1 1 sidebands=1|'.pac': there is no .pss card
transfer|.tf i(R7) V1|there is no element 'R7'
broken|R80 a 0\n.tf i(R80) R80|'R80': expected a resistance
command|.control\nfoo\nprint v(nix)\n.endc|unknown command 'foo'
vector|.control\nop\nprint v(nix)\n.endc|print: there is no node 'nix'
file|.control\nop\nwrite ../.x v(a)\n.endc|it begins with a dot
changed|.control\nalter r9=1\nop\n.endc|there is no element 'r9'
END
graph='have no path to ground'

# said WORDS: among the errors
said() { grep -F -e "$1" err | grep -q error: || fail "$name: not said: $1"; }

deck()
{
    printf 'mistakes\nV1 in 0 DC 1 AC 1\nR1 in a 1k\nC1 a 0 1n\n'
    printf "$1\n.op\n$2\n.end\n"
}
refuse()
{
    rm -f x.raw
    deck "$1" "$2" >x.cir
    status=0
    timeout 20 "$KNOTEN" -o x.raw x.cir >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "$name: exit status $status"
    [ ! -s out ] && [ ! -e x.raw ] || fail "$name: something was run"
}

name=all lines= ends=
while IFS='|' read -r key text words; do
    case $text in .control*) [ "$key" = command ] && ends="$ends$text" ;; *) lines="$lines$text\n" ;; esac
done <mistakes
refuse "$lines" "$ends\n.alter changed\nR1 in a"
while IFS='|' read -r key text words; do
    case $key in vector | file | changed) ;; *) said "$words" ;; esac
done <mistakes
said "print: there is no node 'nix'"
said "'R1': expected a resistance"
before=$(wc -l <err)
[ "$(sort err | uniq -d | grep -c error:)" -eq 0 ] || { fail "something is said twice"; sort err | uniq -d; }
[ "$before" -lt 120 ] || fail "$before lines are said"

# Two by two; of whole circuits the graph as well.
awk -F'|' '{ key[NR] = $1; text[NR] = $2; words[NR] = $3 }
    END { srand(11); for (i = 1; i <= 60; i++) { a = 1 + int(rand() * NR); do b = 1 + int(rand() * NR); while (b == a)
        print key[a] "+" key[b] "|" text[a] "|" text[b] "|" words[a] "|" words[b] } }' mistakes >pairs
while IFS='|' read -r name one two first second; do
    refuse "$one\n$two" ""
    said "$first"
    said "$second"
done <pairs
for key in ac dc step runs periodic transfer command vector changed; do
    name=$key+graph
    text=$(sed -n "s/^$key|\(.*\)|.*/\1/p" mistakes)
    refuse "Rx x y 1k\n$text" ""
    said "$graph"
done
finish
