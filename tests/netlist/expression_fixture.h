/* expression_fixture.h - a scope and a small imaginary circuit for the tests of the expression language. */
#ifndef TESTS_NETLIST_EXPRESSION_FIXTURE_H
#define TESTS_NETLIST_EXPRESSION_FIXTURE_H

#include "claims.h"
#include "netlist/expression/expression.h"

#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const fixture_nodes[] = {"0", "a", "b", "c", "d", "n+", "out_1", "x1.n2", "a#b", "3", "a-b", "k*2"};
static const char *const fixture_elements[] = {"vx", "v1", "x1.l2"};
enum { FIXTURE_NODES = 12, FIXTURE_ELEMENTS = 3, FIXTURE_VARIABLES = FIXTURE_NODES + FIXTURE_ELEMENTS };

struct fixture {
    struct arena *arena;
    struct kn_diagnostics *d;
    struct scope *scope;
    enum dialect dialect; /* of what is parsed; scope_dialect for what is evaluated */
    struct expression_resolver resolver;
    double x[FIXTURE_VARIABLES]; /* node voltages, then element currents */
    double time, temperature;
};

static int fixture_find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (names_equal(name, names[i]))
            return i;
    return -1;
}

static int fixture_node(void *context, const char *name)
{
    (void)context;
    return fixture_find(names_equal(name, "gnd") ? "0" : name, fixture_nodes, FIXTURE_NODES);
}

static int fixture_element(void *context, const char *name)
{
    (void)context;
    return fixture_find(name, fixture_elements, FIXTURE_ELEMENTS);
}

static const char *fixture_closest_node(void *context, const char *name)
{
    (void)context;
    return names_closest(name, fixture_nodes, FIXTURE_NODES);
}

static inline struct fixture fixture_open(void)
{
    struct fixture f = {.arena = arena_new(), .d = kn_diagnostics_new(), .temperature = 27.0};
    f.scope = scope_new(f.arena, NULL);
    f.resolver = (struct expression_resolver){
        .node = fixture_node, .element = fixture_element, .closest_node = fixture_closest_node};
    return f;
}

static inline void fixture_close(struct fixture *f)
{
    kn_diagnostics_free(f->d);
    arena_free(f->arena);
}

static const struct kn_location fixture_place = {"deck.cir", 7, 11, 1};

static inline const struct expression_tree *fixture_parse(struct fixture *f, const char *text)
{
    return expression_parse(f->arena, text, strlen(text), fixture_place, f->dialect, f->d);
}

static inline void fixture_show(const struct fixture *f)
{
    for (size_t i = 0; i < kn_diagnostics_count(f->d); i++)
        kn_diagnostic_write(kn_diagnostics_get(f->d, i), stderr, false);
}

static inline void fixture_parameter(struct fixture *f, struct scope *s, const char *name, const char *text)
{
    const struct expression_tree *tree = fixture_parse(f, text);
    CU_ASSERT_FATAL(tree != NULL);
    CU_ASSERT(scope_parameter(s, name, tree, NULL, fixture_place, f->d));
}

/* .func name(x, y, ..) {text}; arguments separated by blanks. */
static inline void fixture_function(struct fixture *f, struct scope *s, const char *name, const char *arguments,
                                    const char *text)
{
    char words[200];
    const char *list[16];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", arguments);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        list[count++] = word;
    const struct expression_tree *tree = fixture_parse(f, text);
    CU_ASSERT_FATAL(tree != NULL);
    CU_ASSERT(scope_function(s, name, list, count, tree, fixture_place, f->d));
}

/* The constant value of text in scope s; NaN when there is an error. */
static inline double fixture_value(struct fixture *f, const struct scope *s, const char *text)
{
    double value = NAN;
    const struct expression_tree *tree = fixture_parse(f, text);
    return tree && scope_evaluate(s, tree, f->d, &value) ? value : NAN;
}

/* Value of a text without names of its own; shows what went wrong. */
static inline double value_of(const char *text)
{
    struct fixture f = fixture_open();
    const double value = fixture_value(&f, f.scope, text);
    fixture_show(&f);
    fixture_close(&f);
    return value;
}

static inline const struct expression *fixture_compile(struct fixture *f, const char *text)
{
    const struct expression_tree *tree = fixture_parse(f, text);
    return tree ? expression_compile(f->arena, f->scope, tree, &f->resolver, f->d) : NULL;
}

/* Index into x of a variable of the program. */
static inline size_t fixture_position(const struct expression_variable *v)
{
    return v->kind == EXPRESSION_NODE_VOLTAGE ? (size_t)v->index : FIXTURE_NODES + (size_t)v->index;
}

/* Value at f->x; gradient, when not NULL, is [FIXTURE_VARIABLES]. */
static inline double fixture_evaluate(const struct fixture *f, const struct expression *e, double *gradient,
                                      double *time_derivative)
{
    double variables[FIXTURE_VARIABLES], own[FIXTURE_VARIABLES];
    const size_t count = expression_variable_count(e);
    const struct expression_variable *v = expression_variables(e);
    double *workspace = malloc(expression_workspace(e) * sizeof *workspace);
    if (!workspace)
        return NAN;
    for (size_t i = 0; i < count; i++)
        variables[i] = f->x[fixture_position(&v[i])];
    const struct expression_point at = {variables, f->time, f->temperature, NULL, false};
    const double value = expression_evaluate(e, &at, workspace, gradient ? own : NULL, time_derivative);
    for (size_t i = 0; gradient && i < FIXTURE_VARIABLES; i++)
        gradient[i] = 0.0;
    for (size_t i = 0; gradient && i < count; i++)
        gradient[fixture_position(&v[i])] = own[i];
    free(workspace);
    return value;
}

/* The only diagnostic of this severity or the first of several; NULL if there is none. */
static inline const struct kn_diagnostic *fixture_first(const struct fixture *f, enum kn_severity severity)
{
    for (size_t i = 0; i < kn_diagnostics_count(f->d); i++)
        if (kn_diagnostics_get(f->d, i)->severity == severity)
            return kn_diagnostics_get(f->d, i);
    return NULL;
}

static inline bool contains(const char *text, const char *part)
{
    const bool found = text && strstr(text, part);
    if (!found)
        fprintf(stderr, "\n'%s' does not contain '%s'\n", text ? text : "(nothing)", part);
    return found;
}

/* xorshift64* (S. Vigna, 2016): the same numbers everywhere. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static inline double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_bits(state) >> 11) * 0x1p-53;
}

static inline int random_below(uint64_t *state, int n)
{
    return (int)(random_bits(state) % (uint64_t)n);
}

#endif
