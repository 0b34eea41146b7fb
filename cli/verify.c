/* verify.c - `knoten verify DECK`: runs the deck and once more, by another method with a tenth of the tolerance, and
 * says how far the two are apart. */
#include "analyses/compare/verify.h"

#include "analyses/library.h"
#include "base/json.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/deck.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/terminal.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20 }; /* vectors in the table */

struct settings {
    const char *deck, *method, *against;
    double reltol, limit; /* reltol 0: the deck's */
    bool json, quiet, help;
};

static void help(void)
{
    printf("\nknoten verify:\n"
           "  --against METHOD of the second run; without it radau, or bdf where radau made the first\n"
           "  --method NAME    of the first run (overrides .options method)\n"
           "  --reltol X       of the first run (overrides .options reltol); the second has a tenth of it\n"
           "  --limit SECONDS  of the processor, gives up the second run after it\n"
           "  --json           all vectors as one JSON object\n"
           "  --quiet          no notes, no progress bar\n"
           "exit status of verify: 0 within %g times the tolerance, 1 not so or a run failed, 2 bad deck or usage\n",
           VERIFY_FACTOR);
}

/* ---- command line ---- */

static bool read_number(const char *option, const char *text, double most, double *number)
{
    if (!text || (expression_number(text, strlen(text), number) && *number > 0 && *number < most))
        return true;
    fprintf(stderr, "knoten: '%s' is no value for %s; it is a positive number below %g\n", text, option, most);
    return false;
}

static bool read_settings(int count, char **arguments, struct settings *s)
{
    const char *reltol = NULL, *limit = NULL;
    const struct option options[] = {
        {"--against", OPTION_VALUE, NULL, &s->against},
        {"--method", OPTION_VALUE, NULL, &s->method},
        {"--reltol", OPTION_VALUE, NULL, &reltol},
        {"--limit", OPTION_VALUE, NULL, &limit},
        {"--json", OPTION_FLAG, &s->json, NULL},
        {"--quiet", OPTION_FLAG, &s->quiet, NULL},
        {"-q", OPTION_FLAG, &s->quiet, NULL},
        {"--help", OPTION_FLAG, &s->help, NULL},
        {"-h", OPTION_FLAG, &s->help, NULL},
    };
    size_t decks;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &s->deck, 1, &decks))
        return false;
    if (s->help)
        return true;
    if (decks == 0) {
        fprintf(stderr, "knoten: no deck given\nusage: knoten verify %s\n", verify_command.usage);
        return false;
    }
    s->limit = INFINITY;
    return read_number("--reltol", reltol, 1, &s->reltol) && read_number("--limit", limit, 1e9, &s->limit);
}

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
static enum kn_status verify_transient(const struct settings *s, const struct circuit *c, size_t number,
                                       const struct analysis_options *o, struct messages *m, bool *good)
{
    struct recording rows;
    struct recording_outcome outcome;
    struct verification v = {0};
    const struct recording_request first = {
        .circuit = c, .transient = &c->transients[number], .options = o, .limit = INFINITY};
    enum kn_status status = recording_make(&first, m->diagnostics, &rows, &outcome);
    const struct first_run made = {outcome.summary.method, o->relative, outcome.seconds, rows.rows};
    messages_show(m);
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
    progress_clear(m->progress);
    if (status == KN_OK && s->json)
        print_json(&made, &v, number == 0);
    else if (status == KN_OK)
        print_table(&made, &v);
    *good = status == KN_OK && v.method && v.beyond == 0;
    verify_free(&v);
    recording_free(&rows);
    return status;
}

static enum kn_status options_of(const struct settings *s, const struct circuit *c, struct messages *m,
                                 struct analysis_options *o)
{
    enum kn_status status = analysis_options_of(c, m->diagnostics, o);
    if (status == KN_OK && s->method && !(o->method = analysis_method(s->method, NOWHERE, m->diagnostics)))
        status = KN_ERROR_DECK;
    if (status == KN_OK && s->against && !analysis_method(s->against, NOWHERE, m->diagnostics))
        status = KN_ERROR_DECK;
    if (status == KN_OK && c->transient_count == 0) {
        diagnostics_add(m->diagnostics, KN_ERROR, "no-transient", NOWHERE, "add a line such as  .tran 1u 1m",
                        "the deck asks for no transient analysis, so there are no waveforms to verify");
        status = KN_ERROR_DECK;
    }
    o->relative = s->reltol > 0 ? s->reltol : o->relative;
    o->interrupted = interrupt_came;
    o->progress = show_progress;
    o->context = m->progress;
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

static int verify(const struct settings *s, const struct circuit *c, struct messages *m)
{
    struct analysis_options o;
    bool all_good = true;
    enum kn_status status = options_of(s, c, m, &o);
    interrupt_catch(abandon, m->progress);
    progress_start(m->progress, !s->quiet);
    for (size_t i = 0; status == KN_OK && i < c->transient_count; i++) {
        bool good;
        status = verify_transient(s, c, i, &o, m, &good);
        all_good &= good;
    }
    interrupt_release();
    if (status == KN_OK && s->json)
        fputs("]\n", stdout);
    fflush(stdout);
    messages_show(m);
    if (status == KN_ERROR_MEMORY)
        fprintf(stderr, "knoten: out of memory\n");
    else if (status == KN_INTERRUPTED)
        say_interrupted();
    return status == KN_ERROR_DECK ? EXIT_USAGE : status == KN_OK && all_good ? EXIT_DONE : EXIT_FAILED;
}

static int run(int count, char **arguments)
{
    struct settings s = {0};
    if (!read_settings(count, arguments, &s))
        return EXIT_USAGE;
    if (s.help) {
        printf("usage: knoten verify %s\n", verify_command.usage);
        help();
        return EXIT_DONE;
    }
    struct progress progress = {0};
    struct messages m = {kn_diagnostics_new(), &progress, 0, s.quiet};
    if (!m.diagnostics) {
        fprintf(stderr, "knoten: out of memory\n");
        return EXIT_FAILED;
    }
    struct kn_circuit *circuit = NULL;
    const enum kn_status status = deck_read(s.deck, m.diagnostics, &circuit);
    messages_show(&m);
    const int result = status == KN_OK             ? verify(&s, circuit->circuit, &m)
                       : status == KN_ERROR_MEMORY ? EXIT_FAILED
                                                   : EXIT_USAGE;
    kn_circuit_free(circuit);
    kn_diagnostics_free(m.diagnostics);
    return result;
}

const struct command verify_command = {"verify", "[options] DECK",
                                       "runs a deck twice, by two methods, and says how far they are apart", run, help};
