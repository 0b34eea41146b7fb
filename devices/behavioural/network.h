/* network.h - the equations of an operator y = H x as a linear network of unknowns of its own.
 *
 * A rational section N(s)/D(s), n = deg D, m = deg N, is a chain of unknowns w_0 .. w_max(m,n), the next of which is the
 * time constant tau_k times the rate of the one before (phase variables; T. Kailath, Linear Systems, 1980, section 2.1,
 * written as differential-algebraic equations, so that m > n has its place):
 *
 *     row k < n    tau_k d/dt w_k - w_(k+1) = 0
 *     row n        sum_k d_k w_k - x = 0
 *     row k > n    w_k - tau_(k-1) d/dt w_(k-1) = 0          an index more for each
 *     output       y = sum_k n_k w_k                          or one of the w itself, where there is one n_k only
 *
 * Where sections have taps, that what they take in is seen through (response.h), their sum is the output.
 *
 * Where D is a number and x the argument itself, w_0 is x and not an unknown: its rate is that of a function of the
 * circuit's unknowns, as a charge is, so that the derivative of a voltage that a capacitor keeps costs no index.
 *
 * Unknowns are numbered from 1 inside the network, 0 is none; 1 is the output.
 */
#ifndef DEVICES_BEHAVIOURAL_NETWORK_H
#define DEVICES_BEHAVIOURAL_NETWORK_H

#include "base/arena.h"
#include "netlist/response.h"

/* The same of an unknown and of the equation in its row: how large it is for an argument of 1, for absolute tolerances. */
struct network_unknown {
    double scale, row_scale;
};

struct network_entry {
    int row, column;
    double value;
    bool rate; /* of the column's rate */
};

struct network {
    struct network_unknown *unknowns; /* [unknown_count + 1] */
    int unknown_count;
    struct network_entry *entries;
    size_t entry_count;
    /* The rows from which the argument and its rate are subtracted, 0 for none, and how many times. */
    int argument_row, rate_row;
    double argument_factor, rate_factor;
    int delayed;  /* the output is this one, late; 0 without a delay */
    int argument; /* this one is the argument; 0: none is, or it was not asked for */
};

/* span: s, the time over which what has no time constant is integrated.  false without memory. */
bool network_make(struct network *n, const struct response *r, double span, struct arena *arena);

/* Time constants tau [max(m,n)] (s) of a chain that balance its coefficients; returns false where neither polynomial told
 * any of them, which is then 1. */
bool network_time_constants(const struct rational *r, double *tau);

#endif
