/* test_catalogue.c - kinds that share a letter, by type and level of their models and by their nodes; catalogues in front
 * of others.
 */
#include "deck_fixture.h"
#include "read_circuit.h"

static const struct model_type mos[] = {{"nmos", NULL, NULL}, {"pmos", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_type power[] = {{"vdmos", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_type fets[] = {{"njf", NULL, NULL}, {"pjf", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_type mesfets[] = {{"nmf", "gaas", NULL}, {"pmf", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_level grove_frohman[] = {{2, "Grove-Frohman"}, {3, "semi-empirical"}, {0, NULL}};
static const struct model_level soi_levels[] = {{10, "SOI"}, {0, NULL}};

static const struct element_kind level_2 = {.letter = 'm',
                                            .noun = "MOSFET",
                                            .nodes = "drain gate source bulk",
                                            .usage = "model",
                                            .form = CARD_MODEL,
                                            .types = mos,
                                            .levels = grove_frohman,
                                            .values = "l w"};
static const struct element_kind soi = {.letter = 'm',
                                        .noun = "SOI transistor",
                                        .nodes = "drain gate source back [body]",
                                        .usage = "model",
                                        .form = CARD_MODEL,
                                        .types = mos,
                                        .levels = soi_levels};
static const struct element_kind vdmos = {
    .letter = 'm', .noun = "VDMOS", .nodes = "drain gate source", .usage = "model", .form = CARD_MODEL, .types = power};
static const struct element_kind jfet = {.letter = 'j',
                                         .noun = "JFET",
                                         .nodes = "drain gate source",
                                         .usage = "model [area]",
                                         .form = CARD_MODEL,
                                         .types = fets,
                                         .values = "area"};
static const struct element_kind mesfet = {.letter = 'z',
                                           .noun = "MESFET",
                                           .nodes = "drain gate source",
                                           .usage = "model [area]",
                                           .form = CARD_MODEL,
                                           .types = mesfets,
                                           .values = "area"};
static const struct element_kind *const own[] = {&level_2, &soi, &vdmos, &jfet, &mesfet, NULL};
static const struct catalogue catalogue = {.kinds = own, .more = &device_catalogue};

static struct reading read_with_own(const char *body)
{
    char text[2000];
    const int length = snprintf(text, sizeof text, "title\n%s", body);
    struct reading r = {.diagnostics = kn_diagnostics_new()};
    r.status = circuit_read_text(&catalogue, "deck.cir", text, (size_t)length, r.diagnostics, &r.circuit);
    return r;
}

static struct reading read_well(const char *body)
{
    struct reading r = read_with_own(body);
    if (r.status != KN_OK)
        show_messages(&r);
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    return r;
}

static void claim_kind(const struct reading *r, const char *name, const struct element_kind *kind, size_t nodes)
{
    CU_ASSERT_PTR_EQUAL(element_named(r, name)->kind, kind);
    CU_ASSERT_EQUAL(element_named(r, name)->node_count, nodes);
}

static void the_level_of_the_model_tells_the_kind(void)
{
    struct reading r = read_well(".param n=2\n.model m1 nmos\n.model m2 nmos(level={n})\n.model m3 pmos level=3\n"
                                 "M1 d g s b m1 1u 2u\nM2 d g s b m2 1u 2u\nM3 d g s b m3\n");
    claim_kind(&r, "M1", catalogue_find(&device_catalogue, 'm', "nmos", 1), 4);
    claim_kind(&r, "M2", &level_2, 4);
    claim_kind(&r, "M3", &level_2, 4);
    CHECK_NEAR(setting_of(element_named(&r, "M2"), "w"), 2e-6, 0);
    end_reading(&r);
}

static void kinds_of_one_letter_may_have_other_nodes(void)
{
    struct reading r = read_well(".model v vdmos\n.model s nmos(level=10)\n.model m nmos\n"
                                 "M1 d g s v\nM2 d g s e s\nM3 d g s e b s\nM4 d g s b m\n");
    claim_kind(&r, "M1", &vdmos, 3);
    claim_kind(&r, "M2", &soi, 5);
    claim_kind(&r, "M3", &soi, 5);
    claim_kind(&r, "M4", catalogue_find(&device_catalogue, 'm', "nmos", 1), 4);
    CU_ASSERT_EQUAL(element_named(&r, "M2")->nodes[4], 0); /* left out: ground */
    CU_ASSERT(element_named(&r, "M3")->nodes[4] > 0);
    end_reading(&r);
}

static void letters_of_other_simulators_become_known(void)
{
    struct reading r = read_well(".model j pjf(vto=-2)\n.model z GaAs\nJ1 d g s j 3 off\nZ1 d g s z\n");
    claim_kind(&r, "J1", &jfet, 3);
    claim_kind(&r, "Z1", &mesfet, 3);
    CHECK_NEAR(setting_of(element_named(&r, "J1"), "area"), 3, 0);
    CU_ASSERT_STRING_EQUAL(element_named(&r, "Z1")->model->type, "nmf");
    end_reading(&r);
}

static void claim_message(const char *body, int line, int column, const char *code, const char *text, const char *hint)
{
    struct reading r = read_with_own(body);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    if (!has_message(&r, KN_ERROR, &(struct expected){line, column, code, text, hint}))
        show_messages(&r);
    CU_ASSERT(has_message(&r, KN_ERROR, &(struct expected){line, column, code, text, hint}));
    end_reading(&r);
}

static void messages_know_all_kinds(void)
{
    claim_message(".model m nmos(level=5)\nM1 d g s b m\n", 2, 8, "model-level", "no level 5 for type 'nmos'",
                  "level 2, Grove-Frohman; level 3, semi-empirical; level 10, SOI; level 1, Shichman-Hodges");
    claim_message(".model d d\nM1 d g s b d\n", 3, 12, "model-type", "type 'd'", "needs type nmos or pmos or vdmos");
    claim_message(".model j njff\nJ1 d g s j\n", 2, 10, "model-type", "unknown model type 'njff'",
                  "did you mean 'njf'?");
    claim_message("J1 d g s nothing\n", 2, 10, "unknown-model", "'nothing'", "njf(..)");
    claim_message(".model j njf\nJ1 d g j\n", 3, 8, "syntax", "JFET 'J1': expected 3 nodes", "Jname drain gate source");
    claim_message("?1 a b\n", 2, 1, "unknown-element", NULL, "letters M J Z R C L");
}

static void usage_and_nodes_come_from_one_text(void)
{
    struct arena *arena = arena_new();
    CU_ASSERT_STRING_EQUAL(kind_usage(&soi, arena), "Mname drain gate source back [body] model");
    CU_ASSERT_EQUAL(kind_nodes(&soi).least, 4);
    CU_ASSERT_EQUAL(kind_nodes(&soi).open, 1);
    arena_free(arena);
}

static void names_separated_by_blanks_are_found_whole_and_in_any_case(void)
{
    CU_ASSERT(name_is_among("kf af mfg", "AF"));
    CU_ASSERT(!name_is_among("kf af mfg", "a"));
    CU_ASSERT(!name_is_among("kf af mfg", "mf"));
    CU_ASSERT(!name_is_among(NULL, "kf"));
    CU_ASSERT(!name_is_among("", "kf"));
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_level_of_the_model_tells_the_kind),
        CLAIM(kinds_of_one_letter_may_have_other_nodes),
        CLAIM(letters_of_other_simulators_become_known),
        CLAIM(messages_know_all_kinds),
        CLAIM(usage_and_nodes_come_from_one_text),
        CLAIM(names_separated_by_blanks_are_found_whole_and_in_any_case),
    };
    return run_claims("catalogue", claims, COUNT(claims));
}
