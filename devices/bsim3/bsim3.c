/* bsim3.c - M: the BSIM3 transistor, BSIM3v3.3 of the University of California, Berkeley; equations in
 * devices/channel/bsim3.h.
 */
#include "devices/bsim3/bsim3_batch.h"
#include "devices/families.h"

static const struct model_level levels[] = {{8, "BSIM3v3"},         {49, "BSIM3v3"},          {53, "BSIM3v3"},
                                            {9, "BSIM3v3 of Xyce"}, {7, "BSIM3v3 of PSpice"}, {0, NULL}};
/* 9 is an improved level 3 in ngspice, 7 older than BSIM in HSPICE. */
#define OLDER "vto vt0 kp gamma phi lambda theta eta kappa vmax nfs nss uexp"
static const struct model_level contested[] = {{9, OLDER}, {7, OLDER}, {0, NULL}};

const struct device_class bsim3_class = {
    .kind =
        {
            MOSFET_KIND,
            BSIM_KIND("bsim3", bsim3, BSIM3, NULL, "mfg lmin lmax wmin wmax version"),
            .contested = contested,
        },
    FILLED_BATCH(struct bsim3_batch, bsim3_fill),
    MOSFET_FUNCTIONS,
    .prepare = bsim3_prepare,
    .noise = bsim3_noise,
};
