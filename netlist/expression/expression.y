/* expression.y - the grammar of expressions.  Operators and their precedence are those of ngspice's B source: from
 * loose to tight  ?:  ||  &&  == !=  < <= > >=  + -  * / %  unary - + !  ^ ** ; all binary ones group from the left,
 * also ^, so that 2^3^2 is 64 and -2^2 is -4.  Xyce's ** groups from the right, and its % is looser than * and /.  The ~ of
 * PSpice and Xyce negates the comparison behind it; elsewhere it is !.  What ngspice evaluates before it simulates, braces
 * and .param, has == and != beside < and >, and \ there: the quotient's magnitude without its decimals (numparam). */
%code requires {
#include "base/names.h"
#include "netlist/expression/expression_context.h"
}

%define api.pure full
%define api.prefix {expression_yy}
%define api.location.type {struct expression_span}
%define parse.error custom
%define parse.lac full
%locations

%param {void *scanner}
%parse-param {struct expression_context *context}

%union {
    struct {
        double value;
        const char *text;
    } number;
    const char *name;
    struct expression_node *node;
}

%code {
#include "expression_scanner.h"

#include <stdio.h>
#include <string.h>

/* Every level of parentheses takes one state here; the depth of the tree has its own limit. */
#define YYMAXDEPTH 10000

/* Called by the parser itself only when its stack is full. */
static void expression_yyerror(const struct expression_span *span, void *scanner,
                               struct expression_context *context, const char *message)
{
    (void)scanner, (void)message;
    expression_problem(context, span, "split the expression with .param or .func",
                       "the expression is nested too deeply");
}

static struct expression_node *closed(struct expression_node *node)
{
    if (node)
        node->closed = true;
    return node;
}

/* vdb(..) is db(v(..)), and so on. */
static const char *part_function(const char *letters)
{
    switch (letters[0] | 0x20) {
    case 'd':
        return "db";
    case 'm':
        return "mag";
    case 'p':
        return "ph";
    case 'r':
        return "re";
    case 'i':
        return "im";
    default:
        return "gd";
    }
}

/* The part of a phasor, written "vdb"; NULL: all of it. */
static struct expression_node *part_of(struct expression_context *context, const char *written,
                                       struct expression_node *phasor, struct kn_location where)
{
    if (!written)
        return phasor;
    const struct circuit_name name = {part_function(written + 1), where};
    struct expression_node *call =
        node_close_call(node_append(context->arena, node_call(context->arena), phasor), name, where);
    if (call)
        call->minus = written;
    return call;
}

/* A call of the first and of the arguments that have been collected. */
static struct expression_node *joined(struct arena *arena, struct expression_node *first,
                                      const struct expression_node *others)
{
    struct expression_node *call = others ? node_append(arena, node_call(arena), first) : NULL;
    for (const struct expression_operand *o = others ? others->operands : NULL; o; o = o->next)
        call = node_append(arena, call, o->node);
    return call;
}

/* TABLE(x) = ..: x. */
static struct expression_node *only_argument(struct expression_node *arguments)
{
    return arguments && arguments->operand_count == 1 ? (struct expression_node *)arguments->operands->node : NULL;
}

/* TABLE(x,(x1,y1),(x2,y2)), as LTspice reads vendors' files; of other functions the comma is a mistake. */
static struct expression_node *table_of_pairs(struct expression_context *context, struct expression_node *arguments,
                                              struct circuit_name name, const struct expression_span *pairs,
                                              struct kn_location where)
{
    if (names_equal(name.text, "table"))
        return node_close_call(arguments, name, where);
    expression_problem(context, pairs, NULL, "points in parentheses, (x1,y1), belong to table(..), not to '%s'",
                       name.text);
    return NULL;
}

/* What stands in a parenthesis that a brace closes or the other way round, 1/(a}*{b}: LTspice takes both for parentheses,
 * and vendors' files depend on it. */
static struct expression_node *closed_by_other(struct expression_context *context, struct expression_node *inner,
                                               const struct expression_span *end, const char *written, const char *meant)
{
    diagnostics_add(context->diagnostics, KN_WARNING, "syntax", expression_place(context, end), NULL,
                    "this '%s' is taken for a '%s', as in LTspice", written, meant);
    return closed(inner);
}

/* A condition, which is 0 or 1. */
static bool is_condition(const struct expression_node *node)
{
    const enum operation op = node && node->last && node->kind == NODE_CHAIN    ? node->last->operation
                              : node && node->kind == NODE_UNARY ? node->operation
                                                                 : OP_ADD;
    return op == OP_NOT || op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_LESS || op == OP_LESS_EQUAL ||
           op == OP_GREATER || op == OP_GREATER_EQUAL || op == OP_EQUAL || op == OP_UNEQUAL;
}

/* A power of two conditions is their `first or not second`, which nobody writes so: where nothing tells the dialect, ^
 * between conditions is that of LTspice, PSpice and Xyce. */
static enum operation meaning_of_caret(struct expression_context *context, const struct expression_node *left,
                                       const struct expression_node *right, const struct expression_span *span)
{
    if (context->dialect != DIALECT_SPICE || !is_condition(left) || !is_condition(right))
        return OP_POWER;
    diagnostics_add(context->diagnostics, KN_WARNING, "caret", expression_place(context, span),
                    "write != for it, or ** for a power; --dialect ngspice takes ^ for a power",
                    "'^' between two conditions is taken for 'one or the other, not both', as in LTspice, PSpice and "
                    "Xyce");
    return OP_XOR;
}

/* Shorthands of the rules below: places, names, and nodes in the tree's arena. */
#define AT(span) expression_place(context, &(span))
#define WORD(text, span) ((struct circuit_name){text, AT(span)})
#define ARENA context->arena
#define PART(function, phasor, span) part_of(context, function, phasor, AT(span))
#define UNARY(operation, operand, span) node_unary(ARENA, operation, operand, AT(span))
#define BINARY(left, operation, right, span) node_binary(ARENA, left, operation, right, AT(span))
}

%token END 0 "the end of the expression"
%token <number> NUMBER "a number"
%token <name> NAME "a name"
%token <name> CIRCUIT_NAME "a name in the circuit"
%token ')' ','
%token <name> VOLTAGE "'V('" CURRENT "'I('"
%token <name> POLY "'POLY('" POLY_OF_ONE "'POLY'" STRING "a text in quotes"
%token CARET "'^'" POWER "'**'" RIGHT_POWER "'**' (from the right)" XOR "'^' (one or the other)" LOOSE_MODULO "'%'" LESS_EQUAL "'<='" GREATER_EQUAL "'>='" EQUAL "'=='" UNEQUAL "'!='" EQUAL_BESIDE "'==' (beside '<')" UNEQUAL_BESIDE "'!=' (beside '<')" PRODUCT_SIGN "'-'" AND "'&&'" OR "'||'"

%type <node> value arguments term terms points pairs in_braces

%precedence WHOLE /* a list takes what it can */
%precedence ','
%right '?' ':'
%left OR
%left AND
%precedence '~'
%left XOR
%left EQUAL UNEQUAL
%left '<' LESS_EQUAL '>' GREATER_EQUAL EQUAL_BESIDE UNEQUAL_BESIDE
%left '+' '-'
%precedence PRODUCT_SIGN
%left LOOSE_MODULO
%left '*' '/' '%' '\\'
%precedence SIGN '!'
%left POWER CARET
%right RIGHT_POWER

%%

expression:
    value                       { context->root = $1; }
;

value:
    NUMBER                      { $$ = node_number(ARENA, $1.value, $1.text, AT(@$)); }
  | NAME                        { $$ = node_name(ARENA, $1, AT(@$)); }
  | '(' value ')'               { $$ = closed($2); }
  | '{' value '}'               { $$ = closed($2); }
  | '(' value '}'               { $$ = closed_by_other(context, $2, &@3, "}", ")"); }
  | '{' value ')'               { $$ = closed_by_other(context, $2, &@3, ")", "}"); }
  | '\'' value '\''             { $$ = closed($2); }
  | '(' error ')'               { $$ = NULL; }
  | NAME '(' arguments ')'      { $$ = node_close_call($3, WORD($1, @1), AT(@$)); }
  | NAME '(' pairs ')'          { $$ = table_of_pairs(context, $3, WORD($1, @1), &@3, AT(@$)); }
  | NAME '(' ')'                { $$ = node_close_call(node_call(ARENA), WORD($1, @1), AT(@$)); }
  | NAME '(' error ')'          { $$ = NULL; }
  | NAME '{' value '}' '=' points %prec WHOLE
                                { $$ = node_close_call(joined(ARENA, $3, $6), WORD($1, @1), AT(@$)); }
  | NAME '{' value '}' points %prec WHOLE
                                { $$ = node_close_call(joined(ARENA, $3, $5), WORD($1, @1), AT(@$)); }
  | NAME '{' value '}'          { $$ = node_close_call(node_append(ARENA, node_call(ARENA), $3), WORD($1, @1), AT(@$)); }
  | NAME '{' in_braces '}'      { $$ = node_close_call($3, WORD($1, @1), AT(@$)); }
  | NAME '(' arguments ')' '=' points %prec WHOLE
                                { $$ = node_close_call(joined(ARENA, only_argument($3), $6), WORD($1, @1), AT(@$)); }
  | POLY '(' NUMBER ')' terms %prec WHOLE
                                { $$ = node_close_call(joined(ARENA, node_number(ARENA, $3.value, $3.text, AT(@3)), $5),
                                                       WORD($1, @1), AT(@$)); }
  | POLY_OF_ONE terms %prec WHOLE /* Xyce: of one variable without its (1) */
                                { $$ = node_close_call(joined(ARENA, node_number(ARENA, 1, NULL, AT(@1)), $2),
                                                       WORD($1, @1), AT(@$)); }
  | STRING                      { $$ = node_string(ARENA, WORD($1, @1)); }
  | VOLTAGE '(' CIRCUIT_NAME ')' { $$ = PART($1, node_voltage(ARENA, WORD($3, @3), NULL, AT(@$)), @$); }
  | VOLTAGE '(' CIRCUIT_NAME ',' CIRCUIT_NAME ')'
                                { $$ = PART($1, node_voltage(ARENA, WORD($3, @3), &WORD($5, @5), AT(@$)), @$); }
  | VOLTAGE '(' error ')'       { $$ = NULL; }
  | CURRENT '(' CIRCUIT_NAME ')' { $$ = PART($1, node_current(ARENA, WORD($3, @3), AT(@$)), @$); }
  | CURRENT '(' error ')'       { $$ = NULL; }
  | '-' value %prec SIGN        { $$ = UNARY(OP_NEGATE, $2, @$); }
  | PRODUCT_SIGN value          { $$ = UNARY(OP_NEGATE, $2, @$); }
  | '+' value %prec SIGN        { $$ = closed($2); }
  | '!' value                   { $$ = UNARY(OP_NOT, $2, @$); }
  | '~' value                   { $$ = UNARY(OP_NOT, $2, @$); }
  | value '+' value             { $$ = BINARY($1, OP_ADD, $3, @$); }
  | value '-' value             { $$ = BINARY($1, OP_SUBTRACT, $3, @$); }
  | value '*' value             { $$ = BINARY($1, OP_MULTIPLY, $3, @$); }
  | value '/' value             { $$ = BINARY($1, OP_DIVIDE, $3, @$); }
  | value '\\' value            { $$ = UNARY(OP_TRUNCATE, UNARY(OP_ABS, BINARY($1, OP_DIVIDE, $3, @$), @$), @$); }
  | value '%' value             { $$ = BINARY($1, OP_MODULO, $3, @$); }
  | value LOOSE_MODULO value    { $$ = BINARY($1, OP_MODULO, $3, @$); }
  | value POWER value           { $$ = BINARY($1, OP_POWER, $3, @$); }
  | value CARET value           { $$ = BINARY($1, meaning_of_caret(context, $1, $3, &@2), $3, @$); }
  | value RIGHT_POWER value     { $$ = BINARY($1, OP_POWER, $3, @$); }
  | value XOR value             { $$ = BINARY($1, OP_XOR, $3, @$); }
  | value '<' value             { $$ = BINARY($1, OP_LESS, $3, @$); }
  | value LESS_EQUAL value      { $$ = BINARY($1, OP_LESS_EQUAL, $3, @$); }
  | value '>' value             { $$ = BINARY($1, OP_GREATER, $3, @$); }
  | value GREATER_EQUAL value   { $$ = BINARY($1, OP_GREATER_EQUAL, $3, @$); }
  | value EQUAL value           { $$ = BINARY($1, OP_EQUAL, $3, @$); }
  | value UNEQUAL value         { $$ = BINARY($1, OP_UNEQUAL, $3, @$); }
  | value EQUAL_BESIDE value    { $$ = BINARY($1, OP_EQUAL, $3, @$); }
  | value UNEQUAL_BESIDE value  { $$ = BINARY($1, OP_UNEQUAL, $3, @$); }
  | value AND value             { $$ = BINARY($1, OP_AND, $3, @$); }
  | value OR value              { $$ = BINARY($1, OP_OR, $3, @$); }
  | value '?' value ':' value   { $$ = node_condition(ARENA, $1, $3, $5, AT(@$)); }
;

arguments:
    value                       { $$ = node_append(ARENA, node_call(ARENA), $1); }
  | arguments ',' value         { $$ = node_append(ARENA, $1, $3); }
;

/* Of LIMIT{x,0,1}, where braces are parentheses. */
in_braces:
    value ',' value             { $$ = node_append(ARENA, node_append(ARENA, node_call(ARENA), $1), $3); }
  | in_braces ',' value         { $$ = node_append(ARENA, $1, $3); }
;

/* x,(x1,y1),(x2,y2) */
pairs:
    arguments ',' '(' value ',' value ')'
                                { $$ = node_append(ARENA, node_append(ARENA, $1, $4), $6); }
  | pairs ',' '(' value ',' value ')'
                                { $$ = node_append(ARENA, node_append(ARENA, $1, $4), $6); }
;

/* TABLE {x} = (x1,y1) (x2,y2), also with commas between. */
points:
    '(' value ',' value ')'     { $$ = node_append(ARENA, node_append(ARENA, node_call(ARENA), $2), $4); }
  | points '(' value ',' value ')'
                                { $$ = node_append(ARENA, node_append(ARENA, $1, $3), $5); }
  | points ',' '(' value ',' value ')'
                                { $$ = node_append(ARENA, node_append(ARENA, $1, $4), $6); }
;

/* POLY(2) V(1) V(2) 0 1 -1: numbers and what is in brackets, with blanks or commas between. */
terms:
    term                        { $$ = node_append(ARENA, node_call(ARENA), $1); }
  | terms term                  { $$ = node_append(ARENA, $1, $2); }
  | terms ',' term              { $$ = node_append(ARENA, $1, $3); }
;

term:
    NUMBER                      { $$ = node_number(ARENA, $1.value, $1.text, AT(@$)); }
  | '-' NUMBER                  { $$ = UNARY(OP_NEGATE, node_number(ARENA, $2.value, $2.text, AT(@2)), @$); }
  | '+' NUMBER                  { $$ = node_number(ARENA, $2.value, $2.text, AT(@2)); }
  | NAME                        { $$ = node_name(ARENA, $1, AT(@$)); }
  | '(' value ')'               { $$ = closed($2); }
  | '{' value '}'               { $$ = closed($2); }
  | VOLTAGE '(' CIRCUIT_NAME ')' { $$ = node_voltage(ARENA, WORD($3, @3), NULL, AT(@$)); }
  | VOLTAGE '(' CIRCUIT_NAME ',' CIRCUIT_NAME ')'
                                { $$ = node_voltage(ARENA, WORD($3, @3), &WORD($5, @5), AT(@$)); }
  | CURRENT '(' CIRCUIT_NAME ')' { $$ = node_current(ARENA, WORD($3, @3), AT(@$)); }
;

%%

/* What may follow, in the user's words: a value, an operator, or one of a few single tokens. */
struct expected {
    bool value, operators, circuit_name;
    char tokens[64]; /* closing parentheses, commas, the end */
};

/* '(' or '{', the innermost that is open: either closes the other, but only its own is what should stand there. */
static char open_bracket(const yypcontext_t *at)
{
    for (const yy_state_t *state = at->yyssp; *state != 0; state--) {
        const char *name = yysymbol_name(YY_ACCESSING_SYMBOL(*state));
        if (name[0] == '\'' && (name[1] == '(' || name[1] == '{'))
            return name[1];
    }
    return '\0';
}

static void note_expected(struct expected *e, yysymbol_kind_t symbol, char open)
{
    switch (symbol) {
    case YYSYMBOL_NUMBER:
        e->value = true;
        return;
    case YYSYMBOL_CARET:
        e->operators = true;
        return;
    case YYSYMBOL_CIRCUIT_NAME:
        e->circuit_name = true;
        return;
    default:
        break;
    }
    const char *name = yysymbol_name(symbol);
    const bool closing = name[0] == '\'' && strchr("),:}", name[1]);
    const bool other = (open == '(' && name[1] == '}') || (open == '{' && name[1] == ')');
    const size_t used = strlen(e->tokens);
    if (closing && !other)
        snprintf(e->tokens + used, sizeof e->tokens - used, " or %s", name);
}

static int yyreport_syntax_error(const yypcontext_t *at, void *scanner, struct expression_context *context)
{
    (void)scanner;
    yysymbol_kind_t symbols[YYNTOKENS];
    const int count = yypcontext_expected_tokens(at, symbols, YYNTOKENS);
    struct expected e = {.value = false};
    for (int i = 0; i < count; i++)
        note_expected(&e, symbols[i], open_bracket(at));
    const char *what = e.circuit_name ? " or a name"
                       : e.value      ? " or a number, name or '('"
                       : e.operators  ? " or an operator"
                                      : "";
    char text[160];
    snprintf(text, sizeof text, "%s%s", what, e.value ? "" : e.tokens);
    const yysymbol_kind_t found = yypcontext_token(at);
    const char *expected = strlen(text) > 4 ? text + 4 : "the end of the expression";
    const bool comma = e.operators && strcmp(yysymbol_name(found), "','") == 0;
    const char *hint = comma ? "a point separates the decimals of a number: 1.5" : NULL;
    expression_problem(context, yypcontext_location(at), hint, "expected %s but found %s", expected,
                       yysymbol_name(found));
    return 0;
}
