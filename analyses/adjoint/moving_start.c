/* moving_start.c - see moving_start.h. */
#include "analyses/adjoint/moving_start.h"

#include "mna/start/consistent.h"

#include <stdlib.h>
#include <string.h>

enum kn_status moving_start_init(struct moving_start *m, const struct setup *s, double span)
{
    const size_t n = (size_t)mna_unknown_count(s->mna);
    *m = (struct moving_start){.setup = s, .span = span};
    m->elements = calloc(s->circuit->element_count + 1, sizeof *m->elements);
    m->x = calloc(DERIVATIVE_POINTS * n + 1, sizeof *m->x);
    const enum kn_status status = altered_init(&m->altered, s->circuit);
    return m->elements && m->x ? status : KN_ERROR_MEMORY;
}

void moving_start_free(struct moving_start *m)
{
    altered_free(&m->altered);
    free(m->elements);
    free(m->x);
}

enum kn_status moving_start_find(const struct setup *s, struct mna *m, const struct topology *t, double span,
                                 struct kn_diagnostics *d, double *x)
{
    struct consistent c = {.mna = m,
                           .topology = t,
                           .relative = s->options->relative,
                           .span = span,
                           .index_1 = !run_index_may_be_higher(&s->index)};
    const enum kn_status status = consistent_start(&c, 0, d, x);
    consistent_free(&c);
    return status;
}

/* Equations of the circuit as altered, and their start. */
static enum kn_status start_of(const struct moving_start *m, const struct circuit *c, struct kn_diagnostics *d,
                               double *x)
{
    const struct setup *s = m->setup;
    const struct mna_options options = analysis_tolerances(c, s->options);
    struct mna *equations = NULL;
    struct topology *topology = NULL;
    enum kn_status status = mna_new(c, &options, d, &equations);
    if (status == KN_OK && mna_unknown_count(equations) != mna_unknown_count(s->mna))
        status = KN_ERROR_CIRCUIT;
    if (status == KN_OK && s->outside.value)
        mna_set_outside(equations, &s->outside);
    if (status == KN_OK)
        status = topology_new(equations, &topology);
    if (status == KN_OK)
        status = mna_set_inner(equations, &topology->list);
    if (status == KN_OK)
        status = moving_start_find(s, equations, topology, m->span, d, x);
    topology_free(topology);
    mna_free(equations);
    return status;
}

enum kn_status moving_start_follow(struct moving_start *m, const struct value *v, double h)
{
    const size_t n = (size_t)mna_unknown_count(m->setup->mna);
    struct circuit whole;
    enum kn_status status = KN_OK;
    for (int k = 0; k < DERIVATIVE_POINTS && status == KN_OK; k++) {
        struct kn_diagnostics *unheard = kn_diagnostics_new();
        altered_set(&m->altered, v, v->number + derivative_step[k] * h, false);
        altered_whole(&m->altered, m->elements, &whole);
        status = unheard ? start_of(m, &whole, unheard, m->x + (size_t)k * n) : KN_ERROR_MEMORY;
        kn_diagnostics_free(unheard);
    }
    return status == KN_OK || status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : KN_ERROR_CONVERGENCE;
}
