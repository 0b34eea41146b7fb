/* steps.c - see steps.h. */
#include "cli/report/steps.h"

#include "base/arena.h"
#include "base/names.h"
#include "cli/report/figure.h"
#include "cli/report/page.h"
#include "output/pictures/buckets.h"

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

struct steps *steps_new(const struct circuit *c)
{
    struct arena *arena;
    struct steps *s = arena_object(sizeof *s, &arena);
    if (s)
        *s = (struct steps){.arena = arena, .circuit = c};
    return s;
}

void steps_free(struct steps *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->run_count; i++)
        buckets_free(&s->runs[i]->accepted);
    arena_free(s->arena);
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
        r->rejected[r->rejected_shown++] = (struct rejected){a->time + a->step, log10(fmax(a->step, 1e-300))};
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

static struct figure figure_of(const char *title, FILE *to)
{
    return (struct figure){.to = to,
                           .title = title,
                           .x = {.name = "time", .unit = "s", .low = INFINITY, .high = -INFINITY},
                           .y = {.name = "", .unit = "", .low = INFINITY, .high = -INFINITY}};
}

/* Over the whole run. */
static void fit(struct figure *c, const struct run *r, size_t trace)
{
    figure_take_in(c, &r->accepted, trace);
    c->x.low = 0;
    c->x.high = fmax(c->x.high, r->stop);
}

static void write_lengths(const struct run *r, FILE *to)
{
    static const char *const names[] = {"accepted", "rejected"};
    struct figure c = figure_of("step size", to);
    fit(&c, r, STEP);
    for (size_t i = 0; i < r->rejected_shown; i++) {
        c.y.low = fmin(c.y.low, r->rejected[i].step);
        c.y.high = fmax(c.y.high, r->rejected[i].step);
    }
    c.y.scale = FIGURE_LOGARITHMIC;
    c.y.unit = "s";
    figure_begin(&c);
    figure_trace(&c, &r->accepted, STEP, 0);
    for (size_t i = 0; i < r->rejected_shown; i++)
        figure_cross(&c, r->rejected[i].time, r->rejected[i].step, 1);
    figure_end(&c, names, r->rejected_shown > 0 ? 2 : 0);
}

static void write_errors(const struct run *r, FILE *to)
{
    struct figure c = figure_of("estimated error, in tolerances", to);
    fit(&c, r, ERROR);
    c.y.high = fmax(c.y.high, 0);
    c.y.scale = FIGURE_LOGARITHMIC;
    figure_begin(&c);
    figure_trace(&c, &r->accepted, ERROR, 2);
    figure_end(&c, NULL, 0);
}

static void write_orders(const struct run *r, FILE *to)
{
    struct figure c = figure_of("order of the method", to);
    fit(&c, r, ORDER);
    c.y.low = 0;
    c.whole_y_marks = true;
    figure_begin(&c);
    figure_trace(&c, &r->accepted, ORDER, 3);
    figure_end(&c, NULL, 0);
}

/* Which word has the most of a bin, as bands of one colour each. */
static void write_bands(const struct run *r, const struct words *w, const float (*share)[MOST_WORDS], const char *title,
                        FILE *to)
{
    const char *names[MOST_WORDS];
    struct figure c = figure_of(title, to);
    fit(&c, r, STEP);
    c.bands = true;
    figure_begin(&c);
    const double width = r->stop / BINS;
    for (int first = 0, next; first < BINS; first = next) {
        size_t best = 0, other;
        for (size_t i = 1; i < w->count; i++)
            best = share[first][i] > share[first][best] ? i : best;
        for (next = first + 1, other = best; next < BINS && other == best;) {
            other = 0;
            for (size_t i = 1; i < w->count; i++)
                other = share[next][i] > share[next][other] ? i : other;
            next += other == best;
        }
        if (share[first][best] > 0)
            figure_band(&c, first * width, next * width, best);
    }
    for (size_t i = 0; i < w->count; i++)
        names[i] = w->list[i].text;
    figure_end(&c, names, w->count < CHART_COLOURS ? w->count : CHART_COLOURS);
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
        page_text(to, sorted.list[i].text);
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
        fprintf(to, "<p>%ld steps accepted, %ld rejected, %ld Newton iterations; from %s to %s long.</p>\n",
                r->accepted_count, r->rejected_count, r->iterations, shortest, longest);
        fputs("<div class=\"charts\">\n", to);
        write_lengths(r, to);
        write_errors(r, to);
        write_orders(r, to);
        if (r->methods.count > 1)
            write_bands(r, &r->methods, r->method_share, "method", to);
        write_bands(r, &r->limits, r->limit_share, "what limited the step", to);
        fputs("</div>\n", to);
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
