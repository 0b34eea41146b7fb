/* test_cutset_equations.c - sums in place of equations in which charges drown what stands beside them. */
#include "mna/deck.h"

#include "mna/stabilised/cutset_equations.h"

#include <float.h>

/* Two nodes between coils, joined by 2 nF; a transformer of coupling 1. */
static const char floating[] =
    "floating\nV1 in 0 1\nL1 in a 1m\nC1 a b 2n\nR1 a b 1\nL2 b out 5m\nR2 out 0 1k\nR3 b 0 1g\n.end\n";
static const char windings[] =
    "windings\nV1 in 0 1\nR1 in p 1k\nL1 p 0 1m\nL2 s 0 4m\nL3 0 t 9m\nK1 L1 L2 1\nK2 L1 L3 1\n"
    "K3 L2 L3 1\nR2 s 0 1k\nR3 t 0 2k\n.end\n";
static const char grounded[] = "grounded\nV1 in 0 1\nR1 in a 1k\nC1 a b 1n\nC2 b 0 1p\nR2 b 0 1k\n.end\n";

/* A macromodel's stages around a reference r; 1 uohm between two of its nodes. */
static const char stages[] =
    "stages\nV1 in 0 1\nE9 r 0 in 0 1\nE1 a r p r 1k\nR1 a b 1\nR2 b r 1u\nC1 b c 1n\nR3 c r 1k\nC2 p r 1p\n"
    "R4 p r 1k\nC3 c r 1n\nG1 r p in 0 1m\n.end\n";

/* A point and the equations there, of the circuit and with the sums. */
struct point {
    double *x, *f, *q, *dfdt, *dqdt; /* [n] */
    double *G, *C;                   /* on the pattern of the dae */
};

static void evaluate(const struct dae *dae, struct point *p)
{
    const size_t n = (size_t)dae->n;
    *p = (struct point){.x = calloc(n, sizeof(double)),
                        .f = calloc(n, sizeof(double)),
                        .q = calloc(n, sizeof(double)),
                        .dfdt = calloc(n, sizeof(double)),
                        .dqdt = calloc(n, sizeof(double)),
                        .G = sparse_values(dae->pattern),
                        .C = sparse_values(dae->pattern)};
    for (int i = 0; i < dae->n; i++)
        p->x[i] = 0.3 * sin(1 + i);
    struct dae_values out = {.f = p->f, .q = p->q, .G = p->G, .C = p->C, .dfdt = p->dfdt, .dqdt = p->dqdt};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 1e-6, p->x, DAE_F | DAE_Q | DAE_G | DAE_C | DAE_T, &out), KN_OK);
}

static void free_point(struct point *p)
{
    free(p->x);
    free(p->f);
    free(p->q);
    free(p->dfdt);
    free(p->dqdt);
    free(p->G);
    free(p->C);
}

static double entry(const struct dae *dae, const double *values, int row, int column)
{
    const int k = sparse_pattern_find(dae->pattern, row, column);
    return k < 0 ? 0 : values[k];
}

static int node(const struct deck *s, const char *name)
{
    int i = 0;
    while (i < mna_unknown_count(s->mna) && strcmp(mna_unknown(s->mna, i)->name, name) != 0)
        i++;
    CU_ASSERT_FATAL(i < mna_unknown_count(s->mna));
    return i;
}

static void the_sum_of_a_part_stands_without_charges_in_place_of_one_equation(void)
{
    struct deck s;
    struct cutset_equations *sums;
    struct point plain, summed;
    CU_ASSERT_FATAL(deck_open(&s, floating));
    CU_ASSERT_EQUAL_FATAL(cutset_equations_new(s.mna, 0, s.x, &sums), KN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    const struct dae *inner = mna_dae(s.mna), *dae = cutset_equations_dae(sums);
    evaluate(inner, &plain);
    evaluate(dae, &summed);
    const int a = node(&s, "v(a)"), b = node(&s, "v(b)");
    for (int i = 0; i < dae->n; i++) {
        const double f = i == b ? plain.f[a] + plain.f[b] : plain.f[i];
        CU_ASSERT_DOUBLE_EQUAL(summed.f[i], f, 1e-15);
        CU_ASSERT_EQUAL(summed.q[i], i == b ? 0 : plain.q[i]);
        for (int j = 0; j < dae->n; j++) {
            const double G = entry(inner, plain.G, i, j) + (i == b ? entry(inner, plain.G, a, j) : 0);
            CU_ASSERT_DOUBLE_EQUAL(entry(dae, summed.G, i, j), G, 1e-15);
            CU_ASSERT_EQUAL(entry(dae, summed.C, i, j), i == b ? 0 : entry(inner, plain.C, i, j));
        }
    }
    free_point(&plain);
    free_point(&summed);
    cutset_equations_free(sums);
    deck_close(&s);
}

static void parts_with_a_capacitance_to_ground_stay_as_they_are(void)
{
    struct deck s;
    struct cutset_equations *sums;
    CU_ASSERT_FATAL(deck_open(&s, grounded));
    CU_ASSERT_EQUAL(cutset_equations_new(s.mna, 0, s.x, &sums), KN_OK);
    CU_ASSERT_PTR_NULL(sums);
    deck_close(&s);
}

static void windings_without_leakage_have_voltages_in_the_ratio_of_their_turns(void)
{
    struct deck s;
    struct cutset_equations *sums;
    struct point p;
    CU_ASSERT_FATAL(deck_open(&s, windings));
    CU_ASSERT_EQUAL_FATAL(cutset_equations_new(s.mna, 0, s.x, &sums), KN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    const struct dae *dae = cutset_equations_dae(sums);
    evaluate(dae, &p);
    const int second = node(&s, "i(l2)"), third = node(&s, "i(l3)");
    const double vp = p.x[node(&s, "v(p)")], vs = p.x[node(&s, "v(s)")], vt = -p.x[node(&s, "v(t)")];
    CU_ASSERT_DOUBLE_EQUAL(fabs(p.f[second]), fabs(vs - 2 * vp), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(fabs(p.f[third]), fabs(vt - 3 * vp), 1e-14);
    CU_ASSERT_EQUAL(p.q[second], 0);
    CU_ASSERT_EQUAL(p.q[third], 0);
    for (int j = 0; j < dae->n; j++)
        CU_ASSERT(entry(dae, p.C, second, j) == 0 && entry(dae, p.C, third, j) == 0);
    free_point(&p);
    cutset_equations_free(sums);
    deck_close(&s);
}

struct sums {
    struct deck deck;
    struct cutset_equations *equations;
    const struct dae *dae;
    struct point at;
};

static void sums_open(struct sums *s, const char *deck)
{
    CU_ASSERT_FATAL(deck_open(&s->deck, deck));
    CU_ASSERT_EQUAL_FATAL(cutset_equations_new(s->deck.mna, 0, s->deck.x, &s->equations), KN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->equations);
    s->dae = cutset_equations_dae(s->equations);
    evaluate(s->dae, &s->at);
}

static void sums_close(struct sums *s)
{
    free_point(&s->at);
    cutset_equations_free(s->equations);
    deck_close(&s->deck);
}

/* A constant times an unknown. */
struct part_of_sum {
    const char *unknown;
    double factor;
};

static bool is_sum(const struct sums *s, int row, const struct part_of_sum *parts, int count)
{
    double sum = 0, size = 0;
    int entries = 0;
    bool same = s->at.q[row] == 0;
    for (int j = 0; j < s->dae->n; j++)
        entries += entry(s->dae, s->at.G, row, j) != 0;
    for (int k = 0; k < count; k++) {
        const int j = node(&s->deck, parts[k].unknown);
        const double factor = parts[k].factor;
        same = same && fabs(entry(s->dae, s->at.G, row, j) - factor) <= 1e-14 * fabs(factor);
        sum += factor * s->at.x[j];
        size += fabs(factor * s->at.x[j]);
    }
    return same && entries == count && fabs(s->at.f[row] - sum) <= 1e-14 * size;
}

static void one_equation_is(const struct sums *s, const struct part_of_sum *parts, int count)
{
    int found = 0;
    for (int i = 0; i < s->dae->n; i++)
        found += is_sum(s, i, parts, count);
    CU_ASSERT_EQUAL(found, 1);
}

static void currents_of_coils_that_hold_a_part_add_to_zero_without_what_flows_inside(void)
{
    struct sums s;
    sums_open(&s, "coils\nV1 in 0 1\nL1 in a 1m\nC1 a b 2n\nR1 b c 10m\nD1 a c d1\nL2 c 0 5m\nL3 0 c 7m\n"
                  ".model d1 d(rs=1)\n.end\n");
    one_equation_is(&s, (const struct part_of_sum[]){{"i(l1)", -1}, {"i(l2)", 1}, {"i(l3)", -1}}, 3);
    sums_close(&s);
}

/* A secondary that a resistance ties to ground, far from the size of what flows inside. */
static void a_part_that_resistances_tie_to_ground_has_their_currents_and_nothing_of_what_flows_inside(void)
{
    struct sums s;
    sums_open(&s, "tied\nV1 p 0 1\nL1 p 0 1m\nL2 d e 7m\nK1 L1 L2 0.95\nR2 d i 70m\nC1 i f 10p\nC2 f e 300n\n"
                  "R3 f e 4.6k\nR4 e 0 100meg\nR5 0 f 50meg\n.end\n");
    one_equation_is(&s, (const struct part_of_sum[]){{"v(e)", 1e-8}, {"v(f)", 2e-8}}, 2);
    sums_close(&s);
}

/* Parts a and b, which 40 mohm and a source hold together; 1 Gohm and 500 Mohm lead to ground from all of it. */
static void a_part_that_resistances_hold_together_has_what_leads_to_ground(void)
{
    struct sums s;
    struct sparse_lu *lu;
    sums_open(&s, "held\nV1 a s 1\nR1 s t 0.1\nR2 t d 40m\nC1 d b 50p\nR3 a c 40m\nC2 c b 50p\nC3 b n 1u\n"
                  "R4 b n 50\nR5 n 0 1g\nR6 0 t 500meg\n.end\n");
    one_equation_is(&s, (const struct part_of_sum[]){{"v(n)", 1e-9}, {"v(t)", 2e-9}}, 2);
    for (int k = 0; k < s.dae->pattern->entries; k++)
        s.at.G[k] += s.at.C[k] / 1e-6;
    CU_ASSERT_EQUAL_FATAL(sparse_lu_new(s.dae->pattern, &lu), KN_OK);
    CU_ASSERT_EQUAL(sparse_lu_factor(lu, s.at.G), KN_OK); /* nothing that the equations said is lost */
    sparse_lu_free(lu);
    sums_close(&s);
}

/* (G + C / h) d = the first unknown's equation off by 1 nA, for a wide range of h: what the equations of nodes say of the
 * common voltage is wrong from some h on. */
static double common_voltage(const struct dae *dae, int a, double h)
{
    struct point p;
    struct sparse_lu *lu;
    double *A = sparse_values(dae->pattern), *d = calloc((size_t)dae->n, sizeof *d);
    evaluate(dae, &p);
    for (int k = 0; k < dae->pattern->entries; k++)
        A[k] = p.G[k] + p.C[k] / h;
    d[a] = 1e-9;
    CU_ASSERT_EQUAL_FATAL(sparse_lu_new(dae->pattern, &lu), KN_OK);
    const bool regular = sparse_lu_factor(lu, A) == KN_OK;
    if (regular)
        sparse_lu_solve(lu, d);
    const double v = regular ? d[a] : NAN;
    sparse_lu_free(lu);
    free_point(&p);
    free(A);
    free(d);
    return v;
}

static void short_steps_keep_the_common_voltage(void)
{
    struct deck s;
    struct cutset_equations *sums;
    CU_ASSERT_FATAL(deck_open(&s, floating));
    CU_ASSERT_EQUAL_FATAL(cutset_equations_new(s.mna, 0, s.x, &sums), KN_OK);
    const int b = node(&s, "v(b)");
    for (double h = 1e-9; h > 1e-19; h /= 10) {
        /* 1 mH and 5 mH from b to voltages that are given, and 1 Gohm */
        const double wanted = 1e-9 / (h / 1e-3 + 1 / (1000 + 5e-3 / h) + 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(common_voltage(cutset_equations_dae(sums), b, h), wanted, 1e-5 * wanted);
    }
    CU_ASSERT(!(fabs(common_voltage(mna_dae(s.mna), b, 1e-18) - 1) < 1e-3)); /* what it is for */
    cutset_equations_free(sums);
    deck_close(&s);
}

/* What a sum is off by: f less G x, in the digits that products have before they are rounded. */
static double rounding_of(const struct sums *s, int row)
{
    long double sum = s->at.f[row];
    for (int j = 0; j < s->dae->n; j++)
        sum -= (long double)entry(s->dae, s->at.G, row, j) * s->at.x[j];
    return fabs((double)sum);
}

static void sums_of_currents_that_cancel_say_how_large_these_are(void)
{
    struct sums s;
    sums_open(&s, stages);
    double *cancelled = calloc((size_t)s.dae->n, sizeof *cancelled), most = 0;
    s.dae->cancelled(s.dae->problem, s.at.x, cancelled);
    for (int i = 0; i < s.dae->n; i++) {
        double terms = 0;
        for (int j = 0; j < s.dae->n; j++)
            terms += fabs(entry(s.dae, s.at.G, i, j) * s.at.x[j]);
        if (cancelled[i] == 0)
            continue;
        CU_ASSERT(rounding_of(&s, i) <= 8 * DBL_EPSILON * (terms + cancelled[i]));
        most = fmax(most, rounding_of(&s, i) / (8 * DBL_EPSILON * terms));
    }
    CU_ASSERT(most > 1e3); /* what it is for */
    free(cancelled);
    sums_close(&s);
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(the_sum_of_a_part_stands_without_charges_in_place_of_one_equation),
        CLAIM(parts_with_a_capacitance_to_ground_stay_as_they_are),
        CLAIM(windings_without_leakage_have_voltages_in_the_ratio_of_their_turns),
        CLAIM(currents_of_coils_that_hold_a_part_add_to_zero_without_what_flows_inside),
        CLAIM(a_part_that_resistances_tie_to_ground_has_their_currents_and_nothing_of_what_flows_inside),
        CLAIM(a_part_that_resistances_hold_together_has_what_leads_to_ground),
        CLAIM(short_steps_keep_the_common_voltage),
        CLAIM(sums_of_currents_that_cancel_say_how_large_these_are),
    };
    return run_claims("cutset equations", claims, sizeof claims / sizeof claims[0]);
}
