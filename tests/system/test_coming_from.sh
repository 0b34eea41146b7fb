#!/bin/sh
# Every row of the tables in docs/coming-from.md is true: for each there is a deck here, and no row is without one.
. "$KNOTEN_SOURCE/tests/system/common.sh"
page=$KNOTEN_SOURCE/docs/coming-from.md
cd "$scratch" || exit 1
: >claimed

# row 'LEFT CELL': what follows is about it.
row()
{
    now=$1
    printf '%s\n' "$1" >>claimed
}

# deck 'LINES': runs them, messages and tables in $out, results in a file of its own, $csv.
ulimit -t 30
decks=0
deck()
{
    decks=$((decks + 1))
    csv=k$decks.csv
    printf '%b\n' "$1" >deck.cir
    status=0
    out=$("$KNOTEN" --format csv -o $csv deck.cir 2>&1 </dev/null) || status=$?
}

# holds PATTERN: what was said has it.  A text without signs of patterns is looked for without starting a process.
holds()
{
    case $1 in
    *[][\\.*^$]*) printf '%s\n' "$out" | grep -q -e "$1" ;;
    *) case $out in *"$1"*) ;; *) return 1 ;; esac ;;
    esac
}
says() { holds "$1" || fail "$now: expected '$1', not $out"; }
lacks() { ! holds "$1" || fail "$now: unexpected '$1' in $out"; }
runs() { [ "$status" -eq 0 ] || fail "$now: exit status $status, $out"; }
silent() { runs; lacks warning; lacks error; }
# last COLUMN VALUE: of the last row, to 1e-5; starts: of the first.  All of them are looked at together, in the end.
last() { printf '%s\t%s\t%s\t%s\t%s\n' "$csv" 0 "$1" "$2" "$now" >>values; }
starts() { printf '%s\t%s\t%s\t%s\t%s\n' "$csv" 2 "$1" "$2" "$now" >>values; }
parts='V1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 100n'
lt='* C:\\\\decks\\\\x.asc'

# ---- whose deck it is: formulas that the programs read differently have the values that --dialect gives them ----

taken_for()
{
    whose=$1
    shift
    for marker in "$@"; do
        first=title
        case $marker in '\* '*) first=${marker#\\} marker='* none' ;; esac
        deck "$first\nV1 a 0 {2^3}\nV2 b 0 {log(100)}\nR1 a 0 1k\nR2 b 0 1k\n$marker\n.op\n.end"
        "$KNOTEN" -q --dialect "$whose" --format csv -o said.csv deck.cir >said 2>&1
        [ "$(sed 2q $csv)" = "$(sed 2q said.csv)" ] || { fail "$marker: not taken for $whose"; cat said; }
        [ "$whose" != spice ] || continue
    done
}
row '`.backanno`, `* C:\..\name.asc`, `.tran 10m`, `startup`, `.machine`, `.wave`, `.sourcepath`'
taken_for ltspice .backanno '\* C:\\\\decks\\\\x.asc' '.tran 10m' '.tran 1u 1m 0 startup' '.machine\n.endmachine' '.wave x.wav 16 44k a' '.sourcepath x'
row '`.options timeint ..` and other packages, `.global_param`, `.print .. format=`, `file=`, `p(r1) w(r1)` on one, `.tran .. {schedule(..)}`, `YDELAY`, `YACC`, `YADC`, `YDAC`, `.sens objfunc=`'
taken_for xyce '.options timeint reltol=1e-3' '.global_param x=1' '.print dc format=csv v(a)' '.print dc file=x v(a)' '.print dc p(R1) w(R1)' \
    '.tran 0 1m {schedule(0,1)}' 'YDAC d1 p 0\nRp p 0 1' 'YADC d1 a 0' 'YACC m1 a p q' 'YDELAY d1 p 0 a 0 TD=1n'
row '`.probe/csdf`, `.probe64`, `.stimulus`, `.aliases`, `optional:` and `text:` on `.subckt`, `* source NAME`, `"nom.lib"`'
taken_for pspice '.probe/csdf V(a)' '.probe64 V(a)' '.stimulus s PWL 0 0' '.aliases\n.endaliases' '.subckt s p optional: q=0\nR1 p q 1k\n.ends' \
    '.subckt s p text: x="y"\nR1 p 0 1k\n.ends' '\* source AMPLIFIER' '.lib "nom.lib"'
row '`.option post`, `runlvl`, `accurate`, `parhier`, `.alter`, `.connect`, `.hdl`, `.unprot`'
taken_for hspice '.option post' '.option runlvl=5' '.option accurate' '.option parhier=local' .alter '.connect a c' '.hdl "x.va"' .unprot
row '`.control`, `.csparam`'
taken_for ngspice '.csparam x=1'
row '`.title KiCad schematic`, `* EESchema Netlist`'
taken_for kicad '.title KiCad schematic' '\* EESchema Netlist'

# ---- all of them ----

now="all of them"
deck "title\n$parts\n.tran 100u 1m\n.print tran v(b) v(nosuch)\n.options gmindc=1 trtol=7\n.end"
runs && says "warning: .*nosuch" && says "note: options without meaning here are ignored: .*trtol"
[ "$(wc -l <$csv)" -gt 30 ] || fail "the first number of .tran decides about the steps"
deck 'title\nV1 a 0 1\nR1 a 0 1k\n.ic v(b)=1\n.nodeset v(c)=2\n.op\n.end'
runs && says "no node 'b'" && says "no node 'c'"
deck 'title\nV1 a 0 1\nR1 a 0 1,5k\n.op\n.end'
says 'did you mean 1.5k'
mkdir lib && printf 'no title\n.param r=2k\n' >lib/my.inc
sed -i 1d lib/my.inc
deck 'title\nV1 a 0 1\n.include "C:\\\\parts\\\\lib\\\\my.inc"\nR1 a 0 {r}\n.op\n.end'
[ "$status" -ne 0 ] || fail "a file that is not beside the deck is found"
mkdir -p libraries/cmp && printf '.param r=4k\n' >libraries/cmp/My.inc
KNOTEN_LIBRARIES=$PWD/libraries:$PWD/lib
export KNOTEN_LIBRARIES
deck 'title\nV1 a 0 1\n.include "C:\\\\parts\\\\lib\\\\my.inc"\nR1 a 0 {r}\n.op\n.end'
runs && says 'is read instead' && last 'i(v1)' -0.00025
KNOTEN_LIBRARIES=$PWD/lib
deck 'title\nV1 a 0 1\n.include "C:\\\\parts\\\\my.inc"\nR1 a 0 {r}\n.op\n.end'
runs && says 'is read instead' && last 'i(v1)' -0.0005
unset KNOTEN_LIBRARIES
cp lib/my.inc my.inc
deck 'title\nV1 a 0 1\n.include "C:\\\\parts\\\\lib\\\\my.inc"\nR1 a 0 {r}\n.op\n.end'
silent && last 'i(v1)' -0.0005
printf 'title\r\nV1 \265 0 1\r\nR1 \265 0 1k\r\n.op\r\n.end\r\n' >latin.cir
csv=latin.csv
"$KNOTEN" -q --format csv -o $csv latin.cir >said 2>&1 && last 'i(v1)' -0.001 || fail "Latin-1 with lines of DOS"

printf '.subckt good a b\nR1 a b 1k\n.ends\n.subckt bad a b\nR1 a )\n.ends\n.model m nosuch(x=1)\n' >some.lib
deck 'title\nV1 a 0 1\n.include some.lib\nX1 a 0 good\n.op\n.end'
silent && last 'i(v1)' -0.001
deck 'title\nV1 a 0 1\n.include some.lib\nX1 a 0 bad\n.op\n.end'
says 'closes nothing'

# ---- ngspice ----

row '`.control` with `tran 1u 1m`, `plot v(a)`, `meas`'
deck "title\n$parts\n.control\ntran 1u 1m\nmeas tran top max v(b)\n.endc\n.end"
silent && says '^top'
row '`agauss()` and loops in `.control`'
deck 'title\n.csparam x=1\n.param r={agauss(1k,500,1)}\nV1 a 0 1\nR1 a 0 {r}\n.op\n.end'
runs && last 'i(v1)' -0.001
deck 'title\n.csparam x=1\n.param r={agauss(1k,500,1)}\nV1 a 0 1\nR1 a 0 {r}\n.op\n.mc 3 seed=1\n.end'
runs && [ "$(cut -d , -f 3 $csv | sort -u | wc -l)" -ge 4 ] || fail "$now: no draws"
row '`.model d d (`, `.include values.txt`, `+ )`: a file in the middle of a card, whose lines go on with the card above, and the `+` below it with its last one'
printf '+ rsh=2k\n' >values.txt
deck 'title\nV1 a 0 2\nR1 a 0 s l=1 w=1\n.model s r (\n.include values.txt\n+ )\n.op\n.end'
silent && last 'i(v1)' -0.001

row '`.include` within `.if` is always read'
deck 'title\nV1 a 0 1\nR1 a 0 1k\n.if (0)\n.include "nosuch.inc"\n.endif\n.op\n.end'
runs && lacks error
row 'parameters behind `.endif` of a branch that is not true keep what they had'
deck 'title\n.param r=1k\n.if (0)\n.param r=2k\n.endif\nV1 a 0 1\nR1 a 0 {r}\n.op\n.end'
silent && last 'i(v1)' -0.001

row '`X1 d g s b nfet W=2 nf=2 ad='"'W/nf*0.29'"'`'
own='.param W=5\nV1 a 0 1\nX1 a s W=1 ad={W*2}\n.subckt s a W=10 ad=1\nR1 a 0 {ad}\n.ends\n.op'
deck "title\n$own\n.csparam x=1\n.end"
runs && lacks error && last 'i(v1)' -0.5
deck "title\n$own\n.option post\n.end"
runs && lacks error && last 'i(v1)' -0.1
deck 'title\nV1 a 0 1\nX1 a s W=1 ad={W*2}\n.subckt s a W=10 ad=1\nR1 a 0 {ad}\n.ends\n.op\n.end'
silent && last 'i(v1)' -0.5
row '`include "file"` without a dot, in PDKs'
deck 'title\nV1 a 0 1\nR1 a 0 1\ninclude "x.lib"\n.op\n.end'
runs && says "'include' without a dot is ignored" && last 'i(v1)' -1
row '`.subckt s a b a`, two ports of one name'
deck 'title\nV1 a 0 1\nR1 c 0 1k\nX1 a b c s\n.subckt s a b a\nR1 a b 1k\nR2 b 0 1k\n.ends\n.op\n.end'
runs && says warning && last 'v(b)' 0.5
row '`.model n nmos(level=8 version=3.2.4 ..)`, `nqsmod=1`'
mos='M1 d g 0 0 n l=1u w=10u\nVD d 0 1\nVG g 0 1.5\n.op'
deck "title\n$mos\n.model n nmos(level=8 vth0=0.5)\n.end"
silent
cut -d, -f 1-4 $csv >plain
deck "title\n$mos\n.model n nmos(level=8 version=3.2.4 vth0=0.5 nqsmod=1)\n.end"
runs
says 'evaluated as 3.3.0'
says 'nqsmod and acnqsmod are taken as 0'
cut -d, -f 1-4 $csv | cmp -s - plain || { fail "$now: other results"; cat $csv; }
row '`.model n nmos(level=54 version=4.5 ..)`, `trnqsmod=1`, `rgatemod=3`'
deck "title\n$mos\n.model n nmos(level=54 vth0=0.5 rgatemod=2)\n.end"
silent
cut -d, -f 1-4 $csv >plain4
deck "title\n$mos\n.model n nmos(level=54 version='4.5.0' vth0=0.5 trnqsmod=1 rgatemod=3)\n.end"
runs
says 'evaluated as 4.8.2'
says 'trnqsmod and acnqsmod are taken as 0'
says 'rgatemod = 3 is taken as 2'
cut -d, -f 1-4 $csv | cmp -s - plain4 || { fail "$now: other results"; cat $csv; }
row '`.model n nmos(level=10 ..)`, `level=57`'
deck "title\nM1 d g 0 0 0 n l=1u w=10u\nVD d 0 1\nVG g 0 1.5\n.op\n.model n nmos(level=10 vth0=0.5)\n.end"
silent
cut -d, -f 1-4 $csv >plain10
deck "title\nM1 d g 0 0 0 n l=1u w=10u\nVD d 0 1\nVG g 0 1.5\n.op\n.model n nmos(level=57 version=2.2.3 vth0=0.5)\n.end"
silent
cut -d, -f 1-4 $csv | cmp -s - plain10 || { fail "$now: other results"; cat $csv; }

# ---- LTspice ----

row '`mobmod=0` of BSIMSOI'
for mobmod in 0 3; do
    deck "title\nM1 d g 0 0 n l=1u w=10u\nVD d 0 1\nVG g 0 1.5\n.op\n.model n nmos(level=57 vth0=0.5 mobmod=$mobmod)\n.end"
    runs
    cut -d, -f 1-4 $csv >"mobmod$mobmod"
done
cmp -s mobmod0 mobmod3 || { fail "$now: other results"; cat mobmod0 mobmod3; }
row '`.model m nmos(level=3 rg=5 rb=1 rds=1meg tt=100n)`'
deck 'title\nV1 d 0 10\nM1 d 0 0 0 m\n.model m nmos(level=3 tox=100n vto=3 rg=5 rb=1 rds=10k tt=100n)\n.control\nop\n.endc\n.end'
silent
last 'i(v1)' -1e-3
row '`.model q npn(rco=20 vo=3 gamma=1e-8 qco=1p ..)`'
deck 'title\nVC c 0 1\nVB b 0 0.85\nQ1 c b 0 q\n.model q npn(is=2e-15 bf=150 vaf=60 rc=1 rco=20 vo=3 gamma=1e-8 qco=1p rb=10 re=.1)\n.op\n.end'
silent && last 'i(vc)' -0.1080157
row '`.model q npn(tlev=3 tlevc=1 ..)`'
# 1e-16^(1 - 0.001 * 50) exp(0.6 V / 350.15 K)
deck 'title\n.temp 77\nVc c 0 2\nVb b 0 0.6\nQ1 c b 0 q\n.model q npn(tlev=3 tlevc=1 tis1=-1e-3 tnom=27)\nG1 0 a c 0 0\nF1 0 a Vc -1e3\nR1 a 0 1\n.op\n.end'
runs && lacks warning && last 'v(a)' 0.00027284666
deck 'title\nVb b 0 0.6\nQ1 b b 0 q\n.model q npn(tlev=2)\n.op\n.end'
runs && says 'tlev = 2 is not known'
row '`.model d d(isr=1n)`'
# 2 kT/q ln(1 mA / 1 nA + 1)
deck 'title\nI1 0 a 1m\nD1 a 0 d\n.model d d(is=1e-30 isr=1n m=0)\n.options gmin=1e-20\n.op\n.end'
silent
last 'v(a)' 0.714674
row '`D1 a k d area=10`, `.model d d(bv=10 ibv=1m)`'
deck 'title\nV1 a 0 -10\nD1 a 0 d area=10 pj=10\n.model d d(is=1e-14 jsw=1e-14 bv=10 ibv=1m)\n.options gmin=1e-20\n.op\n.end'
silent && last 'i(v1)' 0.01
row '`.model d d(jsw=1p n=2)` without `ns`'
deck 'title\nV1 a 0 0.6\nVb a b 0\nVc a c 0\nDb b 0 d pj=1\nDc c 0 e pj=1\nBr r 0 V=I(Vb)/I(Vc)\n.model d d(is=1e-20 jsw=1p n=2)\n.model e d(is=1e-20 jsw=1p n=2 ns=2)\n.temp 100\n.op\n.end'
silent && last 'v(r)' 1
row '`D1 a k d` at -0.1 V'
# 1 nA (1 - exp(-0.1 V / (kT/q)))
deck 'title\nV1 a 0 -0.1\nD1 a 0 d\n.model d d(is=1n)\n.options gmin=1e-20\n.op\n.end'
silent && last 'i(v1)' 9.790631e-10
row '`.model z nmf(is=10f)`, level 1, away from 27 degrees'
# two junctions of 10 fA exp((373.15/300.15 - 1) 1.11 V / (kT/q)) (exp(0.6 V / (kT/q)) - 1) at 373.15 K
deck 'title\nV1 g 0 0.6\nZ1 0 g 0 z\n.model z nmf(vto=-2 beta=1m is=10f)\n.temp 100\n.op\n.end'
silent && last 'i(v1)' -0.01124115
row '`E1 a 0 TABLE {V(b)} = (0,0) (1,1)`'
deck 'title\nV1 b 0 0.5\nE1 a 0 TABLE {V(b)} = (-11,0) (0,0) (11,11)\nR1 a 0 1k\n.op\n.end'
silent && last 'v(a)' 0.5
row '`A1 (a 0) (c 0) n`, `A2 (c 0) k`, `.model n lcouple(..)`, `.model k core(..)`'
# 100 H behind 100 ohm at 10 Hz: 1 / (1 - j 100 / (2 pi 10 100))
deck 'title\nV1 b 0 ac 1\nR1 b a 100\nA1 (a 0) (c 0) n\nA2 (c 0) k\n.model n lcouple(num_turns=10)\n.model k core(h_array=[-1 1] b_array=[-1 1] area=1 length=1)\n.ac lin 1 10 10\n.meas ac x find vi(a) at=10\n.end'
runs && says 'x  *0.0159115'
row '`.model i ilimit(i_source_range=1m ..)`'
# 0.99 mA out of 1 ohm: (0.99 mA + 1 mA)^2 / 4 mA from the one supply, 0.99 mA less into the other
deck 'title\nV1 a 0 0.1\nVp p 0 10\nVn n 0 -10\nA1 a p n o i\nR1 o 0 100\n.model i ilimit(r_out_source=1 r_out_sink=1 i_limit_source=1 i_limit_sink=1 i_source_range=1m i_sink_range=1m r_out_domain=1m v_pwr_range=1m)\nBs s 0 V=-I(Vp)-I(Vn)\n.op\n.end'
runs && last 'v(s)' 9.900990e-4
row '`.option ramptime=0.2`'
deck 'title\nV1 a 0 1\nR1 a 0 1k\n.option ramptime=0.2\n.tran 10m 0.1\n.end'
says 'ramptime' && starts 'v(a)' 1
row '`let a[1] = v(1)` of a vector of many'
deck 'title\nV1 1 0 2\nR1 1 0 1k\n.control\ntran 10m 1\nlet a = vector(5)\nlet a[1] = v(1)\nprint a[1]\n.endc\n.end'
says 'a\[1\] = 1' && says 'is given' && [ "$status" -eq 1 ]
row '`inoise_total` of `.noise`'
# a resistor in front of a capacitor is 4 k T 1 kohm at every frequency: its square root, times that of 1 MHz
deck 'title\nV1 a 0 ac 1\nR1 a b 1k\nC1 b 0 1n\n.noise v(b) V1 dec 10 1 1meg\n.end'
silent && says 'inoise_total  *4.07137'
row '`Q1 c b e q 0.1`'
deck 'title\nI1 0 b 1m\nVc c 0 0\nRe e 0 1g\nQ1 c b e q 0.1\n.model q npn(is=1e-12 br=4)\n.options gmin=1e-20\n.op\n.end'
silent && last 'v(b)' 0.630414
row '`.model j njf(m=0.36)`'
deck 'title\nV1 g 0 -3 ac 1\nJ1 0 g 0 j\n.model j njf(cgs=1p pb=1 m=1)\n.ac lin 1 1meg 1meg\n.meas ac c find i(v1) at=1meg\n.end'
runs && says 'c  *1.5708e-06'
row 'outputs of a bridge at ground, `A1 [a] [0] dac`'
deck 'title\nV1 h 0 5\nA2 [h] [a] adc\nA1 [a] [0] dac\nR1 h 0 1\n.model adc adc_bridge\n.model dac dac_bridge\n.op\n.end'
runs && says 'is connected to ground and left out'
row '`R1 a b 5k ac=15k`'
deck 'title\nV1 a 0 1 ac 1\nR1 a b 5k\nR2 b 0 5k ac=15k\n.ac lin 1 1k 1k\n.end'
silent && last 're(v(b))' 0.75
deck 'title\nV1 a 0 1 ac 1\nR1 a b 5k\nR2 b 0 5k ac=15k\n.tf v(b) v1\n.end'
silent && last transfer_function 0.5
row '`K1 L1 L2 0.5`, `K2 L1 L2 0.2`'
pair='title\nV1 a 0 0 ac 1\nL1 a 0 1m\nL2 b 0 1m\nK1 L1 L2 0.5\nK2 L1 L2 0.2\n.ac lin 1 1k 1k'
deck "$pair\n.end"
runs && says warning && last 're(v(b))' 0.7
deck "$pair\n.options timeint reltol=1e-4\n.end"
runs && says warning && last 're(v(b))' 0.2
deck "$pair\n.backanno\n.end"
says 'couples already' && lacks warning
row '`V1 a 0 EXP(0 1 0 1n)`'
deck 'title\nV1 a 0 EXP(0 1 0 1n)\nR1 a 0 1k\n.tran 10n 10n\n.measure tran half when v(a)=0.5\n.end'
silent
says 'half *6\.931[0-9]*e-10' # ln 2 of a nanosecond

row '`R1 a b r={time}`'
deck 'title\nV1 a 0 1\nR1 a b r={time*1meg}\nR2 b 0 1k\n.tran 1u 1m\n.end'
silent && last 'v(b)' 0.5 && starts 'v(b)' 1
deck 'title\nV1 a 0 1\nR1 a b r={v(c)}\nR2 b 0 1k\nR3 c 0 1k\n.op\n.end'
says 'its resistance is 0 ohm'
row '`B1 a 0 V=V(in)*hertz`'
deck 'title\nV1 in 0 2 ac 1\nB1 a 0 V=V(in)*hertz\nR1 a 0 1\n.ac lin 1 1k 1k\n.end'
silent && last 're(v(a))' 1000
deck 'title\nV1 in 0 2 ac 1\nB1 a 0 V=V(in)*hertz\nR1 a 0 1\n.op\n.end'
silent && last 'v(a)' 0
row '`V=~V(a) + 0.5`, `~(V(a)&V(b))`'
deck 'title\nV1 a 0 0\nV2 b 0 1\nB1 c 0 V=~V(a)+0.5\nB2 d 0 V=~(V(a)&V(b))\n.csparam z=1\n.op\n.end'
silent && last 'v(c)' 1.5 && last 'v(d)' 1
row '`.param both=or{and}` of texts'
deck 'title\n.param and="0001" or="0111"\n.param both=or{and}\n.model m d_lut table_values=both\na1 [d1 d2 d3] o1 m\nV1 a1 0 1\nV2 a2 0 1\nV3 a3 0 0\na2 [a1 a2 a3] [d1 d2 d3] adc\n.model adc adc_bridge(in_low=0.5 in_high=0.5)\na3 [o1] [b1] dac\n.model dac dac_bridge(out_low=0 out_high=1)\n.op\n.csparam z=1\n.end'
runs && last 'v(b1)' 1
row '`stop when time=1m`, `run`, `alter`, `resume` in `.control`'
deck 'title\nV1 a 0 1\nR1 a b 1k\nT1 b 0 c 0 z0=1k td=1m\nR2 c 0 1k\n.tran 10u 3m\n.control\nstop when time=1.5m\nrun\nalter V1=3\nresume\n.endc\n.end'
runs && last 'v(c)' 1.5
row '`V=V(a)^3`, `.param p={(-2)**3}`'
deck 'title\n.param p={(-2)**3} r={pow(-2,3)}\nV1 a 0 -2\nB1 b 0 V=V(a)^3\nB2 c 0 V=pwr(V(a),3)\nV2 d 0 {p}\nV3 e 0 {r}\n.csparam z=1\n.op\n.end'
runs && says 'note: x^3 is |x|^3' && last 'v(b)' 8 && last 'v(c)' -8 && last 'v(d)' 8 && last 'v(e)' -8
deck 'title\nV1 a 0 -2\nB1 b 0 V=V(a)^3\n.op\n.end'
runs && last 'v(b)' -8
row '`.tran 10m 5m`, `.control` without `.endc`'
deck 'title\nV1 a 0 1\nR1 a 0 1\n.csparam x=1\n.tran 10m 5m\n.end'
runs && says 'step is longer than the run' && last time 0.005
deck 'title\nV1 a 0 1\nR1 a 0 1\n.control\nop\n.end'
runs && says "has no '.endc'" && last 'v(a)' 1
row '`.save @v1[dc] @r1[resistance] @m1[w]`, `.probe vd(m1:1:2)`'
deck 'title\nV1 a 0 2\nR1 a 0 1k\nM1 a a 0 0 n w=7\n.model n nmos\n.save @v1[dc] @r1[resistance] @m1[w]\n.probe vd(m1:1:3)\n.op\n.end'
silent && last '@v1[dc]' 2 && last '@r1[resistance]' 1000 && last '@m1[w]' 7 && last 'vd_m1:d:s' 2
row '`.param t="0111"`, `.model g d_lut(table_values=t)`'
deck 'title\n.param t="0111"\nV1 a 0 5\nA1 [a a] d g\nA2 [d] [b] o\n.model g d_lut(table_values=t)\n.model o dac_bridge(out_low=0 out_high=3)\nR1 b 0 1k\n.op\n.end'
runs && last 'v(b)' 3
row '`.model m xfer(file="part.s2p" span=9 offset=3)`'
printf '# MHz S RI R 50\n1 0 0 0.5 0.25 0 0 0 0\n' >part.s2p
deck "title\n.csparam q=1\nV1 a 0 dc 1 ac 1\nA1 a b m\n.model m xfer(file=\"part.s2p\" span=9 offset=3)\nR1 b 0 1k\n.ac lin 1 1meg 1meg\n.end"
silent && last 'im(v(b))' 0.25
row '`A1 in out c m`, `.model m delay(..)`'
deck "title\n.csparam q=1\nV1 a 0 ac 1\nVc c 0 1\nA1 a b c m\n.model m delay(has_delay_cnt=true delmin=0 delmax=0.25u)\nR2 b 0 50\n.ac lin 1 1meg 1meg\n.end"
silent && last 'im(v(b))' -1
row '`.model m astate(astate_no=2)`'
deck "title\n.csparam q=1\nV1 a 0 pwl(0 0 1m 1)\nA1 a b m\nR1 b 0 1k\n.model m astate(astate_no=2)\n.tran 10u 1m\n.end"
says "'A1' is 2 steps behind; they are taken for 1e-05 s each"
last 'v(b)' 0.98
row '`.model m mlin(w=1m l=10m er=9.8 ..)`'
deck "title\n.csparam q=1\nI1 0 a ac 1\nR1 a 0 1e12\nA1 %hd(a 0) %hd(b 0) %vd(a 0) %vd(b 0) m\n.model m mlin(w=1m l=10m er=9.8 tand=1m)\n.ac list 1e10\n.end"
silent
last 'im(v(b))' 77.271257
row '`.model m cpmlin(w=1m s=0.3m ..)`'
deck "title\n.csparam q=1\nI1 0 a ac 1\nA1 %hd(a 0) %hd(b 0) %hd(c 0) %hd(d 0) %vd(a 0) %vd(b 0) %vd(c 0) %vd(d 0) m\n.model m cpmlin(w=1m s=0.3m l=20m tand=1m)\n.ac list 4e9\n.end"
silent
last 'im(v(d))' 10.111841
row '`.model m msopen(w=1m ..)`'
deck "title\n.csparam q=1\nV1 a 0 pwl(0 0 1n 1)\nA1 %gd(a 0) m\n.model m msopen(w=1m)\n.tran 10p 1n\n.end"
silent
last 'i(v1)' -55.47155e-6
row '`.model m tline(l=3 z=50 a=2)`, `cpline(..)`'
deck "title\n.csparam q=1\nV1 s 0 ac 1\nR1 s a 50\nA1 %hd(a 0) %hd(b 0) %vd(a 0) %vd(b 0) m\nR2 b 0 50\n.model m tline(l=3 z=50 a=2)\n.ac lin 1 1meg 1meg\n.end"
silent && last 'im(v(b))' -0.01574578208
row '`.param v="[1 2]"`, `.model m pwl(x_array={v} y_array=[0 1])`'
deck "title\n.csparam q=1\n.param v=\"[0 2]\"\nV1 a 0 1\nA1 a b m\n.model m pwl(x_array={v} y_array=[0 10])\nR1 b 0 1k\n.op\n.end"
silent && last 'v(b)' 5
row '`.param n={7\2}`'
deck 'title\n.param n={7\\2}\nV1 a 0 {n}\nR1 a 0 1\n.op\n.end'
silent && last 'v(a)' 3
row '`Y1 a 0 b 0 line`, `.model line txl`; P with `cpl`'
deck 'title\nI1 0 a 1\nR1 b 0 1\nY1 a 0 b 0 line\n.model line txl r=2 l=1n g=0 c=1p length=3\n.op\n.end'
silent && last 'v(a)' 7
# drain and source that change places, and the mirror image: three equal currents, in mA
fets='title\nVG g 0 0.5\nVN n 0 -0.5\nVD1 a 0 1\nVD2 b 0 1\nVD3 c 0 -1\nZ1 a g 0 z l=1u w=20u\nZ2 0 g b z l=1u w=20u\nZ3 c n 0 y l=1u w=20u\nB1 x 0 V={1k*(I(VD1)-I(VD2))}\nB2 w 0 V={1k*(I(VD1)+I(VD3))}\nB3 u 0 V={1k*abs(I(VD1))>0.01}\n.op'
row '`.model j njf(level=2 ..)`'
deck 't\nVd d 0 5\nJ1 d 0 0 j\n.model j njf(level=2 vst=0.1)\n.control\nop\n.endc\n.op\n.end'
runs
deck 't\nVd d 0 5\nJ1 d 0 0 j\n.model j njf(level=2 taug=1u)\n.op\n.end'
says 'what lags behind the voltages by taug'

row '`.model z nmf(level=2 ..)`, `3`, `4`'
deck "$fets\n.model z nmf(level=2)\n.model y pmf(level=2)\n.end"
runs && lacks error && last 'v(x)' 0 && last 'v(w)' 0 && last 'v(u)' 1
row '`.model z nhfet(level=5 ..)`, `6`'
deck "$fets\n.model z nhfet(level=5)\n.model y phfet(level=5)\n.end"
runs && lacks error && last 'v(x)' 0 && last 'v(u)' 1
row '`V1 a 0 portnum 1 z0 50 pwr 1m freq 1g phase 30`'
deck 'title\nV1 a 0 portnum 1 z0 50 pwr 1m freq 1g phase 30\nR1 a 0 50\n.op\n.end'
runs
last 'v(a)' 0.193649

row '`M1 d g s b n W=1u $load`'
deck 'title\nV1 $load 0 dc=1 $load\nR1 $load 0 1k\n.op\n.end'
silent
last 'v($load)' 1

row '`.model q npn(level=4 rth=0)` with a node of the temperature'
deck 'title\nV1 c 0 2\nV2 b 0 0.6\nQ1 c b 0 0 hot q\nR1 hot 0 1k\n.model q npn(level=4 is=1e-14 ibei=1e-16 rth=0)\n.op\n.end'
runs
last 'v(hot)' 0

row '`i1_acmag`, `r1_scale` of `sens` in `.control`'
deck 'title\nI1 0 a 1m\nR1 a 0 1k scale=1\n.control\nsens v(a)\nprint r1_scale\n.endc\n.end'
runs
says 'r1_scale = 1.0'

# (1 mA m1 + 2 mA) 1 kOhm / m2
row '`i1_m`, `r1_m` of `sens` in `.control`, of elements that give no `m=`'
two='title\nI1 0 a 1m\nI2 0 a 1m m=2\nR1 a 0 1k'
deck "$two\n.control\nsens v(a)\nprint i1_m i2_m r1_m\nprint r1 i1\n.endc\n.end"
silent
says 'i1_m = 1.0000' && says 'i2_m = 1.0000' && says 'r1_m = -3.0000' && says '^r1 = 3.0000.*e-03' && says '^i1 = 1.0000.*e.03'
deck "$two\n.sens v(a) param=i1:m,r1:m\n.end"
silent && starts i1:m 1 && starts r1:m -3

row '`tran 1u 1m`, `print @q1[ic]`, not saved'
deck 'title\nV1 a 0 1\nR1 a 0 1k\nQ1 a b 0 n\nI1 0 b 1u\n.model n npn(bf=50)\n.control\ntran 1u 1m\nprint @q1[ic] @r1[i]\n.endc\n.end'
silent && says '@q1\[ic\] = \(5.000\|4.999\)' && says '@r1\[i\] = 1.000000e-03'
deck 'title\nV1 a 0 1 ac 1\nR1 a 0 1k\nQ1 a b 0 n\nI1 0 b 1u\n.model n npn(bf=50)\n.control\nac lin 1 1k 1k\nprint @q1[ic]\n.endc\n.end'
says 'there is no value @q1\[ic\]'

row '`save @v1[dc]`, `dc v1 0 1 250m`, `let x=@v1[dc]`'
deck 'title\nV1 a 0 7\nI1 0 a 3m m=2\nR1 a 0 1k\n.control\nsave @v1[dc] @i1[dc] v(a)\ndc v1 0 1 250m\nlet x=@v1[dc]\nprint length(x) x[1] mean(x)\ndc i1 0 1m 0.5m\nlet y=@i1[dc]\nprint length(y) y[1] y[2]\n.endc\n.end'
silent
says 'length(x) = 5' && says 'x\[1\] = 2.5000.*e-01' && says 'mean(x) = 5.0000.*e-01'
says 'length(y) = 3' && says 'y\[1\] = 5.0000.*e-04' && says 'y\[2\] = 1.0000.*e-03'
deck 'title\nV1 a 0 7\nR1 a 0 1k\n.control\ndc v1 0 1 250m\nprint @v1[dc]\n.endc\n.end'
silent && says '@v1\[dc\] = 7.0000'

row '`$&v(x)` of a vector made by `let`'
deck 'title\nV1 a 0 2\nR1 a 0 1k\n.control\nlet x = 3\necho first $&v(x)\nop\nlet y=v(a)*2\necho then $&v(x) $&v(y) $&v(a)\n.endc\n.end'
silent && says '^first 3$' && says '^then 3 4 2$'
deck 'title\nV1 a 0 2\nR1 a 0 1k\n.control\nop\necho $&v(x)\n.endc\n.end'
says "there is no node 'x'"

row '`V([OUT])` of OrCAD, `.LIB` alone'
deck '* source X\nV1 IN 0 1\nR1 IN OUT 1k\nR2 OUT 0 1k\n.LIB\n.OP\n.PRINT OP V([OUT])\n.PROBE V([OUT])\n.END'
runs && says nom.lib && last 'v(out)' 0.5
row '`L1 a b 1u r=1`'
deck 't\n.option post\nV1 a 0 1\nL1 a 0 1u r=1k\n.op\n.end'
silent && last 'i(v1)' -0.001
row '`.param x=opt1(5,1,10)`, `optimize=`'
deck 't\n.option post\nV1 a 0 1\n.param x=opt1(5,1,10)\nR1 a 0 x\n.op\n.end'
says 'the optimisation of HSPICE is not there'
row '`.preprocess replaceground true`'
deck 't\n.preprocess replaceground true\nV1 a gnd! 1\nR1 a GROUND 1k\n.dc V1 1 1 1\n.end'
silent && last 'i(v1)' -0.001
row '`.probe i(R1)`, `.probe alli`'
deck 't\nV1 a 0 1\nR1 a 0 1k\n.csparam x=1\n.probe i(R1)\n.op\n.end'
silent && last 'v(a)' 1 && last 'i(r1)' 0.001
row '`write amp.raw` in `amp.cir`'
printf 't\nV1 a 0 1\nR1 a 0 1k\n.control\nop\nwrite amp.raw v(a)\n.endc\n.end\n' >amp.cir
"$KNOTEN" -q amp.cir >said 2>&1 || fail "$now"
[ -s amp.raw ] && [ -s amp.all.raw ] || fail "$now: no file"
row '`.meas ac x find v(out) at=1k`, `max v(out)`'
deck 'title\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 {1/(2*pi*1e6)}\n.ac lin 3 900 1100\n.meas ac m find v(out) at=1k\n.meas ac p find vp(out) at=1k\n.control\nrun\nmeas ac q find vp(out) at=1k\n.endc\n.end'
runs && says '^ *m  *0.70710' && says '^ *p  *-4[45]' && says '^q .*= -7.853'

row '`.model m vdmos(theta=0.02 ..)`'
deck 'title\nV1 d 0 10\nV2 g 0 5\nM1 d g 0 m\n.model m vdmos(vto=3 kp=2 theta=0.02 ksubthres=1m)\n.op\n.control\nop\necho $&v1#branch\n.endc\n.end'
runs && says '^-3.84615' # 2/2 2^2/(1 + 0.02 2)

row '`capacitoric`, `inductoric`'
deck 'title\nV1 a 0 1\nR1 a b 1k\nA1 b 0 c\n.model c capacitoric(c=1u)\nR2 a d 1k\nA2 d 0 l\n.model l inductoric(l=1m)\n.op\n.end'
silent && last 'v(b)' 0 && last 'v(d)' 1

row '`let v(/22) = v(22)`'
deck 'title\nV1 22 0 2\nR1 22 0 1k\n.control\nop\nlet v(/22) = v(22)\nprint v(/22)\n.endc\n.end'
silent && says '^v(/22) = 2.0'

row '`M1 d g s tj tc model thermal`'
deck 't\nVD d 0 10\nVG g 0 5\nM1 d g 0 tj tc p thermal\n.model p VDMOS(Vto=3 Kp=1 mu=0 rthjc=1 rthca=2)\n.op\n.end'
silent
last 'v(tj)' 87.00000001236693

row '`.model q npn(level=4 ..)`, `level=9`'
# ln(1 mA / (is + ibei)) thermal voltages, and microvolts across series resistances
deck 'title\nI1 0 c 1m\nQ1 c c 0 q\n.model q npn(level=4 is=1e-16 ibei=1e-18)\n.op\n.end'
runs && last 'v(c)' 0.773973
row '`.tran 10m`, `.tran 0 10m 0 1u`'
deck "$lt\n$parts\n.tran 1m\n.end"
silent && last time 1e-3
deck "$lt\n$parts\n.tran 0 1m 0 1u\n.end"
silent && last time 1e-3
row '`startup`'
deck "$lt\nV1 a 0 5\nR1 a 0 1k\n.tran 0 100u 0 startup\n.meas tran half find v(a) at=10u\n.end"
silent && says 'half  *2.5'
row '`steady`, `nodiscard`, `step`'
deck "$lt\n$parts\n.tran 0 1m 0 1u steady nodiscard step\n.end"
runs && says "warning: .*'steady'" && says "warning: .*'nodiscard'" && says "warning: .*'step'" && last time 1e-3
row '`.dc V1 0 1 0.3`, `.ac oct 10 1m 10Meg`'
deck "$lt\nV1 a 0 0\nR1 a 0 1k\n.dc V1 0 1 0.3\n.end"
silent && last 'v(a)' 1
deck 'title\nV1 a 0 0\nR1 a 0 1k\n.dc V1 0 1 0.3\n.end'
silent && last 'v(a)' 0.9

row '`.save Ix(x1:a)`'
deck "$lt\nV1 in 0 1\nX1 in 0 s\n.subckt s a b\nR1 a b 1k\nR2 a b 500\n.ends\n.tran 9u\n.save Ix(x1:a)\n.end"
runs && lacks warning && last 'ix(x1:a)' 3e-3
row '`.step param`, `.meas`, `.save V(*) Id(M?)`'
deck "$lt\nV1 a 0 1\nM1 a a 0 0 n\n.model n NMOS(Vto=0.5 Kp=1m)\n.step param x 1 2 1\n.op\n.save V(*) Id(M?)\n.end"
silent && [ "$(wc -l <$csv)" -eq 3 ] || fail "$now: rows"
row '`.lib standard.mos` and other libraries that come with LTspice'
deck "$lt\n$parts\n.lib standard.mos\n.tran 1m\n.end"
runs && says 'comes with LTspice'
mkdir -p home/Documents/LTspiceXVII/lib/cmp
printf '.model mine d(n=2 is=1p)\n' >home/Documents/LTspiceXVII/lib/cmp/standard.dio
was_home=$HOME
HOME=$PWD/home
deck "$lt\nI1 0 a 1m\nD1 a 0 mine\n.lib C:\\\\Users\\\\me\\\\standard.dio\n.op\n.end"
runs && says 'LTspiceXVII/lib/cmp/standard.dio' && last 'v(a)' 1.072011
HOME=$was_home
row '`.lib parts.lib`'
printf 'R9 a 0 1\n.subckt open a b\nR1 a b 1k\n' >open.lib
deck "$lt\nV1 a 0 1\nX1 a 0 open\n.lib open.lib\n.op\n.end"
runs && says 'elements of a library outside' && says 'ends with it' && last 'i(v1)' -0.001
row '`I1 a b 1 load`'
deck "$lt\nV1 a 0 1\nI1 a 0 2m load\nV2 b 0 -1\nI2 b 0 2m load\n.op\n.end"
silent && last 'i(v1)' -0.002 && last 'i(v2)' 0
row '`.lib C:\lib\parts.lib fast`, `.temp = 20`'
printf '.lib slow\n.param r=9\n.endl\n.lib fast\n.param r=1k\n.endl\n' >parts.lib
deck "$lt\nV1 a 0 1\nR1 a b {r}\nR2 b 0 {50*temper}\n.temp = 20\n.lib C:\\\\lib\\\\parts.lib fast\n.op\n.end"
silent && last 'v(b)' 0.5
row '`V1 0 0 0`'
deck "$lt\nV1 0 0 0\nV2 a 0 1\nR1 a 0 1\n.op\n.end"
runs && says 'it is left out' && last 'v(a)' 1
row '`.lib Sub\Parts.Lib`'
mkdir -p sub
printf '.subckt half a b\nR1 a b 1k noiseless\nR2 b 0 1k\n.ends\n' >sub/parts.lib
deck "$lt\nV1 a 0 1\nX1 a b half\n.lib Sub\\\\Parts.Lib\n.op\n.end"
runs && lacks warning && last 'v(b)' 0.5
row '`A1 fm am 0 0 0 cos sin 0 MODULATOR mark=2k space=1k`, `A1 lo hi 0 0 0 0 a 0 VARISTOR Rclamp=1`'
deck "$lt\nV1 h 0 3\nI1 0 a 2\nA1 0 h 0 0 0 0 a 0 VARISTOR Rclamp=2\n.op\n.end"
silent && last 'v(a)' 7
deck "$lt\nA1 0 0 0 0 0 c s 0 MODULATOR mark=2k space=1k\n.tran 0.25m\n.end"
silent && last 'v(s)' 1
row '`A1 a 0 clk sh 0 0 b 0 SAMPLEHOLD`, `A1 clk rst 0 0 0 qb q 0 COUNTER cycles=4 duty=0.5`, `A1 a b 0 0 0 0 out 0 PHASEDET Iout=1m`'
deck "$lt\nV1 a 0 20\nV2 s 0 1\nA1 a 0 0 s 0 0 b 0 SAMPLEHOLD\nR1 b 0 1\n.op\n.end"
silent && last 'v(b)' 5
deck "$lt\nV1 c 0 0\nA1 c 0 0 0 0 n q 0 COUNTER cycles=4\n.op\n.end"
silent && last 'v(q)' 1
deck "$lt\nV1 a 0 1\nA1 a 0 0 0 0 0 b 0 PHASEDET\n.op\n.end"
[ "$status" -eq 2 ] && says 'needs Iout' || fail "$now: PHASEDET without Iout runs"
row '`B1 a 0 P=2 vprx=1`'
deck "$lt\nV1 a 0 1\nB1 a 0 P=2 vprx=2\n.op\n.end"
silent && last 'i(v1)' -1
row '`.tran 10m 5m`'
deck "$lt\n$parts\n.tran 10m 5m\n.end"
silent && last time 0.005
row '`X1 a b part params: m=3`'
deck "$lt\nV1 a 0 1\nX1 a s params: m=3\n.subckt s p\nR1 p 0 {m*1k}\n.ends\n.op\n.end"
silent && last 'i(v1)' -0.000333333
row '`PWL(0 0 1m 1 +1m 2 +{t} 3)`'
deck "$lt\n.param t=1m\nV1 a 0 PWL(0 0 1m 1 +1m 2 +{t} 3)\nR1 a 0 1k\n.tran 3m\n.end"
silent && last 'v(a)' 3
row '`G1 a 0 c 0 1m vto=0.5 dir=1`'
deck "$lt\nV1 c 0 2\nG1 0 a c 0 1m vto=0.5 dir=1\nR1 a 0 1k\n.op\n.end"
silent && last 'v(a)' 2.25
deck "$lt\nV1 c 0 -1.5\nG1 0 a c 0 1m vto=0.5 dir=-1\nR1 a 0 1k\n.op\n.end"
silent && last 'v(a)' -4
row '`A1 - + 0 0 0 0 out 0 OTA g=1m Iout=10u Vhigh=1 Vlow=-1`'
deck "$lt\nV1 a 0 1m\nA1 0 a 0 0 0 0 b 0 OTA g=10m Iout=10u Rout=100k Vhigh=1e308 Vlow=-1e308\n.op\n.end"
silent && last 'v(b)' 0.761594
deck "$lt\nV1 a 0 1\nA1 0 a 0 0 0 0 b 0 OTA g=10m Iout=10u Rout=1g Vhigh=1 Vlow=-1\n.op\n.end"
silent && last 'v(b)' 1.00001
row '`C1 nc_01 nc_02 1u`, connected to nothing else'
deck "$lt\nV1 a 0 1\nR1 a 0 1k\nC1 nc_01 nc_02 1u\n.op\n.end"
runs && says warning && last 'i(v1)' -0.001
row '`I1 a b EXP(0 1 1m 5n 1.1m 50n 100u 100 0.1)`'
deck "$lt\nV1 a 0 EXP(0 1 1u 10n 1.5u 10n 1u 2 5u)\nR1 a 0 1k\n.tran 10u\n.meas tran third when V(a)=0.5 rise=3\n.end"
silent
says 'third *6\.00693e-06' # ln 2 of a time constant behind 6 us
row '`I1 a b tbl=(0,0,1,1m)`, `""` in place of a value'
deck "$lt\nI1 a 0 tbl=(0,0,1,1m)\nR1 a b 1k\nV1 b 0 2\n.op\n.end"
silent && last 'v(a)' 1
row '`noiseless` on R, C, L, D, Q, J, M; `mfg=A_&_B`; `E1 a b c d table(0,0,1,2)`; `.param x table(y,..)`'
deck "$lt\nI1 0 a 1m\nR1 a 0 1k noiseless\nD1 0 a dd\n.model dd D(Is=1e-15 mfg=A_\&_B)\nE1 b 0 a 0 table(0,0,2,4)\nR2 b 0 1k\n.op\n.end"
silent && last 'v(b)' 2
row '`SW(level=2 ..)`, `ilimit=`, `Vser=`, `noiseless`'
deck "$lt\nV1 a 0 1\nV2 c 0 .5\nS1 a b c 0 g\nR1 b 0 1k\n.model g SW(level=2 Ron=1 Roff=1Meg Vt=.5 Vh=-.2 ilimit=1 noiseless)\n.op\n.end"
silent && last 'v(b)' 0.5
deck "$lt\nV1 a 0 1\nV2 c 0 1\nS1 a b c 0 g\nR1 b 0 1\n.model g SW(Ron=1 Roff=1Meg Vt=.5 Vser=.5 oneway)\n.op\n.end"
runs && says "warning: .*'oneway'" && last 'v(b)' 0.25
row '`.model sw SW {Ron=1 Roff=1Meg}`'
deck "$lt\nV1 a 0 1\nR1 a b 1k\nS1 b 0 a 0 sw\n.model sw SW {Ron=1k Roff=1Meg Vt=.5}\n.op\n.backanno\n.end"
runs
says 'braces around the parameters'
last 'v(b)' 0.5

row '`V=table(V(a),(0,0),(1,2))`'
deck "$lt\nV1 a 0 .25\nB1 b 0 V=table(V(a),(0,0),(1,2))\n.op\n.backanno\n.end"
silent
last 'v(b)' 0.5

row '`E1 a b c d Laplace=s /(s*s + 1) window=.1 cache=2`'
deck "$lt\nV1 a 0 1 AC 1\nE1 b 0 a 0 Laplace=1 / (s + 2) window=.1 cache=2\nR1 b 0 1k\n.op\n.backanno\n.end"
silent
last 'v(b)' 0.5
deck "$lt\nV1 a 0 1 AC 1\nE1 b 0 a 0 Laplace=1/s\nR1 b 0 1k\n.op\n.backanno\n.end"
says 'has a pole at s = 0'

row '`R1 a b {2*(1+(p)}`, `.param p=max(1,(2+q)`'
deck "$lt\nV1 a 0 10\nR1 b a {2*(1+(p)} tc=0\nR2 b 0 {2*(1+p)}\n.param p=max(1,(2+q)\n.param q=246\n.op\n.backanno\n.end"
runs
says 'is not closed'
last 'v(b)' 5

row '`.model q ako:base n=1.1`'
deck "$lt\nI1 0 a 1m\nD1 a 0 q\nI2 0 b 1m\nD2 b 0 base\n.model q ako:base n=2\n.model base D(is=1f)\n.op\n.backanno\n.end"
silent
last 'v(a)' 1.429349

row '`J1 a b` and nothing more'
deck "$lt\nV1 a 0 1\nR1 a b 1k\nJ1 b c\nR2 c 0 1k\n.op\n.backanno\n.end"
silent
last 'v(b)' 0.5

row '`.meassure`, `.params:`, `.function`'
deck "$lt\nV1 a 0 {x}\n.params: x=0.5\n......\nR1 a 0 1k\n.op\n.meassure op y find v(a)\n.backanno\n.end"
runs
says "'.params:' is read as '.param'"
says "'.meassure' is read as"
last 'v(a)' 0.5

row '`PWL(REPEAT FOR 10 0 0 5m +1 ENDREPEAT)`, `SINE(0 1 1k Rser=50`'
deck "$lt\nV1 a 0 PWL(REPEAT FOR 10 0 0 5m +1 ENDREPEAT)\nV2 b 0 PULSE(0 1 1m 1n Rser=1k\nR1 a 0 1k\nR2 b 0 1k\n.tran 42.5m\n.backanno\n.end"
runs
says "it ends here"
last 'v(a)' 0.5
last 'v(b)' 0.5

row '`PULSE(0 1 0 .5m .5m 0 1m)`'
deck "$lt\nV1 a 0 PULSE(0 1 0 .5m .5m 0 1m)\nR1 a 0 1k\n.tran 2.75m\n.backanno\n.end"
last 'v(a)' 0.5
deck "title\nV1 a 0 PULSE(0 1 0 .5m .5m 0 1m)\nR1 a 0 1k\n.tran 10u 2.75m\n.end"
last 'v(a)' 1

row '`C1 a b 100u Rser=10m x2`, R and L too'
deck "$lt\nV1 a 0 1\nR1 a b 1k\nL1 b 0 1u Rser=2k x2\n.op\n.backanno\n.end"
silent
last 'v(b)' 0.5

row '`D1 a b led N=10`'
deck "$lt\nI1 0 a 1m\nD1 a 0 led N=2\nI2 0 b 1m\nD2 b c led\nD3 c 0 led\nE1 d 0 a b 1\nR1 d 0 1k\n.model led D(Is=1e-18 N=2 Rs=10)\n.op\n.backanno\n.end"
silent
last 'v(d)' 0

row '`L1 a b 1u Rser=`'
deck "$lt\nV1 a 0 1\nL1 a b 1u Rser=\nR1 b c 1k\nR2 c 0 1k\n.op\n.backanno\n.end"
runs
says "it is left out"
last 'v(c)' 0.5

row '`L1 a b flux=1m*tanh(x) Rser=1`'
deck "$lt\nV1 a 0 1\nL1 a b flux=1m*tanh(x) Rser=1\nR1 b 0 1\n.op\n.backanno\n.end"
silent
last 'v(b)' 0.5

row '`.backanno`'
deck "title\n$parts\n.tran 1m\n.backanno\n.end"
silent
row '`.machine` .. `.endmachine` with `.state`, `.rule`, `.output`'
deck "$lt\n$parts\nR2 c 0 1k\n.machine\n.state s 2\n.state t 3\n.rule s t V(a)>0.9\n.output (c) state*4\n.endmachine\n.tran 0.5m\n.end"
silent && last 'v(c)' 12
row '`.net i(rout) v1`'
deck "$lt\nV1 a 0 ac 1 Rser=50\nR1 a b 100\nRout b 0 50\n.ac list 1k\n.net i(Rout) V1\n.end"
runs && lacks warning && sed -i '1,/^$/d' $csv && last 're(zin)' 150
row '`.wave`, `.ferret`, `.savestate`, `.loadstate`'
deck "$lt\n$parts\n.wave x.wav 16 44k v(b)\n.ferret http://x\n.tran 1m\n.end"
runs
for card in wave ferret; do says "warning: '.$card' is not supported"; done
row '`C1 {n+1} 0 1u`, `I1 a 0 R=2k`'
deck "$lt\n.param n=2\nV1 {n+1} 0 6\nR1 3 a 1k\nI1 a 0 R=2k\n.op\n.end"
silent && last 'v(a)' 4
row '`PULSE(..) Trigger=V(t)>.5`'
deck "$lt\nV1 a 0 PULSE(0 1 0 1n 1n 1u 2u) Trigger=V(a)>.5\nR1 a 0 1k\n.tran 1m\n.end"
says 'a condition starts again are not supported'
row '`Rser=`, `Lser=`, `Rpar=` .. on C, L, V'
deck "$lt\nV1 a 0 1 Rser=1k\nL1 a 0 1m Rser=1k\n.op\n.end"
silent && last 'v(a)' 0.5
row '`L1 a 0 Hc=16 Bs=.44 Br=.1 A=25u Lm=.02 Lg=.7m N=1000`'
deck "$lt\nI1 0 a SIN(0 1m 50)\nL1 a 0 Hc=16 Bs=.44 Br=.1 A=25u Lm=.02 Lg=.7m N=1000\n.tran 20m\n.backanno\n.end"
runs && says "warning: 'L1' is on a core of Chan's, which is taken for one of Jiles and Atherton"
deck "$lt\nI1 0 a SIN(0 1m 50)\nR1 a 0 1meg\nL1 a 0 1000\nK1 L1 1 c1\n.model c1 core(ms=3.501e+05 a=54.4 k=16 area=0.25 path=2 gap=0.07)\n.tran 20m\n.backanno\n.end"
silent
row '`.param nm="part"`, `X1 a 0 {nm}`'
deck "$lt\n.param nm=\"part\"\nV1 a 0 2\nX1 a 0 {nm}\n.subckt part p q\nR1 p q 1k\n.ends\n.op\n.backanno\n.end"
silent && last 'i(v1)' -2e-3
deck "$lt\nV1 a 0 2\nX1 a 0 u\n.subckt u p q nm=\"part\"\nR1 p q 1k\n.ends\n.op\n.backanno\n.end"
silent
deck "$lt\nV1 a 0 2\nX1 a 0 u nm=\"part\"\n.subckt u p q nm=\"none\"\n.if (nm == \"part\")\nR1 p q 1k\n.endif\n.ends\n.op\n.backanno\n.end"
silent && last 'i(v1)' -2e-3
deck "$lt\nV1 a 0 2\nX1 a 0 u nm=\"part\"\n.subckt u p q nm=\"none\"\nX1 p q {nm}\n.ends\n.subckt part p q\nR1 p q 1k\n.ends\n.op\n.backanno\n.end"
silent && last 'i(v1)' -2e-3
row '`.param x=1/(a}*{b}`'
deck "$lt\n.param a=2 b=3 x=1/(a}*{b}\nV1 a 0 {x}\nR1 a 0 1k\n.op\n.backanno\n.end"
runs && says 'warning' && last 'v(a)' 1.5
row '`mc(1k,0.05)`, `gauss()`, `flat()` with `.step param run 1 100 1`'
deck "$lt\nV1 a 0 1\nR1 a 0 {mc(1k,0.5)}\n.step param run 1 5 1\n.op\n.end"
silent && [ "$(cut -d , -f 3 $csv | sort -u | wc -l)" -ge 5 ] || fail "$now: no draws"

row '`.tran 0 10m -1m`'
deck "$lt\nV1 a 0 1\nR1 a 0 1k\n.tran 0 10m -1m\n.backanno\n.end"
runs && says warning && last time 0.01 && starts time 0
row '`B1 a 0 V=log10(time)`'
deck "$lt\nB1 a 0 V=log10(time)\nB2 b 0 V=ln(v(c))\nV1 c 0 0\n.tran 1m\n.backanno\n.end"
silent && last 'v(a)' -3 && last 'v(b)' -227.9559242 && starts 'v(a)' -99
deck "$lt\nB1 a 0 V=ln(v(c))\nV1 c 0 -1\n.op\n.backanno\n.end"
says 'no finite value'

# ---- PSpice ----

row '`.probe`, `.probe/csdf V(1)`'
deck "title\n$parts\n.tran 1u 1m\n.probe/csdf V(b)\n.end"
silent && [ "$(head -n 1 $csv)" = 'time,v(b)' ] || fail "$now: $(head -n 1 $csv)"
row '`optional: vcc=$G_VCC`'
deck 'title\nV1 $G_VCC 0 5\nX1 a half\nR9 a 0 1k\n.subckt half o optional: vcc=$G_VCC\nR1 vcc o 1k\n.ends\n.op\n.end'
silent && last 'v(a)' 2.5
row 'nodes that begin with `$G_`'
deck 'title\n* source X\nV1 $G_VCC 0 5\nX1 a half\nR9 a 0 1k\n.subckt half o\nR1 $G_VCC o 1k\n.ends\n.op\n.probe64\n.end'
runs && last 'v(a)' 2.5
row '`text: name="words"`'
deck 'title\nV1 a 0 5\nX1 a half\n.subckt half o text: note="words"\nR1 o 0 1k\n.ends\n.op\n.end'
silent && last 'i(v1)' -0.005
row '`LIMIT{V(a),0,1E6}`, `LIMIT(V(a),0,-1E6)`'
deck "title\n.probe64\nV1 a 0 -2\nE1 b 0 VALUE={10*LIMIT{V(a),-1,{3}}+LIMIT(V(a),0,-1E6)+LIMIT(-V(a),0,-1E6)}\nR1 b 0 1k\n.op\n.end"
silent
last 'v(b)' -12

row '`{VT}`, `{GMIN}`'
deck "t\n.probe/csdf V(a)\n.options gmin=1e-9\nV1 a 0 {VT+1e6*GMIN}\nR1 a 0 1k\n.op\n.end"
runs
last 'v(a)' 0.0268649

row '`TABLE`, `VSWITCH`, a negative `vh`'
deck 'title\n.probe64\nV1 a 0 2\nE1 b 0 TABLE {V(a)} = (0,0) (4,8)\nR1 b 0 1k\nS1 b c a 0 sw\nR2 c 0 1\n.model sw VSWITCH(Ron=1 Roff=1meg Von=1 Voff=0)\n.op\n.end'
runs && lacks error && last 'v(c)' 2
row '`VSWITCH(vt=.. vh=..)`, `ISWITCH(it=.. ih=..)`'
deck 'title\n.probe64\nV1 a 0 2\nR1 a 0 1\nS1 a b a 0 sv\nR2 b 0 1\nV2 c d 1\nR3 d 0 1\nW1 a e V2 si\nR4 e 0 1\nR5 c 0 1\n.model sv VSWITCH(Ron=1 Roff=1meg vt=1.5 vh=0.1)\n.model si ISWITCH(Ron=1 it=-2 ih=0.1 td=1n)\n.op\n.end'
runs && lacks error && says "warning: .*'td'" && last 'v(b)' 1 && last 'v(e)' 1
row '`E1 a b FREQ {V(in)} = (0,0,0) ..`'
table='title\n.probe64\nV1 in 0 2 ac 1\nE1 a 0 FREQ {V(in)} = (0,0,0) (10k,-40,0)\nR1 a 0 1k'
deck "$table\n.ac lin 1 5k 5k\n.end"
runs && lacks error && last 're(v(a))' 0.1
deck "$table\n.tran 1u 1m\n.end"
says 'error.*no waveform that is near'
deck 'title\n.probe64\nV1 in 0 SIN(0 1 1k)\nE1 a 0 FREQ {V(in)} = (0,0,0) (5k,0,-5760) (6k,-60,-6912)\nE2 c 0 VALUE={if(abs(V(a)+0.9511)<0.003,1,0)}\n.tran 10u 20m\n.end'
runs && lacks error && last 'v(c)' 1
row '`nom.lib`'
deck "title\n$parts\n.lib \"nom.lib\"\n.tran 1u 1m\n.end"
runs && lacks error
row '`U1 NAND(2) $G_DPWR $G_DGND a b y D_00 IO_STD`'
deck 'title\n.probe64\nV1 a 0 5\nVp $G_DPWR 0 5\nVg $G_DGND 0 0\nU1 NAND(2) $G_DPWR $G_DGND a a y D_00 IO_STD\nR1 y 0 50\n.model D_00 ugate(tplhty=11ns tphlty=7ns)\nU2 inv $G_DPWR $G_DGND y z D_00 IO_STD\nR2 z 0 50\n.op\n.end'
runs && says "no model 'IO_STD'" && last 'v(y)' 0 && last 'v(z)' 2.5
row '`U1 DFF(1) ..`, `JKFF`, `SRFF`, `DLTCH`'
deck 'title\n.probe64\nV1 h 0 5\nV2 c 0 PULSE(0 5 1u 1n 1n 1u 2u)\nU1 DFF(1) $G_DPWR $G_DGND h h c qb q qb D0_EFF IO\nR1 q 0 1meg\n.model IO uio\n.tran 1n 4u\n.meas tran first find v(q) at=0.5u\n.meas tran second find v(q) at=2u\n.meas tran third find v(q) at=3.9u\n.end'
runs && says 'first  *0' && says 'second  *[45]' && says 'third  *0 '
row '`U1 LOGICEXP(2,1) ..`, `PINDLY(1,0,2)`, `CONSTRAINT(2)`'
deck 'title\n.probe64\nV1 a 0 5\nV2 b 0 0\nU1 LOGICEXP(2,1) $G_DPWR $G_DGND a b y D0_GATE IO\n+ LOGIC: y = { a & ~b }\nU2 PINDLY(1,0,1) $G_DPWR $G_DGND y a p IO\n+ PINDLY: p = { DELAY(1n,2n,3n) }\nU3 CONSTRAINT(1) $G_DPWR $G_DGND a IO\n+ FREQ: NODE=a MAXFREQ=1k\nR1 p 0 1meg\n.model IO uio(drvh=1m)\n.op\n.end'
runs && last 'v(p)' 5
row '`U1 STIM(4,4) ..`'
deck 'title\n.probe64\nU1 STIM(4,4) $G_DPWR $G_DGND d c b a IO\n+ 0s 0\n+ LABEL=up\n+ +1u INCR BY 1\n+ +0s GOTO up 4 TIMES\nR1 a 0 1meg\n.model IO uio\n.tran 1u 10u\n.end'
runs && last 'v(c)' 5 && last 'v(b)' 0
deck 'title\n.probe64\nU1 STIM(4,4) $G_DPWR $G_DGND d c b a IO\n+ 0s 0\n+ LABEL=up\n+ +1u INCR BY 1\n+ +0s GOTO up -1 TIMES\n.model IO uio\n.tran 1u 10u\n.end'
says 'a loop that never ends cannot count'
row '`$G_DPWR`, `$G_DGND`, `$D_HI`, `$D_LO`'
deck 'title\n.probe64\nU1 AND(2) $G_DPWR $G_DGND $D_HI $D_HI y D0_GATE IO\n.model IO uio\n.op\n.end'
silent && says '5 V against 0' && last 'v(y)' 5
row '`.lib parts.lib`, `params: {gain}=1`'
printf 'R9 a 0 1\n.subckt gain i o params: {k}=2\nE1 o 0 i 0 {k}\n.ends\n' >gain.lib
deck 'title\n.probe64\nV1 a 0 1\nX1 a b gain\nR1 b 0 1k\n.lib gain.lib\n.op\n.end'
runs && lacks error && last 'v(b)' 2 && last 'i(v1)' 0
row '`T1 a 0 b 0 LEN=1 R=5 L=500n G=2m C=200p`, `.model line TRN ..`'
deck 'title\n.probe64\nV1 in 0 PULSE(0 1 0 1p 1p 50n 100n)\nR1 in a 50\nT1 a 0 b 0 line R=5\nR2 b 0 50\n.model line TRN (LEN=1 R=1 L=500n G=2m C=200p)\n.tran 0.1n 15n\n.end'
silent && last 'v(b)' 0.45242
deck 'title\n.probe64\nV1 a 0 1\nT1 a 0 b 0 LEN=1 R={sqrt(s)} L=500n G=2m C=200p\nR2 b 0 50\n.op\n.end'
says "unknown parameter 's'"
row '`B1 d g s model`, `.model model GASFET(level=1 ..)`'
deck 'title\n.probe64\nV1 d 0 0.5\nB1 d 0 0 m\n.model m GASFET(vto=-1 tau=1p)\n.op\n.end'
runs && last 'i(v1)' -0.0761594 && says "no parameter 'tau'"
deck 'title\n.probe64\nV1 d 0 0.5\nB1 d 0 0 m\n.model m GASFET(level=4)\n.op\n.end'
says 'no level 4'
row '`.model d D(BV=-20 IBV=-1m)`'
deck "* source D\nV1 a 0 -20\nD1 a 0 d\n.model d D(BV=-20 IBV=-1m)\n.op\n.probe\n.end"
runs
last 'i(v1)' 0.001

row '`.model z NIGBT(..)`'
deck 'title\n.probe64\nV1 d 0 0.5\nZ1 d d 0 z\n.model z NIGBT(vt=4)\n.op\n.end'
says 'IGBTs are not supported yet'
row '`.PROBE V(*) I(*) W(*) D(*) NOISE(*)`'
deck '* source ONE\nV1 a 0 1\nR1 a 0 1k\n.PROBE V(*) I(*) W(*) D(*) NOISE(*)\n.op\n.END'
silent && last 'v(a)' 1
row '`.IC V(b)=1 V(a,b)=2`'
deck '* source ONE\n.IC V(b)=1 V(a,b)=2\nC1 a 0 1u\nC2 b 0 1u\nR1 a 0 1k\nR2 b 0 1k\n.tran 1u 10u skipbp\n.probe64\n.end'
runs && starts 'v(a)' 3
row '`.print dc V(R1) VBE(Q1) V(Q1:b) I(Q1:c) V1(R1)`'
deck 'title\n.probe64\nV1 1 0 5\nR1 1 2 1k\nQ1 1 2 1 n\nR2 2 0 1k\n.model n npn(is=1e-30)\n.dc V1 5 5 1\n.print dc V(R1) VBE(Q1) V(Q1:b) I(Q1:c) V1(R1)\n.end'
silent && last 'v(r1)' 2.5 && last 'vbe(q1)' -2.5 && last 'v(q1:b)' 2.5 && last 'v1(r1)' 5
row '`.model rm RES (R=1 DEV=5% LOT/GAUSS=2%)` with `.mc` or `.wcase`'
tolerant='title\n.probe64\nV1 a 0 10\nR1 a b rm 1k\nR2 b 0 rm 1k\n.dc V1 10 10 1\n.measure dc m max v(b)'
deck "$tolerant\n.model rm RES (R=1 DEV=5%)\n.wcase\n.end"
runs && says ' m  .* 4.75  .* 5.25 '
deck "$tolerant\n.model rm RES (R=1 LOT=5%)\n.wcase\n.end"
runs && says ' m  .* 0  .* 5  .* 5 '
deck "$tolerant\n.model rm RES (R=1 LOT/GAUSS=5%)\n.mc 5\n.end"
silent && says ' m  .* 0  .* 5  .* 5 '
deck "$tolerant\n.model rm RES (R=1 LOT/own=5%)\n.distribution own (-1,1) (1,1)\n.mc 5\n.end"
silent && says ' m  .* 0  .* 5  .* 5 '
deck "$tolerant\n.model rm RES (R=1 DEV/other=5%)\n.mc 5\n.end"
runs && says 'taken as uniform'
row '`.mc 10 dc V(a) YMAX`, `.wcase dc V(a) YMAX`'
deck "$tolerant\n.model rm RES (R=1 DEV=5%)\n.wcase dc v(b) ymax\n.end"
runs && says "warning: .*'dc' is ignored" && says ' m  .* 4.75  .* 5.25 '
deck "$tolerant\n.model rm RES (R=1 DEV=5%)\n.mc 5 dc v(b) ymax list\n.end"
runs && says "warning: .*'dc' and what follows it is ignored"
row '`.sens V(2) V(R1)`'
deck 'title\n.probe64\nV1 1 0 5\nR1 1 2 1k\nR2 2 0 1k\n.sens V(2) V(R1)\n.end'
silent && last r1 0.0125
row '`.NOISE V(2) V1 30`'
deck 'title\n.probe64\nV1 1 0 AC 1\nR1 1 2 1k\nR2 2 0 1k\n.NOISE V(2) V1 30\n.AC DEC 10 1 1k\n.end'
silent && grep -q onoise_total $csv || fail "$now: columns"
row '`.aliases` .. `.endaliases`, `.external`'
deck 'title\nV1 1 0 5\nR1 1 0 1k\n.aliases\nR1 R1(1=1 2=0)\n.endaliases\n.external OUTPUT 1\n.op\n.end'
silent && last 'i(v1)' -0.005
row '`.model dly UGATE(tplhmn=-1 tplhty=5n tplhmx=-1)`'
deck 'title\n.probe64\nVp p 0 5\nV1 a 0 5\nU1 INV p 0 a y dly io MNTYMXDLY=3\nR1 y 0 1k\n.model dly UGATE(tplhmn=-1 tplhty=5n tplhmx=-1)\n.model io uio\n.op\n.end'
silent && last 'v(y)' 0
row '`V1 a 0 stimulus=name`, `.stimulus name pulse(..)`'
deck 'title\nV1 a 0 stimulus=s\nR1 a 0 1k\n.stimulus s pwl(0 0 1m 2)\n.stmlib "s.stl"\n.tran 1u 1m\n.meas tran m avg v(a)\n.end'
runs && last 'v(a)' 2

row '`.stmlib`, `.text`, `.watch`'
deck "title\n$parts\n.stmlib \"s.stl\"\n.text x=\"y\"\n.watch tran v(b)\n.tran 1u 1m\n.end"
runs && for card in stmlib text watch; do says "warning: '.$card'"; done

row '`.tran 1u 1m SKIPBP`'
deck 'title\nC1 a 0 1u ic=2\nR1 a 0 1k\n.tran 1u 1m 0 10u SKIPBP\n.end'
runs && starts 'v(a)' 2

row '`ic=` of C and L without `SKIPBP`'
deck 'title\n.probe64\nV1 s 0 1\nR1 s a 1k\nC1 a 0 1u ic=3\n.tran 1u 10u\n.end'
runs && lacks error && starts 'v(a)' 3
row '`.model rm res(r=2)`'
deck 'title\n.probe64\nV1 a 0 1\nR1 a 0 rm 1k\n.model rm res(r=2)\n.op\n.end'
runs && lacks error && last 'i(v1)' -0.0005

# ---- HSPICE ----

row '`.meas ac f3 when vdb(o)="gm-3"`, `.probe ac "v(a)/v(b)"`, `.meas tran e=param('"'p*t'"')`'
deck 'title\n.option post\nV1 a 0 ac 1\nR1 a o 1k\nC1 o 0 0.159154943u\n.ac dec 10 1 100k\n.meas ac gm max vdb(o)\n.meas ac f3 when vdb(o)="gm-3"\n.meas ac f6=param('"'2*f3'"')\n.end'
silent && says 'f6  *1995.2'
row '`.lib '"'a.l'"' TT DIO`'
printf '.lib TT\n.param r=1k\n.endl\n' >a.l
deck "title\n.option post\n.lib 'a.l' TT DIO\nV1 a 0 1\nR1 a 0 r\n.op\n.end"
runs && says 'behind the section is ignored' && last 'i(v1)' -0.001
row '`.meas tran p avg power`, `.print tran power`'
deck 'title\n.option post\nV1 a 0 2\nR1 a 0 1k\nC1 a 0 1u\n.tran 1m 1m\n.meas tran p avg power\n.print tran power\n.end'
runs && last power 0.004
row '`.probe vdb(o) vp(o)` without `ac`'
deck 'title\n.option post\nV1 a 0 ac 1\nR1 a o 1k\nC1 o 0 0.159154943u\n.ac lin 1 1k 1k\n.probe vdb(o) vp(o)\n.end'
silent && last 'vp(o)' -45
row '`R1 a b 1k *comment`, `dc='"'a*b'"' * comment`'
deck 'title\n.option post\nV1 a 0 2 *volt\nR1 a b 1k *(top = 1)\nR2 b 0 1k\nE1 c 0 vol=v(b) * 3\n.op\n.end'
runs && says "behind a blank and '\*' is a comment" && last 'v(b)' 1 && last 'v(c)' 3
row '`$comment`'
deck 'title\n.option post\nV1 a 0 1 $comment\nR1 a 0 1k\n.op\n.end'
runs && last 'i(v1)' -0.001
row '`X1 a b / cell`'
deck "t\n.option post\nV1 a 0 3\nX1 a b 0 / cell\n.subckt cell i o r\nR1 i o 1k\nR2 o r 2k\n.ends\n.op\n.end"
silent
last 'v(b)' 2

row '`.noise v(out) v1 10 listckt=1`'
deck "t\n.option post\nV1 a 0 ac 1\nR1 a b 1k\nC1 b 0 1p\n.noise v(b) V1 10 listckt=1\n.ac dec 1 1 10\n.end"
runs
says "'listckt' is ignored"

row '`V1 a 0 dc = 1 ac = 1 180`'
deck 'title\nV1 a 0 dc = 1 ac = 1 180\nR1 a 0 1k\n.option post\n.ac lin 1 1k 1k\n.meas ac p find vr(a) at=1k\n.end'
runs && says 'p  *-1'
row '`.connect a b`'
deck 'title\nV1 a 0 1\nR1 b 0 1k\n.connect a b\n.op\n.end'
runs && lacks error && last 'i(v1)' -0.001
row '`.ac data=points`, `.data points freq 100 1k 10k`, in Xyce too'
deck "title\nV1 a 0 ac 1\nR1 a b 1k\nR2 b 0 1k\n.ac data=points\n.data points freq\n100 1k\n.enddata\n.option post\n.end"
silent
last 'frequency' 1000

row '`.temp -40 27 125`'
deck 'title\n.option post\nV1 a 0 1\nR1 a 0 1k tc1=0.01\n.temp -40 27 125\n.op\n.end'
runs && [ "$(wc -l <$csv)" -eq 4 ] || fail "$now: rows"
row '`.tran 1n 1u sweep monte=100`, `sweep data=table`, `.data`, `.alter`'
deck 'title\n.option post\n.param r=agauss(1k,300,3)\nV1 a 0 1\nR1 a b r\nR2 b 0 1k\n.tran 1u 10u sweep monte=5\n.meas tran v find v(b) at=5u\n.end'
runs && says 'Statistics'
deck 'title\n.option post\n.param r=1k\nV1 a 0 1\nR1 a 0 r\n.data table r\n1k\n2k\n.enddata\n.tran 1u 10u sweep data=table\n.alter\nR1 a 0 4k\n.end'
runs && last 'i(v1)' -0.00025
row '`.probe tran v(*) i1(m1) out=par('"'"'v(a)*2'"'"')`'
deck "title\n.option post\nV1 a 0 1\nM1 a a 0 0 n\n.model n NMOS(Vto=0.5 Kp=1m)\n.tran 1u 10u\n.probe tran v(*) i1(m1) out=par('v(a)*2')\n.end"
runs && lacks warning && last 'out' 2
row '`.print lx4(m1) lv9(m1)` and other templates of elements'
followed='title\n.option post\nV1 a 0 2\nM1 a a 0 0 n\n.model n NMOS(Vto=0.5 Kp=1m)\n.tran 1u 10u'
deck "$followed\n.print tran lx4(m1) lv9(m1) lx5(m1)\n.measure tran x max lx7(m1)\n.end"
runs && last '@m1[id]' 1.125e-3 && last '@m1[vth]' 0.5 && says "'lx5' is not supported"
deck "$followed\n.print tran @m1[id] @m1[vth]\n.end"
silent && last 'i(m1)' 1.125e-3 && last '@m1[vth]' 0.5
row '`W1 a 0 b 0 N=1 L=0.5 RLGCMODEL=m`, `.model m W MODELTYPE=RLGC ..`'
deck 'title\n.option post\nV1 a 0 1\nW1 a 0 b 0 N=1 L=0.5 RLGCMODEL=m\nR1 b 0 50\n.model m W MODELTYPE=RLGC N=1 Lo=250n Co=100p Ro=100\n.op\n.end'
silent && last 'v(b)' 0.5
deck 'title\n.option post\nV1 a 0 1\nW1 a 0 b 0 N=1 L=0.5 RLGCFILE=m.rlc\nR1 b 0 50\n.op\n.end'
says 'RLGCMODEL=model only'
row '`.vec "file"`'
printf 'radix 1 1\nvname a b\nio i o\nvih 2\nperiod 10\n0 0\n1 1\n' >digits.vec
deck 'title\n.option post\n.vec "digits.vec"\nR1 a 0 1k\nR2 b 0 1k\n.tran 1n 19n\n.end'
runs && says 'warning: .*not compared' && last 'v(a)' 2
row '`.hb`'
deck 'title\n.option post\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.hb tones=1k nharms=3\n.end'
runs && lacks warning
row '`E1 a b PWL(1) ..`, `AND(2)` `NAND` `OR` `NOR`, `DELAY c d TD=1n`, `OPAMP c d`, `G1 a b VCR c d 1k`, `VCCAP c d 1n`; `max=`, `min=`, `scale=`'
deck 'title\n.option post\nV1 a 0 1\nE1 b 0 PWL(1) a 0 0,0 2,4 max=1.5\nR1 b 0 1k\nE2 c 0 OPAMP a d\nR2 c d 1k\nR3 d 0 1k\n.op\n.end'
silent && last 'v(b)' 1.5 && last 'v(c)' 2
row '`E1 a b TRANSFORMER c d 2`'
deck 'title\nV1 a 0 10\nRS a p 1k\nE1 o 0 TRANSFORMER p 0 2\nR1 o 0 1k\n.option post\n.op\n.end'
runs && lacks error && last 'v(o)' 4 && last 'i(v1)' -0.002
row '`E1 a b FREQ c d 1k,-6,30 5k,-18,70`'
table='title\n.option post\nV1 in 0 2 ac 1\nE1 a 0 FREQ in 0 0,0,0 10k,-40,0 DELF=10 MAXF=1meg\nR1 a 0 1k'
deck "$table\n.ac lin 1 5k 5k\n.end"
runs && lacks error && last 're(v(a))' 0.1
deck "$table\n.tran 1u 1m\n.end"
says 'error.*no waveform that is near'
deck 'title\n.option post\nV1 in 0 SIN(0 1 1k)\nE1 a 0 FREQ in 0 0,0,0 5k,0,-5760 6k,-60,-6912 DELF=10 MAXF=1meg\nE2 c 0 vol={abs(v(a)+0.9511)<0.003 ? 1 : 0}\n.tran 10u 20m\n.end'
runs && lacks error && last 'v(c)' 1
row '`.print isub(x1.a)`'
deck 'title\n.option post\nV1 in 0 1\nX1 in 0 s\n.subckt s a b\nR1 a b 1k\nR2 a b 500\n.ends\n.tran 1u 9u\n.print isub(x1.a)\n.end'
runs && lacks warning && last 'isub(x1.a)' 3e-3
row '`.tran 1n 1u start=10n`, `pwl(.. r 2n td=1n)`'
deck 'title\nV1 a 0 pwl(0 0 1m 2 2m 0 3m 2 r 1m td=0)\nR1 a 0 1k\n.option post\n.tran 1u 9.5m start=2m\n.end'
runs && lacks error && last 'v(a)' 1 && starts time 2e-3
row '`.net v(out) v1 rin=50 rout=50`, `.print ac s21(db) zin(m)`'
deck "title\n.option post\nV1 a 0 ac 1\nR1 a b 100\nR2 b 0 1e12\n.ac lin 1 1k 1k\n.net v(b) v1 rin=50 rout=50\n.print ac s21(db) zin(m)\n.end"
runs && lacks warning && sed -i '1,/^$/d' $csv && last 'db(s_2_1)' -6.0206 && last 'mag(zin)' 150
row '`.lin`, `.hdl`'
deck "title\n.option post\n$parts\n.lin sparcalc=1\n.hdl \"a.va\"\n.tran 1u 1m\n.end"
runs && for card in lin hdl; do says "warning: '.$card' is not supported"; done
row '`.param w=1u` of the deck beside `.subckt inv a b w=2u` or `X1 a b inv w=2u`'
for rule in parhier=global parhier=local; do
    deck "title\n.option post $rule\n.param r=1k\nV1 a 0 1\nX1 a 0 s r=2k\nX2 a 0 s\n.subckt s a b r=4k\nR1 a b r\n.ends\n.tran 1u 1m\n.end"
    runs && last 'i(v1)' -0.75e-3
    [ $rule = parhier=local ] && lacks warning
    [ $rule = parhier=local ] || { says "X1 a 0 s r=2k" && says "'r' of subcircuit 's' counts in it"; }
done
row '`dcap` and other options that would change results'
deck "title\n.option post dcap=1\n$parts\n.tran 1u 1m\n.end"
runs && says "warning: .*'dcap'"

# ---- Xyce ----

row '`.tran 0 1m`'
deck "title\n.global_param x=1\n$parts\n.tran 0 1m\n.end"
silent && last time 1e-3
row '`.options timeint reltol=.. method=8`, `device temp=..`'
deck "title\n.options timeint reltol=1e-4 method=8\n.options device temp=50\n.options linsol type=klu\n$parts\n.tran 0 1m\n.end"
runs && lacks error
row '`.print tran format=csv file=a.csv {v(1)*2}`'
deck 'title\nV1 a 0 1\nR1 a 0 1k\n.tran 0 1m\n.print tran format=csv file=x.csv {v(a)*2}\n.end'
runs && lacks error && last 'v(a)*2' 2
[ ! -e x.csv ] || fail "$now: file="
row '`R2 a 0 {R1:R*2}`'
deck 'title\n.global_param g=1\nV1 a 0 3\nR2 b 0 {R1:R*2}\nR1 a b 1k\n.tran 0 1m\n.print tran v(b)\n.end'
runs && lacks error && lacks warning && last 'v(b)' 2
row '`V(X1:N)`, `R1:R`, `P(R1)`, `W(R1)`, `ID(M1)`, `N(a)`'
deck 'title\n.global_param g=1\nV1 a 0 1\nX1 a s\n.subckt s p\nR1 p n 1k\nR2 n 0 1k\n.ends\nR3 a 0 1k\n.tran 0 1m\n.print tran V(X1:N) {R3:R} P(R3) W(R3) N(a)\n.end'
runs && lacks error && lacks warning && last 'p(r3)' 0.001
row '`.initcond c1 ic=1 x1:m1 ic=2,0`, `.initcond file "name"`'
deck 'title\n.global_param g=1\nC1 a 0 1u ic=7\nR1 a 0 1k\n.initcond c1 ic=2\n.tran 0 1u\n.end'
silent && starts 'v(a)' 2
row '`.step X1:R1:R list 1k 2k`, the same in `.data`'
deck 'title\n.global_param g=1\nV1 a 0 1\nX1 a s\n.subckt s p\nR1 p 0 1k\n.ends\n.step X1:R1:R list 1k 2k\n.op\n.end'
silent && last 'i(v1)' -0.0005
row '`.step V1:VA 1 2 1`, `V1:V2`, `V1:FREQ`, `V1:VHI`, `V1:DCV0`, `C1:C`'
deck 'title\n.global_param g=1\nV1 a 0 SIN(0 1 1k)\nR1 a 0 1k\n.step V1:VA list 1 2\n.tran 1u 0.25m\n.end'
silent && last 'v(a)' 2
deck 'title\n.global_param g=1\nV1 a 0 1\nR1 a 0 1k\n.step V1:DCV0 list 1 2\n.op\n.end'
silent && last 'i(v1)' -0.002
row '`.ic V($G_VCC)=5` where nothing is connected to it'
deck 'title\nC1 a 0 1u\nR1 a 0 1k\n.ic v(a)=2 v($G_VCC)=5\n.tran 1n 1u\n.end'
runs && says 'its value is left out' && starts 'v(a)' 2
row '`K1 L1 L2 {0.5*time}`'
# -i1 dM/dt = -1 * 0.5e-3 into 1 kohm
deck 'title\n.global_param g=1\nI1 0 a 1\nR1 a 0 1\nL1 a 0 1m\nL2 b 0 1m\nR2 b 0 1k\nK1 L1 L2 {0.5*time}\n.tran 1u 1m\n.end'
silent && last 'v(b)' 0.0005
row '`R1 a $ 1k`'
deck 'title\n.global_param g=1\nV1 a 0 1\nR1 a $ 1k\nR2 $ 0 1k\n.op\n.end'
silent && last 'v($)' 0.5
row '`K1 L1 L2 0.75`, `K2 L1 L3 0.8`, and L2 and L3 not coupled'
deck 'title\nV1 a 0 SIN(0 1 60)\nR1 a b 1k\nL1 b 0 1m\nL2 c 0 1m\nL3 d 0 1m\nR2 c 0 1k\nR3 d 0 1k\nK1 L1 L2 0.75\nK2 L1 L3 0.8\n.tran 1u 1m\n.end'
says 'no real windings have the coupling coefficients'
row '`K1 ..` twice'
deck 'title\n.global_param g=1\nV1 a 0 ac 1\nL1 a 0 1m\nL2 b 0 1m\nL3 c 0 1m\nK1 L1 L2 0.5\nK1 L1 L3 0.3\n.ac lin 1 1k 1k\n.end'
runs && says 'both count' && last 're(v(b))' 0.5 && last 're(v(c))' 0.3
deck 'title\nV1 a 0 ac 1\nL1 a 0 1m\nL2 b 0 1m\nL3 c 0 1m\nK1 L1 L2 0.5\nK1 L1 L3 0.3\n.ac lin 1 1k 1k\n.end'
runs && says 'both count' && last 're(v(b))' 0.5 && last 're(v(c))' 0.3
deck 'title\nV1 a 0 ac 1\nL1 a 0 1m\nL1 a 0 2m\n.ac lin 1 1k 1k\n.end'
says 'two elements named'
row '`K1 L1 L2 0 core`, `.model core core(area=0)`'
deck 'title\n.global_param g=1\nV1 a 0 1\nR1 a b 1k\nL1 b 0 5\nL2 c 0 5\nR2 c 0 1\nK1 L1 L2 0 core\n.model core core(area=0)\n.tran 1u 1m\n.end'
silent && last 'v(b)' 0 && last 'i(l1)' 0.001
row '`.dcvolt`'
deck 'title\n.global_param g=1\nC1 a 0 1u\nR1 a 0 1k\n.dcvolt v(a)=2\n.tran 0 1u\n.end'
runs && lacks error
[ "$(sed -n 2p $csv | cut -d , -f 2 | cut -c 1)" = 2 ] || fail "$now: not 2 V at the start"
row '`ic=` of C, L and M without `uic`'
deck 'title\n.global_param g=1\nV1 s 0 1\nR1 s a 1k\nC1 a 0 1u ic=3\n.tran 1u 10u\n.end'
runs && lacks error && starts 'v(a)' 3
row '`.model rm r(r=2)`'
deck 'title\n.global_param g=1\nV1 a 0 1\nR1 a 0 rm 1k\n.model rm r(r=2)\n.op\n.end'
runs && lacks error && last 'i(v1)' -0.0005
row '`YDELAY`, `YADC`, `YDAC`, `YACC`, `YNAND` and other gates'
deck 'title\n.global_param g=1\nV1 a 0 PWL(0 0 1u 0 1.001u 1)\nYDELAY d1 o 0 a 0 TD=2u\nRo o 0 1k\nYADC c1 a 0 adc R=1k\n.model adc ADC(settlingtime=1n)\n.tran 1n 5u\n.meas tran late when v(o)=0.5\n.end'
runs && lacks error && says 'late  *3.00' && last 'i(v1)' -0.001
deck 'title\nV1 a 0 -2\nYACC m1 a v x v0=1\nYDAC c1 o 0 dac\nRo o a 1k\n.model dac DAC(tr=1n)\nYNAND n1 a a y g\n.model g DIG(VHI=3 VLO=0 S1RLO=200 S1RHI=5 CLO=1p CHI=1p CLOAD=1p RLOAD=1k)\n.tran 10m 1\n.end'
runs && lacks 'error:' && last 'v(v)' -1 && last 'v(y)' 2.926829268
row '`.model n nmos(level=9 ..)`'
deck "title\n$mos\n.model n nmos(level=9 vth0=0.5)\n.end"
silent
cut -d, -f 1-4 $csv | cmp -s - plain || { fail "$now: other results"; cat $csv; }
deck "title\n$mos\n.model n nmos(level=9 vto=0.5 kp=50u)\n.end"
says 'no level 9'

row '`YMEMRISTOR`, resistors of level 2'
deck 'title\nV1 a 0 5\nR1 a 0 copper L=0.1 A=1e-5\n.model copper r(level=2 resistivity={1e-8*(temp+273.15)} heatcapacity=2e6)\nYMEMRISTOR m1 a 0 mem xo=0.2\n.model mem memristor level=3\n.options timeint reltol=1e-6\n.op\n.end'
runs && lacks error && last 'v(r1#temp)' 27
row '`V1 a b {2*time}`'
deck 'title\n.global_param g=1\nV1 a 0 {2*time}\nR1 a 0 1\n.tran 0 1m\n.end'
runs && lacks error && last 'v(a)' 0.002
row 'a line that begins with a blank'
deck 'title\n.global_param g=1\nV1 a 0 1\n R9 a 0 1\nR1 a 0\n + 1k\n.op\n.end'
runs && says 'begin with a blank are comments' && last 'i(v1)' -0.001
row '`.tran 0 1m {schedule(..)}`'
deck "title\n$parts\n.tran 0 1m {schedule(0, 1u, 0.5m, 1n)}\n.end"
runs && says 'largest steps' && last time 1e-3
row '`.lib cells.lib tt`'
printf '.lib tt\n.param r=2\n.endl\n.param s={2*r}\n' >cells.lib
deck 'title\n.global_param g=1\nI1 0 a 1\nR1 a 0 {s}\n.lib cells.lib tt\n.op\n.end'
silent && last 'v(a)' 4
row 'a model that no element has'
deck 'title\n.global_param g=1\nI1 0 a 1\nR1 a 0 1\n.model none d(is={nowhere})\n.op\n.end'
silent
row '`.options timeint reltol=1`'
deck "title\n$parts\n.options timeint reltol=1\n.tran 0 1m\n.end"
runs && says 'reltol=1 leaves no digit'
row '`YNOT n1 lo hi a y model` without VLO, VHI in the model'
deck 'title\n.global_param g=1\nV1 hi 0 3\nYNOT n1 0 hi hi y m\n.model m dig(s0rlo=1 s0rhi=1e9 s1rlo=1e9 s1rhi=1)\n.op\n.end'
runs && last 'v(y)' 3e-9
row 'a resistor without a value'
deck 'title\n.global_param g=1\nV1 a 0 1\nR1 a 0\n.op\n.end'
runs && says '1000 ohm, as in Xyce' && last 'i(v1)' -0.001
row '`table("file", n, log)`'
printf '0 0\n1 1\n2 2.5\n' >points.txt
deck 'title\n.global_param g=1\nB1 a 0 V={table("points.txt", 2, 1)}\nR1 a 0 1\n.tran 10m 2\n.meas tran middle find v(a) at=1\n.end'
runs && lacks error && says 'takes all its points' && says 'middle  *1'
row '`.save type=ic file=name.ic`'
deck "title\n.options timeint method=gear\n$parts\n.save type=ic file=kept.ic\n.tran 0 1m\n.end"
silent && { grep -q '^\.ic v(a)=0' kept.ic || fail "$now: kept.ic"; }
deck "title\n.options timeint method=gear\n$parts\n.save file=../kept.ic\n.tran 0 1m\n.end"
runs && says 'without folders' && { [ ! -e ../kept.ic ] || fail "$now: ../kept.ic"; }
row '`.sampling`, `.mpde`, `.savestate`'
deck "title\n.global_param g=1\n$parts\n.sampling\n.mpde 1u 1m\n.savestate\n.tran 0 1m\n.end"
runs && for card in sampling mpde savestate; do says "'.$card'"; done

row 'a file that includes itself'
printf 'R1 a 0 1k\n.include itself.inc\n' >itself.inc
deck 'title\n.options timeint reltol=1e-3\nV1 a 0 1\n.include itself.inc\n.op\n.end'
runs && says warning && last 'i(v1)' -0.001
row '`V={POLY V(a) 1 2}`'
deck 'title\n.options timeint reltol=1e-3\nV1 a 0 1\nB1 b 0 V={POLY V(a) 1 2}\n.op\n.end'
runs && last 'v(b)' 3

# ---- KiCad ----

row '`Net-(R1-Pad1)`, `/in+`, `Net-(U1-~{EN})` as names of nets'
deck '.title KiCad schematic\nV1 Net-(R1-Pad1) 0 1\nR1 Net-(R1-Pad1) /in+ 1k\nR2 /in+ Net-(U1-~{EN}) 1k\nR3 Net-(U1-~{EN}) 0 2k\n.op\n.end'
silent && last 'v(/in+)' 0.75
row '`.include` with a path of another machine'
deck '.title KiCad schematic\n.include "/home/somebody/lib/my.inc"\nV1 a 0 1\nR1 a 0 {r}\n.op\n.end'
runs && last 'i(v1)' -0.0005
row 'parts, or all of the circuit, without a path to ground'
deck '.title KiCad schematic\nV1 a 0 1\nR1 a 0 1k\nV2 c d 2\nR2 c d 1k\n.op\n.end'
runs && says warning && last 'v(d)' -2
deck '.title KiCad schematic\nV2 c d 2\nR2 c d 1k\n.op\n.end'
runs && says warning && last 'v(d)' -2
row '`U1 a b LM324`, `V1 a 0 VSOURCE`, symbols without a Spice model'
deck '.title KiCad schematic\nV1 a 0 VSOURCE\nU1 a b 0 LM324\n.op\n.end'
[ "$status" -eq 2 ] && says 'in KiCad, write dc' && says 'in KiCad, Properties, Simulation Model'
row '`.title KiCad schematic`'
deck '.title KiCad schematic\nV1 a 0 1\nR1 a 0 1k\n.op\n.end'
silent

row '`pwr(V(a),1.5)`, `pow(V(a),1.5)`, `V(a)**1.5`, `V(a)^3`, `pwrs(V(a),3)`'
deck ".title KiCad schematic\nV1 a 0 -2\nB1 b 0 V=pwr(V(a),1.5)+2*pow(V(a),1.5)+4*V(a)**1.5+V(a)^3+2*pwrs(V(a),3)\nR1 b 0 1k\n.op\n.end"
silent
last 'v(b)' 8

row '`E1 a 0 POLY(2) ..`, `{POLY(2) ..}`'
deck 'poly\n.options timeint method=trap\nVx x 0 2\nVy y 0 3\nE1 e 0 POLY(2) x 0 y 0 1 10 100 1 2 3 4 5 6\nR1 e 0 1k\n.op\n.end'
runs && last 'v(e)' 503
row '`S1 a b model CONTROL={..}`'
deck 'switch\n.options timeint method=trap\nV1 1 0 5\nS1 1 2 s control={1}\nR2 2 0 100\n.model s switch(ron=1 roff=1e6 on=1 off=0)\n.op\n.end'
runs && last 'v(2)' 4.950495
row 'switches with `VHON`, `VHOFF`, `IHON`, `IHOFF`, `ONH`, `OFFH`'
sw='V1 1 0 5\nS1 1 2 c 0 sv\nR2 2 0 100\n.model sv vswitch(ron=1 roff=100 von=1 vhon=0.55 voff=0 vhoff=0.45)\n.tran 10m 1\n.end'
deck "off\n.options timeint method=trap\nVc c 0 PWL(0 0 1 0.44)\n$sw"
runs && last 'v(2)' 2.5
deck "on\n.options timeint method=trap\nVc c 0 PWL(0 1 1 0.56)\n$sw"
runs && last 'v(2)' 4.950495
row 'loops of A gates at rest'
deck 'ring\na3 r1 r2 inv\na4 r2 r3 inv\na5 r3 r1 inv\n.model inv d_inverter\nV1 a 0 1\nR1 a 0 1\n.tran 1n 10n\n.end'
runs && starts 'v(r1)' 0.5

# ---- values ----

awk -F '\t' '
    { line = 0
      place = ""
      while ((getline text < $1) > 0) {
          fields = split(text, field, ",")
          if (++line == 1)
              for (i = 1; i <= fields; i++) if (field[i] == $3) place = i
          if (line == $2) break
      }
      close($1)
      e = field[place] - $4
      if (!(place && e < 1e-5 && e > -1e-5)) { print $5 ": " $3 " is " field[place] ", not " $4; bad = 1 } }
    END { exit bad || NR < 200 }' values || fail "other values"

# ---- no row without a deck ----

sed -n 's/^| \(.*\) | .* |$/\1/p' "$page" | grep -v -e '^there$' -e '^the deck has$' >rows
[ "$(wc -l <rows)" -ge 40 ] || fail "only $(wc -l <rows) rows in the tables"
sort rows >rows.sorted
sort claimed | diff - rows.sorted || fail "rows without a deck"
finish
