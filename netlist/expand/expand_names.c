/* expand_names.c - nodes and elements by name, inside the instances they belong to. */
#include "netlist/expand/expand.h"

#include "base/array.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- names with their path ---- */

/* path and name joined, valid until the next call; NULL without memory. */
static const char *full_name(struct expansion *x, const char *path, const char *name)
{
    if (!*path)
        return name;
    const size_t before = strlen(path), length = strlen(name), needed = before + length + 1;
    if (!array_reserve(&x->name.items, needed, &x->name.capacity, 1)) {
        deck_no_memory(x->deck);
        return NULL;
    }
    char *full = x->name.items;
    memcpy(full, path, before);
    memcpy(full + before, name, length + 1);
    return full;
}

static bool is_ground(const struct deck *k, const char *name)
{
    return (name[0] == '0' && !name[1]) || names_equal(name, "gnd") ||
           (k->grounds_by_name && name_is_among("gnd! ground", name));
}

/* Number of the port of this name, or -1. */
static int port_number(const struct instance *at, const char *name)
{
    const char **port = name_table_get(at->level->port_table, name);
    return port ? (int)(port - at->level->ports) : -1;
}

/* The number is its position in the table; there, ground stands first. */
static int table_number(const struct name_table *t, const char *name)
{
    const int *number = name_table_get(t, name);
    return number ? *number : -1;
}

/* Nodes of .global, and PSpice's and Xyce's whose names begin with $G_, PSpice's $D_HI and $D_LO. */
static bool is_global(const struct expansion *x, const char *name)
{
    const bool marked =
        (name[0] == '$' && (name[1] | 0x20) == 'g' && name[2] == '_') || name_is_among("$d_hi $d_lo", name);
    return marked || name_table_get(x->deck->globals, name);
}

/* By .connect another name may stand for it; a circle of them ends somewhere. */
static const char *joined_name(const struct expansion *x, const struct instance *at, const char *name)
{
    if (name_table_count(x->deck->joined) == 0 || (at->parent && !is_global(x, name)))
        return name;
    const char *other = name;
    for (int limit = 100; limit > 0 && (other = name_table_get(x->deck->joined, name)); limit--)
        name = other;
    return name;
}

/* A port may be called gnd, which then is what the instance connects. */
static int find_node(struct expansion *x, const struct instance *at, const char *name)
{
    const int port = port_number(at, name);
    if (port >= 0)
        return at->ports[port];
    name = joined_name(x, at, name);
    if (is_ground(x->deck, name))
        return 0;
    const bool global = is_global(x, name);
    const char *full = global ? name : full_name(x, at->path, name);
    return full ? table_number(x->circuit->node_table, full) : -1;
}

/* Xyce's path has colons, x1:x2:n; NULL for a name without. */
static const char *with_dots(struct expansion *x, const char *name)
{
    char *dotted = strchr(name, ':') ? arena_text(x->deck->scratch, name, strlen(name)) : NULL;
    for (char *c = dotted; c && *c; c++)
        *c = (char)(*c == ':' ? '.' : *c);
    return dotted;
}

const struct instance *expand_find_instance(struct expansion *x, const struct instance *at, const char *name)
{
    char *path = arena_format(x->deck->scratch, "%s%s.", at->path, name);
    for (char *c = path; c && *c; c++)
        *c = (char)(*c == ':' ? '.' : *c);
    return path ? name_table_get(x->instances, path) : NULL;
}

/* x1.in, a port by its name inside. */
static int find_port(struct expansion *x, const struct instance *at, const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *path = dot ? arena_text(x->deck->scratch, name, (size_t)(dot - name) + 1) : NULL;
    const char *full = path ? full_name(x, at->path, path) : NULL;
    const struct instance *inner = full ? name_table_get(x->instances, full) : NULL;
    return inner ? find_node(x, inner, dot + 1) : -1;
}

/* PSpice's v([out]), which tells names from numbers. */
static const char *without_brackets(struct expansion *x, const char *name)
{
    const size_t length = strlen(name);
    const bool has = x->deck->dialect == DIALECT_PSPICE && length > 2 && name[0] == '[' && name[length - 1] == ']';
    return has ? arena_text(x->deck->scratch, name + 1, length - 2) : NULL;
}

int expand_find_node(struct expansion *x, const struct instance *at, const char *name)
{
    const char *bare = without_brackets(x, name);
    name = bare ? bare : name;
    const int found = find_node(x, at, name);
    const char *dotted = found < 0 ? with_dots(x, name) : NULL;
    const int again = dotted ? find_node(x, at, dotted) : found;
    return again >= 0 ? again : find_port(x, at, dotted ? dotted : name);
}

static int make_node(struct expansion *x, const char *full, struct kn_location where)
{
    struct arena *arena = x->deck->arena;
    struct node *n = x->nodes.count < INT_MAX ? vector_push(&x->nodes) : NULL;
    int *number = arena_alloc(arena, sizeof *number);
    char *name = arena_text(arena, full, strlen(full));
    if (!n || !number || !name || !name_table_put(x->circuit->node_table, name, number)) {
        deck_no_memory(x->deck);
        return -1;
    }
    *number = (int)x->nodes.count - 1;
    *n = (struct node){name, where};
    return *number;
}

int expand_node(struct expansion *x, const struct instance *at, const struct item *name)
{
    int found = find_node(x, at, name->text);
    if (found < 0 && !x->deck->out_of_memory)
        found = find_port(x, at, name->text);
    if (found >= 0 || x->deck->out_of_memory)
        return found;
    const char *own = joined_name(x, at, name->text);
    const bool global = is_global(x, own);
    const char *full = global ? own : full_name(x, at->path, own);
    return full ? make_node(x, full, name->where) : -1;
}

/* ---- elements ---- */

static struct element *find_element(struct expansion *x, const struct instance *at, const char *name)
{
    const char *full = full_name(x, at->path, name);
    return full ? name_table_get(x->circuit->element_table, full) : NULL;
}

struct element *expand_find_element(struct expansion *x, const struct instance *at, const char *name)
{
    const char *own = name_without_letter(name);
    struct element *found = find_element(x, at, name);
    const char *dotted = found ? NULL : with_dots(x, name);
    found = dotted ? find_element(x, at, dotted) : found;
    return !found && own ? find_element(x, at, own) : found;
}

/* A coupling has no voltage or current that its name would stand for, so that two of a name are both meant, as Xyce takes them:
 * the name of the second, told as a warning. */
static char *name_beside(struct expansion *x, const struct element_kind *kind, const struct element *before,
                         struct kn_location where)
{
    if (!kind || kind->letter != 'k')
        return NULL;
    char *name = arena_format(x->deck->arena, "%s#%zu", before->name, x->element_count);
    deck_warn(x->deck, "duplicate-element", where,
              diagnostics_hint(x->deck->diagnostics, "the first '%s' is at %s", before->name,
                               deck_place(x->deck, before->where)),
              "there are two couplings named '%s'; both count", before->name);
    return name;
}

struct element *expand_new_element(struct expansion *x, const struct instance *at, const struct element_kind *kind,
                                   struct statement *s)
{
    const struct item *name = s->items;
    const char *full = full_name(x, at->path, name->text);
    char *kept = full ? arena_text(x->deck->arena, full, strlen(full)) : NULL;
    if (!kept || x->element_count == x->element_capacity) {
        deck_no_memory(x->deck);
        return NULL;
    }
    struct element *e = &x->elements[x->element_count];
    e->kind = kind;
    e->name = kept;
    e->where = name->where;
    e->multiplicity = at->multiplicity;
    const struct element *before = name_table_get(x->circuit->element_table, kept);
    char *other = before ? name_beside(x, kind, before, e->where) : NULL;
    e->number = (int)x->element_count++;
    if (other) {
        e->name = kept = other;
        before = NULL;
    }
    if (before && !x->failed[s->number])
        deck_fail(x->deck, "duplicate-element", e->where,
                  diagnostics_hint(x->deck->diagnostics, "the first '%s' is at %s", before->name,
                                   deck_place(x->deck, before->where)),
                  "there are two elements named '%s'", kept);
    if (before)
        x->failed[s->number] = true; /* said once, not for every instance */
    else if (!name_table_put(x->circuit->element_table, kept, e))
        deck_no_memory(x->deck);
    return e;
}

struct element *expand_new_part(struct expansion *x, const struct element *e, char letter, const char *part,
                                struct kn_location where)
{
    char *name = arena_format(x->deck->arena, "%s#%s", e->name, part);
    if (!name || x->element_count == x->element_capacity) {
        deck_no_memory(x->deck);
        return NULL;
    }
    struct element *made = &x->elements[x->element_count];
    made->kind = catalogue_letter(x->deck->catalogue, letter);
    made->name = name;
    made->where = where;
    made->multiplicity = e->multiplicity;
    made->number = (int)x->element_count++;
    if (!name_table_put(x->circuit->element_table, name, made))
        deck_no_memory(x->deck);
    return made;
}

int expand_new_internal_node(struct expansion *x, const struct element *e, const char *part, struct kn_location where)
{
    const char *name = part ? arena_format(x->deck->scratch, "%s#%s", e->name, part) : e->name;
    if (name)
        return make_node(x, name, where);
    deck_no_memory(x->deck);
    return -1;
}

bool expand_excuses_node(const struct expansion *x, const char *name)
{
    return x->missing_nodes || (x->missing_instance && strchr(name, '.'));
}

bool expand_excuses_element(const struct expansion *x, const char *name)
{
    return x->missing_instance && strchr(name, '.');
}

/* ---- likely corrections ---- */

/* Names of the table that begin with the instance's path, without it; ports too. */
static const char *closest(struct expansion *x, const struct instance *at, const char *name,
                           const struct name_table *table, const struct name_table *ports)
{
    const size_t path = strlen(at->path), total = name_table_count(table);
    struct name_guess g = name_guess(name);
    if (!deck_may_compare(x->deck, total + (ports ? name_table_count(ports) : 0)))
        return NULL;
    for (size_t i = 0; i < total; i++) {
        const char *candidate = name_table_name(table, i);
        if (strncmp(candidate, at->path, path) == 0)
            name_guess_offer(&g, candidate + path);
    }
    if (ports)
        name_guess_offer_all(&g, ports);
    return g.found;
}

const char *expand_closest_node(struct expansion *x, const struct instance *at, const char *name)
{
    return closest(x, at, name, x->circuit->node_table, at->level->port_table);
}

const char *expand_closest_element(struct expansion *x, const struct instance *at, const char *name)
{
    return closest(x, at, name, x->circuit->element_table, NULL);
}
