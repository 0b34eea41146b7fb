/* raw_input.h - a raw file that is read from its path, unpacked where it is compressed. */
#ifndef CLI_PICTURES_RAW_INPUT_H
#define CLI_PICTURES_RAW_INPUT_H

#include "base/diagnostics.h"
#include "control/vectors/plots.h"

/* All its plots, behind those that are there.  "-" is standard input.  False where it cannot be read, which has been said. */
bool raw_input_read(const char *path, struct kn_diagnostics *d, struct plots *plots);

#endif
