/* rest.h - devices at rest: their tangents as a part of the linear system, so that evaluation costs what moves.
 *
 * Most devices of a large circuit rest at any time: gates that do not switch, stages that wait.  The idea is the latency
 * of Rabbat, Sangiovanni-Vincentelli and Hsieh (IEEE Trans. CAS-26 (1979) 740-753), with a bound on what it may cost:
 * a device that its kept tangent has answered for several times in a row goes into one sum of all resting ones,
 *     f = f_rest + G_rest x,   q = q_rest + C_rest x,
 * and out of the loop over devices.  Each of its nodes then has a home, a voltage from which it must not go further
 * than a quarter of the distance `near` within which tangents answer (DEVICE_NEAR).  A node that leaves its home wakes
 * all devices at it.  So no voltage of a resting device is further than 2 near from where its tangent was made (device_near): `near`
 * when it went to rest, and half of it for each of the two nodes between which the voltage is.
 *
 * Devices go to rest where a step was accepted only: iterates may stand where tangents have slopes of 1e24 S, of which
 * sums keep the rounding.  Nothing rests at operating points (times up to 0), whose equations are solved to the last digit.
 */
#ifndef MNA_REST_H
#define MNA_REST_H

#include "devices/setup.h"
#include "sparse/sparse.h"

struct rest {
    struct device_family **families; /* [family_count] of which devices can rest */
    size_t family_count;
    const struct sparse_pattern *pattern;
    int n;
    double near;     /* V */
    double gmin;     /* S, that the resting tangents were taken with */
    double *home;    /* [n + 1] V; NaN where no device rests */
    double *seen;    /* [n + 1] V; where all devices were evaluated last: whoever evaluates them writes it there */
    bool all_seen;   /* nothing was evaluated elsewhere since */
    int *resting_at; /* [n + 1] how many do */
    int *first;      /* [n + 2] of the devices at a node in resident */
    struct resident *resident;
    size_t count;            /* devices at rest */
    bool disordered;         /* some have woken, and stand behind the other active ones */
    size_t changes;          /* since the sums were last made anew */
    struct device_stamp sum; /* padded vectors [n + 1], slots [entries + 1] */
};

struct resident {
    struct device_family *family;
    size_t number;
};

enum kn_status rest_new(struct arena *memory, const struct device_families *families,
                        const struct sparse_pattern *pattern, struct rest *out);
/* Before an evaluation at time t and at x (padded, [n + 1]): wakes what has moved.  currents: it asks for currents or
 * conductances, which all families have; then x is r->seen. */
void rest_wake(struct rest *r, double t, double gmin, const double *x, bool currents);
/* Adds what the devices at rest contribute at x (padded) to f and q (padded). */
void rest_add(const struct rest *r, const double *x, double *f, double *q);
/* After a step to time t and x (padded) was accepted: lets those rest that are calm, and were so at x.  What was evaluated last
 * may be a row inside the step. */
void rest_settle(struct rest *r, double t, const double *x);

#endif
