/* moving_start.c - see moving_start.h. */
#include "analyses/adjoint/moving_start.h"

#include "mna/start/consistent.h"
#include "mna/start/initial_values_kept.h"

#include <stdlib.h>
#include <string.h>

/* out [n + values]; count: values there must be, or NULL. */
static enum kn_status copy_given(const struct initial_values *g, const struct mna *equations, const size_t *count,
                                 size_t *found, double *out)
{
    const size_t n = (size_t)mna_unknown_count(equations);
    struct arena *memory = arena_new();
    double *list;
    enum kn_status status = memory ? initial_values_list(g, equations, memory, &list, found) : KN_ERROR_MEMORY;
    if (status == KN_OK && count && *found != *count)
        status = KN_ERROR_CIRCUIT;
    if (status == KN_OK && out) {
        memcpy(out, g->q, n * sizeof *out);
        memcpy(out + n, list, *found * sizeof *out);
    }
    arena_free(memory);
    return status;
}

enum kn_status moving_start_init(struct moving_start *m, struct setup *s, double span)
{
    const size_t n = (size_t)mna_unknown_count(s->mna);
    *m = (struct moving_start){.setup = s, .span = span};
    enum kn_status status = altered_init(&m->altered, s->circuit);
    if (status == KN_OK)
        status = initial_values_init(&m->given, s->mna, s->topology, NULL);
    if (status == KN_OK)
        status = copy_given(&m->given, s->mna, NULL, &m->values, NULL);
    m->elements = calloc(s->circuit->element_count + 1, sizeof *m->elements);
    m->x = calloc(DERIVATIVE_POINTS * (n + m->values) + 1, sizeof *m->x);
    return m->elements && m->x ? status : KN_ERROR_MEMORY;
}

void moving_start_free(struct moving_start *m)
{
    altered_free(&m->altered);
    initial_values_free(&m->given);
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

/* Of the circuit as altered: its start, or what is given. */
typedef enum kn_status finder(const struct moving_start *m, struct mna *equations, const struct topology *t,
                              struct kn_diagnostics *d, double *out);

static enum kn_status find_whole_start(const struct moving_start *m, struct mna *equations, const struct topology *t,
                                       struct kn_diagnostics *d, double *out)
{
    const enum kn_status status = mna_set_inner(equations, &t->list);
    return status == KN_OK ? moving_start_find(m->setup, equations, t, m->span, d, out) : status;
}

static enum kn_status find_given(const struct moving_start *m, struct mna *equations, const struct topology *t,
                                 struct kn_diagnostics *d, double *out)
{
    struct initial_values given;
    size_t count;
    enum kn_status status = initial_values_init(&given, equations, t, d);
    if (status == KN_OK)
        status = copy_given(&given, equations, &m->values, &count, out);
    initial_values_free(&given);
    return status;
}

static enum kn_status find_in(const struct moving_start *m, const struct circuit *c, finder *find,
                              struct kn_diagnostics *d, double *out)
{
    struct setup *s = m->setup;
    struct mna_options options = analysis_tolerances(c, s->options);
    options.interrupted = setup_is_stopped;
    options.context = s;
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
        status = find(m, equations, topology, d, out);
    topology_free(topology);
    mna_free(equations);
    return status;
}

/* With number + step[k] h. */
static enum kn_status find_each(struct moving_start *m, const struct value *v, double h, finder *find, size_t size,
                                const double *step, int count)
{
    struct circuit whole;
    enum kn_status status = KN_OK;
    for (int k = 0; k < count && status == KN_OK; k++) {
        struct kn_diagnostics *unheard = kn_diagnostics_new();
        altered_set(&m->altered, v, v->number + step[k] * h, false);
        altered_whole(&m->altered, m->elements, &whole);
        status = unheard ? find_in(m, &whole, find, unheard, m->x + (size_t)k * size) : KN_ERROR_MEMORY;
        kn_diagnostics_free(unheard);
    }
    return status == KN_OK || status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : KN_ERROR_CONVERGENCE;
}

enum kn_status moving_start_follow(struct moving_start *m, const struct value *v, double h)
{
    static const double beside[2] = {1, -1};
    return find_each(m, v, h, find_whole_start, (size_t)mna_unknown_count(m->setup->mna), beside, 2);
}

enum kn_status moving_start_given(struct moving_start *m, const struct value *v, double h)
{
    const size_t size = (size_t)mna_unknown_count(m->setup->mna) + m->values;
    return find_each(m, v, h, find_given, size, derivative_step, DERIVATIVE_POINTS);
}
