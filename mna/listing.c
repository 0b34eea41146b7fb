/* listing.c - see listing.h. */
#include "mna/listing.h"

#include <stdio.h>
#include <string.h>

/* Room is always kept for the mark that something was left out. */
static const char MORE[] = ", ..";

struct item_list item_list_start(char *buffer, size_t size)
{
    if (size > 0)
        buffer[0] = '\0';
    return (struct item_list){.buffer = buffer, .size = size, .full = size == 0};
}

void item_list_add(struct item_list *list, const char *item)
{
    const char *separator = list->used > 0 ? ", " : "";
    const size_t length = strlen(separator) + strlen(item);
    if (list->full)
        return;
    if (list->used + length + sizeof MORE <= list->size) {
        list->used += (size_t)snprintf(list->buffer + list->used, list->size - list->used, "%s%s", separator, item);
        return;
    }
    list->full = true;
    if (list->used + sizeof MORE <= list->size)
        memcpy(list->buffer + list->used, MORE, sizeof MORE);
}

void item_list_element(struct item_list *list, const struct circuit *c, const struct element *e)
{
    char item[256];
    const bool elsewhere = e->where.file && c->file && strcmp(e->where.file, c->file) != 0;
    if (elsewhere)
        snprintf(item, sizeof item, "%s (%s line %d)", e->name, e->where.file, e->where.line);
    else
        snprintf(item, sizeof item, "%s (line %d)", e->name, e->where.line);
    item_list_add(list, item);
}
