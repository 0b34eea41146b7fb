/* statistics.h - what a run has cost. */
#ifndef INTEGRATORS_STATISTICS_H
#define INTEGRATORS_STATISTICS_H

struct integrator_statistics {
    long accepted, rejected_error, rejected_newton, restarts;
    long evaluations, jacobians, newton_iterations, factorizations, refactorizations, solves;
    double smallest_step, largest_step;
};

#endif
