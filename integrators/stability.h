/* stability.h - oscillations that backward differentiation formulas of order 3 and more would excite.
 *
 * These formulas are unstable along parts of the imaginary axis: a weakly damped oscillation, of rate
 * lambda = sigma + i omega, grows in steps of size h although the circuit damps it.  It does so below the tolerance,
 * where no error estimate sees it; once above, each of its periods has to be followed to the end of the run.  Here such
 * oscillations are found while they are small, and orders refused that would make them grow.
 */
#ifndef INTEGRATORS_STABILITY_H
#define INTEGRATORS_STABILITY_H

#include "base/arena.h"
#include "integrators/newton.h"
#include "integrators/tolerance.h"

#include <complex.h>

enum { STABILITY_MODES = 8 };

struct stability_mode {
    double complex rate;      /* 1/s, lambda with omega > 0 */
    double *real, *imaginary; /* [n] v with (G + lambda C) v = 0, up to a complex factor */
    double misfit;            /* 0: exactly such a pair */
    double amplitude;         /* of the oscillation in the solution, in units of reltol, when it was last seen */
    long seen, checked;       /* step */
    double missed;            /* s: since then the problem did not have it when it was checked; NaN: it did */
    double complex
        way;         /* the oscillation is Re(way v) at way_time, by the way of the step looked at then; 0: not known */
    double way_time; /* s */
};

struct stability {
    int n;
    struct stability_mode modes[STABILITY_MODES];
    int count;
    long step;           /* accepted ones */
    double time;         /* s, their sum */
    long falls;          /* steps of order 1 */
    double looked;       /* s, time of the last look */
    long look_at;        /* step from which on the next look is due */
    long pause;          /* steps between two looks that find nothing new */
    bool by_way;         /* the error estimate of the last look showed none: the next is at the way of a step */
    double *filtered[4]; /* [n] each */
};

/* With vectors in an arena; false without memory. */
bool stability_init(struct stability *s, int n, struct arena *memory);

/* Whether a component with h lambda = z grows by less than the factor per step in many equal steps of this order, 1 to
 * 5: all roots zeta of  sum_{j=1}^{order} (1/j) (1 - 1/zeta)^j = z  are smaller. */
bool stability_holds(int order, double complex z, double factor);

/* Whether it is time to look again. */
bool stability_is_due(const struct stability *s);
/* A step just solved. */
struct stability_step {
    int order;
    double size;               /* s */
    const double *error;       /* [n] its estimate */
    const double *begin, *end; /* [n] x */
};
/* Looks for an oscillation in the error estimate. */
void stability_look(struct stability *s, struct newton *newton, const struct tolerance *tolerance,
                    const struct stability_step *step);
/* What steps of this order and size (s) make of the amplitude of the oscillations found as long as these last, span (s)
 * at most, beyond what the circuit does: in units of reltol.  Falls with step^order; of order 1, which is taken for a step or two behind
 * kinks and as often as before, with its square. */
double stability_damping(const struct stability *s, int order, double step, double span);
/* Whether steps of this order and size (s) leave the oscillations found as small as they are. */
bool stability_allows(const struct stability *s, int order, double step);
/* To be called for each accepted step, of this order and size (s): forgets what a nonlinear problem, as it is now, no longer has. */
void stability_advance(struct stability *s, struct newton *newton, const struct tolerance *tolerance, int order,
                       double size);

#endif
