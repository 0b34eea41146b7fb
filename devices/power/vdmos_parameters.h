/* vdmos_parameters.h - the model card of power MOSFETs. */
#ifndef DEVICES_POWER_VDMOS_PARAMETERS_H
#define DEVICES_POWER_VDMOS_PARAMETERS_H

#include "devices/device.h"

enum {
#define ROW(symbol, ...) VDMOS_##symbol,
#include "devices/power/vdmos_model.def"
#undef ROW
    VDMOS_MODEL_COUNT
};

extern const struct parameter_info vdmos_model_rows[VDMOS_MODEL_COUNT];

#endif
