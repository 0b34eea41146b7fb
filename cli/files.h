/* files.h - no output of a command overwrites one of its inputs or another output. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "netlist/circuit.h"

#include <stdbool.h>
#include <stdio.h>

struct output_use {
    const char *path; /* NULL: not asked for; "-" is standard output */
    const char *what; /* "the results" */
};

/* Whether the outputs are apart from the deck ("-" is standard input), from the files that it includes, from each other
 * and from what standard output and standard error go to (c NULL: what is read is no deck); says on stderr what is not.  Links are followed. */
bool files_are_apart(const struct circuit *c, const char *deck, const struct output_use *outputs, size_t count);

/* What writing to a path would overwrite: "the deck", "a file that the deck includes", one of the outputs by its `what`, or a
 * thing that is no file of its own; NULL: nothing but an ordinary file. */
const char *files_taken(const struct circuit *c, const char *deck, const struct output_use *outputs, size_t count,
                        const char *path);

/* An output of a command; "-" is standard output.  NULL and false, said, where it cannot be written. */
FILE *files_open(const char *path);
bool files_close(FILE *file, const char *path);

/* All that follows in one goes to the other; false where one of them fails. */
bool files_copy(FILE *from, FILE *to);

/* Whether everything printed on standard output has arrived there; says so if not.  A reader that went away has seen
 * what it wanted: `knoten --help | head`. */
bool files_finish_output(void);

#endif
