/* show.c - see show.h. */
#include "control/show.h"

#include "base/names.h"
#include "control/analyse.h"
#include "control/script/lists.h"
#include "netlist/deck/deck_reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void show_settings(struct state *s, const struct setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct setting *one = &settings[i];
        if (one->text)
            state_print(s, " %s=%s", one->name, one->text);
        else if (one->has_value)
            state_print(s, " %s=%.6g", one->name, one->value);
        else
            state_print(s, " %s", one->name);
    }
}

/* What the operating point of the current plot has of it: "@q1[gm]". */
static void show_quantities(struct state *s, const struct element *e)
{
    const struct plot *p = s->plots.current;
    const size_t length = strlen(e->name);
    bool any = false;
    for (size_t i = 0; p && i < p->count; i++) {
        const struct vector_kept *v = &p->vectors[i];
        if (v->count != 1 || v->name[0] != '@' || strncasecmp(v->name + 1, e->name, length) != 0 ||
            v->name[1 + length] != '[')
            continue;
        const char *quantity = v->name + 2 + length;
        state_print(s, "%s %.*s=%.6g", any ? "" : "   ", (int)strcspn(quantity, "]"), quantity, v->real[0]);
        any = true;
    }
    if (any)
        state_print(s, "\n");
}

static void show_element(struct state *s, const struct circuit *c, const struct element *e)
{
    const size_t nodes = e->named_nodes > 0 ? e->named_nodes : e->node_count;
    state_print(s, "%s:", e->name);
    for (size_t i = 0; i < nodes; i++)
        state_print(s, " %s", c->nodes[e->nodes[i]].name);
    if (e->model)
        state_print(s, " %s", e->model->name);
    if (e->has_value)
        state_print(s, " %.6g", e->value);
    if (e->source.has_dc)
        state_print(s, " dc %.6g", e->source.dc);
    if (e->source.ac_magnitude != 0)
        state_print(s, " ac %.6g %.6g", e->source.ac_magnitude, e->source.ac_phase);
    show_settings(s, e->settings, e->setting_count);
    state_print(s, "\n");
    show_quantities(s, e);
}

static void show_model(struct state *s, const struct model *m)
{
    state_print(s, "%s: %s", m->name, m->type);
    show_settings(s, m->settings, m->setting_count);
    state_print(s, "\n");
}

/* By its name, or all of a letter: show r. */
static bool means_element(const char *word, const struct element *e)
{
    return names_equal(word, e->name) || (word[1] == '\0' && (word[0] | 0x20) == (e->name[0] | 0x20));
}

/* word NULL: all of them.  How many there are. */
static size_t show_elements_of(struct state *s, const struct circuit *c, const char *word)
{
    size_t shown = 0;
    for (size_t i = 0; i < c->element_count; i++)
        if (!word || means_element(word, &c->elements[i])) {
            show_element(s, c, &c->elements[i]);
            shown++;
        }
    return shown;
}

/* By the name of the model, its type or an element that has it. */
static size_t show_models_of(struct state *s, const struct circuit *c, const char *word)
{
    size_t shown = 0;
    for (size_t i = 0; i < c->model_count; i++) {
        const struct model *m = &c->models[i];
        if (!word || names_equal(word, m->name) || (m->type && names_equal(word, m->type))) {
            show_model(s, m);
            shown++;
        }
    }
    for (size_t i = 0; word && shown == 0 && i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (!names_equal(word, e->name))
            continue;
        if (e->model)
            show_model(s, e->model);
        else
            state_print(s, "%s: no model\n", e->name);
        shown++;
    }
    return shown;
}

/* Names up to a colon, behind which ngspice has parameters: all are shown. */
static bool show(struct state *s, const char *rest, bool models)
{
    const char *words[64];
    size_t count = 0, shown = 0;
    if (!list_redirect(s, &rest))
        return false;
    for (const char *word; count < 64 && (word = state_word(s, &rest)) && strcmp(word, ":") != 0;)
        if (strcmp(word, "all") != 0 && word[0] != '#')
            words[count++] = word[0] == ',' ? word + 1 : word;
    const struct circuit *c = s->dry ? NULL : analyse_circuit(s);
    const char *missing = NULL;
    for (size_t k = 0; c && k < (count > 0 ? count : 1); k++) {
        const char *word = count > 0 ? words[k] : NULL;
        const size_t found = models ? show_models_of(s, c, word) : show_elements_of(s, c, word);
        shown += found;
        missing = found == 0 && !missing ? word : missing;
    }
    if (missing && shown > 0)
        state_warn(s, NULL, "%s: there is no %s '%s'", s->command->name, models ? "model" : "element", missing);
    else if (missing)
        state_fail(s, NULL, "%s: there is no %s '%s'", s->command->name, models ? "model" : "element", missing);
    return list_end_redirect(s) && s->status == KN_OK;
}

bool show_devices(struct state *s, const char *rest)
{
    return show(s, rest, false);
}

bool show_models(struct state *s, const char *rest)
{
    return show(s, rest, true);
}

static void print_lines(struct state *s, char *text)
{
    int number = 0;
    for (char *at = text, *next; at && *at && s->status == KN_OK; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        state_print(s, "%6d : %s\n", ++number, at);
    }
}

bool show_listing(struct state *s, const char *rest)
{
    if (!list_redirect(s, &rest))
        return false;
    const char *reason = "", *file = s->request->circuit->circuit->file, *given = s->request->text;
    char *text = NULL;
    size_t length = 0;
    if (given)
        text = strdup(given);
    const enum kn_status status = s->dry || given ? KN_OK : deck_load(file, &text, &length, &reason);
    if (status != KN_OK)
        state_warn(s, NULL, "listing: cannot read '%s': %s", file, reason);
    if (status == KN_OK && !s->dry)
        print_lines(s, text);
    free(text);
    return list_end_redirect(s);
}
