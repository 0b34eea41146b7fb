/* vbic_law.c - currents and charges of a VBIC transistor; equations in vbic.h. */
#include "devices/vbic/vbic.h"

#include <string.h>

typedef struct vbic_value value;

/* A transistor at a point: what all of its currents are made of. */
struct state {
    const double *card;
    double hrcf;
    const struct vbic_value *warm;
    value v[VBIC_VARIABLES];
    value depletion_be, depletion_bc; /* V: charges for 1 F */
    value width, base_charge;         /* q1, qb */
    value forward, reverse;           /* A, of the transport current before qb divides it */
    value parasitic_forward, parasitic_charge;
    value epitaxial[2]; /* Kbci, Kbcx */
};

static double inverse(double x)
{
    return x > 0 ? 1 / x : 0;
}

static bool is_zero(value a)
{
    return a.value == 0;
}

/* ---- junctions ---- */

/* exp(v/(n vt)) */
static value boltzmann(const struct state *s, value v, value n)
{
    return vbic_exp(vbic_divide(v, vbic_multiply(n, s->warm[VBIC_VT])));
}

/* is (exp(v/(n vt)) - 1) */
static value junction(const struct state *s, enum vbic_warm current, value v, value n)
{
    const value is = s->warm[current];
    return is_zero(is) ? is : vbic_multiply(is, vbic_line(1, boltzmann(s, v, n), -1));
}

struct depletion_law {
    value potential;
    double grading, limit, smooth, through, through_smooth; /* m, fc, a, vrt, art */
};

/* p (1 - v/p)^(1 - m)/(1 - m) */
static value power_law(const struct depletion_law *d, value v)
{
    const value base = vbic_line(-1, vbic_divide(v, d->potential), 1);
    return vbic_line(1 / (1 - d->grading), vbic_multiply(d->potential, vbic_power(base, 1 - d->grading)), 0);
}

static value zero_of(const struct depletion_law *d)
{
    return vbic_line(1 / (1 - d->grading), d->potential, 0);
}

/* SPICE's: a power up to fc p, a parabola above; a straight line below -vrt. */
static value sharp_charge(const struct depletion_law *d, value v)
{
    const value edge = vbic_line(d->limit, d->potential, 0), above = vbic_subtract(v, edge);
    if (above.value > 0) {
        const double left = 1 - d->limit;
        const value bend = vbic_line(0.5 * d->grading, vbic_divide(above, d->potential), left);
        return vbic_add(vbic_line(1 - pow(left, 1 - d->grading), zero_of(d), 0),
                        vbic_line(pow(left, -1 - d->grading), vbic_multiply(above, bend), 0));
    }
    if (d->through > 0 && v.value < -d->through) {
        const value at = vbic_line(1, d->potential, d->through);
        const value line = vbic_line(d->grading - 1, vbic_divide(vbic_line(1, v, d->through), at), 1);
        const value there = power_law(d, vbic_constant(-d->through));
        return vbic_subtract(zero_of(d), vbic_multiply(there, line));
    }
    return vbic_subtract(zero_of(d), power_law(d, v));
}

/* The voltage as far as the power law follows it, without reach-through: up to fc p. */
static value followed(const struct depletion_law *d, value v)
{
    const value edge = vbic_line(d->limit, d->potential, 0), over = vbic_subtract(v, edge);
    const value size = vbic_smooth_size(over, 4 * d->smooth * d->smooth);
    return vbic_add(vbic_line(0.5, vbic_subtract(over, size), 0), edge);
}

static value smooth_charge(const struct depletion_law *d, value v)
{
    const value at_rest = followed(d, vbic_constant(0)), at = followed(d, v);
    const value rest = vbic_add(vbic_subtract(v, at), at_rest);
    return vbic_add(vbic_subtract(power_law(d, at_rest), power_law(d, at)),
                    vbic_line(pow(1 - d->limit, -d->grading), rest, 0));
}

/* With reach-through at -vrt: from -1 there to 1 at fc p. */
static value selected(const struct depletion_law *d, value v, value *followed_voltage)
{
    const value edge = vbic_line(-d->limit, d->potential, 0);
    const value span = vbic_line(-1, edge, d->through), sum = vbic_line(1, edge, d->through);
    const value n = vbic_divide(vbic_add(vbic_line(2, v, 0), sum), span);
    const value high = vbic_smooth_size(vbic_line(1, n, -1), 4 * d->smooth * d->smooth);
    const value low = vbic_smooth_size(vbic_line(1, n, 1), 4 * d->through_smooth * d->through_smooth);
    const value limited = vbic_divide(vbic_line(2, n, 0), vbic_add(high, low));
    *followed_voltage = vbic_line(0.5, vbic_subtract(vbic_multiply(limited, span), sum), 0);
    return vbic_line(0.5, limited, 0.5);
}

static value through_charge(const struct depletion_law *d, value v)
{
    value at_rest, at;
    selected(d, vbic_constant(0), &at_rest);
    const value part = selected(d, v, &at);
    const value through = vbic_line(1, vbic_divide(vbic_constant(d->through), d->potential), 1);
    const value low = vbic_power(through, -d->grading);
    const value high = vbic_constant(pow(1 - d->limit, -d->grading));
    const value slope = vbic_add(low, vbic_multiply(part, vbic_subtract(high, low)));
    const value rest = vbic_add(vbic_subtract(v, at), at_rest);
    return vbic_add(vbic_multiply(rest, slope), vbic_subtract(power_law(d, at_rest), power_law(d, at)));
}

static value depletion(const struct depletion_law *d, value v)
{
    if (d->smooth <= 0)
        return sharp_charge(d, v);
    return d->through > 0 && d->through_smooth > 0 ? through_charge(d, v) : smooth_charge(d, v);
}

static value emitter_charge(const struct state *s, value v)
{
    const double *c = s->card;
    const struct depletion_law d = {s->warm[VBIC_PE], c[VBIC_CARD_ME], c[VBIC_CARD_FC], c[VBIC_CARD_AJE], 0, 0};
    return depletion(&d, v);
}

static value collector_charge(const struct state *s, value v)
{
    const double *c = s->card;
    const struct depletion_law d = {s->warm[VBIC_PC], c[VBIC_CARD_MC],  c[VBIC_CARD_FC],
                                    c[VBIC_CARD_AJC], c[VBIC_CARD_VRT], c[VBIC_CARD_ART]};
    return depletion(&d, v);
}

static value substrate_charge(const struct state *s, value v)
{
    const double *c = s->card;
    const struct depletion_law d = {s->warm[VBIC_PS], c[VBIC_CARD_MS], c[VBIC_CARD_FC], c[VBIC_CARD_AJS], 0, 0};
    return depletion(&d, v);
}

/* ---- the base charge ---- */

static void find_base_charge(struct state *s)
{
    const double *c = s->card, small = 1e-4, exponent = c[VBIC_CARD_NKF];
    value w = vbic_add(vbic_line(inverse(c[VBIC_CARD_VER]), s->depletion_be, 1 - small),
                       vbic_line(inverse(c[VBIC_CARD_VEF]), s->depletion_bc, 0));
    w = vbic_line(0.5, vbic_add(w, vbic_smooth_size(w, small * small)), small);
    value injected = vbic_line(inverse(c[VBIC_CARD_IKR]), s->reverse, 0);
    if (s->warm[VBIC_IKF].value > 0)
        injected = vbic_add(injected, vbic_divide(s->forward, s->warm[VBIC_IKF]));
    s->width = w;
    if (c[VBIC_CARD_QBM] < 0.5) {
        const value under = vbic_add(vbic_power(w, 1 / exponent), vbic_line(4, injected, 0));
        s->base_charge = vbic_line(0.5, vbic_add(w, vbic_power(under, exponent)), 0);
    } else {
        const value under = vbic_power(vbic_line(4, injected, 1), exponent);
        s->base_charge = vbic_line(0.5, vbic_multiply(w, vbic_line(1, under, 1)), 0);
    }
}

/* ---- currents ---- */

static value base_emitter(const struct state *s, value v)
{
    const double *c = s->card;
    value i = vbic_add(junction(s, VBIC_IBEI, v, vbic_constant(c[VBIC_CARD_NEI])),
                       junction(s, VBIC_IBEN, v, vbic_constant(c[VBIC_CARD_NEN])));
    if (s->warm[VBIC_VBBE].value > 0) {
        const value reverse = vbic_line(-1, vbic_add(s->warm[VBIC_VBBE], v), 0);
        const value e = boltzmann(s, reverse, s->warm[VBIC_NBBE]);
        i = vbic_subtract(i, vbic_line(c[VBIC_CARD_IBBE], vbic_subtract(e, s->warm[VBIC_EBBE]), 0));
    }
    return i;
}

/* How much of the current that crosses the collector junction the avalanche adds. */
static value avalanche(const struct state *s)
{
    const double *c = s->card;
    if (!(c[VBIC_CARD_AVC1] > 0))
        return vbic_constant(0);
    value v = vbic_subtract(s->warm[VBIC_PC], s->v[VBIC_BCI]);
    v = vbic_line(0.5, vbic_add(v, vbic_smooth_size(v, 0.01)), 0);
    const value exponent = vbic_multiply(s->warm[VBIC_AVC2], vbic_power(v, c[VBIC_CARD_MC] - 1));
    return vbic_line(c[VBIC_CARD_AVC1], vbic_multiply(v, vbic_exp(vbic_line(-1, exponent, 0))), 0);
}

static void find_transport(struct state *s, value *i)
{
    const double *c = s->card;
    const value collected = vbic_add(junction(s, VBIC_IBCI, s->v[VBIC_BCI], vbic_constant(c[VBIC_CARD_NCI])),
                                     junction(s, VBIC_IBCN, s->v[VBIC_BCI], vbic_constant(c[VBIC_CARD_NCN])));
    i[VBIC_ITF] = vbic_divide(s->forward, s->base_charge);
    i[VBIC_ITR] = vbic_divide(s->reverse, s->base_charge);
    const value crossing = vbic_subtract(vbic_subtract(i[VBIC_ITF], i[VBIC_ITR]), collected);
    i[VBIC_IBC] = vbic_subtract(collected, vbic_multiply(crossing, avalanche(s)));
}

static void find_base(const struct state *s, value *i)
{
    const double inner = s->card[VBIC_CARD_WBE];
    i[VBIC_IBE] = inner > 0 ? vbic_line(inner, base_emitter(s, s->v[VBIC_BEI]), 0) : vbic_constant(0);
    i[VBIC_IBEX] = inner < 1 ? vbic_line(1 - inner, base_emitter(s, s->v[VBIC_BEX]), 0) : vbic_constant(0);
}

static void find_parasitic(struct state *s, value *i)
{
    const double *c = s->card;
    const value n = vbic_constant(c[VBIC_CARD_NFP]);
    const value nci = vbic_constant(c[VBIC_CARD_NCI]), ncn = vbic_constant(c[VBIC_CARD_NCN]);
    s->parasitic_forward = i[VBIC_ICCP] = vbic_constant(0);
    s->parasitic_charge = vbic_constant(1);
    if (!is_zero(s->warm[VBIC_ISP])) {
        const value outer = vbic_line(c[VBIC_CARD_WSP], boltzmann(s, s->v[VBIC_BEP], n), -1);
        const value inner = vbic_line(1 - c[VBIC_CARD_WSP], boltzmann(s, s->v[VBIC_BCI], n), 0);
        s->parasitic_forward = vbic_multiply(s->warm[VBIC_ISP], vbic_add(outer, inner));
        const value under = vbic_line(4 * inverse(c[VBIC_CARD_IKP]), s->parasitic_forward, 1);
        s->parasitic_charge = vbic_line(0.5, vbic_root(under), 0.5);
        const value back = junction(s, VBIC_ISP, s->v[VBIC_BCP], n);
        i[VBIC_ICCP] = vbic_divide(vbic_subtract(s->parasitic_forward, back), s->parasitic_charge);
    }
    i[VBIC_IBEP] = vbic_add(junction(s, VBIC_IBEIP, s->v[VBIC_BEP], nci), junction(s, VBIC_IBENP, s->v[VBIC_BEP], ncn));
    i[VBIC_IBCP] = vbic_add(junction(s, VBIC_IBCIP, s->v[VBIC_BCP], vbic_constant(c[VBIC_CARD_NCIP])),
                            junction(s, VBIC_IBCNP, s->v[VBIC_BCP], vbic_constant(c[VBIC_CARD_NCNP])));
}

/* The epitaxial layer of Kull and others (1985), with the drift velocity limited. */
static value collector_resistor(const struct state *s)
{
    const value rci = s->warm[VBIC_RCI], vt = s->warm[VBIC_VT];
    const value across = vbic_subtract(s->v[VBIC_BCI], s->v[VBIC_BCX]);
    const value *k = s->epitaxial;
    if (is_zero(rci))
        return vbic_constant(0);
    const value ratio = vbic_divide(vbic_line(1, k[0], 1), vbic_line(1, k[1], 1));
    const value bend = vbic_subtract(vbic_subtract(k[0], k[1]), vbic_log(ratio));
    const value drop = vbic_add(across, vbic_multiply(vt, bend)), ohmic = vbic_divide(drop, rci);
    if (is_zero(s->warm[VBIC_VO]))
        return ohmic;
    const value size = vbic_smooth_size(across, 0.01);
    const value soft = vbic_line(0.5 * inverse(s->hrcf), vbic_divide(size, s->warm[VBIC_VO]), 1);
    const value fast = vbic_divide(vbic_divide(drop, s->warm[VBIC_VO]), soft);
    return vbic_divide(ohmic, vbic_root(vbic_line(1, vbic_multiply(fast, fast), 1)));
}

/* ---- charges ---- */

static value transit_time(const struct state *s)
{
    const double *c = s->card;
    const value base = vbic_line(c[VBIC_CARD_TF] * c[VBIC_CARD_QTF], s->width, c[VBIC_CARD_TF]);
    if (c[VBIC_CARD_XTF] == 0 || s->forward.value <= 0)
        return base;
    value part = vbic_constant(1);
    if (c[VBIC_CARD_ITF] > 0) {
        const value over = vbic_line(1, s->forward, c[VBIC_CARD_ITF]);
        part = vbic_divide(s->forward, over);
        part = vbic_multiply(part, part);
    }
    const value far = vbic_exp(vbic_line(inverse(c[VBIC_CARD_VTF]) / 1.44, s->v[VBIC_BCI], 0));
    return vbic_multiply(base, vbic_line(c[VBIC_CARD_XTF], vbic_multiply(far, part), 1));
}

static void find_charges(const struct state *s, value *q)
{
    const double *c = s->card, inner = c[VBIC_CARD_WBE];
    const value *w = s->warm;
    const value moving = vbic_multiply(transit_time(s), vbic_divide(s->forward, s->base_charge));
    q[VBIC_QBE] = vbic_add(vbic_line(inner, vbic_multiply(w[VBIC_CJE], s->depletion_be), 0), moving);
    q[VBIC_QBEX] = inner < 1 ? vbic_line(1 - inner, vbic_multiply(w[VBIC_CJE], emitter_charge(s, s->v[VBIC_BEX])), 0)
                             : vbic_constant(0);
    q[VBIC_QBC] = vbic_add(vbic_multiply(w[VBIC_CJC], s->depletion_bc), vbic_line(c[VBIC_CARD_TR], s->reverse, 0));
    q[VBIC_QBC] = vbic_add(q[VBIC_QBC], vbic_line(c[VBIC_CARD_QCO], s->epitaxial[0], 0));
    q[VBIC_QBCX] = vbic_line(c[VBIC_CARD_QCO], s->epitaxial[1], 0);
    q[VBIC_QBEP] = vbic_line(c[VBIC_CARD_TR], s->parasitic_forward, 0);
    if (!is_zero(w[VBIC_CJEP]))
        q[VBIC_QBEP] = vbic_add(q[VBIC_QBEP], vbic_multiply(w[VBIC_CJEP], collector_charge(s, s->v[VBIC_BEP])));
    q[VBIC_QBCP] = vbic_line(c[VBIC_CARD_CCSO], s->v[VBIC_BCP], 0);
    if (!is_zero(w[VBIC_CJCP]))
        q[VBIC_QBCP] = vbic_add(q[VBIC_QBCP], vbic_multiply(w[VBIC_CJCP], substrate_charge(s, s->v[VBIC_BCP])));
}

/* ---- the whole ---- */

/* sqrt(1 + gamm exp(v/vt)) */
static value epitaxial(const struct state *s, value v)
{
    const value gamm = s->warm[VBIC_GAMM];
    if (is_zero(gamm))
        return vbic_constant(1);
    return vbic_root(vbic_line(1, vbic_multiply(gamm, vbic_exp(vbic_divide(v, s->warm[VBIC_VT]))), 1));
}

static value conductance(value current_factor, value resistance)
{
    return is_zero(resistance) ? vbic_constant(0) : vbic_divide(current_factor, resistance);
}

void vbic_evaluate(const struct vbic_law *law, const double v[VBIC_VARIABLES], bool charges, struct vbic_point *out)
{
    struct state s = {.card = law->card, .hrcf = law->hrcf, .warm = law->warm};
    value *i = out->current;
    if (law->heats) {
        vbic_warm(law, v[VBIC_HEAT], out->warm);
        s.warm = out->warm;
    } else {
        memcpy(out->warm, law->warm, sizeof out->warm);
    }
    for (int k = 0; k < VBIC_VARIABLES; k++)
        s.v[k] = vbic_variable(v[k], (enum vbic_variable)k);
    s.depletion_be = emitter_charge(&s, s.v[VBIC_BEI]);
    s.depletion_bc = collector_charge(&s, s.v[VBIC_BCI]);
    s.forward = junction(&s, VBIC_IS, s.v[VBIC_BEI], s.warm[VBIC_NF]);
    s.reverse = vbic_multiply(s.warm[VBIC_ISRR], junction(&s, VBIC_IS, s.v[VBIC_BCI], s.warm[VBIC_NR]));
    s.epitaxial[0] = epitaxial(&s, s.v[VBIC_BCI]);
    s.epitaxial[1] = epitaxial(&s, s.v[VBIC_BCX]);
    find_base_charge(&s);
    find_transport(&s, i);
    find_base(&s, i);
    find_parasitic(&s, i);
    if (!law->substrate)
        i[VBIC_ICCP] = i[VBIC_IBCP] = vbic_constant(0);
    out->base = conductance(s.base_charge, s.warm[VBIC_RBI]);
    out->parasitic_base = conductance(s.parasitic_charge, s.warm[VBIC_RBP]);
    i[VBIC_IRCI] = collector_resistor(&s);
    i[VBIC_IRBI] = vbic_multiply(out->base, vbic_subtract(s.v[VBIC_BEX], s.v[VBIC_BEI]));
    /* bp to cx: what is left of the way from bx over bp and over bi */
    const value down = vbic_subtract(vbic_subtract(s.v[VBIC_BEX], s.v[VBIC_BEI]), s.v[VBIC_BEP]);
    i[VBIC_IRBP] = vbic_multiply(out->parasitic_base, vbic_add(down, s.v[VBIC_BCX]));
    if (charges)
        find_charges(&s, out->charge);
    if (charges && !law->substrate)
        out->charge[VBIC_QBCP] = vbic_constant(0);
}
