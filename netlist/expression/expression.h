/* expression.h - the expression language of .param, .func, {...}, '...', B sources and charge laws.
 *
 * Text is parsed once into a tree (its own flex scanner and bison grammar).  A tree of parameters only is evaluated to
 * a number; a tree that mentions V(), I(), time or temper is compiled to a compact program, functions inlined and
 * constants folded, which is evaluated together with its exact derivatives (forward mode: every instruction carries
 * the gradient with respect to the program's variables; constant sub-expressions carry none).
 */
#ifndef NETLIST_EXPRESSION_EXPRESSION_H
#define NETLIST_EXPRESSION_EXPRESSION_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "netlist/dialect.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- text to tree ---- */

struct expression_tree; /* lives in the arena it was parsed into; keeps the location of every node */

/* Parses text[0..length) whose first character stands at `where`, with the operators of a dialect.  Errors go to d (with
 * the exact column); NULL then.  The tree keeps no pointer into text. */
const struct expression_tree *expression_parse(struct arena *arena, const char *text, size_t length,
                                               struct kn_location where, enum dialect dialect,
                                               struct kn_diagnostics *d);

/* The same as ngspice reads what is a number before anything is simulated, braces and .param: == and != bind as tight as < and >,
 * which in laws of sources they do not. */
const struct expression_tree *expression_parse_constant(struct arena *arena, const char *text, size_t length,
                                                        struct kn_location where, enum dialect dialect,
                                                        struct kn_diagnostics *d);

/* The same, of phasors: vm( ) vdb( ) vp( ) vr( ) vi( ) vg( ), also with t for g and i for v, are parts of V( ) and I( ). */
const struct expression_tree *expression_parse_phasors(struct arena *arena, const char *text, size_t length,
                                                       struct kn_location where, enum dialect dialect,
                                                       struct kn_diagnostics *d);

/* ---- scopes: parameters and functions visible at one subcircuit level ---- */

struct scope;

/* A scope inside parent (NULL for the deck's own).  Lives in the arena. */
struct scope *scope_new(struct arena *arena, const struct scope *parent);

/* Where the text of an inner scope stands, if that is not its parent: functions of that place go before those of the parent, which calls it. */
void scope_surroundings_of_text(struct scope *s, const struct scope *text);

/* name = tree; evaluated lazily in this scope (order of definition does not matter, cycles are errors naming the
 * chain).  A second definition of one name in one scope replaces the first and is a warning, as in ngspice.  The tree
 * is evaluated in `home` (the scope where the text stands: for instance parameters of a subcircuit the caller's scope);
 * NULL means the scope itself.  tree NULL: its text has an error, which has been reported; neither it nor what uses it
 * has a value, and there is no further message. */
bool scope_parameter(struct scope *s, const char *name, const struct expression_tree *tree, const struct scope *home,
                     struct kn_location where, struct kn_diagnostics *d);

bool scope_function(struct scope *s, const char *name, const char *const *arguments, size_t argument_count,
                    const struct expression_tree *tree, struct kn_location where, struct kn_diagnostics *d);

bool scope_has_parameter(const struct scope *s, const char *name);

/* The temperature in degrees Celsius that `temper` stands for in constant expressions (default 27) and the conductance that
 * `gmin` stands for (1e-12 S); set once on the deck's scope, before the first evaluation. */
void scope_surroundings(struct scope *s, double celsius, double gmin);

/* Parameters of the scope are evaluated again when they are asked for: others have been defined anew. */
void scope_forget_values(struct scope *s);

/* Whose meaning operators, functions and constants have; set once on the deck's scope. */
void scope_dialect(struct scope *s, enum dialect dialect);

struct draws;
/* Where random functions get their values from (draws.h); set once on the deck's scope.  Without them they are nominal. */
void scope_draws(struct scope *s, struct draws *draws);
/* The path of the instance whose scope it is, "x1.", which is not copied: part of the names of its random parameters. */
void scope_path(struct scope *s, const char *path);

/* Files of points, for table("name"): x1 y1 x2 y2 .. as they stand there. */
struct point_reader {
    void *context;
    /* values [2 * count] live in the arena; NULL with *problem set where it cannot be read. */
    const double *(*read)(void *context, const char *name, struct arena *arena, size_t *count, const char **problem);
};
/* Set once on the deck's scope; NULL: there are no files. */
void scope_points(struct scope *s, const struct point_reader *reader);

/* Value of a constant tree.  false (with an error in d) when a name is unknown (with a likely correction), a cycle is
 * found, the result is not finite, or the tree mentions V(), I() or time. */
bool scope_evaluate(const struct scope *s, const struct expression_tree *tree, struct kn_diagnostics *d, double *value);
/* The text that a parameter of this name is; NULL: it is none, or a number. */
const char *scope_text(const struct scope *s, const char *name);

/* True when the tree, seen from this scope and through functions, needs no V(), I() or time. */
bool scope_is_constant(const struct scope *s, const struct expression_tree *tree);
/* True when the name stands in the tree or, seen from this scope, in the body of a function that it calls. */
bool scope_mentions(const struct scope *s, const struct expression_tree *tree, const char *name);

/* Evaluates every parameter defined in this scope, so that errors in unused ones are reported too. */
bool scope_check(const struct scope *s, struct kn_diagnostics *d);

/* ---- tree to program ---- */

enum expression_variable_kind {
    EXPRESSION_NODE_VOLTAGE,
    EXPRESSION_BRANCH_CURRENT,
    EXPRESSION_FREQUENCY, /* of small signals, Hz, in laws; 0 at rest and in time */
    EXPRESSION_RESULT,    /* of a measurement */
    EXPRESSION_VECTOR     /* of the results of an analysis, by name: onoise */
};

struct expression_variable {
    enum expression_variable_kind kind;
    int index; /* node or element of the flat circuit, number of the measurement or the vector's name */
    struct kn_location where;
};

struct expression;

/* A call of ddt( ), idt( ) or the like: what it gives is an unknown of the circuit. */
enum expression_state_kind { EXPRESSION_DERIVATIVE, EXPRESSION_INTEGRAL, EXPRESSION_DELAY };
struct expression_state {
    enum expression_state_kind kind;
    const char *function;              /* as the user wrote it, "sdt" */
    const struct expression *argument; /* it may itself depend on such unknowns */
    double number;                     /* INTEGRAL without reset: its value at rest; DELAY: s, with `late` the longest */
    const struct expression *late;     /* DELAY that is no constant (s), or NULL */
    /* INTEGRAL that can be reset, or NULL: 1 while it is held at `initial`, where the argument is 0. */
    const struct expression *reset, *initial;
    struct kn_location where;
};
/* Whether a name is that of such a function. */
bool expression_state_function(const char *name);

/* What P(r1), id(m1) or @r1[i] stands for in a formula. */
enum expression_lead_kind {
    LEAD_UNKNOWN, /* there is no such element, or it has no such quantity */
    LEAD_CURRENT, /* of the element */
    LEAD_VOLTAGE, /* between plus and minus */
    LEAD_POWER,   /* their product */
    LEAD_RESULT   /* known behind a solution only: it can be printed, not used */
};

struct expression_lead {
    enum expression_lead_kind kind;
    int element, plus, minus; /* nodes; 0 is ground */
};

/* Turns names into numbers for one subcircuit instance.  node: number >= 0 (0 is ground) or -1 when there is no such
 * node; element: number >= 0 or -1; result: number of a measurement that a bare name stands for, or -1.  They report
 * nothing; the compiler does.  Those that are NULL find nothing.  vector: number that stands for a bare name, or for x in
 * V(x), which is neither parameter nor node, or -1.  state: number of the node whose voltage a state is, or -1 with an
 * error that it has reported; where it is NULL there are none. */
struct expression_resolver {
    void *context;
    int (*node)(void *context, const char *name);
    int (*element)(void *context, const char *name);
    int (*result)(void *context, const char *name);
    int (*vector)(void *context, const char *name);
    int (*state)(void *context, const struct expression_state *state);
    /* False where a bare name stands for no number of the circuit: r1:r is the resistance of r1. */
    bool (*number)(void *context, const char *name, double *value);
    /* Where it varies, the formula that r1:r is; NULL where there is none, or it is one of another scope. */
    const struct expression_node *(*formula)(void *context, const char *name);
    struct expression_lead (*lead)(void *context, const char *element, const char *quantity);
    /* The powers of all elements in an instance of a subcircuit as a sum; NULL where there is none of that name. */
    const struct expression_node *(*power)(void *context, const char *instance, struct kn_location where);
    /* The current into the port of an instance, "x1:a"; likewise. */
    const struct expression_node *(*port)(void *context, const char *port, struct kn_location where);
    bool has_frequency;     /* what `time` stands for is a frequency */
    bool may_ask_frequency; /* hertz is a variable */
    bool has_phasors;       /* variables are complex numbers, as s in a transfer function */
    const char *(*closest_node)(void *context, const char *name);
    const char *(*closest_element)(void *context, const char *name);
};

/* A struct expression is a program; immutable, lives in the arena. */

const struct expression *expression_compile(struct arena *arena, const struct scope *s,
                                            const struct expression_tree *tree,
                                            const struct expression_resolver *resolver, struct kn_diagnostics *d);

/* The program's variables, each once; v(a,b) appears as v(a) and v(b), ground as no variable. */
size_t expression_variable_count(const struct expression *e);
const struct expression_variable *expression_variables(const struct expression *e);
/* Gives node n the number map[n]; before anyone else has seen the program. */
void expression_renumber_nodes(const struct expression *e, const int *map);
bool expression_uses_time(const struct expression *e);
/* The variable that is the frequency; -1: none. */
int expression_frequency(const struct expression *e);
/* True when the program is affine in its variables with coefficients that do not depend on time. */
bool expression_is_linear(const struct expression *e);

/* Number of doubles expression_evaluate needs as workspace. */
size_t expression_workspace(const struct expression *e);

enum { EXPRESSION_AT_ZERO = 2 };

struct expression_point {
    const double *variables; /* [variable_count], in the order of expression_variables */
    double time;             /* s */
    double temperature;      /* degrees Celsius */
    /* [expression_switch_count] On which side of its zero each switch is held, whatever its operands are: above (1), below (-1),
     * at zero (EXPRESSION_AT_ZERO), or 0: not held.  NULL: none. */
    const signed char *held;
    /* Where the result would be NaN, or a comparison judges one, quotients of two zeros on the way are 0 and flat: ngspice adds a
     * tiny number to a denominator of 0 (its PTdivide), so that v(a)/v(a) is 0 at rest there. */
    bool bounded;
};

/* Value and, where the pointers are not NULL, gradient [variable_count] and partial derivative with respect to time.
 * Never traps: the result may be infinite or NaN, which the caller must test.  At kinks (min, max, abs, ?:) the
 * derivative is the one of the branch taken; in max(x,0) and min(x,0) the two one-sided derivatives at 0 add to 1
 * (ties of min and max take half of each side's gradient). */
double expression_evaluate(const struct expression *e, const struct expression_point *at, double *workspace,
                           double *gradient, double *time_derivative);

/* Where an evaluation that gave no finite number lost it: "sqrt(-0.1), the root of a negative number".  Evaluates again;
 * false where the value is finite, and where a variable is not.  zero: what to say where the whole is a quotient whose
 * denominator is 0; NULL: just that. */
bool expression_describe_fault(const struct expression *e, const struct expression_point *at, double *workspace,
                               const char *zero, char *text, size_t size);

/* Whether the value there is finite only because quotients of two zeros are 0 (expression_point.bounded). */
bool expression_needs_bound(const struct expression *e, const struct expression_point *at, double *workspace);

/* The places in time where the program itself switches (comparisons of time with constants, e.g. time > 1m ? .., the
 * steps of floor(time/1u)).  Steps must end there. */
/* The first later than `over`; INFINITY: none. */
double expression_next_breakpoint(const struct expression *e, double over);
/* The last not later than `over`; -INFINITY: none. */
double expression_last_breakpoint(const struct expression *e, double over);
/* The first crest or zero later than `time` of a sine or cosine of a straight line in time; INFINITY: none.  *period (s): made the
 * shorter of itself and the shortest of theirs. */
double expression_next_quarter(const struct expression *e, double time, double *period);

/* The program's jumps in its variables: comparisons, u(), sgn(), and floor(), round(), mod() and their like. */
size_t expression_switch_count(const struct expression *e);
/* g [switch_count]: what each of them compares with zero; NaN where its branch of ?: is not taken. */
void expression_switches(const struct expression *e, const struct expression_point *at, double *workspace, double *g);

/* Names of a flat circuit by their numbers. */
struct expression_naming {
    const void *context;
    const char *(*node)(const void *context, int number);
    const char *(*element)(const void *context, int number);
};

/* The expression as text: parameters, functions and numbers as the user wrote them, nodes and elements too where naming is
 * NULL, else by their names in the circuit.  Lives in the arena; NULL without memory. */
char *expression_print(struct arena *arena, const struct expression *e, const struct expression_naming *naming);
/* Whether that text may be a factor as it is: no sum, sign, comparison or condition outside of parentheses. */
bool expression_is_product(const struct expression *e);

/* A number with SPICE suffix ("4.7k", "10meg", "1e-9F", "100nF").  length characters; false if it is not a number as a
 * whole.  Trailing letters after the suffix are a unit and ignored. */
bool expression_number(const char *text, size_t length, double *value);
/* The same as a dialect has it: 1x is 1 MEG in HSPICE and Xyce. */
bool expression_number_in(enum dialect dialect, const char *text, size_t length, double *value);
/* 4k7 (IEC 60062) as 4.7k, 2R2 as 2.2; NULL when the text is something else, and without memory. */
const char *number_with_point(struct arena *arena, const char *text);
/* 1ek, 2dn: an exponent without digits in front of a suffix, which ngspice takes for 1k and 2n; here the e begins a unit, and a warning
 * says so. */
void number_warn_of_exponent(const char *text, double value, struct kn_location where, struct kn_diagnostics *d);
bool number_x_is_mega(enum dialect dialect);

#endif
