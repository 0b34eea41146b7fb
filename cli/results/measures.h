/* measures.h - results of .measure: a list on the screen, and as JSON for other programs. */
#ifndef CLI_MEASURES_H
#define CLI_MEASURES_H

#include "base/json.h"
#include "base/text.h"
#include "knoten.h"

struct measures {
    FILE *screen;
    struct json json; /* its stream NULL: not wanted */
    const char *path;
    long count; /* so far */
    /* Of .step: a table with a row for each step, shown at the end. */
    struct arena *arena;          /* NULL: nothing is stepped */
    struct text rows, heading;    /* so far; the last heading among them */
    struct text row, row_heading; /* of the current step */
    struct text values_json;      /* the same */
    struct text statistics;       /* of Monte Carlo runs, shown behind it */
    bool has_results;             /* the current step has some */
    int bounded;                  /* of these results so many have bounds .. */
    double yield;                 /* .. and all are within them in this part of the runs */
};

/* path: of the JSON file, "-": standard output instead of the list; NULL: none.  False with a message when it cannot be
 * written. */
bool measures_open(struct measures *m, FILE *screen, const char *path);
/* What follows belongs to these values of .step. */
void measures_step(struct measures *m, const char *const *names, const double *values, size_t count);
/* What all runs so far gave. */
void measures_summarise(struct measures *m, const struct kn_statistics *s);
void measures_add(struct measures *m, const struct kn_measurement *result);
/* False with a message when not everything could be written. */
bool measures_close(struct measures *m);

#endif
