/* philox.c - see philox.h. */
#include "base/philox.h"

#include <math.h>
#include <stddef.h>

enum { ROUNDS = 10 };

/* Multipliers of the two halves, and what is added to the key after each round (Weyl sequences). */
static const uint32_t multipliers[] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t key_steps[] = {0x9E3779B9u, 0xBB67AE85u};

void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t bits[4])
{
    uint32_t k0 = key[0], k1 = key[1];
    for (int i = 0; i < 4; i++)
        bits[i] = counter[i];
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t first = (uint64_t)multipliers[0] * bits[0], second = (uint64_t)multipliers[1] * bits[2];
        bits[0] = (uint32_t)(second >> 32) ^ bits[1] ^ k0;
        bits[2] = (uint32_t)(first >> 32) ^ bits[3] ^ k1;
        bits[1] = (uint32_t)second;
        bits[3] = (uint32_t)first;
        k0 += key_steps[0];
        k1 += key_steps[1];
    }
}

double philox_uniform(const uint32_t bits[2])
{
    const uint64_t all = (uint64_t)bits[0] << 32 | bits[1];
    return ((double)(all >> 12) + 0.5) * 0x1p-52;
}

/* numerator and denominator by rising powers; both of degree 7 */
struct quotient {
    double above[8], below[8];
};

static const struct quotient central = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
     4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
     3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
static const struct quotient outer = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
static const struct quotient tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

static double at(const struct quotient *q, double x)
{
    double above = 0, below = 0;
    for (size_t i = 8; i-- > 0;) {
        above = above * x + q->above[i];
        below = below * x + q->below[i];
    }
    return above / below;
}

double normal_quantile(double p)
{
    const double from_middle = p - 0.5;
    if (fabs(from_middle) <= 0.425)
        return from_middle * at(&central, 0.180625 - from_middle * from_middle);
    const double r = sqrt(-log(from_middle < 0 ? p : 1 - p));
    return copysign(r <= 5 ? at(&outer, r - 1.6) : at(&tail, r - 5), from_middle);
}
