/* incidence.h - the constant entries of a branch that has its own current i:
 *     node rows      f[plus] += i,  f[minus] -= i
 *     branch row     f[i] += v(plus) - v(minus)        (the family adds the rest of the branch equation)
 */
#ifndef DEVICES_INCIDENCE_H
#define DEVICES_INCIDENCE_H

#include "devices/device.h"

#include <string.h>

struct incidence {
    int plus_current, minus_current; /* slots of (plus, i), (minus, i) */
    int current_plus, current_minus; /* slots of (i, plus), (i, minus) */
};

static inline bool incidence_connect(struct incidence *s, struct device_setup *setup, int plus, int minus, int current)
{
    return setup_entry(setup, plus, current, &s->plus_current) &&
           setup_entry(setup, minus, current, &s->minus_current) &&
           setup_entry(setup, current, plus, &s->current_plus) && setup_entry(setup, current, minus, &s->current_minus);
}

static inline void incidence_stamp(const struct incidence *s, double *G)
{
    G[s->plus_current] += 1.0;
    G[s->minus_current] -= 1.0;
    G[s->current_plus] += 1.0;
    G[s->current_minus] -= 1.0;
}

/* The entries value * (v(plus) - v(minus)) of a two-terminal conductance or capacitance, slots as of setup_pair. */
static inline void pair_stamp(const int slots[4], double value, double *matrix)
{
    matrix[slots[0]] += value;
    matrix[slots[1]] -= value;
    matrix[slots[2]] -= value;
    matrix[slots[3]] += value;
}

/* The nodes of an instance, `count` of them: unknowns, -1: not there; the first node that is the same unknown; entries [count][count]. */
struct own_nodes {
    int count;
    const int *unknowns, *same, *slots;
};

/* Fills same [count] and slots [count][count] from the unknowns; false without memory. */
static inline bool own_nodes_connect(struct device_setup *s, int count, const int *unknowns, int *same, int *slots)
{
    for (int i = 0; i < count; i++)
        for (same[i] = 0; same[i] < i && unknowns[same[i]] != unknowns[i];)
            same[i]++;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (unknowns[i] >= 0 && unknowns[j] >= 0 && same[i] == i && same[j] == j &&
                !setup_entry(s, unknowns[i], unknowns[j], &slots[i * count + j]))
                return false;
    return true;
}

/* Adds what an instance has gathered over its nodes: value [count] to f or q, slope [count][count] to G or C; NULL: not asked for. */
static inline void own_nodes_add(const struct own_nodes *n, const double *value, const double *slope, double *values,
                                 double *matrix)
{
    for (int i = 0; i < n->count; i++) {
        if (n->unknowns[i] < 0)
            continue;
        if (values)
            values[n->unknowns[i]] += value[i];
        for (int j = 0; matrix && j < n->count; j++)
            if (n->unknowns[j] >= 0)
                matrix[n->slots[n->same[i] * n->count + n->same[j]]] += slope[i * n->count + j];
    }
}

/* Gathers an instance's currents or charges: values [count], then slopes [count][count], zero before. */
typedef void own_nodes_gather(const void *instance, const struct device_point *at, bool charges, double *sums);

enum { OWN_NODES_MOST = 16 };

/* Adds what an instance gives to the parts that are asked for. */
static inline void own_nodes_give(const struct own_nodes *n, own_nodes_gather *gather, const void *instance,
                                  const struct device_point *at, const struct device_stamp *out)
{
    const unsigned what = at->what;
    double sums[OWN_NODES_MOST + OWN_NODES_MOST * OWN_NODES_MOST];
    const size_t size = (size_t)(n->count + n->count * n->count) * sizeof *sums;
    if (what & (EVALUATE_F | EVALUATE_G)) {
        memset(sums, 0, size);
        gather(instance, at, false, sums);
        own_nodes_add(n, sums, sums + n->count, what & EVALUATE_F ? out->f : NULL, what & EVALUATE_G ? out->G : NULL);
    }
    if (what & (EVALUATE_Q | EVALUATE_C)) {
        memset(sums, 0, size);
        gather(instance, at, true, sums);
        own_nodes_add(n, sums, sums + n->count, what & EVALUATE_Q ? out->q : NULL, what & EVALUATE_C ? out->C : NULL);
    }
}

/* into [count] := what leaves the nodes into an instance at a point, displacement included. */
static inline void own_nodes_flow(const struct own_nodes *n, own_nodes_gather *gather, const void *instance,
                                  const struct device_probe *at, double *into)
{
    const struct device_point point = {.x = at->x, .gmin = at->gmin};
    double sums[OWN_NODES_MOST + OWN_NODES_MOST * OWN_NODES_MOST];
    const size_t size = (size_t)(n->count + n->count * n->count) * sizeof *sums;
    memset(sums, 0, size);
    gather(instance, &point, false, sums);
    memcpy(into, sums, (size_t)n->count * sizeof *into);
    memset(sums, 0, size);
    gather(instance, &point, true, sums);
    for (int i = 0; i < n->count; i++)
        for (int j = 0; j < n->count; j++)
            if (n->unknowns[j] >= 0)
                into[i] += sums[n->count + i * n->count + j] * at->dxdt[n->unknowns[j]];
}

#endif
