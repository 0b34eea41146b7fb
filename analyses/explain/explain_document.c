/* explain_document.c - what all sections of an explanation are written with: sentences, and memory. */
#include "analyses/explain/explain_parts.h"

#include <stdarg.h>

void *explain_take(struct explanation *x, size_t count, size_t size)
{
    void *memory = arena_array(x->arena, count + 1, size);
    x->w.cut = x->w.cut || !memory;
    return memory;
}

void explain_say(struct explanation *x, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    x->writer->paragraph(x->to, text);
}
