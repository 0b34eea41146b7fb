/* claims.h - a test is a list of named claims, each a function.  Tests of a folder are one program (tests/program.c), in
 * which the main() of each has the name of its file, KNOTEN_TEST. */
#ifndef TESTS_CLAIMS_H
#define TESTS_CLAIMS_H

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Built with AddressSanitizer or ThreadSanitizer, under which all takes several times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

#define main KNOTEN_TEST
int main(void);

/* What follows the name of the test on the command line. */
extern char **test_arguments;

struct claim {
    const char *name;
    void (*check)(void);
};

#define CLAIM(function)                                                                                                \
    {                                                                                                                  \
#function, function                                                                                            \
    }

/* Runs all claims of one suite; the exit status of the test. */
static inline int run_claims(const char *suite_name, const struct claim *claims, size_t count)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return CU_get_error();
    CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
    for (size_t i = 0; suite && i < count; i++)
        CU_add_test(suite, claims[i].name, claims[i].check);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    unsigned run = CU_get_number_of_tests_run();
    CU_cleanup_registry();
    return failures != 0 || run != count;
}

/* PROGRAM TEST [SEED [CIRCUITS]]: long runs with random circuits by hand. */
static inline void random_arguments(uint64_t *seed, int *circuits)
{
    if (!test_arguments[0])
        return;
    *seed = strtoull(test_arguments[0], NULL, 10);
    if (test_arguments[1])
        *circuits = atoi(test_arguments[1]);
}

/* |actual - expected| <= tolerance, with the numbers shown when it fails. */
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
    do {                                                                                                               \
        const double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);                             \
        const int near_ = fabs(actual_ - expected_) <= tolerance_;                                                     \
        if (!near_)                                                                                                    \
            fprintf(stderr, "\n%s:%d: %s = %.17g, expected %.17g +- %.3g\n", __FILE__, __LINE__, #actual, actual_,     \
                    expected_, tolerance_);                                                                            \
        CU_ASSERT(near_);                                                                                              \
    } while (0)

#endif
