/* explain_notation.c - names and formulas in the notation of a format. */
#include "analyses/explain/explain_parts.h"

#include <ctype.h>
#include <string.h>

static const char *const marks[][EXPLAIN_HTML + 1] = {
#define MARK(symbol, ...) {__VA_ARGS__},
#include "analyses/explain/explain_marks.def"
#undef MARK
};

const char *notation_mark(const struct notation *n, enum mark mark)
{
    return marks[mark][n->format];
}

static const char *markup(const struct notation *n, char c)
{
    return n->escaped ? n->escaped(c) : NULL;
}

static void add_escaped(const struct notation *n, struct text *w, const char *text)
{
    for (; *text; text++) {
        const char plain[2] = {*text, '\0'}, *escaped = markup(n, *text);
        text_add(w, escaped ? escaped : plain);
    }
}

/* Plain text. */
static void notation_print(const struct notation *n, FILE *to, const char *text)
{
    for (; *text; text++)
        if (markup(n, *text))
            fputs(markup(n, *text), to);
        else
            fputc(*text, to);
}

void notation_enclose(const struct notation *n, FILE *to, const char *before, const char *text, const char *after)
{
    fputs(before, to);
    notation_print(n, to, text);
    fputs(after, to);
}

void notation_symbol(const struct notation *n, struct text *w, const char *base, const char *index)
{
    text_add(w, *index ? notation_mark(n, MARK_INDEXED) : "");
    text_format(w, "%s%s%s", notation_mark(n, MARK_BASE_OPEN),
                strcmp(base, "p") == 0 ? notation_mark(n, MARK_FLUX) : base, notation_mark(n, MARK_BASE_CLOSE));
    if (!*index)
        return;
    text_add(w, notation_mark(n, MARK_INDEX_OPEN));
    add_escaped(n, w, index);
    text_add(w, notation_mark(n, MARK_INDEX_CLOSE));
}

void notation_quantity(const struct notation *n, struct text *w, const char *letter, const char *name)
{
    if (n->sets_indices)
        notation_symbol(n, w, letter, name);
    else
        text_format(w, "%s(%s)", letter, name);
}

/* "C1" of "x1.x2.C1". */
static const char *explain_own_name(const char *path)
{
    while (tolower((unsigned char)*path) == 'x' && strchr(path, '.'))
        path = strchr(path, '.') + 1;
    return path;
}

/* C1: the letter, and the rest as its index; x1.C1: the whole path as index. */
void notation_element(const struct notation *n, struct text *w, const char *name)
{
    const char *own = explain_own_name(name);
    const char base[2] = {(char)toupper((unsigned char)*own), '\0'};
    if (n->sets_indices)
        notation_symbol(n, w, base, own == name ? name + 1 : name);
    else
        text_add(w, name);
}

void notation_owner(const struct notation *n, struct text *w, const char *name)
{
    text_add(w, notation_mark(n, MARK_OWNER));
    add_escaped(n, w, name);
    text_add(w, notation_mark(n, MARK_OWNER_END));
}

void notation_verbatim(const struct notation *n, struct text *w, const char *formula)
{
    text_add(w, notation_mark(n, MARK_VERBATIM_OPEN));
    add_escaped(n, w, formula);
    text_add(w, notation_mark(n, MARK_VERBATIM_CLOSE));
}
