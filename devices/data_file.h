/* data_file.h - files of numbers that models name. */
#ifndef DEVICES_DATA_FILE_H
#define DEVICES_DATA_FILE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* A file beside the deck, or in the folder where the program was started; NULL where there is none. */
FILE *data_file_open(const char *name, const char *deck, struct arena *arena);

/* The next word of a line, where blanks and commas stand between them and *rest is the line at first; NULL at its end and
 * where a comment (* # ;) begins. */
char *data_file_word(char **rest);

#endif
