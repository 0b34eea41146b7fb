/* compare_raw.c - do two simulators agree?
 *
 *   compare_raw A B [--limit PERCENT] [--from T] [--to T] [--without T1:T2].. [--skip NAME].. [--only NAME].. [--least
 * N]
 *
 * Reads the waveforms of A and B (raw or CSV), takes every vector that both have, evaluates both by straight lines at
 * the union of their time points inside the common window, and prints for each vector the largest deviation in percent
 * of B's range there.  Exit status 0: all within the limit (default 0.5 %); 1: one is not; 2: unreadable, or fewer than
 * N (default 1) vectors in common.
 *
 * A vector that hardly moves is measured against a thousandth of its size, and against 1 uV / 1 nA at least.
 */
#include "waveforms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_GAPS = 8 };

struct request {
    const char *files[2];
    double limit; /* fraction of the range */
    double from, to;
    double gaps[MOST_GAPS][2]; /* windows left out */
    size_t gap_count;
    const char *skip[MOST_NAMES], *only[MOST_NAMES];
    size_t skip_count, only_count, file_count, least;
};

struct deviation {
    double low, high; /* of B */
    double worst, at;
};

static bool is_listed(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

/* "T1:T2" */
static bool take_gap(struct request *r, const char *value)
{
    char *end;
    if (r->gap_count == MOST_GAPS)
        return false;
    double *gap = r->gaps[r->gap_count++];
    gap[0] = strtod(value, &end);
    gap[1] = *end == ':' ? strtod(end + 1, &end) : NAN;
    return *end == '\0' && gap[0] < gap[1];
}

static bool is_wanted(const struct request *r, double t)
{
    for (size_t i = 0; i < r->gap_count; i++)
        if (t >= r->gaps[i][0] && t <= r->gaps[i][1])
            return false;
    return t >= r->from && t <= r->to;
}

/* One option with its value; true when understood. */
static bool take_option(struct request *r, const char *option, const char *value)
{
    if (strcmp(option, "--limit") == 0)
        r->limit = strtod(value, NULL) / 100;
    else if (strcmp(option, "--from") == 0)
        r->from = strtod(value, NULL);
    else if (strcmp(option, "--to") == 0)
        r->to = strtod(value, NULL);
    else if (strcmp(option, "--without") == 0)
        return take_gap(r, value);
    else if (strcmp(option, "--least") == 0)
        r->least = strtoul(value, NULL, 10);
    else if (strcmp(option, "--skip") == 0 && r->skip_count < MOST_NAMES)
        r->skip[r->skip_count++] = value;
    else if (strcmp(option, "--only") == 0 && r->only_count < MOST_NAMES)
        r->only[r->only_count++] = value;
    else
        return false;
    return true;
}

static bool read_request(int argc, char **argv, struct request *r)
{
    *r = (struct request){.limit = 0.005, .from = -INFINITY, .to = INFINITY, .least = 1};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (i + 1 >= argc || !take_option(r, argv[i], argv[i + 1]))
                return false;
            i++;
        } else if (r->file_count < 2) {
            r->files[r->file_count++] = argv[i];
        } else {
            return false;
        }
    }
    return r->file_count == 2;
}

/* Window that both cover and the caller wants. */
static void clip_window(struct request *r, const struct waveforms *a, const struct waveforms *b)
{
    r->from = fmax(r->from, fmax(waveforms_time(a, 0), waveforms_time(b, 0)));
    r->to = fmin(r->to, fmin(waveforms_time(a, a->rows - 1), waveforms_time(b, b->rows - 1)));
}

static double next_time(const struct waveforms *w, size_t *row)
{
    return *row < w->rows ? waveforms_time(w, *row) : INFINITY;
}

static void note(struct deviation *d, double a, double b, double t)
{
    d->low = fmin(d->low, b);
    d->high = fmax(d->high, b);
    double difference = fabs(a - b);
    if (!(difference <= d->worst)) { /* NaN counts as worst */
        d->worst = isnan(difference) ? INFINITY : difference;
        d->at = t;
    }
}

static struct deviation deviate(const struct request *r, const struct waveforms *a, size_t column_a,
                                const struct waveforms *b, size_t column_b)
{
    struct deviation d = {INFINITY, -INFINITY, 0, 0};
    struct cursor in_a = {a, 0}, in_b = {b, 0};
    size_t row_a = 0, row_b = 0;
    while (row_a < a->rows || row_b < b->rows) {
        double time_a = next_time(a, &row_a), time_b = next_time(b, &row_b), t = fmin(time_a, time_b);
        row_a += time_a == t;
        row_b += time_b == t;
        if (!is_wanted(r, t))
            continue;
        cursor_seek(&in_a, t);
        cursor_seek(&in_b, t);
        note(&d, cursor_value(&in_a, t, column_a), cursor_value(&in_b, t, column_b), t);
    }
    return d;
}

static double scale_of(const struct deviation *d, const char *name)
{
    double size = fmax(fabs(d->low), fabs(d->high));
    double least = name[0] == 'i' ? 1e-9 : 1e-6;
    return fmax(fmax(d->high - d->low, 1e-3 * size), least);
}

static int compare(struct request *r, const struct waveforms *a, const struct waveforms *b)
{
    size_t compared = 0, beyond = 0;
    clip_window(r, a, b);
    if (!(r->from < r->to)) {
        fprintf(stderr, "no common window of time\n");
        return 2;
    }
    for (size_t i = 1; i < b->columns; i++) {
        int other = waveforms_find(a, b->names[i]);
        if (other < 0 || is_listed(b->names[i], r->skip, r->skip_count) ||
            (r->only_count > 0 && !is_listed(b->names[i], r->only, r->only_count)))
            continue;
        struct deviation d = deviate(r, a, (size_t)other, b, i);
        double scale = scale_of(&d, b->names[i]);
        bool far = !(d.worst <= r->limit * scale);
        printf("  %-16s range %-10.4g worst %-10.3g = %8.4f %% at t = %.6g%s\n", b->names[i], d.high - d.low, d.worst,
               100 * d.worst / scale, d.at, far ? "   <-- beyond the limit" : "");
        compared++;
        beyond += far;
    }
    if (compared < r->least) {
        fprintf(stderr, "only %zu vectors in common, expected at least %zu\n", compared, r->least);
        return 2;
    }
    return beyond > 0;
}

int main(int argc, char **argv)
{
    struct request r;
    struct waveforms a = {0}, b = {0};
    if (!read_request(argc, argv, &r)) {
        fprintf(stderr, "usage: compare_raw A B [--limit PERCENT] [--from T] [--to T] [--without T1:T2] "
                        "[--skip NAME] [--only NAME] [--least N]\n");
        return 2;
    }
    int status = 2;
    if (waveforms_read(r.files[0], &a) && waveforms_read(r.files[1], &b))
        status = compare(&r, &a, &b);
    waveforms_free(&a);
    waveforms_free(&b);
    return status;
}
