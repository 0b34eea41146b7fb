/* test_resting_comparisons.c - comparisons with a level that a limited signal reaches and stays at: they change where the signal
 * arrives and where it leaves, whatever the steps.
 */
#include "deck_rows.h"
#include "linear_circuit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double PI = 3.14159265358979323846;
static uint64_t first_seed = 1;
static int most_circuits = 60;

enum { CASES = 6 };
/* The signal s as it is limited at a, and when the comparison is true: s >= a, or s < a. */
static const struct {
    const char *limited, *comparison;
    bool at_level;
} cases[CASES] = {
    {"limit(v(s),-5,%.17g)", ">=", true}, {"min(v(s),%.17g)", ">=", true},   {"min(v(s),%.17g)", "==", true},
    {"min(v(s),%.17g)", "<", false},      {"max(-v(s),-%.17g)", "<=", true}, {"max(-v(s),-%.17g)", ">", false},
};

struct trial {
    double frequency, level, amplitude; /* Hz, V, V */
    int number;
    bool own_node; /* the limited signal is a node's voltage */
    const char *method;
};

/* 2 V of a sine behind R C = 1 us, from rest. */
static double signal_at(const struct trial *t, double time)
{
    const double w = 2 * PI * t->frequency, wt = w * 1e-6, k = t->amplitude / (1 + wt * wt);
    return k * (sin(w * time) - wt * cos(w * time) + wt * exp(-time / 1e-6));
}

/* s: how long the signal is at the level or beyond within 40 us; its crossings are found by halves. */
static double time_at_level(const struct trial *t)
{
    enum { PARTS = 4000 };
    const double width = 40e-6 / PARTS;
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        double left = i * width, right = left + width;
        const bool before = signal_at(t, left) >= t->level, behind = signal_at(t, right) >= t->level;
        const double begin = left, end = right;
        for (int k = 0; before != behind && k < 60; k++) {
            const double middle = 0.5 * (left + right);
            *((signal_at(t, middle) >= t->level) == before ? &left : &right) = middle;
        }
        sum += before == behind ? (before ? width : 0) : before ? left - begin : end - left;
    }
    return sum;
}

static void print_deck(const struct trial *t, char *deck, size_t size)
{
    char limited[100];
    const bool negative = strstr(cases[t->number].limited, "-v(s)") != NULL;
    snprintf(limited, sizeof limited, cases[t->number].limited, t->level);
    snprintf(deck, size,
             "resting comparison\nV1 x 0 SIN(0 %.17g %.17g)\nR1 x s 1k\nC1 s 0 1n\nB1 y 0 V=%s\n"
             "B2 q 0 V=%s %s %s%.17g ? 1 : 0\nB3 0 w I=v(q)\nC3 w 0 1u\n.save v(w)\n.tran 1u 40u uic\n.end\n",
             t->amplitude, t->frequency, limited, t->own_node ? "v(y)" : limited, cases[t->number].comparison,
             negative ? "-" : "", t->level);
}

/* s: by which errors of ten reltol, which methods of second order have at the end of a run, move two crossings a period. */
static double tolerated(const struct trial *t)
{
    const double w = 2 * PI * t->frequency, k = t->amplitude / hypot(1, w * 1e-6);
    const double slope = w * sqrt(k * k - t->level * t->level);
    return (2 * t->frequency * 40e-6 + 1) * 1e-2 * k / slope;
}

static void comparisons_change_where_a_limited_signal_arrives_and_leaves(void)
{
    static const char *const methods[] = {NULL, "bdf", "radau", "rodasp", "trbdf2", "trap"};
    for (int i = 0; i < most_circuits; i++) {
        uint64_t state = first_seed + (uint64_t)i;
        const struct trial t = {.frequency = 20e3 + 100e3 * linear_chance(&state),
                                .level = 0.3 + 0.7 * linear_chance(&state),
                                .amplitude = 2 + linear_chance(&state),
                                .number = i % CASES,
                                .own_node = linear_chance(&state) < 0.5,
                                .method = methods[i / CASES % COUNT(methods)]};
        char deck[800];
        print_deck(&t, deck, sizeof deck);
        struct deck_rows r = deck_rows(deck, t.method, 0);
        const double at = time_at_level(&t), expected = cases[t.number].at_level ? at : 40e-6 - at;
        const double found = r.count > 0 ? 1e-6 * deck_row(&r, r.count - 1)[1] : NAN;
        const bool good = fabs(found - expected) < tolerated(&t);
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "\nseed %llu, %s: %g s instead of %g\n%s", (unsigned long long)(first_seed + (uint64_t)i),
                    t.method ? t.method : "auto", found, expected, deck);
        free(r.values);
    }
}

/* Where corners lie close to a crossing, steps are so short that a function is near zero all over the last of them.  u() would be
 * 1/2 there.  Expected by quadrature of pwl(t) where 2.2 sin(w t) > 1.013, in 2e5 points. */
static void a_crossing_in_a_short_step_is_no_rest(void)
{
    static const char deck[] = "crossing\nVa a 0 PWL(0 2 1m -0.5 2.7m 0.5 5m -1 6m 2 7m 2 9.3m 2 9.8m 0.25 10.8m 1)\n"
                               "Vs s 0 SIN(0 2.2 312.206078087853)\nB0 b0 0 V=max(abs((v(a)+v(a))/2),0)\n"
                               "B1 b1 0 V=u(v(s)-1.013)*v(a)\nBi 0 w I=v(b1)*1m\nCw w 0 1u\n.save v(w)\n"
                               ".tran 0.1m 20m uic\n.end\n";
    struct deck_rows r = deck_rows(deck, NULL, 0);
    CU_ASSERT_FATAL(r.count > 0);
    CHECK_NEAR(deck_row(&r, r.count - 1)[1], 5.574969, 2e-3);
    free(r.values);
}

int main(void)
{
    random_arguments(&first_seed, &most_circuits);
    static const struct claim claims[] = {
        CLAIM(comparisons_change_where_a_limited_signal_arrives_and_leaves),
        CLAIM(a_crossing_in_a_short_step_is_no_rest),
    };
    return run_claims("resting comparisons", claims, COUNT(claims));
}
