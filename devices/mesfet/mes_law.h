/* mes_law.h - MESFETs and heterostructure transistors of gallium arsenide in the manner of AIM-Spice, for one n-channel
 * transistor of three voltages, free of nodes.
 *
 * (K. Lee, M. Shur, T. A. Fjeldly and T. Ytterdal, Semiconductor Device Modeling for VLSI, Prentice Hall 1993, ch. 4;
 * T. A. Fjeldly, T. Ytterdal and M. Shur, Introduction to Device Modeling and Circuit Simulation, Wiley 1998, ch. 5; the
 * programs of these authors as ngspice has them, its devices mesa, hfet1 and hfet2.)  For vds >= 0:
 *
 *     vgt  = vgs - vto + sigma vds,   sigma = sigma0/(1 + exp((vgs - vto - vsigmat)/vsigma))
 *     vgte = s (2 + u + sqrt(delta^2 + u^2)),   u = vgt/(2 s) - 1,   s = Vt, at levels 2 and 3 Vt/2
 *     x    = vgt/(eta Vt)
 *     gchi = q W/L mu ns,   gch = gchi/(1 + gchi (rsi + rdi)),   vsate = isat/gch
 *     i    = isat (1 + lambda vds) K(vds/vsate, m),   K(r, m) = r/(1 + r^m)^(1/m)
 *
 * Level 2, uniform doping, with e = n0 exp(x), n0 = eps eta Vt/(q d), vpo = q nd d^2/(2 eps), mu + theta vgt for mu:
 *     1/ns = 1/(nd d (1 - sqrt(1 - vgte/vpo))) + 1/e
 *     1/isat = 1/isata + 1/isatb,   isatb = q e Vt W/L mu
 *     isata = a vgte/((1 + a rsi + sqrt(1 + 2 a rsi)) (1 + tc vgte)),   a = 2 beta vgte
 *     beta = 2 eps vs zeta W/(d (vpo + 3 vs L/mu));   m + alpha vgte for m
 *     C = W L eps/d / (sqrt(1 - vgt/vpo) + exp(-x))
 * Level 3, delta doping: nsa, whose depth has the doping ndu up to du and ndelta from there on over th, for the first
 *     term, beta from the card, isatb without mu, and C = W L/(1/ca + 1/cb), ca = eps over the depth, cb = eps/(du + th) e^x
 * Level 4 and HFETs, n0 = eps eta Vt/(2 q d):
 *     nsm = 2 n0 ln(1 + e^x/2), with eta2 and d2 in parallel to n02 exp((vgs - vt2 + sigma vds)/(eta2 Vt))
 *     ns = nmax K(nsm/nmax, gamma),   isat = imax K(isatm/imax, gamma),   imax = q nmax vs W
 *     isatm = g vgte/(1 + g rsi + sqrt(1 + 2 g rsi + (vgte mu/(vs L))^2)),   g = q W/L mu nsm
 *     C = W L q dns/dvgs, cas and cbs times as large in strong and weak inversion;  HFETs have
 *     W L/(d1/eps + eta1 Vt exp(-(vgs - vt1)/(eta1 Vt))) besides, of the second layer
 * Capacitances of the gate, k = K(vds/vsate, mc):
 *     cgs = cf + 4/3 C/(1 + P) (1 - ((1 - k)/(2 - k))^2),   cgd = cf + 4/3 C P/(1 + P) (1 - 1/(2 - k)^2)
 *     P = p + (1 - p) exp(-vds/vsate); 1 in MESFETs
 * They are no derivatives of a charge, so that none is made of them: the displacement currents are cgs d(vgs)/dt and
 * cgd d(vgd)/dt, as the authors have it.
 *
 * Where it is not what ngspice computes: drain and source change places for vds < 0 (ngspice forgets the gate's voltage
 * against the new source in HFETs, and in MESFETs that others are not reversed); one variable decides between the layers of
 * level 3; the depletion layer below C is never thinner than a tenth of d or du, where ngspice's C is as large as exp(x)
 * beyond vpo; rsi has its temperature everywhere.
 */
#ifndef DEVICES_MESFET_MES_LAW_H
#define DEVICES_MESFET_MES_LAW_H

#include "devices/mesfet/mes_value.h"
#include "devices/junction/junction.h"

#include <stdbool.h>

enum mes_kind { MES_UNIFORM /* level 2 */, MES_DELTA /* 3 */, MES_SHEET /* 4, HFETs */ };

/* Of one transistor at its temperature, without m. */
struct mes_channel {
    enum mes_kind kind;
    bool hfet;
    double threshold;                     /* vto, V */
    double dibl, dibl_at, dibl_width;     /* sigma0, vsigmat, vsigma */
    double thermal, smooth, ideality;     /* Vt, s, eta Vt; V */
    double transition;                    /* delta */
    double length, width;                 /* m */
    double mobility, mobility_by_gate;    /* m^2/Vs; theta, m^2/V^2s */
    double velocity;                      /* m/s */
    double source, series;                /* rsi, rsi + rdi; ohm */
    double lambda;                        /* 1/V */
    double knee, knee_by_gate, knee_c;    /* m, alpha, mc */
    double permittivity, depth;           /* F/m; d or du, m */
    double fringe;                        /* cf, F */
    double carriers;                      /* n0, 1/m^2 */
    double compression;                   /* tc, 1/V */
    double gain;                          /* levels 2 and 3: beta (vpo + 3 vs L/mu), AV/V^2; beta, A/V^2 */
    double doping, full;                  /* levels 2 and 3: nd or ndu, 1/m^3; vpo, V */
    double layer_doping, layer, at_layer; /* level 3: ndelta, th (m), and the vgte at which it begins to fill, V */
    double most, gamma;                   /* nmax, 1/m^2 */
    double strong, weak;                  /* cas, cbs */
    double second_carriers, second_slope, second_at; /* HFETs with eta2 and d2: n02, eta2 Vt, vt2; else 0 */
    double outer_slope, outer_depth, outer_at;       /* HFETs: eta1 Vt (V), d1 (m), vt1 (V) */
    double share;                                    /* p */
};

struct mes_channel_point {
    struct mes_value current;               /* drain to source, A */
    struct mes_value at_source, at_drain;   /* cgs, cgd; F */
    struct mes_value effective, saturation; /* vgte, vsate; V */
    struct mes_value dispersed;             /* slopes that lambda adds for small signals, for a lambda of 1/V */
};

/* For vds >= 0. */
void mes_channel_at(const struct mes_channel *c, double vgs, double vds, struct mes_channel_point *out);

/* ---- the gate ---- */

/* v = r i + v1 ln(1 + i/i1) + v2 ln(1 + i/i2): a Schottky diode, a heterojunction and a resistance in series. */
struct mes_leak {
    double resistance, current[2], voltage[2]; /* ohm, A, V; a current of 0: none of it */
};
double mes_leak_current(const struct mes_leak *leak, double v, double *slope);

enum mes_end { MES_SOURCE_END, MES_DRAIN_END, MES_ENDS };

/* Junctions of the gate: i = is (e^(v/(n Vt)) - 1), or the series above, and g v e^(-v del/Vt). */
struct mes_gate {
    struct junction_law junction[MES_ENDS];
    struct mes_leak leak[MES_ENDS];
    double reverse, reverse_rate[MES_ENDS]; /* g, S; del/Vt, 1/V */
};

/* Of HFETs with gatemod: electrons hot at the drain, v = min(vds, vmax) and td = T + talpha v^2/.. (Lee et al. 1993, ch. 4.7),
 *     igd = is(td) exp((vgs - v)/(m2d Vtd)) - is(T),   is(T) = A T^2 exp(-phib/(k T)),  igs = is(T) (exp(vgs/(m2s Vt)) - 1)
 * and what these add to the channel's current, a1 ((1 + a2 vgte v') igd - igs). */
struct mes_hot_gate {
    bool there;
    double richardson, kelvin, barrier;                             /* A/K^2, K; phib/k, K */
    double ideality[MES_ENDS];                                      /* m2s, m2d */
    double knee_by, knee, most_by, most;                            /* ck1, ck2, cm1, cm2 */
    double rise, knee_shape, most_shape;                            /* talpha, mt1, mt2 */
    double to_channel, to_channel_by, correction, correction_shape; /* a1, a2, cm3, mv1 */
};

/* Traps make the output conductance depend on the frequency of small signals:
 *     d(slopes) = amount/2 (1 + tanh((f - at)/width)) times `dispersed`
 * which in MESFETs is that of lambda, as the authors have it, in HFETs the conductance itself. */
struct mes_dispersion {
    double amount, at, width; /* lambdahf - lambda (1/V), or kappa; Hz, a width of 0: none */
};

struct mes_law {
    struct mes_channel channel;
    struct mes_gate gate;
    struct mes_hot_gate hot;
    double correction;    /* ag: what of igs - igd the channel's current is less */
    double side, side_at; /* ks and vsg: the threshold rises by ks (v(source) - vsg) */
    double drain_source;  /* cds, F */
    double unit;          /* a capacitance of its size, F */
    struct mes_dispersion dispersion;
};

/* Voltages of either sign; the channel sees the gate at gs - lift, because of sidegating. */
struct mes_bias {
    double gs, ds, lift;
};

struct mes_point {
    struct mes_value channel;               /* drain to source, A */
    struct mes_value gate[MES_ENDS];        /* gate to the end, A */
    struct mes_value capacitance[MES_ENDS]; /* F */
    struct mes_value dispersed;             /* see struct mes_dispersion */
    double saturation;                      /* V */
};
void mes_evaluate(const struct mes_law *law, struct mes_bias v, struct mes_point *out);

#endif
