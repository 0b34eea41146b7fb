/* arnoldi.c - see arnoldi.h. */
#include "sparse/arnoldi.h"

#ifdef KNOTEN_ARPACK

#include "base/arena.h"

#include <arpack.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { MOST_RESTARTS = 300 };

/* To rounding, since poles are 1 / eigenvalue away from the shift. */
static const double TOLERANCE = 1e-14;

/* ARPACK keeps variables of its own between the calls of one iteration: one at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

struct iteration {
    const struct linear_map *map;
    int wanted, basis; /* vectors */
    double complex *residual, *vectors, *work, *inner, *values, *around;
    double *rwork;
    int length_inner;
    int parameters[11], places[14];
};

static bool allocate(struct arena *memory, struct iteration *t)
{
    const size_t n = (size_t)t->map->n, m = (size_t)t->basis;
    t->length_inner = 3 * t->basis * t->basis + 5 * t->basis;
    t->vectors = arena_array(memory, n * m, sizeof *t->vectors);
    t->work = arena_array(memory, 3 * n, sizeof *t->work);
    t->inner = arena_array(memory, (size_t)t->length_inner, sizeof *t->inner);
    t->values = arena_array(memory, (size_t)t->wanted + 1, sizeof *t->values);
    t->around = arena_array(memory, 2 * m, sizeof *t->around);
    t->rwork = arena_array(memory, m, sizeof *t->rwork);
    return t->vectors && t->work && t->inner && t->values && t->around && t->rwork;
}

/* The basis and its Hessenberg matrix; *info as ARPACK has it, 1: not all converged. */
static enum kn_status iterate(struct iteration *t, int *info)
{
    const int n = t->map->n;
    int ido = 0;
    *info = 1;                                                  /* the start is given */
    t->parameters[0] = t->parameters[3] = t->parameters[6] = 1; /* exact shifts, one by one, standard problem */
    t->parameters[2] = MOST_RESTARTS;
    for (;;) {
        znaupd_c(&ido, "I", n, "LM", t->wanted, TOLERANCE, t->residual, t->basis, t->vectors, n, t->parameters,
                 t->places, t->work, t->inner, t->length_inner, t->rwork, info);
        if (ido != 1 && ido != -1)
            return KN_OK;
        const double complex *x = &t->work[t->places[0] - 1];
        double complex *y = &t->work[t->places[1] - 1];
        memcpy(y, x, (size_t)n * sizeof *y);
        const enum kn_status status = t->map->apply(t->map->context, y);
        if (status != KN_OK)
            return status;
    }
}

/* Eigenvectors come with the values, to see how good they are. */
static enum kn_status extract(struct arena *memory, struct iteration *t, double complex *eigenvectors)
{
    const int n = t->map->n;
    int info = 0, *select = arena_array(memory, (size_t)t->basis, sizeof *select);
    if (!select)
        return KN_ERROR_MEMORY;
    zneupd_c(1, "A", select, t->values, eigenvectors, n, 0, t->around, "I", n, "LM", t->wanted, TOLERANCE, t->residual,
             t->basis, t->vectors, n, t->parameters, t->places, t->work, t->inner, t->length_inner, t->rwork, &info);
    return info == 0 ? KN_OK : KN_ERROR_CONVERGENCE;
}

static enum kn_status judge(const struct iteration *t, const double complex *vector, double complex value,
                            struct ritz_value *out)
{
    const int n = t->map->n;
    double complex *y = t->work;
    double size = 0, rest = 0;
    memcpy(y, vector, (size_t)n * sizeof *y);
    const enum kn_status status = t->map->apply(t->map->context, y);
    for (int i = 0; i < n; i++) {
        size = hypot(size, cabs(vector[i]));
        rest = hypot(rest, cabs(y[i] - value * vector[i]));
    }
    *out = (struct ritz_value){value, rest / (size * cabs(value))};
    return status;
}

static enum kn_status run(struct arena *memory, struct iteration *t, struct ritz_value *out, int *found)
{
    int info;
    double complex *eigenvectors = arena_array(memory, (size_t)t->map->n * (size_t)t->basis, sizeof *eigenvectors);
    if (!eigenvectors || !allocate(memory, t))
        return KN_ERROR_MEMORY;
    enum kn_status status = iterate(t, &info);
    if (status == KN_OK && info < 0)
        status = KN_ERROR_CONVERGENCE;
    const int converged = t->parameters[4] < t->wanted ? t->parameters[4] : t->wanted;
    if (status != KN_OK || converged <= 0)
        return status;
    status = extract(memory, t, eigenvectors);
    for (*found = 0; status == KN_OK && *found < converged; ++*found)
        status = judge(t, eigenvectors + (size_t)*found * (size_t)t->map->n, t->values[*found], &out[*found]);
    return status;
}

bool arnoldi_is_there(void)
{
    return true;
}

enum kn_status arnoldi_largest(const struct linear_map *map, double complex *start, int wanted, struct ritz_value *out,
                               int *found)
{
    const int n = map->n, most = wanted < n - 2 ? wanted : n - 2;
    const int basis = 2 * most + 20 < n ? 2 * most + 20 : n;
    struct iteration t = {.map = map, .wanted = most, .basis = basis, .residual = start};
    *found = 0;
    if (most < 1)
        return KN_OK;
    struct arena *memory = arena_new();
    if (!memory)
        return KN_ERROR_MEMORY;
    pthread_mutex_lock(&one_at_a_time);
    const enum kn_status status = run(memory, &t, out, found);
    pthread_mutex_unlock(&one_at_a_time);
    arena_free(memory);
    return status;
}

#else

bool arnoldi_is_there(void)
{
    return false;
}

enum kn_status arnoldi_largest(const struct linear_map *map, double complex *start, int wanted, struct ritz_value *out,
                               int *found)
{
    (void)map, (void)start, (void)wanted, (void)out;
    *found = 0;
    return KN_ERROR_ARGUMENT;
}

#endif
