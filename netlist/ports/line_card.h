/* line_card.h - what cards of lines that become other elements share: a model of a type that the catalogue has not, and the elements.
 */
#ifndef NETLIST_PORTS_LINE_CARD_H
#define NETLIST_PORTS_LINE_CARD_H

#include "netlist/expand/expand_card.h"

struct line_card {
    struct card *c;
    const struct model_card *model;
    struct instance *owner; /* of the model */
    bool begun;             /* the element of the card's own name is one of those that the line becomes */
};

/* The model that the last word names; false with the error said, or silently where that has been.  hint: where there is none. */
bool line_find_model(struct line_card *l, const char *type, const char *hint);
/* The same of the model of that name. */
bool line_find_named(struct line_card *l, const struct item *name, const char *type, const char *hint);
/* A warning for each setting of the model that is none of these, "l z a". */
void line_check_settings(const struct line_card *l, const char *names);
/* name=value of the model, or NULL. */
struct item *line_setting(const struct line_card *l, const char *name);

/* The next element, between nodes [count]: the first is the card's own, the others are called card#part.  NULL without memory, also
 * where part is. */
struct element *line_element(struct line_card *l, char letter, const char *part, const int *nodes, size_t count);
/* The same of two nodes, with a value (ohm, F); false without memory. */
bool line_two_terminal(struct line_card *l, char letter, const char *part, const int nodes[2], double value);
/* A setting of a model that an element gets. */
struct setting line_model_value(const struct line_card *l, const char *name, double value);

/* A mode of a line: ohm, s and neper for each m. */
struct line_mode {
    double impedance, delay, attenuation;
};
/* Lines that are two equal conductors over a common one, by their even and their odd mode; nodes are those of both conductors and of the
 * reference, at one end and at the other. */
bool line_add_pair(struct line_card *l, const int nodes[6], const struct line_mode modes[2], double length);
/* The same by models of O lines, of the even mode and of the odd one. */
bool line_add_modes(struct line_card *l, const int nodes[6], const struct model *const lines[2]);

static inline struct kn_location line_place(const struct line_card *l)
{
    return l->c->statement->items->where;
}

static inline struct arena *line_arena(const struct line_card *l)
{
    return l->c->x->deck->arena;
}

#endif
