/* script.c - see script.h. */
#include "cli/script.h"

#include "base/array.h"
#include "cli/interrupt.h"
#include "cli/results/picture.h"
#include "control/control.h"
#include "output/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print(void *context, const char *text)
{
    const struct script *s = context;
    interrupt_hold();
    progress_clear(s->job->progress);
    messages_show(&s->job->messages);
    fputs(text, s->screen);
    interrupt_let();
}

/* ---- files ---- */

/* A deck may come from anywhere: it writes nowhere but here, and no file that a shell or another program reads unasked. */
static const char *place(void *context, const char *name, char *path, size_t size)
{
    const struct script *s = context;
    const char *result = s->outputs[0].path, *slash = strrchr(result, '/');
    if (*name == '\0' || strchr(name, '/'))
        return "it is no plain name";
    if (*name == '.' || *name == '-')
        return "it begins with a dot or a dash";
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return "there is a control character in it";
    if (snprintf(path, size, "%.*s%s", slash ? (int)(slash - result) + 1 : 0, result, name) >= (int)size)
        return "it is too long";
    const char *taken = files_taken(s->job->circuit, s->deck, s->outputs, s->output_count, path);
    if (!taken)
        taken = files_taken(s->job->circuit, s->deck, s->read, s->read_count, path);
    return taken ? diagnostics_hint(s->job->messages.diagnostics, "there is %s", taken) : NULL;
}

static void note_read(void *context, const char *path)
{
    struct script *s = context;
    char *copy = strdup(path);
    if (copy && array_reserve(&s->read, s->read_count + 1, &s->read_capacity, sizeof *s->read))
        s->read[s->read_count++] = (struct output_use){copy, "a file of commands"};
    else
        free(copy);
}

/* ---- pictures ---- */

static void write_range(FILE *script, const char *axis, double from, double to)
{
    if (!isnan(from))
        fprintf(script, "set %srange [%.17g:%.17g]\n", axis, from, to);
}

static void write_label(FILE *script, const char *what, const char *text)
{
    fprintf(script, "set %s \"", what);
    picture_text(script, text);
    fputs("\" noenhanced\n", script);
}

struct drawing {
    const struct control_picture *picture;
    const char *path;
};

static void write_drawing(const void *context, FILE *script)
{
    const struct drawing *d = context;
    const struct control_picture *p = d->picture;
    picture_terminal(script, d->path);
    fputs("$data << END\n", script);
    for (size_t row = 0; row < p->rows; row++)
        for (size_t i = 0; i < p->count; i++)
            fprintf(script, "%.9g%c", p->columns[i][row], i + 1 < p->count ? ' ' : '\n');
    fputs("END\nset grid\nset key outside right noenhanced\n", script);
    write_label(script, "title", p->title ? p->title : "");
    write_label(script, "xlabel", p->x_label ? p->x_label : p->names[0]);
    write_label(script, "ylabel", p->y_label ? p->y_label : "");
    if (p->x_logarithmic)
        fputs("set logscale x\n", script);
    if (p->y_logarithmic)
        fputs("set logscale y\n", script);
    write_range(script, "x", p->x_from, p->x_to);
    write_range(script, "y", p->y_from, p->y_to);
    for (size_t i = 1; i < p->count; i++) {
        fprintf(script, "%s$data using 1:%zu with lines linewidth 1.5 title \"", i > 1 ? ", " : "plot ", i + 1);
        picture_text(script, p->names[i]);
        fputs("\"", script);
    }
    fputs("\n", script);
}

/* Characters, where there is no gnuplot. */
static enum kn_status draw_in_terminal(const struct script *s, const struct control_picture *p)
{
    struct plot_options o = {.width = 100, .height = 30, .utf8 = terminal_utf8()};
    struct kn_column *columns = calloc(p->count, sizeof *columns);
    double *row = calloc(p->count, sizeof *row);
    struct kn_sink sink = {0};
    enum kn_status status = columns && row ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; status == KN_OK && i < p->count; i++)
        columns[i] = (struct kn_column){p->names[i], p->quantities[i]};
    const struct kn_table table = {p->title ? p->title : "", p->title ? p->title : "", columns, p->count, 1, 0};
    if (status == KN_OK)
        status = terminal_plot_sink(s->screen, &o, s->job->messages.diagnostics, &sink);
    if (status == KN_OK)
        status = sink.begin(sink.context, &table);
    for (size_t k = 0; status == KN_OK && k < p->rows; k++) {
        for (size_t i = 0; i < p->count; i++)
            row[i] = p->columns[i][k];
        status = sink.row(sink.context, row);
    }
    if (status == KN_OK)
        status = sink.end(sink.context, status);
    sink_free(&sink);
    free(columns);
    free(row);
    return status;
}

/* "amp.raw" -> "amp.plot1.svg" */
static const char *own_name(struct script *s, char *path, size_t size)
{
    char name[256];
    const char *result = s->outputs[0].path, *slash = strrchr(result, '/');
    const char *base = strcmp(result, "-") == 0 ? "knoten" : slash ? slash + 1 : result, *dot = strrchr(base, '.');
    const int stem = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));
    snprintf(name, sizeof name, "%.*s.plot%d.svg", stem < 200 ? stem : 200, base, ++s->pictures);
    return place(s, name, path, size);
}

static enum kn_status draw(void *context, const struct control_picture *p)
{
    struct script *s = context;
    char made[4096], program[] = "gnuplot", script[] = "-";
    char *const arguments[] = {program, script, NULL};
    const char *why = p->file ? NULL : own_name(s, made, sizeof made), *path = p->file ? p->file : made;
    const struct drawing d = {p, path};
    if (why) {
        diagnostics_add(s->job->messages.diagnostics, KN_ERROR, "control", p->where, NULL,
                        "the picture is not written: %s", why);
        return KN_ERROR_IO;
    }
    interrupt_hold();
    const enum picture_outcome outcome = picture_draw(arguments, write_drawing, &d, path);
    progress_clear(s->job->progress);
    if (outcome == PICTURE_DRAWN && !s->quiet)
        fprintf(stderr, "knoten: the plot is in %s\n", path);
    const enum kn_status drawn = outcome == PICTURE_NO_PROGRAM ? draw_in_terminal(s, p) : KN_OK;
    interrupt_let();
    if (outcome == PICTURE_NO_PROGRAM && p->file)
        diagnostics_add(s->job->messages.diagnostics, KN_WARNING, "control", p->where, "install gnuplot",
                        "gnuplot is not installed, so '%s' is not written", path);
    if (outcome != PICTURE_FAILED)
        return drawn;
    diagnostics_add(s->job->messages.diagnostics, KN_ERROR, "control", p->where, NULL, "gnuplot could not draw %s",
                    path);
    return KN_ERROR_IO;
}

enum kn_status script_run(struct script *s, const struct kn_options *options, struct kn_sink *sink,
                          struct kn_summary *summary)
{
    const struct control_hooks hooks = {s, print, place, note_read, draw};
    const struct control_request request = {s->job->read, options, &hooks, s->job->messages.diagnostics, sink, summary};
    const enum kn_status status = control_run(&request);
    for (size_t i = 0; i < s->read_count; i++)
        free((char *)s->read[i].path);
    free(s->read);
    fflush(s->screen);
    return status;
}
