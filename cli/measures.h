/* measures.h - results of .measure: a list on the screen, and as JSON for other programs. */
#ifndef CLI_MEASURES_H
#define CLI_MEASURES_H

#include "knoten.h"

struct measures {
    FILE *screen;
    FILE *json; /* NULL: not wanted */
    const char *path;
    long count; /* so far */
};

/* path: of the JSON file, "-": standard output instead of the list; NULL: none.  False with a message when it cannot be
 * written. */
bool measures_open(struct measures *m, FILE *screen, const char *path);
void measures_add(struct measures *m, const struct kn_measurement *result);
/* False with a message when not everything could be written. */
bool measures_close(struct measures *m);

#endif
