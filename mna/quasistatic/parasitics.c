/* parasitics.c - see parasitics.h. */
#include "mna/quasistatic/parasitics.h"

#include "base/names.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- which ones ---- */

static const char between[] = " ,\t";

/* The next of the names from *at on, into `name`; false at the end. */
static bool next_name(const char **at, struct text *name)
{
    *at += strspn(*at, between);
    const size_t length = strcspn(*at, between);
    name->used = 0;
    text_format(name, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

static bool is_named(const struct parasitic_choice *choice, const char *name)
{
    struct text pattern = TEXT(SENTENCE);
    for (const char *at = choice->names; at && next_name(&at, &pattern);)
        if (names_match(pattern.at, name))
            return true;
    return false;
}

/* A capacitor or an inductor by itself whose value is a number: coupled coils and laws have no part of their own. */
static bool can_go(const struct topology *t, const struct branch *b)
{
    return (b->kind == BRANCH_C || b->kind == BRANCH_L) && b->role == ROLE_VALUE && !b->controlled &&
           isfinite(b->constant) && !b->part && b->element->law == LAW_NONE && !is_coupled(&t->list, b->element);
}

static bool is_chosen(const struct parasitic_choice *choice, const struct branch *b)
{
    const double most = b->kind == BRANCH_C ? choice->most_capacitance : choice->most_inductance;
    return fabs(b->constant) <= most || is_named(choice, b->element->name);
}

static struct stray stray_of(const struct branch *b)
{
    const bool inductor = b->kind == BRANCH_L;
    return (struct stray){.element = b->element,
                          .inductor = inductor,
                          .value = b->constant,
                          .plus = inductor ? b->current : b->plus,
                          .minus = inductor ? 0 : b->minus,
                          .charge = inductor ? -b->constant : b->constant};
}

/* ---- names that fit nothing ---- */

static const char *why_not(const struct circuit *c, const struct topology *t, const char *name)
{
    const int number = circuit_find_element(c, name);
    const struct element *e = number >= 0 ? &c->elements[number] : NULL;
    if (!e)
        return "there is no such element";
    if (is_coupled(&t->list, e))
        return "it is coupled with others by a K card, whose inductances go together";
    if (e->law != LAW_NONE)
        return "its value is a formula, which may be large elsewhere";
    return "only capacitors and inductors with a value other than 0 can be left out";
}

static bool fits_one(const char *name, const struct parasitics *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (names_match(name, p->list[k].element->name))
            return true;
    return false;
}

/* The option that chooses so; the program's own choices stand nowhere. */
static struct kn_location place_of(const struct circuit *c, const struct parasitic_choice *choice)
{
    const struct setting *const said[] = {circuit_option(c, "quasistatic"), circuit_option(c, "slow_start")};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i] && said[i]->text == choice->names)
            return said[i]->where;
    return NOWHERE;
}

static enum kn_status check_names(const struct circuit *c, const struct topology *t,
                                  const struct parasitic_choice *choice, const struct parasitics *p,
                                  struct kn_diagnostics *d)
{
    enum kn_status status = KN_OK;
    struct text name = TEXT(SENTENCE);
    const struct kn_location where = place_of(c, choice);
    for (const char *at = choice->names; at && next_name(&at, &name);) {
        if (fits_one(name.at, p))
            continue;
        status = KN_ERROR_DECK;
        diagnostics_add(d, KN_ERROR, "parasitic-name", where,
                        "give names of capacitors and inductors such as C1, L2 or x1.c*",
                        "'%s' is nothing that can be left out: %s", name.at,
                        strpbrk(name.at, "*?") ? "no capacitor or inductor fits" : why_not(c, t, name.at));
    }
    return status;
}

enum kn_status parasitics_find(const struct circuit *c, const struct topology *t, const struct parasitic_choice *choice,
                               struct arena *memory, struct kn_diagnostics *d, struct parasitics *out)
{
    *out = (struct parasitics){arena_array(memory, t->list.count + 1, sizeof *out->list), 0};
    if (!out->list)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < t->list.count; i++) {
        const struct branch *b = &t->list.branches[i];
        if (can_go(t, b) && is_chosen(choice, b))
            out->list[out->count++] = stray_of(b);
    }
    return check_names(c, t, choice, out, d);
}

/* ---- without them ---- */

bool parasitics_remove(const struct circuit *c, const struct parasitics *p, struct arena *memory, struct circuit *out)
{
    struct element *elements = arena_array(memory, c->element_count + 1, sizeof *elements);
    if (!elements)
        return false;
    memcpy(elements, c->elements, c->element_count * sizeof *elements);
    for (size_t i = 0; i < p->count; i++) {
        struct element *e = &elements[p->list[i].element->number];
        e->has_value = true;
        e->value = 0;
        e->settings = NULL; /* l=, w= and the like, which say a value, too, and ic= */
        e->setting_count = 0;
        e->model = NULL;
    }
    *out = *c;
    out->elements = elements;
    return true;
}

void parasitics_add_charge(const struct parasitics *p, double factor, const double *x, double *q)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct stray *e = &p->list[i];
        const double charge = factor * e->charge * stray_state(e, x);
        if (e->plus > 0)
            q[e->plus - 1] += charge;
        if (e->minus > 0)
            q[e->minus - 1] -= charge;
    }
}
