/* script.c - see script.h. */
#include "cli/script.h"

#include "base/array.h"
#include "cli/interrupt.h"
#include "cli/pictures/drawing.h"
#include "control/control.h"
#include "control/session/session.h"

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

static const char *place(void *context, const char *name, char *path, size_t size)
{
    const struct script *s = context;
    const char *result = s->outputs[0].path, *slash = strrchr(result, '/');
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
    char made[4096];
    const char *why = p->file ? NULL : own_name(s, made, sizeof made), *path = p->file ? p->file : made;
    if (why) {
        diagnostics_add(s->job->messages.diagnostics, KN_ERROR, "control", p->where, NULL,
                        "the picture is not written: %s", why);
        return KN_ERROR_IO;
    }
    interrupt_hold();
    const enum picture_outcome outcome = drawing_write(p, path);
    progress_clear(s->job->progress);
    if (outcome == PICTURE_DRAWN && !s->quiet)
        fprintf(stderr, "knoten: the plot is in %s\n", path);
    const enum kn_status drawn = outcome == PICTURE_NO_PROGRAM ? drawing_show(p, s->screen) : KN_OK;
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
    const struct control_request request = {.circuit = s->job->read,
                                            .options = options,
                                            .hooks = &hooks,
                                            .diagnostics = s->job->messages.diagnostics,
                                            .sink = sink,
                                            .summary = summary};
    const enum kn_status status = session_run_deck(&request);
    for (size_t i = 0; i < s->read_count; i++)
        free((char *)s->read[i].path);
    free(s->read);
    fflush(s->screen);
    return status;
}
