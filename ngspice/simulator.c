/* simulator.c - see simulator.h. */
#include "ngspice/simulator.h"

#include "ngspice/partner.h"
#include "ngspice/telling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The interface asks for it. */
struct simulator *simulator_here(void)
{
    static struct simulator one = {.lock = PTHREAD_MUTEX_INITIALIZER};
    return &one;
}

locale_t simulator_enter(struct simulator *s)
{
    return s->numbers ? uselocale(s->numbers) : (locale_t)0;
}

void simulator_leave(locale_t before)
{
    if (before)
        uselocale(before);
}

/* ---- text ---- */

void simulator_say(struct simulator *s, const char *stream, const char *text)
{
    char *line = malloc(strlen(stream) + strlen(text) + 2);
    if (line && s->host.text) {
        strcpy(line, stream);
        strcat(strcat(line, " "), text);
        s->host.text(line, s->host.ident, s->host.user);
    }
    free(line);
}

/* The first whole line of what has been printed, taken out; NULL: there is none. */
static char *take_line(struct simulator *s)
{
    char *line = NULL, *end = s->line ? strchr(s->line, '\n') : NULL;
    if (end) {
        *end = '\0';
        line = strdup(s->line);
        memmove(s->line, end + 1, strlen(end + 1) + 1);
    }
    return line;
}

static bool keep_text(struct simulator *s, const char *text)
{
    const size_t before = s->line ? strlen(s->line) : 0;
    char *longer = realloc(s->line, before + strlen(text) + 1);
    if (!longer)
        return false;
    s->line = longer;
    strcpy(longer + before, text);
    return true;
}

static void print(void *context, const char *text)
{
    struct simulator *s = context;
    pthread_mutex_lock(&s->lock);
    keep_text(s, text);
    for (char *line; (line = take_line(s));) {
        pthread_mutex_unlock(&s->lock);
        simulator_say(s, "stdout", line);
        free(line);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

/* What `echo -n` has left. */
static void flush_text(struct simulator *s)
{
    pthread_mutex_lock(&s->lock);
    const bool rest = s->line && *s->line;
    pthread_mutex_unlock(&s->lock);
    if (rest)
        print(s, "\n");
}

/* PySpice takes lines that begin with "stderr" and go on with anything but Warning: for errors, and those that begin with
 * "stdout" and have the word error in them: so notes are warnings, too. */
static void tell(void *context, const struct kn_diagnostic *item)
{
    static const char *const words[] = {[KN_NOTE] = "Warning: note", [KN_WARNING] = "Warning", [KN_ERROR] = "Error"};
    struct simulator *s = context;
    const char *word = words[item->severity];
    const struct kn_location *at = &item->where;
    const bool typed = at->file && strcmp(at->file, "command") == 0;
    const size_t size =
        strlen(item->text) + (item->hint ? strlen(item->hint) : 0) + (at->file ? strlen(at->file) : 0) + 80;
    char *line = malloc(size);
    if (!line)
        return;
    if (at->file && at->line > 0 && !typed)
        snprintf(line, size, "%s: %s:%d: %s", word, at->file, at->line, item->text);
    else
        snprintf(line, size, "%s: %s", word, item->text);
    simulator_say(s, "stderr", line);
    if (item->hint) {
        snprintf(line, size, "%s:   %s", word, item->hint);
        simulator_say(s, "stderr", line);
    }
    free(line);
}

/* ---- analyses ---- */

static void send_status(struct simulator *s, const char *text)
{
    char copy[80];
    snprintf(copy, sizeof copy, "%s", text);
    if (s->host.status)
        s->host.status(copy, s->host.ident, s->host.user);
}

static void progress(void *context, double fraction)
{
    struct simulator *s = context;
    char text[80];
    if (fraction < 0)
        return;
    snprintf(text, sizeof text, "%.40s: %.1f%%", telling_kind(s->telling), 100 * fraction);
    send_status(s, text);
}

static void begins(void *context, const struct plot *p)
{
    struct simulator *s = context;
    telling_begin(s->telling, s, p);
    events_begin(s, p);
}

static void row(void *context, const struct plot *p)
{
    struct simulator *s = context;
    telling_send(s->telling, s, p);
    events_send(s, p);
}

static void runs(void *context, bool running)
{
    struct simulator *s = context;
    if (!running)
        send_status(s, "--ready--");
    if (s->host.running)
        s->host.running(!running, s->host.ident, s->host.user);
}

/* ---- from the beginning to the end ---- */

static bool begin_session(struct simulator *s)
{
    return session_open(&s->request, &s->session) == KN_OK;
}

bool simulator_open(struct simulator *s)
{
    if (s->session)
        return true;
    s->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    s->telling = telling_new();
    snprintf(s->version, sizeof s->version,
             "******\n** ngspice-39 as a library, which is knoten %s\n** XSPICE code models: those of knoten\n******\n",
             kn_version());
    s->options = (struct kn_options){.progress = progress, .context = s};
    s->hooks = (struct control_hooks){.context = s, .print = print};
    s->watch = (struct session_watch){s, tell, begins, row, runs};
    s->request = (struct session_request){
        .options = &s->options, .hooks = &s->hooks, .watch = &s->watch, .version = s->version, .dialect = "ngspice"};
    partner_connect(s);
    return s->telling && begin_session(s);
}

bool simulator_restart(struct simulator *s)
{
    session_close(s->session);
    s->session = NULL;
    s->stop_count = 0;
    return begin_session(s);
}

/* The host decides what becomes of the process; meanwhile there is a simulator without circuits. */
static int quit(struct simulator *s)
{
    simulator_say(s, "stdout", "Note: 'quit' asks the program to let go of the library");
    const bool again = simulator_restart(s);
    if (s->host.leave)
        s->host.leave(again ? 0 : 1, false, true, s->host.ident, s->host.user);
    return 1;
}

int simulator_answer(struct simulator *s, enum session_answer answer, const char *command)
{
    char text[200];
    switch (answer) {
    case SESSION_BUSY:
        snprintf(text, sizeof text, "Warning: '%.80s' is not obeyed while an analysis runs; bg_halt holds it up",
                 command);
        simulator_say(s, "stderr", text);
        break;
    case SESSION_QUIT:
        flush_text(s);
        return quit(s);
    case SESSION_DONE:
    case SESSION_FAILED: /* which has been told */
    case SESSION_MORE:
        flush_text(s);
        break;
    }
    return 0;
}
