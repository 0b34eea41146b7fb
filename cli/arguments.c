/* arguments.c - see arguments.h. */
#include "cli/arguments.h"

#include "base/names.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 32 };

static void say_unknown(const char *word, size_t length, const struct option *options, size_t count)
{
    const char *names[MOST_NAMES];
    size_t listed = 0;
    for (size_t i = 0; i < count && listed < MOST_NAMES; i++)
        if (strlen(options[i].name) > 2)
            names[listed++] = options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *near = names_closest(name, names, listed);
    fprintf(stderr, "knoten: unknown option '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?\n", near);
    else
        fprintf(stderr, "; knoten --help lists all options\n");
}

static const struct option *find_option(const char *word, size_t length, const struct option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, word, length) == 0)
            return &options[i];
    say_unknown(word, length, options, count);
    return NULL;
}

/* -oFILE: a letter with its value behind it. */
static const struct option *find_joined(const char *word, const struct option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].kind == OPTION_VALUE && strlen(options[i].name) == 2 && strncmp(options[i].name, word, 2) == 0 &&
            word[2] != '\0')
            return &options[i];
    return NULL;
}

/* Takes the option at *at and its value, moving *at when the value is the next word. */
static bool take_option(int count, char **arguments, int *at, const struct option *options, size_t option_count)
{
    const char *word = arguments[*at];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *o = find_joined(word, options, option_count);
    if (o) {
        *o->value = word + 2;
        return true;
    }
    o = find_option(word, length, options, option_count);
    if (!o)
        return false;
    if (equals && o->kind == OPTION_FLAG) {
        fprintf(stderr, "knoten: option '%s' takes no value\n", o->name);
        return false;
    }
    if (!equals && o->kind == OPTION_VALUE && *at + 1 >= count) {
        fprintf(stderr, "knoten: option '%s' needs a value\n", o->name);
        return false;
    }
    if (o->given)
        *o->given = true;
    if (equals)
        *o->value = equals + 1;
    else if (o->kind == OPTION_VALUE)
        *o->value = arguments[++*at];
    return true;
}

bool arguments_read(int count, char **arguments, const struct option *options, size_t option_count, const char **rest,
                    size_t rest_capacity, size_t *rest_count)
{
    bool only_rest = false;
    *rest_count = 0;
    for (int at = 1; at < count; at++) {
        const char *word = arguments[at];
        if (!only_rest && strcmp(word, "--") == 0) {
            only_rest = true;
        } else if (!only_rest && word[0] == '-' && word[1] != '\0') {
            if (!take_option(count, arguments, &at, options, option_count))
                return false;
        } else if (*rest_count < rest_capacity) {
            rest[(*rest_count)++] = word;
        } else {
            fprintf(stderr, "knoten: '%s' is one argument too many\n", word);
            return false;
        }
    }
    return true;
}

int arguments_choose(const char *option, const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names_equal(word, words[i]))
            return (int)i;
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
