/* test_periodic.c - .pss against closed forms, an independent Runge-Kutta program, phasors and long transients. */
#include "claims.h"
#include "knoten.h"
#include "linear_circuit.h"
#include "run_text.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- running a deck ---- */

enum { MOST_ROWS = 5000, MOST_COLUMNS = 2 * LINEAR_MOST_UNKNOWNS };

struct result {
    double waves[MOST_ROWS][MOST_COLUMNS], harmonics[MOST_ROWS][MOST_COLUMNS];
    double noise[MOST_ROWS][MOST_COLUMNS]; /* of .pnoise */
    size_t points, orders, distances, columns;
    int table;
    char note[400]; /* of the steady state, or an error */
    char hint[400]; /* of an error */
    enum kn_status status;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct result *r = context;
    r->columns = table->column_count;
    r->table++;
    return table->column_count <= MOST_COLUMNS ? KN_OK : KN_ERROR_ARGUMENT;
}

static enum kn_status take_row(void *context, const double *values)
{
    struct result *r = context;
    size_t *count = r->table == 1 ? &r->points : r->table == 2 ? &r->orders : &r->distances;
    double(*rows)[MOST_COLUMNS] = r->table == 1 ? r->waves : r->table == 2 ? r->harmonics : r->noise;
    if (*count < MOST_ROWS)
        memcpy(rows[(*count)++], values, r->columns * sizeof *values);
    else /* of a transient: the last one is what counts */
        memcpy(r->waves[MOST_ROWS - 1], values, r->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

/* The caller frees it. */
static struct result *run(const char *deck, const char *method, double reltol)
{
    struct result *r = calloc(1, sizeof *r);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {r, begin, take_row, end};
    const struct kn_options options = {.method = method, .reltol = reltol};
    CU_ASSERT_FATAL(r && d);
    r->status = run_text(deck, &options, d, &sink, NULL);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++) {
        const struct kn_diagnostic *item = kn_diagnostics_get(d, i);
        if (strstr(item->text, "Floquet") || item->severity == KN_ERROR)
            snprintf(r->note, sizeof r->note, "%s", item->text);
        if (item->severity == KN_ERROR && item->hint)
            snprintf(r->hint, sizeof r->hint, "%s", item->hint);
    }
    kn_diagnostics_free(d);
    return r;
}

static struct result *run_well(const char *deck, double reltol)
{
    struct result *r = run(deck, NULL, reltol);
    if (r->status != KN_OK)
        fprintf(stderr, "\n%s\nof\n%s", r->note, deck);
    CU_ASSERT_EQUAL_FATAL(r->status, KN_OK);
    return r;
}

static double period_of(const struct result *r)
{
    return 1 / r->harmonics[1][0];
}

/* The k-th Floquet multiplier of the note, if it is real. */
static double multiplier(const struct result *r, int k)
{
    const char *at = strstr(r->note, "multipliers ");
    for (at = at ? at + strlen("multipliers ") : NULL; at && k > 0; k--)
        at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL;
    return at ? strtod(at, NULL) : NAN;
}

/* ---- driven circuits ---- */

static void a_resonator_shows_its_phasor(void)
{
    static const char deck[] = "rlc\nV1 in 0 SIN(0 1 1k)\nR1 in a 10\nL1 a b 10m\nC1 b 0 1u\n.save v(b) i(v1)\n"
                               ".pss 1k\n.end\n";
    struct result *r = run_well(deck, 1e-5);
    const double w = 2 * acos(-1) * 1e3;
    const double complex source = CMPLX(0, -1), impedance = CMPLX(10, w * 10e-3 - 1 / (w * 1e-6));
    const double complex current = source / impedance, voltage = current / CMPLX(0, w * 1e-6);
    const double complex found = CMPLX(r->harmonics[1][1], r->harmonics[1][2]);
    CHECK_NEAR(cabs(found - voltage) / cabs(voltage), 0, 1e-5);
    CHECK_NEAR(cabs(CMPLX(r->harmonics[1][3], r->harmonics[1][4]) + current) / cabs(current), 0, 1e-5);
    for (int k = 0; k <= 10; k++)
        if (k != 1)
            CHECK_NEAR(hypot(r->harmonics[k][1], r->harmonics[k][2]) / cabs(voltage), 0, 1e-5);
    /* The multipliers are e^(s T) of the poles s. */
    const double complex s = CMPLX(-10 / (2 * 10e-3), sqrt(1 / (10e-3 * 1e-6) - pow(10 / (2 * 10e-3), 2)));
    CHECK_NEAR(multiplier(r, 0), creal(cexp(s * 1e-3)), 1e-4);
    free(r);
}

/* Time constant of 1 s, period of 10 us: 1,000,000 periods to settle. */
static void what_settles_in_a_million_periods_is_found_at_once(void)
{
    static const char deck[] =
        "slow\nV1 in 0 PULSE(0 5 0 1n 1n 4.999u 10u)\nR1 in out 100k\nC1 out 0 10u\n.save v(out)\n"
        ".pss 100k\n.end\n";
    struct result *r = run_well(deck, 1e-6);
    CHECK_NEAR(r->harmonics[0][1], 2.5, 1e-6);
    CHECK_NEAR(multiplier(r, 0), exp(-10e-6), 1e-6);
    free(r);
}

/* At a quarter of the period and at its end, from runs that stop there. */
static void a_rectifier_agrees_with_long_runs_in_time(void)
{
    static const char circuit[] = "rect\nV1 in 0 SIN(0 10 50)\nRs in a 10\nD1 a out dd\nC1 out 0 22u\nR1 out 0 1k\n"
                                  ".model dd d(is=1e-12 cjo=10p tt=10n)\n.save v(a) v(out)\n";
    static const char *const methods[] = {"radau", "bdf"};
    char deck[600];
    snprintf(deck, sizeof deck, "%s.pss 50 points=4\n.end\n", circuit);
    struct result *r = run_well(deck, 1e-6);
    for (int quarter = 0; quarter < 4; quarter++)
        for (size_t k = 0; k < 2; k++) {
            snprintf(deck, sizeof deck, "%s.tran 1m %.17g\n.end\n", circuit, (20 + 0.25 * quarter) * 0.02);
            struct result *t = run(deck, methods[k], 1e-8);
            const double *last = t->waves[t->points - 1];
            CHECK_NEAR(r->waves[quarter][1], last[1], 2e-5);
            CHECK_NEAR(r->waves[quarter][2], last[2], 1e-5);
            free(t);
        }
    free(r);
}

/* Passive circuits of 15 to 30 elements, all sources SIN(0 m 10k): phasors are those of AC sources, turned by -90 degrees. */
static void random_linear_circuits_show_their_phasors(void)
{
    enum { CIRCUITS = 40 };
    const double frequency = 1e4;
    uint64_t state = 20261122;
    for (int trial = 0; trial < CIRCUITS; trial++) {
        const uint64_t seed = state;
        const struct linear_circuit circuit = linear_random(&state, "rrccl");
        struct linear_equations q;
        char *deck = NULL;
        size_t length;
        FILE *to = open_memstream(&deck, &length);
        CU_ASSERT_FATAL(to != NULL);
        fprintf(to, "random\n");
        linear_print_driven(&circuit, "SIN(0", " 10k)", to);
        fprintf(to, ".pss 10k harms=1\n.end\n");
        fclose(to);
        linear_equations(&circuit, 2 * acos(-1) * frequency, &q);
        CU_ASSERT_FATAL(linear_solve_dense(&q));
        struct result *r = run_well(deck, 1e-6);
        double largest = 0;
        for (int i = 0; i < circuit.nodes; i++)
            largest = fmax(largest, cabs((double complex)q.B[i]));
        for (int i = 0; i < circuit.nodes; i++) {
            const double complex found = CMPLX(r->harmonics[1][1 + 2 * i], r->harmonics[1][2 + 2 * i]);
            const double off = cabs(found + I * (double complex)q.B[i]) / largest;
            if (!(off <= 2e-5))
                fprintf(stderr, "\nseed %llu, node %d of\n%s", (unsigned long long)seed, i + 1, deck);
            CHECK_NEAR(off, 0, 2e-5);
        }
        free(r);
        free(deck);
    }
}

/* ---- oscillators ---- */

typedef void law(const double *x, double *dxdt);

static void runge_kutta(law *f, int n, double *x, double h)
{
    double k[4][8], y[8];
    f(x, k[0]);
    for (int s = 1; s < 4; s++) {
        for (int i = 0; i < n; i++)
            y[i] = x[i] + (s == 3 ? h : h / 2) * k[s - 1][i];
        f(y, k[s]);
    }
    for (int i = 0; i < n; i++)
        x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Times between the last two upward crossings of a level by x[0], after a while; *integral: of x[0]^2 over it. */
static double period_by_runge_kutta(law *f, int n, double *x, double h, double level, double *integral)
{
    double last = NAN, period = NAN, sum = 0;
    for (long i = 0; i * h < 200; i++) {
        const double before = x[0];
        sum += h * before * before;
        runge_kutta(f, n, x, h);
        if (before < level && x[0] >= level) {
            const double part = (level - before) / (x[0] - before), now = ((double)i + part) * h;
            period = now - last;
            last = now;
            *integral = sum;
            sum = 0;
        }
    }
    return period;
}

static void van_der_pol(const double *x, double *dxdt)
{
    dxdt[0] = x[0] - x[0] * x[0] * x[0] / 3 - x[1];
    dxdt[1] = x[0];
}

/* mu = 1: 6.663286859 (Andersen and Geer, SIAM J. Appl. Math. 42, 1982); the other multiplier is e^(integral of the
 * divergence 1 - x^2) by Liouville. */
static void van_der_pols_oscillator_has_its_period_and_multiplier(void)
{
    static const char deck[] = "vdp\nC1 x 0 1\nL1 x 0 1\nB1 x 0 I={-v(x)+v(x)*v(x)*v(x)/3}\n.pss 0.2\n.end\n";
    double x[2] = {1, 0}, squares = 0;
    const double period = period_by_runge_kutta(van_der_pol, 2, x, 1e-3, 0, &squares);
    struct result *r = run_well(deck, 1e-6);
    CHECK_NEAR(period_of(r), 6.663286859323130, 1e-7);
    CHECK_NEAR(period_of(r), period, 1e-5);
    CHECK_NEAR(multiplier(r, 0), 1, 1e-6);
    CHECK_NEAR(multiplier(r, 1) / exp(period - squares), 1, 1e-2);
    free(r);
}

/* Deuflhard and Bornemann 2008, section 8.5: C U' = f(U), C cyclic with 2 Cp + C0 and -Cp. */
static int ring_stages;

static void ring(const double *u, double *dudt)
{
    const int n = ring_stages;
    double a[8][9] = {{0}};
    for (int i = 0; i < n; i++) {
        const double gate = u[(i + n - 1) % n], on = fmax(gate - 1, 0), off = fmax(gate - u[i] - 1, 0);
        a[i][i] += 2 * 5e-3 + 0.21;
        a[i][(i + 1) % n] -= 5e-3;
        a[i][(i + n - 1) % n] -= 5e-3;
        a[i][n] = (5 - u[i]) / 5 - 0.2 * (on * on - off * off);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double factor = a[k][i] / a[i][i];
            for (int j = i; j <= n && k != i; j++)
                a[k][j] -= factor * a[i][j];
        }
    for (int i = 0; i < n; i++)
        dudt[i] = a[i][n] / a[i][i];
}

static void ring_oscillators_have_their_periods(void)
{
    static const double published[] = {[3] = 3.3420, [5] = 6.2983}; /* to all digits given */
    for (ring_stages = 3; ring_stages <= 5; ring_stages += 2) {
        char deck[2000];
        double u[8] = {1, 2, 3, 4, 2.5}, unused;
        int length = snprintf(deck, sizeof deck, "ring\nVDD vdd 0 5\n");
        for (int i = 0; i < ring_stages; i++) {
            const int gate = (i + ring_stages - 1) % ring_stages, next = (i + 1) % ring_stages;
            length += snprintf(deck + length, sizeof deck - (size_t)length,
                               "R%d vdd u%d 5\nC%d u%d 0 0.21\nCp%d u%d u%d 5m\n"
                               "B%d u%d 0 I={0.2*(max(v(u%d)-1,0)**2-max(v(u%d)-v(u%d)-1,0)**2)}\n",
                               i, i, i, i, i, i, next, i, i, gate, gate, i);
        }
        snprintf(deck + length, sizeof deck - (size_t)length, ".pss 0.2\n.end\n");
        struct result *r = run_well(deck, 1e-5);
        CHECK_NEAR(period_of(r), published[ring_stages], 5e-5);
        CHECK_NEAR(period_of(r), period_by_runge_kutta(ring, ring_stages, u, 1e-3, 2.5, &unused), 2e-5);
        free(r);
    }
}

/* A Pierce oscillator, its crystal of Q = 1e5: what the network makes of the transconductance's current, whose
 * fundamental is that of tanh of a sine. */
struct pierce {
    double L, C, R;
};

static double complex transfer(const struct pierce *q, double w)
{
    const double complex crystal = 1 / CMPLX(q->R, w * q->L - 1 / (w * q->C));
    const double complex across = crystal + CMPLX(1e-6, w * 3e-12), load = CMPLX(0, w * 20e-12);
    /* nodes a and d: (load + across) va - across vd = 0, -across va + (load + 1e-5 + across) vd = -i */
    return -across / ((load + across) * (load + 1e-5 + across) - across * across);
}

static double fundamental_of_tanh(double amplitude)
{
    enum { POINTS = 4000 };
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        const double s = sin(2 * acos(-1) * (i + 0.5) / POINTS);
        sum += 2.0 / POINTS * s * 1e-3 * tanh(2 * amplitude * s);
    }
    return sum;
}

static void a_crystal_of_quality_1e5_is_no_trouble(void)
{
    const double pi = acos(-1), w0 = 2 * pi * 1e6;
    const struct pierce q = {1 / (w0 * w0 * 10e-15), 10e-15, 1 / (w0 * 10e-15 * 1e5)};
    char deck[600];
    snprintf(deck, sizeof deck,
             "pierce\nLm a b %.17g\nCm b c %.17g\nRm c d %.17g\nC0 a d 3p\nC1 a 0 20p\nC2 d 0 20p\nRb a d 1meg\n"
             "Bg d 0 I={tanh(v(a)*2)*1m}\nRd d 0 100k\n.save v(a) v(d)\n.pss 1meg\n.end\n",
             q.L, q.C, q.R);
    double low = w0 * (1 + 2e-4), high = w0 * (1 + 6e-4); /* the phase of va/i goes through 0 between them */
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (cimag(transfer(&q, middle)) * cimag(transfer(&q, low)) > 0)
            low = middle;
        else
            high = middle;
    }
    const double needed = fabs(creal(transfer(&q, low)));
    double small = 1, large = 1000;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (small + large);
        if (fundamental_of_tanh(middle) * needed > middle)
            small = middle;
        else
            large = middle;
    }
    struct result *r = run_well(deck, 1e-4);
    CHECK_NEAR(r->harmonics[1][0] * 2 * pi / low, 1, 1e-6);
    CHECK_NEAR(hypot(r->harmonics[1][1], r->harmonics[1][2]) / small, 1, 2e-3);
    free(r);
}

/* ---- edges a million times shorter than the period ---- */

static double draw(uint64_t *state, double low, double high)
{
    return low + (high - low) * linear_chance(state);
}

/* The run in time is as good as its reltol of 1e-4 of times. */
static void random_multivibrators_have_the_periods_of_runs_in_time(void)
{
    enum { CIRCUITS = 10 };
    uint64_t state = 20261122;
    for (int trial = 0; trial < CIRCUITS; trial++) {
        const uint64_t seed = state;
        const double slow[2] = {draw(&state, 15e3, 60e3), draw(&state, 15e3, 60e3)};
        const double c = pow(10, draw(&state, -10, -7)), other = c * draw(&state, 0.3, 3);
        const double about = 0.69 * (slow[0] * other + slow[1] * c);
        char circuit[900], deck[1000];
        snprintf(circuit, sizeof circuit,
                 "multivibrator\nVcc cc 0 5\nR1 cc c1 1k\nR2 cc c2 1k\nR3 cc b1 %.4g\nR4 cc b2 %.4g\n"
                 "C1 c1 b2 %.4g\nC2 c2 b1 %.4g\nQ1 c1 b1 0 qn\nQ2 c2 b2 0 qn\n.save v(c1)\n"
                 ".model qn npn is=1e-15 bf=100 cje=%.3gp cjc=1p tf=0.1n\n",
                 slow[0], slow[1], c, other, draw(&state, 0.5, 5));
        snprintf(deck, sizeof deck, "%s.pss %.4g\n.end\n", circuit, 1 / about);
        struct result *r = run_well(deck, 1e-4);
        double crossing[2] = {0, 0}, before = 5;
        snprintf(deck, sizeof deck, "%s.tran %.4g %.4g %.4g\n.end\n", circuit, about / 200, 14 * about, 11 * about);
        struct result *t = run(deck, NULL, 1e-4);
        for (size_t i = 0; i < t->points; i++) {
            if (before < 2.5 && t->waves[i][1] >= 2.5) {
                const double part = (2.5 - before) / (t->waves[i][1] - before);
                crossing[0] = crossing[1];
                crossing[1] = t->waves[i - 1][0] + part * (t->waves[i][0] - t->waves[i - 1][0]);
            }
            before = t->waves[i][1];
        }
        const double off = period_of(r) / (crossing[1] - crossing[0]) - 1;
        if (!(fabs(off) <= 2e-3))
            fprintf(stderr, "\nseed %llu: %g off\n%s", (unsigned long long)seed, off, deck);
        CHECK_NEAR(off, 0, 2e-3);
        free(r);
        free(t);
    }
}

/* ---- circuits that grow on their own ---- */

/* G1 makes a resistor of -500 ohm of itself: the only steady state is the phasor, and the multiplier e^(T / 1 ms). */
static void an_unstable_driven_circuit_has_its_one_steady_state(void)
{
    static const char deck[] = "grows\nV1 in 0 SIN(0 1 1k)\nR1 in a 1k\nC1 a 0 1u\nG1 0 a a 0 2m\n.save v(a)\n.pss 1k\n"
                               ".end\n";
    struct result *r = run_well(deck, 1e-6);
    const double w = 2 * acos(-1) * 1e3;
    const double complex expected = CMPLX(0, -1) * 1e-3 / CMPLX(-1e-3, w * 1e-6);
    CHECK_NEAR(cabs(CMPLX(r->harmonics[1][1], r->harmonics[1][2]) - expected) / cabs(expected), 0, 1e-5);
    CHECK_NEAR(multiplier(r, 0) / exp(1), 1, 1e-4);
    free(r);
}

/* e^20 in a period is e^200 in the ten that the search begins with, and more than a run in time can follow in a hundred. */
static void what_runs_away_is_found_from_its_operating_point(void)
{
    static const char deck[] = "runs away\nV1 in 0 SIN(0 1 1k)\nR1 in a 1k\nC1 a 0 50n\nG1 0 a a 0 2m\n.save v(a)\n"
                               ".pss 1k tstab=100m\n.end\n";
    struct result *r = run_well(deck, 1e-6);
    const double complex expected = CMPLX(0, -1) * 1e-3 / CMPLX(-1e-3, 2 * acos(-1) * 1e3 * 50e-9);
    CHECK_NEAR(cabs(CMPLX(r->harmonics[1][1], r->harmonics[1][2]) - expected) / cabs(expected), 0, 1e-5);
    CHECK_NEAR(multiplier(r, 0) / exp(20), 1, 1e-3);
    free(r);
}

/* e^50 in a period is more than a double has digits for; errors of steps add up in the exponent. */
static void what_grows_too_fast_is_said(void)
{
    struct result *r =
        run("fast\nV1 in 0 SIN(0 1 1k)\nR1 in a 1k\nC1 a 0 20n\nG1 0 a a 0 2m\n.pss 1k tstab=1m\n.end\n", NULL, 1e-3);
    CU_ASSERT(r->status != KN_OK);
    const char *said = strstr(r->hint, "grow by a factor of "), *number = strpbrk(said ? said : "", "0123456789");
    CU_ASSERT_FATAL(number != NULL);
    CHECK_NEAR(log(strtod(number, NULL)), 50, 0.1);
    free(r);
}

/* ---- more unknowns than a monodromy matrix is made for ---- */

/* A rectifier into a line of RC sections; multipliers of 0.67 make the run in time wait for 40 periods. */
static void a_ladder_of_a_thousand_nodes_agrees_with_a_long_run(void)
{
    char *deck[2] = {NULL, NULL};
    struct result *r[2];
    for (int k = 0; k < 2; k++) {
        size_t length;
        FILE *to = open_memstream(&deck[k], &length);
        CU_ASSERT_FATAL(to != NULL);
        fprintf(to, "ladder\nV1 in 0 SIN(0 10 1k)\nRs in a 10\nD1 a n0 dd\nC0 n0 0 20u\nRl n0 0 1k\n");
        for (int i = 0; i < 1000; i++)
            fprintf(to, "R%d n%d n%d 10\nC%d n%d 0 1n\n", i + 1, i, i + 1, i + 1, i + 1);
        fprintf(to, "Re n1000 0 10k\n.model dd d(is=1e-12 cjo=10p tt=10n)\n.save v(n0) v(n300) v(n1000)\n%s\n.end\n",
                k ? ".tran 10u 44m 43.9m" : ".pss 1k points=4");
        fclose(to);
        r[k] = run(deck[k], "radau", k ? 1e-7 : 1e-6);
        CU_ASSERT_EQUAL_FATAL(r[k]->status, KN_OK);
        free(deck[k]);
    }
    const size_t last = (r[1]->points < MOST_ROWS ? r[1]->points : MOST_ROWS) - 1;
    for (int i = 1; i <= 3; i++)
        CHECK_NEAR(r[0]->waves[4][i] / r[1]->waves[last][i], 1, 2e-6);
    free(r[0]);
    free(r[1]);
}

/* RC sections behind a source, open at the end, decay by 4/(RC) sin^2((2k - 1) pi / (4 n + 2)). */
static void multipliers_of_a_long_line_are_those_of_its_decays(void)
{
    enum { SECTIONS = 300 };
    char *deck = NULL;
    size_t length;
    FILE *to = open_memstream(&deck, &length);
    CU_ASSERT_FATAL(to != NULL);
    fprintf(to, "line\nV1 n0 0 SIN(0 1 5k)\n");
    for (int i = 0; i < SECTIONS; i++)
        fprintf(to, "R%d n%d n%d 10\nC%d n%d 0 1n\n", i + 1, i, i + 1, i + 1, i + 1);
    fprintf(to, ".save v(n300)\n.pss 5k\n.end\n");
    fclose(to);
    struct result *r = run_well(deck, 1e-6);
    for (int k = 1; k <= 2; k++) {
        const double decay = 4 / (10 * 1e-9) * pow(sin((2 * k - 1) * acos(-1) / (4 * SECTIONS + 2)), 2);
        CHECK_NEAR(multiplier(r, k - 1) / exp(-decay / 5e3), 1, 1e-4);
    }
    free(r);
    free(deck);
}

/* ---- phase noise ---- */

static const double four_kt = 4 * 1.380649e-23 * 300.15;

/* c from L at a distance far beyond the width of the line: L = 10 log10(f0^2 c / f^2). */
static double walk_of(const struct result *r, size_t row)
{
    const double *at = r->noise[row], f0 = r->harmonics[1][0];
    return pow(10, at[1] / 10) * at[0] * at[0] / (f0 * f0);
}

/* x = 2 cos wt: a current i(t) moves the phase by -sin(wt)/(2 C w) i dt seconds, so c = S/2 / (8 C^2 w^2). */
static void a_harmonic_oscillator_has_the_phase_noise_of_its_resistor(void)
{
    static const char deck[] = "lc\nC1 x 0 2\nL1 x 0 0.5\nR1 x 0 10\n"
                               "B1 x 0 I={-v(x)*0.12+0.02/3*v(x)*v(x)*v(x)}\n.pss 0.2\n.pnoise dec 2 1u 1m\n.end\n";
    struct result *r = run_well(deck, 1e-5);
    CU_ASSERT_EQUAL(r->distances, 7);
    for (size_t i = 0; i < r->distances; i++)
        CHECK_NEAR(walk_of(r, i) / (four_kt / 10 / 2 / (8 * 2 * 2)), 1, 1e-3);
    free(r);
}

/* Phase of van der Pol's oscillator after a while, by its crossings: a kick of its voltage at each time of a period,
 * carried on by the Runge-Kutta program, shifts it. */
static double last_crossing(const double *start, double h, long steps)
{
    double x[2] = {start[0], start[1]}, last = NAN;
    for (long i = 0; i < steps; i++) {
        const double before = x[0];
        runge_kutta(van_der_pol, 2, x, h);
        if (before < 0 && x[0] >= 0) {
            double rate[2];
            van_der_pol(x, rate);
            last = (double)(i + 1) * h - x[0] / rate[0];
        }
    }
    return last;
}

static void van_der_pols_oscillator_walks_as_kicks_tell(void)
{
    static const char deck[] = "vdp\nC1 x 0 1\nL1 x 0 1\nR1 x 0 1k\n"
                               "B1 x 0 I={-1.001*v(x)+v(x)*v(x)*v(x)/3}\n.pss 0.2\n.pnoise dec 1 1u 10u\n.end\n";
    enum { KICKS = 60, PERIODS = 12 };
    const double h = 1e-3, period = 6.663286859323130, kick = 1e-3;
    double x[2] = {1, 0}, squares = 0;
    for (long i = 0; i < 100000; i++)
        runge_kutta(van_der_pol, 2, x, h);
    for (int k = 0; k < KICKS; k++) {
        const double up[2] = {x[0] + kick, x[1]}, down[2] = {x[0] - kick, x[1]};
        const long steps = (long)(PERIODS * period / h);
        double shift = last_crossing(up, h, steps) - last_crossing(down, h, steps);
        shift -= period * round(shift / period);
        squares += pow(shift / (2 * kick), 2) / KICKS;
        for (long i = 0; i < (long)(period / KICKS / h); i++)
            runge_kutta(van_der_pol, 2, x, h);
    }
    struct result *r = run_well(deck, 1e-5);
    CHECK_NEAR(walk_of(r, 0) / (four_kt / 1e3 / 2 * squares), 1, 1e-2);
    free(r);
}

/* A current that flickers shifts the frequency as a current that stays does (through the voltage of RL): f0^2 c(f) = (df0/di)^2 S/2, which .pss tells
 * with another current. */
static void flicker_noise_shifts_the_frequency_as_its_current_does(void)
{
    static const char form[] =
        "lopsided\nC1 x 0 1\nL1 x y 1\nRL y 0 0.1\nVB b 0 %.17g\nRB b x rf 1meg\n.model rf r(kf=1e-12 af=2)\n"
        "B1 x 0 I={-v(x)+0.5*v(x)*v(x)+v(x)*v(x)*v(x)/3}\n.pss 0.2 osc=x\n.pnoise dec 1 1n 10n\n.end\n";
    char deck[600];
    double frequency[3];
    const double bias = 1e5, more = 1e3; /* V over 1 MOhm */
    struct result *middle = NULL;
    for (int k = 0; k < 3; k++) {
        snprintf(deck, sizeof deck, form, bias + (k - 1) * more);
        struct result *r = run_well(deck, 1e-6);
        frequency[k] = r->harmonics[1][0];
        if (k == 1)
            middle = r;
        else
            free(r);
    }
    const double slope = (frequency[2] - frequency[0]) / (2 * more / 1e6); /* Hz/A */
    const double density = 1e-12 * pow(bias / 1e6, 2), f = middle->noise[0][0];
    const double expected = slope * slope * density / 2 / f / (f * f);
    CHECK_NEAR(pow(10, middle->noise[0][1] / 10) / expected, 1, 1e-2);
    CHECK_NEAR(middle->noise[0][1] - middle->noise[1][1], 30, 1e-3);
    free(middle);
}

/* ---- what cannot be done ---- */

static void fails_saying(const char *deck, const char *words)
{
    struct result *r = run(deck, NULL, 0);
    CU_ASSERT(r->status != KN_OK);
    CU_ASSERT(strstr(r->note, words) != NULL);
    if (!strstr(r->note, words))
        fprintf(stderr, "\n'%s' instead of '%s'\n", r->note, words);
    free(r);
}

static void what_has_no_periodic_state_is_refused_with_the_reason(void)
{
    fails_saying("rest\nV1 in 0 1\nR1 in out 1k\nC1 out 0 1u\n.pss 1k\n.end\n", "nothing oscillates");
    fails_saying("none\nV1 in 0 SIN(0 1 1k)\nR1 in 0 1k\n.pss\n.end\n", "the frequency is missing");
    fails_saying("other\nV1 in 0 SIN(0 1 1.5k)\nR1 in out 1k\nC1 out 0 1u\n.pss 1k\n.end\n",
                 "do not repeat after a period of 0.001 s");
    fails_saying("driven\nV1 in 0 SIN(0 1 1k)\nR1 in out 1k\nC1 out 0 1u\n.pss 1k 0 out\n.end\n", "is driven");
    fails_saying("line\nV1 in 0 SIN(0 1 1k)\nR1 in a 50\nT1 a 0 b 0 z0=50 td=1u\nR2 b 0 50\n.pss 1k\n.end\n",
                 "cannot treat");
    fails_saying("alone\nC1 x 0 1\nL1 x 0 1\nR1 x 0 1\n.pnoise dec 1 1 10\n.end\n", "there is no .pss card");
    fails_saying("sine\nV1 in 0 SIN(0 1 1k)\nR1 in 0 1k\n.pss 1k\n.pnoise dec 1 1 10\n.end\n", "the circuit is driven");
    fails_saying("sweep\nV1 in 0 SIN(0 1 1k)\nR1 in 0 1k\n.pss 1k sweep r1 1k 2k 1k\n.end\n", "write .step");
    fails_saying("word\nV1 in 0 SIN(0 1 1k)\nR1 in 0 1k\n.pss 1k colour=3\n.end\n", "nothing is known of this");
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(a_resonator_shows_its_phasor),
        CLAIM(what_settles_in_a_million_periods_is_found_at_once),
        CLAIM(a_rectifier_agrees_with_long_runs_in_time),
        CLAIM(random_linear_circuits_show_their_phasors),
        CLAIM(van_der_pols_oscillator_has_its_period_and_multiplier),
        CLAIM(ring_oscillators_have_their_periods),
        CLAIM(a_crystal_of_quality_1e5_is_no_trouble),
        CLAIM(random_multivibrators_have_the_periods_of_runs_in_time),
        CLAIM(an_unstable_driven_circuit_has_its_one_steady_state),
        CLAIM(what_runs_away_is_found_from_its_operating_point),
        CLAIM(what_grows_too_fast_is_said),
        CLAIM(a_ladder_of_a_thousand_nodes_agrees_with_a_long_run),
        CLAIM(multipliers_of_a_long_line_are_those_of_its_decays),
        CLAIM(a_harmonic_oscillator_has_the_phase_noise_of_its_resistor),
        CLAIM(van_der_pols_oscillator_walks_as_kicks_tell),
        CLAIM(flicker_noise_shifts_the_frequency_as_its_current_does),
        CLAIM(what_has_no_periodic_state_is_refused_with_the_reason),
    };
    return run_claims("periodic", claims, sizeof claims / sizeof *claims);
}
