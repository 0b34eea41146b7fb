/* prompt.c - `knoten -i DECK`: commands one by one, from a person or a file. */
#include "base/diagnostics.h"
#include "cli/command.h"
#include "cli/pictures/drawing.h"
#include "cli/prompt/editing.h"
#include "cli/prompt/words.h"
#include "control/session/session.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct common_settings common;
};

static const struct option options[] = {DIALECT_OPTION, QUIET_OPTION("errors and warnings only"), HELP_OPTION};

/* Ctrl-C holds up an analysis, and gives up a line that is being written. */
static atomic_bool interrupted; /* lock-free: set by a signal, read by the thread of the analysis */

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = true;
}

static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = note_interrupt}; /* without SA_RESTART: reading a line ends */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted;
}

struct prompt {
    struct progress progress;
    bool quiet;
};

/* ---- what a session needs ---- */

static void show_progress(void *context, double fraction)
{
    struct prompt *p = context;
    progress_show(&p->progress, fraction);
}

static void print(void *context, const char *text)
{
    struct prompt *p = context;
    progress_clear(&p->progress);
    fputs(text, stdout);
}

static void tell(void *context, const struct kn_diagnostic *item)
{
    struct prompt *p = context;
    if (p->quiet && item->severity == KN_NOTE)
        return;
    progress_clear(&p->progress);
    fflush(stdout);
    kn_diagnostic_write(item, stderr, terminal_colour(stderr));
}

static enum kn_status draw(void *context, const struct control_picture *picture)
{
    struct prompt *p = context;
    progress_clear(&p->progress);
    if (!picture->file && picture->rows < 2) {
        fprintf(stderr, "knoten: there is one number only, which print shows\n");
        return KN_OK;
    }
    if (!picture->file)
        return drawing_show(picture, stdout);
    switch (drawing_write(picture, picture->file)) {
    case PICTURE_DRAWN:
        if (!p->quiet)
            fprintf(stderr, "knoten: the picture is in %s\n", picture->file);
        return KN_OK;
    case PICTURE_NO_PROGRAM:
        fprintf(stderr, "knoten: gnuplot is not installed, so '%s' is not written\n", picture->file);
        return KN_ERROR_IO;
    case PICTURE_FAILED:
        break;
    }
    fprintf(stderr, "knoten: gnuplot could not draw '%s'\n", picture->file);
    return KN_ERROR_IO;
}

/* ---- lines ---- */

static const char *history_path(char *path, size_t size)
{
    const char *home = getenv("HOME");
    return home && *home && snprintf(path, size, "%s/.knoten_history", home) < (int)size ? path : NULL;
}

/* A line of a person, who has pressed Ctrl-C or not. */
static bool give_up_line(struct session *s, const struct editing *e)
{
    interrupted = false;
    if (editing_is_live(e))
        puts("");
    session_forget_block(s);
    return true;
}

static enum session_answer obey(struct prompt *p, struct session *s, const char *line)
{
    interrupted = false;
    progress_start(&p->progress, !p->quiet);
    const enum session_answer answer = session_command(s, line);
    progress_clear(&p->progress);
    fflush(stdout);
    if (interrupted)
        fprintf(stderr, "knoten: interrupted; resume lets an analysis go on that is held up\n");
    return answer;
}

/* Whether all commands could be obeyed. */
static bool obey_lines(struct prompt *p, struct session *s, struct editing *e)
{
    bool good = true, open = false;
    const char *line;
    for (;;) {
        const enum line_outcome outcome = editing_read(e, open ? "...... > " : "knoten > ", &line);
        if (outcome == LINE_INTERRUPTED || (outcome == LINE_ENDED && interrupted && editing_is_live(e))) {
            open = !give_up_line(s, e);
            continue;
        }
        if (outcome == LINE_ENDED)
            break;
        const enum session_answer answer = obey(p, s, line);
        open = answer == SESSION_MORE;
        good = good && answer != SESSION_FAILED;
        if (answer == SESSION_QUIT)
            return good;
    }
    if (editing_is_live(e))
        puts("");
    if (open)
        fprintf(stderr, "knoten: a block is not closed; 'end' is missing\n");
    return good && !open;
}

static int with_session(const struct settings *settings, struct prompt *p, struct session *s)
{
    char path[4096];
    struct words words = {.session = s};
    struct editing *e = editing_open(history_path(path, sizeof path), words_at, &words);
    bool good = e != NULL;
    if (e && editing_is_live(e) && !p->quiet)
        printf("knoten %s; help lists the commands, quit ends\n", kn_version());
    catch_interrupts();
    enum session_answer answer = SESSION_DONE;
    if (e && settings->common.deck)
        answer = session_circuit(s, settings->common.deck, NULL);
    good = good && answer != SESSION_FAILED;
    if (e && answer != SESSION_QUIT)
        good = obey_lines(p, s, e) && good;
    /* A person has seen what went wrong. */
    const int status = good || (e && editing_is_live(e)) ? EXIT_DONE : EXIT_FAILED;
    editing_close(e);
    words_free(&words);
    return status;
}

static int work(void *settings, struct job *unused)
{
    const struct settings *s = settings;
    char version[80];
    (void)unused;
    snprintf(version, sizeof version, "knoten %s\n", kn_version());
    struct prompt p = {.quiet = s->common.quiet};
    const struct kn_options o = {.interrupted = is_interrupted, .progress = show_progress, .context = &p};
    const struct control_hooks hooks = {.context = &p, .print = print, .draw = draw};
    const struct session_watch watch = {.context = &p, .tell = tell};
    const struct session_request request = {.options = &o,
                                            .hooks = &hooks,
                                            .watch = &watch,
                                            .version = version,
                                            .dialect = s->common.dialect ? dialect_words[s->common.dialect] : NULL};
    struct session *session;
    const enum kn_status opened = session_open(&request, &session);
    const int status = opened == KN_OK ? with_session(s, &p, session) : EXIT_FAILED;
    session_close(session);
    return status;
}

static const struct example examples[] = {
    {"echo 'op; print v(out)' | knoten -i rc.cir", "the operating point of a deck, and a number of it"}, {NULL, NULL}};

const struct command prompt_command = {
    .name = "prompt",
    .usage = "[options] [DECK]      (or: knoten -i DECK)",
    .summary = "obeys commands one by one, those of .control blocks: run, print, plot, alter, resume ..",
    .about = "Commands are typed, with a history and completion, or come from a pipe or a file. What they make stays\n"
             "until `quit`; `help` lists them. Ctrl-C holds an analysis up, which `resume` lets go on.",
    .exits = "0 done, 1 a command of a pipe or a file failed, 2 bad usage",
    OPTIONS_OF(struct settings, NULL),
    .work = work,
};
