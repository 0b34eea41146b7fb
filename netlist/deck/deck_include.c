/* deck_include.c - .include and .lib: which file is to be read in place of the card. */
#include "netlist/deck/deck_reader.h"

#include <string.h>

static void want(struct deck *k, const struct item *name, const struct item *section)
{
    k->wanted = name;
    k->wanted_section = section;
}

/* Remembers the name of a section for messages; a library may have very many. */
static void note_section(struct deck *k, struct open_file *f, const char *name)
{
    if (!f->sections)
        f->sections = arena_text(k->scratch, name, strlen(name));
    else if (strlen(f->sections) < 200)
        f->sections = arena_format(k->scratch, "%s, %s", f->sections, name);
}

static bool is_path(const struct item *i)
{
    return i && (i->kind == ITEM_WORD || i->kind == ITEM_STRING || i->kind == ITEM_EXPRESSION) && !i->value;
}

void deck_take_include(struct deck *k, struct statement *s)
{
    const struct item *name = s->items->next;
    if (s->broken)
        return;
    if (!is_path(name))
        deck_fail(k, "syntax", name ? name->where : s->end, "write .include \"file\"", "expected the name of a file");
    else if (name->next)
        deck_fail(k, "syntax", name->next->where, "a name with blanks or parentheses stands in quotes: \"my file\"",
                  "expected nothing behind the name of the file");
    else
        want(k, name, NULL);
}

/* ---- .lib file section; inside a library: .lib section .. .endl ---- */

void deck_take_library(struct deck *k, struct statement *s)
{
    const struct item *first = s->items->next, *second = first ? first->next : NULL;
    struct open_file *f = k->open_file;
    if (s->broken)
        return;
    if (!is_path(first) || (second && (!is_path(second) || second->next))) {
        deck_fail(k, "syntax", first ? first->where : s->end, "write .lib \"file\" section",
                  "expected the name of a file and a section");
    } else if (f->has_sections && !second) {
        f->in_section = true;
        f->is_chosen = f->section && names_equal(first->text, f->section);
        f->section_found |= f->is_chosen;
        note_section(k, f, first->text);
    } else if (f->section ? f->is_chosen : !f->in_section) {
        want(k, first, deck_chosen_section(k, first, second));
    }
}

void deck_take_library_end(struct deck *k, struct statement *s)
{
    struct open_file *f = k->open_file;
    if (!f->in_section)
        deck_fail(k, "syntax", s->items->where, NULL, "'.endl' without a '.lib' before it");
    f->in_section = f->is_chosen = false;
}
