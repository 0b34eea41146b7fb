/* phasors.c - see phasors.h. */
#include "analyses/small_signal/phasors.h"

#include "analyses/columns.h"
#include "base/array.h"
#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

static bool add_name(struct phasors *p, const char *name, enum kn_quantity quantity)
{
    if (!array_reserve(&p->names, p->name_count + 1, &p->name_capacity, sizeof *p->names))
        return false;
    p->names[p->name_count++] = (struct kn_column){name, quantity};
    return true;
}

static bool add_vector(struct phasors *p, const char *name, enum kn_quantity quantity, struct phasor_source source)
{
    if (!array_reserve(&p->list, p->count + 1, &p->capacity, sizeof *p->list) || !add_name(p, name, quantity))
        return false;
    p->list[p->count++] = source;
    p->needs_slopes |= source.part == REQUEST_GROUP_DELAY;
    return source.part != REQUEST_WHOLE || add_name(p, name, KN_IMAGINARY);
}

static bool add_unknowns(struct phasors *p)
{
    const struct mna *m = p->linear->setup->mna;
    bool good = true;
    for (int i = 0; i < p->linear->n && good; i++) {
        const struct unknown *u = mna_unknown(m, i);
        good = add_vector(p, u->name, u->kind == UNKNOWN_VOLTAGE ? KN_VOLTAGE : KN_CURRENT,
                          (struct phasor_source){i, -1, -1, REQUEST_WHOLE});
    }
    return good;
}

static enum kn_quantity quantity_of(const struct request *r)
{
    switch (r->part) {
    case REQUEST_DECIBEL:
        return KN_DECIBEL;
    case REQUEST_PHASE:
        return KN_PHASE;
    case REQUEST_GROUP_DELAY:
        return KN_TIME;
    default:
        return r->kind == REQUEST_VOLTAGE ? KN_VOLTAGE : KN_CURRENT;
    }
}

static bool add_request(struct phasors *p, const struct request *r)
{
    const struct mna *m = p->linear->setup->mna;
    struct phasor_source source = {-1, -1, -1, r->part};
    if (r->kind == REQUEST_ALL || r->kind == REQUEST_EXPRESSION || !request_is_in(r, REQUEST_IN_FREQUENCY))
        return true;
    for (size_t i = 0; i < p->name_count; i++)
        if (names_equal(p->names[i].name, r->label))
            return true;
    if (r->kind == REQUEST_VOLTAGE) {
        source.plus = mna_node_unknown(m, r->plus);
        source.minus = mna_node_unknown(m, r->minus);
    } else if ((source.plus = mna_current_unknown(m, r->element)) < 0) {
        source.element = r->element;
    }
    return add_vector(p, r->label, quantity_of(r), source);
}

static bool choose(struct phasors *p)
{
    const struct circuit *c = p->linear->setup->circuit;
    bool good = add_name(p, "frequency", KN_FREQUENCY);
    if (good && columns_wants_all(c, REQUEST_IN_FREQUENCY))
        good = add_unknowns(p);
    for (size_t i = 0; i < c->save_count && good; i++)
        good = add_request(p, &c->saves[i]);
    for (size_t i = 0; i < c->print_count && good; i++)
        good = add_request(p, &c->prints[i]);
    return good;
}

enum kn_status phasors_init(struct phasors *p, struct linear *l, const double complex *sources)
{
    const size_t n = (size_t)l->n + 1;
    *p = (struct phasors){.linear = l, .sources = sources};
    p->workspace = calloc(4 * n, sizeof *p->workspace);
    p->rates = calloc(n, sizeof *p->rates);
    return p->workspace && p->rates && choose(p) ? KN_OK : KN_ERROR_MEMORY;
}

void phasors_free(struct phasors *p)
{
    free(p->names);
    free(p->list);
    free(p->workspace);
    free(p->rates);
}

/* ---- values ---- */

/* The current of an element without an unknown; of the slope, d/dw (j w X) = j X + j w dX/dw. */
static double complex current_of(const struct phasors *p, int element, double w, const double complex *X,
                                 const double complex *of_slope)
{
    const struct setup *s = p->linear->setup;
    for (int i = 0; i < p->linear->n; i++)
        p->rates[i] = _Complex_I * (of_slope ? X[i] + w * of_slope[i] : w * X[i]);
    return mna_small_current(s->mna, element, s->operating, of_slope ? of_slope : X, p->rates, p->workspace) +
           (of_slope ? 0 : p->sources[element]);
}

static double complex difference(const struct phasor_source *v, const double complex *X)
{
    return (v->plus >= 0 ? X[v->plus] : 0) - (v->minus >= 0 ? X[v->minus] : 0);
}

static double part_of(enum request_part part, double complex value, double complex slope)
{
    switch (part) {
    case REQUEST_MAGNITUDE:
        return cabs(value);
    case REQUEST_DECIBEL:
        return 20 * log10(cabs(value));
    case REQUEST_PHASE:
        return 180 / acos(-1) * carg(value);
    case REQUEST_IMAGINARY:
        return cimag(value);
    case REQUEST_GROUP_DELAY: /* the phase is the imaginary part of log(value) */
        return -cimag(slope / value);
    case REQUEST_WHOLE:
    case REQUEST_REAL:
        break;
    }
    return creal(value);
}

void phasors_fill(const struct phasors *p, double frequency, const double complex *X, const double complex *slope,
                  double *row)
{
    const double w = 2 * acos(-1) * frequency;
    *row++ = frequency;
    for (size_t i = 0; i < p->count; i++) {
        const struct phasor_source *v = &p->list[i];
        const bool delay = v->part == REQUEST_GROUP_DELAY;
        const double complex value = v->element >= 0 ? current_of(p, v->element, w, X, NULL) : difference(v, X);
        double complex change = 0;
        if (delay)
            change = v->element >= 0 ? current_of(p, v->element, w, X, slope) : difference(v, slope);
        *row++ = part_of(v->part, value, change);
        if (v->part == REQUEST_WHOLE)
            *row++ = cimag(value);
    }
}
