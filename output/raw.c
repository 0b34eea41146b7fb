/* raw.c - SPICE3 raw files, binary (native doubles) and ASCII, as ngspice's `load` and other viewers read them.
 *
 * Format: the raw file chapter of the ngspice manual and the files ngspice writes.  Two things are knoten's own:
 *
 * - The program is named in a Command: line.  ngspice executes such lines when it loads the file, so the line is a
 *   command that it accepts in silence; the words "ngspice raw" are what other readers look for to choose a dialect.
 * - "No. Points:" is a field of fixed width that is brought up to date whenever a buffer goes to the file, always at
 * the end of a row.  A file that was cut off by a full disk or a killed process is therefore a valid shorter one.
 */
#include "base/array.h"
#include "base/quantities.h"
#include "output/decimal.h"
#include "output/file.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT_WIDTH = 16 };

struct raw {
    struct sink_base base;
    enum raw_format format;
    struct output_file file;
    struct output_file spool; /* rows of a plot whose header cannot be patched */
    struct output_file *rows_to;
    bool begun;
    char *header; /* of the current plot, with room for the count */
    size_t header_length, count_in_header;
    off_t count_at; /* place of the count in the file */
    off_t complete; /* size of the file up to the last row that is counted */
    size_t columns, row_bytes;
    size_t vectors;  /* fewer than columns in a complex plot */
    bool *imaginary; /* [columns + 1] the column is the imaginary part of the one in front */
    double *pairs;   /* [2 vectors] a row of a complex plot: real vectors, too, have an imaginary part there */
    long rows;
};

static void raw_release(void *context)
{
    struct raw *r = context;
    file_free(&r->spool);
    file_free(&r->file);
    free(r->header);
    free(r->imaginary);
    free(r->pairs);
    free(r);
}

/* ---- header ---- */

/* Control characters in a title would break the header's lines. */
static void put_line(FILE *to, const char *key, const char *text)
{
    fprintf(to, "%s: ", key);
    for (; text && *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    fputc('\n', to);
}

/* SOURCE_DATE_EPOCH, seconds since 1970, stands for now where files are to come out the same again
 * (reproducible-builds.org). */
static time_t date_now(void)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    return given && *given ? (time_t)strtoll(given, NULL, 10) : time(NULL);
}

/* Like asctime: the locale has no say. */
static void put_date(FILE *to)
{
    const time_t now = date_now();
    struct tm parts;
    char text[64];
    if (localtime_r(&now, &parts) && asctime_r(&parts, text))
        fprintf(to, "Date: %s", text);
}

/* Readers split these lines at white space. */
static void put_variable(FILE *to, size_t number, const struct kn_column *column)
{
    fprintf(to, "\t%zu\t", number);
    for (const char *c = column->name; *c; c++)
        fputc((unsigned char)*c <= ' ' ? '_' : *c, to);
    const char *type = quantity_words[column->quantity].type;
    fprintf(to, "\t%s\n", type ? type : "notype");
}

static bool is_complex(const struct raw *r)
{
    return r->vectors < r->columns;
}

static enum kn_status find_vectors(struct raw *r, const struct kn_table *table)
{
    r->columns = table->column_count;
    r->vectors = 0;
    if (!array_resize(&r->imaginary, r->columns + 1, sizeof *r->imaginary) ||
        !array_resize(&r->pairs, 2 * r->columns + 1, sizeof *r->pairs))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < r->columns; i++) {
        r->imaginary[i] = table->columns[i].quantity == KN_IMAGINARY;
        r->vectors += !r->imaginary[i];
    }
    r->imaginary[r->columns] = false;
    return KN_OK;
}

static enum kn_status make_header(struct raw *r, const struct kn_table *table)
{
    free(r->header);
    r->header = NULL;
    FILE *to = open_memstream(&r->header, &r->header_length);
    if (!to)
        return KN_ERROR_MEMORY;
    put_line(to, "Title", table->title);
    put_date(to);
    put_line(to, "Plotname", table->plot);
    /* LTspice's word for rows of several runs, each of which begins anew. */
    const bool several = table->steps > 0 && (table->sweeps > 0 || table->columns[0].quantity == KN_TIME);
    fprintf(to, "Flags: %s%s\n", is_complex(r) ? "complex" : "real", several ? " stepped" : "");
    fputs("Command: set simulator=\"knoten " KNOTEN_VERSION " (ngspice raw file)\"\n", to);
    fprintf(to, "No. Variables: %zu\nNo. Points: ", r->vectors);
    const long count_in_header = ftell(to);
    fprintf(to, "%-*d\nVariables:\n", COUNT_WIDTH, 0);
    for (size_t i = 0, number = 0; i < table->column_count; i++)
        if (!r->imaginary[i])
            put_variable(to, number++, &table->columns[i]);
    fputs(r->format == RAW_BINARY ? "Binary:\n" : "Values:\n", to);
    const bool failed = ferror(to) || count_in_header < 0;
    if (fclose(to) != 0 || failed)
        return KN_ERROR_MEMORY;
    r->count_in_header = (size_t)count_in_header;
    return KN_OK;
}

static void format_count(long count, char text[COUNT_WIDTH + 1])
{
    snprintf(text, COUNT_WIDTH + 1, "%-*ld", COUNT_WIDTH, count);
}

/* ---- rows ---- */

static enum kn_status raw_begin(void *context, const struct kn_table *table)
{
    struct raw *r = context;
    enum kn_status s = find_vectors(r, table);
    const size_t numbers = is_complex(r) ? 2 * r->vectors : r->vectors;
    r->row_bytes = r->format == RAW_BINARY ? numbers * sizeof(double) : numbers * (DECIMAL_TEXT + 2) + DECIMAL_TEXT;
    r->rows = 0;
    if (s == KN_OK)
        s = make_header(r, table);
    if (s == KN_OK)
        s = file_open(&r->file, r->row_bytes);
    if (s != KN_OK)
        return s;
    r->begun = true;
    if (!r->file.seekable) {
        file_free(&r->spool);
        if (!file_init(&r->spool, r->file.path, r->file.diagnostics))
            return KN_ERROR_MEMORY;
        r->rows_to = &r->spool;
        return file_open_temporary(&r->spool, r->row_bytes);
    }
    r->rows_to = &r->file;
    r->count_at = r->file.written + (off_t)(r->file.used + r->count_in_header);
    return file_write(&r->file, r->header, r->header_length);
}

/* Makes the rows that are in the file count. */
static enum kn_status write_out(struct raw *r)
{
    if (file_flush(r->rows_to) != KN_OK || !r->file.seekable)
        return r->rows_to->status;
    char count[COUNT_WIDTH + 1];
    format_count(r->rows, count);
    r->complete = r->file.written;
    return file_patch(&r->file, r->count_at, count, COUNT_WIDTH);
}

static const double *paired(const struct raw *r, const double *values)
{
    double *to = r->pairs;
    for (size_t i = 0; i < r->columns; i++) {
        if (r->imaginary[i])
            continue;
        *to++ = values[i];
        *to++ = r->imaginary[i + 1] ? values[i + 1] : 0;
    }
    return r->pairs;
}

/* One line per value, the first of a row with its number; a comma between the parts of complex ones. */
static size_t format_row(const struct raw *r, const double *values, char *text)
{
    char *end = text + sprintf(text, "%ld\t", r->rows);
    for (size_t i = 0; i < r->vectors; i++) {
        *end++ = '\t';
        end += decimal_shortest(*values++, end);
        if (is_complex(r)) {
            *end++ = ',';
            end += decimal_shortest(*values++, end);
        }
        *end++ = '\n';
    }
    return (size_t)(end - text);
}

static enum kn_status raw_row(void *context, const double *values)
{
    struct raw *r = context;
    struct output_file *to = r->rows_to;
    if (to->capacity - to->used < r->row_bytes) {
        const enum kn_status written = write_out(r);
        if (written != KN_OK)
            return written;
    }
    char *room = file_reserve(to, r->row_bytes);
    if (!room)
        return to->status;
    values = is_complex(r) ? paired(r, values) : values;
    if (r->format == RAW_BINARY) {
        memcpy(room, values, r->row_bytes);
        file_advance(to, r->row_bytes);
    } else {
        file_advance(to, format_row(r, values, room));
    }
    r->rows++;
    return KN_OK;
}

static enum kn_status end_spooled(struct raw *r)
{
    char count[COUNT_WIDTH + 1];
    format_count(r->rows, count);
    memcpy(r->header + r->count_in_header, count, COUNT_WIDTH);
    file_write(&r->file, r->header, r->header_length);
    file_append(&r->file, &r->spool);
    const enum kn_status spooled = file_close(&r->spool);
    const enum kn_status written = file_flush(&r->file);
    return written != KN_OK ? written : spooled;
}

static enum kn_status raw_end(void *context, enum kn_status outcome)
{
    struct raw *r = context;
    (void)outcome; /* rows so far are valid whatever ended the run */
    if (!r->begun)
        return KN_OK;
    r->begun = false;
    if (!r->file.seekable)
        return end_spooled(r);
    const enum kn_status s = write_out(r);
    if (s != KN_OK && r->complete > 0 && ftruncate(r->file.descriptor, r->complete) != 0)
        return s; /* a torn row stays behind the counted ones; the failure itself is reported already */
    return s;
}

enum kn_status raw_sink(const char *path, enum raw_format format, struct kn_diagnostics *d, struct kn_sink *out)
{
    *out = (struct kn_sink){0};
    struct raw *r = calloc(1, sizeof *r);
    if (!r || !file_init(&r->file, path, d)) {
        free(r);
        return KN_ERROR_MEMORY;
    }
    r->base.release = raw_release;
    r->format = format;
    r->spool.descriptor = -1;
    *out = (struct kn_sink){r, raw_begin, raw_row, raw_end};
    return KN_OK;
}
