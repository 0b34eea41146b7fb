/* mosfet_batch.h - the MOSFETs of a circuit as mosfet_parameters.c makes them and mosfet.c evaluates them. */
#ifndef DEVICES_SEMICONDUCTOR_MOSFET_BATCH_H
#define DEVICES_SEMICONDUCTOR_MOSFET_BATCH_H

#include "devices/channel/mosfet_model.h"
#include "devices/semiconductor/instances.h"

/* Order of the four nodes of the intrinsic transistor in 4x4 blocks. */
enum { MOSFET_DRAIN, MOSFET_GATE, MOSFET_SOURCE, MOSFET_BULK };

/* Bulk diode of drain or source: bottom and sidewall charge. */
struct bulk_diode {
    struct junction_law law;
    struct depletion bottom, sidewall;
    double critical_voltage;
};

struct mosfet_nodes {
    int drain, source; /* outside the resistances */
    int inner[4];      /* drain, gate, source, bulk of the intrinsic transistor */
};

/* Most transistors have their bulk at their source or at ground; what meets there need not be added piece by piece. */
enum mosfet_tie { MOSFET_FREE, MOSFET_GROUNDED_BULK, MOSFET_TIED /* bulk at source */, MOSFET_TIED_TO_GROUND };

struct mosfet_series {
    double drain, source; /* S; 0: none */
};

struct mosfet_overlap {
    double gate_source, gate_drain, gate_bulk; /* F */
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

/* All arrays have `count` entries. */
struct mosfet_batch {
    struct instances all;
    struct mosfet_geometry *geometry;
    double *sign; /* 1 n-channel, -1 p-channel */
    struct mosfet_law *laws;
    struct mosfet_higher *higher; /* of those whose law points to it */
    struct bulk_diode *drain_diodes, *source_diodes;
    struct mosfet_series *series;
    struct mosfet_overlap *overlaps;
    struct mosfet_noise *noise;
    struct mosfet_nodes *nodes;
    struct mosfet_slots *slots;
    enum mosfet_tie *ties;
    bool *stores;                     /* it has charges other than those of overlaps */
    struct mosfet_voltages *previous; /* of the evaluation before, for limiting */
    struct mosfet_tangent *tangents;  /* of the last evaluation with derivatives, see DEVICE_NEAR */
    double tangent_gmin;              /* S, of all of them */
    /* A transistor with the same numbers in laws and diodes, or itself: many of one size need those of one in the cache. */
    size_t *like;
    bool *followed;                          /* some other looks there */
    size_t models[MOSFET_MODELS_REMEMBERED]; /* of which numbers were last new */
    size_t model_count;                      /* of them that there have been */
};

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
enum { MOSFET_MODEL_COUNT = 60 };
extern const struct parameter_info mosfet_instance_rows[MOSFET_INSTANCE_COUNT];
extern const struct parameter_info mosfet_model_rows[MOSFET_MODEL_COUNT];

enum kn_status mosfet_fill(void *batch, const struct device_input *in);
void mosfet_prepare(void *batch, size_t k, double temperature);
enum { MOSFET_QUANTITY_COUNT = 20 };
extern const struct quantity_info mosfet_quantity_rows[MOSFET_QUANTITY_COUNT];
/* currents: into drain, gate, source and bulk. */
void mosfet_observe(const struct mosfet_batch *b, size_t k, const struct device_probe *at, const double currents[4],
                    double *values);
bool mosfet_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
