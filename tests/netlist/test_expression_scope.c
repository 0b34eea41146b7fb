/* test_expression_scope.c - parameters and functions: nesting, order, overrides, cycles, and what is said of errors. */
#include "expression_fixture.h"

static void fixture_clear(struct fixture *f)
{
    kn_diagnostics_free(f->d);
    f->d = kn_diagnostics_new();
}

/* The one error of evaluating text: its message contains `part`, and it stands in this column of the text. */
static void check_error(struct fixture *f, const char *text, int column, int width, const char *code, const char *part)
{
    fixture_clear(f);
    CU_ASSERT(isnan(fixture_value(f, f->scope, text)));
    CU_ASSERT(kn_diagnostics_errors(f->d) == 1);
    const struct kn_diagnostic *error = fixture_first(f, KN_ERROR);
    CU_ASSERT_FATAL(error != NULL);
    CU_ASSERT(contains(error->text, part));
    CU_ASSERT_STRING_EQUAL(error->code, code);
    CU_ASSERT_STRING_EQUAL(error->where.file, "deck.cir");
    CU_ASSERT(error->where.line == 7);
    if (error->where.column != 10 + column || error->where.width != width)
        fprintf(stderr, "\n%s: column %d width %d\n", text, error->where.column - 10, error->where.width);
    CU_ASSERT(error->where.column == 10 + column);
    CU_ASSERT(error->where.width == width);
}

static const char *hint(const struct fixture *f)
{
    const struct kn_diagnostic *error = fixture_first(f, KN_ERROR);
    return error ? error->hint : NULL;
}

/* ---- parameters ---- */

static void the_order_of_definitions_does_not_matter(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "c", "a+b");
    fixture_parameter(&f, f.scope, "b", "2*a");
    fixture_parameter(&f, f.scope, "a", "7");
    CU_ASSERT(fixture_value(&f, f.scope, "c") == 21.0);
    CU_ASSERT(scope_check(f.scope, f.d));
    fixture_close(&f);
}

static void inner_scopes_hide_outer_ones(void)
{
    struct fixture f = fixture_open();
    struct scope *inner = scope_new(f.arena, f.scope);
    fixture_parameter(&f, f.scope, "a", "1");
    fixture_parameter(&f, f.scope, "b", "a+1");
    fixture_parameter(&f, inner, "a", "10");
    CU_ASSERT(fixture_value(&f, f.scope, "a") == 1.0);
    CU_ASSERT(fixture_value(&f, inner, "a") == 10.0);
    CU_ASSERT(fixture_value(&f, inner, "b") == 2.0); /* evaluated where it is defined */
    CU_ASSERT(scope_has_parameter(inner, "B"));
    CU_ASSERT(!scope_has_parameter(inner, "c"));
    fixture_close(&f);
}

static void instance_parameters_are_evaluated_in_the_callers_scope(void)
{
    struct fixture f = fixture_open();
    struct scope *caller = scope_new(f.arena, f.scope), *instance = scope_new(f.arena, f.scope);
    fixture_parameter(&f, caller, "w", "5");
    CU_ASSERT(scope_parameter(instance, "w", fixture_parse(&f, "2*w"), caller, fixture_place, f.d));
    CU_ASSERT(fixture_value(&f, instance, "w") == 10.0);
    fixture_close(&f);
}

static void a_second_definition_replaces_the_first(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "a", "1");
    fixture_parameter(&f, f.scope, "b", "a*3");
    CU_ASSERT(fixture_value(&f, f.scope, "b") == 3.0);
    fixture_parameter(&f, f.scope, "A", "2");
    CU_ASSERT(fixture_value(&f, f.scope, "a") == 2.0);
    scope_forget_values(f.scope);
    CU_ASSERT(fixture_value(&f, f.scope, "b") == 6.0);
    CU_ASSERT_PTR_NULL(fixture_first(&f, KN_WARNING));
    fixture_close(&f);
}

static void cycles_are_named_link_by_link(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "a", "1+b");
    fixture_parameter(&f, f.scope, "b", "c*2");
    fixture_parameter(&f, f.scope, "c", "a");
    check_error(&f, "a", 1, 1, "parameter-cycle", "parameter cycle: a -> b -> c -> a");
    fixture_close(&f);
}

static void a_cycle_is_named_without_the_way_to_it(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "start", "self");
    fixture_parameter(&f, f.scope, "self", "self+1");
    check_error(&f, "start", 1, 4, "parameter-cycle", "parameter cycle: self -> self");
    fixture_close(&f);
}

static void a_cycle_is_reported_once(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "a", "b");
    fixture_parameter(&f, f.scope, "b", "a");
    CU_ASSERT(!scope_check(f.scope, f.d));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    CU_ASSERT(isnan(fixture_value(&f, f.scope, "a+b")));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    fixture_close(&f);
}

static void hidden_parameters_of_one_name_are_no_cycle(void)
{
    struct fixture f = fixture_open();
    struct scope *instance = scope_new(f.arena, f.scope);
    fixture_parameter(&f, f.scope, "r", "3");
    CU_ASSERT(scope_parameter(instance, "r", fixture_parse(&f, "r*2"), f.scope, fixture_place, f.d));
    CU_ASSERT(fixture_value(&f, instance, "r") == 6.0);
    fixture_close(&f);
}

static void unused_parameters_are_checked_too(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "good", "1");
    fixture_parameter(&f, f.scope, "bad", "gooood");
    fixture_parameter(&f, f.scope, "worse", "1/0");
    CU_ASSERT(!scope_check(f.scope, f.d));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 2);
    fixture_close(&f);
}

static void ten_thousand_parameters_are_looked_up(void)
{
    struct fixture f = fixture_open();
    char name[32], text[64];
    fixture_parameter(&f, f.scope, "p0", "1");
    for (int i = 1; i < 10000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        snprintf(text, sizeof text, "p%d+1", i - 1);
        fixture_parameter(&f, f.scope, name, text);
    }
    CU_ASSERT(scope_check(f.scope, f.d));
    CU_ASSERT(fixture_value(&f, f.scope, "p9999") == 10000.0);
    fixture_close(&f);
}

static void endless_chains_of_parameters_are_an_error_not_a_crash(void)
{
    struct fixture f = fixture_open();
    char name[32], text[64];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        snprintf(text, sizeof text, "p%d+1", i + 1);
        fixture_parameter(&f, f.scope, name, text);
    }
    CU_ASSERT(isnan(fixture_value(&f, f.scope, "p0")));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    fixture_close(&f);
}

static void temper_is_the_temperature_of_the_deck(void)
{
    struct fixture f = fixture_open();
    struct scope *inner = scope_new(f.arena, f.scope);
    CU_ASSERT(fixture_value(&f, inner, "temper") == 27.0);
    scope_surroundings(f.scope, 85.0, 1e-12);
    CU_ASSERT(fixture_value(&f, inner, "temper+1") == 86.0);
    fixture_close(&f);
}

/* ---- functions ---- */

static void functions_see_their_arguments_and_their_own_scope(void)
{
    struct fixture f = fixture_open();
    scope_dialect(f.scope, DIALECT_XYCE);
    struct scope *inner = scope_new(f.arena, f.scope);
    fixture_parameter(&f, f.scope, "k", "100");
    fixture_function(&f, f.scope, "f", "x y", "k*x+y");
    fixture_function(&f, f.scope, "g", "x", "f(x+1,x)");
    fixture_parameter(&f, inner, "k", "5");
    fixture_parameter(&f, inner, "x", "1000");
    CU_ASSERT(fixture_value(&f, inner, "g(2)") == 302.0);
    CU_ASSERT(fixture_value(&f, inner, "f(x,k)") == 100005.0);
    CU_ASSERT(fixture_value(&f, inner, "f(f(1,2),3)") == 10203.0);
    fixture_close(&f);
}

/* ngspice puts their text where they are called (the numbers are its own). */
static void text_of_functions_means_what_it_means_where_it_is_called(void)
{
    struct fixture f = fixture_open();
    struct scope *inner = scope_new(f.arena, f.scope);
    fixture_parameter(&f, f.scope, "k", "100");
    fixture_function(&f, f.scope, "f", "x y", "k*x+y");
    fixture_function(&f, f.scope, "g", "x", "f(x+1,x)");
    fixture_function(&f, f.scope, "h", "k", "f(1,0)");
    fixture_parameter(&f, inner, "k", "5");
    CU_ASSERT(fixture_value(&f, inner, "g(2)") == 17.0);
    CU_ASSERT(fixture_value(&f, inner, "f(f(1,2),3)") == 38.0);
    CU_ASSERT(fixture_value(&f, inner, "h(7)") == 7.0);
    CU_ASSERT(fixture_value(&f, f.scope, "g(2)") == 302.0);
    fixture_close(&f);
}

/* What a caller names alike is its own. */
static void functions_are_those_of_the_place_where_the_text_stands(void)
{
    struct fixture f = fixture_open();
    struct scope *caller = scope_new(f.arena, f.scope), *called = scope_new(f.arena, caller);
    fixture_function(&f, f.scope, "f", "x", "x+1");
    fixture_function(&f, caller, "f", "x", "x+10");
    fixture_function(&f, caller, "g", "x", "x+100");
    CU_ASSERT(fixture_value(&f, called, "f(0)") == 10.0);
    scope_surroundings_of_text(called, f.scope);
    CU_ASSERT(fixture_value(&f, called, "f(0)") == 1.0);
    CU_ASSERT(fixture_value(&f, called, "g(0)") == 100.0); /* nowhere else */
    fixture_close(&f);
}

static void arguments_hide_parameters_and_constants(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "v", "7");
    fixture_function(&f, f.scope, "ij", "v", "v>0 ? 0 : v*2");
    fixture_function(&f, f.scope, "half", "pi", "pi/2");
    CU_ASSERT(fixture_value(&f, f.scope, "ij(-3)") == -6.0);
    CU_ASSERT(fixture_value(&f, f.scope, "half(3)") == 1.5);
    fixture_close(&f);
}

static void functions_without_arguments_and_own_versions_of_built_in_ones(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "two", "", "2");
    fixture_function(&f, f.scope, "sin", "x", "x*100");
    CU_ASSERT(fixture_value(&f, f.scope, "two()*3") == 6.0);
    CU_ASSERT(fixture_value(&f, f.scope, "sin(2)") == 200.0);
    fixture_close(&f);
}

static void recursion_is_an_error_that_names_the_chain(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "f", "x", "x > 0 ? g(x-1) : 0");
    fixture_function(&f, f.scope, "g", "x", "f(x)+1");
    check_error(&f, "f(3)", 1, 1, "function-recursion", "recursive function: f -> g -> f");
    CU_ASSERT(contains(hint(&f), "'f' is defined at deck.cir:7"));
    fixture_close(&f);
}

static void a_function_of_itself_as_argument_is_no_recursion(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "f", "x", "2*x");
    CU_ASSERT(fixture_value(&f, f.scope, "f(f(f(1)))") == 8.0);
    fixture_close(&f);
}

static void functions_that_multiply_one_another_are_stopped(void)
{
    struct fixture f = fixture_open();
    char name[32], text[64];
    fixture_function(&f, f.scope, "f0", "x y", "x/y-y/x");
    for (int i = 1; i < 60; i++) {
        snprintf(name, sizeof name, "f%d", i);
        snprintf(text, sizeof text, "f%d(x+1,y)+f%d(x,y+1)", i - 1, i - 1);
        fixture_function(&f, f.scope, name, "x y", text);
    }
    const struct expression *e = fixture_compile(&f, "f59(v(a),v(b))");
    CU_ASSERT(e == NULL);
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    CU_ASSERT(contains(fixture_first(&f, KN_ERROR)->text, "too large when its functions"));
    fixture_close(&f);
}

static void endless_chains_of_functions_are_an_error_not_a_crash(void)
{
    struct fixture f = fixture_open();
    char name[32], text[64];
    fixture_function(&f, f.scope, "f0", "x", "x");
    for (int i = 1; i < 5000; i++) {
        snprintf(name, sizeof name, "f%d", i);
        snprintf(text, sizeof text, "-f%d(1+x)", i - 1);
        fixture_function(&f, f.scope, name, "x", text);
    }
    CU_ASSERT(scope_is_constant(f.scope, fixture_parse(&f, "f4999(1)")));
    CU_ASSERT(isnan(fixture_value(&f, f.scope, "f4999(1)")));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    CU_ASSERT(contains(fixture_first(&f, KN_ERROR)->text, "too deeply nested"));
    CU_ASSERT(fixture_value(&f, f.scope, "f100(1)") == 101.0);
    fixture_close(&f);
}

/* Every parameter is a deep tree of its own that ends in the next one. */
static void deep_trees_in_deep_chains_are_an_error_not_a_crash(void)
{
    struct fixture f = fixture_open();
    for (int i = 0; i < 300; i++) {
        char name[32], text[2000] = "";
        snprintf(name, sizeof name, "p%d", i);
        memset(text, '-', 900);
        snprintf(text + 900, sizeof text - 900, "p%d", i + 1);
        fixture_parameter(&f, f.scope, name, text);
    }
    CU_ASSERT(isnan(fixture_value(&f, f.scope, "p0")));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    fixture_close(&f);
}

static void functions_see_the_parameters_of_their_callers_last(void)
{
    struct fixture f = fixture_open();
    scope_dialect(f.scope, DIALECT_XYCE);
    struct scope *inner = scope_new(f.arena, f.scope);
    fixture_parameter(&f, f.scope, "both", "1");
    fixture_function(&f, f.scope, "f", "x", "both+mine+x");
    fixture_parameter(&f, inner, "both", "1000");
    fixture_parameter(&f, inner, "mine", "20");
    CU_ASSERT(fixture_value(&f, inner, "f(300)") == 321.0);
    CU_ASSERT(isnan(fixture_value(&f, f.scope, "f(300)")));
    fixture_close(&f);
}

static void wrong_argument_counts_name_the_definition(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "f", "x y", "x+y");
    check_error(&f, "1+f(1)", 3, 4, "argument-count", "function 'f' takes 2 arguments, not 1");
    CU_ASSERT(contains(hint(&f), "deck.cir:7"));
    check_error(&f, "f(1,2,3)", 1, 8, "argument-count", "takes 2 arguments, not 3");
    check_error(&f, "sqrt(1,2)", 1, 9, "argument-count", "function 'sqrt' takes 1 argument, not 2");
    check_error(&f, "pwl(1,2)", 1, 8, "argument-count", "pwl");
    fixture_close(&f);
}

/* ---- errors ---- */

static void unknown_names_come_with_a_likely_correction(void)
{
    struct fixture f = fixture_open();
    fixture_parameter(&f, f.scope, "gain", "10");
    fixture_function(&f, f.scope, "clip", "x", "x+lenght");
    check_error(&f, "2*gian", 3, 4, "unknown-parameter", "unknown parameter 'gian'");
    CU_ASSERT(contains(hint(&f), "did you mean 'gain'?"));
    check_error(&f, "1+clyp(3)", 3, 4, "unknown-function", "unknown function 'clyp'");
    CU_ASSERT(contains(hint(&f), "did you mean 'clip'?"));
    check_error(&f, "sqrtt(2)", 1, 5, "unknown-function", "unknown function 'sqrtt'");
    CU_ASSERT(contains(hint(&f), "did you mean 'sqrt'?"));
    fixture_function(&f, f.scope, "area", "width length", "width*lenght");
    check_error(&f, "area(1,2)", 7, 6, "unknown-parameter", "unknown parameter 'lenght'");
    CU_ASSERT(contains(hint(&f), "did you mean 'length'?"));
    fixture_close(&f);
}

static void names_in_the_branch_not_taken_are_checked(void)
{
    struct fixture f = fixture_open();
    check_error(&f, "1 ? 2 : typo", 9, 4, "unknown-parameter", "unknown parameter 'typo'");
    check_error(&f, "0 ? typo : 2", 5, 4, "unknown-parameter", "unknown parameter 'typo'");
    CU_ASSERT(fixture_value(&f, f.scope, "0 ? 1/0 : 2") == 2.0);
    fixture_close(&f);
}

static void what_is_not_finite_is_located(void)
{
    struct fixture f = fixture_open();
    check_error(&f, "3+(1-1)*2/0", 3, 9, "not-finite", "division by zero");
    check_error(&f, "2*sqrt(-1)+1", 3, 8, "not-finite", "outside the range");
    check_error(&f, "exp(1000)", 1, 9, "not-finite", "infinite");
    fixture_close(&f);
}

static void circuit_quantities_have_no_value_in_parameters(void)
{
    struct fixture f = fixture_open();
    check_error(&f, "1+V(a)", 3, 4, "not-constant", "V() has no value here");
    check_error(&f, "I(vx)*2", 1, 5, "not-constant", "I() has no value here");
    check_error(&f, "sin(time)", 5, 4, "not-constant", "time has no value here");
    fixture_close(&f);
}

static void constancy_is_seen_through_functions(void)
{
    struct fixture f = fixture_open();
    fixture_function(&f, f.scope, "diode", "x", "exp(x)*V(a)");
    fixture_function(&f, f.scope, "outer", "x", "1+diode(x)");
    fixture_function(&f, f.scope, "plain", "x", "1+x");
    fixture_function(&f, f.scope, "loop", "x", "loop(x)");
    static const struct {
        const char *text;
        bool constant;
    } cases[] = {{"1+2", true},           {"V(a)", false},           {"I(vx)", false},   {"time", false},
                 {"temper", true},        {"outer(1)", false},       {"plain(2)", true}, {"plain(V(a))", false},
                 {"1 ? 2 : time", false}, {"plain(plain(1))", true}, {"loop(1)", true},  {"unknown(1)", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT(scope_is_constant(f.scope, fixture_parse(&f, cases[i].text)) == cases[i].constant);
    fixture_close(&f);
}

static void time_and_temper_cannot_be_parameters(void)
{
    struct fixture f = fixture_open();
    CU_ASSERT(!scope_parameter(f.scope, "Time", fixture_parse(&f, "1"), NULL, fixture_place, f.d));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    fixture_close(&f);
}

static void arguments_of_one_name_are_refused(void)
{
    struct fixture f = fixture_open();
    static const char *const names[] = {"x", "y", "X"};
    CU_ASSERT(!scope_function(f.scope, "f", names, 3, fixture_parse(&f, "x"), fixture_place, f.d));
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    fixture_close(&f);
}

static const struct claim claims[] = {
    CLAIM(the_order_of_definitions_does_not_matter),
    CLAIM(inner_scopes_hide_outer_ones),
    CLAIM(instance_parameters_are_evaluated_in_the_callers_scope),
    CLAIM(a_second_definition_replaces_the_first),
    CLAIM(cycles_are_named_link_by_link),
    CLAIM(a_cycle_is_named_without_the_way_to_it),
    CLAIM(a_cycle_is_reported_once),
    CLAIM(hidden_parameters_of_one_name_are_no_cycle),
    CLAIM(unused_parameters_are_checked_too),
    CLAIM(ten_thousand_parameters_are_looked_up),
    CLAIM(endless_chains_of_parameters_are_an_error_not_a_crash),
    CLAIM(temper_is_the_temperature_of_the_deck),
    CLAIM(functions_see_their_arguments_and_their_own_scope),
    CLAIM(text_of_functions_means_what_it_means_where_it_is_called),
    CLAIM(functions_are_those_of_the_place_where_the_text_stands),
    CLAIM(arguments_hide_parameters_and_constants),
    CLAIM(functions_without_arguments_and_own_versions_of_built_in_ones),
    CLAIM(recursion_is_an_error_that_names_the_chain),
    CLAIM(a_function_of_itself_as_argument_is_no_recursion),
    CLAIM(functions_that_multiply_one_another_are_stopped),
    CLAIM(endless_chains_of_functions_are_an_error_not_a_crash),
    CLAIM(deep_trees_in_deep_chains_are_an_error_not_a_crash),
    CLAIM(functions_see_the_parameters_of_their_callers_last),
    CLAIM(wrong_argument_counts_name_the_definition),
    CLAIM(unknown_names_come_with_a_likely_correction),
    CLAIM(names_in_the_branch_not_taken_are_checked),
    CLAIM(what_is_not_finite_is_located),
    CLAIM(circuit_quantities_have_no_value_in_parameters),
    CLAIM(constancy_is_seen_through_functions),
    CLAIM(time_and_temper_cannot_be_parameters),
    CLAIM(arguments_of_one_name_are_refused),
};

int main(void)
{
    return run_claims("expression scopes", claims, sizeof claims / sizeof *claims);
}
