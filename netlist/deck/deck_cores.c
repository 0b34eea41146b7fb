/* deck_cores.c - LTspice's inductors on a core,
 *
 *     Lname a b Hc=coercive force Bs=saturation Br=remanence A=area Lm=path Lg=gap N=turns
 *
 * after Chan, Vladimirescu, Gao, Liebmann and Valainis (IEEE Trans. CAD 10 (1991) 476), become windings of so many turns on a core
 * of Jiles and Atherton, a K card with a model: the curve without memory of Chan's core, M = Ms H/(|H| + Hc (Bs/Br - 1)), is the
 * anhysteretic one of that, and Hc its pinning.  Loops are not the same, which is said.
 */
#include "netlist/deck/deck_reader.h"

#include <ctype.h>
#include <string.h>

enum { FORCE, SATURATION, REMANENCE, AREA, PATH, GAP, TURNS, SIZES };

static const char *const names[SIZES] = {"hc", "bs", "br", "a", "lm", "lg", "n"};

static int size_of(const struct item *i)
{
    for (int k = 0; k < SIZES && i->value; k++)
        if (item_is(i, names[k]))
            return k;
    return -1;
}

/* Texts of the sizes that the card gives; false where it is no such core, or not a whole one. */
static bool find_sizes(const struct statement *s, const char *sizes[SIZES])
{
    size_t words = 0;
    if (tolower((unsigned char)s->items->text[0]) != 'l')
        return false;
    for (const struct item *i = s->items->next; i; i = i->next) {
        const int k = size_of(i);
        words += !i->value;
        if (k >= 0)
            sizes[k] = i->value->text;
    }
    sizes[GAP] = sizes[GAP] ? sizes[GAP] : "0";
    sizes[TURNS] = sizes[TURNS] ? sizes[TURNS] : "1";
    for (int k = 0; k < SIZES; k++)
        if (!sizes[k] || !*sizes[k])
            return false;
    return words == 2;
}

/* The nodes, the turns, and what else the card gives. */
static void add_winding(struct deck *k, const struct statement *s, const char *turns)
{
    struct item *last = s->items->next->next;
    struct item_row r = {.k = k, .like = last};
    struct item *value = deck_push_item(&r, ITEM_EXPRESSION, turns);
    if (!value)
        return;
    value->next = last->next;
    last->next = value;
    for (struct item *i = value; i->next;) {
        if (size_of(i->next) >= 0)
            i->next = i->next->next;
        else
            i = i->next;
    }
}

static void add_core(struct deck *k, const struct statement *s, const char *name)
{
    struct item_row r = {.k = k, .like = s->items};
    deck_push_item(&r, ITEM_WORD, arena_format(k->arena, "k%s#core", s->items->text));
    deck_push_item(&r, ITEM_WORD, s->items->text);
    deck_push_item(&r, ITEM_WORD, "1");
    deck_push_item(&r, ITEM_WORD, name);
    struct statement *coupling = deck_statement_of(&r, s);
    if (coupling)
        deck_add_element(k, coupling);
}

/* .model name core ms=.. a=.. k=.. area=.. path=.. gap=..: A/m, and cm as in PSpice. */
static void add_model(struct deck *k, const struct statement *s, const char *name, const char *const *size)
{
    struct arena *a = k->arena;
    const char *const of[][2] = {
        {"ms", arena_format(a, "(%s)/1.25663706212e-6", size[SATURATION])},
        {"a", arena_format(a, "(%s)*((%s)/(%s)-1)", size[FORCE], size[SATURATION], size[REMANENCE])},
        {"k", size[FORCE]},
        {"area", arena_format(a, "1e4*(%s)", size[AREA])},
        {"path", arena_format(a, "1e2*(%s)", size[PATH])},
        {"gap", arena_format(a, "1e2*(%s)", size[GAP])}};
    struct item_row r = {.k = k, .like = s->items};
    deck_push_item(&r, ITEM_WORD, ".model");
    deck_push_item(&r, ITEM_WORD, name);
    deck_push_item(&r, ITEM_WORD, "core");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct item *setting = deck_push_item(&r, ITEM_WORD, of[i][0]);
        struct item_row value = {.k = k, .like = s->items};
        if (setting)
            setting->value = deck_push_item(&value, ITEM_EXPRESSION, of[i][1]);
    }
    struct statement *model = deck_statement_of(&r, s);
    if (model)
        deck_take_model(k, model);
}

bool deck_take_core(struct deck *k, struct statement *s)
{
    const char *sizes[SIZES] = {NULL}, *name;
    if (s->broken || !find_sizes(s, sizes))
        return false;
    name = arena_format(k->arena, "%s#core", s->items->text);
    if (!name)
        return deck_no_memory(k);
    deck_warn(
        k, "core", s->items->where, "take one of Jiles and Atherton that has been fitted, where the losses matter",
        "'%s' is on a core of Chan's, which is taken for one of Jiles and Atherton with the same Bs, Hc, curve without "
        "memory and sizes; its loops are not the same",
        s->items->text);
    add_winding(k, s, sizes[TURNS]);
    deck_add_element(k, s);
    add_core(k, s, name);
    add_model(k, s, name, sizes);
    return true;
}
