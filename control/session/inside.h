/* inside.h - what a session knows, for its commands. */
#ifndef CONTROL_SESSION_INSIDE_H
#define CONTROL_SESSION_INSIDE_H

#include "control/commands.h"
#include "control/script/state.h"
#include "control/session/runner.h"
#include "control/session/session.h"
#include "control/session/stops.h"

/* A circuit that has been read, and what alter and save have said about it. */
struct loaded {
    struct kn_circuit *read;
    char *text; /* NULL: it is in a file */
    struct kn_diagnostics *diagnostics;
    struct change *changes;
    size_t change_count, change_capacity;
    const char *saved;
    struct arena *memory;     /* of the following */
    struct name_table *heard; /* what reading it has said; analyses read it again, and say it again */
    struct loaded *next;      /* read before it */
};

struct session {
    struct session_request asked;
    struct control_hooks hooks; /* those asked for, messages before text */
    struct control_request request;
    struct kn_summary summary;
    struct kn_diagnostics *diagnostics; /* where there is no circuit */
    struct state state;
    struct loaded *circuits, *current; /* the newest one first */
    struct loaded *removed;            /* by remcirc, the last one: mc_source reads it again; NULL: none */
    struct runner_watch watch;
    struct runner runner;
    struct stops stops;
    size_t changes_at_hold; /* commands that have changed values while an analysis is held up */
    pthread_mutex_t lock;   /* of busy and the list of stops */
    bool busy;              /* a command is being obeyed */
    atomic_bool background; /* the analysis at work does not keep its caller waiting */
    char *block;            /* lines of a block that has not ended */
    char *netlist;          /* lines of circbyline */
};

/* The session whose command runs. */
struct session *session_of(const struct state *s);
/* Gives the host messages that it has not heard yet. */
void session_tell(struct session *s);
/* Whether the host knows this from the reading of the circuit. */
bool session_has_heard(const struct session *s, const struct kn_diagnostic *item);
/* From now on it knows what there is to be told now. */
void session_tell_reading(struct session *s);

/* Obeys commands; typed: `source` reads circuits, too.  With the plots held. */
bool session_obey(struct session *s, const char *name, const char *text, bool typed);
bool session_obey_lines(struct session *s, struct arena *a, const struct control_line *lines, bool typed);

/* Of analyses.  Tells the host that one is at work in the background. */
void session_announce(struct session *s);
/* Waits for it, unless it is in the background: its outcome, or KN_INTERRUPTED where the host holds it up. */
enum kn_status session_attend(struct session *s);
/* Lets one go on that is held up.  With the plots held. */
enum kn_status session_go_on(struct session *s);
/* What has ended: its outcome. */
enum kn_status session_collect(struct session *s);

/* circuits.c: false with the errors told.  With the plots held. */
/* Reads a circuit and obeys its .control block; text NULL: name is a file. */
bool circuits_load(struct session *s, const char *name, const char *text);
bool circuits_add_line(struct session *s, const char *line);
void circuits_close(struct session *s);
bool circuits_source(struct state *s, const char *rest);
/* Of a deck: a netlist by its path. */
bool circuits_source_netlist(struct state *s, const char *path);
bool circuits_remove(struct state *s, const char *rest);
/* The one that was removed last is the current one again; false: there is none. */
bool circuits_take_back(struct session *s);
bool circuits_choose(struct state *s, const char *rest);

/* The commands of sessions that .control blocks have not, or have otherwise. */
extern const struct command_kind session_commands[];
extern const size_t session_command_count;
/* Those of them that blocks of decks have, too: what holds analyses up. */
extern const struct command_kind session_deck_commands[];
extern const size_t session_deck_command_count;

#endif
