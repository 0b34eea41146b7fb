/* slow_start.c - see slow_start.h. */
#include "analyses/transient/slow_start.h"

#include "analyses/transient/quasistatic.h"
#include "analyses/transient/starting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The step over which slopes are taken, beside the slowest fast time constant: its error enters e as a part of it. */
static const double STEP = 1e-6;

struct slow_start {
    struct setup *full;
    const struct transient *request;
    struct arena *memory;
    struct parasitics chosen;
    struct without without;
    struct fast *fast;
    double *x0, *slope, *charge, *e; /* [n] */
};

static struct kn_location option_place(const struct slow_start *s)
{
    const struct setting *said = circuit_option(s->full->circuit, "slow_start");
    return said ? said->where : NOWHERE;
}

static enum kn_status refuse(const struct slow_start *s, const struct fast_part *part)
{
    struct text why = TEXT(SENTENCE), hint = TEXT(SENTENCE);
    struct kn_diagnostics *d = s->full->diagnostics;
    if (!quasistatic_objection(&s->without, part, &why, &hint))
        return KN_OK;
    diagnostics_add(d, KN_ERROR, "slow-start-refused", option_place(s),
                    diagnostics_hint(d, "%s; knoten parasitics tells which may go", hint.at),
                    "there is no slow start of %s: %s", s->full->options->slow_start.names, why.at);
    return KN_ERROR_CIRCUIT;
}

/* x0, what is fast there, and the slope of the reduced circuit where something is. */
static enum kn_status find_start(struct slow_start *s, struct consistent *c, const double *x)
{
    struct setup *w = &s->without.setup;
    memcpy(s->x0, x, (size_t)mna_unknown_count(w->mna) * sizeof *x);
    enum kn_status status = consistent_restart(c, 0, NULL, s->x0);
    const struct index_point at = {0, s->x0};
    if (status == KN_OK)
        status = fast_new(w->mna, w->topology, &s->without.parasitics, &at, &s->fast);
    if (status == KN_OK)
        status = refuse(s, fast_result(s->fast));
    return status == KN_OK && fast_result(s->fast)->slowest > 0
               ? consistent_slope(c, 0, STEP * fast_result(s->fast)->slowest, s->x0, s->slope)
               : status;
}

static enum kn_status start_without(struct slow_start *s, const double *x)
{
    struct consistent c = starting_consistent(&s->without.setup, s->request);
    const enum kn_status status = find_start(s, &c, x);
    consistent_free(&c);
    return status;
}

/* Tells the unknown that starts furthest from where the deck would have it. */
static void tell(const struct slow_start *s, const double *before, const double *x)
{
    const struct mna *m = s->full->mna;
    const struct dae *dae = mna_dae(m);
    const double relative = s->full->options->relative;
    double most = 1;
    int worst = -1;
    for (int i = 0; i < dae->n; i++) {
        const double moved = fabs(x[i] - before[i]) / (dae->absolute[i] + relative * fabs(before[i]));
        worst = moved > most ? i : worst;
        most = fmax(most, moved);
    }
    if (worst < 0)
        return;
    const char *unit = mna_unknown(m, worst)->kind == UNKNOWN_VOLTAGE ? "V" : "A";
    diagnostics_add(s->full->diagnostics, KN_NOTE, "slow-start", option_place(s), NULL,
                    "%s starts at %.6g %s, not at %.6g %s, from where it would go there within some %.3g s",
                    mna_unknown(m, worst)->name, x[worst], unit, before[worst], unit, fast_result(s->fast)->slowest);
}

static enum kn_status go(struct slow_start *s, struct consistent *c, double *x)
{
    const int n = mna_unknown_count(s->full->mna);
    if (!arena_vectors(s->memory, (size_t)n + 1, (double **const[]){&s->x0, &s->slope, &s->charge, &s->e, NULL}))
        return KN_ERROR_MEMORY;
    enum kn_status status = s->without.unsolvable ? refuse(s, NULL) : start_without(s, x);
    if (status != KN_OK || !(fast_result(s->fast)->slowest > 0))
        return status;
    parasitics_add_charge(&s->without.parasitics, 1, s->slope, s->charge);
    fast_spend(s->fast, s->charge, s->e);
    for (int i = 0; i < n; i++) {
        s->charge[i] = x[i]; /* a copy of what it was, in the room of charges that have been used */
        x[i] = s->x0[i] - s->e[i];
    }
    status = consistent_restart(c, 0, NULL, x);
    if (status == KN_OK)
        tell(s, s->charge, x);
    return status;
}

static enum kn_status slow_down(struct setup *full, const struct transient *request, struct consistent *c, double *x)
{
    struct arena *memory;
    struct slow_start *s = arena_object(sizeof *s, &memory);
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct slow_start){.full = full, .request = request, .memory = memory};
    enum kn_status status = parasitics_find(full->circuit, full->topology, &full->options->slow_start, memory,
                                            full->diagnostics, &s->chosen);
    if (status == KN_OK)
        status = without_open(full, &s->chosen, NULL, &s->without);
    if (status == KN_OK)
        status = go(s, c, x);
    fast_free(s->fast);
    if (s->without.memory)
        without_free(&s->without);
    arena_free(memory);
    return status;
}

enum kn_status slow_start(struct setup *full, const struct transient *request, struct consistent *c, double *x,
                          struct operating_report *report)
{
    const enum kn_status status = starting_values(full, request, full->diagnostics, c, x, report);
    return status == KN_OK && full->options->slow_start.names ? slow_down(full, request, c, x) : status;
}
