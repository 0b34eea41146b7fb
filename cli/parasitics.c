/* parasitics.c - `knoten parasitics DECK`: which small capacitors and inductors may be left out, and what that does. */
#include "analyses/parasitics/parasitics.h"
#include "cli/command.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdio.h>

struct settings {
    struct common_settings common;
    double cmax, lmax; /* F, H */
    const char *elements;
    double reltol;
};

static const struct option options[] = {
    {OPTION_NUMBER, "--cmax", NULL, "C", offsetof(struct settings, cmax), "all capacitors up to this value",
     RANGE(0, HUGE_VAL, "a capacitance in farads such as 1p")},
    {OPTION_NUMBER, "--lmax", NULL, "L", offsetof(struct settings, lmax), "all inductors up to this value",
     RANGE(0, HUGE_VAL, "an inductance in henries such as 1n")},
    {OPTION_TEXT, "--elements", NULL, "NAMES", offsetof(struct settings, elements),
     "these, with spaces or commas between and * and ? in them: \"c1 x1.c*\"", ANYTHING},
    RELTOL_OPTION("relative tolerance of the run"),
    JSON_OPTION("the report as one JSON object"),
    QUIET_OPTION("no progress"),
    DIALECT_OPTION,
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten parasitics --cmax 1n opamp-filter.cir", "all capacitors up to 1 nF"},
    {"knoten parasitics --elements x1.c1 --json opamp-filter.cir", "one by name, for other programs"},
    {NULL, NULL},
};

static void show_progress(void *progress, double fraction)
{
    progress_show(progress, fraction);
}

static void abandon(void *context)
{
    progress_clear(context);
    fprintf(stderr, "knoten: interrupted\n");
}

static enum kn_status options_of(const struct settings *s, struct job *j, struct analysis_options *o)
{
    const enum kn_status status = analysis_options_of(j->circuit, j->messages.diagnostics, o);
    if (s->cmax > 0 || s->lmax > 0 || s->elements)
        o->quasistatic = (struct parasitic_choice){s->cmax, s->lmax, s->elements};
    o->relative = s->reltol > 0 ? s->reltol : o->relative;
    o->interrupted = interrupt_came;
    o->progress = show_progress;
    o->context = j->progress;
    return status;
}

static int parasitics(void *settings, struct job *j)
{
    const struct settings *s = settings;
    struct analysis_options o;
    struct parasitics_report *r = NULL;
    enum kn_status status = options_of(s, j, &o);
    job_begin(j, !s->common.quiet, abandon, j->progress);
    if (status == KN_OK)
        status = parasitics_report_of(j->circuit, &o, j->messages.diagnostics, &r);
    job_end(j);
    messages_show(&j->messages);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    if (status != KN_OK)
        return exit_status(status);
    if (s->common.json)
        parasitics_write_json(r, job_report(j));
    else
        parasitics_write_text(r, stdout);
    const bool all = r->some.count == r->parasitics.count && (r->has_run || j->circuit->transient_count == 0);
    parasitics_report_free(r);
    return all ? EXIT_DONE : EXIT_FAILED;
}

const struct command parasitics_command = {
    .name = "parasitics",
    .usage = "[--cmax C] [--lmax L] [--elements NAMES] [--json] DECK",
    .summary = "says which small capacitors and inductors may be left out, and what that changes",
    .about =
        "Says of small capacitors and inductors whether the circuit without them is what it comes to when their\n"
        "values go to zero, with their time constants, and along the deck's first transient by how much each unknown\n"
        "changes.\n"
        "\n"
        "'.options quasistatic=\"C1 C2\"' (or quasistatic_cmax=1p, quasistatic_lmax=1n) runs a deck without them.",
    .exits = "0 all of them may go, 1 not all, or not along the whole run, 2 bad deck or usage",
    OPTIONS_OF(struct settings, NULL),
    .undone = "looked at",
    .work = parasitics,
};
