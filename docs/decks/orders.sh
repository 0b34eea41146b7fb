#!/bin/sh
# sh orders.sh METHOD: errors of order.cir at its end with a step that is halved three times, and the orders that follow.
for step in 37.5u 18.75u 9.375u 4.6875u; do
  knoten -q --method "$1" --step $step --format csv -o - order.cir | tail -n 1 | sed "s/^/$step,/"
done | awk -F, '
  # Exact values at t: v(b) of a first-order low-pass that is switched on, i(v1) = -C1 dV1/dt - (V1 - v(b)) / R2.
  { t = $2; w = 2 * 3.14159265358979 * 1000; s = 1e-4
    b = (sin(w * t) - w * s * cos(w * t) + w * s * exp(-t / s)) / (1 + w * w * s * s)
    i = -1e-6 * w * cos(w * t) - (sin(w * t) - b) / 100
    eb = $4 - b; ei = ($5 - i) / 6.28e-3; eb = eb < 0 ? -eb : eb; ei = ei < 0 ? -ei : ei
    printf "step %-8s v(b) off by %.1e", $1, eb; if (NR > 1) printf "  order %.1f", log(fb / eb) / log(2)
    printf "   i(v1) off by %.1e", ei; if (NR > 1) printf "  order %.1f", log(fi / ei) / log(2)
    print ""; fb = eb; fi = ei }'
