/* check_words.h - the inside of check_constraints.c: what equations are made of, added to a text. */
#ifndef ANALYSES_CHECK_CHECK_WORDS_H
#define ANALYSES_CHECK_CHECK_WORDS_H

#include "analyses/check/check.h"
#include "base/text.h"

struct writer {
    struct index_report *r;
    const struct topology *t;
    size_t *first_at; /* [unknown_count + 2] branches at a node: places in `at` */
    size_t *at;
    bool *inside; /* [unknown_count + 1] nodes of the part in hand */
};

/* A resistor, capacitor or inductor of one value, that is just this branch. */
bool words_is_value(const struct branch *b, enum branch_kind kind);

/* v(a,b), v(a), -v(b) */
void words_voltage(struct text *p, const struct writer *w, int plus, int minus);
/* The value of a voltage or current source: V1(t) where it is given, the name of what it is otherwise; its rate. */
void words_source(struct text *p, const struct writer *w, const struct branch *b);
void words_source_rate(struct text *p, const struct writer *w, const struct branch *b);
/* "c1", or "q1 base-emitter" for one of the charges of a device with several. */
void words_owner(struct text *p, const struct branch *b);
/* "C1", or "C(q1 base-emitter)" for the incremental capacitance of a charge law. */
void words_capacitance(struct text *p, const struct branch *b);
void words_current(struct text *p, const struct branch *b);
/* Of a device with more than two terminals: what flows into it from a node. */
void words_terminal_current(struct text *p, const struct writer *w, const struct branch *b, int node);
void words_sign(struct text *p, bool negative, bool first);

#endif
