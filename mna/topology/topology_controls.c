/* topology_controls.c - what a controlled branch depends on. */
#include "mna/topology/topology_parts.h"

bool is_steered(const struct branch *b)
{
    bool any = b->pair_count == 0;
    for (size_t k = 0; k < b->pair_count; k++)
        any = any || b->pairs[k].plus != b->pairs[k].minus;
    return b->controlled && any;
}

bool control_is_current(const struct analysis *a, const struct branch_control *c)
{
    return a->node_of[c->plus] < 0;
}

static struct branch_control implied_control(const struct analysis *a, const struct branch *b, size_t k)
{
    const bool is_current = a->node_of[b->controls[k]] < 0;
    return (struct branch_control){b->controls[k], is_current || b->kind == BRANCH_V ? 0 : b->minus};
}

bool analysis_control(const struct analysis *a, int branch, size_t k, struct branch_control *out)
{
    const struct branch *b = analysis_branch(a, branch);
    if (b->pair_count > 0) {
        if (k < b->pair_count)
            *out = b->pairs[k];
        return k < b->pair_count;
    }
    if (!b->controlled || k > b->control_count)
        return false;
    const bool has_own = b->kind != BRANCH_V && b->kind != BRANCH_L;
    if (k < b->control_count)
        *out = implied_control(a, b, k);
    else if (has_own)
        *out = (struct branch_control){b->plus, b->minus};
    return k < b->control_count || has_own;
}
