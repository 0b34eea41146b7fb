/* bjt_batch.h - the transistors of a circuit as bjt_parameters.c makes them and bjt.c evaluates them. */
#ifndef DEVICES_SEMICONDUCTOR_BJT_BATCH_H
#define DEVICES_SEMICONDUCTOR_BJT_BATCH_H

#include "devices/bipolar/bjt_model.h"
#include "devices/semiconductor/instances.h"

struct bjt_nodes {
    int collector, base, emitter, substrate;
    int inner[3];   /* collector, base, emitter behind their resistances */
    int epi;        /* behind that of the collector; the internal collector but for bjt_epi.h */
    int under;      /* the internal node that the substrate junction is at */
    int late, lead; /* bjt_phase.h */
};

/* Conductances of the series resistances, S; 0: none. */
struct bjt_series {
    double collector, base, emitter;
    bool base_varies; /* then `base` is unused */
};

struct bjt_phase_slots {
    int late, late_lead, lead_late, lead, collector, emitter;
    int law[3];
};

struct bjt_slots {
    int block[9]; /* internal collector, base, emitter squared */
    int base[8];  /* constant base resistance: a pair; else two rows, columns inner[3] and base */
    int collector[4], emitter[4], outer[4], substrate[4];
    int epi[3], to_epi[2]; /* row of that node for internal collector, base and itself; rows of these two */
    struct bjt_phase_slots phase;
};

struct bjt_previous {
    double vbe, vbc, vsub, vbn;
};

struct bjt_substrate {
    double current, conductance, charge, capacitance;
};

struct bjt_voltages {
    double vbe, vbc, vsub, vbx, vbn;
};

/* Everything that is evaluated, and where. */
struct bjt_tangent {
    struct bjt_voltages at; /* vbe is NaN before */
    struct bjt_currents currents;
    struct bjt_value emitter, collector; /* charges */
    double outer, outer_capacitance;
    struct bjt_substrate substrate;
    struct bjt_epi epi;
};

/* Flicker noise of the base current: Kf |ib|^Af / f. */
struct bjt_flicker {
    double kf, af;
};

/* All arrays have `count` entries. */
struct bjt_batch {
    struct instances all;
    double *sign;           /* 1 NPN, -1 PNP */
    double *substrate_sign; /* of the substrate junction */
    bool *lateral, *has_substrate;
    double *delay; /* s, of the forward transport current; 0: none */
    struct bjt_law *laws;
    struct bjt_series *series;
    struct bjt_nodes *nodes;
    struct bjt_slots *slots;
    struct bjt_previous *previous; /* voltages of the evaluation before, for limiting */
    struct bjt_tangent *tangents;  /* of the last evaluation with derivatives, see DEVICE_NEAR */
    struct bjt_flicker *flicker;
    bool has_charge;
};

enum { BJT_AREA, BJT_AREAB, BJT_AREAC, BJT_M, BJT_TEMP, BJT_DTEMP, BJT_OFF, BJT_ICVBE, BJT_ICVCE, BJT_INSTANCE_COUNT };
enum {
    BJT_MODEL_COUNT = 0
#define ROW(...) +1
#include "devices/bipolar/bjt_model.def"
#undef ROW
};
extern const struct parameter_info bjt_instance_rows[BJT_INSTANCE_COUNT];
extern const struct parameter_info bjt_model_rows[BJT_MODEL_COUNT];

enum kn_status bjt_fill(void *batch, const struct device_input *in);
void bjt_prepare(void *batch, size_t k, double temperature);
enum { BJT_QUANTITY_COUNT = 19 };
extern const struct quantity_info bjt_quantity_rows[BJT_QUANTITY_COUNT];
/* currents: into collector, base and emitter. */
void bjt_observe(const struct bjt_batch *b, size_t k, const struct device_probe *at, const double currents[3],
                 double *values);
bool bjt_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
