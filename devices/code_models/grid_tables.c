/* grid_tables.c - A table2d, table3d: values on a rectangular grid, from a file.
 *
 * The file has numbers, comments begin with *: how many x, y (and z), all x, all y (all z), then for each y (of each z) the
 * values at all x.  Within a cell the value is linear in each input (bilinear, trilinear), which is what ngspice puts out;
 * beyond the grid it stays.  `order` is of ngspice's derivatives only.
 */
#include "base/array.h"
#include "devices/code_models/code_model.h"
#include "devices/data_file.h"
#include "devices/families.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <string.h>

enum { MOST_INPUTS = 3, LONGEST_LINE = 100000, MOST_VALUES = 10000000 };

struct grid {
    size_t inputs;
    size_t count[MOST_INPUTS];
    const double *axis[MOST_INPUTS]; /* [count[k]], rising */
    const double *values;            /* the first input counts fastest */
};

enum { OFFSET, GAIN, ORDER, FILE_NAME, VERBOSE, ROWS };

static const struct parameter_info rows[ROWS] = {
    [OFFSET] = CODE_ANY("offset", "", 0, "added to the value"),
    [GAIN] = CODE_ANY("gain", "", 1, "factor of the value"),
    [ORDER] = CODE_FROM("order", "", 3, 2, "without meaning here: derivatives are those of the values"),
    [FILE_NAME] = {"file", "\"\"", 0, 0, 0, "name of the file", NULL},
    [VERBOSE] = CODE_FROM("verbose", "", 0, 0, "without meaning here"),
};

/* ---- the file ---- */

struct numbers {
    double *items;
    size_t count, capacity;
};

static enum kn_status read_numbers(FILE *f, struct arena *arena, struct numbers *n, const char **fault)
{
    char *line = arena_array(arena, LONGEST_LINE, 1);
    if (!line)
        return KN_ERROR_MEMORY;
    while (fgets(line, LONGEST_LINE, f)) {
        char *rest = line;
        for (const char *word; (word = data_file_word(&rest));) {
            if (n->count == MOST_VALUES ||
                !array_reserve_in(arena, &n->items, n->count, n->count + 1, &n->capacity, sizeof *n->items))
                return KN_ERROR_MEMORY;
            if (!expression_number(word, strlen(word), &n->items[n->count])) {
                *fault = arena_format(arena, "'%.40s' in its file is not a number", word);
                return *fault ? KN_ERROR_DECK : KN_ERROR_MEMORY;
            }
            n->count++;
        }
    }
    return KN_OK;
}

static bool rises(const double *x, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (!(x[k] > x[k - 1]))
            return false;
    return true;
}

/* What is wrong with the numbers, or NULL. */
static const char *cut(struct grid *g, const struct numbers *n)
{
    size_t at = g->inputs, cells = 1;
    for (size_t k = 0; k < g->inputs; k++) {
        const double size = k < n->count ? n->items[k] : 0;
        if (!(size >= 2 && size <= MOST_VALUES && size == floor(size)))
            return "its file does not begin with the sizes of the table, two at least";
        g->count[k] = (size_t)size;
        cells *= g->count[k];
        if (cells > MOST_VALUES)
            return "the table is larger than ten million values";
    }
    for (size_t k = 0; k < g->inputs; at += g->count[k++]) {
        g->axis[k] = n->items + at;
        if (at + g->count[k] > n->count)
            return "its file ends too early";
        if (!rises(g->axis[k], g->count[k]))
            return "the places on its axes do not rise, or are not as many as the sizes say";
    }
    g->values = n->items + at;
    return n->count - at < cells   ? "its file ends too early"
           : n->count - at > cells ? "its file has more numbers than the sizes say"
                                   : NULL;
}

static enum kn_status read_grid(struct code_item *i, size_t inputs, struct arena *arena, struct kn_diagnostics *d)
{
    struct grid *g = i->own = arena_alloc(arena, sizeof *g);
    struct numbers n = {0};
    const char *fault = NULL, *name = code_text(i, "file");
    FILE *f = name ? data_file_open(name, i->element->model->where.file, arena) : NULL;
    if (!f)
        return code_fail(i, d, "it is looked for beside the deck: file=\"table.txt\"", "cannot read the file");
    enum kn_status status = g ? read_numbers(f, arena, &n, &fault) : KN_ERROR_MEMORY;
    fclose(f);
    if (status == KN_OK) {
        g->inputs = inputs;
        fault = cut(g, &n);
    }
    return fault ? code_fail(i, d, "sizes, the places on each axis, then the values of each row", fault) : status;
}

/* ---- values ---- */

/* The cell of x on an axis and the part of it that lies before x, 0 to 1; *slope is 1 over its width, 0 beyond the ends. */
static size_t cell_of(const double *axis, size_t count, double x, double *part, double *slope)
{
    size_t low = 0, high = count - 1;
    const double within = fmin(fmax(x, axis[0]), axis[high]);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(axis[middle] <= within ? &low : &high) = middle;
    }
    *part = (within - axis[low]) / (axis[high] - axis[low]);
    *slope = within == x ? 1 / (axis[high] - axis[low]) : 0;
    return low;
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct grid *g = i->own;
    double part[MOST_INPUTS], slope[MOST_INPUTS];
    size_t cell[MOST_INPUTS];
    for (size_t k = 0; k < g->inputs; k++)
        cell[k] = cell_of(g->axis[k], g->count[k], p->u[k], &part[k], &slope[k]);
    p->f[0] = i->p[OFFSET];
    for (size_t corner = 0; corner < (size_t)1 << g->inputs; corner++) {
        size_t place = 0, stride = 1;
        double share[MOST_INPUTS], all = i->p[GAIN];
        for (size_t k = 0; k < g->inputs; stride *= g->count[k++]) {
            const bool far = corner >> k & 1;
            place += stride * (cell[k] + far);
            share[k] = far ? part[k] : 1 - part[k];
            all *= share[k];
        }
        p->f[0] += all * g->values[place];
        for (size_t k = 0; k < g->inputs; k++) {
            double others = i->p[GAIN] * (corner >> k & 1 ? slope[k] : -slope[k]);
            for (size_t l = 0; l < g->inputs; l++)
                others *= l == k ? 1 : share[l];
            p->df[k] += others * g->values[place];
        }
    }
}

/* ---- the models ---- */

static enum kn_status make_2d(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    return read_grid(i, 2, arena, d);
}

static enum kn_status make_3d(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    return read_grid(i, 3, arena, d);
}

static const struct port_info ports_2d[] = {CODE_IN("inx"), CODE_IN("iny"), CODE_OUT("out")};
static const struct port_info ports_3d[] = {CODE_IN("inx"), CODE_IN("iny"), CODE_IN("inz"), CODE_OUT("out")};

const struct code_model table2d_model = {CODE_KIND("table2d", "table of two inputs", "x y out", ports_2d, rows),
                                         .make = make_2d, .evaluate = evaluate};

const struct code_model table3d_model = {CODE_KIND("table3d", "table of three inputs", "x y z out", ports_3d, rows),
                                         .make = make_3d, .evaluate = evaluate};
