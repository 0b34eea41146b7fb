/* definitions.c - see definitions.h. */
#include "control/vectors/definitions.h"

#include "base/names.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next name of a text; NULL with the reason. */
static const char *take_name(struct arena *a, const char **text, const char **why)
{
    const char *at = *text + strspn(*text, " \t");
    size_t length = 0;
    while (is_letter(at[length]))
        length++;
    *text = at + length + strspn(at + length, " \t");
    const char *name = length && !isdigit((unsigned char)*at) ? arena_text(a, at, length) : NULL;
    if (!name)
        *why = length && !isdigit((unsigned char)*at) ? "memory is exhausted"
                                                      : "expected a name, and those of the arguments in parentheses";
    return name;
}

bool definition_read(struct arena *a, const char *text, struct definition *out, const char **why)
{
    const char **parameters = arena_array(a, MOST_ARGUMENTS, sizeof *parameters);
    *out = (struct definition){.name = take_name(a, &text, why), .parameters = parameters};
    *why = parameters ? *why : "memory is exhausted";
    if (!out->name || !parameters)
        return false;
    *why = "expected '(' behind the name, arguments, ')' and a formula";
    if (*text++ != '(')
        return false;
    const char *inside = text + strspn(text, " \t");
    const bool without = *inside == ')';
    text = without ? inside + 1 : text;
    while (!without) {
        if (out->count == MOST_ARGUMENTS) {
            *why = "a function has 16 arguments at most";
            return false;
        }
        parameters[out->count] = take_name(a, &text, why);
        if (!parameters[out->count++])
            return false;
        if (*text++ != ',')
            break;
    }
    *why = "expected ')' behind the arguments, and a formula";
    if (text[-1] != ')')
        return false;
    text += strspn(text, " \t");
    out->body = *text ? arena_text(a, text, strlen(text)) : NULL;
    return out->body != NULL;
}

const struct definition *definition_find(const struct definition *first, const char *name, size_t count)
{
    for (; first; first = first->next)
        if (first->count == count && names_equal(first->name, name))
            return first;
    return NULL;
}
