/* test_expression_derivatives.c - gradients against differentiated values.
 *
 * The reference is Ridders' extrapolation of central differences (C. J. F. Ridders, Accurate computation of F'(x) and
 * F'(x)F''(x), 1982): differences with shrinking steps in a Neville tableau, stopped where the error estimate is least.
 */
#include "expression_fixture.h"
#include "netlist/expression/expression_phasor.h"

#include <float.h>

struct probe {
    struct fixture *fixture;
    const struct expression *e;
    double *variable;
};

static double at_offset(const struct probe *p, double offset)
{
    const double kept = *p->variable;
    *p->variable = kept + offset;
    const double value = fixture_evaluate(p->fixture, p->e, NULL, NULL);
    *p->variable = kept;
    return value;
}

static double difference(const struct probe *p, double h)
{
    const double x = *p->variable, above = x + h, below = x - h;
    return (at_offset(p, h) - at_offset(p, -h)) / (above - below);
}

/* Derivative; *error is its estimate. */
static double ridders(const struct probe *p, double h, double *error)
{
    enum { ROWS = 9 };
    double tableau[ROWS][ROWS], best = NAN;
    *error = DBL_MAX;
    for (int i = 0; i < ROWS; i++, h /= 1.6) {
        tableau[0][i] = difference(p, h);
        double factor = 1.6 * 1.6;
        for (int k = 1; k <= i; k++, factor *= 1.6 * 1.6) {
            tableau[k][i] = (tableau[k - 1][i] * factor - tableau[k - 1][i - 1]) / (factor - 1.0);
            const double estimate =
                fmax(fabs(tableau[k][i] - tableau[k - 1][i]), fabs(tableau[k][i] - tableau[k - 1][i - 1]));
            if (estimate < *error) {
                *error = estimate;
                best = tableau[k][i];
            }
        }
        if (i > 0 && fabs(tableau[i][i] - tableau[i - 1][i - 1]) >= 4.0 * *error)
            break;
    }
    return best;
}

/* 1 agrees to 1e-6, 0 does not, -1 if the difference itself is not trustworthy (a kink nearby). */
static int compare(const struct probe *p, double exact)
{
    double error;
    const double numeric = ridders(p, 0.01, &error);
    const double scale = fmax(fabs(exact), 1e-3);
    if (!(error < 2e-7 * scale))
        return -1;
    return fabs(numeric - exact) <= 1e-6 * scale;
}

/* Number of directions compared; CU_ASSERTs that all of them agree. */
static int check_gradient(struct fixture *f, const struct expression *e, const char *text)
{
    double gradient[FIXTURE_VARIABLES], time_derivative;
    fixture_evaluate(f, e, gradient, &time_derivative);
    int compared = 0;
    for (size_t i = 0; i <= FIXTURE_VARIABLES; i++) {
        const struct probe p = {f, e, i < FIXTURE_VARIABLES ? &f->x[i] : &f->time};
        const double exact = i < FIXTURE_VARIABLES ? gradient[i] : time_derivative;
        const int verdict = compare(&p, exact);
        if (verdict == 0)
            fprintf(stderr, "\nd(%s)/d%zu = %.12g is wrong\n", text, i, exact);
        CU_ASSERT(verdict != 0);
        compared += verdict == 1;
    }
    return compared;
}

/* ---- every function and operator ---- */

static const struct range {
    const char *text;
    double low, high; /* of v(a) */
} smooth[] = {
    {"v(a)+v(b)", -5, 5},
    {"v(a)-v(b)", -5, 5},
    {"v(a)*v(b)", -5, 5},
    {"v(a)/(3+v(b))", -5, 5},
    {"v(b)/v(a)", 1, 5},
    {"v(a)^v(b)", 0.3, 5},
    {"pow(v(a),2.7)", 0.3, 5},
    {"pow(v(a),2.7)", -5, -0.3},
    {"v(a)^3", -5, 5},
    {"v(a)^-3", 1, 5},
    {"v(a)^0.5", -5, -0.5},
    {"v(a)^63", 0.8, 1.1},
    {"2.5^v(a)", -2, 2},
    {"pwr(v(a),v(b))", 0.3, 5},
    {"pwr(v(a),1.5)", -5, -0.3},
    {"pwr(v(a),1.5)", 0.3, 5},
    {"-v(a)", -5, 5},
    {"abs(v(a))", -5, -0.2},
    {"abs(v(a))", 0.2, 5},
    {"acos(v(a))", -0.9, 0.9},
    {"acosh(v(a))", 1.1, 6},
    {"asin(v(a))", -0.9, 0.9},
    {"asinh(v(a))", -9, 9},
    {"atan(v(a))", -9, 9},
    {"atan2(v(a),v(b))", 0.5, 3},
    {"atan2(v(b),v(a))", 0.5, 3},
    {"atanh(v(a))", -0.9, 0.9},
    {"cos(v(a))", -9, 9},
    {"cosh(v(a))", -4, 4},
    {"exp(v(a))", -4, 4},
    {"hypot(v(a),v(b))", 0.5, 3},
    {"ln(v(a))", 0.2, 9},
    {"log(v(a))", 0.2, 9},
    {"log10(v(a))", 0.2, 9},
    {"max(v(a),v(b))", 4, 9},
    {"min(v(a),v(b))", 4, 9},
    {"max(v(b),v(a))", 4, 9},
    {"min(v(a),v(b),v(c))", 4, 9},
    {"limit(v(a),-1,1)", -0.9, 0.9},
    {"limit(v(a),-1,1)", 1.1, 5},
    {"sin(v(a))", -9, 9},
    {"sinh(v(a))", -4, 4},
    {"sqr(v(a))", -4, 4},
    {"sqrt(v(a))", 0.2, 9},
    {"tan(v(a))", -1.2, 1.2},
    {"tanh(v(a))", -3, 3},
    {"uramp(v(a))", 0.2, 5},
    {"uramp(v(a))", -5, -0.2},
    {"u2(v(a))", 0.2, 0.8},
    {"u2(v(a))", 1.2, 5},
    {"pwl(v(a),0,0,1,1,3,9)", 1.1, 2.9},
    {"pwl(v(a),0,0,1,1,3,9)", 0.1, 0.9},
    {"pwl(v(a),0,0,1,1,3,9)", 3.1, 5},
    {"floor(v(a))+ceil(v(a))+nint(v(a))+int(v(a))+sgn(v(a))+u(v(a))", 1.1, 1.4},
    {"(v(a)<v(b))+(v(a)==v(b))+(v(a)>0&&v(b)>0)+!v(a)", 4, 9},
    {"v(a)>0 ? v(a)*v(b) : v(c)", 0.2, 5},
    {"v(a)>0 ? v(a)*v(b) : v(c)", -5, -0.2},
    {"v(a,b)*v(b,a)", -5, 5},
    {"v(a,b)*v(a)*v(b)", -5, 5},
    {"i(vx)*v(a)-2*i(v1)*time", -5, 5},
    {"sin(2*time)*v(a)", -5, 5},
    {"time^2*temper", 0, 1},
};

/* What other programs read differently, or have of their own. */
static const struct {
    enum dialect dialect;
    struct range range;
} of_dialects[] = {
    {DIALECT_LTSPICE, {"v(a)**(2.5+v(b)/9)", -5, -0.3}},
    {DIALECT_LTSPICE, {"pwr(v(a),1.7)", -5, -0.3}},
    {DIALECT_LTSPICE, {"sqrt(v(a))+asin(v(a))+acosh(v(a))", -5, -1.1}},
    {DIALECT_LTSPICE, {"sqrt(v(a))+acos(v(a))", 0.1, 0.9}},
    {DIALECT_LTSPICE, {"acosh(v(a))", 1.2, 5}},
    {DIALECT_LTSPICE, {"uplim(v(a),2,0.5)", 1.6, 5}},
    {DIALECT_LTSPICE, {"uplim(v(a),2,0.5)", -2, 1.4}},
    {DIALECT_LTSPICE, {"dnlim(v(a),2,0.5)", -2, 2.4}},
    {DIALECT_LTSPICE, {"uplim_tanh(v(a),2,0.5)+dnlim_tanh(v(a),2,0.5)", 1.6, 2.4}},
    {DIALECT_LTSPICE, {"cbrt(v(a))", -5, -0.2}},
    {DIALECT_LTSPICE, {"mod(v(a),2)", 0.1, 1.9}},
    {DIALECT_LTSPICE, {"v(a)%(3+v(b)/9)", 4.5, 5.5}},
    {DIALECT_LTSPICE, {"random(v(a))+white(v(a))", 3.1, 3.9}},
    {DIALECT_XYCE, {"pow(v(a),2.3)*log(3+v(b))", -5, -0.3}},
    {DIALECT_XYCE, {"sign(v(a),v(b)-4)", 0.2, 5}},
    {DIALECT_HSPICE, {"v(a)**2.7", -5, -0.3}},
    {DIALECT_HSPICE, {"v(a)**(2.7+v(b)/9)", 0.3, 5}},
    {DIALECT_HSPICE, {"sqrt(v(a))+log(v(a))+log10(v(a))+db(v(a))", -5, -0.3}},
    {DIALECT_PSPICE, {"PWR(v(a),1.5)+PWRS(v(a),2.5)", -5, -0.3}},
    {DIALECT_SPICE, {"table(v(a),0,0,1,1,3,9)", 1.1, 2.9}},
    {DIALECT_SPICE, {"table(v(a),0,0,1,1,3,9)", 3.1, 5}},
    {DIALECT_SPICE, {"POLY(2) V(a) V(b) 1 2 3 4 5 6 7 8 9 10", -3, 3}},
    {DIALECT_SPICE, {"spice_sin(1,2,0.3,0.05,0.7,20)*v(a)", -3, 3}},
    {DIALECT_SPICE, {"spice_exp(1,2,0.01,0.3,0.05,0.7)", -3, 3}},
    {DIALECT_SPICE, {"spice_sffm(1,2,0.3,1.5,0.7)", -3, 3}},
};

static void check_derivatives(struct range range, enum dialect dialect)
{
    uint64_t seed = 4711;
    struct fixture f = fixture_open();
    f.dialect = dialect;
    scope_dialect(f.scope, dialect);
    const struct expression *e = fixture_compile(&f, range.text);
    fixture_show(&f);
    CU_ASSERT_FATAL(e != NULL);
    int compared = 0;
    for (int k = 0; k < 10; k++) {
        for (size_t n = 0; n < FIXTURE_VARIABLES; n++)
            f.x[n] = random_between(&seed, -1.5, 1.5);
        f.x[1] = random_between(&seed, range.low, range.high);
        f.time = random_between(&seed, 0.1, 2.0);
        compared += check_gradient(&f, e, range.text);
    }
    if (compared < 9 * (FIXTURE_VARIABLES + 1))
        fprintf(stderr, "\n%s: only %d comparisons\n", range.text, compared);
    CU_ASSERT(compared >= 9 * (FIXTURE_VARIABLES + 1));
    fixture_close(&f);
}

static void functions_of_dialects_have_their_exact_derivatives(void)
{
    for (size_t i = 0; i < sizeof of_dialects / sizeof *of_dialects; i++)
        check_derivatives(of_dialects[i].range, of_dialects[i].dialect);
}

static void every_function_has_its_exact_derivative(void)
{
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++)
        check_derivatives(smooth[i], DIALECT_SPICE);
}

/* ---- random expressions ---- */

/* Text and value of a random expression, the value computed here and not by the library. */
struct maker {
    char text[16384];
    size_t length;
    uint64_t *seed;
    const struct fixture *f;
};

static void put(struct maker *m, const char *text)
{
    const size_t left = sizeof m->text - m->length;
    const int written = snprintf(m->text + m->length, left, "%s", text);
    m->length += (size_t)written < left ? (size_t)written : left - 1;
}

static double make(struct maker *m, int depth);

static double make_leaf(struct maker *m)
{
    static const char *const nodes[] = {"a", "b", "c", "d", "n+"};
    char text[40];
    const int plus = random_below(m->seed, 5), minus = random_below(m->seed, 5);
    switch (random_below(m->seed, 6)) {
    case 0:
        snprintf(text, sizeof text, "v(%s)", nodes[plus]);
        put(m, text);
        return m->f->x[plus + 1];
    case 1:
    case 2:
        snprintf(text, sizeof text, "V(%s,%s)", nodes[plus], nodes[minus]);
        put(m, text);
        return m->f->x[plus + 1] - m->f->x[minus + 1];
    case 3:
        put(m, "I(vx)");
        return m->f->x[FIXTURE_NODES];
    case 4:
        put(m, "time");
        return m->f->time;
    default:
        snprintf(text, sizeof text, "%.3f", random_between(m->seed, 0.1, 2.0));
        put(m, text);
        return strtod(text, NULL);
    }
}

static double make_call(struct maker *m, int depth, const char *before, const char *after)
{
    put(m, before);
    const double value = make(m, depth - 1);
    put(m, after);
    return value;
}

static double make_function(struct maker *m, int depth)
{
    switch (random_below(m->seed, 12)) {
    case 0:
        return sin(make_call(m, depth, "sin(", ")"));
    case 1:
        return exp(sin(make_call(m, depth, "exp(sin(", "))")));
    case 2:
        return log(2.5 + cos(make_call(m, depth, "ln(2.5+cos(", "))")));
    case 3:
        return sqrt(1.5 + sin(make_call(m, depth, "sqrt(1.5+sin(", "))")));
    case 4:
        return tanh(make_call(m, depth, "tanh(", ")"));
    case 5:
        return atan(make_call(m, depth, "atan(", ")"));
    case 6:
        return asinh(make_call(m, depth, "asinh(", ")"));
    case 7:
        return fabs(make_call(m, depth, "abs(", ")"));
    case 8:
        return pow(fabs(tanh(make_call(m, depth, "pow(abs(tanh(", "))+0.2,1.7)"))) + 0.2, 1.7);
    case 9:
        return pow(sin(make_call(m, depth, "sin(", ")^3")), 3.0);
    case 10:
        return -make_call(m, depth, "(-", ")");
    default:
        return 1.0 / (2.0 + sin(make_call(m, depth, "(1/(2+sin(", ")))")));
    }
}

static double make_pair(struct maker *m, int depth)
{
    static const char *const before[] = {"(", "(", "(", "max(", "min(", "atan2(2+sin(", "hypot(1,", "("};
    static const char *const middle[] = {"+", "-", "*", ",", ",", "),", ")*(", "<"};
    static const char *const after[] = {")", ")", ")", ")", ")", ")", ")", ")"};
    const int kind = random_below(m->seed, 8);
    put(m, before[kind]);
    const double x = make(m, depth - 1);
    put(m, middle[kind]);
    const double y = make(m, depth - 1);
    put(m, after[kind]);
    switch (kind) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return x * y;
    case 3:
        return x > y ? x : y;
    case 4:
        return x < y ? x : y;
    case 5:
        return atan2(2.0 + sin(x), y);
    case 6:
        return hypot(1.0, x) * y;
    default:
        return x < y;
    }
}

static double make_condition(struct maker *m, int depth)
{
    const double left = make_call(m, depth, "(", ">");
    const double right = make(m, depth - 1);
    put(m, "?");
    const double first = make(m, depth - 1);
    put(m, ":");
    const double second = make(m, depth - 1);
    put(m, ")");
    return left > right ? first : second;
}

static double make(struct maker *m, int depth)
{
    const int kind = depth > 0 ? random_below(m->seed, 10) : 0;
    if (kind == 0)
        return make_leaf(m);
    if (kind < 5)
        return make_function(m, depth);
    return kind < 9 ? make_pair(m, depth) : make_condition(m, depth);
}

static void random_expressions_have_exact_values_and_derivatives(void)
{
    uint64_t seed = 987654321;
    int compared = 0, directions = 0;
    for (int i = 0; i < 500; i++) {
        const uint64_t start = seed;
        struct fixture f = fixture_open();
        for (size_t n = 1; n < FIXTURE_VARIABLES; n++)
            f.x[n] = random_between(&seed, -1.5, 1.5);
        f.time = random_between(&seed, 0.1, 2.0);
        struct maker m = {.seed = &seed, .f = &f};
        const double expected = make(&m, 2 + i % 4);
        const struct expression *e = fixture_compile(&f, m.text);
        if (!e)
            fprintf(stderr, "\nseed %llu: %s\n", (unsigned long long)start, m.text);
        CU_ASSERT_FATAL(e != NULL);
        CHECK_NEAR(fixture_evaluate(&f, e, NULL, NULL), expected, 1e-12 * fmax(1.0, fabs(expected)));
        compared += check_gradient(&f, e, m.text);
        directions += FIXTURE_VARIABLES + 1;
        fixture_close(&f);
    }
    /* Kinks within a step of 0.01, and cancellation, spoil a few differences; not more. */
    CU_ASSERT(compared > directions * 9 / 10);
}

/* ---- kinks ---- */

static double slope_at_zero(const char *text)
{
    struct fixture f = fixture_open();
    double gradient[FIXTURE_VARIABLES] = {0.0};
    const struct expression *e = fixture_compile(&f, text);
    CU_ASSERT(e != NULL);
    if (e)
        fixture_evaluate(&f, e, gradient, NULL);
    fixture_close(&f);
    return gradient[1];
}

static void slopes_of_max_and_min_at_a_tie_add_to_one(void)
{
    CU_ASSERT(slope_at_zero("max(v(a),0)") == 0.5);
    CU_ASSERT(slope_at_zero("min(v(a),0)") == 0.5);
    CU_ASSERT(slope_at_zero("max(0,v(a))") == 0.5);
    CU_ASSERT(slope_at_zero("max(v(a),0)+min(v(a),0)") == 1.0);
    CU_ASSERT(slope_at_zero("uramp(v(a))") == 0.5);
    CU_ASSERT(slope_at_zero("max(2*v(a),3*v(a))") == 2.5);
}

static void conditions_take_the_slope_of_the_branch_taken(void)
{
    CU_ASSERT(slope_at_zero("v(a)>0 ? 2*v(a) : 3*v(a)") == 3.0);
    CU_ASSERT(slope_at_zero("v(a)>=0 ? 2*v(a) : 3*v(a)") == 2.0);
    CU_ASSERT(slope_at_zero("abs(v(a))") == 0.0);
    CU_ASSERT(slope_at_zero("pwl(v(a),-1,0,0,0,1,4)") == 4.0);
}

static void powers_have_finite_slopes_at_zero(void)
{
    CU_ASSERT(slope_at_zero("v(a)^2") == 0.0);
    CU_ASSERT(slope_at_zero("v(a)^1") == 1.0);
    CU_ASSERT(slope_at_zero("v(a)^0") == 0.0);
    CU_ASSERT(slope_at_zero("pow(v(a),1.5)") == 0.0);
    CU_ASSERT(slope_at_zero("pwr(v(a),1.5)") == 0.0);
    CU_ASSERT(slope_at_zero("v(a)^v(b)+v(a)") == 1.0);
}

static void sides_not_taken_leave_no_nan(void)
{
    struct fixture f = fixture_open();
    double gradient[FIXTURE_VARIABLES];
    static const char *const texts[] = {"v(a)>0 ? sqrt(v(a)) : v(b)", "max(sqrt(v(c)),v(b))", "min(v(b),1/v(c)^2)",
                                        "v(a)>0 ? ln(v(a)) : v(a)<-5 ? sqrt(v(a)) : v(b)"};
    f.x[1] = -1.0;
    f.x[2] = 1.0;
    f.x[3] = 0.0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct expression *e = fixture_compile(&f, texts[i]);
        CU_ASSERT_FATAL(e != NULL);
        CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == 1.0);
        CU_ASSERT(gradient[1] == 0.0);
        CU_ASSERT(gradient[2] == 1.0);
        CU_ASSERT(gradient[3] == 0.0);
    }
    fixture_close(&f);
}

/* Of functions of a complex number in all dialects, by central differences in both directions. */
static void check_phasor(struct fixture *f, const char *text)
{
    static const double complex points[] = {CMPLX(0.3, 0.4), CMPLX(0.1, -0.7), CMPLX(-0.2, 0.9)};
    const struct expression *e = fixture_compile(f, text);
    CU_ASSERT_FATAL(e != NULL);
    struct phasor *w = calloc(expression_workspace(e) + 1, sizeof *w);
    CU_ASSERT_FATAL(w != NULL);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const double complex h = 1e-5;
        struct phasor at = {points[i], 1};
        const struct phasor_point point = {.variables = &at};
        const double complex slope = expression_phasor(e, &point, w).slope;
        at.value = points[i] + h;
        const double complex above = expression_phasor(e, &point, w).value;
        at.value = points[i] - h;
        const double complex difference = (above - expression_phasor(e, &point, w).value) / (2 * h);
        const bool good = cabs(slope - difference) <= 1e-8 * (1 + cabs(slope));
        if (!good)
            printf("%s: %g%+gi, but %g%+gi\n", text, creal(slope), cimag(slope), creal(difference), cimag(difference));
        CU_ASSERT(good);
    }
    free(w);
}

static void functions_of_complex_numbers_have_their_exact_derivatives(void)
{
    static const enum dialect dialects[] = {DIALECT_NGSPICE, DIALECT_LTSPICE, DIALECT_PSPICE, DIALECT_HSPICE,
                                            DIALECT_XYCE};
    static const char *const texts[] = {
        "(1+v(a))**0.5", "(1+v(a))**2.5", "v(a)**v(a)",    "2**v(a)",         "(1+v(a))**3", "sqrt(2+v(a))",
        "exp(v(a))",     "log(2+v(a))",   "log10(2+v(a))", "sin(v(a))",       "cos(v(a))",   "tan(v(a))",
        "sinh(v(a))",    "cosh(v(a))",    "tanh(v(a))",    "asin(v(a))",      "acos(v(a))",  "atan(v(a))",
        "asinh(v(a))",   "acosh(v(a))",   "atanh(v(a))",   "1/(1+v(a)*v(a))",
    };
    for (size_t k = 0; k < sizeof dialects / sizeof *dialects; k++) {
        struct fixture f = fixture_open();
        f.dialect = dialects[k];
        scope_dialect(f.scope, dialects[k]);
        f.resolver.has_phasors = true;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            check_phasor(&f, texts[i]);
        fixture_close(&f);
    }
}

static const struct claim claims[] = {
    CLAIM(every_function_has_its_exact_derivative),
    CLAIM(functions_of_dialects_have_their_exact_derivatives),
    CLAIM(random_expressions_have_exact_values_and_derivatives),
    CLAIM(slopes_of_max_and_min_at_a_tie_add_to_one),
    CLAIM(conditions_take_the_slope_of_the_branch_taken),
    CLAIM(powers_have_finite_slopes_at_zero),
    CLAIM(sides_not_taken_leave_no_nan),
    CLAIM(functions_of_complex_numbers_have_their_exact_derivatives),
};

int main(void)
{
    return run_claims("expression derivatives", claims, sizeof claims / sizeof *claims);
}
