/* diode_parameters.h - what diodes have on their cards, and what of it counts at a temperature. */
#ifndef DEVICES_SEMICONDUCTOR_DIODE_PARAMETERS_H
#define DEVICES_SEMICONDUCTOR_DIODE_PARAMETERS_H

#include "devices/semiconductor/instances.h"
#include "devices/junction/warm_diode.h"

enum {
    DIODE_OWN_AREA,
    DIODE_OWN_M,
    DIODE_OWN_TEMP,
    DIODE_OWN_DTEMP,
    DIODE_OWN_IC,
    DIODE_OWN_OFF,
    DIODE_OWN_PJ,
    DIODE_OWN_W,
    DIODE_OWN_L,
    DIODE_OWN_LM,
    DIODE_OWN_LP,
    DIODE_OWN_WM,
    DIODE_OWN_WP,
    DIODE_OWN_N,
    DIODE_OWN_THERMAL,
    DIODE_OWN_COUNT
};

enum {
#define ROW(symbol, ...) DIODE_##symbol,
#include "devices/semiconductor/diode_model.def"
#undef ROW
    DIODE_COUNT
};

extern const struct parameter_info diode_instance_rows[DIODE_OWN_COUNT], diode_model_rows[DIODE_COUNT];
/* Settings of models that are passed over: ratings and texts of data sheets. */
extern const char diode_without_meaning[];

/* Farads of metal and polysilicon above, m included. */
double diode_fixed_capacitance(const struct instances *all, size_t k);
/* Reads cards and elements, and makes of odd values the usual ones. */
enum kn_status diode_read(struct instances *all, const struct device_input *in);

/* What a diode's junction is at a temperature, and the conductance of its Rs, S; 0: none. */
struct diode_law diode_at(const struct instances *all, size_t k, struct thermal t, double *series);
struct warm_diode_law warm_diode_at(const struct instances *all, size_t k, struct warm_thermal t, warm_number *series);

/* Shot, thermal and flicker noise where the junction's current is i and that of Rs has this conductance. */
struct diode_ends {
    int anode, inner, cathode; /* unknowns */
};
bool diode_add_noise(const struct instances *all, size_t k, struct diode_ends ends, double i, double series,
                     double kelvin, struct noise_list *list);

#endif
