/* vector.h - several numbers worked at with one instruction, for laws of many like devices.
 *
 * The only place that knows of the vectors of gcc and clang.  Operations are those of single numbers, so that results are
 * the same, bit by bit, however many fit into a register and whether there are such registers at all.
 */
#ifndef DEVICES_CHANNEL_VECTOR_H
#define DEVICES_CHANNEL_VECTOR_H

#include <math.h>
#include <stdbool.h>

enum { VECTOR_LANES = 4 };

typedef double vector __attribute__((vector_size(VECTOR_LANES * sizeof(double))));
/* All bits of a lane, or none, as comparisons of vectors give them. */
typedef long long vector_choice __attribute__((vector_size(VECTOR_LANES * sizeof(double))));

/* What is made of several functions is one function in the end, for the registers that there are. */
#define VECTOR_FUNCTION static inline __attribute__((always_inline))

VECTOR_FUNCTION vector vector_of(double a)
{
    return (vector){a, a, a, a};
}

VECTOR_FUNCTION vector vector_choose(vector_choice choice, vector yes, vector no)
{
    return (vector)((choice & (vector_choice)yes) | (~choice & (vector_choice)no));
}

VECTOR_FUNCTION vector vector_root(vector a)
{
    return (vector){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

VECTOR_FUNCTION bool vector_any(vector_choice choice)
{
    return (choice[0] | choice[1] | choice[2] | choice[3]) != 0;
}

/* Defines `name` with these parameters as a call of `inner`, twice: for processors with registers of 256 bits and for others. */
#if defined(__x86_64__) && !defined(__AVX2__)
#define VECTOR_TWICE(name, inner, parameters, arguments)                                                               \
    __attribute__((target("avx2"))) static void name##_wide parameters                                                 \
    {                                                                                                                  \
        inner arguments;                                                                                               \
    }                                                                                                                  \
    static void name##_narrow parameters                                                                               \
    {                                                                                                                  \
        inner arguments;                                                                                               \
    }                                                                                                                  \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        if (__builtin_cpu_supports("avx2"))                                                                            \
            name##_wide arguments;                                                                                     \
        else                                                                                                           \
            name##_narrow arguments;                                                                                   \
    }
#else
#define VECTOR_TWICE(name, inner, parameters, arguments)                                                               \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        inner arguments;                                                                                               \
    }
#endif

#endif
