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
#ifndef DEVICES_SEMICONDUCTOR_DIODE_LAW_H
#define DEVICES_SEMICONDUCTOR_DIODE_LAW_H

#include "devices/semiconductor/junction.h"

/* Parameters of a card; Bv, Ikf, Tt and gradings at the temperature, all others at the nominal one. */
struct diode_card {
    double size, edge; /* area factor times m, and perimeter times m (m) */
    double is, n, jsw, ns, isr, nr, ikf;
    double bv, ibv, nbv, ibvl, nbvl; /* bv 0 or infinite: no breakdown */
    double cjo, vj, m, fc, cjsw, vjsw, mjsw, fcs;
    double jtun, jtunsw, ntun, xtitun, keg; /* tunnelling; jtun and jtunsw 0: none */
    double fixed;                           /* capacitance of metal and polysilicon above, m included */
    double ikr;                             /* reverse knee current; 0: none */
    double tt, eg, xti;
    double in_series;      /* of how many such junctions the voltage is that of all; 0: one */
    bool root_injection;   /* PSpice's */
    bool gap_moves;        /* saturation currents follow the gap of the thermal numbers instead of eg */
    bool depletion_is_hot; /* cjo, vj, cjsw and vjsw are at the temperature already */
};

/* What an evaluation needs of one junction; size and temperature are in it. */
struct diode_law {
    struct junction_law forward;
    struct junction_law sidewall;      /* saturation 0: none */
    struct junction_law recombination; /* likewise */
    double breakdown_voltage;          /* INFINITY: none */
    double breakdown_rate;             /* 1/(Nbv Vt) */
    double breakdown_offset;           /* Is e^(-Vb/(Nbv Vt)): makes the current vanish at 0 V */
    double low_breakdown;              /* Ibvl; 0: none */
    double low_voltage, low_rate;
    struct junction_law tunnel; /* at -v; saturation 0: none */
    double tunnel_critical;
    double inverse_knee;         /* 1/Ikf, 0: none */
    double inverse_reverse_knee; /* 1/Ikr, 0: none */
    bool root_injection;
    double transit_time;
    double fixed_capacitance;
    double critical_voltage;
    struct depletion depletion, side_depletion;
};

void diode_law_prepare(struct diode_law *law, const struct diode_card *card, const struct thermal *t);

double diode_current(const struct diode_law *law, double v, double *conductance);

/* Whether there is a charge at all; the charge of depletion and, with the current and its slope at v, of the transit. */
static inline bool diode_stores(const struct diode_law *law)
{
    return law->depletion.capacitance > 0 || law->side_depletion.capacitance > 0 || law->transit_time > 0 ||
           law->fixed_capacitance > 0;
}
double diode_charge(const struct diode_law *law, double v, double current, double conductance, double *capacitance);

/* Where Newton may evaluate the junction that is proposed v and was evaluated at `previous`: limits the forward junction
 * and, mirrored about the breakdown voltage, the reverse one. */
double diode_limit(const struct diode_law *law, double v, double previous);

#endif
