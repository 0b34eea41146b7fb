/* saved_point.c - .save type=ic file=x.ic level=all time=1u of HSPICE and Xyce: the node voltages of a point in a file, which another
 * deck includes.  It becomes a card .savebias, which is LTspice's and PSpice's for the same.
 *
 * HSPICE Reference Manual: Commands, .SAVE; Xyce Reference Guide, .SAVE: the type is nodeset and the level all unless
 * they say otherwise, and the file is called after the deck.  Xyce knows no time but that of the operating point.
 */
#include "netlist/requests/requests.h"

#include <string.h>

struct saved_point {
    const struct item *file; /* NULL: not given */
    struct item *time;       /* likewise */
    bool initial;            /* .ic, not .nodeset */
    bool unwanted;           /* level=none */
};

static const char form[] = "write .save type=ic file=name.ic, or .savebias \"file\"";

static bool is_setting(const struct item *i)
{
    return i && i->kind == ITEM_WORD && i->value && name_is_among("type file level time", i->text);
}

bool request_is_saved_point(const struct expansion *x, const struct statement *s)
{
    const unsigned such = DIALECT_BIT(DIALECT_XYCE) | DIALECT_BIT(DIALECT_HSPICE);
    const struct item *first = s->items->next;
    return first ? is_setting(first) : !s->broken && such & DIALECT_BIT(x->deck->dialect);
}

static void take_level(struct deck *k, const struct item *i, struct saved_point *p)
{
    p->unwanted = item_is(i->value, "none");
    if (!p->unwanted && !item_is(i->value, "all"))
        deck_warn(k, "unsupported", i->where, form, "'.save': the level is all or none; '%s' is taken for all",
                  item_text(i->value));
}

static void take_type(struct deck *k, const struct item *i, struct saved_point *p)
{
    p->initial = item_is(i->value, "ic");
    if (!p->initial && !item_is(i->value, "nodeset"))
        deck_warn(k, "unsupported", i->where, form, "'.save': the type is ic or nodeset; '%s' is taken for nodeset",
                  item_text(i->value));
}

static void take_time(struct deck *k, struct item *i, struct saved_point *p)
{
    p->time = i;
    if (k->dialect == DIALECT_XYCE) {
        deck_note_dialect(k, "bias-time", i->where, "'.save': the point is the operating point, whatever time= says");
        p->time = NULL;
    }
}

static void take_settings(struct deck *k, const struct statement *s, struct saved_point *p)
{
    for (struct item *i = s->items->next; i; i = i->next)
        if (!is_setting(i))
            deck_warn(k, "unsupported", i->where, form, "'.save': '%s' is ignored", item_text(i));
        else if (item_is(i, "level"))
            take_level(k, i, p);
        else if (item_is(i, "type"))
            take_type(k, i, p);
        else if (item_is(i, "time"))
            take_time(k, i, p);
        else
            p->file = i->value;
}

/* Of amp.cir Xyce makes amp.cir.ic, HSPICE amp.ic0. */
static const char *name_of_file(struct deck *k, const struct saved_point *p)
{
    const char *slash = strrchr(k->file, '/'), *deck = slash ? slash + 1 : k->file;
    if (p->file)
        return item_text(p->file);
    if (k->dialect != DIALECT_HSPICE)
        return arena_format(k->arena, "%s.ic", deck);
    const char *dot = strrchr(deck, '.');
    return arena_format(k->arena, "%.*s.ic0", dot ? (int)(dot - deck) : (int)strlen(deck), deck);
}

/* What .savebias refuses is no reason not to run this deck: it asks for output. */
static bool is_plain(struct deck *k, const struct item *file)
{
    const char *name = file ? item_text(file) : "x";
    const bool plain =
        *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "-") != 0;
    if (!plain)
        deck_warn(
            k, "unsupported", file->where, form,
            "'.save': the file is written beside the results and needs a name without folders; it is not written");
    return plain;
}

static bool push_card(struct expansion *x, struct instance *at, const struct statement *s, const struct saved_point *p)
{
    const struct kn_location where = s->items->where;
    const char *name = name_of_file(x->deck, p);
    struct analysis_card card = {.name = ".savebias", .where = where};
    x->settings.count = 0;
    bool good = (name || deck_no_memory(x->deck)) && expand_push_setting(x, name, where, (struct setting){0});
    if (good && p->initial)
        good = expand_push_setting(x, "ic", where, (struct setting){0});
    if (good && p->time)
        good = expand_setting(x, at, p->time);
    return good && expand_keep_settings(x, &card.settings, &card.setting_count) && expand_add(x, &x->cards, &card);
}

void request_saved_point(struct expansion *x, struct instance *at, struct statement *s)
{
    struct saved_point p = {0};
    struct leniency lenient;
    if (!deck_begin_lenient(x->deck, &lenient))
        return;
    take_settings(x->deck, s, &p);
    if (!s->broken && !p.unwanted && is_plain(x->deck, p.file))
        push_card(x, at, s, &p);
    deck_end_lenient(x->deck, &lenient, "nothing is saved");
}
