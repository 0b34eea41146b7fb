/* coupling_check.c - positive semidefiniteness of coupling matrices by Cholesky factorisation with diagonal pivoting
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 10.3).
 */
#include "devices/linear/coupling_check.h"

#include "base/groups.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coefficients are rarely written with more digits than this resolves; k = 1 makes the matrix singular on purpose. */
static const double round_off = 1e-9;

struct checker {
    const struct coupled_pair *pairs;
    size_t pair_count;
    const struct circuit *circuit;
    int *group; /* [element_count] union-find over inductors */
    int *next;  /* [element_count] the members of each group in a ring */
    int *place; /* [element_count] row within the current group */
    int *members;
    size_t member_count;
};

static int compare_numbers(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void collect(struct checker *c, int root)
{
    c->member_count = 0;
    int i = root;
    do {
        c->members[c->member_count++] = i;
        i = c->next[i];
    } while (i != root);
    qsort(c->members, c->member_count, sizeof *c->members, compare_numbers);
    for (size_t k = 0; k < c->member_count; k++)
        c->place[c->members[k]] = (int)k;
}

/* First pair of the group, for the place of the message. */
static const struct coupled_pair *fill_matrix(const struct checker *c, int root, double *k)
{
    const size_t n = c->member_count;
    const struct coupled_pair *first = NULL;
    memset(k, 0, n * n * sizeof *k);
    for (size_t i = 0; i < n; i++)
        k[i * n + i] = 1.0;
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct coupled_pair *p = &c->pairs[i];
        if (groups_find(c->group, p->first->number) != root)
            continue;
        const size_t a = (size_t)c->place[p->first->number], b = (size_t)c->place[p->second->number];
        k[a * n + b] = k[b * n + a] = p->coefficient;
        first = first ? first : p;
    }
    return first;
}

/* Exchanges rows and columns a < b of a symmetric matrix of which only the lower triangle is kept. */
static void exchange(double *k, size_t n, size_t a, size_t b)
{
    for (size_t j = 0; j < n; j++) {
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
static void eliminate(double *k, size_t n, size_t p, double *column)
{
    const double pivot = k[p * n + p];
    for (size_t i = p + 1; i < n; i++)
        column[i] = k[i * n + p];
    for (size_t i = p + 1; i < n; i++) {
        const double factor = column[i] / pivot;
        double *row = &k[i * n];
        for (size_t j = p + 1; j <= i; j++)
            row[j] -= factor * column[j];
    }
}

static bool is_semidefinite(double *k, size_t n, double *column)
{
    size_t step = 0;
    for (; step < n; step++) {
        size_t p = step;
        for (size_t i = step + 1; i < n; i++)
            p = k[i * n + i] > k[p * n + p] ? i : p;
        if (k[p * n + p] <= round_off)
            break;
        if (p != step)
            exchange(k, n, step, p);
        eliminate(k, n, step, column);
    }
    for (size_t i = step; i < n; i++)
        for (size_t j = step; j <= i; j++)
            if (fabs(k[i * n + j]) > (i == j ? 10.0 * round_off : sqrt(round_off)))
                return false;
    return true;
}

static void warn(const struct checker *c, const struct coupled_pair *first, struct kn_diagnostics *d)
{
    struct text names = TEXT(200);
    struct text_list list = text_list(&names, ", ", 0);
    for (size_t i = 0; i < c->member_count; i++)
        text_list_add(&list, c->circuit->elements[c->members[i]].name);
    text_list_end(&list);
    diagnostics_add(d, KN_WARNING, "coupling", first->coupling->where,
                    "check the signs and the missing pairs; windings that share a core are all coupled",
                    "no real windings have the coupling coefficients given for %s: the stored energy could become "
                    "negative and the circuit unstable",
                    names.at);
}

static enum kn_status check_group(struct checker *c, int root, struct kn_diagnostics *d)
{
    collect(c, root);
    const size_t n = c->member_count;
    double *k = n > 2 ? malloc((n + 1) * n * sizeof *k) : NULL; /* the matrix, and room for a column */
    if (n <= 2)
        return KN_OK;
    if (!k)
        return KN_ERROR_MEMORY;
    const struct coupled_pair *first = fill_matrix(c, root, k);
    if (first && !is_semidefinite(k, n, k + n * n))
        warn(c, first, d);
    free(k);
    return KN_OK;
}

static void join(struct checker *c)
{
    for (size_t i = 0; i < c->circuit->element_count; i++)
        c->next[i] = (int)i;
    for (size_t i = 0; i < c->pair_count; i++) {
        const int a = groups_find(c->group, c->pairs[i].first->number);
        const int b = groups_find(c->group, c->pairs[i].second->number);
        if (!groups_unite(c->group, a, b))
            continue;
        const int after = c->next[a];
        c->next[a] = c->next[b];
        c->next[b] = after;
    }
}

/* Each group once, at its first pair. */
static enum kn_status check_groups(struct checker *c, struct kn_diagnostics *d)
{
    enum kn_status status = KN_OK;
    bool *done = calloc(c->circuit->element_count + 1, sizeof *done);
    if (!done)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < c->pair_count && status == KN_OK; i++) {
        const int root = groups_find(c->group, c->pairs[i].first->number);
        if (!done[root])
            status = check_group(c, root, d);
        done[root] = true;
    }
    free(done);
    return status;
}

enum kn_status coupling_check_energy(const struct coupled_pair *pairs, size_t count, const struct circuit *c,
                                     struct kn_diagnostics *d)
{
    const size_t room = c->element_count + 1;
    struct checker checker = {.pairs = pairs, .pair_count = count, .circuit = c};
    checker.group = groups_new((int)c->element_count);
    checker.next = calloc(room, sizeof *checker.next);
    checker.place = calloc(room, sizeof *checker.place);
    checker.members = calloc(room, sizeof *checker.members);
    enum kn_status status = KN_ERROR_MEMORY;
    if (checker.group && checker.next && checker.place && checker.members) {
        join(&checker);
        status = check_groups(&checker, d);
    }
    free(checker.group);
    free(checker.next);
    free(checker.place);
    free(checker.members);
    return status;
}
