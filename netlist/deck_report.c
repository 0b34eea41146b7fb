/* deck_report.c - messages of the netlist reader, with likely corrections. */
#include "netlist/deck_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_TEXT = 1000 };

static void report(struct deck *k, enum kn_severity severity, const char *code, struct kn_location where,
                   const char *hint, const char *format, va_list arguments)
{
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    diagnostics_add(k->diagnostics, severity, code, where, hint, "%s", text);
}

bool deck_fail(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(k, KN_ERROR, code, where, hint, format, arguments);
    va_end(arguments);
    k->failed = true;
    return false;
}

void deck_warn(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(k, KN_WARNING, code, where, hint, format, arguments);
    va_end(arguments);
}

bool deck_no_memory(struct deck *k)
{
    k->out_of_memory = true;
    return false;
}

const char *deck_did_you_mean(struct deck *k, const char *name, const char *const *candidates, size_t count)
{
    if (count > k->suggestions_left)
        return NULL;
    k->suggestions_left -= count;
    const char *guess = names_closest(name, candidates, count);
    return guess ? diagnostics_hint(k->diagnostics, "did you mean '%s'?", guess) : NULL;
}

const char *deck_closest_in(struct deck *k, const char *name, const struct name_table *table)
{
    const size_t count = name_table_count(table);
    if (count > k->suggestions_left)
        return NULL;
    k->suggestions_left -= count;
    const char **names = arena_array(k->scratch, count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = name_table_name(table, i);
    return names ? names_closest(name, names, count) : NULL;
}

const char *deck_did_you_mean_in(struct deck *k, const char *name, const struct name_table *table)
{
    const char *guess = deck_closest_in(k, name, table);
    return guess ? diagnostics_hint(k->diagnostics, "did you mean '%s'?", guess) : NULL;
}

const char *deck_place(struct deck *k, struct kn_location where)
{
    const char *text = arena_format(k->scratch, "%s:%d", where.file ? where.file : "?", where.line);
    return text ? text : "?";
}

const char *item_text(const struct item *i)
{
    return i->kind == ITEM_GROUP ? "(" : i->text;
}

bool item_is(const struct item *i, const char *word)
{
    return i && i->kind == ITEM_WORD && names_equal(i->text, word);
}

size_t item_count(const struct item *first)
{
    size_t count = 0;
    for (; first; first = first->next)
        count++;
    return count;
}
