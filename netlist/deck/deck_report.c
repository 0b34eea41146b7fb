/* deck_report.c - messages of the netlist reader, with likely corrections. */
#include "netlist/deck/deck_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1000 };

static void report(struct deck *k, enum kn_severity severity, const char *code, struct kn_location where,
                   const char *hint, const char *format, va_list arguments)
{
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    diagnostics_add(k->diagnostics, severity, code, where, hint, "%s", text);
}

bool deck_fail(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(k, KN_ERROR, code, where, hint, format, arguments);
    va_end(arguments);
    k->failed = true;
    return false;
}

void deck_warn(struct deck *k, const char *code, struct kn_location where, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(k, KN_WARNING, code, where, hint, format, arguments);
    va_end(arguments);
}

void deck_note(struct deck *k, const char *code, struct kn_location where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(k, KN_NOTE, code, where, NULL, format, arguments);
    va_end(arguments);
}

bool deck_no_memory(struct deck *k)
{
    k->out_of_memory = true;
    return false;
}

bool deck_begin_lenient(struct deck *k, struct leniency *l)
{
    *l = (struct leniency){k->diagnostics, k->failed};
    struct kn_diagnostics *own = k->diagnostics ? kn_diagnostics_new() : NULL;
    if (k->diagnostics && !own)
        return deck_no_memory(k);
    k->diagnostics = own;
    return true;
}

void deck_end_lenient(struct deck *k, struct leniency *l, const char *consequence)
{
    struct kn_diagnostics *own = k->diagnostics;
    k->diagnostics = l->diagnostics;
    k->failed = l->failed;
    if (!own)
        return;
    for (size_t i = 0; i < kn_diagnostics_count(own); i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(own, i);
        if (m->severity == KN_ERROR)
            diagnostics_add(k->diagnostics, KN_WARNING, m->code, m->where, m->hint, "%s; %s", m->text, consequence);
        else
            diagnostics_add(k->diagnostics, m->severity, m->code, m->where, m->hint, "%s", m->text);
    }
    if (diagnostics_exhausted(own))
        deck_no_memory(k);
    kn_diagnostics_free(own);
}

bool deck_may_compare(struct deck *k, size_t count)
{
    if (count > k->suggestions_left)
        return false;
    k->suggestions_left -= count;
    return true;
}

const char *deck_did_you_mean(struct deck *k, const char *name, const char *const *candidates, size_t count)
{
    const char *guess = deck_may_compare(k, count) ? names_closest(name, candidates, count) : NULL;
    return diagnostics_meant(k->diagnostics, guess);
}

const char *deck_did_you_mean_in(struct deck *k, const char *name, const struct name_table *table)
{
    struct name_guess g = name_guess(name);
    if (deck_may_compare(k, name_table_count(table)))
        name_guess_offer_all(&g, table);
    return diagnostics_meant(k->diagnostics, g.found);
}

const char *deck_place(struct deck *k, struct kn_location where)
{
    const char *text = arena_format(k->scratch, "%s:%d", where.file ? where.file : "?", where.line);
    return text ? text : "?";
}

static bool is_digits(const char *text)
{
    text += *text == '-' || *text == '+';
    return *text && text[strspn(text, "0123456789")] == '\0';
}

const char *deck_decimal_comma(struct deck *k, const struct item *i)
{
    const struct item *next = i ? i->next : NULL;
    if (!next || !next->after_comma || i->kind != ITEM_WORD || next->kind != ITEM_WORD || !is_digits(i->text) ||
        i->where.column + i->where.width + 1 != next->where.column || !strchr("0123456789", next->text[0]))
        return NULL;
    return diagnostics_hint(k->diagnostics, "did you mean %s.%s? A comma separates values, a point decimals", i->text,
                            next->text);
}

const char *deck_decimal_comma_before(struct deck *k, const struct item *first, const struct item *i)
{
    for (const char *found = NULL; first; first = first->next) {
        if (first->next == i)
            return deck_decimal_comma(k, first);
        if (first->value && (found = deck_decimal_comma_before(k, first->value, i)))
            return found;
    }
    return NULL;
}

const char *item_text(const struct item *i)
{
    return i->kind == ITEM_GROUP ? "(" : i->text;
}

bool item_is(const struct item *i, const char *word)
{
    return i && i->kind == ITEM_WORD && names_equal(i->text, word);
}

size_t item_count(const struct item *first)
{
    size_t count = 0;
    for (; first; first = first->next)
        count++;
    return count;
}

/* ---- in the order of the text ---- */

struct sorted_message {
    const struct kn_diagnostic *message;
    int rank; /* of the file: the deck itself, other files, none */
    size_t index;
};

/* The reader goes through the deck in several passes; its user goes through it from top to bottom. */
static int by_place(const void *a, const void *b)
{
    const struct sorted_message *first = a, *second = b;
    const struct kn_location *x = &first->message->where, *y = &second->message->where;
    if (first->rank != second->rank)
        return first->rank - second->rank;
    const int files = first->rank == 1 ? strcmp(x->file, y->file) : 0;
    if (files != 0)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

/* One line of garbage must not hide the others. */
enum { MOST_IN_A_LINE = 10 };

static bool same_line(const struct sorted_message *a, const struct sorted_message *b)
{
    const struct kn_location *x = &a->message->where, *y = &b->message->where;
    return x->file && y->file && x->line == y->line && strcmp(x->file, y->file) == 0;
}

/* Returns the number of errors handed on. */
static size_t hand_on_sorted(struct deck *k, const struct sorted_message *sorted, size_t count)
{
    size_t errors = 0, in_line = 0;
    for (size_t i = 0; i < count; i++) {
        const struct kn_diagnostic *m = sorted[i].message;
        in_line = i > 0 && same_line(&sorted[i], &sorted[i - 1]) ? in_line + 1 : 0;
        if (in_line >= MOST_IN_A_LINE)
            continue;
        diagnostics_add(k->listener, m->severity, m->code, m->where, m->hint, "%s", m->text);
        errors += m->severity == KN_ERROR;
    }
    return errors;
}

void deck_hand_on(struct deck *k)
{
    const size_t count = k->diagnostics ? kn_diagnostics_count(k->diagnostics) : 0;
    struct sorted_message *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        deck_no_memory(k);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(k->diagnostics, i);
        const int rank = !m->where.file ? 2 : strcmp(m->where.file, k->file) != 0;
        sorted[i] = (struct sorted_message){m, rank, i};
    }
    qsort(sorted, count, sizeof *sorted, by_place);
    const size_t shown = hand_on_sorted(k, sorted, count);
    const size_t errors = k->diagnostics ? kn_diagnostics_errors(k->diagnostics) : 0;
    if (errors > shown)
        diagnostics_add(k->listener, KN_ERROR, "too-many", (struct kn_location){k->file, 0, 0, 0}, NULL,
                        "there %s %zu more error%s", errors - shown == 1 ? "is" : "are", errors - shown,
                        errors - shown == 1 ? "" : "s");
    free(sorted);
}
