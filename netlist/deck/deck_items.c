/* deck_items.c - items of an element's card that are put in another order before anything is known about their meaning, and
 * items of cards that the deck does not have.
 */
#include "netlist/deck/deck_reader.h"

#include <string.h>

static struct item *last_of(struct item *i)
{
    while (i->next)
        i = i->next;
    return i;
}

void deck_open_group(struct item *before)
{
    struct item *group = before->next;
    if (!group || group->kind != ITEM_GROUP || group->value || !group->inside)
        return;
    last_of(group->inside)->next = group->next;
    before->next = group->inside;
}

/* The numbers without a name behind it become further ones of its list. */
static void lengthen(struct item *list)
{
    struct item *last = last_of(list->value);
    while (list->next && !list->next->value && list->next->is_number) {
        last->next = list->next;
        list->next = list->next->next;
        last = last->next;
        last->next = NULL;
    }
}

void deck_join_coefficients(struct item *i)
{
    enum { NODES_AND_VALUE = 3 };
    for (size_t words = 0; i; i = i->next) {
        words += !i->value;
        if (i->value && item_is(i, "tc") && words >= NODES_AND_VALUE)
            lengthen(i);
    }
}

void deck_part_numbers(struct item *i)
{
    for (; i; i = i->next) {
        if (!i->is_number || !i->value)
            continue;
        last_of(i->value)->next = i->next;
        i->next = i->value;
        i->value = NULL;
    }
}

struct item *deck_push_item(struct item_row *r, enum item_kind kind, const char *text)
{
    struct item *made = text ? arena_alloc(r->k->arena, sizeof *made) : NULL;
    if (!made) {
        deck_no_memory(r->k);
        return NULL;
    }
    *made = *r->like;
    made->kind = kind;
    made->text = text;
    made->is_number = kind == ITEM_WORD && expression_number(text, strlen(text), &made->numeric);
    made->next = made->inside = made->value = NULL;
    made->number = r->k->counts.items++;
    if (r->list.last)
        r->list.last->next = made;
    else
        r->list.first = made;
    r->list.last = made;
    return made;
}

struct statement *deck_statement_of(struct item_row *r, const struct statement *like)
{
    struct statement *s = arena_alloc(r->k->arena, sizeof *s);
    if (!s || !r->list.first || r->k->out_of_memory) {
        deck_no_memory(r->k);
        return NULL;
    }
    *s = *like;
    s->items = r->list.first;
    s->number = r->k->counts.statements++;
    s->next = NULL;
    return s;
}

void deck_take_count(struct deck *k, struct item *i)
{
    enum { NODES_AND_VALUE = 3 };
    size_t words = 0;
    struct item *last = NULL;
    for (; i; i = i->next) {
        words += !i->value;
        last = i;
    }
    double count;
    if (k->dialect != DIALECT_LTSPICE || words <= NODES_AND_VALUE || last->kind != ITEM_WORD || last->value ||
        (last->text[0] | 0x20) != 'x' || !expression_number(last->text + 1, strlen(last->text + 1), &count))
        return;
    struct item_row value = {.k = k, .like = last};
    last->value = deck_push_item(&value, ITEM_WORD, last->text + 1);
    last->text = "m";
}
