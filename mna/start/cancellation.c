/* cancellation.c - see cancellation.h. */
#include "mna/start/cancellation.h"

#include "mna/index/exact.h"

/* Of linear circuits; imposed values are not among the terms. */
static bool is_known_exactly(const struct dc_plan *plan)
{
    return mna_dae(plan->mna)->linear && mna_dae(plan->mna)->n <= EXACT_MOST_UNKNOWNS && plan->imposed_count == 0;
}

/* Rows with the same rate are anchored together. */
static int *anchor_groups(const struct dc_plan *plan, struct arena *memory)
{
    int *group = arena_array(memory, (size_t)mna_dae(plan->mna)->n + 1, sizeof *group);
    for (size_t k = 0, number = 0; group && k < plan->anchor_count; k++) {
        const bool same = k > 0 && plan->anchors[k].rate == plan->anchors[k - 1].rate;
        group[plan->anchors[k].row] = (int)(same ? number : ++number);
    }
    return group;
}

/* Whether the equations of a linear circuit do have one solution, which rounding hides. */
bool cancellation_hides_solution(const struct dc_plan *plan)
{
    struct mna_terms terms;
    struct exact_direct direct = {.free_count = 1};
    if (!is_known_exactly(plan))
        return false;
    struct arena *memory = arena_new();
    const int *group = memory ? anchor_groups(plan, memory) : NULL;
    const bool known = group && mna_terms_find(plan->mna, memory, &terms) == KN_OK &&
                       exact_direct_find(memory, &terms, group, &direct) == KN_OK;
    arena_free(memory);
    return known && direct.exact && direct.free_count == 0;
}

static enum kn_status report_undetermined(const struct dc_plan *plan, int unknown, struct kn_diagnostics *d)
{
    char elements[300];
    const struct unknown *u = mna_unknown(plan->mna, unknown);
    mna_describe(plan->mna, unknown, elements, sizeof elements);
    diagnostics_add(
        d, KN_ERROR, "no-operating-point", u->element ? u->element->where : NOWHERE,
        "change one of the values that cancel: gains, negative resistances",
        "no operating point exists, or more than one: the equations for direct current do not determine %s, "
        "since values cancel each other (elements there: %s)",
        u->name, elements);
    return KN_ERROR_CIRCUIT;
}

static enum kn_status report_no_solution(struct kn_diagnostics *d)
{
    diagnostics_add(d, KN_ERROR, "no-operating-point", NOWHERE,
                    "change one of the values that cancel: gains, negative resistances",
                    "no operating point exists: values cancel each other so that the equations for direct current "
                    "contradict each other");
    return KN_ERROR_CIRCUIT;
}

static enum kn_status look(const struct dc_plan *plan, const double *f, struct arena *memory, struct kn_diagnostics *d)
{
    struct mna_terms terms;
    struct exact_direct direct = {0};
    bool solvable = true;
    const int *group = anchor_groups(plan, memory);
    enum kn_status status = group ? mna_terms_find(plan->mna, memory, &terms) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = exact_direct_find(memory, &terms, group, &direct);
    for (int i = 0; status == KN_OK && direct.free_count > 0 && i < mna_dae(plan->mna)->n; i++)
        if (direct.free[i])
            status = report_undetermined(plan, i, d);
    if (status == KN_OK)
        status = exact_direct_solvable(memory, &terms, f, &solvable);
    return status == KN_OK && !solvable ? report_no_solution(d) : status;
}

/* Passive elements and fixed sources never cancel each other. */
static bool has_controlled_or_negative(const struct topology *t)
{
    for (size_t i = 0; i < t->list.count; i++)
        if (t->list.branches[i].controlled || t->list.branches[i].constant < 0)
            return true;
    return false;
}

bool cancellation_may_be(const struct dc_plan *plan)
{
    return is_known_exactly(plan) && has_controlled_or_negative(plan->topology);
}

enum kn_status cancellation_check(const struct dc_plan *plan, const double *f, struct kn_diagnostics *d)
{
    struct arena *memory = arena_new();
    const enum kn_status status = memory ? look(plan, f, memory, d) : KN_ERROR_MEMORY;
    arena_free(memory);
    return status;
}
