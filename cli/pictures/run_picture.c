/* run_picture.c - see run_picture.h. */
#include "cli/pictures/run_picture.h"

#include "base/array.h"
#include "base/names.h"
#include "cli/command.h"
#include "cli/pictures/picture_file.h"
#include "cli/results/outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool run_picture_ask(struct run_picture *p, const char *asked, const char *output)
{
    const char *words[RUN_FORMULAS];
    bool good = snprintf(p->words, sizeof p->words, "%s", asked ? asked : "") < (int)sizeof p->words;
    const size_t count = outputs_split(p->words, words, RUN_FORMULAS);
    if (!good)
        fprintf(stderr, "knoten: what --plot is to draw is too long\n");
    if (output)
        p->paths[p->path_count++] = output;
    for (size_t i = 0; i < count; i++)
        if (!picture_file_known(words[i]) || strchr(words[i], '('))
            p->formulas[p->formula_count++] = words[i];
        else if (p->path_count < RUN_PICTURES)
            p->paths[p->path_count++] = words[i];
    for (size_t i = 0; good && i < p->path_count; i++)
        good = picture_file_possible(p->paths[i]);
    return good;
}

bool run_picture_open(struct run_picture *p, const struct circuit *c)
{
    p->circuit = c;
    p->arena = arena_new();
    p->recorder.plots = &p->plots;
    return p->arena && plots_open(&p->plots, false) == KN_OK;
}

void run_picture_close(struct run_picture *p)
{
    plot_recorder_close(&p->recorder);
    plots_close(&p->plots);
    arena_free(p->arena);
    free(p->columns);
    free(p->heads);
    free(p->row);
    free(p->marks);
}

/* ---- what is kept ---- */

/* Whether a formula may mean the vector: what stands between its parentheses is in it. */
static bool mentions(const char *formula, const char *name)
{
    const char *open = strchr(name, '('), *inside = open ? open + 1 : name;
    const size_t length = strcspn(inside, open ? ")," : "");
    for (const char *at = formula; *at; at++)
        if (strncasecmp(at, inside, length) == 0)
            return true;
    return false;
}

static bool is_printed(const struct run_picture *p, const char *name)
{
    bool any = false, all = false;
    for (size_t i = 0; i < p->circuit->print_count; i++) {
        all |= p->circuit->prints[i].kind == REQUEST_ALL;
        any |= p->circuit->prints[i].kind != REQUEST_ALL && names_equal(p->circuit->prints[i].label, name);
    }
    return any || all;
}

static bool is_kept(const struct run_picture *p, const char *name, size_t place)
{
    if (p->formula_count == 0)
        return p->circuit->print_count > 0 ? is_printed(p, name) : place <= PLOT_COLUMNS;
    for (size_t i = 0; i < p->formula_count; i++)
        if (mentions(p->formulas[i], name))
            return true;
    return false;
}

static enum kn_status keep_begin(struct run_picture *p, const struct kn_table *t)
{
    const size_t lead = t->sweeps + t->steps + (t->column_count > 0 && t->columns[0].quantity == KN_TIME);
    if (!array_resize(&p->columns, t->column_count + 1, sizeof *p->columns) ||
        !array_resize(&p->heads, t->column_count + 1, sizeof *p->heads) ||
        !array_resize(&p->row, t->column_count + 1, sizeof *p->row))
        return KN_ERROR_MEMORY;
    p->count = 0;
    bool kept = false;
    for (size_t i = 0, place = 0; i < t->column_count; i++) {
        const bool part = t->columns[i].quantity == KN_IMAGINARY && i > 0;
        if (!part)
            kept = i < lead || is_kept(p, t->columns[i].name, ++place);
        if (!kept)
            continue;
        p->heads[p->count] = t->columns[i];
        p->columns[p->count++] = i;
    }
    struct kn_table table = *t;
    table.columns = p->heads;
    table.column_count = p->count;
    table.sweeps =
        t->sweeps > 0 || t->steps == 0 || t->columns[0].quantity == KN_TIME ? t->sweeps : 1; /* over what is stepped */
    p->kept = plot_recorder_sink(&p->recorder);
    return p->count > 0 ? p->kept.begin(p->kept.context, &table) : KN_OK;
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct run_picture *p = context;
    if (p->status == KN_OK)
        p->status = keep_begin(p, t);
    return p->all.begin(p->all.context, t);
}

static enum kn_status row(void *context, const double *values)
{
    struct run_picture *p = context;
    for (size_t i = 0; i < p->count; i++)
        p->row[i] = values[p->columns[i]];
    if (p->status == KN_OK && p->count > 0)
        p->status = p->kept.row(p->kept.context, p->row);
    return p->all.row(p->all.context, values);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct run_picture *p = context;
    return p->all.end(p->all.context, outcome);
}

struct kn_sink run_picture_sink(struct run_picture *p, const struct kn_sink *next)
{
    p->all = *next;
    return run_picture_wanted(p) ? (struct kn_sink){p, begin, row, end} : *next;
}

void run_picture_measured(struct run_picture *p, const struct kn_measurement *m)
{
    if (!run_picture_wanted(p) || !m->found || !isfinite(m->value) || !p->recorder.plot ||
        !array_reserve(&p->marks, p->mark_count + 1, &p->mark_capacity, sizeof *p->marks))
        return;
    const char *name = arena_format(p->arena, "%s", m->name),
               *unit = arena_format(p->arena, "%s", m->unit ? m->unit : "");
    if (name && unit)
        p->marks[p->mark_count++] =
            (struct picture_mark){p->recorder.plot, name, unit + strspn(unit, " "), m->value, m->at, m->from, m->to};
}

/* ---- the picture ---- */

/* Vectors of .print that there are. */
static size_t printed_formulas(const struct run_picture *p, const char *formulas[RUN_FORMULAS])
{
    size_t count = 0;
    for (size_t i = 0; i < p->circuit->print_count; i++) {
        const char *label = p->circuit->prints[i].label;
        bool there = false, known = false;
        for (const struct plot *plot = p->plots.first; plot && label; plot = plot->next)
            there |= plot->rows > 1 && plot_find(plot, label) != NULL;
        for (size_t k = 0; k < count; k++)
            known |= names_equal(formulas[k], label);
        if (there && !known && count < RUN_FORMULAS)
            formulas[count++] = label;
    }
    return count;
}

int run_picture_draw(struct run_picture *p, const char *deck, struct kn_diagnostics *d, bool quiet)
{
    const char *printed[RUN_FORMULAS];
    struct picture_request request = {
        .formulas = p->formulas, .count = p->formula_count, .marks = p->marks, .mark_count = p->mark_count};
    struct chart chart;
    int result = EXIT_DONE;
    if (p->status == KN_ERROR_MEMORY)
        return command_out_of_memory();
    if (request.count == 0) {
        request.count = printed_formulas(p, printed);
        request.formulas = printed;
    }
    chart_init(&chart, p->arena, "");
    const enum kn_status status = compose(&p->plots, deck, &request, d, &chart);
    for (size_t i = 0; status == KN_OK && i < p->path_count; i++)
        if (picture_file_write(&chart, p->paths[i], &(struct picture_look){.width = 0}, quiet) != EXIT_DONE)
            result = EXIT_FAILED;
    return status == KN_OK ? result : EXIT_FAILED;
}
