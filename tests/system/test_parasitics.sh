#!/bin/sh
# Rser, Lser, Rpar, Cpar and RLshunt on C, L and V are the elements that LTspice's help draws: the same waveforms as
# ngspice gives for a deck in which these elements are written out.
. "$(dirname "$0")/common.sh"

[ -n "$ngspice" ] || skip "ngspice is not installed"

# compare NAME: $scratch/short.cir by knoten against $scratch/long.cir by ngspice; further arguments for compare_raw.
compare()
{
    name=$1
    shift
    for deck in short long; do
        cat "$scratch/$deck" "$scratch/cards" >"$scratch/$deck.cir"
    done
    awk -v tmax="$step" -v method=trap -f "$KNOTEN_SOURCE/tests/tools/tight_ngspice.awk" "$scratch/long.cir" >"$scratch/tight.cir"
    ngspice_run "$scratch/tight.cir" "$scratch/ngspice.raw" || { fail "$name: ngspice"; return; }
    "$KNOTEN" "$scratch/short.cir" -o "$scratch/knoten.raw" --reltol 1e-6 --quiet >"$scratch/out" 2>"$scratch/err" ||
        { fail "$name: exit status $?"; cat "$scratch/err"; return; }
    [ ! -s "$scratch/err" ] || { fail "$name: said something"; cat "$scratch/err"; }
    "$tools/compare_raw" "$scratch/knoten.raw" "$scratch/ngspice.raw" --limit 0.2 "$@" >"$scratch/table" ||
        { fail "$name: differs from ngspice"; cat "$scratch/table"; }
}

step=20n
cat >"$scratch/cards" <<'E2'
.tran 0.1u 100u
.end
E2
cat >"$scratch/short" <<'E2'
a tank with losses and a filter
V1 in 0 PULSE(0 1 1u 0.1u 0.1u 40u 100u) Rser=0.5 Cpar=10n
L1 in out 10u Rser=1.5 Rpar=300 Cpar=1n
C1 out 0 1u Rser=0.7 Lser=20n RLshunt=5 Rpar=20 Cpar=2n
E2
cat >"$scratch/long" <<'E2'
the same
V1 vi 0 PULSE(0 1 1u 0.1u 0.1u 40u 100u)
RV1 in vi 0.5
CV1 in 0 10n
L1 l1 out 10u
RL1 in l1 1.5
RL2 in out 300
CL1 in out 1n
C1 c2 0 1u
RC1 out c1 0.7
LC1 c1 c2 20n
RC2 c1 c2 5
RC3 out 0 20
CC1 out 0 2n
E2
compare "tank"

step=50n
printf '.tran 0.1u 200u uic\n.end\n' >"$scratch/cards"
cat >"$scratch/short" <<'E2'
a transformer, initial values, several in parallel, parameters of a subcircuit
C0 in 0 1u ic=5 Rser=0.2
L1 in 0 100u Rser=2 ic=0.1
L2 out 0 400u Rser={5*1} Cpar=10n
K1 L1 L2 0.9
R2 out 0 100
X1 out 0 part esr=4
.subckt part a b esr=1
C1 a b 100n Rser={esr*2} m=2 Rpar=1k
.ends
E2
cat >"$scratch/long" <<'E2'
the same
C0 c0 0 1u ic=5
R0 in c0 0.2
L1 l1 0 100u ic=0.1
R1 in l1 2
L2 l2 0 400u
RL2 out l2 5
CL2 out 0 10n
K1 L1 L2 0.9
R2 out 0 100
C1 c1 0 200n
RC1 out c1 4
RC2 out 0 500
E2
compare "transformer"

finish
