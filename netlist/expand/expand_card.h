/* expand_card.h - reading one element card in one instance. */
#ifndef NETLIST_EXPAND_EXPAND_CARD_H
#define NETLIST_EXPAND_EXPAND_CARD_H

#include "netlist/expand/expand.h"

struct expression_node;
struct tree_maker;

struct card {
    struct expansion *x;
    struct instance *at;
    struct statement *statement;
    const struct element_kind *kind; /* of a letter with several, the first until the model is known */
    struct node_counts nodes;        /* of the kind */
    struct element *e;
    struct item **words; /* what is no name=value, behind the element's name */
    size_t word_count;
    size_t next;                /* first word not read yet */
    const struct item *control; /* {expression} = .., which is no setting; or NULL */
    struct instance *inside;    /* of X: whose body comes next; else NULL */
};

/* Adds an error about the card; false. */
#define card_fail(c, ...) deck_fail((c)->x->deck, __VA_ARGS__)
/* A hint where i goes on with a number that was written with a decimal comma; NULL otherwise. */
const char *card_decimal_comma(struct card *c, const struct item *i);
/* "resistor 'x1.r5'" */
const char *card_owner(struct card *c);
/* The next word, or NULL at the end. */
struct item *card_peek(const struct card *c);
struct item *card_take(struct card *c);
/* "write Rname node node value" */
const char *card_usage_hint(struct card *c);
/* An error where the next word would stand: "resistor 'r1' needs .., found .." */
bool card_expected(struct card *c, const char *what);

/* The code model of a constant delay (ports/read_code_delay.c). */
bool card_is_code_delay(const struct card *c);
bool read_code_delay(struct card *c);
/* tline and cpline (ports/read_code_line.c). */
bool card_is_code_line(const struct card *c);
bool read_code_line(struct card *c);

/* Reads the nodes of the kind and `open` of those that may be left out; the rest of these is ground. */
bool card_nodes(struct card *c, size_t open);
/* Reads count nodes into a list of the circuit's arena. */
bool card_node_list(struct card *c, size_t count, const int **nodes, enum node_use use, const char *what);
/* False for an expression of voltages, currents or time. */
bool card_is_constant(struct card *c, struct item *i);
bool card_value(struct card *c, struct item *i, double *value);
/* An error if words are left. */
bool card_end(struct card *c);
/* All name=value of the statement except those in `taken` (NULL-terminated), and words that are flags. */
bool card_settings(struct card *c, const char *const *taken);
/* Moves x->settings to the element, lengths and areas in `.options scale`. */
bool card_keep_settings(struct card *c);
/* Where the model is one of several bins: that for the element's length and width (expand_bins.c). */
bool card_choose_bin(struct card *c, const struct item *name);
/* S and W with CONTROL={..} (sources/switch_law.c). */
bool card_controlled_switch(struct card *c, struct item *control);
/* The item named so that has a value, or NULL. */
struct item *card_assignment(const struct card *c, const char *name);
/* The law of the element, compiled when all names are known. */
bool card_law(struct card *c, enum element_law law, struct item *expression);
bool card_law_of_tree(struct card *c, enum element_law law, const struct expression_tree *tree);
/* The same of its root, NULL where there is no memory or an error has been said. */
bool card_law_of_root(struct card *c, enum element_law law, const struct expression_node *root);
/* Makes trees that are placed where the card begins. */
struct tree_maker card_maker(const struct card *c);
/* V(plus,minus) of two words; minus may be NULL. */
struct expression_node *card_voltage(const struct card *c, const struct item *plus, const struct item *minus);
/* Makes an element of the card, its own or a part, a source from a node to ground whose voltage is a law. */
bool card_voltage_at(struct card *c, struct element *e, int node, const struct expression_tree *law);
/* The law is what a linear response makes of the argument; part: what it is called in results, "laplace". */
bool card_law_through(struct card *c, enum element_law law, const struct expression_tree *argument, const char *part,
                      const struct response *response);
/* Controlling elements by name, resolved when all are known. */
bool card_controls(struct card *c, size_t count);
/* Reads numbers up to the end of the words into the circuit's arena. */
bool card_numbers(struct card *c, const double **numbers, size_t *count);

/* Whether name=value gives a parasitic element of the card, such as rser. */
bool card_is_parasitic(const struct card *c, const struct item *i);
/* The resistance behind a port, a noiseless element of its own, v1#z0: first --z0-- v1#z0 --V-- second. */
bool card_port(struct card *c, struct kn_location where, double z0);
/* Rser, Rpar and the like of a two-terminal element become elements of their own (expand_parasitics.c). */
bool card_parasitics(struct card *c);

/* The text of the card behind an item as an expression; NULL with an error (netlist/formulas/tables.c). */
struct item *card_rest(struct card *c, const struct item *behind);
/* E and G: TABLE expression = (x1,y1) (x2,y2) .. */
bool read_table(struct card *c, enum element_law law, const struct item *table);
/* E and G: table=(x1 y1,x2 y2) of what is known. */
bool read_table_of(struct card *c, const struct item *table, struct expression_node *of);
/* I: LTspice's tbl=(v1,i1,v2,i2,..), the current as a function of the voltage across it. */
bool read_current_table(struct card *c, const struct item *table);

/* E and G in HSPICE's forms PWL(1), AND(2), DELAY, VCR, OPAMP (expand_control_forms.c). */
bool card_has_control_form(const struct card *c);
bool read_control_form(struct card *c);
/* min=, max= and scale= of what E and G put out; the law with them, and the gain of a linear one. */
bool card_has_limits(const struct card *c);
bool card_limited_law(struct card *c, enum element_law law, const struct expression_node *value);
bool read_limited_gain(struct card *c);

/* One for each form of card. */
bool read_instance(struct card *c);
bool read_passive(struct card *c);
bool read_coupling(struct card *c);
bool read_nodes_and_settings(struct card *c);
bool read_source(struct card *c);
bool read_voltage_controlled(struct card *c);
bool read_current_controlled(struct card *c);
bool read_behavioural(struct card *c);
bool read_with_model(struct card *c);
bool read_machine(struct card *c);   /* likewise */
bool read_gate_card(struct card *c); /* likewise */
/* LOGICEXP and PINDLY, whose power node is that word of the card, behind their models. */
bool read_logic_expression(struct card *c, size_t nodes, const struct item *io);
bool read_pin_delays(struct card *c, size_t nodes, const struct item *io);
bool read_stimulus(struct card *c, const struct item *io); /* STIM, behind the model of its outputs */
bool read_port_card(struct card *c);                       /* netlist/ports/ */
bool read_y_card(struct card *c);                          /* likewise */
bool card_is_ota(const struct card *c);                    /* LTspice's A device of that name, a B source here */
bool read_ota(struct card *c);
bool card_is_special(const struct card *c); /* MODULATOR, VARISTOR and SAMPLEHOLD likewise */
bool read_special(struct card *c);
bool add_pump_parts(struct card *c); /* what clamps and loads the output of a PHASEDET */
bool read_coupled_line(struct card *c);
/* How many elements P makes beside its own, at most. */
size_t coupled_line_parts(const struct statement *s);
/* Whether a W card is a line of HSPICE's, no switch. */
bool is_line_of_hspice(const struct statement *s);
bool card_is_loss_line(const struct card *c); /* a T of PSpice with R, L, G and C, or a model */
bool read_loss_line(struct card *c);
bool read_rc_line(struct card *c);
/* How many elements U with a model of type urc makes beside its own, at most; 0: it is not one. */
size_t rc_line_parts(const struct statement *s);
/* Whether it is of a type there is; and its two names as one. */
bool y_card_is_known(const struct statement *s);
size_t y_card_parts(const struct statement *s); /* elements that it makes beside its own */
bool y_card_join_name(struct deck *k, struct statement *s);

/* A value that depends on voltages, currents or time (formulas/variable.c): of R, C and L, and a B source that is a
 * resistance. */
bool card_variable_value(struct card *c, struct item *i);
bool card_resistance_law(struct card *c, const struct expression_tree *resistance, struct kn_location where);
/* A resistor that heats itself (formulas/thermal.c). */
bool card_is_heated(struct card *c);
bool card_heated_resistor(struct card *c);
/* One that takes a power. */
bool card_power_law(struct card *c, const struct expression_tree *power, struct kn_location where);

/* E, G and B by a transfer function, where the card has one: LAPLACE, FREQ, CHEBYSHEV, POLE (formulas/laplace.c). */
bool card_has_transfer(const struct card *c);
bool read_transfer_function(struct card *c);
/* The same of B sources, laplace=, whose argument is known. */
bool read_transfer_of(struct card *c, enum element_law law, const struct expression_tree *argument);

#endif
