/* threshold_memristor.c - A memristor without a level, XSPICE's: a resistance that moves where the voltage passes a threshold.
 * Y. V. Pershin and M. Di Ventra, "SPICE model of memristive devices with threshold", Radioengineering 22 (2013) 485,
 * equations 4 to 6:
 *
 *     i = v/x
 *     d/dt x = f(v) = beta v + (alpha - beta) (|v + vt| - |v - vt|)/2      between rmin and rmax, where it stops
 *
 * At rest x is rinit, also for small signals.
 */
#include "devices/code_models/memristor.h"
#include "devices/families.h"

#include <float.h>
#include <math.h>

enum { RMIN, RMAX, RINIT, ALPHA, BETA, VT, ROWS };

static const struct parameter_info rows[ROWS] = {
    [RMIN] = CODE_FROM("rmin", "ohm", 10, DBL_MIN, "least resistance"),
    [RMAX] = CODE_FROM("rmax", "ohm", 10e3, DBL_MIN, "largest resistance"),
    [RINIT] = CODE_FROM("rinit", "ohm", 7e3, DBL_MIN, "resistance at first"),
    [ALPHA] = CODE_ANY("alpha", "ohm/(V s)", 0, "speed of the resistance below the threshold"),
    [BETA] = CODE_ANY("beta", "ohm/(V s)", 1, "and above it"),
    [VT] = CODE_FROM("vt", "V", 0, 0, "threshold"),
};

enum { AT_LARGEST, AT_LEAST };

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    if (!(i->p[RMIN] < i->p[RMAX]))
        return code_fail(i, d, NULL, "rmin is not below rmax");
    if (i->p[RINIT] < i->p[RMIN] || i->p[RINIT] > i->p[RMAX])
        return code_fail(i, d, NULL, "rinit is not between rmin and rmax");
    return KN_OK;
}

/* f(v) and its derivative. */
static double speed(const double *p, double v, double *slope)
{
    const bool moves = fabs(v) > p[VT];
    *slope = moves ? p[BETA] : p[ALPHA];
    return moves ? p[BETA] * v + (p[ALPHA] - p[BETA]) * copysign(p[VT], v) : p[ALPHA] * v;
}

/* Columns: v, x; rows: i, x. */
static void evaluate(const struct code_item *i, const struct code_point *point)
{
    const double v = point->u[0], x = point->rests ? i->p[RINIT] : point->u[1];
    double slope;
    point->f[0] = v / x;
    point->df[0] = 1 / x;
    point->df[1] = point->rests ? 0 : -v / (x * x);
    point->q[1] = x;
    point->dq[3] = 1;
    if (point->rests) {
        point->f[1] = point->u[1] - i->p[RINIT];
        point->df[3] = 1;
    } else if (code_side(i, AT_LARGEST) <= 0 && code_side(i, AT_LEAST) <= 0) {
        point->f[1] = -speed(i->p, v, &slope);
        point->df[2] = -slope;
    }
}

/* On the way to an end: what is left of it; at it: whether the voltage still presses. */
static void switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    double slope;
    const double rate = speed(i->p, u[0], &slope);
    (void)when;
    g[AT_LARGEST] = code_side(i, AT_LARGEST) > 0 ? rate : u[1] - i->p[RMAX];
    g[AT_LEAST] = code_side(i, AT_LEAST) > 0 ? -rate : i->p[RMIN] - u[1];
}

/* A state at an end, or beyond another one, belongs to the ends that there were. */
static void remember(struct code_item *i, struct keepsake *k)
{
    code_same(i->p[RMIN], k);
    code_same(i->p[RMAX], k);
}

static bool initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, i->p[RINIT], list);
}

static const struct model_level levels[] = {{1, "Pershin and Di Ventra"}, {0, NULL}};

const struct code_model memristor_threshold_model = {MEMRISTOR(levels, NULL, 0, rows, ROWS, "level"),
                                                     .switches = 2,
                                                     .make = make,
                                                     .evaluate = evaluate,
                                                     .switching = switching,
                                                     .remember = remember,
                                                     .initial = initial};
