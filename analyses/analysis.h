/* analysis.h - what a deck can ask for.  An analysis is a file and a line in the table of analyses.c. */
#ifndef ANALYSES_ANALYSIS_H
#define ANALYSES_ANALYSIS_H

#include "analyses/setup.h"

struct analysis {
    const char *card; /* ".op" */
    const char *doc;  /* one line: what it gives */
    /* How many of them the deck asks for; NULL: as many as it has such cards, which the reader only hands on. */
    size_t (*count)(const struct circuit *c);
    /* The card of the number-th of them, where `sweep` and what follows may stand; NULL: no such words, or, without a
     * count, the card itself. */
    const struct analysis_card *(*sweep)(const struct circuit *c, size_t number);
    /* Adds the errors of a card that the reader has handed on, before anything is run; NULL: nobody looks. */
    enum kn_status (*check)(struct setup *s, const struct analysis_card *card);
    /* Into how many parts the number-th of them is divided, which can be made apart from each other, such as outer loops;
     * NULL: 1.  Results must not depend on who makes which part. */
    size_t (*parts)(const struct setup *s, size_t number);
    /* The number-th of these, from 0: the part that the setup names.  summary has been set to 0; rows and unknowns are for the analysis to say. */
    enum kn_status (*run)(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary);
};

/* Of analyses that the reader knows, by the names that the functions have in their files. */
#define SWEPT_ANALYSIS(card_, doc_)                                                                                    \
    {                                                                                                                  \
        .card = card_, .doc = doc_, .count = count, .sweep = sweep, .run = run                                         \
    }

/* In the order in which a deck gets them; NULL-terminated. */
extern const struct analysis *const analyses[];

/* How many of an analysis the deck asks for. */
size_t analysis_count(const struct analysis *a, const struct circuit *c);
/* The number-th card of an analysis without a count of its own, with what stands on it. */
const struct analysis_card *analysis_card(const struct circuit *c, const char *card, size_t number);

/* A result of one row, in the order of the columns. */
enum kn_status analysis_one_row(const struct setup *s, const char *plot, const struct kn_column *columns, size_t count,
                                const double *row, struct kn_sink *sink);

#endif
