/* substitute.c - see substitute.h. */
#include "control/script/substitute.h"

#include "base/text.h"
#include "output/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct substitution {
    struct state *state;
    struct text out;
    bool exact;
};

bool substitute_needed(const char *text)
{
    return strchr(text, '$') != NULL;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add_number(struct substitution *b, double x)
{
    char text[DECIMAL_TEXT];
    if (b->exact) {
        decimal_shortest(x, text);
        text_add(&b->out, text);
    } else {
        text_format(&b->out, "%.*g", (int)state_number(b->state, "numdgt", 6), x);
    }
}

static void add_values(struct substitution *b, const struct values *v)
{
    for (size_t i = 0; i < v->count; i++) {
        text_add(&b->out, i ? " " : "");
        add_number(b, creal(v->at[i]));
        if (v->is_complex) {
            text_add(&b->out, ",");
            add_number(b, cimag(v->at[i]));
        }
    }
}

/* out, v(out), tran1.v(a,b), x[2]; the text behind it. */
static const char *vector_end(const char *at)
{
    int depth = 0;
    for (; *at && (depth > 0 || is_name(*at) || strchr("#.@([", *at)); at++) {
        depth += *at == '(' || *at == '[';
        depth -= *at == ')' || *at == ']';
    }
    return at;
}

static const char *take_vector(struct substitution *b, const char *at)
{
    const char *end = vector_end(at);
    char *text = arena_text(b->state->scratch, at, (size_t)(end - at));
    struct values v;
    if (!text) {
        state_no_memory(b->state);
        return NULL;
    }
    if (end == at) {
        state_fail(b->state, NULL, "expected the name of a vector behind '$&'");
        return NULL;
    }
    if (!state_evaluate(b->state, text, &v))
        return NULL;
    if (b->state->dry)
        text_add(&b->out, "1");
    else
        add_values(b, &v);
    return end;
}

/* ---- variables ---- */

static bool is_own(const char *name)
{
    static const char *const own[] = {"curplot",  "curplotname", "curplottitle", "plots",
                                      "inputdir", "oscompiled",  "rawfile",      "sim_status"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcasecmp(name, own[i]) == 0)
            return true;
    return false;
}

/* Where the deck is; "." beside where the program was started. */
static void add_folder(struct substitution *b)
{
    const struct kn_circuit *c = b->state->request->circuit;
    const char *file = c && c->circuit->file ? c->circuit->file : "", *slash = strrchr(file, '/');
    text_format(&b->out, "%.*s", slash ? (int)(slash - file) + (slash == file) : 1, slash ? file : ".");
}

/* What the program itself says. */
static bool add_own(struct substitution *b, const char *name)
{
    const struct plots *p = &b->state->plots;
    if (strcasecmp(name, "curplot") == 0)
        text_add(&b->out, p->current->name);
    else if (strcasecmp(name, "curplotname") == 0)
        text_add(&b->out, p->current->label);
    else if (strcasecmp(name, "curplottitle") == 0)
        text_add(&b->out, p->current->title);
    else if (strcasecmp(name, "inputdir") == 0)
        add_folder(b);
    else if (strcasecmp(name, "oscompiled") == 0)
        text_add(&b->out, "6"); /* Linux, of ngspice's numbers */
    else if (strcasecmp(name, "rawfile") == 0)
        text_add(&b->out, "rawspice.raw"); /* as ngspice calls it where nobody else does */
    else if (strcasecmp(name, "sim_status") == 0)
        text_add(&b->out, b->state->unfinished ? "1" : "0");
    for (const struct plot *i = strcasecmp(name, "plots") == 0 ? p->first : NULL; i; i = i->next)
        text_format(&b->out, "%s%s", i == p->first ? "" : " ", i->name);
    return is_own(name);
}

static bool is_mentioned(const struct state *s, const char *name)
{
    for (size_t i = 0; i < s->variable_count; i++)
        if (strcasecmp(s->variables[i].name, name) == 0)
            return true;
    return is_own(name);
}

static bool unknown(struct state *s, const char *name)
{
    return state_fail(s, "set name = value makes a variable; $&name is the number of a vector made by let",
                      "there is no variable '%s'", name);
}

/* The ']' that belongs to the '[' at the begin of a text; NULL: there is none. */
static const char *range_end(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* [2], [1-3] or [$&i] behind the name, counted from 1; the text behind it. */
static const char *take_range(struct state *s, const char *at, const struct variable *v, size_t *from, size_t *to)
{
    const char *close = range_end(at);
    const char *inside = close ? arena_text(s->scratch, at + 1, (size_t)(close - at - 1)) : NULL;
    if (inside && substitute_needed(inside))
        inside = substitute(s, inside, false);
    if (!inside)
        return NULL;
    char *end;
    const long first = strtol(inside, &end, 10);
    const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    *from = first > 0 ? (size_t)first - 1 : 0;
    *to = last < 0 || (size_t)last > v->count ? v->count : (size_t)last;
    return *end == '\0' && end > inside ? close + 1 : NULL;
}

static const char *add_variable(struct substitution *b, const char *name, const char *at)
{
    const struct variable *v = state_variable(b->state, name);
    size_t from = 0, to = v ? v->count : 0;
    if (b->state->dry) {
        if (!v && !is_mentioned(b->state, name) && !unknown(b->state, name))
            return NULL;
        text_add(&b->out, "1");
        return *at == '[' && range_end(at) ? range_end(at) + 1 : at;
    }
    if (!v && add_own(b, name))
        return at;
    if (!v && !unknown(b->state, name))
        return NULL;
    if (*at == '[' && !(at = take_range(b->state, at, v, &from, &to))) {
        state_fail(b->state, "$x[2], $x[2-4] or $x[$&i]", "expected numbers and ']' behind '$%s['", name);
        return NULL;
    }
    if (v->count == 0)
        text_add(&b->out, "TRUE"); /* `set x` alone */
    for (size_t i = from; i < to; i++)
        text_format(&b->out, "%s%s", i > from ? " " : "", v->words[i]);
    return at;
}

/* Behind a dollar sign; the text behind what stood there, NULL with the error said. */
static const char *take_dollar(struct substitution *b, const char *at)
{
    char name[128] = "";
    const char kind = *at;
    if (kind == '&')
        return take_vector(b, at + 1);
    at += kind == '#' || kind == '?';
    size_t length = 0;
    for (; is_name(*at); at++)
        if (length + 1 < sizeof name)
            name[length++] = *at;
    name[length] = '\0';
    const struct variable *v = state_variable(b->state, name);
    if (length == 0) {
        state_fail(b->state, "$name is a variable, $&name a vector", "expected a name behind '$'");
        return NULL;
    }
    if (kind == '?')
        text_add(&b->out, v || is_own(name) ? "1" : "0");
    else if (kind == '#')
        text_format(&b->out, "%zu", v ? v->count : (size_t)0);
    else
        return add_variable(b, name, at);
    return at;
}

const char *substitute(struct state *s, const char *text, bool exact)
{
    struct substitution b = {s, text_growing(s->scratch), exact};
    bool single = false, brace = false;
    for (const char *at = text; at && *at;) {
        single ^= *at == '\'';
        if (*at == '{' && at[1] == '$' && !single) {
            brace = true;
            at++;
        } else if (*at == '}' && brace) {
            brace = false;
            at++;
        } else if (*at == '$' && !single) {
            at = take_dollar(&b, at + 1);
            if (!at)
                return NULL;
        } else {
            const char one[] = {*at++, '\0'};
            text_add(&b.out, one);
        }
    }
    const char *out = text_take(&b.out);
    if (b.out.cut)
        state_no_memory(s);
    return b.out.cut ? NULL : out;
}
