/* history.h - every attempt of a step as a line of a CSV file. */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include "knoten.h"

struct history_file {
    FILE *to; /* NULL: not wanted */
    const char *path;
    int transient; /* the one that is running, from 1 */
};

/* path "-": standard output; NULL: none is wanted.  False with a message when it cannot be written. */
bool history_open(struct history_file *h, const char *path);
void history_add(struct history_file *h, const struct kn_attempt *a);
/* False with a message when not everything could be written. */
bool history_close(struct history_file *h);

#endif
