/* index_borders.c - the pencil with more unknowns and equations than the circuit has, see struct index_border. */
#include "mna/index/index_parts.h"

#include <string.h>

static size_t entries_of(const struct index_border *borders, int count, int n)
{
    size_t entries = (size_t)count; /* the diagonal, which every pattern has */
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++)
            entries += (size_t)(borders[k].column[i] != 0) + (size_t)(borders[k].row[i] != 0);
    return entries;
}

/* ---- the pencil ---- */

struct bordering {
    const struct pencil *from;
    struct sparse_pattern *pattern; /* grows entry by entry */
    double *G, *C;
};

static void put(struct bordering *b, int row, double G, double C)
{
    b->pattern->row[b->pattern->entries] = row;
    b->G[b->pattern->entries] = G;
    b->C[b->pattern->entries++] = C;
}

static void put_columns(struct bordering *b, const struct index_border *borders, int count)
{
    const struct sparse_pattern *old = b->from->pattern;
    for (int j = 0; j < b->from->n; j++) {
        for (int e = old->column_start[j]; e < old->column_start[j + 1]; e++)
            put(b, old->row[e], b->from->G[e], b->from->C[e]);
        for (int k = 0; k < count; k++)
            if (borders[k].row[j] != 0)
                put(b, b->from->n + k, borders[k].row[j], 0);
        b->pattern->column_start[j + 1] = b->pattern->entries;
    }
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < b->from->n; i++)
            if (borders[k].column[i] != 0)
                put(b, i, borders[k].column[i], 0);
        put(b, b->from->n + k, 0, 0);
        b->pattern->column_start[b->from->n + k + 1] = b->pattern->entries;
    }
}

bool pencil_add_borders(struct arena *memory, const struct index_border *borders, int count, struct pencil *p)
{
    const size_t entries = (size_t)p->pattern->entries + entries_of(borders, count, p->n);
    struct bordering b = {.from = p, .pattern = arena_alloc(memory, sizeof *b.pattern)};
    b.G = arena_array(memory, entries + 1, sizeof *b.G);
    b.C = arena_array(memory, entries + 1, sizeof *b.C);
    if (!b.pattern || !b.G || !b.C)
        return false;
    *b.pattern = (struct sparse_pattern){.n = p->n + count};
    b.pattern->column_start = arena_array(memory, (size_t)b.pattern->n + 1, sizeof *b.pattern->column_start);
    b.pattern->row = arena_array(memory, entries + 1, sizeof *b.pattern->row);
    if (!b.pattern->column_start || !b.pattern->row)
        return false;
    put_columns(&b, borders, count);
    *p = (struct pencil){.n = b.pattern->n, .pattern = b.pattern, .G = b.G, .C = b.C};
    return true;
}

/* ---- null spaces ---- */

static bool add_unit_vectors(struct arena *memory, int n, int count, struct vectors *v)
{
    const int before = v->count, used = v->start[before];
    struct vectors more = {.count = before + count};
    more.start = arena_array(memory, (size_t)more.count + 1, sizeof *more.start);
    more.row = arena_array(memory, (size_t)(used + count) + 1, sizeof *more.row);
    more.value = arena_array(memory, (size_t)(used + count) + 1, sizeof *more.value);
    if (!more.start || !more.row || !more.value)
        return false;
    memcpy(more.start, v->start, ((size_t)before + 1) * sizeof *more.start);
    memcpy(more.row, v->row, (size_t)used * sizeof *more.row);
    memcpy(more.value, v->value, (size_t)used * sizeof *more.value);
    for (int k = 0; k < count; k++) {
        more.row[used + k] = n + k;
        more.value[used + k] = 1;
        more.start[before + k + 1] = used + k + 1;
    }
    *v = more;
    return true;
}

bool storage_add_borders(struct arena *memory, int n, int count, struct storage *s)
{
    return add_unit_vectors(memory, n, count, &s->left) && add_unit_vectors(memory, n, count, &s->right);
}

/* ---- terms ---- */

static void add_term(struct mna_terms *t, int row, int column, double value)
{
    if (value == 0)
        return;
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->G[t->count] = value;
    t->C[t->count++] = 0;
}

bool terms_add_borders(struct arena *memory, const struct index_border *borders, int count, struct mna_terms *t)
{
    const size_t most = t->count + entries_of(borders, count, t->n) + 1;
    struct mna_terms more = {.n = t->n + count, .count = t->count};
    more.row = arena_array(memory, most, sizeof *more.row);
    more.column = arena_array(memory, most, sizeof *more.column);
    more.G = arena_array(memory, most, sizeof *more.G);
    more.C = arena_array(memory, most, sizeof *more.C);
    more.is_current = arena_array(memory, (size_t)more.n + 1, sizeof *more.is_current);
    if (!more.row || !more.column || !more.G || !more.C || !more.is_current)
        return false;
    memcpy(more.row, t->row, t->count * sizeof *more.row);
    memcpy(more.column, t->column, t->count * sizeof *more.column);
    memcpy(more.G, t->G, t->count * sizeof *more.G);
    memcpy(more.C, t->C, t->count * sizeof *more.C);
    memcpy(more.is_current, t->is_current, (size_t)t->n * sizeof *more.is_current);
    for (int k = 0; k < count; k++) {
        more.is_current[t->n + k] = true;
        for (int i = 0; i < t->n; i++) {
            add_term(&more, i, t->n + k, borders[k].column[i]);
            add_term(&more, t->n + k, i, borders[k].row[i]);
        }
    }
    *t = more;
    return true;
}
