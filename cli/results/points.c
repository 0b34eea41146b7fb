/* points.c - see points.h.
 *
 * [{"point": "Operating Point", "values": {"v(a)": 1, ..}, "devices": {"q1": {"region": "active", "ic": 1e-3, ..}, ..}}, ..]
 */
#include "cli/results/points.h"

#include "cli/files.h"
#include "output/device_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool points_open(struct points *p, const char *path)
{
    *p = (struct points){.path = path};
    FILE *to = path ? files_open(path) : NULL;
    if (!to)
        return !path;
    p->json = json_begin(to);
    p->json.lines = 1;
    json_open(&p->json, NULL, '[');
    return true;
}

static void end_object(struct points *p)
{
    if (p->open)
        json_close(&p->json);
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
    p->in_point = p->json.to && strncmp(table->plot, plot, sizeof plot - 1) == 0 && copy_columns(p, table);
    p->devices = devices;
    if (!p->in_point || devices)
        return;
    end_object(p);
    json_open(&p->json, NULL, '{');
    json_text(&p->json, "point", table->plot);
    p->open = true;
}

static void write_values(struct points *p, const double *values)
{
    json_open(&p->json, "values", '{');
    for (size_t i = 0; i < p->column_count; i++)
        json_number(&p->json, p->columns[i].name, values[i]);
    json_close(&p->json);
}

static const char *lower_part(const char *text, int length, char *part, size_t size)
{
    snprintf(part, size, "%.*s", length, text);
    for (char *c = part; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return part;
}

static void write_devices(struct points *p, const double *values)
{
    struct json *j = &p->json;
    struct device_column here, before = {0};
    char name[200];
    json_open(j, "devices", '{');
    for (size_t i = 0; i < p->column_count; i++) {
        if (!device_column(p->columns[i].name, &here))
            continue;
        if (here.device_length != before.device_length ||
            strncmp(here.device, before.device, (size_t)here.device_length) != 0) {
            if (before.device)
                json_close(j);
            json_open(j, lower_part(here.device, here.device_length, name, sizeof name), '{');
        }
        lower_part(here.quantity, here.quantity_length, name, sizeof name);
        if (p->columns[i].quantity == KN_REGION)
            json_text(j, name, device_region(values[i]));
        else
            json_number(j, name, values[i]);
        before = here;
    }
    if (before.device)
        json_close(j);
    json_close(j);
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
    FILE *to = p->json.to;
    if (!to)
        return true;
    end_object(p);
    json_close(&p->json);
    arena_free(p->arena);
    *p = (struct points){.path = p->path};
    return files_close(to, p->path);
}
