/* Texts put together, the lists in them, arrays that grow, and groups. */
#include "base/array.h"
#include "base/groups.h"
#include "base/text.h"
#include "claims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void text_of_fixed_size_ends_in_dots(void)
{
    struct text t = TEXT(12);
    text_add(&t, "abc");
    text_format(&t, "%d", 4567);
    CU_ASSERT_STRING_EQUAL(t.at, "abc4567");
    CU_ASSERT(!t.cut);
    text_add(&t, "89ab");
    CU_ASSERT_STRING_EQUAL(t.at, "abc456789ab"); /* fits exactly */
    text_add(&t, "c");
    CU_ASSERT_STRING_EQUAL(t.at, "abc45678 ..");
    text_format(&t, "%s", "more");
    CU_ASSERT_STRING_EQUAL(t.at, "abc45678 ..");
    CU_ASSERT(t.cut);
    struct text f = TEXT(8);
    text_format(&f, "%s", "longer than eight");
    CU_ASSERT_STRING_EQUAL(f.at, "long ..");
}

static void text_in_an_arena_grows(void)
{
    struct arena *a = arena_new();
    struct text t = text_growing(a);
    CU_ASSERT_STRING_EQUAL(t.at, "");
    for (int i = 0; i < 2000; i++)
        text_format(&t, "%05d", i);
    text_add_lower(&t, "END");
    CU_ASSERT_EQUAL(t.used, 10003);
    CU_ASSERT_EQUAL(strlen(t.at), 10003);
    CU_ASSERT_STRING_EQUAL(t.at + 9995, "01999end");
    const char *taken = text_take(&t);
    CU_ASSERT_STRING_EQUAL(t.at, "");
    text_add(&t, "next");
    CU_ASSERT_STRING_EQUAL(taken + 9995, "01999end");
    CU_ASSERT_STRING_EQUAL(t.at, "next");
    arena_free(a);
}

static struct text_list letters(struct text *t, const char *separator, size_t most, int count)
{
    struct text_list l = text_list(t, separator, most);
    for (int i = 0; i < count; i++)
        text_list_format(&l, "%c", 'a' + i);
    return l;
}

static void list_says_what_it_leaves_out(void)
{
    struct text t = TEXT(200);
    text_add(&t, "loop ");
    struct text_list l = letters(&t, " - ", 3, 3);
    text_list_end(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "loop a - b - c");
    t = TEXT(200);
    l = letters(&t, " - ", 3, 4);
    text_list_end(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a - b - c - ..");
    t = TEXT(200);
    l = letters(&t, ", ", 3, 9);
    text_list_end_counted(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a, b, c and 6 more");
}

static void list_is_cut_between_items(void)
{
    struct text t = TEXT(13);
    struct text_list l = letters(&t, ", ", 0, 26);
    text_list_end(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a, b, c, ..");
    t = TEXT(13);
    l = text_list(&t, ", ", 0);
    CU_ASSERT(text_list_add(&l, "first"));
    CU_ASSERT(!text_list_add(&l, "second"));
    CU_ASSERT(!text_list_add(&l, "c")); /* none behind a gap */
    text_list_end(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "first, ..");
}

static void list_ends_in_and(void)
{
    struct text t = TEXT(40);
    struct text_list l = letters(&t, ", ", 0, 1);
    text_list_end_and(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a");
    t = TEXT(40);
    l = text_list(&t, ", ", 0);
    text_list_add(&l, "a");
    text_list_add(&l, "b");
    text_list_add(&l, "c, d");
    text_list_end_and(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a, b and c, d");
    t = TEXT(40);
    l = letters(&t, ", ", 2, 3);
    text_list_end_and(&l);
    CU_ASSERT_STRING_EQUAL(t.at, "a, b, ..");
}

static void array_keeps_its_items(void)
{
    struct arena *a = arena_new();
    int *items = NULL, *others = NULL;
    size_t capacity = 0, other_capacity = 0;
    for (int i = 0; i < 5000; i++) {
        CU_ASSERT_FATAL(array_reserve(&items, (size_t)i + 1, &capacity, sizeof *items));
        CU_ASSERT_FATAL(array_reserve_in(a, &others, (size_t)i, (size_t)i + 1, &other_capacity, sizeof *others));
        items[i] = others[i] = i;
    }
    for (int i = 0; i < 5000; i++)
        CU_ASSERT(items[i] == i && others[i] == i);
    const int *before = items;
    CU_ASSERT(!array_reserve(&items, SIZE_MAX / 2, &capacity, sizeof *items));
    CU_ASSERT_PTR_EQUAL(items, before);
    free(items);
    arena_free(a);
}

static void groups_are_represented_by_their_smallest(void)
{
    int *group = groups_new(9);
    CU_ASSERT(groups_unite(group, 7, 3));
    CU_ASSERT(groups_unite(group, 9, 7));
    CU_ASSERT(!groups_unite(group, 3, 9));
    CU_ASSERT(groups_unite(group, 0, 5));
    CU_ASSERT_EQUAL(groups_find(group, 9), 3);
    CU_ASSERT(groups_connected(group, 5, 0));
    CU_ASSERT(!groups_connected(group, 5, 9));
    free(group);
}

static void members_come_in_the_order_of_their_groups(void)
{
    struct arena *a = arena_new();
    static const int group_of[] = {2, 0, -1, 2, 4, 0, 2};
    static const int expected[] = {1, 5, 0, 3, 6, 4}, begins[] = {0, 2, 2, 5, 5, 6};
    int *members, *first;
    CU_ASSERT_FATAL(groups_sort(a, group_of, 7, 5, &members, &first));
    CU_ASSERT(memcmp(members, expected, sizeof expected) == 0);
    CU_ASSERT(memcmp(first, begins, sizeof begins) == 0);
    arena_free(a);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(text_of_fixed_size_ends_in_dots),
        CLAIM(text_in_an_arena_grows),
        CLAIM(list_says_what_it_leaves_out),
        CLAIM(list_is_cut_between_items),
        CLAIM(list_ends_in_and),
        CLAIM(array_keeps_its_items),
        CLAIM(groups_are_represented_by_their_smallest),
        CLAIM(members_come_in_the_order_of_their_groups),
    };
    return run_claims("base text", claims, sizeof claims / sizeof claims[0]);
}
