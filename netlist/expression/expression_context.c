/* expression_context.c - see expression_context.h. */
#include "netlist/expression/expression_context.h"

#include <stdarg.h>
#include <stdio.h>

struct kn_location expression_place(const struct expression_context *c, const struct expression_span *span)
{
    struct kn_location place = c->where;
    place.line += span->first_line;
    place.column = span->first_column + (span->first_line == 0 ? c->where.column : 1);
    place.width = span->last_line == span->first_line ? span->last_column - span->first_column : 1;
    if (place.width < 1)
        place.width = 1;
    return place;
}

void expression_problem(struct expression_context *c, const struct expression_span *span, const char *hint,
                        const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    c->failed = true;
    diagnostics_add(c->diagnostics, KN_ERROR, "syntax", expression_place(c, span), hint, "%s", text);
}
