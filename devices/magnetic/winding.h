/* winding.h - the coils on cores. */
#ifndef DEVICES_MAGNETIC_WINDING_H
#define DEVICES_MAGNETIC_WINDING_H

#include "devices/batch.h"
#include "devices/incidence.h"

struct winding {
    const struct element *element;
    int plus, minus, current;
    struct incidence incidence;
    bool has_initial;
    double initial; /* A */
};

struct winding_batch {
    struct batch base;
    struct winding *items;
};

#endif
