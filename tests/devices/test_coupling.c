/* test_coupling.c - coupled inductors: which coefficients no real windings have, and many inductors on one card. */
#include "claims.h"
#include "devices/setup.h"
#include "read_circuit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state = 20261122;

/* xorshift64* (Vigna 2016), uniform in -1 .. 1. */
static double draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717u) >> 11) / 4503599627370496.0 - 1.0;
}

/* Whether the families' creation succeeds; *warnings about couplings. */
static bool create(const char *text, size_t *warnings)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct circuit *c = NULL;
    struct device_families families;
    const bool read = circuit_read_text(&device_catalogue, "deck.cir", text, strlen(text), d, &c) == KN_OK;
    const bool good = read && device_families_create(c, d, &families) == KN_OK;
    *warnings = 0;
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        *warnings += strcmp(kn_diagnostics_get(d, i)->code, "coupling") == 0;
    if (good)
        device_families_destroy(&families);
    circuit_free(c);
    kn_diagnostics_free(d);
    return good;
}

enum { COILS = 8, SPACE = 3 };

/* A deck with a K card for each pair, in any order of the names. */
static size_t warnings_about(double k[COILS][COILS])
{
    char text[8000] = "couplings\nR1 n0 0 1\n";
    size_t used = strlen(text), warnings;
    for (int i = 0; i < COILS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "L%d n%d 0 1m\n", i, i);
    for (int i = 0; i < COILS; i++)
        for (int j = 0; j < i; j++) {
            const bool turned = draw() > 0;
            used += (size_t)snprintf(text + used, sizeof text - used, "K%d%d L%d L%d %.12g\n", i, j, turned ? j : i,
                                     turned ? i : j, k[i][j]);
        }
    return create(text, &warnings) ? warnings : SIZE_MAX;
}

/* Cosines of angles between random directions are couplings that exist; their matrix has rank 3, so its least
 * eigenvalue is 0, and with all of them larger by the same factor t it is 1 - t. */
static void couplings_of_directions_exist_and_larger_ones_do_not(void)
{
    for (int run = 0; run < 200; run++) {
        double u[COILS][SPACE], k[COILS][COILS], largest = 0;
        for (int i = 0; i < COILS; i++) {
            double length = 0;
            for (int s = 0; s < SPACE; s++) {
                u[i][s] = draw();
                length += u[i][s] * u[i][s];
            }
            for (int s = 0; s < SPACE; s++)
                u[i][s] /= sqrt(length);
        }
        for (int i = 0; i < COILS; i++)
            for (int j = 0; j < COILS; j++) {
                k[i][j] = 0;
                for (int s = 0; s < SPACE; s++)
                    k[i][j] += u[i][s] * u[j][s];
                largest = i != j ? fmax(largest, fabs(k[i][j])) : largest;
            }
        if (largest > 0.999)
            continue;
        CU_ASSERT_EQUAL(warnings_about(k), 0);
        for (int i = 0; i < COILS; i++)
            for (int j = 0; j < COILS; j++)
                k[i][j] = i == j ? 1 : k[i][j] / largest;
        CU_ASSERT_EQUAL(warnings_about(k), 1);
    }
}

/* n windings that all have the coupling k exist for k >= -1/(n - 1). */
static void equal_couplings_exist_down_to_their_bound(void)
{
    for (int n = 3; n < 40; n++) {
        for (int side = 0; side < 2; side++) {
            char text[4000] = "couplings\nR1 n0 0 1\n", names[1000] = "";
            size_t warnings = 0;
            for (int i = 0; i < n; i++) {
                sprintf(text + strlen(text), "L%d n%d 0 1m\n", i, i);
                sprintf(names + strlen(names), " L%d", i);
            }
            sprintf(text + strlen(text), "K1%s %.9f\n", names, -(1 + (side ? 1e-3 : -1e-3)) / (n - 1));
            CU_ASSERT(create(text, &warnings));
            CU_ASSERT_EQUAL(warnings, (size_t)side);
        }
    }
}

/* 500 inductors are 124,750 pairs; each inductor is read once, not once for each pair. */
static void many_inductors_on_one_card_are_quick(void)
{
    const int n = 500;
    char *text = calloc(1, 100000);
    CU_ASSERT_FATAL(text != NULL);
    char *at = text + sprintf(text, "couplings\n");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "L%d n%d 0 1m\n", i, i);
    at += sprintf(at, "K1");
    for (int i = 0; i < n; i++)
        at += sprintf(at, " L%d", i);
    sprintf(at, " 0.9\n");
    size_t warnings = 0;
    const clock_t start = clock();
    CU_ASSERT(create(text, &warnings));
    CU_ASSERT((double)(clock() - start) / CLOCKS_PER_SEC < 2.0);
    CU_ASSERT_EQUAL(warnings, 0);
    free(text);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(couplings_of_directions_exist_and_larger_ones_do_not),
        CLAIM(equal_couplings_exist_down_to_their_bound),
        CLAIM(many_inductors_on_one_card_are_quick),
    };
    return run_claims("coupling", claims, sizeof claims / sizeof *claims);
}
