/* points.c - files of points for table("name") and its like: two numbers a line, with blanks or a comma between; what
 * stands behind them, and lines that begin with anything else, are comments. */
#include "netlist/formulas/formulas.h"

#include <math.h>
#include <stdint.h>
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
    while (behind < end && !strchr(" \t\r\n,;:", *behind))
        behind++;
    *at = behind;
    return behind > from && expression_number(from, (size_t)(behind - from), value) && isfinite(*value);
}

/* ---- two columns of a file of results ---- */

struct columns {
    const size_t *wanted; /* [2] */
    size_t next;          /* the column to come */
    double pair[2];
    int found;
};

/* value or value:number, as .csd files have them. */
static void take_columns(struct columns *c, const char *at, const char *end, size_t most)
{
    double value;
    while (most-- > 0 && take_number(&at, end, &value)) {
        for (int k = 0; k < 2; k++)
            if (c->next == c->wanted[k]) {
                c->pair[k] = value;
                c->found++;
            }
        c->next++;
        while (at < end && !strchr(" \t\r\n,;", *at))
            at++;
    }
}

/* A line is a row, except in .csd files, where it begins with "#C time count" and goes on in the lines behind. */
static bool read_columns(struct expansion *x, const char *text, size_t length, const size_t wanted[2])
{
    struct columns c = {.wanted = wanted};
    const char *end = text + length;
    bool goes_on = false;
    x->points.count = 0;
    for (const char *line = text, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        const bool marked = *line == '#', begins = marked && line + 1 < stop && line[1] == 'C';
        next = newline ? newline + 1 : end;
        if (marked || !goes_on) {
            c.next = 0;
            c.found = 0;
        }
        goes_on = begins || (goes_on && !marked);
        if (!marked || begins)
            take_columns(&c, begins ? line + 2 : line, stop, begins ? 1 : SIZE_MAX);
        if (c.found == 2 && (!expand_add(x, &x->points, &c.pair[0]) || !expand_add(x, &x->points, &c.pair[1])))
            return false;
        c.found = c.found == 2 ? 0 : c.found;
    }
    return true;
}

/* ---- pairs ---- */

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

/* What the deck compares with rises, as times and frequencies do. */
static bool check_points(struct expansion *x, const struct item *file)
{
    const double *values = x->points.items;
    const size_t count = x->points.count / 2;
    if (count == 0)
        return deck_fail(x->deck, "points", file->where, NULL, "there are no such columns in '%s'", item_text(file));
    for (size_t i = 1; i < count; i++)
        if (!(values[2 * i] > values[2 * i - 2]))
            return deck_fail(x->deck, "points", file->where, NULL, "'%s': %g stands behind %g", item_text(file),
                             values[2 * i], values[2 * i - 2]);
    return true;
}

const double *expand_columns_of(struct expansion *x, const struct item *file, const size_t columns[2], size_t *count)
{
    const char *path = path_of(x->deck, file->text), *problem = "memory is exhausted";
    char *text = NULL;
    size_t length = 0;
    double *values = NULL;
    if (!path || deck_load(path, &text, &length, &problem) != KN_OK) {
        deck_fail(x->deck, "file", file->where, NULL, "cannot read '%s': %s", item_text(file), problem);
        return NULL;
    }
    const bool good = read_columns(x, text, length, columns);
    free(text);
    note_file(x, path);
    if (!good || !check_points(x, file))
        return NULL;
    values = arena_array(x->deck->arena, x->points.count, sizeof *values);
    if (!values) {
        deck_no_memory(x->deck);
        return NULL;
    }
    memcpy(values, x->points.items, x->points.count * sizeof *values);
    *count = x->points.count / 2;
    return values;
}
