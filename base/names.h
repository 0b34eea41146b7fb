/* names.h - comparing, hashing and guessing names.  SPICE names are case-insensitive (ASCII). */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

bool names_equal(const char *a, const char *b);

/* Whether a name is like a pattern: `*` stands for any characters, `?` for one; case-insensitive. */
bool names_match(const char *pattern, const char *name);

/* FNV-1a over the lower-case letters. */
size_t names_hash(const char *name);

/* The candidate nearest to name (Damerau-Levenshtein, case-insensitive) if it is near enough to be a likely
 * correction: distance at most 1 for names up to 3 characters, 2 up to 7, 3 beyond; NULL if none or if two candidates
 * are equally near. */
const char *names_closest(const char *name, const char *const *candidates, size_t count);

/* The same for candidates that come one by one. */
struct name_guess {
    const char *name, *found;
    int best; /* distance of what was found, or of two that are equally near */
};
struct name_guess name_guess(const char *name);
void name_guess_offer(struct name_guess *g, const char *candidate);

/* Table from name to a pointer; grows by itself and lives in an arena; does not copy the names. */
struct name_table;
struct name_table *name_table_new(struct arena *a);
/* Room for so many names, so that none is moved until there are more; false without memory. */
bool name_table_reserve(struct name_table *t, size_t count);
/* false when memory is exhausted; an existing entry is replaced. value must not be NULL. */
bool name_table_put(struct name_table *t, const char *name, void *value);
void *name_table_get(const struct name_table *t, const char *name);
size_t name_table_count(const struct name_table *t);
/* The i-th name put (in order of first insertion), 0 <= i < count. */
const char *name_table_name(const struct name_table *t, size_t i);
void *name_table_value(const struct name_table *t, size_t i);
/* Offers all names of a table. */
void name_guess_offer_all(struct name_guess *g, const struct name_table *t);

/* ngspice's own name of an element in a subcircuit begins with its letter: r.x1.r5 is x1.r5.  NULL for other names. */
const char *name_without_letter(const char *name);

#endif
