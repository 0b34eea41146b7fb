#!/bin/sh
# Code models and logic give what ngspice's XSPICE gives of the same circuits, measured with small steps.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
[ -n "$ngspice" ] || skip "ngspice is not installed to compare with"
echo 'try
V1 a 0 1
A1 a b g
.model g gain
.op
.end' >try.cir
timeout 20 "$ngspice" -b try.cir 2>&1 | grep -qi "unable to find definition\|unknown.*model\|error" && skip "ngspice has no code models"

circuits=0

# compare NAME PART: the circuit on standard input; measurements that differ by more than this part of themselves, or by
# that part of a nanosecond or millivolt, are failures.
compare()
{
    { echo "$1"; cat; } >deck
    grep -v '^$' deck >k.cir
    echo .end >>k.cir
    timeout 60 "$KNOTEN" -q -o k.raw --measures k.json k.cir >out 2>err || { fail "$1: exit status $?"; cat err; return; }
    tr -d ' \n' <k.json | tr '{' '\n' | sed -n 's/.*"name":"\([^"]*\)","value":\([^,}]*\).*/\1 \2/p' | sort >k.txt
    timeout 60 "$ngspice" -b k.cir 2>/dev/null | awk '$2 == "=" && NF > 2 { print tolower($1), $3 }' | sort >n.txt
    count=$(grep -ci '^\.meas' k.cir)
    join k.txt n.txt >both.txt
    [ "$(wc -l <both.txt)" -eq "$count" ] || { fail "$1: $count measurements expected from both"; cat k.txt n.txt err; return; }
    awk -v part="$2" '{ d = $2 - $3; d = d < 0 ? -d : d; s = $3 < 0 ? -$3 : $3
        if (d > part * s && d > part * 1e-9 * (s < 1e-3) + part * 1e-3 * (s >= 1e-3)) { print; bad = 1 } } END { exit bad }' both.txt ||
        fail "$1: ngspice has other results"
    circuits=$((circuits + 1))
}

logic='
.model adc adc_bridge(in_low=0.5 in_high=0.5 rise_delay=1n fall_delay=1n)
.model dac dac_bridge(out_low=0 out_high=1 out_undef=0.5 t_rise=1n t_fall=1n)
.model inv d_inverter(rise_delay=2n fall_delay=3n)
.model nand d_nand(rise_delay=2n fall_delay=3n)
.model and d_and(rise_delay=2n fall_delay=3n)
.model xor d_xor(rise_delay=2n fall_delay=3n)
.model dff d_dff(clk_delay=2n ic=0 rise_delay=1n fall_delay=1n)
.model up d_pullup
.options reltol=1e-4
'

compare "functions of the inputs" 1e-3 <<END
V1 a 0 PWL(0 -3 10m 3)
V2 b 0 2
A1 a p pw
A2 [a b] m mm
A3 b a d dv
A4 a l lm
A5 a b c z cm
V3 c 0 -1
R1 p 0 1k
R2 m 0 1k
R3 d 0 1k
R4 l 0 1k
R5 z 0 1k
.model pw pwl(x_array=[-2 -1 1 2] y_array=[0 1 -1 3] input_domain=0.1 fraction=TRUE)
.model mm mult(in_offset=[1 2] in_gain=[2 3] out_gain=0.5 out_offset=1)
.model dv divide(den_lower_limit=0.1 den_domain=0.01)
.model lm limit(gain=2 in_offset=0.1 out_lower_limit=-1 out_upper_limit=2 limit_range=0.3 fraction=FALSE)
.model cm climit(gain=2 upper_delta=0.1 lower_delta=0.2 limit_range=0.1)
.tran 10u 10m 0 10u
.meas tran p1 FIND v(p) AT=3.4m
.meas tran p2 FIND v(p) AT=7.7m
.meas tran m1 FIND v(m) AT=2.2m
.meas tran d1 FIND v(d) AT=4.5m
.meas tran l1 FIND v(l) AT=4.1m
.meas tran z1 FIND v(z) AT=4.4m
END

compare "switches, a zener and a current limiter" 2e-3 <<END
V1 a 0 SIN(0 8 100)
R1 a z 100
A1 %gd(z 0) zn
A2 a %gd(s 0) sw
V2 v 0 10
R2 v s 10k
A3 a p n o il
V3 p 0 5
V4 n 0 -5
R3 o 0 100
.model zn zener(v_breakdown=4 i_breakdown=0.02 r_breakdown=1 i_rev=1e-6 i_sat=1e-12)
.model sw aswitch(cntl_off=-1 cntl_on=1 r_off=1e6 r_on=10 log=TRUE limit=true)
.model il ilimit(gain=2 r_out_source=10 r_out_sink=20 i_limit_source=10m i_limit_sink=20m)
.tran 5u 10m 0 5u
.meas tran z1 FIND v(z) AT=2.5m
.meas tran z2 FIND v(z) AT=7.5m
.meas tran s1 FIND v(s) AT=0.01m
.meas tran o1 MAX v(o)
.meas tran o2 MIN v(o)
.meas tran i1 MIN i(V3)
END

compare "hysteresis, slew rate and an integral" 3e-3 <<END
V1 a 0 SIN(0 2 100)
A1 a h hy
A2 sq s sr
V2 sq 0 PULSE(0 1 1m 1u 1u 3m 10m)
A3 a i in
R1 h 0 1k
R2 s 0 1k
R3 i 0 1k
.model hy hyst(in_low=-1 in_high=1 hyst=0.3 out_lower_limit=-2 out_upper_limit=3)
.model sr slew(rise_slope=1e3 fall_slope=500)
.model in int(gain=300 out_lower_limit=-5 out_upper_limit=5 out_ic=0.5)
.tran 5u 10m 0 5u
.meas tran h1 WHEN v(h)=1 CROSS=1
.meas tran h2 WHEN v(h)=1 CROSS=2
.meas tran s1 WHEN v(s)=0.5 CROSS=1
.meas tran s2 WHEN v(s)=0.5 CROSS=2
.meas tran i1 FIND v(i) AT=3m
.meas tran i2 FIND v(i) AT=8m
END

compare "oscillators of constant frequency" 5e-3 <<END
V1 c 0 0.5
A1 c s os
A2 c t ot
A3 c q oq
R1 s 0 1k
R2 t 0 1k
R3 q 0 1k
.model os sine(cntl_array=[0 1] freq_array=[1k 2k])
.model ot triangle(cntl_array=[0 1] freq_array=[1k 2k] duty_cycle=0.3)
.model oq square(cntl_array=[0 1] freq_array=[1k 2k] duty_cycle=0.3 rise_time=10u fall_time=20u)
.tran 0.5u 5m 0 0.5u
.meas tran s1 WHEN v(s)=0.5 RISE=5
.meas tran t1 WHEN v(t)=0.5 RISE=5
.meas tran t2 WHEN v(t)=0.5 FALL=5
.meas tran q1 WHEN v(q)=0.5 RISE=5
.meas tran q2 WHEN v(q)=0.5 FALL=5
END

compare "a winding on a core" 2e-3 <<END
V1 a 0 SIN(0 1 1k)
R1 a d 1
A1 %hd(d 0) %hd(m 0) coil
A2 %gd(m 0) iron
.model coil lcouple(num_turns=100)
.model iron core(h_array=[-1000 -500 -375 -250 250 375 500 1000] b_array=[-0.31 -0.25 -0.225 -0.2 0.2 0.225 0.25 0.31]
+ area=1e-4 length=0.1)
.options reltol=1e-4
.tran 1u 3m 0 0.1u
.meas tran i1 MAX i(V1) FROM=1m
.meas tran i2 FIND i(V1) AT=2.3m
END

compare "a ring of gates that is let go" 2e-3 <<END
V1 e 0 PULSE(0 1 10n 1n 1n 1 2)
abr [e] [de] adc
a1 [de r3] r1 nand
a2 r1 r2 inv
a3 r2 r3 inv
a4 [r3] [o] dac
R1 o 0 1k
$logic
.tran 0.05n 200n 0 0.05n
.meas tran t1 WHEN v(o)=0.5 RISE=2
.meas tran t2 WHEN v(o)=0.5 RISE=9
END

compare "a ripple counter" 2e-3 <<END
V1 c 0 PULSE(0 1 10n 1n 1n 9n 20n)
abr [c] [dc] adc
a1 n1 dc null null q1 n1 dff
a2 n2 n1 null null q2 n2 dff
a3 n3 n2 null null q3 n3 dff
a4 [q1 q2 q3] [o1 o2 o3] dac
R1 o1 0 1k
R2 o2 0 1k
R3 o3 0 1k
$logic
.tran 0.05n 400n 0 0.05n
.meas tran t1 WHEN v(o1)=0.5 RISE=4
.meas tran t2 WHEN v(o2)=0.5 RISE=3
.meas tran t3 WHEN v(o3)=0.5 FALL=2
END

compare "a ring counter" 2e-3 <<END
V1 c 0 PULSE(0 1 10n 1n 1n 9n 20n)
V2 s 0 PULSE(1 0 5n 1n 1n 1 2)
abr [c s] [dc ds] adc
a1 q3 dc ds null q1 n1 dff
a2 q1 dc null ds q2 n2 dff
a3 q2 dc null ds q3 n3 dff
a4 [q1 q2 q3] [o1 o2 o3] dac
R1 o1 0 1k
R2 o2 0 1k
R3 o3 0 1k
$logic
.tran 0.05n 300n 0 0.05n
.meas tran t1 WHEN v(o1)=0.5 RISE=2
.meas tran t2 WHEN v(o2)=0.5 RISE=2
.meas tran t3 WHEN v(o3)=0.5 FALL=3
END

compare "a phase and frequency detector with a filter" 5e-3 <<END
V1 a 0 PULSE(0 1 10n 1n 1n 24n 50n)
V2 b 0 PULSE(0 1 18n 1n 1n 24n 52n)
abr [a b] [da db] adc
a1 one da null r u nu dff
a2 one db null r d nd dff
a3 [u d] r and
a4 one up
a5 [u d] [ou od] dac
R1 ou f 1k
R2 od g 1k
C1 f 0 20p
C2 g 0 20p
$logic
.tran 0.05n 600n 0 0.05n
.meas tran u1 AVG v(ou) FROM=0 TO=600n
.meas tran t1 WHEN v(ou)=0.5 RISE=5
.meas tran t2 WHEN v(ou)=0.5 FALL=5
.meas tran f1 MAX v(f)
END

compare "a voltage that comes back through a bridge" 3e-3 <<END
V1 a 0 PULSE(0 1 10n 1n 1n 99n 200n)
abr [a x] [da dx] adc
a1 [da dx] q xor
a2 [da] [y] dac
R1 y x 1k
C1 x 0 10p
a3 [q] [o] dac
R2 o 0 1k
$logic
.tran 0.05n 400n 0 0.05n
.meas tran t1 WHEN v(o)=0.5 RISE=1
.meas tran t2 WHEN v(o)=0.5 FALL=1
.meas tran t3 WHEN v(o)=0.5 RISE=2
.meas tran t4 WHEN v(o)=0.5 FALL=2
END

compare "a relaxation oscillator with a latch for a trigger" 5e-3 <<END
abr [x] [above1] lo
ahr [x] [above4] hi
a1 above1 below inv
a2 one zero zero below above4 q nq ff
a3 one up
a4 zero down
a5 [q] [y] dac5
R1 y x 1k
C1 x 0 1n ic=0
.model lo adc_bridge(in_low=1 in_high=1 rise_delay=1n fall_delay=1n)
.model hi adc_bridge(in_low=4 in_high=4 rise_delay=1n fall_delay=1n)
.model dac5 dac_bridge(out_low=0 out_high=5 out_undef=2.5 t_rise=1n t_fall=1n)
.model ff d_jkff(set_delay=1n reset_delay=1n ic=1)
.model down d_pulldown
$logic
.tran 1n 20u 0 1n uic
.meas tran p TRIG v(y) VAL=2.5 RISE=2 TARG v(y) VAL=2.5 RISE=5
END

compare "two drivers of one bus and open collectors" 3e-3 <<END
V1 a 0 PULSE(0 1 10n 1n 1n 19n 40n)
V2 b 0 PULSE(0 1 20n 1n 1n 39n 80n)
abr [a b] [da db] adc
a1 da db bus tri
a2 ~da ~db bus tri
a3 da w oc
a4 db w oc
a5 w up
a6 bus bb inv
a7 w ww inv
a8 [bb ww] [o p] dac
R1 o 0 1k
R2 p 0 1k
.model tri d_tristate(delay=2n)
.model oc d_open_c(open_delay=2n fall_delay=1n)
$logic
.tran 0.05n 200n 0 0.05n
.meas tran t1 WHEN v(p)=0.5 RISE=1
.meas tran t2 WHEN v(p)=0.5 FALL=1
.meas tran t3 WHEN v(p)=0.5 RISE=2
END

echo "$circuits circuits"
finish
