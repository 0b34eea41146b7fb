/* program.c - the tests of a folder as one program, so that all of them are linked once: PROGRAM TEST [ARGUMENT].. */
#include <stdio.h>
#include <string.h>

/* KNOTEN_TEST_LIST is the file with a row TEST(name) for each of them; CMake writes it. */
#define TEST(name) int name(void);
#include KNOTEN_TEST_LIST
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, name},
#include KNOTEN_TEST_LIST
#undef TEST
};

extern char **test_arguments;
char **test_arguments;

int main(int count, char **words)
{
    for (size_t i = 0; count > 1 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, words[1]) == 0) {
            test_arguments = words + 2;
            return tests[i].run();
        }
    fprintf(stderr, "usage: %s TEST [ARGUMENT]..\nTests:\n", words[0]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
