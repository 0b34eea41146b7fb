/* setup.c - collects the unknowns, matrix entries, branches and initial values that devices ask for.
 *
 * MNA gives every node a voltage and every element of the second kind (V, L, E, H, ..) a branch current of its own
 * (Ho, Ruehli and Brennan, IEEE Trans. CAS-22, 1975).
 */
#include "devices/setup.h"

#include "base/array.h"
#include "base/groups.h"
#include "base/names.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Name of a voltage or current vector, "v(out)", "i(x1.v1)", in lower case as everywhere in results. NULL without
 * memory. */
static const char *setup_vector_name(struct arena *a, char kind, const char *name, const char *part)
{
    const size_t size = strlen("v()") + strlen(name) + (part ? strlen("#") + strlen(part) : 0) + 1;
    char *room = arena_alloc(a, size);
    if (!room)
        return NULL;
    struct text text = text_in(room, size);
    text_add(&text, (const char[]){kind, '(', '\0'});
    text_add_lower(&text, name);
    if (part) {
        text_add(&text, "#");
        text_add_lower(&text, part);
    }
    text_add(&text, ")");
    return room;
}

static void *copy_of(const void *array, size_t count, size_t size)
{
    void *copy = malloc(count * size);
    return copy ? memcpy(copy, array, count * size) : NULL;
}

/* ---- unknowns ---- */

/* Number of an unknown that there is; ground, and remarked, for one that there is not. */
static int known_unknown(struct device_setup *s, const struct unknown *u)
{
    const uintptr_t number = (uintptr_t)name_table_get(s->known, u->name);
    s->unknown_missing |= number == 0;
    return (int)number;
}

/* Number of the new unknown, -1 without memory. */
static int add_unknown(struct device_setup *s, const struct unknown *u)
{
    if (!u->name)
        return -1;
    if (s->known)
        return known_unknown(s, u);
    if (!array_reserve(&s->unknowns, s->unknown_count + 1, &s->unknown_capacity, sizeof *s->unknowns))
        return -1;
    s->unknowns[s->unknown_count] = *u;
    return (int)s->unknown_count++;
}

static bool add_node_voltages(struct device_setup *s)
{
    for (size_t i = 0; i < s->circuit->node_count; i++) {
        const struct unknown u = {.name = setup_vector_name(s->arena, 'v', s->circuit->nodes[i].name, NULL),
                                  .kind = UNKNOWN_VOLTAGE,
                                  .node = (int)i};
        if (add_unknown(s, &u) < 0)
            return false;
    }
    return true;
}

struct device_setup *device_setup_new(const struct circuit *c)
{
    struct device_setup *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->circuit = c;
    s->arena = arena_new();
    s->current_of = calloc(c->element_count + 1, sizeof *s->current_of);
    if (s->arena && s->current_of && add_node_voltages(s))
        return s;
    device_setup_free(s);
    return NULL;
}

const struct name_table *device_setup_names(const struct device_setup *s, struct arena *arena)
{
    struct name_table *names = name_table_new(arena);
    for (size_t i = 1; names && i < s->unknown_count; i++)
        if (!name_table_put(names, s->unknowns[i].name, (void *)(uintptr_t)i))
            return NULL;
    return names;
}

struct device_setup *device_setup_again(const struct circuit *c, const struct device_setup *original,
                                        const struct name_table *known)
{
    struct device_setup *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->circuit = c;
    s->known = known;
    s->arena = arena_new();
    s->current_of = copy_of(original->current_of, c->element_count + 1, sizeof *s->current_of);
    if (s->arena && s->current_of)
        return s;
    device_setup_free(s);
    return NULL;
}

void device_setup_free(struct device_setup *s)
{
    if (!s)
        return;
    arena_free(s->arena);
    ARRAYS_FREE(s->unknowns, s->current_of, s->requests, s);
}

int setup_node(const struct device_setup *s, int circuit_node)
{
    (void)s; /* the numbers agree: node 0 is ground, unknown 0 is ground, node voltages come first */
    return circuit_node;
}

int setup_internal_node(struct device_setup *s, const struct element *e, const char *part)
{
    const struct unknown u = {
        .name = setup_vector_name(s->arena, 'v', e->name, part), .kind = UNKNOWN_VOLTAGE, .node = -1, .element = e};
    return add_unknown(s, &u);
}

int setup_branch_current(struct device_setup *s, const struct element *e, const char *part)
{
    const struct unknown u = {
        .name = setup_vector_name(s->arena, 'i', e->name, part), .kind = UNKNOWN_CURRENT, .node = -1, .element = e};
    const int number = add_unknown(s, &u);
    if (number > 0 && e->node_count > 0 /* others have no terminal that it would flow into */ &&
        s->current_of[e->number] == 0)
        s->current_of[e->number] = number;
    return number;
}

int setup_current_of(const struct device_setup *s, const struct element *e)
{
    return s->current_of[e->number];
}

int setup_controlling_current(const struct device_setup *s, struct kn_diagnostics *d, const struct element *user,
                              int number, struct kn_location where)
{
    const struct element *control = &s->circuit->elements[number];
    const int current = setup_current_of(s, control);
    if (current == 0)
        diagnostics_add(d, KN_ERROR, "no-branch-current", where,
                        diagnostics_hint(d, "put a 0 V source in series with '%s' and use its current", control->name),
                        "'%s' uses the current of '%s', which is not an unknown of the circuit equations", user->name,
                        control->name);
    return current;
}

double setup_current_share(const struct device_setup *s, int number)
{
    return 1 / element_multiplicity(&s->circuit->elements[number]);
}

void setup_signal(struct device_setup *s, int unknown, enum unknown_kind kind, double scale, double row_scale)
{
    if (s->known || unknown <= 0) /* unknowns that there are keep theirs */
        return;
    struct unknown *u = &s->unknowns[unknown];
    u->signal = kind;
    u->scale = scale;
    u->row_scale = row_scale;
}

/* ---- matrix entries ---- */

bool setup_entry(struct device_setup *s, int row, int column, int *slot)
{
    if (!array_reserve(&s->requests, s->request_count + 1, &s->request_capacity, sizeof *s->requests))
        return false;
    s->requests[s->request_count++] = (struct matrix_request){row, column, slot};
    return true;
}

bool setup_pair(struct device_setup *s, int a, int b, int slots[4])
{
    return setup_entry(s, a, a, &slots[0]) && setup_entry(s, a, b, &slots[1]) && setup_entry(s, b, a, &slots[2]) &&
           setup_entry(s, b, b, &slots[3]);
}

void device_setup_fix(const struct device_setup *s, const int *slot)
{
    for (size_t i = 0; i < s->request_count; i++)
        *s->requests[i].slot = slot[i];
}

/* ---- branches and initial values ---- */

/* Copies of `controls` and `pairs` of its own; false without memory. */
static bool copy_controls(struct branch *b)
{
    int *controls = b->control_count > 0 ? copy_of(b->controls, b->control_count, sizeof *controls) : NULL;
    struct branch_control *pairs = b->pair_count > 0 ? copy_of(b->pairs, b->pair_count, sizeof *pairs) : NULL;
    b->controls = controls;
    b->pairs = pairs;
    if ((b->control_count == 0 || controls) && (b->pair_count == 0 || pairs))
        return true;
    free(controls);
    free(pairs);
    return false;
}

/* Another kind for values of zero and infinity; false for no branch at all. */
static bool settle(struct branch *b)
{
    if (b->role == ROLE_LAW || b->role == ROLE_SOURCE)
        b->constant = NAN;
    if (b->controlled || b->role == ROLE_PORT)
        return true;
    const bool zero = b->constant == 0;
    if (zero && (b->kind == BRANCH_L || (b->kind == BRANCH_R && b->current > 0))) {
        b->kind = BRANCH_V;
        b->part = b->short_name = "short";
    } else if (b->kind == BRANCH_R && isinf(b->constant)) {
        b->kind = BRANCH_I;
    }
    return !(zero && b->kind == BRANCH_C);
}

bool branch_add(struct branch_list *list, const struct branch *b)
{
    struct branch copy = *b;
    if (!settle(&copy))
        return true;
    if (!array_reserve(&list->branches, list->count + 1, &list->capacity, sizeof *list->branches))
        return false;
    if (!copy_controls(&copy))
        return false;
    list->branches[list->count++] = copy;
    return true;
}

bool branch_add_entry(struct branch_list *list, const struct branch *row, int column, double value, bool rate)
{
    const struct branch_control pair = {column, 0};
    struct branch b = *row;
    b.kind = rate ? BRANCH_C : BRANCH_R;
    b.role = ROLE_VALUE;
    b.constant = rate ? value : 1.0 / value;
    if (row->plus != column) {
        b.kind = rate ? BRANCH_C : BRANCH_I;
        b.role = ROLE_LAW;
        b.constant = NAN;
        b.controlled = true;
        b.controls = &column;
        b.control_count = 1;
        b.pairs = &pair;
        b.pair_count = 1;
    }
    return branch_add(list, &b);
}

bool branch_add_resistance(struct branch_list *list, struct branch_place at, double resistance)
{
    const struct branch b = {.kind = BRANCH_R,
                             .plus = at.plus,
                             .minus = at.minus,
                             .element = at.element,
                             .part = at.part,
                             .short_name = at.short_name,
                             .role = ROLE_VALUE,
                             .constant = resistance};
    return at.plus == at.minus || branch_add(list, &b);
}

bool branch_add_law(struct branch_list *list, enum branch_kind kind, struct branch_place at, const int *controls,
                    size_t control_count)
{
    const struct branch b = {.kind = kind,
                             .plus = at.plus,
                             .minus = at.minus,
                             .element = at.element,
                             .part = at.part,
                             .short_name = at.short_name,
                             .role = ROLE_LAW,
                             .increasing = kind == BRANCH_C && control_count == 0,
                             .controlled = control_count > 0,
                             .controls = controls,
                             .control_count = control_count};
    return branch_add(list, &b);
}

bool branch_couple(struct branch_list *list, const struct coupling *coupling)
{
    if (!array_reserve(&list->couplings, list->coupling_count + 1, &list->coupling_capacity, sizeof *list->couplings))
        return false;
    list->couplings[list->coupling_count++] = *coupling;
    return true;
}

void branch_list_free(struct branch_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((void *)list->branches[i].controls);
        free((void *)list->branches[i].pairs);
    }
    free(list->branches);
    free(list->couplings);
    *list = (struct branch_list){0};
}

void branch_list_unite(const struct branch_list *list, enum branch_kind kind, int *group)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].kind == kind)
            groups_unite(group, list->branches[i].plus, list->branches[i].minus);
}

bool is_coupled(const struct branch_list *list, const struct element *inductor)
{
    size_t i = 0;
    while (i < list->coupling_count && !coupling_names(&list->couplings[i], inductor))
        i++;
    return i < list->coupling_count;
}

bool initial_add(struct initial_list *list, const struct initial_value *v)
{
    if (!array_reserve(&list->values, list->count + 1, &list->capacity, sizeof *list->values))
        return false;
    list->values[list->count++] = *v;
    return true;
}

void initial_list_free(struct initial_list *list)
{
    free(list->values);
    *list = (struct initial_list){0};
}
