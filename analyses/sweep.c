/* sweep.c - see sweep.h.
 *
 *     [lin|dec|oct] [param] name [(parameter)] start stop step ..
 *
 * as ngspice, LTspice, HSPICE and Xyce write it.  dec and oct in front of the name have the number of points per decade
 * or octave behind start and stop (LTspice, Xyce), those behind the name in front of them (HSPICE).
 */
#include "analyses/sweep.h"

#include <math.h>
#include <string.h>

/* A value is still the last one where rounding puts it so much beyond, as part of a step. */
static const double BEYOND = 1e-6;
static const double MOST_POINTS = 1e8;
static const double ABSOLUTE_ZERO = -273.15; /* degrees Celsius */

enum spacing { SPACING_LINEAR, SPACING_DECADES, SPACING_OCTAVES, SPACING_LIST, SPACING_POINTS, SPACINGS };

static const char *const spacing_words[SPACINGS] = {"lin", "dec", "oct", "list", "poi"};

struct cursor {
    const struct sweep_reader *r;
    const struct analysis_card *card;
    size_t next;
    bool behind; /* the spacing stands behind the name */
    enum spacing spacing;
    const struct setting *target, *numbers; /* the name, and the first number behind it */
    size_t number_count;
};

static const struct setting *ahead(const struct cursor *c, size_t distance)
{
    return c->next + distance < c->card->setting_count ? &c->card->settings[c->next + distance] : NULL;
}

static bool is_word(const struct setting *s, const char *word)
{
    return s && !s->text && names_equal(s->name, word);
}

static struct kn_location place(const struct cursor *c)
{
    const struct setting *s = ahead(c, 0);
    return s ? s->where : c->card->where;
}

static const char *form(const struct cursor *c)
{
    return names_equal(c->card->name, ".dc") ? "write .dc source start stop step, e.g. .dc V1 0 5 0.1"
                                             : "write .step param name start stop step, or .step param name list 1 2 5";
}

static enum kn_status fail(const struct cursor *c, struct kn_location where, const char *hint, const char *what)
{
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", where, hint, "'%s': %s", c->card->name, what);
    return KN_ERROR_DECK;
}

/* ---- what is swept ---- */

/* A spacing if the next word is one. */
static bool take_spacing(struct cursor *c)
{
    for (int i = 0; i < SPACINGS; i++)
        if (is_word(ahead(c, 0), spacing_words[i])) {
            c->spacing = (enum spacing)i;
            c->next++;
            return true;
        }
    return false;
}

static const char *lower(struct arena *a, const char *text)
{
    char *copy = arena_text(a, text, strlen(text));
    for (char *l = copy; l && *l; l++)
        *l = (char)(*l >= 'A' && *l <= 'Z' ? *l - 'A' + 'a' : *l);
    return copy;
}

/* `type name(parameter)` of LTspice. */
static bool take_model(struct cursor *c, struct sweep *s)
{
    const struct setting *name = ahead(c, 1), *parameter = ahead(c, 3);
    if (!name || !parameter || !is_word(ahead(c, 2), "(") || ahead(c, 0)->has_value)
        return false;
    s->target = (struct override){OVERRIDE_MODEL, name->name, parameter->name, 0};
    s->name = arena_format(c->r->arena, "%s(%s)", name->name, parameter->name);
    c->target = name;
    c->next += 4;
    return true;
}

/* `m1:w`, `model:parameter` of Xyce. */
static bool take_setting(const struct cursor *c, struct sweep *s, const char *name)
{
    const char *colon = strrchr(name, ':');
    const char *owner = colon ? arena_text(c->r->arena, name, (size_t)(colon - name)) : NULL;
    if (!owner)
        return false;
    const bool element = circuit_find_element(c->r->circuit, owner) >= 0;
    s->target = (struct override){element ? OVERRIDE_ELEMENT : OVERRIDE_MODEL, owner, colon + 1, 0};
    return true;
}

static enum kn_status take_element(const struct cursor *c, struct sweep *s, const struct element *e)
{
    s->target = (struct override){OVERRIDE_ELEMENT, e->name, NULL, 0};
    if (e->kind->form == CARD_SOURCE)
        s->source = e->number;
    else if (!e->has_value)
        return fail(c, c->target->where, "name a source, or an element or a parameter with a value",
                    "this element has no value to sweep");
    return KN_OK;
}

static enum kn_status take_target(struct cursor *c, struct sweep *s)
{
    const bool forced =
        (is_word(ahead(c, 0), "param") || is_word(ahead(c, 0), "global")) && ahead(c, 1) && !ahead(c, 1)->has_value;
    c->next += forced;
    c->target = ahead(c, 0);
    s->source = -1;
    if (!c->target)
        return fail(c, c->card->where, form(c), "the name of what is swept is missing");
    if (!forced && take_model(c, s))
        return KN_OK;
    const char *name = c->target->name;
    const int element = forced ? -1 : circuit_find_element(c->r->circuit, name);
    s->name = name;
    c->next++;
    if (!forced && names_equal(name, "temp"))
        s->target = (struct override){OVERRIDE_TEMPERATURE, NULL, NULL, 0};
    else if (element >= 0)
        return take_element(c, s, &c->r->circuit->elements[element]);
    else if (forced || !take_setting(c, s, name))
        s->target = (struct override){OVERRIDE_PARAMETER, name, NULL, 0};
    return KN_OK;
}

/* ---- its values ---- */

static enum kn_status keep_values(const struct cursor *c, struct sweep *s, double count)
{
    if (!(count <= MOST_POINTS))
        return fail(c, c->numbers->where, "make the step larger", "so many values would take forever");
    s->count = (size_t)count;
    s->values = arena_array(c->r->arena, s->count, sizeof *s->values);
    return s->values ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make_list(const struct cursor *c, struct sweep *s)
{
    const size_t skipped = c->spacing == SPACING_POINTS && c->number_count > 1; /* the number of points */
    const enum kn_status status = keep_values(c, s, (double)(c->number_count - skipped));
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = c->numbers[i + skipped].value;
    return status;
}

/* A last value that only rounding tells from the stop is the stop. */
static void meet_stop(struct sweep *s, double stop)
{
    double *last = &s->values[s->count - 1];
    if (fabs(*last - stop) <= 1e-12 * fabs(stop))
        *last = stop;
}

static enum kn_status make_linear(const struct cursor *c, struct sweep *s, double start, double stop, double step)
{
    const struct setting *where = &c->numbers[2];
    if (step == 0 && start != stop)
        return fail(c, where->where, NULL, "the step is 0");
    if (step * (stop - start) < 0)
        return fail(c, where->where,
                    diagnostics_hint(c->r->diagnostics, "from %g to %g the step is %g", start, stop, -step),
                    "the step leads away from the end");
    const enum kn_status status = keep_values(c, s, step == 0 ? 1 : floor((stop - start) / step + BEYOND) + 1);
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = start + (double)i * step;
    if (status == KN_OK)
        meet_stop(s, stop);
    return status;
}

static enum kn_status make_logarithmic(const struct cursor *c, struct sweep *s, double start, double stop, double per)
{
    const double base = c->spacing == SPACING_DECADES ? 10 : 2;
    if (!(start * stop > 0))
        return fail(c, c->numbers->where, "give start and stop the same sign, neither of them 0",
                    "a logarithmic sweep does not reach 0");
    if (!(per >= 1))
        return fail(c, c->numbers[c->behind ? 0 : 2].where, NULL,
                    "the number of points per decade or octave is less than 1");
    const double span = log(stop / start) / log(base) * per, direction = span < 0 ? -1 : 1;
    const enum kn_status status = keep_values(c, s, floor(fabs(span) + BEYOND) + 1);
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = start * pow(base, direction * (double)i / per);
    if (status == KN_OK)
        meet_stop(s, stop);
    return status;
}

static enum kn_status make_values(const struct cursor *c, struct sweep *s)
{
    const struct setting *n = c->numbers;
    const bool is_list = c->spacing == SPACING_LIST || c->spacing == SPACING_POINTS;
    if (c->number_count == 0 || (!is_list && c->number_count < 3))
        return fail(c, place(c), form(c),
                    is_list ? "expected a number" : "expected three numbers: start, stop and step");
    if (is_list)
        return make_list(c, s);
    if (c->spacing == SPACING_LINEAR && !c->behind)
        return make_linear(c, s, n[0].value, n[1].value, n[2].value);
    if (c->spacing == SPACING_LINEAR)
        return make_linear(c, s, n[1].value, n[2].value, (n[2].value - n[1].value) / fmax(1, n[0].value - 1));
    return c->behind ? make_logarithmic(c, s, n[1].value, n[2].value, n[0].value)
                     : make_logarithmic(c, s, n[0].value, n[1].value, n[2].value);
}

/* Three numbers, or as many as a list has. */
static void take_numbers(struct cursor *c)
{
    const bool is_list = c->spacing == SPACING_LIST || c->spacing == SPACING_POINTS;
    c->numbers = ahead(c, 0);
    c->number_count = 0;
    while (ahead(c, 0) && ahead(c, 0)->has_value && !ahead(c, 0)->text && (is_list || c->number_count < 3)) {
        c->number_count++;
        c->next++;
    }
}

/* ---- whether there is such a thing ---- */

static enum kn_status unknown_target(const struct cursor *c, const struct sweep *s, const char *hint)
{
    struct name_guess g = name_guess(c->target->name);
    for (size_t i = 0; s->target.kind == OVERRIDE_PARAMETER && i < c->r->circuit->element_count; i++)
        name_guess_offer(&g, c->r->circuit->elements[i].name);
    const char *guess = diagnostics_meant(c->r->diagnostics, g.found);
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", c->target->where, guess ? guess : hint,
                    "'%s': there is no %s '%s'", c->card->name,
                    s->target.kind == OVERRIDE_MODEL ? "model" : "source, element or parameter", c->target->name);
    return KN_ERROR_DECK;
}

/* The deck with the first value tells. */
static enum kn_status check_target(const struct cursor *c, const struct sweep *s)
{
    struct override first = s->target;
    const struct overrides all = {&first, 1};
    struct circuit *circuit = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    first.value = s->values[0];
    enum kn_status status = d ? deck_expand(c->r->deck, &all, NULL, d, &circuit) : KN_ERROR_MEMORY;
    bool said = false;
    for (size_t i = 0; status == KN_ERROR_DECK && !said && i < kn_diagnostics_count(d); i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(d, i);
        said = strcmp(m->code, "override") == 0 && !m->where.file;
        if (said)
            unknown_target(c, s,
                           diagnostics_hint(c->r->diagnostics, "%s", m->hint ? m->hint : "look for its .param card"));
    }
    if (status == KN_ERROR_DECK && !said)
        diagnostics_copy(c->r->diagnostics, d);
    if (circuit)
        circuit_free(circuit);
    kn_diagnostics_free(d);
    return status;
}

static enum kn_status check_temperatures(const struct cursor *c, const struct sweep *s)
{
    for (size_t i = 0; s->target.kind == OVERRIDE_TEMPERATURE && i < s->count; i++)
        if (!(s->values[i] > ABSOLUTE_ZERO))
            return fail(c, c->numbers->where, "temperatures are in degrees Celsius",
                        "the temperature falls below absolute zero");
    return KN_OK;
}

/* ---- the card ---- */

static enum kn_status read_sweep(struct cursor *c, struct sweep *s)
{
    *s = (struct sweep){.where = place(c)};
    c->spacing = SPACING_LINEAR;
    take_spacing(c);
    enum kn_status status = take_target(c, s);
    if (status != KN_OK)
        return status;
    if (is_word(ahead(c, 0), ")"))
        c->next++;
    c->behind = take_spacing(c);
    take_numbers(c);
    s->name = s->name ? lower(c->r->arena, s->name) : NULL;
    status = make_values(c, s);
    if (status == KN_OK && !s->name)
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = check_temperatures(c, s);
    if (status == KN_OK && c->r->deck)
        status = check_target(c, s);
    return status;
}

enum kn_status sweeps_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    struct cursor c = {.r = r, .card = card};
    if (card->setting_count == 0)
        return fail(&c, card->where, form(&c), "what is swept is missing");
    const size_t most = out->count + card->setting_count;
    struct sweep *all = arena_array(r->arena, most, sizeof *all);
    if (!all)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < out->count; i++)
        all[i] = out->items[i];
    out->items = all;
    enum kn_status status = KN_OK;
    while (status == KN_OK && ahead(&c, 0))
        if ((status = read_sweep(&c, &all[out->count])) == KN_OK)
            out->count++;
    return status;
}

/* ---- all together ---- */

size_t sweeps_points(const struct sweeps *s)
{
    size_t points = 1;
    for (size_t i = 0; i < s->count; i++)
        points *= s->items[i].count;
    return points;
}

void sweeps_values(const struct sweeps *s, size_t i, double *values)
{
    for (size_t k = 0; k < s->count; k++) {
        values[k] = s->items[k].values[i % s->items[k].count];
        i /= s->items[k].count;
    }
}

void sweeps_override(const struct sweeps *s, const double *values, struct override *items)
{
    for (size_t k = 0; k < s->count; k++) {
        items[k] = s->items[k].target;
        items[k].value = values[k];
    }
}

void sweeps_describe(const struct sweeps *s, const double *values, struct text *out)
{
    struct text_list list = text_list(out, ", ", 0);
    for (size_t k = 0; k < s->count; k++)
        text_list_format(&list, "%s = %.6g", s->items[k].name, values[k]);
    text_list_end(&list);
}
