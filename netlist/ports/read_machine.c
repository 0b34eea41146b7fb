/* read_machine.c - the state machine that deck_machine.c has made of .machine: nodes of its rules, the node of its state, then
 * numbers: of states, their values, for each rule the states from and to (-1: any).
 */
#include "netlist/expand/expand_card.h"

/* The words in front of the numbers: none of them is a number, since names of its nodes are not. */
static size_t node_words(const struct card *c)
{
    size_t count = 0;
    while (count < c->word_count && c->words[count]->kind == ITEM_WORD && !c->words[count]->is_number)
        count++;
    return count;
}

bool read_machine(struct card *c)
{
    const size_t nodes = node_words(c);
    c->e->node_count = c->e->named_nodes = nodes;
    return card_node_list(c, nodes, &c->e->nodes, USE_TERMINAL, "the name of a node") &&
           card_numbers(c, &c->e->numbers, &c->e->number_count);
}
