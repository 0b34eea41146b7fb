/* file_source.c - A filesource: values over time from a file.
 *
 * A line has a time and a value for each output; with timerelative the times count from the line before.  A time is
 * multiplied by timescale and moved by timeoffset, a value by the amplscale and amploffset of its output.  Between the
 * times the outputs go straight, with amplstep they stay; before the first and behind the last line they stay too.
 */
#include "base/array.h"
#include "devices/code_models/lines.h"
#include "devices/families.h"

#include <math.h>

enum { OFFSET, SCALE, RELATIVE, STEP, VALUE_OFFSET, VALUE_SCALE, NAME, ROWS };

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
    const struct code_item *item;
    double *times;  /* s, rising */
    double *values; /* [count][outputs] */
    size_t count, value_count, time_capacity, value_capacity;
};

static double of_list(const struct code_item *i, const char *name, size_t k, double absent)
{
    size_t count;
    const double *list = code_list(i, name, &count);
    return k < count ? list[k] : absent;
}

static enum kn_status take_sample(void *into, struct arena *arena, char *line, const char **fault)
{
    struct samples *s = into;
    const struct code_item *i = s->item;
    double time, value;
    char *rest = line;
    if (data_file_is_comment(line))
        return KN_OK;
    if (!lines_number(&rest, &time)) {
        *fault = "expected a time";
        return KN_ERROR_DECK;
    }
    time *= i->p[SCALE];
    if (i->p[RELATIVE] == 0)
        time += i->p[OFFSET];
    else if (s->count > 0)
        time += s->times[s->count - 1];
    if (s->count > 0 && !(time > s->times[s->count - 1])) {
        *fault = "times must rise";
        return KN_ERROR_DECK;
    }
    if (!array_reserve_in(arena, &s->times, s->count, s->count + 1, &s->time_capacity, sizeof *s->times) ||
        !array_reserve_in(arena, &s->values, s->value_count, s->value_count + i->row_count, &s->value_capacity,
                          sizeof *s->values))
        return KN_ERROR_MEMORY;
    s->times[s->count++] = time;
    for (size_t k = 0; k < i->row_count && !*fault; k++) {
        if (!lines_number(&rest, &value))
            *fault = "expected a value";
        else
            s->values[s->value_count++] = of_list(i, "amploffset", k, 0) + of_list(i, "amplscale", k, 1) * value;
    }
    return *fault ? KN_ERROR_DECK : KN_OK;
}

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    const char *name = code_text(i, "file");
    FILE *f = name ? data_file_open(name, i->element->model->where.file, arena) : NULL;
    struct samples *s = i->own = arena_alloc(arena, sizeof *s);
    if (!f)
        return code_fail(i, d, "it is looked for beside the deck: file=\"data.txt\"", "cannot read the file");
    if (!s) {
        fclose(f);
        return KN_ERROR_MEMORY;
    }
    s->item = i;
    enum kn_status status =
        lines_read(f, i, name, "a line has a time and a value for each output", take_sample, s, arena, d);
    if (status == KN_OK && s->count == 0)
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
