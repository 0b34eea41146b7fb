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
    const struct mna *m = p->response->linear->setup->mna;
    bool good = true;
    for (int i = 0; i < p->response->linear->n && good; i++) {
        const struct unknown *u = mna_unknown(m, i);
        good = !columns_shows(m, i) || add_vector(p, u->name, u->kind == UNKNOWN_VOLTAGE ? KN_VOLTAGE : KN_CURRENT,
                                                  (struct phasor_source){i, -1, -1, -1, REQUEST_WHOLE, 0});
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

/* A column of real numbers where the expression has no imaginary part, vdb(a)-vdb(b). */
static bool add_expression(struct phasors *p, const struct request *r)
{
    if (!array_resize(&p->signals, p->signal_count + 1, sizeof *p->signals))
        return false;
    struct signal *s = &p->signals[p->signal_count];
    const struct phasor_source source = {-1, -1, -1, (int)p->signal_count++, REQUEST_WHOLE, 0};
    p->needs_slopes = true; /* gd() may be in it */
    if (!signal_init(s, &p->set, r->expression))
        return false;
    return add_vector(p, r->label, KN_OTHER,
                      s->is_phasor ? source : (struct phasor_source){-1, -1, -1, source.signal, REQUEST_REAL, 0});
}

static bool add_request(struct phasors *p, const struct request *r)
{
    const struct mna *m = p->response->linear->setup->mna;
    struct phasor_source source = {-1, -1, -1, -1, r->part, r->terminal};
    if (r->kind == REQUEST_ALL || !request_is_in(r, REQUEST_IN_FREQUENCY))
        return true;
    for (size_t i = 0; i < p->name_count; i++)
        if (names_equal(p->names[i].name, r->label))
            return true;
    if (r->kind == REQUEST_EXPRESSION)
        return add_expression(p, r);
    if (r->kind == REQUEST_VOLTAGE) {
        source.plus = mna_node_unknown(m, r->plus);
        source.minus = mna_node_unknown(m, r->minus);
    } else if (r->terminal > 0 || (source.plus = mna_current_unknown(m, r->element)) < 0) {
        source.element = r->element;
    }
    return add_vector(p, r->label, quantity_of(r), source);
}

static bool choose(struct phasors *p)
{
    const struct circuit *c = p->response->linear->setup->circuit;
    bool good = add_name(p, "frequency", KN_FREQUENCY);
    if (good && columns_wants_all(c, REQUEST_IN_FREQUENCY))
        good = add_unknowns(p);
    for (size_t i = 0; i < c->save_count && good; i++)
        good = add_request(p, &c->saves[i]);
    for (size_t i = 0; i < c->print_count && good; i++)
        good = add_request(p, &c->prints[i]);
    return good;
}

enum kn_status phasors_init(struct phasors *p, const struct response *r)
{
    const struct setup *s = r->linear->setup;
    *p = (struct phasors){.response = r, .set = {.circuit = s->circuit, .width = SIGNAL_PHASOR}};
    if (!choose(p) || !probes_init(&p->probes, s->mna, p->set.variables, p->set.count))
        return KN_ERROR_MEMORY;
    p->values = calloc(signals_numbers(&p->set) + 1, sizeof *p->values);
    return p->values ? KN_OK : KN_ERROR_MEMORY;
}

void phasors_free(struct phasors *p)
{
    for (size_t i = 0; i < p->signal_count; i++)
        signal_free(&p->signals[i]);
    probes_free(&p->probes);
    free(p->set.variables);
    free(p->signals);
    free(p->values);
    free(p->names);
    free(p->list);
}

/* ---- values ---- */

static double part_of(enum request_part part, struct phasor p)
{
    switch (part) {
    case REQUEST_MAGNITUDE:
        return cabs(p.value);
    case REQUEST_DECIBEL:
        return 20 * log10(cabs(p.value));
    case REQUEST_PHASE:
        return 180 / acos(-1) * carg(p.value);
    case REQUEST_IMAGINARY:
        return cimag(p.value);
    case REQUEST_GROUP_DELAY: /* the phase is the imaginary part of log(value) */
        return -cimag(p.slope / p.value);
    case REQUEST_WHOLE:
    case REQUEST_REAL:
        break;
    }
    return creal(p.value);
}

void phasors_fill(const struct phasors *p, double *row)
{
    const struct response *r = p->response;
    *row++ = r->frequency;
    if (p->signal_count > 0)
        response_read(r, &p->probes, p->values);
    for (size_t i = 0; i < p->count; i++) {
        const struct phasor_source *v = &p->list[i];
        const struct mna_terminal of = {v->element, v->terminal};
        const struct phasor value = v->signal >= 0    ? signal_phasor(&p->signals[v->signal], r->frequency, p->values)
                                    : v->element >= 0 ? response_current(r, of, v->part == REQUEST_GROUP_DELAY)
                                                      : response_voltage(r, v->plus, v->minus);
        *row++ = part_of(v->part, value);
        if (v->part == REQUEST_WHOLE)
            *row++ = cimag(value.value);
    }
}
