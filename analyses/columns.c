/* columns.c - see columns.h. */
#include "analyses/columns.h"

#include "base/array.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct columns *c, size_t more)
{
    size_t names = c->capacity; /* the two grow alike */
    return array_reserve(&c->names, c->count + more, &names, sizeof *c->names) &&
           array_reserve(&c->sources, c->count + more, &c->capacity, sizeof *c->sources);
}

static void see_element(struct columns *c, const struct mna *m, int element)
{
    c->of_elements = true;
    c->needs_slopes |= mna_needs_slopes(m, element);
}

static bool add_column(struct columns *c, const char *name, enum kn_quantity quantity, struct column_source source)
{
    for (size_t i = 0; i < c->count; i++)
        if (names_equal(c->names[i].name, name))
            return true;
    if (!make_room(c, 1))
        return false;
    c->names[c->count] = (struct kn_column){name, quantity};
    c->sources[c->count++] = source;
    return true;
}

bool columns_shows(const struct mna *m, int i)
{
    const struct unknown *u = mna_unknown(m, i);
    const struct setting *wanted = circuit_option(mna_circuit(m), "saveinternals");
    const bool of_no_branch = u->element && u->element->node_count == 0; /* the common current of coupled coils */
    const bool inner = u->node < 0 && (u->kind == UNKNOWN_VOLTAGE || of_no_branch);
    return !inner || (wanted && (!wanted->has_value || wanted->value != 0));
}

/* Without the search for duplicates: unknowns are many and have different names. */
static bool add_unknowns(struct columns *c, const struct mna *m)
{
    const size_t n = (size_t)mna_unknown_count(m);
    if (!make_room(c, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct unknown *u = mna_unknown(m, (int)i);
        if (!columns_shows(m, (int)i))
            continue;
        c->names[c->count] = (struct kn_column){u->name, u->kind == UNKNOWN_VOLTAGE ? KN_VOLTAGE : KN_CURRENT};
        c->sources[c->count++] = (struct column_source){COLUMN_UNKNOWN, (int)i, -1, -1, -1};
    }
    return true;
}

static enum kn_quantity quantity_of(const struct mna *m, int element, int quantity)
{
    static const struct {
        const char *unit;
        enum kn_quantity quantity;
    } units[] = {{"V", KN_VOLTAGE}, {"A", KN_CURRENT},    {"S", KN_ADMITTANCE}, {"F", KN_CAPACITANCE},
                 {"W", KN_POWER},   {"Hz", KN_FREQUENCY}, {"region", KN_REGION}};
    const char *unit = kind_quantity_info(mna_circuit(m)->elements[element].kind, quantity)->unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return units[i].quantity;
    return KN_OTHER;
}

static bool add_expression(struct columns *c, const struct mna *m, const struct request *r)
{
    const size_t before = c->count;
    const struct column_source source = {COLUMN_EXPRESSION, -1, -1, (int)c->observable_count, -1};
    if (!add_column(c, r->label, KN_OTHER, source) || c->count == before)
        return c->count == before;
    if (!array_resize(&c->observables, c->observable_count + 1, sizeof *c->observables))
        return false;
    struct observable *o = &c->observables[c->observable_count++];
    const bool good = observable_init(o, m, r->expression);
    c->needs_slopes |= o->probes.needs_slopes;
    return good;
}

static bool add_request(struct columns *c, const struct mna *m, const struct request *r)
{
    if (r->kind == REQUEST_ALL)
        return add_unknowns(c, m);
    if (r->kind == REQUEST_VOLTAGE) {
        const int plus = mna_node_unknown(m, r->plus), minus = mna_node_unknown(m, r->minus);
        return add_column(c, r->label, KN_VOLTAGE, (struct column_source){COLUMN_DIFFERENCE, plus, minus, -1, -1});
    }
    if (r->kind == REQUEST_EXPRESSION)
        return add_expression(c, m, r);
    const int current = r->kind == REQUEST_CURRENT && r->terminal == 0 ? mna_current_unknown(m, r->element) : -1;
    if (current < 0)
        see_element(c, m, r->element);
    if (r->kind == REQUEST_QUANTITY)
        return add_column(c, r->label, quantity_of(m, r->element, r->quantity),
                          (struct column_source){COLUMN_QUANTITY, -1, -1, r->element, r->quantity});
    const struct column_source source = {current >= 0 ? COLUMN_UNKNOWN : COLUMN_DEVICE_CURRENT, current, -1, r->element,
                                         r->terminal};
    return add_column(c, r->label, KN_CURRENT, source);
}

bool columns_wants_all(const struct circuit *c, enum request_domain domain)
{
    size_t given = 0;
    for (size_t i = 0; i < c->save_count; i++) {
        if (request_is_in(&c->saves[i], domain) && c->saves[i].kind == REQUEST_ALL)
            return true;
        given += request_is_in(&c->saves[i], domain);
    }
    return given == 0;
}

/* All unknowns at once, or a vector of an analysis over the frequency. */
static bool is_elsewhere(const struct request *r)
{
    return r->kind == REQUEST_ALL || !request_is_in(r, REQUEST_OF_VALUES);
}

enum kn_status columns_init(struct columns *c, struct mna *m, bool with_time)
{
    memset(c, 0, sizeof *c);
    const struct circuit *circuit = mna_circuit(m);
    bool good = !with_time || add_column(c, "time", KN_TIME, (struct column_source){COLUMN_TIME, -1, -1, -1, -1});
    const bool all = columns_wants_all(circuit, REQUEST_OF_VALUES);
    if (all)
        good = good && add_unknowns(c, m);
    for (size_t i = 0; i < circuit->save_count && good; i++)
        good = is_elsewhere(&circuit->saves[i]) || add_request(c, m, &circuit->saves[i]);
    c->plain = all && with_time && c->count == 1 + (size_t)mna_unknown_count(m);
    for (size_t i = 0; i < circuit->print_count && good; i++)
        good = is_elsewhere(&circuit->prints[i]) || add_request(c, m, &circuit->prints[i]);
    c->plain &= c->count == 1 + (size_t)mna_unknown_count(m);
    if (good)
        return KN_OK;
    columns_free(c);
    return KN_ERROR_MEMORY;
}

enum kn_status columns_init_requests(struct columns *c, const struct mna *m, const struct request *requests,
                                     size_t count)
{
    memset(c, 0, sizeof *c);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = is_elsewhere(&requests[i]) || add_request(c, m, &requests[i]);
    if (good)
        return KN_OK;
    columns_free(c);
    return KN_ERROR_MEMORY;
}

/* Of the element itself, and the power. */
static bool add_quantities(struct columns *c, struct mna *m, const struct element *e, struct arena *names)
{
    const int count = (int)e->kind->quantities.count;
    if (count == 0)
        return true;
    if (!make_room(c, (size_t)count + 1))
        return false;
    for (int q = 0; q <= count; q++) {
        const char *name = arena_format(names, "@%s[%s]", e->name, kind_quantity_info(e->kind, q)->name);
        if (!name)
            return false;
        c->names[c->count] = (struct kn_column){name, quantity_of(m, e->number, q)};
        c->sources[c->count++] = (struct column_source){COLUMN_QUANTITY, -1, -1, e->number, q};
    }
    see_element(c, m, e->number);
    return true;
}

enum kn_status columns_init_devices(struct columns *c, struct mna *m)
{
    const struct circuit *circuit = mna_circuit(m);
    memset(c, 0, sizeof *c);
    c->arena = arena_new();
    bool good = c->arena != NULL;
    for (size_t i = 0; i < circuit->element_count && good; i++)
        good = add_quantities(c, m, &circuit->elements[i], c->arena);
    if (good)
        return KN_OK;
    columns_free(c);
    return KN_ERROR_MEMORY;
}

void columns_watch(const struct columns *c, const struct mna *m, bool *watched)
{
    for (int i = 0; i < mna_unknown_count(m) && c->of_elements; i++)
        watched[i] = true; /* of a device without a current of its own */
    for (size_t i = 0; i < c->count; i++) {
        const struct column_source *s = &c->sources[i];
        if (s->kind == COLUMN_UNKNOWN || (s->kind == COLUMN_DIFFERENCE && s->plus >= 0))
            watched[s->plus] = true;
        if (s->kind == COLUMN_DIFFERENCE && s->minus >= 0)
            watched[s->minus] = true;
    }
    for (size_t i = 0; i < c->observable_count; i++)
        observable_watch(&c->observables[i], m, watched);
}

void columns_free(struct columns *c)
{
    for (size_t i = 0; i < c->observable_count; i++)
        observable_free(&c->observables[i]);
    arena_free(c->arena);
    free(c->observables);
    free(c->names);
    free(c->sources);
    memset(c, 0, sizeof *c);
}

void columns_fill(const struct columns *c, struct mna *m, double t, const double *x, const double *dxdt, double *row)
{
    if (c->plain) {
        row[0] = t;
        memcpy(row + 1, x, (c->count - 1) * sizeof *row);
        return;
    }
    if (c->of_elements)
        mna_probe(m, t, x, dxdt);
    for (size_t i = 0; i < c->count; i++) {
        const struct column_source *s = &c->sources[i];
        switch (s->kind) {
        case COLUMN_TIME:
            row[i] = t;
            break;
        case COLUMN_UNKNOWN:
            row[i] = x[s->plus];
            break;
        case COLUMN_DIFFERENCE:
            row[i] = (s->plus >= 0 ? x[s->plus] : 0) - (s->minus >= 0 ? x[s->minus] : 0);
            break;
        case COLUMN_DEVICE_CURRENT:
            row[i] = mna_probed_current(m, s->element, s->quantity);
            break;
        case COLUMN_QUANTITY:
            row[i] = mna_probed_quantity(m, s->element, s->quantity);
            break;
        case COLUMN_EXPRESSION:
            row[i] = observable_value(&c->observables[s->element], m, t, x, dxdt);
            break;
        }
    }
}
