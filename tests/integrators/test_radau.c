/* Radau IIA: coefficients and observed orders. */
#include "claims.h"
#include "integrators/methods.h"
#include "integrators/radau_tableau.h"
#include "problems/problem.h"

/* Deuflhard/Bornemann 2008, 6.46: A of order 5. */
static void three_stages_are_the_published_method(void)
{
    struct radau_tableau r;
    CU_ASSERT_FATAL(radau_tableau(3, &r));
    const double s6 = sqrt(6.0);
    const double A[3][3] = {{(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225},
                            {(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225},
                            {(16 - s6) / 36, (16 + s6) / 36, 1.0 / 9}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += A[i][k] * r.W[k][j];
            CHECK_NEAR(sum, i == j, 1e-14);
        }
    CHECK_NEAR(r.c[0], (4 - s6) / 10, 1e-15);
    /* Hairer and Wanner 1996, IV.8.20: e = gamma/3 (-13-7 sqrt 6, -13+7 sqrt 6, -1) for A's eigenvalue 1/gamma. */
    const double gamma0 = 1 / r.gamma;
    CHECK_NEAR(r.e[0] * gamma0, gamma0 / 3 * (-13 - 7 * s6) , 1e-12);
    CHECK_NEAR(r.e[1] * gamma0, gamma0 / 3 * (-13 + 7 * s6) , 1e-12);
    CHECK_NEAR(r.e[2] * gamma0, gamma0 / 3 * -1, 1e-12);
}

static void transformation_diagonalises_the_inverse_matrix(void)
{
    for (int s = 1; s <= RADAU_STAGES; s++) {
        struct radau_tableau r;
        CU_ASSERT_FATAL(radau_tableau(s, &r));
        double D[RADAU_STAGES][RADAU_STAGES] = {{0}};
        int k = 0;
        if (r.has_real)
            D[k][k] = r.real, k++;
        for (int p = 0; p < r.pairs; p++, k += 2) {
            D[k][k] = D[k + 1][k + 1] = r.re[p];
            D[k][k + 1] = r.im[p];
            D[k + 1][k] = -r.im[p];
        }
        CU_ASSERT_EQUAL(k, s);
        CU_ASSERT(r.has_real == (s % 2 == 1));
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                double sum = 0, size = 0;
                for (int a = 0; a < s; a++)
                    for (int b = 0; b < s; b++) {
                        sum += r.T[i][a] * D[a][b] * r.inverse_T[b][j];
                        size += fabs(r.T[i][a] * D[a][b] * r.inverse_T[b][j]);
                    }
                CHECK_NEAR(sum, r.W[i][j], 1e-15 * size);
            }
    }
}

/* Arnold 1996, Ex. 8 (mu0 = 1), index 2, exact (sin t, 2 sin t, cos t); and an index-1 problem
 * x' = -x z, 0 = z - 1 - x^2 / 4 with charge x + x^3/6, no closed form: compared with a fine solution. */
static void arnold8(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2];
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = -(4 * y1 * y1 - y2 * y2 + z);
    f[1] = -(y1 * y2 + 2 * z * z) * z;
    f[2] = 4 * y1 + y2 - 6 * sin(t);
    G[0] = -8 * y1, G[1] = 2 * y2, G[2] = -1;
    G[3] = -y2 * z, G[4] = -y1 * z, G[5] = -y1 * y2 - 6 * z * z;
    G[6] = 4, G[7] = 1;
    dfdt[2] = -6 * cos(t);
}

static void arnold8_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = 2 * sin(t), x[2] = cos(t);
}

static void nonlinear_index1(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0] + x[0] * x[0] * x[0] / 6;
    C[0] = 1 + x[0] * x[0] / 2;
    f[0] = x[0] * x[1] - cos(t);
    G[0] = x[1], G[1] = x[0];
    f[1] = x[1] - 1 - x[0] * x[0] / 4;
    G[2] = -x[0] / 2, G[3] = 1;
    dfdt[0] = sin(t);
}

static const enum dae_class index2_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2};
static const struct problem index2 = {"Arnold Ex. 8", 3, false, arnold8, arnold8_exact, index2_classes, NULL};
static const struct problem index1 = {"index 1, nonlinear charge", 2, false, nonlinear_index1, NULL, NULL, NULL};

/* Solution at `stop` with `steps` equal steps, errors not controlled, Newton to rounding. */
static void fixed_steps(const struct problem *p, int order, const double *x0, double start, double stop, int steps, double *x)
{
    struct wrapped_problem w;
    struct integrator *m;
    const struct integrator_options options = {.relative = 0.9, .kappa = 1e-13, .max_order = order, .max_iterations = 20};
    CU_ASSERT_FATAL(problem_wrap(p, 1, &w));
    const struct integrator_class *class = order == 5 ? &integrator_radau5 : &integrator_radau;
    CU_ASSERT_FATAL(class->create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT_FATAL(class->restart(m, start, x0) == KN_OK);
    for (int i = 1; i <= steps; i++) {
        struct step_report report;
        class->step(m, start + (stop - start) * i / steps, &report);
        CU_ASSERT(report.outcome == STEP_ACCEPTED);
    }
    memcpy(x, m->x, (size_t)p->n * sizeof *x);
    class->destroy(m);
    problem_unwrap(&w);
}

static double order_between(double coarse, double fine)
{
    return log2(fabs(coarse) / fabs(fine));
}

static void radau_reaches_order_2s_minus_1_on_index1(void)
{
    const double x0[2] = {1, 1.25};
    const int orders[] = {1, 3, 5}, steps[] = {200, 40, 10};
    double exact[2];
    fixed_steps(&index1, 5, x0, 0, 2, 160, exact);
    for (int i = 0; i < 3; i++) {
        double coarse[2], fine[2];
        fixed_steps(&index1, orders[i], x0, 0, 2, steps[i], coarse);
        fixed_steps(&index1, orders[i], x0, 0, 2, 2 * steps[i], fine);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(order_between(coarse[k] - exact[k], fine[k] - exact[k]), orders[i], 0.35);
    }
}

/* Hairer, Lubich, Roche 1989: order 2s-1 in the differential, s in the index-2 component. */
static void radau5_has_orders_5_and_3_on_index2(void)
{
    double x0[3], exact[3], coarse[3], fine[3];
    arnold8_exact(0.5, x0);
    arnold8_exact(1, exact);
    fixed_steps(&index2, 5, x0, 0.5, 1, 8, coarse);
    fixed_steps(&index2, 5, x0, 0.5, 1, 16, fine);
    CHECK_NEAR(order_between(coarse[0] - exact[0], fine[0] - exact[0]), 5, 0.5);
    CHECK_NEAR(order_between(coarse[2] - exact[2], fine[2] - exact[2]), 3, 0.5);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(three_stages_are_the_published_method),
        CLAIM(transformation_diagonalises_the_inverse_matrix),
        CLAIM(radau_reaches_order_2s_minus_1_on_index1),
        CLAIM(radau5_has_orders_5_and_3_on_index2),
    };
    return run_claims("radau", claims, sizeof claims / sizeof claims[0]);
}
