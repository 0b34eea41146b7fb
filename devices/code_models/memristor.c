/* memristor.c - A memristor of level 3, Xyce's ymemristor: the generalised model of C. Yakopcic, T. M. Taha, G. Subramanyam
 * and R. E. Pino, IEEE Trans. Comput.-Aided Des. Integr. Circuits Syst. 32 (2013) 1201, equations 3 to 8, whose listing has
 * the defaults.
 *
 *     i = a1 x sinh(b v) for v >= 0, a2 x sinh(b v) below
 *     d/dt x = eta g(v) f(v, x)
 *     g = ap (e^v - e^vp) above vp, -an (e^-v - e^vn) below -vn, 0 between
 *     f = e^(-alphap (x - xp)) ((xp - x)/(1 - xp) + 1) for x >= xp on the way up (eta v >= 0),
 *         e^(alphan (x + xn - 1)) x/(1 - xn) for x <= 1 - xn on the way down, else 1
 *
 * At rest x is xo.
 */
#include "devices/code_models/memristor.h"
#include "devices/families.h"

#include <math.h>

enum { A1, A2, B, VP, VN, AP, AN, XP, XN, ALPHAP, ALPHAN, ETA, XO, ROWS };

static const struct parameter_info rows[ROWS] = {
    [A1] = CODE_ANY("a1", "A", 0.17, "amplitude of the current at positive voltages"),
    [A2] = CODE_ANY("a2", "A", 0.17, "the same at negative ones"),
    [B] = CODE_ANY("b", "1/V", 0.05, "how bent the current is"),
    [VP] = CODE_FROM("vp", "V", 0.16, 0, "threshold of the state at positive voltages"),
    [VN] = CODE_FROM("vn", "V", 0.15, 0, "the same at negative ones"),
    [AP] = CODE_FROM("ap", "1/s", 4000, 0, "how fast the state moves above vp"),
    [AN] = CODE_FROM("an", "1/s", 4000, 0, "and below -vn"),
    [XP] = {"xp", "", 0.3, 0, 1, "from there on the state moves up more slowly", NULL},
    [XN] = {"xn", "", 0.5, 0, 1, "likewise down, from 1 - xn on", NULL},
    [ALPHAP] = CODE_FROM("alphap", "", 1, 0, "how much more slowly, up"),
    [ALPHAN] = CODE_FROM("alphan", "", 5, 0, "and down"),
    [ETA] = {"eta", "", 1, -1, 1, "direction: 1, positive voltages move the state up, or -1", NULL},
    [XO] = {"xo", "", 0.11, 0, 1, "state at first", "x0"},
};

static const struct parameter_info instance_rows[] = {
    {"xo", "", 0.11, 0, 1, "state at first, where it is not the model's", "x0"}};

static const struct model_level levels[] = {{3, "Yakopcic"}, {0, NULL}};

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    if (i->p[ETA] != 1 && i->p[ETA] != -1)
        return code_fail(i, d, "eta=1 or eta=-1", "eta is neither 1 nor -1");
    if (i->p[XP] == 1 || i->p[XN] == 1)
        return code_fail(i, d, "take values below 1", "xp or xn is 1, where the way ends");
    return KN_OK;
}

static double state_at_first(const struct code_item *i)
{
    return i->on_card[0] ? i->card[0] : i->p[XO];
}

/* g(v), and its derivative. */
static double speed(const double *p, double v, double *slope)
{
    *slope = v > p[VP] ? p[AP] * exp(v) : v < -p[VN] ? p[AN] * exp(-v) : 0;
    return v > p[VP] ? p[AP] * (exp(v) - exp(p[VP])) : v < -p[VN] ? -p[AN] * (exp(-v) - exp(p[VN])) : 0;
}

/* f(v, x), and its derivative with respect to x; it does not change with v but where g is 0. */
static double window(const double *p, double v, double x, double *slope)
{
    const bool up = p[ETA] * v >= 0;
    *slope = 0;
    if (up ? x < p[XP] : x > 1 - p[XN])
        return 1;
    const double rate = up ? -p[ALPHAP] : p[ALPHAN];
    const double fades = exp(rate * (up ? x - p[XP] : x + p[XN] - 1));
    const double ends = up ? (1 - x) / (1 - p[XP]) : x / (1 - p[XN]);
    *slope = fades * (rate * ends + (up ? -1 / (1 - p[XP]) : 1 / (1 - p[XN])));
    return fades * ends;
}

/* Columns: v, x; rows: i, x. */
static void evaluate(const struct code_item *i, const struct code_point *point)
{
    const double *p = i->p, v = point->u[0], x = point->u[1], a = v >= 0 ? p[A1] : p[A2];
    double of_v, of_x;
    point->f[0] = a * x * sinh(p[B] * v);
    point->df[0] = a * x * p[B] * cosh(p[B] * v);
    point->df[1] = a * sinh(p[B] * v);
    point->q[1] = x;
    point->dq[3] = 1;
    if (point->rests) {
        point->f[1] = x - state_at_first(i);
        point->df[3] = 1;
        return;
    }
    const double g = speed(p, v, &of_v), f = window(p, v, x, &of_x);
    point->f[1] = -p[ETA] * g * f;
    point->df[2] = -p[ETA] * of_v * f;
    point->df[3] = -p[ETA] * g * of_x;
}

static bool initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, state_at_first(i), list);
}

const struct code_model memristor_model = {MEMRISTOR(levels, instance_rows, 1, rows, ROWS, "level"), .make = make,
                                           .evaluate = evaluate, .initial = initial};
