/* raw_read.h - reads raw files: those of knoten, ngspice, Xyce and other descendants of SPICE3, and those of LTspice. */
#ifndef OUTPUT_READ_RAW_READ_H
#define OUTPUT_READ_RAW_READ_H

#include "base/diagnostics.h"

/* Every plot of the file becomes a table of the sink: numbers real, or complex ones as two columns (the scale, which is the
 * first vector, by its real part).  from: at its begin, seekable; name: for messages.  A table has one sweep where it has more
 * than a point; which of its columns .step gave is not known.  KN_ERROR_IO, said with its place: the file is broken; KN_ERROR_MEMORY;
 * what the sink returns. */
enum kn_status raw_read(FILE *from, const char *name, struct kn_diagnostics *d, const struct kn_sink *to);

#endif
