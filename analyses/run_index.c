/* run_index.c - see run_index.h. */
#include "analyses/run_index.h"

#include "analyses/spread.h"

#include <stdlib.h>
#include <string.h>

/* Unknowns up to which dense matrices decide, and loops and cutsets up to which sparse ones do: a run waits for it. */
enum { MOST_DENSE = 100, MOST_SETS = 400 };

/* ---- numbers ---- */

void run_index_free(struct run_index *s)
{
    index_free(s->numbers);
    s->numbers = NULL;
}

static enum kn_status find_numbers(struct run_index *s, const double *x)
{
    const struct index_options options = {.most_dense = MOST_DENSE, .most_sets = MOST_SETS};
    const struct index_point at = {0, x};
    run_index_free(s); /* numbers of an earlier analysis */
    const enum kn_status status = index_analyze(s->mna, s->topology, &at, &options, &s->numbers);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status; /* not finite there: the run will tell */
}

static bool is_known(const struct run_index *s)
{
    return s->numbers && s->numbers->outcome == INDEX_KNOWN;
}

/* ---- classes ---- */

/* Voltages of a part that hangs on inductors and current sources only, joined inside by other branches, are of index 2 by what
 * they have in common (D. Estevez Schwarz and C. Tischendorf, Int. J. Circ. Theor. Appl. 28 (2000) 131-162); the first of
 * them stands for it.  Where a controlled source breaks the conditions of the theorems this is not known. */
static enum kn_status mark_parts(const struct run_index *s, const enum dae_class *classes)
{
    const struct node_sets *parts = &s->topology->li_parts;
    const int n = mna_unknown_count(s->mna);
    if (parts->count == 0 || s->topology->verdict != TOPOLOGY_INDEX_2)
        return KN_OK;
    int *beside = malloc(((size_t)n + 1) * sizeof *beside);
    if (!beside)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n; i++)
        beside[i] = -1;
    for (size_t k = 0; k < parts->count; k++) {
        int first = -1;
        for (size_t j = 0; j < parts->sets[k].count; j++) {
            const int i = parts->sets[k].nodes[j] - 1;
            if (classes[i] != DAE_INDEX2)
                continue;
            if (first >= 0)
                beside[i] = first;
            else
                first = i;
        }
    }
    const enum kn_status status = mna_set_beside(s->mna, beside);
    free(beside);
    return status;
}

static enum kn_status mark_index2(const struct run_index *s)
{
    const size_t n = (size_t)mna_unknown_count(s->mna);
    enum dae_class *classes = malloc((n + 1) * sizeof *classes);
    if (!classes)
        return KN_ERROR_MEMORY;
    memcpy(classes, mna_dae(s->mna)->classes, n * sizeof *classes);
    if (is_known(s))
        for (int i = 0; i < s->numbers->derivative_count; i++)
            classes[s->numbers->derivative[i]] = DAE_INDEX2;
    else
        for (size_t i = 0; i < s->topology->index2_count; i++)
            classes[s->topology->index2[i].unknown - 1] = DAE_INDEX2;
    mna_set_classes(s->mna, classes);
    const enum kn_status status = mark_parts(s, classes);
    free(classes);
    return status;
}

/* The run goes on: it may well find a solution. */
static void warn_not_decided(const struct run_index *s, struct kn_diagnostics *d)
{
    struct text p = TEXT(SENTENCE);
    const bool singular = s->numbers && s->numbers->outcome == INDEX_SINGULAR_PENCIL;
    if (!singular && (!s->numbers || s->numbers->outcome != INDEX_OPEN || !s->numbers->rounding))
        return;
    spread_describe(s->mna, s->topology, s->numbers, &p);
    diagnostics_add(d, KN_WARNING, "index-open", NOWHERE,
                    "results may be off by more than the tolerance: make such values less extreme",
                    "rounding hides whether the equations have one solution, and which index: %s", p.at);
}

enum kn_status run_index_init(struct run_index *s, struct mna *m, const struct topology *t, struct kn_diagnostics *d)
{
    *s = (struct run_index){m, t, NULL};
    const size_t n = (size_t)mna_unknown_count(m);
    if (t->verdict != TOPOLOGY_UNDECIDED)
        return mark_index2(s);
    if (!mna_dae(m)->linear)
        return KN_OK;
    double *x = calloc(n + 1, sizeof *x);
    enum kn_status status = x ? find_numbers(s, x) : KN_ERROR_MEMORY;
    free(x);
    if (status == KN_OK && s->numbers && s->numbers->outcome == INDEX_SINGULAR_PENCIL &&
        !index_is_doubtful(s->numbers)) {
        run_index_singular(s, d);
        return KN_ERROR_CIRCUIT;
    }
    if (status == KN_OK)
        warn_not_decided(s, d);
    return status == KN_OK ? mark_index2(s) : status;
}

enum kn_status run_index_start(struct run_index *s, const double *x)
{
    if (s->topology->verdict != TOPOLOGY_UNDECIDED || mna_dae(s->mna)->linear)
        return KN_OK;
    const enum kn_status status = find_numbers(s, x);
    return status == KN_OK ? mark_index2(s) : status;
}

bool run_index_may_be_higher(const struct run_index *s)
{
    if (s->topology->verdict == TOPOLOGY_INDEX_0 || s->topology->verdict == TOPOLOGY_INDEX_1)
        return false;
    return !(is_known(s) && mna_dae(s->mna)->linear && s->numbers->index < 2);
}

int run_index_of_derivatives(const struct run_index *s)
{
    const int index = is_known(s) ? s->numbers->index : s->topology->verdict == TOPOLOGY_INDEX_2 ? 2 : 0;
    return index < 2 ? 0 : index;
}

bool run_index_is_above_2(const struct run_index *s)
{
    return is_known(s) && s->numbers->index > 2;
}

/* ---- messages ---- */

enum { MOST_NAMES = 5 };

/* The first loop or cutset; NULL if there is none. */
static const struct branch_set *add_cause(const struct topology *t, struct text *cause)
{
    const size_t causes = t->cv_loops.count + t->li_cutsets.count;
    if (causes == 0)
        return NULL;
    const bool loop = t->cv_loops.count > 0;
    const struct branch_set *first = loop ? &t->cv_loops.sets[0] : &t->li_cutsets.sets[0];
    text_format(cause, "the %s ", loop ? "C-V loop" : "L-I cutset");
    branch_set_list(cause, first, t->file, " - ", 0);
    if (causes > 1)
        text_format(cause, " and %zu more", causes - 1);
    return first;
}

static size_t count_names(const struct run_index *s)
{
    return is_known(s) ? (size_t)s->numbers->derivative_count : s->topology->index2_count;
}

static const char *name_of(const struct run_index *s, size_t i)
{
    const int unknown = is_known(s) ? s->numbers->derivative[i] + 1 : s->topology->index2[i].unknown;
    return s->topology->unknowns[unknown].name;
}

static void add_names(const struct run_index *s, struct text *p)
{
    struct text_list list = text_list(p, ", ", MOST_NAMES);
    for (size_t i = 0; i < count_names(s); i++)
        text_list_add(&list, name_of(s, i));
    text_list_end_counted(&list);
}

/* The element that breaks a condition of the theorems. */
static const struct branch *culprit_of(const struct topology *t)
{
    for (size_t i = 0; i < t->condition_count; i++)
        if (t->conditions[i].rule == CONDITION_VIOLATED)
            return t->conditions[i].branch;
    return NULL;
}

static const char *index_words(const struct run_index *s, struct text *p)
{
    if (is_known(s))
        text_format(p, "%d", s->numbers->index);
    else
        text_add(p, s->topology->verdict == TOPOLOGY_INDEX_2 ? "2" : "2 or more");
    return p->at;
}

/* The unknowns that the highest derivatives enter. */
static void add_highest(const struct run_index *s, struct text *p)
{
    const struct index_analysis *a = s->numbers;
    struct text_list list = text_list(p, ", ", MOST_NAMES);
    for (int i = 0; i < a->n; i++)
        if (a->order[i] == a->index - 1)
            text_list_add(&list, s->topology->unknowns[i + 1].name);
    text_list_end_counted(&list);
    if (list.given == 0)
        text_add(p, "these");
}

/* Steps at the start are as short as rounding of first derivatives allows; third ones are noise there. */
static const char *hint_of_high_index(const struct run_index *s, struct kn_diagnostics *d)
{
    struct text names = TEXT(SENTENCE);
    const int index = s->numbers->index;
    add_highest(s, &names);
    return diagnostics_hint(d, "noise reaches %s amplified by 1/h^%d%s", names.at, index - 1,
                            index == 3 ? ", and no step size control can remove it; knoten check tells more"
                                       : ": values at the start and after corners are not to be trusted; smooth "
                                         "sources are the least evil");
}

void run_index_note(const struct run_index *s, struct kn_diagnostics *d)
{
    struct text names = TEXT(SENTENCE), cause = TEXT(SENTENCE), index = TEXT(SENTENCE);
    const size_t count = count_names(s);
    if (!run_index_may_be_higher(s) || count == 0 || (is_known(s) && s->numbers->index < 2))
        return;
    const struct branch_set *first = add_cause(s->topology, &cause);
    const struct branch *culprit = culprit_of(s->topology);
    if (!first)
        text_add(&cause, "the values of its elements");
    add_names(s, &names);
    const bool high = is_known(s) && s->numbers->index > 2;
    const struct kn_location where = first     ? first->branches[0]->element->where
                                     : culprit ? culprit->element->where
                                               : NOWHERE;
    if (high)
        diagnostics_add(d, KN_WARNING, "index-2", where, hint_of_high_index(s, d),
                        "the equations have index %s: %s; %s depend%s on derivatives of the sources",
                        index_words(s, &index), cause.at, names.at, count == 1 ? "s" : "");
    else
        diagnostics_add(
            d, KN_NOTE, "index-2", (struct kn_location){.file = where.file}, NULL, /* many sound circuits are */
            "index %s by %s: %s depend%s on slopes of the sources, and %s error%s not shorten steps; knoten "
            "check says more",
            index_words(s, &index), cause.at, names.at, count == 1 ? "s" : "", count == 1 ? "its" : "their",
            count == 1 ? " does" : "s do");
}

/* What no equation contains is free whatever the others say. */
static void say_absent(const struct run_index *s, struct kn_diagnostics *d)
{
    char elements[300];
    const int absent = s->numbers->absent;
    mna_describe(s->mna, absent, elements, sizeof elements);
    diagnostics_add(d, KN_ERROR, "singular-pencil", mna_unknown_place(s->mna, absent),
                    "connect it to something that decides its value",
                    "the equations have no unique solution, whatever the sources do: nothing determines %s (elements "
                    "there: %s)",
                    mna_unknown(s->mna, absent)->name, elements);
}

void run_index_singular(const struct run_index *s, struct kn_diagnostics *d)
{
    const struct branch *culprit = culprit_of(s->topology);
    const bool controlled = culprit && culprit->controlled;
    if (s->numbers && s->numbers->absent >= 0) {
        say_absent(s, d);
        return;
    }
    diagnostics_add(d, KN_ERROR, "singular-pencil", culprit ? culprit->element->where : NOWHERE,
                    controlled ? "change the gain, or give the controlled source something that decides its value"
                               : "change a value: with these the equations cancel or repeat each other",
                    "the equations have no unique solution, whatever the sources do: %s",
                    s->topology->because ? s->topology->because : "they depend on each other");
}
