/* methods.c - the table of methods; the first is the default. */
#include "integrators/methods.h"
#include "base/diagnostics.h"

#include <stddef.h>
#include <strings.h>

const struct integrator_class *const integrator_classes[] = {
    &integrator_auto,    &integrator_bdf,    &integrator_gear,   &integrator_trapezoidal, &integrator_euler,
    &integrator_radau,   &integrator_radau5, &integrator_trbdf2, &integrator_rodas,       &integrator_rodasp,
    &integrator_row2,    &integrator_dae3s,  &integrator_dae4sf, &integrator_dae3ns,      &integrator_dae33ns,
    &integrator_dae34ns, &integrator_limex,  &integrator_gauss2, &integrator_gauss4,      NULL,
};

const struct integrator_class *integrator_find(const char *name)
{
    if (strcasecmp(name, "trapezoidal") == 0)
        name = "trap";
    for (size_t i = 0; integrator_classes[i]; i++)
        if (strcasecmp(integrator_classes[i]->name, name) == 0)
            return integrator_classes[i];
    return NULL;
}

void integrator_tell(const struct integrator *m, struct kn_diagnostics *d)
{
    const struct integrator_class *class = m->class;
    if (class->good_for && m->fixed_step <= 0)
        diagnostics_add(d, KN_NOTE, "study-method", (struct kn_location){0},
                        "auto and bdf are controlled throughout; knoten verify DECK compares two methods",
                        "%s is a method to learn from, good for %s: %s", class->name, class->good_for, class->fails);
}
