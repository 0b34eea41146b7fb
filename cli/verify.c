/* verify.c - `knoten verify DECK`: runs the deck and once more, by another method with a tenth of the tolerance, and
 * says how far the two are apart. */
#include "analyses/compare/verify.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/interrupt.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20 }; /* vectors in the table */

struct settings {
    struct common_settings common;
    const char *method, *against;
    double reltol, limit; /* reltol 0: the deck's */
    bool json;
};

static const struct option options[] = {
    {OPTION_TEXT, "--against", NULL, "METHOD", offsetof(struct settings, against),
     "of the second run; without it radau, or bdf where radau made the first", ANYTHING},
    {OPTION_TEXT, "--method", NULL, "NAME", offsetof(struct settings, method),
     "of the first run (overrides .options method)", ANYTHING},
    {OPTION_NUMBER, "--reltol", NULL, "X", offsetof(struct settings, reltol),
     "of the first run (overrides .options reltol); the second has a tenth of it",
     RANGE(DBL_MIN, 1 - DBL_EPSILON, "a number between 0 and 1 such as 1e-6")},
    {OPTION_NUMBER, "--limit", NULL, "SECONDS", offsetof(struct settings, limit),
     "of the processor, gives up the second run after it", RANGE(DBL_MIN, 1e9, "a positive number up to 1e9")},
    {OPTION_FLAG, "--json", NULL, NULL, offsetof(struct settings, json), "all vectors as one JSON object", ANYTHING},
    DIALECT_OPTION,
    QUIET_OPTION("no notes, no progress bar"),
    HELP_OPTION,
};

/* ---- results ---- */

struct first_run {
    const char *method;
    double reltol, seconds;
    size_t rows;
};

static void print_place(const struct verify_vector *v, const struct verify_place *at, double tolerance,
                        const char *where)
{
    printf("%-16s %10.3g %10.3g %9.3g %14.9g %14.7g %14.7g%s\n", v->name, tolerance, at->difference,
           at->difference / tolerance, at->time, at->first, at->second, where);
}

static void print_vector(const struct verify_vector *v)
{
    if (v->rows.difference / v->tolerance >= v->lines.difference / v->line_tolerance)
        print_place(v, &v->rows, v->tolerance, "");
    else
        print_place(v, &v->lines, v->line_tolerance, "  between rows");
    if (v->shift > 0)
        printf("%-16s   and up to %.3g s apart in time, at t = %.9g s\n", "", v->shift, v->shift_time);
}

static void print_runs(const struct first_run *first, const struct verification *v)
{
    printf("%s at reltol %.3g (%zu rows, %.3g s)", first->method, first->reltol, first->rows, first->seconds);
    if (v->method)
        printf(" against %s at reltol %.3g (%.3g s)\n\n", v->method->name, v->reltol, v->seconds);
    else
        printf(": not verified, no second run reached the end: %s\n", v->reason);
}

static void print_table(const struct first_run *first, const struct verification *v)
{
    print_runs(first, v);
    if (!v->method)
        return;
    printf("%-16s %10s %10s %9s %14s %14s %14s\n", "vector", "tolerance", "difference", "of it", "at t / s",
           "first run", "second run");
    for (size_t i = 0; i < v->count && i < SHOWN; i++)
        print_vector(&v->vectors[i]);
    if (v->count > SHOWN)
        printf("and %zu vectors with smaller differences (all with --json)\n", v->count - SHOWN);
    if (v->beyond > 0)
        printf("\n%zu of %zu vectors differ by more than %g times the tolerance\n", v->beyond, v->count, VERIFY_FACTOR);
    else
        printf("\nall vectors are within %g times the tolerance\n", VERIFY_FACTOR);
}

static void json_number(const char *key, double number)
{
    printf(", \"%s\": ", key);
    json_write_number(stdout, number);
}

static void json_place(const char *key, const struct verify_place *at)
{
    printf(", \"%s\": {\"difference\": ", key);
    json_write_number(stdout, at->difference);
    json_number("time", at->time);
    json_number("first", at->first);
    json_number("second", at->second);
    putchar('}');
}

static void json_vector(const struct verify_vector *v)
{
    printf("{\"name\": ");
    json_write_string(stdout, v->name, false);
    json_number("tolerance", v->tolerance);
    json_number("excess", verify_excess(v));
    json_place("at_rows", &v->rows);
    json_number("line_tolerance", v->line_tolerance);
    json_place("between_rows", &v->lines);
    json_number("time_difference", v->shift);
    json_number("time_difference_at", v->shift_time);
    putchar('}');
}

static void print_json(const struct first_run *first, const struct verification *v, bool begins)
{
    printf("%s{\"method\": ", begins ? "[" : ",\n ");
    json_write_string(stdout, first->method, false);
    json_number("reltol", first->reltol);
    json_number("seconds", first->seconds);
    printf(", \"rows\": %zu, \"against\": ", first->rows);
    if (v->method)
        json_write_string(stdout, v->method->name, false);
    else
        fputs("null, \"reason\": ", stdout), json_write_string(stdout, v->reason, false);
    json_number("against_reltol", v->reltol);
    json_number("against_seconds", v->seconds);
    json_number("factor", VERIFY_FACTOR);
    printf(", \"beyond\": %zu, \"vectors\": [", v->beyond);
    for (size_t i = 0; i < v->count; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        json_vector(&v->vectors[i]);
    }
    fputs("]}", stdout);
}

/* ---- the command ---- */

static void show_progress(void *context, double fraction)
{
    progress_show(context, fraction);
}

/* One .tran of the deck.  *good: within the tolerance. */
static enum kn_status verify_transient(const struct settings *s, struct job *j, size_t number,
                                       const struct analysis_options *o, bool *good)
{
    const struct circuit *c = j->circuit;
    struct kn_diagnostics *d = j->messages.diagnostics;
    struct recording rows;
    struct recording_outcome outcome;
    struct verification v = {0};
    const struct recording_request first = {
        .circuit = c, .transient = &c->transients[number], .options = o, .limit = INFINITY};
    enum kn_status status = recording_make(&first, d, &rows, &outcome);
    const struct first_run made = {outcome.summary.method, o->relative, outcome.seconds, rows.rows};
    messages_show(&j->messages);
    if (status == KN_OK) {
        const struct verify_request request = {
            .circuit = c,
            .transient = &c->transients[number],
            .options = o,
            .first_method = integrator_find(made.method),
            .against = s->against ? integrator_find(s->against) : NULL,
            .limit = s->limit,
        };
        status = verify_rows(&request, &rows, &v);
    }
    progress_clear(j->progress);
    if (status == KN_OK && s->json)
        print_json(&made, &v, number == 0);
    else if (status == KN_OK)
        print_table(&made, &v);
    *good = status == KN_OK && v.method && v.beyond == 0;
    verify_free(&v);
    recording_free(&rows);
    return status;
}

static enum kn_status options_of(const struct settings *s, struct job *j, struct analysis_options *o)
{
    struct kn_diagnostics *d = j->messages.diagnostics;
    enum kn_status status = analysis_options_of(j->circuit, d, o);
    if (status == KN_OK && s->method && !(o->method = analysis_method(s->method, NOWHERE, d)))
        status = KN_ERROR_DECK;
    if (status == KN_OK && s->against && !analysis_method(s->against, NOWHERE, d))
        status = KN_ERROR_DECK;
    if (status == KN_OK && j->circuit->transient_count == 0) {
        diagnostics_add(d, KN_ERROR, "no-transient", NOWHERE, "add a line such as  .tran 1u 1m",
                        "the deck asks for no transient analysis, so there are no waveforms to verify");
        status = KN_ERROR_DECK;
    }
    o->relative = s->reltol > 0 ? s->reltol : o->relative;
    o->interrupted = interrupt_came;
    o->progress = show_progress;
    o->context = j->progress;
    return status;
}

static void say_interrupted(void)
{
    fprintf(stderr, "knoten: interrupted; nothing was verified\n");
}

/* The run does not look up (interrupt.h). */
static void abandon(void *context)
{
    progress_clear(context);
    say_interrupted();
}

static int verify(void *settings, struct job *j)
{
    const struct settings *s = settings;
    struct analysis_options o;
    bool all_good = true;
    enum kn_status status = options_of(s, j, &o);
    job_begin(j, !s->common.quiet, abandon, j->progress);
    for (size_t i = 0; status == KN_OK && i < j->circuit->transient_count; i++) {
        bool good;
        status = verify_transient(s, j, i, &o, &good);
        all_good &= good;
    }
    if (status == KN_OK && s->json)
        fputs("]\n", stdout);
    job_end(j);
    if (status == KN_ERROR_MEMORY)
        fprintf(stderr, "knoten: out of memory\n");
    else if (status == KN_INTERRUPTED)
        say_interrupted();
    return status == KN_OK && !all_good ? EXIT_FAILED : exit_status(status);
}

static const struct settings defaults = {.limit = INFINITY};

const struct command verify_command = {
    .name = "verify",
    .usage = "[options] DECK",
    .summary = "runs a deck twice, by two methods, and says how far they are apart",
    .notes = "exit status of verify: 0 within 3 times the tolerance, 1 not so or a run failed, 2 bad deck or usage\n",
    .table = {options, sizeof options / sizeof *options, sizeof(struct settings), &defaults},
    .undone = "verified",
    .work = verify,
};
