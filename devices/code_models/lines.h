/* lines.h - files of numbers that models of A devices name, a line at a time. */
#ifndef DEVICES_CODE_MODELS_LINES_H
#define DEVICES_CODE_MODELS_LINES_H

#include "devices/code_models/code_model.h"
#include "devices/data_file.h"

/* Takes a line into what is read; KN_ERROR_DECK with *fault, what is wrong with it. */
typedef enum kn_status line_taker(void *into, struct arena *arena, char *line, const char **fault);

/* Reads an open file, which is called `name`, and closes it.  A line that is at fault is an error with its number and `shape`, what
 * lines should be. */
enum kn_status lines_read(FILE *f, struct code_item *i, const char *name, const char *shape, line_taker *take,
                          void *into, struct arena *arena, struct kn_diagnostics *d);
/* The next number of a line, *rest as of data_file_word. */
bool lines_number(char **rest, double *value);

#endif
