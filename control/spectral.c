/* spectral.c - see spectral.h.  Between two numbers of a vector there is a straight line: fourier integrates these lines
 * against e^(-j w t) exactly, over the last period. */
#include "control/spectral.h"

#include "analyses/measure/curve.h"
#include "analyses/spectrum/fourier.h"
#include "analyses/spectrum/samples.h"
#include "control/script/lists.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { HARMONICS = 10 };
static const double full_turn = 6.28318530717958647692; /* rad */

static void keep_those_over_time(struct list *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (list_has_scale(l, i))
            l->items[kept++] = l->items[i];
    l->count = kept;
}

/* The vectors of a transient, which must be over its time; without names all that are. */
static bool read_vectors(struct state *s, const char *rest, bool none_is_all, struct list *l)
{
    if (!list_read(s, rest, none_is_all, l))
        return false;
    if (s->dry)
        return true;
    if (l->scale.count < 2 || l->scale.quantity != KN_TIME)
        return state_fail(s, "setplot chooses another plot", "%s: plot %s is no transient", s->command->name,
                          s->plots.current->name);
    if (!rest[strspn(rest, " \t")])
        keep_those_over_time(l);
    for (size_t i = 0; i < l->count; i++)
        if (!list_has_scale(l, i))
            return state_fail(s, NULL, "%s: '%s' is not over the time of plot %s", s->command->name, l->items[i].name,
                              s->plots.current->name);
    return true;
}

static double time_at(const struct list *l, size_t i)
{
    return creal(l->scale.at[i]);
}

static struct samples samples_of(const struct list *l, size_t vector)
{
    return (struct samples){l->scale.at, l->items[vector].values.at, l->scale.count};
}

/* ---- linearize ---- */

static bool put(struct state *s, struct plot *p, const char *name, const struct values *v)
{
    return (v->at && plot_put(p, name, v)) || state_no_memory(s);
}

static const char *const settings[] = {"lin-tstart", "lin-tstop", "lin-tstep", "cut-tstart", "cut-tstop"};

bool spectral_is_setting(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcasecmp(settings[i], name) == 0)
            return true;
    return false;
}

static double setting(const struct plot *p, int which, double otherwise)
{
    const struct vector_kept *v = plot_find(p, settings[which]);
    return v && v->count > 0 ? v->real[0] : otherwise;
}

/* Times begin + i step, i < count. */
struct even_grid {
    double begin, step; /* s */
    size_t count;
};

/* The times of linearize in the current plot. */
static bool find_grid(struct state *s, const struct list *l, struct even_grid *g)
{
    const struct plot *from = s->plots.current;
    g->begin = fmax(setting(from, 0, -INFINITY), time_at(l, 0));
    const double end = fmin(setting(from, 1, INFINITY), time_at(l, l->scale.count - 1));
    g->step = setting(from, 2, from->step);
    if (!(g->step > 0 && (end - g->begin) / g->step < 1e8))
        return state_fail(s, NULL, "%s: plot %s has no step of a transient", s->command->name, from->name);
    if (!(end - g->begin >= g->step))
        return state_fail(s, "lin-tstart and lin-tstop are times of the transient, a step apart at least",
                          "%s: from %g s to %g s there are no two times", s->command->name, g->begin, end);
    g->count = (size_t)((end - g->begin) / g->step + 1.5);
    return true;
}

static struct values times_of(struct state *s, const struct even_grid *g)
{
    struct values time = values_new(s->scratch, g->count);
    time.quantity = KN_TIME;
    for (size_t i = 0; time.at && i < g->count; i++)
        time.at[i] = g->begin + g->step * (double)i;
    return time;
}

static struct values on_grid(struct state *s, const struct list *l, size_t vector, const struct even_grid *g)
{
    const struct values *of = &l->items[vector].values;
    const struct samples given = samples_of(l, vector);
    struct values v = values_new(s->scratch, g->count);
    v.is_complex = of->is_complex;
    v.quantity = of->quantity;
    if (v.at)
        samples_even(&given, g->begin, g->step, v.at, g->count);
    return v;
}

bool spectral_linearize(struct state *s, const char *rest)
{
    struct list l;
    struct even_grid grid;
    if (!read_vectors(s, rest, true, &l) || s->dry || !find_grid(s, &l, &grid))
        return s->status == KN_OK;
    struct plot *p = plots_add(&s->plots, "tran", s->plots.current->title, "Transient Analysis (linearized)");
    const struct values time = times_of(s, &grid);
    if (!p)
        return state_no_memory(s);
    p->step = grid.step;
    bool good = put(s, p, "time", &time);
    for (size_t i = 0; good && i < l.count; i++) {
        const struct values v = on_grid(s, &l, i, &grid);
        good = put(s, p, l.items[i].name, &v);
    }
    p->scale = 0;
    p->linearized = true;
    return good;
}

/* ---- cutout ---- */

static struct values part_of(struct state *s, const struct values *v, size_t begin, size_t count)
{
    struct values out = values_new(s->scratch, count);
    if (out.at)
        memcpy(out.at, v->at + begin, count * sizeof *out.at);
    out.is_complex = v->is_complex;
    out.quantity = v->quantity;
    return out;
}

bool spectral_cutout(struct state *s, const char *rest)
{
    struct list l;
    const struct plot *from = s->plots.current;
    if (!read_vectors(s, rest, true, &l) || s->dry)
        return s->status == KN_OK;
    const double first = setting(from, 3, -INFINITY), last = setting(from, 4, INFINITY);
    size_t begin = 0, end = l.scale.count;
    while (begin < end && time_at(&l, begin) < first)
        begin++;
    while (end > begin && time_at(&l, end - 1) > last)
        end--;
    if (end - begin < 2)
        return state_fail(s, "cut-tstart and cut-tstop are times of the transient",
                          "cutout: from %g s to %g s there are no two times", first, last);
    struct plot *p = plots_add(&s->plots, "tran", from->title, "Transient Analysis (cut out)");
    const struct values time = part_of(s, &l.scale, begin, end - begin);
    bool good = p && put(s, p, "time", &time);
    for (size_t i = 0; good && i < l.count; i++) {
        const struct values v = part_of(s, &l.items[i].values, begin, end - begin);
        good = put(s, p, l.items[i].name, &v);
    }
    if (!good)
        return state_no_memory(s);
    p->step = from->step;
    p->scale = 0;
    return true;
}

/* ---- fourier ---- */

/* Amplitudes with their phases, of the sine as ngspice has it, from integrals over a period. */
static void add_piece(const struct list *l, size_t vector, size_t i, double from, double to, double origin, double w,
                      double complex *sums)
{
    double points[CURVE_POINTS];
    const struct samples given = samples_of(l, vector);
    size_t at = i;
    for (int k = 0; k < CURVE_POINTS; k++)
        points[k] = creal(samples_between(&given, curve_point(from, to, k), &at));
    fourier_add(from, to, points, 1, origin, w, sums, HARMONICS);
}

static void print_harmonics(struct state *s, const char *name, double frequency, const double complex *sums)
{
    double squares = 0;
    for (int k = 2; k < HARMONICS; k++)
        squares += pow(cabs(sums[k]), 2);
    const double main = cabs(sums[1]);
    state_print(s, "Fourier analysis for %s:\n  harmonics: %d, THD: %.6g %%\n", name, (int)HARMONICS,
                main > 0 ? 100 * sqrt(squares) / main : 0);
    state_print(s, "Harmonic\tFrequency\tMagnitude\tPhase\tNorm. Mag\tNorm. Phase\n");
    const double first = carg(sums[1] * CMPLX(0, 1)) * 360 / full_turn;
    for (int k = 0; k < HARMONICS; k++) {
        const double magnitude = k ? cabs(sums[k]) : creal(sums[0]);
        const double phase = k ? carg(sums[k] * CMPLX(0, 1)) * 360 / full_turn : 0;
        state_print(s, "%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", k, k * frequency, magnitude, phase,
                    k && main > 0 ? magnitude / main : 0, k ? phase - first : 0);
    }
}

static void analyse_vector(struct state *s, const struct list *l, size_t vector, double frequency)
{
    double complex sums[HARMONICS] = {0};
    const double end = time_at(l, l->scale.count - 1), begin = end - 1 / frequency;
    for (size_t i = 0; i + 1 < l->scale.count; i++) {
        const double from = fmax(time_at(l, i), begin), to = time_at(l, i + 1);
        if (to > from)
            add_piece(l, vector, i, from, to, begin, full_turn * frequency, sums);
    }
    for (int k = 0; k < HARMONICS; k++)
        sums[k] *= (k ? 2 : 1) * frequency;
    print_harmonics(s, l->items[vector].name, frequency, sums);
}

bool spectral_fourier(struct state *s, const char *rest)
{
    double frequency;
    struct list l;
    if (!list_redirect(s, &rest))
        return false;
    const char *word = state_word(s, &rest);
    if (!word)
        return state_fail(s, "fourier 1k v(out)", "fourier: expected a frequency and vectors");
    if (!state_evaluate_number(s, word, &frequency) || !read_vectors(s, rest, false, &l) || s->dry)
        return s->status == KN_OK;
    const double span = time_at(&l, l.scale.count - 1) - time_at(&l, 0);
    if (!(frequency > 0) || 1 / frequency > span * (1 + 1e-9))
        return state_fail(s, NULL, "fourier: the transient of %g s has no whole period of %g Hz", span, frequency);
    for (size_t i = 0; i < l.count; i++)
        analyse_vector(s, &l, i, frequency);
    return true;
}

/* ---- fft ---- */

static const struct {
    const char *name;
    enum spectrum_window window;
} windows[] = {{"none", WINDOW_RECTANGLE},    {"rectangular", WINDOW_RECTANGLE}, {"hanning", WINDOW_HANN},
               {"hann", WINDOW_HANN},         {"cosine", WINDOW_HANN},           {"hamming", WINDOW_HAMMING},
               {"blackman", WINDOW_BLACKMAN}, {"bartlet", WINDOW_BARTLETT},      {"triangle", WINDOW_BARTLETT},
               {"bartlett", WINDOW_BARTLETT}, {"gaussian", WINDOW_GAUSS}};

static bool fill_window(struct state *s, double *weights, size_t count)
{
    const struct variable *v = state_variable(s, "specwindow");
    const char *name = v && v->count == 1 ? v->words[0] : "hanning";
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (strcasecmp(windows[i].name, name) == 0) {
            samples_window(windows[i].window, weights, count);
            return true;
        }
    return state_fail(s, "there are none, hanning, hamming, blackman, bartlet and gaussian", "fft: unknown window '%s'",
                      name);
}

/* Whether the times are even, to rounding. */
static bool is_even(const struct list *l)
{
    const size_t last = l->scale.count - 1;
    const double begin = time_at(l, 0), step = (time_at(l, last) - begin) / (double)last;
    for (size_t i = 0; i <= last; i++)
        if (fabs(time_at(l, i) - begin - step * (double)i) > 1e-6 * step)
            return false;
    return true;
}

/* Samples at even times; the last one is the first of the next period. */
struct even_samples {
    struct list list;
    size_t count;
    double span;     /* s */
    double *weights; /* [count] of the window, 1 in the mean */
};

/* As linearize makes them.  ngspice takes numbers at uneven times as if they were even. */
static bool make_even(struct state *s, struct list *l)
{
    struct even_grid grid;
    if (!find_grid(s, l, &grid))
        return false;
    for (size_t i = 0; i < l->count; i++) {
        l->items[i].values = on_grid(s, l, i, &grid);
        if (!l->items[i].values.at)
            return state_no_memory(s);
    }
    l->scale = times_of(s, &grid);
    if (!l->scale.at)
        return state_no_memory(s);
    state_warn(s, "linearize in front says so; let lin-tstep = 1n in front of it chooses another step",
               "%s: the times of plot %s are not even; its vectors are taken every %g s, as linearize makes them",
               s->command->name, s->plots.current->name, grid.step);
    return true;
}

static bool read_even(struct state *s, const char *rest, struct even_samples *e)
{
    *e = (struct even_samples){.count = 0};
    if (!read_vectors(s, rest, false, &e->list) || s->dry)
        return false;
    if (!is_even(&e->list) && !make_even(s, &e->list))
        return false;
    e->count = e->list.scale.count - 1;
    e->span = time_at(&e->list, e->count) - time_at(&e->list, 0);
    e->weights = arena_array(s->scratch, e->count + 1, sizeof *e->weights);
    return e->weights ? fill_window(s, e->weights, e->count) : state_no_memory(s);
}

/* A plot over frequencies from `first` on. */
static struct plot *add_spectrum(struct state *s, const char *label, double first, double step, size_t lines)
{
    struct plot *p = plots_add(&s->plots, "sp", s->plots.current->title, label);
    struct values scale = values_new(s->scratch, lines);
    scale.quantity = KN_FREQUENCY;
    for (size_t k = 0; scale.at && k < lines; k++)
        scale.at[k] = first + (double)k * step;
    if (!p || !put(s, p, "frequency", &scale))
        return NULL;
    p->scale = 0;
    return p;
}

/* Lines 0 .. count/2 of a vector. */
static struct values lines_of(struct state *s, const struct even_samples *e, size_t vector)
{
    struct values v = values_new(s->scratch, e->count);
    v.is_complex = true;
    v.quantity = e->list.items[vector].values.quantity;
    if (v.at)
        memcpy(v.at, e->list.items[vector].values.at, e->count * sizeof *v.at);
    if (!v.at || !samples_spectrum(s->scratch, v.at, e->weights, e->count))
        return (struct values){0};
    v.count = e->count / 2 + 1;
    return v;
}

bool spectral_fft(struct state *s, const char *rest)
{
    struct even_samples e;
    if (!read_even(s, rest, &e))
        return s->status == KN_OK;
    struct plot *p = add_spectrum(s, "Spectrum", 0, 1 / e.span, e.count / 2 + 1);
    bool good = p != NULL;
    for (size_t i = 0; good && i < e.list.count; i++) {
        const struct values v = lines_of(s, &e, i);
        good = put(s, p, e.list.items[i].name, &v);
    }
    return good || state_no_memory(s);
}

/* ---- psd ---- */

/* One-sided densities of power of a vector from its lines: of amplitudes A the power A^2/2, over what a line of the window
 * is wide, sum w^2 / (sum w)^2 of the sampling rate; each the mean of `smooth` lines about it. */
static struct values densities(struct state *s, const struct even_samples *e, size_t vector, size_t smooth)
{
    const struct values lines = lines_of(s, e, vector);
    struct values power = values_new(s->scratch, lines.count), out = values_new(s->scratch, lines.count);
    double squares = 0;
    for (size_t n = 0; n < e->count; n++)
        squares += e->weights[n] * e->weights[n];
    const double width = squares / (double)e->count / e->span; /* Hz */
    for (size_t k = 0; lines.at && power.at && k < lines.count; k++)
        power.at[k] = pow(cabs(lines.at[k]), 2) / (k == 0 || 2 * k == e->count ? 1 : 2) / width;
    for (size_t k = 0; power.at && out.at && k < lines.count; k++) {
        const size_t before = smooth / 2, from = k > before ? k - before : 0;
        const size_t to = k + smooth - before < lines.count ? k + smooth - before : lines.count;
        for (size_t i = from; i < to; i++)
            out.at[k] += power.at[i] / (double)(to - from);
    }
    return lines.at && power.at ? out : (struct values){0};
}

bool spectral_psd(struct state *s, const char *rest)
{
    static const char hint[] = "psd 4 v(out): the mean of 4 lines each";
    struct even_samples e;
    double smooth;
    const char *word = state_word(s, &rest);
    if (!word)
        return state_fail(s, hint, "psd: expected a number of lines and vectors");
    if (!state_evaluate_number(s, word, &smooth))
        return false;
    if (!s->dry && !(smooth >= 1 && smooth <= 1e8))
        return state_fail(s, hint, "psd: the number of lines is 1 or more, not %g", smooth);
    if (!read_even(s, rest, &e))
        return s->status == KN_OK;
    struct plot *p = add_spectrum(s, "PSD", 0, 1 / e.span, e.count / 2 + 1);
    bool good = p != NULL;
    for (size_t i = 0; good && i < e.list.count; i++) {
        const struct values v = densities(s, &e, i, (size_t)smooth);
        double power = 0;
        for (size_t k = 0; v.at && k < v.count; k++)
            power += creal(v.at[k]) / e.span;
        good = put(s, p, e.list.items[i].name, &v);
        if (good)
            state_print(s, "%s: power %.6g, RMS %.6g, up to %.6g Hz\n", e.list.items[i].name, power, sqrt(power),
                        (double)e.count / 2 / e.span);
    }
    return good || state_no_memory(s);
}

/* ---- spec ---- */

/* Amplitude and phase at any frequency, as ngspice has them: sum x (cos + j sin). */
static double complex line_at(const struct even_samples *e, size_t vector, double frequency)
{
    double complex sum = 0;
    const double turn = full_turn * frequency * e->span / (double)e->count;
    for (size_t n = 0; n < e->count; n++)
        sum += e->weights[n] * e->list.items[vector].values.at[n] * CMPLX(cos(turn * (double)n), sin(turn * (double)n));
    return sum * (frequency == 0 ? 1.0 : 2.0) / (double)e->count;
}

bool spectral_spec(struct state *s, const char *rest)
{
    static const char hint[] = "spec 0 10k 100 v(out)";
    double given[3]; /* Hz: first, last, step */
    for (int k = 0; k < 3; k++) {
        const char *word = state_word(s, &rest);
        if (!word)
            return state_fail(s, hint, "spec: expected the first and last frequency, the step, and vectors");
        if (!state_evaluate_number(s, word, &given[k]))
            return false;
    }
    struct even_samples e;
    if (!s->dry && !(given[0] >= 0 && given[1] >= given[0] && given[2] > 0 && (given[1] - given[0]) / given[2] < 1e7))
        return state_fail(s, hint, "spec: %g to %g Hz in steps of %g Hz make no frequencies", given[0], given[1],
                          given[2]);
    if (!read_even(s, rest, &e))
        return s->status == KN_OK;
    if (given[1] > (double)e.count / 2 / e.span * (1 + 1e-9))
        return state_fail(s, "a shorter step of .tran has higher ones",
                          "spec: the samples have frequencies to %g Hz only", (double)e.count / 2 / e.span);
    const size_t lines = (size_t)((given[1] - given[0]) / given[2] + 1 + 1e-9);
    struct plot *p = add_spectrum(s, "Spectrum", given[0], given[2], lines);
    bool good = p != NULL;
    for (size_t i = 0; good && i < e.list.count; i++) {
        struct values v = values_new(s->scratch, lines);
        v.is_complex = true;
        v.quantity = e.list.items[i].values.quantity;
        for (size_t k = 0; v.at && k < lines; k++)
            v.at[k] = line_at(&e, i, given[0] + (double)k * given[2]);
        good = put(s, p, e.list.items[i].name, &v);
    }
    return good || state_no_memory(s);
}
