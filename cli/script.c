/* script.c - see script.h. */
#include "cli/script.h"

#include "base/array.h"
#include "cli/interrupt.h"
#include "cli/pictures/picture_file.h"
#include "control/control.h"
#include "output/pictures/chart_terminal.h"

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

static bool is_ordered(const double *x, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(x[i] >= x[i - 1]))
            return false;
    return true;
}

/* The unit of all vectors; "": they have several. */
static const char *unit_of(const struct control_picture *p)
{
    for (size_t i = 2; i < p->count; i++)
        if (p->quantities[i] != p->quantities[1])
            return "";
    return p->count > 1 ? chart_unit(p->quantities[1]) : "";
}

/* All vectors in one panel; false without memory. */
static bool make_chart(const struct control_picture *p, struct chart *c)
{
    const char *unit = unit_of(p);
    const struct chart_panel as = {.x = {p->x_label ? p->x_label : p->names[0],
                                         p->x_label ? "" : chart_unit(p->quantities[0]), p->x_logarithmic, p->x_from,
                                         p->x_to},
                                   .y = {p->y_label ? p->y_label
                                         : *unit    ? chart_quantity(p->quantities[1])
                                                    : "",
                                         p->y_label ? "" : unit, p->y_logarithmic, p->y_from, p->y_to},
                                   .disordered = !is_ordered(p->columns[0], p->rows)};
    struct chart_panel *panel = chart_add_panel(c, &as);
    bool good = panel != NULL;
    for (size_t i = 1; good && i < p->count; i++)
        good = chart_add_trace(
            c, panel,
            &(struct chart_trace){
                .name = p->names[i], .x = p->columns[0], .y = p->columns[i], .count = p->rows, .colour = (int)i - 1});
    return good;
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

/* By gnuplot, and where there is none in characters. */
static enum kn_status draw_chart(struct script *s, const struct control_picture *p, const struct chart *c,
                                 const char *path)
{
    interrupt_hold();
    const enum picture_outcome outcome =
        picture_file_draw(c, path, &(struct picture_look){.width = 900, .height = 650});
    progress_clear(s->job->progress);
    if (outcome == PICTURE_DRAWN && !s->quiet)
        fprintf(stderr, "knoten: the plot is in %s\n", path);
    const struct plot_options o = {.width = 100, .height = 30, .utf8 = terminal_utf8()};
    const enum kn_status drawn = outcome == PICTURE_NO_PROGRAM ? chart_terminal(c, &o, s->screen) : KN_OK;
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

static enum kn_status draw(void *context, const struct control_picture *p)
{
    struct script *s = context;
    char made[4096];
    const char *why = p->file ? NULL : own_name(s, made, sizeof made), *path = p->file ? p->file : made;
    if (why) {
        diagnostics_add(s->job->messages.diagnostics, KN_ERROR, "control", p->where, NULL,
                        "the picture is not written: %s", why);
        return KN_ERROR_IO;
    }
    struct chart c;
    struct arena *a = arena_new();
    chart_init(&c, a, p->title ? p->title : "");
    const enum kn_status status = a && make_chart(p, &c) ? draw_chart(s, p, &c, path) : KN_ERROR_MEMORY;
    arena_free(a);
    return status;
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
