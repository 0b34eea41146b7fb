/* levels.h - what a sensor makes of a voltage. */
#ifndef DEVICES_LOGIC_LEVELS_H
#define DEVICES_LOGIC_LEVELS_H

#include "devices/logic/logic.h"

double sensor_voltage(const struct logic_sensor *s, const double *x);

/* The thresholds, in V, with the room that rounding of x needs. */
double sensor_high(const struct logic_sensor *s, const double *x);
double sensor_low(const struct logic_sensor *s, const double *x);

/* What it is between the thresholds before it is held. */
enum logic_level sensor_level_before(const struct logic_sensor *s);
enum logic_level sensor_level(const struct logic_sensor *s, const double *x);
enum logic_level sensor_level_of_nothing(const struct logic_sensor *s); /* at 0 V everywhere */
enum logic_level sensor_level_by_sides(const struct logic_sensor *s);   /* of the switching functions */

#endif
