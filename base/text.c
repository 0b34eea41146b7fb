/* text.c - see text.h. */
#include "base/text.h"

#include "base/array.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char CUT[] = " ..";

struct text text_in(char *buffer, size_t size)
{
    if (size > 0)
        buffer[0] = '\0';
    return (struct text){.at = buffer, .size = size, .cut = size == 0};
}

struct text text_growing(struct arena *a)
{
    return (struct text){.at = "", .arena = a};
}

/* Whether so many characters and a zero byte fit. */
static bool has_room(struct text *t, size_t length)
{
    if (t->cut || length < t->size - t->used)
        return !t->cut;
    return t->arena && array_reserve_in(t->arena, &t->at, t->used, t->used + length + 1, &t->size, 1);
}

static void mark_cut(struct text *t)
{
    if (!t->arena && !t->cut && t->size >= sizeof CUT) {
        memcpy(t->at + t->size - sizeof CUT, CUT, sizeof CUT);
        t->used = t->size - 1;
    }
    t->cut = true;
}

static void add_bytes(struct text *t, const char *piece, size_t length)
{
    const bool fits = has_room(t, length);
    if (!fits && (t->arena || t->cut)) {
        t->cut = true;
        return;
    }
    const size_t added = fits ? length : t->size - t->used - 1;
    memcpy(t->at + t->used, piece, added);
    t->used += added;
    t->at[t->used] = '\0';
    if (!fits)
        mark_cut(t);
}

void text_add(struct text *t, const char *piece)
{
    add_bytes(t, piece, strlen(piece));
}

static void add_formatted(struct text *t, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t room = t->cut ? 0 : t->size - t->used;
    const int length = vsnprintf(room > 0 ? t->at + t->used : NULL, room, format, arguments);
    if (length < 0 || t->cut)
        t->cut = true;
    else if ((size_t)length < room)
        t->used += (size_t)length;
    else if (!t->arena || !has_room(t, (size_t)length))
        mark_cut(t);
    else
        t->used += (size_t)vsnprintf(t->at + t->used, t->size - t->used, format, again);
    va_end(again);
}

void text_format(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(t, format, arguments);
    va_end(arguments);
}

void text_add_lower(struct text *t, const char *name)
{
    const size_t begin = t->used;
    text_add(t, name);
    for (size_t i = begin; i < t->used; i++)
        t->at[i] = (char)tolower((unsigned char)t->at[i]);
}

const char *text_plural(long count)
{
    return count == 1 ? "" : "s";
}

const char *text_keep(const struct text *t, struct arena *a)
{
    return arena_text(a, t->at, t->used);
}

const char *text_take(struct text *t)
{
    const char *taken = t->cut ? "" : t->at;
    t->at = "";
    t->used = t->size = 0;
    return taken;
}

/* ---- lists ---- */

struct text_list text_list(struct text *t, const char *separator, size_t most)
{
    return (struct text_list){.text = t, .separator = separator, .most = most};
}

/* Room is kept for the mark that something was left out. */
static bool has_room_for_item(struct text_list *l, const char *item)
{
    const size_t length = strlen(l->separator) + strlen(item), mark = strlen(l->separator) + 2;
    return has_room(l->text, length + mark);
}

bool text_list_add(struct text_list *l, const char *item)
{
    if (l->given++ > l->shown || (l->most > 0 && l->shown == l->most) || !has_room_for_item(l, item))
        return false;
    l->before_last = l->text->used;
    if (l->shown++ > 0)
        text_add(l->text, l->separator);
    text_add(l->text, item);
    return true;
}

bool text_list_format(struct text_list *l, const char *format, ...)
{
    struct text item = TEXT(300);
    va_list arguments;
    va_start(arguments, format);
    add_formatted(&item, format, arguments);
    va_end(arguments);
    return text_list_add(l, item.at);
}

void text_list_end(struct text_list *l)
{
    if (l->given > l->shown)
        text_format(l->text, "%s..", l->shown > 0 ? l->separator : "");
}

void text_list_end_counted(struct text_list *l)
{
    if (l->given > l->shown)
        text_format(l->text, " and %zu more", l->given - l->shown);
}

void text_list_end_and(struct text_list *l)
{
    static const char AND[] = " and ";
    struct text *t = l->text;
    const size_t separator = strlen(l->separator), extra = sizeof AND - 1 - separator;
    if (l->given > l->shown || l->shown < 2 || !has_room(t, extra)) {
        text_list_end(l);
        return;
    }
    char *comma = t->at + l->before_last;
    memmove(comma + sizeof AND - 1, comma + separator, t->used - l->before_last - separator + 1);
    memcpy(comma, AND, sizeof AND - 1);
    t->used += extra;
}
