/* formula_names.c - see formula_names.h.
 *
 * A compiled expression knows the place of the first mention of each of its variables.  The name that stands there is
 * the one the formula uses; a name without variable inside of a subcircuit is one of ground.
 */
#include "mna/equations/formula_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct renaming {
    const char *local; /* in the formula's text, not terminated */
    size_t length;
    enum expression_variable_kind kind;
    const char *global;
};

struct formula {
    const struct circuit *circuit;
    const char *text;
    struct renaming *renamings;
    size_t count;
    bool inside; /* of a subcircuit */
    char *out;   /* long enough */
    size_t used;
};

static bool in_name(char c)
{
    return c != '\0' && !isspace((unsigned char)c) && !strchr("(),", c);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '#';
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (in_name(text[length]))
        length++;
    return length;
}

/* The character of the text at a place of the deck, NULL when the place lies elsewhere (in a function, say). */
static const char *at_place(const char *text, struct kn_location start, struct kn_location place)
{
    const bool same_file = start.file == place.file || (start.file && place.file && !strcmp(start.file, place.file));
    if (!same_file || place.line < start.line || place.column < 1)
        return NULL;
    int column = place.line == start.line ? place.column - start.column : place.column - 1;
    for (int line = start.line; line < place.line; line++) {
        text = strchr(text, '\n');
        if (!text++)
            return NULL;
    }
    for (; column > 0 && *text && *text != '\n'; column--)
        text++;
    return column == 0 ? text : NULL;
}

static const char *global_name(const struct circuit *c, const struct expression_variable *v)
{
    return v->kind == EXPRESSION_NODE_VOLTAGE ? c->nodes[v->index].name : c->elements[v->index].name;
}

static size_t find_renamings(const struct circuit *c, const struct expression *e, struct renaming *out)
{
    const struct expression_variable *variables = expression_variables(e);
    size_t count = 0;
    for (size_t i = 0; i < expression_variable_count(e); i++) {
        const char *local = at_place(expression_text(e), expression_where(e), variables[i].where);
        const size_t length = local ? name_length(local) : 0;
        if (length > 0)
            out[count++] = (struct renaming){local, length, variables[i].kind, global_name(c, &variables[i])};
    }
    return count;
}

static bool same_name(const char *a, size_t length, const struct renaming *r)
{
    if (length != r->length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)r->local[i]))
            return false;
    return true;
}

static void append(struct formula *f, const char *text, size_t length)
{
    memcpy(f->out + f->used, text, length);
    f->used += length;
}

static void append_name(struct formula *f, const char *name, size_t length, enum expression_variable_kind kind)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->renamings[i].kind == kind && same_name(name, length, &f->renamings[i])) {
            append(f, f->renamings[i].global, strlen(f->renamings[i].global));
            return;
        }
    if (f->inside && kind == EXPRESSION_NODE_VOLTAGE)
        append(f, "0", 1);
    else
        append(f, name, length);
}

/* The names in the parentheses behind V or I; returns what follows the last one. */
static const char *append_names(struct formula *f, const char *at, enum expression_variable_kind kind)
{
    while (*at && *at != ')') {
        const size_t length = name_length(at);
        if (length > 0)
            append_name(f, at, length, kind);
        else if (!isspace((unsigned char)*at))
            append(f, at, 1);
        at += length > 0 ? length : 1;
    }
    return at;
}

static const char *append_word(struct formula *f, const char *at)
{
    size_t length = 0;
    while (in_word(at[length]))
        length++;
    const char *behind = at + length;
    while (isspace((unsigned char)*behind))
        behind++;
    const char letter = (char)tolower((unsigned char)*at);
    append(f, at, length);
    if (length != 1 || *behind != '(' || (letter != 'v' && letter != 'i'))
        return at + length;
    append(f, "(", 1);
    return append_names(f, behind + 1, letter == 'v' ? EXPRESSION_NODE_VOLTAGE : EXPRESSION_BRANCH_CURRENT);
}

/* Lines and runs of blanks become single blanks. */
static void rewrite(struct formula *f)
{
    const char *at = f->text;
    while (*at) {
        if (in_word(*at)) {
            at = append_word(f, at);
            continue;
        }
        if (!isspace((unsigned char)*at))
            append(f, at, 1);
        else if (f->used > 0 && f->out[f->used - 1] != ' ')
            append(f, " ", 1);
        at += at[0] == '\n' && at[1] == '+' ? 2 : 1; /* the + says that the line goes on */
    }
    while (f->used > 0 && f->out[f->used - 1] == ' ')
        f->used--;
}

const char *formula_with_names(struct arena *arena, const struct circuit *c, const struct element *e)
{
    const struct expression *expression = e->expression;
    struct formula f = {.circuit = c, .text = expression_text(expression), .inside = strchr(e->name, '.') != NULL};
    const size_t variables = expression_variable_count(expression);
    f.renamings = malloc((variables + 1) * sizeof *f.renamings);
    size_t longest = 1;
    if (f.renamings) {
        f.count = find_renamings(c, expression, f.renamings);
        for (size_t i = 0; i < f.count; i++)
            longest = strlen(f.renamings[i].global) > longest ? strlen(f.renamings[i].global) : longest;
        f.out = malloc(strlen(f.text) * (longest + 1) + 1); /* every character a name, at worst */
    }
    const char *text = NULL;
    if (f.out) {
        rewrite(&f);
        text = arena_text(arena, f.out, f.used);
    }
    free(f.out);
    free(f.renamings);
    return text;
}
