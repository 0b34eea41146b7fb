/* soi_rows.h - where the parameters of a BSIMSOI card stand. */
#ifndef DEVICES_BSIMSOI_SOI_ROWS_H
#define DEVICES_BSIMSOI_SOI_ROWS_H

#include "devices/channel/bsim_rows.h"
#include <stdbool.h>

/* Parameters with parts by size, and those without. */
enum soi_binned {
#define ROW(symbol, ...) SOI_##symbol,
#include "devices/bsimsoi/soi_binned.def"
#undef ROW
    SOI_BINNED_COUNT
};
enum soi_common {
#define ROW(symbol, ...) SOI_CARD_##symbol,
#include "devices/bsimsoi/soi_card.def"
#undef ROW
    SOI_COMMON_COUNT
};
BSIM_CARD_OF(soi, SOI)

/* The third law of the mobility, which Berkeley's program takes for every number but 1 and 2; cards of its tests have 0. */
static inline bool soi_by_field(const double *card)
{
    return card[SOI_CARD_MOBMOD] != 1 && card[SOI_CARD_MOBMOD] != 2;
}

#endif
