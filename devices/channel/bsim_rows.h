/* bsim_rows.h - how the rows of BSIM cards (bsim_binned.def, devices/bsim/bsim_card.def, those of the families) become tables. */
#ifndef DEVICES_CHANNEL_BSIM_ROWS_H
#define DEVICES_CHANNEL_BSIM_ROWS_H

#include <stddef.h>

#define BSIM_CARD_ROW(symbol, name, others, unit, fallback, least, most, doc)                                          \
    {name, unit, fallback, least, most, doc, others},
/* `other` is a text, "" where there is no other name: vtho, which makes lvtho another name of lvth0. */
#define BSIM_OTHER_NAME(part, other) sizeof other > 1 ? part other : NULL
#define BSIM_BINNED_ROWS(symbol, name, other, unit, fallback, doc)                                                     \
    {name, unit, fallback, -INFINITY, INFINITY, doc, BSIM_OTHER_NAME("", other)},                                      \
        {"l" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/length", BSIM_OTHER_NAME("l", other)},           \
        {"w" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/width", BSIM_OTHER_NAME("w", other)},            \
        {"p" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/(length width)", BSIM_OTHER_NAME("p", other)},

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
