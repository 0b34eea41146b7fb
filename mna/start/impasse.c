/* impasse.c - see impasse.h. */
#include "mna/start/impasse.h"

#include "mna/start/homotopy.h"

#include <math.h>
#include <string.h>

/* d grows by this factor, to this part of the span at most. */
static const double GROWTH = 2, LONGEST = 1e-6;
/* By this factor from one longer step to the next where an end is confirmed. */
static const double CONFIRMING = 64;
/* Elsewhere: by so many tolerances. The near solution before a fold is within the root of d.  The same place: within one. */
static const double ELSEWHERE = 10;

struct impasse {
    const struct consistent *run;
    struct arena *memory;
    struct augmented augmented;
    struct newton newton;
    struct homotopy homotopy;
    const struct impasse_place *place;
    double *from, *q, *b, *end;         /* [n] */
    double *before, *candidate, *taken; /* [n] other ends: of the step before, that is looked at, to leap to */
    double *most;                       /* [n] that charges may move, by what the tolerances of x make of them */
};

/* Impulses of what is of index 2 may carry any charge: a capacitor at the output that leaps. */
static void bound_charges(struct impasse *s, const double *C)
{
    const struct dae *dae = mna_dae(s->run->mna);
    const struct sparse_pattern *p = dae->pattern;
    for (int i = 0; i < dae->n; i++)
        s->b[i] = s->run->relative * fabs(s->from[i]) + dae->absolute[i];
    sparse_multiply_add_absolute(p, C, s->b, s->most);
    for (int j = 0; j < dae->n; j++)
        for (int k = p->column_start[j]; dae->classes[j] == DAE_INDEX2 && k < p->column_start[j + 1]; k++)
            s->most[p->row[k]] = INFINITY;
}

static enum kn_status impasse_init(struct impasse *s, const struct consistent *c, const struct impasse_place *place,
                                   const double *x)
{
    const int n = mna_unknown_count(c->mna);
    *s = (struct impasse){.run = c, .memory = arena_new(), .place = place};
    if (!s->memory || !arena_vectors(s->memory, (size_t)n,
                                     (double **const[]){&s->from, &s->q, &s->b, &s->end, &s->before, &s->candidate,
                                                        &s->taken, &s->most, NULL}))
        return KN_ERROR_MEMORY;
    memcpy(s->from, x, (size_t)n * sizeof *x);
    const struct newton_options options = {fmin(c->relative, START_RELTOL), FAR_BELOW, HOMOTOPY_ITERATIONS,
                                           mna_dae(c->mna)->switch_count, false};
    enum kn_status status = augmented_init(&s->augmented, s->memory, c->mna);
    if (status == KN_OK)
        status = newton_init(&s->newton, &s->augmented.dae, &options);
    if (status == KN_OK)
        status = homotopy_init(&s->homotopy, s->memory, &s->augmented, &s->newton, place->time, HOMOTOPY_ITERATIONS,
                               place->aside ? place->aside : s->from);
    const struct dae *dae = mna_dae(c->mna);
    struct dae_values out = {.q = s->q, .C = s->newton.C};
    if (status == KN_OK)
        status = dae->eval(dae->problem, place->time, x, DAE_Q | DAE_C, &out);
    if (status == KN_OK)
        bound_charges(s, out.C);
    return status;
}

static void impasse_free(struct impasse *s)
{
    newton_free(&s->newton);
    arena_free(s->memory);
}

/* The next equations are those of a step of length d to a time. */
static void set_step(struct impasse *s, double d, double time)
{
    for (int i = 0; i < s->augmented.dae.n; i++)
        s->b[i] = -s->q[i] / d;
    s->homotopy.time = time;
    s->homotopy.alpha = 1 / d;
    s->homotopy.b = s->b;
}

/* Nothing but what has no memory has moved in the time that has passed; the charges are those Newton's method has ended with. */
static bool keeps_charges(const struct impasse *s)
{
    for (int i = 0; i < s->augmented.dae.n; i++)
        if (fabs(s->newton.q[i] - s->q[i]) > s->most[i])
            return false;
    return true;
}

/* Where the circuit comes to rest behind a step of length d; then back to the sources, switches and charges of the begin. */
static enum newton_outcome relax(struct impasse *s, double d)
{
    const struct impasse_place *place = s->place;
    set_step(s, d, place->time + d);
    s->homotopy.inductance = IMPASSE_INDUCTANCE;
    s->homotopy.growth = place->growth;
    const enum newton_outcome outcome = homotopy_pseudo_transient(&s->homotopy, s->end);
    if (outcome != NEWTON_CONVERGED || !keeps_charges(s))
        return outcome;
    set_step(s, place->shortest, place->time);
    return homotopy_newton(&s->homotopy, s->end);
}

/* The unknown that has gone furthest, in tolerances and beyond what rounding of the charges makes of it; -1: all are where they were.
 * Those of index 2 follow from derivatives, which the step makes of the leap. */
static int find_leap(struct impasse *s)
{
    const struct dae *dae = &s->augmented.dae;
    int furthest = -1;
    double most = ELSEWHERE;
    newton_rounding(&s->newton, s->end, s->homotopy.alpha, 1);
    for (int i = 0; i < dae->n; i++) {
        const double size = fmax(fabs(s->end[i]), fabs(s->from[i]));
        const double gone = fabs(s->end[i] - s->from[i]) - s->newton.rounding[i];
        const double way = gone / (s->run->relative * size + dae->absolute[i]);
        if (way <= most || (dae->classes && dae->classes[i] == DAE_INDEX2))
            continue;
        furthest = i;
        most = way;
    }
    return furthest;
}

/* Whether the end is another one, within so many tolerances of it.  Unknowns of index 2 follow. */
static bool ends_at(const struct impasse *s, const double *other, double tolerances)
{
    const struct dae *dae = &s->augmented.dae;
    for (int i = 0; i < dae->n; i++) {
        const double size = fmax(fabs(s->end[i]), fabs(other[i]));
        const bool follows = dae->classes && dae->classes[i] == DAE_INDEX2;
        if (!follows && fabs(s->end[i] - other[i]) > tolerances * (s->run->relative * size + dae->absolute[i]))
            return false;
    }
    return true;
}

static const char LEAP_HINT[] = "a feedback that nothing slows down; a small capacitance at its input shows the way between both";

static void report_leap(const struct impasse *s, int i, struct kn_diagnostics *d)
{
    const char *name = mna_unknown(s->run->mna, i)->name;
    const struct kn_location where = mna_unknown_place(s->run->mna, i);
    if (s->place->aside)
        diagnostics_add(d, KN_NOTE, "unstable-start", where, LEAP_HINT,
                        "at t = %.9g s the solution is unstable whatever small capacitances the circuit has: %s leaps from %.6g to %.6g, "
                        "charges and fluxes stay; later leaps are not told",
                        s->place->time, name, s->from[i], s->end[i]);
    else
        diagnostics_add(d, KN_NOTE, "leap", where, LEAP_HINT,
                        "at t = %.9g s the solution ends, as that of a circuit without parasitics may: %s leaps from %.6g to "
                        "%.6g, charges and fluxes stay; later leaps are not told",
                        s->place->time, name, s->from[i], s->end[i]);
}

static enum kn_status failure(const struct impasse *s)
{
    return s->newton.status != KN_OK      ? s->newton.status
           : mna_interrupted(s->run->mna) ? KN_INTERRUPTED
                                          : KN_ERROR_MEMORY;
}

static void keep_end(const struct impasse *s, double *to)
{
    memcpy(to, s->end, (size_t)s->augmented.dae.n * sizeof *to);
}

/* Whether steps that are longer than d and keep the charges end there as well: what lies at a fold itself is gone behind
 * them.  s->end stays. */
static enum kn_status confirm(struct impasse *s, double d, bool *leads_on)
{
    keep_end(s, s->candidate);
    *leads_on = true;
    for (double longer = CONFIRMING * d; *leads_on && longer <= LONGEST * s->run->span; longer *= CONFIRMING) {
        const enum newton_outcome outcome = relax(s, longer);
        if (outcome == NEWTON_FAILED)
            return failure(s);
        if (outcome != NEWTON_CONVERGED)
            continue;
        if (!keeps_charges(s))
            break;
        *leads_on = ends_at(s, s->candidate, ELSEWHERE);
    }
    memcpy(s->end, s->candidate, (size_t)s->augmented.dae.n * sizeof *s->end);
    return KN_OK;
}

/* Near a fold rounding of the charges, over the shortest d, moves ends by more than tolerances and at random, so that one alone is
 * none: the step before, which was shorter, must have the same.  Where none leads on, the first one is taken. */
static enum kn_status search(struct impasse *s, int *leap)
{
    enum kn_status status = KN_OK;
    bool leads_on = false;
    for (double d = s->place->shortest; !leads_on && status == KN_OK && d <= LONGEST * s->run->span; d *= GROWTH) {
        const enum newton_outcome outcome = relax(s, d);
        if (outcome == NEWTON_FAILED)
            return failure(s);
        if (outcome == NEWTON_CONVERGED && !keeps_charges(s)) /* times longer than d would move charges even more */
            break;
        const int found = outcome == NEWTON_CONVERGED ? find_leap(s) : -1;
        const bool again = found >= 0 && ends_at(s, s->before, 1);
        keep_end(s, s->before);
        if (again)
            status = confirm(s, d, &leads_on);
        if (again && (*leap < 0 || leads_on)) {
            *leap = found;
            keep_end(s, s->taken);
        }
    }
    return status;
}

enum kn_status impasse_leave(struct consistent *c, const struct impasse_place *place, struct kn_diagnostics *d,
                             double *x, bool *left)
{
    struct impasse s;
    int leap = -1;
    enum kn_status status = impasse_init(&s, c, place, x);
    if (status == KN_OK)
        status = search(&s, &leap);
    *left = status == KN_OK && leap >= 0;
    if (*left)
        memcpy(s.end, s.taken, (size_t)s.augmented.dae.n * sizeof *x);
    if (*left && d && !c->leapt)
        report_leap(&s, leap, d);
    c->leapt = c->leapt || *left;
    if (*left)
        memcpy(x, s.end, (size_t)s.augmented.dae.n * sizeof *x);
    impasse_free(&s);
    return status;
}
