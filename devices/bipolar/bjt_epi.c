/* bjt_epi.c - see bjt_epi.h. */
#include "devices/bipolar/bjt_epi.h"

#include "devices/junction/junction.h"

/* K(v) - 1 without cancellation, and the derivative. */
static double excess_of(const struct bjt_epi_law *law, double v, double *slope)
{
    double e_slope;
    const double e = law->gamma * junction_exp(law->rate * v, &e_slope);
    const double k = sqrt(1 + e);
    *slope = 0.5 * law->gamma * e_slope * law->rate / k;
    return e / (1 + k);
}

double bjt_epi_charge(const struct bjt_epi_law *law, double v, double *capacitance)
{
    const double excess = excess_of(law, v, capacitance);
    *capacitance *= law->charge;
    return law->charge * (excess - 0.5 * law->gamma);
}

void bjt_epi_at(const struct bjt_epi_law *law, double vbc, double vbn, struct bjt_epi *out)
{
    double inner_slope, outer_slope;
    const double inner = excess_of(law, vbc, &inner_slope), outer = excess_of(law, vbn, &outer_slope);
    const double v = vbc - vbn, thermal = 1 / law->rate, sign = v < 0 ? -1 : 1;
    const double free = v + thermal * (inner - outer - log((2 + inner) / (2 + outer)));
    const double field = 1 / (1 + fabs(v) * law->inverse_vo), g = law->conductance * field;
    out->current = g * free;
    const double limit = out->current * field * sign * law->inverse_vo;
    out->by_bc = g * (1 + thermal * inner_slope * (1 + inner) / (2 + inner)) - limit;
    out->by_bn = -g * (1 + thermal * outer_slope * (1 + outer) / (2 + outer)) + limit;
    out->charge = bjt_epi_charge(law, vbn, &out->capacitance);
}
