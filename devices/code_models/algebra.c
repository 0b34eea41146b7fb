/* algebra.c - A gain, summer, mult, divide, limit, climit: functions of the inputs of the same time.
 *
 *     gain      gain (in + in_offset) + out_offset
 *     summer    out_gain sum in_gain[k] (in[k] + in_offset[k]) + out_offset
 *     mult      out_gain product in_gain[k] (in[k] + in_offset[k]) + out_offset
 *     divide    out_gain num_gain (num + num_offset)/d + out_offset,  d = den_gain (den + den_offset), which keeps away
 *               from zero by den_lower_limit
 *     limit     gain (in + in_offset) between two limits; climit: between two inputs
 * Corners are rounded by parabolas (corner.h).
 */
#include "devices/code_models/code_model.h"
#include "devices/code_models/corner.h"
#include "devices/families.h"

#include <math.h>

static const struct port_info through[] = {CODE_IN("in"), CODE_OUT("out")};
static const struct port_info many_to_one[] = {CODE_IN_LIST("in"), CODE_OUT("out")};

/* ---- gain ---- */

enum { GAIN_IN_OFFSET, GAIN, GAIN_OUT_OFFSET, GAIN_ROWS };

static const struct parameter_info gain_rows[GAIN_ROWS] = {
    [GAIN_IN_OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [GAIN] = CODE_ANY("gain", "", 1, "factor"),
    [GAIN_OUT_OFFSET] = CODE_ANY("out_offset", "", 0, "added to the output"),
};

static void gain_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = i->p[GAIN] * (p->u[0] + i->p[GAIN_IN_OFFSET]) + i->p[GAIN_OUT_OFFSET];
    p->df[0] = i->p[GAIN];
}

const struct code_model gain_model = {CODE_KIND("gain", "gain", "in out", through, gain_rows), .linear = true,
                                      .evaluate = gain_evaluate};

/* ---- sums and products of many ---- */

enum { MANY_IN_OFFSET, MANY_IN_GAIN, MANY_OUT_GAIN, MANY_OUT_OFFSET, MANY_ROWS };

static const struct parameter_info many_rows[MANY_ROWS] = {
    [MANY_IN_OFFSET] = CODE_LIST("in_offset", "", "added to each input"),
    [MANY_IN_GAIN] = CODE_LIST("in_gain", "", "factor of each input"),
    [MANY_OUT_GAIN] = CODE_ANY("out_gain", "", 1, "factor of the output"),
    [MANY_OUT_OFFSET] = CODE_ANY("out_offset", "", 0, "added to the output"),
};

struct weights {
    const double *gain, *offset; /* [inputs] */
};

/* One value of a list for each of the inputs; `absent` where there is none. */
static double *spread(const struct code_item *i, const char *name, double absent, struct arena *arena)
{
    size_t count;
    const double *list = code_list(i, name, &count);
    double *values = arena_array(arena, i->column_count + 1, sizeof *values);
    for (size_t k = 0; values && k < i->column_count; k++)
        values[k] = k < count ? list[k] : absent;
    return values;
}

static enum kn_status many_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct weights *w = arena_alloc(arena, sizeof *w);
    size_t gains, offsets;
    code_list(i, "in_gain", &gains);
    code_list(i, "in_offset", &offsets);
    if (gains > i->column_count || offsets > i->column_count)
        return code_fail(i, d, NULL, "in_gain and in_offset have more values than there are inputs");
    if (!w || !(w->gain = spread(i, "in_gain", 1, arena)) || !(w->offset = spread(i, "in_offset", 0, arena)))
        return KN_ERROR_MEMORY;
    i->own = w;
    return KN_OK;
}

static void summer_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct weights *w = i->own;
    double sum = 0;
    for (size_t k = 0; k < i->column_count; k++) {
        sum += w->gain[k] * (p->u[k] + w->offset[k]);
        p->df[k] = i->p[MANY_OUT_GAIN] * w->gain[k];
    }
    p->f[0] = i->p[MANY_OUT_GAIN] * sum + i->p[MANY_OUT_OFFSET];
}

static double product_without(const struct code_item *i, const double *u, size_t left_out)
{
    const struct weights *w = i->own;
    double product = i->p[MANY_OUT_GAIN];
    for (size_t k = 0; k < i->column_count; k++)
        product *= k == left_out ? w->gain[k] : w->gain[k] * (u[k] + w->offset[k]);
    return product;
}

static void mult_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = product_without(i, p->u, i->column_count) + i->p[MANY_OUT_OFFSET];
    for (size_t k = 0; k < i->column_count; k++)
        p->df[k] = product_without(i, p->u, k);
}

const struct code_model summer_model = {CODE_KIND("summer", "summer", "[in ..] out", many_to_one, many_rows),
                                        .linear = true, .make = many_make, .evaluate = summer_evaluate};
const struct code_model mult_model = {CODE_KIND("mult", "multiplier", "[in ..] out", many_to_one, many_rows),
                                      .make = many_make, .evaluate = mult_evaluate};

/* ---- quotient ---- */

enum {
    NUM_OFFSET,
    NUM_GAIN,
    DEN_OFFSET,
    DEN_GAIN,
    DEN_LIMIT,
    DEN_DOMAIN,
    DIV_FRACTION,
    DIV_GAIN,
    DIV_OFFSET,
    DIV_ROWS
};

static const struct parameter_info divide_rows[DIV_ROWS] = {
    [NUM_OFFSET] = CODE_ANY("num_offset", "", 0, "added to the numerator"),
    [NUM_GAIN] = CODE_ANY("num_gain", "", 1, "factor of the numerator"),
    [DEN_OFFSET] = CODE_ANY("den_offset", "", 0, "added to the denominator"),
    [DEN_GAIN] = CODE_ANY("den_gain", "", 1, "factor of the denominator"),
    [DEN_LIMIT] = CODE_FROM("den_lower_limit", "", 1e-10, 1e-10, "least size of the denominator"),
    [DEN_DOMAIN] = CODE_FROM("den_domain", "", 1e-16, 0, "its corner is rounded within this"),
    [DIV_FRACTION] = CODE_FLAG("fraction", 0, "den_domain is a part of den_lower_limit"),
    [DIV_GAIN] = CODE_ANY("out_gain", "", 1, "factor of the output"),
    [DIV_OFFSET] = CODE_ANY("out_offset", "", 0, "added to the output"),
};

static const struct port_info quotient[] = {CODE_IN("num"), CODE_IN("den"), CODE_OUT("out")};

static void divide_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double limit = i->p[DEN_LIMIT], range = i->p[DEN_DOMAIN] * (i->p[DIV_FRACTION] != 0 ? limit : 1);
    const double numerator = i->p[NUM_GAIN] * (p->u[0] + i->p[NUM_OFFSET]);
    const double denominator = i->p[DEN_GAIN] * (p->u[1] + i->p[DEN_OFFSET]);
    double slope;
    const double way = i->held[0] != 0 ? i->held[0] * denominator : fabs(denominator);
    const double size = limit + corner_round(way - limit, range, 0, 1, &slope);
    const double kept = i->held[0] != 0 ? i->held[0] * size : copysign(size, denominator);
    const double factor = i->p[DIV_GAIN] / kept;
    p->f[0] = factor * numerator + i->p[DIV_OFFSET];
    p->df[0] = factor * i->p[NUM_GAIN];
    p->df[1] = -factor * numerator * i->p[DEN_GAIN] * slope / kept;
}

/* Where the denominator changes its sign the quotient jumps. */
static void divide_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    (void)when;
    g[0] = i->p[DEN_GAIN] * (u[1] + i->p[DEN_OFFSET]);
}

const struct code_model divide_model = {CODE_SWITCH_KIND("divide", "divider", "num den out", quotient, divide_rows),
                                        .switches = 1, .evaluate = divide_evaluate, .switching = divide_switching};

/* ---- limits ---- */

enum { LIMIT_OFFSET, LIMIT_GAIN, LIMIT_LOWER, LIMIT_UPPER, LIMIT_RANGE, LIMIT_FRACTION, LIMIT_ROWS };

static const struct parameter_info limit_rows[LIMIT_ROWS] = {
    [LIMIT_OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [LIMIT_GAIN] = CODE_ANY("gain", "", 1, "factor"),
    [LIMIT_LOWER] = CODE_ANY("out_lower_limit", "", 0, "least output"),
    [LIMIT_UPPER] = CODE_ANY("out_upper_limit", "", 1, "largest output"),
    [LIMIT_RANGE] = CODE_FROM("limit_range", "", 1e-6, 0, "corners are rounded within this of the output"),
    [LIMIT_FRACTION] = CODE_FLAG("fraction", 0, "limit_range is a part of the span between the limits"),
};

static enum kn_status limit_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    return i->p[LIMIT_LOWER] <= i->p[LIMIT_UPPER]
               ? KN_OK
               : code_fail(i, d, NULL, "out_lower_limit is greater than out_upper_limit");
}

static double rounding(const struct code_item *i, double lower, double upper)
{
    return i->p[LIMIT_RANGE] * (i->p[LIMIT_FRACTION] != 0 ? fabs(upper - lower) : 1);
}

static void limit_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double lower = i->p[LIMIT_LOWER], upper = i->p[LIMIT_UPPER];
    double slopes[3];
    p->f[0] = corner_limit(i->p[LIMIT_GAIN] * (p->u[0] + i->p[LIMIT_OFFSET]), lower, upper, rounding(i, lower, upper),
                           slopes);
    p->df[0] = i->p[LIMIT_GAIN] * slopes[0];
}

const struct code_model limit_model = {CODE_KIND("limit", "limiter", "in out", through, limit_rows), .make = limit_make,
                                       .evaluate = limit_evaluate};

static const struct parameter_info climit_rows[LIMIT_ROWS] = {
    [LIMIT_OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [LIMIT_GAIN] = CODE_ANY("gain", "", 1, "factor"),
    [LIMIT_LOWER] = CODE_ANY("lower_delta", "", 0, "the least output lies so far above cntl_lower"),
    [LIMIT_UPPER] = CODE_ANY("upper_delta", "", 0, "the largest output lies so far below cntl_upper"),
    [LIMIT_RANGE] = CODE_FROM("limit_range", "", 1e-6, 0, "corners are rounded within this of the output"),
    [LIMIT_FRACTION] = CODE_FLAG("fraction", 0, "limit_range is a part of the span between the limits"),
};

static const struct port_info between[] = {CODE_IN("in"), CODE_IN("cntl_upper"), CODE_IN("cntl_lower"),
                                           CODE_OUT("out")};

static void climit_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double upper = p->u[1] - i->p[LIMIT_UPPER], lower = p->u[2] + i->p[LIMIT_LOWER];
    double slopes[3];
    p->f[0] = corner_limit(i->p[LIMIT_GAIN] * (p->u[0] + i->p[LIMIT_OFFSET]), lower, upper, rounding(i, lower, upper),
                           slopes);
    p->df[0] = i->p[LIMIT_GAIN] * slopes[0];
    p->df[1] = slopes[2];
    p->df[2] = slopes[1];
}

const struct code_model climit_model = {
    CODE_KIND("climit", "controlled limiter", "in cntl_upper cntl_lower out", between, climit_rows),
    .evaluate = climit_evaluate};
