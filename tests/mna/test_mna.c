/* test_mna.c - unknowns, pattern and evaluation of whole circuits. */
#include "deck.h"
#include "read_circuit.h"

#include <stdint.h>

/* Every family in one circuit. */
static const char ALL_DEVICES[] = "all devices\n"
                                  ".model dm D(is=1e-14 n=1.1 cjo=2p vj=0.7 m=0.4 tt=5n rs=2 bv=30)\n"
                                  ".model qn NPN(is=1e-15 bf=120 vaf=60 ikf=0.05 ise=1e-14 rb=80 re=0.4 rc=3 cje=1p "
                                  "cjc=0.6p cjs=0.4p tf=0.3n tr=20n)\n"
                                  ".model qp PNP(is=2e-15 bf=60 vaf=40 cje=1p cjc=1p tf=1n)\n"
                                  ".model mn NMOS(level=1 vto=0.7 kp=110u gamma=0.4 phi=0.7 lambda=0.04 cgso=0.2n "
                                  "cgdo=0.2n cbd=10f cbs=10f tox=20n)\n"
                                  "V1 a 0 dc 5 sin(5 1 1k)\n"
                                  "I1 0 b pulse(0 1m 0 1u 1u 1m 2m)\n"
                                  "R1 a b 1k tc1=1m\n"
                                  "C1 b 0 1n\n"
                                  "C2 b c q='1n*v(b,c)+0.1n*v(b,c)^2'\n"
                                  "L1 c d 1m\n"
                                  "L2 d 0 2m\n"
                                  "L3 c 0 flux='1m*i(L3)+0.2m*i(L3)^3'\n"
                                  "K1 L1 L2 0.6\n"
                                  "E1 e 0 b c 2\n"
                                  "R2 e f 100\n"
                                  "F1 f 0 V1 0.5\n"
                                  "G1 f 0 b 0 1m\n"
                                  "H1 g 0 V1 50\n"
                                  "R3 g f 1k\n"
                                  "B1 f 0 i='1e-4*tanh(v(b))*v(c)+1e-3*i(V1)^2'\n"
                                  "B2 h 0 v='sin(v(b))+time'\n"
                                  "R4 h k 1k\n"
                                  "D1 b k dm\n"
                                  "Q1 b k m qn\n"
                                  "R5 m 0 1k\n"
                                  "Q2 k b a qp\n"
                                  "M1 b k m 0 mn w=10u l=1u ad=20p as=20p pd=10u ps=10u\n"
                                  "E2 p 0 poly(2) b 0 c 0 0.1 1 0.5 0.2\n"
                                  "R6 p 0 1k\n"
                                  ".end\n";

/* xorshift64*, so that a failure can be repeated from the seed alone. */
static double random_between(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static void node_voltages_come_first_and_names_are_lower_case(void)
{
    struct deck s;
    if (!deck_open(&s, "names\nVin In 0 1\nR1 In Out 1k\nL1 Out 0 1m\n.end\n"))
        return;
    CU_ASSERT_EQUAL(mna_unknown_count(s.mna), 4);
    CU_ASSERT_STRING_EQUAL(mna_unknown(s.mna, 0)->name, "v(in)");
    CU_ASSERT_STRING_EQUAL(mna_unknown(s.mna, 1)->name, "v(out)");
    const int vin = circuit_find_element(s.circuit, "vin"), l1 = circuit_find_element(s.circuit, "L1");
    CU_ASSERT_STRING_EQUAL(mna_unknown(s.mna, mna_current_unknown(s.mna, vin))->name, "i(vin)");
    CU_ASSERT_STRING_EQUAL(mna_unknown(s.mna, mna_current_unknown(s.mna, l1))->name, "i(l1)");
    CU_ASSERT_EQUAL(mna_current_unknown(s.mna, circuit_find_element(s.circuit, "r1")), -1);
    CU_ASSERT_EQUAL(mna_node_unknown(s.mna, 0), -1);
    CU_ASSERT_EQUAL(mna_node_unknown(s.mna, circuit_find_node(s.circuit, "out")), 1);
    deck_close(&s);
}

static void elements_at_an_unknown_are_listed_with_their_lines(void)
{
    struct deck s;
    if (!deck_open(&s, "names\nVin In 0 1\nR1 In Out 1k\nL1 Out 0 1m\n.end\n"))
        return;
    char text[80];
    mna_describe(s.mna, 1, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "R1 (line 3), L1 (line 4)");
    char small[20];
    mna_describe(s.mna, 1, small, sizeof small);
    CU_ASSERT_STRING_EQUAL(small, "R1 (line 3), ..");
    mna_describe(s.mna, mna_current_unknown(s.mna, 0), text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "Vin (line 2)");
    deck_close(&s);
}

static void only_circuits_without_nonlinear_work_are_linear(void)
{
    struct deck s;
    if (!deck_open(&s, "rlc\nV1 1 0 1\nR1 1 2 1k\nL1 2 3 1m\nC1 3 0 1u\nE1 4 0 3 0 2\nR2 4 0 1k\n.end\n"))
        return;
    CU_ASSERT_TRUE(mna_dae(s.mna)->linear);
    deck_close(&s);
    if (!deck_open(&s, "diode\n.model d D\nV1 1 0 1\nR1 1 2 1k\nD1 2 0 d\n.end\n"))
        return;
    CU_ASSERT_FALSE(mna_dae(s.mna)->linear);
    deck_close(&s);
}

/* V1 = 1 V, R1 = 1k, C1 = 1u by hand: f, q, G, C at x = (2, 3, 4). */
static void equations_of_an_rc_circuit_are_those_by_hand(void)
{
    struct deck s;
    if (!deck_open(&s, "rc\nV1 1 0 1\nR1 1 2 1k\nC1 2 0 1u\n.end\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    double f[3], q[3], x[3] = {2, 3, 4};
    double *G = sparse_values(dae->pattern), *C = sparse_values(dae->pattern);
    struct dae_values out = {.f = f, .q = q, .G = G, .C = C};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, x, DAE_F | DAE_Q | DAE_G | DAE_C, &out), KN_OK);
    CHECK_NEAR(f[0], (2.0 - 3.0) / 1e3 + 4, 1e-15);
    CHECK_NEAR(f[1], (3.0 - 2.0) / 1e3, 1e-15);
    CHECK_NEAR(fabs(f[2]), 2 - 1, 1e-15);
    CHECK_NEAR(q[0], 0, 0);
    CHECK_NEAR(q[1], 3e-6, 1e-20);
    CHECK_NEAR(q[2], 0, 0);
    CHECK_NEAR(G[sparse_pattern_find(dae->pattern, 0, 0)], 1e-3, 1e-18);
    CHECK_NEAR(G[sparse_pattern_find(dae->pattern, 1, 0)], -1e-3, 1e-18);
    CHECK_NEAR(G[sparse_pattern_find(dae->pattern, 0, 2)], 1, 0);
    CHECK_NEAR(C[sparse_pattern_find(dae->pattern, 1, 1)], 1e-6, 1e-21);
    CU_ASSERT_EQUAL(dae->equation_absolute[0], 1e-12);
    CU_ASSERT_EQUAL(dae->absolute[0], 1e-6);
    CU_ASSERT_EQUAL(dae->absolute[2], 1e-12);
    CU_ASSERT_EQUAL(dae->equation_absolute[2], 1e-6);
    free(G);
    free(C);
    deck_close(&s);
}

static void a_part_that_is_not_asked_for_is_not_touched(void)
{
    struct deck s;
    if (!deck_open(&s, ALL_DEVICES))
        return;
    const struct dae *dae = mna_dae(s.mna);
    const int n = dae->n;
    double *both = calloc((size_t)(4 * n), sizeof *both), *f = both + n, *q = both + 2 * n, *alone = both + 3 * n;
    for (int i = 0; i < n; i++)
        s.x[i] = 0.1 * i;
    struct dae_values all = {.f = f, .q = q};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 1e-4, s.x, DAE_F | DAE_Q, &all), KN_OK);
    struct dae_values only_f = {.f = alone};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 1e-4, s.x, DAE_F, &only_f), KN_OK);
    CU_ASSERT_EQUAL(memcmp(alone, f, (size_t)n * sizeof *f), 0);
    struct dae_values only_q = {.q = alone};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 1e-4, s.x, DAE_Q, &only_q), KN_OK);
    CU_ASSERT_EQUAL(memcmp(alone, q, (size_t)n * sizeof *q), 0);
    free(both);
    deck_close(&s);
}

/* Column j of a matrix of the DAE against Richardson's extrapolation of central differences. */
struct difference {
    const struct dae *dae;
    double t;
    double *x, *values[4], *scale;
};

static void evaluate_part(const struct difference *d, unsigned part, double *to)
{
    struct dae_values out = {.f = to, .q = to};
    CU_ASSERT_EQUAL(d->dae->eval(d->dae->problem, d->t, d->x, part, &out), KN_OK);
}

static void differentiate(const struct difference *d, unsigned part, int j, double h, double *derivative)
{
    static const double steps[4] = {1, -1, 0.5, -0.5};
    const double x = d->x[j];
    for (int k = 0; k < 4; k++) {
        d->x[j] = x + steps[k] * h;
        evaluate_part(d, part, d->values[k]);
    }
    d->x[j] = x;
    for (int i = 0; i < d->dae->n; i++) {
        const double wide = (d->values[0][i] - d->values[1][i]) / (2 * h),
                     narrow = (d->values[2][i] - d->values[3][i]) / h;
        derivative[i] = narrow + (narrow - wide) / 3;
        d->scale[i] = fmax(fabs(d->values[0][i]), fabs(d->values[1][i]));
    }
}

/* Largest error of G (or C) relative to the entry, the differences' round-off allowed for. */
static double worst_difference(const struct difference *d, unsigned part, const double *matrix, double *derivative)
{
    const struct sparse_pattern *p = d->dae->pattern;
    double worst = 0;
    for (int j = 0; j < p->n; j++) {
        const double h = 1e-4;
        differentiate(d, part, j, h, derivative);
        for (int i = 0; i < p->n; i++) {
            const int k = sparse_pattern_find(p, i, j);
            const double entry = k >= 0 ? matrix[k] : 0;
            const double noise = 1e-14 * d->scale[i] / h + (part == DAE_F ? 1e-18 : 1e-26);
            const double error = fabs(entry - derivative[i]) - noise;
            worst = fmax(worst, error / (fabs(entry) + fabs(derivative[i]) + noise));
        }
    }
    return worst;
}

static void G_and_C_are_the_derivatives_of_f_and_q(void)
{
    struct deck s;
    if (!deck_open(&s, ALL_DEVICES))
        return;
    const struct dae *dae = mna_dae(s.mna);
    double *G = sparse_values(dae->pattern), *C = sparse_values(dae->pattern);
    double *derivative = calloc((size_t)dae->n, sizeof *derivative);
    struct difference d = {.dae = dae, .t = 3e-4, .x = s.x, .scale = calloc((size_t)dae->n, sizeof(double))};
    for (int k = 0; k < 4; k++)
        d.values[k] = calloc((size_t)dae->n, sizeof(double));
    const uint64_t seed = 20240511;
    uint64_t state = seed;
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < dae->n; i++)
            s.x[i] = mna_unknown(s.mna, i)->kind == UNKNOWN_VOLTAGE ? random_between(&state, -0.4, 0.6)
                                                                    : random_between(&state, -1e-2, 1e-2);
        struct dae_values out = {.G = G, .C = C};
        CU_ASSERT_EQUAL(dae->eval(dae->problem, d.t, s.x, DAE_G | DAE_C, &out), KN_OK);
        const double worst_G = worst_difference(&d, DAE_F, G, derivative);
        const double worst_C = worst_difference(&d, DAE_Q, C, derivative);
        if (worst_G > 1e-5 || worst_C > 1e-5)
            fprintf(stderr, "\nseed %llu, trial %d: G %g, C %g\n", (unsigned long long)seed, trial, worst_G, worst_C);
        CU_ASSERT_TRUE(worst_G <= 1e-5);
        CU_ASSERT_TRUE(worst_C <= 1e-5);
    }
    for (int k = 0; k < 4; k++)
        free(d.values[k]);
    free(d.scale);
    free(derivative);
    free(G);
    free(C);
    deck_close(&s);
}

/* dfdt of a 1 kHz sine: -2 pi 1000 cos at t, with the sign of the source's equation. */
static void time_derivatives_are_those_of_the_waveforms(void)
{
    struct deck s;
    if (!deck_open(&s, "sine\nV1 1 0 sin(0 2 1k)\nR1 1 0 1k\nB1 2 0 v='3*time^2'\nR2 2 0 1k\n.end\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    double f[2][4], dfdt[4], dqdt[4];
    const double t = 0.2e-3, h = 1e-8;
    for (int k = 0; k < 2; k++) {
        struct dae_values out = {.f = f[k]};
        CU_ASSERT_EQUAL(dae->eval(dae->problem, t + (k ? h : -h), s.x, DAE_F, &out), KN_OK);
    }
    struct dae_values out = {.dfdt = dfdt, .dqdt = dqdt};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, t, s.x, DAE_T, &out), KN_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(dfdt[i], (f[1][i] - f[0][i]) / (2 * h), 1e-3);
        CHECK_NEAR(dqdt[i], 0, 0);
    }
    CHECK_NEAR(fabs(dfdt[2]), 2 * 2e3 * acos(-1) * cos(2e3 * acos(-1) * t), 1e-9);
    deck_close(&s);
}

static void the_next_breakpoint_is_the_earliest_of_all_sources(void)
{
    struct deck s;
    if (!deck_open(&s, "pulses\nV1 1 0 pulse(0 1 3u 1u 1u 5u 100u)\nI1 0 1 pwl(0 0 2u 1 20u 0)\nR1 1 0 1\n.end\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    CHECK_NEAR(dae->next_breakpoint(dae->problem, 0), 2e-6, 1e-15);
    CHECK_NEAR(dae->next_breakpoint(dae->problem, 2e-6), 3e-6, 1e-15);
    CHECK_NEAR(dae->next_breakpoint(dae->problem, 3.5e-6), 4e-6, 1e-15);
    deck_close(&s);
}

static void source_scale_and_gmin_reach_the_devices(void)
{
    struct deck s;
    if (!deck_open(&s, "scale\n.model d D\nV1 1 0 10\nD1 0 1 d\n.end\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    double f[2], *G = sparse_values(dae->pattern);
    s.x[0] = 1;
    struct dae_values out = {.f = f, .G = G};
    mna_set_source_scale(s.mna, 0.1);
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, s.x, DAE_F | DAE_G, &out), KN_OK);
    CHECK_NEAR(f[1], 0, 1e-15);
    const double before = G[sparse_pattern_find(dae->pattern, 0, 0)];
    mna_set_junction_gmin(s.mna, 1e-3);
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, s.x, DAE_F | DAE_G, &out), KN_OK);
    CHECK_NEAR(G[sparse_pattern_find(dae->pattern, 0, 0)] - before, 1e-3, 1e-9);
    free(G);
    deck_close(&s);
}

static void device_currents_satisfy_kirchhoff_at_the_operating_point(void)
{
    struct deck s;
    if (!deck_open(&s, "divider\nV1 1 0 12\nR1 1 2 1k\nR2 2 0 2k\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_operate(&s, 1e-9, false), KN_OK);
    const double zero[3] = {0, 0, 0};
    mna_probe(s.mna, 0, s.x, zero);
    for (int e = 0; e < 3; e++)
        CHECK_NEAR(mna_probed_current(s.mna, e, 0), e == 0 ? -4e-3 : 4e-3, 1e-15);
    CHECK_NEAR(mna_probed_current(s.mna, 1, 1), -4e-3, 1e-15);
    deck_close(&s);
}

static void a_circuit_of_ground_alone_is_an_error(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct circuit *c = NULL;
    const char text[] = "ground\nR1 0 0 1k\n.end\n";
    if (circuit_read_text(&device_catalogue, "test.cir", text, strlen(text), d, &c) == KN_OK) {
        struct mna *m = NULL;
        const struct mna_options options = mna_options_of(c);
        CU_ASSERT_EQUAL(mna_new(c, &options, d, &m), KN_ERROR_CIRCUIT);
        CU_ASSERT_PTR_NULL(m);
        circuit_free(c);
    }
    CU_ASSERT_TRUE(kn_diagnostics_errors(d) > 0);
    kn_diagnostics_free(d);
}

static void options_of_the_deck_set_the_tolerances(void)
{
    struct deck s;
    if (!deck_open(&s, "options\nV1 1 0 1\nR1 1 0 1k\n.options vntol=1n abstol=10f gmin=1e-13\n.end\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    CHECK_NEAR(dae->absolute[0], 1e-9, 1e-24);
    CHECK_NEAR(dae->absolute[1], 1e-14, 1e-29);
    CHECK_NEAR(mna_options_of(s.circuit).gmin, 1e-13, 1e-28);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(node_voltages_come_first_and_names_are_lower_case),
        CLAIM(elements_at_an_unknown_are_listed_with_their_lines),
        CLAIM(only_circuits_without_nonlinear_work_are_linear),
        CLAIM(equations_of_an_rc_circuit_are_those_by_hand),
        CLAIM(a_part_that_is_not_asked_for_is_not_touched),
        CLAIM(G_and_C_are_the_derivatives_of_f_and_q),
        CLAIM(time_derivatives_are_those_of_the_waveforms),
        CLAIM(the_next_breakpoint_is_the_earliest_of_all_sources),
        CLAIM(source_scale_and_gmin_reach_the_devices),
        CLAIM(device_currents_satisfy_kirchhoff_at_the_operating_point),
        CLAIM(a_circuit_of_ground_alone_is_an_error),
        CLAIM(options_of_the_deck_set_the_tolerances),
    };
    return run_claims("mna", claims, sizeof claims / sizeof claims[0]);
}
