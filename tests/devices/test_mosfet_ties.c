/* Claims about MOSFETs two of whose nodes are one, and about those that share their numbers. */
#include "harness.h"

#include <stdio.h>

static double uniform(uint64_t *state, double from, double to)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * ((double)(*state >> 11) / 9007199254740992.0);
}

static struct rig transistor(const char *nodes)
{
    char deck[300];
    snprintf(
        deck, sizeof deck,
        "ties\nm1 %s n w=10u l=1u ad=20p as=20p pd=14u ps=14u\n"
        ".model n nmos level=1 vto=0.6 kp=90u gamma=0.5 lambda=0.03 tox=15n cj=0.4m cjsw=0.3n mjsw=0.33 cgso=0.2n\n",
        nodes);
    return rig_need(deck);
}

/* Row b of the one joins row s. */
static void check_joined(const struct rig *tied, const struct rig *apart, const double *y, const double *z)
{
    const int d = rig_unknown(apart, "v(d)"), g = rig_unknown(apart, "v(g)"), s = rig_unknown(apart, "v(s)"),
              b = rig_unknown(apart, "v(b)");
    const double size = fabs(z[d]) + fabs(z[g]) + fabs(z[s]) + fabs(z[b]);
    CHECK_NEAR(y[rig_unknown(tied, "v(d)")], z[d], 1e-13 * size);
    CHECK_NEAR(y[rig_unknown(tied, "v(g)")], z[g], 1e-13 * size);
    CHECK_NEAR(y[rig_unknown(tied, "v(s)")], z[s] + z[b], 1e-13 * size);
}

/* All four rows and columns of a matrix, b joined to s. */
static void check_joined_matrix(const struct rig *tied, const struct rig *apart, const double *A, const double *B)
{
    static const char *const names[] = {"v(d)", "v(g)", "v(s)"};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0, size = 0;
            for (int k = 0; k < 4; k++) {
                const char *row = k / 2 && i == 2 ? "v(b)" : names[i], *column = k % 2 && j == 2 ? "v(b)" : names[j];
                const bool counted = (k / 2 == 0 || i == 2) && (k % 2 == 0 || j == 2);
                const double entry = counted ? rig_entry(apart, B, row, column) : 0;
                sum += entry;
                size += fabs(entry);
            }
            CHECK_NEAR(rig_entry(tied, A, names[i], names[j]), sum, 1e-13 * size);
        }
}

static void bulk_at_the_source_is_a_bulk_of_its_voltage(void)
{
    struct rig tied = transistor("d g s s"), apart = transistor("d g s b");
    uint64_t seed = 1;
    for (int bias = 0; bias < 300; bias++) {
        const double d = uniform(&seed, -3, 5), g = uniform(&seed, -3, 5), s = uniform(&seed, -1, 2);
        rig_set(&tied, "v(d)", d);
        rig_set(&tied, "v(g)", g);
        rig_set(&tied, "v(s)", s);
        rig_set(&apart, "v(d)", d);
        rig_set(&apart, "v(g)", g);
        rig_set(&apart, "v(s)", s);
        rig_set(&apart, "v(b)", s);
        rig_evaluate(&tied, 1, tied.x);
        rig_evaluate(&apart, 1, apart.x);
        check_joined(&tied, &apart, tied.f, apart.f);
        check_joined(&tied, &apart, tied.q, apart.q);
        check_joined_matrix(&tied, &apart, tied.G, apart.G);
        check_joined_matrix(&tied, &apart, tied.C, apart.C);
    }
    rig_close(&tied);
    rig_close(&apart);
}

static void evaluate_at(struct rig *r, double voltage)
{
    for (int i = 1; i < r->n; i++)
        r->x[i] = voltage;
    rig_evaluate(r, 1, r->x);
}

/* Of drain `name` with all drains and gates at 2 V, where no tangent answers. */
static double drain_current(struct rig *r, const char *name)
{
    evaluate_at(r, 1);
    evaluate_at(r, 2);
    return r->f[rig_unknown(r, name)];
}

/* Each of three equal transistors becomes hot and cold again on its own, in any order; what the others carry stays. */
static void equal_transistors_change_one_by_one(void)
{
    static const char *const drains[] = {"v(a)", "v(b)", "v(c)"};
    struct rig r = rig_need("equal\nm1 a g 0 0 n w=10u l=1u\nm2 b g 0 0 n w=10u l=1u\nm3 c g 0 0 n w=10u l=1u\n"
                            ".model n nmos vto=0.6 kp=90u tox=15n\n");
    struct rig hot = rig_need("hot\nm1 a g 0 0 n w=10u l=1u temp=120\n.model n nmos vto=0.6 kp=90u tox=15n\n");
    const double cold_current = drain_current(&r, "v(b)"), hot_current = drain_current(&hot, "v(a)");
    void *batch = r.families.families[0].batch;
    bool is_hot[3] = {false, false, false};
    uint64_t seed = 2;
    CU_ASSERT(fabs(hot_current - cold_current) > 0.01 * fabs(cold_current));
    for (int change = 0; change < 50; change++) {
        const int k = (int)uniform(&seed, 0, 3);
        is_hot[k] = uniform(&seed, 0, 1) < 0.5;
        mosfet_class.prepare(batch, (size_t)k, is_hot[k] ? 120 : 27);
        for (int i = 0; i < 3; i++)
            CU_ASSERT_EQUAL(drain_current(&r, drains[i]), is_hot[i] ? hot_current : cold_current);
    }
    rig_close(&r);
    rig_close(&hot);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(bulk_at_the_source_is_a_bulk_of_its_voltage),
        CLAIM(equal_transistors_change_one_by_one),
    };
    return run_claims("MOSFET ties", claims, sizeof claims / sizeof *claims);
}
