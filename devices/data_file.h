/* data_file.h - files of numbers that models name. */
#ifndef DEVICES_DATA_FILE_H
#define DEVICES_DATA_FILE_H

#include "base/arena.h"
#include "knoten.h"

#include <stdbool.h>
#include <stdio.h>

/* A file beside the deck, or in the folder where the program was started; NULL where there is none. */
FILE *data_file_open(const char *name, const char *deck, struct arena *arena);

/* The next word of a line, where blanks and commas stand between them and *rest is the line at first; NULL at its end and
 * where a comment (* # ;) begins. */
char *data_file_word(char **rest);
/* There is no word on a line. */
bool data_file_is_comment(const char *line);

/* What reads a line, of which there is `number` (from 1); anything but KN_OK ends the reading. */
typedef enum kn_status data_file_reader(void *context, char *line, int number);
/* Hands the lines of an open file to it, one after the other, and closes the file. */
enum kn_status data_file_lines(FILE *f, data_file_reader *read, void *context);

#endif
