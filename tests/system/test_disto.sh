#!/bin/sh
# .disto gives what ngspice gives: harmonics and intermodulation of diodes, bipolar and MOS transistors, alone and in stages.
. "$(dirname "$0")/common.sh"

says()
{
    "$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" >"$scratch/out" 2>&1
    grep -qF -- "$2" "$scratch/out" || { fail "$1"; cat "$scratch/out"; }
}
for case in '.disto|needs frequencies' '.disto dec 0 1 10|whole number from 1' '.disto lin 3 0 10|greater than 0' \
    '.disto dec 1 1 10 1.5|between 0 and 1' '.disto dec 1 1 10 0.9 3|ignored' '.disto dec 1 1 10|DISTOF1' \
    '.disto dec 1 1 10
.print disto v(a)|are written'; do
    printf 'case\nV1 a 0 1\nR1 a 0 1\n%s\n.end\n' "${case%|*}" >"$scratch/deck"
    says "$case" "${case#*|}"
done

[ -n "$ngspice" ] || finish

# compare NAME CARD TABLES VECTOR..: each product to 2e-4 of its largest value in ngspice.
compare()
{
    name=$1 card=$2 tables=$3
    shift 3
    { cat "$scratch/deck"; printf '.%s\n.end\n' "$card"; } >"$scratch/k.cir"
    rm -f "$scratch"/n?.data
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15\n.control\nset wr_singlescale\nset numdgt=12\n%s\n' "$card"
      for t in $tables; do printf 'setplot disto%s\nwrdata %s %s\n' "$t" "$scratch/n$t.data" "$*"; done
      printf 'quit\n.endc\n.end\n'; } >"$scratch/n.cir"
    timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 --quiet >"$scratch/out" 2>&1 ||
        { fail "$name: exit status $?"; cat "$scratch/out"; return; }
    for t in $tables; do
        [ -s "$scratch/n$t.data" ] || { fail "$name: ngspice"; tail -n 5 "$scratch/log"; return; }
        awk -v name="$name, table $t" -v wanted="$*" -v table="$t" '
            NR == FNR { rows++; for (i = 1; i <= NF; i++) n[rows, i] = $i; next }
            FNR == 1 { now = 1; head = 1 }
            /^$/ { now++; head = 1; next }
            now != table { next }
            head { split($0, names, ","); head = 0; next }
            { k++; count = split($0, x, ","); for (i = 1; i <= count; i++) got[k, names[i]] = x[i] }
            END {
                if (k != rows || rows < 2) { print name ": " k " rows, ngspice " rows; exit 1 }
                count = split(wanted, vectors, " ")
                for (v = 1; v <= count; v++) {
                    most = worst = 0
                    for (r = 1; r <= rows; r++) {
                        a = n[r, 2 * v]; b = n[r, 2 * v + 1]; s = sqrt(a * a + b * b); if (s > most) most = s
                        e = sqrt((got[r, "re(" vectors[v] ")"] - a) ^ 2 + (got[r, "im(" vectors[v] ")"] - b) ^ 2)
                        if (e > worst) { worst = e; at = r }
                    }
                    if (most == 0 || worst > 2e-4 * most) {
                        print name ": " vectors[v] " at " n[at, 1] " Hz: " got[at, "re(" vectors[v] ")"] " " \
                            got[at, "im(" vectors[v] ")"] ", ngspice " n[at, 2 * v] " " n[at, 2 * v + 1]
                        bad = 1
                    }
                }
                exit bad
            }' "$scratch/n$t.data" "$scratch/k.csv" >"$scratch/table" || { fail "$name"; cat "$scratch/table"; }
    done
}

cat >"$scratch/deck" <<'END'
a diode
V1 in 0 DC 1 DISTOF1 0.1 DISTOF2 0.05
R1 in a 1k
D1 a 0 dm
C1 a 0 1n
.model dm d(is=1e-14 n=1.1 cjo=10p tt=1n)
END
compare diode "disto dec 3 1k 10meg" "1 2" "v(a)"
compare "two tones at a diode" "disto dec 3 1k 10meg 0.9" "1 2 3" "v(a)"

cat >"$scratch/deck" <<'END'
a diode between filters, in reverse
V1 in 0 DC -2 DISTOF1 0.5 20 DISTOF2 0.3 -60
R1 in a 1k
L1 a b 10u
D1 b 0 dm
R2 b c 470
C2 c 0 100p
.model dm d(is=1e-14 cjo=50p vj=0.8 m=0.45)
END
compare "a diode's charge" "disto dec 4 100k 100meg" "1 2" "v(b)" "v(c)"
compare "two tones at a diode's charge" "disto dec 4 100k 100meg 0.7" "1 2 3" "v(c)"

cat >"$scratch/deck" <<'END'
a bipolar stage
Vcc cc 0 10
V1 in 0 DC 0 DISTOF1 1m DISTOF2 1m
C1 in b 10u
R1 cc b 47k
R2 b 0 10k
Q1 c b e qn
R3 cc c 2.2k
R4 e 0 1k
C4 e 0 100u
.model qn npn (is=1e-15 bf=200 vaf=80)
END
compare "bipolar stage" "disto dec 2 100 1meg" "1 2" "v(c)" "v(e)"
compare "two tones at a bipolar stage" "disto dec 2 100 1meg 0.8" "1 2 3" "v(c)"

cat >"$scratch/deck" <<'END'
a differential pair
Vp vp 0 10
Vn vn 0 -10
V1 a 0 DC 0.01 DISTOF1 2m DISTOF2 3m
Q1 c1 a e qn
Q2 c2 0 e qn
R1 vp c1 5k
R2 vp c2 5k
R3 e vn 5k
C1 c1 c2 1n
.model qn npn (is=1e-16 bf=150)
END
compare "differential pair" "disto dec 2 1k 1meg" "1 2" "v(c1)" "v(c2)"

cat >"$scratch/deck" <<'END'
a JFET follower with a diode at its output
Vdd dd 0 12
V1 in 0 DC 0 DISTOF1 50m DISTOF2 30m
R1 in g 100k
J1 dd g s jm
R2 s 0 2.2k
C1 s o 10n
R3 o 0 4.7k
D1 o 0 dm
.model jm njf(vto=-2.5 beta=1m lambda=0.01 cgs=3p cgd=2p)
.model dm d(is=1e-12 cjo=5p)
END
compare "JFET follower" "disto dec 2 1k 1meg" "1 2" "v(s)" "v(o)"
compare "two tones at a JFET follower" "disto dec 2 1k 1meg 0.9" "1 2" "v(s)"

cat >"$scratch/deck" <<'END'
two stages in feedback
Vcc cc 0 12
V1 in 0 DC 0 DISTOF1 5m DISTOF2 5m
C1 in b 10u
R1 cc b 150k
R2 b 0 27k
Q1 c b e qn
R3 cc c 10k
R4 e 0 1k
Q2 o c f qp
R5 cc f 1k
R6 o 0 2.2k
R7 o e 22k
C2 o 0 1n
.model qn npn(is=1e-15 bf=150 vaf=80 cje=2p cjc=1p tf=0.3n)
.model qp pnp(is=1e-15 bf=60 vaf=50 cje=2p cjc=1p tf=1n)
END
compare "two stages" "disto dec 2 100 100k" "1 2" "v(o)" "v(c)"

cat >"$scratch/deck" <<'END'
a MOS stage
Vdd dd 0 5
V1 g 0 DC 1.5 DISTOF1 50m DISTOF2 20m
M1 d g s 0 nm w=20u l=2u
R1 dd d 10k
R2 s 0 1k
C1 d 0 10p
.model nm nmos(vto=0.7 kp=60u lambda=0.02)
END
compare "MOS stage" "disto dec 2 1k 10meg" "1 2" "v(d)" "v(s)"
compare "two tones at a MOS stage" "disto dec 2 1k 10meg 0.9" "1 2" "v(d)"

# Where nothing stores, 2 f1 - f2 is 3 |V2|/|V1| times the third harmonic; ngspice says 65 times as much for MOS transistors.
{ cat "$scratch/deck"; printf '.disto lin 1 1 1\n.disto lin 1 1 1 0.9\n.end\n'; } >"$scratch/k.cir"
"$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --quiet >"$scratch/out" 2>&1 || fail "2 f1 - f2: status $?"
awk -F, '/^frequency/ { for (i = 1; i <= NF; i++) if ($i == "re(v(d))") c = i; next } NF { v[++n] = $c }
    END { r = v[5] / v[2] / 1.2 - 1; exit !(n == 5 && r < 1e-5 && r > -1e-5) }' "$scratch/k.csv" || { fail "2 f1 - f2"; cat "$scratch/k.csv"; }
finish
