/* fet.h - what field-effect transistors of three terminals have in common: drain, gate and source, resistances in front
 * of them, and a law of the inner voltages vgs and vds that tells currents and charges of drain and source; the gate has
 * what is left.  Voltages, currents and charges of a law are those of an n-channel transistor.
 */
#ifndef DEVICES_SEMICONDUCTOR_FET_H
#define DEVICES_SEMICONDUCTOR_FET_H

#include "devices/batch.h"
#include "devices/noise.h"
#include "devices/junction/junction.h"

enum { FET_DRAIN, FET_GATE, FET_SOURCE, FET_NODES };

/* A quantity and its derivatives with respect to vgs and vds. */
struct fet_value {
    double value, gs, ds;
};

/* Of what flows into drain and source, A or C. */
struct fet_ends {
    struct fet_value drain, source;
};

struct fet_voltages {
    double gs, ds;
};

/* A family.  `law` is what it keeps of one transistor. */
struct fet_family {
    void (*currents)(const void *law, struct fet_voltages v, double gmin, struct fet_ends *out);
    void (*charges)(const void *law, struct fet_voltages v, struct fet_ends *out);
    double (*threshold)(const void *law);
    /* The gate's junctions; NULL: insulated, and vds is limited instead. */
    const struct junction_law *(*junction)(const void *law);
};

struct fet {
    const struct element *element;
    double sign; /* 1 n-channel, -1 p-channel */
    int outer[FET_NODES], inner[FET_NODES];
    double series[FET_NODES]; /* S; 0: none, and inner and outer node are one */
    int block[FET_NODES * FET_NODES], series_slots[FET_NODES][4];
    struct fet_voltages previous; /* of the evaluation before, for limiting */
};

/* series must be known where it is 0. */
bool fet_number(struct fet *t, const struct element *e, struct device_setup *s);
bool fet_connect(struct fet *t, struct device_setup *s);
void fet_stamp(const struct fet *t, double *G);
void fet_eval(const struct fet_family *family, struct fet *t, const void *law, const struct device_point *at,
              const struct device_stamp *out);

/* Where an insulated gate may be evaluated: the overdrive of the end that acts as source, then the drain voltage. */
struct fet_voltages fet_limit_insulated(struct fet_voltages v, struct fet_voltages previous, double threshold);

/* The same of a gate with junctions, or NULL, to both ends: these and the channel, each end for itself. */
struct fet_voltages fet_limit_junctions(struct fet_voltages v, struct fet_voltages previous,
                                        const struct junction_law *junction, double threshold);

struct fet_voltages fet_voltages_at(const struct fet *t, const double *x);
/* What flows into an outer node at a point, displacement included, in the sense of the circuit: for results. */
double fet_current(const struct fet_family *family, const struct fet *t, const void *law, int terminal,
                   const struct device_probe *at);

bool fet_add_series(const struct fet *t, struct branch_list *list);
/* The channel, and where `stores` the gate's charges. */
bool fet_add_branches(const struct fet *t, bool junctions, bool stores, struct branch_list *list);
bool fet_add_series_noise(const struct fet *t, double kelvin, struct noise_list *list);

/* Turns what a law gives for vds >= 0, as functions of vgs and vds, into that for both signs: for vds < 0 drain and source
 * change places. */
struct fet_value fet_reversed(struct fet_value forward);

/* A current or charge of one voltage between gate and source, or gate and drain, taken from the end. */
static inline void fet_add_gate_source(struct fet_ends *ends, double value, double slope)
{
    ends->source.value -= value;
    ends->source.gs -= slope;
}
static inline void fet_add_gate_drain(struct fet_ends *ends, double value, double slope)
{
    ends->drain.value -= value;
    ends->drain.gs -= slope;
    ends->drain.ds += slope;
}

#endif
