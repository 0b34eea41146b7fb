/* bsim4_batch.h - the BSIM4 transistors of a circuit: their cards, their sizes, what is made of both. */
#ifndef DEVICES_BSIM4_BSIM4_BATCH_H
#define DEVICES_BSIM4_BSIM4_BATCH_H

#include "devices/bsim/bsim.h"
#include "devices/channel/bsim4.h"

/* ---- the card ---- */

/* Parameters without parts by size. */
enum {
#define ROW(symbol, ...) BSIM4_CARD_##symbol,
#include "devices/bsim4/bsim4_card.def"
#undef ROW
    BSIM4_COMMON_COUNT
};
BSIM_CARD_OF(bsim4, BSIM4)

enum {
    BSIM4_NF = MOSFET_INSTANCE_COUNT,
    BSIM4_SA,
    BSIM4_SB,
    BSIM4_SD,
    BSIM4_SCA,
    BSIM4_SCB,
    BSIM4_SCC,
    BSIM4_SC,
    BSIM4_MIN,
    BSIM4_RBDB,
    BSIM4_RBSB,
    BSIM4_RBPB,
    BSIM4_RBPS,
    BSIM4_RBPD,
    BSIM4_DELVTO,
    BSIM4_MULU0,
    BSIM4_XGW_OWN,
    BSIM4_NGCON_OWN,
    BSIM4_RBODYMOD_OWN,
    BSIM4_RGATEMOD_OWN,
    BSIM4_GEOMOD_OWN,
    BSIM4_RGEOMOD_OWN,
    BSIM4_TRNQSMOD_OWN,
    BSIM4_ACNQSMOD_OWN,
    BSIM4_INSTANCE_COUNT
};

extern const struct parameter_info bsim4_instance_rows[BSIM4_INSTANCE_COUNT];
extern const struct parameter_info bsim4_card_rows[BSIM4_CARD_COUNT];

/* ---- the batch ---- */

/* A current of traps: i (1 - exp(-v/n v0/(v0 - v))). */
struct bsim4_traps {
    double current, rate, voltage; /* A; 1/V; V */
};

/* A junction that has more than an exponential (10.1): breakdown, traps. */
struct bsim4_junction {
    struct bulk_law law;               /* first */
    int mode;                          /* diomod */
    double parallel, saturation, rate; /* A; 1/V */
    double breakdown, factor, at_zero; /* V; xjbv; its current at 0 V, of the saturation current */
    double forward, forward_current, forward_slope;
    double reverse, reverse_current, reverse_slope;
    struct bsim4_traps traps[3];
};

/* A junction where it was evaluated last with current, charge and their slopes (DEVICE_NEAR). */
struct bsim4_junction_tangent {
    double at; /* V; NaN: nowhere */
    double current, conductance, charge, capacitance;
};

/* What lies around the intrinsic transistor: resistances of gate and bulk, and those of source and drain that bias
 * changes. */
struct bsim4_shell {
    bool ends, body;                                       /* rdsmod; rbodymod */
    int gate_law;                                          /* rgatemod */
    int gate, bulk;                                        /* unknowns outside */
    int junctions[2];                                      /* of drain and source with `body` */
    double gate_conductance;                               /* S, of all in parallel */
    double to_bulk, to_junctions[2], bulk_to_junctions[2]; /* S */
    double contacts[2];                                    /* S, of drain and source in series with the law's */
    double least[2], width_resistance[2];                  /* ohm, of all in parallel: rdwmin, rdw's */
    struct bulk_diode diodes[2];
    struct bsim4_junction_tangent tangents[2];
    double previous[2]; /* V */
    int gate_slots[4], to_bulk_slots[4], to_junction_slots[2][4], bulk_slots[2][4], diode_slots[2][4], end_slots[2][4];
    int gate_row[4], end_row[2][2][4]; /* rows by the nodes of the intrinsic transistor */
};

struct bsim4_batch {
    struct mosfet_batch mos;
    struct bsim4_law *laws; /* [count], of those that others look at */
    struct bsim4_junction *drain_junctions, *source_junctions;
    struct bsim4_shell *shells;
    double *fingers; /* m nf */
};

/* The element's row where it is given, else the card's. */
static inline double bsim4_either(const struct bsim_device *t, int own, int card)
{
    return t->own_given[own] ? t->own[own] : t->p[card];
}
/* The drain's row of a pair, the source's where it is absent. */
static inline double bsim4_side(const struct bsim_device *t, bool drain, int source_row)
{
    return t->p[drain && t->given[source_row + 1] ? source_row + 1 : source_row];
}

/* Berkeley's exp: straight above e^34, flat below e^-34. */
static inline double bsim4_exp(double x, double *slope)
{
    const double e = exp(fmax(fmin(x, BSIM_FAR), -BSIM_FAR));
    *slope = x < -BSIM_FAR ? 0 : e;
    return x > BSIM_FAR ? e * (1 + x - BSIM_FAR) : e;
}

/* Numbers of a size at a temperature; false where the effective length or width is nothing. */
bool bsim4_prepare_law(const struct bsim_device *t, struct bsim4_law *law);
/* Overlaps that do not deplete, of all in parallel. */
struct mosfet_overlap bsim4_overlaps(const struct bsim_device *t, const struct bsim4_law *law);
/* Effective width of the junctions, m. */
double bsim4_junction_width(const struct bsim_device *t);
double bsim4_intrinsic_carriers(const struct bsim_device *t, double *gap);

/* What stress and the edge of the well change. */
struct bsim4_surroundings {
    double threshold, k2, eta0; /* to be added */
    double mobility, velocity;  /* factors */
};
struct bsim4_surroundings bsim4_surroundings_of(const struct bsim_device *t, const double *p);

/* Area (m^2), perimeter without the gate's edge (m) of drain or source, and resistance of its diffusion (ohm). */
struct bsim4_diffusion {
    double area, perimeter, resistance;
};
struct bsim4_diffusion bsim4_diffusion_of(const struct bsim_device *t, bool drain);

/* drain: which of both junctions. */
void bsim4_prepare_diode(const struct bsim_device *t, const struct bsim4_law *law, bool drain,
                         struct bsim4_junction *junction, struct bulk_diode *out);
/* Which parts of it there are; once. */
void bsim4_make_shell(struct bsim4_batch *b, size_t k);
void bsim4_prepare_shell(const struct bsim_device *t, const struct bsim4_law *law, struct bsim4_batch *b, size_t k);

enum kn_status bsim4_fill(void *batch, const struct device_input *in);
void bsim4_prepare(void *batch, size_t k, double temperature);
bool bsim4_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

/* Of the transistor with what lies around it. */
bool bsim4_number(void *batch, size_t k, struct device_setup *s);
bool bsim4_connect(void *batch, size_t k, struct device_setup *s);
void bsim4_stamp(const void *batch, double *G, double *C);
void bsim4_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
size_t bsim4_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS]);
void bsim4_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out);
bool bsim4_branches(const void *batch, size_t k, struct branch_list *list);
double bsim4_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at);
/* S, at a point; of drain, source. */
void bsim4_end_conductances(const struct bsim4_batch *b, size_t k, const double *x, double conductance[2]);

#endif
