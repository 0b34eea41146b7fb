/* soi_batch.h - the transistors on insulator of a circuit. */
#ifndef DEVICES_BSIMSOI_SOI_BATCH_H
#define DEVICES_BSIMSOI_SOI_BATCH_H

#include "devices/bsimsoi/soi.h"
#include "devices/incidence.h"
#include "devices/semiconductor/mosfet_batch.h"

enum {
    SOI_NRB = MOSFET_INSTANCE_COUNT,
    SOI_FRBODY,
    SOI_NBC,
    SOI_NSEG,
    SOI_PDBCP,
    SOI_PSBCP,
    SOI_AGBCP,
    SOI_AEBCP,
    SOI_VBSUSR,
    SOI_BJTOFF,
    SOI_DEBUG,
    SOI_SOIMOD_OWN,
    SOI_RGATEMOD_OWN,
    SOI_RTH0_OWN,
    SOI_CTH0_OWN,
    SOI_TNODEOUT,
    SOI_ICVES,
    SOI_ICVPS,
    SOI_INSTANCE_COUNT
};

extern const struct parameter_info soi_instance_rows[SOI_INSTANCE_COUNT];
extern const struct parameter_info soi_card_rows[SOI_CARD_COUNT];

/* Nodes of a transistor, outside and inside; some are one unknown, some are not there. */
enum soi_node {
    SOI_NODE_DRAIN,
    SOI_NODE_GATE,
    SOI_NODE_SOURCE,
    SOI_NODE_SUBSTRATE,
    SOI_NODE_CONTACT,
    SOI_NODE_BODY,
    SOI_NODE_HEAT,
    SOI_INNER_DRAIN,
    SOI_INNER_SOURCE,
    SOI_INNER_GATE,
    SOI_MIDDLE_GATE, /* between electrode and channel, rgatemod 3 */
    SOI_NODES
};
enum { SOI_TERMINALS = SOI_NODE_HEAT + 1 };

struct soi_transistor {
    struct soi_law law;
    double parallel;
    double gmin_part;                             /* of gmin, between body and source */
    double drain_conductance, source_conductance; /* S of all in parallel; 0: none */
    int gate_law;                                 /* rgatemod */
    bool contact;                                 /* a resistance from the contact to the body */
    int unknowns[SOI_NODES];                      /* -1: not there */
    int same[SOI_NODES];                          /* the first node that is the same unknown of the transistor */
    int slots[SOI_NODES][SOI_NODES];
    double previous[SOI_VARIABLES]; /* bias of the evaluation before, for limiting; against the source */
    struct own_tangent tangent;
};

struct soi_batch {
    struct instances all;
    bool whole_gmin;
    struct soi_transistor *transistors;
};

/* Where a transistor is at a point. */
struct soi_place {
    struct soi_bias at;
    double shift[SOI_VARIABLES]; /* from there to the voltages of the point */
};
struct soi_place soi_place_of(const struct soi_transistor *t, const double *x);

enum kn_status soi_fill(void *batch, const struct device_input *in);
void soi_prepare(void *batch, size_t k, double temperature);
bool soi_number(void *batch, size_t k, struct device_setup *s);
bool soi_connect(void *batch, size_t k, struct device_setup *s);
void soi_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
size_t soi_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS]);
void soi_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out);
bool soi_initial(const void *batch, size_t k, struct initial_list *list);
double soi_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at);
bool soi_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
