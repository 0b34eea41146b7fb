/* expand_signal.c - expressions of voltages and currents on cards that ask for results: .print, .save, .measure.
 *
 * They may be written without braces, and then the scanner has cut them into items.  So their text is put together
 * again, each item at its own column for the sake of messages.
 */
#include "netlist/expand/expand.h"
#include "netlist/expression/expression_tree.h"

#include <string.h>

struct text {
    char *at; /* [capacity] blanks, then what has been written */
    size_t capacity, used;
    int line, column; /* of the first character */
};

static void write_at(struct text *t, struct kn_location where, const char *piece)
{
    const size_t length = strlen(piece);
    if (where.line == t->line && where.column > t->column && t->used < (size_t)(where.column - t->column))
        t->used = (size_t)(where.column - t->column);
    if (t->used + length >= t->capacity)
        return;
    memcpy(t->at + t->used, piece, length);
    t->used += length;
}

static void write_items(struct text *t, const struct item *i, const struct item *end)
{
    const struct kn_location behind = {.line = 0};
    for (; i && i != end; i = i->next) {
        struct kn_location where = i->where;
        if (i->after_comma)
            write_at(t, behind, ",");
        if (i->kind != ITEM_GROUP && i->kind != ITEM_EXPRESSION) {
            write_at(t, where, i->text);
            continue;
        }
        where.column -= i->kind == ITEM_EXPRESSION;
        write_at(t, where, "(");
        if (i->kind == ITEM_GROUP)
            write_items(t, i->inside, NULL);
        else
            write_at(t, i->where, i->text);
        write_at(t, behind, ")");
    }
}

static size_t room_for(const struct item *i, const struct item *end, struct kn_location from)
{
    size_t room = 1;
    for (; i && i != end; i = i->next) {
        room += strlen(i->text) + 4 + (i->inside ? room_for(i->inside, NULL, from) : 0);
        room +=
            i->where.line == from.line && i->where.column > from.column ? (size_t)(i->where.column - from.column) : 0;
    }
    return room;
}

/* par('..'): the expression between the parentheses. */
static const struct item *without_par(const struct item *first, const struct item *end)
{
    const bool par = item_is(first, "par") && first->next != end && first->next && first->next->kind == ITEM_GROUP;
    return par ? first->next : first;
}

const struct expression *expand_signal(struct expansion *x, const struct instance *at, const struct item *first,
                                       const struct item *end)
{
    struct deck *k = x->deck;
    first = without_par(first, end);
    const size_t room = room_for(first, end, first->where);
    struct text t = {.at = arena_alloc(k->scratch, room + 1), .capacity = room};
    if (!t.at) {
        deck_no_memory(k);
        return NULL;
    }
    memset(t.at, ' ', room);
    t.line = first->where.line;
    t.column = first->where.column - (first->kind == ITEM_EXPRESSION);
    write_items(&t, first, end);
    t.at[t.used] = '\0';
    struct kn_location where = first->where;
    where.column = t.column;
    const struct expression_tree *tree = expression_parse(k->arena, t.at, strlen(t.at), where, k->diagnostics);
    const struct expression *e = tree ? expand_compile(x, at, tree) : NULL;
    k->failed |= !e;
    return e;
}
