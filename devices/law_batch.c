/* law_batch.c - see law_batch.h. */
#include "devices/law_batch.h"

#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of a run between whose ends a crest is sought: as many as there are to be rows, but no fewer than show a pulse of a thousandth of the
 * run by some points, and no more than take some milliseconds. */
enum { FEWEST_PIECES = 4096, MOST_PIECES = 65536 };

bool law_batch_init(struct law_batch *b, size_t capacity)
{
    b->laws = arena_array(b->base.arena, capacity + 1, sizeof *b->laws);
    b->switches_before = arena_array(b->base.arena, capacity + 1, sizeof *b->switches_before);
    b->crests = arena_array(b->base.arena, capacity + 1, sizeof *b->crests);
    return b->laws && b->switches_before && b->crests;
}

struct law *law_batch_add(struct law_batch *b, const struct element *e, bool charge)
{
    struct law *l = arena_alloc(b->base.arena, sizeof *l);
    if (!l || !law_make(l, e, charge, b->base.arena))
        return NULL;
    b->nonlinear = b->nonlinear || !l->affine;
    b->laws[b->law_count++] = l;
    b->switches_before[b->law_count] = b->switches_before[b->law_count - 1] + law_switch_count(l);
    return l;
}

/* ---- crests ---- */

static const struct transient *longest_transient(const struct circuit *c)
{
    const struct transient *longest = NULL;
    for (size_t i = 0; i < c->transient_count; i++)
        if (!longest || c->transients[i].stop > longest->stop)
            longest = &c->transients[i];
    return longest;
}

/* Who oscillates by a sine of the time has steps of a quarter of its period anyway. */
static bool may_have_crests(const struct law *l)
{
    double period = INFINITY;
    return l->expression && expression_uses_time(l->expression) && isinf(law_next_quarter(l, 0, &period));
}

/* The first of equal extremes among values [count + 1], each of which differs from those before and behind by more than `least`; times may
 * be NULL. */
static size_t list_crests(const double *values, size_t count, double piece, double least, double *times)
{
    size_t found = 0, turned = 0;
    double before = 0; /* the last change */
    for (size_t k = 1; k <= count; k++) {
        const double change = values[k] - values[k - 1];
        if (!(fabs(change) > least))
            continue;
        if (change * before < 0) {
            if (times)
                times[found] = (double)turned * piece;
            found++;
        }
        before = change;
        turned = k;
    }
    return found;
}

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t k = 0; k <= count; k++)
        largest = fmax(largest, fabs(values[k])); /* NaN does not count */
    return largest;
}

/* Values of the law at the ends of the pieces.  Voltages and currents have no values yet: those of no formula's own will do, since crests
 * of a factor are sought. */
static void sample(const struct law *l, size_t count, double piece, double *values)
{
    for (size_t k = 0; k < l->argument_count; k++)
        l->values[k] = (int)k == l->frequency ? 0 : sqrt(0.5) * (double)(k + 1);
    for (size_t k = 0; k <= count; k++)
        values[k] = law_value_of(l, (struct instant){(double)k * piece, (double)k * piece}, l->values);
}

/* Where the formula has corners, steps end anyway. */
static size_t leave_corners(const struct law *l, double piece, double *times, size_t count)
{
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (!(law_next_breakpoint(l, times[k] - piece) <= times[k] + piece))
            times[left++] = times[k];
    return left;
}

static void look_ahead(struct law_batch *b, const struct law *l, const struct transient *run)
{
    if (!may_have_crests(l))
        return;
    const size_t count = (size_t)fmax(FEWEST_PIECES, fmin(MOST_PIECES, ceil(run->stop / run->step)));
    struct law_crests *crests = &b->crests[b->crests_count];
    double *values = malloc((count + 1) * sizeof *values);
    if (!values)
        return;
    crests->piece = run->stop / (double)count;
    sample(l, count, crests->piece, values);
    const double least = ROUNDING_SAME * largest_of(values, count);
    crests->count = list_crests(values, count, crests->piece, least, NULL);
    crests->times = arena_array(b->base.arena, crests->count + 1, sizeof *crests->times);
    if (crests->times) {
        list_crests(values, count, crests->piece, least, crests->times);
        crests->count = leave_corners(l, crests->piece, crests->times, crests->count);
    }
    b->crests_count += crests->times && crests->count > 0;
    free(values);
}

/* Where a run begins, and not where laws are made, since batches that no run has are made, too.  Without memory there are no crests. */
static void look_ahead_of_all(struct law_batch *b)
{
    const struct transient *run = b->ahead ? longest_transient(b->ahead) : NULL;
    for (size_t i = 0; run && i < b->law_count; i++)
        look_ahead(b, b->laws[i], run);
    b->ahead = NULL;
}

/* A crest that is nearer than this part of a piece is where the run is. */
static const double NEAR_CREST = 1e-3;

static double next_crest(const struct law_crests *c, double time)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->times[middle] <= time + NEAR_CREST * c->piece)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count ? c->times[low] : INFINITY;
}

/* ---- what classes have as it is ---- */

void law_batch_force(const void *batch, struct instant when, double source_scale, double *f)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_force(b->laws[i], when, source_scale, f);
}

void law_batch_force_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_force_rate(b->laws[i], when, source_scale, dfdt);
}

void law_batch_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_eval(b->laws[i], at, out);
}

void law_batch_delay(const void *batch, double w, double _Complex *A, double _Complex *dAdw)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_delay(b->laws[i], w, A, dAdw);
}

bool law_batch_nonlinear(const void *batch)
{
    return ((const struct law_batch *)batch)->nonlinear;
}

double law_batch_next_breakpoint(const void *batch, double over)
{
    const struct law_batch *b = batch;
    double next = INFINITY;
    for (size_t i = 0; i < b->law_count; i++)
        next = fmin(next, law_next_breakpoint(b->laws[i], over));
    return next;
}

/* How much of a formula's value its sines are is not asked. */
double law_batch_next_quarter(void *batch, double time, double relative, double *period)
{
    struct law_batch *b = batch;
    double next = INFINITY;
    (void)relative;
    look_ahead_of_all(b);
    for (size_t i = 0; i < b->law_count; i++)
        next = fmin(next, law_next_quarter(b->laws[i], time, period));
    for (size_t i = 0; i < b->crests_count; i++) {
        next = fmin(next, next_crest(&b->crests[i], time));
        *period = fmin(*period, b->crests[i].piece);
    }
    return next;
}

size_t law_batch_switch_count(const void *batch)
{
    const struct law_batch *b = batch;
    return b->switches_before[b->law_count];
}

void law_batch_switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct law_batch *b = batch;
    for (size_t i = 0; i < b->law_count; i++)
        law_switches(b->laws[i], when, x, g + b->switches_before[i]);
}

/* The law of a switch; *number becomes that in the law. */
static struct law *law_of_switch(const struct law_batch *b, size_t *number)
{
    size_t low = 0, high = b->law_count; /* the last law with no more than *number switches before it */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (b->switches_before[middle] <= *number)
            low = middle;
        else
            high = middle;
    }
    *number -= b->switches_before[low];
    return b->laws[low];
}

void law_batch_hold(void *batch, size_t number, int side)
{
    struct law *l = law_of_switch(batch, &number);
    l->held[number] = (signed char)side;
}

const struct element *law_batch_switch_owner(const void *batch, size_t number)
{
    return law_of_switch(batch, &number)->element;
}
