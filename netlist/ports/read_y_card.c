/* read_y_card.c - Xyce's Y cards: a type, a name of its own, nodes, perhaps a model.  Elements of other letters do what
 * they do:
 *
 *     YDELAY name out+ out- in+ in- TD=time    a voltage source of the voltage between in+ and in- the time before
 *     YADC name node node model [R=ohms]       the input resistance of a converter to a program outside
 *     YDAC name node node [model]              the output of one from there: 0 V, since nobody tells more
 *     YMEMRISTOR name node node model          A memristor
 *     YAND name [low] [high] node .. model     a gate, of U's types, between rails: nodes, where the model has no VLO, VHI
 *     YTRANSLINE name a b model len=..          the line of an O card, both ports against ground
 *     YACC name a v x [v0=..] [x0=..]          a mass: v is the integral of the voltage at a, x that of v
 *
 * Both words are the name, as Xyce has it: yadc!name.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool as_letter(struct card *c, char letter)
{
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, letter);
    c->nodes = kind_nodes(c->kind);
    return card_nodes(c, 0);
}

static bool read_delay(struct card *c)
{
    static const char *const taken[] = {"td", "bpenabled", "extrapolation", "linearinterp", NULL};
    const struct item *td = card_assignment(c, "td");
    double time;
    if (!as_letter(c, 'e'))
        return false;
    if (c->word_count != c->next + 2 || !td)
        return card_fail(c, "syntax", c->statement->end, "write YDELAY name out+ out- in+ in- TD=time",
                         "'%s' needs four nodes and TD", c->e->name);
    if (!card_value(c, td->value, &time))
        return false;
    const struct item *plus = card_take(c), *minus = card_take(c);
    const struct tree_maker m = card_maker(c);
    return card_law_of_root(c, LAW_VOLTAGE,
                            make_call_of_two(&m, "absdelay", card_voltage(c, plus, minus), make_number(&m, time))) &&
           card_settings(c, taken);
}

static void note_program(struct card *c, const char *what)
{
    deck_note(c->x->deck, "converter", c->statement->items->where,
              "'%s': its digital side is a program outside; here %s", c->e->name, what);
}

/* Without R= a conductance of 0. */
static bool read_converter(struct card *c)
{
    const struct item *r = card_assignment(c, "r");
    if (!as_letter(c, 'r'))
        return false;
    c->e->has_value = true;
    c->e->value = INFINITY;
    note_program(c, "only its resistance counts");
    return !r || card_value(c, r->value, &c->e->value);
}

static bool read_output(struct card *c)
{
    const struct tree_maker m = card_maker(c);
    if (!as_letter(c, 'e'))
        return false;
    if (c->word_count > c->next + 1)
        return card_expected(c, "no more than a model");
    note_program(c, "it keeps 0 V");
    return card_law_of_root(c, LAW_VOLTAGE, make_number(&m, 0));
}

/* A voltage source from a node to ground whose voltage is the integral of another node's. */
static bool add_integral(struct card *c, struct element *e, int node, const struct item *of, const char *start)
{
    const struct tree_maker m = {c->x->deck->arena, of->where};
    const struct item *given = card_assignment(c, start);
    double at_first = 0;
    if (given && !card_value(c, given->value, &at_first))
        return false;
    struct expression_node *integral =
        make_call_of_two(&m, "idt", make_voltage(&m, of->text, NULL), make_number(&m, at_first));
    return card_voltage_at(c, e, node, expression_tree_of(m.arena, integral));
}

static bool read_mass(struct card *c)
{
    static const char *const taken[] = {"v0", "x0", NULL};
    const int *nodes;
    if (c->word_count != c->next + 3)
        return card_fail(c, "syntax", c->statement->end, "write YACC name a v x v0=.. x0=..",
                         "'%s' needs three nodes: acceleration, velocity, position", c->e->name);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'e');
    if (!card_node_list(c, 3, &nodes, USE_DRIVEN, "the name of a node"))
        return false;
    struct item *const *words = c->words + c->next - 3;
    struct element *position = expand_new_part(c->x, c->e, 'e', "x", words[2]->where);
    return add_integral(c, c->e, nodes[1], words[0], "v0") && add_integral(c, position, nodes[2], words[1], "x0") &&
           card_settings(c, taken);
}

static bool read_memristor(struct card *c)
{
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'a');
    return read_port_card(c);
}

/* ---- gates: as those of U cards, between rails of VHI and VLO that the model has ---- */

/* A constant voltage against ground at a node, from the model. */
static bool add_rail(struct card *c, const char *part, int node, const char *name, struct kn_location where)
{
    const struct setting *s = setting_find(c->e->model->settings, c->e->model->setting_count, name);
    struct arena *arena = c->x->deck->arena;
    const double value = s && s->has_value ? s->value : 0;
    return card_voltage_at(c, expand_new_part(c->x, c->e, 'e', part, where), node,
                           expression_tree_of(arena, node_number(arena, value, NULL, where)));
}

/* A word that stands on no card. */
static struct item *word(struct card *c, const char *text)
{
    struct item *i = arena_alloc(c->x->deck->arena, sizeof *i);
    if (!i || !text)
        return NULL;
    *i = *c->statement->items;
    i->next = i->inside = i->value = NULL;
    i->text = text;
    return i;
}

static bool is_among_settings(const struct item *i, const char *name)
{
    for (; i; i = i->next)
        if ((i->value && item_is(i, name)) || (!i->value && is_among_settings(i->inside, name)))
            return true;
    return false;
}

/* A rail is a node of the card where the model, the last word, does not give its voltage. */
static struct item *rail(struct card *c, const char *name, const char *part)
{
    struct instance *owner;
    const struct item *last = c->word_count ? c->words[c->word_count - 1] : NULL;
    const struct model_card *model = last ? expand_model_card(c->at, last->text, &owner) : NULL;
    if (model && !is_among_settings(model->settings, name) && c->word_count > c->next + 1)
        return card_take(c);
    return word(c, arena_format(c->x->deck->arena, "%s#%s", c->statement->items->text, part));
}

static bool rail_is_given(const struct card *c, const char *name)
{
    return setting_find(c->e->model->settings, c->e->model->setting_count, name) != NULL;
}

static bool read_gate(struct card *c)
{
    struct arena *arena = c->x->deck->arena;
    const char *name = c->statement->items->text;
    struct item **words = arena_array(arena, c->word_count + 3, sizeof *words);
    const char *type = arena_text(arena, name + 1, strcspn(name, "!") - 1);
    if (!words || !(words[0] = word(c, type)) || !(words[2] = rail(c, "vlo", "low")) ||
        !(words[1] = rail(c, "vhi", "high")))
        return deck_no_memory(c->x->deck);
    size_t count = 3;
    while (card_peek(c))
        words[count++] = card_take(c);
    c->words = words;
    c->word_count = count;
    c->next = 0;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'u');
    if (!read_gate_card(c))
        return false;
    const struct setting *reference = setting_find(c->e->model->settings, c->e->model->setting_count, "vref");
    if (reference && reference->has_value && reference->value != 0)
        return card_fail(c, "unsupported", c->e->model->where, "take the U device, whose rails are nodes",
                         "'%s': a VREF other than 0 is not supported", c->e->name);
    const struct kn_location where = c->statement->items->where;
    return (!rail_is_given(c, "vhi") || add_rail(c, "high", c->e->nodes[0], "vhi", where)) &&
           (!rail_is_given(c, "vlo") || add_rail(c, "low", c->e->nodes[1], "vlo", where));
}

/* ---- lines ---- */

/* Of distributed losses, whatever number of lumps it is to have. */
static bool read_line(struct card *c)
{
    struct item **words = arena_array(c->x->deck->arena, 5, sizeof *words);
    if (c->word_count != 3)
        return card_fail(c, "syntax", c->statement->end, "write YTRANSLINE name a b model len=.. lumps=..",
                         "'%s' needs two nodes and a model", c->e->name);
    if (!words || !(words[1] = words[3] = word(c, "0")))
        return deck_no_memory(c->x->deck);
    words[0] = c->words[0];
    words[2] = c->words[1];
    words[4] = c->words[2];
    c->words = words;
    c->word_count = 5;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'o');
    c->nodes = kind_nodes(c->kind);
    return read_with_model(c);
}

static const struct y_type {
    const char *name;
    bool (*read)(struct card *c);
    size_t parts; /* elements beside the one of its name */
} types[] = {{"ydelay", read_delay, 0},
             {"yadc", read_converter, 0},
             {"ydac", read_output, 0},
             {"yacc", read_mass, 1},
             {"ymemristor", read_memristor, 0},
             {"ytransline", read_line, 0},
             {"yinv", read_gate, 2},
             {"ynot", read_gate, 2},
             {"ybuf", read_gate, 2},
             {"yand", read_gate, 2},
             {"ynand", read_gate, 2},
             {"yor", read_gate, 2},
             {"ynor", read_gate, 2},
             {"yxor", read_gate, 2},
             {"ynxor", read_gate, 2},
             {"yadd", read_gate, 2},
             {"ydff", read_gate, 2}};

/* The type of the card, whether its name has been joined or not. */
static const struct y_type *type_of(const struct statement *s)
{
    const size_t length = strcspn(s->items->text, "!");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && strncasecmp(s->items->text, types[i].name, length) == 0)
            return &types[i];
    return NULL;
}

bool y_card_is_known(const struct statement *s)
{
    const struct item *second = s->items->next;
    return type_of(s) && (strchr(s->items->text, '!') || (second && second->kind == ITEM_WORD && !second->value));
}

bool y_card_join_name(struct deck *k, struct statement *s)
{
    struct item *first = s->items;
    if (strchr(first->text, '!'))
        return true;
    const char *joined = arena_format(k->arena, "%s!%s", first->text, first->next->text);
    if (!joined)
        return deck_no_memory(k);
    first->text = joined;
    first->next = first->next->next;
    return true;
}

size_t y_card_parts(const struct statement *s)
{
    return y_card_is_known(s) ? type_of(s)->parts : 0;
}

bool read_y_card(struct card *c)
{
    return type_of(c->statement)->read(c);
}
