/* session.h - commands that come one by one: those of a prompt, and of programs that load knoten as ngspice.
 *
 * What they make stays: circuits, plots, variables, values that alter has changed.  Analyses are at work in a thread of their
 * own (runner.h) and can be held up; those that begin with bg_ do not keep the caller waiting.  Functions may be called from
 * any thread.
 */
#ifndef CONTROL_SESSION_SESSION_H
#define CONTROL_SESSION_SESSION_H

#include "control/control.h"
#include "control/vectors/plots.h"

struct session;

/* What the host of a session hears, in the thread of the command or of the analysis; NULL: it does not want to. */
struct session_watch {
    void *context;
    void (*tell)(void *context, const struct kn_diagnostic *item);
    /* Of an analysis: a table begins, a row has come, it runs in the background or does not any more. */
    void (*begins)(void *context, const struct plot *p);
    void (*row)(void *context, const struct plot *p);
    void (*runs)(void *context, bool running);
};

struct session_request {
    const struct kn_options *options; /* `interrupted` holds an analysis up; may be NULL */
    const struct control_hooks *hooks;
    const struct session_watch *watch;
    struct kn_sink *sink; /* gets every table, too; NULL: nobody does */
    const char *version;  /* what `version` prints, lines */
    const char *dialect; /* of circuits, as kn_circuit_read_file_as takes it; NULL: what they tell, or set ngbehavior */
};

enum session_answer {
    SESSION_DONE,
    SESSION_FAILED, /* which has been told */
    SESSION_MORE,   /* a block is open: the lines up to its `end` are obeyed together */
    SESSION_BUSY,   /* an analysis is at work: nothing but bg_halt is obeyed */
    SESSION_QUIT
};

/* What is pointed to must outlive it. */
enum kn_status session_open(const struct session_request *r, struct session **out);
void session_close(struct session *s);

/* One line, or several behind each other with `;`. */
enum session_answer session_command(struct session *s, const char *line);
/* Reads a circuit, which becomes the current one, and obeys its .control block.  name: in messages; folder of .include. */
enum session_answer session_circuit(struct session *s, const char *name, const char *text);
/* Lines of a block that has not ended are given up; whether there were any. */
bool session_forget_block(struct session *s);

/* Whether an analysis is at work. */
bool session_at_work(struct session *s);
/* The names of all commands that are not refused; NULL behind the last. */
const char *session_command_name(size_t i);
/* The block of a deck (control_obey): an analysis that a `stop` may hold up is at work in a thread of its own. */
enum kn_status session_run_deck(const struct control_request *r);

/* To be looked at while they are held. */
struct plots *session_plots(struct session *s);
/* NULL: there is none. */
const struct circuit *session_current(struct session *s);

#endif
