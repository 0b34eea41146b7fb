/* touchstone.c - S parameters in Touchstone files (EIA/IBIS Open Forum, Touchstone File Format Specification, version 2.0,
 * 2009): version 1, which every reader knows; 2.0 where the ports' reference impedances differ. */
#include "base/array.h"
#include "base/names.h"
#include "output/decimal.h"
#include "output/file.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_IN_LINE = 4, COUNT_WIDTH = 12 };

struct touchstone {
    struct sink_base base;
    struct output_file file;
    bool begun, full, skipping;
    int ports;
    size_t first;                /* column of s_1_1 */
    size_t z0;                   /* column of z0_1 */
    size_t nfmin, rn, sopt;      /* columns; 0: none */
    bool version2, head_written; /* the impedances are known from the first row on */
    off_t count_at;
    long rows;
    char *title;
    char *noise; /* lines of noise parameters, which follow those of S */
    size_t noise_length, noise_capacity;
};

static void touchstone_release(void *context)
{
    struct touchstone *t = context;
    file_free(&t->file);
    free(t->title);
    free(t->noise);
    free(t);
}

/* ---- columns ---- */

/* 0, which is the frequency, where there is none. */
static size_t column_of(const struct kn_table *table, const char *name)
{
    for (size_t i = 1; i < table->column_count; i++)
        if (names_equal(table->columns[i].name, name))
            return i;
    return 0;
}

static void find_columns(struct touchstone *t, const struct kn_table *table)
{
    t->first = column_of(table, "s_1_1");
    t->z0 = column_of(table, "z0_1");
    t->ports = t->z0 > 0 ? (int)(table->column_count - t->z0) : 0;
    t->nfmin = column_of(table, "nfmin");
    t->rn = column_of(table, "rn");
    t->sopt = column_of(table, "sopt");
}

/* ---- text ---- */

static void put(struct touchstone *t, const char *text)
{
    file_write(&t->file, text, strlen(text));
}

static void put_number(struct touchstone *t, double value)
{
    char text[DECIMAL_TEXT + 1];
    text[0] = ' ';
    file_write(&t->file, text, 1 + (size_t)decimal_shortest(value, text + 1));
}

static void put_title(struct touchstone *t)
{
    put(t, "! ");
    for (const char *c = t->title; *c; c++)
        file_write(&t->file, (unsigned char)*c < ' ' ? " " : c, 1);
    put(t, "\n! knoten " KNOTEN_VERSION "\n");
}

static bool impedances_differ(const struct touchstone *t, const double *z0)
{
    bool differ = false;
    for (int i = 1; i < t->ports; i++)
        differ |= z0[i] != z0[0];
    return differ;
}

static void put_version2(struct touchstone *t, const double *z0)
{
    char text[80];
    snprintf(text, sizeof text, "[Number of Ports] %d\n", t->ports);
    put(t, text);
    if (t->ports == 2)
        put(t, "[Two-Port Data Order] 21_12\n");
    put(t, "[Number of Frequencies] ");
    t->count_at = t->file.written + (off_t)t->file.used;
    snprintf(text, sizeof text, "%-*d\n[Reference]", COUNT_WIDTH, 0);
    put(t, text);
    for (int i = 0; i < t->ports; i++)
        put_number(t, z0[i]);
    put(t, "\n[Network Data]\n");
}

static enum kn_status put_head(struct touchstone *t, const double *z0)
{
    t->head_written = true;
    t->version2 = impedances_differ(t, z0);
    put_title(t);
    if (t->version2 && !t->file.seekable) {
        diagnostics_add(
            t->file.diagnostics, KN_ERROR, "touchstone", NOWHERE, "write it to a file",
            "the number of frequencies, which a Touchstone 2.0 file has in its head, is not known beforehand");
        return KN_ERROR_IO;
    }
    put(t, t->version2 ? "[Version] 2.0\n# HZ S RI R" : "# HZ S RI R");
    put_number(t, z0[0]);
    put(t, "\n");
    if (t->version2)
        put_version2(t, z0);
    return t->file.status;
}

static void put_pair(struct touchstone *t, const double *row, int i, int j)
{
    const double *pair = row + t->first + 2 * (i * t->ports + j);
    put_number(t, pair[0]);
    put_number(t, pair[1]);
}

/* Two-ports have 11, 21, 12, 22 in one line; from three ports on each row of the matrix begins a line. */
static void put_row(struct touchstone *t, const double *row)
{
    put_number(t, row[0]);
    for (int i = 0; i < t->ports; i++)
        for (int j = 0; j < t->ports; j++) {
            if (t->ports > 2 && (j > 0 ? j % PAIRS_IN_LINE == 0 : i > 0))
                put(t, "\n");
            put_pair(t, row, t->ports == 2 ? j : i, t->ports == 2 ? i : j);
        }
    put(t, "\n");
}

/* Frequency, least noise figure in dB, optimum reflection as magnitude and angle, rn by z0. */
static enum kn_status keep_noise(struct touchstone *t, const double *row)
{
    char line[6 * (DECIMAL_TEXT + 2)];
    const double re = row[t->sopt], im = row[t->sopt + 1];
    const double rn = t->version2 ? row[t->rn] : row[t->rn] / row[t->z0];
    const int length = snprintf(line, sizeof line, " %.12g %.9g %.9g %.9g %.9g\n", row[0], row[t->nfmin], hypot(re, im),
                                180 / acos(-1) * atan2(im, re), rn);
    if (!array_reserve(&t->noise, t->noise_length + (size_t)length + 1, &t->noise_capacity, 1))
        return KN_ERROR_MEMORY;
    memcpy(t->noise + t->noise_length, line, (size_t)length + 1);
    t->noise_length += (size_t)length;
    return KN_OK;
}

/* ---- the sink ---- */

static enum kn_status touchstone_begin(void *context, const struct kn_table *table)
{
    struct touchstone *t = context;
    find_columns(t, table);
    t->skipping = t->first == 0 || t->ports == 0;
    if (t->skipping) {
        diagnostics_add(t->file.diagnostics, KN_WARNING, "touchstone", NOWHERE,
                        "write a raw file, or two files by two runs",
                        "a Touchstone file holds the S parameters of one .sp: '%s' is not in it", table->plot);
        return KN_OK;
    }
    if (table->steps > 0) {
        diagnostics_add(t->file.diagnostics, KN_ERROR, "touchstone", NOWHERE, "write a raw file",
                        "a Touchstone file cannot hold the S parameters of several steps");
        return KN_ERROR_IO;
    }
    if (t->full) {
        diagnostics_add(t->file.diagnostics, KN_ERROR, "touchstone", NOWHERE, "write a raw file, or take one .sp out",
                        "a Touchstone file holds the S parameters of one .sp only");
        return KN_ERROR_IO;
    }
    free(t->title);
    t->title = strdup(table->title ? table->title : "");
    if (!t->title || file_open(&t->file, DECIMAL_TEXT) != KN_OK)
        return t->title ? t->file.status : KN_ERROR_MEMORY;
    t->begun = t->full = true;
    return KN_OK;
}

static enum kn_status touchstone_row(void *context, const double *values)
{
    struct touchstone *t = context;
    if (t->skipping)
        return KN_OK;
    enum kn_status status = t->head_written ? KN_OK : put_head(t, values + t->z0);
    if (status != KN_OK)
        return status;
    put_row(t, values);
    t->rows++;
    return t->nfmin > 0 ? keep_noise(t, values) : t->file.status;
}

static enum kn_status touchstone_end(void *context, enum kn_status outcome)
{
    struct touchstone *t = context;
    (void)outcome; /* rows so far are valid */
    if (!t->begun)
        return KN_OK;
    t->begun = false;
    if (t->noise_length > 0) {
        put(t, t->version2 ? "[Noise Data]\n" : "! noise: frequency, NFmin (dB), |Sopt|, angle (degrees), Rn/z0\n");
        put(t, t->noise);
    }
    if (t->version2)
        put(t, "[End]\n");
    if (file_flush(&t->file) != KN_OK || !t->version2)
        return t->file.status;
    char count[COUNT_WIDTH + 1];
    snprintf(count, sizeof count, "%-*ld", COUNT_WIDTH, t->rows);
    return file_patch(&t->file, t->count_at, count, COUNT_WIDTH);
}

enum kn_status touchstone_sink(const char *path, struct kn_diagnostics *d, struct kn_sink *out)
{
    *out = (struct kn_sink){0};
    struct touchstone *t = calloc(1, sizeof *t);
    if (!t || !file_init(&t->file, path, d)) {
        free(t);
        return KN_ERROR_MEMORY;
    }
    t->base.release = touchstone_release;
    *out = (struct kn_sink){t, touchstone_begin, touchstone_row, touchstone_end};
    return KN_OK;
}
