/* steps.c - see steps.h. */
#include "cli/report/steps.h"

#include "base/arena.h"
#include "base/html.h"
#include "base/names.h"
#include "cli/report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 4, MOST_WORDS = 16, MOST_UNKNOWNS = 200, SHOWN_UNKNOWNS = 8, BINS = 192, MOST_REJECTED = 300 };
enum { STEP, ORDER, ERROR, TRACES };

struct word {
    const char *text;
    long count;
    double time; /* s, of the steps that it concerns */
};

/* How often each of some words came; there are few of them. */
struct words {
    struct word list[MOST_UNKNOWNS];
    size_t count, most;
};

struct run {
    double stop;
    struct buckets accepted; /* log10 of the step, order, log10 of the error */
    struct words limits, methods, unknowns, outcomes;
    float limit_share[BINS][MOST_WORDS], method_share[BINS][MOST_WORDS]; /* s */
    struct rejected {
        double time, step;
    } rejected[MOST_REJECTED];
    size_t rejected_shown;
    long accepted_count, rejected_count, iterations;
    double shortest, longest; /* s */
};

struct steps {
    struct arena *arena;
    const struct circuit *circuit;
    struct run *runs[MOST_RUNS];
    size_t run_count, left_out;
    bool exhausted; /* memory */
};

void steps_free(struct steps *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->run_count; i++)
        buckets_free(&s->runs[i]->accepted);
    arena_free(s->arena);
}

struct steps *steps_new(const struct circuit *c)
{
    struct arena *arena;
    struct steps *s = arena_object(sizeof *s, &arena);
    if (s)
        *s = (struct steps){.arena = arena, .circuit = c};
    return s;
}

/* ---- collecting ---- */

static void begin_run(struct steps *s)
{
    struct run *r = s->run_count < MOST_RUNS ? arena_alloc(s->arena, sizeof *r) : NULL;
    const size_t number = s->run_count < s->circuit->transient_count ? s->run_count : 0;
    if (s->run_count == MOST_RUNS) {
        s->left_out++;
        return;
    }
    if (!r || buckets_init(&r->accepted, TRACES) != KN_OK) {
        s->exhausted = true;
        return;
    }
    r->stop = s->circuit->transient_count > 0 ? s->circuit->transients[number].stop : 0;
    r->shortest = INFINITY;
    r->limits.most = r->methods.most = r->outcomes.most = MOST_WORDS;
    r->unknowns.most = MOST_UNKNOWNS;
    s->runs[s->run_count++] = r;
}

/* Its number; the last one stands for all that come when the list is full. */
static size_t count_word(struct steps *s, struct words *w, const char *text, double time)
{
    size_t i = 0;
    while (i < w->count && strcmp(w->list[i].text, text) != 0)
        i++;
    if (i == w->count && w->count < w->most) {
        const char *kept = arena_format(s->arena, "%s", w->count + 1 < w->most ? text : "others");
        s->exhausted = s->exhausted || !kept;
        w->list[w->count++].text = kept ? kept : "";
    }
    i = i < w->count ? i : w->count - 1;
    w->list[i].count++;
    w->list[i].time += time;
    return i;
}

/* Adds the step to the bins of time that it covers. */
static void spread(const struct run *r, const struct kn_attempt *a, float (*share)[MOST_WORDS], size_t word)
{
    const double width = r->stop / BINS;
    if (!(width > 0))
        return;
    for (int k = (int)fmax(0, floor(a->time / width)); k < BINS && k * width < a->time + a->step; k++) {
        const double from = fmax(a->time, k * width), to = fmin(a->time + a->step, (k + 1) * width);
        share[k][word] += (float)fmax(to - from, 0);
    }
}

static void add_accepted(struct steps *s, struct run *r, const struct kn_attempt *a)
{
    const double values[TRACES] = {log10(fmax(a->step, 1e-300)), a->order,
                                   log10(fmin(fmax(isnan(a->error) ? 1e-6 : a->error, 1e-6), 1e3))};
    buckets_add(&r->accepted, a->time + a->step, values);
    spread(r, a, r->limit_share, count_word(s, &r->limits, a->limit, a->step));
    spread(r, a, r->method_share, count_word(s, &r->methods, a->method, a->step));
    if (!isnan(a->error) && strcmp(a->limit, "error") == 0)
        count_word(s, &r->unknowns, a->unknown, a->step);
    r->accepted_count++;
    r->shortest = fmin(r->shortest, a->step);
    r->longest = fmax(r->longest, a->step);
}

static void add_rejected(struct steps *s, struct run *r, const struct kn_attempt *a)
{
    count_word(s, &r->outcomes, a->outcome, a->step);
    r->rejected_count++;
    if (r->rejected_shown < MOST_REJECTED)
        r->rejected[r->rejected_shown++] = (struct rejected){a->time + a->step, a->step};
}

void steps_add(struct steps *s, const struct kn_attempt *a)
{
    if (a->first)
        begin_run(s);
    if (s->run_count == 0 || s->left_out > 0 || s->exhausted)
        return;
    struct run *r = s->runs[s->run_count - 1];
    r->iterations += a->iterations;
    if (strcmp(a->outcome, "accepted") == 0)
        add_accepted(s, r, a);
    else
        add_rejected(s, r, a);
}

/* ---- charts ---- */

/* Over the whole run. */
static struct chart_panel *add_panel(struct chart *c, const struct run *r, const char *title, struct chart_axis y)
{
    const struct buckets *b = &r->accepted;
    struct chart_panel as = {.title = title, .x = chart_axis_of("time", "s", false), .y = y};
    as.x.from = 0;
    as.x.to = fmax(r->stop, b->used > 0 ? b->bucket[b->used - 1].last_x : 0);
    return chart_add_panel(c, &as);
}

static bool add_lengths(struct chart *c, const struct run *r)
{
    struct chart_panel *p = add_panel(c, r, "step size", chart_axis_of("", "s", true));
    double *x, *y;
    if (!p || !arena_vectors(c->arena, MOST_REJECTED, (double **const[]){&x, &y, NULL}) ||
        !chart_add_buckets(c, p, &r->accepted, STEP, &(struct chart_trace){.name = "accepted"}))
        return false;
    for (size_t i = 0; i < r->rejected_shown; i++) {
        x[i] = r->rejected[i].time;
        y[i] = r->rejected[i].step;
    }
    const struct chart_trace rejected = {
        .name = "rejected", .x = x, .y = y, .count = r->rejected_shown, .colour = 1, .drawn = CHART_CROSSES};
    return r->rejected_shown == 0 || chart_add_trace(c, p, &rejected);
}

static bool add_errors(struct chart *c, const struct run *r)
{
    struct chart_panel *p = add_panel(c, r, "estimated error, in tolerances", chart_axis_of("", "", true));
    return p && chart_add_buckets(c, p, &r->accepted, ERROR, &(struct chart_trace){.name = "error", .colour = 2});
}

static bool add_orders(struct chart *c, const struct run *r)
{
    struct chart_axis order = chart_axis_of("", "", false);
    order.whole = true;
    order.from = 0;
    order.to = 1;
    for (size_t i = 0; i < r->accepted.used; i++)
        order.to = fmax(order.to, r->accepted.trace[i * TRACES + ORDER].greatest);
    struct chart_panel *p = add_panel(c, r, "order of the method", order);
    return p && chart_add_buckets(c, p, &r->accepted, ORDER, &(struct chart_trace){.name = "order", .colour = 3});
}

/* Of each bin the word that has the most of it; the number of words where nothing has. */
static size_t most_of(const float *share, size_t words)
{
    size_t best = 0;
    for (size_t i = 1; i < words; i++)
        best = share[i] > share[best] ? i : best;
    return share[best] > 0 ? best : words;
}

static bool add_band(struct chart *c, struct chart_panel *p, const struct run *r, const struct words *w, size_t word,
                     const float (*share)[MOST_WORDS])
{
    double *x, *y;
    size_t count = 0;
    const double width = r->stop / BINS;
    if (!arena_vectors(c->arena, 2 * BINS, (double **const[]){&x, &y, NULL}))
        return false;
    for (int bin = 0; bin < BINS; bin++) {
        if (most_of(share[bin], w->count) != word)
            continue;
        if (count == 0 || x[count - 1] < bin * width)
            x[(count += 2) - 2] = bin * width;
        x[count - 1] = (bin + 1) * width;
    }
    return chart_add_trace(c, p,
                           &(struct chart_trace){.name = w->list[word].text,
                                                 .x = x,
                                                 .y = y,
                                                 .count = count,
                                                 .colour = (int)word,
                                                 .unlisted = word >= CHART_COLOURS,
                                                 .drawn = CHART_BANDS});
}

/* Which word has the most of a bin, as bands of one colour each. */
static bool add_bands(struct chart *c, const struct run *r, const struct words *w, const float (*share)[MOST_WORDS],
                      const char *title)
{
    struct chart_panel *p = add_panel(c, r, title, chart_axis_of("", "", false));
    bool good = p != NULL;
    for (size_t i = 0; good && i < w->count; i++)
        good = add_band(c, p, r, w, i, share);
    return good;
}

static bool add_panels(struct chart *c, const struct run *r)
{
    return add_lengths(c, r) && add_errors(c, r) && add_orders(c, r) &&
           (r->methods.count < 2 || add_bands(c, r, &r->methods, r->method_share, "method")) &&
           add_bands(c, r, &r->limits, r->limit_share, "what limited the step");
}

static void write_charts(const struct run *r, FILE *to)
{
    struct chart c;
    struct arena *memory = arena_new();
    chart_init(&c, memory, "");
    page_charts(memory && add_panels(&c, r) ? &c : NULL, to);
    arena_free(memory);
}

/* ---- tables ---- */

static int by_count(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    return x->count < y->count ? 1 : x->count > y->count ? -1 : strcmp(x->text, y->text);
}

static const char *meaning_of(const char *limit)
{
    static const char *const meanings[][2] = {
        {"growth", "it grew as fast as it may"},
        {"error", "the estimated error at its end"},
        {"followers", "the error of unknowns that only follow, those of index 2 among them"},
        {"between points", "the waveforms between its ends"},
        {"oscillation", "the amplitude of a lasting oscillation"},
        {"convergence", "Newton's method"},
        {"rounding", "rounding divided by the step"},
        {"tmax", "the largest step that is allowed"},
        {"breakpoint", "a corner or jump of a source, or a switch"},
        {"fixed", "the step was given"},
        {"start", "a first step, or the growth of a disturbance"},
    };
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i][0], limit) == 0)
            return meanings[i][1];
    return "";
}

static void write_words(const struct words *w, const char *heading, const char *what, size_t most, bool explained,
                        FILE *to)
{
    struct words sorted = *w;
    long all = 0;
    if (w->count == 0)
        return;
    qsort(sorted.list, sorted.count, sizeof *sorted.list, by_count);
    for (size_t i = 0; i < w->count; i++)
        all += w->list[i].count;
    fprintf(to,
            "<h3>%s</h3>\n<div class=\"wide\"><table class=\"list\">\n<tr><th>%s</th><th class=\"n\">steps</th>"
            "<th></th></tr>\n",
            heading, what);
    for (size_t i = 0; i < sorted.count && i < most; i++) {
        fputs("<tr><td>", to);
        html_write(to, sorted.list[i].text);
        if (explained)
            fprintf(to, "<br><span class=\"soft small\">%s</span>", meaning_of(sorted.list[i].text));
        fprintf(to,
                "</td><td class=\"n\">%ld</td><td class=\"bars\"><span class=\"bar\" "
                "style=\"width:%.1f%%\"></span></td></tr>\n",
                sorted.list[i].count, 100.0 * (double)sorted.list[i].count / (double)all);
    }
    fputs("</table></div>\n", to);
    if (sorted.count > most)
        fprintf(to, "<p class=\"soft small\">and %zu more.</p>\n", sorted.count - most);
}

static void write_run(const struct run *r, size_t number, size_t count, FILE *to)
{
    char shortest[40], longest[40];
    page_number(shortest, sizeof shortest, r->shortest, "s");
    page_number(longest, sizeof longest, r->longest, "s");
    if (count > 1)
        fprintf(to, "<h3>Transient %zu</h3>\n", number + 1);
    if (r->accepted_count == 0) {
        fputs("<p>No step was accepted.</p>\n", to);
    } else {
        fprintf(to, "<p>%ld steps accepted, %ld rejected, %ld Newton iterations in them; from %s to %s long.</p>\n",
                r->accepted_count, r->rejected_count, r->iterations, shortest, longest);
        write_charts(r, to);
    }
    write_words(&r->limits, "What kept steps from being longer", "limit", MOST_WORDS, true, to);
    write_words(&r->unknowns, "Whose error it was", "unknown", SHOWN_UNKNOWNS, false, to);
    write_words(&r->outcomes, "Why steps were rejected", "cause", MOST_WORDS, false, to);
    if (r->rejected_count > (long)r->rejected_shown)
        fprintf(to, "<p class=\"soft small\">The first %zu rejected steps are marked.</p>\n", r->rejected_shown);
}

bool steps_write(const struct steps *s, FILE *to)
{
    for (size_t i = 0; i < s->run_count; i++)
        write_run(s->runs[i], i, s->run_count, to);
    if (s->left_out > 0)
        fprintf(to, "<p class=\"soft small\">%zu more transients are not shown.</p>\n", s->left_out);
    return s->run_count > 0;
}

/* ---- the same as data ---- */

static void write_words_json(const struct words *w, const char *key, struct json *to)
{
    json_open(to, key, '{');
    for (size_t i = 0; i < w->count; i++)
        json_number(to, w->list[i].text, (double)w->list[i].count);
    json_close(to);
}

static void write_run_json(const struct run *r, struct json *to)
{
    json_open(to, NULL, '{');
    json_number(to, "accepted", (double)r->accepted_count);
    json_number(to, "rejected", (double)r->rejected_count);
    json_number(to, "newton_iterations", (double)r->iterations);
    json_number(to, "shortest", r->accepted_count > 0 ? r->shortest : NAN);
    json_number(to, "longest", r->accepted_count > 0 ? r->longest : NAN);
    write_words_json(&r->methods, "methods", to);
    write_words_json(&r->limits, "limits", to);
    write_words_json(&r->unknowns, "whose_error", to);
    write_words_json(&r->outcomes, "rejections", to);
    json_close(to);
}

void steps_write_json(const struct steps *s, struct json *to)
{
    for (size_t i = 0; i < s->run_count; i++)
        write_run_json(s->runs[i], to);
}
