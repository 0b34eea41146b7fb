/* periodic.h - the periodic orbit that a .pss card asks for. */
#ifndef ANALYSES_PERIODIC_PERIODIC_H
#define ANALYSES_PERIODIC_PERIODIC_H

#include "analyses/analysis.h"
#include "analyses/periodic/shooting.h"

struct periodic {
    struct setup *setup;
    const struct analysis_card *card;
    struct kn_location where;
    double frequency, settling; /* Hz, s */
    bool settles_by_itself;     /* the deck does not say how long */
    int node;                   /* of the phase, asked for; 0: none */
    bool oscillates;
    int points, harmonics;

    struct orbit orbit;
    struct shooting shooting;
    int iterations; /* on all steps */
    double error;   /* tolerances: change with the last halving of the steps */
};

/* Whether the card can be read; errors are reported. */
enum kn_status periodic_check(struct setup *s, const struct analysis_card *card);

/* Reads the card and finds the orbit; what is wrong is reported.  Free with periodic_free in any case. */
enum kn_status periodic_find(struct setup *s, const struct analysis_card *card, struct periodic *out,
                             struct analysis_summary *summary);
void periodic_free(struct periodic *p);

/* On steps short enough for so many harmonics above those of small signals; an oscillator's state is refused, since nothing
 * holds its phase.  card: that wants it. */
enum kn_status periodic_for_sidebands(struct periodic *p, int sidebands, const struct analysis_card *card);

#endif
