/* simulator.h - the one simulator of a process that loads knoten as ngspice, and its host.
 *
 * The interface has no handle, so there is one of it per process.  The host may call from any thread; what it is called for
 * comes in the thread of the command or of the analysis, with nothing locked.
 */
#ifndef NGSPICE_SIMULATOR_H
#define NGSPICE_SIMULATOR_H

#include "control/session/session.h"
#include "ngspice/names.h"
#include "ngspice/shared.h"

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>

/* Of the host; any may be NULL. */
struct host {
    shared_text *text;
    shared_status *status;
    shared_exit *leave;
    shared_take_row *row;
    shared_take_plot *plot;
    shared_running *running;
    void *user;
    shared_source *voltage, *current;
    shared_synchronise *synchronise;
    int ident;
    shared_take_event *event;
    shared_take_node *node;
    void *event_user;
};

struct telling; /* what callbacks are handed (telling.h) */

/* A node of logic whose states the host hears of. */
struct watched_node {
    char *name;
    size_t vector; /* of the plot at work; its count: it is not in there */
    char *state;   /* told last; NULL: none */
};

struct simulator {
    struct host host;
    struct session *session; /* NULL before ngSpice_Init */
    struct session_request request;
    struct kn_options options;
    struct kn_partner partner; /* the host, in transients */
    double step;               /* s, the last one that was tried */
    struct control_hooks hooks;
    struct session_watch watch;
    bool bare; /* the circuit that the host has handed over has no elements */
    struct telling *telling;
    struct watched_node *watched; /* [watched_count] of the thread of the analysis */
    size_t watched_count;
    char version[300];
    atomic_bool probes; /* the circuit that the host has handed over asks by .probe */
    char *folder;       /* of ngCM_Input_Path */
    locale_t numbers;   /* with a point in them, whatever the host's language */

    pthread_mutex_t lock;  /* of the following */
    char *line;            /* text so far that is no whole line yet */
    struct name_pool pool; /* names handed out */
    char **plots, **vectors, **nodes;
    double *stops; /* s, of ngSpice_SetBkpt */
    size_t stop_count, stop_capacity;
    struct shared_events events;
    struct shared_event *event_items;
    size_t event_capacity;
};

/* Whose functions the host calls. */
struct simulator *simulator_here(void);
/* Makes it ready; false without memory. */
bool simulator_open(struct simulator *s);
/* Forgets circuits, plots and variables. */
bool simulator_restart(struct simulator *s);

/* A line of text to the host; stream: "stdout" or "stderr". */
void simulator_say(struct simulator *s, const char *stream, const char *text);
/* What a command or a circuit has come to; 1 where a circuit has errors or the host is to let go. */
int simulator_answer(struct simulator *s, enum session_answer answer, const char *command);

/* events.c, in the thread of the analysis: a plot begins, a row has come. */
void events_begin(struct simulator *s, const struct plot *p);
void events_send(struct simulator *s, const struct plot *p);

/* Around what the host calls: numbers are read and written with a point meanwhile. */
locale_t simulator_enter(struct simulator *s);
void simulator_leave(locale_t before);

#endif
