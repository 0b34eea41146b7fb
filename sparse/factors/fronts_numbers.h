/* fronts_numbers.h - the loops over numbers of fronts, which kept_pivots.c includes once for real and once for complex ones
 * behind kept_pivots_numbers.h, whose macros they use. */

/* Rows that are worked at together, and pivots, which go through columns of their own block first: numbers of a large front are
 * fetched from far away once for each block.  bench/README.md. */
enum { NAME(tile) = 64, NAME(panel) = 16, NAME(block) = 32 };

/* y -= a x for columns of `rows` numbers that are `apart`, four at a time: each number of y is fetched and put back once for
 * four products. */
VECTOR_FUNCTION void NAME(subtract_columns)(int rows, int columns, const NUMBER *a, size_t apart, const NUMBER *x,
                                            NUMBER *restrict y)
{
    int k = 0;
    for (; k + 4 <= columns; k += 4) {
        const NUMBER *a0 = a + (size_t)k * apart, *a1 = a0 + apart, *a2 = a1 + apart, *a3 = a2 + apart;
        const NUMBER x0 = x[k], x1 = x[k + 1], x2 = x[k + 2], x3 = x[k + 3];
        for (int i = 0; i < rows; i++)
            y[i] = MINUS(MINUS(MINUS(MINUS(y[i], a0[i], x0), a1[i], x1), a2[i], x2), a3[i], x3);
    }
    for (; k < columns; k++) {
        const NUMBER *ak = a + (size_t)k * apart, xk = x[k];
        for (int i = 0; i < rows; i++)
            y[i] = MINUS(y[i], ak[i], xk);
    }
}

/* The same for two columns of x and y, `x_apart` and `y_apart`. */
VECTOR_FUNCTION void NAME(subtract_pair)(int rows, int columns, const NUMBER *a, size_t apart, const NUMBER *x,
                                         size_t x_apart, NUMBER *restrict y, NUMBER *restrict z)
{
    const NUMBER *w = x + x_apart;
    int k = 0;
    for (; k + 4 <= columns; k += 4) {
        const NUMBER *a0 = a + (size_t)k * apart, *a1 = a0 + apart, *a2 = a1 + apart, *a3 = a2 + apart;
        const NUMBER x0 = x[k], x1 = x[k + 1], x2 = x[k + 2], x3 = x[k + 3];
        const NUMBER w0 = w[k], w1 = w[k + 1], w2 = w[k + 2], w3 = w[k + 3];
        for (int i = 0; i < rows; i++) {
            const NUMBER b0 = a0[i], b1 = a1[i], b2 = a2[i], b3 = a3[i];
            y[i] = MINUS(MINUS(MINUS(MINUS(y[i], b0, x0), b1, x1), b2, x2), b3, x3);
            z[i] = MINUS(MINUS(MINUS(MINUS(z[i], b0, w0), b1, w1), b2, w2), b3, w3);
        }
    }
    for (; k < columns; k++) {
        const NUMBER *ak = a + (size_t)k * apart, xk = x[k], wk = w[k];
        for (int i = 0; i < rows; i++) {
            y[i] = MINUS(y[i], ak[i], xk);
            z[i] = MINUS(z[i], ak[i], wk);
        }
    }
}

/* The columns [first, last) of a front, and its pivots [begin, end), whose products are taken off the rows behind them. */
struct NAME(update) {
    NUMBER *front;
    int size, begin, end, first, last;
};

/* In pieces that stay in the nearest memory. */
VECTOR_FUNCTION void NAME(subtract_all)(struct NAME(update) u)
{
    const size_t apart = (size_t)u.size;
    const int columns = u.end - u.begin;
    for (int top = u.end; top < u.size; top += NAME(tile)) {
        const int rows = u.size - top < NAME(tile) ? u.size - top : NAME(tile);
        const NUMBER *a = u.front + (size_t)top + (size_t)u.begin * apart;
        int j = u.first;
        for (; j + 2 <= u.last; j += 2) {
            NUMBER *column = u.front + (size_t)j * apart;
            NAME(subtract_pair)(rows, columns, a, apart, column + u.begin, apart, column + top, column + apart + top);
        }
        if (j < u.last) {
            NUMBER *column = u.front + (size_t)j * apart;
            NAME(subtract_columns)(rows, columns, a, apart, column + u.begin, column + top);
        }
    }
}

VECTOR_TWICE(NAME(subtract_products), NAME(subtract_all), (struct NAME(update) u), (u))

static bool NAME(divide_column)(NUMBER *column, int size, int j, double least, NUMBER *divisor)
{
    const NUMBER d = *divisor = DIVISOR(column[j]);
    const double pivot = SIZE(column[j]);
    double largest = 0;
    for (int i = j + 1; i < size; i++) {
        const double entry = SIZE(column[i]);
        largest = entry > largest ? entry : largest;
        column[i] = OVER(column[i], d);
    }
    return !IS_ZERO(d) && !(pivot < least * largest);
}

/* Takes the pivots [begin, most) off the rows behind each of them, up to `bottom`, of column j. */
static inline void NAME(substitute)(NUMBER *front, int size, int begin, int most, int bottom, int j)
{
    NUMBER *column = front + (size_t)j * (size_t)size;
    for (int k = begin; k < most; k++) {
        const NUMBER *a = front + (size_t)k * (size_t)size;
        NAME(subtract_columns)(bottom - k - 1, 1, a + k + 1, (size_t)size, column + k, column + k + 1);
    }
}

/* Eliminates the pivots [begin, end) from the columns of a panel, which ends at `last`. */
static bool NAME(eliminate_panel)(NUMBER *front, int size, int begin, int last, double least, NUMBER *divisor)
{
    bool good = true;
    for (int end; begin < last; begin = end) {
        end = last - begin < NAME(panel) ? last : begin + NAME(panel);
        for (int j = begin; j < end; j++) {
            NAME(substitute)(front, size, begin, j, size, j);
            good &= NAME(divide_column)(front + (size_t)j * (size_t)size, size, j, least, &divisor[j]);
        }
        for (int j = end; j < last; j++)
            NAME(substitute)(front, size, begin, end - 1, end, j);
        NAME(subtract_products)((struct NAME(update)){front, size, begin, end, end, last});
    }
    return good;
}

/* Eliminates the first pivots of a front.  False where one is 0 or less than `least` of an entry below it. */
static bool NAME(eliminate_front)(NUMBER *front, int size, int pivots, double least, NUMBER *divisor)
{
    bool good = true;
    for (int begin = 0, end; begin < pivots; begin = end) {
        end = pivots - begin < NAME(block) ? pivots : begin + NAME(block);
        good &= NAME(eliminate_panel)(front, size, begin, end, least, divisor);
        for (int j = end; j < size; j++) /* rows of U */
            NAME(substitute)(front, size, begin, end - 1, end, j);
        NAME(subtract_products)((struct NAME(update)){front, size, begin, end, end, size});
    }
    return good;
}

/* Adds what a child has left. */
static void NAME(add_child)(NUMBER *front, int size, const NUMBER *rest, int others, const int *place)
{
    for (int j = 0; j < others; j++) {
        NUMBER *column = front + (size_t)place[j] * (size_t)size;
        for (int i = 0; i < others; i++)
            column[place[i]] += rest[i];
        rest += others;
    }
}

static void NAME(assemble_front)(struct kept_pivots *k, const NUMBER *a, int f, int *depth, size_t *stack)
{
    struct fronts *s = &k->fronts;
    const int size = s->first[f + 1] - s->first[f] + (int)(s->others[f + 1] - s->others[f]);
    NUMBER *front = s->room.front;
    memset(front, 0, (size_t)size * (size_t)size * sizeof *front);
    for (int i = s->entry_start[f]; i < s->entry_start[f + 1]; i++)
        front[s->entry_place[i]] = a[k->at.inside.slot[s->entry[i]]];
    while (*depth > 0 && s->parent[s->waiting[*depth - 1]] == f) {
        const int child = s->waiting[--*depth];
        const size_t others = s->others[child + 1] - s->others[child];
        *stack -= others * others;
        NAME(add_child)(front, size, (const NUMBER *)s->room.stack + *stack, (int)others, s->place + s->others[child]);
    }
}

/* Keeps the columns of L and rows of U, and leaves the rest to the parent. */
static void NAME(leave_front)(struct fronts *s, int f, int *depth, size_t *stack)
{
    const size_t pivots = (size_t)(s->first[f + 1] - s->first[f]), others = s->others[f + 1] - s->others[f];
    const size_t size = pivots + others;
    const NUMBER *front = s->room.front;
    NUMBER *values = (NUMBER *)s->lower + s->lower_start[f], *upper = (NUMBER *)s->upper + s->upper_start[f];
    NUMBER *rest = (NUMBER *)s->room.stack + *stack;
    memcpy(values, front, pivots * size * sizeof *front);
    for (size_t j = 0; j < others; j++)
        for (size_t i = 0; i < pivots; i++)
            upper[i * others + j] = front[(pivots + j) * size + i];
    if (s->parent[f] < 0)
        return;
    for (size_t j = 0; j < others; j++)
        memcpy(rest + j * others, front + (pivots + j) * size + pivots, others * sizeof *front);
    *stack += others * others;
    s->waiting[(*depth)++] = f;
}

/* Sizes of the columns of U and L that a front has found. */
static void NAME(measure_front)(struct kept_pivots *k, int f)
{
    struct fronts *s = &k->fronts;
    const int first = s->first[f], pivots = s->first[f + 1] - first, others = (int)(s->others[f + 1] - s->others[f]);
    const int size = pivots + others, *other = s->other + s->others[f];
    const double *weight = k->row_weight;
    const NUMBER *values = (const NUMBER *)s->lower + s->lower_start[f],
                 *upper = (const NUMBER *)s->upper + s->upper_start[f];
    for (int j = 0; j < pivots; j++, values += size) {
        const double pivot = SIZE(values[j]);
        double above = 0, below = 0;
        for (int i = 0; i <= j; i++)
            above += SIZE(values[i]) * weight[first + i];
        for (int i = j + 1; i < pivots; i++)
            below += SIZE(values[i]) * weight[first + i];
        for (int i = 0; i < others; i++)
            below += SIZE(values[pivots + i]) * weight[other[i]];
        s->sizes[first + j] += above + below * pivot;
    }
    for (int i = 0; i < pivots; i++, upper += others)
        for (int j = 0; j < others; j++)
            s->sizes[other[j]] += SIZE(upper[j]) * weight[first + i];
}

/* The least ratio of weighted sums of sizes in a column of A and in those of L and U; negative where one is not finite. */
static double NAME(growth_of_fronts)(const struct kept_pivots *k, const NUMBER *a)
{
    double least = 1;
    for (int j = 0; j < k->n; j++) {
        double before = 0;
        for (int e = k->at.inside.start[j]; e < k->at.inside.start[j + 1]; e++)
            before += SIZE(a[k->at.inside.slot[e]]) * k->row_weight[k->at.inside.row[e]];
        const double ratio = before / k->fronts.sizes[j];
        if (!isfinite(ratio))
            return -1;
        least = ratio < least ? ratio : least;
    }
    return least;
}

static bool NAME(factor_fronts)(struct kept_pivots *k, const void *matrix, double least, double *growth)
{
    struct fronts *s = &k->fronts;
    const NUMBER *a = matrix;
    NUMBER *divisor = k->divisor, *above = k->above.value;
    int depth = 0;
    size_t stack = 0;
    bool good = true;
    for (int e = 0; e < k->above.start[k->n]; e++)
        above[e] = a[k->at.above.slot[e]];
    if (growth) {
        NAME(measure_rows)(k, a);
        memset(s->sizes, 0, (size_t)k->n * sizeof *s->sizes);
    }
    for (int f = 0; f < s->count && good; f++) {
        const int pivots = s->first[f + 1] - s->first[f], size = pivots + (int)(s->others[f + 1] - s->others[f]);
        NAME(assemble_front)(k, a, f, &depth, &stack);
        good = NAME(eliminate_front)(s->room.front, size, pivots, least, divisor + s->first[f]);
        NAME(leave_front)(s, f, &depth, &stack);
        if (growth)
            NAME(measure_front)(k, f);
    }
    if (growth && good) {
        *growth = NAME(growth_of_fronts)(k, a);
        good = *growth >= 0;
    }
    return good;
}

/* ---- solutions ---- */

static inline bool NAME(all_zero)(const NUMBER *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!IS_ZERO(x[i]))
            return false;
    return true;
}

/* What numbers of a front are solved with. */
struct NAME(piece) {
    int first, pivots, others;
    const int *other;
    const NUMBER *values; /* columns of L, `size` apart */
    size_t size;
    const NUMBER *upper; /* rows of U behind the pivots, `others` apart */
};

static inline struct NAME(piece) NAME(piece_of)(const struct fronts *s, int f)
{
    const int first = s->first[f], pivots = s->first[f + 1] - first, others = (int)(s->others[f + 1] - s->others[f]);
    const size_t size = (size_t)(pivots + others);
    return (struct NAME(piece)){first,
                                pivots,
                                others,
                                s->other + s->others[f],
                                (const NUMBER *)s->lower + s->lower_start[f],
                                size,
                                (const NUMBER *)s->upper + s->upper_start[f]};
}

/* x of the others -= a times x of the pivots, a by columns that are `apart`. */
static inline void NAME(take_from_others)(struct NAME(piece) p, const NUMBER *a, size_t apart, NUMBER *x, NUMBER *sum)
{
    const NUMBER *own = x + p.first;
    const int *other = p.other;
    if (p.pivots == 1) {
        for (int i = 0; i < p.others; i++)
            x[other[i]] = MINUS(x[other[i]], a[i], own[0]);
        return;
    }
    for (int i = 0; i < p.others; i++)
        sum[i] = x[other[i]];
    NAME(subtract_columns)(p.others, p.pivots, a, apart, own, sum);
    for (int i = 0; i < p.others; i++)
        x[other[i]] = sum[i];
}

/* x of the pivots -= a' times x of the others. */
static inline void NAME(take_from_own)(struct NAME(piece) p, const NUMBER *a, size_t apart, NUMBER *x, NUMBER *sum)
{
    NUMBER *own = x + p.first;
    int j = 0;
    for (int i = 0; i < p.others; i++)
        sum[i] = x[p.other[i]];
    for (; j + 4 <= p.pivots; j += 4) {
        const NUMBER *a0 = a + (size_t)j * apart, *a1 = a0 + apart, *a2 = a1 + apart, *a3 = a2 + apart;
        NUMBER y0 = own[j], y1 = own[j + 1], y2 = own[j + 2], y3 = own[j + 3];
        for (int i = 0; i < p.others; i++) {
            const NUMBER xi = sum[i];
            y0 = MINUS(y0, a0[i], xi);
            y1 = MINUS(y1, a1[i], xi);
            y2 = MINUS(y2, a2[i], xi);
            y3 = MINUS(y3, a3[i], xi);
        }
        own[j] = y0, own[j + 1] = y1, own[j + 2] = y2, own[j + 3] = y3;
    }
    for (; j < p.pivots; j++) {
        const NUMBER *aj = a + (size_t)j * apart;
        NUMBER y = own[j], z = ZERO;
        int i = 0;
        for (; i + 2 <= p.others; i += 2) {
            y = MINUS(y, aj[i], sum[i]);
            z = MINUS(z, aj[i + 1], sum[i + 1]);
        }
        if (i < p.others)
            y = MINUS(y, aj[i], sum[i]);
        own[j] = y + z;
    }
}

/* x := L^-1 x of a front, and what it takes from others. */
static inline void NAME(solve_lower)(const struct fronts *s, int f, NUMBER *x)
{
    const struct NAME(piece) p = NAME(piece_of)(s, f);
    NUMBER *own = x + p.first;
    if (NAME(all_zero)(own, p.pivots))
        return;
    for (int j = 0; j + 1 < p.pivots; j++)
        NAME(subtract_columns)
    (p.pivots - j - 1, 1, p.values + (size_t)j * p.size + j + 1, p.size, own + j, own + j + 1);
    NAME(take_from_others)(p, p.values + p.pivots, p.size, x, s->room.front);
}

/* x := U^-1 x of a front */
static inline void NAME(solve_upper)(const struct fronts *s, int f, const NUMBER *divisor, NUMBER *x)
{
    const struct NAME(piece) p = NAME(piece_of)(s, f);
    NUMBER *own = x + p.first;
    NAME(take_from_own)(p, p.upper, (size_t)p.others, x, s->room.front);
    for (int j = p.pivots; j-- > 0;) {
        own[j] = OVER(own[j], divisor[p.first + j]);
        NAME(subtract_columns)(j, 1, p.values + (size_t)j * p.size, p.size, own + j, own);
    }
}

static inline void NAME(solve_upper_transposed)(const struct fronts *s, int f, const NUMBER *divisor, NUMBER *x)
{
    const struct NAME(piece) p = NAME(piece_of)(s, f);
    NUMBER *own = x + p.first;
    for (int j = 0; j < p.pivots; j++) {
        NUMBER y = own[j];
        for (int i = 0; i < j; i++)
            y = MINUS(y, p.values[(size_t)j * p.size + i], own[i]);
        own[j] = OVER(y, divisor[p.first + j]);
    }
    NAME(take_from_others)(p, p.upper, (size_t)p.others, x, s->room.front);
}

static inline void NAME(solve_lower_transposed)(const struct fronts *s, int f, NUMBER *x)
{
    const struct NAME(piece) p = NAME(piece_of)(s, f);
    NUMBER *own = x + p.first;
    NAME(take_from_own)(p, p.values + p.pivots, p.size, x, s->room.front);
    for (int j = p.pivots; j-- > 0;)
        for (int i = j + 1; i < p.pivots; i++)
            own[j] = MINUS(own[j], p.values[(size_t)j * p.size + i], own[i]);
}

/* The fronts of the blocks from the last to the first, as in NAME(solve). */
static void NAME(solve_with_fronts)(struct kept_pivots *k, void *right_side)
{
    const struct fronts *s = &k->fronts;
    NUMBER *x = k->work, *b = right_side;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->at.row[i]];
    for (int block = k->at.blocks, end = s->count; block-- > 0;) {
        int begin = end;
        while (begin > 0 && s->first[begin - 1] >= k->at.block_start[block])
            begin--;
        for (int f = begin; f < end; f++)
            NAME(solve_lower)(s, f, x);
        for (int f = end; f-- > begin;)
            NAME(solve_upper)(s, f, k->divisor, x);
        for (int j = k->at.block_start[block]; block > 0 && j < k->at.block_start[block + 1]; j++)
            NAME(subtract_column)(&k->above, j, x[j], x);
        end = begin;
    }
    for (int i = 0; i < k->n; i++) {
        b[k->at.column[i]] = x[i];
        x[i] = ZERO;
    }
}

static void NAME(solve_transposed_with_fronts)(struct kept_pivots *k, void *right_side)
{
    const struct fronts *s = &k->fronts;
    NUMBER *x = k->work, *b = right_side;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->at.column[i]];
    for (int block = 0, begin = 0; block < k->at.blocks; block++) {
        int end = begin;
        for (int j = k->at.block_start[block]; j < k->at.block_start[block + 1]; j++)
            x[j] = NAME(minus_column)(&k->above, j, x, x[j]);
        for (; end < s->count && s->first[end] < k->at.block_start[block + 1]; end++)
            NAME(solve_upper_transposed)(s, end, k->divisor, x);
        for (int f = end; f-- > begin;)
            NAME(solve_lower_transposed)(s, f, x);
        begin = end;
    }
    for (int i = 0; i < k->n; i++) {
        b[k->at.row[i]] = x[i];
        x[i] = ZERO;
    }
}
