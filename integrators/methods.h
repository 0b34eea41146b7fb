/* methods.h - the integration methods there are, one file each. */
#ifndef INTEGRATORS_METHODS_H
#define INTEGRATORS_METHODS_H

#include "integrators/integrator.h"

extern const struct integrator_class integrator_bdf, integrator_gear, integrator_euler, integrator_trapezoidal,
    integrator_auto, integrator_radau, integrator_radau5, integrator_trbdf2, integrator_rodas, integrator_rodasp,
    integrator_row2, integrator_dae3s, integrator_dae4sf, integrator_dae3ns, integrator_dae33ns, integrator_dae34ns,
    integrator_limex, integrator_gauss2, integrator_gauss4;

/* Before a run: what a method to learn from is good for; not where steps are fixed to look at the method itself. */
void integrator_tell(const struct integrator *m, struct kn_diagnostics *d);

#endif
