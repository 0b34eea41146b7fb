/* noise.c - see noise.h.
 *
 * The effect of a perturbation is that of one implicit Euler step: (G + C/h)^-1 theta.  Looked at with h and 2h, it
 * falls apart into a constant and the part that goes with 1/h, whose coefficient is kept as the largest of the run.
 * Where f is nonlinear in the unknowns of index 2, the mean of it over positive and negative noise differs from its
 * value by a second-order part that goes with (theta/h)^2 and does not change its sign: over a run it adds up in the
 * other unknowns.  A look takes three factorisations; there is one whenever the step is half of the least so far, and
 * whenever there have been twice as many steps as at the last one.
 */
#include "mna/watch/noise_parts.h"

#include "base/rounding.h"
#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PATTERNS = 3, MORE_STEPS = 2 };

/* ---- set-up ---- */

static bool allocate(struct noise *s)
{
    const size_t n = (size_t)s->n + 1, entries = (size_t)mna_dae(s->mna)->pattern->entries + 1;
    double **const vectors[] = {&s->f,    &s->b,       &s->x,      &s->theta[0], &s->theta[1], &s->formula,
                                &s->left, &s->squared, &s->curved, &s->largest,  NULL};
    bool good = arena_vectors(s->memory, n, vectors) &&
                arena_vectors(s->memory, entries, (double **const[]){&s->G, &s->C, &s->matrix, NULL});
    for (int j = 0; good && j < FORMULA_POINTS; j++)
        good = arena_vectors(s->memory, n, (double **const[]){&s->sample[j], NULL});
    for (int cause = 0; good && cause < NOISE_CAUSES; cause++)
        good = arena_vectors(s->memory, n,
                             (double **const[]){&s->gain[cause], &s->effect[cause][0], &s->effect[cause][1], NULL});
    s->unknown = arena_array(s->memory, n, sizeof *s->unknown);
    s->power = arena_array(s->memory, n, sizeof *s->power);
    s->has_charge = arena_array(s->memory, n, sizeof *s->has_charge);
    return good && s->unknown && s->power && s->has_charge;
}

static bool has_index2(const struct dae *dae)
{
    for (int i = 0; i < dae->n; i++)
        if (dae->classes[i] == DAE_INDEX2)
            return true;
    return false;
}

enum kn_status noise_new(struct mna *m, const struct topology *t, const struct noise_settings *o, struct noise **out)
{
    const struct dae *dae = mna_dae(m);
    *out = NULL;
    if (!has_index2(dae))
        return KN_OK;
    struct arena *memory;
    struct noise *s = arena_object(sizeof *s, &memory);
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct noise){.memory = memory,
                        .mna = m,
                        .topology = t,
                        .relative = o->relative,
                        .duration = o->duration,
                        .index = o->index,
                        .completed = o->completed,
                        .n = dae->n,
                        .least = INFINITY};
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
    sparse_lu_free(s->lu);
    arena_free(s->memory);
}

/* ---- a look ---- */

/* What Newton's method left over and what formulas scatter is there to be seen in the constraints; elsewhere it is no
 * derivative. */
double noise_of_row(const struct noise *s, enum noise_cause cause, int i, double alpha)
{
    if (cause == NOISE_ROUNDING)
        return DBL_EPSILON * (s->theta[0][i] + alpha * s->theta[1][i]);
    if (s->has_charge[i])
        return 0;
    return cause == NOISE_NEWTON ? s->left[i] : s->formula[i];
}

/* By how much the last values miss the equation of row i, with its sign and less what rounding explains. */
static double left_over(const struct noise *s, int i)
{
    return s->has_charge[i] || fabs(s->f[i]) <= ROUNDING_SUM * s->theta[0][i] ? 0 : s->f[i];
}

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
    for (int i = 0; i < s->n; i++)
        s->left[i] = fmax(s->left[i], fabs(left_over(s, i)));
    return status;
}

static void keep_largest(const struct noise *s, double *effect)
{
    sparse_lu_solve(s->lu, s->b);
    for (int k = 0; k < s->count; k++)
        effect[k] = fmax(effect[k], fabs(s->b[s->unknown[k]]));
}

/* Rounding has any sign in each row; in some pattern its effects do not cancel. */
static void find_effect(struct noise *s, enum noise_cause cause, double alpha, double *effect)
{
    memset(effect, 0, (size_t)s->count * sizeof *effect);
    for (int pattern = 0; pattern < (cause == NOISE_NEWTON ? 1 : PATTERNS); pattern++) {
        for (int i = 0; i < s->n; i++)
            s->b[i] = cause == NOISE_NEWTON ? left_over(s, i) : scatter(i, pattern) * noise_of_row(s, cause, i, alpha);
        keep_largest(s, effect);
    }
}

bool noise_factor(struct noise *s, double alpha)
{
    const int entries = mna_dae(s->mna)->pattern->entries;
    for (int e = 0; e < entries; e++)
        s->matrix[e] = s->G[e] + alpha * s->C[e];
    return sparse_lu_factor(s->lu, s->matrix) == KN_OK;
}

/* The power of 1/h by which an effect grows, at least 1, at most the index less 1: steps near a resonance of a coil and a small
 * capacitance show more. */
static int power_of(const struct noise *s, int k)
{
    const double with_h = s->effect[NOISE_ROUNDING][0][k], with_2h = s->effect[NOISE_ROUNDING][1][k];
    const double ratio = with_2h > 0 ? with_h / with_2h : 2;
    const int power = ratio > 2.8 && isfinite(ratio) ? (int)lround(log2(ratio)) : 1;
    return s->index > 1 && power > s->index - 1 ? s->index - 1 : power;
}

/* Only the highest power found counts: it is what grows as steps shrink. */
static void keep_gains(struct noise *s, double h, int k)
{
    const int power = power_of(s, k);
    if (power < s->power[k])
        return;
    for (int cause = 0; cause < NOISE_CAUSES; cause++) {
        const double difference = s->effect[cause][0][k] - s->effect[cause][1][k];
        const double gain = difference * pow(h, power) / (1 - ldexp(1, -power));
        s->gain[cause][k] = power > s->power[k] ? gain : fmax(s->gain[cause][k], gain);
    }
    s->power[k] = power;
}

double noise_factor_of_order(const struct noise *s)
{
    enum { HIGHEST = 5 };
    double points = 0;
    for (int j = 1; j <= s->order && j <= HIGHEST; j++)
        points += ldexp(1, j) / j;
    return points;
}

static double largest_effect(const struct noise *s, int k)
{
    double largest = 0;
    for (int cause = 0; cause < NOISE_CAUSES; cause++)
        largest = fmax(largest, s->effect[cause][0][k]);
    return largest;
}

/* ---- how far it goes ---- */

static double rounding_of(const struct noise *s, int i)
{
    return ROUNDING_SUM * (s->theta[0][i] + fabs(s->sample[0][i]));
}

/* curved [n] := the second-order part of f beyond its rounding with x moved by a part of s->b [n] to both sides:
 * (f(x + z) + f(x - z))/2 - f(x). */
static enum kn_status curve_by(struct noise *s, double t, const double *x, double part, double *curved)
{
    const struct dae *dae = mna_dae(s->mna);
    enum kn_status status = KN_OK;
    for (int side = 0; side < 2 && status == KN_OK; side++) {
        struct dae_values values = {.f = s->sample[side]};
        for (int i = 0; i < s->n; i++)
            s->x[i] = x[i] + (side == 0 ? part : -part) * s->b[i];
        status = dae->eval(dae->problem, t, s->x, DAE_F, &values);
    }
    for (int i = 0; i < s->n; i++) {
        curved[i] = 0.5 * (s->sample[0][i] + s->sample[1][i]) - s->f[i];
        if (fabs(curved[i]) <= rounding_of(s, i))
            curved[i] = 0;
    }
    return status;
}

/* Whether a row has outgrown all powers up to the fourth from half the way on, and rounding there: an exponential, which answers
 * long before.  After curve_by. */
static bool outgrows_powers(const struct noise *s, const double *curved, const double *half)
{
    static const double fifth_power = 32;
    for (int i = 0; i < s->n; i++)
        if (!isfinite(curved[i]) || fabs(curved[i]) > fifth_power * fmax(fabs(half[i]), rounding_of(s, i)))
            return true;
    return false;
}

/* The part of s->b by which x may move before laws that are not linear, as those of diodes, hold it, at most 1: doubled from
 * the least on, since far beyond their exponentials are continued by lines.  curved [n]: f's second-order part there. */
static enum kn_status find_part(struct noise *s, double t, const double *x, double least, double *curved, double *part)
{
    double *next = s->sample[2];
    const size_t bytes = (size_t)s->n * sizeof *next;
    enum kn_status status = curve_by(s, t, x, least, curved);
    for (*part = least; status == KN_OK && *part < 1;) {
        const double wider = fmin(2 * *part, 1);
        status = curve_by(s, t, x, wider, next);
        if (status != KN_OK || outgrows_powers(s, next, curved))
            break;
        memcpy(curved, next, bytes);
        *part = wider;
    }
    return status;
}

static double tolerance_at(const struct noise *s, int i)
{
    return s->relative * s->largest[i] + mna_dae(s->mna)->absolute[i];
}

/* Noise in the unknowns alone: that of the equations at x if they are as linear as that. */
static enum kn_status bound_effects(struct noise *s, double t, const double *x)
{
    enum kn_status status = KN_OK;
    for (int k = 0; k < s->count && status == KN_OK; k++) {
        const int i = s->unknown[k];
        const double z = largest_effect(s, k), tolerance = tolerance_at(s, i);
        double part = 1;
        if (!(z > tolerance) || !isfinite(z))
            continue;
        memset(s->b, 0, (size_t)s->n * sizeof *s->b);
        s->b[i] = z;
        status = find_part(s, t, x, tolerance / z, s->sample[3], &part);
        for (int cause = 0; cause < NOISE_CAUSES; cause++)
            for (int twice = 0; twice < 2; twice++)
                s->effect[cause][twice][k] *= part;
    }
    return status;
}

/* ---- its square ---- */

/* The part of s->b by which no unknown moves further than its tolerance, in which no law is less linear than a run takes it to be. */
static double part_of_tolerances(const struct noise *s)
{
    static const double LEAST_PART = 0x1p-40;
    double part = 1;
    for (int k = 0; k < s->count; k++) {
        const int i = s->unknown[k];
        part = fmin(part, tolerance_at(s, i) / fabs(s->b[i]));
    }
    return fmax(part, LEAST_PART);
}

/* What the noise of all index-2 unknowns at once, of such signs that it does not cancel, does to f. */
static enum kn_status find_curvature(struct noise *s, double t, const double *x)
{
    enum kn_status status = KN_OK;
    memset(s->curved, 0, (size_t)s->n * sizeof(double));
    for (int pattern = 0; pattern < 2 && status == KN_OK; pattern++) {
        double part, *curved = s->sample[3];
        memset(s->b, 0, (size_t)s->n * sizeof *s->b);
        for (int k = 0; k < s->count; k++) {
            const double sign = pattern == 0 || scatter(s->unknown[k], pattern) > 0 ? 1 : -1;
            s->b[s->unknown[k]] = sign * noise_factor_of_order(s) * largest_effect(s, k);
        }
        status = find_part(s, t, x, part_of_tolerances(s), curved, &part);
        for (int i = 0; i < s->n && status == KN_OK; i++)
            if (isfinite(curved[i]) && fabs(curved[i]) > fabs(s->curved[i]))
                s->curved[i] = curved[i];
    }
    return status;
}

static int highest_power(const struct noise *s)
{
    int highest = 1;
    for (int k = 0; k < s->count; k++)
        highest = s->power[k] > highest ? s->power[k] : highest;
    return highest;
}

/* What a perturbation that lasts for the whole run does to the unknowns that are not of index 2. */
static enum kn_status keep_squared(struct noise *s, double t, double h, const double *x)
{
    const struct dae *dae = mna_dae(s->mna);
    const enum kn_status status = find_curvature(s, t, x);
    if (status != KN_OK || !(s->duration > 0) || !noise_factor(s, 1 / s->duration))
        return status;
    sparse_lu_solve(s->lu, s->curved);
    for (int i = 0; i < s->n; i++)
        if (dae->classes[i] != DAE_INDEX2 && isfinite(s->curved[i]))
            s->squared[i] = fmax(s->squared[i], fabs(s->curved[i]) * pow(h, 2 * highest_power(s)));
    return KN_OK;
}

static enum kn_status look(struct noise *s, double t, double h, const double *x)
{
    enum kn_status status = evaluate(s, t, x);
    if (status == KN_OK)
        status = noise_scan_formulas(s, t, h, x);
    for (int twice = 0; status == KN_OK && twice < 2; twice++) {
        const double alpha = 1 / ((twice + 1) * h);
        if (!noise_factor(s, alpha))
            return KN_OK;
        for (enum noise_cause cause = 0; cause < NOISE_CAUSES; cause++)
            find_effect(s, cause, alpha, s->effect[cause][twice]);
    }
    if (status == KN_OK && !mna_dae(s->mna)->linear)
        status = bound_effects(s, t, x);
    for (int k = 0; status == KN_OK && k < s->count; k++)
        keep_gains(s, h, k);
    return status == KN_OK && !mna_dae(s->mna)->linear ? keep_squared(s, t, h, x) : status;
}

int noise_bin_of(double h)
{
    const int bin = ilogb(h) + NOISE_MIDDLE_BIN;
    return bin < 0 ? 0 : bin >= NOISE_BINS ? NOISE_BINS - 1 : bin;
}

enum kn_status noise_step(struct noise *s, double t, double h, int order, const double *x)
{
    if (!(h > 0))
        return KN_OK;
    s->steps++;
    s->bins[noise_bin_of(h)]++;
    s->order = order > s->order ? order : s->order;
    for (int i = 0; i < s->n; i++)
        s->largest[i] = fmax(s->largest[i], fabs(x[i]));
    if (h > 0.5 * s->least && s->steps < s->next_look)
        return KN_OK;
    s->least = fmin(s->least, h);
    s->next_look = MORE_STEPS * s->steps;
    s->looked_at = h;
    return look(s, t, h, x);
}
