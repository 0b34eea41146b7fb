/* expression_curves.c - functions of many numbers: tables, SPICE2's polynomials, waveforms of time. */
#include "base/products.h"
#include "netlist/expression/expression_formula.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double TURN = 6.28318530717958647693; /* 2 pi */

static int fail(struct formula f, const char *code, struct kn_location where, const char *hint, const char *text)
{
    diagnostics_add(f.a->diagnostics, KN_ERROR, code, where, hint, "%s", text);
    return -1;
}

/* The numbers among values; NULL with an error where one is none. */
static double *numbers_of(struct formula f, const int *values, size_t count, const struct expression_operand *first)
{
    struct arena *arena = f.a->arena;
    double *x = arena ? arena_array(arena, count, sizeof *x) : builder_alloc(f.a->builder, count, sizeof *x);
    for (size_t i = 0; x && i < count; i++, first = first->next)
        if (!builder_is_constant(f.a->builder, values[i], &x[i]) || !isfinite(x[i])) {
            diagnostics_add(f.a->diagnostics, KN_ERROR, "not-constant", first->node->where, NULL,
                            "the numbers of %s() must be constant", f.node->name);
            return NULL;
        }
    return x;
}

/* ---- tables ---- */

static void *room(struct formula f, size_t count, size_t size)
{
    return f.a->arena ? arena_array(f.a->arena, count, size) : builder_alloc(f.a->builder, count, size);
}

static const struct expression_operand *operand_at(const struct expression_node *node, size_t i)
{
    const struct expression_operand *o = node->operands;
    while (i-- > 0)
        o = o->next;
    return o;
}

struct point {
    double x, y;
    size_t number; /* where it stood */
};

static int by_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->number > q->number) - (p->number < q->number);
}

/* A point that stands there twice counts once; Xyce, whose alone files are, puts them in order. */
static size_t arrange(struct formula f, const double *values, size_t count, bool of_file, struct point *points)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        points[i] = (struct point){values[2 * i], values[2 * i + 1], i};
    if (of_file || f.a->dialect == DIALECT_XYCE)
        qsort(points, count, sizeof *points, by_x);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || points[i].x != points[kept - 1].x || points[i].y != points[kept - 1].y)
            points[kept++] = points[i];
    return kept;
}

/* Slopes at the points from those of the chords around: m1 and m2 on the left, m3 and m4 on the right.  H. Akima, A new
 * method of interpolation and smooth curve fitting based on local procedures, 1970, equations 1, 8 and 9.  Wodicka's
 * variant keeps the corner between two straight lines (G. Engeln-Muellges, F. Uhlig, Numerical algorithms with C, 1996,
 * chapter 13). */
static void akima_slopes(const double *chords, size_t count, double *slopes, bool rounded)
{
    const double *m = chords + 2; /* [-2 .. count] */
    for (size_t i = 0; i < count; i++) {
        const double m1 = m[(ptrdiff_t)i - 2], m2 = m[(ptrdiff_t)i - 1], m3 = m[i], m4 = m[i + 1];
        const double left = fabs(m4 - m3), right = fabs(m2 - m1);
        const bool corner = !(left + right > 0.0); /* two straight lines meet */
        slopes[2 * i] = corner ? (rounded ? 0.5 * (m2 + m3) : m2) : (left * m2 + right * m3) / (left + right);
        slopes[2 * i + 1] = corner && !rounded ? m3 : slopes[2 * i];
    }
}

/* Slopes of the spline without curvature at its ends, from the continuity of the curvature at each point: a tridiagonal
 * system, solved by elimination.  C. de Boor, A practical guide to splines, 1978, chapter IV. */
static void natural_slopes(const struct pwl_table *t, const double *chords, double *slopes, double *upper)
{
    const double *m = chords + 2;
    const int last = t->count - 1;
    for (int i = 0; i <= last; i++) {
        const double before = i > 0 ? 1.0 / (t->x[i] - t->x[i - 1]) : 0.0;
        const double behind = i < last ? 1.0 / (t->x[i + 1] - t->x[i]) : 0.0;
        const double pivot = 2.0 * (before + behind) - (i > 0 ? before * upper[i - 1] : 0.0);
        const double right = 3.0 * ((i > 0 ? before * m[i - 1] : 0.0) + (i < last ? behind * m[i] : 0.0));
        upper[i] = behind / pivot;
        slopes[2 * i] = (right - (i > 0 ? before * slopes[2 * i - 2] : 0.0)) / pivot;
    }
    for (int i = last - 1; i >= 0; i--)
        slopes[2 * i] -= upper[i] * slopes[2 * i + 2];
    for (int i = 0; i <= last; i++)
        slopes[2 * i + 1] = slopes[2 * i];
}

/* Slopes of the chords with two more at each end, which go on as the last ones change; NULL without memory. */
static double *chords_of(struct formula f, const struct pwl_table *t)
{
    const size_t count = (size_t)t->count;
    double *chords = room(f, count + 3, sizeof *chords), *m = chords ? chords + 2 : NULL;
    if (!chords)
        return NULL;
    for (size_t i = 0; i + 1 < count; i++)
        m[i] = (t->y[i + 1] - t->y[i]) / (t->x[i + 1] - t->x[i]);
    m[count - 1] = 2.0 * m[count - 2] - m[count > 2 ? count - 3 : count - 2];
    m[count] = 2.0 * m[count - 1] - m[count - 2];
    chords[1] = 2.0 * m[0] - m[count > 2 ? 1 : 0];
    chords[0] = 2.0 * chords[1] - m[0];
    return chords;
}

static bool make_smooth(struct formula f, enum operation op, struct pwl_table *t)
{
    double *slopes = room(f, 2 * (size_t)t->count, sizeof *slopes), *upper = room(f, (size_t)t->count, sizeof *upper);
    const double *chords = chords_of(f, t);
    if (!slopes || !upper || !chords)
        return false;
    if (op == OP_AKIMA || op == OP_WODICKA)
        akima_slopes(chords, (size_t)t->count, slopes, op == OP_AKIMA);
    else
        natural_slopes(t, chords, slopes, upper);
    t->slopes = slopes;
    return true;
}

/* The polynomial through all points, as Newton has it: c0 + (x - x0) (c1 + (x - x1) (c2 + ..)).  The points are taken in
 * Leja's order, each as far from those before as can be, which keeps the differences small (L. Reichel, Newton
 * interpolation at Leja points, BIT 30, 1990). */
static int polynomial_through(struct formula f, int value, double *x, double *y, size_t count)
{
    enum { MOST = 100 }; /* beyond, rounding errors of any order are as large as the values */
    if (count > MOST)
        return fail(f, "argument-count", f.node->where, "akima( ) and cubic( ) are smooth through any number of points",
                    "there are too many points for one polynomial");
    for (size_t k = 1; k < count; k++) {
        size_t best = k;
        double most = -INFINITY;
        for (size_t i = k; i < count; i++) {
            double far = 0;
            for (size_t j = 0; j < k; j++)
                far += log(fabs(x[i] - x[j]));
            best = far > most ? i : best;
            most = fmax(most, far);
        }
        const double xk = x[best], yk = y[best];
        x[best] = x[k], y[best] = y[k], x[k] = xk, y[k] = yk;
    }
    for (size_t order = 1; order < count; order++) /* divided differences */
        for (size_t i = count - 1; i >= order; i--)
            y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - order]);
    int sum = number(f, y[count - 1]);
    for (size_t i = count - 1; i-- > 0;)
        sum = two(f, OP_ADD, number(f, y[i]), two(f, OP_MULTIPLY, two(f, OP_SUBTRACT, value, number(f, x[i])), sum));
    return sum;
}

/* Where a point of a call stands; those of files have no place of their own. */
static struct kn_location place_of(struct formula f, const struct point *p, bool of_file)
{
    return of_file ? f.node->where : operand_at(f.node, 1 + 2 * p->number)->node->where;
}

/* The curve through x1 y1 x2 y2 .. at a value; all but pwl() end level. */
static int curve_through(struct formula f, enum operation op, int value, const double *values, size_t count,
                         bool of_file)
{
    struct point *points = room(f, count, sizeof *points);
    double *x = room(f, 2 * count, sizeof *x), *y = x ? x + count : NULL;
    if (!points || !x)
        return -1;
    const size_t kept = arrange(f, values, count, of_file, points);
    for (size_t i = 0; i < kept; i++) {
        x[i] = points[i].x;
        y[i] = points[i].y;
        if (i == 0 || x[i] > x[i - 1])
            continue;
        diagnostics_add(f.a->diagnostics, KN_ERROR, "pwl", place_of(f, &points[i], of_file),
                        "write the points in order of increasing x",
                        "x of this point of %s() is not above the one before", f.node->name);
        return -1;
    }
    if (kept < 2)
        return number(f, y[0]);
    struct pwl_table table = {x, y, (int)kept, NULL};
    if (op != OP_PWL && op != OP_BARYCENTRIC)
        value = two(f, OP_MINIMUM, two(f, OP_MAXIMUM, value, number(f, x[0])), number(f, x[kept - 1]));
    if (op == OP_BARYCENTRIC)
        return polynomial_through(f, value, x, y, kept);
    if ((op == OP_AKIMA || op == OP_WODICKA || op == OP_CUBIC) && !make_smooth(f, op, &table))
        return -1;
    return builder_pwl(f.a->builder, value, &table);
}

static bool are_numbers(struct formula f, const int *values, size_t count)
{
    double number;
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all = all && builder_is_constant(f.a->builder, values[i], &number);
    return all;
}

/* Straight lines through points that formulas give: y1 + sum of (y[i+1] - y[i]) times the part of the way from x[i] to
 * x[i+1] that x has gone, between 0 and 1. */
static int moving_table(struct formula f, const int *values, size_t count)
{
    int sum = values[2];
    for (size_t i = 0; i + 1 < count; i++) {
        const int *p = values + 1 + 2 * i;
        const int part = two(f, OP_DIVIDE, two(f, OP_SUBTRACT, values[0], p[0]), two(f, OP_SUBTRACT, p[2], p[0]));
        const int gone = two(f, OP_MINIMUM, two(f, OP_MAXIMUM, part, number(f, 0)), number(f, 1));
        sum = two(f, OP_ADD, sum, two(f, OP_MULTIPLY, two(f, OP_SUBTRACT, p[3], p[1]), gone));
    }
    return sum;
}

/* pwl(x, x1, y1, x2, y2, ..) and those like it. */
static int apply_table(struct formula f, enum operation op, const int *values)
{
    const size_t count = f.node->operand_count / 2;
    if (f.node->operand_count % 2 == 0 || count < (op == OP_PWL ? 2 : 1)) {
        diagnostics_add(f.a->diagnostics, KN_ERROR, "argument-count", f.node->where,
                        diagnostics_hint(f.a->diagnostics, "write %s(x, x1, y1, x2, y2, ...)", f.node->name),
                        "%s() takes a value and at least %s", f.node->name, op == OP_PWL ? "two points" : "a point");
        return -1;
    }
    if (op == OP_TABLE && !are_numbers(f, values + 1, 2 * count))
        return moving_table(f, values, count);
    const double *points = numbers_of(f, values + 1, 2 * count, f.node->operands->next);
    return points ? curve_through(f, op, values[0], points, count, false) : -1;
}

int apply_file(struct application *a, enum operation op, const struct expression_node *node)
{
    const struct formula f = {a, node};
    const char *problem = "there are no files here";
    size_t count = 0;
    if (node->operand_count > 1)
        diagnostics_add(a->diagnostics, KN_NOTE, "all-points", node->where, NULL,
                        "%s() of a file takes all its points as they are; further arguments have no meaning",
                        node->name);
    const char *name = node->operands->node->name;
    const double *values = a->points ? a->points->read(a->points->context, name, a->arena, &count, &problem) : NULL;
    if (values && count > 0)
        return curve_through(f, op, builder_time(a->builder), values, count, true);
    diagnostics_add(a->diagnostics, KN_ERROR, "file", node->operands->node->where,
                    "paths start from the folder of the deck; a line of the file is a time and a value",
                    "cannot read points from '%s': %s", name, values ? "it has none" : problem);
    return -1;
}

/* ---- polynomials ---- */

/* values: the number of dimensions, so many variables, coefficients. */
static int apply_poly(struct formula f, const int *values)
{
    enum { MOST_DIMENSIONS = 100, MOST_DEGREE = 100 };
    double n = 0.0;
    const size_t count = f.node->operand_count;
    if (!builder_is_constant(f.a->builder, values[0], &n) || n < 1.0 || n > MOST_DIMENSIONS || n != floor(n) ||
        (size_t)n + 2 > count)
        return fail(f, "argument-count", f.node->where, "write POLY(2) V(1) V(2) p0 p1 p2 ..",
                    "POLY needs its number of variables, these, and coefficients");
    const size_t dimensions = (size_t)n, terms = count - 1 - dimensions;
    const int *x = values + 1;
    const double *p = numbers_of(f, x + dimensions, terms, operand_at(f.node, 1 + dimensions));
    if (!p)
        return -1;
    size_t factors[MOST_DEGREE] = {0}, degree = 0;
    if (terms == 1 && dimensions == 1) /* a single coefficient is p1 */
        return two(f, OP_MULTIPLY, number(f, p[0]), x[0]);
    int sum = number(f, p[0]);
    for (size_t i = 1; i < terms; i++) {
        if (degree == 0 || !next_product(factors, degree, dimensions, f.a->dialect == DIALECT_XYCE)) {
            if (++degree > MOST_DEGREE)
                return fail(f, "argument-count", f.node->where, NULL, "POLY has too many coefficients");
            for (size_t k = 0; k < degree; k++)
                factors[k] = 0;
        }
        int product = number(f, p[i]);
        for (size_t k = 0; k < degree; k++)
            product = two(f, OP_MULTIPLY, product, x[factors[k]]);
        sum = two(f, OP_ADD, sum, product);
    }
    return sum;
}

/* ---- waveforms of time ---- */

/* max(time - delay, 0) */
static int time_since(struct formula f, double delay)
{
    const int late = two(f, OP_SUBTRACT, builder_time(f.a->builder), number(f, delay));
    return two(f, OP_MAXIMUM, late, number(f, 0.0));
}

/* amplitude (1 - exp(-t/tau)) from the delay on */
static int charging(struct formula f, double amplitude, double delay, double tau)
{
    const int part = two(f, OP_DIVIDE, time_since(f, delay), number(f, -tau));
    return two(f, OP_MULTIPLY, number(f, amplitude), two(f, OP_SUBTRACT, number(f, 1.0), one(f, OP_EXP, part)));
}

/* v0 + va exp(-theta t) sin(2 pi f t + phase), t from the delay on */
static int spice_sin(struct formula f, const double *p, size_t count)
{
    const double delay = count > 3 ? p[3] : 0.0, theta = count > 4 ? p[4] : 0.0, phase = count > 5 ? p[5] : 0.0;
    const int t = time_since(f, delay);
    const int angle = two(f, OP_ADD, two(f, OP_MULTIPLY, t, number(f, TURN * p[2])), number(f, TURN / 360.0 * phase));
    const int decay = two(f, OP_MULTIPLY, t, number(f, -theta));
    return two(f, OP_ADD, number(f, p[0]),
               two(f, OP_MULTIPLY, number(f, p[1]), two(f, OP_MULTIPLY, one(f, OP_EXP, decay), one(f, OP_SIN, angle))));
}

/* v0 + va sin(2 pi fc t + mdi sin(2 pi fs t)) */
static int spice_sffm(struct formula f, const double *p)
{
    const int t = builder_time(f.a->builder);
    const int signal =
        two(f, OP_MULTIPLY, number(f, p[3]), one(f, OP_SIN, two(f, OP_MULTIPLY, t, number(f, TURN * p[4]))));
    const int angle = two(f, OP_ADD, two(f, OP_MULTIPLY, t, number(f, TURN * p[2])), signal);
    return two(f, OP_ADD, number(f, p[0]), two(f, OP_MULTIPLY, number(f, p[1]), one(f, OP_SIN, angle)));
}

/* Straight lines over the time within the period; steps end at each corner. */
static int spice_pulse(struct formula f, const double *p, size_t count)
{
    struct builder *b = f.a->builder;
    const double delay = p[2], period = count > 6 ? p[6] : INFINITY;
    const double ends[] = {0.0, p[3], p[3] + p[5], p[3] + p[5] + p[4]}, levels[] = {p[0], p[1], p[1], p[0]};
    if (!(p[3] > 0.0) || !(p[4] > 0.0) || !(p[5] >= 0.0) || !(period >= ends[3]) || delay < 0.0)
        return fail(f, "value-range", f.node->where, "spice_pulse(v1, v2, td, tr, tf, pw, per)",
                    "a pulse needs times of rise and fall above 0, and a period in which it ends");
    double *x = f.a->arena ? arena_array(f.a->arena, 8, sizeof *x) : builder_alloc(b, 8, sizeof *x);
    size_t kept = 0;
    for (size_t i = 0; x && i < 4; i++) {
        if (i > 0 && ends[i] == ends[i - 1]) /* no width */
            continue;
        x[kept] = ends[i];
        x[4 + kept++] = levels[i];
        builder_note_period(b, delay + ends[i] > 0.0 ? delay + ends[i] : period, isinf(period) ? DBL_MAX : period);
    }
    if (!x)
        return -1;
    const struct pwl_table table = {x, x + 4, (int)kept, NULL};
    const int since = time_since(f, delay);
    const int within = isinf(period) ? since : two(f, OP_MODULO, since, number(f, period));
    return builder_pwl(b, two(f, OP_MINIMUM, within, number(f, ends[3])), &table);
}

/* v1 from t1 on, v2 from t2 on .., 0 before. */
static int schedule(struct formula f, const double *p, size_t count)
{
    int sum = number(f, 0.0);
    for (size_t i = 0; i + 1 < count; i += 2) {
        const int since = two(f, OP_GREATER_EQUAL, builder_time(f.a->builder), number(f, p[i]));
        sum = two(f, OP_ADD, sum, two(f, OP_MULTIPLY, number(f, p[i + 1] - (i > 0 ? p[i - 1] : 0.0)), since));
        if (p[i] > 0)
            builder_note_period(f.a->builder, p[i], DBL_MAX);
    }
    return sum;
}

int apply_curve(struct application *a, enum operation op, const int *values, const struct expression_node *node)
{
    const struct formula f = {a, node};
    if (operation_takes_points(op))
        return apply_table(f, op, values);
    if (op == OP_POLY)
        return apply_poly(f, values);
    const double *p = numbers_of(f, values, node->operand_count, node->operands);
    if (!p)
        return -1;
    switch (op) {
    case OP_SPICE_SIN:
        return spice_sin(f, p, node->operand_count);
    case OP_SPICE_EXP:
        return two(f, OP_ADD, number(f, p[0]),
                   two(f, OP_ADD, charging(f, p[1] - p[0], p[2], p[3]), charging(f, p[0] - p[1], p[4], p[5])));
    case OP_SPICE_SFFM:
        return spice_sffm(f, p);
    case OP_SCHEDULE:
        return schedule(f, p, node->operand_count);
    default:
        return spice_pulse(f, p, node->operand_count);
    }
}
