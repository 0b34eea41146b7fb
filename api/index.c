/* index.c - kn_index: what `knoten check` knows, as data; and kn_compare, what `knoten compare` measures. */
#include "analyses/check/check.h"
#include "analyses/compare/compare.h"
#include "analyses/library.h"
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct index_handle {
    struct kn_index public; /* first */
    struct index_report *report;
    struct arena *memory;
};

static bool copy_sets(struct arena *a, const struct report_sets *from, struct kn_sets *to)
{
    struct kn_set *sets = arena_array(a, from->count + 1, sizeof *sets);
    for (size_t i = 0; sets && i < from->count; i++) {
        const char **names = arena_array(a, from->sets[i].count + 1, sizeof *names);
        if (!names)
            return false;
        for (size_t k = 0; k < from->sets[i].count; k++)
            names[k] = from->sets[i].elements[k]->name;
        sets[i] = (struct kn_set){names, from->sets[i].count};
    }
    *to = (struct kn_sets){sets, from->count};
    return sets != NULL;
}

static struct kn_set copy_names(const struct names *n)
{
    return (struct kn_set){n->names, n->count};
}

static enum kn_status fill(struct index_handle *h)
{
    const struct index_report *r = h->report;
    struct kn_index *p = &h->public;
    p->index = r->index;
    p->topological = r->topological_index;
    p->numerical = r->numerical_index;
    p->degrees_of_freedom = r->degrees_of_freedom;
    p->unknowns = r->unknowns;
    p->singular = r->singular;
    p->dependent = copy_names(&r->index2_unknowns);
    p->hidden = copy_names(&r->hidden);
    p->floating = copy_names(&r->floating_nodes);
    const bool good =
        copy_sets(h->memory, &r->cv_loops, &p->cv_loops) && copy_sets(h->memory, &r->li_cutsets, &p->li_cutsets) &&
        copy_sets(h->memory, &r->v_loops, &p->v_loops) && copy_sets(h->memory, &r->i_cutsets, &p->i_cutsets);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status kn_index_new(const struct kn_circuit *c, struct kn_diagnostics *d, const struct kn_index **out)
{
    struct arena *memory;
    struct index_handle *h = arena_object(sizeof *h, &memory);
    *out = NULL;
    if (!h)
        return KN_ERROR_MEMORY;
    h->memory = memory;
    enum kn_status status = check_circuit(c->circuit, &(struct check_options){.has_time = false}, d, &h->report);
    if (status == KN_OK)
        status = fill(h);
    if (status == KN_OK)
        *out = &h->public;
    else
        kn_index_free(&h->public);
    return status;
}

void kn_index_free(const struct kn_index *i)
{
    const struct index_handle *h = (const struct index_handle *)i;
    if (!h)
        return;
    check_free(h->report);
    arena_free(h->memory);
}

void kn_index_write(const struct kn_index *i, bool json, FILE *to)
{
    const struct index_report *r = ((const struct index_handle *)i)->report;
    if (json)
        check_write_json(r, to);
    else
        check_write_text(r, to);
}

/* ---- methods compared ---- */

struct listener {
    void *context;
    void (*told)(void *context, const struct kn_compared *point);
};

static void tell(void *context, const struct comparison *all)
{
    const struct listener *l = context;
    const struct compare_point *p = &all->points[all->count - 1];
    const struct kn_compared point = {.method = p->method->name,
                                      .reltol = p->reltol,
                                      .status = p->too_long ? KN_INTERRUPTED : p->status,
                                      .error = p->error,
                                      .worst = p->status == KN_OK ? all->names[p->worst] : NULL,
                                      .steps = p->accepted,
                                      .newton_iterations = p->newton_iterations,
                                      .factorizations = p->factorizations,
                                      .seconds = p->seconds};
    l->told(l->context, &point);
}

/* Names between commas; false at the first that is none, with the error said. */
static bool methods_of(const char *names, struct kn_diagnostics *d, const struct integrator_class **list, size_t most,
                       size_t *count)
{
    for (size_t i = 0; !names && integrator_classes[i] && *count < most; i++)
        list[(*count)++] = integrator_classes[i];
    for (const char *at = names; at && *at && *count < most;) {
        char word[64];
        const size_t length = strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length > 0 && !(list[(*count)++] = analysis_method(word, NOWHERE, d)))
            return false;
        at += length + (at[length] != '\0');
    }
    return true;
}

enum kn_status kn_compare(const struct kn_circuit *c, const char *methods, double loosest, double tightest,
                          struct kn_diagnostics *d, void *context,
                          void (*told)(void *context, const struct kn_compared *point))
{
    enum { MOST = 64 };
    const struct integrator_class *list[MOST];
    struct listener listener = {context, told};
    struct compare_request request = {
        .methods = list, .loosest = loosest, .tightest = tightest, .runs = 1, .limit = INFINITY, .done = tell};
    struct analysis_options o = {.context = &listener};
    struct comparison all = {0};
    if (!methods_of(methods, d, list, MOST, &request.method_count))
        return KN_ERROR_ARGUMENT;
    enum kn_status status = analysis_options_of(c->circuit, d, &o);
    o.context = &listener;
    if (status == KN_OK && c->circuit->transient_count == 0) {
        diagnostics_add(d, KN_ERROR, "no-analysis", NOWHERE, "add .tran 1u 1m", "the circuit asks for no transient");
        status = KN_ERROR_ARGUMENT;
    }
    if (status == KN_OK)
        status = compare_run(c->circuit, &o, &request, d, &all);
    compare_free(&all);
    return status;
}
