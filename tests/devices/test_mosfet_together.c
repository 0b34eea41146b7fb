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
                             .oxide = uniform(seed, 0, 1) < 0.2 ? 0 : 1e-14};
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

int main(int count, char **arguments)
{
    random_arguments(count, arguments, &first_seed, &rounds);
    static const struct claim claims[] = {CLAIM(four_transistors_at_once_have_the_bits_of_each_alone)};
    return run_claims("MOSFETs together", claims, sizeof claims / sizeof *claims);
}
