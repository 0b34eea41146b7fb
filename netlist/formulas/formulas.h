/* formulas.h - formulas as an instance sees them, and the states that they need. */
#ifndef NETLIST_FORMULAS_FORMULAS_H
#define NETLIST_FORMULAS_FORMULAS_H

#include "netlist/expand/expand.h"
#include "netlist/response.h"

/* A new element that makes y = H x of an expression, and the node whose voltage y is, "b1#ddt" for an owner b1; `part`
 * gets a number where there are several.  The argument is among x->programs already.  owner NULL: nobody's.  The response lives as long as the circuit.  -1 without
 * memory (states.c). */
struct state_owner {
    const char *name;
    const char *part;
    struct kn_location where;
};
int formulas_add_state(struct expansion *x, struct state_owner owner, const struct expression *argument,
                       const struct response *response);

/* The node of a call of ddt( ) or the like in a formula of x->formula_owner; -1 without memory. */
int formulas_state(struct expansion *x, const struct expression_state *state);

/* Numbers of the circuit by Xyce's names, "r1:r", "x1:c1:c": an element's value or another of its settings.  False where
 * there is none (elements.c). */
bool formulas_setting(struct expansion *x, const struct instance *at, const char *name, double *value);
/* r of r1: the value that its card is for. */
bool formulas_is_own(const struct element *e, const char *setting);
/* The value of an element of the same instance that is a formula; NULL. */
const struct expression_node *formulas_setting_formula(struct expansion *x, const struct instance *at,
                                                       const char *name);
/* Whether the value of an element is mentioned, which is not known before all have been read. */
bool formulas_asks_values(const struct expression_node *node);
/* Laws that ask for values come behind those of the elements they ask (order.c). */
void formulas_order(struct expansion *x);
/* p(r1), id(m1), @r1[i] (elements.c). */
struct expression_lead formulas_lead(struct expansion *x, const struct instance *at, const char *element,
                                     const char *quantity);

/* @x1.r1[p] + @x1.x2.m1[p] + ..: what all elements in an instance take; NULL where there is none of that name (elements.c). */
const struct expression_node *formulas_power(struct expansion *x, const struct instance *at, const char *instance,
                                             struct kn_location where);
/* HSPICE's power: of all elements but voltage sources, which give it, and what stores it. */
const struct expression_node *formulas_total_power(struct expansion *x, const struct instance *at,
                                                   struct kn_location where);

/* @x1.r1[i] - @x1.m1[id] ..: the current into the port x1:a or x1.a of an instance; NULL where there is none of that name, or
 * its node is ground or another port's too, or meets an element of which that is not known (elements.c). */
const struct expression_node *formulas_port_current(struct expansion *x, const struct instance *at, const char *port,
                                                    struct kn_location where);

/* The number of the element whose current a law uses for that of e: e itself where its current is an unknown of the
 * equations, else a source of 0 V put in series, "r1#i" (states.c). */
int formulas_current(struct expansion *x, struct element *e);
/* The same for the current of another terminal of a transistor, ib of "q1#ib"; -1 where it is none. */
int formulas_terminal_current(struct expansion *x, struct element *e, const char *quantity);

/* struct point_reader of an expansion; and two of the columns of a file, from 0, as pairs (points.c). */
const double *formulas_points(void *context, const char *name, struct arena *arena, size_t *count,
                              const char **problem);

/* The law of an element that is what a response makes of its tree; NULL with an error. */
const struct expression *formulas_through(struct expansion *x, const struct pending *p);

/* Gives a capacitor or an inductor its law whose value its tree is: the value itself, or, where that depends on more than
 * its own voltage or current, that of the behavioural source it becomes. */
bool formulas_variable(struct expansion *x, const struct pending *p);

/* The value of a resistor, a capacitor or an inductor that is a formula, and that as a tree of an instance; NULL where it is none. */
const struct expression_node *formulas_tree_of(const struct expansion *x, const struct element *e,
                                               const struct instance **at);
const struct expression *formulas_value_of(struct expansion *x, const struct element *e);

/* Two inductors whose coupling coefficient is the tree of a K card become laws of flux (coupling.c). */
bool formulas_coupling(struct expansion *x, const struct pending *p);

/* The law of a resistor by a formula, v/R, or its value where values of others make a number; where R is a function of time that is 0 when a run begins, v = R i. */
bool formulas_resistance(struct expansion *x, const struct pending *p);

/* Puts the elements made so far behind the others (states.c). */
void formulas_keep_states(struct expansion *x);

#endif
