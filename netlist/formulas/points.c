/* points.c - files of points for table("name") and its like: two numbers a line, with blanks or a comma between; what
 * stands behind them, and lines that begin with anything else, are comments. */
#include "netlist/formulas/formulas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file's path from the folder of the deck. */
static const char *path_of(const struct deck *k, const char *name)
{
    const char *slash = strrchr(k->file, '/');
    if (name[0] == '/' || !slash)
        return name;
    return arena_format(k->arena, "%.*s/%s", (int)(slash - k->file), k->file, name);
}

/* A number as decks write them; *at moves behind it and what separates it from the next. */
static bool take_number(const char **at, const char *end, double *value)
{
    const char *from = *at;
    while (from < end && strchr(" \t\r,;", *from))
        from++;
    const char *behind = from;
    while (behind < end && !strchr(" \t\r\n,;", *behind))
        behind++;
    *at = behind;
    return behind > from && expression_number(from, (size_t)(behind - from), value) && isfinite(*value);
}

static bool read_lines(struct expansion *x, const char *text, size_t length)
{
    const char *end = text + length;
    x->points.count = 0;
    for (const char *line = text, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *at = line;
        double pair[2];
        next = newline ? newline + 1 : end;
        const char *stop = newline ? newline : end;
        if (take_number(&at, stop, &pair[0]) && take_number(&at, stop, &pair[1]) &&
            (!expand_add(x, &x->points, &pair[0]) || !expand_add(x, &x->points, &pair[1])))
            return false;
    }
    return true;
}

/* Results must not overwrite what the deck reads. */
static void note_file(struct expansion *x, const char *path)
{
    struct included_file *f = arena_alloc(x->deck->arena, sizeof *f);
    if (!f) {
        deck_no_memory(x->deck);
        return;
    }
    *f = (struct included_file){path, x->circuit->included};
    x->circuit->included = f;
}

const double *formulas_points(void *context, const char *name, struct arena *arena, size_t *count, const char **problem)
{
    struct expansion *x = context;
    const char *path = path_of(x->deck, name);
    char *text = NULL;
    size_t length = 0;
    double *values = NULL;
    if (!path || deck_load(path, &text, &length, problem) != KN_OK)
        return NULL;
    if (read_lines(x, text, length) && (values = arena_array(arena, x->points.count + 1, sizeof *values))) {
        if (x->points.count)
            memcpy(values, x->points.items, x->points.count * sizeof *values);
        *count = x->points.count / 2;
        note_file(x, path);
    } else {
        *problem = "memory is exhausted";
    }
    free(text);
    return values;
}
