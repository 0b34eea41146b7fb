/* diode_law.c - see diode_law.h. */
#include "devices/junction/diode_law.h"

#define LAW(name)  name
#define LAW_NUMBER double
#include "devices/junction/diode_bodies.h"

/* The reverse side where tunnelling makes it exponential. */
static double limit_tunnel(const struct diode_law *law, double v, double previous)
{
    return law->tunnel.saturation > 0 ? -junction_limit(-v, -previous, law->tunnel.rate, law->tunnel_critical) : v;
}

double diode_limit(const struct diode_law *law, double v, double previous)
{
    if (v < 0)
        v = limit_tunnel(law, v, previous);
    if (v < 0 && law->breakdown_voltage < INFINITY) {
        const double beyond = -(v + law->breakdown_voltage);
        const double previous_beyond = -(previous + law->breakdown_voltage);
        const double allowed = junction_limit(beyond, previous_beyond, law->breakdown_rate, law->critical_voltage);
        return allowed == beyond ? v : -law->breakdown_voltage - allowed; /* v itself: the sum below would round it */
    }
    return junction_limit(v, previous, law->forward.rate, law->critical_voltage);
}
