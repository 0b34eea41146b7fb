/* compose.h - what is drawn of the results of a file or a run: formulas of vectors become the curves of a chart. */
#ifndef CLI_PICTURES_COMPOSE_H
#define CLI_PICTURES_COMPOSE_H

#include "base/diagnostics.h"
#include "cli/pictures/runs.h"
#include "output/pictures/chart.h"

/* A result of .measure: where it was found, or from where to where. */
struct picture_mark {
    const struct plot *plot; /* that it was measured in */
    const char *name, *unit; /* the unit of the places */
    double value, at, from, to;
};

struct picture_request {
    const char *const *formulas; /* NULL in front of what is not there */
    size_t count;                /* 0: the first few vectors */
    const char *analysis;        /* "tran", "ac", "tran2"; NULL: all */
    bool log_x, log_y, decibels, spectrum, xy;
    const struct picture_mark *marks;
    size_t mark_count;
    double eye; /* s: times are folded at every multiple; 0: they are not */
};

/* Complex vectors are drawn as decibels and phase.  The chart refers to the vectors of the plots.  file: for messages.
 * KN_ERROR_ARGUMENT, said: a formula cannot be drawn, or there is nothing to draw. */
enum kn_status compose(const struct plots *plots, const char *file, const struct picture_request *request,
                       struct kn_diagnostics *d, struct chart *chart);

#endif
