/* coupling.c - K: mutual inductance M = k sqrt(L1 L2) between the branches of two or more inductors.
 *
 * The flux of each inductor gets M times the current of the other; k = 1 (the ideal transformer with magnetising
 * inductance) is allowed.  With more than two inductors on one K every pair is coupled, as in SPICE.
 */
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/linear/coupling_check.h"
#include "devices/linear/inductor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const struct parameter_info instance_rows[] = {
    {"k", "", 0.0, -1.0, 1.0, "coupling coefficient, when not given after the inductors", "coeff"},
};

/* An inductor that is coupled: one K card of n of them has n (n - 1)/2 pairs, so what a pair knows must be little. */
struct coil {
    const struct element *inductor;
    struct passive parameters;
    enum kn_status status; /* whether they can be used; what is wrong has been reported */
};

/* One pair of inductors. */
struct pair {
    struct coupled_pair link;
    double mutual; /* H */
    int slots[2];  /* (first, second), (second, first) */
};

struct coupling_batch {
    struct batch base;
    struct coil *coils;
    int *coil_of; /* [element_count] index into coils, -1: not coupled */
    struct pair *pairs;
    size_t *first_pair; /* [count + 1] of each element, and how many there are */
    size_t pair_count;
};

struct coupling_maker {
    struct coupling_batch *batch;
    const struct device_input *in;
};

static bool read_coefficient(const struct device_input *in, const struct element *e, double *k)
{
    bool given[1];
    if (!element_parameters_read(e, in->diagnostics, k, given))
        return false;
    if (e->has_value)
        *k = e->value;
    if ((e->has_value || given[0]) && fabs(*k) <= 1.0)
        return true;
    if (e->has_value)
        diagnostics_add(in->diagnostics, KN_ERROR, "coupling", e->where, NULL,
                        "coupling '%s': the coefficient must be between -1 and 1, but is %g", e->name, *k);
    else
        diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where, "write K1 L1 L2 0.99",
                        "coupling '%s' has no coefficient", e->name);
    return false;
}

/* The inductor's parameters; its own faults have been reported by its own family. */
static enum kn_status read_inductor(const struct coupling_maker *m, const struct element *coupling, struct coil *c)
{
    const bool is_inductor = c->inductor->kind->law == LAW_FLUX;
    if (!is_inductor || c->inductor->law != LAW_NONE) {
        diagnostics_add(m->in->diagnostics, KN_ERROR, "coupling", coupling->where,
                        is_inductor ? "write the common flux into the Flux= expressions" : NULL,
                        "coupling '%s': '%s' is not an inductor with a fixed value", coupling->name, c->inductor->name);
        return KN_ERROR_DECK;
    }
    const struct device_input one = {&c->inductor, 1, m->in->circuit, NULL};
    struct passive *p = NULL;
    const enum kn_status status = inductor_read(&one, m->batch->base.arena, &p);
    if (status == KN_OK)
        c->parameters = *p;
    return status;
}

/* Every inductor that a K card names, once. */
static enum kn_status collect_coils(const struct coupling_maker *m)
{
    struct coupling_batch *b = m->batch;
    const struct circuit *c = m->in->circuit;
    size_t most = 0, count = 0;
    for (size_t k = 0; k < m->in->count; k++)
        most += m->in->elements[k]->control_element_count;
    b->coils = arena_array(b->base.arena, most + 1, sizeof *b->coils);
    b->coil_of = arena_array(b->base.arena, c->element_count + 1, sizeof *b->coil_of);
    if (!b->coils || !b->coil_of)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < c->element_count; i++)
        b->coil_of[i] = -1;
    for (size_t k = 0; k < m->in->count; k++) {
        const struct element *coupling = m->in->elements[k];
        for (size_t i = 0; i < coupling->control_element_count; i++) {
            const int number = coupling->control_elements[i];
            if (b->coil_of[number] >= 0)
                continue;
            struct coil *coil = &b->coils[count];
            b->coil_of[number] = (int)count++;
            coil->inductor = &c->elements[number];
            coil->status = read_inductor(m, coupling, coil);
            if (coil->status == KN_ERROR_MEMORY)
                return KN_ERROR_MEMORY;
        }
    }
    return KN_OK;
}

static const struct coil *coil_of(const struct coupling_batch *b, const struct element *inductor)
{
    return &b->coils[b->coil_of[inductor->number]];
}

static enum kn_status add_pair(const struct coupling_maker *m, const struct element *e, double k,
                               const struct element *first, const struct element *second)
{
    struct coupling_batch *b = m->batch;
    if (first == second) {
        diagnostics_add(m->in->diagnostics, KN_ERROR, "coupling", e->where, NULL,
                        "coupling '%s' names the inductor '%s' twice", e->name, first->name);
        return KN_ERROR_DECK;
    }
    const struct coil *one = coil_of(b, first), *two = coil_of(b, second);
    if (one->status != KN_OK || two->status != KN_OK)
        return KN_ERROR_DECK;
    if (one->parameters.nominal * two->parameters.nominal < 0.0) {
        diagnostics_add(m->in->diagnostics, KN_ERROR, "coupling", e->where, NULL,
                        "coupling '%s': one of '%s' and '%s' is negative, so there is no mutual inductance", e->name,
                        first->name, second->name);
        return KN_ERROR_DECK;
    }
    b->pairs[b->pair_count++] = (struct pair){.link = {e, first, second, k}};
    return KN_OK;
}

static enum kn_status add_pairs(const struct coupling_maker *m, const struct element *e)
{
    double k = 0.0;
    if (!read_coefficient(m->in, e, &k))
        return KN_ERROR_DECK;
    const struct element *elements = m->in->circuit->elements;
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < e->control_element_count; i++)
        for (size_t j = i + 1; j < e->control_element_count && status != KN_ERROR_MEMORY; j++) {
            const enum kn_status added =
                add_pair(m, e, k, &elements[e->control_elements[i]], &elements[e->control_elements[j]]);
            status = added != KN_OK ? added : status;
        }
    return status;
}

/* ---- faults of the whole set ---- */

static int lower(const struct pair *p)
{
    return p->link.first->number < p->link.second->number ? p->link.first->number : p->link.second->number;
}

static int upper(const struct pair *p)
{
    return p->link.first->number < p->link.second->number ? p->link.second->number : p->link.first->number;
}

/* Pairs sorted by the inductors they couple, then by appearance. */
static int compare_pairs(const void *a, const void *b)
{
    const struct pair *p = *(const struct pair *const *)a, *q = *(const struct pair *const *)b;
    if (lower(p) != lower(q))
        return lower(p) < lower(q) ? -1 : 1;
    if (upper(p) != upper(q))
        return upper(p) < upper(q) ? -1 : 1;
    return p->link.coupling->number < q->link.coupling->number ? -1
                                                               : p->link.coupling->number > q->link.coupling->number;
}

static enum kn_status check_duplicates(const struct coupling_maker *m)
{
    struct coupling_batch *b = m->batch;
    const struct pair **sorted = calloc(b->pair_count + 1, sizeof *sorted);
    if (!sorted)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < b->pair_count; i++)
        sorted[i] = &b->pairs[i];
    qsort(sorted, b->pair_count, sizeof *sorted, compare_pairs);
    enum kn_status status = KN_OK;
    for (size_t i = 1; i < b->pair_count; i++) {
        const struct pair *p = sorted[i - 1], *q = sorted[i];
        if (lower(p) != lower(q) || upper(p) != upper(q))
            continue;
        diagnostics_add(m->in->diagnostics, KN_ERROR, "coupling", q->link.coupling->where, "keep one of the two",
                        "coupling '%s' couples '%s' and '%s', which '%s' (line %d) couples already",
                        q->link.coupling->name, q->link.first->name, q->link.second->name, p->link.coupling->name,
                        p->link.coupling->where.line);
        status = KN_ERROR_DECK;
    }
    free(sorted);
    return status;
}

static enum kn_status check_energy(const struct coupling_maker *m)
{
    const struct coupling_batch *b = m->batch;
    struct coupled_pair *links = calloc(b->pair_count + 1, sizeof *links);
    if (!links)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < b->pair_count; i++)
        links[i] = b->pairs[i].link;
    const enum kn_status status = coupling_check_energy(links, b->pair_count, m->in->circuit, m->in->diagnostics);
    free(links);
    return status;
}

static size_t count_pairs(const struct device_input *in)
{
    size_t count = 0;
    for (size_t k = 0; k < in->count; k++) {
        const size_t n = in->elements[k]->control_element_count;
        count += n ? n * (n - 1) / 2 : 0;
    }
    return count;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct coupling_batch *b = batch;
    const struct coupling_maker m = {b, in};
    b->pairs = arena_array(b->base.arena, count_pairs(in) + 1, sizeof *b->pairs);
    b->first_pair = arena_array(b->base.arena, in->count + 1, sizeof *b->first_pair);
    if (!b->pairs || !b->first_pair)
        return KN_ERROR_MEMORY;
    enum kn_status status = collect_coils(&m);
    for (size_t k = 0; k < in->count && status != KN_ERROR_MEMORY; k++) {
        const enum kn_status added = add_pairs(&m, in->elements[k]);
        b->first_pair[k + 1] = b->pair_count;
        status = added != KN_OK ? added : status;
    }
    if (status == KN_OK)
        status = check_duplicates(&m);
    return status == KN_OK ? check_energy(&m) : status;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct coupling_batch *b = batch;
    bool good = true;
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1] && good; i++) {
        struct pair *p = &b->pairs[i];
        const int first = setup_current_of(s, p->link.first), second = setup_current_of(s, p->link.second);
        good = setup_entry(s, first, second, &p->slots[0]) && setup_entry(s, second, first, &p->slots[1]);
    }
    return good;
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct coupling_batch *b = batch;
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1]; i++) {
        struct pair *p = &b->pairs[i];
        p->mutual = p->link.coefficient * sqrt(inductor_value(&coil_of(b, p->link.first)->parameters, temperature) *
                                               inductor_value(&coil_of(b, p->link.second)->parameters, temperature));
    }
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct coupling_batch *b = batch;
    (void)G;
    for (size_t k = 0; k < b->pair_count; k++) {
        C[b->pairs[k].slots[0]] -= b->pairs[k].mutual;
        C[b->pairs[k].slots[1]] -= b->pairs[k].mutual;
    }
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct coupling_batch *b = batch;
    bool good = true;
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1] && good; i++) {
        const struct coupled_pair *link = &b->pairs[i].link;
        good = branch_couple(list, link->coupling, link->first, link->second, link->coefficient);
    }
    return good;
}

const struct device_class coupling_class = {
    .kind =
        {
            .letter = 'k',
            .noun = "coupling",
            .usage = "L1 L2 coefficient",
            .form = CARD_COUPLING,
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows, NULL},
        },
    .batch_size = sizeof(struct coupling_batch),
    .fill = fill,
    .connect = connect,
    .prepare = prepare,
    .stamp = stamp,
    .branches = branches,
};
