/* evaluate.c - f, q, G, C at a point: the hot path of every analysis.
 *
 * f = G0 x + s(t) + nonlinear and q = C0 x + nonlinear: the constant part goes over compressed rows, so that each
 * result is written once; G and C start as copies of G0 and C0; only families with nonlinear work are called.
 */
#include "mna/system.h"

#include "base/time_resolution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)DAE_F == (int)EVALUATE_F && (int)DAE_Q == (int)EVALUATE_Q && (int)DAE_G == (int)EVALUATE_G &&
                   (int)DAE_C == (int)EVALUATE_C && (int)DAE_T == (int)EVALUATE_T,
               "dae.h and device.h number the parts alike");

enum { ALL_PARTS = DAE_F | DAE_Q | DAE_G | DAE_C | DAE_T };

/* As the distance within which devices answer from their last tangent: none is ever so near. */
enum { NOWHERE_NEAR = -1 };

/* y := A x for padded x and y [n + 1]. */
static inline void multiply_rows(const struct constant_rows *a, int n, const double *restrict x, double *restrict y)
{
    const int *restrict column = a->column, *restrict end = a->end, *restrict row = a->row;
    const double *restrict value = a->value;
    const int *const last = end + a->count;
    if (a->count < n)
        memset(y + 1, 0, (size_t)n * sizeof *y);
    y[0] = 0;
    for (size_t k = 0; end < last; end++, row++) {
        const size_t stop = (size_t)*end;
        double sum = 0;
        do
            sum += value[k] * x[column[k]];
        while (++k < stop);
        y[*row] = sum;
    }
}

static void add_to(double *restrict y, const double *restrict x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        y[i] += x[i];
}

static void add_rest(struct mna *m, unsigned what, struct dae_values *out)
{
    const size_t entries = (size_t)m->pattern->entries + 1;
    if (what & (DAE_F | DAE_Q))
        rest_add(&m->rest, m->x, m->f, m->q);
    if (what & DAE_G)
        add_to(out->G, m->rest.sum.G, entries);
    if (what & DAE_C)
        add_to(out->C, m->rest.sum.C, entries);
}

static void evaluate_constant_part(struct mna *m, unsigned what, struct dae_values *out)
{
    const int n = m->dae.n;
    const size_t entries = (size_t)m->pattern->entries + 1;
    if (what & DAE_F)
        multiply_rows(&m->conductances, n, m->x, m->f);
    if (what & DAE_Q)
        multiply_rows(&m->capacitances, n, m->x, m->q);
    if (what & DAE_G)
        memcpy(out->G, m->G0, entries * sizeof *out->G);
    if (what & DAE_C)
        memcpy(out->C, m->C0, entries * sizeof *out->C);
    if (m->rest.count > 0)
        add_rest(m, what, out);
    if (what & DAE_T) {
        memset(m->dfdt, 0, ((size_t)n + 1) * sizeof *m->dfdt);
        memset(m->dqdt, 0, ((size_t)n + 1) * sizeof *m->dqdt);
    }
}

/* On which side of the corners around it t is seen.  Where the limit from the left is held, all corners from there on
 * are still to come; else those that are one with t are over. */
static struct instant instant_of(const struct mna *m, double t)
{
    if (isinf(t))
        return instant_at(t);
    const double over = t + time_resolution_at(t, m->time_span);
    if (over < m->left_limit)
        return (struct instant){t, over};
    return (struct instant){fmin(t, m->left_limit), nextafter(m->left_limit, -INFINITY)};
}

static void evaluate_sources(struct mna *m, struct instant when, unsigned what)
{
    for (size_t i = 0; i < m->forcing_count; i++) {
        const struct device_family *family = m->forcing[i];
        if (what & DAE_F)
            family->class->force(family->batch, when, m->source_scale, m->f);
        if ((what & DAE_T) && family->class->force_rate)
            family->class->force_rate(family->batch, when, m->source_scale, m->dfdt);
    }
}

/* While time goes on, as far as what is at rest may be from where its tangent was made. */
static double near_at(const struct mna *m, struct instant when)
{
    return when.time > 0 ? m->rest.near : DEVICE_NEAR;
}

static void begin_nonlinear(struct mna *m, struct instant when, unsigned what, struct dae_values *out)
{
    const struct device_point at = {.when = when,
                                    .x = m->x,
                                    .what = what & ALL_PARTS,
                                    .gmin = m->options.gmin + m->extra_gmin,
                                    .near = what & DAE_AFRESH ? NOWHERE_NEAR : near_at(m, when),
                                    .source_scale = m->source_scale,
                                    .limit = (what & DAE_LIMIT) != 0,
                                    .first = m->first_of_newton,
                                    .x_reference = m->x_reference,
                                    .limited = &out->limited};
    pieces_begin(&m->pieces, &at);
}

static void evaluate_nonlinear(struct mna *m, unsigned what, struct dae_values *out)
{
    const struct device_stamp stamp = {
        .f = m->f, .q = m->q, .G = out->G, .C = out->C, .dfdt = m->dfdt, .dqdt = m->dqdt};
    pieces_add(&m->pieces, &stamp);
    if (what & DAE_LIMIT)
        m->first_of_newton = false;
}

bool mna_interrupted(const struct mna *m)
{
    return m->options.interrupted && m->options.interrupted(m->options.context);
}

/* Unknowns evaluated between two questions whether the run is to end: asking costs about as much as one of them. */
enum { UNASKED = 32 };

static bool is_to_end(struct mna *m)
{
    m->unasked += m->dae.n + 1;
    if (m->unasked < UNASKED)
        return false;
    m->unasked = 0;
    return mna_interrupted(m);
}

void mna_advanced(const struct mna *m, double part)
{
    if (m->options.advanced)
        m->options.advanced(m->options.context, part);
}

/* m->x := x behind the 0 V of ground, in a buffer [n + 1]. */
static void stand_at(struct mna *m, double *buffer, const double *x)
{
    m->x = buffer;
    memcpy(buffer + 1, x, (size_t)m->dae.n * sizeof *x);
}

enum kn_status mna_evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    struct mna *m = problem;
    if (is_to_end(m))
        return KN_INTERRUPTED;
    const size_t bytes = (size_t)m->dae.n * sizeof *x;
    const struct instant when = instant_of(m, t);
    const bool all = what & (DAE_F | DAE_G); /* all families have currents or conductances */
    stand_at(m, all ? m->rest.seen : m->asked, x);
    out->limited = false;
    rest_wake(&m->rest, t, m->options.gmin + m->extra_gmin, m->x, all);
    if (m->nonlinear_count > 0)
        begin_nonlinear(m, when, what, out);
    evaluate_constant_part(m, what, out);
    if (what & (DAE_F | DAE_T))
        evaluate_sources(m, when, what);
    if (m->nonlinear_count > 0)
        evaluate_nonlinear(m, what, out);
    if (what & DAE_F)
        memcpy(out->f, m->f + 1, bytes);
    if (what & DAE_Q)
        memcpy(out->q, m->q + 1, bytes);
    if (what & DAE_T) {
        memcpy(out->dfdt, m->dfdt + 1, bytes);
        memcpy(out->dqdt, m->dqdt + 1, bytes);
    }
    mna_note_fault(m, t, what);
    return KN_OK;
}

void mna_nonlinear_rows(const struct mna *m, const double *G, bool *rows)
{
    const struct sparse_pattern *p = m->pattern;
    memset(rows, 0, (size_t)m->dae.n * sizeof *rows);
    for (int k = 0; k < p->entries; k++)
        if (G[k] != m->G0[k])
            rows[p->row[k]] = true;
}

void mna_begin_newton(void *problem, const double *x_reference)
{
    struct mna *m = problem;
    memcpy(m->x_reference + 1, x_reference, (size_t)m->dae.n * sizeof *x_reference);
    m->first_of_newton = true;
}

/* The first corner later than `over`.  Asked several times between two corners, so the answer is kept. */
static double corner_after(struct mna *m, double over)
{
    if (m->known.from <= over && over < m->known.time)
        return m->known.time;
    m->known = (struct known_breakpoint){over, INFINITY};
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->next_breakpoint)
            m->known.time = fmin(m->known.time, family->class->next_breakpoint(family->batch, over));
    }
    return m->known.time;
}

double mna_next_breakpoint(void *problem, double t)
{
    struct mna *m = problem;
    return corner_after(m, t + time_resolution_at(t, m->time_span));
}

double mna_next_quarter(void *problem, double t, double relative, double *period)
{
    const struct mna *m = problem;
    const double over = t + time_resolution_at(t, m->time_span); /* of a delay that t has reached but for rounding */
    double next = INFINITY;
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->next_quarter)
            next = fmin(next, family->class->next_quarter(family->batch, over, relative, period));
    }
    return next;
}

/* Corners of one moment are all to come before it, also where t is not the first of them but the end of the run. */
void mna_hold_left(void *problem, double t)
{
    struct mna *m = problem;
    m->left_limit = isinf(t) ? t : fmin(t, corner_after(m, t - time_resolution_at(t, m->time_span)));
}

void mna_switches(void *problem, double t, const double *x, double *g)
{
    struct mna *m = problem;
    const struct instant when = instant_of(m, t);
    stand_at(m, m->asked, x);
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (!family->class->switch_count)
            continue;
        family->class->switches(family->batch, when, m->x, g);
        g += family->class->switch_count(family->batch);
    }
}

/* The family of a switch; *number becomes that in its batch. */
static const struct device_family *family_of_switch(const struct mna *m, size_t *number)
{
    for (size_t k = 0; k < m->families.count; k++) {
        const struct device_family *family = &m->families.families[k];
        const size_t count = family->class->switch_count ? family->class->switch_count(family->batch) : 0;
        if (*number < count)
            return family;
        *number -= count;
    }
    return NULL;
}

void mna_hold(void *problem, int i, int side)
{
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(problem, &number);
    if (family)
        family->class->hold(family->batch, number, side);
}

bool mna_may_be_left(void *problem, int i)
{
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(problem, &number);
    return !family || !family->class->switches_remember;
}

enum dae_rest mna_at_zero(void *problem, int i)
{
    static const enum dae_rest rests[] = {[SWITCH_REST_BY_SIGN] = DAE_REST_BY_SIGN,
                                          [SWITCH_REST_KEEPS] = DAE_REST_KEEPS,
                                          [SWITCH_REST_TURNS] = DAE_REST_TURNS};
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(problem, &number);
    return family && family->class->switch_at_zero ? rests[family->class->switch_at_zero(family->batch, number)]
                                                   : DAE_REST_BY_SIGN;
}

bool mna_rectifies(void *problem, int i, double bend[2])
{
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(problem, &number);
    bend[0] = bend[1] = 0;
    return family && family->class->switch_rectifies && family->class->switch_rectifies(family->batch, number, bend);
}

bool mna_switch_is_latch(const struct mna *m, int i)
{
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(m, &number);
    return family && family->class->switches_remember && !family->class->arrive;
}

void mna_describe_switch(void *problem, int i, char *buffer, size_t size)
{
    size_t number = (size_t)i;
    const struct device_family *family = family_of_switch(problem, &number);
    const struct element *owner = family ? family->class->switch_owner(family->batch, number) : NULL;
    if (owner)
        snprintf(buffer, size, "%s%s (line %d)", family->class->switches_remember ? "" : "a comparison in ",
                 owner->name, owner->where.line);
}

enum kn_status mna_accept(void *problem, double t, const double *x, int order, enum dae_accepted how)
{
    struct mna *m = problem;
    static const enum acceptance where[] = {
        [DAE_STEP_END] = ACCEPT_STEP, [DAE_RESTART] = ACCEPT_RESTART, [DAE_INSIDE_STEP] = ACCEPT_INSIDE};
    const struct instant when = {t, t + time_resolution_at(t, m->time_span)};
    stand_at(m, m->asked, x);
    for (size_t i = 0; i < m->accepting_count; i++) {
        const struct device_family *family = m->accepting[i];
        m->known.from = NAN; /* a wave that a delay takes in comes out of it later, with its corners */
        if (!family->class->accept(family->batch, when, m->x, order, where[how]))
            return KN_ERROR_MEMORY;
    }
    if (how != DAE_INSIDE_STEP) /* x need not be where devices have been evaluated */
        rest_settle(&m->rest, t, m->x);
    return KN_OK;
}

enum kn_status mna_arrive(void *problem, double t, const double *x)
{
    struct mna *m = problem;
    const struct instant when = {t, t + time_resolution_at(t, m->time_span)};
    enum kn_status status = KN_OK;
    stand_at(m, m->asked, x);
    for (size_t i = 0; i < m->families.count && status == KN_OK; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->arrive)
            status = family->class->arrive(family->batch, when, m->x);
    }
    m->known.from = NAN; /* there may be new corners */
    return status;
}

void mna_set_rest(struct mna *m, bool rests)
{
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->rest)
            family->class->rest(family->batch, rests);
    }
    m->known.from = NAN;
}

void mna_begin(struct mna *m, double t, const double *x)
{
    const struct instant when = {t, t + time_resolution_at(t, m->time_span)};
    stand_at(m, m->asked, x);
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->begin)
            family->class->begin(family->batch, when, m->x);
    }
    m->known.from = NAN;
}

void mna_set_dc(struct mna *m, int element, double value)
{
    const struct device_family *family = &m->families.families[m->families.family_of[element]];
    if (family->class->set_dc)
        family->class->set_dc(family->batch, (size_t)m->families.index_of[element], value);
}

void mna_set_outside(struct mna *m, const struct outside *o)
{
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->set_outside)
            family->class->set_outside(family->batch, o);
    }
}

void mna_probe(struct mna *m, double t, const double *x, const double *dxdt)
{
    stand_at(m, m->asked, x);
    if (dxdt)
        memmove(m->dxdt + 1, dxdt, (size_t)m->dae.n * sizeof *dxdt);
    const struct instant when = instant_of(m, t);
    m->flows.of = NULL;
    m->probe = (struct device_probe){.when = when,
                                     .x = m->x,
                                     .dxdt = m->dxdt,
                                     .gmin = m->options.gmin + m->extra_gmin,
                                     .near = near_at(m, when),
                                     .last = &m->flows};
}

bool mna_needs_slopes(const struct mna *m, int element)
{
    return !m->families.families[m->families.family_of[element]].class->conducts_only;
}

/* Of all nodes through which current flows, V A. */
static double power_of(const struct mna *m, const struct element *e)
{
    double sum = 0;
    for (size_t t = 0; t < e->node_count; t++)
        sum += m->x[mna_node_unknown(m, e->nodes[t]) + 1] * mna_probed_current(m, e->number, (int)t);
    return sum;
}

/* Of the place-th node; 0 where it has no such. */
static double node_voltage(const struct mna *m, const struct element *e, size_t place)
{
    return place < e->node_count ? m->x[mna_node_unknown(m, e->nodes[place]) + 1] : 0;
}

double mna_probed_quantity(const struct mna *m, int element, int quantity)
{
    const struct device_family *family = &m->families.families[m->families.family_of[element]];
    const struct element *e = &m->circuit->elements[element];
    const int own = (int)e->kind->quantities.count;
    double values[MOST_QUANTITIES];
    if (quantity >= own && quantity - own == COMMON_POWER)
        return power_of(m, e);
    if (quantity >= own && quantity - own == COMMON_CURRENT)
        return mna_probed_current(m, element, 0);
    if (quantity >= own)
        return node_voltage(m, e, 0) - node_voltage(m, e, 1);
    family->class->observe(family->batch, m->families.index_of[element], &m->probe, values);
    return values[quantity];
}

double mna_probed_current(const struct mna *m, int element, int terminal)
{
    const struct device_family *family = &m->families.families[m->families.family_of[element]];
    if (!family->class->current)
        return NAN;
    return family->class->current(family->batch, m->families.index_of[element], terminal, &m->probe);
}
