/* read_code_delay.c - ngspice's code models `delay` and `astate`, sources of what the input was a time before:
 *
 *     Aname in out cntrl model
 *     .model model delay(delay=time)
 *     .model model delay(has_delay_cnt=true delmin=time delmax=time)
 *     Aname in out model
 *     .model model astate(astate_no=n)
 *
 * The delay is the model's, or delmin where v(cntrl) is 0 and delmax where it is 1, and in between on a straight line; without
 * delmax it is the end of the run.  astate gives what the input was n steps of the program ago.  Steps of programs differ; those of
 * ngspice are as long as they may be wherever it can, the step of .tran or a 50th of the run, which is taken for all of them.
 * Source: ngspice's manual, "Delay" and "State".
 */
#include "netlist/expression/expression_tree.h"
#include "netlist/ports/line_card.h"
#include "netlist/ports/port_reader.h"

#include <math.h>
#include <string.h>

static const struct model_card *model_of(const struct card *c)
{
    const struct model_card *m = port_model(c, "delay");
    return m ? m : port_model(c, "astate");
}

/* Of the model; NULL: not there. */
static struct item *value_of(const struct card *c, const char *name)
{
    const struct line_card named = {.model = model_of(c)};
    const struct item *i = line_setting(&named, name);
    return i ? i->value : NULL;
}

bool card_is_code_delay(const struct card *c)
{
    return model_of(c) != NULL;
}

/* ---- ports ---- */

#define BIT(type) (1u << PORT_##type)

static const struct port_info in = {.name = "in", .allowed = BIT(V) | BIT(VD) | BIT(VNAM) | BIT(I) | BIT(ID)};
static const struct port_info out = {.name = "out", .allowed = BIT(V) | BIT(VD) | BIT(I) | BIT(ID)};
static const struct port_info control = {
    .name = "cntrl", .allowed = BIT(V) | BIT(VD) | BIT(I) | BIT(ID) | BIT(VNAM), .may_be_null = true};

/* What a card says of a port; plus: NULL where it is null. */
struct port {
    enum port_type type;
    struct item *plus, *minus;
};

static bool is_current(const struct port *p)
{
    return p->type == PORT_I || p->type == PORT_ID;
}

static bool expected(struct card *c, const struct item *at, const char *what, const struct port_info *port)
{
    return card_fail(c, "syntax", at ? at->where : c->statement->end, "%v(a), %vd(a b), %i(a), %id(a b) or %vnam(V1)",
                     "'%s': expected %s for port '%s'", c->e->name, what, port->name);
}

static bool is_plain(const struct item *i)
{
    return i && i->kind == ITEM_WORD && !strpbrk(i->text, "%[]()~");
}

/* The words in front of the model. */
static struct item *peek(const struct card *c)
{
    return c->next + 1 < c->word_count ? c->words[c->next] : NULL;
}

/* (a), (a b), a */
static bool take_nodes(struct card *c, const struct port_info *port, struct port *p)
{
    struct item *first = peek(c);
    const bool group = first && first->kind == ITEM_GROUP, pair = p->type == PORT_VD || p->type == PORT_ID;
    p->plus = group ? first->inside : first;
    if (!is_plain(p->plus))
        return expected(c, first, "a node", port);
    c->next++;
    p->minus = !pair ? NULL : group ? p->plus->next : peek(c);
    if (pair && !group && is_plain(p->minus))
        c->next++;
    return !p->minus || is_plain(p->minus) || expected(c, p->minus, "a node", port);
}

static bool take_port(struct card *c, const struct port_info *port, struct port *p)
{
    struct item *word = peek(c);
    *p = (struct port){.type = PORT_V};
    if (word && port->may_be_null && item_is(word, "null")) {
        c->next++;
        return true;
    }
    if (word && word->kind == ITEM_WORD && word->text[0] == '%') {
        p->type = port_type_of(word->text + 1);
        c->next++;
        if (p->type == PORT_TYPES || !(port->allowed & (1u << p->type)))
            return card_fail(c, "port-type", word->where, NULL, "'%s': port '%s' cannot be of type %s", c->e->name,
                             port->name, word->text);
    }
    return take_nodes(c, port, p);
}

static bool node_of(struct card *c, struct item *name, enum node_use use, int *node)
{
    *node = name ? expand_node(c->x, c->at, name) : 0;
    if (*node > 0)
        expand_use_node(c->x, *node, use);
    return *node >= 0;
}

/* 0 V, through which flows what the port measures. */
static struct expression_node *measured(struct card *c, const struct port *p, const char *part)
{
    const struct tree_maker m = card_maker(c);
    struct element *e = expand_new_part(c->x, c->e, 'v', part, m.where);
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    const char *name = arena_format(m.arena, "%s#%s", c->statement->items->text, part);
    if (!e || !nodes || !name || !node_of(c, p->plus, USE_DRIVEN, &nodes[0]) ||
        !node_of(c, p->minus, USE_DRIVEN, &nodes[1]))
        return NULL;
    e->nodes = nodes;
    e->node_count = 2;
    e->multiplicity = 1;
    e->source.has_dc = true;
    e->source.wave.repeat_from = -1;
    return node_current(m.arena, (struct circuit_name){name, m.where}, m.where);
}

static struct expression_node *value_at(struct card *c, const struct port *p, const char *part)
{
    const struct tree_maker m = card_maker(c);
    if (p->type == PORT_VNAM)
        return node_current(m.arena, (struct circuit_name){p->plus->text, p->plus->where}, m.where);
    return is_current(p) ? measured(c, p, part) : card_voltage(c, p->plus, p->minus);
}

/* The card's own element, a source of the law at the output. */
static bool drive(struct card *c, const struct port *p, struct expression_node *law)
{
    const bool current = is_current(p);
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, current ? 'g' : 'e');
    c->nodes = kind_nodes(c->kind);
    if (!law)
        return false;
    if (!nodes)
        return deck_no_memory(c->x->deck);
    c->e->nodes = nodes; /* a current flows into the first, as in all code models */
    c->e->node_count = 2;
    return node_of(c, p->plus, USE_TERMINAL, &nodes[0]) && node_of(c, p->minus, USE_TERMINAL, &nodes[1]) &&
           card_law_of_tree(c, current ? LAW_CURRENT : LAW_VOLTAGE, expression_tree_of(card_maker(c).arena, law));
}

/* ---- delays ---- */

/* The time of a setting, from 0 on; as it is where there is none. */
static bool read_time(struct card *c, const char *name, double *time)
{
    struct item *given = value_of(c, name);
    if (given && !card_value(c, given, time))
        return false;
    return *time >= 0 || card_fail(c, "value-range", given->where, NULL, "'%s': %s must be at least 0, but is %g s",
                                   c->e->name, name, *time);
}

static struct expression_node *constant(struct card *c, struct expression_node *of, double time)
{
    const struct tree_maker m = card_maker(c);
    return time > 0 && of ? make_call_of_two(&m, "absdelay", of, make_number(&m, time)) : of;
}

/* absdelay(in, delmin + (delmax - delmin) max(v(cntrl), 0), delmax): beyond delmax it is that. */
static struct expression_node *controlled(struct card *c, struct expression_node *of, const struct port *by)
{
    const struct tree_maker m = card_maker(c);
    double least = 0, most = expand_transient_times(c->x, c->at).stop;
    if (!read_time(c, "delmin", &least) || !read_time(c, "delmax", &most) || !of)
        return NULL;
    most = fmax(most, least);
    if (!by->plus || !(most > least))
        return constant(c, of, least);
    struct expression_node *level = make_call_of_two(&m, "max", value_at(c, by, "cntrl"), make_number(&m, 0));
    struct expression_node *way = make_binary(&m, make_number(&m, most - least), OP_MULTIPLY, level);
    struct expression_node *time = make_binary(&m, make_number(&m, least), OP_ADD, way), *call = node_call(m.arena);
    call = node_append(m.arena, node_append(m.arena, call, of), time);
    call = node_append(m.arena, call, make_number(&m, most));
    return node_close_call(call, (struct circuit_name){"absdelay", m.where}, m.where);
}

static bool read_delay(struct card *c, const struct port *from, const struct port *to)
{
    const struct item *follows = value_of(c, "has_delay_cnt");
    struct port by = {.type = PORT_V};
    double time = 0;
    if (!take_port(c, &control, &by))
        return false;
    struct expression_node *of = value_at(c, from, "in");
    if (follows && !name_is_among("false f 0 no", item_text(follows)))
        return drive(c, to, controlled(c, of, &by));
    return read_time(c, "delay", &time) && drive(c, to, constant(c, of, time));
}

static bool read_state(struct card *c, const struct port *from, const struct port *to)
{
    const struct transient_times run = expand_transient_times(c->x, c->at);
    struct item *given = value_of(c, "astate_no");
    double number = 1;
    if (given && !card_value(c, given, &number))
        return false;
    if (!(number >= 0) || number > 3 || number != rint(number))
        return card_fail(c, "value-range", given->where, NULL, "'%s': astate_no must be 0, 1, 2 or 3, but is %g",
                         c->e->name, number);
    if (number > 0 && run.step > 0)
        deck_warn(c->x->deck, "steps", c->words[c->word_count - 1]->where, "a delay model says a time",
                  "'%s' is %g steps behind; they are taken for %g s each, the longest that ngspice makes", c->e->name,
                  number, run.step);
    return drive(c, to, constant(c, value_at(c, from, "in"), number * run.step));
}

bool read_code_delay(struct card *c)
{
    const struct line_card named = {.c = c, .model = model_of(c)};
    const bool state = port_model(c, "astate") != NULL;
    struct port from, to;
    line_check_settings(&named, state ? "astate_no" : "delay buffer_size has_delay_cnt delmin delmax");
    c->next = 0;
    if (!take_port(c, &in, &from) || !take_port(c, &out, &to) ||
        !(state ? read_state(c, &from, &to) : read_delay(c, &from, &to)))
        return false;
    return !peek(c) ||
           card_fail(c, "syntax", peek(c)->where, NULL, "'%s': unexpected '%s'", c->e->name, item_text(peek(c)));
}
