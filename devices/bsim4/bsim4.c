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
            BSIM_KIND("bsim4", bsim4, BSIM4, "wnflag mult", "mfg lmin lmax wmin wmax version"),
        },
    FILLED_BATCH(struct bsim4_batch, bsim4_fill),
    TRANSISTOR_FUNCTIONS(bsim4),
    .stamp = bsim4_stamp,
    .ends = bsim4_ends,
    .tangent = bsim4_tangent,
    .branches = bsim4_branches,
    .initial = mosfet_initial,
    .observe = mosfet_observe,
    .prepare = bsim4_prepare,
};
