/* job.c - see job.h. */
#include "control/job.h"

#include "analyses/faults.h"

#include <stdlib.h>
#include <string.h>

static bool keep(struct arena *a, const char **text)
{
    return !*text || (*text = arena_text(a, *text, strlen(*text)));
}

static bool take_overrides(struct job *j, const struct overrides *from)
{
    struct override *items = arena_array(j->arena, from->count + 1, sizeof *items);
    bool good = items != NULL;
    for (size_t i = 0; good && i < from->count; i++) {
        items[i] = from->items[i];
        good = keep(j->arena, &items[i].name) && keep(j->arena, &items[i].setting);
    }
    j->overrides = *from;
    j->overrides.items = items;
    return good;
}

struct job *job_new(struct deck *deck, bool own, const struct overrides *overrides, struct kn_diagnostics *d,
                    enum kn_status *status)
{
    struct arena *arena;
    struct job *j = arena_object(sizeof *j, &arena);
    *status = KN_ERROR_MEMORY;
    if (!j) {
        if (own)
            deck_free(deck);
        return NULL;
    }
    j->arena = arena;
    j->own = own ? deck : NULL;
    j->as_it_stands.deck = deck;
    j->circuit = (struct kn_circuit){.deck = deck, .variants = &j->as_it_stands, .sections = 1, .commanded = true};
    if (take_overrides(j, overrides)) {
        j->circuit.overrides = j->overrides.count ? &j->overrides : NULL;
        *status = deck_expand(deck, j->circuit.overrides, faults_of_deck, d, &j->circuit.circuit);
    }
    if (*status != KN_OK) {
        job_free(j);
        return NULL;
    }
    j->as_it_stands.circuit = j->circuit.circuit;
    j->step = j->circuit.circuit->transient_count ? j->circuit.circuit->transients[0].step : 0;
    return j;
}

void job_free(struct job *j)
{
    if (!j)
        return;
    if (j->circuit.circuit)
        circuit_free(j->circuit.circuit);
    deck_free(j->own);
    arena_free(j->arena);
}

void job_run(struct job *j, struct plots *plots, const struct kn_sink *next, const struct kn_options *options,
             struct kn_diagnostics *d)
{
    struct plot_recorder recorder = {.plots = plots, .next = next, .step = j->step};
    struct kn_sink sink = plot_recorder_sink(&recorder);
    j->status = kn_run(&j->circuit, options, d, &sink, &j->summary);
    plot_recorder_close(&recorder);
}
