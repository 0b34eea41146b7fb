/* functions.c - `knoten functions`: functions, operators, constants and quantities of expressions, by dialect, from the
 * tables that expressions are read with.  docs/functions.md is its output with --markdown. */
#include "netlist/functions/functions.h"

#include "base/json.h"
#include "base/names.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 96 };

struct settings {
    struct common_settings common;
    const char *dialect;
    bool markdown;
};

struct listing {
    const char *wanted; /* NULL: all */
    unsigned dialects;
    bool markdown;
    struct json *json; /* NULL: not wanted */
    const char *group; /* being listed */
    size_t shown;
};

/* The rows of no dialect in particular are ngspice's, and most of KiCad. */
static const enum dialect columns[] = {DIALECT_NGSPICE, DIALECT_LTSPICE, DIALECT_PSPICE,
                                       DIALECT_HSPICE,  DIALECT_XYCE,    DIALECT_KICAD};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_shown(unsigned dialects, enum dialect d)
{
    return dialects & DIALECT_BIT(d) && (d != DIALECT_KICAD || !(dialects & DIALECT_BIT(DIALECT_NGSPICE)));
}

/* "all", "LTspice, Xyce", "SPICE" for what no program has of its own. */
static void format_dialects(unsigned dialects, char text[NAMES])
{
    size_t count = 0;
    *text = '\0';
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(dialects, columns[i])) {
            strcat(strcat(text, count ? ", " : ""), dialect_title(columns[i]));
            count++;
        }
    if (count == COLUMNS - 1 && !is_shown(dialects, DIALECT_KICAD))
        strcpy(text, "all");
}

static void json_row(const struct listing *l, const char *name, unsigned dialects, const char *doc)
{
    json_open(l->json, NULL, '{');
    json_text(l->json, "group", l->group);
    json_text(l->json, "name", name);
    json_text(l->json, "doc", doc);
    json_open(l->json, "programs", '[');
    for (size_t i = 0; i < COLUMNS; i++)
        if (is_shown(dialects, columns[i]))
            json_text(l->json, NULL, dialect_name(columns[i]));
    json_close(l->json);
    json_close(l->json);
}

static void print_row(struct listing *l, const char *name, unsigned dialects, const char *doc)
{
    char whose[NAMES];
    if (!(dialects & l->dialects))
        return;
    l->shown++;
    format_dialects(dialects, whose);
    if (l->json) {
        json_row(l, name, dialects, doc);
        return;
    }
    if (!l->markdown) {
        printf("  %-36s %s%s%s%s\n", name, doc, *whose ? "  [" : "", whose, *whose ? "]" : "");
        return;
    }
    printf("| `");
    for (const char *c = name; *c; c++)
        printf(*c == '|' ? "\\|" : "%c", *c);
    printf("` | ");
    for (const char *c = doc; *c; c++)
        printf(*c == '|' ? "\\|" : "%c", *c);
    printf(" | %s |\n", whose);
}

static void print_title(struct listing *l, const char *title)
{
    l->group = title;
    if (l->json)
        return;
    if (l->markdown)
        printf("\n## %s\n\n| | | whose |\n|---|---|---|\n", title);
    else if (!l->wanted)
        printf("%s:\n", title);
}

static bool is_wanted(const struct listing *l, const char *name)
{
    return !l->wanted || names_equal(l->wanted, name);
}

static void print_functions(struct listing *l)
{
    const struct builtin_function *f;
    char call[NAMES];
    for (size_t i = 0; (f = builtin_function_at(i)); i++) {
        snprintf(call, sizeof call, "%s(%s)", f->name, f->arguments);
        if (is_wanted(l, f->name))
            print_row(l, call, f->dialects, f->doc);
    }
}

static void print_names(struct listing *l)
{
    const struct builtin_quantity *q;
    const struct builtin_constant *c;
    char doc[NAMES];
    for (size_t i = 0; (q = builtin_quantity_at(i)); i++)
        if (is_wanted(l, q->name))
            print_row(l, q->name, q->dialects, q->doc);
    for (size_t i = 0; (c = builtin_constant_at(i)); i++) {
        snprintf(doc, sizeof doc, "%.12g: %s", c->value, c->doc);
        if (is_wanted(l, c->name))
            print_row(l, c->name, c->dialects, doc);
    }
}

static void print_operators(struct listing *l)
{
    const struct builtin_operator *o;
    for (size_t i = 0; (o = builtin_operator_at(i)); i++)
        if (is_wanted(l, o->text))
            print_row(l, o->text, o->dialects, o->doc);
}

static int unknown_function(const char *name)
{
    fprintf(stderr, "knoten: there is no function '%s'; knoten functions lists all\n", name);
    return EXIT_USAGE;
}

static int unknown_dialect(const char *name)
{
    fprintf(stderr, "knoten: there is no dialect '%s'; those there are:", name);
    for (int d = 0; d < DIALECTS; d++)
        fprintf(stderr, " %s", dialect_name((enum dialect)d));
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

static int list(void *settings, struct job *job)
{
    const struct settings *s = settings;
    enum dialect dialect;
    struct listing l = {.wanted = s->common.deck, .dialects = ~0u, .markdown = s->markdown};
    if (s->dialect && !dialect_by_name(s->dialect, &dialect))
        return unknown_dialect(s->dialect);
    if (s->dialect)
        l.dialects = DIALECT_BIT(dialect);
    struct json j = {0};
    if (s->common.json) {
        j = json_begin(job_report(job));
        json_open(&j, NULL, '[');
        l.json = &j;
    }
    if (l.markdown && !l.json)
        printf("# Functions, operators and constants of expressions\n\n"
               "Printed by `knoten functions --markdown` from the tables that expressions are read with.  A deck gets "
               "the\nrow of its dialect; where its program has no such function, the first row of the name.  A row "
               "without a\nprogram is knoten's own.\n");
    print_title(&l, "Functions");
    print_functions(&l);
    print_title(&l, "Operators, from loose to tight");
    print_operators(&l);
    print_title(&l, "Quantities and constants");
    print_names(&l);
    if (l.json)
        json_close(&j);
    return l.shown > 0 ? EXIT_DONE : unknown_function(l.wanted ? l.wanted : "");
}

static const char *function_names(size_t i, const char **title)
{
    const struct builtin_function *f = builtin_function_at(i);
    *title = f ? f->doc : NULL;
    return f ? f->name : NULL;
}

static const char *dialect_names(size_t i, const char **title)
{
    *title = i < DIALECTS ? dialect_title((enum dialect)i) : NULL;
    return i < DIALECTS ? dialect_name((enum dialect)i) : NULL;
}

static const struct example examples[] = {
    {"knoten functions limit", "one function, in each program that has it"},
    {"knoten functions --dialect ltspice", "what expressions of LTspice know"},
    {NULL, NULL},
};

static const struct option options[] = {
    JSON_OPTION("as a list of JSON objects"),
    {OPTION_TEXT, "--dialect", NULL, "NAME", offsetof(struct settings, dialect),
     "what a program has: ngspice, ltspice, pspice, hspice, xyce", NAMED_BY(dialect_names)},
    {OPTION_FLAG, "--markdown", NULL, NULL, offsetof(struct settings, markdown), "as tables for documentation",
     ANYTHING},
    HELP_OPTION,
};

const struct command functions_command = {
    .name = "functions",
    .usage = "[options] [NAME]",
    .summary = "lists functions, operators and constants of expressions; NAME is one of them: limit",
    .names = function_names,
    OPTIONS_OF(struct settings, NULL),
    .work = list,
};
