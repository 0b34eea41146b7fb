/* junction.c - the parts of junction.h that are not in the time loop: temperature laws, the constants of the depletion
 * charge, and the limiting rules.
 */
#include "devices/junction/junction.h"

#include "devices/device.h"

#define LAW(name) name
#define LAW_OWN
#define LAW_NUMBER double
#include "devices/junction/junction_bodies.h"

double thermal_gap(double kelvin)
{
    return gap_at(silicon, kelvin);
}

/* A device that is well on may double its overdrive, one that turns on is first evaluated half a volt above threshold,
 * one that turns off half a volt below (Nagel 1975, as in SPICE2; falling further inside the off region needs no
 * limit). */
double fet_limit_gate(double v, double previous, double threshold)
{
    const double overdrive = previous - threshold;
    const double largest_rise = 2 * fabs(overdrive) + 2;
    const double largest_fall = 0.5 * largest_rise + 2;
    if (overdrive < 0) {
        if (v <= previous)
            return v;
        return fmin(v, v <= threshold + 0.5 ? previous + largest_fall : threshold + 0.5);
    }
    if (overdrive < 3.5)
        return v <= previous ? fmax(v, threshold - 0.5) : fmin(v, threshold + 4);
    if (v > previous)
        return fmin(v, previous + largest_rise);
    return fmax(v, v >= threshold + 3.5 ? previous - largest_fall : threshold + 2);
}

double fet_limit_drain(double v, double previous)
{
    if (previous >= 3.5)
        return v > previous ? fmin(v, 3 * previous + 2) : v >= 3.5 ? v : fmax(v, 2);
    return v > previous ? fmin(v, 4) : fmax(v, -0.5);
}
