/* test_expression_program.c - compiled expressions: their variables, what is shared and left out, linearity,
 * breakpoints, and the function sets of published problems. */
#include "expression_fixture.h"
#include "netlist/expression/expression_program.h"

static const struct expression *compiled(struct fixture *f, const char *text)
{
    const struct expression *e = fixture_compile(f, text);
    if (!e)
        fixture_show(f);
    CU_ASSERT_FATAL(e != NULL);
    return e;
}

/* ---- variables ---- */

static void each_variable_appears_once_and_ground_never(void)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, "v(a,b)+v(b,a)+v(a)+v(0)+v(gnd)+v(b,0)+v(0,a)+i(vx)+I(VX)");
    CU_ASSERT(expression_variable_count(e) == 3);
    const struct expression_variable *v = expression_variables(e);
    CU_ASSERT(v[0].kind == EXPRESSION_NODE_VOLTAGE && v[0].index == 1);
    CU_ASSERT(v[1].kind == EXPRESSION_NODE_VOLTAGE && v[1].index == 2);
    CU_ASSERT(v[2].kind == EXPRESSION_BRANCH_CURRENT && v[2].index == 0);
    CU_ASSERT(v[0].where.column == 13);
    f.x[1] = 2.0;
    f.x[2] = 3.0;
    f.x[FIXTURE_NODES] = 5.0;
    double gradient[FIXTURE_VARIABLES];
    CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == 2.0 + 3.0 - 2.0 + 10.0);
    CU_ASSERT(gradient[1] == 0.0 && gradient[2] == 1.0 && gradient[FIXTURE_NODES] == 2.0);
    fixture_close(&f);
}

static void node_names_may_hold_punctuation(void)
{
    struct fixture f = fixture_open();
    static const char *const texts[] = {"v(n+)",  "V( out_1 )", "v(x1.n2)", "v(a#b)", "v (3)",
                                        "v(a-b)", "v(k*2)",     "V(N+)",    "v(3,0)", "v(n+ , 0)"};
    static const size_t nodes[] = {5, 6, 7, 8, 9, 10, 11, 5, 9, 5};
    for (size_t n = 0; n < FIXTURE_VARIABLES; n++)
        f.x[n] = (double)n;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT(fixture_evaluate(&f, compiled(&f, texts[i]), NULL, NULL) == (double)nodes[i]);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "i(x1.l2)"), NULL, NULL) == FIXTURE_NODES + 2.0);
    fixture_close(&f);
}

static void v_and_i_without_parenthesis_are_ordinary_names(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "v", "2");
    fixture_parameter(&f, f.scope, "i", "3");
    CU_ASSERT(fixture_value(&f, f.scope, "v*i") == 6.0);
    fixture_close(&f);
}

static void arguments_may_stand_for_nodes_and_elements(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "vd", "plus minus", "V(plus,minus)");
    fixture_function(&f, f.scope, "twice", "x", "2*vd(x,0)");
    fixture_function(&f, f.scope, "cur", "q", "I(q)");
    for (size_t n = 0; n < FIXTURE_VARIABLES; n++)
        f.x[n] = (double)(n * n);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "vd(c,a)"), NULL, NULL) == 8.0);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "twice(3)"), NULL, NULL) == 162.0);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "cur(v1)"), NULL, NULL) == 169.0);
    fixture_close(&f);
}

/* As in ngspice, which does not substitute in V(). */
static void a_node_of_the_circuit_may_be_called_like_an_argument_that_is_a_number(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "g", "c", "V(c)+c");
    fixture_function(&f, f.scope, "h", "vx", "I(vx)*vx");
    for (size_t n = 0; n < FIXTURE_VARIABLES; n++)
        f.x[n] = (double)(n * n);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "g(2.5)"), NULL, NULL) == 11.5);
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "g(3)"), NULL, NULL) == 84.0); /* there is a node 3 */
    CU_ASSERT(fixture_evaluate(&f, compiled(&f, "h(2)"), NULL, NULL) == 288.0);
    fixture_close(&f);
}

static void unknown_nodes_and_elements_are_reported_where_they_stand(void)
{
    struct fixture f = fixture_open();
    CU_ASSERT(fixture_compile(&f, "v(a)+v(out1)+i(vz)") == NULL);
    CU_ASSERT(kn_diagnostics_errors(f.d) == 2);
    const struct kn_diagnostic *node = kn_diagnostics_get(f.d, 0), *element = kn_diagnostics_get(f.d, 1);
    CU_ASSERT(contains(node->text, "no node 'out1'"));
    CU_ASSERT(contains(node->hint, "did you mean 'out_1'?"));
    CU_ASSERT(node->where.column == 10 + 8 && node->where.width == 4);
    CU_ASSERT(contains(element->text, "no element 'vz'"));
    CU_ASSERT(element->where.column == 10 + 16 && element->where.width == 2);
    fixture_close(&f);
}

static void variables_that_cannot_matter_are_left_out(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "with_b", "0");
    const struct expression *e = compiled(&f, "v(a) + 0*v(c) + (with_b ? v(b) : 1)");
    CU_ASSERT(expression_variable_count(e) == 1);
    CU_ASSERT(e->instruction_count == 1);
    fixture_close(&f);
}

/* ---- what is computed ---- */

static void constants_are_folded(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "k", "2");
    const struct expression *e = compiled(&f, "sin(pi/k)*3+exp(0)");
    CU_ASSERT(e->instruction_count == 0);
    CU_ASSERT(expression_variable_count(e) == 0);
    double gradient[1], time_derivative = 7.0, workspace[16];
    const struct expression_point at = {NULL, 0.0, 27.0, NULL, false};
    CU_ASSERT_FATAL(expression_workspace(e) <= 16);
    CU_ASSERT(expression_evaluate(e, &at, workspace, gradient, &time_derivative) == 4.0);
    CU_ASSERT(time_derivative == 0.0);
    fixture_close(&f);
}

static size_t instructions_of(struct fixture *f, const char *text)
{
    return compiled(f, text)->instruction_count;
}

static void equal_subexpressions_are_computed_once(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "cube", "x", "x*x*x");
    fixture_function(&f, f.scope, "twice", "x", "x+x");
    CU_ASSERT(instructions_of(&f, "exp(v(a))*exp(v(a))") == 2);
    CU_ASSERT(instructions_of(&f, "sin(v(a)+v(b))+sin(v(b)+v(a))") == 3);
    CU_ASSERT(instructions_of(&f, "cube(sin(v(a)))") == 3);
    CU_ASSERT(instructions_of(&f, "twice(twice(twice(exp(v(a)))))") == 4);
    fixture_close(&f);
}

static void nested_calls_do_not_multiply_the_work(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "d", "x", "x*exp(x)+x");
    char text[400] = "v(a)";
    for (int i = 0; i < 40; i++) {
        char inner[400];
        snprintf(inner, sizeof inner, "%s", text);
        snprintf(text, sizeof text, "d(%.380s)", inner);
    }
    CU_ASSERT(instructions_of(&f, text) == 120);
    fixture_close(&f);
}

static void a_branch_does_not_use_what_only_the_other_computed(void)
{
    struct fixture f = fixture_open();
    const struct expression *e =
        compiled(&f, "(v(a)>0 ? exp(v(b))*2 : exp(v(b))*3) + exp(v(b)) + (v(a)<-5 ? ln(v(c)) : ln(v(c))+1)");
    f.x[2] = 0.5;
    f.x[3] = 2.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        f.x[1] = sign;
        const double expected = exp(0.5) * (sign > 0 ? 2.0 : 3.0) + exp(0.5) + log(2.0) + 1.0;
        double gradient[FIXTURE_VARIABLES];
        CHECK_NEAR(fixture_evaluate(&f, e, gradient, NULL), expected, 1e-14);
        CHECK_NEAR(gradient[2], exp(0.5) * (sign > 0 ? 3.0 : 4.0), 1e-14);
        CHECK_NEAR(gradient[3], 0.5, 1e-15);
    }
    fixture_close(&f);
}

static void arguments_only_one_branch_needs_stay_in_it(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "pick", "c x y", "c>0 ? x : y");
    const struct expression *e = compiled(&f, "pick(v(a), sqrt(v(b)), sqrt(-v(b)))");
    CU_ASSERT(e->instructions[0].operation == OP_LESS);
    CU_ASSERT(e->instructions[1].operation == OP_BRANCH_IF_ZERO);
    double gradient[FIXTURE_VARIABLES];
    f.x[1] = 1.0;
    f.x[2] = 4.0;
    CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == 2.0);
    CU_ASSERT(gradient[1] == 0.0 && gradient[2] == 0.25);
    f.x[1] = -1.0;
    f.x[2] = -9.0;
    CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == 3.0);
    CHECK_NEAR(gradient[2], -1.0 / 6.0, 1e-16);
    fixture_close(&f);
}

static void temper_is_the_temperature_at_run_time(void)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, "temper*v(a)");
    f.temperature = 100.0;
    f.x[1] = 2.0;
    CU_ASSERT(fixture_evaluate(&f, e, NULL, NULL) == 200.0);
    CU_ASSERT(expression_is_linear(e));
    fixture_close(&f);
}

static void gradients_do_not_change_the_value(void)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, "exp(v(a)/0.026)*sin(v(b))^3/(1+v(c)^2)-max(v(a),v(b))*time");
    f.x[1] = 0.61;
    f.x[2] = 1.3;
    f.x[3] = -0.2;
    f.time = 0.4;
    double gradient[FIXTURE_VARIABLES], slope, slope_alone;
    const double value = fixture_evaluate(&f, e, gradient, &slope);
    CU_ASSERT(fixture_evaluate(&f, e, NULL, NULL) == value);
    CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == value);
    CU_ASSERT(fixture_evaluate(&f, e, NULL, &slope_alone) == value);
    CU_ASSERT(slope == slope_alone && slope == -1.3);
    fixture_close(&f);
}

static void prints_as(struct fixture *f, const char *text, const char *expected)
{
    const struct expression *e = compiled(f, text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    CU_ASSERT_STRING_EQUAL(expression_print(f->arena, e, NULL), expected);
}

static void the_text_has_the_users_names_and_numbers(void)
{
    struct fixture f = fixture_open();
    prints_as(&f, "V(Out_1) *  2k", "v(Out_1)*2k");
    prints_as(&f, "(v(a)+{V(b)})*(2.50)", "(v(a) + v(b))*2.50");
    prints_as(&f, "v(a)-(v(b)-1)-v(a,b)", "v(a) - (v(b) - 1) - v(a,b)");
    prints_as(&f, "v(a)>0&&v(b)<1?MAX(v(a), 1,-v(b)) : !v(a)", "v(a) > 0 && v(b) < 1 ? MAX(v(a),1,-v(b)) : !v(a)");
    prints_as(&f, "-v(a)**2+(-v(a))^2", "-v(a)^2 + (-v(a))^2");
    prints_as(&f, "(v(a)>1?1:2)?3:v(b)", "(v(a) > 1 ? 1 : 2) ? 3 : v(b)");
    fixture_close(&f);
}

/* What is printed means what was read: both have the same value at a point, whatever stands in which parentheses. */
static void what_is_printed_reads_back(void)
{
    static const char *const operators[] = {"+", "-", "*", "/", "^", "<", ">=", "==", "&&", "||"};
    static const struct {
        bool in_front; /* the operator */
        const char *before, *open, *close, *behind;
    } forms[] = {{false, "(", "", ")", "1.5"},
                 {true, "2", "(", ")", ""},
                 {true, "v(b)", "", "", ""},
                 {false, "-", "", "", "0.7"},
                 {false, "(", "", ")", "v(a) ? 3 : v(b)"},
                 {false, "", "", "", "max(v(b),2)"}};
    unsigned seed = 20;
    struct fixture f = fixture_open();
    for (int round = 0; round < 500; round++) {
        char text[400] = "v(a)";
        for (int i = 0; i < 6; i++) {
            char longer[400];
            seed = seed * 1103515245u + 12345u;
            const char *op = operators[(seed >> 16) % 10];
            const unsigned k = (seed >> 20) % 6;
            snprintf(longer, sizeof longer, "%s%s%s%.300s%s%s%s", forms[k].before, forms[k].in_front ? op : "",
                     forms[k].open, text, forms[k].close, forms[k].in_front ? "" : op, forms[k].behind);
            snprintf(text, sizeof text, "%s", longer);
        }
        const struct expression *e = compiled(&f, text);
        const char *printed = expression_print(f.arena, e, NULL);
        const struct expression *again = compiled(&f, printed);
        const double first = fixture_evaluate(&f, e, NULL, NULL), second = fixture_evaluate(&f, again, NULL, NULL);
        CU_ASSERT(first == second || (isnan(first) && isnan(second)));
        if (!(first == second || (isnan(first) && isnan(second))))
            printf("seed 20, round %d: %s -> %s: %g, %g\n", round, text, printed, first, second);
    }
    fixture_close(&f);
}

static void odd_powers_are_noted_once_since_ngspice_differs(void)
{
    struct fixture f = fixture_open();
    const struct expression_tree *tree = fixture_parse(&f, "v(a)^3+v(a)^2+2^v(a)+v(a)^1");
    for (int i = 0; i < 3; i++)
        CU_ASSERT(expression_compile(f.arena, f.scope, tree, &f.resolver, f.d) != NULL);
    CU_ASSERT(kn_diagnostics_count(f.d) == 1);
    CU_ASSERT(contains(fixture_first(&f, KN_NOTE)->text, "ngspice takes |x|^3"));
    fixture_close(&f);
}

/* ---- linearity ---- */

static void linearity_is_recognised(void)
{
    static const struct {
        const char *text;
        bool linear;
    } cases[] = {
        {"2*v(a)-v(b)/3+i(vx)*4", true},
        {"5", true},
        {"sin(time)", true},
        {"v(a)+sin(time)", true},
        {"-(v(a)+1)*2", true},
        {"time*v(a)", false},
        {"v(a)*v(b)", false},
        {"v(a)/v(b)", false},
        {"abs(v(a))", false},
        {"v(a)^2", false},
        {"v(a)^1", true},
        {"1>0 ? v(a) : v(a)^2", true},
        {"time>1 ? v(a) : v(b)", false},
        {"time>1 ? 2 : 3", true},
        {"temper>1 ? v(a) : v(b)", true},
        {"v(a)>1 ? 2 : 3", false},
        {"max(v(a),1)", false},
        {"pwl(v(a),0,0,1,1)", false},
        {"pwl(time,0,0,1,1)+v(a)", true},
        {"v(a)>0", false},
    };
    struct fixture f = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool linear = expression_is_linear(compiled(&f, cases[i].text));
        if (linear != cases[i].linear)
            fprintf(stderr, "\nlinear: %s\n", cases[i].text);
        CU_ASSERT(linear == cases[i].linear);
    }
    fixture_close(&f);
}

/* ---- breakpoints ---- */

static void check_breakpoints(const char *text, const double *expected, size_t count)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, text);
    double last = -INFINITY;
    for (size_t i = 0; i < count; last = expected[i++]) {
        CU_ASSERT(expression_next_breakpoint(e, last) == expected[i]);
        CU_ASSERT(expression_last_breakpoint(e, expected[i]) == expected[i]);
    }
    CU_ASSERT(expression_next_breakpoint(e, last) == INFINITY);
    fixture_close(&f);
}

#define BREAKPOINTS(text, ...)                                                                                         \
    check_breakpoints(text, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void sines_of_time_swing_and_are_no_breakpoints(void)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, "3+cos(2*pi*(time-0.1))*v(a)+sin(v(a))");
    double period = INFINITY, at = 0.0;
    for (int k = 0; k < 9; k++) {
        at = expression_next_quarter(e, at, &period);
        CU_ASSERT_DOUBLE_EQUAL(at, 0.1 + 0.25 * k, 1e-12);
    }
    CU_ASSERT_DOUBLE_EQUAL(period, 1.0, 1e-12);
    CU_ASSERT(expression_next_breakpoint(e, 0.0) == INFINITY);
    period = INFINITY;
    CU_ASSERT(expression_next_quarter(compiled(&f, "sin(time*time)+sin(2)"), 0.0, &period) == INFINITY);
    CU_ASSERT(period == INFINITY);
    fixture_close(&f);
}

static void places_that_come_again_are_breakpoints(void)
{
    struct fixture f = fixture_open();
    static const struct {
        const char *text;
        double first, period;
    } cases[] = {{"floor(4*time)", 0.25, 0.25}, {"ceil(2*time-0.25)", 0.125, 0.5}, {"nint(time)", 0.5, 1},
                 {"int(-time/2)", 2, 2},        {"time%0.75", 0.75, 0.75},         {"rand(8*time)", 0.125, 0.125},
                 {"floor(1-time)", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expression *e = compiled(&f, cases[i].text);
        double at = 0.0;
        for (int k = 0; k < 50; k++) {
            const double next = expression_next_breakpoint(e, at), wanted = cases[i].first + k * cases[i].period;
            CU_ASSERT(next == wanted);
            CU_ASSERT(expression_last_breakpoint(e, next) == next);
            CU_ASSERT(expression_last_breakpoint(e, next - cases[i].period / 4) < next);
            at = next;
        }
    }
    CU_ASSERT(expression_next_breakpoint(compiled(&f, "floor(time/1e-30)"), 1.0) == INFINITY); /* too fine to be met */
    CU_ASSERT(expression_next_breakpoint(compiled(&f, "floor(v(a))"), 0.0) == INFINITY);
    fixture_close(&f);
}

static void switches_in_time_are_breakpoints(void)
{
    BREAKPOINTS("time > 1m ? v(a) : 0", 1e-3);
    BREAKPOINTS("time < 2 && time >= 1 ? 1 : 0", 1.0, 2.0);
    BREAKPOINTS("u(time-1m)", 1e-3);
    BREAKPOINTS("uramp(2*time-1)-uramp(2*time-4)", 0.5, 2.0);
    BREAKPOINTS("max(time,3)+min(time,3)", 3.0);
    BREAKPOINTS("abs(time-2)", 2.0);
    BREAKPOINTS("sgn(5-time)", 5.0);
    BREAKPOINTS("limit(time,1,2)", 1.0, 2.0);
    BREAKPOINTS("u2(time-1)", 1.0, 2.0);
    BREAKPOINTS("(3 > time) + (time/2 < 2)", 3.0, 4.0);
    BREAKPOINTS("time < 1 ? 1 : time < 2 ? 2 : time < 3 ? 3 : 4", 1.0, 2.0, 3.0);
    BREAKPOINTS("pwl(time,0,0,1,5,2,0,4,1)", 1.0, 2.0);
    BREAKPOINTS("1-time > time-5 ? 1 : 2", 3.0);
}

static void what_never_switches_in_time_has_no_breakpoint(void)
{
    static const char *const texts[] = {"sin(time)",           "v(a) > 1 ? 1 : 0",  "time > -1 ? 1 : 0",
                                        "v(a) > time ? 1 : 2", "1 ? 2 : u(time-1)", "time^2 > 4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_breakpoints(texts[i], NULL, 0);
}

/* ---- published problems ---- */

static double pos(double x)
{
    return x > 0.0 ? x : 0.0;
}

static double mosv(double vo, double vds, double beta)
{
    return beta * (pos(vo) * pos(vo) - pos(vo - vds) * pos(vo - vds)) * (1.0 + 0.02 * vds);
}

static double vov(double vgs, double vbs, double vt0, double gam, double phi)
{
    return vgs - vt0 - gam * (sqrt(fmax(phi - vbs, 1e-12)) - sqrt(phi));
}

static double enh(const double *v)
{
    return v[0] > 0.0 ? mosv(vov(v[1], v[2], 0.2, 0.035, 1.01), v[0], 1.748e-3)
                      : -mosv(vov(v[3], v[4], 0.2, 0.035, 1.01), -v[0], 1.748e-4);
}

static void nand_functions(struct fixture *f)
{
    fixture_function(f, f->scope, "pos", "x", "max(x,0)");
    fixture_function(f, f->scope, "vov", "vgs vbs vt0 gam phi", "vgs-vt0-gam*(sqrt(max(phi-vbs,1e-12))-sqrt(phi))");
    fixture_function(f, f->scope, "mosv", "vo vds beta", "beta*(pos(vo)*pos(vo)-pos(vo-vds)*pos(vo-vds))*(1+0.02*vds)");
    fixture_function(f, f->scope, "enh", "vds vgs vbs vgd vbd",
                     "vds>0 ? (mosv(vov(vgs,vbs,0.2,0.035,1.01),vds,1.748e-3)) : "
                     "(-mosv(vov(vgd,vbd,0.2,0.035,1.01),-vds,1.748e-4))");
    fixture_function(f, f->scope, "ij", "v", "v>0 ? 0 : 1e-14*(exp(v/25.85)-1)");
    fixture_function(f, f->scope, "qj", "v", "2.4e-5*(2*0.87*(1-sqrt(1-min(v,0)/0.87))+pos(v)+pos(v)*pos(v)/(4*0.87))");
}

static void the_transistor_of_the_nand_gate_is_evaluated(void)
{
    struct fixture f = fixture_open();
    nand_functions(&f);
    const struct expression *e = compiled(&f, "enh(v(a,b),v(c,b),v(d,3),v(c,a),v(n+,3))");
    CU_ASSERT(e->input_count == 5);
    CU_ASSERT(expression_variable_count(e) == 6);
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        double gradient[FIXTURE_VARIABLES], sum = 0.0;
        for (size_t n = 1; n < FIXTURE_NODES; n++)
            f.x[n] = random_between(&seed, -3.0, 5.0);
        const double *x = f.x;
        const double v[5] = {x[1] - x[2], x[3] - x[2], x[4] - x[9], x[3] - x[1], x[5] - x[9]};
        CHECK_NEAR(fixture_evaluate(&f, e, gradient, NULL), enh(v), 1e-13 * fabs(enh(v)) + 1e-17);
        for (size_t n = 0; n < FIXTURE_VARIABLES; n++)
            sum += gradient[n];
        CHECK_NEAR(sum, 0.0, 1e-15); /* only differences matter: the sum of the derivatives is zero */
    }
    fixture_close(&f);
}

static void junctions_of_the_nand_gate_are_evaluated(void)
{
    struct fixture f = fixture_open();
    nand_functions(&f);
    const struct expression *current = compiled(&f, "ij(v(a,b))"), *charge = compiled(&f, "qj(v(a,b))");
    double gradient[FIXTURE_VARIABLES];
    f.x[1] = -2.0;
    CHECK_NEAR(fixture_evaluate(&f, current, gradient, NULL), 1e-14 * (exp(-2.0 / 25.85) - 1.0), 1e-29);
    CHECK_NEAR(gradient[1], 1e-14 / 25.85 * exp(-2.0 / 25.85), 1e-29);
    CHECK_NEAR(fixture_evaluate(&f, charge, gradient, NULL), 2.4e-5 * 1.74 * (1.0 - sqrt(1.0 + 2.0 / 0.87)), 1e-19);
    CHECK_NEAR(gradient[1], 2.4e-5 / sqrt(1.0 + 2.0 / 0.87), 1e-19);
    f.x[1] = 0.0;
    fixture_evaluate(&f, charge, gradient, NULL);
    CHECK_NEAR(gradient[1], 2.4e-5, 1e-19); /* the halves of min and max at 0 add to one */
    CHECK_NEAR(gradient[2], -2.4e-5, 1e-19);
    fixture_close(&f);
}

static void diode_laws_of_the_amplifiers_are_evaluated(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "qd", "u", "40.67286402e-9*(exp(17.7493332*u)-1)");
    fixture_function(&f, f.scope, "ft", "u", "1e-6*(exp(u/0.026)-1)");
    fixture_function(&f, f.scope, "fe", "v", "1e-16/0.99*(exp(38.78*v)-1)");
    fixture_function(&f, f.scope, "fc", "v", "1e-16/0.5*(exp(38.78*v)-1)");
    double gradient[FIXTURE_VARIABLES];
    f.x[1] = 0.4;
    f.x[2] = 0.1;
    f.x[3] = 0.2;
    fixture_evaluate(&f, compiled(&f, "qd(v(a,b))"), gradient, NULL);
    const double slope = 40.67286402e-9 * 17.7493332 * exp(17.7493332 * (0.4 - 0.1));
    CHECK_NEAR(gradient[1], slope, 1e-14 * slope);
    CHECK_NEAR(gradient[2], -slope, 1e-14 * slope);
    const double bias = 0.99 * 1e-6 * (exp((0.4 - 0.1) / 0.026) - 1.0);
    CHECK_NEAR(fixture_evaluate(&f, compiled(&f, "0.99*ft(v(a,b))"), NULL, NULL), bias, 1e-14 * bias);
    const double ebers_moll =
        0.99 * (1e-16 / 0.99 * (exp(38.78 * (0.4 - 0.1)) - 1.0)) - 1e-16 / 0.5 * (exp(38.78 * (0.4 - 0.2)) - 1.0);
    CHECK_NEAR(fixture_evaluate(&f, compiled(&f, "0.99*fe(v(a,b))-fc(v(a,c))"), NULL, NULL), ebers_moll,
               1e-13 * fabs(ebers_moll));
    fixture_close(&f);
}

/* ---- switches in the variables ---- */

enum { MOST_SWITCHES = 4, MOST_WORK = 64 };

/* Value of e at variables with switches held; their functions in g. */
static double held_at(const struct expression *e, const double *variables, const signed char *held, double *g)
{
    double workspace[MOST_WORK];
    const struct expression_point at = {variables, 0.0, 27.0, held, false};
    CU_ASSERT_FATAL(expression_workspace(e) <= MOST_WORK && expression_switch_count(e) <= MOST_SWITCHES);
    expression_switches(e, &at, workspace, g);
    return expression_evaluate(e, &at, workspace, NULL, NULL);
}

static void comparisons_steps_and_signs_are_switches(void)
{
    struct fixture f = fixture_open();
    const struct {
        const char *text;
        size_t switches;
    } cases[] = {{"u(v(a))", 1},          {"sgn(v(a)-1)+v(b)", 1}, {"v(a)>v(b) ? 1 : 2", 1}, {"v(a)>1 && v(b)<2", 2},
                 {"v(a)^2+abs(v(a))", 0}, {"time>1m ? 1 : 2", 0},  {"u(sin(time))", 1},      {"u(u(v(a))-0.5)*v(b)", 1},
                 {"v(a)==1", 1},          {"floor(v(a))", 1},      {"nint(time/1u)", 0},     {"v(a)-int(v(a))", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_EQUAL(expression_switch_count(compiled(&f, cases[i].text)), cases[i].switches);
    fixture_close(&f);
}

static void held_switches_keep_their_side_and_tell_their_function(void)
{
    struct fixture f = fixture_open();
    const struct expression *e = compiled(&f, "v(b)<v(a) ? 10*u(v(a)) : 20");
    const double ahead[2] = {1, 3}, behind[2] = {3, 1}; /* v(b), v(a) */
    double g[MOST_SWITCHES];
    CU_ASSERT_EQUAL_FATAL(expression_switch_count(e), 2);
    CU_ASSERT(held_at(e, ahead, NULL, g) == 10);
    CU_ASSERT(g[0] == -2 && g[1] == 3);
    CU_ASSERT(held_at(e, behind, NULL, g) == 20);
    CU_ASSERT(g[0] == 2 && isnan(g[1])); /* u() stands in the other branch */
    CU_ASSERT(held_at(e, behind, (const signed char[]){-1, 0}, g) == 10);
    CU_ASSERT(g[0] == 2 && g[1] == 1);
    CU_ASSERT(held_at(e, behind, (const signed char[]){-1, -1}, g) == 0);
    CU_ASSERT(held_at(e, ahead, (const signed char[]){1, 0}, g) == 20);
    e = compiled(&f,
                 "floor(v(a))+v(b)"); /* one beside 3: on which side of it is held, above where the number is even */
    CU_ASSERT(held_at(e, (const double[]){3.25, 0}, (const signed char[]){1}, g) == 2 && g[0] == -0.25);
    CU_ASSERT(held_at(e, (const double[]){2.75, 0}, (const signed char[]){-1}, g) == 3 && g[0] == 0.25);
    fixture_close(&f);
}

static const struct claim claims[] = {
    CLAIM(each_variable_appears_once_and_ground_never),
    CLAIM(node_names_may_hold_punctuation),
    CLAIM(v_and_i_without_parenthesis_are_ordinary_names),
    CLAIM(arguments_may_stand_for_nodes_and_elements),
    CLAIM(a_node_of_the_circuit_may_be_called_like_an_argument_that_is_a_number),
    CLAIM(unknown_nodes_and_elements_are_reported_where_they_stand),
    CLAIM(variables_that_cannot_matter_are_left_out),
    CLAIM(constants_are_folded),
    CLAIM(equal_subexpressions_are_computed_once),
    CLAIM(nested_calls_do_not_multiply_the_work),
    CLAIM(a_branch_does_not_use_what_only_the_other_computed),
    CLAIM(arguments_only_one_branch_needs_stay_in_it),
    CLAIM(temper_is_the_temperature_at_run_time),
    CLAIM(gradients_do_not_change_the_value),
    CLAIM(the_text_has_the_users_names_and_numbers),
    CLAIM(what_is_printed_reads_back),
    CLAIM(odd_powers_are_noted_once_since_ngspice_differs),
    CLAIM(linearity_is_recognised),
    CLAIM(sines_of_time_swing_and_are_no_breakpoints),
    CLAIM(places_that_come_again_are_breakpoints),
    CLAIM(switches_in_time_are_breakpoints),
    CLAIM(what_never_switches_in_time_has_no_breakpoint),
    CLAIM(comparisons_steps_and_signs_are_switches),
    CLAIM(held_switches_keep_their_side_and_tell_their_function),
    CLAIM(the_transistor_of_the_nand_gate_is_evaluated),
    CLAIM(junctions_of_the_nand_gate_are_evaluated),
    CLAIM(diode_laws_of_the_amplifiers_are_evaluated),
};

int main(void)
{
    return run_claims("expression programs", claims, sizeof claims / sizeof *claims);
}
