/* tolerances.c - DEV and LOT of PSpice, behind a parameter of a model:
 *
 *     .model name type (parameter=value DEV=5% LOT/GAUSS=2% ..)
 *
 * With .mc and .wc each element draws its own deviation for DEV, all elements of the model share that for LOT, and both add
 * up.  A number with % is a part of the value, one without is absolute; the deviation is uniform within it, or normal with it
 * as standard deviation for GAUSS, also by .options distribution=gauss.  Source: PSpice Reference Guide, ".MODEL" and
 * ".DISTRIBUTION".  A generator's number (DEV/4) is read over, so that two parameters never share one.
 *
 *     .distribution name (deviation,density) ..
 *
 * is one of the deck's own, between -1 and 1 of the tolerance, with a density that is linear between its points.  It is
 * drawn from a uniform one, u from 0 to 1, by the inverse of its integral, so that the worst cases are its ends.
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

/* ---- distributions of the deck's own ---- */

/* (-1,0.5): two numbers; false where it is none such. */
static bool read_pair(const struct item *i, double pair[2])
{
    const struct item *first = i->kind == ITEM_GROUP ? i->inside : NULL, *second = first ? first->next : NULL;
    const struct item *numbers[] = {first, second};
    for (int k = 0; k < 2; k++)
        if (!numbers[k] || !numbers[k]->text ||
            !expression_number(numbers[k]->text, strlen(numbers[k]->text), &pair[k]))
            return false;
    return second->next == NULL;
}

/* Its points, [2 count]; NULL, said, where they are no density. */
static const double *points_of(struct expansion *x, const struct statement *s, size_t *count)
{
    size_t most = 0;
    double area = 0;
    for (const struct item *i = s->items->next; i; i = i->next)
        most++;
    double *points = arena_array(x->deck->scratch, 2 * most + 2, sizeof *points);
    bool good = points != NULL;
    *count = 0;
    for (const struct item *i = s->items->next->next; i && good; i = i->next) {
        double *here = points + 2 * *count;
        good = read_pair(i, here) && fabs(here[0]) <= 1 && here[1] >= 0 && (*count == 0 || here[0] >= here[-2]);
        area += good && *count > 0 ? (here[0] - here[-2]) * (here[1] + here[-1]) / 2 : 0;
        ++*count;
    }
    if (good && area > 0)
        return points;
    if (points)
        deck_fail(x->deck, "distribution", s->items->where, NULL,
                  "'%s': expected points (deviation,density) whose deviations rise from -1 to 1, of an area above 0",
                  s->items->text);
    return NULL;
}

/* The deviation below which a part of all deviations, from 0 to 1, lies. */
static double quantile(const double *points, size_t count, double part)
{
    double area = 0;
    for (size_t k = 1; k < count; k++)
        area += (points[2 * k] - points[2 * k - 2]) * (points[2 * k + 1] + points[2 * k - 1]) / 2;
    double left = part * area;
    for (size_t k = 1; k < count; k++) {
        const double width = points[2 * k] - points[2 * k - 2], from = points[2 * k - 1], to = points[2 * k + 1];
        const double here = width * (from + to) / 2;
        if (here > 0 && left <= here) { /* from d + (to - from)/(2 width) d^2 = left */
            const double root = sqrt(fmax(0, from * from + 2 * (to - from) / width * left));
            return points[2 * k - 2] + (from + root > 0 ? fmin(width, 2 * left / (from + root)) : 0);
        }
        left -= here;
    }
    while (count > 1 && points[2 * count - 1] == 0 && points[2 * count - 3] == 0)
        count--;
    return points[2 * count - 2];
}

static const struct statement *own_distribution(const struct expansion *x, const char *name, size_t length)
{
    for (const struct statement *s = x->deck->distributions.first; s; s = s->next) {
        const struct item *i = s->items->next;
        if (i && i->text && strlen(i->text) == length && strncasecmp(i->text, name, length) == 0)
            return s;
    }
    return NULL;
}

/* Behind the slashes of DEV/4/own, or of .options distribution=own. */
static const struct statement *own_of(const struct expansion *x, const struct item *i)
{
    const struct setting *usual = circuit_option(x->circuit, "distribution");
    const struct statement *own = usual && usual->text ? own_distribution(x, usual->text, strlen(usual->text)) : NULL;
    for (const char *word = strchr(i->text, '/'); word; word = strchr(word, '/')) {
        word++;
        const size_t length = strcspn(word, "/");
        if (strspn(word, "0123456789") != length)
            own = own_distribution(x, word, length);
    }
    return own;
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
            deck_warn(x->deck, "unsupported", i->where, "GAUSS and UNIFORM are known, and those of .distribution",
                      "'%s': the distribution is taken as uniform, and so are others that are nowhere", i->text);
        }
    }
    return normal;
}

static double draw(struct expansion *x, const struct item *i, double amount)
{
    const double arguments[] = {0, amount, 1}, unit[] = {0, 1};
    const struct statement *own = own_of(x, i);
    size_t count;
    const double *points = own ? points_of(x, own, &count) : NULL;
    if (points) {
        const double drawn = draws_value(&x->draws, OP_AUNIF, unit, 2);
        return drawn == 0 ? 0 : amount * quantile(points, count, (drawn + 1) / 2);
    }
    if (own) /* which has been said */
        return 0;
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
