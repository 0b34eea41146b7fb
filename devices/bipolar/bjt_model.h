/* bjt_model.h - the equations of Gummel and Poon as SPICE has them, for one transistor, free of nodes and matrices.
 *
 * All voltages and currents are those of an NPN; a PNP turns signs outside.  vbe, vbc are the internal junction
 * voltages.
 *
 *     if = Is (e^(vbe/(Nf Vt)) - 1)
 *     ir = Is (e^(vbc/(Nr Vt)) - 1)
 *     qb = q1 (1 + (1 + 4 q2)^Nk) / 2
 *     q1 = 1 / (1 - vbc/Vaf - vbe/Var)
 *     q2 = if/Ikf + ir/Ikr
 *     transport current from collector to emitter = (if - ir) / qb
 *     base-emitter current = if/Bf + Ise (e^(vbe/(Ne Vt)) - 1)
 *     base-collector current = ir/Br + Isc (e^(vbc/(Nc Vt)) - 1)
 *     base resistance = Rbm + (Rb - Rbm)/qb, or with Irb the crowding law
 *     Qbe = Tf if (1 + A)/qb + depletion,   A = Xtf (if/(if + Itf))^2 e^(vbc/(1.44 Vtf))
 *     Qbc = Tr ir + Xcjc depletion + Qo of bjt_epi.h; the rest of the collector's depletion charge starts from the
 *     outer base
 *
 * Sources: Gummel and Poon, Bell Syst. Tech. J. 49 (1970) 827; Getreu, Modeling the Bipolar Transistor, 1976; Nagel
 * 1975, app. A; Antognetti and Massobrio 1988, ch. 2.
 */
#ifndef DEVICES_SEMICONDUCTOR_BJT_MODEL_H
#define DEVICES_SEMICONDUCTOR_BJT_MODEL_H

#include "devices/bipolar/bjt_epi.h"
#include "devices/junction/junction.h"

/* The numbers of one transistor; area, multiplicity and temperature are in them.  Inverses are 0 for "infinite". */
struct bjt_law {
    struct junction_law forward, reverse;                        /* transport, Is */
    struct junction_law emitter_leak, collector_leak, substrate; /* saturation 0: none */
    double inverse_bf, inverse_br;
    double inverse_vaf, inverse_var;    /* 1/V */
    double inverse_ikf, inverse_ikr;    /* 1/A */
    double roll_off;                    /* Nk */
    double base_minimum, base_variable; /* Rbm, Rb - Rbm, ohm */
    double inverse_irb;                 /* 1/A; 0: base resistance follows qb */
    double tf, tr;                      /* s */
    double xtf, vtf_rate, itf;          /* factor; 1/(1.44 Vtf), 1/V; A */
    struct depletion emitter, collector, outer, to_substrate;
    double critical_emitter, critical_collector, critical_substrate; /* V */
    struct bjt_epi_law epi;
};

/* A quantity and its derivatives with respect to vbe and vbc. */
struct bjt_value {
    double value, be, bc;
};

struct bjt_currents {
    double forward, forward_g; /* if and d if / d vbe */
    double reverse, reverse_g;
    struct bjt_value qb;
    struct bjt_value transport;
    struct bjt_value late;      /* what comes late of if/qb, taken off the transport current (bjt_phase.h) */
    struct bjt_value emitter;   /* base-emitter junction; bc is 0 */
    struct bjt_value collector; /* base-collector junction; be is 0 */
    struct bjt_value base;      /* conductance of the base resistance, S; only when it varies */
};

/* Derivatives other than the junctions' own conductances are made only when asked for. */
void bjt_currents(const struct bjt_law *law, double vbe, double vbc, bool derivatives, struct bjt_currents *out);

/* Conductance of a base resistance that varies with the bias. */
void bjt_base_conductance(const struct bjt_law *law, bool derivatives, struct bjt_currents *io);

/* Charge between base and emitter, and between internal base and collector, from the currents at the same bias.  The
 * derivatives of qb must have been made when those of the charge are asked for. */
void bjt_emitter_charge(const struct bjt_law *law, double vbe, double vbc, const struct bjt_currents *at,
                        bool derivatives, struct bjt_value *out);
void bjt_collector_charge(const struct bjt_law *law, double vbc, const struct bjt_currents *at, struct bjt_value *out);

/* Base resistance relative to its low-current value under current crowding, at ib/Irb, and its derivative. */
double bjt_crowding(double relative_current, double *slope);

#endif
