#!/bin/sh
# bench/differential: random circuits of each family are right by auto; a planted error, a run that fails and an unknown family are found.
. "$KNOTEN_SOURCE/tests/system/common.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$scratch" || exit 1
differential() { python3 "$KNOTEN_SOURCE/bench/differential" "$@" >out 2>err; }

differential --knoten "$KNOTEN" --count 3 --seed 20 --keep kept || fail "random circuits are wrong: $(cat out err kept/*)"
[ "$(grep -c ' auto  *1e-3  *3 ' out)" -eq 10 ] || fail "not every family ran: $(cat out err)"

# A program whose runs by auto have a vector with other values than it should have, and one that fails.
cat >planted <<END
#!/bin/sh
"$KNOTEN" "\$@" || exit
case "\$*" in *'--method auto'*) awk -F, -v OFS=, 'NR > 1 { \$2 = 1.2 * \$2 + 1 } { print }' "\$3" >p && mv p "\$3" ;; esac
END
printf '#!/bin/sh\ncase "$*" in *"--method auto"*) exit 3 ;; esac\nexec "%s" "$@"\n' "$KNOTEN" >failing
chmod +x planted failing
differential --knoten ./planted --family coinciding --count 2 --keep wrong && fail "a planted error is not found"
grep -q '^coinciding .* 2  *2  *0  *0 ' out && [ "$(ls wrong | wc -l)" -eq 2 ] || fail "a planted error is not counted: $(cat out err)"
differential --knoten ./failing --family coinciding --count 2 && fail "a run that fails is not found"
grep -q '^coinciding .* 2  *0  *2  *0 ' out || fail "a run that fails is not counted: $(cat out err)"
differential --knoten "$KNOTEN" --show 0 wrong/*.cir || fail "decks that were kept are not run again: $(cat out err)"
differential --family mixed,odd && fail "an unknown family is taken"
grep -q 'no family odd' err || fail "an unknown family is not named: $(cat err)"
finish
