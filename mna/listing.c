/* listing.c - see listing.h. */
#include "mna/listing.h"

#include <string.h>

void listing_add(struct text *t, const char *deck, const struct element *e)
{
    const bool elsewhere = e->where.file && deck && strcmp(e->where.file, deck) != 0;
    text_format(t, "%s (%s%sline %d)", e->name, elsewhere ? e->where.file : "", elsewhere ? " " : "", e->where.line);
}

bool listing_item(struct text_list *l, const char *deck, const struct element *e)
{
    struct text item = TEXT(300);
    listing_add(&item, deck, e);
    return text_list_add(l, item.at);
}
