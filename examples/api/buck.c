/* buck.c - co-simulation: a digital controller, in C, holds the output of a buck converter, in a netlist, at 5 V.
 *
 * 100000 times a second it measures the output and computes how long the switch is to be on in the next period: a
 * proportional-integral law with a limit.
 */
#include <knoten.h>

#include <math.h>
#include <string.h>

static const char deck[] = "Buck converter\n"
                           "V1 in 0 12\n"
                           "Vgate gate 0 external\n"
                           "S1 in sw gate 0 switch\n"
                           "D1 0 sw diode\n"
                           "L1 sw out 47u\n"
                           "C1 out 0 100u\n"
                           "R1 out 0 2.5\n"
                           ".model switch sw(vt=0.5 ron=20m roff=1meg)\n"
                           ".model diode d(is=10n rs=20m)\n";

static const double PERIOD = 10e-6, WANTED = 5;

struct controller {
    double sum; /* V s */
};

/* The part of a period in which the switch is to be on. */
static double duty(struct controller *c, double out)
{
    const double error = WANTED - out;
    c->sum += error * PERIOD;
    return fmin(fmax(0.02 * error + 60 * c->sum, 0), 0.9);
}

static enum kn_status one_period(struct kn_transient *t, struct controller *c, double *out)
{
    const double begin = kn_transient_time(t);
    enum kn_status status = kn_transient_read(t, "v(out)", out);
    const double on = duty(c, *out) * PERIOD;
    if (status == KN_OK)
        status = kn_transient_set(t, "Vgate", on > 0);
    if (status == KN_OK)
        status = kn_transient_advance(t, begin + on);
    if (status == KN_OK)
        status = kn_transient_set(t, "Vgate", 0);
    return status == KN_OK ? kn_transient_advance(t, begin + PERIOD) : status;
}

int main(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c = NULL;
    struct kn_transient *t = NULL;
    struct controller controller = {0};
    enum kn_status status = kn_circuit_read_text("buck", deck, strlen(deck), d, &c);
    if (status == KN_OK)
        status = kn_transient_begin(c, "tran 1u 10m", NULL, d, NULL, &t);
    for (int k = 0; status == KN_OK && k < 1000; k++) {
        double out;
        status = one_period(t, &controller, &out);
        if (k % 100 == 99)
            printf("%5.1f ms  %.3f V\n", 1e3 * kn_transient_time(t), out);
    }
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_transient_end(t, NULL);
    kn_circuit_free(c);
    kn_diagnostics_free(d);
    return status == KN_OK ? 0 : 1;
}
