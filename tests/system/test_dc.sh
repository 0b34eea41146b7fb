#!/bin/sh
# .dc: the numbers beside those of ngspice, row by row; tables and raw files; what is said of cards that make no sense.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/random_stage.sh"
cd "$scratch" || exit 1

# A card with a mistake is an error with its place, before anything is simulated.
cat >bad.cir <<'END'
mistakes
V1 a 0 1
R1 a 0 1k
.op
.dc V1 0 1 0
.dc V1 0 1 -0.1
.dc V2 0 1 0.1
.dc V1 0 1
.dc TEMP -300 0 100
.end
END
"$KNOTEN" bad.cir >out 2>err && fail "mistakes are taken"
[ ! -s out ] || fail "something was simulated in spite of mistakes"
for line in "5:12: error: '.dc': the step is 0" "6:12: warning: the step leads away from the end; it is taken as 0.1" \
    "7:5: error: '.dc': there is no source, element or parameter 'V2'" "hint: did you mean 'V1'?" \
    "8:1: error: '.dc': expected three numbers" "9:10: error: '.dc': the temperature falls below absolute zero"; do
    grep -qF "$line" err || { fail "not said: $line"; cat err; }
done

# A fold is said with its place: u/5 - atanh(u)/100 turns back near 0.965.
cat >fold.cir <<'END'
Schmitt trigger
Vin in 0 0
B1 o1 0 V=5*tanh(100*v(p,in))
Ro o1 out 1
R1 out p 40k
R2 p 0 10k
.dc Vin -2 2 0.1
.print dc v(out)
.end
END
"$KNOTEN" -q fold.cir >out 2>err || fail "a fold ends the sweep"
grep -q 'warning: the curve turns back near vin = 0\.965' err || { fail "the fold is not said"; cat err; }
[ "$(grep -c '^ *[-0-9]' out)" -eq 41 ] || { fail "41 rows expected in the table"; cat out; }
grep -q '^ *v(v-sweep)  *v(out)$' out || fail "no heading over the table"
sed -n '3,4p' fold.raw | tr -d '\000' | grep -qa 'Plotname: DC transfer characteristic' || fail "plot name in the raw file"

[ -n "$ngspice" ] || { [ "$failures" -gt 0 ] || skip "ngspice is not installed to compare with"; finish; }

# compare NAME LEAD VECTORS: the deck body comes on standard input; LEAD columns of knoten's rows are swept values.
compare()
{
    name=$1 lead=$2 vectors=$3
    cat >"$name.body"
    { cat "$name.body"; echo ".save $vectors"; echo .end; } >"$name.cir"
    {
        cat "$name.body"
        printf '.control\nset numdgt=12\nrun\nwrdata %s.txt %s\nquit\n.endc\n.end\n' "$name" "$vectors"
    } >"$name-ng.cir"
    "$KNOTEN" -q --format csv -o - "$name.cir" 2>err | tail -n +2 >"$name.csv"
    "$ngspice" -b "$name-ng.cir" >log 2>&1
    [ -s "$name.txt" ] || { fail "$name: ngspice gives nothing"; tail -n 5 log; return; }
    [ "$(wc -l <"$name.csv")" -eq "$(wc -l <"$name.txt")" ] ||
        { fail "$name: $(wc -l <"$name.csv") rows, ngspice has $(wc -l <"$name.txt")"; cat err; return; }
    # 0.1 %, beside what gmin and ngspice's abstol and vntol leave
    tr ',' ' ' <"$name.csv" | paste -d' ' - "$name.txt" | awk -v lead="$lead" -v count="$(echo "$vectors" | wc -w)" '
        function far(a, b, least) { d = a - b; d = d < 0 ? -d : d; s = b < 0 ? -b : b; return d > 1e-3 * s + least }
        {
            from = lead + count
            if (far($1, $(from + 1), 1e-12)) { print "swept value", $0; bad = 1 }
            for (i = 1; i <= count; i++)
                if (far($(lead + i), $(from + 2 * i), 1e-9)) { print "row", NR, "vector", i, $(lead + i), $(from + 2 * i); bad = 1 }
        }
        END { exit bad }' || fail "$name: ngspice has other numbers"
}

compare diode 1 'v(b) i(v1)' <<'END'
diode
V1 a 0 0
R1 a b 100
D1 b 0 dm
.model dm d is=2e-14 n=1.3 rs=1.5 bv=4 ibv=1m
.dc V1 -6 2 0.05
END
compare mos 2 'i(vd)' <<'END'
output characteristics of a transistor
VD d 0 1
VG g 0 1
M1 d g 0 0 mn w=20u l=2u
.model mn nmos vto=0.8 kp=1e-4 lambda=0.03 gamma=0.5 phi=0.65
.dc VD 0 5 0.25 VG 1 4 0.75
END
compare bjt 2 'i(vc) v(b)' <<'END'
output characteristics with base currents
VC c 0 1
IB 0 b 1u
Q1 c b 0 qn
.model qn npn is=1e-15 bf=120 vaf=70 rb=100 rc=5 re=1 ikf=50m ise=1e-14 ne=1.8
.dc VC 0.05 5 0.55 IB 10u 90u 40u
END
compare resistor 1 'v(b) i(v1)' <<'END'
a resistor
V1 a 0 5
R1 a b 1k
D1 b 0 dm
.model dm d is=1e-14
.dc R1 100 2000 200
END
compare temperature 1 'v(b) v(c)' <<'END'
a diode and a transistor over the temperature
V1 a 0 5
R1 a b 10k tc1=1e-3
D1 b 0 dm
RC a c 4.7k
RB a e 470k
Q1 c e 0 qn
.model dm d is=1e-14 eg=1.11 xti=3
.model qn npn is=1e-15 bf=100 xtb=1.5 vaf=80
.dc TEMP -40 125 15
END
compare inverter 1 'v(out) i(vdd)' <<'END'
CMOS inverter from high to low
VDD vdd 0 3.3
VIN in 0 0
MP out in vdd vdd mp w=20u l=1u
MN out in 0 0 mn w=10u l=1u
RL out 0 1meg
.model mn nmos vto=0.7 kp=1.2e-4 lambda=0.05
.model mp pmos vto=-0.8 kp=5e-5 lambda=0.06
.dc VIN 3.3 0 -0.05
END
compare amplifier 2 'v(o1) v(o2)' <<'END'
differential amplifier at three temperatures
VCC vcc 0 10
VEE vee 0 -10
VIN in 0 0
RC1 vcc o1 10k
RC2 vcc o2 10k
Q1 o1 in e qn
Q2 o2 0 e qn
RE e vee 9.3k
.model qn npn is=1e-16 bf=200 vaf=100
.dc VIN -0.2 0.2 0.02 TEMP 0 100 50
END
compare current 1 'v(a) v(b)' <<'END'
a current source into a bridge
I1 0 a 0
R1 a b 1k
R2 b 0 2k
D1 a 0 dz
.model dz d is=1e-13 n=2
.dc I1 0 10m 0.3m
END

compare vdmos 2 'i(vd)' <<'END'
a power transistor; its mobility and lambda are those of one direction
VG g 0 3
VD d 0 0
M1 d g 0 pwr m=2
.model pwr VDMOS(Rg=3 Vto=4 Rd=72m Rs=18m Rb=36m Kp=4.9 Lambda=.03 Cjo=1.25n Is=67p ksubthres=.1 mtriode=0.5)
.dc VD 0 20 0.5 VG 3 9 1
END
compare vdmos-reverse 2 'i(vd)' <<'END'
a power transistor whose body diode conducts and breaks down
VG g 0 0
VD d 0 0
M1 d g 0 pwr
.model pwr VDMOS(Vto=4 Rd=72m Rs=18m Rb=36m Kp=4.9 Is=67p bv=30 ibv=1m)
.dc VD -2 32 0.5 VG 0 6 3
END
compare vdmos-p-channel 1 'i(vd)' <<'END'
a p-channel with quasi-saturation at 75 degrees
VG g 0 -6
VD d 0 0
M1 d g 0 pwr temp=75
.model pwr VDMOS(pchan Vto=-3.5 Rd=72m rq=0.2 vq=3 Rs=18m Kp=4.9 Lambda=.03 tcvth=3m Is=67p ksubthres=.15 trs1=1m texp0=1.2)
.dc VD 0 -20 -0.5
END
compare vdmos-hot 2 'i(vd)' <<'END'
an n-channel, whose threshold falls as that of a p-channel does, at 110 degrees
VG g 0 6
VD d 0 0
M1 d g 0 pwr temp=110
.model pwr VDMOS(Vto=3.5 Rd=72m Rs=18m Kp=4.9 Lambda=.03 tcvth=3m Is=67p ksubthres=.15)
.dc VD 0 20 0.5 VG 3 6 1
END
compare jfet 2 'i(vd) i(vg)' <<'END'
characteristics of a JFET, both directions, gate conducting too
VG g 0 -1
VD d 0 0
J1 d g 0 jm 2
.model jm njf(vto=-2.5 beta=1.2m lambda=0.02 rd=10 rs=15 is=2e-14 b=0.8 pb=0.9)
.dc VD -1 10 0.25 VG -3 0.75 0.75
END
compare mesfet 2 'i(vd)' <<'END'
characteristics of a MESFET
VG g 0 -1
VD d 0 0
Z1 d g 0 zm
.model zm nmf(vto=-1.3 beta=1.4m lambda=0.03 alpha=3 b=0.2 rd=46 rs=46)
.dc VD -1 5 0.25 VG -2 0 0.5
END

# Random stages at five operating points each.
seed=401
while [ $seed -le 410 ]; do
    random_stage "$seed"
    { cat "$scratch/deck"; printf '.options reltol=1e-6 vntol=1e-9 abstol=1e-14\n.dc V1 0 3 0.75\n'; } >stage
    compare "stage$seed" 1 'v(n1) v(n2) v(n3) i(v1)' <stage
    seed=$((seed + 1))
done
finish
