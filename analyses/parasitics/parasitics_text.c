/* parasitics_text.c - the report on parasitics in words. */
#include "analyses/parasitics/parasitics.h"
#include "base/text.h"
#include "mna/listing.h"

#include <math.h>

enum { MOST_ELEMENTS = 40, MOST_MODES = 12, MOST_ERRORS = 12 };

/* Fast time constants above this part of the slow ones are not fast. */
static const double SEPARATE = 0.1;

static void begin_line(FILE *to, const char *label)
{
    fprintf(to, "  %-16s", label);
}

/* ---- verdict ---- */

static void write_index(const struct parasitics_report *r, const struct leaving *l, FILE *to)
{
    if (r->index < 0 && l->index < 0)
        return;
    begin_line(to, "index");
    if (r->index >= 0)
        fprintf(to, "%d as it is", r->index);
    if (l->index >= 0)
        fprintf(to, "%s%d without", r->index >= 0 ? ", " : "", l->index);
    fputc('\n', to);
}

static void write_verdict(const struct leaving *l, FILE *to)
{
    begin_line(to, "verdict");
    if (l->why)
        fprintf(to, "%s\n%18shint: %s\n", l->why, "", l->hint);
    else
        fprintf(to, "attractive: what they do alone decays, and the circuit without them is the limit\n%18s(%s)\n", "",
                l->point);
}

static void write_modes(const struct leaving *l, FILE *to)
{
    if (l->mode_count == 0 && l->without == 0)
        return;
    begin_line(to, "fast");
    for (size_t k = 0; k < l->mode_count && k < MOST_MODES; k++) {
        const double complex rate = -1 / l->modes[k].constant;
        if (cimag(rate) < 0)
            continue; /* its conjugate stands for both */
        fprintf(to, "%s%.4g s", k ? ", " : "time constants ", -1 / creal(rate));
        if (cimag(rate) > 0)
            fprintf(to, " (at %.4g Hz)", cimag(rate) / (2 * 3.14159265358979323846));
    }
    if (l->mode_count > MOST_MODES)
        fprintf(to, " and %zu more", l->mode_count - MOST_MODES);
    if (l->without > 0)
        fprintf(to, "%s%zu %s no time constant of %s own: sources or larger elements decide", l->mode_count ? "; " : "",
                l->without, l->without == 1 ? "has" : "have", l->without == 1 ? "its" : "their");
    fputc('\n', to);
    if (l->contraction > 0)
        fprintf(to, "%18severy disturbance of them falls from its beginning, by %.4g/s in energy's norm\n", "",
                l->contraction);
}

static void write_slow(const struct leaving *l, FILE *to)
{
    if (isnan(l->fastest_slow) || l->why)
        return;
    begin_line(to, "slow");
    if (isinf(l->fastest_slow)) {
        fprintf(to, "nothing: the rest has no time constants\n");
        return;
    }
    const double ratio = l->slowest / l->fastest_slow;
    fprintf(to, "the rest has time constants from %.4g s on%s", l->fastest_slow, ratio > 0 ? ": " : "\n");
    if (ratio > 0 && ratio <= SEPARATE)
        fprintf(to, "%.3g times the slowest fast one\n", 1 / ratio);
    else if (ratio > 0)
        fprintf(to,
                "NOT slower than the fast ones (ratio %.3g);\n%18swhat is left out is felt, and the estimates below "
                "hold for what is slower only\n",
                ratio, "");
    const struct fast_dissipation *b = &l->dissipation;
    if (b->known && b->slow > 0 && b->fast > 0)
        fprintf(to, "%18s%s: coupling %.3g of what the bound allows\n", "",
                b->coupling < b->slow * b->fast ? "the error does not grow with the length of a run"
                                                : "no bound of the error for long runs",
                b->coupling / (b->slow * b->fast));
}

static void write_choice(const struct parasitics_report *r, const struct leaving *l, FILE *to)
{
    write_verdict(l, to);
    write_index(r, l, to);
    write_modes(l, to);
    write_slow(l, to);
}

/* ---- elements ---- */

static void write_element(const struct parasitics_report *r, size_t i, FILE *to)
{
    const struct stray *p = &r->parasitics.list[i];
    char value[40], seen[40] = "", own[40] = "";
    snprintf(value, sizeof value, "%.4g %s", p->value, p->inductor ? "H" : "F");
    if (!isnan(r->resistance[i]) && p->inductor)
        snprintf(seen, sizeof seen, "%.4g ohm", 1 / r->resistance[i]);
    else if (!isnan(r->resistance[i]))
        snprintf(seen, sizeof seen, "%.4g ohm", r->resistance[i]);
    if (!isnan(r->own[i]))
        snprintf(own, sizeof own, "%.4g s", r->own[i]);
    fprintf(to, "  %-16s%-14s%-14s%-14s%s%s%s\n", p->element->name, value, seen, own, r->may_go[i] ? "may go" : "stays",
            !r->may_go[i] && r->why_not[i] && r->parasitics.count > 1 ? ": " : "",
            !r->may_go[i] && r->why_not[i] && r->parasitics.count > 1 ? r->why_not[i] : "");
}

static void write_elements(const struct parasitics_report *r, FILE *to)
{
    fprintf(to, "\n  %-16s%-14s%-14s%s\n", "element", "value", "sees", "time constant");
    size_t shown = 0;
    for (int may = 0; may < 2; may++) /* first the elements that have to stay: readers look for these */
        for (size_t i = 0; i < r->parasitics.count; i++)
            if (r->may_go[i] == (may == 1) && shown++ < MOST_ELEMENTS)
                write_element(r, i, to);
    if (shown > MOST_ELEMENTS)
        fprintf(to, "  and %zu more (--json lists all)\n", shown - MOST_ELEMENTS);
}

/* ---- the run ---- */

static void write_errors(const struct parasitics_report *r, FILE *to)
{
    fprintf(to, "\n  effect on the transient, to the first order (looked at %ld times", r->steps);
    if (r->layers > 0)
        fprintf(to, ", %ld of them outside the layers behind %ld jump%s", r->outside, r->layers,
                text_plural((long)r->layers));
    fprintf(to, ")\n  %-16s%-18s%-18s%s\n", "unknown", "changes by", "at", "of");
    for (size_t k = 0; k < r->error_count && k < MOST_ERRORS; k++) {
        const struct node_error *e = &r->errors[k];
        char most[40], when[40];
        snprintf(most, sizeof most, "%.4g %s", e->most, e->unit);
        snprintf(when, sizeof when, "%.4g s", e->when);
        fprintf(to, "  %-16s%-18s%-18s%.4g %s\n", e->name, most, when, e->size, e->unit);
    }
    if (r->error_count > MOST_ERRORS)
        fprintf(to, "  and %zu more, less beside the tolerance (--json lists all)\n", r->error_count - MOST_ERRORS);
    for (size_t i = 0; r->layers > 0 && i < r->parasitics.count; i++)
        if (r->jump[i] > 0)
            fprintf(to, "  %s jumps by up to %.4g %s without it, and takes its time constants for that with it\n",
                    r->parasitics.list[i].element->name, r->jump[i], r->parasitics.list[i].inductor ? "A" : "V");
}

void parasitics_write_text(const struct parasitics_report *r, FILE *to)
{
    const size_t count = r->parasitics.count;
    fprintf(to, "%s\n  %zu parasitic%s looked at, %zu may go\n\n", r->circuit->title, count, text_plural((long)count),
            r->some.count);
    if (r->some.count < count && count > 1)
        fprintf(to, "  all %zu together\n", count);
    write_choice(r, &r->all, to);
    if (r->some.count < count && r->some.count > 0) {
        fprintf(to, "\n  the %zu that may go%s\n", r->some.count,
                r->cut_short ? " (not all choices were looked at)" : "");
        write_choice(r, &r->some, to);
    }
    write_elements(r, to);
    if (r->has_run)
        write_errors(r, to);
    if (r->no_run)
        fprintf(to, "\n  no run without them: %s\n", r->no_run);
}
