/* read_code_delay.c - ngspice's code model `delay`, a voltage source of what the input was a time before:
 *
 *     Aname in out cntrl model
 *     .model model delay(delay=time)
 *     .model model delay(has_delay_cnt=true delmin=time delmax=time)
 *
 * The delay is the model's, or delmin where v(cntrl) is 0 and delmax where it is 1, and in between on a straight line.  Source:
 * ngspice's manual, "Delay".
 */
#include "netlist/expression/expression_tree.h"
#include "netlist/ports/line_card.h"
#include "netlist/ports/port_reader.h"

#include <math.h>
#include <string.h>

enum { IN, OUT, CONTROL, MODEL };

static const struct model_card *model_of(const struct card *c)
{
    return c->word_count == MODEL + 1 ? port_model(c, "delay") : NULL;
}

/* Of the model; NULL: not there. */
static struct item *value_of(const struct card *c, const char *name)
{
    const struct line_card named = {.model = model_of(c)};
    const struct item *i = line_setting(&named, name);
    return i ? i->value : NULL;
}

static bool is_plain(const struct item *i)
{
    return i->kind == ITEM_WORD && !strpbrk(i->text, "%[]()~");
}

static bool follows_control(const struct card *c)
{
    const struct item *follows = value_of(c, "has_delay_cnt");
    return follows && !name_is_among("false f 0 no", item_text(follows));
}

bool card_is_code_delay(const struct card *c)
{
    return model_of(c) && is_plain(c->words[IN]) && is_plain(c->words[OUT]) &&
           (is_plain(c->words[CONTROL]) || !follows_control(c));
}

/* The time of a setting, from 0 on; as it is where there is none. */
static bool read_time(struct card *c, const char *name, double *time)
{
    struct item *given = value_of(c, name);
    if (given && !card_value(c, given, time))
        return false;
    return *time >= 0 || card_fail(c, "value-range", given->where, NULL, "'%s': %s must be at least 0, but is %g s",
                                   c->e->name, name, *time);
}

/* absdelay(in, delmin + (delmax - delmin) v(cntrl), delmax) */
static struct expression_node *controlled(struct card *c, struct expression_node *in)
{
    const struct tree_maker m = card_maker(c);
    double least = 0, most = 0;
    if (!value_of(c, "delmax")) {
        card_fail(c, "no-value", c->words[MODEL]->where,
                  "delmax is the delay where v(cntrl) is 1; ngspice takes the end of the run",
                  "'%s': a delay that follows its control needs delmax= in its model", c->e->name);
        return NULL;
    }
    if (!read_time(c, "delmin", &least) || !read_time(c, "delmax", &most))
        return NULL;
    struct expression_node *way =
        make_binary(&m, make_number(&m, most - least), OP_MULTIPLY, card_voltage(c, c->words[CONTROL], NULL));
    struct expression_node *time = make_binary(&m, make_number(&m, least), OP_ADD, way), *call = node_call(m.arena);
    call = node_append(m.arena, node_append(m.arena, call, in), time);
    call = node_append(m.arena, call, make_number(&m, fmax(least, most)));
    return node_close_call(call, (struct circuit_name){"absdelay", m.where}, m.where);
}

static struct expression_node *constant(struct card *c, struct expression_node *in)
{
    const struct tree_maker m = card_maker(c);
    double time = 0;
    if (!read_time(c, "delay", &time))
        return NULL;
    return time > 0 ? make_call_of_two(&m, "absdelay", in, make_number(&m, time)) : in;
}

bool read_code_delay(struct card *c)
{
    const struct line_card named = {.c = c, .model = model_of(c)};
    line_check_settings(&named, "delay buffer_size has_delay_cnt delmin delmax");
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'e');
    c->nodes = kind_nodes(c->kind);
    const int out = expand_node(c->x, c->at, c->words[OUT]);
    if (out < 0)
        return false;
    expand_use_node(c->x, out, USE_TERMINAL);
    struct expression_node *in = card_voltage(c, c->words[IN], NULL);
    struct expression_node *late = follows_control(c) ? controlled(c, in) : constant(c, in);
    return late && card_voltage_at(c, c->e, out, expression_tree_of(card_maker(c).arena, late));
}
