/* test_readings.c - the voltage inside a diode, behind its resistance to ground, is its current times that resistance.
 *
 * A source gives the cathode V + A tanh((t - T) / tau) > 0.  The junction has a constant capacitance C (m = 0), of which Rs C is far
 * below tau, so that v(d1#internal) = Rs C A / tau / cosh^2((t - T) / tau) and below any vntol: steps must be held to the current. */
#include "deck_rows.h"
#include "exact_waves.h"

static const double STOP = 1e-3;        /* s */
static const double SATURATION = 1e-14; /* A; and gmin times the voltage, which a diode that blocks takes */

struct swing {
    double height, time, tau, capacitance, resistance; /* V, s, s, F, ohm */
};

static double behind_resistance(const struct swing *w, double t)
{
    const double slope = 1 / cosh((t - w->time) / w->tau);
    return w->resistance * w->capacitance * w->height / w->tau * slope * slope;
}

static struct swing random_swing(uint64_t *seed)
{
    static const double heights[] = {0.5, 1, 2, 5}, parts[] = {20, 50, 100}, capacitances[] = {1e-12, 4e-12, 20e-12},
                        resistances[] = {0.1, 1, 10};
    struct swing w;
    w.height = heights[between(seed, 0, 3)];
    w.tau = STOP / parts[between(seed, 0, 2)];
    w.time = STOP * (double)between(seed, 30, 60) / 100;
    w.capacitance = capacitances[between(seed, 0, 2)];
    w.resistance = resistances[between(seed, 0, 2)];
    return w;
}

/* Allowed: 2 % of the peak, and what the diode leaks; steps that are held to vntol miss by 2.4 (trbdf2) to 20 % (trap). */
static void check(const struct swing *w, const char *method)
{
    char deck[400];
    snprintf(deck, sizeof deck,
             "reading\n.options saveinternals\nB1 2 0 V=%g+%g*tanh((time-%g)/%g)\nD1 0 2 dm\n.model dm d(is=%g cjo=%g m=0 rs=%g)\n"
             ".tran 2u %g\n.end\n",
             w->height + 1, w->height, w->time, w->tau, SATURATION, w->capacitance, w->resistance, STOP);
    struct deck_rows r = deck_rows(deck, method, 0);
    const double peak = w->resistance * w->capacitance * w->height / w->tau;
    const double leak = w->resistance * (SATURATION + 1e-12 * (2 * w->height + 1));
    double off = 0;
    for (size_t i = 0; i < r.count; i++)
        off = fmax(off, fabs(deck_row(&r, i)[r.columns - 1] - behind_resistance(w, deck_row(&r, i)[0])));
    at_most(off, 0.02 * peak + leak, "v(d1#internal)", method, 1e-3, deck);
    free(r.values);
}

static void inside_a_diode_voltages_are_as_right_as_currents(void)
{
    static const char *const methods[] = {"auto", "bdf", "rodasp", "trbdf2", "trap", "radau"};
    uint64_t seed = 20260;
    for (int deck = 0; deck < 10; deck++) {
        const struct swing w = random_swing(&seed);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            check(&w, methods[m]);
    }
}

/* Half a microvolt that Newton's method leaves of a voltage, within its tolerance, is 13 uA of a current through 2 ohm, and a slope of
 * 1 ns beside the junction's 2 pF: radau at 1e-7 and bdf at 1e-6 have at most 2.05 uA in that time. */
static void a_current_is_no_rest_of_newtons_method(void)
{
    static const char deck[] =
        "rest\nL1 a 0 1.1887e-06\nC1 a 0 6.72e-10\nB1 0 a I=0.0036*(v(a)-v(a)^3)\n"
        "Ik 0 a PULSE(0 0.00127718 5e-08 1e-09 1e-09 3.55168e-08 3e-06)\nD1 a k dfast\nVk k 0 0.5\n"
        ".model dfast d(is=1e-14 rs=2 cjo=2p tt=1n)\n.tran 2e-09 1e-06\n.end\n";
    enum { AMMETER = 4 }; /* column of i(vk) */
    struct deck_rows r = deck_rows(deck, "radau", 1e-3);
    double most = 0;
    for (size_t i = 0; i < r.count; i++)
        if (deck_row(&r, i)[0] > 160e-9 && deck_row(&r, i)[0] < 175e-9)
            most = fmax(most, deck_row(&r, i)[AMMETER]);
    at_most(most, 2.5e-6, "i(vk)", "radau", 1e-3, deck);
    free(r.values);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_current_is_no_rest_of_newtons_method),
        CLAIM(inside_a_diode_voltages_are_as_right_as_currents),
    };
    return run_claims("analyses/readings", claims, sizeof claims / sizeof *claims);
}
