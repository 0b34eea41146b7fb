/* expand_sources.c - element cards V and I: DC, AC and the waveforms of SPICE. */
#include "netlist/expand/expand_card.h"

#include <stdint.h>
#include <string.h>

/* Names, and how many values each must and may have. */
static const struct {
    const char *name;
    enum waveform_kind kind;
    size_t least, most;
    const char *form;
} waveforms[] = {
    {"pulse", WAVEFORM_PULSE, 2, 8, "PULSE(v1 v2 td tr tf pw per)"},
    {"sin", WAVEFORM_SIN, 2, 6, "SIN(vo va freq td theta phase)"},
    {"exp", WAVEFORM_EXP, 2, 6, "EXP(v1 v2 td1 tau1 td2 tau2)"},
    {"pwl", WAVEFORM_PWL, 2, SIZE_MAX, "PWL(t1 v1 t2 v2 ..)"},
    {"sffm", WAVEFORM_SFFM, 2, 7, "SFFM(vo va fc mdi fs phasec phases)"},
    {"am", WAVEFORM_AM, 2, 7, "AM(va vo mf fc td phasec phases)"},
};
/* "sine" and the like: one more name for a waveform. */
static const struct {
    const char *other, *name;
} synonyms[] = {{"sine", "sin"}, {"pul", "pulse"}};

enum { WAVEFORM_COUNT = sizeof waveforms / sizeof *waveforms };

static int waveform_index(const struct item *i)
{
    for (int w = 0; w < WAVEFORM_COUNT; w++)
        if (item_is(i, waveforms[w].name))
            return w;
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++)
        for (int w = 0; item_is(i, synonyms[s].other) && w < WAVEFORM_COUNT; w++)
            if (strcmp(waveforms[w].name, synonyms[s].name) == 0)
                return w;
    return -1;
}

enum { MOST_PORTS = 99 };

/* z0, ohm, and where it is given. */
struct port {
    double z0;
    struct kn_location where;
};

static bool is_keyword(const struct item *i)
{
    static const char *const others[] = {"dc",       "ac",       "distof1", "distof2", "trnoise",
                                         "trrandom", "external", "portnum", "z0"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (item_is(i, others[k]))
            return true;
    return waveform_index(i) >= 0;
}

/* Something that can be a number: the list of values after a keyword ends at the next keyword or setting. */
static bool is_value(const struct item *i)
{
    return i && !i->value && (i->kind == ITEM_EXPRESSION || (i->kind == ITEM_WORD && !is_keyword(i)));
}

static bool is_group(const struct item *i)
{
    return i && i->kind == ITEM_GROUP && !i->value;
}

/* ---- waveforms ---- */

/* Parentheses among them are blanks: PWL((0 0) (1u 5)), PWL (0 0) (1u 5). */
static bool push_values(struct card *c, struct item *i, struct item **rest)
{
    for (; is_value(i) || is_group(i); i = i->next) {
        double value = 0.0;
        if (is_group(i)) {
            struct item *left = NULL;
            if (!push_values(c, i->inside, &left))
                return false;
            if (!left)
                continue;
            *rest = left;
            return true;
        }
        if (!card_value(c, i, &value) || !expand_add(c->x, &c->x->numbers, &value))
            return false;
    }
    *rest = i;
    return true;
}

static bool check_times(struct card *c, const struct waveform *w)
{
    if (w->count % 2 != 0)
        return card_fail(c, "waveform", w->where, "write PWL(t1 v1 t2 v2 ..)",
                         "%s: PWL needs pairs of time and value, but has %zu numbers", card_owner(c), w->count);
    for (size_t i = 2; i < w->count; i += 2)
        if (w->values[i] < w->values[i - 2])
            return card_fail(c, "waveform", w->where, NULL, "%s: the times of PWL must not fall, but %g follows %g",
                             card_owner(c), w->values[i], w->values[i - 2]);
    return true;
}

/* Settings inside the parentheses, PWL(.. r=0 td=1u), count like those behind. */
static bool read_pwl_setting(struct card *c, struct item *i, bool *taken)
{
    struct waveform *w = &c->e->source.wave;
    *taken = item_is(i, "r") || item_is(i, "td");
    if (!*taken)
        return true;
    double value = 0.0;
    if (!card_value(c, i->value, &value))
        return false;
    if (item_is(i, "r"))
        w->repeat_from = value;
    else
        w->delay = value;
    return true;
}

/* ngspice 39 drops the eighth; the manual of later versions has eight in another order. */
static void drop_eighth(struct card *c, int index)
{
    struct waveform *w = &c->e->source.wave;
    if (w->count != 8 || (w->kind != WAVEFORM_SFFM && w->kind != WAVEFORM_AM))
        return;
    w->count = 7;
    deck_warn(c->x->deck, "waveform", w->where, "newer programs put these values in another order",
              "%s: read as %s; the eighth value is ignored", card_owner(c), waveforms[index].form);
}

static bool finish_waveform(struct card *c, int index)
{
    struct waveform *w = &c->e->source.wave;
    const size_t count = c->x->numbers.count;
    double *values = arena_array(c->x->deck->arena, count + 1, sizeof *values);
    if (!values)
        return deck_no_memory(c->x->deck);
    if (count > 0)
        memcpy(values, c->x->numbers.items, count * sizeof *values);
    w->values = values;
    w->count = count;
    drop_eighth(c, index);
    if (w->count < waveforms[index].least || w->count > waveforms[index].most)
        return card_fail(c, "waveform", w->where,
                         diagnostics_hint(c->x->deck->diagnostics, "write %s", waveforms[index].form),
                         "%s: '%s' with %zu value%s; it takes %s%zu", card_owner(c), waveforms[index].name, count,
                         count == 1 ? "" : "s", count < waveforms[index].least ? "at least " : "at most ",
                         count < waveforms[index].least ? waveforms[index].least : waveforms[index].most);
    return w->kind != WAVEFORM_PWL || check_times(c, w);
}

/* SIN(0 1,5 1k): commas join numbers of a list whose others are apart.  PWL(0,0 1u,5) is a habit. */
static void warn_of_commas(struct card *c, const struct item *first)
{
    const char *hint = NULL;
    bool blanks = false;
    for (const struct item *i = first; is_value(i) && is_value(i->next); i = i->next) {
        const char *comma = deck_decimal_comma(c->x->deck, i);
        hint = hint ? hint : comma;
        blanks |= !i->next->after_comma;
    }
    if (hint && blanks)
        deck_warn(c->x->deck, "comma", first->where, hint, "%s: commas and blanks separate the values of '%s'",
                  card_owner(c), waveforms[c->e->source.wave.kind - WAVEFORM_PULSE].name);
}

/* SIN(0 1 1k), SIN (0 1 1k) or SIN 0 1 1k, PWL also with parentheses around its points; *i moves behind it. */
static bool read_waveform(struct card *c, struct item **i, int index)
{
    struct waveform *w = &c->e->source.wave;
    if (w->kind != WAVEFORM_NONE)
        return card_fail(c, "waveform", (*i)->where, NULL, "%s has two waveforms", card_owner(c));
    if (item_is((*i)->next, "file") && (*i)->next->value)
        return card_fail(c, "unsupported", (*i)->next->where, "write the points into the deck: PWL(t1 v1 t2 v2 ..)",
                         "%s: PWL from a file is not supported", card_owner(c));
    w->kind = waveforms[index].kind;
    w->where = (*i)->where;
    c->x->numbers.count = 0;
    struct item *group = (*i)->next, *rest = NULL;
    const bool in_group = is_group(group);
    if (!push_values(c, in_group ? group->inside : group, &rest))
        return false;
    if (w->kind != WAVEFORM_PWL)
        warn_of_commas(c, in_group ? group->inside : group);
    *i = in_group ? group->next : rest;
    while (in_group && !rest && w->kind == WAVEFORM_PWL && is_group(*i)) {
        if (!push_values(c, (*i)->inside, &rest))
            return false;
        *i = (*i)->next;
    }
    for (; in_group && rest; rest = rest->next) {
        bool taken = false;
        if (rest->value && !read_pwl_setting(c, rest, &taken))
            return false;
        if (!taken)
            return card_fail(c, "waveform", rest->where,
                             diagnostics_hint(c->x->deck->diagnostics, "write %s", waveforms[index].form),
                             "%s: expected a number in '%s', found '%s'", card_owner(c), waveforms[index].name,
                             item_text(rest));
    }
    return finish_waveform(c, index);
}

/* ---- DC and AC ---- */

static bool read_dc(struct card *c, struct item *value)
{
    struct source *s = &c->e->source;
    if (s->has_dc)
        return card_fail(c, "syntax", value->where, card_decimal_comma(c, value), "%s has two DC values",
                         card_owner(c));
    s->has_dc = true;
    return card_value(c, value, &s->dc);
}

/* AC [magnitude [phase]], AC (magnitude phase) and DISTOF1, DISTOF2; *i moves behind it. */
static bool read_phasor(struct card *c, struct item **i, double *magnitude, double *phase)
{
    struct item *value = (*i)->value ? (*i)->value : (*i)->next;
    const bool assigned = (*i)->value != NULL;
    struct item *after = (*i)->next;
    const bool grouped = !assigned && is_group(value);
    if (grouped) {
        after = value->next;
        value = value->inside;
    }
    double numbers[2] = {1.0, 0.0};
    for (int n = 0; n < 2 && is_value(value); n++, value = value->next) {
        if (!card_value(c, value, &numbers[n]))
            return false;
        after = assigned || grouped ? after : value->next;
    }
    *magnitude = numbers[0];
    *phase = numbers[1];
    *i = after;
    return true;
}

/* portnum 1 z0 50, portnum=1 z0=50; *i moves behind it. */
static bool read_port(struct card *c, struct item **i)
{
    struct item *value = (*i)->value ? (*i)->value : (*i)->next;
    double number;
    if (c->kind->letter != 'v')
        return card_fail(c, "unsupported", (*i)->where, "a port is a voltage source: V1 a b portnum 1 z0 50",
                         "%s: 'portnum' belongs to voltage sources", card_owner(c));
    if (!is_value(value))
        return card_fail(c, "syntax", (*i)->where, "write portnum 1", "%s: 'portnum' needs the number of the port",
                         card_owner(c));
    if (!card_value(c, value, &number))
        return false;
    if (!(number >= 1 && number <= MOST_PORTS && number == (int)number))
        return card_fail(c, "value-range", value->where, NULL,
                         "%s: the number of a port must be a whole number from 1 to %d, but is %g", card_owner(c),
                         MOST_PORTS, number);
    c->e->source.port = (int)number;
    *i = (*i)->value ? (*i)->next : value->next;
    return true;
}

/* z0 50, z0=50, of a port; *i moves behind it. */
static bool read_impedance(struct card *c, struct item **i, struct port *port)
{
    struct item *value = (*i)->value ? (*i)->value : (*i)->next;
    if (!is_value(value))
        return card_fail(c, "syntax", (*i)->where, "write z0 50", "%s: 'z0' needs a value in ohm", card_owner(c));
    port->where = (*i)->where;
    if (!card_value(c, value, &port->z0))
        return false;
    if (!(port->z0 > 0))
        return card_fail(c, "value-range", value->where, NULL, "%s: z0 must be greater than 0, but is %g",
                         card_owner(c), port->z0);
    *i = (*i)->value ? (*i)->next : value->next;
    return true;
}

static bool unknown_word(struct card *c, const struct item *i)
{
    static const char *const words[] = {"dc", "ac", "pulse", "sin", "exp", "pwl", "sffm", "am"};
    static const char *const unsupported[] = {"trnoise", "trrandom", "external", "file"};
    for (size_t n = 0; n < sizeof unsupported / sizeof *unsupported; n++)
        if (item_is(i, unsupported[n]))
            return card_fail(c, "unsupported", i->where,
                             n < 2 ? "noise has no solution whose error could be controlled; a noisy waveform can be "
                                     "given as PWL(t1 v1 t2 v2 ..)"
                                   : NULL,
                             "%s: '%s' is not supported", card_owner(c), i->text);
    const char *hint = deck_did_you_mean(c->x->deck, item_text(i), words, sizeof words / sizeof *words);
    return card_fail(c, "syntax", i->where, hint ? hint : card_usage_hint(c),
                     "%s: expected DC, AC or a waveform, found '%s'", card_owner(c), item_text(i));
}

/* DC alone in front of a waveform means nothing. */
static void warn_of_dc(struct card *c, const struct item *dc)
{
    if (!is_group(dc->next) && (!dc->next || waveform_index(dc->next) < 0))
        deck_warn(c->x->deck, "syntax", dc->where, "write DC and a value, or only the value",
                  "%s: 'DC' without a value is ignored", card_owner(c));
}

static bool read_part(struct card *c, struct item **i, struct port *port);

/* (PULSE 0 5 1u): parentheses are blanks. */
static bool read_group(struct card *c, struct item *i, struct port *port)
{
    while (i)
        if (!read_part(c, &i, port))
            return false;
    return true;
}

/* One part of the card; *i moves behind it. */
static bool read_part(struct card *c, struct item **i, struct port *port)
{
    struct item *here = *i;
    const int index = here->value ? -1 : waveform_index(here);
    const bool known_name = here->kind == ITEM_WORD && item_is_name(here);
    bool taken = false;
    *i = here->next;
    if (is_group(here))
        return read_group(c, here->inside, port);
    if (index >= 0) {
        *i = here;
        return read_waveform(c, i, index);
    }
    if (item_is(here, "portnum") || item_is(here, "z0")) {
        *i = here;
        return item_is(here, "z0") ? read_impedance(c, i, port) : read_port(c, i);
    }
    if (item_is(here, "ac")) {
        *i = here;
        return read_phasor(c, i, &c->e->source.ac_magnitude, &c->e->source.ac_phase);
    }
    if (item_is(here, "dc")) {
        struct item *value = here->value ? here->value : here->next;
        if (!here->value && is_value(value))
            *i = value->next;
        if (is_value(value))
            return read_dc(c, value);
        warn_of_dc(c, here);
        return true;
    }
    if (item_is(here, "distof1") || item_is(here, "distof2")) {
        struct tone *tone = &c->e->source.tones[item_is(here, "distof2")];
        *i = here;
        return read_phasor(c, i, &tone->magnitude, &tone->phase);
    }
    if (here->value && here->kind == ITEM_WORD && kind_has_parasitic(c->kind, here->text))
        return true;
    if (here->value)
        return read_pwl_setting(c, here, &taken) && (taken || expand_setting(c->x, c->at, here));
    if (here->kind == ITEM_GROUP || here->kind == ITEM_STRING || is_keyword(here) ||
        (known_name && !scope_has_parameter(c->at->scope, here->text)))
        return unknown_word(c, here);
    return read_dc(c, here);
}

static bool no_port(struct card *c, const struct port *port)
{
    return port->where.line == 0 ||
           card_fail(c, "syntax", port->where, "write portnum 1 z0 50", "%s: 'z0' without 'portnum'", card_owner(c));
}

bool read_source(struct card *c)
{
    struct port port = {.z0 = 50};
    c->e->source.wave.repeat_from = -1.0;
    if (!card_nodes(c, 0))
        return false;
    struct item *i = c->words[1]->next;
    c->x->settings.count = 0;
    bool good = true;
    while (i && good)
        good = read_part(c, &i, &port);
    return expand_keep_settings(c->x, &c->e->settings, &c->e->setting_count) && good &&
           (c->e->source.port > 0 ? card_port(c, port.where, port.z0) : no_port(c, &port)) && card_parasitics(c);
}
