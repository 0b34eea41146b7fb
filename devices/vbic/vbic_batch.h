/* vbic_batch.h - the VBIC transistors of a circuit. */
#ifndef DEVICES_VBIC_VBIC_BATCH_H
#define DEVICES_VBIC_VBIC_BATCH_H

#include "devices/incidence.h"
#include "devices/semiconductor/instances.h"
#include "devices/vbic/vbic.h"

enum { VBIC_AREA, VBIC_M, VBIC_TEMP, VBIC_DTEMP, VBIC_OFF, VBIC_ICVBE, VBIC_ICVCE, VBIC_SW_ET, VBIC_INSTANCE_COUNT };

/* Nodes of a transistor, outside and inside; some are one unknown, some are not there. */
enum vbic_node {
    VBIC_C,
    VBIC_B,
    VBIC_E,
    VBIC_S,
    VBIC_DT, /* rise of temperature, 1 V for 1 K */
    VBIC_CX,
    VBIC_CI,
    VBIC_BX,
    VBIC_BI,
    VBIC_EI,
    VBIC_BP,
    VBIC_SI,
    VBIC_DELAYED_1, /* transport current behind the delay, A */
    VBIC_DELAYED_2,
    VBIC_NODES
};

struct vbic_transistor {
    struct vbic_law law;
    double sign, parallel;    /* area times m */
    double multiple;          /* m alone */
    int unknowns[VBIC_NODES]; /* -1: not there */
    int same[VBIC_NODES];     /* the first node that is the same unknown of the transistor */
    int slots[VBIC_NODES][VBIC_NODES];
    double previous[VBIC_VARIABLES]; /* bias of the evaluation before, for limiting */
    struct own_tangent tangent;      /* never taken of one with a delay, whose unknowns are currents */
};

struct vbic_batch {
    struct instances all;
    struct vbic_transistor *transistors;
};

/* From where to where the currents and charges of vbic.h flow. */
struct vbic_ends {
    enum vbic_node from, to;
};
extern const struct vbic_ends vbic_current_ends[VBIC_CURRENTS];

/* Voltages of the variables at x, in the sense of an npn. */
void vbic_voltages(const struct vbic_transistor *t, const double *x, double v[VBIC_VARIABLES]);

bool vbic_number(void *batch, size_t k, struct device_setup *s);
bool vbic_connect(void *batch, size_t k, struct device_setup *s);
void vbic_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
size_t vbic_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS]);
void vbic_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out);
double vbic_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at);
bool vbic_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);

#endif
