/* weights.c - what the work costs that `auto` compares its methods by:  weights DECK RUNS
 *
 * Runs the first .tran of the deck with each of the three methods of `auto` alone and prints a line of each:
 *
 *   method,evaluations,jacobians,factorizations,solves,work,seconds
 *
 * work is what `auto` would count for it, in evaluations; seconds the least of RUNS, of the processor, steps only.
 */
#include "analyses/library.h"
#include "analyses/transient/recording.h"
#include "integrators/auto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double RELTOL = 1e-3, LIMIT = 60;

static bool measure(const struct circuit *c, const struct analysis_options *options, const struct auto_rule *rule,
                    int runs)
{
    struct analysis_options o = *options;
    struct recording_outcome outcome;
    const struct recording_request request = {
        .circuit = c, .transient = &c->transients[0], .options = &o, .limit = LIMIT};
    double least = INFINITY;
    o.method = rule->class;
    o.relative = RELTOL;
    for (int i = 0; i < runs; i++) {
        struct recording rows = {0};
        struct kn_diagnostics *d = kn_diagnostics_new();
        const enum kn_status status = d ? recording_make(&request, d, &rows, &outcome) : KN_ERROR_MEMORY;
        kn_diagnostics_free(d);
        recording_free(&rows);
        if (status != KN_OK)
            return false;
        least = fmin(least, outcome.seconds);
    }
    const struct integrator_statistics *s = &outcome.summary.steps;
    printf("%s,%ld,%ld,%ld,%ld,%.0f,%.6g\n", rule->class->name, s->evaluations, s->jacobians,
           s->factorizations + s->refactorizations, s->solves, auto_work(rule, s), least);
    return true;
}

int main(int count, char **arguments)
{
    struct kn_circuit *circuit = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct analysis_options options;
    bool good = count == 3 && d && kn_circuit_read_file(arguments[1], d, &circuit) == KN_OK &&
                analysis_options_of(circuit->circuit, d, &options) == KN_OK && circuit->circuit->transient_count > 0;
    for (int i = 0; i < AUTO_CANDIDATES && good; i++)
        good = measure(circuit->circuit, &options, &auto_usual_rules[i], atoi(arguments[2]));
    kn_circuit_free(circuit);
    kn_diagnostics_free(d);
    return !good;
}
