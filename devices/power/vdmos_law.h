/* vdmos_law.h - the law of vdmos.c, and that with its derivatives by temperature; charges of the gate; noise. */
#ifndef DEVICES_POWER_VDMOS_LAW_H
#define DEVICES_POWER_VDMOS_LAW_H

#include "devices/junction/warm_diode.h"
#include "devices/power/body_diode.h"
#include "devices/power/vdmos_parameters.h"
#include "devices/semiconductor/fet.h"
#include "devices/semiconductor/instances.h"

enum {
    VDMOS_OWN_M,
    VDMOS_OWN_TEMP,
    VDMOS_OWN_DTEMP,
    VDMOS_OWN_OFF,
    VDMOS_OWN_ICVDS,
    VDMOS_OWN_ICVGS,
    VDMOS_OWN_THERMAL,
    VDMOS_OWN_COUNT
};

extern const struct parameter_info vdmos_instance_rows[VDMOS_OWN_COUNT];
extern const struct model_type vdmos_types[];
extern const char vdmos_without_meaning[]; /* settings of models that are passed over */

/* Quasi-saturation needs an Rd, if only a small one, ohm. */
#define VDMOS_LEAST_DRAIN 1e-6

/* Charges of the gate, whatever the temperature. */
struct vdmos_gate {
    double source;           /* Cgs, F */
    double step, base, rate; /* s and y (F) and a (1/V) of Cgd */
};
struct vdmos_gate vdmos_gate_of(const double *p, double m);
/* The integral of Cgd from 0 to v. */
double vdmos_drain_charge(const struct vdmos_gate *gate, double v, double *capacitance);

double vdmos_sign(const struct element *e, const double *p);
/* Which inner nodes of drain, gate and source, and which of the body, there are. */
void vdmos_find_series(const double *p, const bool *given, double m, double series[FET_NODES]);

#define LAW(name)  name
#define LAW_NUMBER double
#include "devices/power/vdmos_laws.h"
#undef LAW
#undef LAW_NUMBER

struct warm_fet_value {
    warm_number value, gs, ds;
};
#define LAW(name)  warm_##name
#define LAW_NUMBER warm_number
#include "devices/power/vdmos_laws.h"
#undef LAW
#undef LAW_NUMBER

/* What the noise of a transistor depends on. */
struct vdmos_noise {
    double series[FET_NODES], body_series, shunt; /* S */
    double channel, gm, body;                     /* A, S, A */
    double kelvin;
    int body_anode;
};
bool vdmos_add_noise(const struct fet *frame, const double *p, double m, const struct vdmos_noise *n,
                     struct noise_list *list);

#endif
