/* test_charge_kinks.c - a gate behind a resistor, whose charge bends within the edge that drives it.
 *
 * V1 falls from V to 0 within `edge`; the gate follows through R.  Below vto - phi the channel is empty and the gate is a
 * constant capacitance, C = eps_ox / tox W L + (cgso + cgdo) W (Meyer, RCA Review 32, 1971).  After many time constants
 * R C on the way from there to 0 it lags by R C V / edge: its voltage at the end of the edge. */
#include "deck_rows.h"
#include "exact_waves.h"

static const double WIDTH = 20e-6, LENGTH = 2e-6, TOX = 20e-9, OVERLAPS = 0.4e-9; /* m, m, m, F/m */
static const double EPS_OX = 3.9 * 8.854187817e-12;                               /* F/m */
static const double EMPTY_FROM = 0.1;                                             /* V, vto - phi */

struct edge {
    double time, high, resistance, tstep; /* s, V, ohm, s */
};

static double gate_capacitance(void)
{
    return EPS_OX / TOX * WIDTH * LENGTH + OVERLAPS * WIDTH;
}

static struct edge random_edge(uint64_t *seed)
{
    static const double times[] = {5e-9, 7e-9, 1e-8, 2e-8}, highs[] = {1, 1.2, 1.5, 2, 3, 5},
                        tsteps[] = {1e-7, 1e-6, 2e-6};
    struct edge e = {
        .time = times[between(seed, 0, 3)], .high = highs[between(seed, 0, 5)], .tstep = tsteps[between(seed, 0, 2)]};
    const double time_constants = (double)between(seed, 14, 30);
    e.resistance = EMPTY_FROM / e.high * e.time / time_constants / gate_capacitance();
    return e;
}

static double lag_at_end(const struct deck_rows *r, double time)
{
    double nearest = INFINITY, lag = NAN;
    for (size_t i = 0; i < r->count; i++)
        if (fabs(deck_row(r, i)[0] - time) < nearest) {
            nearest = fabs(deck_row(r, i)[0] - time);
            lag = deck_row(r, i)[1];
        }
    CU_ASSERT(nearest < 1e-14);
    return lag;
}

static void check_lag(const struct edge *e, const char *method, double reltol)
{
    char deck[600];
    snprintf(deck, sizeof deck,
             "gate\nV1 a 0 PULSE(0 %g 1u %g %g 1u 10u)\nR1 a g %.6g\nVD d 0 5\nM1 d g 0 0 mn W=20u L=2u\n"
             ".model mn nmos(vto=0.7 kp=100u lambda=0.02 tox=20n cgso=0.2n cgdo=0.2n)\n"
             ".save v(g)\n.tran %g 3u\n.end\n",
             e->high, e->time, e->time, e->resistance, e->tstep);
    struct deck_rows r = deck_rows(deck, method, reltol);
    const double lag = lag_at_end(&r, 2e-6 + 2 * e->time);
    const double expected = e->resistance * gate_capacitance() * e->high / e->time;
    at_most(fabs(lag - expected) / e->high, 4 * reltol, "the error of v(g) at the end of the edge", method, reltol,
            deck);
    free(r.values);
}

static void a_gate_lags_behind_an_edge_as_its_charge_says(void)
{
    static const char *const methods[] = {"auto", "radau", "radau5", "bdf", "rodasp", "trbdf2", "trap"};
    static const double reltols[] = {1e-3, 1e-4, 1e-5};
    uint64_t seed = 23;
    for (int i = 0; i < 25; i++) {
        const struct edge e = random_edge(&seed);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (size_t k = 0; k < sizeof reltols / sizeof *reltols; k++)
                check_lag(&e, methods[m], reltols[k]);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_gate_lags_behind_an_edge_as_its_charge_says),
    };
    return run_claims("analyses/charge_kinks", claims, sizeof claims / sizeof *claims);
}
