/* check.c - gathers what topology and numbers say about the index of a circuit, and finds the verdict.
 *
 * Where the theorems of topology.h apply their verdict stands, unless the numbers contradict it clearly (a charge that
 * vanishes at the point, say); where a condition of the theorems fails the numbers decide.
 */
#include "analyses/check/check.h"

#include "analyses/run_index.h"
#include "analyses/spread.h"
#include "analyses/transient/transient.h"
#include "base/text.h"
#include "mna/start/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies of sets and names ---- */

/* last[element number]: the set, from 1, that listed the element last. */
static bool copy_set(struct arena *a, const struct branch_set *from, int number, int *last, struct report_set *to)
{
    to->elements = arena_array(a, from->count + 1, sizeof *to->elements);
    if (!to->elements)
        return false;
    for (size_t i = 0; i < from->count; i++) {
        const struct element *e = from->branches[i]->element;
        if (last[e->number] != number)
            to->elements[to->count++] = e;
        last[e->number] = number;
    }
    return true;
}

static bool copy_sets(const struct index_report *r, const struct branch_sets *from, struct report_sets *to)
{
    int *last = arena_array(r->arena, r->circuit->element_count + 1, sizeof *last);
    to->sets = arena_array(r->arena, from->count + 1, sizeof *to->sets);
    if (!last || !to->sets)
        return false;
    for (size_t i = 0; i < from->count; i++)
        if (!copy_set(r->arena, &from->sets[i], (int)i + 1, last, &to->sets[to->count++]))
            return false;
    return true;
}

/* "a" of "v(a)" */
static const char *node_name(struct arena *a, const struct unknown *u)
{
    const size_t length = strlen(u->name);
    return length > 3 ? arena_text(a, u->name + 2, length - 3) : u->name;
}

static bool copy_floating(struct index_report *r)
{
    const struct topology *t = r->topology;
    const struct node_sets *kinds[] = {&t->islands, &t->floating};
    size_t count = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < kinds[k]->count; i++)
            count += kinds[k]->sets[i].count;
    struct names *out = &r->floating_nodes;
    out->names = arena_array(r->arena, count + 1, sizeof *out->names);
    bool *listed = arena_array(r->arena, (size_t)t->unknown_count + 2, sizeof *listed);
    if (!out->names || !listed)
        return false;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < kinds[k]->count; i++)
            for (size_t j = 0; j < kinds[k]->sets[i].count; j++) {
                const int node = kinds[k]->sets[i].nodes[j];
                if (!listed[node] && !(out->names[out->count++] = node_name(r->arena, &t->unknowns[node])))
                    return false;
                listed[node] = true;
            }
    return true;
}

/* Of the numbers where they speak of the verdict, else what the topology knows; none below index 2. */
static void find_orders(struct index_report *r)
{
    const struct topology *t = r->topology;
    const struct index_analysis *a = r->numbers;
    if (r->singular || r->index == 0 || r->index == 1)
        return;
    if (a && a->outcome == INDEX_KNOWN && a->index == r->index)
        memcpy(r->order + 1, a->order, (size_t)r->unknowns * sizeof *r->order);
    else
        for (size_t i = 0; i < t->index2_count; i++)
            r->order[t->index2[i].unknown] = 1;
}

static bool copy_index2(struct index_report *r)
{
    const struct topology *t = r->topology;
    bool *explained = arena_array(r->arena, (size_t)t->unknown_count + 2, sizeof *explained);
    r->index2_unknowns.names = arena_array(r->arena, (size_t)r->unknowns + 1, sizeof *r->index2_unknowns.names);
    r->index2_by_values.names = arena_array(r->arena, (size_t)r->unknowns + 1, sizeof *r->index2_by_values.names);
    if (!explained || !r->index2_unknowns.names || !r->index2_by_values.names)
        return false;
    for (size_t i = 0; i < t->index2_count; i++)
        explained[t->index2[i].unknown] = true;
    find_orders(r);
    for (int i = 1; i <= r->unknowns; i++) {
        if (r->order[i] > 0)
            r->index2_unknowns.names[r->index2_unknowns.count++] = t->unknowns[i].name;
        if (r->order[i] > 0 && !explained[i])
            r->index2_by_values.names[r->index2_by_values.count++] = t->unknowns[i].name;
    }
    return true;
}

/* ---- the point ---- */

enum { MOST_SAMPLES = 9 };

/* The last row of a run, and a few on the way. */
struct capture {
    double *x;
    size_t n;
    double *samples; /* [MOST_SAMPLES * n] */
    double times[MOST_SAMPLES];
    int count;
    double apart; /* s */
};

static enum kn_status begin_capture(void *context, const struct kn_table *table)
{
    const struct capture *c = context;
    return table->column_count == c->n + 1 ? KN_OK : KN_ERROR_ARGUMENT;
}

static enum kn_status capture_row(void *context, const double *values)
{
    struct capture *c = context;
    memcpy(c->x, values + 1, c->n * sizeof *c->x);
    if (c->count == MOST_SAMPLES || values[0] < c->count * c->apart)
        return KN_OK;
    memcpy(c->samples + (size_t)c->count * c->n, values + 1, c->n * sizeof *c->x);
    c->times[c->count++] = values[0];
    return KN_OK;
}

static enum kn_status end_capture(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static const char *constancy_words(double turned)
{
    return turned < 1e-9 ? "constant" : "turns";
}

/* Index 2 along the run: rodriguez 2000, section 3.2, says when BDF and Radau treat it like an ordinary equation. */
static enum kn_status compare_samples(struct index_report *r, const struct capture *c)
{
    struct index_point points[MOST_SAMPLES];
    struct index_constancy found;
    for (int k = 0; k < c->count; k++)
        points[k] = (struct index_point){c->times[k], c->samples + (size_t)k * c->n};
    if (c->count < 2 || c->n > MNA_MOST_DENSE)
        return KN_OK;
    const enum kn_status status = index_compare(r->mna, INDEX_CHARGE_ORIENTED, points, c->count, &found);
    if (status == KN_ERROR_CONVERGENCE || (status == KN_OK && !found.index2))
        return KN_OK;
    if (status == KN_OK)
        r->constancy =
            arena_format(r->arena, "N1 %s, S1 %s, im G1 %s (charge-oriented, at %d points)", constancy_words(found.n1),
                         constancy_words(found.s1), constancy_words(found.im_g1), c->count);
    return status == KN_OK && !r->constancy ? KN_ERROR_MEMORY : status;
}

/* Where a transient has got to at a time, with all unknowns as its columns. */
static enum kn_status run_until(struct index_report *r, double time, struct kn_diagnostics *d, double *x)
{
    struct circuit c = *r->circuit;
    c.save_count = c.print_count = 0;
    struct transient request = {.step = time / 100, .stop = time};
    if (c.transient_count > 0) {
        request = c.transients[0];
        request.stop = time;
        request.start = 0;
    }
    struct capture capture = {.x = x, .n = (size_t)mna_unknown_count(r->mna), .apart = time / (MOST_SAMPLES - 1)};
    capture.samples = arena_array(r->arena, MOST_SAMPLES * capture.n + 1, sizeof *capture.samples);
    if (!capture.samples)
        return KN_ERROR_MEMORY;
    struct kn_sink sink = {&capture, begin_capture, capture_row, end_capture};
    struct analysis_options options;
    struct analysis_summary summary;
    enum kn_status status = analysis_options_of(&c, d, &options);
    if (status == KN_OK)
        status = transient_alone(&c, &request, &options, d, &sink, &summary);
    if (status == KN_OK)
        status = compare_samples(r, &capture);
    r->point = arena_format(r->arena, "at t = %g s", time);
    return status == KN_OK && !r->point ? KN_ERROR_MEMORY : status;
}

static enum kn_status starting_point(struct index_report *r, const struct analysis_options *options,
                                     struct kn_diagnostics *d, double *x)
{
    const struct circuit *c = r->circuit;
    if (c->transient_count > 0 && c->transients[0].uic) {
        r->point = "at the initial values (uic)";
        struct consistent start = {
            .mna = r->mna, .topology = r->topology, .relative = options->relative, .span = c->transients[0].stop};
        const enum kn_status status = consistent_start(&start, 0, d, x);
        consistent_free(&start);
        return status;
    }
    const struct operating_options op = {.relative = options->relative,
                                         .time = 0,
                                         .max_iterations = options->op_iterations,
                                         .impose_initial = c->transient_count > 0,
                                         .span = c->transient_count > 0 ? c->transients[0].stop : 0};
    struct operating_report report;
    r->point = "at the operating point";
    return operating_point(r->mna, r->topology, &op, d, x, &report);
}

/* x [n]; a point that cannot be reached is replaced by x = 0, which the report says. */
static enum kn_status find_point(struct index_report *r, const struct check_options *o, struct kn_diagnostics *d,
                                 double *x)
{
    if (mna_dae(r->mna)->linear) {
        r->point = "everywhere: the circuit is linear";
        return KN_OK;
    }
    struct analysis_options options;
    struct kn_diagnostics *aside = kn_diagnostics_new();
    enum kn_status status = aside ? analysis_options_of(r->circuit, aside, &options) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = o->has_time && o->time > 0 ? run_until(r, o->time, aside, x) : starting_point(r, &options, aside, x);
    if (status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT || status == KN_ERROR_DECK) {
        const char *why = diagnostics_first_error(aside);
        diagnostics_add(d, KN_WARNING, "index-point", NOWHERE, NULL,
                        "the equations are analysed at x = 0, since the point asked for was not reached: %s",
                        why ? why : "it did not converge");
        memset(x, 0, (size_t)mna_unknown_count(r->mna) * sizeof *x);
        r->point = "at x = 0";
        status = KN_OK;
    }
    kn_diagnostics_free(aside);
    return status;
}

/* ---- the verdict ---- */

static const char *verdict_words(struct index_report *r, int index, int freedom, bool singular)
{
    if (singular)
        return "a singular pencil";
    return arena_format(r->arena, "index %d with %d degree%s of freedom", index, freedom, freedom == 1 ? "" : "s");
}

/* A charge, flux or conductance that is there in the graph and 0, or not positive, at the point. */
static const char *guess_reason(struct index_report *r)
{
    if (index_is_doubtful(r->numbers))
        return "conductances or capacitances span so many decades that round-off hides the small ones; the theorem is "
               "believed";
    if (!mna_dae(r->mna)->linear)
        return "a nonlinear charge or conductance is zero at this point, or too small to be seen beside others, which "
               "the "
               "graph cannot know; the numbers are believed for this point";
    return "values cancel each other; the numbers are believed";
}

static bool disagree(struct index_report *r)
{
    const struct index_analysis *a = r->numbers;
    const char *theorem = verdict_words(r, r->topological_index, r->degrees_of_freedom, false);
    const char *numbers = verdict_words(r, a->index, a->degrees_of_freedom, a->outcome == INDEX_SINGULAR_PENCIL);
    if (!theorem || !numbers)
        return false;
    r->disagreement = arena_format(r->arena, "topology says %s, the numbers say %s (%s): %s", theorem, numbers,
                                   r->point, guess_reason(r));
    if (!index_is_doubtful(a)) {
        r->index = r->numerical_index;
        r->singular = a->outcome == INDEX_SINGULAR_PENCIL;
        r->degrees_of_freedom = a->degrees_of_freedom;
    }
    return r->disagreement != NULL;
}

static bool say_not_decided(struct index_report *r)
{
    struct text p = TEXT(SENTENCE);
    text_add(&p, "rounding hides whether the equations determine all unknowns: ");
    spread_describe(r->mna, r->topology, r->numbers, &p);
    r->not_decided = text_keep(&p, r->arena);
    return r->not_decided != NULL;
}

static bool find_verdict(struct index_report *r, struct kn_diagnostics *d)
{
    const struct index_analysis *a = r->numbers;
    r->index = r->topological_index;
    r->degrees_of_freedom = r->topology->degrees_of_freedom;
    if (!a || a->outcome == INDEX_OPEN)
        return !a || !a->rounding || r->topological_index >= 0 || say_not_decided(r);
    r->numerical_index = a->outcome == INDEX_KNOWN ? a->index : -1;
    if (r->topological_index >= 0 && a->outcome == INDEX_KNOWN && a->index == r->topological_index &&
        a->degrees_of_freedom == r->degrees_of_freedom)
        return true;
    if (r->topological_index >= 0)
        return disagree(r);
    if (a->outcome == INDEX_SINGULAR_PENCIL && index_is_doubtful(a))
        return say_not_decided(r);
    r->index = r->numerical_index;
    r->degrees_of_freedom = a->degrees_of_freedom;
    r->singular = a->outcome == INDEX_SINGULAR_PENCIL;
    if (r->singular)
        run_index_singular(&(struct run_index){r->mna, r->topology, r->numbers}, d);
    return true;
}

static double time_of(const struct check_options *o)
{
    return o->has_time ? o->time : 0;
}

/* x [n] is filled. */
static enum kn_status analyze_numbers(struct index_report *r, const struct check_options *o, struct kn_diagnostics *d,
                                      double *x)
{
    const struct index_options options = {.spectrum = true};
    enum kn_status status = find_point(r, o, d, x);
    if (status != KN_OK)
        return status;
    const struct index_point at = {time_of(o), x};
    status = index_analyze(r->mna, r->topology, &at, &options, &r->numbers);
    if (status != KN_ERROR_CONVERGENCE)
        return status;
    r->no_numbers = "the equations are not finite at the point";
    return KN_OK;
}

static void read_topology(struct index_report *r)
{
    const struct topology *t = r->topology;
    r->index = r->topological_index = r->numerical_index = r->degrees_of_freedom = -1;
    if (t->verdict <= TOPOLOGY_INDEX_2)
        r->topological_index = (int)t->verdict;
    r->singular = t->verdict == TOPOLOGY_SINGULAR;
    r->undecided = t->because;
}

static bool copy_topology(struct index_report *r)
{
    const struct topology *t = r->topology;
    return copy_sets(r, &t->cv_loops, &r->cv_loops) && copy_sets(r, &t->li_cutsets, &r->li_cutsets) &&
           copy_sets(r, &t->v_loops, &r->v_loops) && copy_sets(r, &t->i_cutsets, &r->i_cutsets) && copy_floating(r);
}

static enum kn_status gather(struct index_report *r, const struct check_options *o, struct kn_diagnostics *d)
{
    const struct mna_options options = mna_options_of(r->circuit);
    enum kn_status status = mna_new(r->circuit, &options, d, &r->mna);
    if (status == KN_OK)
        status = topology_new(r->mna, &r->topology);
    if (status != KN_OK)
        return status;
    r->element_count = (int)r->circuit->element_count;
    r->node_count = (int)r->circuit->node_count - 1;
    r->unknowns = mna_unknown_count(r->mna);
    r->order = arena_array(r->arena, (size_t)r->unknowns + 1, sizeof *r->order);
    if (!r->order)
        return KN_ERROR_MEMORY;
    read_topology(r);
    if (!copy_topology(r))
        return KN_ERROR_MEMORY;
    if (r->singular) {
        status = topology_report_defects(r->topology, r->mna, d);
        r->no_numbers = "a singular circuit has no numbers";
        return status == KN_ERROR_CIRCUIT ? KN_OK : status;
    }
    double *x = arena_array(r->arena, (size_t)r->unknowns + 1, sizeof *x);
    status = x ? analyze_numbers(r, o, d, x) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    if (!find_verdict(r, d) || !copy_index2(r))
        return KN_ERROR_MEMORY;
    status = r->no_numbers ? KN_OK : check_near(r, time_of(o), x);
    if (status != KN_OK)
        return status;
    if (r->index < 2)
        r->constancy = NULL; /* how constant the index is matters from index 2 on only */
    return !r->singular && r->index != 0 && r->index != 1 ? check_constraints(r) : KN_OK;
}

void check_free(struct index_report *r)
{
    if (!r)
        return;
    index_free(r->numbers);
    topology_free(r->topology);
    mna_free(r->mna);
    arena_free(r->arena);
}

enum kn_status check_circuit(const struct circuit *c, const struct check_options *o, struct kn_diagnostics *d,
                             struct index_report **out)
{
    *out = NULL;
    struct arena *arena;
    struct index_report *r = arena_object(sizeof *r, &arena);
    if (!r)
        return KN_ERROR_MEMORY;
    *r = (struct index_report){.arena = arena, .circuit = c};
    const enum kn_status status = gather(r, o, d);
    if (status == KN_OK)
        *out = r;
    else
        check_free(r);
    return status;
}
