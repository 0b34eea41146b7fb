/* explain_document.c - what all sections of an explanation are written with: sentences, and memory. */
#include "analyses/explain/explain_parts.h"

#include <stdarg.h>

void *explain_take(struct explanation *x, size_t count, size_t size)
{
    void *memory = arena_array(x->arena, count + 1, size);
    x->w.cut = x->w.cut || !memory;
    return memory;
}

void explain_piece(struct explanation *x, enum explain_piece piece, const char *text)
{
    if (!x->writer->pieces) {
        x->writer->piece(x->to, piece, text);
        return;
    }
    const struct enclosure *e = &x->writer->pieces[piece];
    notation_enclose(x->writer->notation, x->to, e->before, e->after ? text : "", e->after ? e->after : "");
    for (const char *c = text; e->underline && *c; c++)
        fputc(e->underline, x->to);
    if (e->underline)
        fputc('\n', x->to);
}

/* Blanks become ends of lines where the next word would not fit. */
static void break_lines(char *text, size_t width)
{
    char *line = text, *blank = NULL;
    for (char *c = text; *c; c++) {
        blank = *c == ' ' ? c : blank;
        if (blank && (size_t)(c - line) >= width) {
            *blank = '\n';
            line = blank + 1;
            blank = NULL;
        }
    }
}

void explain_say(struct explanation *x, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (x->writer->width > 0)
        break_lines(text, x->writer->width);
    explain_piece(x, EXPLAIN_PARAGRAPH, text);
}

void explain_write_lines(struct explanation *x, const struct explain_line *lines, size_t count)
{
    if (lines && count > 0 && !x->w.cut)
        x->writer->lines(x->to, lines, count);
}
