/* read_port_card.c - cards in the manner of XSPICE, A: ports in the order of their kind, then the model.
 *
 *     Aname [in1 in2] ~en %vd(p n) %vnam(v1) null .. model
 *
 * port_reader.c reads the ports.  A card whose last word is no model but one of the types of LTspice's gates has nodes and
 * name=value.
 */
#include "netlist/ports/port_reader.h"

#include <math.h>
#include <string.h>

/* A bridge of an element's own, from a voltage of 0 or 1 V that takes the place of the state. */
static bool add_bridge(struct port_reader *r, struct connection *from)
{
    struct expansion *x = r->c->x;
    struct arena *arena = x->deck->arena;
    const struct kn_location where = r->c->statement->items->where;
    const struct setting levels[] = {{.name = "in_low", .has_value = true, .value = 0.5, .where = where},
                                     {.name = "in_high", .has_value = true, .value = 0.5, .where = where},
                                     {.name = "rise_delay", .has_value = true, .value = 1e-12, .where = where},
                                     {.name = "fall_delay", .has_value = true, .value = 1e-12, .where = where}};
    struct element *e = expand_new_part(x, r->c->e, 'a', "bridge", where);
    int *nodes = arena_array(arena, 2, sizeof *nodes);
    struct connection *ends = arena_array(arena, 2, sizeof *ends);
    const struct model *model = expand_model_of(x, "own_adc", "adc_bridge", levels, 4, where);
    const int voltage = e ? expand_new_internal_node(x, r->c->e, "level", where) : -1;
    if (!e || !nodes || !ends || !model || voltage < 0)
        return false;
    nodes[0] = voltage;
    nodes[1] = r->nodes[from->plus];
    ends[0] = (struct connection){.port = 0, .type = PORT_V, .plus = 0, .minus = -1, .control = -1};
    ends[1] = (struct connection){
        .port = 1, .type = PORT_LOGIC, .inverted = from->inverted, .plus = 1, .minus = -1, .control = -1};
    e->kind = catalogue_find(x->deck->catalogue, 'a', "adc_bridge", NAN);
    e->model = model;
    e->nodes = nodes;
    e->node_count = 2;
    e->connections = ends;
    e->connection_count = 2;
    expand_use_node(x, voltage, USE_DRIVEN);
    expand_use_node(x, voltage, USE_TERMINAL);
    r->nodes[from->plus] = voltage;
    from->type = PORT_V;
    from->inverted = false;
    return expand_add(x, &x->logic, &(struct logic_use){e, r->c->at});
}

static bool add_bridges(struct port_reader *r)
{
    bool good = true;
    for (size_t k = 0; k < r->connection_count; k++)
        if (r->kind->ports[r->connections[k].port].by_voltage)
            good = good && add_bridge(r, &r->connections[k]);
    return good;
}

static bool keep(struct port_reader *r)
{
    struct element *e = r->c->e;
    e->connections = r->connections;
    e->connection_count = r->connection_count;
    e->nodes = r->nodes;
    e->node_count = r->node_count;
    bool logic = false;
    if (!add_bridges(r))
        return false;
    for (size_t k = 0; k < r->connection_count; k++)
        logic |= r->connections[k].type == PORT_LOGIC;
    if (logic && !expand_add(r->c->x, &r->c->x->logic, &(struct logic_use){e, r->c->at}))
        return false;
    struct card sources = *r->c;
    sources.words = r->sources;
    sources.word_count = r->source_count;
    sources.next = 0;
    return r->source_count == 0 || card_controls(&sources, r->source_count);
}

/* Kinds that have types and no models have no ports (read_typed). */
static bool is_code_model(const struct card *c, const char *type)
{
    const struct element_kind *kind = catalogue_find(c->x->deck->catalogue, c->kind->letter, type, NAN);
    return kind && kind->form != CARD_TYPED;
}

/* What to do about a code model of ngspice that there is not. */
static const char *instead_of(const char *type)
{
    static const struct {
        const char *types, *hint;
    } known[] = {
        {"d_process", "it would run a program of the deck's, which no deck does here"},
        {"d_cosim", "it would load a compiled Verilog model, which no deck does here"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (name_is_among(known[i].types, type))
            return known[i].hint;
    return "'knoten devices a' lists those that there are";
}

/* The model is the last word; sets the kind. */
static bool read_port_model(struct card *c)
{
    struct instance *owner;
    struct item *name = c->word_count > 0 ? c->words[c->word_count - 1] : NULL;
    if (!name || name->kind != ITEM_WORD)
        return card_fail(c, "syntax", c->statement->end, "Aname ports .. model", "'%s' names no model", c->e->name);
    const struct model_card *card = expand_model_card(c->at, name->text, &owner);
    if (card && !expand_model_is_broken(c->x, card) && !is_code_model(c, card->type))
        return card_fail(c, "unsupported", name->where, instead_of(card->type), "'%s': knoten has no code model '%s'",
                         c->e->name, card->type);
    const struct element_kind *kind = c->kind;
    c->e->model = expand_model(c->x, c->at, name, &kind);
    c->kind = c->e->kind = kind;
    return c->e->model != NULL;
}

/* The kind of the type that the last word names, where no model is called so. */
static const struct element_kind *typed_kind(struct card *c)
{
    struct instance *owner;
    const struct item *last = c->word_count > 0 ? c->words[c->word_count - 1] : NULL;
    if (!last || last->kind != ITEM_WORD || expand_model_card(c->at, last->text, &owner))
        return NULL;
    const struct element_kind *kind = catalogue_find(c->x->deck->catalogue, c->kind->letter, last->text, NAN);
    return kind && kind->form == CARD_TYPED ? kind : NULL;
}

static bool read_typed(struct card *c, const struct element_kind *kind)
{
    const char *type = c->words[c->word_count - 1]->text;
    c->kind = c->e->kind = kind;
    c->nodes = kind_nodes(kind);
    c->e->type = kind_type(kind, type)->name;
    if (c->word_count - 1 != c->nodes.least)
        return card_fail(c, "syntax", c->words[c->word_count - 1]->where, card_usage_hint(c),
                         "'%s' has %zu nodes in front of '%s'; it takes %zu", c->e->name, c->word_count - 1, type,
                         c->nodes.least);
    return card_nodes(c, 0) && card_settings(c, NULL) && (!names_equal(c->e->type, "phasedet") || add_pump_parts(c));
}

bool read_port_card(struct card *c)
{
    const struct element_kind *typed = typed_kind(c);
    if (card_is_ota(c))
        return read_ota(c);
    if (card_is_special(c))
        return read_special(c);
    if (typed)
        return read_typed(c, typed);
    if (card_is_code_delay(c))
        return read_code_delay(c);
    if (card_is_code_line(c))
        return read_code_line(c);
    if (!read_port_model(c))
        return false;
    struct port_reader r = {.c = c, .kind = c->kind};
    return port_reader_read(&r, c->word_count - 1) && keep(&r) && card_settings(c, NULL);
}
