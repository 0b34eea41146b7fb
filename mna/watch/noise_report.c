/* noise_report.c - what a run says about noise; see noise.h. */
#include "mna/watch/noise_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Noise that dominates in fewer steps is not worth a message. */
static const double LEAST_SHARE = 0.02;
enum { LEAST_STEPS = 10 };

/* Index-2 unknowns that are uncertain, or others that these move. */
struct finding {
    int unknown; /* from 0 */
    int power;   /* of 1/h */
    double gain; /* its coefficient */
    double tolerance, limit;
    long below; /* steps shorter than the limit */
};

static enum noise_cause strongest_cause(const struct noise *s, int k)
{
    enum noise_cause strongest = NOISE_ROUNDING;
    for (enum noise_cause cause = 0; cause < NOISE_CAUSES; cause++)
        if (s->gain[cause][k] > s->gain[strongest][k])
            strongest = cause;
    return strongest;
}

static long steps_below(const struct noise *s, double limit)
{
    long count = 0;
    for (int bin = 0; limit > 0 && bin < noise_bin_of(limit); bin++)
        count += s->bins[bin];
    return count;
}

/* The step at which noise is as large as the tolerance. */
static struct finding finding_of(const struct noise *s, int unknown, double gain, int power)
{
    struct finding f = {.unknown = unknown, .power = power, .gain = gain};
    f.tolerance = s->relative * s->largest[unknown] + mna_dae(s->mna)->absolute[unknown];
    f.limit = power > 0 ? pow(gain / f.tolerance, 1.0 / power) : 0;
    f.below = steps_below(s, f.limit);
    return f;
}

static double size_at(const struct finding *f, double h)
{
    return f->gain / pow(h, f->power);
}

static struct finding worst_of_index2(const struct noise *s, int *place)
{
    struct finding worst = {.limit = -1};
    for (int k = 0; k < s->count; k++) {
        const double gain = s->gain[strongest_cause(s, k)][k] * pow(noise_factor_of_order(s), s->power[k]);
        const struct finding f = finding_of(s, s->unknown[k], gain, s->power[k]);
        if (f.limit > worst.limit) {
            worst = f;
            *place = k;
        }
    }
    return worst;
}

static struct finding worst_of_others(const struct noise *s, int power)
{
    struct finding worst = {.limit = -1};
    for (int i = 0; i < s->n; i++) {
        const struct finding f = finding_of(s, i, s->squared[i], 2 * power);
        if (mna_dae(s->mna)->classes[i] != DAE_INDEX2 && f.limit > worst.limit)
            worst = f;
    }
    return worst;
}

static bool is_worth_a_note(const struct noise *s, const struct finding *f)
{
    return f->below >= LEAST_STEPS && (double)f->below >= LEAST_SHARE * (double)s->steps;
}

/* The step that half of those below the limit were shorter than. */
static double typical_step(const struct noise *s, long below)
{
    int bin = 0;
    for (long count = s->bins[0]; 2 * count < below; count += s->bins[bin])
        bin++;
    return ldexp(1, bin - NOISE_MIDDLE_BIN);
}

/* ---- where ---- */

static bool is_in_loop(const struct branch_set *set, int unknown)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->branches[i]->current == unknown)
            return true;
    return false;
}

static bool is_in_part(const struct node_set *part, int unknown)
{
    for (size_t i = 0; i < part->count; i++)
        if (part->nodes[i] == unknown)
            return true;
    return false;
}

/* The loop or cutset that makes the unknown (from 1) one of index 2; NULL if it is neither. */
static const struct branch_set *find_set(const struct topology *t, int unknown, bool *loop)
{
    for (size_t i = 0; i < t->cv_loops.count; i++)
        if ((*loop = is_in_loop(&t->cv_loops.sets[i], unknown)))
            return &t->cv_loops.sets[i];
    for (size_t i = 0; i < t->li_cutsets.count; i++)
        if (is_in_part(&t->li_parts.sets[i], unknown))
            return &t->li_cutsets.sets[i];
    return NULL;
}

/* "the C-V loop V1 (line 2) - C1 (line 3)" */
static void describe_cause(const struct noise *s, int unknown, char *text, size_t size)
{
    bool loop = false;
    const struct branch_set *set = find_set(s->topology, unknown + 1, &loop);
    struct text cause = text_in(text, size);
    if (!set) {
        mna_describe(s->mna, unknown, text, size);
        return;
    }
    text_add(&cause, loop ? "the C-V loop " : "the L-I cutset ");
    branch_set_list(&cause, set, s->topology->file, " - ", TOPOLOGY_MOST_NAMES);
}

/* The row through which most of the perturbation reaches the unknown, as of the last look. */
static int strongest_row(struct noise *s, enum noise_cause cause, int unknown)
{
    const double alpha = 1 / s->looked_at;
    int strongest = unknown;
    for (int i = 0; i < s->n; i++)
        s->b[i] = i == unknown;
    if (!noise_factor(s, alpha))
        return unknown;
    sparse_lu_solve_transposed(s->lu, s->b);
    for (int i = 0; i < s->n; i++)
        if (fabs(s->b[i] * noise_of_row(s, cause, i, alpha)) >
            fabs(s->b[strongest] * noise_of_row(s, cause, strongest, alpha)))
            strongest = i;
    return strongest;
}

static const char *unit_of(const struct noise *s, int unknown)
{
    return mna_unknown(s->mna, unknown)->kind == UNKNOWN_VOLTAGE ? "V" : "A";
}

/* "rounding there (theta = 2e-16 V)".  Balances of nodes are in A and charges in C, equations of branches in V and
 * their fluxes in Wb. */
static void describe_theta(struct noise *s, enum noise_cause cause, int unknown, char *text, size_t size)
{
    static const char *const words[] = {"rounding", "what Newton's method leaves over", "rounding within formulas"};
    const double alpha = 1 / s->looked_at;
    const int row = strongest_row(s, cause, unknown);
    const bool balance = mna_unknown(s->mna, row)->kind == UNKNOWN_VOLTAGE;
    const bool charge = cause == NOISE_ROUNDING && alpha * s->theta[1][row] > s->theta[0][row];
    const double theta = charge ? DBL_EPSILON * s->theta[1][row] : fabs(noise_of_row(s, cause, row, 0));
    const char *unit = charge ? balance ? "C" : "Wb" : balance ? "A" : "V";
    snprintf(text, size, "%s there (theta = %.2g %s)", words[cause], theta, unit);
}

/* ---- messages ---- */

/* Regions B and C of Arnold's Table 2.1: only the unknowns of index 2 suffer, or the others, too. */
static const char *hint_of(const struct noise *s, const struct finding *others, enum noise_cause cause,
                           struct kn_diagnostics *d)
{
    const char *newton = cause == NOISE_NEWTON ? ", a smaller kappa" : "";
    char name[300];
    if (!is_worth_a_note(s, others))
        return diagnostics_hint(
            d,
            "the other unknowns are not affected; slower edges, a larger tmax or reltol%s keep steps "
            "above the limit, and knoten check tells how to get index 1",
            newton);
    mna_describe(s->mna, others->unknown, name, sizeof name);
    const double step = typical_step(s, others->below);
    return diagnostics_hint(
        d,
        "%s (%s) depends on the square of this noise, which moves it by up to %.2g %s during the run, "
        "%.2g times its tolerance: steps below %.2g s make its results wrong, too; slower edges, a "
        "larger tmax or reltol%s keep steps longer",
        mna_unknown(s->mna, others->unknown)->name, name, size_at(others, step), unit_of(s, others->unknown),
        size_at(others, step) / others->tolerance, others->limit, newton);
}

void noise_report(struct noise *s, struct kn_diagnostics *d)
{
    int k = 0;
    const struct finding worst = worst_of_index2(s, &k);
    const enum noise_cause cause = strongest_cause(s, k);
    char where[400], theta[100], power[20] = "";
    if (!is_worth_a_note(s, &worst))
        return;
    const struct finding others = worst_of_others(s, worst.power);
    if (s->completed && !is_worth_a_note(s, &others))
        return;
    const double step = typical_step(s, worst.below);
    if (worst.power > 1)
        snprintf(power, sizeof power, "^%d", worst.power);
    describe_cause(s, worst.unknown, where, sizeof where);
    describe_theta(s, cause, worst.unknown, theta, sizeof theta);
    diagnostics_add(
        d, is_worth_a_note(s, &others) ? KN_WARNING : KN_NOTE, "noise-index-2", NOWHERE, hint_of(s, &others, cause, d),
        "noise dominates %s, an unknown of index %d (%s): %s, divided by the step%s, makes it uncertain by "
        "%.2g %s at steps of %.2g s, %.2g times its tolerance; the limit is a step of %.2g s, and %ld of %ld "
        "steps were shorter",
        mna_unknown(s->mna, worst.unknown)->name, worst.power + 1, where, theta, power, size_at(&worst, step),
        unit_of(s, worst.unknown), step, size_at(&worst, step) / worst.tolerance, worst.limit, worst.below, s->steps);
}
