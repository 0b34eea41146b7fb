/* expand_conditions.c - which branches of .if count in an instance.
 *
 * Conditions are evaluated with the parameters of the instance.  Parameters that stand in a branch take the place of those
 * outside of all, in the order of the text; what depends on them is then evaluated again.
 */
#include "netlist/expand/expand.h"

enum { UNKNOWN, COUNTS, COUNTS_NOT };

/* The instance of a level in which something of an inner one was defined. */
static struct instance *home_of(struct instance *at, const struct level *level)
{
    while (at->parent && at->level != level)
        at = at->parent;
    return at;
}

struct instance *expand_surroundings(struct instance *at)
{
    return at->parent ? home_of(at->parent, at->level->parent) : NULL;
}

static bool is_true(struct expansion *x, const struct instance *at, const struct item *condition)
{
    const struct expression_tree *tree = expand_constant_tree(x, condition);
    double value = 0;
    if (tree && scope_evaluate(at->scope, tree, x->deck->diagnostics, &value))
        return value != 0;
    x->deck->failed = true;
    return false;
}

/* All branches of a block: the first that is true counts, if the block does. */
static void choose(struct instance *at, const struct condition *first)
{
    bool chosen = !expand_counts(at, first->outer);
    for (const struct condition *b = first; b; b = b->next) {
        const bool counts = !chosen && (!b->expression || is_true(at->x, at, b->expression));
        at->branches[b->number] = counts ? COUNTS : COUNTS_NOT;
        chosen |= counts;
    }
}

bool expand_counts(struct instance *at, const struct condition *b)
{
    if (!b)
        return true;
    at = home_of(at, b->level);
    if (!at->branches)
        at->branches = arena_array(at->x->deck->scratch, b->level->branch_count, sizeof *at->branches);
    if (!at->branches)
        return deck_no_memory(at->x->deck);
    if (at->branches[b->number] == UNKNOWN)
        choose(at, b->first);
    return at->branches[b->number] == COUNTS;
}

struct level *expand_level(struct instance *at, const char *name)
{
    struct level *found = level_find(at->level, name);
    while (found && !expand_counts(at, found->branch))
        found = found->other;
    return found;
}

void read_missing_file(struct expansion *x, struct instance *at, struct statement *s)
{
    (void)at;
    x->failed[s->number] = true; /* said once, not for every instance */
    deck_fail(x->deck, "include", s->items->next->where, "this branch of .if counts, and needs it", "cannot read '%s'",
              item_text(s->items->next));
}
