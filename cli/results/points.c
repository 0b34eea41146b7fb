/* points.c - see points.h.
 *
 * [{"point": "Operating Point", "values": {"v(a)": 1, ..}, "devices": {"q1": {"region": "active", "ic": 1e-3, ..}, ..}}, ..]
 */
#include "cli/results/points.h"

#include "base/json.h"
#include "output/device_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool complain(const struct points *p)
{
    fprintf(stderr, "knoten: cannot write '%s': %s\n", p->path, strerror(errno));
    return false;
}

bool points_open(struct points *p, const char *path)
{
    *p = (struct points){.path = path};
    if (!path)
        return true;
    p->json = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!p->json)
        return complain(p);
    fputs("[", p->json);
    return true;
}

static void end_object(struct points *p)
{
    if (p->open)
        fputs("}", p->json);
    p->open = false;
}

static bool copy_columns(struct points *p, const struct kn_table *t)
{
    arena_free(p->arena);
    p->arena = arena_new();
    p->columns = p->arena ? arena_array(p->arena, t->column_count + 1, sizeof *p->columns) : NULL;
    p->column_count = p->columns ? t->column_count : 0;
    if (p->column_count > 0)
        memcpy(p->columns, t->columns, p->column_count * sizeof *p->columns);
    return p->columns != NULL;
}

void points_begin(struct points *p, const struct kn_table *table, bool devices)
{
    static const char plot[] = "Operating Point";
    p->in_point = p->json && strncmp(table->plot, plot, sizeof plot - 1) == 0 && copy_columns(p, table);
    p->devices = devices;
    if (!p->in_point || devices)
        return;
    end_object(p);
    fprintf(p->json, "%s\n  {\"point\": ", p->count++ > 0 ? "," : "");
    json_write_string(p->json, table->plot, false);
    p->open = true;
}

static void write_values(const struct points *p, const double *values)
{
    fputs(",\n   \"values\": {", p->json);
    for (size_t i = 0; i < p->column_count; i++) {
        fputs(i > 0 ? ", " : "", p->json);
        json_write_string(p->json, p->columns[i].name, false);
        fputs(": ", p->json);
        json_write_number(p->json, values[i]);
    }
    fputs("}", p->json);
}

static void write_part(FILE *to, const char *text, int length)
{
    char part[200];
    snprintf(part, sizeof part, "%.*s", length, text);
    json_write_string(to, part, true);
    fputs(": ", to);
}

static void write_devices(const struct points *p, const double *values)
{
    struct device_column here, before = {0};
    fputs(",\n   \"devices\": {", p->json);
    for (size_t i = 0; i < p->column_count; i++) {
        if (!device_column(p->columns[i].name, &here))
            continue;
        const bool same = here.device_length == before.device_length &&
                          strncmp(here.device, before.device, (size_t)here.device_length) == 0;
        if (!same) {
            fputs(before.device ? "},\n    " : "\n    ", p->json);
            write_part(p->json, here.device, here.device_length);
        }
        fputs(same ? ", " : "{", p->json);
        write_part(p->json, here.quantity, here.quantity_length);
        if (p->columns[i].quantity == KN_REGION)
            json_write_string(p->json, device_region(values[i]), false);
        else
            json_write_number(p->json, values[i]);
        before = here;
    }
    fputs(before.device ? "}}" : "}", p->json);
}

void points_row(struct points *p, const double *values)
{
    if (!p->in_point || !p->open)
        return;
    if (p->devices)
        write_devices(p, values);
    else
        write_values(p, values);
}

bool points_close(struct points *p)
{
    if (!p->json)
        return true;
    end_object(p);
    fputs("\n]\n", p->json);
    const bool failed = ferror(p->json) || fflush(p->json) != 0;
    arena_free(p->arena);
    p->arena = NULL;
    if (p->json != stdout && fclose(p->json) != 0)
        return complain(p);
    p->json = NULL;
    return !failed || complain(p);
}
