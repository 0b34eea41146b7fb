/* rosenbrock_tableaus.h - coefficients of the Rosenbrock-Wanner methods there are. */
#ifndef INTEGRATORS_ROSENBROCK_ROSENBROCK_TABLEAUS_H
#define INTEGRATORS_ROSENBROCK_ROSENBROCK_TABLEAUS_H

#include <stdbool.h>

enum { ROSENBROCK_STAGES = 6 };

/* Stages  k_i = h (phi(x_n + sum_{j<i} alpha_ij k_j) + J sum_{j<=i} gamma_ij k_j),  x_{n+1} = x_n + sum b_i k_i. */
struct rosenbrock_tableau {
    const char *name;
    int stages;
    int order;           /* of b */
    int estimate;        /* b - embedded behaves as h^estimate */
    bool carries_charge; /* charges of the next step are the method's, not q(x): see rosenbrock.c */
    double gamma;        /* gamma_ii */
    double alpha[ROSENBROCK_STAGES][ROSENBROCK_STAGES];
    double gammas[ROSENBROCK_STAGES][ROSENBROCK_STAGES]; /* below the diagonal */
    double b[ROSENBROCK_STAGES], embedded[ROSENBROCK_STAGES];
};

/* What is said of a method before its coefficients. */
#define ROSENBROCK_METHOD(name_, stages_, order_, estimate_, gamma_)                                                   \
    .name = name_, .stages = stages_, .order = order_, .estimate = estimate_, .gamma = gamma_

extern const struct rosenbrock_tableau rosenbrock_rodas, rosenbrock_rodasp;

#endif
