# collections.sh - decks of the kind that other simulators are tested with, against ngspice; sourced, not run.
#
# They agree within 0.5 % of each waveform's range at common times.  They are written for this test after well-known
# circuits, in the many spellings that such decks have.  A deck says in its `*!` comments how it is compared: `step`, the
# largest step of ngspice, and `compare`, further arguments for compare_raw.  Where ngspice gives up at its tight
# tolerances, it gets looser ones.
. "$(dirname "$0")/common.sh"

[ -n "$ngspice" ] || skip "ngspice is not installed"

said_in()
{
    sed -n "s/^\*! $2 *//p" "$1"
}

run_ngspice()
{
    awk -v tmax="$(said_in "$1" step)" -v method=trap -f "$KNOTEN_SOURCE/tests/tools/tight_ngspice.awk" "$1" >"$scratch/tight.cir"
    sed 's/reltol=1e-7 vntol=1e-9 abstol=1e-13/reltol=1e-5 vntol=1e-8 abstol=1e-12/' "$scratch/tight.cir" >"$scratch/loose.cir"
    for deck in tight loose; do
        rm -f "$scratch/ngspice.raw"
        ngspice_run "$scratch/$deck.cir" "$scratch/ngspice.raw" >"$scratch/ngspice.out" || continue
        grep -qi 'timestep too small' "$scratch/ngspice.raw.log" || return 0
    done
    return 1
}

compare_deck()
{
    name=$(basename "$1" .cir)
    sed 's/^\.[eE][nN][dD] *$/.options vntol=1e-8 abstol=1e-12\n.end/' "$1" >"$scratch/$name.cir"
    "$KNOTEN" "$scratch/$name.cir" -o "$scratch/knoten.raw" --reltol 1e-6 --quiet >/dev/null 2>"$scratch/err" ||
        { fail "$name: exit status $?"; cat "$scratch/err"; return; }
    run_ngspice "$1" || { fail "$name: ngspice did not finish"; return; }
    eval "set -- $(said_in "$1" compare | sed 's/[()]/\\&/g')"
    "$tools/compare_raw" "$scratch/knoten.raw" "$scratch/ngspice.raw" --limit 0.5 "$@" >"$scratch/table" ||
        { fail "$name: differs from ngspice"; cat "$scratch/table"; }
}

compare_decks()
{
    for deck; do
        compare_deck "$deck"
    done
}
