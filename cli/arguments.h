/* arguments.h - command lines: options with and without a value, a likely correction for the rest. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
    OPTION_FLAG,  /* --quiet */
    OPTION_VALUE, /* --format csv, --format=csv, -o FILE, -oFILE */
    OPTION_MAYBE  /* --plot, --plot=v(out) */
};

struct option {
    const char *name; /* "--format", "-o" */
    enum option_kind kind;
    bool *given;
    const char **value; /* NULL for flags */
};

/* Fills what the options point to; what is no option goes to `rest` (at most rest_capacity, more is an error).  Says on
 * stderr what is wrong and returns false then. */
bool arguments_read(int count, char **arguments, const struct option *options, size_t option_count, const char **rest,
                    size_t rest_capacity, size_t *rest_count);

/* A word out of a list; -1 with a message when it is none of them. */
int arguments_choose(const char *option, const char *word, const char *const *words, size_t count);

#endif
