/* arguments.c - see arguments.h. */
#include "cli/arguments.h"

#include "base/names.h"
#include "netlist/expression/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 32 };

static void say_unknown(const char *word, size_t length, const struct option_table *t)
{
    const char *names[MOST_NAMES];
    size_t listed = 0;
    for (size_t i = 0; i < t->count && listed < MOST_NAMES; i++)
        if (strlen(t->options[i].name) > 2)
            names[listed++] = t->options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *near = names_closest(name, names, listed);
    fprintf(stderr, "knoten: unknown option '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?\n", near);
    else
        fprintf(stderr, "; knoten --help lists all options\n");
}

static bool is_called(const char *name, const char *word, size_t length)
{
    return name && strlen(name) == length && strncmp(name, word, length) == 0;
}

static const struct option *find_option(const char *word, size_t length, const struct option_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (is_called(t->options[i].name, word, length) || is_called(t->options[i].other, word, length))
            return &t->options[i];
    return NULL;
}

/* -oFILE: a letter with its value behind it. */
static const struct option *find_joined(const char *word, const struct option_table *t)
{
    const struct option *o = word[1] != '-' && word[2] ? find_option(word, 2, t) : NULL;
    return o && o->value && o->kind != OPTION_MAYBE ? o : NULL;
}

/* ---- values ---- */

int arguments_choose(const char *option, const char *word, const char *const *words)
{
    size_t count = 0;
    for (; words[count]; count++)
        if (names_equal(word, words[count]))
            return (int)count;
    const char *near = names_closest(word, words, count);
    fprintf(stderr, "knoten: '%s' is no value for %s", word, option);
    if (near) {
        fprintf(stderr, "; did you mean '%s'?\n", near);
        return -1;
    }
    fprintf(stderr, "; there are");
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", words[i]);
    fputc('\n', stderr);
    return -1;
}

static bool read_count(const struct option *o, const char *text, int *number)
{
    char *end;
    const long count = strtol(text, &end, 10);
    *number = (int)count;
    return *text && !*end && (double)count >= o->least && (double)count <= o->most;
}

static bool read_number(const struct option *o, const char *text, double *number)
{
    return expression_number(text, strlen(text), number) && *number >= o->least && *number <= o->most;
}

static bool set(const struct option *o, const char *text, void *settings)
{
    char *const member = (char *)settings + o->place;
    bool good = true;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)(void *)member = true;
        return true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_MAYBE:
        *(const char **)(void *)member = text;
        return true;
    case OPTION_WORD:
        *(int *)(void *)member = arguments_choose(o->name, text, o->words);
        return *(int *)(void *)member >= 0;
    case OPTION_COUNT:
        good = read_count(o, text, (int *)(void *)member);
        break;
    case OPTION_NUMBER:
        good = read_number(o, text, (double *)(void *)member);
        break;
    }
    if (!good)
        fprintf(stderr, "knoten: '%s' is no value for %s; it is %s\n", text, o->name, o->what);
    return good;
}

/* ---- the command line ---- */

/* Takes the option at *at and its value, moving *at when the value is the next word. */
static bool take_option(int count, char **arguments, int *at, const struct option_table *t, void *settings)
{
    const char *word = arguments[*at];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *o = find_joined(word, t);
    if (o)
        return set(o, word + 2, settings);
    o = find_option(word, length, t);
    if (!o) {
        say_unknown(word, length, t);
        return false;
    }
    if (equals && !o->value) {
        fprintf(stderr, "knoten: option '%s' takes no value\n", o->name);
        return false;
    }
    if (equals || !o->value || o->kind == OPTION_MAYBE)
        return set(o, equals ? equals + 1 : "", settings);
    if (*at + 1 < count)
        return set(o, arguments[++*at], settings);
    fprintf(stderr, "knoten: option '%s' needs a value\n", o->name);
    return false;
}

static bool take_more(const char *word, const struct option_table *table, void *settings)
{
    struct more_words *more = table->more ? (void *)((char *)settings + table->more) : NULL;
    const bool room = more && more->count < MOST_WORDS;
    if (room)
        more->at[more->count++] = word;
    else
        fprintf(stderr, "knoten: '%s' is one argument too many\n", word);
    return room;
}

bool arguments_read(int count, char **arguments, const struct option_table *table, void *settings, const char **rest)
{
    bool only_rest = false;
    *rest = NULL;
    for (int at = 1; at < count; at++) {
        const char *word = arguments[at];
        if (!only_rest && strcmp(word, "--") == 0) {
            only_rest = true;
        } else if (!only_rest && word[0] == '-' && word[1] != '\0') {
            if (!take_option(count, arguments, &at, table, settings))
                return false;
        } else if (!*rest) {
            *rest = word;
        } else if (!take_more(word, table, settings)) {
            return false;
        }
    }
    return true;
}

/* ---- help ---- */

void arguments_help(const struct option_table *table)
{
    enum { WIDTH = 16 };
    for (size_t i = 0; i < table->count; i++) {
        const struct option *o = &table->options[i];
        const char *joint = !o->value ? "" : o->kind == OPTION_MAYBE ? "" : " ";
        const int used = printf("  %s%s%s", o->name, joint, o->value ? o->value : "");
        for (const char *line = o->doc; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
            printf("%*s%.*s\n",
                   line == o->doc && used < WIDTH + 3 ? WIDTH + 3 - used
                   : line == o->doc                   ? 1
                                                      : WIDTH + 3,
                   "", (int)strcspn(line, "\n"), line);
        const char *name, *title;
        for (size_t k = 0; o->listed && (name = o->names(k, &title)); k++)
            printf("%*s%-8s %s\n", WIDTH + 5, "", name, title);
    }
}
