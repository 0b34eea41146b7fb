/* stranded.h - currents of coils that nothing takes.
 *
 * A node, or a part of a circuit, at which coils meet nothing but junctions without capacitance has no voltage while these block.  A
 * junction that stores charge (tt) goes on conducting backwards until this has run out; what the coil carries then has nowhere to
 * go but gmin, which makes 1e11 V of 0.1 A for L gmin, 1e-17 s.  Nobody can see that, and the voltage that a run shows is L i / h of
 * the step that it happened to take.  So it is an error, which names coil and junction.
 */
#ifndef MNA_WATCH_STRANDED_H
#define MNA_WATCH_STRANDED_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

struct stranded;

struct stranded_settings {
    double relative;   /* reltol */
    double resolution; /* s: what output resolves */
};

/* *out is NULL where no coil hangs so. */
enum kn_status stranded_new(const struct mna *m, const struct topology *t, const struct stranded_settings *o,
                            struct stranded **out);
void stranded_free(struct stranded *s);

/* A step to (t, x) was accepted: KN_ERROR_CONVERGENCE, with a message, where a coil's current, whose flux counts, would be gone within what
 * output resolves, under a voltage that is none of the circuit's. */
enum kn_status stranded_look(struct stranded *s, double t, const double *x, struct kn_diagnostics *d);

#endif
