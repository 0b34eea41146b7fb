/* hash.h - a number for some bytes: FNV-1a over 64 bits (G. Fowler, L. C. Noll and K.-P. Vo). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_BEGIN UINT64_C(14695981039346656037)

/* Goes on from h. */
static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        h = (h ^ at[i]) * UINT64_C(1099511628211);
    return h;
}

/* The same of whole numbers of 64 bits, one step for each, whose upper half is folded down, as a product leaves it alone. */
static inline uint64_t hash_doubles(uint64_t h, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        h = (h ^ bits) * UINT64_C(1099511628211);
        h ^= h >> 32;
    }
    return h;
}

#endif
