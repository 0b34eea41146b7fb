/* expand_spectrum.c - .four frequency [harmonics] [periods] signal .. and
 *
 *     .fft signal [np=1024] [start=] [stop=] [window=rect] [alfa=3] [format=norm|unorm] [freq=] [fmin=] [fmax=]
 *
 * as ngspice and LTspice, HSPICE and Xyce have them.
 */
#include "netlist/expand/expand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char FOUR_FORM[] = "write .four 1k v(out), or .four 1k 15 3 v(out) for 15 harmonics over 3 periods";
static const char FFT_FORM[] = "write .fft v(out) np=1024 window=hann";

static const double MOST_HARMONICS = 1e5, MOST_POINTS = 1 << 24;

struct spectrum_card {
    struct expansion *x;
    const struct instance *at;
    struct statement *statement;
    struct spectrum_request *out;
};

static bool fail(const struct spectrum_card *s, const struct item *i, const char *what)
{
    return deck_fail(s->x->deck, "spectrum", i ? i->where : s->statement->end, s->out->sampled ? FFT_FORM : FOUR_FORM,
                     "'%s': expected %s%s%s%s", s->statement->items->text, what, i ? ", found '" : "",
                     i ? item_text(i) : "", i ? "'" : "");
}

/* ---- signals ---- */

static bool add_signal(const struct spectrum_card *s, struct vector *signals, const struct item *first,
                       const struct item *end)
{
    static const struct expansion_names names = {0};
    const struct expression *e = expand_signal(s->x, s->at, first, end, &names);
    const char *label = e ? expand_label(s->x, e) : NULL;
    struct spectrum_signal *slot = label ? vector_push(signals) : NULL;
    if (!e)
        return false;
    if (!slot)
        return deck_no_memory(s->x->deck);
    *slot = (struct spectrum_signal){e, label};
    return true;
}

/* Up to the first name=value; *rest is that. */
static bool read_signals(const struct spectrum_card *s, const struct item *first, const struct item **rest)
{
    struct vector signals = {.size = sizeof(struct spectrum_signal)};
    const struct item *i = first;
    bool good = true;
    while (i && !i->value && good) {
        const struct item *end = expand_vector_end(i);
        const bool number = i->is_number && i->next == end;
        good = number ? fail(s, i, "a signal such as v(out)") : add_signal(s, &signals, i, end);
        i = end;
    }
    *rest = i;
    if (good && signals.count == 0)
        good = fail(s, i, "a signal such as v(out)");
    if (!vector_keep(&signals, s->x->deck->arena, (const void **)&s->out->signals, &s->out->signal_count))
        good = deck_no_memory(s->x->deck);
    free(signals.items);
    return good;
}

/* ---- .four ---- */

static bool is_number(const struct item *i)
{
    return i && !i->value && (i->is_number || (i->kind == ITEM_EXPRESSION && i->next && i->next->kind != ITEM_GROUP));
}

static bool read_number(const struct spectrum_card *s, struct item **next, double *value)
{
    struct item *i = *next;
    *next = i->next;
    return expand_value(s->x, s->at, i, value);
}

static bool read_four(const struct spectrum_card *s)
{
    struct item *first = s->statement->items->next, *i = first;
    double frequency = 0, harmonics = 9, periods = 1;
    const struct item *rest;
    const bool is_call = i && i->next && i->next->kind == ITEM_GROUP; /* v(out), where the frequency is missing */
    if (!i || is_call || (!is_number(i) && !item_is_name(i)))
        return fail(s, i, "the frequency of the fundamental");
    if (!read_number(s, &i, &frequency) || (is_number(i) && !read_number(s, &i, &harmonics)) ||
        (is_number(i) && !read_number(s, &i, &periods)))
        return false;
    if (!(frequency > 0))
        return fail(s, first, "a frequency greater than 0");
    if (!(harmonics >= 1 && harmonics <= MOST_HARMONICS) || harmonics != floor(harmonics))
        return fail(s, first->next, "the number of harmonics, 1 .. 100000");
    if (periods != -1 && (!(periods >= 1) || periods != floor(periods)))
        return fail(s, first->next->next, "a whole number of periods, or -1 for all of them");
    s->out->fundamental = frequency;
    s->out->harmonics = (long)harmonics;
    s->out->periods = periods == -1 ? 0 : periods;
    return read_signals(s, i, &rest) && (!rest || fail(s, rest, "nothing behind the signals"));
}

/* ---- .fft ---- */

static bool read_window(const struct spectrum_card *s, const struct item *value)
{
    static const struct {
        const char *word;
        enum spectrum_window window;
    } windows[] = {{"rect", WINDOW_RECTANGLE},  {"rectangular", WINDOW_RECTANGLE}, {"none", WINDOW_RECTANGLE},
                   {"bart", WINDOW_BARTLETT},   {"bartlett", WINDOW_BARTLETT},     {"triangular", WINDOW_BARTLETT},
                   {"hann", WINDOW_HANN},       {"hanning", WINDOW_HANN},          {"hamm", WINDOW_HAMMING},
                   {"hamming", WINDOW_HAMMING}, {"black", WINDOW_BLACKMAN},        {"blackman", WINDOW_BLACKMAN},
                   {"harris", WINDOW_HARRIS},   {"blackmanharris", WINDOW_HARRIS}, {"gauss", WINDOW_GAUSS},
                   {"gaussian", WINDOW_GAUSS},  {"kaiser", WINDOW_KAISER}};
    const char *words[sizeof windows / sizeof *windows];
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        words[i] = windows[i].word;
        if (item_is(value, words[i])) {
            s->out->window = windows[i].window;
            return true;
        }
    }
    const char *hint = deck_did_you_mean(s->x->deck, item_text(value), words, sizeof words / sizeof *words);
    return deck_fail(s->x->deck, "spectrum", value->where,
                     hint ? hint : "there are rect, bart, hann, hamm, black, harris, gauss and kaiser",
                     "'.fft': there is no window '%s'", item_text(value));
}

static bool read_format(const struct spectrum_card *s, const struct item *value)
{
    s->out->normalised = item_is(value, "norm");
    return s->out->normalised || item_is(value, "unorm") || fail(s, value, "format=norm or format=unorm");
}

static bool read_points(const struct spectrum_card *s, const struct item *value, double points)
{
    long power = 4;
    if (!(points >= 4 && points <= MOST_POINTS))
        return fail(s, value, "np=4 .. 16777216");
    while ((double)power < points)
        power *= 2;
    if ((double)power != points)
        deck_warn(s->x->deck, "spectrum", value->where, NULL, "'.fft': np becomes %ld, the next power of two", power);
    s->out->points = power;
    return true;
}

static bool read_setting(const struct spectrum_card *s, const struct item *i)
{
    struct spectrum_request *out = s->out;
    double points = 0;
    const struct {
        const char *word;
        double *number;
    } numbers[] = {{"np", &points},         {"start", &out->start},     {"from", &out->start},  {"stop", &out->stop},
                   {"to", &out->stop},      {"alfa", &out->shape},      {"alpha", &out->shape}, {"fmin", &out->lowest},
                   {"fmax", &out->highest}, {"freq", &out->fundamental}};
    if (item_is(i, "window"))
        return read_window(s, i->value);
    if (item_is(i, "format"))
        return read_format(s, i->value);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (item_is(i, numbers[k].word))
            return expand_value(s->x, s->at, i->value, numbers[k].number) &&
                   (k > 0 || read_points(s, i->value, points));
    return fail(s, i, "np, start, stop, window, alfa, format, freq, fmin or fmax");
}

static bool read_fft(const struct spectrum_card *s)
{
    struct spectrum_request *out = s->out;
    const struct item *i;
    *out = (struct spectrum_request){.sampled = true,
                                     .points = 1024,
                                     .start = NAN,
                                     .stop = NAN,
                                     .lowest = NAN,
                                     .highest = NAN,
                                     .shape = 3,
                                     .normalised = true,
                                     .where = out->where};
    if (!read_signals(s, s->statement->items->next, &i))
        return false;
    for (; i; i = i->next)
        if (i->value ? !read_setting(s, i) : !fail(s, i, "name=value"))
            return false;
    if (!isnan(out->start) && !isnan(out->stop) && !(out->start < out->stop))
        return fail(s, NULL, "start before stop");
    if (out->fundamental < 0)
        return fail(s, NULL, "freq greater than 0");
    if (!isnan(out->lowest) && !isnan(out->highest) && !(out->lowest <= out->highest))
        return fail(s, NULL, "fmin not above fmax");
    return out->shape > 0 || fail(s, NULL, "alfa greater than 0");
}

/* ---- the cards ---- */

static void read_card(struct expansion *x, const struct instance *at, struct statement *statement, bool sampled)
{
    struct spectrum_request made = {.sampled = sampled, .where = statement->items->where};
    const struct spectrum_card s = {x, at, statement, &made};
    struct leniency lenient;
    if (statement->broken || !deck_begin_lenient(x->deck, &lenient))
        return;
    bool good =
        x->transients.count > 0 || deck_fail(x->deck, "spectrum", made.where, "add .tran, whose last part it looks at",
                                             "'%s': the deck has no transient analysis", statement->items->text);
    if (good && (sampled ? read_fft(&s) : read_four(&s)))
        expand_add(x, &x->spectra, &made);
    deck_end_lenient(x->deck, &lenient, "the card is left out");
}

void read_fourier(struct expansion *x, struct instance *at, struct statement *s)
{
    read_card(x, at, s, false);
}

void read_fft_card(struct expansion *x, struct instance *at, struct statement *s)
{
    read_card(x, at, s, true);
}
