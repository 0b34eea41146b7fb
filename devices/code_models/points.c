/* points.c - see points.h. */
#include "devices/code_models/points.h"
#include "base/array.h"
#include "devices/code_models/lines.h"

static enum kn_status take_point(void *into, struct arena *arena, char *line, const char **fault)
{
    struct points *p = into;
    char *rest = line;
    double x, y;
    if (data_file_is_comment(line))
        return KN_OK;
    *fault = !lines_number(&rest, &x) || !lines_number(&rest, &y) ? "expected two numbers"
             : p->count > 0 && !(x > p->x[p->count - 1])          ? "x must rise"
                                                                  : NULL;
    if (*fault)
        return KN_ERROR_DECK;
    if (!array_reserve_in(arena, &p->x, p->count, p->count + 1, &p->x_capacity, sizeof *p->x) ||
        !array_reserve_in(arena, &p->y, p->count, p->count + 1, &p->y_capacity, sizeof *p->y))
        return KN_ERROR_MEMORY;
    p->x[p->count] = x;
    p->y[p->count++] = y;
    return KN_OK;
}

enum kn_status points_read(struct code_item *i, const char *parameter, struct arena *arena, struct kn_diagnostics *d,
                           struct points *out)
{
    char text[120];
    const char *name = code_text(i, parameter);
    FILE *f = name ? data_file_open(name, i->element->model->where.file, arena) : NULL;
    if (!f) {
        snprintf(text, sizeof text, name ? "cannot read the file of %s" : "there is no %s", parameter);
        return code_fail(i, d, "its file is looked for beside the deck", text);
    }
    const enum kn_status status = lines_read(f, i, name, "a line has an x and a y", take_point, out, arena, d);
    if (status == KN_OK && out->count < 2) {
        snprintf(text, sizeof text, "the file of %s needs two points at least", parameter);
        return code_fail(i, d, NULL, text);
    }
    return status;
}

double points_value(const struct points *p, double x, double *slope)
{
    size_t low = 0, high = p->count - 1;
    *slope = 0;
    if (x <= p->x[0] || x >= p->x[high])
        return p->y[x <= p->x[0] ? 0 : high];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(p->x[middle] <= x ? &low : &high) = middle;
    }
    *slope = (p->y[high] - p->y[low]) / (p->x[high] - p->x[low]);
    return p->y[low] + *slope * (x - p->x[low]);
}
