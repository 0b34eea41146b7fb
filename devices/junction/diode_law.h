/* diode_law.h - the junction of diodes and of body diodes: current and charge of one voltage.
 *
 *     id = if / (1 + sqrt(if / Ikf)) for if > 0 (high injection, as ngspice does it),
 *     if = Is (e^(v/(N Vt)) - 1) + Jsw Pj (e^(v/(Ns Vt)) - 1) + recombination (Isr, Nr) - breakdown,
 *     breakdown = Is (e^(-(v + Vb)/(Nbv Vt)) - e^(-Vb/(Nbv Vt))),
 *     q = Tt id + Qj(v) + Qsw(v) + Cfixed v, depletion charges of junction.h.
 * For id < 0 it is id / (1 + sqrt(-id / Ikr)).  Tunnelling joins the sum above the knees:
 *     (area Jtun + perimeter Jtunsw) (1 - e^(-v/(Ntun Vt))).
 * Saturation currents grow by e^((Eg(Tnom)/Vtnom - Eg(T)/Vt + Xti ln(T/Tnom)) / N), with Keg Eg, Xtitun and Ntun for
 * tunnelling; the gap is constant there, or moves as Varshni has it (gap_moves, tlev 2 of HSPICE and of ngspice from
 * version 40 on).
 * With PSpice's law of high injection, level 2, it is the factor sqrt(Ikf/(Ikf + i)) of the first term alone, and
 *     Ibvl (e^(-(v + Bv)/(Nbvl Vt)) - e^(-Bv/(Nbvl Vt)))
 * joins the breakdown.  SPICE joins the breakdown exponential to the reverse current at v = -Vb; the sum of both differs
 * from that by Is at most and is smooth.  Vb follows from Bv and Ibv by SPICE's condition, see breakdown_voltage; Ibv
 * grows with area and m like all currents.  Recombination counts in reverse too, where it is generation (ngspice drops it
 * below -3 N Vt); the reverse knee counts from 0 on, where ngspice lets it begin with a jump at -3 N Vt.
 * Sources: Antognetti and Massobrio, Semiconductor Device Modeling with SPICE, ch. 1; ngspice manual, ch. 7; PSpice
 * reference guide, diode equations.
 */
#ifndef DEVICES_JUNCTION_DIODE_LAW_H
#define DEVICES_JUNCTION_DIODE_LAW_H

#include "devices/junction/junction.h"

#define LAW(name)  name
#define LAW_NUMBER double
#include "devices/junction/diode_laws.h"
#undef LAW
#undef LAW_NUMBER

/* Where Newton may evaluate the junction that is proposed v and was evaluated at `previous`: limits the forward junction
 * and, mirrored about the breakdown voltage, the reverse one. */
double diode_limit(const struct diode_law *law, double v, double previous);

#endif
