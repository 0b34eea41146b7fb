/* order.c - the order in which pivots are looked for, of a block of the block triangular form.
 *
 * Approximate minimum degree (Amestoy, Davis and Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886-905), but vertices of degree
 * 1 first, all that there are before those that become so, from the leaves of a tree and both ends of a line inwards.
 * Minimum degree takes them, too, which make no fill, but goes along a line from one end to the other, where each unknown
 * waits for the one before; two lines at once wait half as long (the twisted factorisation of Babuska, 1972; van der
 * Vorst 1987), and branches of a tree at the same time.
 */
#include "sparse/factors/kept_pivots.h"

#include "base/arena.h"

#include <amd.h>
#include <limits.h>

/* A + A' without its diagonal, as far as leaves need it: of one neighbour the exclusive or of all is that one. */
struct leaves {
    int *degree, *neighbours; /* [n] */
    bool *peeled;             /* [n] */
};

/* Counts each pair of neighbours once: entries below the diagonal, and those above whose mirror image is none. */
static bool count_neighbours(struct arena *memory, int n, const int *start, const int *row, struct leaves *s)
{
    int *const seen = arena_array(memory, (size_t)n + 1, sizeof *seen);
    int *const mirror_start = arena_array(memory, (size_t)n + 2, sizeof *mirror_start);
    int *const mirror = arena_array(memory, (size_t)start[n] + 1, sizeof *mirror);
    if (!seen || !mirror_start || !mirror)
        return false;
    for (int e = 0; e < start[n]; e++)
        mirror_start[row[e] + 2]++;
    for (int i = 0; i < n; i++)
        mirror_start[i + 2] += mirror_start[i + 1];
    for (int j = 0; j < n; j++)
        for (int e = start[j]; e < start[j + 1]; e++)
            mirror[mirror_start[row[e] + 1]++] = j;
    for (int j = 0; j < n; j++) {
        const int *const lists[] = {row + start[j], mirror + mirror_start[j]};
        const int counts[] = {start[j + 1] - start[j], mirror_start[j + 1] - mirror_start[j]};
        seen[j] = j + 1;
        for (int k = 0; k < 2; k++)
            for (int e = 0; e < counts[k]; e++) {
                const int i = lists[k][e];
                if (seen[i] == j + 1)
                    continue;
                seen[i] = j + 1;
                s->degree[j]++;
                s->neighbours[j] ^= i;
            }
    }
    return true;
}

static int take(struct leaves *s, int v, int count, int *order)
{
    if (s->peeled[v] || s->degree[v] > 1)
        return count;
    s->peeled[v] = true;
    order[count] = v;
    return count + 1;
}

/* Leaves, and what becomes leaves without them; how many. */
static int peel(struct leaves *s, int n, int *order)
{
    int count = 0;
    for (int v = 0; v < n; v++)
        count = take(s, v, count, order);
    for (int k = 0; k < count; k++) {
        const int v = order[k], other = s->neighbours[v];
        if (s->degree[v] == 0)
            continue;
        s->degree[other]--;
        s->neighbours[other] ^= v;
        count = take(s, other, count, order);
    }
    return count;
}

/* Minimum degree of the vertices that are left, whose number is n - peeled; *fill: entries of L in their columns;
 * *products: of numbers that their elimination takes. */
static bool order_rest(struct arena *memory, int n, const int *start, const int *row, const struct leaves *s,
                       int peeled, int *order, double *fill, double *products)
{
    const size_t left = (size_t)(n - peeled) + 1;
    int *const name = arena_array(memory, left, sizeof *name), *const found = arena_array(memory, left, sizeof *found);
    int *const number = arena_array(memory, (size_t)n + 1, sizeof *number);
    int *const rest_start = arena_array(memory, left, sizeof *rest_start);
    int *const rest = arena_array(memory, (size_t)start[n] + 1, sizeof *rest);
    double information[AMD_INFO];
    int count = 0, entries = 0;
    if (!name || !found || !number || !rest_start || !rest)
        return false;
    for (int v = 0; v < n; v++)
        if (!s->peeled[v]) {
            name[count] = v;
            number[v] = count++;
        }
    for (int k = 0; k < count; k++) {
        for (int e = start[name[k]]; e < start[name[k] + 1]; e++)
            if (!s->peeled[row[e]])
                rest[entries++] = number[row[e]];
        rest_start[k + 1] = entries;
    }
    if (amd_order(count, rest_start, rest, found, NULL, information) < AMD_OK)
        return false;
    for (int k = 0; k < count; k++)
        order[peeled + k] = name[found[k]];
    *fill = information[AMD_LNZ];
    *products = information[AMD_NMULTSUBS_LU];
    return true;
}

int pivot_order(int n, int *start, int *row, int *order, klu_common *common)
{
    struct arena *memory = arena_new();
    double fill = 0, products = 0;
    bool done = false;
    if (memory) {
        struct leaves s = {.degree = arena_array(memory, (size_t)n + 1, sizeof(int)),
                           .neighbours = arena_array(memory, (size_t)n + 1, sizeof(int)),
                           .peeled = arena_array(memory, (size_t)n + 1, sizeof(bool))};
        done = s.degree && s.neighbours && s.peeled && count_neighbours(memory, n, start, row, &s);
        const int peeled = done && n > STRAIGHT_MOST ? peel(&s, n, order) : 0; /* in short ones nobody waits long */
        done = done && (peeled == n || order_rest(memory, n, start, row, &s, peeled, order, &fill, &products));
        fill += n + peeled;
    }
    arena_free(memory);
    if (common->user_data)
        *(double *)common->user_data += products;
    return !done ? 0 : fill < INT_MAX ? (int)fill : INT_MAX;
}
