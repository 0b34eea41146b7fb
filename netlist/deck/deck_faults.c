/* deck_faults.c - errors in parts of included files that may never be used.
 *
 * Libraries have been written by many for many programs, and a deck uses one subcircuit of a thousand.  What is wrong with
 * the others is no reason to refuse the deck: errors in a subcircuit or in the card of a model are kept with it, and
 * reported where an instance or an element uses it.  All else is said at once, in the order of the text.
 */
#include "netlist/deck/deck_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int by_line(const void *a, const void *b)
{
    const struct kn_diagnostic *const *p = a, *const *q = b;
    return ((*p)->where.line > (*q)->where.line) - ((*p)->where.line < (*q)->where.line);
}

bool deck_watch_begin(struct deck *k, struct fault_watch *w)
{
    *w = (struct fault_watch){.outside = k->diagnostics, .taken = kn_diagnostics_new()};
    w->parsed_list = w->taken ? kn_diagnostics_new() : NULL;
    if (w->parsed_list) {
        k->diagnostics = w->parsed_list;
        return true;
    }
    kn_diagnostics_free(w->taken);
    return deck_no_memory(k);
}

bool deck_watch_parsed(struct deck *k, struct fault_watch *w)
{
    k->diagnostics = w->taken;
    w->parsed_count = kn_diagnostics_count(w->parsed_list);
    w->parsed = arena_array(k->scratch, w->parsed_count + 1, sizeof *w->parsed);
    if (!w->parsed || diagnostics_exhausted(w->parsed_list)) {
        w->parsed_count = 0;
        return deck_no_memory(k);
    }
    for (size_t i = 0; i < w->parsed_count; i++)
        w->parsed[i] = kn_diagnostics_get(w->parsed_list, i);
    qsort(w->parsed, w->parsed_count, sizeof *w->parsed, by_line);
    return true;
}

static const char *kept(struct deck *k, const char *text)
{
    return text ? arena_text(k->scratch, text, strlen(text)) : NULL;
}

void deck_add_fault(struct deck *k, struct fault **list, const struct kn_diagnostic *m)
{
    struct fault *f = arena_alloc(k->scratch, sizeof *f);
    if (!f || !(f->text = kept(k, m->text))) {
        deck_no_memory(k);
        return;
    }
    f->code = kept(k, m->code);
    f->hint = kept(k, m->hint);
    f->where = m->where;
    if (f->where.file)
        f->where.file = kept(k, f->where.file);
    f->next = NULL;
    while (*list)
        list = &(*list)->next;
    *list = f;
}

/* to: the faults of what the message is about; NULL: it is said now. */
static void dispatch(struct deck *k, const struct fault_watch *w, struct fault **to, const struct kn_diagnostic *m)
{
    if (m->severity == KN_ERROR && to) {
        deck_add_fault(k, to, m);
        return;
    }
    k->failed |= m->severity == KN_ERROR;
    diagnostics_add(w->outside, m->severity, m->code, m->where, m->hint, "%s", m->text);
}

/* Messages about the text up to a line; those about elements that nobody reads are dropped. */
static void dispatch_parsed(struct deck *k, struct fault_watch *w, int line, struct fault **to, bool unread)
{
    for (; w->next < w->parsed_count && w->parsed[w->next]->where.line <= line; w->next++)
        if (!unread || w->parsed[w->next]->severity != KN_ERROR)
            dispatch(k, w, to, w->parsed[w->next]);
}

/* A statement outside of subcircuits of which LTspice reads nothing. */
static bool is_unread(const struct deck *k, const struct level *l)
{
    return k->open_file->defines_only && !l->parent;
}

/* ---- remarks ---- */

/* Neither a number nor a name of what the file defines stands in it. */
static bool names_nothing(const struct deck *k, const struct statement *s)
{
    for (const struct item *i = s->items->next; i; i = i->next)
        if (i->kind != ITEM_WORD || i->value || i->is_number || name_table_get(k->open_file->defined, i->text))
            return false;
    return true;
}

static bool lacks_nodes(const struct deck *k, const struct statement *s)
{
    const struct element_kind *kind = catalogue_letter(k->catalogue, (char)tolower((unsigned char)s->items->text[0]));
    return kind && item_count(s->items->next) < kind_nodes(kind).least;
}

/* Elements have numbers in their names as a rule: D1 a b dmod, of a model that another file defines, is one. */
static bool has_number(const struct item *name)
{
    return strcspn(name->text, "0123456789") < strlen(name->text);
}

/* Libraries begin with titles, and their remarks are broken over lines by those who mail them.  In a file of subcircuits such a line
 * is one that begins with no letter, that has less than the nodes of an element without a number in its name, or the first one, where
 * it has no values and is not about what the file defines. */
bool deck_is_prose(const struct deck *k, const struct statement *s)
{
    if (!k->open_file->defined || k->current->parent || s->items->text[0] == '.')
        return false;
    if (!isalpha((unsigned char)s->items->text[0]))
        return true;
    return tolower((unsigned char)s->items->text[0]) != 'x' && !has_number(s->items) &&
           (lacks_nodes(k, s) || (s->items->where.line == 1 && (s->broken || names_nothing(k, s))));
}

/* ---- the watch ---- */

void deck_watch_before(struct deck *k, struct fault_watch *w, const struct statement *s)
{
    struct level *l = w->level = k->current;
    dispatch_parsed(k, w, s->items->where.line - 1, l->parent ? &l->faults : NULL, is_unread(k, l));
    w->failed = k->failed;
    k->last_model = NULL;
}

void deck_watch_behind(struct deck *k, struct fault_watch *w, const struct statement *s)
{
    struct level *at = k->current->depth > w->level->depth ? k->current : w->level;
    const bool is_element = s->items->text[0] != '.';
    k->failed = w->failed;
    struct fault **to = at->parent ? &at->faults : k->last_model ? &k->last_model->faults : NULL;
    dispatch_parsed(k, w, s->end.line, to, is_element && (is_unread(k, at) || deck_is_prose(k, s)));
    for (size_t i = 0; i < kn_diagnostics_count(w->taken); i++)
        dispatch(k, w, to, kn_diagnostics_get(w->taken, i));
    if (diagnostics_exhausted(w->taken))
        deck_no_memory(k);
    diagnostics_clear(w->taken);
}

void deck_watch_end(struct deck *k, struct fault_watch *w)
{
    struct level *l = k->current;
    for (; w->next < w->parsed_count; w->next++)
        if (!is_unread(k, l) || w->parsed[w->next]->severity != KN_ERROR)
            dispatch(k, w, l->parent ? &l->faults : NULL, w->parsed[w->next]);
    k->diagnostics = w->outside;
    kn_diagnostics_free(w->taken);
    kn_diagnostics_free(w->parsed_list);
}

void deck_report_faults(struct deck *k, const struct fault *f)
{
    for (; f; f = f->next)
        deck_fail(k, f->code, f->where, f->hint, "%s", f->text);
}
