/* test_charge_moves.c - what changes of fluxes and charges say of currents and voltages. */
#include "claims.h"

#include "mna/index/charge_moves.h"

/* Two unknowns of which C says all; a third has no charge. */
struct pair {
    struct sparse_pattern *pattern;
    double *C;
};

static void make_pair(struct pair *s, double own, double mutual)
{
    const int rows[] = {0, 0, 1, 1, 2}, columns[] = {0, 1, 0, 1, 2};
    int slot[5];
    CU_ASSERT_EQUAL_FATAL(sparse_pattern_new(3, rows, columns, 5, slot, &s->pattern), KN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->C = sparse_values(s->pattern));
    s->C[slot[0]] = s->C[slot[3]] = own;
    s->C[slot[1]] = s->C[slot[2]] = mutual;
}

/* dx := what the changes of the two charges say. */
static void find(double own, double mutual, const double dq[2], double dx[3])
{
    struct pair s;
    struct charge_moves m;
    make_pair(&s, own, mutual);
    CU_ASSERT_EQUAL_FATAL(charge_moves_init(&m, s.pattern, s.C), KN_OK);
    dx[0] = dq[0];
    dx[1] = dq[1];
    dx[2] = 1;
    charge_moves_find(&m, dx);
    charge_moves_free(&m);
    sparse_pattern_free(s.pattern);
    free(s.C);
}

/* L (1 - k) between the currents. */
static void leakage_tells_a_large_current_from_a_small_flux(void)
{
    double dx[3];
    find(-1e-5, -0.99e-5, (double[]){-1e-6, 1e-6}, dx);
    CU_ASSERT_DOUBLE_EQUAL(dx[0], 10, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(dx[1], -10, 1e-4);
    CU_ASSERT_EQUAL(dx[2], 0);
}

static void windings_that_share_all_flux_tell_what_they_carry_together(void)
{
    double dx[3];
    find(-1e-5, -1e-5, (double[]){-1e-5, -1e-5}, dx);
    CU_ASSERT_DOUBLE_EQUAL(dx[0] + dx[1], 1, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(dx[0] - dx[1], 0, 1e-6);
}

static void voltage_across_a_capacitor_is_told_where_its_nodes_float(void)
{
    double dx[3];
    find(1e-9, -1e-9, (double[]){2e-9, -2e-9}, dx);
    CU_ASSERT_DOUBLE_EQUAL(dx[0] - dx[1], 2, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(dx[0] + dx[1], 0, 1e-6);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(leakage_tells_a_large_current_from_a_small_flux),
        CLAIM(windings_that_share_all_flux_tell_what_they_carry_together),
        CLAIM(voltage_across_a_capacitor_is_told_where_its_nodes_float),
    };
    return run_claims("charge moves", claims, sizeof claims / sizeof *claims);
}
