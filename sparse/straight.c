/* straight.c - solutions with the factors of small matrices, see kept_pivots.h. */
#include "sparse/kept_pivots.h"

#include "base/array.h"

#include <stdlib.h>

void straight_free(struct straight *s)
{
    free(s->operations);
    free(s->sources);
    *s = (struct straight){0};
}

/* Those of the columns [begin, end) of a part, whose numbers are to be divided by pivots or not. */
static void add_column(struct straight *s, const struct part *p, int j, bool divided)
{
    const double *value = p->value;
    for (int e = p->start[j]; e < p->start[j + 1]; e++) {
        s->operations[s->count] = (struct straight_operation){0, p->row[e], j};
        s->sources[s->count++] = (struct straight_source){value + e, divided};
    }
}

bool straight_reserve(struct straight *s, const struct kept_pivots *k)
{
    const size_t needed = k->lower.capacity + k->upper.capacity + k->above.capacity;
    size_t room = s->room;
    return array_reserve(&s->sources, needed, &room, sizeof *s->sources) &&
           array_reserve(&s->operations, needed, &s->room, sizeof *s->operations);
}

void straight_take(struct straight *s, const struct kept_pivots *k)
{
    s->count = 0;
    for (int block = k->blocks; block-- > 0;) {
        const int begin = k->block_start[block], end = k->block_start[block + 1];
        for (int j = begin; j < end; j++)
            add_column(s, &k->lower, j, false);
        for (int j = end; j-- > begin;)
            add_column(s, &k->upper, j, true);
        for (int j = begin; block > 0 && j < end; j++)
            add_column(s, &k->above, j, true);
    }
}

void straight_fill(struct straight *s, const struct kept_pivots *k)
{
    const double *divisor = k->divisor;
    for (int i = 0; i < s->count; i++) {
        const struct straight_source source = s->sources[i];
        s->operations[i].value = *source.value * (source.divided ? divisor[s->operations[i].from] : 1);
    }
}

void straight_solve(const struct straight *s, const struct kept_pivots *k, double *b)
{
    double x[STRAIGHT_MOST];
    const double *divisor = k->divisor;
    const int n = k->n, *row = k->row, *column = k->column;
    for (int i = 0; i < n; i++)
        x[i] = b[row[i]];
    const struct straight_operation *o = s->operations, *const end = o + s->count;
    for (; o < end; o++)
        x[o->to] -= o->value * x[o->from];
    for (int i = 0; i < n; i++)
        b[column[i]] = x[i] * divisor[i];
}
