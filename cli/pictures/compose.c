/* compose.c - see compose.h. */
#include "cli/pictures/compose.h"

#include "analyses/spectrum/samples.h"
#include "base/names.h"
#include "base/quantities.h"
#include "base/text.h"
#include "control/vectors/formula.h"
#include "output/decimal.h"
#include "output/sinks.h"

#include <math.h>
#include <string.h>

enum { MOST_LISTED = 12, MOST_MARKS = 24, LEAST_SAMPLES = 1024, MOST_SAMPLES = 1 << 20 };

static const double full_turn = 6.28318530717958647692; /* rad */

struct composer {
    struct plots plots; /* not ours, but for which of them is current */
    const char *file;
    const struct picture_request *request;
    struct kn_diagnostics *diagnostics;
    struct chart *chart;
    const struct family *family;
    size_t group;
    const char *const *formulas;
    size_t formula_count;
    bool drawn; /* a curve of the formula that is being drawn */
    enum kn_status status;
};

/* A formula in one run. */
struct curve {
    const struct run *run;
    const char *name;
    size_t formula, number; /* of the formula, of the run */
    const double *x;
    size_t count;
    struct chart_axis axis; /* that x is along */
};

static bool fail(struct composer *c, enum kn_status status)
{
    c->status = c->status == KN_OK ? status : c->status;
    return false;
}

static double *numbers(struct composer *c, size_t count)
{
    double *made = arena_array(c->chart->arena, count + 1, sizeof *made);
    if (!made)
        fail(c, KN_ERROR_MEMORY);
    return made;
}

/* ---- panels ---- */

static bool takes_logarithm(enum kn_quantity q)
{
    return q != KN_DECIBEL && q != KN_PHASE;
}

static struct chart_panel *panel_of(struct composer *c, const struct chart_axis *x, enum kn_quantity quantity)
{
    struct chart *chart = c->chart;
    const struct chart_panel as = {.x = *x,
                                   .y = chart_axis_of(quantity_words[quantity].name, quantity_words[quantity].unit,
                                                      c->request->log_y && takes_logarithm(quantity)),
                                   .group = c->group,
                                   .disordered = c->request->xy || c->request->eye > 0};
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_panel *p = &chart->panels[i];
        if (p->group == c->group && strcmp(p->y.unit, as.y.unit) == 0 && strcmp(p->y.label, as.y.label) == 0)
            return &chart->panels[i];
    }
    struct chart_panel *made = chart_add_panel(chart, &as);
    if (!made)
        fail(c, KN_ERROR_MEMORY);
    return made;
}

/* Sweeps may go down, and hold what is no number. */
static bool rises(const double *x, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(x[i] >= x[i - 1]))
            return false;
    return true;
}

/* One of a family gets a colour of its own, one of many runs that of its formula. */
static bool put(struct composer *c, const struct curve *k, const double *x, const double *y, size_t count,
                enum kn_quantity quantity)
{
    const size_t runs = c->family->count;
    const bool many = runs * c->formula_count > MOST_LISTED && runs > 1;
    struct chart_panel *p = panel_of(c, &k->axis, quantity);
    struct chart_trace t = {.name = k->name,
                            .run = k->run->label,
                            .x = x,
                            .y = y,
                            .count = count,
                            .colour = (int)(many ? k->formula : k->formula * runs + k->number),
                            .unlisted = many && k->number > 0};
    if (many && k->number == 0)
        t.run = arena_format(c->chart->arena, "%zu runs", runs);
    if (!p || !chart_add_trace(c->chart, p, &t))
        return fail(c, KN_ERROR_MEMORY);
    p->disordered |= !rises(x, count);
    c->drawn = true;
    return true;
}

/* ---- real and complex values ---- */

static bool put_magnitude(struct composer *c, const struct curve *k, const double complex *values)
{
    double *y = numbers(c, k->count);
    for (size_t i = 0; y && i < k->count; i++)
        y[i] = 20 * log10(cabs(values[i]));
    return y && put(c, k, k->x, y, k->count, KN_DECIBEL);
}

/* Degrees, without jumps of a whole turn. */
static bool put_phase(struct composer *c, const struct curve *k, const double complex *values)
{
    double *y = numbers(c, k->count), turns = 0, before = 0;
    for (size_t i = 0; y && i < k->count; i++) {
        const double now = carg(values[i]);
        if (isfinite(now)) {
            turns -= i ? rint((now + turns * full_turn - before) / full_turn) : 0;
            before = now + turns * full_turn;
        }
        y[i] = isfinite(now) ? before * 360 / full_turn : now;
    }
    return y && put(c, k, k->x, y, k->count, KN_PHASE);
}

static void tell_left_out(struct composer *c, const struct curve *k, const double *y)
{
    size_t count = 0;
    for (size_t i = 0; i < k->count; i++)
        count += y[i] <= 0;
    if (count > 0)
        diagnostics_add(c->diagnostics, KN_WARNING, "picture", (struct kn_location){c->file, 0, 0, 0}, NULL,
                        "%zu point%s of '%s' %s not positive and %s no place on a logarithmic axis", count,
                        count == 1 ? "" : "s", k->name, count == 1 ? "is" : "are", count == 1 ? "has" : "have");
}

static bool put_real(struct composer *c, const struct curve *k, const double complex *values, enum kn_quantity quantity)
{
    double *y = numbers(c, k->count);
    for (size_t i = 0; y && i < k->count; i++)
        y[i] = creal(values[i]);
    if (y && c->request->log_y && takes_logarithm(quantity))
        tell_left_out(c, k, y);
    return y && put(c, k, k->x, y, k->count, quantity);
}

static bool put_plain(struct composer *c, const struct curve *k, const double complex *values, bool is_complex,
                      enum kn_quantity quantity)
{
    if (!is_complex && (!c->request->decibels || quantity == KN_DECIBEL || quantity == KN_PHASE))
        return put_real(c, k, values, quantity);
    return put_magnitude(c, k, values) && (!is_complex || c->request->decibels || put_phase(c, k, values));
}

/* ---- spectra ---- */

/* Samples enough for the rows, were they even; the window is Hann's. */
static bool put_spectrum(struct composer *c, const struct curve *k, const double complex *values)
{
    size_t count = LEAST_SAMPLES;
    while (count < 2 * k->count && count < MOST_SAMPLES)
        count *= 2;
    const double span = k->x[k->count - 1] - k->x[0];
    struct arena *a = c->chart->arena;
    double complex *times = arena_array(a, k->count, sizeof *times), *lines = arena_array(a, count, sizeof *lines);
    double *weights = numbers(c, count), *x = numbers(c, count / 2), *y = numbers(c, count / 2);
    if (!times || !lines || !weights || !x || !y)
        return fail(c, KN_ERROR_MEMORY);
    for (size_t i = 0; i < k->count; i++)
        times[i] = k->x[i];
    const struct samples given = {times, values, k->count};
    samples_even(&given, k->x[0], span / (double)count, lines, count);
    samples_window(WINDOW_HANN, weights, count);
    if (!samples_spectrum(a, lines, weights, count))
        return fail(c, KN_ERROR_MEMORY);
    for (size_t i = 0; i < count / 2; i++) {
        x[i] = (double)(i + 1) / span;
        y[i] = 20 * log10(cabs(lines[i + 1]));
    }
    struct curve of = *k;
    of.axis = chart_axis_of("frequency", "Hz", true);
    return put(c, &of, x, y, count / 2, KN_DECIBEL);
}

/* ---- eyes ---- */

/* How many periods the times hold, which may not all be numbers. */
static double turns_of(const struct curve *k, double period)
{
    double least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < k->count; i++)
        if (isfinite(k->x[i])) {
            least = fmin(least, k->x[i]);
            greatest = fmax(greatest, k->x[i]);
        }
    return greatest >= least ? (greatest - least) / period : 0;
}

/* A folded curve, which has room for what is added. */
struct folded {
    double *x, *y;
    size_t count;
};

/* Where the line between two points passes multiples of the period it ends at the right and begins again at the left. */
static void fold(struct folded *f, double period, double x0, double y0, double x1, double y1)
{
    for (double turn = floor(x0 / period) + 1; turn <= floor(x1 / period); turn++) {
        const double value = y0 + (turn * period - x0) / (x1 - x0) * (y1 - y0);
        const double xs[] = {period, period, 0}, ys[] = {value, NAN, value};
        memcpy(f->x + f->count, xs, sizeof xs);
        memcpy(f->y + f->count, ys, sizeof ys);
        f->count += 3;
    }
}

static bool put_eye(struct composer *c, const struct curve *k, const double complex *values, enum kn_quantity quantity)
{
    const double period = c->request->eye, turns = turns_of(k, period);
    if (!(turns < 1e6)) {
        diagnostics_add(c->diagnostics, KN_ERROR, "picture", (struct kn_location){c->file, 0, 0, 0}, NULL,
                        "--eye: the time holds %.3g such periods", turns);
        return fail(c, KN_ERROR_ARGUMENT);
    }
    const size_t most = k->count + 3 * ((size_t)turns + 2);
    struct folded f = {numbers(c, most), numbers(c, most), 0};
    size_t last = k->count; /* the point in front; count: none */
    for (size_t i = 0; f.x && f.y && i < k->count; i++) {
        if (!isfinite(k->x[i]) || (last < k->count && k->x[i] < k->x[last]))
            continue;
        if (last < k->count)
            fold(&f, period, k->x[last], creal(values[last]), k->x[i], creal(values[i]));
        f.x[f.count] = k->x[i] - floor(k->x[i] / period) * period;
        f.y[f.count++] = creal(values[i]);
        last = i;
    }
    struct curve folded = *k;
    folded.axis.from = 0;
    folded.axis.to = period;
    return f.x && f.y && put(c, &folded, f.x, f.y, f.count, quantity);
}

/* ---- formulas ---- */

static struct kn_location in_file(const struct composer *c)
{
    return (struct kn_location){c->file, 0, 0, 0};
}

static bool refuse(struct composer *c, const char *hint, const char *formula, const char *why)
{
    diagnostics_add(c->diagnostics, KN_ERROR, "picture", in_file(c), hint && *hint ? hint : NULL,
                    "'%s' cannot be drawn: %s", formula, why);
    return fail(c, KN_ERROR_ARGUMENT);
}

/* A vector of that name, or a formula of vectors.  False: neither, and why. */
static bool evaluate(struct composer *c, const struct plot *p, const char *text, struct values *out, struct formula *f)
{
    c->plots.current = (struct plot *)p;
    *f = (struct formula){.arena = c->chart->arena, .plots = &c->plots, .set.degrees = true};
    const struct vector_kept *v = plot_find(p, text);
    if (!v)
        return formula_whole(f, text, out);
    *out = plot_values(v, f->arena);
    return out->at || fail(c, KN_ERROR_MEMORY);
}

/* As many numbers as the run has rows. */
static const double complex *part_of(struct composer *c, const struct values *v, const struct run *r, const char *text)
{
    const size_t rows = run_scale(r)->count;
    if (v->count == rows)
        return v->at + r->from;
    double complex *constant = arena_array(c->chart->arena, r->count + 1, sizeof *constant);
    if (v->count != 1) {
        refuse(c, NULL, text, "it has not as many numbers as its scale");
        return NULL;
    }
    for (size_t i = 0; constant && i < r->count; i++)
        constant[i] = v->at[0];
    if (!constant)
        fail(c, KN_ERROR_MEMORY);
    return constant;
}

/* By equal factors rather than equal steps. */
static bool is_geometric(const double *x, size_t count)
{
    if (count < 3 || !(x[0] > 0) || !(x[count - 1] >= 10 * x[0]))
        return false;
    const double middle = x[count / 2], geometric = sqrt(x[0] * x[count - 1]), arithmetic = (x[0] + x[count - 1]) / 2;
    return fabs(log(middle / geometric)) < fabs(log(middle / arithmetic));
}

static struct chart_axis axis_of(const struct composer *c, const struct run *r)
{
    const struct vector_kept *x = run_scale(r);
    const char *label = quantity_words[x->quantity].name;
    const bool known = x->quantity == KN_TIME || x->quantity == KN_FREQUENCY;
    const bool logarithmic = x->quantity == KN_FREQUENCY && is_geometric(x->real + r->from, r->count);
    return chart_axis_of(known ? label : x->name, quantity_words[x->quantity].unit, c->request->log_x || logarithmic);
}

static bool draw_in_run(struct composer *c, const struct values *v, struct curve *k)
{
    const struct run *r = k->run;
    const struct vector_kept *scale = run_scale(r);
    const bool timed = c->request->spectrum || c->request->eye > 0;
    const double complex *values = part_of(c, v, r, k->name);
    if (!values)
        return false;
    k->x = scale->real + r->from;
    k->count = r->count;
    k->axis = axis_of(c, r);
    if (timed && (scale->quantity != KN_TIME || r->count < 3))
        return true; /* drawn stays false where there is no transient at all */
    if (c->request->spectrum)
        return put_spectrum(c, k, values);
    if (c->request->eye > 0)
        return put_eye(c, k, values, v->quantity);
    return put_plain(c, k, values, v->is_complex, v->quantity);
}

/* Formulas over the first of them. */
static bool draw_over_first(struct composer *c, const struct values *v, struct curve *k)
{
    struct values first;
    struct formula f;
    if (!evaluate(c, k->run->plot, c->formulas[0], &first, &f))
        return refuse(c, f.hint, c->formulas[0], f.why);
    const double complex *over = part_of(c, &first, k->run, c->formulas[0]);
    const double complex *values = over ? part_of(c, v, k->run, k->name) : NULL;
    double *x = numbers(c, k->run->count);
    for (size_t i = 0; values && x && i < k->run->count; i++)
        x[i] = creal(over[i]);
    k->x = x;
    k->count = k->run->count;
    k->axis = chart_axis_of(c->formulas[0], quantity_words[first.quantity].unit, c->request->log_x);
    return values && x && put_real(c, k, values, v->quantity);
}

/* One formula in all runs of the family; what a family does not have another may. */
static bool draw_formula(struct composer *c, size_t number, struct formula *f)
{
    const struct family *family = c->family;
    struct values v = {.at = NULL};
    const struct plot *of = NULL;
    for (size_t i = 0; i < family->count; i++) {
        const struct run *r = &family->runs[i];
        struct curve k = {.run = r, .name = c->formulas[number], .formula = number, .number = i};
        if (of != r->plot && !evaluate(c, r->plot, k.name, &v, f))
            return c->status == KN_OK;
        of = r->plot;
        if (!(c->request->xy ? draw_over_first(c, &v, &k) : draw_in_run(c, &v, &k)))
            return false;
    }
    return true;
}

/* Noise and its like, over decades. */
static void choose_logarithms(struct chart *chart)
{
    double x[2], y[2];
    for (size_t i = 0; i < chart->count; i++) {
        struct chart_panel *p = &chart->panels[i];
        const bool density = strstr(p->y.label, "density") != NULL;
        if (density && chart_ranges(p, x, y) && y[0] > 0 && y[1] > 100 * y[0])
            p->y.logarithmic = true;
    }
}

/* Panels of a group one below the other, and where there are several groups a title above each. */
static void sort_panels(struct chart *chart, const struct families *all)
{
    for (size_t i = 1; i < chart->count; i++) {
        const struct chart_panel moved = chart->panels[i];
        size_t k = i;
        for (; k > 0 && chart->panels[k - 1].group > moved.group; k--)
            chart->panels[k] = chart->panels[k - 1];
        chart->panels[k] = moved;
    }
    if (chart->count == 0 || chart->panels[0].group == chart->panels[chart->count - 1].group)
        return;
    for (size_t i = 0; i < chart->count; i++) {
        struct chart_panel *p = &chart->panels[i];
        if (i == 0 || p[-1].group != p->group)
            p->title = all->at[p->group].runs[0].plot->label;
    }
}

/* ---- marks ---- */

/* Whether a curve of the panel goes through the point, as far as a picture shows. */
static bool passes(const struct chart_panel *p, double x, double y)
{
    double xs[2], ys[2];
    if (p->disordered || !chart_ranges(p, xs, ys))
        return false;
    const double near = 2e-3 * (ys[1] - ys[0]);
    for (size_t i = 0; i < p->count; i++) {
        const struct chart_trace *t = &p->traces[i];
        for (size_t k = 1; k < t->count; k++) {
            const double part = t->x[k] > t->x[k - 1] ? (x - t->x[k - 1]) / (t->x[k] - t->x[k - 1]) : -1;
            if (part >= -1e-9 && part <= 1 + 1e-9 && fabs(t->y[k - 1] + part * (t->y[k] - t->y[k - 1]) - y) <= near)
                return true;
        }
    }
    return false;
}

static bool is_in_family(const struct family *f, const struct plot *p)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->runs[i].plot == p)
            return true;
    return false;
}

/* The mark in the panel whose curve goes through it, else over the first panel of its group. */
static bool put_mark(struct composer *c, const struct families *all, const struct picture_mark *m)
{
    struct chart *chart = c->chart;
    const bool point = isfinite(m->at);
    struct chart_mark made = {.panel = chart->count, .x = point ? m->at : m->from, .to = point ? NAN : m->to, .y = NAN};
    const char *unit = m->unit;
    for (size_t i = chart->count; i-- > 0;)
        if (is_in_family(&all->at[chart->panels[i].group], m->plot) && isnan(made.y)) {
            made.panel = i;
            if (point && m->at != m->value && passes(&chart->panels[i], m->at, m->value)) {
                made.y = m->value;
                unit = chart->panels[i].y.unit;
            }
        }
    if (made.panel == chart->count || !isfinite(made.x))
        return true;
    char value[80];
    const bool known = !isnan(made.y) || !point || m->value == m->at;
    decimal_engineering(m->value, 4, known ? unit : "", "\xc2\xb5", value, sizeof value);
    made.label = arena_format(chart->arena, "%s = %s", m->name, value);
    return (made.label && chart_add_mark(chart, &made)) || fail(c, KN_ERROR_MEMORY);
}

static void put_marks(struct composer *c, const struct families *all)
{
    const struct picture_request *r = c->request;
    const bool plain = !r->spectrum && !r->xy && !(r->eye > 0);
    for (size_t i = 0; plain && i < r->mark_count && i < MOST_MARKS; i++)
        if (!put_mark(c, all, &r->marks[i]))
            return;
}

/* ---- what there is ---- */

/* The first vectors that are neither scale nor step; an array in the arena. */
static bool choose_vectors(struct composer *c)
{
    const struct family *f = c->family;
    const struct plot *p = f->runs[0].plot;
    const char **names = arena_array(c->chart->arena, PLOT_COLUMNS, sizeof *names);
    c->formula_count = 0;
    for (size_t i = 0; names && i < p->count && c->formula_count < PLOT_COLUMNS; i++)
        if (i != p->scale && (i <= p->scale || i - p->scale > f->steps))
            names[c->formula_count++] = p->vectors[i].name;
    c->formulas = names;
    return names || fail(c, KN_ERROR_MEMORY);
}

static const char *closest(struct composer *c, const struct families *all, const char *text)
{
    struct name_guess g = name_guess(text);
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->at[i].runs[0].plot->count; k++)
            name_guess_offer(&g, all->at[i].runs[0].plot->vectors[k].name);
    return diagnostics_meant(c->diagnostics, g.found);
}

/* "there are v(in), v(out), .." */
static const char *some_vectors(struct composer *c, const struct families *all)
{
    struct text t = TEXT(300);
    text_add(&t, "there are ");
    struct text_list l = text_list(&t, ", ", 10);
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->at[i].runs[0].plot->count; k++)
            text_list_add(&l, all->at[i].runs[0].plot->vectors[k].name);
    text_list_end(&l);
    return text_keep(&t, c->chart->arena);
}

static bool nothing_drawn(struct composer *c, const struct families *all, const char *text, const struct formula *f)
{
    const char *guess = closest(c, all, text);
    const bool unknown = strncmp(f->why, "there is no vector", strlen("there is no vector")) == 0;
    if (f->failed)
        return refuse(c, guess ? guess : unknown ? some_vectors(c, all) : f->hint, text, f->why);
    return refuse(c, "--spectrum and --eye are for transients", text, "there is no transient");
}

static bool draw_asked(struct composer *c, const struct families *all)
{
    c->formulas = c->request->formulas;
    c->formula_count = c->request->count;
    for (size_t number = c->request->xy; number < c->formula_count; number++) {
        struct formula f = {.failed = false};
        c->drawn = false;
        for (size_t i = 0; i < all->count; i++) {
            c->family = &all->at[i];
            c->group = i;
            if (!draw_formula(c, number, &f))
                return false;
        }
        if (!c->drawn)
            return nothing_drawn(c, all, c->formulas[number], &f);
    }
    return true;
}

static bool draw_first_few(struct composer *c, const struct families *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct formula f = {.failed = false};
        c->family = &all->at[i];
        c->group = i;
        if (!choose_vectors(c))
            return false;
        for (size_t number = 0; number < c->formula_count; number++)
            if (!draw_formula(c, number, &f))
                return false;
    }
    return c->chart->count > 0 || refuse(c, NULL, "--spectrum", "there is no transient");
}

/* An error where no curve has a point that can be shown, a warning for each panel of such curves. */
static void look_for_points(struct composer *c)
{
    double x[2], y[2];
    size_t empty = 0;
    for (size_t i = 0; i < c->chart->count; i++)
        empty += !chart_ranges(&c->chart->panels[i], x, y);
    for (size_t i = 0; c->status == KN_OK && i < c->chart->count; i++) {
        const struct chart_panel *p = &c->chart->panels[i];
        if (p->count == 0 || chart_ranges(p, x, y))
            continue;
        diagnostics_add(c->diagnostics, empty < c->chart->count ? KN_WARNING : KN_ERROR, "picture", in_file(c), NULL,
                        "no point of '%s' can be drawn: a point needs numbers that are finite, below 4e307%s",
                        p->traces[0].name,
                        p->y.logarithmic || p->x.logarithmic ? ", and positive on a logarithmic axis" : "");
    }
    if (c->status == KN_OK && empty > 0 && empty == c->chart->count)
        c->status = KN_ERROR_ARGUMENT;
}

enum kn_status compose(const struct plots *plots, const char *file, const struct picture_request *request,
                       struct kn_diagnostics *d, struct chart *chart)
{
    struct composer c = {.plots = *plots, .file = file, .request = request, .diagnostics = d, .chart = chart};
    struct families all;
    if (!families_find(plots, request->analysis, chart->arena, &all))
        return KN_ERROR_MEMORY;
    if (all.count == 0) {
        diagnostics_add(d, KN_ERROR, "picture", in_file(&c), NULL,
                        request->analysis ? "there is no plot '%s' of more than a point"
                                          : "there is no plot of more than a point to draw%s",
                        request->analysis ? request->analysis : "");
        return KN_ERROR_ARGUMENT;
    }
    chart->title = all.at[0].runs[0].plot->title;
    if (request->count > 0)
        draw_asked(&c, &all);
    else
        draw_first_few(&c, &all);
    choose_logarithms(chart);
    look_for_points(&c);
    sort_panels(chart, &all);
    put_marks(&c, &all);
    return c.status;
}
