#!/bin/sh
# Quantities of devices: those of ngspice, consistent with each other, at operating points, along .dc and in time; .op at
# times of a transient; the table, JSON.
. "$(dirname "$0")/common.sh"

# run CARD..: $scratch/deck with these cards; CSV in $scratch/k.csv, messages and tables in $scratch/out.
run()
{
    { cat "$scratch/deck"; printf '%s\n' "$@"; echo .end; } >"$scratch/k.cir"
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --points "$scratch/k.json" --reltol 1e-9 \
        >"$scratch/out" 2>&1 || { fail "exit status $?: $*"; cat "$scratch/out"; }
}



# compare QUANTITY..: with ngspice, apart from the sign, which ngspice gives in the sense of the device.
compare()
{
    [ -n "$ngspice" ] || return 0
    run .op ".save $*"
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-16 gmin=1e-12\n.control\nset numdgt=9\nop\nprint %s\nquit\n.endc\n.end\n' "$*"
    } >"$scratch/n.cir"
    timeout 20 "$ngspice" -b "$scratch/n.cir" 2>&1 | awk '/^@/ && $2 == "=" { print tolower($1), $3 }' >"$scratch/n.values"
    awk -F'[ ,]' '
        function size(x) { return x < 0 ? -x : x }
        NR == FNR { n[$1] = $2; count++; next }
        FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
        FNR == 2 {
            for (i = 1; i <= NF; i++) {
                full = name[i]
                if (full ~ /^i\(/) full = "@" substr(full, 3, length(full) - 3) (full ~ /^i\(q/ ? "[ic]" : "[id]")
                sub(/\[vth\]/, "[von]", full); sub(/\[gmbs\]/, "[gmb]", full)
                if (!(full in n)) { print "ngspice has no " full; bad = 1; continue }
                seen++
                if (size(size($i) - size(n[full])) > 1e-4 * size(n[full]) + 1e-21) {
                    print name[i], $i, "ngspice", n[full]; bad = 1
                }
            }
            if (seen != count) { print seen " of " count; bad = 1 }
            exit bad
        }' "$scratch/n.values" "$scratch/k.csv" >"$scratch/table" || { fail "ngspice: $*"; cat "$scratch/table"; }
}

cat >"$scratch/deck" <<'END_OF_DECK'
all families, both polarities, several regions
VCC vcc 0 5
VB b 0 0.7
Q1 c b e QN
RC vcc c 1k
RE e 0 10
VB2 b2 0 4.3
Q2 c2 b2 vcc QP
RC2 c2 0 100
Q3 c3 b3 0 QN
RC3 vcc c3 10k
RB3 vcc b3 10k
Q4 0 b4 e4 QN
RB4 vcc b4 100k
RE4 e4 0 1meg
M1 d g 0 bk MN W=20u L=2u AD=100p AS=100p
VBK bk 0 -1
RD vcc d 10k
VG g 0 1.5
M2 d2 g2 vcc vcc MP W=20u L=2u AD=100p AS=100p
RD2 d2 0 10k
VG2 g2 0 3.5
M3 d3 vcc 0 0 MN W=20u L=2u
RD3 vcc d3 10k
M4 0 g d4 0 MN W=20u L=2u
RD4 d4 vcc 100k
D1 a 0 DX
RA vcc a 1k
D2 0 z DX
RZ vcc z 1meg
.model QN NPN(BF=150 IS=1e-14 VAF=80 CJE=10p CJC=4p TF=0.4n RB=50 RC=2 RE=1 XCJC=0.6 CJS=1p)
.model QP PNP(BF=100 IS=1e-14 VAF=50 CJE=10p CJC=4p TF=0.4n)
.model MN NMOS(VTO=0.7 KP=60u LAMBDA=0.02 GAMMA=0.4 PHI=0.65 CJ=1e-4 CGSO=1e-10 CGDO=1e-10 RD=10 RS=10)
.model MP PMOS(VTO=-0.8 KP=25u LAMBDA=0.03 GAMMA=0.5 PHI=0.65 CJ=1e-4)
.model DX D(IS=1e-14 RS=5 CJO=2p TT=5n N=1.1)
END_OF_DECK
for q in q1 q2 q3; do
    compare @$q[ic] @$q[ib] @$q[ie] @$q[vbe] @$q[vbc] @$q[gm] @$q[gpi] @$q[gmu] @$q[gx] @$q[go] @$q[cpi] @$q[cmu] @$q[cbx]
done
for m in m1 m2 m3; do
    compare @$m[id] @$m[vgs] @$m[vds] @$m[vbs] @$m[von] @$m[vdsat] @$m[gm] @$m[gds] @$m[gmb] @$m[cbd] @$m[cbs]
done
compare @d1[vd] @d1[id] @d1[gd] @d1[cd] @d1[p]
compare @rc[p] @ra[p]

# Regions, and names that are the same.
run .op ".save @q1[region] @q2[region] @q3[region] @m1[region] @m3[region] @m4[region] @d1[region] @d2[region] @q1[beta] @q1[betadc]"
said "@q1\[region\] .* active"
said "@q2\[region\] .* active"
said "@q3\[region\] .* saturation"
said "@m1\[region\] .* saturation"
said "@m3\[region\] .* linear"
said "@d1\[region\] .* on"
said "@d2\[region\] .* off"
said "@q1\[beta\] .* 153.92" # by the name that was asked for
said "@q1\[betadc\] .* 153.92"

# The table for reading, and the same as JSON.
run .op
said "^ *Q1 *Q2 *Q3 *Q4$"
said "^region  *active  *active  *saturation"
said "^gm .* mS"
grep -q '"q1": {"region": "active", "ic": ' "$scratch/k.json" || { fail "JSON of devices"; cat "$scratch/k.json"; }
grep -q '"point": "Operating Point"' "$scratch/k.json" || fail "JSON of points"

# All power that is taken is delivered.
run .op ".save @vcc[p] @vb[p] @vb2[p] @vbk[p] @vg[p] @vg2[p] @q1[p] @q2[p] @q3[p] @q4[p] @m1[p] @m2[p] @m3[p] @m4[p]" \
    ".save @d1[p] @d2[p] @rc[p] @re[p] @rc2[p] @rc3[p] @rb3[p] @rb4[p] @re4[p] @rd[p] @rd2[p] @rd3[p] @rd4[p] @ra[p] @rz[p]"
awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) { s += $i; t += $i < 0 ? -$i : $i }
    if (NF != 29 || s > 1e-9 * t || s < -1e-9 * t) { print NF, s, t; exit 1 } }' "$scratch/k.csv" || fail "power"

# Along a sweep: the conductances are the derivatives of the currents (steps of 1 mV: to 1e-3).
run ".dc VB 0.6 0.72 0.001" ".save @q1[ic] @q1[vbe] @q1[vbc] @q1[gm] @q1[go] @q1[gmu]"
awk -F, 'NR > 1 {
        if (NR > 3) {
            # d ic = (gm - ..) d vbe and so on between the rows around the middle one; ic of the transport current
            gm = pgm; dic = $2 - pp_ic; dbe = $3 - pp_be; dbc = $4 - pp_bc
            expected = pgm * dbe + pgo * (dbe - dbc) - pgmu * dbc
            e = dic - expected
            if (e > 2e-3 * dic || e < -2e-3 * dic) { print "at", $1, dic, expected; exit 1 }
            n++
        }
        pp_ic = p_ic; pp_be = p_be; pp_bc = p_bc; p_ic = $2; p_be = $3; p_bc = $4; pgm = $5; pgo = $6; pgmu = $7
    }
    END { exit n < 100 }' "$scratch/k.csv" >"$scratch/table" || { fail "derivatives along .dc"; cat "$scratch/table"; }

# In time: the power of a resistor is v^2/R, the points of .op lie on the run.
cat >"$scratch/deck" <<'END_OF_DECK'
an RC stage: v = 1 - e^(-t/1us)
V1 in 0 PWL(0 0 1n 1 1 1)
R1 in out 1k
C1 out 0 1n
D1 out x DX
C2 x 0 1f
.model DX D(IS=1e-18)
END_OF_DECK
run ".tran 10n 5u" ".save v(out) v(in,out) @r1[p] @c1[p] @r1[v]"
awk -F, 'NR > 2 && $1 != "" { e = $4 - $3 * $3 / 1000; if (e > 1e-12 || e < -1e-12 || $6 != $3) exit 1; n++ } END { exit n < 20 }' \
    "$scratch/k.csv" || fail "power in time"
run ".op brief 3u 1u 2u 1u" ".tran 10n 5u"
for t in 1 2 3; do
    said "^Operating Point at ${t}e-06 s"
done
[ "$(grep -c '^Operating Point at' "$scratch/out")" = 3 ] || fail "each time once"
awk '/^Operating Point at/ { t = $4 * 1e6 }
    /^v\(out\)/ && t { e = $2 - (1 - exp(-(t - 0.0005))); if (e * e > 1e-10) { print; exit 1 } n++ }
    END { exit n != 3 }' "$scratch/out" >"$scratch/table" || { fail "points of the run"; cat "$scratch/table"; }
grep -q '"point": "Operating Point at 2e-06 s"' "$scratch/k.json" || fail "JSON of points in time"
run ".op 9u" ".tran 10n 5u"
said "no transient reaches 9e-06 s"

# Mistakes are said and left out.
run .op ".save v(out) @d1[gmm] @dd[id] @r1[r"
said "D1 has no quantity 'gmm'"
said "there are region, id, vd, gd, cd, p, i, v"
said "there is no element 'dd'"
run ".ac lin 2 1 2" ".print ac v(out) @d1[gd]"
said "'@d1\[gd\]' is not supported"
printf 'x\nR1 a 0 1\nV1 a 0 1\n.op -1\n.end\n' >"$scratch/k.cir"
"$KNOTEN" "$scratch/k.cir" -o "$scratch/k.raw" >"$scratch/out" 2>&1 && fail "a negative time"
said "a time must not be negative"

# A converter with hysteresis has no operating point: who meets that is told how it starts.
cat >"$scratch/k.cir" <<'END_OF_DECK'
a comparator that switches itself back
B1 q 0 V=v(out)>2 ? 0 : 5
R1 q out 1k
C1 out 0 1n
.tran 10n 1u
.end
END_OF_DECK
"$KNOTEN" "$scratch/k.cir" -o "$scratch/k.raw" >"$scratch/out" 2>&1 && fail "an operating point of what has none"
said "uic on .tran starts it from the voltages of .ic"

finish
