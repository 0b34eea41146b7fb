/* state.h - what a running script knows, and what all commands do with it. */
#ifndef CONTROL_SCRIPT_STATE_H
#define CONTROL_SCRIPT_STATE_H

#include "control/control.h"
#include "control/script/script.h"
#include "control/vectors/formula.h"
#include "control/vectors/plots.h"

#include <stdio.h>

struct variable {
    const char *name;
    const char *const *words; /* [count] a list has several, a flag none */
    size_t count;
    bool set; /* false: unset */
};

struct change {
    struct override override;
    bool pending; /* of alterparam, until reset */
};

/* A raw file that `write` goes on with. */
struct open_result {
    const char *path;
    struct kn_sink sink;
    struct open_result *next;
};

struct state;

/* What obeys a command, whose line goes on with rest; false: with an error said. */
typedef bool command_function(struct state *s, const char *rest);

struct state {
    const struct control_request *request;
    struct arena *arena;   /* as long as the script */
    struct arena *scratch; /* as long as a command */
    struct plots plots;
    struct variable *variables;
    size_t variable_count, variable_capacity;
    /* As formulas want it (formula.h), with the state for its context. */
    bool (*device_value)(void *state, const struct plot *p, const char *name, struct values *out);
    const struct definition *definitions;
    const struct definition *of_cards; /* those of them that .func cards make */
    struct vector_draws draws;
    struct change *changes;
    size_t change_count, change_capacity;
    size_t changes_made;     /* by commands, so far */
    struct circuit *altered; /* the circuit with the changes, for those who ask for its values; NULL: nobody has */
    const char *saved;       /* vectors of `save`; NULL: those of the deck */
    const char *mentioned;   /* quantities of elements that the script asks for; NULL: none */
    const char *asked;       /* all quantities, "@m1[gm] @r1[i]"; NULL: none */
    const char
        *asides; /* of these, what the analysis that begins is to tell the last value of (asides.h); NULL: none */
    const char *factors; /* of elements, "r1:m,i1:m", whose sensitivities it asks for; NULL: none */
    const char *made;    /* names of the vectors that it makes; NULL: none */
    struct open_result *results;
    const struct command *command; /* the one that runs */
    FILE *redirected;              /* where its text goes; NULL: to the screen */
    bool dry;                      /* commands are looked at, nothing is run */
    bool dry_only;                 /* that is all, as the deck has errors */
    bool sourced;                  /* dry: behind a netlist that is to be read, of which nothing is known */
    bool asks;                     /* for an analysis, by a command so far */
    bool analysed;                 /* something has been */
    bool unfinished;               /* the last one failed */
    int copies;                    /* of the circuit, that mc_source has read */
    bool removed;                  /* all have been, by remcirc */
    bool forgiving;                /* what the command lacks is no error of the script */
    bool anywhere;                 /* commands of a person, who may write there; those of a deck choose no folder */
    bool quit, left, again;        /* leave the script; the loop; its turn */
    const char *label;             /* of goto, where the script goes on; NULL: behind this command */
    int pictures;
    enum kn_status status;
    size_t failures;        /* how many commands have failed */
    enum kn_status failure; /* of the first command that failed, behind which the script goes on */
};

/* Says an error about the command that runs; returns false. */
bool state_fail(struct state *s, const char *hint, const char *format, ...) KN_PRINTF(3, 4);
void state_warn(struct state *s, const char *hint, const char *format, ...) KN_PRINTF(3, 4);
bool state_no_memory(struct state *s);
/* Of a script that is only looked at: this vector will be there. */
bool state_note_vector(struct state *s, const char *name);
/* Text of the command that runs. */
void state_print(struct state *s, const char *format, ...) KN_PRINTF(2, 3);
bool state_interrupted(const struct state *s);

/* ---- variables ---- */

const struct variable *state_variable(const struct state *s, const char *name);
bool state_is_set(const struct state *s, const char *name);
/* The number of a variable of one word; `otherwise` where it has none. */
double state_number(const struct state *s, const char *name, double otherwise);
bool state_set(struct state *s, const char *name, const char *const *words, size_t count);
void state_unset(struct state *s, const char *name);

/* ---- formulas ---- */

struct formula state_formula(struct state *s, const char *text);
/* False with the error said. */
bool state_evaluate(struct state *s, const char *text, struct values *out);
bool state_evaluate_next(struct state *s, struct formula *f, struct values *out, const char **begin);
/* One number that is not 0. */
bool state_condition(struct state *s, const char *text, bool *out);
bool state_evaluate_number(struct state *s, const char *text, double *out);

/* ---- files ---- */

/* The path of a file beside the output, in the arena; NULL with the error said. */
const char *state_place(struct state *s, const char *name);
/* A file beside the output; NULL with the error said. */
FILE *state_open(struct state *s, const char *name, bool append);
bool state_close(struct state *s, FILE *f, const char *name);

/* Closes the raw files of `write`. */
void state_close_results(struct state *s);

/* The next word of a text, without quotes, in the scratch arena; NULL: there is none. */
const char *state_word(struct state *s, const char **text);

/* The numbers of .csparam become vectors of the plot const, and functions of .func those of formulas; NULL: of no deck. */
bool state_take_deck(struct state *s, const struct kn_circuit *c);

#endif
