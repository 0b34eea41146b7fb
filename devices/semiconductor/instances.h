/* instances.h - the elements of a family with models: their parameters and those of their models, each read once.
 *
 * First member of the batches of semiconductors.
 */
#ifndef DEVICES_SEMICONDUCTOR_INSTANCES_H
#define DEVICES_SEMICONDUCTOR_INSTANCES_H

#include "devices/batch.h"
#include "devices/model_cards.h"
#include "devices/junction/junction.h"

struct instances {
    struct batch base;
    double nominal_temperature; /* of the circuit, degrees Celsius */
    struct model_cards cards;
    const double **model; /* [count] parameters of the element's model, and which it gives */
    const bool **model_given;
    double **own; /* [count] of the element itself */
    bool **own_given;
    double *kelvin;       /* [count] temperatures, by instance_thermal */
    bool initial_at_rest; /* ic= of MOS transistors holds where a transient starts, as in Xyce */
};

/* Rows of elements of all such families. */
#define INSTANCE_ROWS(m, temp, dtemp, off)                                                                             \
    [m] = {"m", "", 1, DBL_MIN, INFINITY, "number of devices in parallel", NULL},                                      \
    [temp] = {"temp", "degC", 27, -DEVICE_KELVIN, INFINITY, "temperature of this device", NULL},                       \
    [dtemp] = {"dtemp", "K", 0, -INFINITY, INFINITY, "temperature above that of the circuit", NULL},                   \
    [off] = {"off", "", 0, 0, 1, "accepted; the operating point needs no such hint", NULL}

/* KN_ERROR_DECK where a parameter is wrong; all are read nevertheless.  KN_ERROR_MEMORY. */
enum kn_status instances_read(struct instances *all, const struct device_input *in);

/* An array with an item for each element, that a member of the batch points to: of what size, and where the pointer is. */
struct instance_array {
    size_t place, size;
};
#define INSTANCE_ARRAY(type, member)                                                                                   \
    {                                                                                                                  \
        offsetof(struct type, member), sizeof *((struct type *)0)->member                                              \
    }

/* Allocates such arrays of a batch, which begins with `all`. */
bool instances_allocate(struct instances *all, const struct instance_array *arrays, size_t count);

/* 1, or -1 for the types whose name begins with p. */
double instance_sign(const struct instances *all, size_t k);

/* Temperature of an element: its row `temp` if given, else the circuit's (degrees Celsius) plus row `dtemp`; nominal is
 * the model's row `tnom` if given.  Keeps it in all->kelvin. */
struct thermal instance_thermal(struct instances *all, size_t k, double circuit, size_t temp, size_t dtemp,
                                size_t tnom);

/* Declares the initial voltage between two unknowns that a row of the element gives, if it does. */
bool instance_add_initial(const struct instances *all, size_t k, size_t row, int plus, int minus,
                          struct initial_list *list);

/* What a model makes of an element's length and width, and that it must not be so. */
struct instance_limit {
    double value;
    bool wrong;
    const char *name, *must; /* "xj", "above 0" */
};

/* Whether none is wrong; each that is becomes an error. */
bool instance_within(const struct element *e, const struct instance_limit *limits, size_t count,
                     struct kn_diagnostics *d);

/* A new node behind an outer one, or where it is not `separate` the outer one itself. -1 without memory. */
int instance_inner_node(struct device_setup *s, const struct element *e, bool separate, int outer, const char *part);

#endif
