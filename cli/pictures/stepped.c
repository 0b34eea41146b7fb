/* stepped.c - see stepped.h. */
#include "cli/pictures/stepped.h"

#include "base/array.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "cli/pictures/runs.h"
#include "output/read/raw_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct steps {
    struct arena *arena;
    const char **names; /* [count] */
    size_t count, name_capacity;
    double *values; /* [runs][count] */
    size_t runs, capacity;
    bool agree; /* all lines have the same names and numbers behind them */
};

/* "results.raw.gz" -> "results.log"; NULL without memory. */
static char *log_of(const char *path)
{
    static const char *const endings[] = {".gz", ".raw"};
    char *log = malloc(strlen(path) + sizeof ".log");
    if (!log)
        return NULL;
    strcpy(log, path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(log), end = strlen(endings[i]);
        if (length > end && strcasecmp(log + length - end, endings[i]) == 0)
            log[length - end] = '\0';
    }
    return strcat(log, ".log");
}

/* A name of the first line, or the same again. */
static bool take_name(struct steps *s, size_t place, const char *name)
{
    if (s->runs > 0) {
        s->agree = s->agree && place < s->count && names_equal(s->names[place], name);
        return true;
    }
    const char *kept = arena_format(s->arena, "%s", name);
    if (!kept || !array_reserve_in(s->arena, &s->names, s->count, s->count + 1, &s->name_capacity, sizeof *s->names))
        return false;
    s->names[s->count++] = kept;
    return true;
}

/* What stands behind ".step": "r1=1000 temp=27". */
static bool take_line(struct steps *s, char *line)
{
    const size_t known = s->runs * s->count;
    size_t place = 0;
    char *rest, *end;
    bool good = true;
    for (char *word = strtok_r(line, " \t\r", &rest); good && word; word = strtok_r(NULL, " \t\r", &rest), place++) {
        char *sign = strchr(word, '=');
        s->agree = s->agree && sign;
        if (!s->agree)
            return true;
        *sign = '\0';
        const double value = strtod(sign + 1, &end);
        s->agree = s->agree && end > sign + 1 && *end == '\0';
        good = take_name(s, place, word) && array_reserve_in(s->arena, &s->values, known + place, known + place + 1,
                                                             &s->capacity, sizeof *s->values);
        if (good)
            s->values[known + place] = value;
    }
    s->agree = s->agree && place > 0 && place == s->count;
    s->runs++;
    return good;
}

static bool read_log(FILE *log, struct steps *s)
{
    struct raw_text r = {.from = log, .name = "log", .line = 1};
    const int first = getc(log), second = getc(log);
    const bool marked = first == 0xff && second == 0xfe;
    bool good = (r.diagnostics = kn_diagnostics_new()) != NULL;
    r.wide = marked || second == 0;
    if (!marked)
        rewind(log);
    for (char *line; good && s->agree && (line = raw_text_line(&r));) {
        line += strspn(line, " \t");
        if (strncasecmp(line, ".step ", 6) == 0)
            good = take_line(s, line + 6);
    }
    kn_diagnostics_free(r.diagnostics);
    free(r.buffer);
    return good && r.status != KN_ERROR_MEMORY;
}

/* The last vector becomes that of this number. */
static void put_in_front(struct plot *p, size_t place)
{
    const struct vector_kept last = p->vectors[p->count - 1];
    memmove(&p->vectors[place + 1], &p->vectors[place], (p->count - 1 - place) * sizeof last);
    p->vectors[place] = last;
}

static bool put(struct plot *p, const struct steps *s, size_t which, struct arena *a)
{
    const struct vector_kept *x = &p->vectors[p->scale];
    const size_t before = p->count, rows = x->count;
    struct values v = {.at = arena_array(a, rows + 1, sizeof *v.at), .count = rows, .quantity = KN_OTHER};
    size_t run = 0, from = 0;
    for (size_t i = 0; v.at && i < rows; i++) {
        if (i > 0 && run_begins_anew(x, from, i)) {
            run++;
            from = i;
        }
        v.at[i] = s->values[run * s->count + which];
    }
    if (!v.at || !plot_put(p, s->names[which], &v))
        return false;
    if (p->count > before)
        put_in_front(p, p->scale + 1 + which);
    return true;
}

static size_t count_runs(const struct vector_kept *x)
{
    size_t runs = x->count > 0, from = 0;
    for (size_t i = 1; i < x->count; i++)
        if (run_begins_anew(x, from, i)) {
            runs++;
            from = i;
        }
    return runs;
}

bool stepped_take_values(const char *path, struct plots *plots)
{
    char *name = log_of(path);
    FILE *log = name ? fopen(name, "rb") : NULL;
    struct steps s = {.arena = arena_new(), .agree = true};
    bool good = name && s.arena && (!log || read_log(log, &s));
    for (struct plot *p = plots->first; good && s.agree && s.runs > 1 && p; p = p->next)
        if (p->scale == 0 && p->count > 0 && count_runs(&p->vectors[0]) == s.runs)
            for (size_t k = 0; good && k < s.count; k++)
                good = plot_find(p, s.names[k]) || put(p, &s, k, s.arena);
    if (log)
        fclose(log);
    free(name);
    arena_free(s.arena);
    return good;
}
