/* measures.c - see measures.h. */
#include "cli/results/measures.h"

#include "cli/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool measures_open(struct measures *m, FILE *screen, const char *path)
{
    const bool on_screen = path && strcmp(path, "-") == 0;
    *m = (struct measures){.screen = on_screen ? NULL : screen, .path = path};
    FILE *to = path ? files_open(path) : NULL;
    if (!to)
        return !path;
    m->json = json_begin(to);
    m->json.lines = 1;
    json_open(&m->json, NULL, '[');
    return true;
}

/* ---- for readers ---- */

/* What optimisers make small: the weighted distance from the goal, as a part of it where it is not 0. */
static double off_goal(const struct kn_measurement *r)
{
    return r->weight * (r->value - r->goal) / (r->goal != 0 ? fabs(r->goal) : 1);
}

static void show(const struct measures *m, const struct kn_measurement *r)
{
    if (m->count == 0)
        fputs("Measurements\n", m->screen);
    if (isnan(r->value))
        fprintf(m->screen, "  %-16s %13s", r->name, "failed");
    else
        fprintf(m->screen, "  %-16s %13.6g", r->name, r->value);
    if (!r->found && !isnan(r->value))
        fputs("   not found: DEFAULT_VAL", m->screen);
    if (!isnan(r->at) && r->at != r->value) /* where the value is the time itself, it stands there already */
        fprintf(m->screen, "   at %.6g%s", r->at, r->unit);
    if (!isnan(r->from) && !isnan(r->to))
        fprintf(m->screen, "   from %.6g%s to %.6g%s", r->from, r->unit, r->to, r->unit);
    if (!isnan(r->goal))
        fprintf(m->screen, "   goal %.6g, off by %.3g", r->goal, off_goal(r));
    fputc('\n', m->screen);
}

/* ---- for programs ---- */

static void write_json(struct measures *m, const struct kn_measurement *r)
{
    struct json *j = &m->json;
    json_open(j, NULL, '{');
    json_text(j, "name", r->name);
    if (m->arena) {
        json_key(j, "step");
        fprintf(j->to, "{%s}", m->values_json.at);
    }
    json_number(j, "value", r->value);
    json_known_number(j, "at", r->at);
    json_known_number(j, "from", r->from);
    json_known_number(j, "to", r->to);
    json_known_number(j, "goal", r->goal);
    json_known_number(j, "off", off_goal(r));
    if (!r->found && !isnan(r->value))
        json_bool(j, "found", false);
    json_close(j);
}

/* ---- of .step ---- */

static bool open_steps(struct measures *m)
{
    struct text *const all[] = {&m->rows, &m->heading, &m->row, &m->row_heading, &m->values_json, &m->statistics};
    if (m->arena || !(m->arena = arena_new()))
        return m->arena;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = text_growing(m->arena);
    return true;
}

static void clear(struct text *t)
{
    if (t->used > 0)
        t->at[t->used = 0] = '\0';
}

/* Its row joins the others; where it has other results than the row before, as those of another analysis, with a heading. */
static void end_step(struct measures *m)
{
    if (m->has_results && strcmp(m->heading.at, m->row_heading.at) != 0) {
        text_format(&m->rows, "%s\n%s", m->rows.used > 0 ? "\n" : "", m->row_heading.at);
        clear(&m->heading);
        text_add(&m->heading, m->row_heading.at);
    }
    if (m->has_results)
        text_format(&m->rows, "\n%s", m->row.at);
    m->has_results = false;
}

void measures_step(struct measures *m, const char *const *names, const double *values, size_t count)
{
    if (!open_steps(m))
        return;
    end_step(m);
    clear(&m->row);
    clear(&m->row_heading);
    clear(&m->values_json);
    for (size_t i = 0; i < count; i++) {
        text_format(&m->row, " %13.6g", values[i]);
        text_format(&m->row_heading, " %13s", names[i]);
        text_format(&m->values_json, "%s\"%s\": %.15g", i > 0 ? ", " : "", names[i], values[i]);
    }
}

static void add_to_row(struct measures *m, const struct kn_measurement *r)
{
    m->has_results = true;
    text_format(&m->row_heading, " %13s", r->name);
    if (isnan(r->value))
        text_format(&m->row, " %13s", "failed");
    else
        text_format(&m->row, " %13.6g", r->value);
}

/* Without a value there is nothing to say of values, of one no deviation. */
static void add_statistics(struct text *t, const struct kn_statistics *s)
{
    text_format(t, "  %-14s %7zu %7zu", s->name, s->runs, s->failed);
    if (s->runs > 0)
        text_format(t, " %13.6g", s->mean);
    if (s->runs > 1)
        text_format(t, " %13.6g", s->deviation);
    else if (s->runs > 0)
        text_format(t, " %13s", "-");
    if (s->runs > 0)
        text_format(t, " %13.6g %9.10g %13.6g %9.10g", s->minimum, s->minimum_at, s->maximum, s->maximum_at);
    if (s->bounded)
        text_format(t, "   yield %.4g %%", 100 * s->yield);
    text_format(t, "\n");
}

void measures_summarise(struct measures *m, const struct kn_statistics *s)
{
    if (m->arena && m->statistics.used == 0)
        text_format(&m->statistics, "\n%-16s %7s %7s %13s %13s %13s %9s %13s %9s\n", "Statistics", "runs", "failed",
                    "mean", "sigma", "minimum", "in run", "maximum", "in run");
    if (m->arena)
        add_statistics(&m->statistics, s);
    m->bounded += s->bounded;
    m->yield = s->yield_of_all;
    if (!m->json.to || s->runs == 0)
        return;
    struct json *j = &m->json;
    json_open(j, NULL, '{');
    json_text(j, "name", s->name);
    json_number(j, "runs", (double)s->runs);
    json_number(j, "failed", (double)s->failed);
    json_number(j, "mean", s->mean);
    json_number(j, "minimum", s->minimum);
    json_number(j, "maximum", s->maximum);
    if (s->runs > 1)
        json_number(j, "sigma", s->deviation);
    json_number(j, "minimum_run", s->minimum_at);
    json_number(j, "maximum_run", s->maximum_at);
    if (s->bounded) {
        json_number(j, "yield", s->yield);
        json_number(j, "yield_of_all", s->yield_of_all);
    }
    json_close(j);
}

static void show_steps(struct measures *m)
{
    end_step(m);
    if (m->screen && m->rows.used > 0)
        fprintf(m->screen, "\nMeasurements%s\n%s", m->rows.at, m->statistics.at);
    if (m->screen && m->bounded > 1)
        fprintf(m->screen, "Within all bounds: %.4g %% of the runs\n", 100 * m->yield);
    m->bounded = 0;
    arena_free(m->arena);
    m->arena = NULL;
}

void measures_add(struct measures *m, const struct kn_measurement *result)
{
    if (m->arena)
        add_to_row(m, result);
    else if (m->screen)
        show(m, result);
    if (m->json.to)
        write_json(m, result);
    m->count++;
}

bool measures_close(struct measures *m)
{
    if (m->arena)
        show_steps(m);
    if (!m->json.to)
        return true;
    FILE *to = m->json.to;
    json_close(&m->json);
    m->json.to = NULL;
    return files_close(to, m->path);
}
