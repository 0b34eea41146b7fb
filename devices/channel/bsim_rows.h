/* bsim_rows.h - how the rows of BSIM cards (bsim_binned.def, devices/bsim/bsim_card.def, those of the families) become tables. */
#ifndef DEVICES_CHANNEL_BSIM_ROWS_H
#define DEVICES_CHANNEL_BSIM_ROWS_H

#define BSIM_CARD_ROW(symbol, name, others, unit, fallback, least, most, doc)                                          \
    {name, unit, fallback, least, most, doc, others},
#define BSIM_BINNED_ROWS(symbol, name, others, unit, fallback, doc)                                                    \
    {name, unit, fallback, -INFINITY, INFINITY, doc, others},                                                          \
        {"l" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/length", NULL},                                  \
        {"w" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/width", NULL},                                   \
        {"p" name, "", 0, -INFINITY, INFINITY, "part of " name " by 1/(length width)", NULL},

/* Rows of a parameter with parts: its own, then those by length, by width, by both. */
enum { BSIM_PARTS = 4 };

#endif
