/* deck_reader.h - the deck as a tree of levels: the deck itself and, inside it, subcircuit definitions.
 *
 * Statements are sorted by what they define; nothing is evaluated yet.  expand.h turns the tree into the flat circuit.
 */
#ifndef NETLIST_DECK_DECK_READER_H
#define NETLIST_DECK_DECK_READER_H

#include "base/hash.h"
#include "base/names.h"
#include "netlist/circuit.h"
#include "netlist/deck/deck.h"
#include "netlist/deck/deck_variant.h"
#include "netlist/dialect.h"

struct level;

/* A part of .if .. .elseif .. .else .. .endif: it counts in an instance where its condition is the first that is true.
 * Nothing is known of that when the deck is read, so of what has a name there may be one in each branch. */
struct condition {
    struct condition *outer;       /* around the whole; NULL: none */
    const struct condition *first; /* of the same block, that of .if */
    struct condition *next;        /* of the same block; NULL: it is the last */
    const struct item *expression; /* NULL: .else */
    int depth;                     /* inside of so many others */
    const struct level *level;     /* whose parameters the condition knows */
    struct kn_location where;
    size_t number; /* in its level, from 0 */
};

/* An error in a part of an included file that may never be used: it counts where the part is. */
struct fault {
    const char *code, *hint, *text;
    struct kn_location where;
    struct fault *next;
};

struct model_card {
    const char *name, *type;
    const struct condition *branch;
    struct model_card *other; /* of the same name, in another branch; NULL: there is none */
    struct statement *statement;
    struct item *settings;       /* first item behind the type, inside the parentheses if there are any */
    bool broken;                 /* has been reported; uses of it are not */
    size_t number;               /* in the deck, from 0 */
    struct fault *faults;        /* not reported yet */
    const char *base;            /* AKO: the model whose settings count where the card has none; or NULL */
    struct model_card *next_bin; /* of a name with a number behind it, nch.1: the next one of nch; or NULL */
};

struct function_card {
    const char *name;
    const struct condition *branch;
    struct function_card *other;
    const char **arguments;
    size_t argument_count;
    struct item *body;
    struct kn_location where;
    struct function_card *next;
};

/* name = value of a .param card or of a subcircuit's head. */
struct parameter_card {
    struct item *name; /* its value is the right side */
    const struct condition *branch;
    struct parameter_card *other;
    bool broken;
    struct parameter_card *next;
};

/* name="text" of a .param card. */
struct text_card {
    const struct item *parameter; /* its value is the text */
    struct text_card *next;
};

/* The deck, or a .subckt. */
struct level {
    const char *name;         /* NULL for the deck */
    struct kn_location where; /* of the name */
    struct level *parent;
    struct condition *branch; /* of the parent */
    struct level *other;      /* of the same name, in another branch */
    size_t branch_count;      /* of its own */
    int depth;
    bool broken; /* its head has an error, which has been reported or is among the faults */
    struct fault *faults;

    const char **ports;
    size_t port_count;
    const struct item *
        *optional; /* [port_count]: of PSpice's optional ports the node without one given; NULL: none is */
    struct name_table *port_table; /* name -> pointer into ports, the first of this name */
    bool has_bound_ports; /* a port is named 0 or like another one, so that not every node can be connected to it */

    struct parameter_card *defaults, **defaults_end; /* of the head */
    struct parameter_card *parameters, **parameters_end;
    struct function_card *functions, **functions_end;
    struct text_card *texts;            /* the last one first */
    struct name_table *parameter_table; /* name -> struct parameter_card, those of the head too */
    struct name_table *function_table;  /* name -> struct function_card */
    struct statements elements;
    struct statements cards;     /* dot cards that each expansion reads */
    struct name_table *models;   /* name -> struct model_card */
    struct name_table *bins;     /* nch -> the first struct model_card of nch.1, nch.2 ..; NULL: there are none */
    struct name_table *children; /* name -> struct level */

    /* Found before expansion (expand_check.c). */
    enum { LEVEL_NEW, LEVEL_BUSY, LEVEL_CHECKED } state;
    bool by_text;          /* a text that an instance is given names a subcircuit within */
    size_t flat_elements;  /* in one instance */
    size_t flat_instances; /* subcircuits in one instance, at all depths */
    bool unusable;         /* recursive or too large */
    size_t number;         /* in the deck, from 0 */
};

/* A deck that has been read stays as it is.  Each expansion works on a copy of this head, with memory, messages and
 * errors of its own, and finds what it learns about items, statements and the like by their numbers. */
struct deck {
    const struct catalogue *catalogue;
    const struct deck_card *cards;      /* ends with a NULL name */
    struct arena *scratch;              /* statements; in an expansion what dies when the circuit is made */
    struct arena *arena;                /* names that circuits share; in an expansion the circuit's own */
    struct kn_diagnostics *diagnostics; /* in the order found */
    struct kn_diagnostics *listener;    /* the caller's, who gets them in the order of the text; may be NULL */
    const char *file;
    const char *title;
    enum dialect dialect;
    const char *dialect_evidence;     /* what told it; NULL: nobody had to look */
    struct kn_location dialect_where; /* where that stands */
    bool grounds_by_name;             /* gnd! and ground are node 0: .preprocess replaceground */
    bool failed;                      /* there was an error */
    bool out_of_memory;
    struct level *top, *current;
    struct condition *branch;   /* of .if, in which the next statement stands */
    struct name_table *globals; /* .global names */
    struct name_table *joined;  /* .connect: name -> the name that stands for it */
    size_t suggestions_left;    /* names that may still be compared for "did you mean" */
    size_t statement_count;     /* those of sections that do not count among them */
    const char
        *told_twice; /* the file, not the deck's own, of which it was said last that something is defined twice */
    struct deck_counts counts;
    size_t model_count, level_count;
    struct model_card *last_model; /* the last one read */
    struct control_line *control, **control_end;
    struct statements stimuli;       /* of .stimulus, which sources name */
    struct statements distributions; /* of .distribution, which tolerances name */
    bool has_texts;                  /* some level has */
    bool has_bases;                  /* a model leaves its type to what it is a kind of */
    bool has_vectors;                /* of a caller, which .measure may measure */
    struct statement *machine;       /* the .machine whose lines are being read; NULL: none */
    struct statements machine_lines; /* its .state, .rule and .output */
    size_t machine_number;           /* of those in the deck so far */
    struct statement *open_data;     /* the table of .data whose rows are being read; NULL: none */
    struct item *data_end;           /* its last item */

    /* Variants of the deck. */
    struct deck_variant variant;
    size_t alter_count, block_count;              /* .alter blocks; those that have begun */
    bool is_altered;                              /* one has */
    size_t block;                                 /* number of the statement that began the last */
    const struct item *step_file, *step_sections; /* of .step lib; NULL: there is none */
    size_t section_count;
    struct kn_location step_where;

    /* Files being read. */
    const struct item *wanted, *wanted_section; /* the file to read next, and its section; NULL: none, all of it */
    size_t files_read;
    size_t bytes_read;
    uint64_t fingerprint;                    /* of the texts of all files */
    struct open_file *open_file;             /* innermost */
    const struct included_file *included;    /* in the arena */
    const struct included_file *source_path; /* folders of .sourcepath, the last one first */
};

struct open_file {
    const char *name;
    struct open_file *parent;
    int depth;
    bool defines_only; /* elements outside of subcircuits are not read, as in LTspice's and PSpice's .lib */
    bool said_so;
    bool has_sections;          /* it is a library of .lib section .. .endl */
    struct name_table *defined; /* the subcircuits and models of an included file; NULL: it defines no subcircuit */
    const char *section;        /* the one that counts; NULL: what stands outside of them */
    int section_depth;          /* between so many .lib section and .endl .. */
    int chosen_depth;           /* .. and that of this number is the section that counts; 0: none of them */
    bool section_found;
    const char *sections; /* their names so far, for messages; NULL: none yet */
};

/* Whether what stands here outside of all sections of a library is read, whichever is asked for: of all programs Xyce alone does.
 * An .include there asks for the same section. */
static inline bool deck_reads_outside(const struct deck *k)
{
    return k->open_file->section_depth == 0 && k->dialect == DIALECT_XYCE;
}

/* Whether what stands here in an open file is read: it may belong to another section. */
static inline bool deck_counts(const struct deck *k)
{
    const struct open_file *f = k->open_file;
    return f->chosen_depth > 0 || (f->section_depth == 0 && !f->section) || deck_reads_outside(k);
}

/* ---- messages (deck_report.c) ---- */

/* Adds an error; returns false. */
bool deck_fail(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
    KN_PRINTF(5, 6);
void deck_warn(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
    KN_PRINTF(5, 6);
void deck_note(struct deck *k, const char *code, struct kn_location where, const char *format, ...) KN_PRINTF(4, 5);
/* Hands all messages on to the listener, sorted by place. */
void deck_hand_on(struct deck *k);
/* A note that something is taken as the deck's dialect has it, and why the deck is thought to be one of it:
 * "'.tran 10m': a single time is the stop time". */
void deck_note_dialect(struct deck *k, const char *code, struct kn_location where, const char *what);
/* The same as a warning: what stands there does nothing. */
void deck_warn_dialect(struct deck *k, const char *code, struct kn_location where, const char *what);
/* Remembers that memory is exhausted; returns false. */
bool deck_no_memory(struct deck *k);

/* Between these two, errors become warnings: what they are about is left out of the run. */
struct leniency {
    struct kn_diagnostics *diagnostics; /* of the deck outside */
    bool failed;
};
/* False without memory. */
bool deck_begin_lenient(struct deck *k, struct leniency *l);
/* consequence: "this measurement fails", said with each error. */
void deck_end_lenient(struct deck *k, struct leniency *l, const char *consequence);

/* ---- errors in what may not be used (deck_faults.c) ---- */

/* While an included file is read: who gets messages outside, and those of its text that belong to no statement yet. */
struct fault_watch {
    struct kn_diagnostics *outside, *taken;
    const struct kn_diagnostic **parsed; /* of scanner and grammar, in the order of the lines */
    struct kn_diagnostics *parsed_list;
    size_t parsed_count, next;
    struct level *level; /* in front of the statement that is being taken, and whether there were errors .. */
    bool failed;
};
/* From here messages go to the watch; false without memory. */
bool deck_watch_begin(struct deck *k, struct fault_watch *w);
/* What has been said so far is about the text. */
bool deck_watch_parsed(struct deck *k, struct fault_watch *w);
/* Around what takes a statement: what is wrong with it becomes a fault of its subcircuit or model, if it stands in one. */
void deck_watch_before(struct deck *k, struct fault_watch *w, const struct statement *s);
void deck_watch_behind(struct deck *k, struct fault_watch *w, const struct statement *s);
void deck_watch_end(struct deck *k, struct fault_watch *w);
/* Whether a line of a library outside of its subcircuits is a remark that nobody has marked as one. */
bool deck_is_prose(const struct deck *k, const struct statement *s);
/* An error that counts where the part of the deck is used to which it belongs. */
void deck_add_fault(struct deck *k, struct fault **list, const struct kn_diagnostic *m);
/* Reports faults as the errors they are. */
void deck_report_faults(struct deck *k, const struct fault *f);

/* "did you mean '..'?" or NULL. */
const char *deck_did_you_mean(struct deck *k, const char *name, const char *const *candidates, size_t count);
const char *deck_did_you_mean_in(struct deck *k, const char *name, const struct name_table *table);
/* Whether so many names may still be compared. */
bool deck_may_compare(struct deck *k, size_t count);
/* "deck.cir:12" */
const char *deck_place(struct deck *k, struct kn_location where);
/* "did you mean 1.5k?" where an item and the next were written 1,5k; NULL otherwise. */
const char *deck_decimal_comma(struct deck *k, const struct item *i);
/* The same for the item in front of i among those from first on, their values included. */
const char *deck_decimal_comma_before(struct deck *k, const struct item *first, const struct item *i);
/* An item as the user wrote it, for "found '..'". */
const char *item_text(const struct item *i);
/* An item that is a word of this spelling. */
bool item_is(const struct item *i, const char *word);
size_t item_count(const struct item *first);

/* ---- levels and cards ---- */

struct expansion;
struct instance;

/* When an expansion reads what is kept; within a phase in the order of the text. */
enum card_phase {
    PHASE_NEVER,       /* all is said when the deck is read */
    PHASE_OPTIONS,     /* the first three are read at the deck's own level only */
    PHASE_TEMPERATURE, /* behind options, which may give one, too */
    PHASE_ANALYSES,
    PHASE_NODE_VALUES, /* inner instances first, so that the last value of a node is the outermost */
    PHASE_VECTORS,
    PHASE_SPECTRA, /* of transients */
    PHASE_MEASURES
};

typedef void card_taker(struct deck *k, struct statement *s);
typedef void card_reader(struct expansion *x, struct instance *at, struct statement *s);

/* A kind of dot card: one row of netlist/cards.def. */
struct deck_card {
    bool any_handed_on;    /* stands for all cards that the catalogue hands on */
    const char *name;      /* ".tran" */
    unsigned of;           /* DIALECT_BIT of the programs that have it; 0: all */
    const char *doc;       /* one line; NULL: another name of the row above, or one that is only reported */
    const char *analysis;  /* the word for it on cards of results, .print tran ..; NULL: it is none */
    bool no_vectors;       /* whose results are not chosen by .print */
    card_taker *take;      /* when the deck is read */
    enum card_phase phase; /* and, where that keeps it, in an expansion */
    card_reader *read;
};

struct level *level_new(struct deck *k, const char *name, struct kn_location where, struct level *parent);
/* The subcircuit of this name that is visible from a level, or NULL. */
struct level *level_find(const struct level *from, const char *name);

/* Puts a statement where it belongs (deck_cards.c). */
void deck_take(struct deck *k, struct statement *s);
/* The name of the dot card nearest to a word without its dot, or NULL. */
const char *deck_card_without_dot(const struct deck *k, const char *word);
/* The analysis that a word in front of vectors means, or NULL; one that nobody reads does not run. */
const struct deck_card *deck_analysis(const struct deck *k, const struct item *word);
/* That of the nearest word, or NULL. */
const struct deck_card *deck_closest_analysis(const struct deck *k, const char *word);
/* Kept for expansions: at the level where the card stands, or with the deck wherever it does. */
card_taker deck_keep, deck_keep_with_deck;
/* The same, but left out with a warning in a subcircuit: there would be one for each instance, all of one name. */
card_taker deck_keep_outside;
card_taker deck_take_model, deck_take_function, deck_take_parameters, deck_take_subcircuit, deck_take_ends,
    deck_take_global, deck_take_connect, deck_take_data, deck_take_data_end, deck_take_alter, deck_take_deletion,
    deck_take_title, deck_take_stimulus, deck_take_distribution, deck_take_preprocess, deck_skip, deck_ignore,
    deck_skip_endc;
/* .if and what belongs to it (deck_conditions.c). */
card_taker deck_take_if, deck_take_elseif, deck_take_else, deck_take_endif;
/* An error where a branch that has begun in the level has no end there. */
void deck_check_branches(struct deck *k, struct condition *outside);

/* Leaves the statements of the deck's own text that belong to the variant. */
void deck_choose_variant(struct deck *k, struct statements *list);
/* The section of a library that is read instead of the one on the card. */
const struct item *deck_chosen_section(const struct deck *k, const struct item *file, const struct item *section);
/* An element of the current level; in .alter in place of one of its name. */
void deck_add_element(struct deck *k, struct statement *s);
/* In .alter: analyses of this kind from in front of the block are no more. */
void deck_replace_cards(struct deck *k, const struct statement *s);

/* A table that is still open at the end of the deck is an error. */
void deck_check_data(struct deck *k);
/* The same for .machine (deck_machine.c). */
void deck_check_machine(struct deck *k);
/* Parameters that only .step knows get its first value, when all of the deck is read. */
void deck_take_stepped_parameters(struct deck *k);

/* .param name="text", and all texts in the places where their names stand (deck_texts.c). */
void deck_take_text(struct deck *k, const struct item *parameter);
/* A value or{and} that is nothing but names of texts and texts in quotes becomes the text they make together. */
void deck_join_texts(struct deck *k, struct item *parameter);
void deck_put_texts(struct deck *k);

/* Types of models that leave them to what they are a kind of (deck_bases.c). */
void deck_take_types(struct deck *k);

/* Items of a card that the deck does not have (deck_items.c). */
struct item_row {
    struct deck *k;
    const struct item *like; /* whose place they have */
    struct item_list list;
};
/* One more; NULL without memory, also where the text is, which is told in the deck. */
struct item *deck_push_item(struct item_row *r, enum item_kind kind, const char *text);
/* The card of these items, in the place of another; NULL without memory. */
struct statement *deck_statement_of(struct item_row *r, const struct statement *like);

/* LTspice's inductors on cores of Chan become ones on cores of Jiles and Atherton; false where it is none (deck_cores.c). */
bool deck_take_core(struct deck *k, struct statement *s);

/* x2 at the end of a card of R, C or L, behind its value: LTspice's m=2. */
void deck_take_count(struct deck *k, struct item *i);

/* (1 2) behind an item becomes 1 2. */
void deck_open_group(struct item *before);
/* No number is a name: E1 a 0 b 0 = {gain}, as libraries of LTspice have it, are four nodes and a gain. */
void deck_part_numbers(struct item *first);
/* R1 a b 1k tc = 1m 1u, with blanks in place of commas. */
void deck_join_coefficients(struct item *first);

/* A warning where the title looks like a card that was meant to be read (deck_title.c). */
void deck_check_title(struct deck *k, const struct circuit *c);

/* ---- files (deck_files.c) ---- */

/* Reads a text as the deck, and what it includes. */
/* Finds the dialect by what the text has that one program only understands (deck_dialect.c). */
void deck_find_dialect(struct deck *k, const char *text, size_t length);
/* Folders to look into that no card names: those of KNOTEN_LIBRARIES, and where LTspice keeps its own. */
void deck_use_libraries(struct deck *k);
enum kn_status deck_read_main(struct deck *k, const char *text, size_t length);
/* .include, .lib and .endl say what to read in their place (deck_include.c). */
card_taker deck_take_machine, deck_take_machine_line, deck_take_machine_end;
card_taker deck_take_include, deck_take_states, deck_take_library, deck_take_library_end, deck_take_source_path;
/* The path of a file that a card at `where` names, whether there is one or not; NULL without memory (deck_search.c). */
const char *deck_find_file(struct deck *k, const char *name, struct kn_location where);
/* The same without a word. */
const char *deck_look_for_file(struct deck *k, const char *name, struct kn_location where);
/* The text of a file, to be freed, that may be included here, or a section of it; false with an error (deck_open.c). */
bool deck_open_included(struct deck *k, const char *path, const char *section, struct kn_location where, char **text,
                        size_t *length);
bool deck_note_included(struct deck *k, const char *path);
/* Puts files that begin or end in the middle of a card into the text; false without memory (deck_splice.c). */
bool deck_splice(struct deck *k, struct deck_text *t);
/* Whether a file is one of those that come with the program whose deck this is. */
bool deck_is_own_library(const struct deck *k, const char *path);
/* A text in UTF-16 becomes one in UTF-8 in the arena; false without memory (deck_decode.c). */
bool deck_decode(struct arena *a, const char **text, size_t *length);
/* The sources that a file of HSPICE's vectors is, as a netlist to be freed; NULL with an error.  It changes the text
 * (deck_vectors.c). */
char *deck_vectors(struct deck *k, const char *path, char *text, struct kn_location card, size_t *length);
/* The program that alone can read this text, which ends with a NUL, or parts of it; NULL: it is plain (deck_decode.c). */
const char *deck_encrypted_for(const char *text);
/* The whole of a file with a zero byte behind it; to be freed.  KN_ERROR_IO with *reason set.  Of a text lines end with a newline. */
enum kn_status deck_load(const char *path, char **text, size_t *length, const char **reason);
enum kn_status deck_load_bytes(const char *path, char **bytes, size_t *length, const char **reason);

#endif
