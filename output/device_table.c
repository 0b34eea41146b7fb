/* device_table.c - see device_table.h. */
#include "output/device_table.h"

#include "base/array.h"
#include "base/quantities.h"
#include "output/decimal.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 5, CELL = 14, LABEL = 9 };

struct device_table {
    struct sink_base base;
    FILE *to;
    struct kn_diagnostics *diagnostics;
    bool utf8;
    int width;
    struct kn_column *columns; /* copies of the table's; names are its maker's until the end */
    size_t count;
};

bool device_column(const char *name, struct device_column *out)
{
    const char *bracket = name[0] == '@' ? strchr(name, '[') : NULL, *end = bracket ? strchr(bracket, ']') : NULL;
    if (!end)
        return false;
    *out = (struct device_column){name + 1, bracket + 1, (int)(bracket - name - 1), (int)(end - bracket - 1)};
    return true;
}

const char *device_region(double value)
{
    static const char *const words[] = {[KN_OFF] = "off",
                                        [KN_ON] = "on",
                                        [KN_BREAKDOWN] = "breakdown",
                                        [KN_LINEAR] = "linear",
                                        [KN_SATURATION] = "saturation",
                                        [KN_ACTIVE] = "active",
                                        [KN_REVERSE] = "reverse"};
    return value >= 0 && value < (double)(sizeof words / sizeof *words) ? words[(size_t)value] : "";
}

static void device_table_release(void *context)
{
    struct device_table *t = context;
    free(t->columns);
    free(t);
}

static enum kn_status device_table_begin(void *context, const struct kn_table *table)
{
    struct device_table *t = context;
    if (!array_resize(&t->columns, table->column_count, sizeof *t->columns))
        return KN_ERROR_MEMORY;
    if (table->column_count > 0)
        memcpy(t->columns, table->columns, table->column_count * sizeof *t->columns);
    t->count = table->column_count;
    return KN_OK;
}

/* ---- devices among the columns ---- */

/* Behind the columns of the device that begins at one. */
static size_t end_of_device(const struct device_table *t, size_t first)
{
    struct device_column begin, here;
    size_t i = first + 1;
    if (!device_column(t->columns[first].name, &begin))
        return i;
    while (i < t->count && device_column(t->columns[i].name, &here) && here.device_length == begin.device_length &&
           strncmp(here.device, begin.device, (size_t)here.device_length) == 0)
        i++;
    return i;
}

/* Whether two devices have the same quantities. */
static bool are_alike(const struct device_table *t, size_t a, size_t b)
{
    const size_t count = end_of_device(t, a) - a;
    struct device_column x, y;
    if (end_of_device(t, b) - b != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!device_column(t->columns[a + i].name, &x) || !device_column(t->columns[b + i].name, &y) ||
            x.quantity_length != y.quantity_length || strncmp(x.quantity, y.quantity, (size_t)x.quantity_length) != 0)
            return false;
    return true;
}

/* ---- text ---- */

/* printf counts bytes, and the letter mu has two. */
static void put_cell(const struct device_table *t, const char *text, int length)
{
    int shown = 0;
    for (int i = 0; i < length; i++)
        shown += (text[i] & 0xC0) != 0x80;
    fprintf(t->to, "%*s%.*s", shown < CELL ? CELL - shown : 1, "", length, text);
}

static void put_value(const struct device_table *t, const struct kn_column *column, double value)
{
    char text[64];
    if (column->quantity == KN_REGION)
        snprintf(text, sizeof text, "%s", device_region(value));
    else if (column->quantity == KN_OTHER)
        snprintf(text, sizeof text, "%.*g", DIGITS, value);
    else
        decimal_engineering(value, DIGITS, quantity_words[column->quantity].ascii, t->utf8 ? "\xc2\xb5" : "u", text,
                            sizeof text);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    put_cell(t, text, (int)length);
}

/* Devices that begin at these columns, side by side. */
static void put_block(const struct device_table *t, const size_t *first, size_t devices, const double *values)
{
    const size_t quantities = end_of_device(t, first[0]) - first[0];
    struct device_column c;
    fprintf(t->to, "\n%-*s", LABEL, "");
    for (size_t k = 0; k < devices; k++)
        if (device_column(t->columns[first[k]].name, &c))
            put_cell(t, c.device, c.device_length);
    fputc('\n', t->to);
    for (size_t q = 0; q < quantities; q++) {
        if (device_column(t->columns[first[0] + q].name, &c))
            fprintf(t->to, "%-*.*s", LABEL, c.quantity_length, c.quantity);
        for (size_t k = 0; k < devices; k++)
            put_value(t, &t->columns[first[k] + q], values[first[k] + q]);
        fputc('\n', t->to);
    }
}

static enum kn_status device_table_row(void *context, const double *values)
{
    const struct device_table *t = context;
    const size_t in_line = t->width > LABEL + 2 * CELL ? (size_t)((t->width - LABEL) / CELL) : 1;
    size_t *block = calloc(in_line, sizeof *block);
    bool *done = calloc(t->count + 1, sizeof *done);
    for (size_t i = 0; block && done && i < t->count; i = end_of_device(t, i)) {
        size_t devices = 0;
        for (size_t k = i; !done[i] && k < t->count; k = end_of_device(t, k)) {
            if (done[k] || !are_alike(t, i, k))
                continue;
            done[k] = k != i;
            block[devices++] = k;
            if (devices < in_line)
                continue;
            put_block(t, block, devices, values);
            devices = 0;
        }
        done[i] = true;
        if (devices > 0)
            put_block(t, block, devices, values);
    }
    const bool good = block && done;
    free(block);
    free(done);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status device_table_end(void *context, enum kn_status outcome)
{
    const struct device_table *t = context;
    (void)outcome;
    if (fflush(t->to) == 0 || errno == EPIPE)
        return KN_OK;
    diagnostics_add(t->diagnostics, KN_ERROR, "output-failed", NOWHERE, NULL, "cannot write the table: %s",
                    strerror(errno));
    return KN_ERROR_IO;
}

enum kn_status device_table_sink(FILE *to, bool utf8, int width, struct kn_diagnostics *d, struct kn_sink *out)
{
    struct device_table *t = calloc(1, sizeof *t);
    *out = (struct kn_sink){0};
    if (!t)
        return KN_ERROR_MEMORY;
    *t =
        (struct device_table){.base = {device_table_release}, .to = to, .diagnostics = d, .utf8 = utf8, .width = width};
    *out = (struct kn_sink){t, device_table_begin, device_table_row, device_table_end};
    return KN_OK;
}
