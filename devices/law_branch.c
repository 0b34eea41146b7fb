/* law_branch.c - what a law depends on, for the topological analysis. */
#include "devices/law.h"

#include <math.h>
#include <stdlib.h>

static bool arguments_are_among(const struct law *l, int plus, int minus)
{
    for (size_t k = 0; k < l->argument_count; k++) {
        const int a = l->arguments[k].plus, b = l->arguments[k].minus;
        if ((a != plus && a != minus && a != 0) || (b != plus && b != minus && b != 0))
            return false;
    }
    return l->argument_count > 0;
}

/* Derivatives of g with respect to x[plus] and x[minus]. */
static void node_slopes(const struct law *l, int plus, int minus, double *of_plus, double *of_minus)
{
    *of_plus = *of_minus = 0.0;
    for (size_t k = 0; k < l->argument_count; k++) {
        const struct law_argument *a = &l->arguments[k];
        *of_plus += l->gradient[k] * ((a->plus == plus) - (a->minus == plus));
        *of_minus += l->gradient[k] * ((a->plus == minus) - (a->minus == minus));
    }
}

/* True when g depends on x[plus] - x[minus] (or, minus = 0, on x[plus]) only.
 *
 * A function of both node voltages is one of their difference when its two slopes cancel everywhere; three arbitrary
 * points tell. */
static bool law_depends_only_on(const struct law *l, int plus, int minus)
{
    if (!arguments_are_among(l, plus, minus))
        return false;
    if (plus == 0 || minus == 0)
        return true;
    static const double points[3][2] = {{0.31, -0.17}, {0.73, 0.59}, {-0.41, 0.23}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < l->argument_count; k++) {
            const struct law_argument *a = &l->arguments[k];
            const double v_plus = a->plus == plus ? points[i][0] : a->plus == minus ? points[i][1] : 0.0;
            const double v_minus = a->minus == plus ? points[i][0] : a->minus == minus ? points[i][1] : 0.0;
            l->values[k] = v_plus - v_minus;
        }
        law_gradient_at(l, l->values);
        double of_plus, of_minus;
        node_slopes(l, plus, minus, &of_plus, &of_minus);
        if (!(fabs(of_plus + of_minus) <= 1e-9 * (fabs(of_plus) + fabs(of_minus))))
            return false;
    }
    return true;
}

static size_t add_control(int unknown, int plus, int minus, int *controls, size_t count)
{
    if (unknown == 0 || unknown == plus || unknown == minus)
        return count;
    for (size_t i = 0; i < count; i++)
        if (controls[i] == unknown)
            return count;
    controls[count] = unknown;
    return count + 1;
}

/* Unknown numbers the law depends on, except plus and minus. */
static size_t find_controls(const struct law *l, int plus, int minus, int *controls)
{
    size_t count = 0;
    for (size_t k = 0; k < l->argument_count; k++) {
        count = add_control(l->arguments[k].plus, plus, minus, controls, count);
        count = add_control(l->arguments[k].minus, plus, minus, controls, count);
    }
    return count;
}

/* The branch is of a passive kind when the law relates its own voltage and current. */
static bool is_own_relation(const struct law *l, const struct branch *shape)
{
    if (shape->kind == BRANCH_I || shape->kind == BRANCH_C)
        return law_depends_only_on(l, shape->plus, shape->minus);
    return law_depends_only_on(l, shape->current, 0);
}

/* dg/du of an affine own relation with respect to the branch voltage or current. */
static double own_slope(const struct law *l, const struct branch *shape)
{
    const bool of_voltage = shape->kind == BRANCH_I || shape->kind == BRANCH_C;
    double of_first, of_second;
    node_slopes(l, of_voltage ? shape->plus : shape->current, of_voltage ? shape->minus : 0, &of_first, &of_second);
    const bool first_is_ground = of_voltage && shape->plus == 0;
    return l->scale * (first_is_ground ? -of_second : of_first);
}

/* In the rows of voltages and fluxes the law stands with a negative sign. */
bool law_add_branch(const struct law *l, const struct branch *shape, struct branch_list *list)
{
    struct branch b = *shape;
    b.element = l->element;
    b.role = l->integrated            ? ROLE_LAW
             : l->expression          ? ROLE_FORMULA
             : l->element->polynomial ? ROLE_POLYNOMIAL
                                      : ROLE_GAIN;
    b.constant = NAN;
    if (is_own_relation(l, shape)) {
        const double sign = shape->kind == BRANCH_V || shape->kind == BRANCH_L ? -1.0 : 1.0;
        const double slope = l->affine ? sign * own_slope(l, shape) : NAN;
        b.kind = shape->kind == BRANCH_I || shape->kind == BRANCH_V ? BRANCH_R : shape->kind;
        b.constant = shape->kind == BRANCH_I ? 1.0 / slope : slope;
        return branch_add(list, &b);
    }
    int *controls = calloc(2 * l->argument_count + 1, sizeof *controls);
    struct branch_control *pairs = calloc(l->argument_count + 1, sizeof *pairs);
    bool added = controls && pairs;
    if (added) {
        for (size_t k = 0; k < l->argument_count; k++)
            pairs[k] = (struct branch_control){l->arguments[k].plus, l->arguments[k].minus};
        b.controls = controls;
        b.control_count = find_controls(l, b.plus, b.minus, controls);
        b.pairs = pairs;
        b.pair_count = l->argument_count;
        b.controlled = l->argument_count > 0;
        added = branch_add(list, &b);
    }
    free(controls);
    free(pairs);
    return added;
}
