/* points.h - straight lines through points of a file: one x and one y on each line, blanks or commas between them. */
#ifndef DEVICES_CODE_MODELS_POINTS_H
#define DEVICES_CODE_MODELS_POINTS_H

#include "devices/code_models/code_model.h"

struct points {
    double *x, *y; /* x rises */
    size_t count, x_capacity, y_capacity;
};

/* The file that a parameter of the model names; at least two points. */
enum kn_status points_read(struct code_item *i, const char *parameter, struct arena *arena, struct kn_diagnostics *d,
                           struct points *out);
/* y at x, and the slope of its line; beyond the ends y stays. */
double points_value(const struct points *p, double x, double *slope);

#endif
