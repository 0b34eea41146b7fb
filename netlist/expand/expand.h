/* expand.h - from the tree of levels to the flat circuit.
 *
 * Every instance of a subcircuit is a walk through its element statements with the instance's own path, ports and
 * parameters.  First all elements get their numbers, nodes and constants; then, when every name is known, what refers
 * to other elements or nodes is resolved: controlling elements, expressions, .ic, .print, .save.
 */
#ifndef NETLIST_EXPAND_EXPAND_H
#define NETLIST_EXPAND_EXPAND_H

#include "netlist/deck/deck_reader.h"
#include "netlist/expand/vector.h"
#include "netlist/netlist.h"

/* A model as one instance sees it. */
struct made_model {
    struct model model; /* first, so that an element's model pointer leads back here */
    size_t index;
    struct made_model *next;
};

struct instance {
    struct expansion *x;
    struct instance *parent; /* NULL for the deck */
    struct level *level;
    const char *path; /* "x1.x2.", "" for the deck */
    struct scope *scope;
    const struct statement *call; /* NULL for the deck */
    const int *ports;             /* node number of each port */
    double multiplicity;          /* m=, those of outer instances included */
    unsigned char *branches;      /* [level->branch_count] what is known of them; NULL: nothing yet */
};

/* What must wait until all names are known. */
struct pending {
    struct element *element;
    struct statement *statement;
    const struct instance *at;
    struct item **controls; /* names of controlling elements or coupled inductors .. */
    int *numbers;           /* .. and where their numbers go: the element's control_elements */
    size_t control_count;
    const struct expression_tree *law;
    const struct response *response; /* the law is what this makes of the tree's value, .. */
    const char *part;                /* .. and this is what it is called: "laplace"; else NULL */
    struct pending *next;
};

/* An element of ports, where some may have logic states. */
struct logic_use {
    struct element *element;
    const struct instance *at;
};

/* How a node is used; whoever names it counts. */
enum node_use {
    USE_TERMINAL, /* of an element */
    USE_DRIVEN,   /* of an element that determines a voltage */
    USE_CONTROL,  /* by a controlled source or a law */
    USE_PORT,     /* connected to a port of a subcircuit */
    USE_REQUEST,  /* .print, .ic and the like */
    USES
};

struct node_uses {
    unsigned count[USES];
};

enum { ITEM_PAGE = 256 }; /* 4 KiB, a page of memory */

/* What an expansion has found out about an item, and about a model card. */
struct item_state {
    const struct expression_tree *tree;     /* made from the item's text on first use */
    const struct expression_tree *constant; /* the same of what is a number before anything is simulated */
    bool broken;                            /* it has none, or is wrong otherwise, and this has been reported */
    bool hides;                             /* that it hides a parameter of the deck has been reported */
};

struct model_state {
    bool broken; /* has been reported; uses of it are not */
    /* The model it became last, NULL before first use, and for which instance; one whose settings are no expressions is
     * that of all instances.  Instances of one subcircuit are expanded one after the other. */
    const struct model *made;
    const struct instance *made_for; /* NULL: all */
    struct draws_owner made_by;      /* the element alone that it is for; no kind: all */
};

/* Who asks for a model that is being made, and what its tolerances have drawn (formulas/tolerances.c). */
struct model_user {
    struct draws_owner element;
    bool has_own;      /* deviations that other elements do not share */
    unsigned drawn;    /* so many */
    size_t toleranced; /* the setting whose value they are around */
    double nominal;
};

/* An element whose model was chosen by its sizes. */
struct binned {
    const char *element;
    struct instance *at;
    struct statement *statement;
    const struct item *model;
};

struct expansion {
    struct deck *deck; /* a head of its own */
    struct circuit *circuit;
    const struct overrides *overrides; /* may be NULL */
    struct draws draws;
    bool *override_used; /* [overrides->count] */
    /* By the numbers that these have in the deck: */
    struct item_state **items; /* in pages of ITEM_PAGE, made where one is asked for: few of a .data table are */
    bool *failed;              /* a statement's meaning has an error, which has been reported */
    bool *looked_into;         /* the subcircuit of an X card's statement was expanded for one of its instances */
    struct model_state *models;
    struct model_user user;
    struct shared_deviation *shared_deviations;
    bool *parameters_checked; /* errors in a level's parameters have been reported */
    struct element *elements;
    size_t element_count, element_capacity;
#define LIST(type, items, count) struct vector items;
#include "netlist/circuit_lists.def"
#undef LIST
    struct vector uses;           /* struct node_uses, of the first nodes */
    struct vector programs;       /* const struct expression *: all that name nodes */
    struct vector settings;       /* struct setting; of the card being read */
    struct vector words;          /* struct item *; of the card being read */
    struct vector numbers;        /* double; of the card being read */
    struct vector points;         /* double; of the file being read */
    struct vector states;         /* struct element *; those that formulas need, not among the elements yet */
    const char *formula_owner;    /* element whose formula is being compiled; NULL: that of a card */
    struct vector logic;          /* struct logic_use; those with logic states */
    struct vector later;          /* struct instance *; those with dot cards */
    struct vector binned;         /* struct binned; where other values count */
    struct vector name;           /* char; a name with its instance path */
    struct name_table *instances; /* path, "x1." -> struct instance */
    struct made_model *first_model, **models_end;
    size_t model_count;
    struct pending *first_pending, *last_pending;
    bool ampere_noted, mega_noted, milliohm_noted, femtofarad_noted, ota_noted, distribution_noted;
    bool asks_frequency; /* a law has hertz in it, first here: */
    struct kn_location frequency_where;
    /* Errors already reported, whose consequences are not reported as well: */
    bool missing_nodes;    /* an unknown node may be one of an element that could not be read */
    bool missing_instance; /* an unknown name with a path may be one of an instance that could not be expanded */
};

/* A copy of the item is the last of them; false without memory. */
bool expand_add(struct expansion *x, struct vector *to, const void *item);

/* Makes the circuit of a deck.  Errors set deck->failed or deck->out_of_memory. */
void expand_deck(struct deck *k, const struct overrides *overrides, struct circuit *c);

/* ---- values that count instead of the deck's (expand_overrides.c) ---- */

/* Whether a parameter of an instance has such a value. */
bool expand_override_parameter(struct expansion *x, const struct instance *at, const char *name, double *value);
/* Models of elements by sizes, which may be others now (expand_bins.c). */
void expand_choose_bins_again(struct expansion *x);
/* The numbers of an override in the place of a source's waveform (sources/). */
bool expand_override_waveform(struct expansion *x, struct element *e, const struct override *o);
/* One of them by its name in the form of the waveform, va of SIN; *found: there is one of that name. */
bool expand_override_waveform_number(struct expansion *x, struct element *e, const struct override *o, bool *found);
/* Makes the points of a bit pattern anew, where the element has one. */
bool expand_finish_pattern(struct expansion *x, struct element *e);
/* Its place among them; -1. */
int expand_waveform_number(const struct element *e, const char *name);
/* Those of options join x->settings; *celsius becomes that of the temperature. */
void expand_override_options(struct expansion *x);
void expand_override_temperature(struct expansion *x, double *celsius);
/* Those of a model change x->settings. */
void expand_override_model(struct expansion *x, const char *name);
/* Those of elements, when all are made; what of all overrides names nothing is an error. */
void expand_override_elements(struct expansion *x);
/* A setting of an element, in place of what its card says. */
bool expand_set_on_element(struct expansion *x, struct element *e, const char *name, double value);

/* Sets flat_elements of all levels in use and reports recursion and sizes beyond the limit (expand_check.c). */
void expand_check(struct deck *k);
/* The word of an X card that names the subcircuit, or {name} of a text; NULL. */
struct item *expand_instance_name(const struct statement *s);

/* The first kind of a statement's letter, or NULL (expand_elements.c). */
const struct element_kind *expand_kind(const struct deck *k, const struct statement *s);

/* Whether what stands in a branch of .if counts in an instance of its level, or in one inside (expand_conditions.c). */
bool expand_counts(struct instance *at, const struct condition *b);
/* The instance around an instance where the text of its subcircuit stands, which need not be the one that calls it; NULL: it is the deck. */
struct instance *expand_surroundings(struct instance *at);
/* The subcircuit of a name that an instance sees, or NULL. */
struct level *expand_level(struct instance *at, const char *name);

/* Makes the elements of an instance, subcircuits in it included (expand_elements.c, expand_instance.c). */
void expand_elements(struct expansion *x, struct instance *at);

/* Pairs of two columns of a file, counted from 0, lines of numbers as programs write them (formulas/points.c); NULL with
 * an error. */
const double *expand_columns_of(struct expansion *x, const struct item *file, const size_t columns[2], size_t *count);
/* Bridges where logic and other elements meet at a node (ports/bridges.c). */
bool expand_bridges(struct expansion *x);
/* Marks the nodes of an element that have a voltage, which those with a state of logic have not; false without memory. */
bool expand_mark_voltages(struct expansion *x, const struct element *e, bool *has_voltage);
/* Sources for PSpice's digital power where the deck has none (ports/supplies.c). */
enum { MOST_SUPPLIES = 4 };
bool expand_supplies(struct expansion *x);

/* What .options rshunt, gshunt and cshunt put between each node and ground, behind all other elements (additions/shunts.c). */
void expand_shunts(struct expansion *x);
/* A resistor from the first node to ground where nothing else leads there, in decks of LTspice and KiCad; with a warning. */
void expand_ground(struct expansion *x);

/* ---- names (expand_names.c) ---- */

/* Node of a name as an instance sees it; makes it where it is new.  -1 without memory. */
int expand_node(struct expansion *x, const struct instance *at, const struct item *name);
/* The same without making one: -1 if there is no such node. */
int expand_find_node(struct expansion *x, const struct instance *at, const char *name);
/* Whether an unknown name may be the fault of an error already reported. */
bool expand_excuses_node(const struct expansion *x, const char *name);
bool expand_excuses_element(const struct expansion *x, const char *name);
/* An instance of a subcircuit by its path, x1.x2 or x1:x2, as another one sees it; NULL. */
const struct instance *expand_find_instance(struct expansion *x, const struct instance *at, const char *name);
struct element *expand_find_element(struct expansion *x, const struct instance *at, const char *name);
/* The nearest name as the user would write it in this instance, or NULL. */
const char *expand_closest_node(struct expansion *x, const struct instance *at, const char *name);
const char *expand_closest_element(struct expansion *x, const struct instance *at, const char *name);
/* A new element named by the first word of a statement; reports duplicates.  NULL without memory. */
struct element *expand_new_element(struct expansion *x, const struct instance *at, const struct element_kind *kind,
                                   struct statement *s);
/* A part of an element as an element or node of its own, "x1.l1#rser"; a node without a part has the element's own name.
 * NULL, -1 without memory. */
struct element *expand_new_part(struct expansion *x, const struct element *e, char letter, const char *part,
                                struct kn_location where);
int expand_new_internal_node(struct expansion *x, const struct element *e, const char *part, struct kn_location where);
/* Names besides those of the circuit: results of measurements, vectors of results; see struct expression_resolver. */
struct name_finders {
    void *context;
    int (*result)(void *context, const char *name);
    int (*vector)(void *context, const char *name);
    bool has_frequency; /* of results over the frequency */
};
/* Compiles a tree of voltages and currents as an instance sees it; NULL with an error.  finders may be NULL
 * (formulas/compile.c). */
const struct expression *expand_compile(struct expansion *x, const struct instance *at,
                                        const struct expression_tree *tree, const struct name_finders *finders);

/* ---- what nodes are used for (expand_uses.c) ---- */

void expand_use_node(struct expansion *x, int node, enum node_use use);
/* Nodes that only unused ports of subcircuits know are taken out of everything made so far. */
void expand_drop_unused(struct expansion *x);
/* A note about nodes that a single element knows. */
void expand_note_single(struct expansion *x);

/* ---- values (expand_values.c) ---- */

/* The tree of an item's text, parsed on first use; NULL if it has none, which has been reported. */
const struct expression_tree *expand_tree(struct expansion *x, const struct item *i);
/* The same of an item that stands for a number (expression_parse_constant). */
const struct expression_tree *expand_constant_tree(struct expansion *x, const struct item *i);
/* The tree of a text of the deck, anew each time; NULL after an error. */
const struct expression_tree *expand_parse(struct expansion *x, const char *text, size_t length,
                                           struct kn_location where);
/* Number of a word or constant expression; false with an error otherwise. */
bool expand_value(struct expansion *x, const struct instance *at, struct item *i, double *value);
/* True for a word that is no number but could be a name of a parameter. */
bool item_is_name(const struct item *i);
/* Appends a setting of this name to x->settings. */
bool expand_push_setting(struct expansion *x, const char *name, struct kn_location where, struct setting value);
/* Appends the settings `name=value`, `name=a,b` (name, name2) or a bare name stands for to x->settings. */
bool expand_setting(struct expansion *x, const struct instance *at, struct item *i);
/* The number that stands behind a name without `=`, as SPICE2 has it: .model q npn bf 20; NULL where there is none. */
struct item *expand_value_behind(const struct item *i);
bool expand_setting_with_blank(struct expansion *x, const struct instance *at, struct item *i, struct item *value);
/* name=[1 2 3] of a model card: whether the value begins one, and the setting; *i becomes the last item of the list. */
bool expand_begins_list(const struct item *value);
bool expand_list_setting(struct expansion *x, const struct instance *at, struct item **i);
/* Moves x->settings into the circuit's arena. */
bool expand_keep_settings(struct expansion *x, const struct setting **settings, size_t *count);

/* ---- scopes and models (expand_models.c) ---- */

/* Defines the parameters and functions of a level in an instance's scope. */
void expand_scope(struct expansion *x, struct instance *at);
/* Defines one of them, which is evaluated in that scope. */
/* The value of a parameter, which may be a text. */
const struct expression_tree *expand_value_tree(struct expansion *x, const struct item *value);
bool expand_parameter(struct expansion *x, struct instance *at, struct parameter_card *p);
/* Defines name = tree in an instance, evaluated in `home`, where an override does not know better. */
bool expand_define(struct expansion *x, const struct instance *at, const struct item *name,
                   const struct expression_tree *tree, const struct scope *home);
/* Evaluates them all, once for each level, so that errors in unused ones are seen. */
void expand_scope_check(struct expansion *x, struct instance *at);
/* The card of a model visible from an instance; *owner is the instance whose level defines it. */
struct model_card *expand_model_card(struct instance *at, const char *name, struct instance **owner);
/* Whether a card that is used has an error; one in a file that is included is said here, for its first use. */
bool expand_model_is_broken(struct expansion *x, const struct model_card *card);
/* DEV=5%, LOT 1m and the like behind a parameter, whose deviation is added to the last setting (formulas/tolerances.c). */
bool expand_begins_tolerance(const struct item *i);
bool expand_tolerance(struct expansion *x, const struct instance *owner, struct item **i);
/* The model of a card, whatever its type; NULL silently where it could not be read, which has been reported. */
const struct model *expand_made_model(struct expansion *x, struct instance *owner, struct model_card *card);
/* A model that no card defines, of an element that a card makes.  NULL without memory. */
const struct model *expand_model_of(struct expansion *x, const char *name, const char *type,
                                    const struct setting *settings, size_t count, struct kn_location where);
/* Xyce's device options for what the settings of a model card so far do not say (additions/least.c). */
bool expand_least_values(struct expansion *x, const char *type);
/* What to do about a model that is not there; in decks of KiCad it is a symbol's. */
const char *expand_model_hint(const struct expansion *x, const char *otherwise);
/* The model of this name for an element of the kind's letter; *kind becomes that of its type and level.  NULL with an
 * error, or silently where its card has one. */
const struct model *expand_model(struct expansion *x, struct instance *at, const struct item *name,
                                 const struct element_kind **kind);
/* Makes all models in the deck's own text, used or not; those of libraries are made where they are used. */
void expand_deck_models(struct expansion *x, struct instance *top);
bool expand_keep_models(struct expansion *x);

/* How long transients of the deck are, and how long the steps of ngspice may be in the longest: 0 without .tran.  In front of analyses. */
struct transient_times {
    double stop, step; /* s */
};
struct transient_times expand_transient_times(struct expansion *x, const struct instance *at);

/* ---- readers of dot cards (expand_analyses.c, expand_measure.c, netlist/requests/) ---- */

/* A file of a branch of .if that counts, which is not there. */
card_reader read_missing_file;
card_reader read_options, read_temperature, read_transient, read_operating_point, read_handed_on, read_data,
    read_command_values;
card_reader read_initial_values, read_guesses;
card_reader read_frequencies, read_ports, read_network, read_distortion;
void save_currents(struct expansion *x, const struct instance *top); /* .options savecurrents */
card_reader read_prints, read_saves, read_probes, read_transfer, read_noise,
    read_sensitivity; /* when all names are known */
card_reader read_measure, read_fourier, read_fft_card;

/* A card with an output and a source, for messages; form: how it is written. */
struct output_card {
    struct expansion *x;
    const struct instance *at;
    struct statement *statement;
    const char *form;
};
/* v(a), v(a,b) or i(r1): a voltage, or the current of an element. */
bool expand_output(const struct output_card *c, const struct item *function, struct request *out);
/* Number of a voltage or current source; name may be NULL. */
bool expand_source(const struct output_card *c, const struct item *name, int *source);

/* A card with frequencies, for messages. */
struct frequency_card {
    struct expansion *x;
    const struct instance *at;
    const char *card, *form; /* ".ac", and how it is written */
    struct kn_location end;
};
/* From the word dec, oct, lin or list on; *rest is what follows. */
bool expand_frequencies(const struct frequency_card *c, struct item *word, struct frequency_sweep *f,
                        struct item **rest);
/* The same where nothing but `sweep` and what is swept may follow. */
bool expand_only_frequencies(const struct frequency_card *c, struct item *word, struct frequency_sweep *f);

/* The card from the word `sweep` on; NULL without memory. */
const struct analysis_card *expand_outer_sweep(struct expansion *x, const struct instance *top, const char *card,
                                               struct item *sweep);

/* Whether the word stands for HSPICE's total power on cards that ask for results. */
bool expand_is_total_power(const struct expansion *x, const struct instance *at, const struct item *i);

/* Between the cards of options and those of temperatures, and behind these. */
void expand_take_options(struct expansion *x);
void expand_take_temperature(struct expansion *x, const struct instance *top);
/* What may stand in a signal besides voltages and currents. */
struct expansion_names {
    bool results;    /* of measurements before it */
    bool of_phasors; /* vdb(a) and the like */
    bool of_vectors; /* names of results of an analysis, which nobody can check now */
};
/* NULL: no memory, which has been said. */
struct item_state *expand_item_state(struct expansion *x, const struct item *i);
/* The items from first up to end (NULL: all) as an expression of voltages, currents and time; NULL with an error
 * (expand_signal.c). */
const struct expression *expand_signal(struct expansion *x, const struct instance *at, const struct item *first,
                                       const struct item *end, const struct expansion_names *names);
/* The same of a tree that a card means without writing it. */
const struct expression *expand_signal_tree(struct expansion *x, const struct instance *at,
                                            const struct expression_tree *tree);
/* The names of vectors of results in a tree, which nobody can check now. */
const struct expression *expand_vector(struct expansion *x, const struct instance *at,
                                       const struct expression_tree *tree);
/* It as the name of a column, without blanks and in lower case; NULL without memory. */
char *expand_label(struct expansion *x, const struct expression *e);
/* The item behind the vector that begins at i, on a card of them (netlist/requests/vectors.c). */
const struct item *expand_vector_end(const struct item *i);

#endif
