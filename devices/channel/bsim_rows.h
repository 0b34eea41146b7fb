/* bsim_rows.h - how the rows of BSIM cards (bsim_binned.def, devices/bsim/bsim_card.def, those of the families) become tables. */
#ifndef DEVICES_CHANNEL_BSIM_ROWS_H
#define DEVICES_CHANNEL_BSIM_ROWS_H

#include <stddef.h>

#define BSIM_CARD_ROW(symbol, name, others, unit, fallback, least, most, doc)                                          \
    {name, unit, fallback, least, most, doc, others},
#define BSIM_BINNED_ROWS(symbol, name, others, unit, fallback, doc)                                                    \
    {name, unit, fallback, -INFINITY, INFINITY, doc, others},                                                          \
        {"l" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/length", NULL},                                  \
        {"w" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/width", NULL},                                   \
        {"p" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/(length width)", NULL},

/* Rows of a parameter with parts: its own, then those by length, by width, by both. */
enum { BSIM_PARTS = 4 };

/* After the enums of a family's rows: how many rows its card has, and where a parameter with parts stands among them. */
#define BSIM_CARD_OF(family, FAMILY)                                                                                   \
    enum { FAMILY##_CARD_COUNT = FAMILY##_COMMON_COUNT + BSIM_PARTS * FAMILY##_BINNED_COUNT };                         \
    static inline size_t family##_row(enum family##_binned symbol)                                                     \
    {                                                                                                                  \
        return FAMILY##_COMMON_COUNT + BSIM_PARTS * (size_t)symbol;                                                    \
    }

#endif
