/* initial_values.h - the starting state that a deck describes: .ic node voltages, those of .nodeset where they count, ic= of capacitors and
 * inductors. */
#ifndef MNA_START_INITIAL_VALUES_H
#define MNA_START_INITIAL_VALUES_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

struct initial_values {
    struct arena *memory;
    double *x;        /* [n] values; where nothing is given a guess */
    double *q;        /* [n] charges and fluxes of what is given; of all else the charge of 0 V, the flux of 0 A */
    bool *is_set;     /* [n] given for this unknown, by .ic or along capacitors with ic= from a node that is known */
    double *of_nodes; /* [n] what .ic, or else .nodeset, says of nodes */
    bool *imposed;    /* [n] node of these whose voltage no source and no ic= fixes */
    bool imposes;     /* there is one */
};

/* Contradictions between given values are warnings that name both and their size; the first one is used. */
enum kn_status initial_values_init(struct initial_values *g, const struct mna *m, const struct topology *t,
                                   struct kn_diagnostics *d);
void initial_values_free(struct initial_values *g);

/* A warning for each C-V loop and L-I cutset (the first few) whose given values do not fit its sources, with the size
 * of the contradiction; x [n] are the consistent values found. */
void initial_values_report(const struct initial_values *g, const struct topology *t, const double *x,
                           struct kn_diagnostics *d);
/* A note of given values that could not stay in x [n], because no charge keeps them or others contradict. */
void initial_values_report_moved(const struct initial_values *g, const struct mna *m, const double *x, struct kn_diagnostics *d);

#endif
