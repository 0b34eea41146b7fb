/* range.h - frequencies on a card that the reader hands on: dec|oct|lin points from to. */
#ifndef ANALYSES_PERIODIC_RANGE_H
#define ANALYSES_PERIODIC_RANGE_H

#include "analyses/setup.h"

/* Words `first` .. of a card, and name=value behind them into the numbers of the same name.  Errors are reported with the
 * form of the card. */
struct range_number {
    const char *name;
    double least, most;
    double *value; /* a whole number */
};
struct range_request {
    const struct analysis_card *card;
    const char *code, *form; /* of messages */
    const struct range_number *numbers;
    size_t number_count;
};
enum kn_status range_read(const struct setup *s, const struct range_request *r, size_t first,
                          struct frequency_sweep *out);

#endif
