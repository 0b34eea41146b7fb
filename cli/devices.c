/* devices.c - `knoten devices`: the elements that a netlist may contain and their parameters, from the tables that the
 * program itself reads decks with.  docs/devices.md is its output with --markdown. */
#include "cli/arguments.h"
#include "cli/command.h"
#include "devices/device.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void print_row(const struct parameter_info *p, bool markdown)
{
    char fallback[NUMBER], range[RANGE], name[RANGE];
    format_number(p->fallback, fallback);
    format_range(p, range);
    snprintf(name, sizeof name, p->alias ? "%s, %s" : "%s", p->name, p->alias);
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

static void print_class(const struct device_class *c, bool markdown)
{
    printf(markdown ? "\n## %c: %s\n" : "%c: %s\n", toupper((unsigned char)c->letter), c->name);
    print_table("On the element line", c->instance, markdown);
    if (!c->model_types)
        return;
    char title[128] = "On the .model card of type";
    for (size_t i = 0; c->model_types[i] && strlen(title) + strlen(c->model_types[i]) + 3 < sizeof title; i++)
        strcat(strcat(title, i ? ", " : " "), c->model_types[i]);
    print_table(title, c->model, markdown);
}

static bool is_wanted(const struct device_class *c, const char *name)
{
    return !name || strcmp(name, c->name) == 0 || (name[1] == '\0' && tolower((unsigned char)name[0]) == c->letter);
}

static void help(void)
{
    printf("\nknoten devices:\n"
           "  NAME             a letter or a name: d, diode; without it all\n"
           "  --markdown       as tables for documentation\n");
}

static int run(int count, char **arguments)
{
    bool markdown = false, wants_help = false;
    const char *name = NULL;
    const struct option options[] = {{"--markdown", OPTION_FLAG, &markdown, NULL},
                                     {"--help", OPTION_FLAG, &wants_help, NULL},
                                     {"-h", OPTION_FLAG, &wants_help, NULL}};
    size_t names, shown = 0;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &name, 1, &names))
        return EXIT_USAGE;
    if (wants_help) {
        help();
        return EXIT_DONE;
    }
    if (markdown)
        printf("# Devices and their parameters\n\n"
               "Printed by `knoten devices --markdown` from the tables that decks are read with.\n");
    for (size_t i = 0; device_classes[i]; i++)
        if (is_wanted(device_classes[i], name)) {
            print_class(device_classes[i], markdown);
            shown++;
        }
    if (shown > 0)
        return EXIT_DONE;
    fprintf(stderr, "knoten: there is no device '%s'; knoten devices lists all\n", name);
    return EXIT_USAGE;
}

const struct command devices_command = {"devices", "[NAME]", "lists devices and their parameters", run, help};
