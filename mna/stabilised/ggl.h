/* ggl.h - hidden constraints stated: the stabilisation of Gear, Gupta and Leimkuhler for linear index-2 equations.
 *
 * A x' + B x = r with constant A has, where its index is 2, equations without derivatives that fix part of what does
 * have derivatives, Gamma^T (B x - r) = 0, the columns of Gamma spanning the orthogonal complement of im(A + B Q), Q a
 * projector onto ker A.  Their time derivative is the hidden constraint.  An integrator satisfies it only up to the
 * error of its step.  Rodriguez (Diss. HU Berlin 2000, 4.12 and 4.13) states both: with as many multipliers mu,
 *
 *     A x' + (I - W1) (B x - r) - A Psi mu + (hidden constraint) = 0,    Gamma^T (B x - r) = 0.
 *
 * mu = 0 for the exact solution; a discretisation uses it to meet both.  The result is again linear and of index 2, but
 * only mu is an index-2 unknown.  Psi = (Gamma^T B)^T, which keeps decays where the solution has them (ibid., 4.2.11).
 * Here one equation of each constraint gives way to the hidden one, since (I - W1) makes it dependent on the others.
 *
 * B and r may depend on time, A and im(A + B Q) may not.
 */
#ifndef MNA_STABILISED_GGL_H
#define MNA_STABILISED_GGL_H

#include "integrators/dae.h"

struct ggl;

enum ggl_outcome {
    GGL_STATED,
    GGL_NONE,      /* index 0 or 1: there are no hidden constraints */
    GGL_NONLINEAR, /* G or C depends on the unknowns */
    GGL_CHANGING,  /* C or im(C + G Q) depends on time */
    GGL_DRIVEN,    /* charges depend on time explicitly: second derivatives of q would be needed */
    GGL_DELAYED,   /* lines: what arrives is known at points only and has no exact derivative */
    GGL_HIGHER,    /* the index exceeds 2 */
    GGL_LARGE      /* more than MNA_MOST_DENSE unknowns, for which dense matrices are no longer quick */
};

/* Looks at dae between the times start and stop (s).  *out is NULL unless GGL_STATED; *where: an equation of dae that
 * shows GGL_NONLINEAR, GGL_CHANGING or GGL_DRIVEN, -1 otherwise.  dae must outlive the result. */
enum kn_status ggl_new(const struct dae *dae, double start, double stop, struct ggl **out, enum ggl_outcome *outcome,
                       int *where);
void ggl_free(struct ggl *s);

/* The equations with n + ggl_count unknowns: those of dae, then the multipliers (zero at consistent points).  Their
 * partial time derivatives (DAE_T) are not available: KN_ERROR_CONVERGENCE, methods that ask for them fail. */
const struct dae *ggl_dae(const struct ggl *s);
int ggl_count(const struct ggl *s);
/* Whether DAE_T has been asked for, which ends a run. */
bool ggl_was_asked_for_rates(const struct ggl *s);

#endif
