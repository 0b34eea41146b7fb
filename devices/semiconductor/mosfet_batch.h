/* mosfet_batch.h - the MOSFETs of a circuit as mosfet_parameters.c makes them and mosfet.c evaluates them. */
#ifndef DEVICES_SEMICONDUCTOR_MOSFET_BATCH_H
#define DEVICES_SEMICONDUCTOR_MOSFET_BATCH_H

#include "devices/channel/mosfet_model.h"
#include "devices/semiconductor/instances.h"

/* Order of the four nodes of the intrinsic transistor in 4x4 blocks. */
enum { MOSFET_DRAIN, MOSFET_GATE, MOSFET_SOURCE, MOSFET_BULK };

/* A current of its own, of a family that has more than an exponential. */
struct bulk_law {
    double (*current)(const struct bulk_law *law, double v, double *conductance);
};

/* Bulk diode of drain or source: charges of the bottom, of the sidewall and of what of it lies under the gate. */
struct bulk_diode {
    struct junction_law law;
    struct depletion bottom, sidewall, gate_wall;
    double critical_voltage;
    double knee;                /* V: above it the current goes on straight */
    const struct bulk_law *own; /* instead of law and knee; NULL: these */
    double transit;             /* s: the charge of the current */
};

static inline double bulk_diode_current(const struct bulk_diode *d, double v, double *conductance)
{
    if (d->own)
        return d->own->current(d->own, v, conductance);
    if (v <= d->knee)
        return junction_current(&d->law, v, conductance);
    const double i = junction_current(&d->law, d->knee, conductance);
    return i + *conductance * (v - d->knee);
}

static inline bool bulk_diode_stores(const struct bulk_diode *d)
{
    return d->bottom.capacitance > 0 || d->sidewall.capacitance > 0 || d->gate_wall.capacitance > 0 || d->transit > 0;
}

static inline double bulk_diode_charge(const struct bulk_diode *d, double v, double *capacitance)
{
    double q = 0, c;
    *capacitance = 0;
    if (d->bottom.capacitance > 0)
        q = depletion_charge(&d->bottom, v, capacitance);
    if (d->sidewall.capacitance > 0) {
        q += depletion_charge(&d->sidewall, v, &c);
        *capacitance += c;
    }
    if (d->gate_wall.capacitance > 0) {
        q += depletion_charge(&d->gate_wall, v, &c);
        *capacitance += c;
    }
    if (d->transit > 0) {
        q += d->transit * bulk_diode_current(d, v, &c);
        *capacitance += d->transit * c;
    }
    return q;
}

struct mosfet_nodes {
    int drain, gate, source, bulk; /* outside the resistances */
    int inner[4];                  /* drain, gate, source, bulk of the intrinsic transistor */
};

/* Most transistors have their bulk at their source or at ground; what meets there need not be added piece by piece. */
enum mosfet_tie { MOSFET_FREE, MOSFET_GROUNDED_BULK, MOSFET_TIED /* bulk at source */, MOSFET_TIED_TO_GROUND };

struct mosfet_series {
    double drain, source; /* S; 0: none */
};

struct mosfet_overlap {
    double gate_source, gate_drain, gate_bulk; /* F */
};

/* See mosfet_outer.c; conductances in S, 0: none. */
struct mosfet_outer {
    double gate, bulk, shunt;
    int gate_node, bulk_node; /* outside of them */
    int gate_slots[4], bulk_slots[4], shunt_slots[4];
};

struct mosfet_slots {
    int block[16];
    int drain[4], source[4];
};

/* Voltages against the source, in the sense of an n-channel transistor. */
struct mosfet_voltages {
    double gs, ds, bs;
};

/* What leaves drain, source and bulk into the intrinsic transistor, in the sense of an n-channel one. */
enum { MOSFET_END_DRAIN, MOSFET_END_SOURCE, MOSFET_END_BULK, MOSFET_ENDS };

struct mosfet_tangent {
    struct mosfet_voltages at; /* where it was evaluated; gs is NaN before */
    double gmin;               /* S, in its diodes */
    struct mosfet_value current[MOSFET_ENDS], charge[MOSFET_ENDS];
};

struct mosfet_geometry {
    double length, width;           /* m; length is the effective one */
    double drain_area, source_area; /* m^2 */
    double drain_edge, source_edge; /* m */
    double drain_squares, source_squares;
    double multiplicity;
};

/* See mosfet_noise.c. */
struct mosfet_noise {
    double kf, af, level /* nlev, -1 where it is absent */, gdsnoi;
    double oxide;         /* F/m^2 */
    double width, length; /* m, effective */
    double parallel;
};

enum { MOSFET_MODELS_REMEMBERED = 8 };

struct mosfet_batch;

/* Currents and charges of the intrinsic transistor at t->at, bulk diodes and constant overlaps aside; threshold and
 * saturation voltage, where `bias` is not NULL, with the currents. */
typedef void mosfet_own_law(const struct mosfet_batch *b, size_t k, bool currents, bool charges,
                            struct mosfet_tangent *t, struct mosfet_channel *bias);

/* All arrays have `count` entries. */
struct mosfet_batch {
    struct instances all;
    mosfet_own_law
        *own_law; /* NULL: those of laws, which then tell thresholds for limits and whether there are charges */
    double (*into)(const void *batch, size_t k, int terminal,
                   const struct device_probe *at); /* NULL: mosfet_current_into */
    struct mosfet_geometry *geometry;
    double *sign; /* 1 n-channel, -1 p-channel */
    struct mosfet_law *laws;
    struct mosfet_higher *higher; /* of those whose law points to it */
    struct mosfet_outer *outer;   /* levels 1 to 6 only */
    struct bulk_diode *drain_diodes, *source_diodes;
    struct mosfet_series *series;
    struct mosfet_overlap *overlaps;
    struct mosfet_noise *noise;
    struct mosfet_nodes *nodes;
    struct mosfet_slots *slots;
    enum mosfet_tie *ties;
    bool *stores;                     /* it has charges other than those of overlaps */
    struct mosfet_voltages *previous; /* of the evaluation before, for limiting */
    bool leaks;                       /* currents flow into gates; with own_law only */
    struct mosfet_tangent *tangents;  /* of the last evaluation with derivatives, see DEVICE_NEAR */
    /* A transistor with the same numbers in laws and diodes, or itself: many of one size need those of one in the cache. */
    size_t *like;
    bool *followed;                          /* some other looks there */
    size_t models[MOSFET_MODELS_REMEMBERED]; /* of which numbers were last new */
    size_t model_count;                      /* of them that there have been */
};

static inline struct mosfet_voltages mosfet_voltages_at(const struct mosfet_batch *b, size_t k, const double *x)
{
    const int *n = b->nodes[k].inner;
    const double sign = b->sign[k], source = x[n[MOSFET_SOURCE]];
    return (struct mosfet_voltages){.gs = sign * (x[n[MOSFET_GATE]] - source),
                                    .ds = sign * (x[n[MOSFET_DRAIN]] - source),
                                    .bs = sign * (x[n[MOSFET_BULK]] - source)};
}

/* From the voltages proposed for transistor k to those it is evaluated at. */
void mosfet_limit(struct mosfet_batch *b, size_t k, const struct device_point *at, struct mosfet_voltages *v);

enum {
    MOSFET_L,
    MOSFET_W,
    MOSFET_AD,
    MOSFET_AS,
    MOSFET_PD,
    MOSFET_PS,
    MOSFET_NRD,
    MOSFET_NRS,
    MOSFET_M,
    MOSFET_TEMP,
    MOSFET_DTEMP,
    MOSFET_OFF,
    MOSFET_ICVDS,
    MOSFET_ICVGS,
    MOSFET_ICVBS,
    MOSFET_INSTANCE_COUNT
};
enum {
    MOSFET_MODEL_COUNT = 0
#define ROW(...) +1
#include "devices/semiconductor/mosfet_model.def"
#undef ROW
};
/* Rows of all levels but those of length and width.  The netlist's ic=vds,vgs,vbs arrives as ic, ic2 and ic3. */
#define MOSFET_SHARED_ROWS                                                                                             \
    [MOSFET_AD] = {"ad", "m^2", 0, 0, INFINITY, "drain area", NULL}, [MOSFET_AS] = {"as",     "m^2",         0,   0,   \
                                                                                    INFINITY, "source area", NULL},    \
    [MOSFET_PD] = {"pd", "m", 0, 0, INFINITY, "drain perimeter", NULL}, [MOSFET_PS] = {"ps",     "m",                  \
                                                                                       0,        0,                    \
                                                                                       INFINITY, "source perimeter",   \
                                                                                       NULL},                          \
    [MOSFET_NRD] = {"nrd", "", 1, 0, INFINITY, "squares of the drain diffusion", NULL},                                \
    [MOSFET_NRS] = {"nrs", "", 1, 0, INFINITY, "squares of the source diffusion", NULL},                               \
    INSTANCE_ROWS(MOSFET_M, MOSFET_TEMP, MOSFET_DTEMP, MOSFET_OFF),                                                    \
    [MOSFET_ICVDS] =                                                                                                   \
        {"icvds", "V", 0, -INFINITY, INFINITY, "drain-source voltage at the start of a transient with uic", "ic ic1"}, \
    [MOSFET_ICVGS] =                                                                                                   \
        {"icvgs", "V", 0, -INFINITY, INFINITY, "gate-source voltage at the start of a transient with uic", "ic2"},     \
    [MOSFET_ICVBS] = {                                                                                                 \
        "icvbs", "V", 0, -INFINITY, INFINITY, "bulk-source voltage at the start of a transient with uic", "ic3"}
/* What the kinds of all families with four ends have in common. */
#define MOSFET_KIND                                                                                                    \
    .letter = 'm', .noun = "MOSFET", .nodes = "drain gate source bulk", .usage = "model L=value W=value",              \
    .form = CARD_MODEL, .quantities = {mosfet_quantity_rows, MOSFET_QUANTITY_COUNT}, .values = "l w ad as"
extern const struct parameter_info mosfet_instance_rows[MOSFET_INSTANCE_COUNT];
extern const struct parameter_info mosfet_model_rows[MOSFET_MODEL_COUNT];

enum kn_status mosfet_fill(void *batch, const struct device_input *in);
void mosfet_prepare(void *batch, size_t k, double temperature);

/* ---- for every family whose batch begins with a struct mosfet_batch ---- */

/* Their instance rows begin with those above. */
bool mosfet_allocate(struct mosfet_batch *b);
/* The diodes of both ends. */
bool mosfet_diodes_are_same(const struct mosfet_batch *b, size_t i, size_t j);
/* Looks for a transistor with the numbers of k among those of which numbers were last new. */
typedef bool mosfet_comparison(const struct mosfet_batch *b, size_t i, size_t j);
void mosfet_find_like(struct mosfet_batch *b, size_t k, mosfet_comparison *same);

enum mosfet_tie mosfet_tie_of(const struct mosfet_nodes *n);
bool mosfet_number(void *batch, size_t k, struct device_setup *s);
bool mosfet_connect(void *batch, size_t k, struct device_setup *s);
void mosfet_stamp(const void *batch, double *G, double *C);
/* What mosfet_look leaves for mosfet_add. */
struct mosfet_room {
    const struct mosfet_tangent *tangents[BATCH_PIECE];
    struct mosfet_tangent partial[BATCH_PIECE]; /* where they are not those that are kept */
};
void mosfet_look(void *batch, const struct device_point *at, size_t from, size_t to, void *room);
void mosfet_add(const void *batch, const struct device_point *at, size_t from, size_t to, const void *room,
                const struct device_stamp *out);
void mosfet_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
size_t mosfet_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS]);
void mosfet_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out);
bool mosfet_branches(const void *batch, size_t k, struct branch_list *list);
bool mosfet_initial(const void *batch, size_t k, struct initial_list *list);
/* Into an outer node. */
double mosfet_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at);
void mosfet_observe(const void *batch, size_t k, const struct device_probe *at, double *values);

/* Those of MOSFETs with resistances around them are in mosfet_outer.c. */
#define MOSFET_INNER_FUNCTIONS                                                                                         \
    .eval = mosfet_eval, .look = mosfet_look, .add = mosfet_add, .room = sizeof(struct mosfet_room),                   \
    .ends = mosfet_ends, .tangent = mosfet_tangent, .initial = mosfet_initial, .observe = mosfet_observe
#define MOSFET_FUNCTIONS                                                                                               \
    MOSFET_INNER_FUNCTIONS, .number = mosfet_number, .connect = mosfet_connect, .stamp = mosfet_stamp,                 \
                            .branches = mosfet_branches, .current = mosfet_current_into

bool mosfet_outer_number(void *batch, size_t k, struct device_setup *s);
bool mosfet_outer_connect(void *batch, size_t k, struct device_setup *s);
void mosfet_outer_stamp(const void *batch, double *G, double *C);
bool mosfet_outer_branches(const void *batch, size_t k, struct branch_list *list);
double mosfet_outer_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at);
/* What is in `what` (EVALUATE_..) at t->at, slopes included, all but constant overlaps. */
void mosfet_evaluate(const struct mosfet_batch *b, size_t k, unsigned what, double gmin, struct mosfet_tangent *t);

enum { MOSFET_QUANTITY_COUNT = 20 };
extern const struct quantity_info mosfet_quantity_rows[MOSFET_QUANTITY_COUNT];
bool mosfet_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
