/* deck.y - a netlist as statements of items.  Meaning comes later; this grammar knows names, values, `=` and parentheses. */
%code requires {
#include "netlist/deck/deck_scan.h"
}

%code {
#include "netlist/deck/deck_reader.h"

#include "deck_parser.h"
#include "deck_scanner.h"

/* Source places of a rule: from its first symbol to its last one in the same line. */
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                                                \
    do {                                                                                                               \
        (Current) = YYRHSLOC(Rhs, (N) ? 1 : 0);                                                                        \
        if ((N) && YYRHSLOC(Rhs, N).line == (Current).line)                                                            \
            (Current).width = YYRHSLOC(Rhs, N).column + YYRHSLOC(Rhs, N).width - (Current).column;                     \
    } while (0)

/* Symbols are allocated in an arena and the stack by bison; its limit turns garbage into an error, not a crash. */
#define YYMAXDEPTH 10000

static void deck_yyerror(const struct kn_location *where, struct deck_scan *scan, void *scanner, const char *text);
static struct item_list append(struct item_list list, struct item *item);
static struct kn_location behind(const struct item *items, struct kn_location end);

/* Hands a statement on; without memory there is nothing more to do. */
#define STATEMENT(items, end, broken)                                                                                  \
    do {                                                                                                               \
        if (!deck_scan_statement(scan, (items), (end), (broken)))                                                      \
            YYNOMEM;                                                                                                   \
    } while (0)
}

%define api.pure full
%define api.prefix {deck_yy}
%define api.location.type {struct kn_location}
%define parse.error custom
%locations
%parse-param {struct deck_scan *scan} {void *scanner}
%lex-param {void *scanner}

%union {
    struct item *item;
    struct item_list list;
    const char *text; /* where it stands in the file */
}

%token <item> WORD EXPRESSION STRING
%token <text> OPEN "(" CLOSE ")"
%token END_OF_STATEMENT EQUALS "=" COMMA ","
%token FAULT "something the scanner has reported"
%type <item> item operand
%type <list> items values

%initial-action {
    @$ = (struct kn_location){scan->text->file, 1, 1, 1};
}

%%

deck:
    %empty
  | deck statement
  ;

statement:
    END_OF_STATEMENT
  | WORD items END_OF_STATEMENT         { $1->next = $2.first; STATEMENT($1, behind($1, @3), false); }
  | WORD items error END_OF_STATEMENT   { $1->next = $2.first; STATEMENT($1, @4, true); yyerrok; }
  | WORD "=" items END_OF_STATEMENT     { /* .temp = 20 of LTspice */
        $1->next = $3.first;
        if (!item_is($1, ".temp"))
            deck_scan_error(scan, @2, "write name=value", "expected a name in front of this '='");
        STATEMENT($1, behind($1, @4), !item_is($1, ".temp"));
    }
  | error END_OF_STATEMENT              { scan->statement_failed = false; yyerrok; }
  ;

items:
    %empty        { $$ = (struct item_list){0}; }
  | items item    { $$ = append($1, $2); }
  ;

item:
    operand
  | operand "=" values    { $$ = $1; $1->value = $3.first; }
  | operand "=" error     { $$ = $1; } /* the name is known, so that its uses are no errors */
  ;

values:
    operand               { $$ = append((struct item_list){0}, $1); }
  | values "," operand    { $$ = append($1, $3); }
  ;

operand:
    WORD
  | EXPRESSION
  | STRING
  | "(" items ")"    {
        $$ = deck_scan_group(scan, $2.first, $1, $3, @$);
        if (!$$)
            YYNOMEM;
    }
  ;

%%

static struct item_list append(struct item_list list, struct item *item)
{
    if (list.last)
        list.last->next = item;
    else
        list.first = item;
    list.last = item;
    return list;
}

/* The place where a further item would stand. */
static struct kn_location behind(const struct item *items, struct kn_location end)
{
    for (; items; items = items->next) {
        const struct item *last = items->value ? items->value : items;
        while (last->next && items->value)
            last = last->next;
        end = last->where;
        end.column += end.width;
        end.width = 1;
    }
    return end;
}

static void deck_yyerror(const struct kn_location *where, struct deck_scan *scan, void *scanner, const char *text)
{
    (void)scanner;
    deck_scan_error(scan, *where, NULL, text);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct deck_scan *scan, void *scanner)
{
    const yysymbol_kind_t found = yypcontext_token(context);
    const struct kn_location where = *yypcontext_location(context);
    (void)scanner;
    if (found == YYSYMBOL_FAULT || scan->statement_failed)
        deck_scan_fault(scan); /* has been reported; one syntax error for each statement */
    else if (found == YYSYMBOL_EQUALS)
        deck_scan_error(scan, where, "write name=value", "expected a name in front of this '='");
    else if (scan->operator.column > 0)
        deck_scan_error(scan, scan->operator, "write name=value",
                        scan->operator_is_comma ? "expected a value after this ','" : "expected a value after this '='");
    else if (found == YYSYMBOL_END_OF_STATEMENT)
        deck_scan_error(scan, scan->group, NULL, "this '(' is never closed");
    else if (found == YYSYMBOL_CLOSE)
        deck_scan_error(scan, where, NULL, "this ')' closes nothing");
    else
        deck_scan_error(scan, where,
                        "a statement begins with an element's name, such as R1, or with a dot card, such as .tran",
                        "expected an element or a dot card");
    return 0;
}
