/* bsim.h - what BSIM3, BSIM4 and BSIMSOI have in common besides rows of cards (devices/channel/bsim_binned.def, bsim_card.def) and laws. */
#ifndef DEVICES_BSIM_BSIM_H
#define DEVICES_BSIM_BSIM_H

#include "devices/channel/bsim_body.h"
#include "devices/channel/bsim_rows.h"
#include "devices/semiconductor/mosfet_batch.h"

extern const struct model_type bsim_types[];

/* Members of struct element_kind: the noun, tables by the prefixes of their names, settings of elements and cards that are
 * passed over. */
#define BSIM_KIND(name, rows, COUNTS, of_elements, of_cards)                                                           \
    .short_noun = name, .instance = {rows##_instance_rows, COUNTS##_INSTANCE_COUNT, of_elements},                      \
    .model = {rows##_card_rows, COUNTS##_CARD_COUNT, of_cards}, .types = bsim_types, .levels = levels

/* ---- cards ---- */

/* A card and an element as their parameters are. */
struct bsim_device {
    const double *p, *own;
    const bool *given, *own_given;
    double sign;
    double celsius, nominal; /* degrees Celsius */
    double version;          /* on the card; infinite where it has none */
};
/* At the temperature it has in a circuit of `circuit` degrees Celsius; tnom is the card's row. */
struct bsim_device bsim_device_at(struct mosfet_batch *b, size_t k, double circuit, size_t tnom);

/* Of a card: the first row where it is given, else the second. */
static inline double bsim_or(const struct bsim_device *t, int row, int otherwise)
{
    return t->given[row] ? t->p[row] : t->p[otherwise];
}

/* k1 and k2 in p, parameters of a size: as the card has them, or from the doping at the surface and below (B.1.3).  `given`
 * has BSIM_PARTS for each of p, `channel` is the doping there (1/cm^3), phi (V) and oxide (F/m^2) are those of the law. */
void bsim_find_body_effect(double *p, const bool *given, double channel, double phi, double oxide);
/* Least vbs (V): nine tenths of the way to where the threshold by vbs has its maximum. */
double bsim_least_bulk(double k1, double k2, double phi, double most_reverse);

/* What is lost on either side: offset + a/L^ln + b/W^wn + c/(L^ln W^wn). */
static inline double bsim_lost(double offset, double a, double b, double c, double length_power, double width_power)
{
    return offset + a / length_power + b / width_power + c / (length_power * width_power);
}

/* 3.2 of the version 3.2.4 on a card, which *s is; `otherwise` where there is none. */
double bsim_version(const struct model *m, double otherwise, const struct setting **s);

/* That charges do not lag, of a model and of the first element whose row `name` or acnqsmod, the next one, asks for it. */
void bsim_tell_of_lag(const struct mosfet_batch *b, size_t own_row, const char *code, const char *name,
                      struct kn_diagnostics *d);

/* ---- checks ---- */

/* Items of struct instance_limit: what Berkeley's programs refuse as well, values without meaning for a size.  p has the
 * parameters with parts by size, whose symbols begin with `family`. */
#define BSIM_LIMITS(family, p, width)                                                                                  \
    {p[family##_NGATE], !(p[family##_NGATE] >= 0 && p[family##_NGATE] <= 1e25), "ngate", "between 0 and 1e25"},        \
        {p[family##_XJ], !(p[family##_XJ] > 0), "xj", "above 0"},                                                      \
        {p[family##_DVT1], !(p[family##_DVT1] >= 0), "dvt1", "at least 0"},                                            \
        {p[family##_DVT1W], !(p[family##_DVT1W] >= 0), "dvt1w", "at least 0"},                                         \
        {p[family##_W0], p[family##_W0] == -(width), "w0", "other than minus the effective width"},                    \
        {p[family##_B1], p[family##_B1] == -(width), "b1", "other than minus the effective width"},                    \
        {p[family##_DSUB], !(p[family##_DSUB] >= 0), "dsub", "at least 0"},                                            \
        {p[family##_DROUT], !(p[family##_DROUT] >= 0), "drout", "at least 0"},                                         \
    {                                                                                                                  \
        p[family##_DELTA], !(p[family##_DELTA] >= 0), "delta", "at least 0"                                            \
    }
/* The same of BSIM3 and BSIM4, whose laws have members of the same names; lintnoi is on the card (m). */
#define BSIM_BULK_LIMITS(family, law, lintnoi)                                                                         \
    {(law)->p[family##_NSUB], !((law)->p[family##_NSUB] > 0), "nsub", "above 0"},                                      \
        BSIM_LIMITS(family, (law)->p, (law)->width),                                                                   \
        {(law)->p[family##_PCLM], !((law)->p[family##_PCLM] > 0), "pclm", "above 0"},                                  \
        {(law)->p[family##_CLC], !((law)->p[family##_CLC] >= 0), "clc", "at least 0"},                                 \
        {(law)->mobility_0, !((law)->mobility_0 > 0), "u0 at this temperature", "above 0"},                            \
        {(law)->velocity, !((law)->velocity > 0), "vsat at this temperature", "above 0"},                              \
    {                                                                                                                  \
        lintnoi, (lintnoi) > 0.5 * (law)->length, "lintnoi", "at most half the effective length"                       \
    }

/* That no length or width is left, as an error; false. */
bool bsim_no_channel(const struct element *e, const double *own, const char *remedy, struct kn_diagnostics *d);

/* ---- at a temperature and at a bias ---- */

/* What mosfet_batch takes from a law: threshold, body effect, charge of the channel if any; once its diodes are known. */
void bsim_prepared(struct mosfet_batch *b, size_t k, const struct mosfet_law *law);
/* The same from a law of BSIM3 or BSIM4, whose members are called alike, with this body effect (V^1/2). */
#define BSIM_PREPARED(b, k, law, body_effect)                                                                          \
    bsim_prepared(b, k,                                                                                                \
                  &(struct mosfet_law){.built_in = (law)->rest.threshold.value - (body_effect) * (law)->root_phi,      \
                                       .gamma = (body_effect),                                                         \
                                       .phi = (law)->phi,                                                              \
                                       .root_phi = (law)->root_phi,                                                    \
                                       .oxide = (law)->charges.partition >= 0 || (law)->overlap_source > 0 ||          \
                                                        (law)->overlap_drain > 0                                       \
                                                    ? (law)->charges.channel                                           \
                                                    : 0})

/* Which ends act as drain and source, and the voltage of the latter against the end that is called source. */
struct bsim_sides {
    bool reversed;
    double end; /* V */
    int drain, source;
};
static inline struct bsim_sides bsim_sides_at(const struct mosfet_voltages *v)
{
    return v->ds < 0 ? (struct bsim_sides){true, v->ds, MOSFET_END_SOURCE, MOSFET_END_DRAIN}
                     : (struct bsim_sides){false, 0, MOSFET_END_DRAIN, MOSFET_END_SOURCE};
}

/* Charges of the overlaps that deplete, F and V of source and drain. */
void bsim_add_overlaps(bool bends, const double overlap[2], const double kappa[2], struct mosfet_tangent *t);

/* Ends that have changed places: functions of vgd, vsd and vbd become those of vgs, vds and vbs. */
void bsim_exchange(struct mosfet_value values[MOSFET_ENDS]);

/* Charges of the channel, none where NULL, whose ends have changed places where it is `reversed`. */
void bsim_take_charges(const struct bsim_terminal_charges *charges, bool reversed, struct mosfet_tangent *t);

/* ---- noise ---- */

/* Traps in the oxide: noia, noib, noic, em of a card, and the transistor at vds. */
struct bsim_traps {
    double a, b, c, field;  /* em, V/m */
    double ends;            /* n*, carriers per area where they are few, 1/m^2 */
    double least;           /* the same below threshold */
    double unit;            /* 1e8 or 1e10, as the numbers of the family's cards are meant */
    double length, width;   /* effective, m; of flicker noise */
    double whole;           /* effective length, m */
    double critical, reach; /* Esat, V/m; litl, m */
    double oxide, thermal;  /* F/m^2; kT/q, V */
    double charge, energy;  /* q, C; kT as the family's program has it */
    double current, rest;   /* A; Vds - Vdseff, V */
};
/* Density at 1 Hz, A^2/Hz: BSIM3v3.3 (2005), 8.2; 0 where noic makes it negative. */
double bsim_trap_noise(const struct bsim_traps *t, const struct bsim_state *at);

#endif
