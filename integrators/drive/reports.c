/* reports.c - see reports.h. */
#include "integrators/drive/reports.h"

#include "base/text.h"
#include "integrators/between.h"

#include <math.h>
#include <stdio.h>

void reports_remember(struct run_reports *s, const struct step_attempt *a)
{
    s->attempts[s->attempt_count++ % REMEMBERED_ATTEMPTS] = *a;
}

void reports_see_beyond(struct run_reports *s, const struct step_attempt *a)
{
    if (s->beyond++ == 0 || !(a->report.error <= s->largest.report.error))
        s->largest = *a;
}

static const char *name_of(const struct run_reports *s, int unknown, char *buffer, size_t size)
{
    const char *name = s->m->dae->unknown_name ? s->m->dae->unknown_name(s->m->dae->problem, unknown) : NULL;
    if (name)
        return name;
    snprintf(buffer, size, "unknown %d", unknown + 1);
    return buffer;
}

static const struct step_attempt *attempt_before(const struct run_reports *s, long back)
{
    return &s->attempts[(s->attempt_count - 1 - back) % REMEMBERED_ATTEMPTS];
}

/* Beyond this (in SI units) a value has run away, whatever the circuit; the frequency of an oscillator may be a voltage of 1e8. */
static const double RUNAWAY = 1e9;

/* ", which has run away to -1e+20"; empty where it has not. */
static void describe_runaway(const struct run_reports *s, int unknown, char *text, size_t size)
{
    const double value = s->m->x[unknown];
    *text = '\0';
    if (fabs(value) > RUNAWAY)
        snprintf(text, size, ", which has run away to %.2g", value);
}

void report_collapse(const struct run_reports *s)
{
    char name[40], elements[300] = "", runaway[60];
    struct text table = TEXT(REMEMBERED_ATTEMPTS * 160 + 200);
    text_format(&table, "      %-14s %-10s %-5s %-16s %-11s %-10s %s", "time", "step", "order", "cause", "error/tol",
                "residual", "worst unknown");
    const long shown = s->attempt_count < REMEMBERED_ATTEMPTS ? s->attempt_count : REMEMBERED_ATTEMPTS;
    for (long back = shown - 1; back >= 0; back--) {
        const struct step_attempt *a = attempt_before(s, back);
        text_format(&table, "\n      %-14.8g %-10.3g %-5d %-16s %-11.3g %-10.3g %s", a->from, a->to - a->from,
                    a->report.order, step_outcome_word(&a->report), a->report.error, fabs(a->report.residual),
                    name_of(s, a->report.worst, name, sizeof name));
    }
    const struct step_attempt *last = attempt_before(s, 0);
    if (s->m->dae->describe)
        s->m->dae->describe(s->m->dae->problem, last->report.worst, elements, sizeof elements);
    describe_runaway(s, last->report.worst, runaway, sizeof runaway);
    const char *hint = diagnostics_hint(
        s->diagnostics,
        "look at %s%s%s%s; %sa jump or a discontinuous expression there, a missing capacitance "
        "or a tolerance below rounding error are the usual reasons",
        name_of(s, last->report.worst, name, sizeof name), runaway, *elements ? ", where these meet: " : "", elements,
        *runaway ? "a feedback of the wrong sign or a source that nothing limits, " : "");
    diagnostics_add(s->diagnostics, KN_ERROR, "step-collapsed", NOWHERE, hint,
                    "the step size fell to %.3g s at t = %.9g s; the last attempts:\n%s", last->to - last->from,
                    s->m->t, table.at);
}

void report_fixed(const struct run_reports *s, const struct step_attempt *a)
{
    char name[40], elements[300] = "";
    if (s->m->dae->describe)
        s->m->dae->describe(s->m->dae->problem, a->report.worst, elements, sizeof elements);
    const char *hint = diagnostics_hint(s->diagnostics, "a shorter step, or none, so that it follows the errors%s%s",
                                        *elements ? "; here meet " : "", elements);
    diagnostics_add(s->diagnostics, KN_ERROR, "fixed-step", NOWHERE, hint,
                    "the equations could not be solved in the fixed step of %.6g s from t = %.6g s on (%s at %s)",
                    a->to - a->from, a->from, step_outcome_word(&a->report),
                    name_of(s, a->report.worst, name, sizeof name));
}

void report_beyond(const struct run_reports *s, long accepted)
{
    char name[40];
    const struct step_attempt *a = &s->largest;
    if (s->beyond > 0)
        diagnostics_add(s->diagnostics, KN_NOTE, "fixed-step-error", NOWHERE, "a shorter step, or none",
                        "the estimated error of %ld of %ld fixed steps exceeds the tolerance, most that of %s from t = "
                        "%.6g s on, %.3g times",
                        s->beyond, accepted, name_of(s, a->report.worst, name, sizeof name), a->from, a->report.error);
}

void report_noise(struct run_reports *s, double to, const struct step_report *report)
{
    char name[40], elements[300] = "";
    const double step = to - s->m->previous;
    if (s->noise_reported)
        return;
    s->noise_reported = true;
    if (s->m->dae->describe)
        s->m->dae->describe(s->m->dae->problem, report->worst, elements, sizeof elements);
    const char *hint = diagnostics_hint(s->diagnostics,
                                        "%s%s%sa larger reltol, vntol (voltages) or abstol (currents) asks for no "
                                        "more than round-off allows",
                                        *elements ? "charges of the elements at " : "", *elements ? elements : "",
                                        *elements ? " are large against what their changes must resolve; " : "");
    diagnostics_add(
        s->diagnostics, KN_NOTE, "noise", NOWHERE, hint,
        "at t = %.6g s round-off of the charges, divided by the step of %.3g s, makes %s uncertain by %.2g times its "
        "tolerance, which it exceeds in steps below %.2g s; the steps are not shortened for it",
        s->m->t, step, name_of(s, report->worst, name, sizeof name), report->error, step * report->error);
}

void report_unsolved(const struct run_reports *s)
{
    double first;
    const long points = s->m->between ? between_unsolved(s->m->between, &first) : 0;
    if (points > 0)
        diagnostics_add(s->diagnostics, KN_NOTE, "between-steps", NOWHERE,
                        "a smaller tmax puts steps there, whose ends are solutions",
                        "at %ld point%s between steps, first at t = %.6g s, the equations could not be solved; the "
                        "method's interpolation is shown there",
                        points, points == 1 ? "" : "s", first);
}

void report_grown(const struct run_reports *s, const struct grown *grown)
{
    char name[40], law[100] = "it is now far above all that was in the circuit before";
    if (grown->rate > 0)
        snprintf(law, sizeof law, "its own law makes errors grow with it, by e in %.3g s", 1 / grown->rate);
    diagnostics_add(
        s->diagnostics, KN_WARNING, "grown-from-errors", NOWHERE,
        "vntol (abstol for currents) as small as the values that it passes and a smaller reltol determine it",
        "from t = %.6g s on %s is what errors have grown to: at t = %.6g s it was below its tolerance, %.2g, and %s",
        s->m->t, name_of(s, grown->unknown, name, sizeof name), grown->since, grown->tolerance, law);
}

void report_release(const struct run_reports *s, int released, double t)
{
    char owner[200] = "a comparison";
    if (s->m->dae->describe_switch)
        s->m->dae->describe_switch(s->m->dae->problem, released, owner, sizeof owner);
    diagnostics_add(s->diagnostics, KN_NOTE, "switching-without-end", NOWHERE,
                    "hysteresis, or a smooth function such as tanh(), gives the circuit a state to rest in",
                    "from t = %.6g s on %s switches back and forth without end; steps no longer end where it does", t,
                    owner);
}

void report_refused(const struct run_reports *s, double from, double step)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "step-refused", NOWHERE,
                    "accept steps that are as short, or ask for the time where they are to end",
                    "the step at t = %.9g s was refused down to %.3g s, which is in no digit of the time", from, step);
}

void report_unsuitable(const struct run_reports *s, const char *reason)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "method-unsuitable", NOWHERE, "choose another method, bdf for instance",
                    "method %s cannot solve this: %s", s->m->class->name, reason);
}
