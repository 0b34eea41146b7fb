/* control.h - runs the .control blocks of a deck: ngspice's commands, one a line.
 *
 * Lines become a tree of commands (script/script.h), which is looked at as a whole before anything runs.  Analyses are run as cards
 * of the same deck (deck_with_cards), with what alter and its like have changed as overrides; their results are plots of
 * vectors (plots.h), with which formulas reckon (formula.h).  Nothing here prints: text goes to hooks, files are opened only
 * under names that a hook has let pass.
 */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "analyses/library.h"

/* A picture that a deck asks for. */
struct control_picture {
    const char *file;  /* beside the output; NULL: one is to be named, or the terminal used */
    const char *title; /* of the plot */
    const char *const *names;
    size_t count;                 /* of vectors; the first one is the scale */
    const double *const *columns; /* [count][rows] */
    size_t rows;
    const enum kn_quantity *quantities; /* [count] */
    bool x_logarithmic, y_logarithmic;
    double x_from, x_to, y_from, y_to; /* NaN: as the data are */
    const char *x_label, *y_label;     /* NULL: none given */
    struct kn_location where;
};

struct job;
struct command_kind;

struct control_hooks {
    void *context;
    void (*print)(void *context, const char *text);
    /* The path of a file that a deck may write, in the folder of its outputs, at most `size` bytes; else why not.  Of a
     * session NULL: its commands may write anywhere. */
    const char *(*place)(void *context, const char *name, char *path, size_t size);
    /* A file of commands that is read, which no output may overwrite.  Of a session NULL: nobody asks. */
    void (*reads)(void *context, const char *path);
    enum kn_status (*draw)(void *context, const struct control_picture *p); /* NULL: there are no pictures */
};

struct control_request {
    const struct kn_circuit *circuit; /* NULL: there is none */
    const char *text;                 /* of its deck; NULL: it is in the file of that name */
    const struct kn_options *options; /* may be NULL */
    const struct control_hooks *hooks;
    struct kn_diagnostics *diagnostics;
    struct kn_sink *sink; /* gets every table of every analysis */
    struct kn_summary *summary;
    /* Runs an analysis and frees it, perhaps later; NULL: it is run at once.  Called with the plots held. */
    enum kn_status (*perform)(void *performer, struct job *j);
    void *performer;
    const struct command_kind *more; /* [more_count] commands that go before others of their name */
    size_t more_count;
};

/* Whether the deck has commands: lines behind *# that are none are comments. */
bool control_wanted(const struct kn_circuit *c);
/* Whether commands of the deck write a file of that name. */
bool control_writes(const struct kn_circuit *c, const char *file);

struct state;
/* Runs the block with a state whose plots are open; its status is the outcome.  KN_ERROR_DECK: nothing was run, all that is
 * wrong with the block has been said.  A command that fails later ends the script, with KN_ERROR_CIRCUIT where no analysis has
 * a status of its own. */
void control_obey(struct state *s);

/* What faults_of_deck says of a deck with errors, and what is wrong with its block as far as that can be told then. */
void control_faults(const struct circuit *c, const struct deck *k, struct kn_diagnostics *d);

#endif
