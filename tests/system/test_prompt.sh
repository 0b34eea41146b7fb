#!/bin/sh
# knoten -i: commands one by one on standard input; errors do not end it, analyses can be held up and go on.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
cat >rc.cir <<'END'
rc
v1 in 0 dc 1 sin(0 1 1k)
r1 in out 1k
c1 out 0 1u
.tran 10u 5m
END

# talk STATUS [DECK]: commands on standard input; what is said goes to out and err.
talk()
{
    wanted=$1
    shift
    status=0
    timeout 30 "$KNOTEN" -i "$@" >out 2>err || status=$?
    [ "$status" -eq "$wanted" ] || { fail "exit status $status, expected $wanted"; cat err; touch failed; }
}

# says FILE TEXT..: lines of a file, in this order.
says()
{
    file=$1
    shift
    printf '%s\n' "$@" >wanted
    awk 'FILENAME == ARGV[1] { want[++n] = $0; next } index($0, want[at + 1]) { at++ }
         END { if (at < n) { print "    missing: " want[at + 1]; exit 1 } }' wanted "$file" ||
        { fail "$file: not what is expected"; sed 's/^/    /' "$file"; }
}

# The operating point is 1 V; i = (0 - 1) / R of a charged capacitor's source: 0.
printf 'op\nprint v(out)\nalter v1 dc = 3\nop;print v(out)\nsetplot\nquit\n' | talk 0 rc.cir
says out 'v(out) = 1.000000e+00' 'v(out) = 3.000000e+00' 'op2' 'op1' 'const'

# One number goes with vectors of any length, on either side.
printf 'run\nlet x = 2*v(in) - v(in)*2\nprint vecmax(x) length(x)-length(time)\n' | talk 0 rc.cir
says out 'vecmax(x) = 0.000000e+00' 'length(x)-length(time) = 0.000000e+00'

# What is wrong is said, and the next command obeyed; a script with an error is told so by its status.
printf 'prnt v(out)\nop\nprint v(nowhere)\nprint v(out)\n' | talk 1 rc.cir
says err "unknown command 'prnt'" "did you mean 'print'?" "there is no vector 'v(nowhere)'"
says out 'v(out) = 1.000000e+00'

# Blocks over several lines; variables and vectors stay.
printf 'set n = 2\nlet x = 5\nrepeat $n\nif x > 4\necho large\nend\nend\nforeach k a b\necho $k\nend\n' | talk 0
says out large large a b
printf 'repeat 2\necho x\n' | talk 1
says err "'end' is missing"

# An analysis that is held up: where the condition holds first, after rows, once each; then to its end.
cat >stops.txt <<'END'
stop when time > 2m when v(in) > 0.5
run
let held = time[length(time)-1]
let before = time[length(time)-2]
let y = v(in)[length(time)-1]
print held > 2m, before
if held > 2m & y > 0.5 & held < 2.2m
echo held as asked
end
let rows = length(time)
step 7
let more = length(time)-rows
print more
delete all
stop after 300
status
resume
print length(time)
resume
print time[length(time)-1]
END
sed -i '/^print held/d' stops.txt
talk 0 rc.cir <stops.txt
says out 'held as asked' 'more = 7.000000e+00' '2 stop after 300' 'length(time) = 3.000000e+02' '= 5.000000e-03'
says err 'stop 1: held up at time = 0.0020' 'step: held up' 'stop 2: held up'

# At a time, to the digit.
printf 'stop when time = 1.2345678m\nrun\nlet off = time[length(time)-1] - 1.2345678m\nif off = 0\necho exactly\nend\nresume\n' |
    talk 0 rc.cir
says out 'exactly'

# Values that change meanwhile count from there on: 1 - exp(-1 - 1/2 - 2) with 1, 2 and 0.5 kOhm for 1 ms each.
printf 'charging\nv1 in 0 1\nr1 in out 1k\nc1 out 0 1u ic=0\n.tran 1u 3m uic\n.measure tran last find v(out) at=3m\n.end\n' >charging.cir
cat >charging.txt <<'END'
stop when time = 1m
stop when time = 2m
run
alter r1 = 2k
resume
alter r1 = 500
resume
let off = abs(v(out)[length(time)-1] - 0.9698026)
if off < 2e-5
echo charged
end
setplot
END
talk 0 charging.cir <charging.txt
says out 'charged'
says err '.measure, .four, .fft and the times of .op give nothing'
! grep -q 'tran2' out || fail "another plot"

# What reading the deck has said is not said again by each analysis; devices show what the operating point has of them.
printf 'notes\nv1 a 0 5\nr1 a b 4k7\nd1 b 0 dm\n.model dm d(is=1e-14)\n.end\n' >notes.cir
printf 'op\nshow d1\nalter r1 = 1k\nop\ntran 1u 10u\n' | talk 0 notes.cir
[ "$(grep -c "note: '4k7'" err)" -eq 1 ] || fail "a note is told $(grep -c "note: '4k7'" err) times"
says out 'd1: b 0 dm' ' gd='

# The same numbers as without being held up.
printf 'run\nprint length(time)\nprint v(out)[length(time)-1]\n' | talk 0 rc.cir
cp out plain
printf 'stop after 50\nrun\nresume\nprint length(time)\nprint v(out)[length(time)-1]\n' | talk 0 rc.cir
cmp -s out plain || fail "other numbers after resume"
printf 'resume\n' | talk 1 rc.cir
says err 'no analysis is held up'

# Another analysis gives up the one that is held up; a plot that grows keeps its vectors.
printf 'stop after 20\nrun\nunlet v(out)\nlet v(out) = 1\nresume\ndelete\nop\nresume\n' | talk 1 rc.cir
says err 'has not ended' 'no analysis is held up'

# Circuits: source, setcirc, remcirc, line by line; without one what needs one is refused.
printf 'op\n' | talk 1
says err 'there is no circuit'
cat >two.txt <<'END'
source rc.cir
circbyline two
circbyline i1 0 a 2m
circbyline r1 a 0 1k
circbyline .end
op
print v(a)
alter r1 = 3k
setcirc 2
op
print v(out)
setcirc 1
op
print v(a)
remcirc
op
print v(out)
remcirc
op
END
talk 1 <two.txt
says out 'v(a) = 2.000000e+00' 'v(out) = 1.000000e+00' 'v(a) = 6.000000e+00' 'v(out) = 1.000000e+00'
says err 'op: there is no circuit'
[ "$(grep -c error: err)" -eq 1 ] || fail "one error expected"

# A deck that cannot be read; then another one.  Commands of a deck's block and of a file of commands.
printf 'bad\nr1 a\n.end\n' >bad.cir
printf 'source bad.cir\nsource rc.cir\nop\nprint v(out)\nsource nowhere.cir\n' | talk 1
says err 'bad.cir:2' "cannot read 'nowhere.cir'"
says out 'v(out) = 1.000000e+00'
printf '*ng_script\nop\nprint v(out)\n' >commands.txt
printf 'b\nv1 a 0 4\nr1 a 0 1\n.control\nop\nprint v(a)\n.endc\n.end\n' >block.cir
printf 'source commands.txt\nsource block.cir\nlisting\n' | talk 0 rc.cir
says out 'v(out) = 1.000000e+00' 'v(a) = 4.000000e+00' '1 : b'

# A deck's block chooses no folder; a person may write anywhere.
mkdir elsewhere
sed 's|^print v(a)|write elsewhere/deck.raw|' block.cir >writes.cir
printf 'source writes.cir\nop\nwrite elsewhere/mine.raw\n' | talk 0
says err "'elsewhere/deck.raw' is written as 'deck.raw' beside the result file"
[ ! -e elsewhere/deck.raw ] && [ -s deck.raw ] && [ -s elsewhere/mine.raw ] || fail "where files are written"

# Files and pictures in the terminal.
printf 'tran 10u 2m\nplot v(out)\nwrdata numbers v(out)\nwrite all.raw\nset x = 1\nhelp\nversion\n' | talk 0 rc.cir
says out 'v(out)' 'resume' "knoten $("$KNOTEN" --version | cut -d' ' -f2)"
[ -s numbers ] && grep -q 'No. Points' all.raw || fail "files"

# At a terminal the tabulator completes a word and the history has the line before, where libedit is there; it is loaded
# for that alone.
if command -v script >/dev/null && "$KNOTEN" doctor | grep -q '^libedit *found'; then
    { sleep 1; printf 'ech\tcompleted\n'; sleep 1; printf '\033[A\n'; sleep 1; printf 'quit\n'; } |
        HOME=$scratch TERM=vt100 timeout 30 script -qc "'$KNOTEN' -i rc.cir" /dev/null >out 2>err
    [ "$(tr -d '\r' <out | grep -c '^completed$')" -eq 2 ] || { fail "completion and history"; cat -v out; }
    ! ldd "$KNOTEN" 2>/dev/null | grep -q libedit || fail "libedit is loaded at every start"
fi

# Ctrl-C holds an analysis up and leaves the program running.
printf 'long\nv1 in 0 sin(0 1 1k)\nr1 in out 1k\nc1 out 0 1u\n.tran 1u 1000 0 1u\n.end\n' >long.cir
mkfifo typed
timeout 30 "$KNOTEN" -i long.cir <typed >out 2>err &
program=$!
exec 9>typed
printf 'run\n' >&9
sleep 1
knoten=$(pgrep -P "$program" | head -n 1)
kill -INT "${knoten:-$program}"
printf 'if time[length(time)-1] > 0\necho still here\nend\nquit\n' >&9
exec 9>&-
wait "$program" || { fail "interrupt: exit status $?"; cat err; }
says out 'still here'
says err interrupted

[ ! -e failed ] || fail "exit statuses, see above" # which were found in a pipe
finish
