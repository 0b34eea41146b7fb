/* incidence.h - the constant entries of a branch that has its own current i:
 *     node rows      f[plus] += i,  f[minus] -= i
 *     branch row     f[i] += v(plus) - v(minus)        (the family adds the rest of the branch equation)
 */
#ifndef DEVICES_INCIDENCE_H
#define DEVICES_INCIDENCE_H

#include "base/arena.h"
#include "devices/device.h"

#include <math.h>
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

enum { OWN_NODES_MOST = DEVICE_MOST_ENDS };

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

/* ---- tangents ---- */

/* What an instance gave where it was last asked for currents, charges and their slopes: near there it gives the same but for the way from
 * there (DEVICE_NEAR).  All its unknowns are volts, or kelvin. */
struct own_tangent {
    double gmin;     /* S, that it was taken with; NaN: there is none */
    double *at;      /* [count] the nodes' unknowns */
    double *sums[2]; /* currents and charges, each as own_nodes_gather has them */
};

static inline bool own_tangent_allocate(struct arena *memory, int count, struct own_tangent *t)
{
    const size_t size = (size_t)(count + count * count);
    double *all = arena_array(memory, (size_t)count + 2 * size, sizeof *all);
    *t = (struct own_tangent){NAN, all, {all + count, all + count + size}};
    return all != NULL;
}

/* Ends may go to both sides. */
static inline bool own_tangent_answers(const struct own_nodes *n, const struct own_tangent *t,
                                       const struct device_point *at)
{
    bool near = t->gmin == at->gmin;
    for (int i = 0; near && i < n->count; i++)
        near = n->unknowns[i] < 0 || fabs(at->x[n->unknowns[i]] - t->at[i]) <= at->near / 2;
    return near;
}

static inline void own_tangent_take(const struct own_nodes *n, own_nodes_gather *gather, const void *instance,
                                    const struct device_point *at, struct own_tangent *t)
{
    memset(t->sums[0], 0, 2 * (size_t)(n->count + n->count * n->count) * sizeof *t->at);
    gather(instance, at, false, t->sums[0]);
    gather(instance, at, true, t->sums[1]);
    for (int i = 0; i < n->count; i++)
        t->at[i] = n->unknowns[i] < 0 ? 0 : at->x[n->unknowns[i]];
    t->gmin = at->gmin;
}

/* Adds `factor` times what the tangent gives at x, NULL: where all unknowns are 0, to the parts that are asked for. */
static inline void own_tangent_add(const struct own_nodes *n, const struct own_tangent *t, const double *x,
                                   unsigned what, double factor, const struct device_stamp *out)
{
    const struct {
        unsigned values, slopes;
        double *value, *slope;
    } parts[2] = {{EVALUATE_F, EVALUATE_G, out->f, out->G}, {EVALUATE_Q, EVALUATE_C, out->q, out->C}};
    for (int part = 0; part < 2; part++) {
        double value[OWN_NODES_MOST], slope[OWN_NODES_MOST * OWN_NODES_MOST];
        const double *kept = t->sums[part];
        if (!(what & (parts[part].values | parts[part].slopes)))
            continue;
        for (int i = 0; i < n->count; i++) {
            value[i] = factor * kept[i];
            for (int j = 0; j < n->count; j++) {
                const int place = i * n->count + j;
                slope[place] = factor * kept[n->count + place];
                if (n->unknowns[j] >= 0)
                    value[i] += slope[place] * ((x ? x[n->unknowns[j]] : 0) - t->at[j]);
            }
        }
        own_nodes_add(n, value, slope, what & parts[part].values ? parts[part].value : NULL,
                      what & parts[part].slopes ? parts[part].slope : NULL);
    }
}

/* own_nodes_give; the tangent is kept where it is of the point itself (`exact`) and whole. */
static inline void own_tangent_give(const struct own_nodes *n, own_nodes_gather *gather, const void *instance,
                                    const struct device_point *at, bool exact, struct own_tangent *t,
                                    const struct device_stamp *out)
{
    if (!exact || !makes_tangents(at->what)) {
        own_nodes_give(n, gather, instance, at, out);
        return;
    }
    own_tangent_take(n, gather, instance, at, t);
    own_tangent_add(n, t, at->x, at->what, 1, out);
}

/* The unknowns of a device at rest (struct device_class, ends). */
static inline size_t own_nodes_ends(const struct own_nodes *n, int unknowns[DEVICE_MOST_ENDS])
{
    size_t count = 0;
    for (int i = 0; i < n->count; i++)
        if (n->unknowns[i] >= 0 && n->same[i] == i)
            unknowns[count++] = n->unknowns[i];
    return count;
}

#endif
