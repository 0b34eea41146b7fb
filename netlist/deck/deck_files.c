/* deck_files.c - reading the deck and the files that it includes. */
#include "netlist/deck/deck_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading a text ---- */

static const char *title_of(struct deck *k, const char *text, size_t length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    const char *newline = memchr(text, '\n', length);
    size_t size = newline ? (size_t)(newline - text) : length;
    while (size > 0 && strchr(" \t\r", text[size - 1]))
        size--;
    return arena_text(k->arena, text, size);
}

static void include(struct deck *k, struct statement *card, const struct item *name, const struct item *section);

static void note_comments(struct deck *k, const struct deck_text *t)
{
    if (t->indented.line)
        deck_warn_dialect(k, "comment", t->indented, "this and all lines that begin with a blank are comments");
    if (t->dollar.line)
        deck_note_dialect(k, "comment", t->dollar, "what stands behind '$' is a comment");
    if (t->star.line)
        deck_warn_dialect(k, "comment", t->star, "what stands behind a blank and '*' is a comment");
}

static void take_with_files(struct deck *k, struct statement *s)
{
    k->wanted = NULL;
    deck_take(k, s);
    if (k->wanted)
        include(k, s, k->wanted, k->wanted_section);
}

/* The names of subcircuits and models of an included file, where it has subcircuits. */
static bool note_definitions(struct deck *k, const struct statements *list)
{
    bool any = false;
    struct name_table *names = name_table_new(k->scratch);
    for (const struct statement *s = list->first; s && names; s = s->next) {
        const bool is_subcircuit = item_is(s->items, ".subckt");
        const struct item *name = s->items->next;
        any |= is_subcircuit;
        if ((is_subcircuit || item_is(s->items, ".model")) && name && name->kind == ITEM_WORD &&
            !name_table_put(names, name->text, (void *)name))
            names = NULL;
    }
    k->open_file->defined = any ? names : NULL;
    return names || deck_no_memory(k);
}

static void take_all(struct deck *k, struct statements *list, struct fault_watch *w)
{
    for (const struct statement *s = list->first; s && !k->open_file->has_sections; s = s->next)
        k->open_file->has_sections = item_is(s->items, ".endl");
    if (w && !note_definitions(k, list))
        return;
    for (struct statement *s = list->first, *next; s && !k->out_of_memory; s = next) {
        next = s->next;
        if (w)
            deck_watch_before(k, w, s);
        take_with_files(k, s);
        if (w)
            deck_watch_behind(k, w, s);
    }
}

/* The deck's own text is meant as it stands; of an included one much may not be used. */
static enum kn_status read_prepared(struct deck *k, struct deck_text *t, bool is_main)
{
    struct fault_watch w;
    struct statements list = {0};
    const bool failed = k->failed;
    if (!is_main && !deck_watch_begin(k, &w))
        return KN_ERROR_MEMORY;
    k->failed |= !deck_lines_prepare(t, k->diagnostics);
    note_comments(k, t);
    const enum kn_status status = deck_statements(k->scratch, t, k->diagnostics, &k->counts, &list);
    k->failed |= status == KN_ERROR_DECK;
    if (is_main)
        deck_choose_variant(k, &list);
    else
        k->failed = failed; /* errors of libraries are the watch's to report */
    if (is_main || deck_watch_parsed(k, &w))
        take_all(k, &list, is_main ? NULL : &w);
    if (!is_main)
        deck_watch_end(k, &w);
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

static enum kn_status read_statements(struct deck *k, const char *text, size_t length, bool has_title)
{
    const char *file = k->open_file->name;
    diagnostics_source(k->listener, file, text, length);
    char *copy =
        arena_alloc(k->scratch, length + 3); /* a final newline and two NUL behind the text; items point into it */
    if (!copy)
        return KN_ERROR_MEMORY;
    memcpy(copy, text, length);
    memcpy(copy + length, "\n\0", 3);
    struct deck_text t = {.file = file,
                          .text = copy,
                          .length = length + 1,
                          .has_title = has_title,
                          .dialect = k->dialect,
                          .arena = k->arena,
                          .control = &k->control_end};
    if (!deck_splice(k, &t))
        return KN_ERROR_MEMORY;
    k->fingerprint = hash_bytes(k->fingerprint, t.text, t.length - 1);
    return read_prepared(k, &t, has_title);
}

/* .title as the first word of the title goes without saying. */
static void shorten_title(struct deck *k)
{
    const size_t length = strcspn(k->title, " \t");
    const char *word = arena_text(k->scratch, k->title, length);
    if (word && names_equal(word, ".title"))
        k->title += length + strspn(k->title + length, " \t");
}

enum kn_status deck_read_main(struct deck *k, const char *text, size_t length)
{
    if (length > INT_MAX / 2) {
        deck_fail(k, "too-large", (struct kn_location){k->file, 0, 0, 0}, NULL, "the netlist is too large");
        return KN_OK;
    }
    if (!deck_decode(k->scratch, &text, &length))
        return KN_ERROR_MEMORY;
    deck_find_dialect(k, text, length);
    deck_use_libraries(k);
    k->title = title_of(k, text, length);
    if (!k->title)
        return KN_ERROR_MEMORY;
    struct open_file f = {.name = k->file};
    k->open_file = &f;
    const enum kn_status status = read_statements(k, text, length, true);
    k->open_file = NULL;
    for (; k->current->parent; k->current = k->current->parent)
        deck_fail(k, "ends", k->current->where, "end its body with '.ends'", "subcircuit '%s' has no '.ends'",
                  k->current->name);
    deck_check_branches(k, NULL);
    shorten_title(k);
    return status;
}

/* ---- .include ---- */

static bool fail_section(struct deck *k, const struct open_file *f, const struct item *section)
{
    const char *hint =
        !f->has_sections ? "in a library a section begins with '.lib name' and ends with '.endl'"
                         : diagnostics_hint(k->diagnostics, "its sections are: %s", f->sections ? f->sections : "none");
    return deck_fail(k, "library-section", section->where, hint, "library '%s' has no section '%s'", f->name,
                     section->text);
}

/* A file that is not there matters where the branch of .if counts in which it is included; and not at all where it is a
 * library that comes with another program, whose models the deck may not use. */
static bool is_missing(struct deck *k, struct statement *card, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISCHR(about.st_mode)) {
        deck_fail(k, "include", card->items->next->where, NULL, "cannot read '%s': it is a device, not a file", path);
        return true;
    }
    if (stat(path, &about) == 0)
        return false;
    if (deck_is_own_library(k, path)) {
        deck_warn(k, "include", card->items->next->where,
                  "models that the deck needs of it must be in a file beside it",
                  "'%s' comes with %s and is not here; it is not read", item_text(card->items->next),
                  dialect_title(k->dialect));
        return true;
    }
    if (names_match("*.als", path)) {
        deck_warn(k, "include", card->items->next->where, NULL,
                  "'%s' is not here; it has other names of what the deck connects, and is not read",
                  item_text(card->items->next));
        return true;
    }
    if (k->branch)
        deck_keep(k, card);
    return k->branch;
}

/* What the deck needs of such a file is missing then, and said where it is needed. */
static bool is_encrypted(struct deck *k, const char *path, const char *text, struct kn_location where)
{
    const char *program = deck_encrypted_for(text);
    if (program)
        deck_warn(k, "encrypted", where,
                  "ask the manufacturer for a model in plain text, or take one of a similar part",
                  "'%s' is encrypted, so that only %s can read it; it is left out", path, program);
    return program != NULL;
}

/* Of a library without sections LTspice and PSpice read what it defines. */
static bool is_of_definitions(const struct deck *k, const struct statement *card, const struct item *section)
{
    return !section && item_is(card->items, ".lib") && !k->current->parent &&
           (k->dialect == DIALECT_LTSPICE || k->dialect == DIALECT_PSPICE);
}

static bool is_used_by(const struct level *l, const char *name)
{
    for (const struct statement *s = l->elements.first; s; s = s->next)
        for (const struct item *i = s->items->next; i; i = i->next)
            if (item_is(i, name))
                return true;
    return false;
}

static void set_depth(struct level *l, int depth)
{
    l->depth = depth;
    for (size_t i = 0; i < name_table_count(l->children); i++)
        for (struct level *one = name_table_value(l->children, i); one; one = one->other)
            set_depth(one, depth + 1);
}

/* The definitions that follow upon a subcircuit without an end are not meant to be inside of it, unless it uses them. */
static void release_children(struct deck *k, struct level *l, struct level *outside)
{
    for (size_t i = 0; i < name_table_count(l->children); i++) {
        const char *name = name_table_name(l->children, i);
        struct level *child = name_table_value(l->children, i);
        if (is_used_by(l, name) || name_table_get(outside->children, name))
            continue;
        for (struct level *one = child; one; one = one->other) {
            one->parent = outside;
            set_depth(one, outside->depth + 1);
        }
        if (!name_table_put(outside->children, name, child))
            deck_no_memory(k);
    }
}

/* A subcircuit that its file leaves open: most programs close it there.  Elsewhere it may not be used. */
static void close_subcircuit(struct deck *k, struct level *outside)
{
    for (struct level *l = k->current; l != outside; l = l->parent) {
        const char *text = arena_format(k->scratch, "subcircuit '%s' has no '.ends' in its file", l->name);
        const struct kn_diagnostic fault = {.code = "ends", .where = l->where, .hint = "add '.ends'", .text = text};
        if (!text)
            deck_no_memory(k);
        else if (k->dialect == DIALECT_LTSPICE || k->dialect == DIALECT_PSPICE)
            deck_warn(k, fault.code, fault.where, fault.hint, "%s, and ends with it", text);
        else
            deck_add_fault(k, &l->faults, &fault);
        release_children(k, l, outside);
    }
    k->current = outside;
}

/* The lines of a file that go on with the card that names it, as one text. */
static bool continue_card(struct deck *k, const struct statement *card, const char **text, size_t *length)
{
    const size_t name = strlen(card->items->text);
    char *joined = arena_alloc(k->scratch, name + 1 + *length + 1);
    if (!joined)
        return deck_no_memory(k);
    memcpy(joined, card->items->text, name);
    joined[name] = ' ';
    memcpy(joined + name + 1, *text, *length);
    *length += name + 1;
    for (char *c = joined; c < joined + *length; c++)
        if (*c == '\n')
            *c = ' ';
    joined[*length] = '\0';
    *text = joined;
    return true;
}

/* Reads a file in place of the card; section NULL: all of it. */
static void include(struct deck *k, struct statement *card, const struct item *name, const struct item *section)
{
    const char *path = deck_find_file(k, name->text, name->where);
    if (!path) {
        deck_no_memory(k);
        return;
    }
    char *loaded = NULL;
    size_t length = 0;
    if (is_missing(k, card, path) ||
        !deck_open_included(k, path, section ? section->text : NULL, name->where, &loaded, &length))
        return;
    if (item_is(card->items, ".vec")) {
        char *sources = deck_vectors(k, path, loaded, name->where, &length);
        free(loaded);
        if (!(loaded = sources))
            return;
    }
    const char *text = loaded;
    if (!deck_decode(k->scratch, &text, &length) ||
        (item_is(card->items, ".initcond") && !continue_card(k, card, &text, &length))) {
        free(loaded);
        deck_no_memory(k);
        return;
    }
    if (is_encrypted(k, path, loaded, name->where)) {
        free(loaded);
        return;
    }
    struct open_file f = {.name = path,
                          .parent = k->open_file,
                          .depth = k->open_file->depth + 1,
                          .defines_only = k->open_file->defines_only || is_of_definitions(k, card, section),
                          .section = section                 ? section->text
                                     : deck_reads_outside(k) ? k->open_file->section
                                                             : NULL};
    struct level *outside = k->current;
    struct condition *branch = k->branch;
    k->open_file = &f;
    if (!deck_note_included(k, path) || read_statements(k, text, length, false) == KN_ERROR_MEMORY)
        deck_no_memory(k);
    k->open_file = f.parent;
    free(loaded);
    if (section && !f.section_found)
        fail_section(k, &f, section);
    if (k->current != outside && k->current->depth > outside->depth) {
        close_subcircuit(k, outside);
        k->branch = branch;
    }
    deck_check_branches(k, branch);
}
