#!/bin/sh
# Memory: flat over a million rows; no leak and no bad access on the examples under valgrind (where installed).
# Hundreds of runs in one process are in tests/analyses/test_many_runs.c.
. "$(dirname "$0")/common.sh"

instrumented=$(grep -c __asan_init "$KNOTEN" || true)

# peak DECK -> kilobytes
peak()
{
    "$tools/peak_memory" "$scratch/usage" "$KNOTEN" "$1" -o "$scratch/rows.raw" --quiet >"$scratch/out" 2>&1 ||
        { fail "$1: exit status $?"; cat "$scratch/out"; }
    cut -d ' ' -f 1 "$scratch/usage"
}

# A forced step makes a row of each step: 10^4 and 10^6 of them, with a nonlinear circuit and an index-2 current.
cat >"$scratch/long.cir" <<'END'
a million rows
V1 a 0 SIN(0 5 50)
C1 a 0 1n
R1 a b 1k
D1 b c dx
C2 c 0 1u
R2 c 0 10k
.model dx D(Is=10n Cjo=10p)
.tran 1u STOP 0 1u
.end
END
sed 's/STOP/10m/' "$scratch/long.cir" >"$scratch/short.cir"
sed -i 's/STOP/1/' "$scratch/long.cir"
short=$(peak "$scratch/short.cir")
if [ "$instrumented" -eq 0 ]; then
    long=$(peak "$scratch/long.cir")
    rows=$(sed -n 's/^No. Points: *//p;/^Binary/q' "$scratch/rows.raw" | tr -d '\000')
    printf 'peak memory: %s kB at 10^4 rows, %s kB at %s rows\n' "$short" "$long" "$rows"
    [ "$rows" -ge 1000000 ] || fail "only $rows rows"
    [ $((long - short)) -lt 1024 ] || fail "memory grows with the number of rows: $short kB, then $long kB"
    rm -f "$scratch/rows.raw"
fi

# ---- valgrind

valgrind=$(command -v valgrind || true)
if [ -z "$valgrind" ] || [ "$instrumented" -ne 0 ]; then
    [ "$failures" -gt 0 ] || skip "flat memory shown; no valgrind for this build"
    finish
fi

# grind NAME STATUS ARGUMENT..
grind()
{
    name=$1 expected=$2 status=0
    shift 2
    "$valgrind" -q --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=definite,indirect,possible \
        --error-exitcode=99 --log-file="$scratch/valgrind" "$KNOTEN" "$@" -o "$scratch/v.raw" --quiet \
        >"$scratch/out" 2>&1 || status=$?
    [ "$status" -eq "$expected" ] && [ ! -s "$scratch/valgrind" ] && return
    fail "$name under valgrind: exit status $status"
    head -n 30 "$scratch/valgrind"
}

# A tenth of the time of examples that have every device between them; to start valgrind takes most of the wait.
for name in bjt-amplifier buck cmos-inverter latch li-cutset lossless-line multiplier nonlinear-capacitor opamp-filter ring-modulator \
    transformer; do
    name=$name.cir
    deck=$KNOTEN_SOURCE/examples/$name
    awk 'tolower($1) == ".tran" {
             number = $3 + 0
             unit = $3
             sub(/^[0-9.eE+-]*/, "", unit)
             $3 = number / 10 unit
         }
         { print }' "$deck" >"$scratch/$name"
    grind "$name" 0 "$scratch/$name"
done

# Several analyses of a circuit whose index numbers decide, not its topology.
cat >"$scratch/several.cir" <<'END'
several analyses of equations whose index numbers decide
V1 a 0 DC 1 AC 1 SIN(1 1 1k)
R1 a b 1k
D1 b 0 dm
F1 0 b V1 0.5
C1 a b 1n
.model dm d is=1e-14 cjo=2p
.op
.ac lin 2 1k 2k
.noise v(b) V1 lin 2 1k 2k
.pss 1k points=4
.tran 10u 1m
.fft v(b) np=16
.end
END
grind several 0 "$scratch/several.cir"

# Failures free what they hold, too.
for name in many-errors recursive-pair bomb syntax-in-expression missing-include v-loop i-cutset; do
    deck=$KNOTEN_SOURCE/tests/decks/bad/$name.cir
    status=$(sed -n 's/^\*! status //p' "$deck")
    grind "$name" "${status:-2}" "$deck"
done
finish
