/* port_reader.h - the ports of a card in the manner of XSPICE (read_port_card.c), in the order of their kind. */
#ifndef NETLIST_PORTS_PORT_READER_H
#define NETLIST_PORTS_PORT_READER_H

#include "netlist/expand/expand_card.h"

struct token;

struct port_reader {
    struct card *c;
    const struct element_kind *kind;
    struct token *tokens;
    size_t token_count, next;
    struct connection *connections;
    size_t connection_count;
    int *nodes;
    size_t node_count;
    struct item **sources; /* of %vnam */
    size_t source_count;
};

/* Reads so many words of the card, which are all ports of r->kind; c and kind are set before.  False with an error. */
bool port_reader_read(struct port_reader *r, size_t words);

/* The model that the last word of the card names, where it is of this type; NULL. */
const struct model_card *port_model(const struct card *c, const char *type);

#endif
