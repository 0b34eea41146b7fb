/* Claims about K cards of many coils, whose equations have a common current in place of all pairs (devices/linear/coupling.c): the same
 * coils with a card for each pair, which are stated in pairs, give the same. */
#include "claims.h"
#include "deck_rows.h"

#include <stdarg.h>

enum { COILS = 50, DECKS = 12, ROOM = 100000 };

struct deck {
    uint64_t random; /* state of xorshift64* (S. Vigna, 2016) */
    char text[ROOM];
    size_t used;
};

/* Uniform in 0 .. 1. */
static double draw(struct deck *d)
{
    d->random ^= d->random >> 12;
    d->random ^= d->random << 25;
    d->random ^= d->random >> 27;
    return (double)((d->random * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

KN_PRINTF(2, 3) static void write(struct deck *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    d->used += (size_t)vsnprintf(d->text + d->used, sizeof d->text - d->used, format, list);
    va_end(list);
}

/* Negative ones down to where the energy would be: -1/(COILS - 1). */
static double draw_coefficient(struct deck *d)
{
    const double kind = draw(d);
    return kind < 0.2 ? -0.9 * draw(d) / (COILS - 1) : kind < 0.4 ? 1 - 1e-3 * draw(d) : draw(d);
}

static void write_coil(struct deck *d, int i)
{
    const int far = draw(d) < 0.3 ? 1 + (int)(draw(d) * COILS) : 0;
    write(d, "l%d c%d c%d %.12g ic=%.3g\n", i, i, far == i ? 0 : far, pow(10, -7 + 2 * draw(d)), 0.01 * draw(d));
    write(d, "r%d c%d 0 %.12g\n", i, i, pow(10, 1 + 2 * draw(d)));
    if (draw(d) < 0.4)
        write(d, "c%d c%d 0 %.12g\n", i, i, pow(10, -11 + 2 * draw(d)));
    if (draw(d) < 0.2)
        write(d, "i%d c%d 0 pulse(0 1m 0.2u 0.1u 0.1u)\n", i, i);
}

static void write_couplings(struct deck *d, double k, bool pairs)
{
    if (!pairs)
        write(d, "k1");
    for (int i = 1; i <= COILS && !pairs; i++)
        write(d, " l%d", i);
    if (!pairs)
        write(d, " %.12g\n", k);
    for (int i = 1; i <= COILS && pairs; i++)
        for (int j = 1; j < i; j++)
            write(d, "k%dw%d l%d l%d %.12g\n", i, j, j, i, k);
}

static struct deck_rows run(uint64_t seed, bool pairs, const char *cards)
{
    static struct deck d;
    d.random = seed;
    d.used = 0;
    write(&d, "coils\nv1 in 0 dc 1 ac 1 sin(0.3 1 1meg)\nrs in c1 50\n.save v(c1) v(c2) v(c40) i(l3) i(l50)\n");
    for (int i = 1; i <= COILS; i++)
        write_coil(&d, i);
    write_couplings(&d, draw_coefficient(&d), pairs);
    write(&d, "%s\n.end\n", cards);
    return deck_rows(d.text, NULL, 0);
}

/* Last rows, by what is largest in the column; in 1e-12 where all is 0. */
static double distance(const struct deck_rows *a, const struct deck_rows *b)
{
    double worst = a->count > 0 && b->count > 0 && a->columns == b->columns ? 0 : INFINITY;
    for (size_t j = 0; worst < INFINITY && j < a->columns; j++) {
        const double largest = fmax(deck_rows_largest(a, -INFINITY, j), 1e-12);
        worst = fmax(worst, fabs(deck_row(a, a->count - 1)[j] - deck_row(b, b->count - 1)[j]) / largest);
    }
    return worst;
}

static void compare(const char *cards, double most)
{
    for (uint64_t seed = 1; seed <= DECKS; seed++) {
        struct deck_rows joint = run(seed * 20261130, false, cards), pairs = run(seed * 20261130, true, cards);
        const double far = distance(&joint, &pairs);
        CU_ASSERT(far <= most);
        if (!(far <= most))
            fprintf(stderr, "seed %d: %g apart\n", (int)seed, far);
        CU_ASSERT(joint.summary.unknowns == pairs.summary.unknowns + 1);
        free(joint.values);
        free(pairs.values);
    }
}

static void small_signals_and_noise_are_the_same(void)
{
    compare(".noise v(c2) v1 lin 1 3meg 3meg", 1e-9);
}

static void transients_are_the_same(void)
{
    compare(".options reltol=1e-7\n.tran 10n 0.5u", 1e-5);
}

static void transients_from_given_currents_are_the_same(void)
{
    compare(".options reltol=1e-7\n.tran 10n 0.3u uic", 1e-5);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(small_signals_and_noise_are_the_same),
        CLAIM(transients_are_the_same),
        CLAIM(transients_from_given_currents_are_the_same),
    };
    return run_claims("common current", claims, sizeof claims / sizeof *claims);
}
