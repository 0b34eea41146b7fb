/* Four transistors evaluated at once have the bits of each alone. */
#include "claims.h"
#include "devices/channel/mosfet_model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t first_seed = 20261126;
static int rounds = 20000;

/* xorshift64* */
static double uniform(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static struct mosfet_law random_law(uint64_t *seed)
{
    struct mosfet_law law = {.built_in = uniform(seed, -1, 2),
                             .gamma = uniform(seed, 0, 1) < 0.2 ? 0 : uniform(seed, 0, 2),
                             .phi = uniform(seed, 0.1, 1),
                             .beta = uniform(seed, 1e-6, 1e-2),
                             .lambda = uniform(seed, 0, 0.1),
                             .oxide = uniform(seed, 0, 1) < 0.2 ? 0 : 1e-14,
                             .one_sided = uniform(seed, 0, 1) < 0.5 ? 0 : uniform(seed, -0.25, 1)};
    law.root_phi = sqrt(law.phi);
    mosfet_prepare_charge(&law);
    return law;
}

/* Also where branches of the law meet. */
static double random_voltage(uint64_t *seed)
{
    return uniform(seed, 0, 1) < 0.1 ? 0 : uniform(seed, -4, 4);
}

static void four_transistors_at_once_have_the_bits_of_each_alone(void)
{
    uint64_t seed = first_seed;
    for (int round = 0; round < rounds; round++) {
        struct mosfet_law laws[MOSFET_TOGETHER];
        const struct mosfet_law *law[MOSFET_TOGETHER];
        struct mosfet_bias at[MOSFET_TOGETHER];
        struct mosfet_channel_values together[MOSFET_TOGETHER];
        const bool alike = uniform(&seed, 0, 1) < 0.5;
        for (int i = 0; i < MOSFET_TOGETHER; i++) {
            laws[i] = random_law(&seed);
            law[i] = alike ? &laws[0] : &laws[i];
            at[i] = (struct mosfet_bias){random_voltage(&seed), random_voltage(&seed), random_voltage(&seed)};
        }
        mosfet_channels(law, at, together);
        for (int i = 0; i < MOSFET_TOGETHER; i++) {
            struct mosfet_channel_values alone;
            struct mosfet_channel channel;
            mosfet_channel(law[i], at[i].gs, at[i].ds, at[i].bs, &channel);
            alone.current = channel.current;
            mosfet_charges(law[i], at[i].gs, at[i].ds, at[i].bs, &alone.charges);
            if (memcmp(&alone, &together[i], sizeof alone) != 0) {
                fprintf(stderr, "seed %llu, round %d\n", (unsigned long long)first_seed, round);
                CU_FAIL_FATAL("other bits");
            }
        }
    }
    CU_PASS("all alike");
}

static double charge_of(const struct mosfet_charges *q, int k)
{
    return k == 0 ? q->drain.value : k == 1 ? q->source.value : q->bulk.value;
}

static const struct mosfet_value *slopes_of(const struct mosfet_charges *q, int k)
{
    return k == 0 ? &q->drain : k == 1 ? &q->source : &q->bulk;
}

/* Differences over 2e-5 V miss slopes that bend by C/phi per volt, and jump there by no more, by 1e-3 of C at most. */
static void charges_have_the_slopes_that_differences_show(void)
{
    static const double h = 1e-5;
    uint64_t seed = first_seed;
    for (int round = 0; round < rounds; round++) {
        const struct mosfet_law law = random_law(&seed);
        const double v[3] = {random_voltage(&seed), random_voltage(&seed), random_voltage(&seed)};
        struct mosfet_charges at, up, down;
        mosfet_charges(&law, v[0], v[1], v[2], &at);
        for (int by = 0; by < 3; by++) {
            const double d[3] = {by == 0 ? h : 0, by == 1 ? h : 0, by == 2 ? h : 0};
            mosfet_charges(&law, v[0] + d[0], v[1] + d[1], v[2] + d[2], &up);
            mosfet_charges(&law, v[0] - d[0], v[1] - d[1], v[2] - d[2], &down);
            for (int k = 0; k < 3; k++) {
                const struct mosfet_value *q = slopes_of(&at, k);
                const double slope = by == 0 ? q->gs : by == 1 ? q->ds : q->bs;
                CHECK_NEAR(slope, (charge_of(&up, k) - charge_of(&down, k)) / (2 * h), 1e-3 * law.oxide + 1e-30);
            }
        }
    }
}

int main(void)
{
    random_arguments(&first_seed, &rounds);
    static const struct claim claims[] = {CLAIM(four_transistors_at_once_have_the_bits_of_each_alone),
                                          CLAIM(charges_have_the_slopes_that_differences_show)};
    return run_claims("MOSFETs together", claims, sizeof claims / sizeof *claims);
}
