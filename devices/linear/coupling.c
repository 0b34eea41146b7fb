/* coupling.c - K: mutual inductance M = k sqrt(L1 L2) between the branches of two or more inductors.
 *
 * The flux of each inductor gets M times the current of the other; k = 1 (the ideal transformer with magnetising
 * inductance) is allowed.  With more than two inductors on one K every pair is coupled, as in SPICE.  Several cards for
 * one pair add up in ngspice; in Xyce the last one counts; of other programs it is not known.
 *
 * A card of n inductors has n (n - 1) entries of the matrix, which fill factors.  But the matrix of one coefficient is a
 * diagonal and one of rank 1: with a common current w, an unknown of its own,
 *     w = k sum_j sqrt(L_j / L) i_j,     Phi_i = (1 - k) L_i i_i + sqrt(L_i L) w,     L: that of the first,
 * which is what cards of many inductors are that stand on no other.
 */
#include "base/text.h"
#include "devices/batch.h"
#include "devices/couplings.h"
#include "devices/families.h"
#include "devices/linear/inductor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const struct parameter_info instance_rows[] = {
    {"k", "", 0.0, -1.0, 1.0, "coupling coefficient, when not given after the inductors", "coeff"},
};

/* Groups of more coupled inductors are not judged by their matrix. */
enum { MOST_WINDINGS = 10000 };

/* Coils of a card from which on it has a common current.  That pays from few on (bench/scaling.awk: 20 coils 13 instead of 21 ms, 60
 * coils 17 instead of 29, 100 coils 22 instead of 74, 1,000 coils 0.3 instead of 9 s), but is one more unknown where few are looked at. */
enum { WORTH_JOINING = 50 };

/* An inductor that is coupled: one K card of n of them has n (n - 1)/2 pairs, so what a pair knows must be little. */
struct coil {
    const struct element *inductor;
    struct passive parameters;
    enum kn_status status; /* whether they can be used; what is wrong has been reported */
};

struct pair {
    double mutual; /* H */
    int slots[2];  /* (first, second), (second, first) */
};

/* One that is coupled with all others of its card by way of their common current. */
struct winding {
    const struct coil *coil;
    double flux;  /* H, of the common current */
    double share; /* of its current in the common one */
    double own;   /* H, of what its own current has in both */
    int flux_slot, share_slot, own_slot;
};

/* A card whose coils are in no other. */
struct joint {
    struct winding *windings; /* [count]; NULL: the card is stated in pairs */
    size_t count;
    double coefficient;
    int common, slot; /* its unknown, and the entry of that in its own row */
};

struct coupling_batch {
    struct batch base;
    struct joint *joints; /* [count] */
    struct coil *coils;
    int *coil_of;               /* [element_count] index into coils, -1: not coupled */
    struct coupling *couplings; /* [pair_count], of two inductors each */
    struct pair *pairs;         /* [pair_count] */
    size_t *first_pair;         /* [count + 1] of each element, and how many there are */
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
    const bool is_inductor = c->inductor->kind == &inductor_class.kind;
    if (!is_inductor || c->inductor->law != LAW_NONE) {
        diagnostics_add(m->in->diagnostics, KN_ERROR, "coupling", coupling->where,
                        c->inductor->kind == &winding_class.kind ? "it is on a core, which couples all its windings"
                        : is_inductor                            ? "write the common flux into the Flux= expressions"
                                                                 : NULL,
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
    b->couplings[b->pair_count++] = (struct coupling){e, first, second, k};
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

static int lower(const struct coupling *p)
{
    return p->first->number < p->second->number ? p->first->number : p->second->number;
}

static int upper(const struct coupling *p)
{
    return p->first->number < p->second->number ? p->second->number : p->first->number;
}

/* Pairs sorted by the inductors they couple, then by appearance. */
static int compare_pairs(const void *a, const void *b)
{
    const struct coupling *p = *(const struct coupling *const *)a, *q = *(const struct coupling *const *)b;
    if (lower(p) != lower(q))
        return lower(p) < lower(q) ? -1 : 1;
    if (upper(p) != upper(q))
        return upper(p) < upper(q) ? -1 : 1;
    return p->element->number < q->element->number ? -1 : p->element->number > q->element->number;
}

/* How a dialect takes several cards for one pair. */
static bool is_last(const struct device_input *in)
{
    return in->circuit->dialect == DIALECT_XYCE;
}

static bool is_sum(const struct device_input *in)
{
    const enum dialect d = in->circuit->dialect;
    return d == DIALECT_NGSPICE || d == DIALECT_KICAD || d == DIALECT_SPICE;
}

/* Of two cards for one pair the first one gets what both are together; the second one is marked as left out. */
static enum kn_status merge(const struct coupling_maker *m, struct coupling *p, struct coupling *q)
{
    const bool last = is_last(m->in), known = last || is_sum(m->in);
    const char *hint = !known ? "keep one of the two"
                       : last ? "the last one counts, as in Xyce"
                              : "their coefficients are added, as in ngspice";
    diagnostics_add(m->in->diagnostics, known ? KN_WARNING : KN_ERROR, "coupling", q->element->where, hint,
                    "coupling '%s' couples '%s' and '%s', which '%s' (line %d) couples already", q->element->name,
                    q->first->name, q->second->name, p->element->name, p->element->where.line);
    p->coefficient = q->coefficient + (last ? 0 : p->coefficient);
    q->element = NULL;
    return known ? KN_OK : KN_ERROR_DECK;
}

/* Without those left out. */
static void close_gaps(struct coupling_batch *b, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0, i = 0; k < count; k++) {
        const size_t end = b->first_pair[k + 1];
        for (; i < end; i++)
            if (b->couplings[i].element)
                b->couplings[kept++] = b->couplings[i];
        b->first_pair[k + 1] = kept;
    }
    b->pair_count = kept;
}

static enum kn_status merge_duplicates(const struct coupling_maker *m)
{
    struct coupling_batch *b = m->batch;
    struct coupling **sorted = calloc(b->pair_count + 1, sizeof *sorted);
    if (!sorted)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < b->pair_count; i++)
        sorted[i] = &b->couplings[i];
    qsort(sorted, b->pair_count, sizeof *sorted, compare_pairs);
    enum kn_status status = KN_OK;
    for (size_t i = 1, first = 0; i < b->pair_count; i++) {
        struct coupling *p = sorted[first], *q = sorted[i];
        if (lower(p) != lower(q) || upper(p) != upper(q)) {
            first = i;
            continue;
        }
        const enum kn_status one = merge(m, p, q);
        status = one != KN_OK ? one : status;
    }
    free(sorted);
    close_gaps(b, m->in->count);
    return status;
}

static void warn(const struct coupling_group *g, struct kn_diagnostics *d)
{
    struct text names = TEXT(200);
    struct text_list list = text_list(&names, ", ", 0);
    for (int i = 0; i < g->count; i++)
        text_list_add(&list, g->coils[i]->name);
    text_list_end(&list);
    diagnostics_add(d, KN_WARNING, "coupling", g->first->element->where,
                    "check the signs and the missing pairs; windings that share a core are all coupled",
                    "no real windings have the coupling coefficients given for %s: the stored energy could become "
                    "negative and the circuit unstable",
                    names.at);
}

/* Couplings but those of cards on which one common current couples all coils, with k >= 0: their matrix (1 - k) I + k 1 1' is
 * positive definite. */
static size_t copy_doubtful(const struct coupling_batch *b, struct coupling *out)
{
    size_t count = 0;
    for (size_t k = 0; k < b->base.count; k++)
        for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1]; i++)
            if (!b->joints[k].windings || b->joints[k].coefficient < 0)
                out[count++] = b->couplings[i];
    return count;
}

static enum kn_status check_energy(const struct coupling_maker *m)
{
    const struct coupling_batch *b = m->batch;
    struct coupling_group *groups;
    int count;
    struct arena *memory = arena_new();
    struct coupling *list = memory ? arena_array(memory, b->pair_count + 1, sizeof *list) : NULL;
    const bool good = list && coupling_groups(memory, list, copy_doubtful(b, list), MOST_WINDINGS, &groups, &count);
    for (int i = 0; good && i < count; i++)
        if (groups[i].energy == ENERGY_NEGATIVE)
            warn(&groups[i], m->in->diagnostics);
    arena_free(memory);
    return good ? KN_OK : KN_ERROR_MEMORY;
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

/* ---- cards of many coils ---- */

/* How many cards that name several elements name each one, [element_count].  Those that a variant of the circuit leaves out
 * (analyses/small_signal/values.h) count, so that it has the same equations. */
static int *count_cards(const struct coupling_batch *b, const struct circuit *c)
{
    int *cards = arena_array(b->base.arena, c->element_count + 1, sizeof *cards);
    for (size_t k = 0; cards && k < c->element_count; k++)
        for (size_t i = 0; c->elements[k].control_element_count > 1 && i < c->elements[k].control_element_count; i++)
            cards[c->elements[k].control_elements[i]]++;
    return cards;
}

static bool can_be_joint(const struct coupling *first, const int *cards)
{
    const struct element *e = first->element;
    size_t i = 0;
    while (i < e->control_element_count && cards[e->control_elements[i]] == 1)
        i++;
    return i >= WORTH_JOINING && i == e->control_element_count && fabs(first->coefficient) < 1;
}

static bool make_joint(const struct coupling_batch *b, const struct coupling *first, struct joint *j)
{
    j->count = first->element->control_element_count;
    j->coefficient = first->coefficient;
    j->windings = arena_array(b->base.arena, j->count, sizeof *j->windings);
    for (size_t i = 0; j->windings && i < j->count; i++)
        j->windings[i].coil = &b->coils[b->coil_of[first->element->control_elements[i]]];
    return j->windings != NULL;
}

static bool make_joints(const struct coupling_maker *m)
{
    struct coupling_batch *b = m->batch;
    const int *cards = count_cards(b, m->in->circuit);
    bool good = cards != NULL;
    for (size_t k = 0; good && k < m->in->count; k++) {
        const struct coupling *first = &b->couplings[b->first_pair[k]];
        if (b->first_pair[k] < b->first_pair[k + 1] && can_be_joint(first, cards))
            good = make_joint(b, first, &b->joints[k]);
    }
    return good;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct coupling_batch *b = batch;
    const struct coupling_maker m = {b, in};
    b->pairs = arena_array(b->base.arena, count_pairs(in) + 1, sizeof *b->pairs);
    b->couplings = arena_array(b->base.arena, count_pairs(in) + 1, sizeof *b->couplings);
    b->first_pair = arena_array(b->base.arena, in->count + 1, sizeof *b->first_pair);
    b->joints = arena_array(b->base.arena, in->count + 1, sizeof *b->joints);
    if (!b->pairs || !b->couplings || !b->first_pair || !b->joints)
        return KN_ERROR_MEMORY;
    enum kn_status status = collect_coils(&m);
    for (size_t k = 0; k < in->count && status != KN_ERROR_MEMORY; k++) {
        const enum kn_status added = add_pairs(&m, in->elements[k]);
        b->first_pair[k + 1] = b->pair_count;
        status = added != KN_OK ? added : status;
    }
    if (status == KN_OK)
        status = merge_duplicates(&m);
    if (status == KN_OK && !make_joints(&m))
        status = KN_ERROR_MEMORY;
    return status == KN_OK ? check_energy(&m) : status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct coupling_batch *b = batch;
    struct joint *j = &b->joints[k];
    if (!j->windings)
        return true;
    j->common = setup_branch_current(s, b->base.elements[k], "common");
    setup_signal(s, j->common, UNKNOWN_CURRENT, 1, 1);
    return j->common >= 0;
}

static bool connect_joint(struct joint *j, struct device_setup *s)
{
    bool good = setup_entry(s, j->common, j->common, &j->slot);
    for (size_t i = 0; i < j->count && good; i++) {
        struct winding *w = &j->windings[i];
        const int current = setup_current_of(s, w->coil->inductor);
        good = setup_entry(s, current, j->common, &w->flux_slot) &&
               setup_entry(s, j->common, current, &w->share_slot) && setup_entry(s, current, current, &w->own_slot);
    }
    return good;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct coupling_batch *b = batch;
    bool good = true;
    if (b->joints[k].windings)
        return connect_joint(&b->joints[k], s);
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1] && good; i++) {
        const int first = setup_current_of(s, b->couplings[i].first),
                  second = setup_current_of(s, b->couplings[i].second);
        good = setup_entry(s, first, second, &b->pairs[i].slots[0]) &&
               setup_entry(s, second, first, &b->pairs[i].slots[1]);
    }
    return good;
}

static double winding_inductance(const struct winding *w, double temperature)
{
    return fabs(inductor_value(&w->coil->parameters, temperature)); /* all have one sign, and M = k sqrt(L1 L2) > 0 */
}

/* The scale L is that of one coil and not the largest, which has a kink where values of circuits are varied. */
static void prepare_joint(struct joint *j, double temperature)
{
    const double first = winding_inductance(&j->windings[0], temperature), scale = first > 0 ? first : 1;
    for (size_t i = 0; i < j->count; i++) {
        struct winding *w = &j->windings[i];
        const double inductance = winding_inductance(w, temperature);
        w->own = j->coefficient * inductance;
        w->share = j->coefficient * sqrt(inductance / scale);
        w->flux = sqrt(inductance * scale);
    }
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct coupling_batch *b = batch;
    if (b->joints[k].windings) {
        prepare_joint(&b->joints[k], temperature);
        return;
    }
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1]; i++) {
        const struct coupling *c = &b->couplings[i];
        const double first = inductor_value(&coil_of(b, c->first)->parameters, temperature);
        const double second = inductor_value(&coil_of(b, c->second)->parameters, temperature);
        b->pairs[i].mutual = c->coefficient * sqrt(first * second);
    }
}

static void stamp_joint(const struct joint *j, double *G, double *C)
{
    G[j->slot] += 1;
    for (size_t i = 0; i < j->count; i++) {
        const struct winding *w = &j->windings[i];
        G[w->share_slot] -= w->share;
        C[w->flux_slot] -= w->flux;
        C[w->own_slot] += w->own;
    }
}

static void stamp_pairs(const struct coupling_batch *b, size_t k, double *C)
{
    for (size_t i = b->first_pair[k]; i < b->first_pair[k + 1]; i++) {
        C[b->pairs[i].slots[0]] -= b->pairs[i].mutual;
        C[b->pairs[i].slots[1]] -= b->pairs[i].mutual;
    }
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct coupling_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        if (b->joints[k].windings)
            stamp_joint(&b->joints[k], G, C);
        else
            stamp_pairs(b, k, C);
    }
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct coupling_batch *b = batch;
    size_t i = b->first_pair[k];
    while (i < b->first_pair[k + 1] && branch_couple(list, &b->couplings[i]))
        i++;
    return i == b->first_pair[k + 1];
}

/* That of the currents that coils begin with, others with 0. */
static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct coupling_batch *b = batch;
    const struct joint *j = &b->joints[k];
    struct initial_value v = {
        .kind = INITIAL_CURRENT, .plus = j->common, .element = b->base.elements[k], .settled = true};
    bool given = false;
    for (size_t i = 0; j->windings && i < j->count; i++) {
        const struct coil *c = j->windings[i].coil;
        given = given || c->parameters.has_initial;
        if (c->parameters.has_initial)
            v.value += j->windings[i].share * c->parameters.initial * element_multiplicity(c->inductor);
    }
    return !given || initial_add(list, &v);
}

const struct device_class coupling_class = {
    .kind =
        {
            ELEMENT_KIND('k', "coupling", NULL, "L1 L2 coefficient", CARD_COUPLING),
            .instance = {instance_rows, sizeof instance_rows / sizeof *instance_rows, NULL},
        },
    .batch_size = sizeof(struct coupling_batch),
    .fill = fill,
    .number = number,
    .connect = connect,
    .prepare = prepare,
    .stamp = stamp,
    .branches = branches,
    .initial = initial,
};
