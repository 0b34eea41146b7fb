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
    state_print(s, "%s:", e->name);
    for (size_t i = 0; i < e->node_count; i++)
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
    for (size_t i = 0; c && i < (models ? c->model_count : c->element_count); i++) {
        const char *name = models ? c->models[i].name : c->elements[i].name;
        bool wanted = count == 0;
        for (size_t k = 0; k < count; k++) {
            const bool letter = !models && words[k][1] == '\0'; /* all resistors: show r */
            wanted |= names_equal(words[k], name) || (letter && (words[k][0] | 0x20) == (name[0] | 0x20));
            wanted |= models && c->models[i].type && names_equal(words[k], c->models[i].type);
        }
        shown += wanted;
        if (wanted && models) {
            state_print(s, "%s: %s", name, c->models[i].type);
            show_settings(s, c->models[i].settings, c->models[i].setting_count);
            state_print(s, "\n");
        } else if (wanted) {
            show_element(s, c, &c->elements[i]);
        }
    }
    if (!s->dry && s->status == KN_OK && shown == 0 && count > 0)
        state_fail(s, NULL, "%s: there is no %s '%s'", s->command->name, models ? "model" : "element", words[0]);
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
