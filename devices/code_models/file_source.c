/* file_source.c - A filesource: values over time from a file.
 *
 * A line has a time and a value for each output; with timerelative the times count from the line before.  A time is
 * multiplied by timescale and moved by timeoffset, a value by the amplscale and amploffset of its output.  Between the
 * times the outputs go straight, with amplstep they stay; before the first and behind the last line they stay too.
 */
#include "base/array.h"
#include "devices/code_models/code_model.h"
#include "devices/data_file.h"
#include "devices/families.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <string.h>

enum { OFFSET, SCALE, RELATIVE, STEP, VALUE_OFFSET, VALUE_SCALE, NAME, ROWS };
enum { LONGEST_LINE = 4000 };

static const struct parameter_info rows[ROWS] = {
    [OFFSET] = CODE_ANY("timeoffset", "s", 0, "added to the times; not to relative ones"),
    [SCALE] = CODE_ANY("timescale", "", 1, "factor of the times"),
    [RELATIVE] = CODE_FLAG("timerelative", 0, "times count from the line before"),
    [STEP] = CODE_FLAG("amplstep", 0, "values stay until the next time"),
    [VALUE_OFFSET] = CODE_LIST("amploffset", "", "added to the values of each output"),
    [VALUE_SCALE] = CODE_LIST("amplscale", "", "factor of the values of each output"),
    [NAME] = {"file", "\"\"", 0, 0, 0, "name of the file", NULL},
};

static const struct port_info ports[] = {
    {.name = "out", .direction = PORT_OUT, .type = PORT_V, .allowed = CODE_VALUES, .list = true}};

struct samples {
    double *times;  /* s, rising */
    double *values; /* [count][outputs] */
    size_t count, value_count, time_capacity, value_capacity;
};

static enum kn_status fail_at(const struct code_item *i, struct kn_diagnostics *d, int line, const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "line %d of '%.60s': %s", line, code_text(i, "file") ? code_text(i, "file") : "", what);
    return code_fail(i, d, "a line has a time and a value for each output", text);
}

static double of_list(const struct code_item *i, const char *name, size_t k, double absent)
{
    size_t count;
    const double *list = code_list(i, name, &count);
    return k < count ? list[k] : absent;
}

static bool read_number(char **rest, double *value)
{
    const char *word = data_file_word(rest);
    return word && expression_number(word, strlen(word), value);
}

static enum kn_status read_line(struct code_item *i, struct arena *arena, char *line, int number,
                                struct kn_diagnostics *d)
{
    struct samples *s = i->own;
    double time, value;
    char *rest = line;
    const char *first = data_file_word(&rest);
    if (!first)
        return KN_OK;
    if (!expression_number(first, strlen(first), &time))
        return fail_at(i, d, number, "expected a time");
    time *= i->p[SCALE];
    if (i->p[RELATIVE] == 0)
        time += i->p[OFFSET];
    else if (s->count > 0)
        time += s->times[s->count - 1];
    if (s->count > 0 && !(time > s->times[s->count - 1]))
        return fail_at(i, d, number, "times must rise");
    if (!array_reserve_in(arena, &s->times, s->count, s->count + 1, &s->time_capacity, sizeof *s->times) ||
        !array_reserve_in(arena, &s->values, s->value_count, s->value_count + i->row_count, &s->value_capacity,
                          sizeof *s->values))
        return KN_ERROR_MEMORY;
    s->times[s->count++] = time;
    for (size_t k = 0; k < i->row_count; k++) {
        if (!read_number(&rest, &value))
            return fail_at(i, d, number, "expected a value");
        s->values[s->value_count++] = of_list(i, "amploffset", k, 0) + of_list(i, "amplscale", k, 1) * value;
    }
    return KN_OK;
}

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    char line[LONGEST_LINE];
    const char *name = code_text(i, "file");
    FILE *f = name ? data_file_open(name, i->element->model->where.file, arena) : NULL;
    i->own = arena_alloc(arena, sizeof(struct samples));
    if (!f)
        return code_fail(i, d, "it is looked for beside the deck: file=\"data.txt\"", "cannot read the file");
    enum kn_status status = i->own ? KN_OK : KN_ERROR_MEMORY;
    for (int number = 1; status == KN_OK && fgets(line, sizeof line, f); number++)
        status = read_line(i, arena, line, number, d);
    fclose(f);
    if (status == KN_OK && ((struct samples *)i->own)->count == 0)
        status = code_fail(i, d, NULL, "its file has no values");
    return status;
}

/* How many of the times are over. */
static size_t count_over(const struct samples *s, double over)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->times[middle] <= over)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct samples *s = i->own;
    const struct instant when = isinf(p->when.time) ? instant_at(0) : p->when;
    const size_t over = count_over(s, when.over), n = i->row_count;
    const size_t from = over > 0 ? over - 1 : 0;
    for (size_t k = 0; k < n; k++) {
        p->f[k] = s->values[from * n + k];
        if (i->p[STEP] != 0 || over == 0 || over == s->count)
            continue;
        p->dfdt[k] = (s->values[over * n + k] - p->f[k]) / (s->times[over] - s->times[from]);
        p->f[k] += p->dfdt[k] * fmax(when.time - s->times[from], 0);
    }
}

static double next_corner(const struct code_item *i, double over)
{
    const struct samples *s = i->own;
    const size_t next = count_over(s, over);
    return next < s->count ? s->times[next] : INFINITY;
}

const struct code_model filesource_model = {
    CODE_KIND("filesource", "source of values of a file", "[out ..]", ports, rows), .linear = true, .make = make,
    .evaluate = evaluate, .next_corner = next_corner};
