/* inherent.c - see inherent.h. */
#include "mna/equations/inherent.h"

#include "sparse/field.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A value, and the same without rounding. */
struct number {
    double value;
    field exact;
};

/* 0 = C x' + G x + inputs; [n], [n], [inputs * INHERENT_ORDERS]. */
struct row {
    struct number *C, *G, *B;
};

struct shuffle {
    const struct equations *e;
    const struct mna *m;
    struct arena *arena;
    const int *order; /* [n] or NULL */
    struct inherent *out;
    int n;
    size_t width;            /* of B */
    struct row *rows;        /* [n] */
    struct row *constraints; /* [2 n] G and B count */
    bool failed;             /* out of memory */
};

/* ---- numbers ---- */

static struct number number_of(double value)
{
    bool exact = true;
    return (struct number){value, field_of(value, &exact)};
}

static bool is_zero(struct number a)
{
    return a.exact == 0;
}

/* to -= factor * from; what vanishes is 0. */
static void subtract(struct number *to, struct number factor, const struct number *from, size_t count)
{
    const field negative = field_negate(factor.exact);
    for (size_t i = 0; i < count; i++) {
        if (is_zero(from[i]))
            continue;
        to[i].exact = field_add(to[i].exact, field_multiply(negative, from[i].exact));
        to[i].value = is_zero(to[i]) ? 0 : to[i].value - factor.value * from[i].value;
    }
}

static void divide(struct number *row, struct number by, size_t count)
{
    const field inverse = field_inverse(by.exact);
    for (size_t i = 0; i < count; i++) {
        row[i].exact = field_multiply(row[i].exact, inverse);
        row[i].value /= by.value;
    }
}

static void eliminate(const struct shuffle *s, struct row *to, struct number factor, const struct row *from)
{
    subtract(to->C, factor, from->C, (size_t)s->n);
    subtract(to->G, factor, from->G, (size_t)s->n);
    subtract(to->B, factor, from->B, s->width);
}

static void scale(const struct shuffle *s, struct row *r, struct number by)
{
    divide(r->C, by, (size_t)s->n);
    divide(r->G, by, (size_t)s->n);
    divide(r->B, by, s->width);
}

static double largest(const struct number *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i].value));
    return most;
}

/* ---- the equations ---- */

static struct number *take_numbers(struct shuffle *s, size_t count)
{
    struct number *a = arena_array(s->arena, count + 1, sizeof *a);
    s->failed = s->failed || !a;
    return a;
}

static bool make_rows(struct shuffle *s, struct row *rows, int count)
{
    for (int i = 0; i < count && !s->failed; i++)
        rows[i] = (struct row){take_numbers(s, (size_t)s->n), take_numbers(s, (size_t)s->n), take_numbers(s, s->width)};
    return !s->failed;
}

static bool is_input(enum quantity_kind kind)
{
    return kind == QUANTITY_SOURCE || kind == QUANTITY_LAW || kind == QUANTITY_FORMULA || kind == QUANTITY_WAVE;
}

/* The inputs of the full system, each once. */
static bool find_inputs(struct shuffle *s)
{
    const struct equation_system *full = &s->e->full;
    size_t most = 0;
    for (size_t i = 0; i < full->count; i++)
        most += full->equations[i].count;
    s->out->inputs = arena_array(s->arena, most + 1, sizeof *s->out->inputs);
    for (size_t i = 0; i < full->count && s->out->inputs; i++)
        for (size_t k = 0; k < full->equations[i].count; k++) {
            const struct quantity *q = full->equations[i].terms[k].quantity;
            size_t at = 0;
            while (at < s->out->input_count && s->out->inputs[at].quantity != q)
                at++;
            if (at < s->out->input_count || !is_input(q->kind))
                continue;
            const bool source = q->kind == QUANTITY_SOURCE;
            s->out->inputs[s->out->input_count++] = (struct inherent_input){
                q, source && element_is_constant_source(q->element), !source && q->kind != QUANTITY_WAVE};
        }
    s->width = s->out->input_count * INHERENT_ORDERS;
    return s->out->inputs != NULL;
}

static double inductance_of(const struct shuffle *s, const struct element *e)
{
    const struct branch_list *list = &s->e->topology->list;
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].element == e && list->branches[i].kind == BRANCH_L)
            return list->branches[i].constant;
    return 0;
}

/* The factor of a linear quantity: a conductance is so many times its voltage, a capacitance ... */
static double factor_of(const struct shuffle *s, const struct quantity *q)
{
    const double constant = q->branch ? q->branch->constant : NAN;
    switch (q->kind) {
    case QUANTITY_CONDUCTANCE:
    case QUANTITY_PER_HENRY:
        return 1 / constant;
    case QUANTITY_CAPACITANCE:
    case QUANTITY_INDUCTANCE:
    case QUANTITY_IMPEDANCE:
        return constant;
    case QUANTITY_MUTUAL:
        return q->element->value * sqrt(constant * inductance_of(s, q->partner));
    case QUANTITY_GAIN:
        return q->element->value * (q->element->kind->law == LAW_VOLTAGE ? 1 : element_multiplicity(q->element));
    default:
        return 1;
    }
}

static struct number coefficient_of(const struct coefficient *c)
{
    struct number sum = number_of(c->number);
    for (size_t i = 0; i < c->gain_count; i++) {
        const struct number gain = number_of(c->gains[i].gain->value), times = number_of(-c->gains[i].number);
        subtract(&sum, times, &gain, 1);
    }
    return sum;
}

static void add_at(struct number *row, int unknown, int sign, struct number value)
{
    const struct number one = number_of(-sign);
    if (unknown > 0)
        subtract(&row[unknown - 1], one, &value, 1);
}

static void add_term(const struct shuffle *s, const struct equation_term *t, struct row *r)
{
    const struct quantity *q = t->quantity;
    struct number value = coefficient_of(&t->coefficient);
    for (size_t i = 0; i < s->out->input_count; i++)
        if (s->out->inputs[i].quantity == q)
            subtract(&r->B[i * INHERENT_ORDERS + q->rate], number_of(-1), &value, 1);
    if (is_input(q->kind))
        return;
    const struct number factor = number_of(factor_of(s, q));
    value.value *= factor.value;
    value.exact = field_multiply(value.exact, factor.exact);
    for (size_t i = 0; i < q->input_count; i++) {
        struct number *to = q->rate ? r->C : r->G;
        add_at(to, q->inputs[i].plus, 1, value);
        add_at(to, q->inputs[i].minus, -1, value);
    }
}

static bool read_equations(struct shuffle *s)
{
    const struct equation_system *full = &s->e->full;
    s->rows = arena_array(s->arena, (size_t)s->n + 1, sizeof *s->rows);
    s->constraints = arena_array(s->arena, (size_t)s->n + 1, sizeof *s->constraints);
    if (!s->rows || !s->constraints || !make_rows(s, s->rows, s->n) || !make_rows(s, s->constraints, s->n))
        return false;
    for (size_t i = 0; i < full->count && i < (size_t)s->n; i++)
        for (size_t k = 0; k < full->equations[i].count; k++)
            add_term(s, &full->equations[i].terms[k], &s->rows[i]);
    return true;
}

/* ---- rounds ---- */

static void exchange(struct row *a, struct row *b)
{
    const struct row swapped = *a;
    *a = *b;
    *b = swapped;
}

/* C to reduced echelon form; the rows behind its rank have no C.  column[rank]: of each row's 1. */
static int reduce_storage(struct shuffle *s, int *column)
{
    int rank = 0;
    for (int c = 0; c < s->n && rank < s->n; c++) {
        int best = -1;
        double size = 0;
        for (int r = rank; r < s->n; r++) {
            const double relative =
                is_zero(s->rows[r].C[c]) ? 0 : fabs(s->rows[r].C[c].value) / largest(s->rows[r].C, s->n);
            if (relative > size) {
                size = relative;
                best = r;
            }
        }
        if (best < 0)
            continue;
        exchange(&s->rows[rank], &s->rows[best]);
        scale(s, &s->rows[rank], s->rows[rank].C[c]);
        for (int r = 0; r < s->n; r++)
            if (r != rank && !is_zero(s->rows[r].C[c]))
                eliminate(s, &s->rows[r], s->rows[r].C[c], &s->rows[rank]);
        column[rank++] = c;
    }
    return rank;
}

/* The derivative of a constraint; false where inputs would be differentiated too often. */
static bool differentiate(const struct shuffle *s, struct row *r)
{
    struct number *old = r->C;
    r->C = r->G;
    r->G = old;
    memset(r->G, 0, (size_t)s->n * sizeof *r->G);
    for (size_t i = 0; i < s->out->input_count; i++) {
        struct number *orders = r->B + i * INHERENT_ORDERS;
        if (!is_zero(orders[INHERENT_ORDERS - 1]))
            return false;
        memmove(orders + 1, orders, (INHERENT_ORDERS - 1) * sizeof *orders);
        orders[0] = (struct number){0, 0};
        for (int k = 1; k < INHERENT_ORDERS && s->out->inputs[i].constant; k++)
            orders[k] = (struct number){0, 0};
    }
    return true;
}

static void keep(struct shuffle *s, const struct row *r, int round)
{
    struct inherent *out = s->out;
    struct row *to = &s->constraints[out->constraint_count];
    memcpy(to->G, r->G, (size_t)s->n * sizeof *to->G);
    memcpy(to->B, r->B, s->width * sizeof *to->B);
    out->constraints[out->constraint_count++].round = round;
}

static bool says_nothing(const struct shuffle *s, const struct row *r)
{
    for (int i = 0; i < s->n; i++)
        if (!is_zero(r->G[i]))
            return false;
    return true;
}

/* Until C is regular: column[n] of each row's 1; false where it never becomes so. */
static bool shuffle(struct shuffle *s, int *column)
{
    struct inherent *out = s->out;
    for (out->rounds = 0;; out->rounds++) {
        const int rank = reduce_storage(s, column);
        if (rank == s->n)
            return true;
        for (int r = rank; r < s->n; r++) {
            if (says_nothing(s, &s->rows[r]) || out->constraint_count == (size_t)s->n)
                return false;
            keep(s, &s->rows[r], out->rounds);
            if (!differentiate(s, &s->rows[r]))
                return false;
        }
    }
}

/* ---- solution ---- */

/* The lowest are solved for first: what derivatives of the data enter, then what no derivative is taken of; voltages of
 * charges and currents of inductors are to be states. */
static int rank_as_state(const struct shuffle *s, int unknown)
{
    const struct unknown *u = &s->e->unknowns[unknown + 1];
    if (s->order && s->order[unknown] > 0)
        return -s->order[unknown];
    return mna_dae(s->m)->classes[unknown] != DAE_DIFFERENTIAL ? 0 : u->kind == UNKNOWN_VOLTAGE ? 1 : 2;
}

struct pivot {
    int row, column;
};

/* Of the rows from `first` on, among the columns that are not taken: of the lowest rank the largest in its row. */
static bool choose_pivot(const struct shuffle *s, const struct row *rows, int first, const bool *taken,
                         struct pivot *out)
{
    double size = 0;
    int rank = INT_MAX;
    for (int r = first; r < (int)s->out->constraint_count; r++) {
        const double most = largest(rows[r].G, s->n);
        for (int c = 0; c < s->n; c++) {
            const double here = is_zero(rows[r].G[c]) || taken[c] ? 0 : fabs(rows[r].G[c].value) / most;
            const int wanted = rank_as_state(s, c);
            if (here == 0 || wanted > rank || (wanted == rank && here <= size))
                continue;
            rank = wanted;
            size = here;
            *out = (struct pivot){r, c};
        }
    }
    return size > 0;
}

/* The constraints solved for as many unknowns: owner[n] is the constraint that gives it, -1 for states. */
static bool solve_constraints(struct shuffle *s, struct row *rows, int *owner)
{
    const int count = (int)s->out->constraint_count;
    bool *taken = arena_array(s->arena, (size_t)s->n + 1, sizeof *taken);
    s->failed = s->failed || !taken;
    for (int i = 0; i < s->n; i++)
        owner[i] = -1;
    for (int i = 0; i < count && taken; i++) {
        struct pivot p;
        if (!choose_pivot(s, rows, i, taken, &p))
            return false;
        exchange(&rows[i], &rows[p.row]);
        scale(s, &rows[i], rows[i].G[p.column]);
        for (int r = 0; r < count; r++)
            if (r != i && !is_zero(rows[r].G[p.column]))
                eliminate(s, &rows[r], rows[r].G[p.column], &rows[i]);
        taken[p.column] = true;
        owner[p.column] = i;
    }
    return taken != NULL;
}

static struct inherent_row export_row(struct shuffle *s, const struct number *G, const struct number *B, double sign)
{
    double *unknowns, *inputs;
    if (!arena_vectors(s->arena, (size_t)s->n + 1, (double **const[]){&unknowns, NULL}) ||
        !arena_vectors(s->arena, s->width + 1, (double **const[]){&inputs, NULL})) {
        s->failed = true;
        return (struct inherent_row){NULL, NULL};
    }
    for (int i = 0; i < s->n; i++)
        unknowns[i] = sign * G[i].value;
    for (size_t i = 0; i < s->width; i++)
        inputs[i] = sign * B[i].value;
    return (struct inherent_row){unknowns, inputs};
}

static bool export_constraints(struct shuffle *s)
{
    for (size_t i = 0; i < s->out->constraint_count; i++)
        s->out->constraints[i].row = export_row(s, s->constraints[i].G, s->constraints[i].B, 1);
    return !s->failed;
}

/* Of the rows of the last round, whose C is the identity in `column`: x' = -G x - B u with what constraints give put in. */
static void solve_derivatives(struct shuffle *s, const int *column, const int *owner)
{
    for (int r = 0; r < s->n && !s->failed; r++) {
        const int unknown = column[r];
        if (owner[unknown] >= 0)
            continue;
        struct row *row = &s->rows[r];
        for (int c = 0; c < s->n; c++)
            if (owner[c] >= 0 && !is_zero(row->G[c])) {
                const struct row *by = &s->constraints[owner[c]];
                const struct number factor = row->G[c];
                subtract(row->G, factor, by->G, (size_t)s->n);
                subtract(row->B, factor, by->B, s->width);
            }
        s->out->is_state[unknown] = true;
        s->out->state_count++;
        s->out->solved[unknown] = export_row(s, row->G, row->B, -1);
    }
}

static void solve_others(struct shuffle *s, const int *owner)
{
    for (int c = 0; c < s->n && !s->failed; c++) {
        if (owner[c] < 0)
            continue;
        struct row *row = &s->constraints[owner[c]];
        row->G[c] = (struct number){0, 0};
        s->out->solved[c] = export_row(s, row->G, row->B, -1);
    }
}

static enum kn_status solve(struct shuffle *s)
{
    struct inherent *out = s->out;
    int *column = arena_array(s->arena, (size_t)s->n + 1, sizeof *column);
    int *owner = arena_array(s->arena, (size_t)s->n + 1, sizeof *owner);
    out->constraints = arena_array(s->arena, (size_t)s->n + 1, sizeof *out->constraints);
    out->is_state = arena_array(s->arena, (size_t)s->n + 1, sizeof *out->is_state);
    out->solved = arena_array(s->arena, (size_t)s->n + 1, sizeof *out->solved);
    if (!column || !owner || !out->constraints || !out->is_state || !out->solved || !read_equations(s))
        return KN_ERROR_MEMORY;
    if (!shuffle(s, column) || !export_constraints(s) || !solve_constraints(s, s->constraints, owner))
        return s->failed ? KN_ERROR_MEMORY : KN_OK;
    solve_derivatives(s, column, owner);
    solve_others(s, owner);
    out->solvable = !s->failed;
    return s->failed ? KN_ERROR_MEMORY : KN_OK;
}

enum kn_status inherent_find(const struct equations *e, const struct mna *m, const int *order, struct arena *arena,
                             struct inherent **out)
{
    *out = NULL;
    if (e->unknown_count > INHERENT_MOST_UNKNOWNS || e->full.count != (size_t)e->unknown_count)
        return KN_OK;
    struct inherent *found = arena_array(arena, 1, sizeof *found);
    if (!found)
        return KN_ERROR_MEMORY;
    struct shuffle s = {.e = e, .m = m, .order = order, .arena = arena, .out = found, .n = e->unknown_count};
    found->n = s.n;
    const enum kn_status status = find_inputs(&s) ? solve(&s) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        *out = found;
    return status;
}
