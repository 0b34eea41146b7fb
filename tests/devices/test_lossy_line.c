/* test_lossy_line.c - O: the networks of lines against the telegrapher's equations, at random lines and frequencies, and
 * what they are made of. */
#include "harness.h"

#include "devices/linear/discrete_gauss.h"
#include "devices/linear/line_network.h"

#include <complex.h>

enum { MOST = 800 };

/* Gaussian elimination with row exchanges of A [n][n + 1]; the solution in column n. */
static void solve(double complex *A, int n)
{
    const int w = n + 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = cabs(A[i * w + k]) > cabs(A[best * w + k]) ? i : best;
        for (int j = k; j < w; j++) {
            const double complex held = A[k * w + j];
            A[k * w + j] = A[best * w + j];
            A[best * w + j] = held;
        }
        for (int i = 0; i < n; i++) {
            const double complex factor = i == k || A[i * w + k] == 0 ? 0 : A[i * w + k] / A[k * w + k];
            for (int j = k; j < w && factor != 0; j++)
                A[i * w + j] -= factor * A[k * w + j];
        }
    }
    for (int k = 0; k < n; k++)
        A[k * w + n] /= A[k * w + k];
}

/* Adds value times an unknown to a row: what is given goes to the right-hand side. */
static void add(double complex *A, int n, const double *v, int row, int column, double complex value)
{
    if (row < LINE_I1 || column == LINE_GROUND)
        return;
    if (column < LINE_I1)
        A[(row - LINE_I1) * (n + 1) + n] -= value * v[column];
    else
        A[(row - LINE_I1) * (n + 1) + column - LINE_I1] += value;
}

/* Currents into the ports of a network whose ports have the voltages v1 and v2, at s. */
static void currents(const struct line_network *n, double complex s, double v1, double v2, double complex i[2])
{
    const double v[4] = {v1, 0, v2, 0};
    const int size = 2 + (int)n->own_count;
    double complex *A = calloc((size_t)size * ((size_t)size + 1), sizeof *A);
    CU_ASSERT_PTR_NOT_NULL_FATAL(A);
    for (size_t k = 0; k < n->entry_count; k++) {
        const struct line_entry *e = &n->entries[k];
        add(A, size, v, e->row, e->column, e->rate ? s * e->value : e->value);
    }
    for (size_t k = 0; k < n->late_count; k++) {
        const struct line_late *e = &n->late[k];
        const struct line_port *p = &n->sections[e->section][e->wave == WAVE_IN_2 || e->wave == WAVE_OUT_2];
        const double complex value = e->value * cexp(-s * n->delay);
        const double z = e->wave <= WAVE_IN_2 ? n->impedance : -n->impedance;
        add(A, size, v, e->row, p->plus, value);
        add(A, size, v, e->row, p->minus, -value);
        add(A, size, v, e->row, p->current, value * z);
    }
    solve(A, size);
    i[0] = A[size];
    i[1] = A[(size + 1) + size];
    free(A);
}

/* The same by the equations of the line. */
static void exact(const struct line_totals *t, double complex s, double v1, double v2, double complex i[2])
{
    const double complex z = t->r + s * t->l, y = t->g + s * t->c, g = csqrt(z * y), e = cexp(-2 * g);
    const double complex own = cabs(g) < 1e-5 ? 1 / z + y / 3 : csqrt(y / z) * (1 + e) / (1 - e);
    const double complex far = cabs(g) < 1e-5 ? 1 / z - y / 6 : csqrt(y / z) * 2 * cexp(-g) / (1 - e);
    i[0] = own * v1 - far * v2;
    i[1] = own * v2 - far * v1;
}

static bool make(struct line_network *n, const struct line_totals *t, struct arena *arena)
{
    *n = (struct line_network){.arena = arena};
    return t->l > 0 ? line_make_waves(n, t) : t->c > 0 ? line_make_modes(n, t) : line_make_static(n, t);
}

/* The largest error of the currents, relative to the larger one. */
static double worst_error(const struct line_totals *t, double complex s)
{
    struct arena *arena = arena_new();
    struct line_network n;
    double worst = 0;
    CU_ASSERT_TRUE_FATAL(arena && make(&n, t, arena) && n.own_count + 2 < MOST);
    for (int k = 0; k < 2; k++) {
        double complex found[2], right[2];
        currents(&n, s, 1, k == 0 ? 0.3 : -0.8, found);
        exact(t, s, 1, k == 0 ? 0.3 : -0.8, right);
        const double size = fmax(cabs(right[0]), cabs(right[1]));
        worst = fmax(worst, fmax(cabs(found[0] - right[0]), cabs(found[1] - right[1])) / size);
    }
    arena_free(arena);
    return worst;
}

static double power_of_ten(uint64_t *seed, double low, double high)
{
    return pow(10, rig_random(seed, low, high));
}

/* Losses up to 40 nepers, with G and without, at frequencies from far below to far above all corners, on both axes: decaying
 * oscillations as well as steady ones.  A network of few sections has to be as good as its condition allows. */
static void lines_with_waves_are_those_of_the_telegrapher(void)
{
    uint64_t seed = 4711;
    for (int k = 0; k < 120; k++) {
        const double z = power_of_ten(&seed, 0, 3), delay = power_of_ten(&seed, -10, -6);
        const double r = z * power_of_ten(&seed, -4, 1.2), g = k % 3 ? 0 : power_of_ten(&seed, -4, 1) / z;
        const struct line_totals t = {r, z * delay, g, delay / z};
        const double w = power_of_ten(&seed, -6, 1.7) / delay;
        CU_ASSERT_TRUE(worst_error(&t, CMPLX(0, w)) < 1e-9);
        CU_ASSERT_TRUE(worst_error(&t, CMPLX(0.7 / delay, w)) < 1e-9);
        CU_ASSERT_TRUE(worst_error(&t, w) < 1e-9);
        if (worst_error(&t, CMPLX(0, w)) >= 1e-9)
            fprintf(stderr, "line %d: r %g l %g g %g c %g w %g: %g\n", k, t.r, t.l, t.g, t.c, w,
                    worst_error(&t, CMPLX(0, w)));
    }
}

static void diffusion_is_right_up_to_high_frequencies(void)
{
    uint64_t seed = 815;
    for (int k = 0; k < 40; k++) {
        const double r = power_of_ten(&seed, -2, 6), c = power_of_ten(&seed, -15, -6);
        const struct line_totals t = {r, 0, k % 2 ? 0 : power_of_ten(&seed, -4, 1) / r, c};
        const double w = power_of_ten(&seed, -3, 5) / (r * c);
        CU_ASSERT_TRUE(worst_error(&t, CMPLX(0, w)) < 3e-5);
        CU_ASSERT_TRUE(worst_error(&t, w) < 3e-5);
    }
}

static void lines_without_storage_have_their_attenuation(void)
{
    static const struct line_totals lines[] = {{100, 0, 0, 0}, {100, 0, 1e-3, 0}, {1e-6, 0, 1e-6, 0}, {300, 0, 1, 0}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        CU_ASSERT_TRUE(worst_error(&lines[k], CMPLX(0, 1)) < 1e-11);
}

/* Y11 = (even + odd)/2, Y12 = (even - odd)/2. */
static void modes_make_up_the_two_port(void)
{
    static const struct line_totals t = {120, 2e-7, 1e-3, 8e-11};
    double complex even, odd, right[2];
    for (double w = 1; w < 1e11; w *= 7) {
        line_mode_admittances(&t, w, &even, &odd);
        exact(&t, CMPLX(0, w), 1, 0, right);
        CU_ASSERT_TRUE(cabs(0.5 * (even + odd) - right[0]) < 1e-9 * cabs(right[0]));
        CU_ASSERT_TRUE(cabs(0.5 * (even - odd) - right[1]) < 1e-9 * cabs(right[0]));
    }
}

static void few_points_have_the_moments_of_many(void)
{
    double points[300], places[GAUSS_NODES], weights[GAUSS_NODES];
    for (int i = 0; i < 300; i++)
        points[i] = 1 + i * i / 5e4;
    CU_ASSERT_EQUAL(discrete_gauss(points, 300, places, weights), GAUSS_NODES);
    for (int power = 0; power < 8; power++) {
        double many = 0, few = 0;
        for (int i = 0; i < 300; i++)
            many += pow(points[i], power);
        for (int i = 0; i < GAUSS_NODES; i++)
            few += weights[i] * pow(places[i], power);
        CHECK_NEAR(few, many, 1e-11 * many);
    }
    CU_ASSERT_EQUAL(discrete_gauss(points, 3, places, weights), 3);
    CHECK_NEAR(places[2], points[2], 0.0);
    CHECK_NEAR(weights[2], 1.0, 0.0);
}

static void derivatives_are_exact(void)
{
    static const char *const decks[] = {
        "t\nO1 a b c d x\nRa b 0 1\nRb d 0 1\n.model x ltra r=300 l=1u g=1m c=1n len=2\n",
        "t\nO1 a b c d x\nRa b 0 1\nRb d 0 1\n.model x ltra r=30 c=1n\n",
        "t\nO1 a b c d x\nRa b 0 1\nRb d 0 1\n.model x ltra r=30 g=1m\n"};
    uint64_t seed = 61;
    for (size_t k = 0; k < sizeof decks / sizeof *decks; k++) {
        struct rig r = rig_need(decks[k]);
        for (int i = 0; i < 10; i++) {
            rig_random_point(&r, &seed, -1.0, 1.0);
            CU_ASSERT_TRUE(rig_derivative_error(&r, 0.0, 1e-2, 0.0, 1e-6) <= 1.0);
        }
        rig_close(&r);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(lines_with_waves_are_those_of_the_telegrapher), CLAIM(diffusion_is_right_up_to_high_frequencies),
        CLAIM(lines_without_storage_have_their_attenuation),  CLAIM(modes_make_up_the_two_port),
        CLAIM(few_points_have_the_moments_of_many),           CLAIM(derivatives_are_exact),
    };
    return run_claims("devices/lossy_line", claims, sizeof claims / sizeof *claims);
}
