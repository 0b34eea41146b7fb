/* test_states.c - states of formulas in time: random transfer functions, and tables of frequencies of such, against their partial
 * fractions, one method as the other.
 *
 * PROGRAM [SEED [CIRCUITS]]: other random transfer functions.
 */
#include "deck_rows.h"

#include <complex.h>

static uint64_t seed = 20261122;
static int circuits = 40;

static double random_part(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static const double SPAN = 1e-3, OMEGA = 9000;
enum { MOST_POLES = 6 };

struct fractions {
    size_t count;
    double complex pole[MOST_POLES], residue[MOST_POLES];
};

/* r/(s - p), or the sum with its conjugate, of the response to sin(w t) from t = 0. */
static double answer(const struct fractions *f, double t)
{
    double sum = 0;
    for (size_t k = 0; k < f->count; k++) {
        const double complex p = f->pole[k];
        const double complex one = f->residue[k] * (OMEGA * cexp(p * t) - OMEGA * cos(OMEGA * t) - p * sin(OMEGA * t)) /
                                   (p * p + OMEGA * OMEGA);
        sum += cimag(p) != 0 ? 2 * creal(one) : creal(one);
    }
    return sum;
}

static void write_fraction(char *text, size_t room, double complex p, double complex r)
{
    if (cimag(p) == 0)
        snprintf(text, room, "+(%.17g)/(s+%.17g)", creal(r), -creal(p));
    else
        snprintf(text, room, "+((%.17g)*s+(%.17g))/(s*s+%.17g*s+%.17g)", 2 * creal(r), -2 * creal(r * conj(p)),
                 -2 * creal(p), creal(p * conj(p)));
}

/* Poles between 1/SPAN and 300/SPAN. */
static struct fractions random_fractions(char *text, size_t room)
{
    struct fractions f = {.count = 1 + (size_t)(4 * random_part())};
    *text = '\0';
    for (size_t k = 0; k < f.count; k++) {
        const double size = pow(10, 2.5 * random_part()) / SPAN, angle = random_part() < 0.5 ? 0 : 1.4 * random_part();
        f.pole[k] = angle == 0 ? -size : size * CMPLX(-cos(angle), sin(angle));
        f.residue[k] = size * CMPLX(random_part() - 0.5, angle == 0 ? 0 : random_part() - 0.5);
        write_fraction(text + strlen(text), room - strlen(text), f.pole[k], f.residue[k]);
    }
    return f;
}

static double worst_miss(const struct deck_rows *r, const struct fractions *f, double *largest)
{
    double worst = 0;
    *largest = 0;
    for (size_t i = 0; i < r->count; i++) {
        const double wanted = answer(f, deck_row(r, i)[0]);
        worst = fmax(worst, fabs(deck_row(r, i)[1] - wanted));
        *largest = fmax(*largest, fabs(wanted));
    }
    return worst;
}

static void random_transfer_functions_answer_as_their_partial_fractions(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2"};
    for (int k = 0; k < circuits; k++) {
        char function[2000], deck[2400];
        const uint64_t from = seed;
        const struct fractions f = random_fractions(function, sizeof function);
        const char *method = methods[k % 5];
        snprintf(deck, sizeof deck,
                 "laplace\nV1 in 0 SIN(0 1 %.17g)\nE1 a 0 LAPLACE {V(in)} = {%s}\nR1 a 0 1k\n.save v(a)\n"
                 ".tran %g %g\n.end\n",
                 OMEGA / (2 * acos(-1)), function, SPAN / 100, SPAN);
        struct deck_rows r = deck_rows(deck, method, 1e-5);
        double largest;
        const double worst = worst_miss(&r, &f, &largest);
        if (!(worst <= 1e-3 * largest)) {
            fprintf(stderr, "seed %llu, %s: off by %g of %g\n%s", (unsigned long long)from, method, worst, largest,
                    deck);
            CU_FAIL("another answer");
        }
        free(r.values);
    }
}

/* Rows of a table, in equal ratios up to 1000 times the fastest pole and one at rest. */
static void write_table(char *text, size_t room, const struct fractions *f)
{
    for (int row = -1; row < 110; row++) {
        const double w = row < 0 ? 0 : pow(10, row / 20.0 - 1) / SPAN;
        double complex value = 0;
        for (size_t k = 0; k < f->count; k++) {
            const double complex p = f->pole[k], r = f->residue[k];
            value += r / (CMPLX(0, w) - p) + (cimag(p) != 0 ? conj(r) / (CMPLX(0, w) - conj(p)) : 0);
        }
        snprintf(text + strlen(text), room - strlen(text), "+ (%.12g,%.12g,%.12g)\n", w / (2 * acos(-1)), creal(value),
                 cimag(value));
    }
}

/* Tables say nothing between rows: a tenth of what is allowed there shows at the frequency of the source. */
static void random_tables_answer_as_the_parts_that_they_are_of(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2"};
    for (int k = 0; k < circuits; k++) {
        char function[2000], rows[8000] = "", deck[8400];
        const uint64_t from = seed;
        const struct fractions f = random_fractions(function, sizeof function);
        write_table(rows, sizeof rows, &f);
        snprintf(deck, sizeof deck,
                 "table\nV1 in 0 SIN(0 1 %.17g)\nE1 a 0 FREQ {V(in)} = R_I\n%sR1 a 0 1k\n.save v(a)\n.tran %g %g\n"
                 ".end\n",
                 OMEGA / (2 * acos(-1)), rows, SPAN / 100, SPAN);
        struct deck_rows r = deck_rows(deck, methods[k % 5], 1e-5);
        double largest;
        const double worst = worst_miss(&r, &f, &largest);
        if (!(r.count > 10 && worst <= 3e-3 * largest)) {
            fprintf(stderr, "seed %llu, %s: off by %g of %g\n%s\n", (unsigned long long)from, methods[k % 5], worst,
                    largest, function);
            CU_FAIL("another answer");
        }
        free(r.values);
    }
}

/* 1 - exp(-t/tau) after a step at 0.1 ms, late by 0.2 ms. */
static void every_method_knows_delays_and_integrals(void)
{
    static const char *const methods[] = {"bdf",   "gear",   "trap",   "euler", "radau", "radau5",
                                          "rodas", "rodasp", "trbdf2", "row2",  "auto"};
    static const char deck[] = "late\nV1 in 0 PWL(0 0 0.1m 0 0.1001m 1)\nB1 a 0 V=sdt((delay(v(in),0.2m)-v(a))/0.1m)\n"
                               "R1 a 0 1k\n.save v(a)\n.tran 10u 1m\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-4);
        double worst = 0;
        for (size_t i = 0; i < r.count; i++) {
            const double t = deck_row(&r, i)[0] - 0.30005e-3;
            if (fabs(t) > 1e-7)
                worst = fmax(worst, fabs(deck_row(&r, i)[1] - (t > 0 ? 1 - exp(-t / 1e-4) : 0)));
        }
        if (!(worst < 5e-3))
            fprintf(stderr, "%s: %g\n", methods[k], worst);
        CU_ASSERT_TRUE(worst < 5e-3);
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(random_transfer_functions_answer_as_their_partial_fractions),
        CLAIM(random_tables_answer_as_the_parts_that_they_are_of),
        CLAIM(every_method_knows_delays_and_integrals),
    };
    random_arguments(&seed, &circuits);
    return run_claims("states", claims, sizeof claims / sizeof *claims);
}
