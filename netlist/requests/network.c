/* network.c - .net of LTspice and HSPICE: the two-port between a source and an output, at the frequencies of .ac. */
#include "netlist/expand/expand.h"

#include <string.h>

static const char FORM[] = "write .net v(out) v1 [rin=50] [rout=50], .net i(rout) v1, or .net v1 of a single port";

static bool is_output(const struct item *i)
{
    return i && i->next && i->next->kind == ITEM_GROUP && (item_is(i, "v") || item_is(i, "i"));
}

/* rin=50: greater than 0. */
static bool read_resistance(const struct output_card *c, const struct item *i, double *value)
{
    struct item *given = i->value;
    return expand_value(c->x, c->at, given, value) &&
           (*value > 0 || deck_fail(c->x->deck, "value-range", given->where, c->form,
                                    "'.net': %s must be greater than 0, but is %g", i->text, *value));
}

static bool read_resistances(const struct output_card *c, const struct item *i, struct port_network *n)
{
    bool good = true;
    for (; i && good; i = i->next) {
        double *to = !i->value ? NULL : item_is(i, "rin") ? &n->input : item_is(i, "rout") ? &n->load : NULL;
        good = to ? read_resistance(c, i, to)
                  : deck_fail(c->x->deck, "syntax", i->where, c->form, "'.net': expected rin=.. or rout=.., found '%s'",
                              item_text(i));
    }
    return good;
}

/* The resistance of an element of a single number, by its name; 0. */
static double resistance_of(const struct expansion *x, const char *name)
{
    for (size_t i = 0; name && i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        if (names_equal(e->name, name) && e->kind && e->kind->letter == 'r' && e->has_value && e->value > 0)
            return e->value;
    }
    return 0;
}

/* What the card does not say: Rser of the source, the output's own resistance, 1 ohm (LTspice's help, .NET). */
static bool find_defaults(struct expansion *x, struct port_network *n)
{
    const char *inner = arena_format(x->deck->arena, "%s#rser", x->elements[n->source].name);
    if (!inner)
        return deck_no_memory(x->deck);
    n->rser = resistance_of(x, inner) > 0 ? inner : NULL;
    if (n->input == 0)
        n->input = n->rser ? resistance_of(x, inner) : 1;
    if (n->load == 0 && n->two && n->output.kind == REQUEST_CURRENT)
        n->load = resistance_of(x, x->elements[n->output.element].name);
    if (n->load == 0)
        n->load = 1;
    return true;
}

static bool check_output(const struct output_card *c, const struct item *word, const struct port_network *n)
{
    const struct request *r = &n->output;
    const struct element_kind *kind = r->kind == REQUEST_CURRENT ? c->x->elements[r->element].kind : NULL;
    return !kind || kind->letter == 'r' || /* without a kind its card has been found wrong */
           deck_fail(c->x->deck, "syntax", word->where, c->form,
                     "'.net': i(..) takes the name of the resistor that loads the output");
}

static bool read_parts(const struct output_card *c, struct port_network *n)
{
    const struct item *word = c->statement->items->next;
    n->two = is_output(word);
    if (n->two && (!expand_output(c, word, &n->output) || !check_output(c, word, n)))
        return false;
    if (n->two)
        word = word->next->next;
    return expand_source(c, word, &n->source) && read_resistances(c, word->next, n) && find_defaults(c->x, n);
}

void read_network(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct output_card card = {x, at, s, FORM};
    struct port_network *n = arena_alloc(x->deck->arena, sizeof *n);
    struct port_request p = {.network = n};
    if (s->broken || !n) {
        x->deck->out_of_memory |= !n;
        return;
    }
    *n = (struct port_network){.source = -1};
    if (x->sweeps.count == 0) {
        deck_warn(x->deck, "unsupported", s->items->where, "write .ac dec 10 1k 1meg beside it",
                  "'.net' takes its frequencies from .ac, which this deck does not have; ignored");
        return;
    }
    if (!read_parts(&card, n))
        return;
    p.sweep = *(const struct frequency_sweep *)x->sweeps.items;
    p.sweep.where = s->items->where;
    expand_add(x, &x->port_requests, &p);
}
