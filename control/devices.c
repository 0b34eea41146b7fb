/* devices.c - see devices.h. */
#include "control/devices.h"

#include "base/names.h"
#include "control/analyse.h"
#include "control/vectors/functions.h"
#include "netlist/catalogue.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool one(struct state *s, double value, struct values *out)
{
    *out = values_new(s->scratch, 1);
    if (out->at)
        out->at[0] = value;
    return isfinite(value);
}

/* ---- settings ---- */

static const struct setting *find_setting(const struct setting *settings, size_t count, struct parameter_table table,
                                          const char *name)
{
    const size_t row = parameter_row(table, name);
    for (size_t i = 0; i < count; i++) {
        const bool meant =
            names_equal(settings[i].name, name) || (row < table.count && parameter_row(table, settings[i].name) == row);
        if (meant && !settings[i].text)
            return &settings[i];
    }
    return NULL;
}

static double setting_value(const struct setting *settings, size_t count, struct parameter_table table,
                            const char *name)
{
    const struct setting *found = find_setting(settings, count, table, name);
    if (found)
        return found->has_value ? found->value : 1; /* a flag */
    const size_t row = parameter_row(table, name);
    return row < table.count && parameter_form(&table.rows[row]) == PARAMETER_NUMBER ? table.rows[row].fallback : NAN;
}

static bool model_value(struct state *s, const struct circuit *c, const char *device, const char *parameter,
                        struct values *out)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        const struct model *m = e->model;
        if (m && e->kind && names_equal(m->name, device))
            return one(s, setting_value(m->settings, m->setting_count, e->kind->model, parameter), out);
    }
    return false;
}

/* ---- elements ---- */

/* The numbers of a waveform, as they were written. */
static bool waveform_value(struct state *s, const struct source *source, const char *name, struct values *out)
{
    static const char *const names[] = {
        [WAVEFORM_PULSE] = "pulse",   [WAVEFORM_SIN] = "sin",        [WAVEFORM_EXP] = "exp",
        [WAVEFORM_PWL] = "pwl",       [WAVEFORM_SFFM] = "sffm",      [WAVEFORM_AM] = "am",
        [WAVEFORM_NOISE] = "trnoise", [WAVEFORM_RANDOM] = "trrandom"};
    const struct waveform *w = &source->wave;
    const bool meant = w->kind > WAVEFORM_NONE && w->kind < WAVEFORM_EXTERNAL && names_equal(names[w->kind], name);
    if (!meant)
        return false;
    *out = values_new(s->scratch, w->count);
    for (size_t i = 0; out->at && i < w->count; i++)
        out->at[i] = w->values[i];
    return true;
}

/* Its number in the catalogue, -1 without: of sources and passive elements ngspice calls the current by other names, too. */
static int quantity_named(const struct element *e, const char *name)
{
    return kind_quantity(e->kind, name_is_among("current c", name) ? "i" : name);
}

/* A quantity that the plot has under the name of the catalogue. */
static bool kept_quantity(struct state *s, const struct plot *p, const struct element *e, const char *name,
                          struct values *out)
{
    const int q = quantity_named(e, name);
    const char *known = q >= 0 ? kind_quantity_info(e->kind, q)->name : NULL;
    const char *vector = known ? arena_format(s->scratch, "@%s[%s]", e->name, known) : NULL;
    const struct vector_kept *v = vector ? plot_find(p, vector) : NULL;
    if (!v && known && quantity_is_current(known) && (vector = arena_format(s->scratch, "i(%s)", e->name)))
        v = plot_find(p, vector);
    if (v)
        *out = plot_values(v, s->scratch);
    return v != NULL;
}

/* Over .dc, where `save @v1[dc]` has kept what the source gives: what that is of each of its number. */
static bool swept_value(struct state *s, const struct plot *p, const struct element *e, struct values *out)
{
    const bool is_dc = strncasecmp(p->name, "dc", 2) == 0;
    const struct parameter_table table = e->kind->instance;
    if (!is_dc || !kept_quantity(s, p, e, kind_is_voltage_source(e->kind) ? "v" : "i", out))
        return false;
    const double count = kind_is_voltage_source(e->kind) ? 1 : setting_value(e->settings, e->setting_count, table, "m");
    for (size_t i = 0; out->at && i < out->count; i++)
        out->at[i] /= count;
    return true;
}

static bool source_value(struct state *s, const struct plot *p, const struct element *e, const char *name,
                         struct values *out)
{
    const struct source *source = &e->source;
    if (names_equal(name, "dc"))
        return swept_value(s, p, e, out) || one(s, source->dc, out);
    if (names_equal(name, "acmag") || names_equal(name, "ac"))
        return one(s, source->ac_magnitude, out);
    if (names_equal(name, "acphase"))
        return one(s, source->ac_phase, out);
    return waveform_value(s, source, name, out);
}

/* Passive elements, semiconductors and sources of current: results have their currents only where somebody has asked for them. */
static bool has_no_branch(const struct element *e)
{
    return strchr("rcdqmjzigf", e->kind->letter) || (e->kind->letter == 'b' && e->law == LAW_CURRENT);
}

/* @r1[i]: every element has one, but no table says it; and all of them behind other analyses than .op. */
static void mention(struct state *s, const struct element *e, const char *name)
{
    const int q = quantity_named(e, name);
    if (q < 0)
        return;
    const char *vector = arena_format(s->scratch, "@%s[%s]", e->name, kind_quantity_info(e->kind, q)->name);
    if (vector && q >= (int)e->kind->quantities.count)
        s->mentioned = arena_format(s->arena, "%s %s", s->mentioned ? s->mentioned : "", vector);
    if (vector && has_no_branch(e) && !(s->asked && name_is_among(s->asked, vector)))
        s->asked = arena_format(s->arena, "%s %s", s->asked ? s->asked : "", vector);
}

/* R, C and L that say no value: the fallback of their own row, 0, is none. */
static bool is_value_of_model(const struct element *e, const char *name)
{
    const struct parameter_table table = e->kind->instance;
    return e->kind->form == CARD_PASSIVE && table.count && parameter_row(table, name) == 0 &&
           !find_setting(e->settings, e->setting_count, table, name);
}

static bool element_value(struct state *s, const struct plot *p, const struct element *e, const char *name,
                          struct values *out)
{
    static const char *const main_values[] = {"resistance", "capacitance", "inductance", "gain", "value"};
    if (kept_quantity(s, p, e, name, out))
        return true;
    if (e->kind->form == CARD_SOURCE && source_value(s, p, e, name, out))
        return true;
    for (size_t i = 0; e->has_value && i < sizeof main_values / sizeof *main_values; i++)
        if (names_equal(name, main_values[i]) || (name[1] == '\0' && (name[0] | 0x20) == (e->kind->letter | 0x20)))
            return one(s, e->value, out);
    if (is_value_of_model(e, name)) {
        const double *value = element_model_value(e);
        return value && one(s, *value, out);
    }
    if (quantity_named(e, name) >= 0) /* @q1[ic] is a current, and no voltage of ic= to begin with */
        return false;
    return one(s, setting_value(e->settings, e->setting_count, e->kind->instance, name), out);
}

/* r1_m: the table of .sens has such where it is asked for. */
static void mention_factor(struct state *s, const char *name)
{
    const char *mark = strrchr(name, '_');
    const struct circuit *c = mark && s->request->circuit ? analyse_circuit(s) : NULL;
    const char *element = c ? arena_text(s->scratch, name, (size_t)(mark - name)) : NULL;
    const struct element *e = element ? analyse_element(c, element) : NULL;
    if (e && e->kind && parameter_row(e->kind->instance, mark + 1) < e->kind->instance.count)
        s->factors =
            arena_format(s->arena, "%s%s%s:%s", s->factors ? s->factors : "", s->factors ? "," : "", e->name, mark + 1);
}

bool devices_value(void *context, const struct plot *p, const char *name, struct values *out)
{
    struct state *s = context;
    if (!p && name[0] != '@') {
        mention_factor(s, name);
        return s->made && name_is_among(s->made, name);
    }
    const char *bracket = strchr(name, '['), *close = bracket ? strchr(bracket, ']') : NULL;
    const char *device = close ? arena_text(s->scratch, name + 1, (size_t)(bracket - name - 1)) : NULL;
    const char *parameter = device ? arena_text(s->scratch, bracket + 1, (size_t)(close - bracket - 1)) : NULL;
    const struct circuit *c = parameter && s->request->circuit ? analyse_circuit(s) : NULL;
    if (!c)
        return false;
    const struct element *e = analyse_element(c, device);
    if (!p && e)
        mention(s, e, parameter);
    const bool found = !p  ? false
                       : e ? element_value(s, p, e, parameter, out)
                           : model_value(s, c, device, parameter, out);
    return found && out->at;
}
