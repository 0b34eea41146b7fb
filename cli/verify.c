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
};

static const struct option options[] = {
    {OPTION_TEXT, "--against", NULL, "METHOD", offsetof(struct settings, against),
     "of the second run; without it radau, or bdf where radau made the first", NAMED_BY(method_names)},
    {OPTION_TEXT, "--method", NULL, "NAME", offsetof(struct settings, method),
     "of the first run (overrides .options method)", NAMED_BY(method_names)},
    RELTOL_OPTION("of the first run (overrides .options reltol); the second has a tenth of it"),
    {OPTION_NUMBER, "--limit", NULL, "SECONDS", offsetof(struct settings, limit),
     "of the processor, gives up the second run after it", RANGE(DBL_MIN, 1e9, "a positive number up to 1e9")},
    JSON_OPTION("all vectors as JSON, an object for each .tran in a list"),
    DIALECT_OPTION,
    QUIET_OPTION("no notes, no progress bar"),
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten verify rectifier.cir", "how far two methods are apart, vector by vector"},
    {"knoten verify --against bdf --reltol 1e-5 rlc.cir", "BDF as the judge"},
    {NULL, NULL},
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

static void json_place(struct json *j, const char *key, const struct verify_place *at)
{
    json_open(j, key, '{');
    json_number(j, "difference", at->difference);
    json_number(j, "time", at->time);
    json_number(j, "first", at->first);
    json_number(j, "second", at->second);
    json_close(j);
}

static void json_vector(struct json *j, const struct verify_vector *v)
{
    json_open(j, NULL, '{');
    json_text(j, "name", v->name);
    json_number(j, "tolerance", v->tolerance);
    json_number(j, "excess", verify_excess(v));
    json_place(j, "at_rows", &v->rows);
    json_number(j, "line_tolerance", v->line_tolerance);
    json_place(j, "between_rows", &v->lines);
    json_number(j, "time_difference", v->shift);
    json_number(j, "time_difference_at", v->shift_time);
    json_close(j);
}

static void print_json(const struct first_run *first, const struct verification *v, struct json *j)
{
    json_open(j, NULL, '{');
    json_text(j, "method", first->method);
    json_number(j, "reltol", first->reltol);
    json_number(j, "seconds", first->seconds);
    json_number(j, "rows", (double)first->rows);
    json_text(j, "against", v->method ? v->method->name : NULL);
    json_text(j, "reason", v->method ? NULL : v->reason);
    json_number(j, "against_reltol", v->reltol);
    json_number(j, "against_seconds", v->seconds);
    json_number(j, "factor", VERIFY_FACTOR);
    json_number(j, "beyond", (double)v->beyond);
    json_open(j, "vectors", '[');
    for (size_t i = 0; i < v->count; i++)
        json_vector(j, &v->vectors[i]);
    json_close(j);
    json_close(j);
}

/* ---- the command ---- */

/* Two runs for each .tran. */
struct live {
    struct progress *progress;
    size_t done, total; /* runs */
};

static void show_progress(void *context, double fraction)
{
    const struct live *live = context;
    progress_show(live->progress, fraction < 0 ? fraction : ((double)live->done + fraction) / (double)live->total);
}

/* One .tran of the deck.  *good: within the tolerance. */
static enum kn_status verify_transient(const struct settings *s, struct job *j, size_t number,
                                       const struct analysis_options *o, struct json *report, bool *good)
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
    ((struct live *)o->context)->done = 2 * number + 1;
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
    if (status == KN_OK && s->common.json && !j->reported) {
        *report = json_begin(job_report(j));
        json_open(report, NULL, '[');
    }
    if (status == KN_OK && s->common.json)
        print_json(&made, &v, report);
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
    struct json report = {0};
    struct live live = {.progress = j->progress, .total = 2 * j->circuit->transient_count};
    o.context = &live;
    job_begin(j, !s->common.quiet, abandon, j->progress);
    for (size_t i = 0; status == KN_OK && i < j->circuit->transient_count; i++) {
        bool good;
        live.done = 2 * i;
        status = verify_transient(s, j, i, &o, &report, &good);
        all_good &= good;
    }
    if (j->reported)
        json_close(&report);
    job_end(j);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    else if (status == KN_INTERRUPTED)
        say_interrupted();
    return status == KN_OK && !all_good ? EXIT_FAILED : exit_status(status);
}

static const struct settings defaults = {.limit = INFINITY};

const struct command verify_command = {
    .name = "verify",
    .usage = "[options] DECK",
    .summary = "runs a deck twice, by two methods, and says how far they are apart",
    .about = "Runs the deck as it is, then again by another method with a tenth of the tolerance, and shows for each\n"
             "vector how far the two are apart, in units of what the tolerance promises.",
    .exits = "0 within 3 times the tolerance, 1 not so or a run failed, 2 bad deck or usage",
    OPTIONS_OF(struct settings, &defaults),
    .undone = "verified",
    .work = verify,
};
