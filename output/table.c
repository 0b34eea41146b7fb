/* table.c - aligned text for reading: tables of rows (.print) and listings of one point (.op). */
#include "base/array.h"
#include "base/quantities.h"
#include "output/decimal.h"
#include "output/device_table.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6, NUMBER_WIDTH = 13 /* -1.23456e-100 */ };

struct table {
    struct sink_base base;
    FILE *to;
    struct kn_diagnostics *diagnostics;
    bool utf8, begun, reported;
    bool deaf;                 /* the reader has gone away, which is its right: `knoten deck | head` */
    int *widths;               /* [columns], characters, with the blanks between two */
    struct kn_column *columns; /* listing: copies of the table's, names owned by the table's maker until end */
    size_t column_count;
    char *line; /* a row being put together */
};

static void table_release(void *context)
{
    struct table *t = context;
    free(t->widths);
    free(t->columns);
    free(t->line);
    free(t);
}

static enum kn_status outcome_of(struct table *t)
{
    if (!ferror(t->to) || t->deaf)
        return KN_OK;
    if (errno == EPIPE) {
        t->deaf = true;
        return KN_OK;
    }
    if (!t->reported)
        diagnostics_add(t->diagnostics, KN_ERROR, "output-failed", NOWHERE, NULL, "cannot write the table: %s",
                        strerror(errno));
    t->reported = true;
    return KN_ERROR_IO;
}

static enum kn_status make_table(FILE *to, struct kn_diagnostics *d, struct table **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return KN_ERROR_MEMORY;
    **out = (struct table){.base = {table_release}, .to = to, .diagnostics = d};
    return KN_OK;
}

static enum kn_status copy_columns(struct table *t, const struct kn_table *table)
{
    if (!array_resize(&t->widths, table->column_count, sizeof *t->widths) ||
        !array_resize(&t->columns, table->column_count, sizeof *t->columns))
        return KN_ERROR_MEMORY;
    if (table->column_count)
        memcpy(t->columns, table->columns, table->column_count * sizeof *t->columns);
    t->column_count = table->column_count;
    t->begun = true;
    return KN_OK;
}

/* ---- tables ---- */

static enum kn_status table_begin(void *context, const struct kn_table *table)
{
    struct table *t = context;
    size_t room = 1; /* for the end of a line */
    if (copy_columns(t, table) != KN_OK)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < t->column_count; i++) {
        const struct column_frame frame = sink_column_frame(table, i);
        const int around = (int)(strlen(frame.before) + strlen(frame.behind));
        const int length = (int)strlen(t->columns[i].name) + around;
        t->widths[i] = (i ? 2 : 0) + (length > NUMBER_WIDTH ? length : NUMBER_WIDTH);
        fprintf(t->to, "%*s%s%s", t->widths[i] - length + (int)strlen(frame.before), frame.before, t->columns[i].name,
                frame.behind);
        room += (size_t)t->widths[i];
    }
    fputc('\n', t->to);
    return array_resize(&t->line, room, 1) ? outcome_of(t) : KN_ERROR_MEMORY;
}

static enum kn_status table_row(void *context, const double *values)
{
    struct table *t = context;
    char *end = t->line;
    if (t->deaf)
        return KN_OK;
    for (size_t i = 0; i < t->column_count; i++) {
        char number[64];
        decimal_scientific(values[i], DIGITS, number, sizeof number);
        const size_t length = strlen(number), width = (size_t)t->widths[i];
        memset(end, ' ', width - length);
        memcpy(end + width - length, number, length);
        end += width;
    }
    *end++ = '\n';
    fwrite(t->line, 1, (size_t)(end - t->line), t->to);
    return outcome_of(t);
}

static enum kn_status table_end(void *context, enum kn_status outcome)
{
    struct table *t = context;
    (void)outcome;
    if (!t->begun)
        return KN_OK;
    t->begun = false;
    fflush(t->to);
    return outcome_of(t);
}

enum kn_status table_sink(FILE *to, struct kn_diagnostics *d, struct kn_sink *out)
{
    struct table *t;
    *out = (struct kn_sink){0};
    if (make_table(to, d, &t) != KN_OK)
        return KN_ERROR_MEMORY;
    *out = (struct kn_sink){t, table_begin, table_row, table_end};
    return KN_OK;
}

/* ---- listings ---- */

static enum kn_status listing_begin(void *context, const struct kn_table *table)
{
    return copy_columns(context, table);
}

/* Real and imaginary part in one line; a second number to read easily where there is one only. */
static void list_complex(const struct table *t, size_t i, const double *values, int width)
{
    char re[64], im[64];
    decimal_scientific(values[i], DIGITS + 1, re, sizeof re);
    decimal_scientific(fabs(values[i + 1]), DIGITS + 1, im, sizeof im);
    fprintf(t->to, "%-*s  %*s %c %sj\n", width, t->columns[i].name, NUMBER_WIDTH + 1, re,
            signbit(values[i + 1]) ? '-' : '+', im);
}

static void list_real(const struct table *t, size_t i, const double *values, int width)
{
    char exact[64], readable[64];
    decimal_scientific(values[i], DIGITS + 1, exact, sizeof exact);
    if (t->columns[i].quantity == KN_REGION)
        snprintf(readable, sizeof readable, "%s", device_region(values[i]));
    else
        decimal_engineering(values[i], DIGITS - 1, quantity_words[t->columns[i].quantity].ascii,
                            t->utf8 ? "\xc2\xb5" : "u", readable, sizeof readable);
    fprintf(t->to, "%-*s  %*s  %s\n", width, t->columns[i].name, NUMBER_WIDTH + 1, exact, readable);
}

static enum kn_status listing_row(void *context, const double *values)
{
    struct table *t = context;
    int width = 0;
    for (size_t i = 0; i < t->column_count; i++)
        if ((int)strlen(t->columns[i].name) > width)
            width = (int)strlen(t->columns[i].name);
    for (size_t i = 0; i < t->column_count; i++) {
        const bool is_complex = i + 1 < t->column_count && t->columns[i + 1].quantity == KN_IMAGINARY;
        if (is_complex)
            list_complex(t, i++, values, width);
        else
            list_real(t, i, values, width);
    }
    return outcome_of(t);
}

enum kn_status listing_sink(FILE *to, bool utf8, struct kn_diagnostics *d, struct kn_sink *out)
{
    struct table *t;
    *out = (struct kn_sink){0};
    if (make_table(to, d, &t) != KN_OK)
        return KN_ERROR_MEMORY;
    t->utf8 = utf8;
    *out = (struct kn_sink){t, listing_begin, listing_row, table_end};
    return KN_OK;
}
