/* tables.c - A pwl, pwlts, multi_input_pwl: straight lines through given points. */
#include "devices/code_models/code_model.h"
#include "devices/code_models/corner.h"
#include "devices/families.h"

#include <math.h>
#include <string.h>

struct lines {
    const double *x, *y;
    size_t count;
    const double *range; /* [count] within which a corner is rounded, or NULL */
    enum { GATE_AND, GATE_NAND, GATE_OR, GATE_NOR } gate;
};

/* The points of two lists. */
static enum kn_status read_lines(struct code_item *i, const char *x, const char *y, struct arena *arena,
                                 struct kn_diagnostics *d)
{
    struct lines *l = arena_alloc(arena, sizeof *l);
    size_t count;
    if (!l)
        return KN_ERROR_MEMORY;
    l->x = code_list(i, x, &l->count);
    l->y = code_list(i, y, &count);
    if (count != l->count || count < 2)
        return code_fail(i, d, NULL, "the points need as many x as y, two of them at least");
    if (!corner_rises(l->x, count))
        return code_fail(i, d, NULL, "the x of the points must rise");
    i->own = l;
    return KN_OK;
}

/* ---- pwl, pwlts ---- */

enum { PWL_X, PWL_Y, PWL_DOMAIN, PWL_FRACTION, PWL_LIMIT, PWL_ROWS };

static const struct parameter_info pwl_rows[PWL_ROWS] = {
    [PWL_X] = CODE_LIST("x_array", "", "inputs of the points, rising"),
    [PWL_Y] = CODE_LIST("y_array", "", "outputs of the points"),
    [PWL_DOMAIN] = {"input_domain", "", 0.01, 1e-12, 0.5, "corners are rounded within this of the input", NULL},
    [PWL_FRACTION] = CODE_FLAG("fraction", 1, "input_domain is a part of the shorter line at the corner"),
    [PWL_LIMIT] = CODE_FLAG("limit", 0, "beyond the points the output stays instead of going on straight"),
};

/* Flat lines before the first point and behind the last, so that the corners there are rounded too. */
static bool add_flat_ends(struct lines *l, struct arena *arena)
{
    const size_t n = l->count;
    double *x = arena_array(arena, n + 2, sizeof *x), *y = arena_array(arena, n + 2, sizeof *y);
    if (!x || !y)
        return false;
    memcpy(x + 1, l->x, n * sizeof *x);
    memcpy(y + 1, l->y, n * sizeof *y);
    x[0] = l->x[0] - (l->x[1] - l->x[0]);
    x[n + 1] = l->x[n - 1] + (l->x[n - 1] - l->x[n - 2]);
    y[0] = l->y[0];
    y[n + 1] = l->y[n - 1];
    *l = (struct lines){.x = x, .y = y, .count = n + 2};
    return true;
}

static enum kn_status pwl_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    const enum kn_status status = read_lines(i, "x_array", "y_array", arena, d);
    struct lines *l = i->own;
    if (status != KN_OK)
        return status;
    if (i->p[PWL_LIMIT] != 0 && !add_flat_ends(l, arena))
        return KN_ERROR_MEMORY;
    l->range = corner_ranges(l->x, l->count, i->p[PWL_DOMAIN], i->p[PWL_FRACTION] != 0, arena);
    return l->range ? KN_OK : KN_ERROR_MEMORY;
}

static void pwl_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct lines *l = i->own;
    p->f[0] = corner_lines(l->x, l->y, l->count, l->range, p->u[0], &p->df[0]);
}

static void pwlts_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct lines *l = i->own;
    const double t = isinf(p->when.time) ? 0 : p->when.time;
    p->f[0] = corner_lines(l->x, l->y, l->count, l->range, t, &p->dfdt[0]);
}

/* Where the rounding of a corner begins or ends; the lines themselves begin and end in corners that are not rounded. */
static double pwlts_next_corner(const struct code_item *i, double over)
{
    const struct lines *l = i->own;
    for (size_t k = 0; k < l->count; k++) {
        const double range = k > 0 && k + 1 < l->count ? l->range[k] : 0;
        if (l->x[k] - range > over)
            return l->x[k] - range;
        if (l->x[k] + range > over)
            return l->x[k] + range;
    }
    return INFINITY;
}

static const struct port_info through[] = {CODE_IN("in"), CODE_OUT("out")};
static const struct port_info alone[] = {CODE_OUT("out")};

const struct code_model pwl_model = {CODE_KIND("pwl", "piecewise linear function", "in out", through, pwl_rows),
                                     .make = pwl_make, .evaluate = pwl_evaluate};
const struct code_model pwlts_model = {CODE_KIND("pwlts", "piecewise linear function of time", "out", alone, pwl_rows),
                                       .linear = true, .make = pwl_make, .evaluate = pwlts_evaluate,
                                       .next_corner = pwlts_next_corner};

/* ---- multi_input_pwl: of the smallest or the largest input ---- */

static const struct parameter_info multi_rows[] = {
    CODE_LIST("x", "", "inputs of the points, rising"),
    CODE_LIST("y", "", "outputs of the points"),
    {"model", "\"\"", 0, 0, 0, "and, nand: of the smallest input; or, nor: of the largest", NULL},
};

static const struct port_info multi_ports[] = {
    {.name = "in", .direction = PORT_IN, .type = PORT_VD, .allowed = CODE_INPUTS, .list = true},
    {.name = "out", .direction = PORT_OUT, .type = PORT_VD, .allowed = CODE_VALUES},
};

/* The inverting gates go through the points the other way: the first x has the last y. */
static enum kn_status reverse(struct lines *l, struct arena *arena)
{
    double *y = arena_array(arena, l->count, sizeof *y);
    for (size_t k = 0; y && k < l->count; k++)
        y[k] = l->y[l->count - 1 - k];
    l->y = y;
    return y ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status multi_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    static const char *const gates[] = {"and", "nand", "or", "nor"};
    const enum kn_status status = read_lines(i, "x", "y", arena, d);
    const char *gate = code_text(i, "model");
    if (status != KN_OK)
        return status;
    struct lines *l = i->own;
    for (int g = 0; g < 4; g++)
        if (names_equal(gate ? gate : "and", gates[g])) {
            l->gate = g;
            return g == GATE_NAND || g == GATE_NOR ? reverse(l, arena) : KN_OK;
        }
    return code_fail(i, d, "write model=\"and\", \"nand\", \"or\" or \"nor\"", "there is no such gate");
}

static void multi_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct lines *l = i->own;
    const bool smallest = l->gate == GATE_AND || l->gate == GATE_NAND;
    size_t which = 0;
    for (size_t k = 1; k < i->column_count; k++)
        if (smallest ? p->u[k] < p->u[which] : p->u[k] > p->u[which])
            which = k;
    const double u = p->u[which], kept = fmax(l->x[0], fmin(l->x[l->count - 1], u));
    double slope;
    p->f[0] = corner_lines(l->x, l->y, l->count, NULL, kept, &slope);
    p->df[which] = kept == u ? slope : 0;
}

const struct code_model multi_input_pwl_model = {
    CODE_KIND("multi_input_pwl", "piecewise linear gate", "[in ..] out", multi_ports, multi_rows), .make = multi_make,
    .evaluate = multi_evaluate};
