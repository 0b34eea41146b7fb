/* test_expression_dialects.c - one text, several values: what programs read differently.  Values from their manuals and
 * closed forms. */
#include "expression_fixture.h"

static const struct {
    enum dialect dialect;
    const char *text;
    double value;
} cases[] = {
    {DIALECT_SPICE, "2^3", 8},
    {DIALECT_SPICE, "(3>2)^2", 1},
    {DIALECT_NGSPICE, "2^3", 8},
    {DIALECT_NGSPICE, "(3>2)^2", 1},
    {DIALECT_KICAD, "2^3", 8},
    {DIALECT_KICAD, "(3>2)^2", 1},
    {DIALECT_HSPICE, "2^3", 8},
    {DIALECT_HSPICE, "(3>2)^2", 1},
    {DIALECT_LTSPICE, "2^3", 0},
    {DIALECT_LTSPICE, "(3>2)^(2>3)", 1},
    {DIALECT_LTSPICE, "2**3", 8},
    {DIALECT_PSPICE, "2^3", 0},
    {DIALECT_PSPICE, "(3>2)^(2>3)", 1},
    {DIALECT_PSPICE, "2**3", 8},
    {DIALECT_XYCE, "2^3", 0},
    {DIALECT_XYCE, "(3>2)^(2>3)", 1},
    {DIALECT_XYCE, "2**3", 8},
    {DIALECT_SPICE, "2**3**2", 64},
    {DIALECT_NGSPICE, "2**3**2", 64},
    {DIALECT_PSPICE, "2**3**2", 64},
    {DIALECT_LTSPICE, "2**3**2", 64},
    {DIALECT_HSPICE, "2**3**2", 64},
    {DIALECT_XYCE, "2**3**2", 512},
    {DIALECT_XYCE, "2**-1**2", 0.5},
    {DIALECT_SPICE, "(-2)**2.5", 5.6568542494923806},
    {DIALECT_LTSPICE, "(-2)**2.5", 0},
    {DIALECT_XYCE, "(-2)**2.25", 3.3635856610148589},
    {DIALECT_HSPICE, "(-2)**2.5", 4},
    {DIALECT_HSPICE, "0**2.5", 0},
    {DIALECT_HSPICE, "(-2)**3.9", -8},
    {DIALECT_SPICE, "(-2)**3", -8},
    {DIALECT_SPICE, "-2**2", -4},
    {DIALECT_LTSPICE, "(-2)**3", -8},
    {DIALECT_LTSPICE, "-2**2", -4},
    {DIALECT_PSPICE, "(-2)**3", -8},
    {DIALECT_PSPICE, "-2**2", -4},
    {DIALECT_HSPICE, "(-2)**3", -8},
    {DIALECT_HSPICE, "-2**2", -4},
    {DIALECT_XYCE, "(-2)**3", -8},
    {DIALECT_XYCE, "-2**2", -4},
    {DIALECT_SPICE, "log(5)", 1.6094379124341003},
    {DIALECT_SPICE, "ln(5)", 1.6094379124341003},
    {DIALECT_SPICE, "log10(5)", 0.69897000433601886},
    {DIALECT_LTSPICE, "log(5)", 1.6094379124341003},
    {DIALECT_LTSPICE, "ln(5)", 1.6094379124341003},
    {DIALECT_LTSPICE, "log10(5)", 0.69897000433601886},
    {DIALECT_PSPICE, "log(5)", 1.6094379124341003},
    {DIALECT_PSPICE, "ln(5)", 1.6094379124341003},
    {DIALECT_PSPICE, "log10(5)", 0.69897000433601886},
    {DIALECT_HSPICE, "log(5)", 1.6094379124341003},
    {DIALECT_HSPICE, "ln(5)", 1.6094379124341003},
    {DIALECT_HSPICE, "log10(5)", 0.69897000433601886},
    {DIALECT_XYCE, "log(5)", 0.69897000433601886},
    {DIALECT_XYCE, "ln(5)", 1.6094379124341003},
    {DIALECT_XYCE, "log10(5)", 0.69897000433601886},
    {DIALECT_HSPICE, "log(-5)", -1.6094379124341003},
    {DIALECT_HSPICE, "log10(-5)", -0.69897000433601886},
    {DIALECT_HSPICE, "db(-5)", -13.979400086720377},
    {DIALECT_HSPICE, "sqrt(-4)", -2},
    {DIALECT_XYCE, "ln(-5)", 1.6094379124341003},
    {DIALECT_XYCE, "log(-5)", 0.69897000433601886},
    {DIALECT_XYCE, "sqrt(-4)", 0},
    {DIALECT_SPICE, "pwr(-2,2)", -4},
    {DIALECT_NGSPICE, "pwr(-2,2)", 4}, /* of a number, as in .param */
    {DIALECT_NGSPICE, "(-2)^3", 8},
    {DIALECT_NGSPICE, "pow(-2,3)", -8},
    {DIALECT_NGSPICE, "-7\\2", -3},
    {DIALECT_SPICE, "(-2)^3", -8},
    {DIALECT_HSPICE, "pwr(-2,2)", -4},
    {DIALECT_LTSPICE, "pwr(-2,2)", 4},
    {DIALECT_PSPICE, "pwr(-2,2)", 4},
    {DIALECT_XYCE, "pwr(-2,2)", 4},
    {DIALECT_SPICE, "pwrs(-2,2)", -4},
    {DIALECT_LTSPICE, "pwrs(-2,2)", -4},
    {DIALECT_PSPICE, "pwrs(-2,2)", -4},
    {DIALECT_XYCE, "pwrs(-2,2)", -4},
    {DIALECT_HSPICE, "pow(2,2.9)", 4},
    {DIALECT_SPICE, "pow(2,0.5)", 1.4142135623730951},
    {DIALECT_LTSPICE, "pow(-1,0.5)", 0},
    {DIALECT_XYCE, "pow(-4,0.5)", 0},
    {DIALECT_SPICE, "u(0)", 0.5},
    {DIALECT_SPICE, "stp(0)", 0},
    {DIALECT_SPICE, "u(1)+stp(1)", 2},
    {DIALECT_NGSPICE, "u(0)", 0.5},
    {DIALECT_NGSPICE, "stp(0)", 0},
    {DIALECT_NGSPICE, "u(1)+stp(1)", 2},
    {DIALECT_LTSPICE, "u(0)", 0},
    {DIALECT_LTSPICE, "stp(0)", 0},
    {DIALECT_LTSPICE, "u(1)+stp(1)", 2},
    {DIALECT_PSPICE, "u(0)", 0},
    {DIALECT_PSPICE, "stp(0)", 0},
    {DIALECT_PSPICE, "u(1)+stp(1)", 2},
    {DIALECT_XYCE, "u(0)", 0},
    {DIALECT_XYCE, "stp(0)", 0},
    {DIALECT_XYCE, "u(1)+stp(1)", 2},
    {DIALECT_SPICE, "nint(2.5)", 2},
    {DIALECT_SPICE, "nint(-0.4)", 0},
    {DIALECT_NGSPICE, "nint(2.5)", 2},
    {DIALECT_NGSPICE, "nint(-0.4)", 0},
    {DIALECT_HSPICE, "nint(2.5)", 3},
    {DIALECT_HSPICE, "nint(-0.4)", 0},
    {DIALECT_XYCE, "nint(2.5)", 3},
    {DIALECT_XYCE, "nint(-0.4)", 0},
    {DIALECT_LTSPICE, "nint(2.5)", 3},
    {DIALECT_LTSPICE, "nint(-0.4)", 0},
    {DIALECT_LTSPICE, "round(-2.5)", -3},
    {DIALECT_LTSPICE, "if(0.4,1,2)", 2},
    {DIALECT_LTSPICE, "if(0.6,1,2)", 1},
    {DIALECT_LTSPICE, "!0.4", 1},
    {DIALECT_LTSPICE, "0.4 & 1", 0},
    {DIALECT_LTSPICE, "0.6 & 1", 1},
    {DIALECT_LTSPICE, "0.3 | 0.2", 0},
    {DIALECT_LTSPICE, "0.6 ^ 0.7", 0},
    {DIALECT_LTSPICE, "buf(0.6)", 1},
    {DIALECT_LTSPICE, "inv(0.6)", 0},
    {DIALECT_LTSPICE, "buf(0.5)", 0},
    {DIALECT_LTSPICE, "0.4 ? 1 : 2", 2},
    {DIALECT_PSPICE, "if(0.4,1,2)", 1},
    {DIALECT_XYCE, "if(0.4,1,2)", 1},
    {DIALECT_SPICE, "if(0.4,1,2)", 1},
    {DIALECT_PSPICE, "0.4 & 1", 1},
    {DIALECT_XYCE, "0.4 & 1", 1},
    {DIALECT_SPICE, "0.4 & 1", 1},
    {DIALECT_PSPICE, "0.4 ? 1 : 2", 1},
    {DIALECT_XYCE, "0.4 ? 1 : 2", 1},
    {DIALECT_SPICE, "0.4 ? 1 : 2", 1},
    {DIALECT_LTSPICE, "limit(2,1,0)", 1},
    {DIALECT_LTSPICE, "limit(0.5,1,0)", 0.5},
    {DIALECT_LTSPICE, "limit(-3,5,4)", 4},
    {DIALECT_LTSPICE, "asin(5)", 1.5707963267948966},
    {DIALECT_LTSPICE, "acos(-5)", 3.1415926535897931},
    {DIALECT_LTSPICE, "acosh(0.5)", 0},
    {DIALECT_LTSPICE, "arcsin(0.3)", 0.30469265401539752},
    {DIALECT_LTSPICE, "arccos(0.3)", 1.2661036727794992},
    {DIALECT_XYCE, "acos(-5)", 3.1415926535897931},
    {DIALECT_LTSPICE, "uplim(3,2,0.5)", 1.975106465816068},
    {DIALECT_LTSPICE, "dnlim(1,2,0.5)", 2.0248935341839318},
    {DIALECT_LTSPICE, "uplim(1,2,0.5)", 1},
    {DIALECT_LTSPICE, "uplim_tanh(3,2,0.5)", 1.9975273768433652},
    {DIALECT_LTSPICE, "dnlim_tanh(1,2,0.5)", 2.0024726231566348},
    {DIALECT_LTSPICE, "cbrt(-27)", -3},
    {DIALECT_LTSPICE, "square(-3)", 9},
    {DIALECT_LTSPICE, "mod(-7,3)", -1},
    {DIALECT_LTSPICE, "-7%3", -1},
    {DIALECT_LTSPICE, "tbl(0.5,0,0,1,4)", 2},
    {DIALECT_LTSPICE, "q*1e19", 1.6021766340000001},
    {DIALECT_LTSPICE, "k*1e23", 1.380649},
    {DIALECT_XYCE, "20 % 3*2", 2},
    {DIALECT_SPICE, "20 % 3*2", 4},
    {DIALECT_XYCE, "ctok", 273.14999999999998},
    {DIALECT_XYCE, "vt", 0.025864925786328753},
    {DIALECT_XYCE, "true+2*false", 1},
    {DIALECT_XYCE, "fmod(7.5,-2)", 1.5},
    {DIALECT_XYCE, "sign(3,-2)", -3},
    {DIALECT_XYCE, "m(-3)+r(2)+img(1)", 5},
    {DIALECT_XYCE, "~ 1 > 2", 1},
    {DIALECT_PSPICE, "~(1 > 2) & 1", 1},
    {DIALECT_XYCE, "table(0.5,1,4,0,2)", 3},
    {DIALECT_PSPICE, "intq(2)+2*intq(2.5)+4*zero(9)+8*one(9)", 9},
    {DIALECT_PSPICE, "p(-3)", 180},
    {DIALECT_HSPICE, "sign(-3,2)", 3},
    {DIALECT_HSPICE, "int(-2.7)", -2},
    {DIALECT_HSPICE, "limit(5,1)", 5},
    {DIALECT_SPICE, "temp", 27},
    {DIALECT_SPICE, "temper", 27},
    {DIALECT_SPICE, "table(9,0,1,1,3)", 3},
    {DIALECT_SPICE, "table(-9,0,1,1,3)", 1},
    {DIALECT_SPICE, "pwl(2,0,1,1,3)", 5},
    {DIALECT_SPICE, "agauss(5,1,3)", 5},
    {DIALECT_SPICE, "limit(9,-1,1)", 1},
    {DIALECT_LTSPICE, "temp", 27},
    {DIALECT_LTSPICE, "temper", 27},
    {DIALECT_LTSPICE, "table(9,0,1,1,3)", 3},
    {DIALECT_LTSPICE, "table(-9,0,1,1,3)", 1},
    {DIALECT_LTSPICE, "pwl(2,0,1,1,3)", 5},
    {DIALECT_LTSPICE, "agauss(5,1,3)", 5},
    {DIALECT_LTSPICE, "limit(9,-1,1)", 1},
    {DIALECT_PSPICE, "temp", 27},
    {DIALECT_PSPICE, "temper", 27},
    {DIALECT_PSPICE, "table(9,0,1,1,3)", 3},
    {DIALECT_PSPICE, "table(-9,0,1,1,3)", 1},
    {DIALECT_PSPICE, "pwl(2,0,1,1,3)", 5},
    {DIALECT_PSPICE, "agauss(5,1,3)", 5},
    {DIALECT_PSPICE, "limit(9,-1,1)", 1},
    {DIALECT_HSPICE, "temp", 27},
    {DIALECT_HSPICE, "temper", 27},
    {DIALECT_HSPICE, "table(9,0,1,1,3)", 3},
    {DIALECT_HSPICE, "table(-9,0,1,1,3)", 1},
    {DIALECT_HSPICE, "pwl(2,0,1,1,3)", 5},
    {DIALECT_HSPICE, "agauss(5,1,3)", 5},
    {DIALECT_HSPICE, "limit(9,-1,1)", 1},
    {DIALECT_XYCE, "temp", 27},
    {DIALECT_XYCE, "temper", 27},
    {DIALECT_XYCE, "table(9,0,1,1,3)", 3},
    {DIALECT_XYCE, "table(-9,0,1,1,3)", 1},
    {DIALECT_XYCE, "pwl(2,0,1,1,3)", 5},
    {DIALECT_XYCE, "agauss(5,1,3)", 5},
    {DIALECT_XYCE, "limit(9,-1,1)", 1},
    {DIALECT_SPICE, "akima(1.5,0,0,1,1,2,0.5,3,2)", 0.75},
    {DIALECT_SPICE, "cubic(1.5,0,0,1,1,2,0.5,3,2)", 0.71250000000000002},
    {DIALECT_SPICE, "spline(9,0,0,1,1,2,0.5,3,2)", 2},
    {DIALECT_SPICE, "POLY(1) 3 0 0 2", 18},
    {DIALECT_SPICE, "POLY(2) (2) {3} 1 2 3 4 5 6", 114},
    {DIALECT_SPICE, "TABLE {2} = (1,1) (3,5)", 3},
    {DIALECT_SPICE, "1+TABLE {2} (1,1) (3,5)", 4},
    {DIALECT_SPICE, "TABLE(2) = (1,1), (3,5)", 3},
    {DIALECT_SPICE, "rand(3.2)-rand(3.9)", 0},
    {DIALECT_SPICE, "random(4)-rand(4)", 0},
};

static void each_dialect_reads_a_text_as_its_program_does(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = fixture_open();
        f.dialect = cases[i].dialect;
        scope_dialect(f.scope, cases[i].dialect);
        const double value = fixture_value(&f, f.scope, cases[i].text);
        if (!(fabs(value - cases[i].value) <= 1e-12 * fmax(1.0, fabs(cases[i].value)))) {
            fprintf(stderr, "\n%s of %s: %.17g, expected %.17g\n", cases[i].text, dialect_title(cases[i].dialect),
                    value, cases[i].value);
            fixture_show(&f);
            CU_ASSERT(false);
        }
        fixture_close(&f);
    }
}

/* A formula as B sources have it gives what the same text gives with numbers for its voltages; the functions of powers of
 * ngspice have the other sign of a negative number there. */
static void formulas_and_numbers_agree(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = fixture_open();
        f.dialect = cases[i].dialect;
        scope_dialect(f.scope, cases[i].dialect);
        f.x[1] = 1.0;
        char text[200];
        snprintf(text, sizeof text, "v(a)*(%s)", cases[i].text);
        const struct expression *e = fixture_compile(&f, text);
        fixture_show(&f);
        CU_ASSERT_FATAL(e != NULL);
        const bool other = cases[i].dialect == DIALECT_NGSPICE && cases[i].text[0] == 'p';
        const double value = other ? -cases[i].value : cases[i].value;
        CHECK_NEAR(fixture_evaluate(&f, e, NULL, NULL), value, 1e-12 * fmax(1.0, fabs(value)));
        fixture_close(&f);
    }
}

static void constants_of_one_program_are_unknown_to_others(void)
{
    CU_ASSERT(isnan(value_of("1+q")));
    CU_ASSERT(isnan(value_of("1+ctok")));
    CU_ASSERT(isnan(value_of("1+c")));
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(each_dialect_reads_a_text_as_its_program_does),
        CLAIM(formulas_and_numbers_agree),
        CLAIM(constants_of_one_program_are_unknown_to_others),
    };
    return run_claims("expression dialects", claims, sizeof claims / sizeof *claims);
}
