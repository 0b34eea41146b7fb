/* arena.c - blocks of growing size, given back together. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/arena.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks from CLEAN bytes on come from the system one by one (M_MMAP_THRESHOLD of glibc), which clears their pages as they are
 * touched; of others what is taken is cleared.  A block begins anywhere, so that of one of LARGE_PAGES at least half is whole pages of
 * 2 MB, of the largest seven eighths. */
enum { FIRST_BLOCK = 4 * 1024, LARGEST_BLOCK = 16 * 1024 * 1024, CLEAN = 128 * 1024, LARGE_PAGES = 4 * 1024 * 1024 };

struct block {
    struct block *next;
    size_t size, used;
    bool clean;
    max_align_t data[];
};

struct arena {
    struct block *blocks; /* the first one is being filled */
    size_t next_size;
    atomic_size_t sharers; /* owners besides the first */
};

struct arena *arena_new(void)
{
    struct arena *a = calloc(1, sizeof *a);
    if (a)
        a->next_size = FIRST_BLOCK;
    return a;
}

struct arena *arena_share(struct arena *a)
{
    atomic_fetch_add(&a->sharers, 1);
    return a;
}

void arena_free(struct arena *a)
{
    if (!a || atomic_fetch_sub(&a->sharers, 1) > 0)
        return;
    while (a->blocks) {
        struct block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
    free(a);
}

/* Pages of 2 MB where the system has them: a page fault for each 4 kB takes longer than what is written there. */
static void ask_for_large_pages(struct block *b)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)b + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)b + sizeof *b + b->size) / page * page;
    if (b->size >= LARGE_PAGES && end > begin)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)b;
#endif
}

static bool arena_grow(struct arena *a, size_t need)
{
    const size_t size = need > a->next_size ? need : a->next_size;
    if (size > SIZE_MAX - sizeof(struct block))
        return false;
    const bool clean = size >= CLEAN;
    struct block *b = clean ? calloc(1, sizeof *b + size) : malloc(sizeof *b + size);
    if (!b)
        return false;
    *b = (struct block){.next = a->blocks, .size = size, .clean = clean};
    a->blocks = b;
    ask_for_large_pages(b);
    if (a->next_size < LARGEST_BLOCK)
        a->next_size *= 2;
    return true;
}

/* At a multiple of a power of two. */
static void *take(struct arena *a, size_t size, size_t unit)
{
    struct block *b = a->blocks;
    const size_t used = b ? (b->used + unit - 1) / unit * unit : 0;
    if (!b || used > b->size || b->size - used < size) {
        if (!arena_grow(a, size))
            return NULL;
        b = a->blocks;
        b->used = size;
        return b->data;
    }
    b->used = used + size;
    return (char *)b->data + used;
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t bytes = size > 0 ? size : 1;
    void *piece = take(a, bytes, _Alignof(max_align_t));
    if (piece && !a->blocks->clean)
        memset(piece, 0, bytes);
    return piece;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return arena_alloc(a, count * size);
}

bool arena_vectors(struct arena *a, size_t count, double **const vectors[])
{
    bool complete = true;
    for (size_t i = 0; vectors[i]; i++)
        complete = (*vectors[i] = arena_array(a, count, sizeof(double))) != NULL && complete;
    return complete;
}

void *arena_object(size_t size, struct arena **own)
{
    *own = arena_new();
    void *object = *own ? arena_alloc(*own, size) : NULL;
    if (object)
        return object;
    arena_free(*own);
    *own = NULL;
    return NULL;
}

char *arena_text(struct arena *a, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(a, length + 1, 1) : NULL;
    if (copy && length > 0)
        memcpy(copy, text, length);
    if (copy)
        copy[length] = '\0';
    return copy;
}

char *arena_format_list(struct arena *a, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : take(a, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_format(struct arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_list(a, format, arguments);
    va_end(arguments);
    return text;
}
