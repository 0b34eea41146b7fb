/* expand_sources.c - element cards V and I, and Xyce's ports P: DC, AC and the waveforms of SPICE. */
#include "netlist/expand/sources/waveforms.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 99 };

/* z0, ohm, and where it is given; the tone it feeds, W, Hz and degrees, and where that is given; whether the source only takes
 * power; whether a stimulus is being read. */
struct port {
    double z0;
    struct kn_location where;
    double power, frequency, phase;
    struct kn_location tone;
    bool is_load, in_stimulus;
};

/* ---- DC and AC ---- */

/* Xyce's P: a voltage source behind the impedance of a port, whether it has a number or not. */
static bool is_port_card(const struct card *c)
{
    const char *dot = strrchr(c->e->name, '.');
    return ((dot ? dot[1] : c->e->name[0]) | 0x20) == 'p';
}

/* Xyce's V1 a 0 {2*time}: a value that is a formula of the time makes a B source of it. */
static bool read_formula(struct card *c, struct item *value)
{
    const enum element_law law = c->kind->sets_voltage ? LAW_VOLTAGE : LAW_CURRENT;
    if (value->next || c->e->law)
        return card_value(c, value, &c->e->source.dc);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    return card_law(c, law, value);
}

static bool read_dc(struct card *c, struct item *value)
{
    struct source *s = &c->e->source;
    if (c->x->deck->dialect == DIALECT_XYCE && !s->has_dc && !is_port_card(c) && !card_is_constant(c, value))
        return read_formula(c, value);
    if (s->has_dc)
        return card_fail(c, "syntax", value->where, card_decimal_comma(c, value), "%s has two DC values",
                         card_owner(c));
    s->has_dc = true;
    return card_value(c, value, &s->dc);
}

/* AC = magnitude phase, behind a DC value: the number is none. */
static bool read_assigned_phase(struct card *c, struct item **i, double *magnitude, double *phase)
{
    struct item *angle = (*i)->next;
    if (!card_value(c, (*i)->value, magnitude) || !card_value(c, angle, phase))
        return false;
    *i = angle->next;
    return true;
}

/* AC [magnitude [phase]], AC (magnitude phase), HSPICE's AC = magnitude phase and DISTOF1, DISTOF2; *i moves behind it. */
static bool read_phasor(struct card *c, struct item **i, double *magnitude, double *phase)
{
    struct item *value = (*i)->value ? (*i)->value : (*i)->next;
    const bool assigned = (*i)->value != NULL;
    struct item *after = (*i)->next;
    const bool grouped = !assigned && source_group(value);
    if (grouped) {
        after = value->next;
        value = value->inside;
    }
    if (assigned && !value->next && source_value(after) && c->e->source.has_dc)
        return read_assigned_phase(c, i, magnitude, phase);
    double numbers[2] = {1.0, 0.0};
    for (int n = 0; n < 2 && source_value(value); n++, value = value->next) {
        if (!card_value(c, value, &numbers[n]))
            return false;
        after = assigned || grouped ? after : value->next;
    }
    *magnitude = numbers[0];
    *phase = numbers[1];
    *i = after;
    return true;
}

/* portnum 1 z0 50, portnum=1 z0=50, of P port=1; *i moves behind it. */
static bool read_port(struct card *c, struct item **i)
{
    struct item *value = (*i)->value ? (*i)->value : (*i)->next;
    double number;
    if (!c->kind->sets_voltage)
        return card_fail(c, "unsupported", (*i)->where, "a port is a voltage source: V1 a b portnum 1 z0 50",
                         "%s: 'portnum' belongs to voltage sources", card_owner(c));
    if (!source_value(value))
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
    if (!source_value(value))
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

/* pwr 1m, freq 1g, phase 0 of a port as ngspice has it; NULL: another word. */
static double *tone_number(const struct item *i, struct port *port)
{
    return item_is(i, "pwr")     ? &port->power
           : item_is(i, "freq")  ? &port->frequency
           : item_is(i, "phase") ? &port->phase
                                 : NULL;
}

static bool read_tone(struct card *c, struct item **i, double *number, struct port *port)
{
    struct item *here = *i, *value = here->value ? here->value : here->next;
    if (!source_value(value))
        return card_fail(c, "syntax", here->where, "write portnum 1 z0 50 pwr 1m freq 1g", "%s: '%s' needs a value",
                         card_owner(c), here->text);
    if (!item_is(here, "phase"))
        port->tone = here->where;
    *i = here->value ? here->next : value->next;
    return card_value(c, value, number);
}

/* A sine of the amplitude sqrt(4 pwr z0) from its crest on, as ngspice has it, which leaves out phase: what a load of z0 takes of it is
 * half of pwr. */
static bool feed_tone(struct card *c, const struct port *port)
{
    struct waveform *w = &c->e->source.wave;
    if (port->tone.line == 0)
        return true;
    if (w->kind != WAVEFORM_NONE)
        return card_fail(c, "waveform", port->tone, NULL, "%s has two waveforms", card_owner(c));
    if (!(port->power >= 0) || !(port->frequency >= 0))
        return card_fail(c, "value-range", port->tone, NULL, "%s: pwr and freq of a port are not below 0",
                         card_owner(c));
    double *values = arena_array(c->x->deck->arena, 6, sizeof *values);
    if (!values)
        return deck_no_memory(c->x->deck);
    values[1] = sqrt(4 * port->power * port->z0);
    values[2] = port->frequency;
    values[5] = 90 + port->phase;
    w->kind = WAVEFORM_SIN;
    w->where = port->tone;
    w->values = values;
    w->count = 6;
    return true;
}

static bool unknown_word(struct card *c, const struct item *i)
{
    static const char *const words[] = {"dc",  "ac",   "pulse", "sin",     "exp",     "pwl",
                                        "pat", "sffm", "am",    "trnoise", "trrandom"};
    const char *hint = deck_did_you_mean(c->x->deck, item_text(i), words, sizeof words / sizeof *words);
    if (!hint && c->x->deck->dialect == DIALECT_KICAD)
        hint = "the symbol's value is no value of a source: in KiCad, write dc 5, or give it a Simulation Model";
    return card_fail(c, "syntax", i->where, hint ? hint : card_usage_hint(c),
                     "%s: expected DC, AC or a waveform, found '%s'", card_owner(c), item_text(i));
}

/* DC alone in front of a waveform means nothing. */
static void warn_of_dc(struct card *c, const struct item *dc)
{
    if (!source_group(dc->next) && (!dc->next || waveform_index(dc->next) < 0))
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

/* PSpice's V1 a 0 stimulus=name: what .stimulus says of that name. */
static bool read_stimulus_of(struct card *c, const struct item *name, struct port *port)
{
    if (port->in_stimulus)
        return card_fail(c, "syntax", name->where, "write the waveform there", "%s: a stimulus is no other stimulus",
                         card_owner(c));
    for (const struct statement *s = c->x->deck->stimuli.first; s; s = s->next)
        if (s->items->next && names_equal(s->items->next->text, name->text)) {
            port->in_stimulus = true;
            const bool good = read_group(c, s->items->next->next, port);
            port->in_stimulus = false;
            return good;
        }
    return card_fail(c, "unknown-name", name->where,
                     "define it, .stimulus NAME PULSE(0 5 ..), or include the file that does",
                     "%s: there is no stimulus '%s'", card_owner(c), item_text(name));
}

/* One part of the card; *i moves behind it. */
static bool read_part(struct card *c, struct item **i, struct port *port)
{
    struct item *here = *i;
    const int index = here->value ? -1 : waveform_index(here);
    const bool known_name = here->kind == ITEM_WORD && item_is_name(here);
    bool taken = false;
    *i = here->next;
    if (source_group(here))
        return read_group(c, here->inside, port);
    if (index >= 0) {
        *i = here;
        return waveform_read(c, i, index);
    }
    if (item_is(here, "portnum") || item_is(here, "z0") || (is_port_card(c) && item_is(here, "port"))) {
        *i = here;
        return item_is(here, "z0") ? read_impedance(c, i, port) : read_port(c, i);
    }
    if (c->e->source.port > 0 && tone_number(here, port)) {
        *i = here;
        return read_tone(c, i, tone_number(here, port), port);
    }
    if (item_is(here, "load") && !here->value && !c->kind->sets_voltage &&
        !scope_has_parameter(c->at->scope, here->text)) {
        port->is_load = true;
        return true;
    }
    if (item_is(here, "ac")) {
        *i = here;
        return read_phasor(c, i, &c->e->source.ac_magnitude, &c->e->source.ac_phase);
    }
    if (item_is(here, "dc")) {
        struct item *value = here->value ? here->value : here->next;
        if (!here->value && source_value(value))
            *i = value->next;
        if (source_value(value))
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
    if (here->value && item_is(here, "trigger"))
        return card_fail(c, "unsupported", here->where, "write a B source of the condition and of idt()",
                         "%s: sources that a condition starts again are not supported", card_owner(c));
    if (here->value && item_is(here, "stimulus"))
        return read_stimulus_of(c, here->value, port);
    if (here->value)
        return waveform_setting(c, here, &taken) && (taken || expand_setting(c->x, c->at, here));
    if (here->kind == ITEM_STRING && !*here->text)
        return true;
    if (here->kind == ITEM_GROUP || here->kind == ITEM_STRING || waveform_index(here) >= 0 ||
        (known_name && !scope_has_parameter(c->at->scope, here->text)))
        return unknown_word(c, here);
    return read_dc(c, here);
}

static bool no_port(struct card *c, const struct port *port)
{
    if (is_port_card(c))
        return card_port(c, port->where, port->z0);
    return port->where.line == 0 ||
           card_fail(c, "syntax", port->where, "write portnum 1 z0 50", "%s: 'z0' without 'portnum'", card_owner(c));
}

/* 0 V between a node and itself say nothing of its current: an open resistor, which has none. */
static bool leave_out_short(struct card *c)
{
    const struct source *s = &c->e->source;
    if (!c->kind->sets_voltage || c->e->nodes[0] != c->e->nodes[1] || s->port || s->dc != 0 || s->ac_magnitude != 0 ||
        s->wave.kind != WAVEFORM_NONE)
        return true;
    deck_warn(c->x->deck, "v-loop", c->statement->items->where, "remove it, or connect one end to another node",
              "both ends of %s are connected to one node: it is left out", c->e->name);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'r');
    c->e->has_value = true;
    c->e->value = INFINITY;
    return true;
}

/* LTspice's I1 a b R=2k, a load of that resistance. */
static bool read_resistive_load(struct card *c, const struct item *given)
{
    static const char *const taken[] = {"r", NULL};
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    const struct expression_tree *tree = card_end(c) ? expand_tree(c->x, given->value) : NULL;
    return tree && card_resistance_law(c, tree, given->where) && card_settings(c, taken);
}

bool read_source(struct card *c)
{
    struct port port = {.z0 = 50, .power = 1e-3, .frequency = 1e9}; /* as in ngspice */
    c->e->source.wave.repeat_from = -1.0;
    if (!card_nodes(c, 0))
        return false;
    struct item *i = c->words[1]->next;
    if (i && !c->kind->sets_voltage && (item_is(i, "tbl") || item_is(i, "table")))
        return read_current_table(c, i);
    if (i && !c->kind->sets_voltage && i->value && item_is(i, "r"))
        return read_resistive_load(c, i);
    c->x->settings.count = 0;
    bool good = true;
    while (i && good)
        good = read_part(c, &i, &port);
    return expand_keep_settings(c->x, &c->e->settings, &c->e->setting_count) && good && feed_tone(c, &port) &&
           (c->e->source.port > 0 ? card_port(c, port.where, port.z0) : no_port(c, &port)) && card_parasitics(c) &&
           (!port.is_load || source_only_takes(c)) && leave_out_short(c);
}
