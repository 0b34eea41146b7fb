/* explain_numbers.c - the chain of null spaces with its numbers at the operating point.
 *
 *   N = ker C,  S = {z : G z in im C},  Q onto N,  P = I - Q,
 *   G1 = C + G Q,  N1 = ker G1,  S1 = {z : G P z in im G1}
 *
 * (R. Lamour, R. Maerz, C. Tischendorf, Differential-Algebraic Equations, 2013, ch. 1.)  Bases are in echelon form, so
 * that Q is simple: with the identity of N's basis in the rows `pivot`, Q = N E_pivot^T, and in coordinates
 * x = E_kept u + N w the matrix G1 is [C E_kept, G N], whose columns keep their own units.  The verdict about the index
 * is that of mna/index/index.h.
 */
#include "analyses/explain/explain_parts.h"

#include "mna/index/index.h"
#include "mna/start/operating_point.h"
#include "sparse/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RELATIVE = 1e-6;

enum { MOST_ITERATIONS = 200, MOST_COLUMNS = 12 };

struct spaces {
    struct dense n, s, n1, s1;
    int null_dimension, n1_dimension;
};

/* ---- matrices at a point ---- */

static enum kn_status matrices_at(struct explanation *x, const double *point, struct dense *G, struct dense *C)
{
    const struct dae *dae = mna_dae(x->mna);
    double *g = sparse_values(dae->pattern), *c = sparse_values(dae->pattern);
    struct dae_values values = {.G = g, .C = c};
    enum kn_status status = g && c ? dae->eval(dae->problem, 0, point, DAE_G | DAE_C, &values) : KN_ERROR_MEMORY;
    if (status == KN_OK && (!dense_of(x->arena, dae->pattern, g, G) || !dense_of(x->arena, dae->pattern, c, C)))
        status = KN_ERROR_MEMORY;
    free(g);
    free(c);
    return status;
}

/* Columns of a, then those of b. */
static bool side_by_side(struct arena *memory, const struct dense *a, const struct dense *b, struct dense *out)
{
    const size_t first = (size_t)a->rows * (size_t)a->columns, second = (size_t)b->rows * (size_t)b->columns;
    if (!dense_new(memory, a->rows, a->columns + b->columns, out))
        return false;
    memcpy(out->at, a->at, first * sizeof *out->at);
    memcpy(out->at + first, b->at, second * sizeof *out->at);
    return true;
}

/* ker(left^T a) */
static enum kn_status kernel_of_product(struct arena *memory, const struct dense *left, const struct dense *a,
                                        struct kernel *out)
{
    struct dense transposed, product;
    if (!dense_transpose(memory, left, &transposed) || !dense_multiply(memory, &transposed, a, &product))
        return KN_ERROR_MEMORY;
    return kernel_find(memory, &product, 0, out);
}

/* E_kept u + N w for the columns (u, w) of a basis; w may be missing. */
static bool to_unknowns(struct arena *memory, const struct dense *basis, const int *kept, int kept_count,
                        const struct dense *null, struct dense *out)
{
    if (!dense_new(memory, null->rows, basis->columns, out))
        return false;
    for (int k = 0; k < basis->columns; k++) {
        for (int i = 0; i < kept_count; i++)
            *dense_at(out, kept[i], k) += *dense_at(basis, i, k);
        for (int w = kept_count; w < basis->rows; w++)
            for (int i = 0; i < null->rows; i++)
                *dense_at(out, i, k) += *dense_at(null, i, w - kept_count) * *dense_at(basis, w, k);
    }
    return true;
}

static enum kn_status find_second_step(struct explanation *x, const struct dense *G, const struct dense *C,
                                       const struct kernel *first, struct spaces *out)
{
    struct arena *memory = x->arena;
    struct dense kept_c, kept_g, null_g, g1, free_part;
    struct kernel second, along;
    const int *kept = first->column_kept;
    const int rank = first->rank, n = C->rows;
    if (!dense_select(memory, C, NULL, n, kept, rank, &kept_c) ||
        !dense_select(memory, G, NULL, n, kept, rank, &kept_g) || !dense_multiply(memory, G, &first->right, &null_g) ||
        !side_by_side(memory, &kept_c, &null_g, &g1))
        return KN_ERROR_MEMORY;
    enum kn_status status = kernel_find(memory, &g1, 0, &second);
    if (status != KN_OK)
        return status;
    out->n1_dimension = n - second.rank;
    if (out->n1_dimension == 0)
        return KN_OK;
    if (!to_unknowns(memory, &second.right, kept, rank, &first->right, &out->n1))
        return KN_ERROR_MEMORY;
    status = kernel_of_product(memory, &second.left, &kept_g, &along);
    if (status != KN_OK)
        return status;
    if (!to_unknowns(memory, &along.right, kept, rank, &first->right, &free_part))
        return KN_ERROR_MEMORY;
    return side_by_side(memory, &free_part, &first->right, &out->s1) ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status find_spaces(struct explanation *x, const double *point, struct spaces *out)
{
    struct dense G, C;
    struct kernel first, solvable;
    enum kn_status status = matrices_at(x, point, &G, &C);
    if (status == KN_OK)
        status = kernel_find(x->arena, &C, 0, &first);
    if (status != KN_OK)
        return status;
    out->n = first.right;
    out->null_dimension = C.rows - first.rank;
    if (out->null_dimension == 0)
        return KN_OK;
    status = kernel_of_product(x->arena, &first.left, &G, &solvable);
    if (status != KN_OK)
        return status;
    out->s = solvable.right;
    return find_second_step(x, &G, &C, &first, out);
}

/* ---- words and tables ---- */

static int first_row(const struct dense *basis, int column)
{
    int row = 0;
    while (row < basis->rows && *dense_at(basis, row, column) == 0)
        row++;
    return row;
}

/* The columns, those that begin at the top first. */
static int *order_columns(struct explanation *x, const struct dense *basis)
{
    int *order = explain_take(x, (size_t)basis->columns, sizeof *order);
    for (int j = 0; j < basis->columns && order; j++) {
        int place = j;
        for (; place > 0 && first_row(basis, order[place - 1]) > first_row(basis, j); place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
    return order;
}

static void write_basis(struct explanation *x, const char *index, const struct dense *basis, const char *meaning)
{
    const int columns = basis->columns < MOST_COLUMNS ? basis->columns : MOST_COLUMNS;
    struct explain_matrix m = {.rows = (size_t)basis->rows, .columns = (size_t)columns};
    m.row_labels = explain_take(x, m.rows, sizeof *m.row_labels);
    m.cells = explain_take(x, m.rows * m.columns, sizeof *m.cells);
    const int *order = order_columns(x, basis);
    if (x->w.cut)
        return;
    explain_say(x, "%s, dimension %d%s%s", meaning, basis->columns,
                columns < basis->columns ? "; the first vectors of a basis" : "", columns > 0 ? ":" : ".");
    for (int i = 0; i < basis->rows; i++) {
        m.row_labels[i] = explain_unknown(x, i + 1);
        for (int j = 0; j < columns; j++) {
            const double value = *dense_at(basis, i, order[j]);
            m.cells[i * columns + j] = value != 0 ? explain_number(x, value, 4) : "";
        }
    }
    notation_symbol(x->writer->notation, &x->w, index[0] == 'N' ? "N" : "S", index + 1);
    m.name = text_take(&x->w);
    if (columns > 0)
        x->writer->matrix(x->to, &m);
}

static enum kn_status write_spaces(struct explanation *x, const double *point)
{
    struct spaces spaces = {0};
    const enum kn_status status = find_spaces(x, point, &spaces);
    if (status != KN_OK)
        return status;
    if (spaces.null_dimension == 0) {
        explain_say(x, "C is regular: N is empty, and the equations are ordinary differential equations.");
        return KN_OK;
    }
    write_basis(x, "N", &spaces.n, "N = ker C, the directions that no charge or flux feels");
    write_basis(x, "S", &spaces.s, "S = {z : G z in im C}, the directions that the algebraic equations leave free");
    if (spaces.n1_dimension == 0) {
        explain_say(x, "G1 = C + G Q, with Q a projector onto N, is regular: N and S have only 0 in common, N1 is "
                       "empty.");
        return KN_OK;
    }
    write_basis(x, "N1", &spaces.n1,
                "N1 = ker G1, G1 = C + G Q with Q a projector onto N: N and S have this many directions in common");
    write_basis(x, "S1", &spaces.s1, "S1 = {z : G P z in im G1}, P = I - Q, what the hidden equations leave free");
    return KN_OK;
}

static void write_point(struct explanation *x, const double *point)
{
    const int n = x->e->unknown_count < EXPLAIN_LARGE ? x->e->unknown_count : EXPLAIN_LARGE;
    struct explain_pair *pairs = explain_take(x, (size_t)n, sizeof *pairs);
    for (int i = 0; i < n && pairs; i++) {
        const char *unit = x->e->unknowns[i + 1].kind == UNKNOWN_VOLTAGE ? "V" : "A";
        const char *text = arena_format(x->arena, "%.6g %s", point[i] + 0.0, unit);
        pairs[i] = (struct explain_pair){explain_unknown(x, i + 1), text ? text : ""};
    }
    explain_say(x, "Consistent initial values at time 0%s:", n < x->e->unknown_count ? ", the first unknowns" : "");
    if (pairs)
        x->writer->pairs(x->to, pairs, (size_t)n);
}

static const char *list_derivatives(struct explanation *x, const struct index_analysis *a)
{
    const int most = 20;
    for (int k = 0; k < a->derivative_count && k < most; k++) {
        const int i = a->derivative[k];
        text_format(&x->w, "%s%s (index %d)", k > 0 ? ", " : "", x->e->unknowns[i + 1].name, a->order[i] + 1);
    }
    if (a->derivative_count > most)
        text_format(&x->w, " and %d more", a->derivative_count - most);
    return text_take(&x->w);
}

static void write_verdict(struct explanation *x, const struct index_analysis *a)
{
    if (a->outcome == INDEX_SINGULAR_PENCIL) {
        explain_say(x, "The pencil (C, G) is singular: the equations have no unique solution.");
        return;
    }
    if (a->rounding) {
        explain_say(x, "The index is not decided: rounding hides it, since values are too many decades apart.");
        return;
    }
    if (isnan(a->condition))
        explain_say(x, "Index %d; %d degree%s of freedom, by exact arithmetic: rounded numbers would hide it.",
                    a->index, a->degrees_of_freedom, a->degrees_of_freedom == 1 ? "" : "s");
    else
        explain_say(x, "Index %s%d; %d degree%s of freedom. The matrix that decides has the condition %.2g.",
                    a->outcome == INDEX_OPEN ? "at least " : "", a->index, a->degrees_of_freedom,
                    a->degrees_of_freedom == 1 ? "" : "s", a->condition);
    for (int i = 0; i < a->step_count; i++)
        text_format(&x->w, "%s%d", i > 0 ? ", " : "", a->null_dimension[i]);
    if (a->step_count > 0)
        explain_say(x, "Dimensions of the null spaces N, N1, ..: %s.", text_take(&x->w));
    if (a->derivative_count > 0)
        explain_say(x, "These unknowns depend on derivatives of the data: %s.", list_derivatives(x, a));
}

static enum kn_status explain_point(struct explanation *x, const double *point)
{
    struct index_analysis *a = NULL;
    const struct index_point at = {.time = 0, .x = point};
    const struct index_options options = {0};
    enum kn_status status = index_analyze(x->mna, x->topology, &at, &options, &a);
    if (status != KN_OK)
        return status;
    write_point(x, point);
    write_verdict(x, a);
    const bool shown = a->outcome == INDEX_KNOWN && !isnan(a->condition);
    if (shown && x->e->unknown_count <= EXPLAIN_LARGE)
        status = write_spaces(x, point);
    else if (shown)
        explain_say(x, "Bases of the null spaces are shown for at most %d unknowns.", EXPLAIN_LARGE);
    index_free(a);
    return status;
}

enum kn_status explain_numbers(struct explanation *x, struct kn_diagnostics *d)
{
    struct operating_report report = {0};
    const struct operating_options options = {
        .relative = RELATIVE, .time = 0, .max_iterations = MOST_ITERATIONS, .impose_initial = true};
    double *point = explain_take(x, (size_t)x->e->unknown_count, sizeof *point);
    if (!point)
        return KN_ERROR_MEMORY;
    explain_piece(x, EXPLAIN_HEADING, "The chain of null spaces, in numbers");
    enum kn_status status = operating_point(x->mna, x->topology, &options, d, point, &report);
    if (status == KN_OK)
        status = explain_point(x, point);
    if (status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT)
        explain_say(x, "No numbers: the circuit has no operating point that could be found.");
    return status;
}
