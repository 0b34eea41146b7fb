/* deck_texts.c - .param nm="foo": {nm} in place of a word of an element is that text, as in LTspice and ngspice.
 *
 * Texts stand for names of subcircuits, models and nodes, which must be known before anything is expanded: they are put in
 * when all of the deck is read.  The innermost definition of a name counts, and a number of that name hides a text farther
 * out.  Those of the heads of subcircuits and of what instances give, and those within .if, are parameters whose value is a text,
 * which conditions compare (expression_compile.c); they are put in when an instance is expanded (expand_elements.c).
 * A text "[1 2]" stands for a list of numbers on model cards (expand_values.c).
 * .param both=or{and} of texts that stand farther up is one behind the other, as ngspice has it.
 */
#include "netlist/deck/deck_reader.h"

#include <string.h>

void deck_take_text(struct deck *k, const struct item *parameter)
{
    struct text_card *t = k->branch ? NULL : arena_alloc(k->scratch, sizeof *t);
    if (!t && !k->branch)
        deck_no_memory(k);
    if (!t)
        return;
    *t = (struct text_card){.parameter = parameter, .next = k->current->texts};
    k->current->texts = t;
    k->has_texts = true;
}

/* The last one of that name that a level sees; NULL. */
static const struct text_card *text_of(const struct level *from, const char *name)
{
    for (; from; from = from->parent) {
        for (const struct text_card *t = from->texts; t; t = t->next)
            if (names_equal(t->parameter->text, name))
                return t;
        if (name_table_get(from->parameter_table, name))
            return NULL;
    }
    return NULL;
}

/* The text of the piece at *at, a name or {name} of a text or one in quotes, and *at behind it; NULL: it is none. */
static const char *next_piece(struct deck *k, const char **at)
{
    const char *begin = *at + strspn(*at, "{\""), *end = begin;
    const char opening = **at;
    if (begin - *at > 1)
        return NULL;
    end += opening == '"'   ? strcspn(begin, "\"")
           : opening == '{' ? strcspn(begin, "}")
                            : strcspn(begin, "{}\" \t+-*/(),");
    const bool closed = *end == (opening == '"' ? '"' : '}');
    const char *inside = arena_text(k->scratch, begin, (size_t)(end - begin));
    if (!inside || end == begin || (begin != *at && !closed))
        return NULL;
    *at = begin == *at ? end : end + 1;
    const struct text_card *t = opening == '"' ? NULL : text_of(k->current, inside);
    return opening == '"' ? inside : t ? t->parameter->value->text : NULL;
}

/* Of a text that others make together: a text twice itself, and that again, would fill any memory. */
enum { LONGEST_JOINED = 65536 };

/* One text behind another; NULL: no memory.  One that is too long has been told, and is none at all from there on. */
static const char *join(struct deck *k, const struct item *parameter, const char *first, const char *second)
{
    if (strlen(first) + strlen(second) <= LONGEST_JOINED)
        return arena_format(k->scratch, "%s%s", first, second);
    deck_fail(k, "too-large", parameter->where, "a text that is put behind itself doubles with each card",
              "the text '%s' has more than %d characters", parameter->text, LONGEST_JOINED);
    return "";
}

/* What all pieces make together; NULL: one is no text, or there is no memory. */
static const char *joined(struct deck *k, const struct item *parameter, const char *pieces)
{
    const char *whole = "", *piece;
    for (const char *at = pieces; *at && whole; whole = join(k, parameter, whole, piece))
        if (!(piece = next_piece(k, &at)))
            return NULL;
    return whole;
}

void deck_join_texts(struct deck *k, struct item *parameter)
{
    struct item *value = parameter->value, *next = parameter->next;
    const char *whole = NULL;
    if (!k->has_texts || !value->text)
        return;
    if (value->kind == ITEM_EXPRESSION && (whole = joined(k, parameter, value->text))) {
        value->kind = ITEM_STRING;
        value->text = whole;
    }
    const bool goes_on = value->kind == ITEM_STRING && next && next->begin == value->end && !next->value && next->text;
    if (goes_on && (whole = joined(k, parameter, next->text)) && (whole = join(k, parameter, value->text, whole))) {
        value->text = whole;
        value->end = next->end;
        parameter->next = next->next;
    }
}

static void put_in_place(struct deck *k, const struct level *l, struct item *i)
{
    const char *name = i->text + strspn(i->text, " \t");
    const size_t length = strcspn(name, " \t");
    if (name[length + strspn(name + length, " \t")] != '\0')
        return; /* more than a name */
    const char *alone = arena_text(k->scratch, name, length);
    const struct text_card *t = alone ? text_of(l, alone) : NULL;
    if (!t)
        return;
    i->text = t->parameter->value->text;
    i->kind = i->text[0] == '[' ? ITEM_STRING : ITEM_WORD; /* numbers of a list stay together */
    i->is_number = expression_number(i->text, strlen(i->text), &i->numeric);
}

static void put_in_items(struct deck *k, const struct level *l, struct item *i)
{
    for (; i; i = i->next) {
        if (i->kind == ITEM_EXPRESSION && !i->value)
            put_in_place(k, l, i);
        put_in_items(k, l, i->inside);
        put_in_items(k, l, i->value);
    }
}

static void put_in_level(struct deck *k, const struct level *l)
{
    for (struct statement *s = l->elements.first; s; s = s->next)
        put_in_items(k, l, s->items->next);
    for (size_t i = 0; i < name_table_count(l->children); i++)
        for (const struct level *inner = name_table_value(l->children, i); inner; inner = inner->other)
            put_in_level(k, inner);
}

void deck_put_texts(struct deck *k)
{
    if (!k->has_texts)
        return;
    put_in_level(k, k->top);
}
