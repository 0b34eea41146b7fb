/* consistent_points.c - points of a run and events, see consistent.h: what depends on hidden constraints there. */
#include "base/rounding.h"
#include "base/time_resolution.h"
#include "mna/start/consistent.h"
#include "mna/start/hidden/alone.h"
#include "mna/start/hidden/hidden_constraints.h"

#include <math.h>
#include <stdlib.h>

static enum kn_status make_hidden(struct consistent *c)
{
    return c->hidden ? KN_OK : hidden_constraints_new(c->mna, &c->hidden);
}

enum kn_status consistent_high_index(struct consistent *c, double time, double *x)
{
    if (c->index <= 2)
        return KN_OK;
    const enum kn_status status = make_hidden(c);
    return status == KN_OK ? hidden_constraints_begin(c->hidden, time, c->index, x) : status;
}

static enum kn_status make_inside(struct consistent *c)
{
    return c->inside ? KN_OK : hidden_constraints_new(c->mna, &c->inside);
}

enum kn_status consistent_follow(struct consistent *c, double t, double step, const struct dae_values *known, double *x)
{
    const enum kn_status status = make_inside(c);
    return status == KN_OK ? hidden_constraints_follow(c->inside, t, step, c->index, known, x) : status;
}

enum kn_status consistent_slope_inside(struct consistent *c, const struct dae_point *at, double *slope)
{
    const enum kn_status status = make_inside(c);
    return status == KN_OK ? hidden_constraints_slope_inside(c->inside, at, slope) : status;
}

enum kn_status consistent_slope(struct consistent *c, double time, double h, const double *x, double *slope)
{
    const enum kn_status status = make_hidden(c);
    return status == KN_OK ? hidden_constraints_slope(c->hidden, time, h, x, slope) : status;
}

enum kn_status consistent_complete(struct consistent *c, double time, double h, double *x)
{
    if (c->index_1)
        return KN_OK;
    enum kn_status status = make_hidden(c);
    if (status == KN_OK)
        status = hidden_constraints_complete(c->hidden, time, h, x);
    return status == KN_OK ? consistent_high_index(c, time, x) : status;
}

void consistent_free(struct consistent *c)
{
    hidden_constraints_free(c->hidden);
    hidden_constraints_free(c->inside);
    standing_alone_free(c->alone);
    free(c->reported);
    free(c->sides);
    c->hidden = c->inside = NULL;
    c->alone = NULL;
    c->reported = NULL;
    c->sides = NULL;
}

/* ---- events ---- */

bool consistent_is_seen(const struct consistent *c, const double *x, const double *y)
{
    for (int i = 0; i < mna_dae(c->mna)->n; i++)
        if (!(fabs(x[i] - y[i]) <= c->tolerances[i]))
            return true;
    return false;
}

/* More than what rounding leaves, or to no number at all. */
static bool differs(const double *left, const double *right, const double *absolute, int n)
{
    for (int i = 0; i < n; i++) {
        const double size = fmax(fabs(left[i]), fabs(right[i])), tolerance = absolute ? absolute[i] : 0;
        if (!(fabs(right[i] - left[i]) <= ROUNDING_SAME * size + tolerance && isfinite(right[i])))
            return true;
    }
    return false;
}

/* What f may differ by on both sides of an instant: a ramp that ends there, after some periods, is cut off a rounding of the time before
 * its end, 2e-13 A of a gate whose current falls by 65 mA within 1 us. */
static void find_tolerances(const struct dae *dae, double time, const double *left_slope, const double *right_slope,
                            double *tolerance)
{
    for (int i = 0; i < dae->n; i++)
        tolerance[i] = (dae->equation_absolute ? dae->equation_absolute[i] : 0) +
                       time_resolution_at(time, 0) * fmax(fabs(left_slope[i]), fabs(right_slope[i]));
}

/* Whether f at (time, x) has a right value other than its left one; or else its time derivative, where that matters. */
static enum kn_status compare_sides(struct consistent *c, double time, const double *x, bool *jumps, bool *turns)
{
    const struct dae *dae = mna_dae(c->mna);
    const size_t n = (size_t)dae->n;
    const unsigned what = c->index_1 ? DAE_F : DAE_F | DAE_T;
    if (!c->sides && !(c->sides = calloc(5 * n, sizeof *c->sides)))
        return KN_ERROR_MEMORY;
    struct dae_values left = {.f = c->sides, .dfdt = c->sides + n, .dqdt = c->sides + 4 * n};
    struct dae_values right = {.f = c->sides + 2 * n, .dfdt = c->sides + 3 * n, .dqdt = c->sides + 4 * n};
    dae->hold_left(dae->problem, time);
    enum kn_status status = dae->eval(dae->problem, time, x, what, &left);
    dae->hold_left(dae->problem, INFINITY);
    if (status == KN_OK)
        status = dae->eval(dae->problem, time, x, what, &right);
    double *tolerance = left.dqdt; /* which nobody needs */
    find_tolerances(dae, time, left.dfdt, right.dfdt, tolerance);
    *jumps = status == KN_OK && differs(left.f, right.f, tolerance, dae->n);
    *turns = status == KN_OK && !c->index_1 && differs(left.dfdt, right.dfdt, NULL, dae->n);
    return status;
}

/* Unknowns of index 2 depend on slopes of sources and so jump where these have corners. */
static enum kn_status turn_corner(struct consistent *c, double time, double *x, enum hidden_constraints_turn *result)
{
    const enum kn_status status = make_hidden(c);
    return status == KN_OK ? hidden_constraints_turn(c->hidden, time, c->index, x, result) : status;
}

/* Where states of logic that nothing else depends on are all that jumps: *moved. */
static enum kn_status move_alone(struct consistent *c, double time, double *x, bool *moved)
{
    const struct dae *dae = mna_dae(c->mna);
    const enum kn_status status = c->alone ? KN_OK : standing_alone_new(dae, &c->alone);
    return status == KN_OK ? standing_alone_move(c->alone, time, c->sides, c->sides + 2 * dae->n, x, moved) : status;
}

enum kn_status consistent_turn(struct consistent *c, double time, double *x, bool *moved, bool *restarts)
{
    bool jumps = false, turns = false, alone = false;
    enum hidden_constraints_turn result = HIDDEN_CONSTRAINTS_STAYED;
    enum kn_status status = compare_sides(c, time, x, &jumps, &turns);
    if (status == KN_OK && turns && !jumps)
        status = turn_corner(c, time, x, &result);
    if (status == KN_OK && jumps && !turns)
        status = move_alone(c, time, x, &alone);
    *moved = jumps || result != HIDDEN_CONSTRAINTS_STAYED;
    *restarts = (jumps && !alone) || result == HIDDEN_CONSTRAINTS_NONLINEAR;
    return status;
}

enum kn_status consistent_hold_at_zero(struct mna *m, double time, const double *x, bool held)
{
    const struct dae *dae = mna_dae(m);
    double *g = calloc((size_t)dae->switch_count + 1, sizeof *g);
    if (!g)
        return KN_ERROR_MEMORY;
    if (dae->switch_count > 0)
        dae->switches(dae->problem, time, x, g);
    for (int i = 0; i < dae->switch_count; i++)
        if (g[i] == 0 && (!dae->may_be_left || dae->may_be_left(dae->problem, i)))
            dae->hold(dae->problem, i, held ? DAE_AT_ZERO : 0);
    free(g);
    return KN_OK;
}
