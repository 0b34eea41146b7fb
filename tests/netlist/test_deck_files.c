/* test_deck_files.c - .include and .lib with real files in a folder made for the test. */
#include "deck_fixture.h"
#include "read_circuit.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

static const char *path_of(const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_FATAL(fputs(text, f) >= 0);
    CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
}

static struct reading read_from(const char *name, const char *text)
{
    write_file(name, text);
    struct reading r = {.diagnostics = kn_diagnostics_new()};
    r.status = circuit_read_file(&device_catalogue, path_of(name), r.diagnostics, &r.circuit);
    if (r.status != KN_OK && r.status != KN_ERROR_DECK)
        show_messages(&r);
    return r;
}

/* The only error of a reading: place, code and part of the text. */
static void claim_only_error(struct reading *r, const char *file, int line, int column, const char *code,
                             const char *text)
{
    CU_ASSERT_EQUAL(r->status, KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r->diagnostics), 1);
    bool found = false;
    for (size_t i = 0; i < kn_diagnostics_count(r->diagnostics); i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(r->diagnostics, i);
        found = found || (strcmp(m->where.file, path_of(file)) == 0 && m->where.line == line &&
                          m->where.column == column && strcmp(m->code, code) == 0 && strstr(m->text, text));
    }
    if (!found)
        show_messages(r);
    CU_ASSERT(found);
    end_reading(r);
}

static void an_included_file_has_no_title_and_stands_in_place_of_the_card(void)
{
    write_file("models.inc", ".model dd d(is=1n)\nRi a 0 1\n.end\nR9 ((((\n");
    struct reading r = read_from("main.cir", "title\nR1 a 0 1\n.include models.inc\nD1 a 0 dd\n.INC \"models2.inc\"\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK); /* models2.inc does not exist yet */
    end_reading(&r);
    write_file("models2.inc", "R2 a 0 1");
    r = read_from("main.cir", "title\nR1 a 0 1\n.include 'models.inc'\nD1 a 0 dd\n.INC \"models2.inc\"\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit->element_count, 4);
    CU_ASSERT_STRING_EQUAL(r.circuit->elements[1].name, "Ri");
    CU_ASSERT_EQUAL(r.circuit->elements[1].where.line, 2);
    CU_ASSERT_STRING_EQUAL(r.circuit->elements[1].where.file, path_of("models.inc"));
    end_reading(&r);
}

static void lines_may_end_with_a_carriage_return_alone(void)
{
    write_file("old.inc", "R2 a 0 1\rR3 a 0 1\r");
    struct reading r = read_from("main.cir", "title\rR1 a 0 1\r.include old.inc\r");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit->element_count, 3);
    CU_ASSERT_STRING_EQUAL(r.circuit->title, "title");
    CU_ASSERT_EQUAL(element_named(&r, "R3")->where.line, 2);
    end_reading(&r);
}

static void paths_start_from_the_file_that_includes(void)
{
    CU_ASSERT_EQUAL_FATAL(mkdir(path_of("lib"), 0700), 0);
    write_file("lib/a.inc", ".include b.inc\n");
    write_file("lib/b.inc", "R1 a 0 5\n");
    struct reading r = read_from("main.cir", "title\n.include lib/a.inc\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CHECK_NEAR(element_named(&r, "R1")->value, 5, 0);
    end_reading(&r);
    char text[500];
    snprintf(text, sizeof text, "title\n.include \"%s\"\n", path_of("lib/b.inc"));
    r = read_from("main.cir", text);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    end_reading(&r);
}

static void an_include_inside_a_subcircuit_belongs_to_it(void)
{
    write_file("body.inc", "R1 p m 1\nR2 m 0 1\n");
    struct reading r = read_from("main.cir", "title\n.subckt s p\n.include body.inc\n.ends\nX1 a s\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT(circuit_find_node(r.circuit, "x1.m") > 0);
    end_reading(&r);
}

static void a_library_included_twice_is_as_good_as_once(void)
{
    write_file("twice.inc", ".model dd d(is=1n)\n.subckt s a\nD1 a 0 dd\n.ends\n");
    struct reading r = read_from("main.cir", "title\n.include twice.inc\n.include twice.inc\nX1 a s\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    CU_ASSERT_EQUAL(r.circuit->model_count, 1);
    end_reading(&r);
}

static void a_missing_file_is_an_error_with_its_name(void)
{
    struct reading r = read_from("main.cir", "title\nR1 a 0 1\n.include nowhere.inc\n");
    claim_only_error(&r, "main.cir", 3, 10, "include", "nowhere.inc': No such file");
    r = read_from("main.cir", "title\nR1 a 0 1\n.include lib\n");
    claim_only_error(&r, "main.cir", 3, 10, "include", "folder");
    r = read_from("main.cir", "title\nR1 a 0 1\n.include\n");
    claim_only_error(&r, "main.cir", 3, 9, "syntax", "name of a file");
    r = read_from("main.cir", "title\nR1 a 0 1\n.include two words\n");
    claim_only_error(&r, "main.cir", 3, 10, "include", "two words': No such file");
}

static void errors_in_an_included_file_have_its_place_and_line(void)
{
    write_file("bad.inc", "* comment\nR1 a 0 nope\n");
    struct reading r = read_from("main.cir", "title\n.include bad.inc\n");
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r.diagnostics, 0)->source_line, "R1 a 0 nope");
    claim_only_error(&r, "bad.inc", 2, 8, "unknown-model", "nope");
}

static void a_cycle_of_includes_is_an_error_that_names_the_chain(void)
{
    write_file("one.inc", ".include two.inc\n");
    write_file("two.inc", "R1 a 0 1\n.include ./one.inc\n");
    struct reading r = read_from("main.cir", "title\n.include one.inc\n");
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(r.diagnostics), 1);
    CU_ASSERT(strstr(kn_diagnostics_get(r.diagnostics, 0)->hint, "one.inc -> ") != NULL);
    claim_only_error(&r, "two.inc", 2, 10, "include-cycle", "includes itself");
    r = read_from("main.cir", "title\nR1 a 0 1\n.include main.cir\n");
    claim_only_error(&r, "main.cir", 3, 10, "include-cycle", "includes itself");
}

static void includes_beyond_the_limit_are_errors(void)
{
    for (int i = 0; i < 60; i++) {
        char name[20], text[40];
        snprintf(name, sizeof name, "deep%d.inc", i);
        snprintf(text, sizeof text, ".include deep%d.inc\n", i + 1);
        write_file(name, text);
    }
    struct reading r = read_from("main.cir", "title\nR1 a 0 1\n.include deep0.inc\n");
    claim_only_error(&r, "deep49.inc", 1, 10, "include-depth", "more than 50");
}

/* Files that include each other ten times each would be read 10^6 times. */
static void exponential_inclusion_ends_with_one_error(void)
{
    for (int i = 0; i < 6; i++) {
        char name[24], text[400] = "";
        snprintf(name, sizeof name, "laugh%d.inc", i);
        for (int k = 0; k < 10 && i < 5; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ".include laugh%d.inc\n", i + 1);
        write_file(name, i < 5 ? text : "* nothing\n");
    }
    struct reading r = read_from("main.cir", "title\nR1 a 0 1\n.include laugh0.inc\n.include laugh0.inc\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(r.diagnostics), 1);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(r.diagnostics, 0)->code, "include-count");
    end_reading(&r);
}

static void a_library_has_sections(void)
{
    write_file("tech.lib", "* library\n.lib tt\nRt a 0 1\n.lib 'tech.lib' common\n.endl tt\n.lib FF\nRf a 0 2\n.endl\n"
                           ".lib common\nRc a 0 3\n.trna\n.endl\n");
    struct reading r = read_from("main.cir", "title\n.lib tech.lib ff\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit->element_count, 1);
    CU_ASSERT_STRING_EQUAL(r.circuit->elements[0].name, "Rf");
    end_reading(&r);
    write_file("tech.lib", "* library\n.lib tt\nRt a 0 1\n.lib 'tech.lib' common\n.endl tt\n.lib FF\nRf a 0 2\n.endl\n"
                           ".lib common\nRc a 0 3\n.endl\n");
    r = read_from("main.cir", "title\n.lib \"tech.lib\" TT\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit->element_count, 2);
    end_reading(&r);
    r = read_from("main.cir", "title\nR1 a 0 1\n.lib tech.lib ss\n");
    claim_only_error(&r, "main.cir", 3, 15, "library-section", "no section 'ss'");
    r = read_from("main.cir", "title\nR1 a 0 1\n.endl\n");
    claim_only_error(&r, "main.cir", 3, 1, "syntax", "'.endl' without a '.lib'");
}

static void a_library_without_section_is_included_whole(void)
{
    write_file("plain.lib", "R2 a 0 1\n");
    struct reading r = read_from("main.cir", "title\nR1 a 0 1\n.lib plain.lib\n");
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit->element_count, 2);
    end_reading(&r);
}

static void a_subcircuit_ends_in_its_own_file(void)
{
    write_file("open.inc", ".subckt s a\nR1 a 0 1\n");
    struct reading r = read_from("main.cir", "title\n.include open.inc\nX1 a s\n");
    claim_only_error(&r, "open.inc", 1, 9, "ends", "no '.ends' in its file");
}

static void a_text_in_memory_includes_from_the_folder_of_its_name(void)
{
    write_file("mem.inc", "R1 a 0 7\n");
    const char *text = "title\n.include mem.inc\n";
    struct reading r = read_named(path_of("no such file"), text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    CHECK_NEAR(element_named(&r, "R1")->value, 7, 0);
    end_reading(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(an_included_file_has_no_title_and_stands_in_place_of_the_card),
        CLAIM(lines_may_end_with_a_carriage_return_alone),
        CLAIM(paths_start_from_the_file_that_includes),
        CLAIM(an_include_inside_a_subcircuit_belongs_to_it),
        CLAIM(a_library_included_twice_is_as_good_as_once),
        CLAIM(a_missing_file_is_an_error_with_its_name),
        CLAIM(errors_in_an_included_file_have_its_place_and_line),
        CLAIM(a_cycle_of_includes_is_an_error_that_names_the_chain),
        CLAIM(includes_beyond_the_limit_are_errors),
        CLAIM(exponential_inclusion_ends_with_one_error),
        CLAIM(a_library_has_sections),
        CLAIM(a_library_without_section_is_included_whole),
        CLAIM(a_subcircuit_ends_in_its_own_file),
        CLAIM(a_text_in_memory_includes_from_the_folder_of_its_name),
    };
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/test_deck_files.XXXXXX", where ? where : P_tmpdir);
    if (!mkdtemp(folder))
        return 1;
    const int status = run_claims("deck files", claims, COUNT(claims));
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || status;
}
