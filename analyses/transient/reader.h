/* reader.h - variables of expressions read from the method's interpolant, step by step. */
#ifndef ANALYSES_TRANSIENT_READER_H
#define ANALYSES_TRANSIENT_READER_H

#include "analyses/measure/measure.h"
#include "analyses/probes.h"
#include "integrators/integrator.h"

struct reader {
    struct mna *mna;
    struct integrator *method; /* whose last step is read */
    struct probes probes;
    size_t n;
    double start;            /* s: nothing before it counts */
    double *x, *dxdt, *here; /* [n]; here: where the next step begins */
    double *begin, *end;     /* [variables] */
};

/* n: unknowns of the integrated equations, whose first ones are those of m. */
enum kn_status reader_init(struct reader *r, struct mna *m, int n, double start,
                           const struct expression_variable *variables, size_t count);
void reader_free(struct reader *r);

/* The point where the run starts, or from which it goes on after a jump. */
void reader_begin(struct reader *r, const double *x);
/* After an accepted step: *piece is the part of it that counts, with looks into it; false where there is none. */
bool reader_step(struct reader *r, struct integrator *m, struct measure_piece *piece);

#endif
