/* device_table.h - quantities of devices, columns named @q1[gm], for reading: devices side by side, a line for each
 * quantity, a table for each set of quantities. */
#ifndef OUTPUT_DEVICE_TABLE_H
#define OUTPUT_DEVICE_TABLE_H

#include "base/diagnostics.h"

#include <stdbool.h>

/* The parts of a column's name; false where it is no such quantity. */
struct device_column {
    const char *device, *quantity; /* inside the name, not ended by zero bytes */
    int device_length, quantity_length;
};
bool device_column(const char *name, struct device_column *out);
/* "saturation"; "" for what is none of enum kn_region. */
const char *device_region(double value);

/* width: characters of a line.  To an open stream that the caller keeps. */
enum kn_status device_table_sink(FILE *to, bool utf8, int width, struct kn_diagnostics *d, struct kn_sink *out);

#endif
