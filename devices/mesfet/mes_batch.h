/* mes_batch.h - the MESFETs of levels 2 to 4, or the HFETs of a level, of a circuit.
 *
 *     drain --rd-- di,   gate --rg-- gi,   source --rs-- si;   channel and junctions between di, gi and si
 *     gi --cgd-- dj --rf-- di,   gi --cgs-- sj --ri-- si
 *
 * The displacement currents of capacitances that are no derivatives of a charge need the rates of voltages as unknowns: a
 * rate r is the current through a constant capacitance `unit` of the transistor's size, which is there, and the rest follows
 * from it,
 *     r - unit d(v(gi) - v(sj))/dt = 0,   current from gi to sj: unit d(v(gi) - v(sj))/dt + (cgs/unit - 1) r
 */
#ifndef DEVICES_MESFET_MES_BATCH_H
#define DEVICES_MESFET_MES_BATCH_H

#include "devices/mesfet/mes_card.h"
#include "devices/semiconductor/instances.h"

enum mes_node {
    MES_NODE_D,
    MES_NODE_G,
    MES_NODE_S,
    MES_NODE_DI,
    MES_NODE_GI,
    MES_NODE_SI,
    MES_NODE_DJ,
    MES_NODE_SJ,
    MES_RATE_GS,
    MES_RATE_GD,
    MES_NODES
};

struct mes_transistor {
    const struct element *element;
    struct mes_law law;
    double sign, multiple;             /* -1: p-channel; m */
    double conductance[MES_RESISTORS]; /* S, m in it; 0: none */
    double kelvin[MES_ENDS];
    int unknowns[MES_NODES], same[MES_NODES];
    int slots[MES_NODES][MES_NODES];
    struct mes_bias previous;        /* of the evaluation before, for limiting */
    double dispersed[MES_VARIABLES]; /* of the evaluation before, for small signals */
};

struct mes_batch {
    struct instances all;
    struct mes_transistor *items; /* [count] */
};

/* Between which nodes a resistance lies. */
struct mes_pair {
    enum mes_node from, to;
};
extern const struct mes_pair mes_resistor_ends[MES_RESISTORS];

/* Voltages behind the series resistances, in the sense of an n-channel transistor. */
struct mes_bias mes_bias_at(const struct mes_transistor *t, const double *x);

bool mes_number(void *batch, size_t k, struct device_setup *s);
bool mes_connect(void *batch, size_t k, struct device_setup *s);
void mes_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
void mes_delay(const void *batch, double w, double _Complex *A, double _Complex *dAdw);
double mes_current(const void *batch, size_t k, int terminal, const struct device_probe *at);

#endif
