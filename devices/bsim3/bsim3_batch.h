/* bsim3_batch.h - the BSIM3 transistors of a circuit: their card, their sizes, what is made of both. */
#ifndef DEVICES_BSIM3_BSIM3_BATCH_H
#define DEVICES_BSIM3_BSIM3_BATCH_H

#include "devices/bsim/bsim.h"
#include "devices/channel/bsim3.h"

/* ---- the card ---- */

/* Parameters without parts by size. */
#define BSIM3_COMMON(ROW)                                                                                              \
    ROW(LEVEL, "level", NULL, "", 8, -INFINITY, INFINITY, "8, 49 and 53, or 9 of Xyce, 7 of PSpice")                   \
    ROW(MOBMOD, "mobmod", NULL, "", 1, 1, 3, "law of the mobility: 1, 2 or 3")                                         \
    ROW(CAPMOD, "capmod", NULL, "", 3, 0, 3, "law of the charges: 0, 1, 2 or 3; before version 3.2 2")                 \
    ROW(NOIMOD, "noimod", NULL, "", 1, 1, 6,                                                                           \
        "noise of channel and flicker: 1 SPICE2's and kf, 2 BSIM3's both, 3 SPICE2's and BSIM3's, 4 BSIM3's and kf, "  \
        "5 and 6 as 1 and 3, with a linear region")                                                                    \
    ROW(NQSMOD, "nqsmod", NULL, "", 0, 0, 1, "charges that lag behind: not known, quasi-static instead")               \
    ROW(ACM, "acm", NULL, "", 0, 0, 13, "areas of source and drain: 0 as given, 1, 2, 3 and 11, 12, 13 HSPICE's")      \
    ROW(CALCACM, "calcacm", NULL, "", 0, 0, 1, "1: with acm = 12 areas that are not given are as with acm = 2")        \
    ROW(PARAMCHK, "paramchk", NULL, "", 0, 0, 1, "1: a2, rdsw and overlaps are kept in their ranges")                  \
    ROW(TOX, "tox", NULL, "m", 150e-10, DBL_MIN, INFINITY, "oxide thickness")                                          \
    ROW(JS, "js", NULL, "A/m^2", 1e-4, 0, INFINITY, "saturation current of the junctions per area")                    \
    ROW(JSW, "jsw", "jssw", "A/m", 0, 0, INFINITY, "the same per perimeter")                                           \
    ROW(NJ, "nj", "n", "", 1, DBL_MIN, INFINITY, "emission coefficient of the junctions")                              \
    ROW(XTI, "xti", NULL, "", 3, -INFINITY, INFINITY, "exponent of temperature of js")                                 \
    ROW(IJTH, "ijth", NULL, "A", 0.1, 0, INFINITY, "current from which on a junction is straight; 0: never")           \
    ROW(CJ, "cj", NULL, "F/m^2", 5e-4, 0, INFINITY, "capacitance of the junctions' bottom at zero bias")               \
    ROW(MJ, "mj", NULL, "", 0.5, 0, 10, "its grading coefficient")                                                     \
    ROW(PB, "pb", NULL, "V", 1, DBL_MIN, INFINITY, "its potential")                                                    \
    ROW(CJSW, "cjsw", NULL, "F/m", 5e-10, 0, INFINITY, "capacitance of the junctions' sidewall at zero bias")          \
    ROW(MJSW, "mjsw", NULL, "", 0.33, 0, 10, "its grading coefficient")                                                \
    ROW(PBSW, "pbsw", "php", "V", 1, DBL_MIN, INFINITY, "its potential")                                               \
    ROW(CJSWG, "cjswg", "cjgate", "F/m", 0, 0, INFINITY, "the same under the gate; cjsw when absent")                  \
    ROW(MJSWG, "mjswg", NULL, "", 0, 0, 10, "its grading coefficient; mjsw when absent")                               \
    ROW(PBSWG, "pbswg", NULL, "V", 0, DBL_MIN, INFINITY, "its potential; pbsw when absent")                            \
    ROW(HDIF, "hdif", NULL, "m", 0, 0, INFINITY, "acm: from the gate to the contact")                                  \
    ROW(LDIF, "ldif", NULL, "m", 0, 0, INFINITY, "acm: lightly doped part of source and drain")                        \
    ROW(LD, "ld", NULL, "m", 0, -INFINITY, INFINITY, "acm: lateral diffusion")                                         \
    ROW(WMLT, "wmlt", NULL, "", 1, DBL_MIN, INFINITY, "acm: factor of widths")                                         \
    ROW(RD, "rd", NULL, "ohm m/m", 0, 0, INFINITY, "acm: resistance of the lightly doped drain")                       \
    ROW(RS, "rs", NULL, "ohm m/m", 0, 0, INFINITY, "acm: resistance of the lightly doped source")                      \
    ROW(RDC, "rdc", NULL, "ohm", 0, 0, INFINITY, "acm: resistance of the drain's contact")                             \
    ROW(RSC, "rsc", NULL, "ohm", 0, 0, INFINITY, "acm: resistance of the source's contact")                            \
    ROW(L, "l", NULL, "m", 5e-6, DBL_MIN, INFINITY, "channel length of elements that give none")                       \
    ROW(W, "w", NULL, "m", 5e-6, DBL_MIN, INFINITY, "channel width of elements that give none")                        \
    ROW(KF, "kf", NULL, "", 0, 0, INFINITY, "flicker noise of noimod 1, 4 and 5: kf id^af/(Cox L^2 f^ef)")             \
    ROW(NOIA, "noia", NULL, "", 0, -INFINITY, INFINITY,                                                                \
        "traps of BSIM3's flicker noise; 1e20, 9.9e18 for a p-channel")                                                \
    ROW(NOIB, "noib", NULL, "", 0, -INFINITY, INFINITY, "the same by density; 5e4, 2.4e3")                             \
    ROW(NOIC, "noic", NULL, "", 0, -INFINITY, INFINITY, "the same by its square; -1.4e-12, 1.4e-12")                   \
    ROW(EM, "em", NULL, "V/m", 4.1e7, 0, INFINITY, "field where the channel is saturated, for BSIM3's flicker noise")  \
    BSIM_CARD(ROW) BSIM_BULK_CARD(ROW)

#define BSIM3_CARD_SYMBOL(symbol, ...) BSIM3_CARD_##symbol,
enum { BSIM3_COMMON(BSIM3_CARD_SYMBOL) BSIM3_COMMON_COUNT };
enum { BSIM3_CARD_COUNT = BSIM3_COMMON_COUNT + BSIM_PARTS * BSIM3_BINNED_COUNT };
static inline size_t bsim3_row(enum bsim3_binned symbol)
{
    return BSIM3_COMMON_COUNT + BSIM_PARTS * (size_t)symbol;
}

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
