/* consistent.c - see consistent.h.
 *
 * What is given are charges and fluxes.  Two implicit Euler steps in the limit of vanishing length (consistent_euler.h)
 * lead from them to values that obey all equations, hidden ones included.  For a start with uic they are preceded by
 * one step in which the nodes of .ic are imposed, so that these get the charges that belong to their voltages whatever
 * the sources around them do.
 */
#include "mna/start/consistent.h"

#include "base/rounding.h"
#include "mna/listing.h"
#include "mna/start/consistent_euler.h"
#include "mna/start/hidden/hidden_constraints.h"
#include "mna/start/initial_values.h"
#include "mna/start/initial_values_kept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that are so much shorter than wanted are taken again: round-off matters 100 times more in them; too long ones
 * from the other factor on, with which the error of the extrapolation is 4^3 = 64 times what it should be. */
static const double MUCH_SHORTER = 100, MUCH_LONGER = 4;

struct start {
    struct consistent *run;
    struct mna *mna;
    struct kn_diagnostics *diagnostics;
    struct arena *memory;
    double time, corner; /* s; the next corner of a source */
    struct augmented augmented;
    struct consistent_euler step;
    struct imposed_value *imposed; /* [n] */
    double *q, *b, *given;         /* [n] charges to keep; workspace; values to keep */
    double *again;                 /* [n] values found with other steps */
    double *longer;                /* [n] the same with longer ones */
    double *found, *charges;       /* [n] values before a correction, and what they came from */
    double *begin;                 /* [n] where each way to values begins */
    double *passed, *before;       /* [n] values behind layers, and in front of them */
    bool added_up;                 /* sums were looked for */
    bool described;                /* charges are those of a deck's ic=, which nothing need have */
    const double *stored;          /* [n] charges that are given; NULL: those of the values */
    double *zero;                  /* [n] junctions of given values are limited against no voltage at all */
};

static enum kn_status start_init(struct start *s, struct consistent *run, const double *given, double time,
                                 struct kn_diagnostics *d)
{
    const struct dae *dae = mna_dae(run->mna);
    mna_set_rest(run->mna, false);
    *s = (struct start){.run = run, .mna = run->mna, .diagnostics = d, .memory = arena_new(), .time = time};
    /* The steps stay on this side of the next corner. */
    s->corner = dae->next_breakpoint(dae->problem, time);
    dae->hold_left(dae->problem, s->corner);
    if (!s->memory || !(s->imposed = arena_array(s->memory, (size_t)dae->n, sizeof *s->imposed)) ||
        !arena_vectors(
            s->memory, (size_t)dae->n,
            (double **const[]){&s->q, &s->b, &s->given, &s->again, &s->longer, &s->zero, &s->found, &s->charges, &s->begin,
                                &s->passed, &s->before, NULL}))
        return KN_ERROR_MEMORY;
    memcpy(s->given, given, (size_t)dae->n * sizeof *given);
    const enum kn_status status = augmented_init(&s->augmented, s->memory, s->mna);
    s->augmented.imposed = s->imposed;
    return status == KN_OK ? consistent_euler_init(&s->step, s->memory, &s->augmented, time, run->relative) : status;
}

static void start_free(struct start *s)
{
    const struct dae *dae = mna_dae(s->mna);
    dae->hold_left(dae->problem, INFINITY);
    mna_set_source_scale(s->mna, 1);
    consistent_euler_free(&s->step);
    arena_free(s->memory);
}

static enum kn_status charges_at(struct start *s, const double *x, double *q)
{
    const struct dae *dae = mna_dae(s->mna);
    struct dae_values out = {.q = q};
    return dae->eval(dae->problem, s->time, x, DAE_Q, &out);
}

/* ---- steps ---- */

/* The next corner of a source, or a whole run from here: what moves without corners, as sines do, may not get far in a
 * step either. */
static double limit_of_steps(const struct start *s)
{
    return fmin(s->corner, s->time + s->run->span);
}

/* Shorter steps hold more of the circuit by its charges and so are easier. */
static enum newton_outcome take_shorter_steps(struct start *s, int steps, double *x)
{
    enum newton_outcome outcome = NEWTON_SLOW;
    for (int attempt = 0; attempt < CONSISTENT_EULER_ATTEMPTS; attempt++) {
        outcome = consistent_euler_take(&s->step, s->q, steps, x);
        if (outcome == NEWTON_CONVERGED)
            return consistent_euler_settle(&s->step, s->q, steps, s->longer, x);
        if (outcome == NEWTON_FAILED)
            return outcome;
        s->step.h *= CONSISTENT_EULER_SHORTENING;
    }
    return outcome;
}

/* Where no node's equation is taken by a value that is imposed; found once. */
static enum kn_status add_up(struct start *s, const double *x, bool coils)
{
    if (s->added_up || s->augmented.imposed_count > 0)
        return KN_OK;
    s->added_up = coils;
    return consistent_euler_add_up(&s->step, s->memory, x, coils);
}

/* With sums where those of nodes had no solution: windings that share all their flux have but rounding to tell the ratio of their
 * voltages by. */
static enum newton_outcome take_steps_with_sums(struct start *s, int steps, double *x)
{
    if (s->step.sums || add_up(s, x, true) != KN_OK || !s->step.sums)
        return NEWTON_SLOW;
    if (consistent_euler_choose(&s->step, x, x, limit_of_steps(s)) != KN_OK)
        return NEWTON_FAILED;
    return take_shorter_steps(s, steps, x);
}

/* Where nothing has the charges that are given (that of a transistor's body saturates beside its channel), resistances around take what
 * is left of them in steps longer than their time constants. */
static enum newton_outcome take_longer_steps(struct start *s, int steps, double shortest, double *x)
{
    enum newton_outcome outcome = NEWTON_SLOW;
    const double most = CONSISTENT_EULER_SHORTENING * (limit_of_steps(s) - s->time);
    s->step.h = shortest / CONSISTENT_EULER_SHORTENING;
    while (s->step.h < most && (outcome = consistent_euler_take(&s->step, s->q, steps, x)) != NEWTON_CONVERGED &&
           outcome != NEWTON_FAILED)
        s->step.h /= CONSISTENT_EULER_SHORTENING;
    return outcome;
}

static bool goes_on(enum newton_outcome outcome)
{
    return outcome != NEWTON_CONVERGED && outcome != NEWTON_FAILED;
}

/* What a way that has led nowhere has left is no begin of the next. */
static void begin_again(struct start *s, double *x)
{
    memcpy(x, s->begin, (size_t)s->augmented.dae.n * sizeof *x);
}

static bool is_settled(const struct start *s, enum newton_outcome outcome)
{
    return outcome == NEWTON_CONVERGED && s->step.unsettled <= 1;
}

/* Without the sums, where these have led to values that are off their limit by `with_sums` tolerances (INFINITY: to none).  What rounding
 * of 59 A leaves of 5e-7 H in steps of 1e-16 s, 5e-5 V, is no reason to take 1e26 V for them: the nearer ones count. */
static enum newton_outcome take_steps_without_sums(struct start *s, int steps, double chosen, double with_sums, double *x)
{
    begin_again(s, x);
    if (s->step.sums && consistent_euler_leave_sums(&s->step) != KN_OK)
        return NEWTON_FAILED;
    s->step.h = chosen;
    const enum newton_outcome outcome = take_shorter_steps(s, steps, x);
    if (outcome == NEWTON_FAILED || !isfinite(with_sums) || (outcome == NEWTON_CONVERGED && s->step.unsettled <= with_sums))
        return outcome;
    begin_again(s, x);
    s->added_up = false;
    return take_steps_with_sums(s, steps, x);
}

/* Sums before shorter steps: where coils hold what nothing but they and open switches join, h/L of a step is less than what rounding
 * leaves of closed ones.  Newton's method ends anywhere then (1e56 A of 48), or where it began, which shorter steps agree upon (-1.3e5 V
 * of 335). */
static enum newton_outcome take_firm_steps(struct start *s, int steps, double *x)
{
    const double chosen = s->step.h;
    if (s->step.sums || s->augmented.imposed_count > 0 || steps < 2)
        return take_shorter_steps(s, steps, x);
    enum newton_outcome outcome = consistent_euler_take(&s->step, s->q, steps, x);
    s->step.unsettled = outcome == NEWTON_CONVERGED ? consistent_euler_unsettled(&s->step) : INFINITY;
    if (outcome == NEWTON_FAILED || is_settled(s, outcome))
        return outcome;
    begin_again(s, x);
    outcome = take_steps_with_sums(s, steps, x);
    if (outcome == NEWTON_FAILED || is_settled(s, outcome))
        return outcome;
    return take_steps_without_sums(s, steps, chosen, outcome == NEWTON_CONVERGED ? s->step.unsettled : INFINITY, x);
}

/* Only when shorter steps do not help the circuit is deformed, and steps become longer in the end. */
static enum newton_outcome take_steps(struct start *s, int steps, double *x)
{
    const double chosen = s->step.h;
    memcpy(s->begin, x, (size_t)s->augmented.dae.n * sizeof *x);
    enum newton_outcome outcome = take_firm_steps(s, steps, x);
    if (!goes_on(outcome))
        return outcome;
    begin_again(s, x);
    outcome = consistent_euler_deform(&s->step, s->memory, s->q, x);
    if (s->described && goes_on(outcome)) {
        begin_again(s, x);
        return take_longer_steps(s, steps, chosen, x);
    }
    if (outcome == NEWTON_CONVERGED)
        outcome = consistent_euler_take(&s->step, s->q, steps, x);
    s->step.unsettled = outcome == NEWTON_CONVERGED ? consistent_euler_unsettled(&s->step) : INFINITY;
    return outcome;
}

static enum kn_status report_failure(const struct start *s, enum newton_outcome outcome)
{
    const struct newton *newton = &s->step.newton;
    if (outcome == NEWTON_FAILED)
        return newton->status != KN_OK ? newton->status : mna_interrupted(s->mna) ? KN_INTERRUPTED : KN_ERROR_MEMORY;
    char elements[300];
    const int singular = outcome == NEWTON_SINGULAR ? sparse_lu_singular(newton->lu) : -1;
    const int place = singular >= 0 ? singular : newton->worst_row;
    mna_describe(s->mna, place, elements, sizeof elements);
    const char *hint =
        s->time > 0 ? "a law that jumps, u(), sgn() or a comparison, may have no solution there: hysteresis or a "
                      "smooth function "
                      "such as tanh() gives it one"
                    : "start from the operating point (without uic), or give initial values nearer to a solution";
    diagnostics_add(s->diagnostics, KN_ERROR, "no-consistent-start", NOWHERE, hint,
                    "no values at t = %.6g s satisfy the equations with the charges and fluxes given there: %s %s "
                    "(elements there: %s)",
                    s->time, singular >= 0 ? "nothing determines" : "Newton's method does not converge at",
                    mna_unknown(s->mna, place)->name, elements);
    return KN_ERROR_CONVERGENCE;
}

/* Where values did not move except by round-off, they are kept as they were. */
static void keep_exact(const struct start *s, double *x)
{
    const double *absolute = mna_dae(s->mna)->absolute;
    const double relative = fmin(FAR_BELOW * s->run->relative, ROUNDING_SAME);
    for (int i = 0; i < s->augmented.dae.n; i++)
        if (fabs(x[i] - s->given[i]) <= relative * fabs(s->given[i]) + FAR_BELOW * absolute[i])
            x[i] = s->given[i];
}

/* ---- impulses ---- */

/* Largest charge of the nodes, or flux of the inductors, in a vector of charges. */
static double largest_of(const struct start *s, const double *q, enum unknown_kind row_kind)
{
    double largest = 0;
    for (int i = 0; i < s->augmented.dae.n; i++)
        if (mna_unknown(s->mna, i)->kind == row_kind)
            largest = fmax(largest, fabs(q[i]));
    return largest;
}

/* The same of what the tolerances of voltages (currents) make on the capacitances (inductances): less is none. */
static double tolerated(const struct start *s, enum unknown_kind row_kind)
{
    const struct dae *dae = mna_dae(s->mna);
    double *C = sparse_values(dae->pattern), *q = calloc((size_t)dae->n + 1, sizeof *q), largest = 0;
    struct dae_values values = {.C = C};
    if (C && q && dae->eval(dae->problem, s->time, s->given, DAE_C, &values) == KN_OK) {
        sparse_multiply_add_absolute(dae->pattern, C, dae->absolute, q);
        for (int i = 0; i < dae->n; i++)
            if (mna_unknown(s->mna, i)->kind == row_kind)
                largest = fmax(largest, q[i]);
    }
    free(C);
    free(q);
    return largest;
}

static bool is_impulse(const struct start *s, int i, double largest)
{
    const double *const *level = (const double *const *)s->step.impulse_level;
    const double first = fabs(level[0][i]), last = fabs(level[2][i]);
    return last > START_RELTOL * largest && last > 0.5 * first;
}

/* An impulse through an unknown of a higher index is the derivative of one: it has no charge, and grows as steps
 * shrink. */
static bool is_stronger(const struct start *s, int i)
{
    const double *const *level = (const double *const *)s->step.impulse_level;
    return fabs(level[2][i]) > 2 * fabs(level[0][i]);
}

/* Lists the unknowns that answer with an impulse, each once in a run. */
static void list_impulses(struct start *s, struct text_list *list, struct kn_location *where)
{
    const double *after = s->step.newton.q;
    double most[2]; /* Wb, C */
    for (int k = 0; k < 2; k++) {
        const enum unknown_kind kind = k ? UNKNOWN_VOLTAGE : UNKNOWN_CURRENT;
        most[k] = fmax(largest_of(s, s->q, kind), largest_of(s, after, kind));
        most[k] = most[k] > 0 ? fmax(most[k], tolerated(s, kind)) : 0;
    }
    for (int i = 0; i < s->augmented.dae.n; i++) {
        const struct unknown *u = mna_unknown(s->mna, i);
        const bool current = u->kind == UNKNOWN_CURRENT;
        const double largest = most[current];
        if (largest == 0 || s->run->reported[i] || !is_impulse(s, i, largest))
            continue;
        if (list->given == 0)
            *where = mna_unknown_place(s->mna, i);
        if (is_stronger(s, i))
            text_list_format(list, "more than an impulse in %.60s", u->name);
        else
            text_list_format(list, "%.8g %s in %.60s", s->step.impulse[i], current ? "C" : "Wb", u->name);
        s->run->reported[i] = true;
    }
}

/* `reported` is made where it is first needed; without memory nothing is said. */
static void report_impulses(struct start *s, bool beginning)
{
    struct text text = TEXT(240);
    struct text_list list = text_list(&text, ", ", 0);
    struct kn_location where = NOWHERE;
    if (!s->run->reported)
        s->run->reported = calloc((size_t)s->augmented.dae.n, sizeof *s->run->reported);
    if (!s->diagnostics || !s->run->reported)
        return;
    list_impulses(s, &list, &where);
    text_list_end(&list);
    if (list.given > 0)
        diagnostics_add(s->diagnostics, beginning ? KN_NOTE : KN_WARNING, "impulse", where,
                        "a resistance in the loop of sources and capacitors (at the node between inductors and current "
                        "sources) makes it finite",
                        "at t = %.6g s charges or fluxes change at once, by impulses of %s", s->time, text.at);
}

/* ---- from given values to consistent ones ---- */

static enum kn_status given_charges(struct start *s, const struct initial_values *g)
{
    const double *stored = g ? g->q : s->stored;
    if (!stored)
        return charges_at(s, s->given, s->q);
    memcpy(s->q, stored, (size_t)s->augmented.dae.n * sizeof *s->q);
    return KN_OK;
}

/* The charges that are given; at nodes of .ic those they have when everything else has found its place. */
static enum newton_outcome find_charges(struct start *s, const struct initial_values *g, double *x)
{
    s->augmented.imposed_count = 0;
    if (given_charges(s, g) != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; g && i < s->augmented.dae.n; i++) {
        if (!g->imposed[i])
            continue;
        s->imposed[s->augmented.imposed_count++] =
            (struct imposed_value){.unknown = i, .value = g->x[i], .active = true};
        s->q[i] = 0; /* the equation is replaced */
    }
    if (s->augmented.imposed_count == 0)
        return NEWTON_CONVERGED;
    if (s->step.sums && consistent_euler_leave_sums(&s->step) != KN_OK)
        return NEWTON_FAILED;
    const enum newton_outcome outcome = take_steps(s, 1, x);
    s->augmented.imposed_count = 0;
    if (outcome == NEWTON_FAILED)
        return outcome;
    /* with all of these held, no unknown is left by which a constraint between them could be met */
    if (outcome != NEWTON_CONVERGED) {
        memcpy(x, s->given, (size_t)s->augmented.dae.n * sizeof *x);
        return given_charges(s, g) == KN_OK ? NEWTON_CONVERGED : NEWTON_FAILED;
    }
    if (charges_at(s, x, s->b) != KN_OK)
        return NEWTON_FAILED;
    for (int i = 0; i < s->augmented.dae.n; i++)
        if (g->imposed[i])
            s->q[i] = s->b[i];
    return NEWTON_CONVERGED;
}

enum correction { NOT_NEEDED, SUCCEEDED, IN_VAIN };

static enum newton_outcome correct_charges(struct start *s, const struct initial_values *g, double *x,
                                           enum correction *correction)
{
    const struct initial_values_kept k = {g, s->time, s->step.h, s->run->relative};
    double missed, at_first = 0;
    *correction = IN_VAIN;
    for (int pass = 0;; pass++) {
        if (initial_values_keep(&k, s->mna, x, s->q, &missed) != KN_OK)
            return NEWTON_FAILED;
        if (missed <= FAR_BELOW || pass == CONSISTENT_EULER_ATTEMPTS)
            break;
        at_first = pass == 0 ? missed : at_first;
        const enum newton_outcome outcome = take_steps(s, 2, x);
        if (outcome != NEWTON_CONVERGED)
            return outcome;
    }
    if (missed <= fmax(1, FAR_BELOW * at_first)) /* within the tolerance, or as near as rounding allows */
        *correction = at_first > 0 ? SUCCEEDED : NOT_NEEDED;
    return NEWTON_CONVERGED;
}

/* Values of ic= that unspecified ones have pulled away, brought back (initial_values_kept.h); from then on the
 * charges are those of the values found.  Where that fails, as across a junction that would have to conduct too
 * much, x stays. */
static enum newton_outcome keep_given(struct start *s, const struct initial_values *g, double *x)
{
    const size_t bytes = (size_t)s->augmented.dae.n * sizeof *x;
    memcpy(s->found, x, bytes);
    memcpy(s->charges, s->q, bytes);
    enum correction correction;
    enum newton_outcome outcome = correct_charges(s, g, x, &correction);
    if (correction == SUCCEEDED)
        outcome = charges_at(s, x, s->q) == KN_OK ? take_steps(s, 2, x) : NEWTON_FAILED;
    if (outcome != NEWTON_FAILED && (correction == IN_VAIN || outcome != NEWTON_CONVERGED)) {
        memcpy(x, s->found, bytes);
        memcpy(s->q, s->charges, bytes);
        outcome = take_steps(s, 2, x); /* again, since the impulses of the last steps are the ones that are reported */
    }
    return outcome;
}

static enum newton_outcome find_values(struct start *s, const struct initial_values *g, double *x)
{
    enum newton_outcome outcome = find_charges(s, g, x);
    if (outcome == NEWTON_CONVERGED)
        outcome = take_steps(s, 2, x);
    return outcome == NEWTON_CONVERGED && g ? keep_given(s, g, x) : outcome;
}

/* Whether the time constants at the solution ask for shorter steps than were taken; or for very much longer ones, in
 * which round-off matters less, where junctions that conducted at the guess only had made them short.  After steps that had been
 * too long they ask for those again: what grows in a step (Robertson's kinetics) stands at zero at the solution. */
static bool steps_were_ill_chosen(struct start *s, const double *x, bool *too_long)
{
    const double taken = s->step.h;
    if (consistent_euler_choose(&s->step, x, x, limit_of_steps(s)) != KN_OK)
        return false;
    const bool too_short = !s->step.sums && !*too_long && s->step.h > MUCH_SHORTER * taken;
    *too_long = MUCH_LONGER * s->step.h < taken;
    if (*too_long || too_short)
        return true;
    s->step.h = fmin(s->step.h, taken); /* consistent_euler_settle may have shortened it */
    return false;
}

/* Where steps turn out to have been too long, shorter ones are better if they succeed: junctions that would have to
 * break down first may only rest at the longer ones.  But not if they leave voltages to round-off more than those before: in steps of
 * 1e-24 s a part that hangs on three coils stood at -4e21 V instead of 148 V. */
static void repeat_with_better_steps(struct start *s, const struct initial_values *g, double *x)
{
    bool too_long = false;
    double taken = s->step.h, unsettled = s->step.unsettled;
    s->described = false;
    for (int pass = 0; pass < CONSISTENT_EULER_ATTEMPTS && steps_were_ill_chosen(s, x, &too_long); pass++) {
        memcpy(s->again, x, (size_t)s->augmented.dae.n * sizeof *x);
        if (find_values(s, g, s->again) != NEWTON_CONVERGED || s->step.unsettled > fmax(1, unsettled)) {
            s->step.h = taken;
            s->step.unsettled = unsettled;
            return;
        }
        memcpy(x, s->again, (size_t)s->augmented.dae.n * sizeof *x);
        taken = s->step.h;
        unsettled = s->step.unsettled;
        report_impulses(s, g != NULL);
    }
}

/* What feedback holds at the zero of a comparison from the start on has values on neither side of it. */
static enum newton_outcome find_values_at_zero(struct start *s, const struct initial_values *g, double *x)
{
    memcpy(x, g->x, (size_t)s->augmented.dae.n * sizeof *x);
    enum kn_status status = consistent_hold_at_zero(s->mna, s->time, g->x, true);
    if (status == KN_OK)
        status = consistent_euler_choose(&s->step, x, s->zero, limit_of_steps(s));
    const enum newton_outcome outcome = status == KN_OK ? find_values(s, g, x) : NEWTON_FAILED;
    return consistent_hold_at_zero(s->mna, s->time, g->x, false) == KN_OK ? outcome : NEWTON_FAILED;
}

/* Behind a rectifier that has turned, from x [n].  *is_there: s->passed is consistent by it, but for hidden constraints.  With sums that
 * hold on coils, too: a bridge of closed diodes between coils stood at -1.4 kV of 272 V in steps of 1e-14 s, in which h/L is less than what
 * rounding leaves of 1000 S, with currents off by less than their tolerance. */
static enum kn_status pass_layers(struct start *s, const double *x, bool *is_there)
{
    double h;
    bool summed = false;
    const double limit = limit_of_steps(s);
    memcpy(s->passed, x, (size_t)s->augmented.dae.n * sizeof *x);
    enum kn_status status = given_charges(s, NULL);
    if (status == KN_OK && !s->run->without_cuts)
        status = consistent_euler_sum_cuts(&s->step, s->memory, x, limit, &summed);
    if (status != KN_OK)
        return status;
    s->run->without_cuts = !s->step.sums;
    const enum newton_outcome outcome = consistent_euler_pass(&s->step, s->q, s->run->tolerances, limit, s->passed, &h);
    *is_there = outcome == NEWTON_CONVERGED && h > 0;
    if (outcome == NEWTON_FAILED)
        return report_failure(s, outcome);
    if (summed)
        status = consistent_euler_leave_cuts(&s->step, x, s->zero, limit);
    return status == KN_OK && *is_there ? consistent_complete(s->run, s->time, h, s->passed) : status;
}

/* Behind a rectifier that has turned, from x [n]: whether values behind layers are the ones.  They are doubtful where nobody sees layers,
 * or a switch would turn back: passing over a parabola's foot extrapolates a diode's current to the wrong side of zero.  Then what follows
 * from the charges counts, *outcome, into x, unless that is far from both. */
static bool values_are_passed(struct start *s, double *x, enum newton_outcome *outcome)
{
    const size_t bytes = (size_t)s->augmented.dae.n * sizeof *x;
    *outcome = NEWTON_CONVERGED;
    if (consistent_is_seen(s->run, x, s->passed) && !s->step.turned_back) {
        memcpy(x, s->passed, bytes);
        return true;
    }
    memcpy(s->before, x, bytes);
    *outcome = find_values(s, NULL, x);
    if (*outcome == NEWTON_FAILED ||
        (*outcome == NEWTON_CONVERGED && (!consistent_is_seen(s->run, x, s->before) || !consistent_is_seen(s->run, x, s->passed))))
        return false;
    memcpy(x, s->passed, bytes);
    return true;
}

/* The values g, or (NULL) the charges at s->given, made consistent. */
static enum kn_status start_from(struct start *s, const struct initial_values *g, double *x)
{
    const enum kn_status status = consistent_euler_choose(&s->step, x, s->zero, limit_of_steps(s));
    if (status != KN_OK)
        return status;
    bool passed = false;
    const enum kn_status unseen = !g && s->run->tolerances ? pass_layers(s, x, &passed) : KN_OK;
    if (unseen != KN_OK)
        return unseen;
    enum newton_outcome outcome = NEWTON_SLOW;
    if (passed && values_are_passed(s, x, &outcome))
        return KN_OK;
    if (!passed)
        outcome = find_values(s, g, x);
    if (outcome == NEWTON_SLOW && g)
        outcome = find_values_at_zero(s, g, x);
    if (outcome != NEWTON_CONVERGED)
        return report_failure(s, outcome);
    report_impulses(s, g != NULL);
    repeat_with_better_steps(s, g, x);
    const enum kn_status completed = consistent_complete(s->run, s->time, s->step.h, x);
    keep_exact(s, x);
    if (g)
        initial_values_report_moved(g, s->mna, x, s->diagnostics);
    return completed;
}

enum kn_status consistent_start(struct consistent *c, double time, struct kn_diagnostics *d, double *x)
{
    struct start s;
    struct initial_values g;
    enum kn_status status = initial_values_init(&g, c->mna, c->topology, d);
    if (status != KN_OK)
        return status;
    status = start_init(&s, c, g.x, time, d);
    s.described = true;
    s.step.reference = s.zero;
    memcpy(x, g.x, (size_t)mna_unknown_count(c->mna) * sizeof *x);
    if (status == KN_OK && !g.imposes)
        status = add_up(&s, g.x, true);
    if (status == KN_OK)
        status = start_from(&s, &g, x);
    if (status == KN_OK)
        initial_values_report(&g, c->topology, x, d);
    start_free(&s);
    initial_values_free(&g);
    return status;
}

enum kn_status consistent_restart(struct consistent *c, double time, struct kn_diagnostics *d, double *x)
{
    return consistent_carry(c, time, NULL, d, x);
}

enum kn_status consistent_carry(struct consistent *c, double time, const double *q, struct kn_diagnostics *d, double *x)
{
    struct start s;
    enum kn_status status = start_init(&s, c, x, time, d);
    s.stored = q;
    if (status == KN_OK && !c->without_sums)
        status = add_up(&s, x, false);
    c->without_sums = !s.step.sums;
    if (status == KN_OK)
        status = start_from(&s, NULL, x);
    c->unsettled = s.step.unsettled > 1;
    start_free(&s);
    return status;
}

enum kn_status consistent_event(struct consistent *c, double time, struct kn_diagnostics *d, double *x, bool *moved)
{
    bool restarts;
    const enum kn_status status = consistent_turn(c, time, x, moved, &restarts);
    return status == KN_OK && restarts ? consistent_restart(c, time, d, x) : status;
}
