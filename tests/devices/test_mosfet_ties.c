/* Claims about MOSFETs two of whose nodes are one. */
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

int main(void)
{
    static const struct claim claims[] = {CLAIM(bulk_at_the_source_is_a_bulk_of_its_voltage)};
    return run_claims("MOSFET ties", claims, sizeof claims / sizeof *claims);
}
