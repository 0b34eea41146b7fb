/* explain_formula.c - a formula written as in a program, "IS*(exp(v/(N*Vt)) - 1)", in the notation of a format: fractions,
 * powers and names as they are printed.
 */
#include "analyses/explain/explain_parts.h"

#include <ctype.h>
#include <string.h>

struct reader {
    struct explanation *x;
    const char *at;
};

/* inner: without the parentheses around it, which fractions and powers make needless; NULL: there are none. */
struct piece {
    const char *text, *inner;
};

static const char *fill(struct explanation *x, const char *text)
{
    x->w.cut = x->w.cut || !text;
    return text ? text : "";
}

static struct piece read_sum(struct reader *r);

static const char *bare(struct piece p)
{
    return p.inner ? p.inner : p.text;
}

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static const char *name_text(struct explanation *x, const char *name)
{
    const enum explain_format format = x->writer->notation->format;
    if (format == EXPLAIN_TEXT || (format == EXPLAIN_LATEX && strlen(name) == 1))
        return name;
    return fill(x, arena_format(x->arena, format == EXPLAIN_LATEX ? "\\mathit{%s}" : "<mi>%s</mi>", name));
}

static const char *parenthesised(struct explanation *x, const char *inner)
{
    const struct notation *n = x->writer->notation;
    return fill(x, arena_format(x->arena, "%s%s%s", notation_mark(n, MARK_OPEN), inner, notation_mark(n, MARK_CLOSE)));
}

static struct piece function(struct explanation *x, const char *name, const char *inner)
{
    const enum explain_format format = x->writer->notation->format;
    const bool root = strcmp(name, "sqrt") == 0;
    if (root && format != EXPLAIN_TEXT)
        return (struct piece){
            fill(x, arena_format(x->arena, format == EXPLAIN_LATEX ? "\\sqrt{%s}" : "<msqrt><mrow>%s</mrow></msqrt>",
                                 inner)),
            NULL};
    const char *word = format == EXPLAIN_LATEX ? fill(x, arena_format(x->arena, "\\%s", name)) : name_text(x, name);
    return (struct piece){fill(x, arena_format(x->arena, "%s%s", word, parenthesised(x, inner))), NULL};
}

static struct piece read_atom(struct reader *r)
{
    struct explanation *x = r->x;
    if (take(r, '(')) {
        const struct piece inner = read_sum(r);
        take(r, ')');
        return (struct piece){parenthesised(x, inner.text), inner.text};
    }
    const size_t length = strcspn(r->at, " +-*/^()");
    char word[24];
    snprintf(word, sizeof word, "%.*s", (int)length, r->at);
    r->at += length;
    if (isdigit((unsigned char)word[0])) {
        x->writer->notation->number(&x->w, word);
        return (struct piece){text_take(&x->w), NULL};
    }
    if (*r->at == '(') {
        take(r, '(');
        const struct piece inner = read_sum(r);
        take(r, ')');
        return function(x, word, inner.text);
    }
    const char *kept = fill(x, arena_text(x->arena, word, strlen(word)));
    return (struct piece){name_text(x, kept), NULL};
}

static struct piece read_power(struct reader *r)
{
    struct explanation *x = r->x;
    const enum explain_format format = x->writer->notation->format;
    const struct piece base = read_atom(r);
    if (!take(r, '^'))
        return base;
    const struct piece exponent = read_power(r);
    const char *text = format == EXPLAIN_TEXT    ? arena_format(x->arena, "%s^%s", base.text, exponent.text)
                       : format == EXPLAIN_LATEX ? arena_format(x->arena, "%s^{%s}", base.text, bare(exponent))
                                                 : arena_format(x->arena, "<msup><mrow>%s</mrow><mrow>%s</mrow></msup>",
                                                                base.text, bare(exponent));
    return (struct piece){fill(x, text), NULL};
}

static struct piece divide(struct explanation *x, struct piece a, struct piece b)
{
    const enum explain_format format = x->writer->notation->format;
    const char *text = format == EXPLAIN_TEXT ? arena_format(x->arena, "%s/%s", a.text, b.text)
                       : format == EXPLAIN_LATEX
                           ? arena_format(x->arena, "\\frac{%s}{%s}", bare(a), bare(b))
                           : arena_format(x->arena, "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>", bare(a), bare(b));
    return (struct piece){fill(x, text), NULL};
}

static struct piece read_product(struct reader *r)
{
    struct explanation *x = r->x;
    const char *times = notation_mark(x->writer->notation, MARK_TIMES);
    struct piece left = read_power(r);
    for (;;) {
        if (take(r, '*')) {
            const struct piece right = read_power(r);
            left = (struct piece){fill(x, arena_format(x->arena, "%s%s%s", left.text, times, right.text)), NULL};
        } else if (take(r, '/')) {
            left = divide(x, left, read_power(r));
        } else {
            return left;
        }
    }
}

static struct piece read_sum(struct reader *r)
{
    struct explanation *x = r->x;
    const struct notation *n = x->writer->notation;
    const bool negative = take(r, '-');
    struct piece left = read_product(r);
    if (negative)
        left =
            (struct piece){fill(x, arena_format(x->arena, "%s%s", notation_mark(n, MARK_NEGATIVE), left.text)), NULL};
    for (;;) {
        skip_blanks(r);
        const char sign = *r->at;
        if (sign != '+' && sign != '-')
            return left;
        r->at++;
        const struct piece right = read_product(r);
        const char *mark = notation_mark(n, sign == '+' ? MARK_PLUS : MARK_MINUS);
        left = (struct piece){fill(x, arena_format(x->arena, "%s%s%s", left.text, mark, right.text)), NULL};
    }
}

const char *formula_text(struct explanation *x, const char *formula)
{
    struct reader r = {x, formula};
    return read_sum(&r).text;
}
