/* couplings.c - coupling matrices by Cholesky factorisation with diagonal pivoting (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, section 10.3).
 */
#include "devices/couplings.h"

#include "base/groups.h"

#include <math.h>

/* Coefficients are rarely written with more digits than this resolves; k = 1 makes the matrix singular on purpose. */
static const double round_off = 1e-9;

struct coils {
    struct arena *memory;
    const struct coupling *list;
    const struct element **coils; /* [count] */
    int count;
    int *place;      /* [element numbers] among the coils */
    double *row_sum; /* [count] of |k| */
};

bool coupling_names(const struct coupling *c, const struct element *inductor)
{
    return c->first == inductor || c->second == inductor;
}

int coupling_numbers(const struct coupling *list, size_t count)
{
    int numbers = 0;
    for (size_t i = 0; i < count; i++) {
        numbers = numbers > list[i].first->number ? numbers : list[i].first->number + 1;
        numbers = numbers > list[i].second->number ? numbers : list[i].second->number + 1;
    }
    return numbers;
}

/* ---- one matrix ---- */

/* Exchanges rows and columns a < b of a symmetric matrix of which only the lower triangle is kept. */
static void exchange(double *k, int n, int a, int b)
{
    for (int j = 0; j < n; j++) {
        double *x = j < a ? &k[a * n + j] : j == a ? &k[a * n + a] : &k[j * n + a];
        double *y = j < a ? &k[b * n + j] : j == a ? &k[b * n + b] : j <= b ? &k[b * n + j] : &k[j * n + b];
        if (j == b)
            continue; /* (b, a) stays where it is */
        const double kept = *x;
        *x = *y;
        *y = kept;
    }
}

/* Takes pivot p out of the lower triangle from p on; column [n] is room for it. */
static void eliminate(double *k, int n, int p, double *column)
{
    const double pivot = k[p * n + p];
    for (int i = p + 1; i < n; i++)
        column[i] = k[i * n + p];
    for (int i = p + 1; i < n; i++) {
        const double factor = column[i] / pivot;
        for (int j = p + 1; j <= i; j++)
            k[i * n + j] -= factor * column[j];
    }
}

static enum coupling_energy energy_of(double *k, int n, double *column)
{
    int step = 0;
    for (; step < n; step++) {
        int p = step;
        for (int i = step + 1; i < n; i++)
            p = k[i * n + i] > k[p * n + p] ? i : p;
        if (k[p * n + p] <= round_off)
            break;
        if (p != step)
            exchange(k, n, step, p);
        eliminate(k, n, step, column);
    }
    for (int i = step; i < n; i++)
        for (int j = step; j <= i; j++)
            if (fabs(k[i * n + j]) > (i == j ? 10.0 * round_off : sqrt(round_off)))
                return ENERGY_NEGATIVE;
    return step < n ? ENERGY_ZERO : ENERGY_POSITIVE;
}

/* ---- groups ---- */

/* Every inductor that is named, once, in the order of element numbers. */
static bool collect(struct coils *c, size_t couplings)
{
    const int numbers = coupling_numbers(c->list, couplings);
    const struct element **named = arena_array(c->memory, (size_t)numbers + 1, sizeof *named);
    c->place = arena_array(c->memory, (size_t)numbers + 1, sizeof *c->place);
    c->coils = arena_array(c->memory, (size_t)numbers + 1, sizeof *c->coils);
    c->row_sum = arena_array(c->memory, (size_t)numbers + 1, sizeof *c->row_sum);
    if (!named || !c->place || !c->coils || !c->row_sum)
        return false;
    for (size_t i = 0; i < couplings; i++) {
        named[c->list[i].first->number] = c->list[i].first;
        named[c->list[i].second->number] = c->list[i].second;
    }
    for (int i = 0; i < numbers; i++)
        if (named[i]) {
            c->place[i] = c->count;
            c->coils[c->count++] = named[i];
        }
    for (size_t i = 0; i < couplings; i++) {
        c->row_sum[c->place[c->list[i].first->number]] += fabs(c->list[i].coefficient);
        c->row_sum[c->place[c->list[i].second->number]] += fabs(c->list[i].coefficient);
    }
    return true;
}

/* Diagonal dominance is enough. */
static bool dominates(const struct coils *c, const int *members, int n)
{
    int i = 0;
    while (i < n && c->row_sum[members[i]] < 1)
        i++;
    return i == n;
}

/* members [n]: the coils; pairs [pair_count]: couplings of the list between them; at: workspace [c->count]. */
static bool judge(const struct coils *c, const int *members, int n, const int *pairs, int pair_count, int *at,
                  enum coupling_energy *energy)
{
    double *k = arena_array(c->memory, (size_t)n * ((size_t)n + 1), sizeof *k); /* the matrix, and room for a column */
    if (!k)
        return false;
    for (int i = 0; i < n; i++) {
        at[members[i]] = i;
        k[i * n + i] = 1;
    }
    for (int i = 0; i < pair_count; i++) {
        const struct coupling *p = &c->list[pairs[i]];
        const int a = at[c->place[p->first->number]], b = at[c->place[p->second->number]];
        k[a * n + b] = k[b * n + a] = p->coefficient;
    }
    *energy = energy_of(k, n, k + n * n);
    return true;
}

/* Coils and couplings sorted by groups. */
struct sorted {
    int *group;                                /* [coils] smallest coil of the group */
    int *members, *first, *pairs, *first_pair; /* of groups_sort */
};

static bool sort(const struct coils *c, size_t couplings, struct sorted *s)
{
    int *group_of_pair = arena_array(c->memory, couplings + 1, sizeof *group_of_pair);
    s->group = groups_in(c->memory, c->count);
    if (!s->group || !group_of_pair)
        return false;
    for (size_t i = 0; i < couplings; i++)
        groups_unite(s->group, c->place[c->list[i].first->number], c->place[c->list[i].second->number]);
    for (int i = 0; i < c->count; i++)
        s->group[i] = groups_find(s->group, i);
    for (size_t i = 0; i < couplings; i++)
        group_of_pair[i] = s->group[c->place[c->list[i].first->number]];
    return groups_sort(c->memory, s->group, c->count, c->count, &s->members, &s->first) &&
           groups_sort(c->memory, group_of_pair, (int)couplings, c->count, &s->pairs, &s->first_pair);
}

static bool fill(const struct coils *c, const struct sorted *s, int k, int most, int *at, struct coupling_group *g)
{
    const int *members = s->members + s->first[k], *pairs = s->pairs + s->first_pair[k];
    *g = (struct coupling_group){.coils =
                                     arena_array(c->memory, (size_t)(s->first[k + 1] - s->first[k]), sizeof *g->coils),
                                 .count = s->first[k + 1] - s->first[k],
                                 .first = &c->list[pairs[0]],
                                 .energy = ENERGY_UNKNOWN};
    for (int i = 0; g->coils && i < g->count; i++)
        g->coils[i] = c->coils[members[i]];
    if (dominates(c, members, g->count))
        g->energy = ENERGY_POSITIVE;
    return g->coils && (g->energy == ENERGY_POSITIVE || g->count > most ||
                        judge(c, members, g->count, pairs, s->first_pair[k + 1] - s->first_pair[k], at, &g->energy));
}

bool coupling_groups(struct arena *memory, const struct coupling *list, size_t count, int most,
                     struct coupling_group **out, int *group_count)
{
    struct coils c = {.memory = memory, .list = list};
    struct sorted s;
    *group_count = 0;
    if (!collect(&c, count) || !sort(&c, count, &s))
        return false;
    int *at = arena_array(memory, (size_t)c.count + 1, sizeof *at);
    *out = arena_array(memory, (size_t)c.count + 1, sizeof **out);
    bool good = at && *out;
    for (int k = 0; good && k < c.count; k++)
        if (s.first[k + 1] > s.first[k])
            good = fill(&c, &s, k, most, at, &(*out)[(*group_count)++]);
    return good;
}
