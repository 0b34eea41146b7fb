/* waveforms.c - reading raw files and CSV (see waveforms.h).  The raw format is that of SPICE3's `write` command: text
 * header, list of variables, then "Values:" with numbered points or "Binary:" with native doubles. */
#include "waveforms.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct written {
    const char *path;
    char *data;
    size_t length, at;
};

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    return false;
}

static bool text_load(const char *path, struct written *t)
{
    FILE *file = fopen(path, "rb");
    *t = (struct written){path, NULL, 0, 0};
    if (!file)
        return complain(path, "cannot be opened");
    bool good = fseek(file, 0, SEEK_END) == 0;
    long size = good ? ftell(file) : -1;
    good = size >= 0 && fseek(file, 0, SEEK_SET) == 0;
    t->data = good ? malloc((size_t)size + 1) : NULL;
    if (t->data) {
        t->length = fread(t->data, 1, (size_t)size, file);
        t->data[t->length] = '\0';
    }
    fclose(file);
    return t->data ? true : complain(path, "cannot be read");
}

/* The next line without its end, NUL-terminated in place; NULL at the end of the text. */
static char *text_line(struct written *t)
{
    if (t->at >= t->length)
        return NULL;
    char *line = t->data + t->at;
    char *end = memchr(line, '\n', t->length - t->at);
    if (!end)
        end = t->data + t->length;
    t->at = (size_t)(end - t->data) + 1;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

/* Lower case; ngspice's type letter inside subcircuits goes ("i(v.x1.vs)" -> "i(x1.vs)"), "v1#branch" -> "i(v1)",
 * a bare node name -> "v(name)". */
static char *canonical_name(const char *name)
{
    char *result = malloc(strlen(name) + 4);
    if (!result)
        return NULL;
    const char *branch = strstr(name, "#branch");
    bool bare = !strchr(name, '(') && strcmp(name, "time") != 0;
    if (branch)
        sprintf(result, "i(%.*s)", (int)(branch - name), name);
    else
        sprintf(result, bare ? "v(%s)" : "%s", name);
    for (char *c = result; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (strncmp(result, "i(", 2) == 0 && result[2] && result[3] == '.' && strchr(result + 4, '.'))
        memmove(result + 2, result + 4, strlen(result + 4) + 1);
    return result;
}

static bool add_name(struct waveforms *w, const char *name)
{
    char **names = realloc(w->names, (w->columns + 1) * sizeof *names);
    if (!names)
        return false;
    w->names = names;
    w->names[w->columns] = canonical_name(name);
    return w->names[w->columns++] != NULL;
}

/* ---- raw ---- */

struct raw_header {
    size_t variables, points;
    bool binary;
};

static const char *after(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static bool read_variables(struct written *t, size_t count, struct waveforms *w)
{
    for (size_t i = 0; i < count; i++) {
        char *line = text_line(t);
        char *index = line ? strtok(line, " \t") : NULL;
        char *name = index ? strtok(NULL, " \t") : NULL;
        if (!name || strtoul(index, NULL, 10) != i || !add_name(w, name))
            return complain(t->path, "the list of variables is broken");
    }
    return true;
}

/* Header of one plot; false silently at the end of the file when *ended is set. */
static bool read_header(struct written *t, struct raw_header *h, struct waveforms *w, bool *ended)
{
    *h = (struct raw_header){0, 0, false};
    *ended = t->at >= t->length;
    for (char *line; (line = text_line(t));) {
        const char *rest;
        if ((rest = after(line, "No. Variables:")))
            h->variables = strtoul(rest, NULL, 10);
        else if ((rest = after(line, "No. Points:")))
            h->points = strtoul(rest, NULL, 10);
        else if (after(line, "Variables:") && !read_variables(t, h->variables, w))
            return false;
        else if ((h->binary = after(line, "Binary:") != NULL) || after(line, "Values:"))
            return w->columns > 0 ? true : complain(t->path, "no variables before the values");
    }
    return *ended ? false : complain(t->path, "header without values");
}

static bool read_binary(struct written *t, const struct raw_header *h, struct waveforms *w)
{
    size_t bytes = h->points * h->variables * sizeof(double);
    if (t->length - t->at < bytes)
        return complain(t->path, "fewer points than the header says");
    memcpy(w->values, t->data + t->at, bytes);
    t->at += bytes;
    return true;
}

static bool read_ascii(struct written *t, const struct raw_header *h, struct waveforms *w)
{
    char *at = t->data + t->at;
    for (size_t row = 0; row < h->points; row++) {
        char *end;
        if (strtoul(at, &end, 10) != row || end == at)
            return complain(t->path, "a point's number is missing or wrong");
        for (size_t i = 0; i < h->variables; i++) {
            at = end;
            w->values[row * h->variables + i] = strtod(at, &end);
            if (end == at)
                return complain(t->path, "fewer points than the header says");
        }
        at = end;
    }
    while (isspace((unsigned char)*at))
        at++;
    t->at = (size_t)(at - t->data);
    return true;
}

static bool read_plot(struct written *t, struct waveforms *w, bool *ended)
{
    struct raw_header h;
    *w = (struct waveforms){0};
    if (!read_header(t, &h, w, ended))
        return false;
    if (h.variables == 0 || h.points > SIZE_MAX / sizeof(double) / h.variables)
        return complain(t->path, "impossible counts in the header");
    w->values = malloc(h.points * h.variables * sizeof(double) + 1);
    w->rows = h.points;
    if (!w->values)
        return complain(t->path, "out of memory");
    return h.binary ? read_binary(t, &h, w) : read_ascii(t, &h, w);
}

static bool is_over_time(const struct waveforms *w)
{
    return w->columns > 0 && strcmp(w->names[0], "time") == 0;
}

static bool read_raw(struct written *t, struct waveforms *out)
{
    bool have = false, ended = false, good = true;
    *out = (struct waveforms){0};
    while (good && !ended) {
        struct waveforms next;
        good = read_plot(t, &next, &ended);
        if (good && (!have || (!is_over_time(out) && is_over_time(&next)))) {
            waveforms_free(out);
            *out = next;
            have = true;
        } else {
            waveforms_free(&next);
        }
        if (ended)
            return have ? true : complain(t->path, "empty file");
    }
    return false;
}

/* ---- CSV ---- */

static bool read_csv_header(struct written *t, struct waveforms *w)
{
    char *line = text_line(t);
    int depth = 0;
    bool quoted = false;
    for (char *name = line, *c = line; line; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c == '"') {
            quoted = !quoted;
            memmove(c, c + 1, strlen(c));
            c--;
            continue;
        }
        if ((*c != ',' || depth > 0 || quoted) && *c != '\0')
            continue;
        bool last = *c == '\0';
        *c = '\0';
        if (!add_name(w, name))
            return complain(t->path, "out of memory");
        if (last)
            return true;
        name = c + 1;
    }
    return complain(t->path, "empty file");
}

static bool read_csv_row(const struct written *t, char *line, struct waveforms *w)
{
    double *row = w->values + w->rows * w->columns;
    for (size_t i = 0; i < w->columns; i++) {
        char *end;
        row[i] = strtod(line, &end);
        if (end == line || *end != (i + 1 < w->columns ? ',' : '\0'))
            return complain(t->path, "a CSV row is not a row of numbers");
        line = end + 1;
    }
    w->rows++;
    return true;
}

static bool read_csv(struct written *t, struct waveforms *w)
{
    size_t capacity = 0;
    *w = (struct waveforms){0};
    if (!read_csv_header(t, w))
        return false;
    for (char *line; (line = text_line(t));) {
        if (w->rows == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            double *values = realloc(w->values, capacity * w->columns * sizeof *values);
            if (!values)
                return complain(t->path, "out of memory");
            w->values = values;
        }
        if (!read_csv_row(t, line, w))
            return false;
    }
    return w->rows > 0 ? true : complain(t->path, "no rows");
}

bool waveforms_read(const char *path, struct waveforms *out)
{
    struct written t;
    *out = (struct waveforms){0};
    if (!text_load(path, &t))
        return false;
    bool raw = strncmp(t.data, "Title:", 6) == 0;
    bool good = raw ? read_raw(&t, out) : read_csv(&t, out);
    free(t.data);
    if (!good)
        waveforms_free(out);
    return good;
}

void waveforms_free(struct waveforms *w)
{
    for (size_t i = 0; i < w->columns; i++)
        free(w->names[i]);
    free(w->names);
    free(w->values);
    *w = (struct waveforms){0};
}

int waveforms_find(const struct waveforms *w, const char *name)
{
    for (size_t i = 0; i < w->columns; i++)
        if (strcmp(w->names[i], name) == 0)
            return (int)i;
    return -1;
}

void cursor_seek(struct cursor *c, double t)
{
    while (c->row + 2 < c->of->rows && waveforms_time(c->of, c->row + 1) < t)
        c->row++;
}

double cursor_value(const struct cursor *c, double t, size_t column)
{
    const struct waveforms *w = c->of;
    if (w->rows < 2)
        return waveforms_value(w, 0, column);
    double t0 = waveforms_time(w, c->row), t1 = waveforms_time(w, c->row + 1);
    double v0 = waveforms_value(w, c->row, column), v1 = waveforms_value(w, c->row + 1, column);
    return t1 > t0 ? v0 + (v1 - v0) * ((t - t0) / (t1 - t0)) : v1;
}
