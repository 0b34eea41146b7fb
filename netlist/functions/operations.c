/* operations.c - powers with their derivatives at every point, and numbers that look random. */
#include "netlist/functions/operations.h"

#include "base/philox.h"

#include <stdint.h>
#include <string.h>

double integer_power(double x, int n)
{
    double result = 1.0, square = x;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left; left >>= 1) {
        if (left & 1u)
            result *= square;
        square *= square;
    }
    return n < 0 ? 1.0 / result : result;
}

static bool is_odd(double y)
{
    return fmod(y, 2.0) == 1.0 || fmod(y, 2.0) == -1.0;
}

double power_value(double x, double y)
{
    return x < 0.0 && !is_odd(y) ? pow(-x, y) : pow(x, y);
}

double signed_power_value(double x, double y)
{
    return x < 0.0 ? -pow(-x, y) : pow(x, y);
}

/* cos(pi y), exact where it is 0 or 1. */
static double cosine_of_half_turns(double y)
{
    const double part = fabs(fmod(y, 2.0));
    return part == 0.5 || part == 1.5 ? 0.0 : cos(3.14159265358979323846 * part);
}

double real_power_value(double x, double y)
{
    return x >= 0.0 || y == trunc(y) ? pow(x, y) : pow(-x, y) * cosine_of_half_turns(y);
}

double real_power_by_exponent(double x, double y, double v)
{
    static const double pi = 3.14159265358979323846;
    return x < 0.0 ? v * log(-x) - pi * pow(-x, y) * sin(pi * fmod(y, 2.0)) : power_by_exponent(x, y, v);
}

double random_at(double x)
{
    const double whole = trunc(x) + 0.0; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    uint32_t words[4];
    philox((const uint32_t[]){0x6b6e6f74, 0x656e0000}, (const uint32_t[]){(uint32_t)bits, (uint32_t)(bits >> 32), 0, 0},
           words);
    return isfinite(x) ? philox_uniform(words) : NAN;
}

double power_by_base(double x, double y, double v)
{
    if (x != 0.0)
        return y * v / x;
    return y == 0.0 ? 0.0 : y * pow(0.0, y - 1.0);
}

double power_by_exponent(double x, double y, double v)
{
    if (x != 0.0)
        return v * log(fabs(x));
    return y > 0.0 ? 0.0 : -INFINITY;
}
