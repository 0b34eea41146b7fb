/* response.c - see response.h. */
#include "analyses/small_signal/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kn_status response_init(struct response *r, struct linear *l)
{
    const size_t n = (size_t)l->n + 1;
    *r = (struct response){.linear = l};
    r->excitation = calloc(n, sizeof *r->excitation);
    r->sources = calloc(l->setup->circuit->element_count + 1, sizeof *r->sources);
    r->X = calloc(n, sizeof *r->X);
    r->slope = calloc(n, sizeof *r->slope);
    r->workspace = calloc(4 * n, sizeof *r->workspace);
    r->rates = calloc(n, sizeof *r->rates);
    return r->excitation && r->sources && r->X && r->slope && r->workspace && r->rates ? KN_OK : KN_ERROR_MEMORY;
}

void response_free(struct response *r)
{
    free(r->excitation);
    free(r->sources);
    free(r->X);
    free(r->slope);
    free(r->workspace);
    free(r->rates);
}

enum kn_status response_at(struct response *r, double frequency, bool with_slope)
{
    struct linear *l = r->linear;
    const enum kn_status status = linear_factor(l, frequency);
    if (status != KN_OK)
        return status;
    r->frequency = frequency;
    memcpy(r->X, r->excitation, (size_t)l->n * sizeof *r->X);
    linear_solve(l, r->X);
    if (with_slope) {
        linear_slope(l, r->X, r->slope);
        linear_solve(l, r->slope);
    }
    return KN_OK;
}

struct phasor response_voltage(const struct response *r, int plus, int minus)
{
    struct phasor p = {0, 0};
    if (plus >= 0)
        p = (struct phasor){r->X[plus], r->slope[plus]};
    if (minus >= 0)
        p = (struct phasor){p.value - r->X[minus], p.slope - r->slope[minus]};
    return p;
}

/* Of X with dX/dt = rates. */
static double complex current(const struct response *r, struct mna_terminal of, const double complex *X)
{
    const struct setup *s = r->linear->setup;
    const struct mna_small_point from = {s->operating, r->frequency};
    return mna_small_current(s->mna, of, from, X, r->rates, r->workspace);
}

/* The slope is that of dX/dw with d/dw (j w X) = j X + j w dX/dw; sources have none. */
struct phasor response_current(const struct response *r, struct mna_terminal of, bool with_slope)
{
    const double w = 2 * acos(-1) * r->frequency;
    const int n = r->linear->n;
    for (int i = 0; i < n; i++)
        r->rates[i] = _Complex_I * w * r->X[i];
    struct phasor p = {current(r, of, r->X) + r->sources[of.element], 0};
    for (int i = 0; i < n && with_slope; i++)
        r->rates[i] = _Complex_I * (r->X[i] + w * r->slope[i]);
    if (with_slope)
        p.slope = current(r, of, r->slope);
    return p;
}

void response_read(const struct response *r, const struct probes *p, double *values)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct probe *from = &p->list[i];
        const struct phasor v = from->element >= 0 ? response_current(r, (struct mna_terminal){from->element, 0}, true)
                                                   : response_voltage(r, from->unknown, -1);
        const double four[] = {creal(v.value), cimag(v.value), creal(v.slope), cimag(v.slope)};
        memcpy(values + 4 * i, four, sizeof four);
    }
}
