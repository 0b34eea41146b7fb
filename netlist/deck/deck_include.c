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

/* Names with blanks and parentheses stand in quotes, but LTspice writes C:\Program Files (x86)\my.lib as it is. */
static const struct item *join_path(struct deck *k, struct item *first)
{
    const struct item *last = first;
    while (last->next)
        last = last->next;
    if (last == first)
        return first;
    first->text = arena_text(k->scratch, first->begin, (size_t)(last->end - first->begin));
    if (!first->text)
        deck_no_memory(k);
    return first->text ? first : NULL;
}

/* my.lib, behind the last backslash. */
static bool has_suffix(const char *path)
{
    const char *last = strrchr(path, '\\');
    return strchr(last ? last : path, '.') != NULL;
}

/* Whether a path of several words is meant, rather than a file and a section: C:\my libs\a.lib, not C:\libs\a.lib tt. */
static bool is_path_with_blanks(const struct deck *k, const struct item *first, const struct item *second)
{
    const bool windows = k->dialect == DIALECT_LTSPICE && strchr(first->text, '\\');
    return first->kind == ITEM_WORD &&
           (second->next || (windows && (!has_suffix(first->text) || strpbrk(item_text(second), "\\."))));
}

void deck_take_include(struct deck *k, struct statement *s)
{
    const struct item *name = s->items->next;
    if (s->broken)
        return;
    if (!is_path(name))
        deck_fail(k, "syntax", name ? name->where : s->end, "write .include \"file\"", "expected the name of a file");
    else
        want(k, join_path(k, s->items->next), NULL);
}

/* .initcond file "name": the file has what would stand on the card. */
void deck_take_states(struct deck *k, struct statement *s)
{
    const struct item *first = s->items->next;
    if (item_is(first, "file") && !first->value && is_path(first->next))
        want(k, first->next, NULL);
    else
        deck_keep(k, s);
}

/* ---- .lib file section; inside a library: .lib section .. .endl ---- */

void deck_take_library(struct deck *k, struct statement *s)
{
    struct item *first = s->items->next;
    const struct item *second = first ? first->next : NULL;
    struct open_file *f = k->open_file;
    if (s->broken)
        return;
    const bool counts = deck_counts(k);
    if (!first && k->dialect == DIALECT_PSPICE)
        deck_warn(k, "library", s->end, "models that the deck needs of it must be in a file beside it",
                  "'.lib' alone means nom.lib, which comes with PSpice and is not here; it is not read");
    else if (is_path(first) && second && is_path_with_blanks(k, first, second)) {
        if (counts)
            want(k, join_path(k, first), NULL);
    } else if (is_path(first) && second && is_path(second) && second->next && k->dialect == DIALECT_HSPICE) {
        deck_warn(k, "syntax", second->next->where, NULL, "what stands behind the section is ignored");
        if (counts)
            want(k, first, deck_chosen_section(k, first, second));
    } else if (!is_path(first) || (second && (!is_path(second) || second->next))) {
        deck_fail(k, "syntax", first ? first->where : s->end, "write .lib \"file\" section",
                  "expected the name of a file and a section");
    } else if (f->has_sections && !second) {
        f->section_depth++;
        if (!f->chosen_depth && f->section && names_equal(first->text, f->section))
            f->chosen_depth = f->section_depth;
        f->section_found |= f->chosen_depth > 0;
        note_section(k, f, first->text);
    } else if (counts) {
        want(k, first, deck_chosen_section(k, first, second));
    }
}

void deck_take_library_end(struct deck *k, struct statement *s)
{
    struct open_file *f = k->open_file;
    if (!f->section_depth)
        deck_fail(k, "syntax", s->items->where, NULL, "'.endl' without a '.lib' before it");
    if (f->chosen_depth == f->section_depth)
        f->chosen_depth = 0;
    f->section_depth -= f->section_depth > 0;
}
