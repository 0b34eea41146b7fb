/* names.c - case-insensitive names, a hash table of them, and likely corrections. */
#include "base/names.h"

#include "base/array.h"

#include <stdint.h>
#include <string.h>

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool names_equal(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

bool names_match(const char *pattern, const char *name)
{
    const char *star = NULL, *behind = NULL; /* the last `*`, and where what it stands for ends for now */
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            behind = name;
        } else if (*pattern == '?' || (*pattern && lower(*pattern) == lower(*name))) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++behind;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

size_t names_hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ lower(*name)) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

/* ---- likely corrections ---- */

enum { LONGEST_NAME = 63 };

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions, swaps of neighbours. */
static int distance(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][LONGEST_NAME + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = minimum(minimum(last[j] + 1, row[j - 1] + 1), last[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = minimum(row[j], before[j - 2] + 1);
        }
        int *unused = before;
        before = last;
        last = row;
        row = unused;
    }
    return last[n];
}

/* The largest distance of a likely correction; 0: there is none for such a name. */
static int most_apart(size_t length)
{
    return length == 0 || length > LONGEST_NAME ? 0 : length <= 3 ? 1 : length <= 7 ? 2 : 3;
}

struct name_guess name_guess(const char *name)
{
    return (struct name_guess){.name = name, .best = most_apart(strlen(name)) + 1};
}

void name_guess_offer(struct name_guess *g, const char *candidate)
{
    const size_t length = strlen(g->name), other = candidate ? strlen(candidate) : 0;
    if (most_apart(length) == 0 || other == 0 || other > LONGEST_NAME || (g->found && names_equal(g->found, candidate)))
        return;
    const int apart = distance(g->name, length, candidate, other);
    if (apart >= (int)length || apart > g->best || apart > most_apart(length))
        return;
    g->found = apart < g->best ? candidate : NULL; /* two equally likely corrections are none */
    g->best = apart;
}

const char *names_closest(const char *name, const char *const *candidates, size_t count)
{
    struct name_guess g = name_guess(name);
    for (size_t i = 0; i < count; i++)
        name_guess_offer(&g, candidates[i]);
    return g.found;
}

/* ---- table: open addressing over an array of entries in order of insertion ---- */

struct name_entry {
    const char *name;
    void *value;
};

/* Where an entry is found: its number + 1, 0 is free, and its hash, which tells most other names apart without a look at
 * them. */
struct name_place {
    uint32_t number, hash;
};

struct name_table {
    struct arena *arena;
    struct name_entry *entries;
    size_t count, capacity;
    struct name_place *places; /* [place_count], a power of two */
    size_t place_count;
};

struct name_table *name_table_new(struct arena *a)
{
    struct name_table *t = arena_alloc(a, sizeof *t);
    if (t)
        t->arena = a;
    return t;
}

/* The place of a name, or the free place where it belongs. */
static struct name_place *find_place(const struct name_table *t, const char *name, uint32_t hash)
{
    size_t at = hash & (t->place_count - 1);
    while (t->places[at].number &&
           (t->places[at].hash != hash || !names_equal(t->entries[t->places[at].number - 1].name, name)))
        at = (at + 1) & (t->place_count - 1);
    return &t->places[at];
}

static bool table_reserve(struct name_table *t, size_t needed)
{
    size_t capacity = t->capacity;
    if (needed > UINT32_MAX / 4 ||
        !array_reserve_in(t->arena, &t->entries, t->count, needed, &capacity, sizeof *t->entries))
        return false;
    const struct name_place *before = t->places;
    const size_t count_before = t->place_count;
    size_t count = 2;
    while (count < 2 * capacity)
        count *= 2;
    struct name_place *places = arena_array(t->arena, count, sizeof *places);
    if (!places)
        return false;
    t->places = places;
    t->place_count = count;
    t->capacity = capacity;
    for (size_t i = 0; i < count_before; i++)
        if (before[i].number) {
            size_t at = before[i].hash & (count - 1);
            while (places[at].number)
                at = (at + 1) & (count - 1);
            places[at] = before[i];
        }
    return true;
}

bool name_table_reserve(struct name_table *t, size_t count)
{
    return count <= t->capacity || table_reserve(t, count);
}

bool name_table_put(struct name_table *t, const char *name, void *value)
{
    const uint32_t hash = (uint32_t)names_hash(name);
    if (t->count == t->capacity && !table_reserve(t, t->count + 1))
        return false;
    struct name_place *place = find_place(t, name, hash);
    if (place->number) {
        t->entries[place->number - 1].value = value;
        return true;
    }
    t->entries[t->count++] = (struct name_entry){name, value};
    *place = (struct name_place){(uint32_t)t->count, hash};
    return true;
}

void *name_table_get(const struct name_table *t, const char *name)
{
    if (t->count == 0)
        return NULL;
    const struct name_place *place = find_place(t, name, (uint32_t)names_hash(name));
    return place->number ? t->entries[place->number - 1].value : NULL;
}

size_t name_table_count(const struct name_table *t)
{
    return t->count;
}

const char *name_table_name(const struct name_table *t, size_t i)
{
    return i < t->count ? t->entries[i].name : NULL;
}

void *name_table_value(const struct name_table *t, size_t i)
{
    return i < t->count ? t->entries[i].value : NULL;
}

void name_guess_offer_all(struct name_guess *g, const struct name_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        name_guess_offer(g, t->entries[i].name);
}

const char *name_without_letter(const char *name)
{
    const char *last = name[0] && name[1] == '.' ? strrchr(name, '.') : NULL;
    return last > name + 1 && (last[1] | 0x20) == (name[0] | 0x20) ? name + 2 : NULL;
}
