/* points.h - operating points with the quantities of their devices, as a JSON file. */
#ifndef CLI_RESULTS_POINTS_H
#define CLI_RESULTS_POINTS_H

#include "base/arena.h"
#include "base/json.h"
#include "knoten.h"

struct points {
    struct json json; /* its stream NULL: not wanted */
    const char *path;
    bool open;     /* an object is */
    bool in_point; /* the table that is being written is one of a point */
    bool devices;  /* .. of its devices */
    struct arena *arena;
    struct kn_column *columns;
    size_t column_count;
};

/* False, said, where the file cannot be made. */
bool points_open(struct points *p, const char *path);
/* Tables of all results; those of other things pass by. */
void points_begin(struct points *p, const struct kn_table *table, bool devices);
void points_row(struct points *p, const double *values);
/* False, said, where something could not be written. */
bool points_close(struct points *p);

#endif
