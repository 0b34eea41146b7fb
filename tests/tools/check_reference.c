/* check_reference.c - how many digits of a known answer does a run reach?
 *
 *   check_reference REFERENCE.json DECK RUN [--digits D] [--of-scale E]
 *
 * Takes the last row of RUN (raw or CSV), whose time must be the reference's to 1e-12, and prints the smallest number
 * of correct digits in two measures: digits    -log10 max_i |x_i - ref_i| / |ref_i|     (the Test Set's "scd"; values
 * that are zero for all practical purposes, below 1e-9 of their waveform's size, are left out) of scale  max_i |x_i -
 * ref_i| / max_t |x_i(t)|     (relative to the size of each waveform) Exit status 0, or 1 when fewer digits than D are
 * reached or the error of scale exceeds E, 2 when something is missing.
 */
#include "reference.h"
#include "waveforms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct measure {
    double relative, of_scale;
    const char *worst_relative, *worst_of_scale;
};

static double size_of(const struct waveforms *w, size_t column)
{
    double size = 0;
    for (size_t row = 0; row < w->rows; row++)
        size = fmax(size, fabs(waveforms_value(w, row, column)));
    return size;
}

static void note(struct measure *m, const struct reference_value *v, double x, double size)
{
    double error = fabs(x - v->value);
    double of_scale = error / fmax(size, fabs(v->value));
    if (!(of_scale <= m->of_scale)) {
        m->of_scale = isnan(of_scale) ? INFINITY : of_scale;
        m->worst_of_scale = v->name;
    }
    double relative = error / fabs(v->value);
    if (fabs(v->value) > 1e-9 * size && !(relative <= m->relative)) {
        m->relative = isnan(relative) ? INFINITY : relative;
        m->worst_relative = v->name;
    }
}

static bool measure_run(const struct reference *r, const struct waveforms *w, struct measure *m)
{
    *m = (struct measure){0, 0, "-", "-"};
    double last = waveforms_time(w, w->rows - 1);
    if (!(fabs(last - r->time) <= 1e-12 * r->time)) {
        fprintf(stderr, "the last row is at %.17g, the reference at %.17g\n", last, r->time);
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        int column = waveforms_find(w, r->values[i].name);
        if (column < 0) {
            fprintf(stderr, "no vector %s in the run\n", r->values[i].name);
            return false;
        }
        note(m, &r->values[i], waveforms_value(w, w->rows - 1, (size_t)column), size_of(w, (size_t)column));
    }
    return true;
}

int main(int argc, char **argv)
{
    double digits = -INFINITY, of_scale = INFINITY;
    struct reference r;
    struct waveforms w = {0};
    struct measure m;
    if (argc < 4 || argc % 2 != 0) {
        fprintf(stderr, "usage: check_reference REFERENCE.json DECK RUN [--digits D] [--of-scale E]\n");
        return 2;
    }
    for (int i = 4; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--digits") == 0)
            digits = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--of-scale") == 0)
            of_scale = strtod(argv[i + 1], NULL);
        else
            return 2;
    }
    if (!reference_read(argv[1], argv[2], &r) || !waveforms_read(argv[3], &w))
        return 2;
    bool good = measure_run(&r, &w, &m);
    waveforms_free(&w);
    if (!good)
        return 2;
    bool reached = -log10(m.relative) >= digits && m.of_scale <= of_scale;
    printf("digits %5.2f (%s)  error of scale %8.2e (%s)%s\n", -log10(m.relative), m.worst_relative, m.of_scale,
           m.worst_of_scale, reached ? "" : "  <-- not enough");
    return reached ? 0 : 1;
}
