/* noise.c - see noise.h.
 *
 * The effect of a perturbation is that of one implicit Euler step: (G + C/h)^-1 theta.  Looked at with h and 2h, it
 * falls apart into a constant and the part that goes with 1/h, whose coefficient is kept as the largest of the run.  A
 * look takes two factorisations; there is one whenever the step is half of the least so far.
 */
#include "mna/noise.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 3, BINS = 400, MIDDLE = 250 };

/* Noise that dominates in fewer steps is not worth a message. */
static const double LEAST_SHARE = 0.02;
enum { LEAST_STEPS = 10 };

/* What a perturbation is. */
enum { ROUNDING, NEWTON, CAUSES };

struct noise {
    struct mna *mna;
    const struct topology *topology;
    double relative;
    int n, count;
    int *unknown; /* [count] from 0 */
    struct sparse_lu *lu;
    double *G, *C, *matrix;
    double *f, *theta[2], *b;  /* [n]; theta: rounding of f and, where there are charges, of q */
    bool *has_charge;          /* [n] rows */
    double *effect[CAUSES][2]; /* [count] with h and 2h */
    double *gain[CAUSES];      /* [count] the coefficient of 1/h^power */
    int *power;                /* [count] 1 with index 2, more with a higher index */
    double *largest;           /* [count] of the unknown */
    int order;                 /* highest of the run */
    double looked_at;          /* s, smallest step so far with a look */
    long steps, bins[BINS];    /* by the binary exponent of the step */
};

/* ---- set-up ---- */

static bool allocate(struct noise *s)
{
    const struct sparse_pattern *pattern = mna_dae(s->mna)->pattern;
    const size_t n = (size_t)s->n + 1;
    double **const vectors[] = {&s->f,
                                &s->theta[0],
                                &s->theta[1],
                                &s->b,
                                &s->effect[ROUNDING][0],
                                &s->effect[ROUNDING][1],
                                &s->effect[NEWTON][0],
                                &s->effect[NEWTON][1],
                                &s->gain[ROUNDING],
                                &s->gain[NEWTON],
                                &s->largest};
    bool good = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        good = (*vectors[i] = calloc(n, sizeof(double))) && good;
    s->unknown = calloc(n, sizeof *s->unknown);
    s->power = calloc(n, sizeof *s->power);
    s->has_charge = calloc(n, sizeof *s->has_charge);
    s->G = sparse_values(pattern);
    s->C = sparse_values(pattern);
    s->matrix = sparse_values(pattern);
    return good && s->unknown && s->power && s->has_charge && s->G && s->C && s->matrix;
}

static bool has_index2(const struct dae *dae)
{
    for (int i = 0; i < dae->n; i++)
        if (dae->classes[i] == DAE_INDEX2)
            return true;
    return false;
}

enum kn_status noise_new(struct mna *m, const struct topology *t, double relative, struct noise **out)
{
    const struct dae *dae = mna_dae(m);
    *out = NULL;
    if (!has_index2(dae))
        return KN_OK;
    struct noise *s = calloc(1, sizeof *s);
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct noise){.mna = m, .topology = t, .relative = relative, .n = dae->n};
    s->looked_at = INFINITY;
    enum kn_status status = allocate(s) ? sparse_lu_new(dae->pattern, &s->lu) : KN_ERROR_MEMORY;
    if (status != KN_OK) {
        noise_free(s);
        return status;
    }
    for (int i = 0; i < dae->n; i++)
        if (dae->classes[i] == DAE_INDEX2)
            s->unknown[s->count++] = i;
    *out = s;
    return KN_OK;
}

void noise_free(struct noise *s)
{
    if (!s)
        return;
    double *const vectors[] = {s->f,
                               s->theta[0],
                               s->theta[1],
                               s->b,
                               s->effect[ROUNDING][0],
                               s->effect[ROUNDING][1],
                               s->effect[NEWTON][0],
                               s->effect[NEWTON][1],
                               s->gain[ROUNDING],
                               s->gain[NEWTON],
                               s->largest,
                               s->G,
                               s->C,
                               s->matrix};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]);
    free(s->unknown);
    free(s->power);
    free(s->has_charge);
    sparse_lu_free(s->lu);
    free(s);
}

/* ---- a look ---- */

/* The sizes of what is rounded in each row, and which rows are constraints. */
static enum kn_status evaluate(struct noise *s, double t, const double *x)
{
    const struct dae *dae = mna_dae(s->mna);
    struct dae_values values = {.f = s->f, .G = s->G, .C = s->C};
    const enum kn_status status = dae->eval(dae->problem, t, x, DAE_F | DAE_G | DAE_C, &values);
    memset(s->theta[0], 0, (size_t)s->n * sizeof(double));
    memset(s->theta[1], 0, (size_t)s->n * sizeof(double));
    memset(s->has_charge, 0, (size_t)s->n * sizeof(bool));
    sparse_multiply_add_absolute(dae->pattern, s->G, x, s->theta[0]);
    sparse_multiply_add_absolute(dae->pattern, s->C, x, s->theta[1]);
    for (int e = 0; e < dae->pattern->entries; e++)
        if (s->C[e] != 0)
            s->has_charge[dae->pattern->row[e]] = true;
    return status;
}

static void keep_largest(const struct noise *s, double *effect)
{
    sparse_lu_solve(s->lu, s->b);
    for (int k = 0; k < s->count; k++)
        effect[k] = fmax(effect[k], fabs(s->b[s->unknown[k]]));
}

/* Rounding has any sign in each row; in some pattern its effects do not cancel.  What Newton's method left over is
 * there to be seen in the constraints; elsewhere it is no derivative. */
static void find_effect(struct noise *s, int cause, double alpha, double *effect)
{
    memset(effect, 0, (size_t)s->count * sizeof *effect);
    for (int pattern = 0; pattern < (cause == NEWTON ? 1 : PATTERNS); pattern++) {
        for (int i = 0; i < s->n; i++)
            s->b[i] = cause == NEWTON ? (s->has_charge[i] ? 0 : s->f[i])
                                      : scatter(i, pattern) * DBL_EPSILON * (s->theta[0][i] + alpha * s->theta[1][i]);
        keep_largest(s, effect);
    }
}

static bool factor(struct noise *s, double alpha)
{
    const int entries = mna_dae(s->mna)->pattern->entries;
    for (int e = 0; e < entries; e++)
        s->matrix[e] = s->G[e] + alpha * s->C[e];
    return sparse_lu_factor(s->lu, s->matrix) == KN_OK;
}

/* The power of 1/h by which an effect grows, at least 1. */
static int power_of(double with_h, double with_2h)
{
    const double ratio = with_2h > 0 ? with_h / with_2h : 2;
    return ratio > 2.8 && isfinite(ratio) ? (int)lround(log2(ratio)) : 1;
}

/* Only the highest power found counts: it is what grows as steps shrink. */
static void keep_gains(struct noise *s, double h, int k)
{
    const int power = power_of(s->effect[ROUNDING][0][k], s->effect[ROUNDING][1][k]);
    if (power < s->power[k])
        return;
    for (int cause = 0; cause < CAUSES; cause++) {
        const double difference = s->effect[cause][0][k] - s->effect[cause][1][k];
        const double gain = difference * pow(h, power) / (1 - ldexp(1, -power));
        s->gain[cause][k] = power > s->power[k] ? gain : fmax(s->gain[cause][k], gain);
    }
    s->power[k] = power;
}

static enum kn_status look(struct noise *s, double t, double h, const double *x)
{
    const enum kn_status status = evaluate(s, t, x);
    for (int twice = 0; status == KN_OK && twice < 2; twice++) {
        const double alpha = 1 / ((twice + 1) * h);
        if (!factor(s, alpha))
            return KN_OK;
        for (int cause = 0; cause < CAUSES; cause++)
            find_effect(s, cause, alpha, s->effect[cause][twice]);
    }
    for (int k = 0; status == KN_OK && k < s->count; k++)
        keep_gains(s, h, k);
    return status;
}

static int bin_of(double h)
{
    const int bin = ilogb(h) + MIDDLE;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

enum kn_status noise_step(struct noise *s, double t, double h, int order, const double *x)
{
    if (!(h > 0))
        return KN_OK;
    s->steps++;
    s->bins[bin_of(h)]++;
    s->order = order > s->order ? order : s->order;
    for (int k = 0; k < s->count; k++)
        s->largest[k] = fmax(s->largest[k], fabs(x[s->unknown[k]]));
    if (h > 0.5 * s->looked_at)
        return KN_OK;
    s->looked_at = h;
    return look(s, t, h, x);
}

/* ---- message ---- */

static double tolerance_of(const struct noise *s, int k)
{
    return s->relative * s->largest[k] + mna_dae(s->mna)->absolute[s->unknown[k]];
}

/* How much larger the differences are than that of implicit Euler. */
static double factor_of_order(const struct noise *s)
{
    enum { HIGHEST = 5 };
    double points = 0;
    for (int j = 1; j <= s->order && j <= HIGHEST; j++)
        points += ldexp(1, j) / j;
    return points;
}

static double uncertainty_at(const struct noise *s, int k, double h)
{
    return fmax(s->gain[ROUNDING][k], s->gain[NEWTON][k]) * pow(factor_of_order(s) / h, s->power[k]);
}

/* The step at which noise is as large as the tolerance. */
static double limit_of(const struct noise *s, int k)
{
    return s->power[k] > 0 ? pow(uncertainty_at(s, k, 1) / tolerance_of(s, k), 1.0 / s->power[k]) : 0;
}

static long steps_below(const struct noise *s, double limit)
{
    long count = 0;
    for (int bin = 0; limit > 0 && bin < bin_of(limit); bin++)
        count += s->bins[bin];
    return count;
}

/* The step that half of those below the limit were shorter than. */
static double typical_step(const struct noise *s, long below)
{
    int bin = 0;
    for (long count = s->bins[0]; 2 * count < below; count += s->bins[bin])
        bin++;
    return ldexp(1, bin - MIDDLE);
}

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
static void describe(const struct noise *s, int k, char *text, size_t size)
{
    enum { MOST = 6 };
    bool loop = false;
    const struct branch_set *set = find_set(s->topology, s->unknown[k] + 1, &loop);
    size_t used = (size_t)snprintf(text, size, "%s", !set ? "" : loop ? "the C-V loop " : "the L-I cutset ");
    for (size_t i = 0; set && i < set->count && i < MOST && used < size; i++) {
        const struct element *e = set->branches[i]->element;
        used += (size_t)snprintf(text + used, size - used, "%s%s (line %d)", i ? " - " : "", e->name, e->where.line);
    }
    if (set && set->count > MOST && used < size)
        snprintf(text + used, size - used, " - ..");
    if (!set)
        mna_describe(s->mna, s->unknown[k], text, size);
}

static int find_worst(const struct noise *s)
{
    int worst = 0;
    for (int k = 1; k < s->count; k++)
        if (limit_of(s, k) > limit_of(s, worst))
            worst = k;
    return worst;
}

static bool is_worth_a_note(const struct noise *s, long below)
{
    return below >= LEAST_STEPS && (double)below >= LEAST_SHARE * (double)s->steps;
}

void noise_report(const struct noise *s, struct kn_diagnostics *d)
{
    const int k = find_worst(s);
    const double limit = limit_of(s, k);
    const long below = steps_below(s, limit);
    const struct unknown *u = mna_unknown(s->mna, s->unknown[k]);
    const bool newton = s->gain[NEWTON][k] > s->gain[ROUNDING][k];
    char cause[400], power[20] = "";
    if (!is_worth_a_note(s, below))
        return;
    if (s->power[k] > 1)
        snprintf(power, sizeof power, "^%d", s->power[k]);
    const double step = typical_step(s, below), uncertainty = uncertainty_at(s, k, step);
    describe(s, k, cause, sizeof cause);
    const char *hint = diagnostics_hint(
        d,
        "the other unknowns are not affected; slower edges, a larger tmax or reltol%s keep steps above "
        "the limit, and knoten check tells how to get index 1",
        newton ? ", a smaller kappa" : "");
    diagnostics_add(
        d, KN_NOTE, "noise-index-2", NOWHERE, hint,
        "noise dominates %s, an unknown of index %d (%s): %s, divided by the step%s, makes it uncertain by %.2g "
        "%s at steps of %.2g s, %.2g times its tolerance; the limit is a step of %.2g s, and %ld of %ld steps were "
        "shorter",
        u->name, s->power[k] + 1, cause, newton ? "what Newton's method leaves over there" : "rounding there", power,
        uncertainty, u->kind == UNKNOWN_VOLTAGE ? "V" : "A", step, uncertainty / tolerance_of(s, k), limit, below,
        s->steps);
}
