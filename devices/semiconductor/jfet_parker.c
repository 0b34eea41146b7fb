/* jfet_parker.c - see jfet_parker.h. */
#include "devices/semiconductor/jfet_parker.h"

#include "devices/semiconductor/jfet_parameters.h"

#include <math.h>

/* V^2; ngspice's rounding of the charge at the threshold, 0.2 V */
static const double RAMP = 0.04;

/* ---- arithmetic of quantities with their derivatives ---- */

static struct fet_value plain(double value)
{
    return (struct fet_value){value, 0, 0};
}

/* f(a), by its value and slope. */
static struct fet_value chain(struct fet_value a, double f, double slope)
{
    return (struct fet_value){f, slope * a.gs, slope * a.ds};
}

/* x a + y b */
static struct fet_value sum(double x, struct fet_value a, double y, struct fet_value b)
{
    return (struct fet_value){x * a.value + y * b.value, x * a.gs + y * b.gs, x * a.ds + y * b.ds};
}

static struct fet_value product(struct fet_value a, struct fet_value b)
{
    return (struct fet_value){a.value * b.value, a.gs * b.value + a.value * b.gs, a.ds * b.value + a.value * b.ds};
}

static struct fet_value quotient(struct fet_value a, struct fet_value b)
{
    return product(a, chain(b, 1 / b.value, -1 / (b.value * b.value)));
}

static struct fet_value shifted(struct fet_value a, double by)
{
    a.value += by;
    return a;
}

/* a^n of a >= 0 */
static struct fet_value power(struct fet_value a, double n)
{
    return a.value > 0 ? chain(a, pow(a.value, n), n * pow(a.value, n - 1)) : plain(0);
}

static struct fet_value root(struct fet_value a)
{
    const double r = sqrt(a.value);
    return chain(a, r, r > 0 ? 0.5 / r : 0);
}

/* ---- the channel ---- */

/* s ln(1 + e^(u/s)); max(u, 0) without a tail. */
static struct fet_value drive(const struct parker_law *law, struct fet_value u, struct fet_value vds)
{
    const struct fet_value s = sum(law->tail * law->tail_by_drain, vds, 1, plain(law->tail));
    if (!(s.value > 0))
        return u.value > 0 ? u : plain(0);
    const struct fet_value x = quotient(u, s);
    const double small = exp(-fabs(x.value));
    const double soft = fmax(x.value, 0) + log1p(small), slope = (x.value > 0 ? 1 : small) / (1 + small);
    return product(s, chain(x, soft, slope));
}

/* sqrt(x^2 + z y^2) */
static struct fet_value length(struct fet_value x, double z, struct fet_value y)
{
    return root(sum(1, product(x, x), z, product(y, y)));
}

static struct fet_value forward(const struct parker_law *law, double gs, double ds)
{
    const struct fet_value vgs = {gs, 1, 0}, vds = {ds, 0, 1}, vgd = {gs - ds, 1, -1};
    const struct fet_value drop = shifted(sum(-law->drop_by_gate, vgs, law->drop_by_drain, vgd), law->drop);
    const struct fet_value u = shifted(sum(1, vgs, -1, product(drop, vgd)), -law->threshold);
    const struct fet_value vgt = drive(law, u, vds);
    if (!(vgt.value > 0))
        return plain(0);
    const struct fet_value ratio = power(chain(vgt, vgt.value / law->width, 1 / law->width), law->p - law->q);
    const struct fet_value pulled = sum(sqrt(1 + law->z) * law->p / law->q, product(vds, ratio), 0, plain(0));
    const struct fet_value rise = shifted(sum(law->growth, vgt, 0, plain(0)), law->saturation);
    const struct fet_value vsat = quotient(product(vgt, rise), sum(1, vgt, 1, rise));
    const struct fet_value vdt =
        sum(0.5, length(sum(1, pulled, 1, vsat), law->z, vsat), -0.5, length(sum(1, pulled, -1, vsat), law->z, vsat));
    const struct fet_value left = sum(1, vgt, -1, vdt);
    const struct fet_value shape = sum(1, power(vgt, law->q), -1, power(left, law->q));
    const struct fet_value d = product(shape, shifted(sum(law->beta * law->lambda, vds, 0, plain(0)), law->beta));
    return law->heat > 0 ? quotient(d, shifted(sum(law->heat, product(d, vds), 0, plain(0)), 1)) : d;
}

struct fet_value parker_current(const struct parker_law *law, struct fet_voltages v)
{
    return v.ds >= 0 ? forward(law, v.gs, v.ds) : fet_reversed(forward(law, v.gs - v.ds, -v.ds));
}

double parker_breakdown(const struct parker_law *law, double v, double *slope)
{
    enum { LARGEST = 40 }; /* from where on the exponential is a straight line, as in ngspice */
    const double x = -v / law->voltage, within = fmin(x, LARGEST), e = law->breakdown * exp(within);
    *slope = e / law->voltage;
    return law->breakdown - e * (1 + x - within);
}

/* ---- charges ---- */

/* q1 of the voltage w. */
static struct fet_value depletion_part(const struct parker_law *law, struct fet_value w)
{
    const double pb = law->potential, end = law->forward, within = fmin(w.value, end);
    const double rest = sqrt(1 - within / pb), beyond = w.value - within;
    const double line = 1 + 0.5 * beyond / (pb - end); /* the capacitance beyond, of that at the end */
    return chain(w, law->cgs * (2 * pb * (1 - rest) + beyond * (1 + line) / (2 * rest)), law->cgs * line / rest);
}

void parker_charges(const struct parker_law *law, struct fet_voltages v, struct fet_ends *out)
{
    const struct fet_value vgs = {v.gs, 1, 0}, vds = {v.ds, 0, 1};
    const struct fet_value e = root(shifted(product(vds, vds), law->smooth));
    const struct fet_value middle = sum(1, vgs, law->drag - 0.5, vds);
    const struct fet_value larger = sum(1, middle, 0.5, e), smaller = sum(1, middle, -0.5, e);
    const struct fet_value n = sum(1 - law->floor, shifted(larger, -law->threshold), 0, plain(0));
    const struct fet_value ramp = root(shifted(product(n, n), RAMP));
    const struct fet_value q1 = depletion_part(law, sum(1, larger, 0.5, sum(1, ramp, -1, n)));
    const struct fet_value q2 = sum(law->cgd, smaller, 0, plain(0));
    const struct fet_value share = shifted(sum(0.5, quotient(vds, e), 0, plain(0)), 0.5);
    const struct fet_value moved = product(share, sum(1, q1, -1, q2));
    const struct fet_value dragged = sum(law->drag, q1, law->drag, q2);
    out->source = sum(-1, sum(1, moved, 1, q2), -1, dragged);
    out->drain = sum(1, sum(1, moved, -1, q1), 1, dragged);
}

/* ---- parameters ---- */

/* What other levels have. */
static void name_idle_rows(const struct model *m, const double *p, const bool *given, struct kn_diagnostics *d)
{
    static const int idle[] = {JFET_PB,  JFET_B,       JFET_GRADING, JFET_TCV,        JFET_VTOTC,
                               JFET_BEX, JFET_BETATCE, JFET_XTI,     JFET_IONISATION, JFET_VK};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        const struct parameter_info *row = &jfet_model_rows[idle[i]];
        if (given[idle[i]] && p[idle[i]] != row->fallback)
            diagnostics_add(d, KN_WARNING, "parameter-unused", m->where, NULL,
                            "model '%s': %s has no meaning at level 2; it is left out", m->name, row->name);
    }
}

bool parker_check(const struct model *m, const double *p, const bool *given, struct kn_diagnostics *d)
{
    name_idle_rows(m, p, given, d);
    const bool traps = p[JFET_TAUG] > 0, slow = p[JFET_TAUD] > 0 && p[JFET_DELTA] > 0;
    if (traps || slow) {
        diagnostics_add(
            d, KN_ERROR, "unsupported", m->where, "with 0 for it the transistor is as it is in slow signals",
            "model '%s': what lags behind the voltages by %s is not modelled", m->name, traps ? "taug" : "taud");
        return false;
    }
    if (p[JFET_VBI] > p[JFET_VTO])
        return true;
    diagnostics_add(d, KN_ERROR, "parameter-range", m->where, "vto is negative as a rule, also of a PJF",
                    "model '%s': vto must be below vbi (%g V) at level 2, but is %g V", m->name, p[JFET_VBI],
                    p[JFET_VTO]);
    return false;
}

/* Only Xyce's has theta. */
bool parker_is_meant(enum dialect dialect, const double *p, const bool *given)
{
    const bool ngspice = dialect == DIALECT_SPICE || dialect == DIALECT_NGSPICE || dialect == DIALECT_KICAD;
    return p[JFET_LEVEL] == 2 && ngspice && !given[JFET_THETA];
}

void parker_prepare(struct parker_law *law, const double *p, double size, const struct thermal *t)
{
    const double potential = thermal_potential(t, p[JFET_VBI]);
    const double width = potential - p[JFET_VTO], end = p[JFET_XI] * width / (1 + p[JFET_XI]);
    *law = (struct parker_law){.used = true,
                               .threshold = p[JFET_VTO],
                               .beta = size * p[JFET_BETA],
                               .lambda = p[JFET_LAMBDA],
                               .p = p[JFET_P],
                               .q = p[JFET_Q],
                               .z = p[JFET_Z],
                               .width = width,
                               .saturation = p[JFET_XI] * width,
                               .growth = p[JFET_MXI],
                               .tail = p[JFET_VST],
                               .tail_by_drain = p[JFET_MVST],
                               .drop = p[JFET_LFGAM],
                               .drop_by_gate = p[JFET_LFG1],
                               .drop_by_drain = p[JFET_LFG2],
                               .heat = p[JFET_DELTA] / size,
                               .breakdown = size * p[JFET_IBD],
                               .voltage = p[JFET_VBD],
                               .gate = size * p[JFET_IS] * exp((t->ratio - 1) * p[JFET_EG] / t->voltage),
                               .cgs = size * thermal_capacitance(t, p[JFET_CGS], p[JFET_VBI], 0.5),
                               .cgd = size * thermal_capacitance(t, p[JFET_CGD], p[JFET_VBI], 0.5),
                               .drain_source = size * p[JFET_CDS],
                               .potential = potential,
                               .forward = p[JFET_FC] * potential,
                               .smooth = end * end / 4,
                               .drag = p[JFET_ACGAM],
                               .floor = p[JFET_XC]};
}
