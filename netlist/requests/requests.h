/* requests.h - what a deck wants to see and to begin with: vectors of .print, .save and .probe, values of .ic and .nodeset. */
#ifndef NETLIST_REQUESTS_REQUESTS_H
#define NETLIST_REQUESTS_REQUESTS_H

#include "netlist/expand/expand.h"

struct request_card {
    struct expansion *x;
    const struct instance *at;
    struct statement *statement;
    const char *card; /* ".print" */
    enum request_domain domain;
};

/* A node named in v(..); false with an error where there is none. */
bool request_find_node(const struct request_card *r, const struct item *name, int *node);
/* An element by its name or ngspice's of it; NULL. */
const struct element *request_find_element(const struct request_card *r, const char *name);
/* The label becomes a column of the results, all of which are in lower case. */
bool request_push(const struct request_card *r, struct vector *to, struct request request, char *label);
bool request_all(const struct request_card *r, struct vector *to, struct kn_location where);
/* An error about it, with a guess; false. */
bool request_unknown_element(const struct request_card *r, const struct item *name, const char *text);
/* vdb(..), im(..): a part of a phasor; the letter has been looked at. */
enum request_part request_part_of(const char *function);
/* With a warning. */
void request_ignore(const struct request_card *r, const struct item *i);

/* Results that are no voltages and currents.  end: the item behind the vector. */
void request_noise_result(const struct request_card *r, struct vector *to, const struct item *i,
                          const struct item *end);
void request_port_result(const struct request_card *r, struct vector *to, const struct item *i, const struct item *end);
/* s21(db) on a .print of .ac where a .net gives it its meaning; false: it is none. */
bool request_network_result(const struct request_card *r, struct vector *to, const struct item *i,
                            const struct item *end);
bool request_quantity(const struct request_card *r, struct vector *to, const struct item *i);
/* r1:r, m1:gm; false where there is no such element or setting. */
bool request_setting(const struct request_card *r, struct vector *to, const struct item *i);

/* id(m1), i2(m1), p(r1) and the like (leads.c). */
bool request_is_lead(const struct request_card *r, const struct item *function);
bool request_lead(const struct request_card *r, struct vector *to, const struct item *function,
                  const struct item *name);
/* v(r1), vbe(q1), v(q1:b) and i(q1:b) of terminals (pins.c); false, with nothing said, where it is none of these. */
bool request_pin_voltage(const struct request_card *r, struct vector *to, const struct item *function,
                         const struct item *name, struct kn_location where);
bool request_pin_current(const struct request_card *r, struct vector *to, const struct item *function,
                         const struct item *name);
/* v(x1.*), id(m?): all that there are, of the instance. */
bool request_is_pattern(const struct item *name);
/* Terminals of elements (terminals.c).  The place of that whose name begins so, '1' is the first; -1: there is none. */
int request_terminal_place(const struct element *e, char letter);
/* What the kind calls the node at that place; what follows is behind a blank. */
const char *request_terminal_name(const struct element *e, int place);
/* The letter of a transistor's terminal at that place of its card; 0: there is none, or it is no transistor. */
char request_terminal_letter(const struct element *e, int place);
/* Currents of all elements, of transistors those into all terminals. */
bool request_all_currents(const struct request_card *r, struct vector *to, struct kn_location where);
bool request_pattern(const struct request_card *r, struct vector *to, const struct item *function,
                     const struct item *name);

/* Whether .save is that of HSPICE and Xyce, of voltages at a point (saved_point.c); what then comes of it. */
bool request_is_saved_point(const struct expansion *x, const struct statement *s);
void request_saved_point(struct expansion *x, struct instance *at, struct statement *s);

#endif
