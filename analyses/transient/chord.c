/* chord.c - see chord.h. */
#include "analyses/transient/chord.h"

#include "base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool chord_init(struct chord *c, size_t count)
{
    *c = (struct chord){.count = count,
                        .row = calloc(count, sizeof(double)),
                        .least = calloc(count, sizeof(double)),
                        .most = calloc(count, sizeof(double))};
    return c->row && c->least && c->most;
}

void chord_free(struct chord *c)
{
    free(c->row);
    free(c->least);
    free(c->most);
    memset(c, 0, sizeof *c);
}

void chord_begin(struct chord *c, double time, const double *row)
{
    c->from = time;
    memcpy(c->row, row, c->count * sizeof *row);
    for (size_t i = 0; i < c->count; i++) {
        c->least[i] = -INFINITY;
        c->most[i] = INFINITY;
    }
}

bool chord_reaches(const struct chord *c, double time, const double *row)
{
    const double reciprocal = 1 / (time - c->from);
    for (size_t i = 0; i < c->count; i++) {
        const double slope = (row[i] - c->row[i]) * reciprocal;
        if (!(slope >= c->least[i] && slope <= c->most[i]))
            return false;
    }
    return true;
}

void chord_pass(struct chord *c, double time, const double *row, const double *allowed)
{
    const double reciprocal = 1 / (time - c->from);
    for (size_t i = 0; i < c->count; i++) {
        const double way = row[i] - c->row[i];
        c->least[i] = larger_of(c->least[i], (way - allowed[i]) * reciprocal);
        c->most[i] = smaller_of(c->most[i], (way + allowed[i]) * reciprocal);
    }
}
