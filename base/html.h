/* html.h - text inside a page. */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stddef.h>
#include <stdio.h>

/* What stands for a character that means something in HTML; else NULL. */
static inline const char *html_entity(char c)
{
    return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
}

/* Control characters become blanks. */
static inline void html_write(FILE *to, const char *text)
{
    for (; *text; text++) {
        const char *entity = html_entity(*text);
        if (entity)
            fputs(entity, to);
        else
            putc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
}

#endif
