/* Philox against the published known answers, and the quantile of the normal distribution against erfc. */
#include "base/philox.h"
#include "claims.h"

#include <string.h>

/* J. K. Salmon and others, Random123, known answers of philox4x32 with 10 rounds: counters, keys, bits. */
static void philox_gives_the_published_answers(void)
{
    static const struct {
        uint32_t counter[4], key[2], bits[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t bits[4];
        philox(known[i].key, known[i].counter, bits);
        CU_ASSERT(memcmp(bits, known[i].bits, sizeof bits) == 0);
    }
}

static void uniform_numbers_stay_within_the_open_interval(void)
{
    const uint32_t least[] = {0, 0}, most[] = {0xffffffff, 0xffffffff}, middle[] = {0x80000000, 0};
    CU_ASSERT(philox_uniform(least) == 0x1p-53);
    CU_ASSERT(philox_uniform(most) == 1 - 0x1p-53);
    CHECK_NEAR(philox_uniform(middle), 0.5, 0x1p-53);
}

/* The distribution function is erfc(-x / sqrt 2) / 2; its slope turns what is left into an error of x. */
static void quantile_is_the_inverse_of_the_distribution(void)
{
    for (int i = -1070; i <= 1000; i++) {
        const double p = i < 0 ? ldexp(1, i < -52 ? i : i - 1) : (i + 0.5) / 1001;
        const double x = normal_quantile(p), left = 0.5 * erfc(-x / sqrt(2)) - p;
        const double slope = exp(-0.5 * x * x) / sqrt(2 * acos(-1));
        CHECK_NEAR(left / slope, 0, i < -1022 ? 1 : 4e-15 * fmax(1, fabs(x)) * fmax(1, fabs(x)));
        CU_ASSERT(i < 0 || fabs(normal_quantile(1 - p) + x) < 1e-12);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(philox_gives_the_published_answers),
        CLAIM(uniform_numbers_stay_within_the_open_interval),
        CLAIM(quantile_is_the_inverse_of_the_distribution),
    };
    return run_claims("philox", claims, sizeof claims / sizeof *claims);
}
