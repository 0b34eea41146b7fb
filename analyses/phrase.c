/* phrase.c - see phrase.h. */
#include "analyses/phrase.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void phrase_add(struct phrase *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof p->text - p->used;
    const int length = vsnprintf(p->text + p->used, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < room) {
        p->used += (size_t)length;
        return;
    }
    p->used = sizeof p->text - 1;
    memcpy(p->text + sizeof p->text - 4, " ..", 4);
}

void phrase_add_lower(struct phrase *p, const char *name)
{
    const size_t begin = p->used;
    phrase_add(p, "%s", name);
    for (size_t i = begin; i < p->used; i++)
        p->text[i] = (char)tolower((unsigned char)p->text[i]);
}

void phrase_add_item(struct phrase *p, const char *item)
{
    phrase_add(p, "%s%s", p->used > 0 ? ", " : "", item);
}

const char *phrase_keep(const struct phrase *p, struct arena *a)
{
    return arena_text(a, p->text, strlen(p->text));
}
