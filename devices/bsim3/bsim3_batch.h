/* bsim3_batch.h - the BSIM3 transistors of a circuit: their card, their sizes, what is made of both. */
#ifndef DEVICES_BSIM3_BSIM3_BATCH_H
#define DEVICES_BSIM3_BSIM3_BATCH_H

#include "devices/bsim/bsim.h"
#include "devices/channel/bsim3.h"

/* ---- the card ---- */

/* Parameters without parts by size. */
enum {
#define ROW(symbol, ...) BSIM3_CARD_##symbol,
#include "devices/bsim3/bsim3_card.def"
#undef ROW
    BSIM3_COMMON_COUNT
};
BSIM_CARD_OF(bsim3, BSIM3)

enum {
    BSIM3_NQSMOD_OWN = MOSFET_INSTANCE_COUNT,
    BSIM3_ACNQSMOD_OWN,
    BSIM3_GEO,
    BSIM3_DELVTO,
    BSIM3_MULU0,
    BSIM3_INSTANCE_COUNT
};

extern const struct parameter_info bsim3_instance_rows[BSIM3_INSTANCE_COUNT];
extern const struct parameter_info bsim3_card_rows[BSIM3_CARD_COUNT];

/* ---- the batch ---- */

struct bsim3_batch {
    struct mosfet_batch mos;
    struct bsim3_law *laws; /* [count], of those that others look at */
};

/* Numbers of a size at a temperature; false where the effective length or width is nothing. */
bool bsim3_prepare_law(const struct bsim_device *t, struct bsim3_law *law);
/* Overlaps that do not deplete, of all in parallel. */
struct mosfet_overlap bsim3_overlaps(const struct bsim_device *t, const struct bsim3_law *law);

/* drain: which of both junctions. */
void bsim3_prepare_diode(const struct bsim_device *t, const struct bsim3_law *law, bool drain, struct bulk_diode *out);
struct mosfet_series bsim3_series(const struct bsim_device *t);

enum kn_status bsim3_fill(void *batch, const struct device_input *in);
void bsim3_prepare(void *batch, size_t k, double temperature);
bool bsim3_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
