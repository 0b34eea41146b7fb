/* small_signal.c - what linear analyses about a point need beyond G and C: sources' phasors, delays, device currents. */
#include "devices/batch.h"
#include "mna/system.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const struct device_family *family_of(const struct mna *m, int element)
{
    return &m->families.families[m->families.family_of[element]];
}

double complex mna_excite(struct mna *m, int element, double complex value, double complex *B)
{
    const struct device_family *family = family_of(m, element);
    if (!family->class->excite)
        return 0;
    /* Device code counts unknowns from 1; what it adds to number 0, ground, is dropped. */
    double complex *padded = m->phasors;
    memset(padded, 0, ((size_t)m->dae.n + 1) * sizeof *padded);
    const double complex whole = family->class->excite(family->batch, m->families.index_of[element], value, padded);
    for (int i = 0; i < m->dae.n; i++)
        B[i] += padded[i + 1];
    return whole;
}

bool mna_alternate(const struct mna *m, double *G)
{
    bool any = false;
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        any = (family->class->alternate && family->class->alternate(family->batch, G)) || any;
    }
    return any;
}

void mna_delay(const struct mna *m, double w, double complex *A, double complex *dAdw)
{
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->delay)
            family->class->delay(family->batch, w, A, dAdw);
    }
}

enum kn_status mna_noise(struct mna *m, const double *x, struct noise_list *out)
{
    *out = (struct noise_list){0};
    memset(m->dxdt, 0, ((size_t)m->dae.n + 1) * sizeof *m->dxdt);
    mna_probe(m, -INFINITY, x, m->dxdt + 1);
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (!batch_noise(family->class, family->batch, &m->probe, out))
            return KN_ERROR_MEMORY;
    }
    return KN_OK;
}

/* ---- currents ----
 *
 * Devices give their current as a function of x and dx/dt, not its derivatives.  Central differences along the phasor
 * with two steps (Richardson) leave an error of the order of the fourth power of step/Vt, and rounding one of DBL_EPSILON over it:
 * both are 3e-13 with its fifth root.  Linear devices are taken about 0 with a step of the phasor's own size, which is exact. */

#define STEP (pow(DBL_EPSILON, 0.2) * DEVICE_BOLTZMANN * 300 / DEVICE_CHARGE) /* V */

static double central_difference(struct mna *m, struct mna_terminal of, struct mna_small_point from, const double *x,
                                 const double *dxdt, double step, double *point)
{
    const int n = m->dae.n;
    double *slope = point + n, at[2];
    for (int side = 0; side < 2; side++) {
        const double h = side == 0 ? step : -step;
        for (int i = 0; i < n; i++) {
            point[i] = (from.x0 ? from.x0[i] : 0) + h * x[i];
            slope[i] = h * dxdt[i];
        }
        mna_probe(m, -INFINITY, point, slope);
        m->probe.alternating = true;
        m->probe.hertz = from.hertz;
        at[side] = mna_probed_current(m, of.element, of.terminal);
    }
    return (at[0] - at[1]) / (2 * step);
}

/* The largest change at the terminals, or anywhere if the current may depend on other places. */
static double largest_change(const struct mna *m, int element, const double *x)
{
    const struct element *e = &m->circuit->elements[element];
    double most = 0;
    for (size_t i = 0; i < e->node_count; i++) {
        const int unknown = mna_node_unknown(m, e->nodes[i]);
        most = unknown >= 0 ? fmax(most, fabs(x[unknown])) : most;
    }
    for (int i = 0; i < m->dae.n && (e->expression || e->polynomial || e->control_node_count > 0 || most == 0); i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double directional(struct mna *m, struct mna_terminal of, struct mna_small_point from, const double *x,
                          const double *dxdt, double *workspace)
{
    const struct mna_small_point nowhere = {NULL, from.hertz};
    const struct device_family *family = family_of(m, of.element);
    const struct device_class *class = family->class;
    if (!class->eval || (class->nonlinear && !class->nonlinear(family->batch)))
        return central_difference(m, of, nowhere, x, dxdt, 1, workspace);
    const double most = largest_change(m, of.element, x);
    const double step = most > 0 ? STEP / most : 1;
    const double coarse = central_difference(m, of, from, x, dxdt, step, workspace);
    const double fine = central_difference(m, of, from, x, dxdt, step / 2, workspace);
    return fine + (fine - coarse) / 3;
}

double complex mna_small_current(struct mna *m, struct mna_terminal of, struct mna_small_point from,
                                 const double complex *X, const double complex *dXdt, double *workspace)
{
    const int n = m->dae.n;
    double *x = workspace, *dxdt = x + n, parts[2];
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < n; i++) {
            x[i] = part == 0 ? creal(X[i]) : cimag(X[i]);
            dxdt[i] = part == 0 ? creal(dXdt[i]) : cimag(dXdt[i]);
        }
        parts[part] = directional(m, of, from, x, dxdt, workspace + 2 * (size_t)n);
    }
    return CMPLX(parts[0], parts[1]);
}
