/* carry.c - see carry.h. */
#include "analyses/transient/carry.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

struct kept_point {
    double value, charge; /* V or A; C or Wb */
};

static enum kn_status charges_at(struct mna *m, double time, const double *x, double *q)
{
    const struct dae *dae = mna_dae(m);
    struct dae_values out = {.q = q};
    return dae->eval(dae->problem, time, x, DAE_Q, &out);
}

static bool keep(struct carry *c, struct mna *m, const double *x, const double *q)
{
    for (int i = 0; i < mna_unknown_count(m); i++) {
        const char *own = mna_unknown(m, i)->name;
        char *name = arena_text(c->memory, own, strlen(own));
        struct kept_point *p = arena_alloc(c->memory, sizeof *p);
        if (!name || !p)
            return false;
        *p = (struct kept_point){x[i], q[i]};
        if (!name_table_put(c->points, name, p))
            return false;
    }
    return true;
}

static enum kn_status take(struct carry *c, struct mna *m, double time, const double *x)
{
    carry_forget(c);
    double *q = calloc((size_t)mna_unknown_count(m) + 1, sizeof *q);
    c->memory = arena_new();
    c->points = c->memory ? name_table_new(c->memory) : NULL;
    c->memories = c->memory ? name_table_new(c->memory) : NULL;
    c->time = time;
    enum kn_status status = q && c->points && c->memories ? charges_at(m, time, x, q) : KN_ERROR_MEMORY;
    if (status == KN_OK && !(keep(c, m, x, q) && mna_remember(m, c->memory, c->memories)))
        status = KN_ERROR_MEMORY;
    c->taken = status == KN_OK;
    free(q);
    return status;
}

enum kn_status carry_leave(struct carry *c, struct mna *m, const struct integrator *at, const struct transient *request)
{
    if (!c || !atomic_load(&c->wished) || at->t >= request->stop)
        return KN_OK;
    const enum kn_status status = take(c, m, at->t, at->x);
    return status == KN_OK ? KN_INTERRUPTED : status;
}

/* What looks at a run as a whole has seen a part of it only. */
static void note_loss(const struct carry *c, const struct circuit *circuit, struct kn_diagnostics *d)
{
    if (circuit->measure_count + circuit->spectrum_count + circuit->operating_time_count > 0)
        diagnostics_add(d, KN_WARNING, "values-changed", NOWHERE, "meas tran .. measures the vectors that there are",
                        "values change at t = %.6g s: .measure, .four, .fft and the times of .op give nothing for this "
                        "run",
                        c->time);
}

static enum kn_status recall(const struct carry *c, struct setup *s)
{
    const struct element *lost;
    const enum kn_status status = mna_recall(s->mna, c->memories, &lost);
    if (status == KN_ERROR_CIRCUIT)
        diagnostics_add(
            s->diagnostics, KN_ERROR, "values-changed", lost->where, "run begins it anew, with these values",
            "values have been changed, but %s remembers what has happened, which cannot be carried over", lost->name);
    return status;
}

enum kn_status carry_over(struct carry *c, struct setup *s, const struct transient *request, struct consistent *k,
                          double *x)
{
    const int n = mna_unknown_count(s->mna);
    double *q = calloc((size_t)n + 1, sizeof *q);
    *k = starting_consistent(s, request);
    if (!q)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n; i++) {
        const struct kept_point *p = name_table_get(c->points, mna_unknown(s->mna, i)->name);
        x[i] = p ? p->value : 0;
        q[i] = p ? p->charge : 0;
    }
    enum kn_status status = recall(c, s);
    if (status == KN_OK)
        status = consistent_carry(k, c->time, q, s->diagnostics, x);
    if (status == KN_OK)
        note_loss(c, s->circuit, s->diagnostics);
    free(q);
    return status;
}

enum kn_status carry_begin(struct carry *c, struct setup *s)
{
    const enum kn_status status = recall(c, s);
    carry_forget(c);
    return status;
}

void carry_forget(struct carry *c)
{
    arena_free(c->memory);
    c->memory = NULL;
    c->points = c->memories = NULL;
    c->taken = false;
}
