/* data_file.c - see data_file.h. */
#include "devices/data_file.h"

#include <string.h>

enum { LONGEST_LINE = 4000 };

FILE *data_file_open(const char *name, const char *deck, struct arena *arena)
{
    const char *slash = deck ? strrchr(deck, '/') : NULL;
    const bool beside = slash && name[0] != '/';
    char *path = beside ? arena_format(arena, "%.*s/%s", (int)(slash - deck), deck, name) : NULL;
    FILE *f = path ? fopen(path, "r") : NULL;
    return f ? f : fopen(name, "r");
}

static const char between[] = " \t\r\n,";

bool data_file_is_comment(const char *line)
{
    const char first = line[strspn(line, between)];
    return first == '\0' || strchr("*#;", first);
}

char *data_file_word(char **rest)
{
    char *word = *rest + strspn(*rest, between);
    if (data_file_is_comment(word))
        return NULL;
    char *end = word + strcspn(word, between);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

enum kn_status data_file_lines(FILE *f, data_file_reader *read, void *context)
{
    char line[LONGEST_LINE];
    enum kn_status status = KN_OK;
    for (int number = 1; status == KN_OK && fgets(line, sizeof line, f); number++)
        status = read(context, line, number);
    fclose(f);
    return status;
}
