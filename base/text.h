/* text.h - text put together piece by piece, and lists of names in it.
 *
 * A text lives in a buffer of fixed size, and what does not fit ends in " ..", or it grows in an arena.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/arena.h"

struct text {
    char *at; /* [size] ends in a zero byte; "" at first where the text grows, too */
    size_t used, size;
    struct arena *arena; /* where it grows; NULL: it does not */
    bool cut;            /* something is missing at the end: no room, or no memory */
};

/* A text of at most bytes - 1 characters whose buffer lives as long as the block in which this stands. */
#define TEXT(bytes) ((struct text){.at = (char[bytes]){0}, .size = (bytes)})

/* Room for a sentence that may name many elements. */
enum { SENTENCE = 1000 };

/* In a buffer of the caller's. */
struct text text_in(char *buffer, size_t size);
struct text text_growing(struct arena *a);

void text_add(struct text *t, const char *piece);
void text_format(struct text *t, const char *format, ...) KN_PRINTF(2, 3);
/* Adds the name with its ASCII letters in lower case. */
void text_add_lower(struct text *t, const char *name);
/* What a noun behind a number ends in: "s", or nothing behind 1. */
const char *text_plural(long count);
/* A copy; NULL without memory. */
const char *text_keep(const struct text *t, struct arena *a);
/* What a growing text holds, "" where memory ran out; the next piece begins a new one. */
const char *text_take(struct text *t);

/* ---- lists: "V1 - C1 - C2", "a, b and c", "R1, R2, .." ---- */

struct text_list {
    struct text *text;
    const char *separator;
    size_t most;         /* items shown */
    size_t given, shown; /* items so far */
    size_t before_last;  /* where the separator in front of the last item begins */
};

/* Begins behind what the text holds.  most: items that are shown, 0: all that fit. */
struct text_list text_list(struct text *t, const char *separator, size_t most);
/* False when no more will be shown: the end counts it, or says so. */
bool text_list_add(struct text_list *l, const char *item);
bool text_list_format(struct text_list *l, const char *format, ...) KN_PRINTF(2, 3);

/* How a list ends: with the separator and ".." where items are left out, or with " and 7 more"; "and" before the last
 * item where all are shown, ".." otherwise. */
void text_list_end(struct text_list *l);
void text_list_end_counted(struct text_list *l);
void text_list_end_and(struct text_list *l);

#endif
