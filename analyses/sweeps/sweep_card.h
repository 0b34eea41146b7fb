/* sweep_card.h - a card of sweeps while it is read. */
#ifndef ANALYSES_SWEEPS_SWEEP_CARD_H
#define ANALYSES_SWEEPS_SWEEP_CARD_H

#include "analyses/sweeps/sweep.h"

enum sweep_spacing { SPACING_LINEAR, SPACING_DECADES, SPACING_OCTAVES, SPACING_LIST, SPACING_POINTS, SPACINGS };

struct sweep_cursor {
    const struct sweep_reader *r;
    const struct analysis_card *card;
    size_t next;
    bool behind; /* the spacing stands behind the name */
    enum sweep_spacing spacing;
    const struct setting *target, *numbers; /* the name, and the first number behind it */
    size_t number_count;
};

/* The word that comes so many words later; NULL: none. */
const struct setting *sweep_ahead(const struct sweep_cursor *c, size_t distance);
bool sweep_is_word(const struct setting *s, const char *word);
/* Adds the error; KN_ERROR_DECK. */
enum kn_status sweep_fail(const struct sweep_cursor *c, struct kn_location where, const char *hint, const char *what);

/* How such a card is written. */
const char *sweep_form(const struct sweep_cursor *c);

/* The words that say what is swept. */
enum kn_status sweep_take_target(struct sweep_cursor *c, struct sweep *s);
/* With its values: whether the circuit has it. */
enum kn_status sweep_finish(struct sweep_cursor *c, struct sweep *s);
/* Both for what a name alone means, of a sweep that has its values. */
enum kn_status sweep_of_column(struct sweep_cursor *c, const struct setting *name, struct sweep *s);

/* file=name: the numbers in a file are the values (sweep_table.c). */
enum kn_status sweep_take_file(struct sweep_cursor *c, struct sweep *s);
/* data=name: a table of .data (sweep_table.c). */
enum kn_status sweep_take_table(struct sweep_cursor *c, struct sweeps *out);
/* monte=N [firstrun=K], monte=list(1 3:5). */
enum kn_status sweep_take_runs(struct sweep_cursor *c, struct sweeps *out);

#endif
