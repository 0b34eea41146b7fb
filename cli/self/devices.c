/* devices.c - `knoten devices`: the elements that a netlist may contain and their parameters, from the tables that the
 * program itself reads decks with.  docs/devices.md is its output with --markdown. */
#include "base/json.h"
#include "base/names.h"
#include "cli/command.h"
#include "devices/device.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NUMBER = 32, RANGE = 80 };

static void format_number(double value, char text[NUMBER])
{
    if (isnan(value))
        strcpy(text, "");
    else if (isinf(value))
        strcpy(text, value > 0 ? "infinite" : "-infinite");
    else
        snprintf(text, NUMBER, "%.6g", value);
}

/* "0 .. 1", ">= 0", or empty where any number is allowed.  The least positive double stands for "more than 0". */
static void format_range(const struct parameter_info *p, char text[RANGE])
{
    char low[NUMBER], high[NUMBER];
    format_number(p->minimum, low);
    format_number(p->maximum, high);
    const bool least = isfinite(p->minimum), most = isfinite(p->maximum);
    if (least && p->minimum > 0 && p->minimum < 1e-300)
        snprintf(text, RANGE, most ? "> 0, <= %s" : "> 0", high);
    else if (least && most)
        snprintf(text, RANGE, "%s .. %s", low, high);
    else if (least || most)
        snprintf(text, RANGE, "%s %s", least ? ">=" : "<=", least ? low : high);
    else
        *text = '\0';
}

/* "cjo, cj0, cj" */
static void format_names(const char *first, const char *others, char *text, size_t size)
{
    snprintf(text, size, "%s%s", first, others ? ", " : "");
    size_t used = strlen(text);
    for (const char *c = others; c && *c && used + 3 < size; c++) {
        if (*c == ' ')
            text[used++] = ',';
        text[used++] = *c;
    }
    text[used] = '\0';
}

static void print_row(const struct parameter_info *p, bool markdown)
{
    char fallback[NUMBER], range[RANGE], name[RANGE];
    format_number(p->fallback, fallback);
    format_range(p, range);
    format_names(p->name, p->alias, name, sizeof name);
    if (markdown)
        printf("| %s | %s | %s | %s | %s |\n", name, p->doc, p->unit, fallback, range);
    else
        printf("    %-16s %-8s %10s  %-14s %s\n", name, p->unit, fallback, range, p->doc);
}

static void print_table(const char *title, struct parameter_table table, bool markdown)
{
    if (table.count == 0)
        return;
    if (markdown)
        printf("\n%s:\n\n| name | | unit | default | range |\n|---|---|---|---|---|\n", title);
    else
        printf("  %s:\n    %-16s %-8s %10s  %-14s\n", title, "name", "unit", "default", "range");
    for (size_t i = 0; i < table.count; i++)
        print_row(&table.rows[i], markdown);
}

static void print_quantities(struct quantity_table table, bool markdown)
{
    if (table.count == 0)
        return;
    if (markdown)
        printf("\nAt a point of the solution, `@name[quantity]`:\n\n| name | | unit |\n|---|---|---|\n");
    else
        printf("  At a point of the solution, @name[quantity]:\n");
    for (size_t i = 0; i < table.count; i++) {
        const struct quantity_info *q = &table.rows[i];
        const char *unit = strcmp(q->unit, "region") == 0 ? "" : q->unit;
        char name[RANGE];
        format_names(q->name, q->alias, name, sizeof name);
        if (markdown)
            printf("| %s | %s | %s |\n", name, q->doc, unit);
        else
            printf("    %-16s %-8s %s\n", name, unit, q->doc);
    }
}

/* What distinguishes the types of model is said to who asks for one of them. */
static void print_types(const struct element_kind *kind, const char *asked)
{
    const struct model_type *type = asked ? kind_type(kind, asked) : NULL;
    if (type && type->doc)
        printf("  %s: %s\n", type->name, type->doc);
}

static void print_usage(const struct element_kind *kind, bool markdown)
{
    struct arena *arena = arena_new();
    const char *usage = arena ? kind_usage(kind, arena) : NULL;
    if (usage)
        printf(markdown ? "\n    %s\n" : "  %s\n", usage);
    arena_free(arena);
}

static void print_kind(const struct element_kind *kind, const char *asked, bool markdown)
{
    printf(markdown ? "\n## %c: %s\n" : "%c: %s\n", toupper((unsigned char)kind->letter), kind->noun);
    print_usage(kind, markdown);
    print_table("On the element line", kind->instance, markdown);
    char title[128] = "On the .model card of type";
    for (const struct model_type *t = kind->types; t && t->name && strlen(title) + strlen(t->name) + 3 < sizeof title;
         t++)
        strcat(strcat(title, t != kind->types ? ", " : " "), t->name);
    print_table(title, kind->model, markdown);
    print_quantities(kind->quantities, markdown);
    print_types(kind, asked);
}

static bool has_word(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strchr(word, ' ') ? "" : name; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncasecmp(at, word, length) == 0)
            return true;
    return false;
}

/* ---- as JSON ---- */

static void json_names(struct json *j, const char *first, const char *others)
{
    char names[RANGE];
    json_text(j, "name", first);
    format_names(others ? others : "", NULL, names, sizeof names);
    json_text(j, "aliases", others ? names : NULL);
}

static void json_table(struct json *j, const char *key, struct parameter_table table)
{
    json_open(j, key, '[');
    for (size_t i = 0; i < table.count; i++) {
        const struct parameter_info *p = &table.rows[i];
        json_open(j, NULL, '{');
        json_names(j, p->name, p->alias);
        json_text(j, "unit", p->unit);
        json_number(j, "default", p->fallback);
        json_number(j, "least", p->minimum);
        json_number(j, "most", p->maximum);
        json_text(j, "doc", p->doc);
        json_close(j);
    }
    json_close(j);
}

static void json_quantities(struct json *j, struct quantity_table table)
{
    json_open(j, "quantities", '[');
    for (size_t i = 0; i < table.count; i++) {
        json_open(j, NULL, '{');
        json_names(j, table.rows[i].name, table.rows[i].alias);
        json_text(j, "unit", table.rows[i].unit);
        json_text(j, "doc", table.rows[i].doc);
        json_close(j);
    }
    json_close(j);
}

static void json_kind(struct json *j, const struct element_kind *kind)
{
    const char letter[2] = {kind->letter, '\0'};
    struct arena *arena = arena_new();
    json_open(j, NULL, '{');
    json_text(j, "letter", letter);
    json_text(j, "noun", kind->noun);
    json_text(j, "usage", arena ? kind_usage(kind, arena) : NULL);
    json_open(j, "types", '[');
    for (const struct model_type *t = kind->types; t && t->name; t++)
        json_text(j, NULL, t->name);
    json_close(j);
    json_table(j, "instance", kind->instance);
    json_table(j, "model", kind->model);
    json_quantities(j, kind->quantities);
    json_close(j);
    arena_free(arena);
}

/* ---- the command ---- */

/* A letter, the name or the beginning of a word in it, a type of model: d, diode, source, npn. */
static bool is_wanted(const struct element_kind *kind, const char *name)
{
    if (!name)
        return true;
    if (strlen(name) == 1)
        return tolower((unsigned char)name[0]) == kind->letter;
    return has_word(kind->noun, name) || names_equal(kind->noun, name) || kind_type(kind, name) ||
           (kind->short_noun && names_equal(name, kind->short_noun));
}

struct settings {
    struct common_settings common;
    bool markdown;
};

static const struct option options[] = {
    JSON_OPTION("as a list of JSON objects"),
    {OPTION_FLAG, "--markdown", NULL, NULL, offsetof(struct settings, markdown), "as tables for documentation",
     ANYTHING},
    HELP_OPTION,
};

static size_t list_json(const char *name, struct job *job)
{
    struct json j = {0};
    const struct element_kind *kind;
    size_t shown = 0;
    for (size_t i = 0; (kind = catalogue_kind(&device_catalogue, i)); i++)
        if (!letter_is_made(kind->letter) && is_wanted(kind, name)) {
            if (shown++ == 0) {
                j = json_begin(job_report(job));
                json_open(&j, NULL, '[');
            }
            json_kind(&j, kind);
        }
    if (shown > 0)
        json_close(&j);
    return shown;
}

static size_t list_text(const struct settings *s)
{
    const char *name = s->common.deck;
    size_t shown = 0;
    if (s->markdown)
        printf("# Devices and their parameters\n\n"
               "Printed by `knoten devices --markdown` from the tables that decks are read with.\n");
    const struct element_kind *kind;
    for (size_t i = 0; (kind = catalogue_kind(&device_catalogue, i)); i++)
        if (!letter_is_made(kind->letter) && is_wanted(kind, name)) {
            print_kind(kind, name, s->markdown);
            shown++;
        }
    return shown;
}

static int list(void *settings, struct job *job)
{
    const struct settings *s = settings;
    const char *name = s->common.deck;
    if ((s->common.json ? list_json(name, job) : list_text(s)) > 0)
        return EXIT_DONE;
    fprintf(stderr, "knoten: there is no device '%s'; knoten devices lists all\n", name);
    return EXIT_USAGE;
}

/* Letters, each once, and types of models. */
static const char *device_names(size_t i, const char **title)
{
    static const char letters[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
                                      "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"};
    const struct element_kind *kind, *before = NULL;
    for (size_t k = 0; (kind = catalogue_kind(&device_catalogue, k)); before = kind, k++) {
        if (!isalpha((unsigned char)kind->letter))
            continue;
        *title = kind->noun;
        if ((!before || before->letter != kind->letter) && i-- == 0)
            return letters[tolower((unsigned char)kind->letter) - 'a'];
        for (const struct model_type *t = kind->types; t && t->name; t++)
            if (i-- == 0)
                return t->name;
    }
    *title = NULL;
    return NULL;
}

const struct command devices_command = SELF_COMMAND(
    "devices", "[options] [NAME]",
    "lists devices and their parameters; NAME is a letter, a name or a type of model: d, diode, npn", device_names,
    struct settings, list,
    {"knoten devices d", "the diode: its card, the parameters of its model, what can be asked of it"},
    {"knoten devices npn", "by a type of model"}, {"knoten devices --json", "all of them, for other programs"});
