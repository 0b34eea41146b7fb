/* rosenbrock_study.h - Rosenbrock-Wanner methods to learn from, in which RODAS's way is varied. */
#ifndef INTEGRATORS_STUDY_ROSENBROCK_STUDY_H
#define INTEGRATORS_STUDY_ROSENBROCK_STUDY_H

#include "integrators/rosenbrock/rosenbrock.h"

extern const struct rosenbrock_variant explicit_rows, charge_errors;
extern const struct rosenbrock_tableau rosenbrock_row2, rosenbrock_dae3s, rosenbrock_dae4sf, rosenbrock_dae3ns,
    rosenbrock_dae33ns, rosenbrock_dae34ns;

#endif
