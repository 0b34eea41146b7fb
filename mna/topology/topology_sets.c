/* topology_sets.c - lists of branches and nodes, and their names in sentences. */
#include "mna/topology/topology_parts.h"

#include "base/array.h"
#include "mna/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool append_branches(const struct analysis *a, struct branch_sets *sets, const int *edges, size_t count)
{
    struct arena *memory = a->t->memory;
    const struct branch **branches = arena_array(memory, count + 1, sizeof *branches);
    if (!branches ||
        !array_reserve_in(memory, &sets->sets, sets->count, sets->count + 1, &sets->capacity, sizeof *sets->sets))
        return false;
    for (size_t i = 0; i < count; i++)
        branches[i] = analysis_passed(a, edges[i]);
    sets->sets[sets->count++] = (struct branch_set){branches, count};
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct branch *first = *(const struct branch *const *)a, *second = *(const struct branch *const *)b;
    if (first->element->number != second->element->number)
        return first->element->number < second->element->number ? -1 : 1;
    return (first > second) - (first < second);
}

void sort_branches(struct branch_set *set)
{
    qsort(set->branches, set->count, sizeof *set->branches, by_place);
}

bool append_nodes(const struct analysis *a, struct node_sets *sets, const int *unknowns, size_t count)
{
    struct arena *memory = a->t->memory;
    int *nodes = arena_array(memory, count + 1, sizeof *nodes);
    if (!nodes ||
        !array_reserve_in(memory, &sets->sets, sets->count, sets->count + 1, &sets->capacity, sizeof *sets->sets))
        return false;
    memcpy(nodes, unknowns, count * sizeof *nodes);
    sets->sets[sets->count++] = (struct node_set){nodes, count};
    return true;
}

/* ---- loops and parts ---- */

struct branch_control loop_ends(const struct branch *b)
{
    if (b->role != ROLE_PORT)
        return (struct branch_control){b->plus, b->minus};
    const struct branch *far = b + 1;
    return b->minus == far->minus ? (struct branch_control){b->plus, far->plus}
                                  : (struct branch_control){b->minus, far->minus};
}

static bool touches(const struct branch *b, int node)
{
    const struct branch_control ends = loop_ends(b);
    return ends.plus == node || ends.minus == node;
}

int loop_begin(const struct branch_set *loop)
{
    const struct branch *second = loop->branches[loop->count > 1 ? 1 : 0];
    const struct branch_control first = loop_ends(loop->branches[0]);
    return touches(second, first.minus) ? first.plus : first.minus;
}

int loop_pass(const struct branch *b, int *node)
{
    const struct branch_control ends = loop_ends(b);
    const bool forward = ends.plus == *node;
    *node = forward ? ends.minus : ends.plus;
    return forward ? 1 : -1;
}

bool node_set_contains(const struct node_set *set, int unknown)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] == unknown)
            return true;
    return false;
}

/* ---- names ---- */

void branch_set_list(struct text *text, const struct branch_set *set, const char *deck, const char *separator,
                     size_t most)
{
    struct text_list list = text_list(text, separator, most);
    for (size_t i = 0; i < set->count; i++)
        listing_item(&list, deck, set->branches[i]->element);
    text_list_end(&list);
}

const char *name_branch(const struct analysis *a, int branch)
{
    const struct branch *b = analysis_branch(a, branch);
    struct text text = text_growing(a->t->memory);
    if (b->part)
        text_format(&text, "the %s of ", b->part);
    listing_add(&text, a->t->file, b->element);
    return text.cut ? b->element->name : text.at;
}

const char *name_edges(const struct analysis *a, const int *edges, size_t count)
{
    struct text text = text_growing(a->t->memory);
    struct text_list list = text_list(&text, ", ", 0);
    for (size_t i = 0; i < count; i++)
        text_list_add(&list, name_branch(a, edges[i]));
    return text_take(&text);
}

/* "out" of "v(out)", as a length and a start. */
static int inner_name(const struct analysis *a, int unknown, const char **start)
{
    const char *name = unknown == 0 ? "v(0)" : a->t->unknowns[unknown].name;
    const char *open = strchr(name, '('), *close = strrchr(name, ')');
    *start = open ? open + 1 : name;
    return open && close ? (int)(close - *start) : (int)strlen(name);
}

const char *name_control(const struct analysis *a, const struct branch_control *c)
{
    const char *plus, *minus;
    const int plus_length = inner_name(a, c->plus, &plus), minus_length = inner_name(a, c->minus, &minus);
    const char *text;
    if (control_is_current(a, c))
        return a->t->unknowns[c->plus].name;
    if (c->minus == 0)
        text = arena_format(a->t->memory, "v(%.*s)", plus_length, plus);
    else
        text = arena_format(a->t->memory, "v(%.*s,%.*s)", plus_length, plus, minus_length, minus);
    return text ? text : "";
}
