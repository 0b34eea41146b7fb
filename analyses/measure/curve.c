/* curve.c - see curve.h. */
#include "analyses/measure/curve.h"

#include <math.h>
#include <string.h>

const double curve_nodes[CURVE_POINTS] = {0,
                                          0.0198550717512318842,
                                          0.101666761293186631,
                                          0.237233795041835507,
                                          0.408282678752175098,
                                          0.591717321247824902,
                                          0.762766204958164493,
                                          0.898333238706813369,
                                          0.980144928248768116,
                                          1};

const double curve_weights[CURVE_POINTS] = {0,
                                            0.0506142681451881296,
                                            0.111190517226687235,
                                            0.156853322938943644,
                                            0.181341891689180991,
                                            0.181341891689180991,
                                            0.156853322938943644,
                                            0.111190517226687235,
                                            0.0506142681451881296,
                                            0};

/* One over the product of the distances to the other nodes, the largest of them 1. */
static const double barycentric[CURVE_POINTS] = {-0.620075251561398659,
                                                 1.0,
                                                 -0.684179479653467654,
                                                 0.577307580683489573,
                                                 -0.537224549086022458,
                                                 0.537224549086022458,
                                                 -0.577307580683489573,
                                                 0.684179479653467654,
                                                 -1.0,
                                                 0.620075251561398659};

double curve_value(const double *values, size_t stride, double part)
{
    double above = 0, below = 0;
    for (int k = 0; k < CURVE_POINTS; k++) {
        if (part == curve_nodes[k])
            return values[(size_t)k * stride];
        const double weight = barycentric[k] / (part - curve_nodes[k]);
        above += weight * values[(size_t)k * stride];
        below += weight;
    }
    return above / below;
}

/* Part of a piece: nearer to a node the quotient of differences is rounding, and the slope there is as good. */
static const double AT_NODE = 1e-8;

static double slope_at_node(const double *values, size_t stride, int k)
{
    double slope = 0;
    for (int i = 0; i < CURVE_POINTS; i++)
        if (i != k)
            slope += barycentric[i] / barycentric[k] * (values[(size_t)i * stride] - values[(size_t)k * stride]) /
                     (curve_nodes[k] - curve_nodes[i]);
    return slope;
}

double curve_slope(const double *values, size_t stride, double part)
{
    double slope = 0, below = 0;
    for (int k = 0; k < CURVE_POINTS; k++)
        if (fabs(part - curve_nodes[k]) < AT_NODE)
            return slope_at_node(values, stride, k);
    const double value = curve_value(values, stride, part);
    for (int k = 0; k < CURVE_POINTS; k++) {
        const double weight = barycentric[k] / (part - curve_nodes[k]);
        slope += weight * (value - values[(size_t)k * stride]) / (part - curve_nodes[k]);
        below += weight;
    }
    return slope / below;
}

/* ---- parts without corners ---- */

/* A jump is located to a thousandth of a millionth of the piece; what is rough all over is taken as it is after so many
 * parts. */
enum { DEEPEST = 30, MOST_PARTS = 64 };

/* Between the nodes. */
const double curve_tests[CURVE_TESTS] = {0.31, 0.5, 0.83};

size_t curve_workspace(size_t count)
{
    return (CURVE_POINTS + 1) * count + 1;
}

static enum kn_status look_at_points(const struct curve_splitter *c, double from, double to)
{
    enum kn_status status = KN_OK;
    for (int k = 0; k < CURVE_POINTS && status == KN_OK; k++)
        status = c->look.at(c->look.context, curve_point(from, to, k), c->workspace + (size_t)k * c->count);
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < CURVE_POINTS; k++) {
            const double size = fabs(c->workspace[(size_t)k * c->count + i]);
            c->scales[i] = isfinite(size) ? fmax(c->scales[i], size) : c->scales[i];
        }
    return status;
}

/* share: of the part in the whole.  What is missed in a part is missed in the integral over the whole times that. */
static enum kn_status compare(const struct curve_splitter *c, double from, double to, double share, bool *smooth)
{
    const double exact = c->sums ? c->exact / share : c->exact;
    double *values = c->workspace + CURVE_POINTS * c->count;
    *smooth = true;
    for (int k = 0; k < CURVE_TESTS && *smooth; k++) {
        const enum kn_status status = c->look.at(c->look.context, from + (to - from) * curve_tests[k], values);
        if (status != KN_OK)
            return status;
        for (size_t i = 0; i < c->count; i++) {
            const double expected = curve_value(c->workspace + i, c->count, curve_tests[k]);
            *smooth &= !(fabs(values[i] - expected) > exact * c->scales[i]);
        }
    }
    return KN_OK;
}

/* parts: so many more may be made. */
static enum kn_status split(const struct curve_splitter *c, double from, double to, int depth, int *parts)
{
    bool smooth = true;
    const double middle = 0.5 * (from + to);
    enum kn_status status = look_at_points(c, from, to);
    if (status == KN_OK && depth<DEEPEST && * parts> 0 && middle != from && middle != to)
        status = compare(c, from, to, ldexp(1, -depth), &smooth);
    if (status != KN_OK)
        return status;
    if (smooth)
        return c->part(c->context, from, to, c->workspace);
    --*parts;
    status = split(c, from, middle, depth + 1, parts);
    return status == KN_OK ? split(c, middle, to, depth + 1, parts) : status;
}

enum kn_status curve_split(const struct curve_splitter *c, double from, double to)
{
    int parts = MOST_PARTS;
    return split(c, from, to, 0, &parts);
}
