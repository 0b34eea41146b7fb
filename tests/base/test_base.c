/* Arena, names and diagnostics. */
#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "claims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void arena_gives_aligned_zeroed_memory(void)
{
    struct arena *a = arena_new();
    for (size_t size = 0; size < 40000; size = 3 * size + 1) {
        unsigned char *p = arena_alloc(a, size);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT((uintptr_t)p % _Alignof(max_align_t) == 0);
        for (size_t i = 0; i < size; i++)
            CU_ASSERT(p[i] == 0);
        memset(p, 0xff, size);
    }
    CU_ASSERT_PTR_NULL(arena_array(a, SIZE_MAX / 2, 8));
    CU_ASSERT_STRING_EQUAL(arena_format(a, "%s-%d", "r", 5), "r-5");
    arena_free(a);
}

static void arena_gives_vectors_of_zeros(void)
{
    struct arena *a = arena_new();
    double *x = NULL, *y = NULL;
    CU_ASSERT_FATAL(arena_vectors(a, 1000, (double **const[]){&x, &y, NULL}));
    bool zero = x + 1000 <= y || y + 1000 <= x;
    for (int i = 0; i < 1000; i++)
        zero = zero && x[i] == 0 && y[i] == 0;
    CU_ASSERT(zero);
    CU_ASSERT(!arena_vectors(a, SIZE_MAX / 4, (double **const[]){&x, NULL}));
    arena_free(a);
}

static void names_ignore_case(void)
{
    CU_ASSERT(names_equal("Vout", "vOUT"));
    CU_ASSERT(!names_equal("vout", "vou"));
    CU_ASSERT(names_hash("Vout") == names_hash("vOUT"));
}

static void closest_name_is_the_only_near_one(void)
{
    const char *const names[] = {"d1n4148", "q2n2222", "bc547a", "bc547b", "r", "rs"};
    CU_ASSERT_STRING_EQUAL(names_closest("D1N4148x", names, 6), "d1n4148");
    CU_ASSERT_STRING_EQUAL(names_closest("d1n4184", names, 6), "d1n4148");
    CU_ASSERT_PTR_NULL(names_closest("bc547c", names, 6));
    CU_ASSERT_PTR_NULL(names_closest("opamp", names, 6));
    CU_ASSERT_PTR_NULL(names_closest("x", names, 6));
}

static void table_finds_every_name(void)
{
    struct arena *a = arena_new();
    struct name_table *t = name_table_new(a);
    static char names[5000][16];
    for (int i = 0; i < 5000; i++) {
        snprintf(names[i], sizeof names[i], "N%d", i);
        CU_ASSERT(name_table_put(t, names[i], names[i]));
    }
    char key[16];
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "n%d", i);
        CU_ASSERT_PTR_EQUAL(name_table_get(t, key), names[i]);
    }
    CU_ASSERT_PTR_NULL(name_table_get(t, "n5000"));
    CU_ASSERT_EQUAL(name_table_count(t), 5000);
    arena_free(a);
}

static void a_table_keeps_its_names_when_room_is_made_for_more(void)
{
    struct arena *a = arena_new();
    struct name_table *t = name_table_new(a);
    CU_ASSERT(name_table_reserve(t, 3) && name_table_count(t) == 0);
    CU_ASSERT_PTR_NULL(name_table_get(t, "a"));
    CU_ASSERT(name_table_put(t, "a", a) && name_table_put(t, "B", t) && name_table_reserve(t, 1000));
    CU_ASSERT_PTR_EQUAL(name_table_get(t, "A"), a);
    CU_ASSERT_PTR_EQUAL(name_table_get(t, "b"), t);
    CU_ASSERT(!name_table_reserve(t, SIZE_MAX));
    CU_ASSERT_PTR_EQUAL(name_table_get(t, "b"), t);
    arena_free(a);
}

static void what_follows_a_text_of_any_length_is_aligned(void)
{
    struct arena *a = arena_new();
    for (size_t length = 0; length < 5000; length += 37) {
        static const char letters[5000] = "x";
        const char *text = arena_text(a, letters, length);
        const double *numbers = arena_array(a, 3, sizeof *numbers);
        CU_ASSERT(text && text[length] == '\0' && (uintptr_t)numbers % _Alignof(max_align_t) == 0);
        CU_ASSERT(numbers[0] == 0 && numbers[2] == 0);
        CU_ASSERT((const char *)numbers > text + length || (const char *)(numbers + 3) <= text);
    }
    arena_free(a);
}

static void message_shows_line_and_caret(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    const char *deck = "title\nR1 a b 1kk\n";
    diagnostics_source(d, "a.cir", deck, strlen(deck));
    diagnostics_add(d, KN_ERROR, "value", (struct kn_location){"a.cir", 2, 8, 3}, "write 1k", "'%s' is no number",
                    "1kk");
    diagnostics_add(d, KN_NOTE, "n", NOWHERE, NULL, "done");
    CU_ASSERT_EQUAL(kn_diagnostics_count(d), 2);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 1);
    char text[400] = "";
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    kn_diagnostic_write(kn_diagnostics_get(d, 0), f, false);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(text, "a.cir:2:8: error: '1kk' is no number\n"
                                 "    R1 a b 1kk\n"
                                 "           ^~~\n"
                                 "    hint: write 1k\n");
    kn_diagnostics_free(d);
}

static void an_error_is_told_behind_any_number_of_warnings(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    for (int i = 1; i <= 5000; i++)
        diagnostics_add(d, KN_WARNING, "w", (struct kn_location){"a.cir", i, 1, 1}, NULL, "%d", i);
    diagnostics_add(d, KN_ERROR, "e", NOWHERE, NULL, "the reason");
    const size_t count = kn_diagnostics_count(d);
    CU_ASSERT_TRUE(count < 5000);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(d, count - 1)->text, "the reason");
    kn_diagnostics_free(d);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(arena_gives_aligned_zeroed_memory),
        CLAIM(arena_gives_vectors_of_zeros),
        CLAIM(names_ignore_case),
        CLAIM(closest_name_is_the_only_near_one),
        CLAIM(table_finds_every_name),
        CLAIM(a_table_keeps_its_names_when_room_is_made_for_more),
        CLAIM(what_follows_a_text_of_any_length_is_aligned),
        CLAIM(message_shows_line_and_caret),
        CLAIM(an_error_is_told_behind_any_number_of_warnings),
    };
    return run_claims("base", claims, sizeof claims / sizeof claims[0]);
}
