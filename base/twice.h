/* twice.h - functions compiled twice, for processors with registers of 256 bits and for others, which are told apart when they are
 * called.
 *
 * Operations are the same, in the same order, and products are not joined with sums, so that results are the same, bit by bit.
 */
#ifndef BASE_TWICE_H
#define BASE_TWICE_H

/* What is made of several functions is one function in the end, for the registers that there are. */
#define VECTOR_FUNCTION static inline __attribute__((always_inline))

/* Defines `name` with these parameters as a call of `inner`, twice: for processors with registers of 256 bits and for others. */
#define VECTOR_TWICE(name, inner, parameters, arguments) VECTOR_TWICE_NAMED(name, inner, parameters, arguments)

#if defined(__x86_64__) && !defined(__AVX2__)
#define VECTOR_TWICE_NAMED(name, inner, parameters, arguments)                                                         \
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
#define VECTOR_TWICE_NAMED(name, inner, parameters, arguments)                                                         \
    static void name parameters                                                                                        \
    {                                                                                                                  \
        inner arguments;                                                                                               \
    }
#endif

#endif
