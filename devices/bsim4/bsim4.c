/* bsim4.c - M: the BSIM4 transistor, BSIM4.8 of the University of California, Berkeley; equations in
 * devices/channel/bsim4.h.
 */
#include "devices/bsim4/bsim4_batch.h"
#include "devices/families.h"

static const struct model_level levels[] = {{14, "BSIM4"}, {54, "BSIM4"}, {0, NULL}};

const struct device_class bsim4_class = {
    .kind =
        {
            MOSFET_KIND,
            .short_noun = "bsim4",
            .instance = {bsim4_instance_rows, BSIM4_INSTANCE_COUNT, "wnflag mult"},
            .model = {bsim4_card_rows, BSIM4_CARD_COUNT, "mfg lmin lmax wmin wmax version"},
            .types = bsim_types,
            .levels = levels,
        },
    .batch_size = sizeof(struct bsim4_batch),
    .fill = bsim4_fill,
    .number = bsim4_number,
    .connect = bsim4_connect,
    .stamp = bsim4_stamp,
    .eval = bsim4_eval,
    .ends = bsim4_ends,
    .tangent = mosfet_tangent,
    .branches = bsim4_branches,
    .initial = mosfet_initial,
    .current = bsim4_current_into,
    .observe = mosfet_observe,
    .prepare = bsim4_prepare,
    .noise = bsim4_noise,
};
