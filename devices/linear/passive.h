/* passive.h - what R, C and L have in common: a value from the element line or its model, a temperature law
 *     value(T) = nominal * (1 + tc1 dT + tc2 dT^2 + tc3 dT^3), or, of resistors with tce, nominal * 1.01^(tce dT)
 * with dT = T - tnom, a multiplier and an initial condition.  tc3 is LTspice's (its help, R).
 */
#ifndef DEVICES_LINEAR_PASSIVE_H
#define DEVICES_LINEAR_PASSIVE_H

#include "base/arena.h"
#include "devices/device.h"

struct passive {
    double nominal;       /* ohm, F or H at tnom, scale included; for an element given by a law: scale */
    double tc1, tc2, tc3; /* 1/K, 1/K^2, 1/K^3 */
    bool grows;           /* by tce, per cent/K, in place of these */
    double tce;
    double nominal_temperature, own_temperature, difference; /* degrees Celsius; own is NaN unless temp= is given */
    double multiplier;                                       /* m: that many in parallel */
    bool has_initial;
    double initial; /* ic= */
    bool at_rest;   /* see struct initial_value */
};

/* The rows every instance table of R, C, L begins with, and every model table of theirs. */
enum {
    PASSIVE_VALUE,
    PASSIVE_TC1,
    PASSIVE_TC2,
    PASSIVE_TC3,
    PASSIVE_TEMP,
    PASSIVE_DTEMP,
    PASSIVE_M,
    PASSIVE_SCALE,
    PASSIVE_OWN
};
enum {
    PASSIVE_MODEL_VALUE,
    PASSIVE_MODEL_TC1,
    PASSIVE_MODEL_TC2,
    PASSIVE_MODEL_TC3,
    PASSIVE_MODEL_TNOM,
    PASSIVE_MODEL_OWN
};

#define PASSIVE_INSTANCE_ROWS(value_name, value_unit, value_alias)                                                     \
    {value_name, value_unit, 0.0, -INFINITY, INFINITY, "value, when not given after the nodes", value_alias},          \
        {"tc1", "1/K", 0.0, -INFINITY, INFINITY, "first-order temperature coefficient", "tc"},                         \
        {"tc2", "1/K^2", 0.0, -INFINITY, INFINITY, "second-order temperature coefficient", NULL},                      \
        {"tc3", "1/K^3", 0.0, -INFINITY, INFINITY, "third-order temperature coefficient, as in LTspice", NULL},        \
        {"temp", "C", 27.0, -DEVICE_KELVIN, INFINITY, "temperature of this element", NULL},                            \
        {"dtemp", "K", 0.0, -INFINITY, INFINITY, "difference to the circuit's temperature", NULL},                     \
        {"m", "", 1.0, DBL_MIN, INFINITY, "number of elements in parallel", NULL},                                     \
    {                                                                                                                  \
        "scale", "", 1.0, -INFINITY, INFINITY, "factor of the value", NULL                                             \
    }

#define PASSIVE_MODEL_ROWS(value_name, value_unit, value_alias)                                                        \
    {value_name, value_unit, 0.0, -INFINITY, INFINITY, "value of elements that give none", value_alias},               \
        {"tc1", "1/K", 0.0, -INFINITY, INFINITY, "first-order temperature coefficient", "tc tc1r"},                    \
        {"tc2", "1/K^2", 0.0, -INFINITY, INFINITY, "second-order temperature coefficient", "tc2r"},                    \
        {"tc3", "1/K^3", 0.0, -INFINITY, INFINITY, "third-order temperature coefficient, as in LTspice", NULL},        \
    {                                                                                                                  \
        "tnom", "C", 27.0, -DEVICE_KELVIN, INFINITY, "temperature the values belong to", "tref"                        \
    }

/* Parameters as read, for the rules of one family. */
struct passive_parameters {
    const double *instance, *model; /* model is NULL when the element has none */
    const bool *instance_given, *model_given;
};

/* What one family has of its own. */
struct passive_rules {
    /* The value from the geometry of element and model; NaN when they do not determine it.  May be NULL. */
    double (*geometry)(const struct passive_parameters *p);
    double (*factor)(const struct passive_parameters *p); /* of whatever value there is; NULL: 1 */
    size_t initial_row;                                   /* of ic in the instance table, 0 if there is none */
    size_t growth_row, growth_model_row;                  /* of tce in both tables, 0 likewise */
    /* Told of every element in turn, for what else the family keeps of its parameters.  May be NULL. */
    void (*keep)(void *batch, size_t element, const struct passive_parameters *p);
    void *batch;
};

/* Reads all elements of a family; *out is an array in the arena.  Reports bad and missing values.  d may be NULL (no
 * reports). */
enum kn_status passive_read(const struct passive_rules *rules, const struct device_input *in, struct arena *arena,
                            struct passive **out);

/* Declares the value of ic=, if there is one: a voltage between two unknowns, or a current. */
bool passive_add_initial(const struct passive *p, const struct element *e, enum initial_kind kind, int plus, int minus,
                         struct initial_list *list);

/* Temperature of the element itself, degrees Celsius. */
double passive_temperature(const struct passive *p, double circuit_temperature);

/* Factor of the nominal value at the circuit's temperature (degrees Celsius). */
double passive_factor(const struct passive *p, double temperature);

#endif
