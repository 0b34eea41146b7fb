/* auto.h - the method chosen while the run goes on, from any three. */
#ifndef INTEGRATORS_AUTO_H
#define INTEGRATORS_AUTO_H

#include "integrators/integrator.h"

/* Roles: one whose steps are cheap and whose Newton method survives most, which takes over where the others fail; one
 * without Newton iteration; one of high order. */
enum { AUTO_BDF, AUTO_ROSENBROCK, AUTO_RADAU, AUTO_CANDIDATES };

struct auto_rule {
    const struct integrator_class *class;
    double factorization; /* work, in evaluations of f and q */
    int unjudged;         /* first steps of a turn, which only find step and order */
    int window;           /* steps of a turn that are judged together */
    double trial;         /* work of a usual trial */
    double nonlinear;     /* what its work costs in circuits that are not linear, in units of that of BDF */
};

/* Those of `auto`. */
extern const struct auto_rule auto_usual_rules[AUTO_CANDIDATES];

/* What a candidate has done, in evaluations of f and q of a linear circuit; bench/weights compares it with times. */
double auto_work(const struct auto_rule *rule, const struct integrator_statistics *s);

/* rules: of the candidates, must outlive the method. */
enum kn_status auto_create_from(const struct auto_rule rules[AUTO_CANDIDATES], const struct dae *dae,
                                const struct integrator_options *o, struct integrator **out);

#endif
