/* explain_matrices.c - the incidence matrices and the capacitance matrix: drawn while they fit on a page, listed else.
 */
#include "analyses/explain/explain_parts.h"

/* ---- incidence matrices ---- */

static const struct {
    enum branch_kind kind;
    const char *index, *meaning;
} kinds[] = {
    {BRANCH_C, "C", "capacitors and charges of devices"},
    {BRANCH_R, "R", "resistors and what else conducts by its own voltage"},
    {BRANCH_L, "L", "inductors"},
    {BRANCH_V, "V", "voltage sources"},
    {BRANCH_I, "I", "current sources"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The element, and which piece of it. */
static const char *branch_label(struct explanation *x, const struct branch *b)
{
    const char *part = b->short_name;
    const char *name = part ? arena_format(x->arena, "%s.%s", b->element->name, part) : b->element->name;
    if (name)
        notation_element(x->writer->notation, &x->w, name);
    return text_take(&x->w);
}

static const char *plain_node(struct explanation *x, int unknown)
{
    return unknown > 0 ? unknown_inner_name(x->arena, &x->e->unknowns[unknown]) : "0";
}

static size_t count_kind(const struct branch_list *list, enum branch_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->branches[i].kind == kind;
    return count;
}

static void draw_kind(struct explanation *x, size_t k, size_t columns)
{
    const struct branch_list *list = &x->topology->list;
    const struct equation_system *full = &x->e->full;
    struct explain_matrix m = {.rows = full->node_count, .columns = columns};
    m.row_labels = explain_take(x, m.rows, sizeof *m.row_labels);
    m.column_labels = explain_take(x, columns, sizeof *m.column_labels);
    m.cells = explain_take(x, m.rows * columns, sizeof *m.cells);
    if (x->w.cut)
        return;
    for (size_t i = 0; i < m.rows; i++)
        m.row_labels[i] = explain_unknown(x, full->equations[i].unknown);
    size_t column = 0;
    for (size_t b = 0; b < list->count; b++) {
        const struct branch *branch = &list->branches[b];
        if (branch->kind != kinds[k].kind)
            continue;
        m.column_labels[column] = branch_label(x, branch);
        for (size_t i = 0; i < m.rows; i++) {
            const int node = full->equations[i].unknown;
            const int entry = (branch->plus == node) - (branch->minus == node);
            m.cells[i * columns + column] = entry ? explain_number(x, entry, 15) : "";
        }
        column++;
    }
    notation_symbol(x->writer->notation, &x->w, "A", kinds[k].index);
    m.name = text_take(&x->w);
    explain_say(x, "%s:", kinds[k].meaning);
    x->writer->matrix(x->to, &m);
}

static void list_kind(struct explanation *x, size_t k, size_t columns)
{
    const struct branch_list *list = &x->topology->list;
    struct explain_pair *pairs = explain_take(x, columns, sizeof *pairs);
    size_t count = 0;
    for (size_t b = 0; b < list->count && pairs; b++) {
        const struct branch *branch = &list->branches[b];
        if (branch->kind != kinds[k].kind)
            continue;
        const char *ends =
            arena_format(x->arena, "%s -> %s", plain_node(x, branch->plus), plain_node(x, branch->minus));
        pairs[count++] = (struct explain_pair){branch_label(x, branch), ends ? ends : ""};
    }
    explain_say(x, "A_%s, %s: %zu columns, +1 at the first node, -1 at the second one:", kinds[k].index,
                kinds[k].meaning, columns);
    if (pairs)
        x->writer->pairs(x->to, pairs, count);
}

static void say_what_is_missing(struct explanation *x)
{
    char names[64] = "";
    size_t used = 0, missing = 0;
    for (size_t k = 0; k < KINDS; k++)
        if (count_kind(&x->topology->list, kinds[k].kind) == 0)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%sA_%s", missing++ ? ", " : "", kinds[k].index);
    if (missing > 0)
        explain_say(x, "%s: no such branches.", names);
}

void explain_incidence(struct explanation *x)
{
    const bool large = x->e->unknown_count > EXPLAIN_LARGE;
    explain_piece(x, EXPLAIN_HEADING, "Incidence matrices");
    explain_say(x, "One row for each node except ground, one column for each branch: +1 at the node where the branch "
                   "begins, -1 where it ends. A current that flows from the first to the second node is positive.");
    if (large)
        explain_say(x, "The circuit has %d unknowns; beyond %d the matrices are listed column by column.",
                    x->e->unknown_count, EXPLAIN_LARGE);
    for (size_t k = 0; k < KINDS; k++) {
        const size_t columns = count_kind(&x->topology->list, kinds[k].kind);
        if (columns > 0 && large)
            list_kind(x, k, columns);
        else if (columns > 0)
            draw_kind(x, k, columns);
    }
    say_what_is_missing(x);
}

/* ---- capacitances ---- */

static void draw_capacitances(struct explanation *x, const struct capacitance_entry *entries)
{
    const struct equation_system *s = &x->e->reduced;
    struct explain_matrix m = {.rows = s->node_count, .columns = s->node_count};
    m.row_labels = explain_take(x, m.rows, sizeof *m.row_labels);
    m.column_labels = explain_take(x, m.rows, sizeof *m.column_labels);
    m.cells = explain_take(x, m.rows * m.rows, sizeof *m.cells);
    if (x->w.cut)
        return;
    for (size_t i = 0; i < m.rows; i++) {
        notation_verbatim(x->writer->notation, &x->w, explain_row_label(x, &s->equations[i]));
        m.row_labels[i] = text_take(&x->w);
        m.column_labels[i] = explain_unknown(x, s->equations[i].unknown);
    }
    for (size_t i = 0; i < m.rows * m.rows; i++)
        m.cells[i] = explain_capacitance(x, &entries[i]);
    notation_symbol(x->writer->notation, &x->w, "C", "");
    m.name = text_take(&x->w);
    x->writer->matrix(x->to, &m);
}

/* C(row, column) = sum */
static struct explain_line line_of_entry(struct explanation *x, const struct capacitance_entry *entry, int row,
                                         int column)
{
    struct explain_line line = {.terms = explain_take(x, entry->count, sizeof *line.terms)};
    const char *place = arena_format(x->arena, "%s,%s", plain_node(x, row), plain_node(x, column));
    for (size_t i = 0; i < entry->count && line.terms; i++)
        line.terms[line.term_count++] = explain_capacitance_share(x, &entry->shares[i], i == 0);
    notation_symbol(x->writer->notation, &x->w, "C", place ? place : "");
    line.left = text_take(&x->w);
    return line;
}

static void list_capacitances(struct explanation *x, const struct capacitance_entry *entries)
{
    const struct equation_system *s = &x->e->reduced;
    struct explain_line *lines = explain_take(x, s->node_count * s->node_count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < s->node_count && lines; i++)
        for (size_t j = 0; j < s->node_count; j++) {
            const struct capacitance_entry *entry = &entries[i * s->node_count + j];
            if (entry->count > 0)
                lines[count++] = line_of_entry(x, entry, s->equations[i].unknown, s->equations[j].unknown);
        }
    explain_say(x, "Its entries, by row and column:");
    if (!x->w.cut)
        x->writer->lines(x->to, lines, count);
}

/* Matrices of more rows are not even listed. */
enum { MOST_LISTED = 200, MOST_SHARES = 4 };

/* Entries of a few capacitances each. */
static bool can_be_drawn(const struct explanation *x, const struct capacitance_entry *entries)
{
    const size_t rows = x->e->reduced.node_count;
    for (size_t i = 0; i < rows * rows; i++)
        if (entries[i].count > MOST_SHARES)
            return false;
    return rows <= EXPLAIN_LARGE;
}

static bool has_charge_laws(const struct explanation *x)
{
    const struct equation_system *s = &x->e->reduced;
    for (size_t i = 0; i < s->node_count; i++)
        for (size_t k = 0; k < s->equations[i].count; k++) {
            const struct quantity *q = s->equations[i].terms[k].quantity;
            if (q->rate && q->kind != QUANTITY_CAPACITANCE)
                return true;
        }
    return false;
}

void explain_capacitances(struct explanation *x)
{
    const struct equation_system *s = &x->e->reduced;
    const int rank = x->e->capacitance_rank;
    explain_piece(x, EXPLAIN_HEADING, "Capacitance matrix");
    if (rank == 0) {
        explain_say(x, "No charge enters the balances: the capacitance matrix is zero.");
        return;
    }
    explain_say(x, "What multiplies the derivatives of the voltages in the balances above. Its rank is %d of %zu%s",
                rank, s->node_count,
                rank < (int)s->node_count ? ": the rows of nodes that only capacitors join add to zero." : ".");
    if (has_charge_laws(x))
        explain_say(x, "Where a charge is a function, C_name:k is its derivative with respect to its k-th argument, "
                       "C_name that with respect to the only one.");
    const struct capacitance_entry *entries = s->node_count <= MOST_LISTED ? equations_capacitance(x->e) : NULL;
    if (s->node_count > MOST_LISTED)
        explain_say(x, "It is too large to be shown.");
    else if (!entries)
        x->w.cut = true;
    else if (can_be_drawn(x, entries))
        draw_capacitances(x, entries);
    else
        list_capacitances(x, entries);
}
