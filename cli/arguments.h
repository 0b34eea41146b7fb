/* arguments.h - command lines, read and explained by a table of options.
 *
 * Values go into members of the settings of a command: `place` is where, by offsetof.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* bool.  --quiet */
    OPTION_TEXT,   /* const char *.  --method bdf, --method=bdf, -o FILE, -oFILE */
    OPTION_FILE,   /* the same, a file that the command writes */
    OPTION_MAYBE,  /* const char *, "" without a value.  --plot, --plot=v(out) */
    OPTION_WORD,   /* int: which of `words` */
    OPTION_COUNT,  /* int, from `least` to `most` */
    OPTION_NUMBER, /* double, from `least` to `most`, as decks write them */
};

/* The i-th name there is, with a line on it; NULL: there are no more. */
typedef const char *argument_lister(size_t i, const char **title);

struct option {
    enum option_kind kind;
    const char *name, *other; /* "--quiet", "-q"; other may be NULL */
    const char *value;        /* "FILE"; NULL: takes none */
    size_t place;
    const char *doc;  /* for --help, a line or several */
    const char *what; /* of a file: "the results"; of a number: "a time in seconds such as 10u" */
    double least, most;
    const char *const *words; /* ends in NULL */
    argument_lister *names;   /* of a text: what it may be; may be NULL */
    bool listed;              /* on --help with their titles */
};

/* The end of a row: what the value has to be. */
#define ANYTHING                 NULL, 0, 0, NULL, NULL, false
#define WRITES(what)             what, 0, 0, NULL, NULL, false
#define RANGE(least, most, what) what, least, most, NULL, NULL, false
#define ONE_OF(words)            NULL, 0, 0, words, NULL, false
#define LISTED_BY(names)         NULL, 0, 0, NULL, names, true
#define NAMED_BY(names)          NULL, 0, 0, NULL, names, false

enum { MOST_WORDS = 256 };

/* Words behind the first that is no option. */
struct more_words {
    const char *at[MOST_WORDS];
    size_t count;
};

struct option_table {
    const struct option *options;
    size_t count;
    size_t settings_size; /* what they fill */
    const void *defaults; /* settings to begin with; NULL: all 0 */
    size_t more;          /* where a struct more_words is in them; 0: there is none */
};

/* Fills settings; an argument that is no option goes to *rest, others to the more_words of the table, or are an error.  Says on stderr what is wrong
 * and returns false then. */
bool arguments_read(int count, char **arguments, const struct option_table *table, void *settings, const char **rest);

void arguments_help(const struct option_table *table);

/* A word out of a list that ends in NULL; -1 with a message when it is none of them. */
int arguments_choose(const char *option, const char *word, const char *const *words);

#endif
