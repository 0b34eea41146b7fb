/* points.c - see points.h. */
#include "devices/code_models/points.h"
#include "base/array.h"
#include "devices/data_file.h"
#include "netlist/expression/expression.h"

#include <string.h>

enum { LONGEST_LINE = 1000 };

static enum kn_status fail_at(struct code_item *i, struct kn_diagnostics *d, const char *file, int line,
                              const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "line %d of '%.60s': %s", line, file, what);
    return code_fail(i, d, "a line has an x and a y", text);
}

static bool read_number(char **rest, double *value)
{
    const char *word = data_file_word(rest);
    return word && expression_number(word, strlen(word), value);
}

static enum kn_status read_line(struct points *p, struct arena *arena, char *line, const char **fault)
{
    char *rest = line, *look = line;
    while (*look == ' ' || *look == '\t' || *look == '\r' || *look == '\n')
        look++;
    if (!*look || strchr("*#;", *look))
        return KN_OK;
    double x, y;
    *fault = !read_number(&rest, &x) || !read_number(&rest, &y) ? "expected two numbers"
             : p->count > 0 && !(x > p->x[p->count - 1])        ? "x must rise"
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
    char line[LONGEST_LINE], text[120];
    const char *name = code_text(i, parameter), *fault = NULL;
    FILE *f = name ? data_file_open(name, i->element->model->where.file, arena) : NULL;
    if (!f) {
        snprintf(text, sizeof text, name ? "cannot read the file of %s" : "there is no %s", parameter);
        return code_fail(i, d, "its file is looked for beside the deck", text);
    }
    enum kn_status status = KN_OK;
    for (int number = 1; status == KN_OK && fgets(line, sizeof line, f); number++) {
        status = read_line(out, arena, line, &fault);
        if (status == KN_ERROR_DECK)
            fail_at(i, d, name, number, fault);
    }
    fclose(f);
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
