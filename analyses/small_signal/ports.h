/* ports.h - the ports of a circuit, voltage sources with portnum behind z0, and the matrices between them. */
#ifndef ANALYSES_SMALL_SIGNAL_PORTS_H
#define ANALYSES_SMALL_SIGNAL_PORTS_H

#include "analyses/small_signal/linear.h"

struct port {
    int element;     /* the voltage source; of .net: what of the circuit takes part of the port's current, or -1 */
    int plus, minus; /* nodes of the port, outside of z0 */
    double z0;       /* ohm */
};

struct ports {
    struct port *list; /* [count] of number 1 .. */
    int count;
    bool of_network; /* of .net: z0 is no part of the circuit */
};

/* KN_ERROR_DECK, with a message at `where`, unless the numbers are 1 .. count, each once. */
enum kn_status ports_find(struct arena *a, const struct circuit *c, struct kn_location where, struct kn_diagnostics *d,
                          struct ports *out);

/* The ports of .net: no noise, and their numbers are none of sources. */
enum kn_status ports_of_network(struct arena *a, const struct circuit *c, const struct port_network *n,
                                struct ports *out);

/* All [count x count], row-major; S of waves (V + z0 I) / (2 sqrt(z0)) and (V - z0 I) / (2 sqrt(z0)) of the ports' own z0,
 * Y in S, Z in ohm; NAN where a matrix does not exist.  What is seen at each port while the other is loaded, and H: of .net. */
struct port_matrices {
    double complex *S, *Y, *Z, *H;
    double complex impedance[2], admittance[2];
};
bool port_matrices_new(struct arena *a, const struct ports *p, struct port_matrices *out);

/* At the frequency that has been factored last; X [n] is workspace. */
enum kn_status port_matrices_find(const struct linear *l, const struct ports *p, double complex *X,
                                  struct port_matrices *out);

/* v [n] := e_plus - e_minus of a port. */
void port_incidence(const struct linear *l, const struct port *p, double complex *v);

#endif
