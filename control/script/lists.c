/* lists.c - see lists.h. */
#include "control/script/lists.h"

#include "base/array.h"

#include <ctype.h>
#include <string.h>

static bool push(struct state *s, struct list *l, const char *name, const struct values *v)
{
    if (!name || !v->at ||
        !array_reserve_in(s->scratch, &l->items, l->count, l->count + 1, &l->capacity, sizeof *l->items))
        return state_no_memory(s);
    l->items[l->count++] = (struct listed){name, *v};
    return true;
}

static void take_plot(struct state *s, struct list *l, const struct plot *p)
{
    l->plot = p;
    l->scale = (struct values){0};
    l->scale_name = NULL;
    if (s->dry || p->scale >= p->count)
        return;
    l->scale = plot_values(&p->vectors[p->scale], s->scratch);
    l->scale_name = p->vectors[p->scale].name;
}

/* Quantities of devices that nobody saved, which an operating point has all of, are for those who name them. */
static bool is_result(const struct vector_kept *v)
{
    return v->of_analysis || v->name[0] != '@';
}

/* The scale of a plot is no result, and where others stand shown beside them.  only: KN_VOLTAGE of allv, KN_CURRENT of
 * alli; NULL: all. */
static bool push_all(struct state *s, struct list *l, const struct plot *p, const enum kn_quantity *only)
{
    bool good = true;
    if (l->count == 0)
        take_plot(s, l, p);
    for (size_t i = 0; good && !s->dry && i < p->count; i++)
        if ((i != p->scale || p->count == 1) && is_result(&p->vectors[i]) &&
            (!only || p->vectors[i].quantity == *only)) {
            const struct values v = plot_values(&p->vectors[i], s->scratch);
            good = push(s, l, p->vectors[i].name, &v);
        }
    return good;
}

/* The plot in front of "noise1.all", which ends there; not yet there where commands are only looked at.  NULL: none. */
static const struct plot *plot_in_front(struct state *s, const char *text, const char *end)
{
    const char *name = text == end ? NULL : arena_text(s->scratch, text, (size_t)(end - text));
    return name && !s->dry ? plots_find(&s->plots, name) : s->plots.current;
}

/* "all" and its like, also behind the name of a plot; false: something else stands there. */
static bool take_all(struct state *s, struct list *l, struct formula *f, bool *good)
{
    static const enum kn_quantity voltages = KN_VOLTAGE, currents = KN_CURRENT;
    static const struct {
        const char *word;
        const enum kn_quantity *only;
    } words[] = {{"all", NULL}, {"ally", NULL}, {"allv", &voltages}, {"alli", &currents}};
    const char *begin = f->at + strspn(f->at, " \t"), *dot = begin + strcspn(begin, ". \t");
    const char *word = *dot == '.' ? dot + 1 : begin;
    const struct plot *p = plot_in_front(s, begin, *dot == '.' ? dot : begin);
    for (size_t i = 0; p && i < sizeof words / sizeof *words; i++)
        if (script_word(&word, words[i].word)) {
            f->at = word;
            *good = push_all(s, l, p, words[i].only);
            return true;
        }
    return false;
}

static bool push_formula(struct state *s, struct list *l, struct formula *f)
{
    const char *begin;
    struct values v;
    if (!state_evaluate_next(s, f, &v, &begin))
        return false;
    size_t length = (size_t)(f->at - begin);
    while (length > 0 && strchr(" \t", begin[length - 1]))
        length--;
    if (l->count == 0 && v.plot && v.plot != l->plot)
        take_plot(s, l, v.plot);
    return push(s, l, arena_text(s->scratch, begin, length), &v);
}

static bool take_other_scale(struct state *s, struct list *l, struct formula *f)
{
    const char *begin;
    if (!state_evaluate_next(s, f, &l->scale, &begin))
        return false;
    l->scale_name = arena_text(s->scratch, begin, (size_t)(f->at - begin));
    return l->scale_name || state_no_memory(s);
}

bool list_read(struct state *s, const char *text, bool none_is_all, struct list *out)
{
    *out = (struct list){.items = NULL};
    take_plot(s, out, s->plots.current);
    struct formula f = state_formula(s, text);
    bool good = true;
    if (formula_is_at_end(&f))
        return none_is_all ? push_all(s, out, out->plot, NULL)
                           : state_fail(s, "such as v(out), or all", "%s: expected vectors", s->command->name);
    while (good && !formula_is_at_end(&f)) {
        if (script_word(&f.at, "vs"))
            good = take_other_scale(s, out, &f);
        else if (!take_all(s, out, &f, &good))
            good = push_formula(s, out, &f);
    }
    return good;
}

bool list_has_scale(const struct list *l, size_t i)
{
    return l->scale.count > 0 && l->items[i].values.count == l->scale.count;
}

/* ---- > and >> ---- */

/* Where the sign stands; NULL: nowhere. */
const char *list_redirect_sign(const char *text)
{
    bool quoted = false;
    int depth = 0;
    const char *found = NULL;
    for (const char *c = text; *c; c++) {
        quoted ^= *c == '"';
        depth += (*c == '(') - (*c == ')');
        if (!quoted && depth == 0 && *c == '>' && !found)
            found = c;
    }
    return found;
}

bool list_redirect(struct state *s, const char **text)
{
    const char *sign = list_redirect_sign(*text);
    if (!sign)
        return true;
    const bool append = sign[1] == '>';
    const char *at = sign + 1 + append, *name = state_word(s, &at);
    if (!name || *(at + strspn(at, " \t")))
        return state_fail(s, "a comparison stands in parentheses: (a > b)",
                          "%s: expected the name of a file behind '>'", s->command->name);
    *text = arena_text(s->scratch, *text, (size_t)(sign - *text));
    if (!*text)
        return state_no_memory(s);
    if (s->dry)
        return state_place(s, name) != NULL;
    s->redirected = state_open(s, name, append);
    return s->redirected != NULL;
}

bool list_end_redirect(struct state *s)
{
    FILE *f = s->redirected;
    s->redirected = NULL;
    return !f || state_close(s, f, "the file behind '>'");
}
