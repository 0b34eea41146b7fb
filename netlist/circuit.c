/* circuit.c - see circuit.h. */
#include "netlist/circuit.h"

#include "netlist/catalogue.h"

#include <math.h>
#include <string.h>

void circuit_free(struct circuit *c)
{
    if (!c)
        return;
    arena_free(c->names);
    arena_free(c->arena);
}

/* ---- look-ups ---- */

int circuit_find_node(const struct circuit *c, const char *name)
{
    if (names_equal(name, "0") || names_equal(name, "gnd"))
        return 0;
    if (c->node_table) {
        const int *number = name_table_get(c->node_table, name);
        return number ? *number : -1;
    }
    for (size_t i = 0; i < c->node_count; i++)
        if (names_equal(c->nodes[i].name, name))
            return (int)i;
    return -1;
}

int circuit_find_element(const struct circuit *c, const char *name)
{
    if (c->element_table) {
        const struct element *e = name_table_get(c->element_table, name);
        const char *own = e ? NULL : name_without_letter(name);
        e = own ? name_table_get(c->element_table, own) : e;
        return e ? e->number : -1;
    }
    for (size_t i = 0; i < c->element_count; i++)
        if (names_equal(c->elements[i].name, name))
            return (int)i;
    return -1;
}

int circuit_find_terminal(const struct circuit *c, const char *name)
{
    const int element = circuit_find_element(c, name);
    const size_t length = strlen(name);
    char front[256];
    if (element >= 0 || length < 3 || length - 2 >= sizeof front || name[length - 2] != ':')
        return element;
    memcpy(front, name, length - 2);
    front[length - 2] = '\0';
    return circuit_find_element(c, front);
}

const struct setting *setting_find(const struct setting *settings, size_t count, const char *name)
{
    for (size_t i = count; i-- > 0;)
        if (names_equal(settings[i].name, name))
            return &settings[i];
    return NULL;
}

static const struct setting *model_setting(const struct element *e, const char *name)
{
    const struct parameter_table table = e->kind->model;
    const size_t row = parameter_row(table, name);
    const struct setting *found = NULL;
    for (size_t i = 0; row < table.count && i < e->model->setting_count; i++)
        if (parameter_row(table, e->model->settings[i].name) == row)
            found = &e->model->settings[i];
    return found && found->has_value && !found->text ? found : NULL;
}

const double *element_model_value(const struct element *e)
{
    static const char *const of_geometry[] = {"rsh", "cj", "cjsw"};
    const bool passive = e->kind && e->kind->form == CARD_PASSIVE && e->kind->instance.count && e->kind->model.count;
    if (!passive || !e->model || e->has_value || e->law != LAW_NONE)
        return NULL;
    for (size_t i = 0; i < e->setting_count; i++)
        if (parameter_row(e->kind->instance, e->settings[i].name) == 0)
            return NULL;
    for (size_t i = 0; i < sizeof of_geometry / sizeof *of_geometry; i++)
        if (model_setting(e, of_geometry[i]))
            return NULL;
    const struct setting *value = model_setting(e, e->kind->model.rows[0].name);
    return value ? &value->value : NULL;
}

double circuit_longest_run(const struct circuit *c)
{
    double longest = 0;
    for (size_t i = 0; i < c->transient_count; i++)
        longest = fmax(longest, c->transients[i].stop);
    return longest;
}

bool circuit_is_periodic(const struct circuit *c)
{
    bool periodic = false;
    for (size_t i = 0; i < c->card_count; i++)
        periodic |= names_equal(c->cards[i].name, ".pss") || names_equal(c->cards[i].name, ".hb");
    return periodic;
}

bool circuit_runs_in_time(const struct circuit *c)
{
    return c->transient_count > 0 || circuit_is_periodic(c);
}

const struct setting *circuit_option(const struct circuit *c, const char *name)
{
    return setting_find(c->options, c->option_count, name);
}

/* ---- names in formulas ---- */

static const char *name_of_node(const void *circuit, int number)
{
    return ((const struct circuit *)circuit)->nodes[number].name;
}

static const char *name_of_element(const void *circuit, int number)
{
    return ((const struct circuit *)circuit)->elements[number].name;
}

char *circuit_formula(struct arena *arena, const struct circuit *c, const struct expression *e)
{
    const struct expression_naming naming = {c, name_of_node, name_of_element};
    return expression_print(arena, e, &naming);
}

bool element_is_constant_source(const struct element *e)
{
    return e->kind->form == CARD_SOURCE && e->source.wave.kind == WAVEFORM_NONE;
}
