/* read_code_delay.c - ngspice's code model `delay`, a voltage source of what the input was a time before:
 *
 *     Aname in out cntrl model
 *     .model model delay(delay=time)
 *
 * The delay is the model's; one that follows cntrl (has_delay_cnt) there is not.  Source: ngspice's manual, "Delay".
 */
#include "netlist/expression/expression_tree.h"
#include "netlist/ports/line_card.h"
#include "netlist/ports/port_reader.h"

#include <string.h>

enum { IN, OUT, CONTROL, MODEL };

static const struct model_card *model_of(const struct card *c)
{
    return c->word_count == MODEL + 1 ? port_model(c, "delay") : NULL;
}

/* With its value, also within parentheses. */
static struct item *value_of(struct item *settings, const char *name)
{
    struct item *found = NULL;
    for (struct item *i = settings; i && !found; i = i->next)
        found = i->kind == ITEM_GROUP ? value_of(i->inside, name) : item_is(i, name) ? i->value : NULL;
    return found;
}

static bool is_plain(const struct item *i)
{
    return i->kind == ITEM_WORD && !strpbrk(i->text, "%[]()~");
}

bool card_is_code_delay(const struct card *c)
{
    const struct model_card *card = model_of(c);
    const struct item *follows = card ? value_of(card->settings, "has_delay_cnt") : NULL;
    const bool constant = !follows || name_is_among("false f 0 no", item_text(follows));
    return card && constant && is_plain(c->words[IN]) && is_plain(c->words[OUT]);
}

bool read_code_delay(struct card *c)
{
    struct item *given = value_of(model_of(c)->settings, "delay");
    const struct line_card named = {.c = c, .model = model_of(c)};
    const struct tree_maker m = card_maker(c);
    double time = 0;
    line_check_settings(&named, "delay buffer_size has_delay_cnt delmin delmax");
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'e');
    c->nodes = kind_nodes(c->kind);
    const int out = expand_node(c->x, c->at, c->words[OUT]);
    if (out < 0 || (given && !card_value(c, given, &time)))
        return false;
    if (!(time >= 0))
        return card_fail(c, "value-range", given->where, NULL, "'%s': the delay must be at least 0, but is %g s",
                         c->e->name, time);
    expand_use_node(c->x, out, USE_TERMINAL);
    struct expression_node *in = card_voltage(c, c->words[IN], NULL);
    return card_voltage_at(
        c, c->e, out,
        expression_tree_of(m.arena, time > 0 ? make_call_of_two(&m, "absdelay", in, make_number(&m, time)) : in));
}
