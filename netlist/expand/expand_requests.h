/* expand_requests.h - what the files that read vectors of .print, .save and .probe share. */
#ifndef NETLIST_EXPAND_REQUESTS_H
#define NETLIST_EXPAND_REQUESTS_H

#include "netlist/expand/expand.h"

struct request_card {
    struct expansion *x;
    const struct instance *at;
    struct statement *statement;
    const char *card; /* ".print" */
    enum request_domain domain;
};

/* An element by its name or ngspice's of it; NULL. */
const struct element *request_find_element(const struct request_card *r, const char *name);
/* The label becomes a column of the results, all of which are in lower case. */
bool request_push(const struct request_card *r, struct vector *to, struct request request, char *label);
bool request_all(const struct request_card *r, struct vector *to, struct kn_location where);
/* With a warning. */
void request_ignore(const struct request_card *r, const struct item *i);

/* expand_results.c: results that are no voltages and currents.  end: the item behind the vector. */
void request_noise_result(const struct request_card *r, struct vector *to, const struct item *i,
                          const struct item *end);
void request_port_result(const struct request_card *r, struct vector *to, const struct item *i, const struct item *end);
bool request_quantity(const struct request_card *r, struct vector *to, const struct item *i);

#endif
