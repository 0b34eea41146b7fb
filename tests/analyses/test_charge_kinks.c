/* test_charge_kinks.c - charges that bend within a step.
 *
 * A gate behind a resistor, whose charge bends within the edge that drives it:
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

static struct deck_rows run_edge(const struct edge *e, const char *saved, const char *method, double reltol, char *deck,
                                 size_t size)
{
    snprintf(deck, size,
             "gate\nV1 a 0 PULSE(0 %g 1u %g %g 1u 10u)\nR1 a g %.6g\nVD d 0 5\nM1 d g 0 0 mn W=20u L=2u\n"
             ".model mn nmos(vto=0.7 kp=100u lambda=0.02 tox=20n cgso=0.2n cgdo=0.2n)\n"
             ".save %s\n.tran %g 3u\n.end\n",
             e->high, e->time, e->time, e->resistance, saved, e->tstep);
    return deck_rows(deck, method, reltol);
}

static double value_at_end(const struct deck_rows *r, const struct edge *e)
{
    const double time = 2e-6 + 2 * e->time;
    double nearest = INFINITY, value = NAN;
    for (size_t i = 0; i < r->count; i++)
        if (fabs(deck_row(r, i)[0] - time) < nearest) {
            nearest = fabs(deck_row(r, i)[0] - time);
            value = deck_row(r, i)[1];
        }
    CU_ASSERT(nearest < 1e-14);
    return value;
}

static void check_lag(const struct edge *e, const char *method, double reltol)
{
    char deck[600];
    struct deck_rows r = run_edge(e, "v(g)", method, reltol, deck, sizeof deck);
    const double expected = e->resistance * gate_capacitance() * e->high / e->time;
    at_most(fabs(value_at_end(&r, e) - expected) / e->high, 4 * reltol, "the error of v(g) at the end of the edge",
            method, reltol, deck);
    free(r.values);
}

/* An error of v(g) within its tolerance may be 400 tolerances of the current; the estimate holds it to 4 of these. */
static void check_current(const struct edge *e, const char *method, double reltol)
{
    char deck[600];
    struct deck_rows r = run_edge(e, "i(v1)", method, reltol, deck, sizeof deck);
    const double expected = gate_capacitance() * e->high / e->time, largest = deck_rows_largest(&r, 0, 1);
    at_most(fabs(value_at_end(&r, e) - expected) / largest, 15 * reltol, "the error of i(v1) at the end of the edge",
            method, reltol, deck);
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

static void the_current_into_a_gate_is_right_where_an_edge_ends(void)
{
    static const char *const methods[] = {"auto", "radau", "radau5", "bdf", "rodasp", "trbdf2", "trap"};
    uint64_t seed = 29;
    for (int i = 0; i < 25; i++) {
        const struct edge e = random_edge(&seed);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            check_current(&e, methods[m], 1e-3);
    }
}

/* A voltage that goes no further to one side between two times. */
struct bent {
    const char *deck;
    double from, to, sign, limit; /* s, s, sign of the side, V */
    size_t column;
};

static double most_between(const struct deck_rows *r, const struct bent *b)
{
    double most = -INFINITY;
    for (size_t i = 0; i < r->count; i++)
        if (deck_row(r, i)[0] > b->from && deck_row(r, i)[0] < b->to)
            most = fmax(most, b->sign * deck_row(r, i)[b->column]);
    return most;
}

/* The embedded formula of order 4 or 5 told a fifth to a tenth of what the slope was off by.  The diode D2 ceases to conduct about
 * 5.03 us: v(2) fell to 9.8898 V; at tolerances of 1e-6 and steps of 50 ps ngspice 39 has no less than 9.9071 V.  The channel of M3 opens
 * 0.11 ns behind 1 us, in a step of 1.4 ps: v(3) rose to 0.63536 V, by radau at 1e-7 to 0.63422 V.  Each may miss that by reltol. */
static void a_high_order_does_not_swing_at_a_kink(void)
{
    static const char *const methods[] = {"auto", "bdf"};
    static const struct bent bends[] = {
        {"diode\nVCC vcc 0 12\nV1 in 0 SIN(0 10 300000)\nR1 in 1 1k\nR2 vcc 2 2.2k\nR3 3 0 1k\nR4 2 3 10k\n"
         "R5 1 3 22k\nD0 3 0 d0\nM1 2 3 3 0 m0 w=20u l=2u\nD2 0 1 dq\nD3 1 2 dq\n"
         ".model dq d(is=1e-14 cjo=4p tt=5n rs=1)\n.model d0 d(is=1e-14)\n.model m0 nmos(vto=0.7 kp=100u lambda=0.02)\n"
         ".tran 2e-08 1e-05\n.end\n",
         4.96e-6, 5.1e-6, -1, -9.9071 * (1 - 1e-3), 4},
        {"gate\nVCC vcc 0 12\nV1 in 0 PULSE(-1 1 1e-06 5e-11 2.5e-07 1.5e-06 2e-06)\nR1 in 1 1k\nR2 vcc 2 2.2k\n"
         "R3 3 0 1k\nR4 2 3 10k\nR5 1 3 22k\nC1 2 0 3.33e-10\nD0 3 0 d0\nD1 0 1 d0\nQ2 2 1 3 q0\n"
         "M3 2 1 3 0 mn w=20u l=2u\n.model d0 d(is=1e-14)\n.model q0 npn(is=1e-15 bf=80)\n"
         ".model mn nmos(vto=0.7 kp=100u lambda=0.02 tox=20n cgso=0.2n cgdo=0.2n)\n"
         ".tran 2e-08 1e-05\n.end\n",
         1e-6, 1.0002e-6, 1, 0.63422 * (1 + 1e-3), 5},
    };
    for (size_t k = 0; k < sizeof bends / sizeof *bends; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct deck_rows r = deck_rows(bends[k].deck, methods[m], 1e-3);
            at_most(most_between(&r, &bends[k]), bends[k].limit, "the voltage beside the kink", methods[m], 1e-3,
                    bends[k].deck);
            free(r.values);
        }
}

/* A transistor with 3 pF is driven on at 375 us: its collector leaves with a slope of 0 and is 0.15 mV lower 140 ps later (radau at
 * reltol 1e-7).  What the slope of the charges misses at the begin of a step stood in rows just behind it, 0.85 mV. */
static void rows_behind_a_corner_begin_where_it_ends(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "trbdf2"};
    static const char deck[] =
        "corner\nVCC vcc 0 12\nV1 in 0 PULSE(0 1 0.0002 2.5e-05 5e-08 0.00015 0.0003)\nR1 in 1 1k\n"
        "R2 vcc 2 2.2k\nR3 3 0 1k\nR4 2 3 10k\nR5 1 3 22k\nQ0 2 1 3 qn\nD1 0 3 dq\n"
        ".model dq d(is=1e-14 cjo=4p tt=5n rs=1)\n.model qn npn(is=1e-15 bf=100 cje=2p cjc=1p "
        "tf=0.3n)\n.save v(2) v(1) i(vcc)\n.tran 2e-06 0.001\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double corner = NAN, worst = 0;
        for (size_t i = 0; i < r.count; i++) {
            const double *row = deck_row(&r, i), behind = row[0] - 375e-6;
            if (fabs(behind) < 1e-15)
                corner = row[1];
            else if (behind > 0 && behind < 140e-12)
                worst = fmax(worst, fabs(row[1] - corner));
        }
        CU_ASSERT(!isnan(corner));
        at_most(worst, 2e-4, "the way of v(2) in 140 ps", methods[k], 1e-3, deck);
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_gate_lags_behind_an_edge_as_its_charge_says),
        CLAIM(the_current_into_a_gate_is_right_where_an_edge_ends),
        CLAIM(a_high_order_does_not_swing_at_a_kink),
        CLAIM(rows_behind_a_corner_begin_where_it_ends),
    };
    return run_claims("analyses/charge_kinks", claims, sizeof claims / sizeof *claims);
}
