/* measured.h - `meas`: .measure of vectors of the current plot.
 *
 * The words are those of .measure.  Signals are formulas of vectors, also of those made by let; between two numbers of a vector
 * there is a straight line.
 */
#ifndef CONTROL_MEASURED_H
#define CONTROL_MEASURED_H

#include "control/script/state.h"

bool measured_take(struct state *s, const char *rest);

#endif
