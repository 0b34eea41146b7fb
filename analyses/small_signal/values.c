/* values.c - see values.h. */
#include "analyses/small_signal/values.h"

#include "base/array.h"
#include "base/names.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- which ---- */

static bool add(struct values *v, struct value value, const char *owner)
{
    char *name =
        value.setting ? arena_format(v->arena, "%s:%s", owner, value.setting) : arena_format(v->arena, "%s", owner);
    if (!name || !array_reserve(&v->list, v->count + 1, &v->capacity, sizeof *v->list))
        return false;
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    value.name = name;
    v->list[v->count++] = value;
    return true;
}

/* The last setting that a row of a table has. */
static const struct setting *setting_of(struct parameter_table table, size_t row, const struct setting *settings,
                                        size_t count)
{
    const struct setting *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (parameter_row(table, settings[i].name) == row)
            found = &settings[i];
    return found;
}

static bool is_number(const struct setting *s)
{
    return s->has_value && !s->text && !s->list;
}

/* How many there are, or how large, which is as good as the values themselves where nobody gives it: of models, and of elements, whose n are
 * in series. */
static bool is_factor(const struct value *value, const char *name)
{
    return name_is_among(value->kind == VALUE_MODEL ? "m area scale" : "m n area scale", name);
}

/* Whether somebody asks for it by its name, r1:m. */
static bool is_asked(const struct values *v, const char *owner, const char *name)
{
    const size_t length = strlen(owner);
    for (size_t i = 0; i < v->asked_count; i++)
        if (strncasecmp(v->asked[i], owner, length) == 0 && v->asked[i][length] == ':' &&
            names_equal(v->asked[i] + length + 1, name))
            return true;
    return false;
}

/* A row of the table of an element or a model: what the deck gives, or a default that is a number other than 0.  A level is
 * no quantity. */
static bool add_row(struct values *v, struct value value, struct parameter_table table, size_t row,
                    const struct setting *given, const char *owner)
{
    const struct parameter_info *p = &table.rows[row];
    if (strcmp(p->name, "level") == 0 || (given && !is_number(given)) ||
        (!given && (p->fallback == 0 || !isfinite(p->fallback) ||
                    (is_factor(&value, p->name) && !is_asked(v, owner, p->name)))))
        return true;
    value.given = given != NULL;
    value.number = given ? given->value : p->fallback;
    value.setting = p->name;
    return add(v, value, owner);
}

/* The first row of a kind that has a value is this value. */
static bool add_settings(struct values *v, const struct element *e)
{
    const struct parameter_table table = e->kind->instance;
    bool good = true;
    for (size_t row = 0; row < table.count && good; row++) {
        const struct setting *given = setting_of(table, row, e->settings, e->setting_count);
        const bool own = row == 0 && e->kind->value;
        if (!own)
            good = add_row(v, (struct value){.kind = VALUE_SETTING, .element = e->number}, table, row, given, e->name);
        else if (!e->has_value && given && is_number(given))
            good = add(v, (struct value){VALUE_OWN, NULL, e->number, NULL, NULL, given->value, true}, e->name);
    }
    return good;
}

/* The number of sources, where it is given or asked for. */
static bool add_count(struct values *v, const struct element *e)
{
    const struct parameter_table table = e->kind->instance;
    const size_t row = parameter_row(table, "m");
    return row == table.count || add_row(v, (struct value){.kind = VALUE_SETTING, .element = e->number}, table, row,
                                         setting_of(table, row, e->settings, e->setting_count), e->name);
}

static bool add_source(struct values *v, const struct element *e, bool with_ac)
{
    const struct source *s = &e->source;
    const struct value dc = {VALUE_DC, NULL, e->number, NULL, NULL, s->dc, true};
    const struct value ac = {VALUE_AC, NULL, e->number, NULL, "acmag", s->ac_magnitude, true};
    const struct value phase = {VALUE_AC_PHASE, NULL, e->number, NULL, "acphase", s->ac_phase, true};
    return ((!s->has_dc && s->wave.kind != WAVEFORM_NONE) || add(v, dc, e->name)) &&
           (!with_ac || s->ac_magnitude == 0 || (add(v, ac, e->name) && add(v, phase, e->name))) && add_count(v, e);
}

static bool add_element(struct values *v, const struct element *e, bool with_ac)
{
    if (e->kind->form == CARD_SOURCE)
        return add_source(v, e, with_ac);
    if (e->has_value && !add(v, (struct value){VALUE_OWN, NULL, e->number, NULL, NULL, e->value, true}, e->name))
        return false;
    return add_settings(v, e);
}

/* At its first user. */
static bool add_model(struct values *v, const struct element *e)
{
    const struct model *m = e->model;
    const struct parameter_table table = e->kind->model;
    for (size_t i = 0; i < v->count; i++)
        if (v->list[i].model == m)
            return true;
    bool good = true;
    for (size_t row = 0; row < table.count && good; row++)
        good = add_row(v, (struct value){.kind = VALUE_MODEL, .element = e->number, .model = m}, table, row,
                       setting_of(table, row, m->settings, m->setting_count), m->name);
    return good;
}

/* r1#i, 0 V in series by which a current is an unknown (netlist/formulas/states.c), which is no value of the deck. */
static bool is_ammeter(const struct element *e)
{
    return e->kind->letter == 'v' && strchr(e->name, '#');
}

enum kn_status values_find(struct values *v, const struct circuit *c, bool with_ac, const char *const *asked,
                           size_t asked_count)
{
    *v = (struct values){.circuit = c, .arena = arena_new(), .asked = asked, .asked_count = asked_count};
    bool good = v->arena != NULL;
    for (size_t i = 0; i < c->element_count && good; i++)
        good = !c->elements[i].kind || is_ammeter(&c->elements[i]) || add_element(v, &c->elements[i], with_ac);
    for (size_t i = 0; i < c->element_count && good; i++)
        good = !c->elements[i].kind || !c->elements[i].model || add_model(v, &c->elements[i]);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

/* Whether name is that of an element or a model (owner), or owner:parameter. */
static bool is_of(const char *name, const char *owner, struct parameter_table table)
{
    const size_t length = strlen(owner);
    if (names_equal(name, owner))
        return true;
    return strncasecmp(name, owner, length) == 0 && name[length] == ':' &&
           parameter_row(table, name + length + 1) < table.count;
}

bool values_can_have(const struct circuit *c, const char *name)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (e->kind && (is_of(name, e->name, e->kind->instance) ||
                        (e->kind->form == CARD_SOURCE && strncasecmp(name, e->name, strlen(e->name)) == 0 &&
                         name_is_among(":dc :acmag :acphase", name + strlen(e->name))) ||
                        (e->model && is_of(name, e->model->name, e->kind->model))))
            return true;
    }
    return false;
}

void values_free(struct values *v)
{
    arena_free(v->arena);
    free(v->list);
}

/* ---- with another number ---- */

enum kn_status altered_init(struct altered *a, const struct circuit *c)
{
    size_t most = 0;
    *a = (struct altered){.circuit = *c, .original = c};
    a->elements = calloc(c->element_count + 1, sizeof *a->elements);
    a->couplings = calloc(c->element_count + 1, sizeof *a->couplings);
    a->shown = calloc(c->element_count + 1, sizeof *a->shown);
    if (!a->elements || !a->couplings || !a->shown)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        a->elements[i] = *e;
        a->elements[i].kind = NULL;
        if (e->kind && e->kind->form == CARD_COUPLING)
            a->couplings[a->coupling_count++] = (int)i;
        most = e->setting_count > most ? e->setting_count : most;
        most = e->model && e->model->setting_count > most ? e->model->setting_count : most;
    }
    a->room = most + 1;
    a->settings = calloc(a->room, sizeof *a->settings);
    a->circuit.elements = a->elements;
    return a->settings ? KN_OK : KN_ERROR_MEMORY;
}

void altered_free(struct altered *a)
{
    free(a->elements);
    free(a->couplings);
    free(a->shown);
    free(a->settings);
}

static void hide_all(struct altered *a)
{
    for (size_t i = 0; i < a->shown_count; i++) {
        struct element *e = &a->elements[a->shown[i]];
        *e = a->original->elements[a->shown[i]];
        e->kind = NULL;
    }
    a->shown_count = 0;
}

/* With those that it refers to. */
static void show(struct altered *a, int number)
{
    const struct element *e = &a->original->elements[number];
    if (!e->kind || a->elements[number].kind)
        return;
    a->elements[number] = *e;
    a->shown[a->shown_count++] = number;
    for (size_t i = 0; i < e->control_element_count; i++)
        show(a, e->control_elements[i]);
}

/* And the couplings, whose mutual inductance depends on that of an inductor. */
static void show_couplings(struct altered *a, int number)
{
    for (size_t i = 0; i < a->coupling_count; i++) {
        const struct element *k = &a->original->elements[a->couplings[i]];
        for (size_t n = 0; n < k->control_element_count; n++)
            if (k->control_elements[n] == number)
                show(a, k->number);
    }
}

/* The settings of an element or a model with one row of the table changed or added; returns their number. */
static size_t change_setting(const struct altered *a, struct parameter_table table, const struct setting *settings,
                             size_t count, const char *name, double number)
{
    const size_t row = parameter_row(table, name);
    size_t at = count;
    for (size_t i = 0; i < count; i++) {
        a->settings[i] = settings[i];
        if (parameter_row(table, settings[i].name) == row)
            at = i;
    }
    if (at == count)
        a->settings[at] = (struct setting){.name = name};
    a->settings[at].has_value = true;
    a->settings[at].value = number;
    return at == count ? count + 1 : count;
}

static void set_model(struct altered *a, const struct value *v, double number)
{
    const struct parameter_table table = a->original->elements[v->element].kind->model;
    a->model = *v->model;
    a->model.setting_count = change_setting(a, table, v->model->settings, v->model->setting_count, v->setting, number);
    a->model.settings = a->settings;
    for (size_t i = 0; i < a->shown_count; i++)
        if (a->elements[a->shown[i]].model == v->model)
            a->elements[a->shown[i]].model = &a->model;
}

static void set_element(const struct altered *a, const struct value *v, double number)
{
    struct element *e = &a->elements[v->element];
    const struct parameter_table table = e->kind->instance;
    if (v->kind == VALUE_DC) {
        e->source.dc = number;
        e->source.has_dc = true;
    } else if (v->kind == VALUE_OWN && e->has_value) {
        e->value = number;
    } else if (v->kind == VALUE_OWN || v->kind == VALUE_SETTING) {
        e->setting_count = change_setting(a, table, e->settings, e->setting_count,
                                          v->setting ? v->setting : table.rows[0].name, number);
        e->settings = a->settings;
    }
}

static void show_owners(struct altered *a, const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_MODEL && i < a->original->element_count; i++)
        if (a->original->elements[i].model == v->model)
            show(a, (int)i);
    if (v->kind != VALUE_MODEL)
        show(a, v->element);
    const size_t owners = a->shown_count;
    for (size_t i = 0; i < owners; i++)
        if (a->original->elements[a->shown[i]].kind->law == LAW_FLUX)
            show_couplings(a, a->shown[i]);
}

void altered_set(struct altered *a, const struct value *v, double number, bool as_written)
{
    hide_all(a);
    show_owners(a, v);
    if (!as_written && v->kind == VALUE_MODEL)
        set_model(a, v, number);
    else if (!as_written)
        set_element(a, v, number);
}

void altered_whole(const struct altered *a, struct element *elements, struct circuit *out)
{
    memcpy(elements, a->original->elements, a->original->element_count * sizeof *elements);
    for (size_t i = 0; i < a->shown_count; i++)
        elements[a->shown[i]] = a->elements[a->shown[i]];
    *out = *a->original;
    out->elements = elements;
}
