/* picture.h - draws by a program that may not be installed: Graphviz, gnuplot. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

enum picture_outcome { PICTURE_DRAWN, PICTURE_NO_PROGRAM, PICTURE_FAILED };

/* Which of the endings (a list that ends in NULL) the name of a file has, as "plot.svg"; -1: none. */
int picture_format(const char *path, const char *const *endings);

/* Runs the program arguments[0] with what `write` writes as its standard input, and its standard output goes to a stream of
 * a file. */
enum picture_outcome picture_make(char *const *arguments, void (*write)(const void *context, FILE *to),
                                  const void *context, FILE *output);

/* The same into a file that is made.  Says on stderr that it cannot be written, nothing else. */
enum picture_outcome picture_draw(char *const *arguments, void (*write)(const void *context, FILE *to),
                                  const void *context, const char *path);

/* Runs a program on two open files, which are its standard input and output. */
enum picture_outcome picture_program(char *const *arguments, int input, int output);

#endif
