/* rosenbrock_study.h - Rosenbrock-Wanner methods to learn from, which put a step together in other ways than RODAS does. */
#ifndef INTEGRATORS_STUDY_ROSENBROCK_STUDY_H
#define INTEGRATORS_STUDY_ROSENBROCK_STUDY_H

#include "integrators/rosenbrock/rosenbrock.h"

extern const struct rosenbrock_tableau rosenbrock_row2, rosenbrock_dae3s, rosenbrock_dae4sf, rosenbrock_dae3ns,
    rosenbrock_dae33ns, rosenbrock_dae34ns;

/* ---- charge_errors.c ---- */

/* The estimates e of the error, relative to the signal, count as e^power: sum plain_i k_i of x and, if its power is not 0,
 * sum charge_i l_i of the charges carried to x.  Weights all 0: b - embedded. */
struct charge_errors {
    double plain_power, charge_power;
    double plain[ROSENBROCK_STAGES], charge[ROSENBROCK_STAGES];
};

extern const struct charge_errors charge_errors_row2, charge_errors_dae3s, charge_errors_dae4sf;

void charge_errors_step(struct integrator *base, const struct charge_errors *e, double to, struct step_report *report);

/* ---- explicit_rows.c ---- */

enum kn_status explicit_rows_create(const struct rosenbrock_tableau *tableau, const struct integrator_class *class,
                                    const struct dae *dae, const struct integrator_options *o, struct integrator **out);
/* See rosenbrock_attempt. */
enum newton_outcome explicit_rows_attempt(struct rosenbrock *m, double to);
void explicit_rows_step(struct integrator *base, double to, struct step_report *report);

#endif
