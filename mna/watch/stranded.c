/* stranded.c - see stranded.h. */
#include "mna/watch/stranded.h"

#include "base/arena.h"
#include "base/groups.h"

#include <math.h>
#include <stdlib.h>

/* Times the voltages of what sources and capacitors hold.  Transformers make up to hundreds of these; a coil for itself at junctions that
 * never break down none.  Stranded currents make L i/h: 14 kV to 1e6 MV of 24 V in tests/decks/hard/stranded-current.cir, by method and
 * tolerance. */
static const double NO_VOLTAGE_OF_TRANSFORMERS = 1e3, NO_VOLTAGE_OF_A_COIL = 10;

static const double JUNCTION = 1; /* V, stands at a diode that conducts */

struct coil {
    const struct branch *branch, *junction;
    double most;   /* times the voltages of the circuit */
    double before; /* A, at the last point */
};

struct stranded {
    struct arena *memory;
    const struct mna *m;
    double relative, resolution; /* s, of output */
    struct coil *coils;          /* [count] */
    size_t count;
    int *held; /* [held_count] unknowns (from 0) of nodes that sources and capacitors tie to ground */
    size_t held_count;
    double voltage; /* V, the largest of these so far, or that of a junction */
};

static double potential(const double *x, int node)
{
    return node == 0 ? 0 : x[node - 1];
}

/* Parts that coils and blocking junctions separate from the rest. */
static int *find_parts(struct stranded *s, const struct branch_list *list, int n)
{
    int *group = groups_in(s->memory, n);
    for (size_t i = 0; group && i < list->count; i++)
        if (list->branches[i].kind != BRANCH_L && !list->branches[i].blocks)
            groups_unite(group, list->branches[i].plus, list->branches[i].minus);
    return group;
}

static bool list_held(struct stranded *s, const struct branch_list *list, int n)
{
    int *group = groups_in(s->memory, n);
    s->held = arena_array(s->memory, (size_t)n + 1, sizeof *s->held);
    for (size_t i = 0; group && i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (b->kind == BRANCH_V || (b->kind == BRANCH_C && !isnan(b->constant)))
            groups_unite(group, b->plus, b->minus);
    }
    for (int i = 1; group && s->held && i <= n; i++)
        if (mna_unknown(s->m, i - 1)->kind == UNKNOWN_VOLTAGE && groups_connected(group, i, 0))
            s->held[s->held_count++] = i - 1;
    return group && s->held;
}

/* A junction with a charge that runs out, at the end of a coil. */
static const struct branch *junction_at(const struct branch_list *list, int *group, int node)
{
    if (groups_connected(group, node, 0))
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        const bool there = groups_connected(group, b->plus, node) != groups_connected(group, b->minus, node);
        if (b->kind == BRANCH_C && b->blocks && there)
            return b;
    }
    return NULL;
}

static enum kn_status find_coils(struct stranded *s, const struct branch_list *list)
{
    const int n = mna_unknown_count(s->m);
    int *group = find_parts(s, list, n);
    s->coils = arena_array(s->memory, list->count + 1, sizeof *s->coils);
    if (!group || !s->coils || !list_held(s, list, n))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (b->kind != BRANCH_L || isnan(b->constant) || b->current <= 0)
            continue;
        const struct branch *at = junction_at(list, group, b->plus),
                            *junction = at ? at : junction_at(list, group, b->minus);
        const double most = is_coupled(list, b->element) ? NO_VOLTAGE_OF_TRANSFORMERS : NO_VOLTAGE_OF_A_COIL;
        if (junction)
            s->coils[s->count++] = (struct coil){b, junction, most, 0};
    }
    return KN_OK;
}

static bool may_strand(const struct branch_list *list)
{
    bool coil = false, junction = false;
    for (size_t i = 0; i < list->count; i++) {
        coil |= list->branches[i].kind == BRANCH_L;
        junction |= list->branches[i].kind == BRANCH_C && list->branches[i].blocks;
    }
    return coil && junction;
}

enum kn_status stranded_new(const struct mna *m, const struct topology *t, const struct stranded_settings *o,
                            struct stranded **out)
{
    struct arena *memory;
    *out = NULL;
    if (!may_strand(&t->list))
        return KN_OK;
    struct stranded *s = arena_object(sizeof *s, &memory);
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct stranded){
        .memory = memory, .m = m, .relative = o->relative, .resolution = o->resolution, .voltage = JUNCTION};
    const enum kn_status status = find_coils(s, &t->list);
    if (status == KN_OK && s->count > 0)
        *out = s;
    else
        stranded_free(s);
    return status;
}

void stranded_free(struct stranded *s)
{
    if (s)
        arena_free(s->memory);
}

static enum kn_status report(const struct coil *c, double t, double voltage, struct kn_diagnostics *d)
{
    const struct element *coil = c->branch->element, *junction = c->junction->element;
    diagnostics_add(d, KN_ERROR, "stranded-current", coil->where,
                    "give the diode's model a junction capacitance (cjo), or put a resistor and a capacitor in series "
                    "across it",
                    "at t = %.6g s the stored charge of %.60s has run out, and nothing takes the %.2g A of %.60s: no "
                    "capacitance is there, and its voltage would be %.2g V",
                    t, junction->name, c->before, coil->name, voltage);
    return KN_ERROR_CONVERGENCE;
}

/* More than reltol leaves of what the circuit's voltages bring in the time that output resolves. */
static bool counts(const struct stranded *s, double flux)
{
    return flux > s->relative * s->voltage * s->resolution;
}

enum kn_status stranded_look(struct stranded *s, double t, const double *x, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < s->held_count; i++)
        s->voltage = fmax(s->voltage, fabs(x[s->held[i]]));
    for (size_t i = 0; i < s->count; i++) {
        struct coil *c = &s->coils[i];
        const struct branch *b = c->branch;
        const double voltage = fabs(potential(x, b->plus) - potential(x, b->minus)), flux = b->constant * c->before;
        if (voltage > c->most * s->voltage && voltage * s->resolution > flux && counts(s, flux))
            return report(c, t, voltage, d);
        c->before = fabs(x[b->current - 1]);
    }
    return KN_OK;
}
