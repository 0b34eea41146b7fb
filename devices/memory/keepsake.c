/* keepsake.c - see keepsake.h. */
#include "devices/memory/keepsake.h"

#include "base/array.h"

#include <string.h>

struct keepsake *keepsake_new(struct arena *arena)
{
    struct keepsake *k = arena_alloc(arena, sizeof *k);
    if (k)
        k->arena = arena;
    return k;
}

struct keepsake keepsake_again(const struct keepsake *kept)
{
    struct keepsake k = *kept;
    k.arena = NULL;
    k.at = 0;
    return k;
}

static void keep(struct keepsake *k, const void *piece, size_t size)
{
    const size_t needed = k->length + sizeof size + size;
    k->failed = k->failed || !array_reserve_in(k->arena, &k->bytes, k->length, needed, &k->capacity, 1);
    if (k->failed)
        return;
    memcpy(k->bytes + k->length, &size, sizeof size);
    memcpy(k->bytes + k->length + sizeof size, piece, size);
    k->length = needed;
}

static void give_back(struct keepsake *k, void *piece, size_t size)
{
    size_t kept = 0;
    if (!k->failed && k->at < k->length)
        memcpy(&kept, k->bytes + k->at, sizeof kept);
    k->failed = k->failed || k->at >= k->length || kept != size;
    if (k->failed)
        return;
    memcpy(piece, k->bytes + k->at + sizeof kept, size);
    k->at += sizeof kept + size;
}

void keepsake_piece(struct keepsake *k, void *piece, size_t size)
{
    if (k->arena)
        keep(k, piece, size);
    else
        give_back(k, piece, size);
}

enum kn_status keepsake_end(const struct keepsake *k)
{
    if (k->arena)
        return k->failed ? KN_ERROR_MEMORY : KN_OK;
    return k->failed || k->at != k->length ? KN_ERROR_CIRCUIT : KN_OK;
}
