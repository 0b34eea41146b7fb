/* deck_variants.c - one text, several decks: .alter blocks, and sections of a library that .step lib names.
 *
 * As in HSPICE a block changes what stands before it, the blocks before it included: elements, models, subcircuits and
 * analyses of the same name are replaced, parameters and options have the last word, .del lib takes a .lib away.
 */
#include "netlist/deck/deck_reader.h"

#include <string.h>

/* ---- before the statements are taken ---- */

static bool same_word(const struct item *a, const struct item *b)
{
    return a == b || (a && b && names_equal(a->text, b->text));
}

/* Takes the `.lib file section` away that a `.del lib file section` behind it names. */
static void delete_library(struct deck *k, struct statements *list, const struct statement *del)
{
    const struct item *word = del->items->next, *file = word ? word->next : NULL;
    if (!item_is(word, "lib") || !file) {
        deck_fail(k, "syntax", word ? word->where : del->end, "write .del lib \"file\" section",
                  "'.del' takes a library away that .lib has read");
        return;
    }
    struct statement *before = NULL;
    for (struct statement *s = list->first; s && s != del; before = s, s = s->next) {
        const struct item *name = s->items->next;
        if (!item_is(s->items, ".lib") || !name || !same_word(name, file) || !same_word(name->next, file->next))
            continue;
        *(before ? &before->next : &list->first) = s->next;
        return;
    }
    deck_fail(k, "library", file->where, NULL, "no '.lib' in front of this reads '%s'", file->text);
}

/* .step lib "file" section section .. */
static void take_sections(struct deck *k, const struct statement *s)
{
    const struct item *file = s->items->next->next, *first = file ? file->next : NULL;
    if (k->alter_count > 0)
        deck_fail(k, "syntax", s->items->where, "write it in front of the first .alter",
                  "'.step lib' in an '.alter' block");
    else if (k->step_file)
        deck_fail(k, "syntax", s->items->where, "step other libraries by .alter",
                  "a second '.step lib' cannot be read");
    else if (!first)
        deck_fail(k, "syntax", s->end, "write .step lib \"file\" tt ff ss", "expected the names of sections");
    else {
        k->step_file = file;
        k->step_sections = first;
        k->section_count = item_count(first);
        k->step_where = s->items->where;
    }
}

static bool is_section_step(const struct statement *s)
{
    const struct item *word = s->items->next;
    return item_is(s->items, ".step") && item_is(word, "lib") && !word->value;
}

void deck_choose_variant(struct deck *k, struct statements *list)
{
    struct statement *before = NULL, *cut = NULL;
    for (struct statement *s = list->first; s; s = s->next) {
        k->alter_count += item_is(s->items, ".alter");
        if (k->alter_count > k->variant.alter) {
            cut = cut ? cut : before;
            continue;
        }
        if (item_is(s->items, ".del"))
            delete_library(k, list, s);
        if (is_section_step(s)) {
            take_sections(k, s);
            *(before ? &before->next : &list->first) = s->next;
            continue;
        }
        before = s;
    }
    if (cut)
        cut->next = NULL;
}

const struct item *deck_chosen_section(const struct deck *k, const struct item *file, const struct item *section)
{
    if (!section || !k->step_file || !names_equal(file->text, k->step_file->text))
        return section;
    const struct item *chosen = k->step_sections;
    for (size_t i = 0; i < k->variant.section; i++)
        chosen = chosen->next;
    return chosen;
}

/* ---- while they are taken ---- */

void deck_take_alter(struct deck *k, struct statement *s)
{
    if (k->open_file->parent) {
        deck_fail(k, "unsupported", s->items->where, "write it in the deck itself", "'.alter' in an included file");
        return;
    }
    k->is_altered = true;
    k->block = s->number;
    const char *words = "";
    for (const struct item *i = s->items->next; i && words; i = i->next)
        words = arena_format(k->scratch, "%s %s", words, item_text(i));
    const char *title =
        k->variant.alter == ++k->block_count
            ? arena_format(k->arena, "%s .alter%s%s", k->title, words && *words ? ":" : "", words ? words : "")
            : k->title;
    k->title = title ? title : k->title;
}

void deck_take_deletion(struct deck *k, struct statement *s)
{
    if (k->open_file->parent)
        deck_fail(k, "unsupported", s->items->where, "write it in the deck itself", "'.del' in an included file");
}

/* The place of the first statement in a list of which it is true; NULL: there is none. */
static struct statement **find(struct statements *list,
                               bool (*is)(const struct statement *s, const struct statement *than),
                               const struct statement *than)
{
    for (struct statement **at = &list->first; *at; at = &(*at)->next)
        if (is(*at, than))
            return at;
    return NULL;
}

static bool has_its_name(const struct statement *s, const struct statement *than)
{
    return names_equal(s->items->text, than->items->text);
}

void deck_add_element(struct deck *k, struct statement *s)
{
    struct statements *list = &k->current->elements;
    struct statement **old = k->is_altered ? find(list, has_its_name, s) : NULL;
    if (!old) {
        statements_append(list, s);
        return;
    }
    s->next = (*old)->next;
    if (list->last == *old)
        list->last = s;
    *old = s;
}

static bool is_earlier_of_kind(const struct statement *s, const struct statement *than)
{
    return names_equal(s->items->text, than->items->text) && s->number < than->number;
}

void deck_replace_cards(struct deck *k, const struct statement *s)
{
    struct statements *list = &k->top->cards;
    const struct statement block = {.items = s->items, .number = k->block};
    struct statement **old;
    if (!k->is_altered || !(s->card->analysis || s->card->any_handed_on || item_is(s->items, ".temp")))
        return;
    while ((old = find(list, is_earlier_of_kind, &block)))
        *old = (*old)->next;
    list->last = NULL;
    for (struct statement *one = list->first; one; one = one->next)
        list->last = one;
}
