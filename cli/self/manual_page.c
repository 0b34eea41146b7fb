/* manual_page.c - manual pages, in the macros of man(7). */
#include "cli/self/help.h"

#include "knoten.h"

#include <ctype.h>
#include <string.h>

/* Text as it is meant: hyphens that can be copied, no escapes, and no requests at the beginning of a line. */
static void write_text(const char *text, FILE *to)
{
    bool begins = true;
    for (const char *c = text; *c; c++) {
        if (begins && (*c == '.' || *c == '\''))
            fputs("\\&", to);
        if (*c == '-')
            fputs("\\-", to);
        else if (*c == '\\')
            fputs("\\e", to);
        else if (*c == '^' || *c == '~' || *c == '`')
            fprintf(to, "\\(%s", *c == '^' ? "ha" : *c == '~' ? "ti" : "ga");
        else if (*c == '\'')
            fputs("\\(aq", to);
        else
            fputc(*c, to);
        begins = *c == '\n';
    }
}

static void write_in_capitals(const char *text, FILE *to)
{
    for (const char *c = text; *c; c++)
        fputc(toupper((unsigned char)*c), to);
}

/* An empty line is a new paragraph. */
static void write_paragraphs(const char *text, FILE *to)
{
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        char words[256];
        snprintf(words, sizeof words, "%.*s", (int)length, line);
        if (length == 0)
            fputs(".PP", to);
        write_text(words, to);
        fputc('\n', to);
    }
}

/* "knoten-check", "knoten" */
static void write_page_name(const struct command *c, FILE *to)
{
    fputs("knoten", to);
    if (c != &run_command)
        fprintf(to, "\\-%s", c->name);
}

static void write_heading(const struct command *c, FILE *to)
{
    fputs(".TH KNOTEN", to);
    if (c != &run_command) {
        fputs("\\-", to);
        write_in_capitals(c->name, to);
    }
    fprintf(to, " 1 \"\" \"knoten %s\" \"Circuit simulation\"\n.SH NAME\n", kn_version());
    write_page_name(c, to);
    fputs(" \\- ", to);
    write_text(c->summary, to);
    fputs("\n.SH SYNOPSIS\n.B knoten", to);
    if (c != &run_command)
        fprintf(to, " %s", c->name);
    fputs("\n", to);
    write_text(c->usage, to);
    fputs("\n.SH DESCRIPTION\n", to);
    write_paragraphs(c->about ? c->about : c->summary, to);
}

static void write_option_name(const char *name, FILE *to)
{
    fputs("\\fB", to);
    write_text(name, to);
    fputs("\\fR", to);
}

static void write_option(const struct option *o, FILE *to)
{
    fputs(".TP\n", to);
    if (o->other) {
        write_option_name(o->other, to);
        fputs(", ", to);
    }
    write_option_name(o->name, to);
    if (o->value) {
        fputs(o->kind == OPTION_MAYBE ? "\\fI" : " \\fI", to);
        write_text(o->value, to);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    write_paragraphs(o->doc, to);
    const char *name, *title;
    for (size_t i = 0; o->listed && (name = o->names(i, &title)); i++) {
        fputs(i == 0 ? ".RS\n.TP 9\n" : ".TP 9\n", to);
        write_option_name(name, to);
        fputc('\n', to);
        write_text(title, to);
        fputc('\n', to);
    }
    fputs(o->listed ? ".RE\n" : "", to);
}

static void write_examples(const struct command *c, FILE *to)
{
    fputs(".SH EXAMPLES\n", to);
    for (const struct example *e = c->examples; e->command; e++) {
        fputs(".TP\n", to);
        write_option_name(e->command, to);
        fputc('\n', to);
        write_text(e->doc, to);
        fputc('\n', to);
    }
}

static void write_commands(FILE *to)
{
    fputs(".SH COMMANDS\nEach has a page of its own, knoten\\-check(1) and so on, and \\fB\\-\\-help\\fR.\n", to);
    for (size_t i = 0; commands[i]; i++) {
        fputs(".TP\n.B knoten ", to);
        fputs(commands[i] == &run_command ? "" : commands[i]->name, to);
        fputs("\n", to);
        write_text(commands[i]->summary, to);
        fputc('\n', to);
    }
}

static void write_others(const struct command *own, FILE *to)
{
    bool some = false;
    fputs(".SH SEE ALSO\n", to);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i] == own)
            continue;
        fputs(some ? ",\n.BR " : ".BR ", to);
        write_page_name(commands[i], to);
        fputs(" (1)", to);
        some = true;
    }
    fputs("\n.PP\nThe manual, a tutorial and a course are in the documentation that comes with the program.\n", to);
}

void help_page(const struct command *c, FILE *to)
{
    write_heading(c, to);
    if (c == &run_command)
        write_commands(to);
    fputs(".SH OPTIONS\n", to);
    for (size_t i = 0; i < c->table.count; i++)
        write_option(&c->table.options[i], to);
    fputs(".SH \"EXIT STATUS\"\n", to);
    write_text(c->exits ? c->exits : EXIT_MEANINGS, to);
    fputc('\n', to);
    if (c->examples)
        write_examples(c, to);
    write_others(c, to);
}
