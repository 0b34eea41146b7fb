/* deck.h - a circuit from netlist text, built up to its equations and its topology, for the tests of mna/. */
#ifndef TESTS_MNA_DECK_H
#define TESTS_MNA_DECK_H

#include "claims.h"
#include "mna/mna.h"
#include "mna/start/consistent.h"
#include "mna/start/operating_point.h"
#include "mna/topology/topology.h"
#include "read_circuit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct deck {
    struct kn_diagnostics *diagnostics;
    struct circuit *circuit;
    struct mna *mna;
    struct topology *topology;
    struct operating_report report;
    struct consistent run;
    double *x; /* [n] */
};

static inline void deck_print(const struct deck *s)
{
    for (size_t i = 0; i < kn_diagnostics_count(s->diagnostics); i++)
        kn_diagnostic_write(kn_diagnostics_get(s->diagnostics, i), stderr, false);
}

static inline void deck_close(struct deck *s)
{
    free(s->x);
    consistent_free(&s->run);
    topology_free(s->topology);
    mna_free(s->mna);
    circuit_free(s->circuit);
    kn_diagnostics_free(s->diagnostics);
    memset(s, 0, sizeof *s);
}

/* Everything but the solution; a failure is a failed claim, with what the library says about it. */
static inline bool deck_open(struct deck *s, const char *text)
{
    memset(s, 0, sizeof *s);
    s->diagnostics = kn_diagnostics_new();
    enum kn_status status =
        circuit_read_text(&device_catalogue, "test.cir", text, strlen(text), s->diagnostics, &s->circuit);
    if (status == KN_OK) {
        const struct mna_options options = mna_options_of(s->circuit);
        status = mna_new(s->circuit, &options, s->diagnostics, &s->mna);
    }
    if (status == KN_OK)
        status = topology_new(s->mna, &s->topology);
    if (status == KN_OK) {
        s->x = calloc((size_t)mna_unknown_count(s->mna), sizeof *s->x);
        status = s->x ? KN_OK : KN_ERROR_MEMORY;
    }
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    deck_print(s);
    deck_close(s);
    return false;
}

/* The operating point at time 0, into s->x. */
static inline enum kn_status deck_operate(struct deck *s, double relative, bool impose_initial)
{
    const struct operating_options options = {
        .relative = relative, .time = 0, .max_iterations = 100, .impose_initial = impose_initial};
    return operating_point(s->mna, s->topology, &options, s->diagnostics, s->x, &s->report);
}

/* s->x made consistent at a time; uic: from the values of the deck. */
static inline enum kn_status deck_make_consistent(struct deck *s, double time, double relative, bool uic)
{
    const struct circuit *c = s->circuit;
    s->run.mna = s->mna;
    s->run.topology = s->topology;
    s->run.relative = relative;
    s->run.span = c->transient_count > 0 ? c->transients[0].stop : INFINITY;
    return uic ? consistent_start(&s->run, time, s->diagnostics, s->x)
               : consistent_restart(&s->run, time, s->diagnostics, s->x);
}

/* Index of an unknown by name, -1 if there is none. */
static inline int deck_unknown(const struct deck *s, const char *name)
{
    for (int i = 0; i < mna_unknown_count(s->mna); i++)
        if (strcmp(mna_unknown(s->mna, i)->name, name) == 0)
            return i;
    return -1;
}

static inline double deck_value(const struct deck *s, const char *name)
{
    const int i = deck_unknown(s, name);
    return i >= 0 ? s->x[i] : NAN;
}

/* The first diagnostic of this code, or NULL. */
static inline const struct kn_diagnostic *deck_said(const struct deck *s, const char *code)
{
    for (size_t i = 0; i < kn_diagnostics_count(s->diagnostics); i++)
        if (strcmp(kn_diagnostics_get(s->diagnostics, i)->code, code) == 0)
            return kn_diagnostics_get(s->diagnostics, i);
    return NULL;
}

static inline bool deck_mentions(const struct kn_diagnostic *item, const char *word)
{
    return item && strstr(item->text, word);
}

#endif
