/* test_deck_robust.c - published decks are read; damaged, huge and hostile ones end with a message, never a crash. */
#include "deck_fixture.h"
#include "read_circuit.h"

#include <dirent.h>
#include <stdint.h>
#include <sys/resource.h>

/* ---- decks from outside ---- */

static int read_folder(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".cir") != 0)
            continue;
        char name[600];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        struct reading r = {.diagnostics = kn_diagnostics_new()};
        r.status = circuit_read_file(&device_catalogue, name, r.diagnostics, &r.circuit);
        if (r.status != KN_OK)
            show_messages(&r);
        CU_ASSERT_EQUAL(r.status, KN_OK);
        CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
        end_reading(&r);
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

static void the_decks_of_this_repository_are_read_without_a_word(void)
{
    read_folder(KNOTEN_SOURCE_DIR "/examples");
    CU_ASSERT(read_folder(KNOTEN_SOURCE_DIR "/bench") > 0);
}

/* Published problems that lie beside the repository where there are any. */
static void published_problems_are_read_without_a_word(void)
{
    read_folder(KNOTEN_SOURCE_DIR "/../shared/circuits");
    read_folder(KNOTEN_SOURCE_DIR "/../shared/bench");
}

/* ---- mutations ---- */

static const char seed_deck[] =
    "seed deck\n.param p=1k q={p*2}\n.func f(x,y) {x*y}\nV1 in 0 DC 5 AC 1 PULSE(0 5 1u 1u 1u 1m 2m)\n"
    "R1 in out {q}\nR2 out 0 r='f(p,2)' tc=1m,2m\nC1 out 0 1u ic=0.5\nC2 out 0 Q='1u*v(out)'\n"
    "* comment\nL1 out x 1m\nL2 x 0\n+ 2m\nK1 L1 L2 0.9\nT1 in 0 out 0 z0=50 td=1n\nE1 e 0 in out 2\n"
    "E2 e2 0 POLY(2) in 0 out 0 0 1 1\nG1 g 0 cur='v(in)*2'\nF1 f 0 V1 2\nB1 b 0 V=v(in)>2 ? 1 : {p}\n"
    ".model dd D(is=1n rs=2)\n.model qn npn bf=100\n.model nm nmos(level=1)\nD1 out 0 dd 2 off\nQ1 c b e qn\n"
    "M1 d g s 0 nm w=10u l=1u\n.subckt amp a b params: r=1k\nR1 a m {r}\nX1 m b inner\n.subckt inner a b\nR1 a b 1\n"
    ".ends\n.ic v(m)=1\n.ends\nX1 in out amp r=2k\n.ic v(in)=1, v(out)=2\n.options reltol=1e-4 method=gear\n"
    ".tran 1u 1m 0 2u uic\n.op\n.print tran v(in) v(in,out) i(v1)\n.save all i(r1)\n.control\nrun\n.endc\n.end\n";

static uint64_t state;

/* xorshift64* (Vigna 2016). */
static unsigned draw(unsigned limit)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * 2685821657736338717u) >> 33) % limit;
}

static const char *const pieces[] = {"(",       ")",
                                     "{",       "}",
                                     "'",       "\"",
                                     "=",       ",",
                                     "\n+ ",    "\n",
                                     "+",       " ",
                                     "*",       ";",
                                     "$ ",      ".end",
                                     ".ends",   ".subckt s a\n",
                                     "1e999",   "0",
                                     "-1",      "{p}",
                                     "v(a)",    "\t",
                                     "\r\n",    "X9 a b amp\n",
                                     "poly(2)", "params:",
                                     ".model",  ".param ",
                                     "1e-400",  "\xff",
                                     "i(v1)",   "==",
                                     "? :"};

/* Deletes, doubles, swaps and inserts pieces of the deck; returns the new length. */
static size_t mutate(char *text, size_t length, size_t room)
{
    const unsigned kind = draw(5);
    const size_t at = draw((unsigned)length), count = 1 + draw(20);
    const char *piece = pieces[draw((unsigned)COUNT(pieces))];
    const size_t size = strlen(piece);
    if (kind == 0 && at + count < length) {
        memmove(text + at, text + at + count, length - at - count);
        return length - count;
    }
    if (kind == 1 && length + count < room && at + count < length) {
        memmove(text + at + count, text + at, length - at);
        return length + count;
    }
    if (kind == 2) {
        const size_t other = draw((unsigned)length);
        const char c = text[at];
        text[at] = text[other];
        text[other] = c;
        return length;
    }
    if (kind == 3) {
        text[at] = (char)draw(256);
        return length;
    }
    if (length + size >= room)
        return length;
    memmove(text + at + size, text + at, length - at);
    memcpy(text + at, piece, size);
    return length + size;
}

static void damaged_decks_never_crash_and_fail_with_a_message(void)
{
    const uint64_t seed = 20240601;
    int failed = 0;
    for (int round = 0; round < 1500; round++) {
        char text[4000];
        size_t length = sizeof seed_deck - 1;
        memcpy(text, seed_deck, length);
        state = seed + (uint64_t)round * 7919;
        for (unsigned n = 1 + draw(6); n > 0; n--)
            length = mutate(text, length, sizeof text);
        struct reading r = read_named("deck.cir", text, length);
        const size_t errors = kn_diagnostics_errors(r.diagnostics);
        const bool consistent =
            r.status == KN_OK ? r.circuit && errors == 0 : r.status == KN_ERROR_DECK && !r.circuit && errors > 0;
        if (!consistent)
            fprintf(stderr, "\nseed %llu, round %d: status %d with %zu errors\n", (unsigned long long)seed, round,
                    (int)r.status, errors);
        CU_ASSERT(consistent);
        failed += r.status != KN_OK;
        end_reading(&r);
    }
    CU_ASSERT(failed > 500); /* the mutations do find errors */
}

static void noise_never_crashes(void)
{
    for (int round = 0; round < 1000; round++) {
        char text[600] = "title\n";
        state = 4711 + (uint64_t)round * 104729;
        size_t length = 6 + draw(500);
        for (size_t i = 6; i < length; i++)
            text[i] = (char)(round % 2 ? 32 + draw(224) : (unsigned char)" \n+=(){}'\",.rxvbe12k*;$"[draw(23)]);
        struct reading r = read_named("deck.cir", text, length);
        CU_ASSERT(r.status == KN_OK || kn_diagnostics_errors(r.diagnostics) > 0);
        end_reading(&r);
    }
}

static void the_seed_deck_itself_is_good(void)
{
    struct reading r = read_named("deck.cir", seed_deck, sizeof seed_deck - 1);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit ? r.circuit->element_count : 0, 19);
    end_reading(&r);
}

/* A prefix of a deck is a deck cut off somewhere. */
static void a_deck_cut_off_anywhere_never_crashes(void)
{
    for (size_t length = 0; length < sizeof seed_deck - 1; length += 3) {
        struct reading r = read_named("deck.cir", seed_deck, length);
        CU_ASSERT(r.status == KN_OK || kn_diagnostics_errors(r.diagnostics) > 0);
        end_reading(&r);
    }
}

/* Each letter, with models of every letter's own type there, and nothing behind the name that could be a node: no card is
 * whole, and every one is told. */
static void cards_of_every_letter_without_words_fail_with_a_message(void)
{
    static const char *const rests[] = {"",     " \"\"",    " ''",     " {}",        " ()",
                                        " ( )", " \"\" {}", " '' x=1", " m=\"\" ''", " \"\" \"\" \"\" \"\""};
    static const char *const heads[] = {"", "* Xyce\n", "* HSPICE\n"};
    for (size_t head = 0; head < COUNT(heads); head++)
        for (char letter = 'a'; letter <= 'z'; letter++)
            for (size_t i = 0; i < COUNT(rests); i++) {
                char text[400];
                int length =
                    snprintf(text, sizeof text,
                             "title\n%sV0 a 0 1\nR0 a 0 1\n%c1%s\n.model m urc rperl=1\n.model n cpl r=1\n.model t "
                             "trn len=1\n.tran 1 2\n.end\n",
                             heads[head], letter, rests[i]);
                struct reading r = read_named("deck.cir", text, (size_t)length);
                CU_ASSERT(kn_diagnostics_errors(r.diagnostics) > 0);
                if (!kn_diagnostics_errors(r.diagnostics))
                    printf("  no error of '%c1%s'\n", letter, rests[i]);
                end_reading(&r);
            }
}

/* A name of HSPICE's in a formula that may have numbers only: of a diode's model. */
static void a_template_in_a_formula_of_numbers_fails_with_a_message(void)
{
    static const char text[] = "title\nD1 0 e dm\nI1 e 0 1m\n.model dm d\n most max '2*lx7(m1)'\n.tran 1u 1m\n.end\n";
    struct reading r = read_named("deck.cir", text, sizeof text - 1);
    CU_ASSERT(kn_diagnostics_errors(r.diagnostics) > 0);
    end_reading(&r);
}

/* ---- size ---- */

static void repeat(char *to, size_t times, const char *piece)
{
    const size_t size = strlen(piece);
    for (size_t i = 0; i < times; i++)
        memcpy(to + i * size, piece, size);
    to[times * size] = '\0';
}

/* One line of a million characters of each hostile kind. */
static void endless_lines_end(void)
{
    static const char *const kinds[] = {"(",  ")",  "{",    "'", "=",     ",",   "a ", "(a ",
                                        "a=", "x(", "a=b ", "+", "((a=(", "\n+", "\n*"};
    enum { TIMES = 50000 };
    char *text = malloc(6 * TIMES + 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    static const char *const heads[] = {"title\nR1 a 0 ", "title\nB1 a 0 I=", "title\n.param a=", "title\n.subckt s ",
                                        "title\n.print tran "};
    for (size_t h = 0; h < COUNT(heads); h++)
        for (size_t k = 0; k < COUNT(kinds); k++) {
            strcpy(text, heads[h]);
            repeat(text + strlen(text), TIMES, kinds[k]);
            struct reading r = read_named("deck.cir", text, strlen(text));
            CU_ASSERT(r.status == KN_OK || kn_diagnostics_errors(r.diagnostics) > 0);
            end_reading(&r);
        }
    free(text);
}

/* Of the processor, without the system's: on some machines its pages cost more than what is done with them. */
static double seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
}

/* Time to read a ladder of n resistors, each with a node of its own. */
static double time_of_ladder(size_t unused, int n)
{
    (void)unused;
    char *text = malloc((size_t)n * 40 + 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t at = (size_t)sprintf(text, "title\n");
    for (int i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "R%d n%d n%d 1k\n", i, i, i + 1);
    const double start = seconds();
    struct reading r = read_named("deck.cir", text, at);
    const double taken = seconds() - start;
    CU_ASSERT_EQUAL(r.status, KN_OK);
    CU_ASSERT_EQUAL(r.circuit ? r.circuit->element_count : 0, (size_t)n);
    end_reading(&r);
    free(text);
    return taken;
}

/* Lines of which a deck may have very many; %d is the number of the line. */
static const struct {
    const char *head, *line, *tail;
} masses[] = {
    {"", ".model m%d d(is=1e-14 n=2)\n", ""},
    {"", ".model m%d d(is=1e-14)\nD%d a 0 m%d\n", ""},
    {".subckt s a k=1\n", ".model m%d d(is={k*1e-14})\nD%d a 0 m%d\n", ".ends\nX1 a s\nX2 a s k=2\n"},
    {"", ".param p%d=%d q%d={2}\n", ""},
    {"", ".func f%d(x) {x+%d}\nR%d a 0 {f%d(1)}\n", ""},
    {"", ".subckt s%d a\nR1 a 0 1\n.ends\nX%d a s%d\n", ""},
    {".subckt s a b\nR1 a 0 1\n.ends\n", "X%d a n%d s\n", ""}, /* an unused port each */
    {"", "R%d a n%d 1\n", ""},                                 /* nodes that one element knows */
    {"", "B%d n%d 0 I=v(n%d,a)\nR%d n%d 0 1\n", ""},
    {"", "L%d n%d 0 1m Rser=1 Cpar=1p\n", ""},
    {"", ".ic v(a)=%d\n", ""},
    {"", ".nodeset v(a)=%d\n", ""},
    {"", ".print tran v(a)\n", ".tran 1u 1m\n"},
    {"", ".options reltol=1e-%d\n", ""},
    {"", ".global g%d\n", ""},
    {"V1 a 0 PWL(0 0\n", "+ %d.5 1\n", "+ )\n"},
    {"V1 a 0 PWL(0 0\\\\\n", " %d.5 1\\\\\n", ")\n"},
    {"", "V%d a%d 0 5A\nR%d a%d 0 1M\n", ""},
    {".option parhier=local ingold=2\nR1 a 0 r='1", " * 1", "'\n"}, /* HSPICE, where a star may begin a comment */
};

/* Time to read n such lines, errors or not. */
static double time_of_mass(size_t kind, int n)
{
    char *text = malloc((size_t)n * 90 + 400);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t at = (size_t)sprintf(text, "title\nR0 a 0 1\n%s", masses[kind].head);
    for (int i = 1; i <= n; i++)
        at += (size_t)sprintf(text + at, masses[kind].line, i, i, i, i, i);
    at += (size_t)sprintf(text + at, "%s", masses[kind].tail);
    const double start = seconds();
    struct reading r = read_named("deck.cir", text, at);
    const double taken = seconds() - start;
    if (r.status != KN_OK)
        show_messages(&r);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    end_reading(&r);
    free(text);
    return taken;
}

/* Ten times as much takes ten times as long, not a hundred: other programs make a run slower, never faster, so that one of a few
 * shows it. */
static void claim_linear(double (*time)(size_t kind, int n), size_t kind, int n, const char *what)
{
    double small = 0, large = INFINITY;
    for (int turn = 0; turn < 5 && !(large < 40 * small + 0.05); turn++) {
        small = time(kind, n);
        large = time(kind, 10 * n);
    }
    if (!(large < 40 * small + 0.05))
        fprintf(stderr, "\n%s: %d in %g s, %d in %g s\n", what, n, small, 10 * n, large);
    CU_ASSERT(large < 40 * small + 0.05);
}

static void reading_is_linear_in_the_size_of_the_deck(void)
{
    claim_linear(time_of_ladder, 0, 10000, "elements");
}

static void reading_is_linear_in_the_number_of_every_card(void)
{
    for (size_t kind = 0; kind < COUNT(masses); kind++)
        claim_linear(time_of_mass, kind, 3000, masses[kind].line);
}

static void a_deck_of_errors_ends(void)
{
    enum { LINES = 20000 };
    char *text = malloc(LINES * 40 + 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t at = (size_t)sprintf(text, "title\n");
    for (int i = 0; i < LINES; i++)
        at += (size_t)sprintf(text + at, i % 2 ? "D%d n%d 0 mod%d\n" : ".model m%d d\nR%d n%d 0\n", i, i, i);
    struct reading r = read_named("deck.cir", text, at);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    end_reading(&r);
    free(text);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_decks_of_this_repository_are_read_without_a_word),
        CLAIM(published_problems_are_read_without_a_word),
        CLAIM(the_seed_deck_itself_is_good),
        CLAIM(damaged_decks_never_crash_and_fail_with_a_message),
        CLAIM(noise_never_crashes),
        CLAIM(a_deck_cut_off_anywhere_never_crashes),
        CLAIM(cards_of_every_letter_without_words_fail_with_a_message),
        CLAIM(a_template_in_a_formula_of_numbers_fails_with_a_message),
        CLAIM(endless_lines_end),
        CLAIM(reading_is_linear_in_the_size_of_the_deck),
        CLAIM(reading_is_linear_in_the_number_of_every_card),
        CLAIM(a_deck_of_errors_ends),
    };
    return run_claims("deck robustness", claims, COUNT(claims));
}
