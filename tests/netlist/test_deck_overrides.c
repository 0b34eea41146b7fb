/* One deck, read once, expanded with other values: what comes out is the circuit of a deck in which they are written. */
#include "claims.h"
#include "devices/device.h"
#include "netlist/netlist.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Parameters in every place: values, laws, models, options, requests, instances within instances. */
static const char form[] = "Everything that may change\n"
                           ".param w=%.17g twice={2*w}\n"
                           ".temp %.17g\n"
                           ".options reltol=%.17g tnom={20+w}\n"
                           "V1 in 0 DC %.17g SIN(0 {w} 1k)\n"
                           "R1 in a {1k*twice} tc1=1m\n"
                           "R2 a 0 %.17g\n"
                           "Rb a b {1k*(1+w*v(a)^2)}\n"
                           "B1 b 0 I={w*v(in,a)+temper*1u}\n"
                           "C1 b 0 1n ic={w}\n"
                           "D1 a b dm area={w}\n"
                           "X1 a b s w=%.17g\n"
                           "X2 a b s\n"
                           ".subckt s p q w=3\n"
                           "R1 p q {w*1k}\n"
                           "X1 p q t v={w+1}\n"
                           ".ends\n"
                           ".subckt t p q v=7\n"
                           "R1 p q {v*1k}\n"
                           "D1 p q ld\n"
                           ".model ld d(rs={v})\n"
                           ".ends\n"
                           ".model dm d(is=%.17g rs={w})\n"
                           ".ic v(a)={w}\n"
                           ".measure tran m1 MAX v(a) TO={w*1m}\n"
                           ".measure tran m2 PARAM='m1*w'\n"
                           ".print tran v(a) {v(a)*w}\n"
                           ".tran 1u {w*1m}\n"
                           ".end\n";

enum { VALUES = 7 };
static const double written[VALUES] = {2, 27, 1e-3, 5, 1e3, 4, 1e-14}; /* in the order of the form */

static char *deck_text(const double *values)
{
    char *text = malloc(sizeof form + VALUES * 30);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    sprintf(text, form, values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
    return text;
}

static struct deck *parse(const char *text, struct kn_diagnostics *d)
{
    struct deck *k = NULL;
    CU_ASSERT_EQUAL_FATAL(deck_parse_text(&device_catalogue, "deck.cir", text, strlen(text), NULL, d, &k), KN_OK);
    return k;
}

static struct circuit *expand(const struct deck *k, const struct override *items, size_t count,
                              struct kn_diagnostics *d)
{
    const struct overrides overrides = {.items = items, .count = count};
    struct circuit *c = NULL;
    if (deck_expand(k, &overrides, NULL, d, &c) != KN_OK)
        for (size_t i = 0; i < kn_diagnostics_count(d); i++)
            printf("%s\n", kn_diagnostics_get(d, i)->text);
    return c;
}

/* ---- comparing circuits ---- */

static bool same_settings(const struct setting *a, size_t a_count, const struct setting *b, size_t b_count)
{
    bool same = a_count == b_count;
    for (size_t i = 0; i < a_count && same; i++) {
        size_t k = 0;
        while (k < b_count && !names_equal(a[i].name, b[k].name))
            k++;
        same = k < b_count && a[i].has_value == b[k].has_value && a[i].value == b[k].value;
    }
    return same;
}

static bool same_expression(const struct expression *a, const struct expression *b)
{
    static const double points[][3] = {{0, 0, 0}, {1, -0.5, 0.25}, {0.1, 0.2, 0.4}};
    if (!a || !b)
        return a == b;
    bool same = expression_variable_count(a) == expression_variable_count(b) && expression_variable_count(a) <= 3 &&
                expression_workspace(a) <= 200 && expression_workspace(b) <= 200;
    for (int i = 0; i < 3 && same; i++) {
        double first[200], second[200];
        const struct expression_point at = {points[i], 0.5, 30, NULL, false};
        same = expression_evaluate(a, &at, first, NULL, NULL) == expression_evaluate(b, &at, second, NULL, NULL);
    }
    return same;
}

static bool same_element(const struct element *a, const struct element *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->node_count == b->node_count &&
                a->value == b->value && a->has_value == b->has_value && a->source.dc == b->source.dc &&
                a->source.wave.count == b->source.wave.count &&
                same_settings(a->settings, a->setting_count, b->settings, b->setting_count) &&
                same_expression(a->expression, b->expression);
    for (size_t i = 0; i < a->source.wave.count && same; i++)
        same = a->source.wave.values[i] == b->source.wave.values[i];
    for (size_t i = 0; i < a->node_count && same; i++)
        same = a->nodes[i] == b->nodes[i];
    return same && (!a->model) == (!b->model) &&
           (!a->model ||
            same_settings(a->model->settings, a->model->setting_count, b->model->settings, b->model->setting_count));
}

static bool same_circuit(const struct circuit *a, const struct circuit *b)
{
    bool same = a->element_count == b->element_count && a->node_count == b->node_count &&
                a->temperature == b->temperature && a->nominal_temperature == b->nominal_temperature &&
                circuit_option(a, "reltol")->value == circuit_option(b, "reltol")->value &&
                a->initial[0].value == b->initial[0].value && a->transients[0].stop == b->transients[0].stop &&
                a->measures[0].to.value == b->measures[0].to.value &&
                same_expression(a->measures[1].signal, b->measures[1].signal) &&
                same_expression(a->prints[1].expression, b->prints[1].expression);
    for (size_t i = 0; i < a->element_count && same; i++) {
        same = same_element(&a->elements[i], &b->elements[i]);
        if (!same)
            printf("%s differs\n", a->elements[i].name);
    }
    return same;
}

/* ---- claims ---- */

static void an_override_is_as_good_as_a_value_in_the_deck(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    char *text = deck_text(written);
    struct deck *k = parse(text, d);
    unsigned seed = 100;
    free(text);
    for (int round = 0; round < 100; round++) {
        double values[VALUES];
        for (int i = 0; i < VALUES; i++) {
            seed = seed * 1664525u + 1013904223u;
            values[i] = written[i] * (0.5 + seed / 4294967296.0);
        }
        const struct override items[] = {{.kind = OVERRIDE_PARAMETER, .name = "W", .value = values[0]},
                                         {.kind = OVERRIDE_TEMPERATURE, .value = values[1]},
                                         {.kind = OVERRIDE_OPTION, .name = "reltol", .value = values[2]},
                                         {.kind = OVERRIDE_ELEMENT, .name = "v1", .value = values[3]},
                                         {.kind = OVERRIDE_ELEMENT, .name = "r2", .value = values[4]},
                                         {.kind = OVERRIDE_PARAMETER, .name = "x1.w", .value = values[5]},
                                         {.kind = OVERRIDE_MODEL, .name = "dm", .setting = "is", .value = values[6]}};
        text = deck_text(values);
        struct kn_diagnostics *own = kn_diagnostics_new();
        struct deck *other = parse(text, own);
        struct circuit *expected = expand(other, NULL, 0, own), *c = expand(k, items, VALUES, d);
        CU_ASSERT_FATAL(expected && c);
        CU_ASSERT(same_circuit(c, expected));
        circuit_free(c);
        circuit_free(expected);
        deck_free(other);
        kn_diagnostics_free(own);
        free(text);
    }
    struct circuit *again = expand(k, NULL, 0, d);
    text = deck_text(written);
    struct deck *other = parse(text, d);
    struct circuit *expected = expand(other, NULL, 0, d);
    CU_ASSERT(same_circuit(again, expected)); /* nothing of what was overridden stays */
    circuit_free(again);
    circuit_free(expected);
    deck_free(other);
    deck_free(k);
    free(text);
    kn_diagnostics_free(d);
}

static void a_circuit_outlives_its_deck(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    char *text = deck_text(written);
    struct deck *k = parse(text, d);
    struct circuit *c = expand(k, NULL, 0, d);
    deck_free(k);
    CU_ASSERT_STRING_EQUAL(c->title, "Everything that may change");
    CU_ASSERT_STRING_EQUAL(c->elements[0].where.file, "deck.cir");
    CU_ASSERT_STRING_EQUAL(c->models[0].name, "dm");
    circuit_free(c);
    free(text);
    kn_diagnostics_free(d);
}

/* A setting that the deck does not have joins it; the place of one that it has does not matter. */
static void settings_of_elements_and_models_can_be_other(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct deck *k = parse("t\nR1 a 0 1k tc1=1\nM1 a a 0 0 mn l=1u w=2u\n.model mn nmos(vto=1)\n.op\n.end\n", d);
    const struct override items[] = {{.kind = OVERRIDE_ELEMENT, .name = "R1", .setting = "tc1", .value = 2},
                                     {.kind = OVERRIDE_ELEMENT, .name = "m1", .setting = "W", .value = 3},
                                     {.kind = OVERRIDE_MODEL, .name = "MN", .setting = "kp", .value = 4},
                                     {.kind = OVERRIDE_ELEMENT, .name = "r1", .setting = "tc2", .value = 5}};
    struct circuit *c = expand(k, items, 4, d);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    const struct setting resistor[] = {{.name = "tc1", .has_value = true, .value = 2},
                                       {.name = "tc2", .has_value = true, .value = 5}};
    const struct setting transistor[] = {{.name = "l", .has_value = true, .value = 1e-6},
                                         {.name = "w", .has_value = true, .value = 3}};
    const struct setting model[] = {{.name = "vto", .has_value = true, .value = 1},
                                    {.name = "kp", .has_value = true, .value = 4}};
    CU_ASSERT(same_settings(c->elements[0].settings, c->elements[0].setting_count, resistor, 2));
    CU_ASSERT(same_settings(c->elements[1].settings, c->elements[1].setting_count, transistor, 2));
    CU_ASSERT(same_settings(c->models[0].settings, c->models[0].setting_count, model, 2));
    circuit_free(c);
    deck_free(k);
    kn_diagnostics_free(d);
}

static void refused(const char *text, struct override o, const char *message)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct deck *k = parse(text, d);
    struct circuit *c = NULL;
    const struct overrides overrides = {.items = &o, .count = 1};
    CU_ASSERT_EQUAL(deck_expand(k, &overrides, NULL, d, &c), KN_ERROR_DECK);
    CU_ASSERT_PTR_NULL(c);
    CU_ASSERT_FATAL(kn_diagnostics_count(d) > 0);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(d, 0)->text, message);
    deck_free(k);
    kn_diagnostics_free(d);
}

static void what_names_nothing_is_refused(void)
{
    const char *text = "t\n.param w=1\nR1 a 0 {w}\nB1 a 0 I={v(a)}\n.op\n.end\n";
    refused(text, (struct override){.kind = OVERRIDE_PARAMETER, .name = "v", .value = 1}, "there is no parameter 'v'");
    refused(text, (struct override){.kind = OVERRIDE_PARAMETER, .name = "x1.w", .value = 1},
            "there is no parameter 'x1.w'");
    refused(text, (struct override){.kind = OVERRIDE_ELEMENT, .name = "r2", .value = 1}, "there is no element 'r2'");
    refused(text, (struct override){.kind = OVERRIDE_ELEMENT, .name = "b1", .value = 1},
            "'B1' has no value that could be another");
    refused(text, (struct override){.kind = OVERRIDE_MODEL, .name = "dm", .setting = "is", .value = 1},
            "there is no model 'dm'");
}

/* What reading and the first expansion said is not said again, also where a line is not ASCII; memory stays flat. */
static void a_hundred_expansions_say_things_once_and_leave_nothing(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct deck *k = parse("t\n.param w=1 w=2\nR1 a 0 {w} \xc2\xb5=1\nX\xc3\xa4 a b s w=2 nosuch=3\nR2 a b {1k+}\n"
                           ".subckt s p q w=1\nR1 p q {w}\n.ends\n.foo\n.op\n.end\n",
                           d);
    size_t count = 0, errors = 0, used = 0;
    for (int round = 0; round < 100; round++) {
        const struct override w = {.kind = OVERRIDE_PARAMETER, .name = "w", .value = round};
        const struct overrides overrides = {.items = &w, .count = 1};
        struct circuit *c;
        CU_ASSERT_EQUAL(deck_expand(k, &overrides, NULL, d, &c), KN_ERROR_DECK);
        if (round == 0)
            count = kn_diagnostics_count(d);
        if (round == 0)
            errors = kn_diagnostics_errors(d);
        if (round == 50) /* the C library's own stock of small pieces is full by then */
            used = mallinfo2().uordblks;
    }
    CU_ASSERT(count >= 4);
    CU_ASSERT_EQUAL(kn_diagnostics_count(d), count);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), errors);
    CU_ASSERT_EQUAL(mallinfo2().uordblks, used);
    deck_free(k);
    kn_diagnostics_free(d);
}

/* ---- several threads ---- */

struct worker {
    const struct deck *deck;
    const struct circuit *expected;
    bool same;
};

static void *expand_often(void *context)
{
    struct worker *w = context;
    const struct override same[] = {{.kind = OVERRIDE_PARAMETER, .name = "w", .value = written[0]},
                                    {.kind = OVERRIDE_ELEMENT, .name = "r2", .value = 1e3}};
    const struct overrides overrides = {.items = same, .count = 2};
    w->same = true;
    for (int round = 0; round < 25; round++) {
        struct circuit *c;
        w->same = deck_expand(w->deck, &overrides, NULL, NULL, &c) == KN_OK && same_circuit(c, w->expected) && w->same;
        circuit_free(c);
    }
    return NULL;
}

static void threads_expand_one_deck_at_once(void)
{
    enum { THREADS = 4 };
    struct kn_diagnostics *d = kn_diagnostics_new();
    char *text = deck_text(written);
    struct deck *k = parse(text, d);
    struct circuit *expected = expand(k, NULL, 0, d);
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){k, expected, false};
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, expand_often, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CU_ASSERT(workers[i].same);
    }
    circuit_free(expected);
    deck_free(k);
    free(text);
    kn_diagnostics_free(d);
}

/* Seconds of the processor for the circuits of a thousand runs of a deck whose table has so many rows. */
static double time_of_expansions(int rows)
{
    char *text = malloc(200 + (size_t)rows * 10), *at = text;
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    at += sprintf(at, "table\n.param va=1\nV1 a 0 {va}\nR1 a 0 1k\n.dc data=d\n.data d va\n");
    for (int i = 0; i < rows; i++)
        at += sprintf(at, "+ %d\n", i);
    sprintf(at, ".enddata\n.end\n");
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct deck *k = parse(text, d);
    const struct override one = {.kind = OVERRIDE_PARAMETER, .name = "va", .value = 2};
    const struct overrides run = {.items = &one, .count = 1, .of_run = true};
    const clock_t start = clock();
    for (int i = 0; i < 1000; i++) {
        struct circuit *c = NULL;
        CU_ASSERT_EQUAL(deck_expand(k, &run, NULL, d, &c), KN_OK);
        circuit_free(c);
    }
    const double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    deck_free(k);
    free(text);
    kn_diagnostics_free(d);
    return time;
}

/* .dc data= makes a circuit of each row: in all it would be the square of their number. */
static void rows_of_a_table_cost_nothing_in_each_run(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 * 1024); /* as the program has it: large memory comes from the system each time */
    CU_ASSERT(time_of_expansions(100000) < 4 * time_of_expansions(100) + 0.02);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(an_override_is_as_good_as_a_value_in_the_deck),
        CLAIM(a_circuit_outlives_its_deck),
        CLAIM(settings_of_elements_and_models_can_be_other),
        CLAIM(what_names_nothing_is_refused),
        CLAIM(threads_expand_one_deck_at_once),
        CLAIM(rows_of_a_table_cost_nothing_in_each_run),
        CLAIM(a_hundred_expansions_say_things_once_and_leave_nothing),
    };
    return run_claims("decks read once", claims, sizeof claims / sizeof *claims);
}
