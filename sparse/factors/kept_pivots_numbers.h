/* kept_pivots_numbers.h - the loops over numbers of kept_pivots.c, which includes this once for real and once for complex
 * ones, and of lanes.c, for several complex ones at once.  They define
 *
 *   NUMBER         the type
 *   NAME(name)     the name of a function for it
 *   SIZE(a)        |a|, or |re a| + |im a|
 *   ZERO           nothing
 *   IS_ZERO(a)     whether nothing comes of it
 *   MINUS(y, a, b) y - a b
 *   DIVISOR(p)     what a pivot is kept as
 *   OVER(a, d)     a / p of that
 */

/* y -= x times column j. */
static inline void NAME(subtract_column)(const struct part *p, int j, NUMBER x, NUMBER *restrict y)
{
    const NUMBER *value = p->value;
    const int *row = p->row;
    for (int e = p->start[j], end = p->start[j + 1]; e < end; e++)
        y[row[e]] = MINUS(y[row[e]], value[e], x);
}

/* start - column j times x */
static inline NUMBER NAME(minus_column)(const struct part *p, int j, const NUMBER *x, NUMBER start)
{
    const NUMBER *value = p->value;
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        start = MINUS(start, value[e], x[p->row[e]]);
    return start;
}

/* Reciprocal sizes of the rows of A in the blocks. */
static inline void NAME(measure_rows)(struct kept_pivots *k, const NUMBER *a)
{
    memset(k->row_weight, 0, (size_t)k->n * sizeof *k->row_weight);
    for (int e = 0; e < k->at.inside.start[k->n]; e++) {
        double *largest = &k->row_weight[k->at.inside.row[e]];
        const double size = SIZE(a[k->at.inside.slot[e]]);
        *largest = size > *largest ? size : *largest;
    }
    for (int i = 0; i < k->n; i++)
        k->row_weight[i] = k->row_weight[i] > 0 ? 1 / k->row_weight[i] : 1;
}

/* Scatters column j of A; the sum of its sizes. */
static inline double NAME(load_column)(struct kept_pivots *k, const NUMBER *a, int j, bool judged)
{
    NUMBER *work = k->work, *above = k->above.value;
    double sum = 0;
    for (int e = k->at.inside.start[j]; e < k->at.inside.start[j + 1]; e++) {
        const int i = k->at.inside.row[e];
        work[i] = a[k->at.inside.slot[e]];
        if (judged)
            sum += SIZE(work[i]) * k->row_weight[i];
    }
    for (int e = k->above.start[j]; e < k->above.start[j + 1]; e++)
        above[e] = a[k->at.above.slot[e]];
    return sum;
}

/* Column j of U, and what is left for that of L in work; the sum of sizes in U. */
static inline double NAME(eliminate)(struct kept_pivots *k, int j, bool judged)
{
    NUMBER *work = k->work, *upper = k->upper.value;
    double sum = 0;
    for (int e = k->upper.start[j]; e < k->upper.start[j + 1]; e++) {
        const int i = k->upper.row[e];
        const NUMBER u = work[i];
        work[i] = ZERO;
        upper[e] = u;
        if (judged)
            sum += SIZE(u) * k->row_weight[i];
        if (!IS_ZERO(u))
            NAME(subtract_column)(&k->lower, i, u, work);
    }
    return sum;
}

/* Column j of L; the sum of sizes of its pivot and of what is divided by it. */
static inline double NAME(divide)(struct kept_pivots *k, int j, bool judged)
{
    NUMBER *work = k->work, *divisor = k->divisor, *lower = k->lower.value;
    const NUMBER p = work[j], d = divisor[j] = DIVISOR(p);
    double sum = SIZE(p) * k->row_weight[j];
    work[j] = ZERO;
    for (int e = k->lower.start[j]; e < k->lower.start[j + 1]; e++) {
        const int i = k->lower.row[e];
        if (judged)
            sum += SIZE(work[i]) * k->row_weight[i];
        lower[e] = OVER(work[i], d);
        work[i] = ZERO;
    }
    return sum;
}

static inline bool NAME(factor_all)(struct kept_pivots *k, const NUMBER *a, bool judged, double *growth)
{
    const NUMBER *divisor = k->divisor;
    bool good = true;
    double least = 1;
    for (int j = 0; j < k->n; j++) {
        const double before = NAME(load_column)(k, a, j, judged), above = NAME(eliminate)(k, j, judged);
        const double below = NAME(divide)(k, j, judged);
        good &= !IS_ZERO(divisor[j]);
        if (judged) {
            const double ratio = before / (above + below);
            good &= isfinite(ratio) != 0; /* sums keep what is not a number */
            least = ratio < least ? ratio : least;
        }
    }
    *growth = least;
    return good;
}

static inline bool NAME(factor)(struct kept_pivots *k, const void *values, double *growth)
{
    double none;
    if (!growth)
        return NAME(factor_all)(k, values, false, &none);
    NAME(measure_rows)(k, values);
    return NAME(factor_all)(k, values, true, growth);
}

static inline void NAME(solve)(struct kept_pivots *k, void *right_side)
{
    NUMBER *x = k->work, *b = right_side;
    const NUMBER *divisor = k->divisor;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->at.row[i]];
    for (int block = k->at.blocks; block-- > 0;) {
        const int begin = k->at.block_start[block], end = k->at.block_start[block + 1];
        for (int j = begin; j < end; j++)
            if (!IS_ZERO(x[j]))
                NAME(subtract_column)(&k->lower, j, x[j], x);
        for (int j = end; j-- > begin;) {
            if (IS_ZERO(x[j]))
                continue;
            x[j] = OVER(x[j], divisor[j]);
            NAME(subtract_column)(&k->upper, j, x[j], x);
        }
        for (int j = begin; block > 0 && j < end; j++) /* nothing is above the first */
            NAME(subtract_column)(&k->above, j, x[j], x);
    }
    for (int i = 0; i < k->n; i++) {
        b[k->at.column[i]] = x[i];
        x[i] = ZERO;
    }
}

static inline void NAME(solve_transposed)(struct kept_pivots *k, void *right_side)
{
    NUMBER *x = k->work, *b = right_side;
    const NUMBER *divisor = k->divisor;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->at.column[i]];
    for (int block = 0; block < k->at.blocks; block++) {
        const int begin = k->at.block_start[block], end = k->at.block_start[block + 1];
        for (int j = begin; j < end; j++)
            x[j] = NAME(minus_column)(&k->above, j, x, x[j]);
        for (int j = begin; j < end; j++)
            x[j] = OVER(NAME(minus_column)(&k->upper, j, x, x[j]), divisor[j]);
        for (int j = end; j-- > begin;)
            x[j] = NAME(minus_column)(&k->lower, j, x, x[j]);
    }
    for (int i = 0; i < k->n; i++) {
        b[k->at.row[i]] = x[i];
        x[i] = ZERO;
    }
}
