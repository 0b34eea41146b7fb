/* vdmos_parameters.c - see vdmos_parameters.h. */
#include "devices/power/vdmos_parameters.h"

#include <float.h>
#include <math.h>

/* Defaults are ngspice's, which are those of a large transistor. */
const struct parameter_info vdmos_model_rows[VDMOS_MODEL_COUNT] = {
#define ROW(symbol, ...) {__VA_ARGS__},
#include "devices/power/vdmos_model.def"
#undef ROW
};
