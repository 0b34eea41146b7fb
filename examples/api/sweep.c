/* sweep.c - a circuit from a text, a parameter in a loop, vectors in memory: how fast a low-pass settles. */
#include <knoten.h>

#include <math.h>
#include <string.h>

static const char deck[] = "RC low-pass\n"
                           ".param r=1k\n"
                           "V1 in 0 pwl(0 0 1n 1)\n"
                           "R1 in out {r}\n"
                           "C1 out 0 100n\n";

static int fail(const struct kn_diagnostics *d)
{
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    return 1;
}

/* v(out) at the end of 0.1 ms; NaN where it cannot be had. */
static double settle(struct kn_circuit *c, double r, struct kn_diagnostics *d)
{
    struct kn_results *results = kn_results_new();
    struct kn_sink sink = kn_results_sink(results);
    const struct kn_options options = {.size = sizeof options, .reltol = 1e-6};
    struct kn_vector out;
    double last = NAN;
    if (kn_circuit_set_parameter(c, "r", r, d) == KN_OK &&
        kn_analyse(c, "tran 1u 100u", &options, d, &sink, NULL) == KN_OK && kn_results_find(results, 0, "v(out)", &out))
        last = out.real[out.length - 1];
    kn_results_free(results);
    return last;
}

int main(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c;
    if (!d || kn_circuit_read_text("low-pass", deck, strlen(deck), d, &c) != KN_OK)
        return fail(d);
    printf("%8s %10s %10s\n", "r/ohm", "v(out)", "1-e^(-t/rc)");
    for (double r = 500; r <= 4000; r *= 2) {
        const double v = settle(c, r, d);
        if (isnan(v))
            return fail(d);
        printf("%8g %10.6f %10.6f\n", r, v, 1 - exp(-100e-6 / (r * 100e-9)));
    }
    kn_circuit_free(c);
    kn_diagnostics_free(d);
    return 0;
}
