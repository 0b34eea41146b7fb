/* run.h - one analysis of a circuit of a deck, with the options of both and of the caller. */
#ifndef ANALYSES_RUN_H
#define ANALYSES_RUN_H

#include "analyses/analysis.h"

/* One of the decks that a text with .alter and .step lib stands for, read and expanded. */
struct variant {
    struct deck *deck;
    struct circuit *circuit;
};

struct run_request {
    const struct deck *deck;
    const struct circuit *circuit;
    const struct kn_options *options;
    struct kn_diagnostics *diagnostics;
    struct kn_sink *sink;
    struct kn_summary *total;
    /* [alters + 1][sections], sections at least 1; the first is the deck as it stands. */
    const struct variant *variants;
    size_t alters, sections;
    const struct overrides *overrides; /* which the circuit was made with; NULL: none */
    struct carry *carry;               /* of transients that can go on with other values; NULL: none */
};

/* Adds every error and warning about the devices' parameters, also of a circuit that cannot be run anyway. */
void run_device_faults(const struct circuit *c, struct kn_diagnostics *d);
/* Threads that are to be at work. */
size_t run_threads(const struct kn_options *o);
/* Options of a circuit of the deck, and of the caller. */
enum kn_status run_options(const struct run_request *r, const struct circuit *c, struct analysis_options *out);
/* The set-up of its circuit, with options that outlive it. */
struct setup run_setup(const struct run_request *r, const struct analysis_options *o);
/* A sink that takes all and keeps nothing. */
struct kn_sink run_sink_of_nothing(void);
/* What the caller is told of an analysis. */
struct kn_summary run_summary(const struct analysis_summary *one, double seconds);
/* Adds the summary of a part to that of the whole. */
void run_add_up(struct kn_summary *total, const struct kn_summary *one);
/* One analysis; adds its summary to the total. */
enum kn_status run_analysis(const struct run_request *r, const struct analysis *a, struct setup *s, size_t number,
                            struct kn_sink *sink);

#endif
