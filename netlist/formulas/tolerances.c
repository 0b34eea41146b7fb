/* tolerances.c - DEV and LOT of PSpice, behind a parameter of a model:
 *
 *     .model name type (parameter=value DEV=5% LOT/GAUSS=2% ..)
 *
 * With .mc and .wc each element draws its own deviation for DEV, all elements of the model share that for LOT, and both add
 * up.  A number with % is a part of the value, one without is absolute; the deviation is uniform within it, or normal with it
 * as standard deviation for GAUSS, also by .options distribution=gauss.  Source: PSpice Reference Guide, ".MODEL" and
 * ".DISTRIBUTION".  A generator's number (DEV/4) is read over, so that two parameters never share one; a distribution of the
 * deck's own is taken as uniform, with a warning.
 */
#include "netlist/expand/expand.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The deviation that all elements of a model have. */
struct shared_deviation {
    const struct item *tolerance;
    const struct instance *owner;
    double value;
    struct shared_deviation *next;
};

static bool is_keyword(const char *text, const char *keyword)
{
    const size_t length = strlen(keyword);
    return strncasecmp(text, keyword, length) == 0 && (text[length] == '\0' || text[length] == '/');
}

static struct item *amount_of(const struct item *i)
{
    return i->value ? i->value : i->next && !i->next->value && i->next->kind == ITEM_WORD ? i->next : NULL;
}

bool expand_begins_tolerance(const struct item *i)
{
    return i->kind == ITEM_WORD && (is_keyword(i->text, "dev") || is_keyword(i->text, "lot")) && amount_of(i);
}

/* 5% or a number; *relative: a part. */
static bool read_amount(struct expansion *x, const struct instance *owner, struct item *i, double *amount,
                        bool *relative)
{
    const size_t length = i->kind == ITEM_WORD ? strlen(i->text) : 0;
    *relative = length > 1 && i->text[length - 1] == '%' && expression_number(i->text, length - 1, amount);
    *amount *= *relative ? 0.01 : 1;
    return *relative || expand_value(x, owner, i, amount);
}

static bool is_normal_unasked(const struct expansion *x)
{
    const struct setting *s = circuit_option(x->circuit, "distribution");
    return s && s->text && strcasecmp(s->text, "gauss") == 0;
}

/* What stands behind the slashes of DEV/4/GAUSS. */
static bool is_normal(struct expansion *x, const struct item *i)
{
    bool normal = is_normal_unasked(x);
    for (const char *word = strchr(i->text, '/'); word; word = strchr(word, '/')) {
        word++;
        const size_t length = strcspn(word, "/");
        const bool number = strspn(word, "0123456789") == length;
        const bool gauss = length == 5 && strncasecmp(word, "gauss", length) == 0;
        const bool uniform = length == 7 && strncasecmp(word, "uniform", length) == 0;
        normal = number ? normal : gauss;
        if (!number && !gauss && !uniform && !x->distribution_noted) {
            x->distribution_noted = true;
            deck_warn(x->deck, "unsupported", i->where, "GAUSS and UNIFORM are known",
                      "'%s': the distribution is taken as uniform, and so are others of the deck's own", i->text);
        }
    }
    return normal;
}

static double draw(struct expansion *x, const struct item *i, double amount)
{
    const double arguments[] = {0, amount, 1};
    return is_normal(x, i) ? draws_value(&x->draws, OP_AGAUSS, arguments, 3)
                           : draws_value(&x->draws, OP_AUNIF, arguments, 2);
}

static double shared(struct expansion *x, const struct instance *owner, const struct item *i, double amount)
{
    struct shared_deviation *d = x->shared_deviations;
    while (d && !(d->tolerance == i && d->owner == owner))
        d = d->next;
    if (!d && (d = arena_alloc(x->deck->scratch, sizeof *d))) {
        *d = (struct shared_deviation){i, owner, draw(x, i, amount), x->shared_deviations};
        x->shared_deviations = d;
    }
    return d ? d->value : 0;
}

static double of_element(struct expansion *x, const struct item *i, double amount)
{
    struct model_user *u = &x->user;
    const struct draws_owner model = draws_enter(&x->draws, 'd', u->element.path, u->element.name);
    x->draws.owner.drawn = u->drawn;
    const double deviation = draw(x, i, amount);
    u->drawn = x->draws.owner.drawn;
    u->has_own = true;
    x->draws.owner = model;
    return deviation;
}

bool expand_tolerance(struct expansion *x, const struct instance *owner, struct item **i)
{
    struct item *named = *i, *given = amount_of(named);
    struct model_user *u = &x->user;
    struct setting *of = x->settings.count > 0 ? (struct setting *)x->settings.items + x->settings.count - 1 : NULL;
    double amount = 0;
    bool relative;
    *i = named->value ? named : given;
    if (!read_amount(x, owner, given, &amount, &relative))
        return false;
    u->has_own = u->has_own || u->element.kind != 'e'; /* of a model that is looked at only */
    if (!of || !of->has_value || of->text || u->element.kind != 'e')
        return true;
    if (u->toleranced != x->settings.count) {
        u->toleranced = x->settings.count;
        u->nominal = of->value;
    }
    amount = fabs(relative ? amount * u->nominal : amount);
    of->value += is_keyword(named->text, "lot") ? shared(x, owner, named, amount) : of_element(x, named, amount);
    return true;
}
