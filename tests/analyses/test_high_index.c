/* Unknowns that depend on second and third derivatives of the sources, against closed forms in every row: at the start, in
 * the short first steps, behind corners. */
#include "claims.h"
#include "deck_rows.h"

#include <stdio.h>

static const double OMEGA = 2e3 * 3.14159265358979323846;
static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* v(ok) = -(100 ohm 1 uF) d/dt v(previous) by an ideal amplifier. */
static const char FIRST[] = "C1 in m1 1u\nR1 m1 o1 100\nB1 o1 0 V=V(o1)+V(m1)\n";
static const char SECOND[] = "C2 o1 m2 1u\nR2 m2 o2 100\nB2 o2 0 V=V(o2)+V(m2)\n";
static const char THIRD[] = "C3 o2 m3 1u\nR3 m3 o3 100\nB3 o3 0 V=V(o3)+V(m3)\n";
static const double TAU = 1e-4;

/* Largest error of a column in all rows.  right: the row is the second one of its time. */
static double worst_of(const struct deck_rows *r, size_t column, double (*exact)(double t, bool right))
{
    double worst = 0;
    for (size_t k = 0; k < r->count; k++) {
        const double *row = r->values + k * r->columns;
        const bool right = k > 0 && row[0] == *(row - r->columns);
        worst = fmax(worst, fabs(row[column] - exact(row[0], right)));
    }
    return worst;
}

static struct deck_rows run(const char *source, const char *third, const char *rest, const char *method, double reltol)
{
    char deck[1000];
    snprintf(deck, sizeof deck, "differentiators\n%s\n%s%s%s%s\n.end\n", source, FIRST, SECOND, third, rest);
    return deck_rows(deck, method, reltol);
}

static void expect(const char *method, double worst, double limit)
{
    if (!(worst <= limit))
        fprintf(stderr, "\n%s: off by %g, at most %g expected\n", method, worst, limit);
    CU_ASSERT(worst <= limit);
}

static double second(double t, bool right)
{
    (void)right;
    return -pow(TAU * OMEGA, 2) * sin(OMEGA * t);
}

static double third(double t, bool right)
{
    (void)right;
    return pow(TAU * OMEGA, 3) * cos(OMEGA * t);
}

/* Rows at the ends of first steps were off by a third of the amplitude. */
static void second_derivatives_are_within_the_tolerance_in_every_row(void)
{
    const double reltol[] = {1e-3, 1e-5};
    for (size_t m = 0; m < METHODS; m++)
        for (size_t k = 0; k < 2; k++) {
            struct deck_rows r = run("V1 in 0 SIN(0 1 1k)", "", ".save v(o2)\n.tran 10u 2m", methods[m], reltol[k]);
            expect(methods[m], worst_of(&r, 1, second), 3 * reltol[k] * pow(TAU * OMEGA, 2));
            free(r.values);
        }
}

/* .. by twenty amplitudes. */
static void third_derivatives_are_within_the_tolerance_in_every_row(void)
{
    for (size_t m = 0; m < METHODS; m++) {
        struct deck_rows r = run("V1 in 0 SIN(0 1 1k)", THIRD, ".save v(o3)\n.tran 10u 2m", methods[m], 1e-3);
        expect(methods[m], worst_of(&r, 1, third), 3e-3 * pow(TAU * OMEGA, 3));
        free(r.values);
    }
}

static double nothing(double t, bool right)
{
    (void)t, (void)right;
    return 0;
}

/* A ramp of 2 kV/s ends: v(o1) jumps from -0.2 V to 0, v(o2) is an impulse of -20 uVs there and 0 on both sides; rows said
 * -140 kV.  Behind 1 kohm the impulse leaves -0.2 V on 0.1 uF at once. */
static double behind_the_impulse(double t, bool right)
{
    const double corner = 0.5e-3, jump = t > corner || (t == corner && right) ? -0.2 : 0;
    return 0.2 * exp(-t / TAU) + jump * exp(-(t - corner) / TAU);
}

static void an_impulse_is_in_no_row_and_reaches_what_follows(void)
{
    for (size_t m = 0; m < METHODS; m++) {
        struct deck_rows r = run("V1 in 0 PWL(0 0 0.5m 1 1m 1)", "",
                                 "R3 o2 y 1k\nC3 y 0 0.1u\n.save v(o2) v(y)\n.tran 10u 0.9m", methods[m], 1e-3);
        expect(methods[m], worst_of(&r, 1, nothing), 1e-6);
        expect(methods[m], worst_of(&r, 2, behind_the_impulse), 3e-3 * 0.2);
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(second_derivatives_are_within_the_tolerance_in_every_row),
        CLAIM(third_derivatives_are_within_the_tolerance_in_every_row),
        CLAIM(an_impulse_is_in_no_row_and_reaches_what_follows),
    };
    return run_claims("index 3 and more", claims, sizeof claims / sizeof claims[0]);
}
