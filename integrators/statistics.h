/* statistics.h - what a run has cost. */
#ifndef INTEGRATORS_STATISTICS_H
#define INTEGRATORS_STATISTICS_H

struct integrator_statistics {
    long accepted, rejected_error, rejected_newton, restarts;
    long order_steps[16]; /* accepted steps by order */
    long evaluations, jacobians, newton_iterations, factorizations, refactorizations, solves;
    double smallest_step, largest_step;
    long switchings; /* of switching functions, located */
};

#endif
