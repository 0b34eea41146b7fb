/* expand_measure.h - what the readers of a .measure card share: its words, and the pieces that cards are made of. */
#ifndef NETLIST_EXPAND_EXPAND_MEASURE_H
#define NETLIST_EXPAND_EXPAND_MEASURE_H

#include "netlist/expand/expand.h"

struct measure_card {
    struct expansion *x;
    const struct instance *top;
    struct statement *statement;
    struct item *next; /* to be read */
    struct measure *out;
    const struct item *counted; /* RISE, FALL or CROSS of the event at hand */
    struct item *file;          /* of ERROR, and its two columns, from 0 */
    double columns[2];
};

/* How cards are written. */
extern const char measure_form[];

/* An error at an item, NULL: at the end of the card; returns false. */
bool measure_fail(const struct measure_card *m, const struct item *i, const char *what);
/* Whether a word ends the signal in front of it. */
bool measure_is_keyword(const struct item *i);

/* The signal that begins at m->next, which moves behind it; *level becomes what it is to be equal to, v(a)=2.5, or NULL.
 * NULL with an error. */
const struct expression *measure_signal(struct measure_card *m, struct item **level);
/* All that follows, or stands behind the = of the word, as a formula of results. */
const struct expression *measure_formula(struct measure_card *m, struct item *word);
/* The value of FROM=1m, also written FROM 1m; m->next moves behind it.  NULL with an error. */
struct item *measure_value(struct measure_card *m);
/* It as a number, or as a formula of results; as a number that is known now. */
bool measure_number(struct measure_card *m, struct measure_number *out);
bool measure_constant(struct measure_card *m, double *out);
/* It as how often: 1 .., 0 for LAST. */
bool measure_count(struct measure_card *m, long *out);

/* A setting of Xyce's ERROR v(a) FILE=name COMP_FUNCTION=L2NORM INDEPVARCOL=1 DEPVARCOL=2, where m->next is one; norms of
 * other names are that one.  False with an error. */
bool measure_comparison(struct measure_card *m, bool *taken);

/* What follows TRIG, TARG or WHEN: AT=point, or a signal, its level and which crossing. */
bool measure_event(struct measure_card *m, struct measure_event *e);

#endif
