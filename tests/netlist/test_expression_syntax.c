/* test_expression_syntax.c - what is said of text that is no expression, and that no text does harm. */
#include "expression_fixture.h"

/* The text has exactly these errors, each "column:part of the message". */
static void check_errors(const char *text, const char *const *expected, size_t count)
{
    struct fixture f = fixture_open();
    CU_ASSERT(fixture_parse(&f, text) == NULL);
    if (kn_diagnostics_errors(f.d) != count) {
        fprintf(stderr, "\n'%s': %zu errors\n", text, kn_diagnostics_errors(f.d));
        fixture_show(&f);
    }
    CU_ASSERT(kn_diagnostics_errors(f.d) == count);
    for (size_t i = 0; i < count && i < kn_diagnostics_count(f.d); i++) {
        const struct kn_diagnostic *error = kn_diagnostics_get(f.d, i);
        char *part;
        const long column = strtol(expected[i], &part, 10);
        if (error->where.column != 10 + column)
            fprintf(stderr, "\n'%s': column %d, not %ld\n", text, error->where.column - 10, column);
        CU_ASSERT(error->where.column == 10 + column);
        CU_ASSERT(contains(error->text, part + 1));
        CU_ASSERT(error->where.width >= 1);
    }
    fixture_close(&f);
}

#define ERRORS(text, ...)                                                                                              \
    check_errors(text, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void what_was_expected_is_said_at_the_right_column(void)
{
    ERRORS("1+", "3:expected a number, name or '(' but found the end");
    ERRORS("", "1:expected a number, name or '('");
    ERRORS("(1+2", "5:expected an operator or ')' but found the end");
    ERRORS("1 2", "3:expected an operator but found a number");
    ERRORS("a b", "3:expected an operator but found a name");
    ERRORS("1+*2", "3:expected a number, name or '(' but found '*'");
    ERRORS("1+2)", "4:expected an operator but found ')'");
    ERRORS("a ? b", "6:expected an operator or ':'");
    ERRORS("f(1,", "5:expected a number, name or '('");
    ERRORS("f(1;2)", "4:';' has no meaning");
    ERRORS("1k5k5", "4:expected an operator but found a name");
    ERRORS("{1+2", "5:expected an operator or '}'");
}

static void v_and_i_expect_names(void)
{
    ERRORS("v()", "3:expected a name but found ')'");
    ERRORS("v(a", "4:expected ')' or ',' but found the end");
    ERRORS("v(a b)", "5:expected ')' or ','");
    ERRORS("v(a,b,c)", "6:expected ')' but found ','");
    ERRORS("i(v1,v2)", "5:expected ')' but found ','");
}

static void several_errors_are_found_in_one_text(void)
{
    ERRORS("(1 2) + (3 *) + f(,)", "4:expected an operator or ')'", "13:expected a number", "19:expected a number");
    ERRORS("v() + v(a b) + i()", "3:expected a name", "11:expected ')'", "18:expected a name");
}

static void signs_of_other_languages_get_a_hint(void)
{
    struct fixture f = fixture_open();
    CU_ASSERT(fixture_parse(&f, "v(a) = 2 ? 1 : 0") == NULL);
    CU_ASSERT(contains(fixture_first(&f, KN_ERROR)->hint, "'=='"));
    fixture_close(&f);
    ERRORS("2 @ 3", "3:'@' has no meaning");
    ERRORS("2 \x01 3", "3:byte 0x01");
    ERRORS("1e999", "1:too large a number");
}

static void lines_are_counted(void)
{
    struct fixture f = fixture_open();
    CU_ASSERT(fixture_parse(&f, "1 +\n  2 +\n+ @") == NULL);
    const struct kn_diagnostic *error = fixture_first(&f, KN_ERROR);
    CU_ASSERT_FATAL(error != NULL);
    CU_ASSERT(error->where.line == 9 && error->where.column == 3);
    fixture_close(&f);
}

/* ---- size ---- */

/* before repeated, then middle, then after repeated. */
static char *repeated(const char *before, const char *middle, const char *after, size_t count)
{
    const size_t size = count * (strlen(before) + strlen(after)) + strlen(middle) + 1;
    char *text = malloc(size), *end = text;
    CU_ASSERT_FATAL(text != NULL);
    for (size_t i = 0; i < count; i++, end += strlen(before))
        memcpy(end, before, strlen(before));
    memcpy(end, middle, strlen(middle));
    end += strlen(middle);
    for (size_t i = 0; i < count; i++, end += strlen(after))
        memcpy(end, after, strlen(after));
    *end = '\0';
    return text;
}

static void check_too_deep(const char *before, const char *middle, const char *after)
{
    struct fixture f = fixture_open();
    char *text = repeated(before, middle, after, 100000);
    CU_ASSERT(fixture_parse(&f, text) == NULL);
    CU_ASSERT(kn_diagnostics_errors(f.d) == 1);
    CU_ASSERT(contains(fixture_first(&f, KN_ERROR)->text, "deep"));
    free(text);
    fixture_close(&f);
}

static void endless_nesting_is_an_error_not_a_crash(void)
{
    check_too_deep("(", "1", ")");
    check_too_deep("-", "1", "");
    check_too_deep("sin(", "1", ")");
    check_too_deep("1?", "2", ":3");
    check_too_deep("1?2:", "3", "");
    check_too_deep("f(1,", "2", ")");
}

static void long_sums_are_no_nesting(void)
{
    struct fixture f = fixture_open();
    char *text = repeated("1+", "1", "*1", 50000);
    CU_ASSERT(fixture_value(&f, f.scope, text) == 50001.0);
    free(text);
    text = repeated("v(a)*2-", "1", "", 20000);
    const struct expression *e = fixture_compile(&f, text);
    f.x[1] = 1.0;
    CU_ASSERT_FATAL(e != NULL);
    double gradient[FIXTURE_VARIABLES];
    CU_ASSERT(fixture_evaluate(&f, e, gradient, NULL) == 2.0 - 2.0 * 19999.0 - 1.0);
    CU_ASSERT(gradient[1] == 2.0 - 2.0 * 19999.0);
    free(text);
    fixture_close(&f);
}

static void five_hundred_levels_are_fine(void)
{
    struct fixture f = fixture_open();
    char *text = repeated("sin(", "v(a)", ")", 500);
    CU_ASSERT(fixture_compile(&f, text) != NULL);
    free(text);
    text = repeated("(", "7", ")", 500);
    CU_ASSERT(fixture_value(&f, f.scope, text) == 7.0);
    free(text);
    fixture_close(&f);
}

/* ---- garbage ---- */

static void random_bytes_are_refused_or_understood_but_do_no_harm(void)
{
    uint64_t seed = 1234567;
    for (int i = 0; i < 3000; i++) {
        char text[64];
        const size_t length = (size_t)random_below(&seed, 64);
        for (size_t k = 0; k < length; k++)
            text[k] = (char)random_below(&seed, 256);
        struct fixture f = fixture_open();
        const struct expression_tree *tree = expression_parse(f.arena, text, length, fixture_place, DIALECT_SPICE, f.d);
        CU_ASSERT((tree == NULL) == (kn_diagnostics_errors(f.d) > 0));
        fixture_close(&f);
    }
}

/* Words of the language in random order: most are errors, some are expressions; all come to an end. */
static void random_words_do_no_harm(void)
{
    static const char *const words[] = {"(",  ")",    "+",   "-",     "*",   "/",    "^",    "**",  "?",  ":",
                                        ",",  "v(a)", "v(",  "i(vx)", "1",   "2k",   "1e",   "sin", "f(", "x",
                                        "<=", "&&",   "||",  "!",     "==",  "time", "max(", "{",   "}",  "'",
                                        " ",  "\n",   "\n+", "pwl(",  "if(", "pi",   "0",    "<>",  "|",  "&"};
    uint64_t seed = 424242;
    int understood = 0;
    for (int i = 0; i < 5000; i++) {
        char text[256] = "";
        for (int k = random_below(&seed, 12); k >= 0; k--)
            strcat(text, words[random_below(&seed, (int)(sizeof words / sizeof *words))]);
        struct fixture f = fixture_open();
        fixture_function(&f, f.scope, "f", "x", "x*x+1");
        const struct expression *e = fixture_compile(&f, text);
        CU_ASSERT((e == NULL) == (kn_diagnostics_errors(f.d) > 0));
        double gradient[FIXTURE_VARIABLES], slope;
        if (e)
            fixture_evaluate(&f, e, gradient, &slope);
        understood += e != NULL;
        fixture_close(&f);
    }
    CU_ASSERT(understood > 50);
}

static const struct claim claims[] = {
    CLAIM(what_was_expected_is_said_at_the_right_column),
    CLAIM(v_and_i_expect_names),
    CLAIM(several_errors_are_found_in_one_text),
    CLAIM(signs_of_other_languages_get_a_hint),
    CLAIM(lines_are_counted),
    CLAIM(endless_nesting_is_an_error_not_a_crash),
    CLAIM(long_sums_are_no_nesting),
    CLAIM(five_hundred_levels_are_fine),
    CLAIM(random_bytes_are_refused_or_understood_but_do_no_harm),
    CLAIM(random_words_do_no_harm),
};

int main(void)
{
    return run_claims("expression syntax", claims, sizeof claims / sizeof *claims);
}
