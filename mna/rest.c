/* rest.c - see rest.h. */
#include "mna/rest.h"

#include "devices/batch.h"

#include <math.h>
#include <string.h>

/* Unknowns of a device that are not ground, each once. */
static size_t ends_of(const struct device_family *family, size_t k, int ends[DEVICE_MOST_ENDS])
{
    int all[DEVICE_MOST_ENDS];
    const size_t count = family->class->ends(family->batch, k, all);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = all[i] == 0;
        for (size_t j = 0; j < kept; j++)
            known |= ends[j] == all[i];
        if (!known)
            ends[kept++] = all[i];
    }
    return kept;
}

/* ---- who is where ---- */

/* Calls for each end of each device that can rest: counts them (first[node + 1]) or, with room for them, enters them. */
static void visit_residents(const struct rest *r, int *first, struct resident *resident)
{
    for (size_t i = 0; i < r->family_count; i++) {
        struct device_family *family = r->families[i];
        for (size_t k = 0; k < ((const struct batch *)family->batch)->count; k++) {
            int ends[DEVICE_MOST_ENDS];
            for (size_t e = ends_of(family, k, ends); e-- > 0;)
                if (resident)
                    resident[first[ends[e]]++] = (struct resident){family, k};
                else
                    first[ends[e] + 1]++;
        }
    }
}

static bool enter_residents(struct arena *memory, struct rest *r)
{
    const int n = r->n;
    r->first = arena_array(memory, (size_t)n + 2, sizeof *r->first);
    if (!r->first)
        return false;
    visit_residents(r, r->first, NULL);
    for (int i = 0; i <= n; i++)
        r->first[i + 1] += r->first[i];
    r->resident = arena_array(memory, (size_t)r->first[n + 1] + 1, sizeof *r->resident);
    if (!r->resident)
        return false;
    visit_residents(r, r->first, r->resident);
    memmove(r->first + 1, r->first,
            ((size_t)n + 1) * sizeof *r->first); /* each begin has moved to the next one while residents were entered */
    r->first[0] = 0;
    return true;
}

static bool list_families(struct arena *memory, const struct device_families *all, struct rest *r)
{
    r->families = arena_array(memory, all->count + 1, sizeof(struct device_family *));
    for (size_t i = 0; r->families && i < all->count; i++)
        if (all->families[i].class->tangent)
            r->families[r->family_count++] = &all->families[i];
    return r->families != NULL;
}

enum kn_status rest_new(struct arena *memory, const struct device_families *families,
                        const struct sparse_pattern *pattern, struct rest *out)
{
    const size_t n = (size_t)pattern->n + 1, entries = (size_t)pattern->entries + 1;
    *out = (struct rest){.pattern = pattern, .n = pattern->n, .near = DEVICE_NEAR};
    out->resting_at = arena_array(memory, n, sizeof *out->resting_at);
    if (!out->resting_at ||
        !arena_vectors(memory, n, (double **const[]){&out->home, &out->seen, &out->sum.f, &out->sum.q, NULL}) ||
        !arena_vectors(memory, entries, (double **const[]){&out->sum.G, &out->sum.C, NULL}) ||
        !list_families(memory, families, out) || !enter_residents(memory, out))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        out->home[i] = NAN;
    return KN_OK;
}

/* ---- going to rest and waking ---- */

static void add(struct rest *r, const struct device_family *family, size_t k, double sign)
{
    family->class->tangent(family->batch, k, r->gmin, sign, &r->sum);
    r->changes++;
}

/* How far a node may be from its home, or from where devices at it were evaluated when they go to rest. */
static double farthest(const struct rest *r)
{
    return r->near / 4;
}

/* False where it cannot rest: it has no ends, or none but ground, or was calm at another place than x. */
static bool put_to_rest(struct rest *r, const struct device_family *family, size_t k, const double *x)
{
    int ends[DEVICE_MOST_ENDS];
    const size_t count = ends_of(family, k, ends);
    bool rests = count > 0;
    for (size_t e = 0; e < count; e++)
        rests &= fabs(x[ends[e]] - r->seen[ends[e]]) <= farthest(r);
    if (!rests)
        return false;
    for (size_t e = 0; e < count; e++)
        if (r->resting_at[ends[e]]++ == 0)
            r->home[ends[e]] = r->seen[ends[e]];
    ((struct batch *)family->batch)->calm[k] = BATCH_RESTS;
    add(r, family, k, 1);
    r->count++;
    return true;
}

static void wake(struct rest *r, const struct device_family *family, size_t k)
{
    struct batch *b = family->batch;
    int ends[DEVICE_MOST_ENDS];
    for (size_t e = ends_of(family, k, ends); e-- > 0;)
        if (--r->resting_at[ends[e]] == 0)
            r->home[ends[e]] = NAN;
    b->calm[k] = 0;
    b->active[b->active_count++] = k;
    r->disordered = true;
    add(r, family, k, -1);
    r->count--;
}

static void wake_node(struct rest *r, int node)
{
    for (int i = r->first[node]; i < r->first[node + 1] && r->resting_at[node] > 0; i++) {
        const struct resident *d = &r->resident[i];
        if (((const struct batch *)d->family->batch)->calm[d->number] == BATCH_RESTS)
            wake(r, d->family, d->number);
    }
}

static void clear_sums(struct rest *r)
{
    const size_t n = (size_t)r->n + 1, entries = (size_t)r->pattern->entries + 1;
    memset(r->sum.f, 0, n * sizeof *r->sum.f);
    memset(r->sum.q, 0, n * sizeof *r->sum.q);
    memset(r->sum.G, 0, entries * sizeof *r->sum.G);
    memset(r->sum.C, 0, entries * sizeof *r->sum.C);
    r->changes = 0;
}

static void wake_all(struct rest *r)
{
    for (int node = 1; node <= r->n; node++)
        wake_node(r, node);
    clear_sums(r);
}

/* What came and went leaves its rounding behind; the sums are made anew when as many have as rest. */
static void renew_sums(struct rest *r)
{
    clear_sums(r);
    for (size_t i = 0; i < r->family_count; i++) {
        const struct device_family *family = r->families[i];
        const struct batch *b = family->batch;
        for (size_t k = 0; k < b->count; k++)
            if (b->calm[k] == BATCH_RESTS)
                family->class->tangent(b, k, r->gmin, 1, &r->sum);
    }
}

/* In the order of the deck again, in which the processor fetches ahead what they need. */
static void order_active(struct rest *r)
{
    for (size_t i = 0; i < r->family_count; i++) {
        struct batch *b = r->families[i]->batch;
        b->active_count = 0;
        for (size_t k = 0; k < b->count; k++)
            if (b->calm[k] != BATCH_RESTS)
                b->active[b->active_count++] = k;
    }
    r->disordered = false;
}

void rest_wake(struct rest *r, double t, double gmin, const double *x, bool currents)
{
    r->all_seen = currents;
    const bool fits = t > 0 && gmin == r->gmin;
    if (r->count > 0 && !fits)
        wake_all(r);
    r->gmin = gmin;
    if (r->count == 0)
        return;
    const double far = farthest(r);
    for (int i = 1; i <= r->n; i++)
        if (fabs(x[i] - r->home[i]) > far) /* false where home is NaN */
            wake_node(r, i);
    if (r->disordered)
        order_active(r);
    if (r->changes > r->count)
        renew_sums(r);
}

void rest_settle(struct rest *r, double t, const double *x)
{
    for (size_t i = 0; t > 0 && r->all_seen && i < r->family_count; i++) {
        const struct device_family *family = r->families[i];
        struct batch *b = family->batch;
        const size_t before = b->active_count;
        size_t a = 0;
        while (a < before && b->calm[b->active[a]] < BATCH_CALM)
            a++;
        b->active_count = a;
        for (; a < before; a++) {
            const size_t k = b->active[a];
            if (b->calm[k] < BATCH_CALM || !put_to_rest(r, family, k, x))
                b->active[b->active_count++] = k;
        }
    }
}

/* ---- evaluation ---- */

/* Of columns at which none rests there is nothing but rounding of what has left them. */
void rest_add(const struct rest *r, const double *restrict x, double *restrict f, double *restrict q)
{
    const struct sparse_pattern *p = r->pattern;
    const double *restrict G = r->sum.G, *restrict C = r->sum.C;
    for (int i = 1; i <= r->n; i++) {
        f[i] += r->sum.f[i];
        q[i] += r->sum.q[i];
    }
    for (int j = 0; j < r->n; j++) {
        const double xj = r->resting_at[j + 1] > 0 ? x[j + 1] : 0;
        if (xj == 0)
            continue;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k] + 1;
            f[i] += G[k] * xj;
            q[i] += C[k] * xj;
        }
    }
}
