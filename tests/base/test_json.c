/* Nested values of JSON: commas, brackets, escapes (RFC 8259). */
#include "base/json.h"
#include "claims.h"

#include <math.h>
#include <string.h>

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void members_are_separated_and_brackets_closed(void)
{
    char text[300];
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    struct json j = json_begin(file);
    json_open(&j, NULL, '{');
    json_text(&j, "a", "b");
    json_open(&j, "list", '[');
    json_number(&j, NULL, 1.5);
    json_number(&j, NULL, -2);
    json_close(&j);
    json_open(&j, "none", '[');
    json_close(&j);
    json_open(&j, "inner", '{');
    json_open(&j, "deep", '{');
    json_bool(&j, "yes", true);
    json_bool(&j, "no", false);
    json_close(&j);
    json_close(&j);
    json_close(&j);
    read_back(file, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "{\n  \"a\": \"b\",\n  \"list\": [\n    1.5,\n    -2\n  ],\n  \"none\": [],\n"
                                 "  \"inner\": {\n    \"deep\": {\"yes\": true, \"no\": false}\n  }\n}\n");
}

static void what_json_does_not_know_is_null(void)
{
    char text[100];
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    struct json j = json_begin(file);
    json_open(&j, NULL, '[');
    json_number(&j, NULL, NAN);
    json_number(&j, NULL, INFINITY);
    json_text(&j, NULL, NULL);
    json_text(&j, NULL, "a \"b\"\\\t\xe9");
    json_close(&j);
    read_back(file, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "[\n  null,\n  null,\n  null,\n  \"a \\\"b\\\"\\\\\\u0009\\u00e9\"\n]\n");
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(members_are_separated_and_brackets_closed),
        CLAIM(what_json_does_not_know_is_null),
    };
    return run_claims("json", claims, sizeof claims / sizeof *claims);
}
