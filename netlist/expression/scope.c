/* scope.c - parameters and functions by name, one scope inside the other. */
#include "netlist/expression/scope.h"

#include "base/names.h"
#include "netlist/expression/expression_apply.h"

#include <string.h>

struct scope {
    struct arena *arena;
    const struct scope *parent, *text; /* who calls it, and around its text */
    struct name_table *parameters, *functions;
    const char *path;    /* of an instance: "x1." */
    struct draws *draws; /* NULL: those of the parent */
    enum dialect dialect;
    const struct point_reader *points;
    bool has_surroundings;
    double celsius, gmin;
};

/* ---- definitions ---- */

struct scope *scope_new(struct arena *arena, const struct scope *parent)
{
    struct scope *s = arena_alloc(arena, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena;
    s->parent = s->text = parent;
    s->path = "";
    s->dialect = parent ? parent->dialect : DIALECT_SPICE;
    s->points = parent ? parent->points : NULL;
    s->parameters = name_table_new(arena);
    s->functions = name_table_new(arena);
    return s->parameters && s->functions ? s : NULL;
}

static bool out_of_memory(struct kn_diagnostics *d, struct kn_location where)
{
    diagnostics_add(d, KN_ERROR, "memory", where, NULL, "out of memory");
    return false;
}

static struct parameter *new_parameter(struct scope *s, const char *name)
{
    struct parameter *p = arena_alloc(s->arena, sizeof *p);
    if (p)
        p->name = arena_text(s->arena, name, strlen(name));
    return p && p->name && name_table_put(s->parameters, p->name, p) ? p : NULL;
}

bool scope_is_reserved(const char *name)
{
    return names_equal(name, "time") || names_equal(name, "temper");
}

bool scope_parameter(struct scope *s, const char *name, const struct expression_tree *tree, const struct scope *home,
                     struct kn_location where, struct kn_diagnostics *d)
{
    if (scope_is_reserved(name)) {
        diagnostics_add(d, KN_ERROR, "reserved-name", where, "choose another name",
                        "'%s' cannot be a parameter: it stands for the simulated %s", name,
                        names_equal(name, "time") ? "time" : "temperature");
        return false;
    }
    struct parameter *p = name_table_get(s->parameters, name);
    if (!p)
        p = new_parameter(s, name);
    if (!p)
        return out_of_memory(d, where);
    p->tree = tree;
    p->home = home ? home : s;
    p->path = s->path;
    p->where = where;
    p->state = tree ? PARAMETER_NEW : PARAMETER_FAILED;
    p->constancy = CONSTANCY_UNKNOWN;
    return true;
}

static const char **copy_names(struct arena *arena, const char *const *names, size_t count)
{
    const char **copy = arena_array(arena, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = arena_text(arena, names[i], strlen(names[i]));
        if (!copy[i])
            return NULL;
    }
    return copy;
}

static const char *repeated(const char *const *names, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (names_equal(names[i], names[k]))
                return names[i];
    return NULL;
}

bool scope_function(struct scope *s, const char *name, const char *const *arguments, size_t argument_count,
                    const struct expression_tree *tree, struct kn_location where, struct kn_diagnostics *d)
{
    const char *twice = repeated(arguments, argument_count);
    if (twice) {
        diagnostics_add(d, KN_ERROR, "duplicate-argument", where, "give each argument its own name",
                        "function '%s' has two arguments named '%s'", name, twice);
        return false;
    }
    struct function *f = arena_alloc(s->arena, sizeof *f);
    if (!f)
        return out_of_memory(d, where);
    f->name = arena_text(s->arena, name, strlen(name));
    f->arguments = copy_names(s->arena, arguments, argument_count);
    f->argument_count = argument_count;
    f->tree = tree;
    f->home = s;
    f->where = where;
    if (!f->name || !f->arguments || !name_table_put(s->functions, f->name, f))
        return out_of_memory(d, where);
    return true;
}

void scope_forget_values(struct scope *s)
{
    for (size_t i = 0; i < name_table_count(s->parameters); i++) {
        struct parameter *p = name_table_value(s->parameters, i);
        if (p->state == PARAMETER_EVALUATED)
            p->state = PARAMETER_NEW;
    }
}

void scope_surroundings(struct scope *s, double celsius, double gmin)
{
    s->has_surroundings = true;
    s->celsius = celsius;
    s->gmin = gmin;
}

void scope_dialect(struct scope *s, enum dialect dialect)
{
    s->dialect = dialect;
}

void scope_draws(struct scope *s, struct draws *draws)
{
    s->draws = draws;
}

void scope_surroundings_of_text(struct scope *s, const struct scope *text)
{
    s->text = text;
}

void scope_path(struct scope *s, const char *path)
{
    s->path = path;
}

/* ---- looking up ---- */

struct draws *scope_draws_of(const struct scope *s)
{
    while (s && !s->draws)
        s = s->parent;
    return s ? s->draws : NULL;
}

void scope_points(struct scope *s, const struct point_reader *reader)
{
    s->points = reader;
}

const struct point_reader *scope_points_of(const struct scope *s)
{
    return s->points;
}

enum dialect scope_dialect_of(const struct scope *s)
{
    return s->dialect;
}

static const struct scope *in_surroundings(const struct scope *s)
{
    while (s && !s->has_surroundings)
        s = s->parent;
    return s;
}

double scope_celsius(const struct scope *s)
{
    s = in_surroundings(s);
    return s ? s->celsius : 27.0;
}

double scope_gmin(const struct scope *s)
{
    s = in_surroundings(s);
    return s ? s->gmin : 1e-12;
}

struct parameter *scope_find_parameter(const struct scope *s, const char *name, const struct parameter *evaluated)
{
    struct parameter *itself = NULL;
    for (; s; s = s->parent) {
        struct parameter *p = name_table_get(s->parameters, name);
        if (p && p != evaluated)
            return p;
        itself = p ? p : itself;
    }
    return itself;
}

/* First where the text stands, inside out: what a caller names alike is its own. */
struct function *scope_find_function(const struct scope *s, const char *name)
{
    struct function *f = NULL;
    for (const struct scope *at = s; at && !f; at = at->text)
        f = name_table_get(at->functions, name);
    for (; s && !f; s = s->parent)
        f = name_table_get(s->functions, name);
    return f;
}

struct parameter *scope_parameter_at(const struct scope *s, size_t i)
{
    return name_table_value(s->parameters, i);
}

bool scope_has_parameter(const struct scope *s, const char *name)
{
    return scope_find_parameter(s, name, NULL) != NULL;
}

/* ---- names in what is written and in the functions that it calls ---- */

static bool is_argument(const struct function *f, const char *name)
{
    for (size_t i = 0; f && i < f->argument_count; i++)
        if (names_equal(f->arguments[i], name))
            return true;
    return false;
}

static bool node_mentions(const struct scope *s, const struct function *inside, const struct expression_node *node,
                          const char *name);

/* One that calls itself is an error elsewhere; here it only must not loop. */
static bool body_mentions(const struct scope *s, struct function *f, const char *name)
{
    if (f->looked_at)
        return false;
    f->looked_at = true;
    const bool does = node_mentions(s, f, f->tree->root, name);
    f->looked_at = false;
    return does;
}

static bool node_mentions(const struct scope *s, const struct function *inside, const struct expression_node *node,
                          const char *name)
{
    if (node->kind == NODE_NAME)
        return names_equal(node->name, name) && !is_argument(inside, name);
    struct function *f = node->kind == NODE_CALL ? scope_find_function(s, node->name) : NULL;
    if (f && body_mentions(s, f, name))
        return true;
    for (const struct expression_operand *o = node->operands; o; o = o->next)
        if (node_mentions(s, inside, o->node, name))
            return true;
    return false;
}

bool scope_mentions(const struct scope *s, const struct expression_tree *tree, const char *name)
{
    return node_mentions(s, NULL, tree->root, name);
}

/* ---- likely corrections ---- */

const char *scope_closest_parameter(const struct scope *s, const char *name, const char *const *extra,
                                    size_t extra_count)
{
    struct name_guess g = name_guess(name);
    for (size_t i = 0; builtin_quantity_at(i); i++)
        if (builtin_quantity_at(i)->dialects & DIALECT_BIT(s->dialect))
            name_guess_offer(&g, builtin_quantity_at(i)->name);
    for (size_t i = 0; i < extra_count; i++)
        name_guess_offer(&g, extra[i]);
    for (size_t i = 0; builtin_constant_at(i); i++)
        if (builtin_constant_at(i)->dialects & DIALECT_BIT(s->dialect))
            name_guess_offer(&g, builtin_constant_at(i)->name);
    for (; s; s = s->parent)
        name_guess_offer_all(&g, s->parameters);
    return g.found;
}

const char *scope_closest_function(const struct scope *s, const char *name)
{
    struct name_guess g = name_guess(name);
    for (size_t i = 0; builtin_function_at(i); i++)
        name_guess_offer(&g, builtin_function_at(i)->name);
    for (; s; s = s->parent)
        name_guess_offer_all(&g, s->functions);
    return g.found;
}

/* ---- constancy ---- */

static bool node_is_constant(const struct scope *s, const struct function *inside, const struct expression_node *node,
                             int depth);

/* A function that calls itself, or nests too deeply, is an error elsewhere; here it only must not loop. */
static bool function_is_constant(struct function *f, int depth)
{
    if (f->constancy == CONSTANCY_UNKNOWN) {
        f->constancy = CONSTANCY_ASKED;
        f->constancy = node_is_constant(f->home, f, f->tree->root, depth + 1) ? CONSTANT : NOT_CONSTANT;
    }
    return f->constancy != NOT_CONSTANT;
}

static bool parameter_is_constant(struct parameter *p, int depth)
{
    if (p->constancy == CONSTANCY_UNKNOWN) {
        p->constancy = CONSTANCY_ASKED;
        p->constancy = !p->tree || node_is_constant(p->home, NULL, p->tree->root, depth + 1) ? CONSTANT : NOT_CONSTANT;
    }
    return p->constancy != NOT_CONSTANT;
}

bool scope_parameter_is_constant(struct parameter *p)
{
    return parameter_is_constant(p, 0);
}

/* hertz, where that is no parameter's name. */
static bool is_frequency(const struct scope *s, const char *name)
{
    const struct builtin_quantity *q = builtin_quantity(name, scope_dialect_of(s));
    return q && q->kind == QUANTITY_FREQUENCY;
}

static bool node_is_constant(const struct scope *s, const struct function *inside, const struct expression_node *node,
                             int depth)
{
    if (depth > EXPRESSION_NESTING_LIMIT)
        return true;
    if (node->kind == NODE_VOLTAGE || node->kind == NODE_CURRENT)
        return false;
    if (node->kind == NODE_NAME && names_equal(node->name, "time"))
        return is_argument(inside, node->name);
    struct parameter *p =
        node->kind == NODE_NAME && !is_argument(inside, node->name) ? scope_find_parameter(s, node->name, NULL) : NULL;
    if (p && !parameter_is_constant(p, depth))
        return false;
    if (!p && node->kind == NODE_NAME && !is_argument(inside, node->name) && is_frequency(s, node->name))
        return false;
    const struct builtin_function *builtin =
        node->kind == NODE_CALL ? builtin_function_of(node->name, scope_dialect_of(s), node->operand_count) : NULL;
    if (builtin && (operation_is_timed(builtin->operation) || apply_is_file(builtin, node)) &&
        !scope_find_function(s, node->name))
        return false;
    struct function *f = node->kind == NODE_CALL ? scope_find_function(s, node->name) : NULL;
    if (f ? !function_is_constant(f, depth) : node->kind == NODE_CALL && expression_state_function(node->name))
        return false;
    for (const struct expression_operand *operand = node->operands; operand; operand = operand->next)
        if (!node_is_constant(s, inside, operand->node, depth + 1))
            return false;
    return true;
}

bool scope_is_constant(const struct scope *s, const struct expression_tree *tree)
{
    return node_is_constant(s, NULL, tree->root, 0);
}
