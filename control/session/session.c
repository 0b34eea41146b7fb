/* session.c - see session.h. */
#include "control/session/session.h"

#include "base/diagnostics.h"
#include "control/analyse.h"
#include "control/devices.h"
#include "control/session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what the host hears ---- */

static void print(void *context, const char *text)
{
    struct session *s = context;
    session_tell(s);
    s->asked.hooks->print(s->asked.hooks->context, text);
}

static const char *place(void *context, const char *name, char *path, size_t size)
{
    const struct control_hooks *h = ((struct session *)context)->asked.hooks;
    if (h->place)
        return h->place(h->context, name, path, size);
    return snprintf(path, size, "%s", name) >= (int)size ? "it is too long" : NULL;
}

static void reads(void *context, const char *path)
{
    const struct control_hooks *h = ((struct session *)context)->asked.hooks;
    if (h->reads)
        h->reads(h->context, path);
}

static enum kn_status draw(void *context, const struct control_picture *p)
{
    struct session *s = context;
    session_tell(s);
    return s->asked.hooks->draw(s->asked.hooks->context, p);
}

static void tell_one(void *context, const struct kn_diagnostic *item)
{
    const struct session_watch *w = ((struct session *)context)->asked.watch;
    if (w->tell && !session_has_heard(context, item))
        w->tell(w->context, item);
}

static void begins(void *context, const struct plot *p)
{
    struct session *s = context;
    stops_begin(&s->stops);
    if (s->asked.watch->begins)
        s->asked.watch->begins(s->asked.watch->context, p);
}

static void tell_stop(struct session *s, const struct plot *p, const char *why)
{
    char text[160];
    double at = 0;
    const struct vector_kept *scale = p->scale < p->count ? &p->vectors[p->scale] : NULL;
    if (scale && scale->count > 0 && !scale->is_complex)
        at = scale->real[scale->count - 1];
    snprintf(text, sizeof text, "%s: held up at %s = %.6g", why, scale ? scale->name : "row", at);
    tell_one(s, &(struct kn_diagnostic){KN_NOTE, "held-up", NOWHERE, text, "resume lets it go on", NULL});
}

static bool row(void *context, const struct plot *p)
{
    struct session *s = context;
    char why[80];
    if (s->asked.watch->row)
        s->asked.watch->row(s->asked.watch->context, p);
    if (!stops_reached(&s->stops, &s->state.plots, p, why, sizeof why))
        return false;
    tell_stop(s, p, why);
    return true;
}

static void stands(void *context)
{
    const struct session *s = context;
    if (s->background && s->asked.watch->runs)
        s->asked.watch->runs(s->asked.watch->context, false);
}

static double stop_time(void *context, double time)
{
    struct session *s = context;
    pthread_mutex_lock(&s->lock);
    const double next = stops_next_time(&s->stops, time);
    pthread_mutex_unlock(&s->lock);
    return next;
}

/* ---- analyses ---- */

static enum kn_status perform(void *performer, struct job *j)
{
    struct session *s = performer;
    plots_let(&s->state.plots);
    session_tell(s);
    runner_abandon(&s->runner);
    enum kn_status status = KN_OK;
    session_announce(s);
    s->changes_at_hold = s->state.changes_made;
    status = runner_start(&s->runner, j, s->asked.sink, s->request.diagnostics);
    if (status == KN_OK)
        status = session_attend(s);
    plots_hold(&s->state.plots);
    return status;
}

bool session_at_work(struct session *s)
{
    return runner_state(&s->runner) == RUNNER_AT_WORK;
}

/* An analysis that is at work, held up; waits for it. */
static void hold_up(struct session *s)
{
    if (!session_at_work(s))
        return;
    runner_hold(&s->runner);
    runner_wait(&s->runner);
}

/* ---- one command after the other ---- */

/* False while another one is obeyed or an analysis is at work, also for commands out of what it tells. */
static bool enter(struct session *s)
{
    const bool at_work = session_at_work(s) || runner_is_here(&s->runner);
    pthread_mutex_lock(&s->lock);
    const bool free_now = !s->busy && !at_work;
    s->busy |= free_now;
    pthread_mutex_unlock(&s->lock);
    if (!free_now)
        return false;
    session_collect(s);
    plots_hold(&s->state.plots);
    return true;
}

static enum session_answer leave(struct session *s, bool good)
{
    const bool quits = s->state.quit;
    s->state.quit = s->state.left = s->state.again = false;
    s->state.command = NULL;
    s->state.status = KN_OK;
    plots_let(&s->state.plots);
    session_tell(s);
    pthread_mutex_lock(&s->lock);
    s->busy = false;
    pthread_mutex_unlock(&s->lock);
    return quits ? SESSION_QUIT : good ? SESSION_DONE : SESSION_FAILED;
}

enum session_answer session_circuit(struct session *s, const char *name, const char *text)
{
    if (!enter(s))
        return SESSION_BUSY;
    return leave(s, circuits_load(s, name, text));
}

/* ---- lines ---- */

/* The line as commands of one each: `;` divides it where no quotes are open. */
static char *divided(const char *line)
{
    char *out = strdup(line);
    bool quoted = false;
    for (char *c = out; c && *c; c++) {
        quoted ^= *c == '"';
        if (*c == ';' && !quoted)
            *c = '\n';
    }
    return out;
}

static int depth_of(const char *text)
{
    int depth = 0;
    while (*text) {
        depth += script_opens(text);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return depth;
}

/* Behind the lines of an open block, whose place `text` takes. */
static char *joined(struct session *s, char *text)
{
    if (!s->block || !text)
        return text;
    char *both = malloc(strlen(s->block) + strlen(text) + 2);
    if (both) {
        strcpy(both, s->block);
        strcat(strcat(both, "\n"), text);
    }
    free(s->block);
    s->block = NULL;
    free(text);
    return both;
}

static enum session_answer obey_line(struct session *s, const char *line)
{
    const char *rest = line;
    if (script_word(&rest, "circbyline"))
        return circuits_add_line(s, rest) ? SESSION_DONE : SESSION_FAILED;
    char *text = joined(s, divided(line));
    if (!text)
        return SESSION_FAILED;
    if (depth_of(text) > 0) {
        s->block = text;
        return SESSION_MORE;
    }
    const bool good = session_obey(s, "command", text, true);
    free(text);
    return good ? SESSION_DONE : SESSION_FAILED;
}

/* bg_run and the like: what is behind bg_. */
static bool take_background(const char **line)
{
    const char *at = *line + strspn(*line, " \t");
    const bool background = strncasecmp(at, "bg_", 3) == 0;
    *line = background ? at + 3 : *line;
    return background;
}

enum session_answer session_command(struct session *s, const char *line)
{
    const bool background = take_background(&line);
    const char *rest = line;
    if (background && (script_word(&rest, "halt") || script_word(&rest, "pstop"))) {
        hold_up(s);
        return SESSION_DONE;
    }
    if (!enter(s))
        return SESSION_BUSY;
    s->background = background;
    const enum session_answer answer = obey_line(s, line);
    const enum session_answer left = leave(s, answer != SESSION_FAILED);
    return answer == SESSION_MORE ? SESSION_MORE : left;
}

bool session_forget_block(struct session *s)
{
    const bool open = s->block != NULL;
    free(s->block);
    s->block = NULL;
    return open;
}

const char *session_command_name(size_t i)
{
    if (i < session_command_count)
        return session_commands[i].name;
    const char *name = NULL;
    for (size_t k = 0, left = i - session_command_count + 1; left > 0 && (name = command_name(k)); k++) {
        const struct command_kind *kind = command_find(name);
        left -= !kind || kind->run;
    }
    return name;
}

/* ---- from the beginning to the end ---- */

struct plots *session_plots(struct session *s)
{
    return &s->state.plots;
}

const struct circuit *session_current(struct session *s)
{
    return s->current ? s->current->read->circuit : NULL;
}

static void wire(struct session *s)
{
    const bool draws = s->asked.hooks->draw != NULL;
    s->hooks = (struct control_hooks){s, print, place, reads, draws ? draw : NULL};
    s->request = (struct control_request){.options = s->asked.options,
                                          .hooks = &s->hooks,
                                          .diagnostics = s->diagnostics,
                                          .sink = s->asked.sink,
                                          .summary = &s->summary,
                                          .perform = perform,
                                          .performer = s,
                                          .more = session_commands,
                                          .more_count = session_command_count};
    s->state.request = &s->request;
    s->state.anywhere = true;
    s->state.device_value = devices_value;
    s->state.draws.seed = 1;
    s->watch = (struct runner_watch){s, tell_one, begins, row, stands, stop_time};
}

enum kn_status session_open(const struct session_request *r, struct session **out)
{
    struct session *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    s->asked = *r;
    s->diagnostics = kn_diagnostics_new();
    s->state.arena = arena_new();
    wire(s);
    bool good = s->diagnostics && s->state.arena && pthread_mutex_init(&s->lock, NULL) == 0;
    if (good && runner_open(&s->runner, &s->state.plots, r->options, &s->watch) != KN_OK) {
        pthread_mutex_destroy(&s->lock);
        good = false;
    }
    if (!good) {
        arena_free(s->state.arena);
        kn_diagnostics_free(s->diagnostics);
        free(s);
        return KN_ERROR_MEMORY;
    }
    *out = s;
    return plots_open(&s->state.plots, true);
}

void session_close(struct session *s)
{
    if (!s)
        return;
    runner_close(&s->runner);
    state_close_results(&s->state);
    analyse_forget_circuit(&s->state);
    circuits_close(s);
    stops_free(&s->stops);
    plots_close(&s->state.plots);
    pthread_mutex_destroy(&s->lock);
    arena_free(s->state.arena);
    kn_diagnostics_free(s->diagnostics);
    free(s->block);
    free(s->netlist);
    free(s);
}
