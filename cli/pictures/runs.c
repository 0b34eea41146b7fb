/* runs.c - see runs.h. */
#include "cli/pictures/runs.h"

#include "base/array.h"
#include "base/names.h"
#include "base/text.h"
#include "output/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- where runs begin ---- */

bool run_begins_anew(const struct vector_kept *x, size_t from, size_t i)
{
    const double here = x->real[i], before = x->real[i - 1], first = x->real[from];
    if (x->quantity == KN_TIME || x->quantity == KN_FREQUENCY)
        return here < before;
    if (here != first || before == first)
        return false;
    return i - from == 2 || (i - from > 2 && fabs(here - before) > 1.5 * fabs(before - x->real[i - 2]));
}

static bool add_run(struct arena *a, struct family *f, const struct plot *p, size_t from, size_t until)
{
    if (!array_reserve_in(a, &f->runs, f->count, f->count + 1, &f->capacity, sizeof *f->runs))
        return false;
    f->runs[f->count++] = (struct run){p, from, until - from, NULL};
    return true;
}

static bool add_runs(struct arena *a, struct family *f, const struct plot *p)
{
    const struct vector_kept *x = &p->vectors[p->scale];
    size_t from = 0;
    bool good = true;
    for (size_t i = 1; good && i < x->count; i++)
        if (run_begins_anew(x, from, i)) {
            good = add_run(a, f, p, from, i);
            from = i;
        }
    return good && add_run(a, f, p, from, x->count);
}

/* ---- families ---- */

static bool are_alike(const struct plot *a, const struct plot *b)
{
    if (a->count != b->count || a->scale != b->scale)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!names_equal(a->vectors[i].name, b->vectors[i].name) || a->vectors[i].quantity != b->vectors[i].quantity ||
            !a->vectors[i].imaginary != !b->vectors[i].imaginary)
            return false;
    return true;
}

static struct family *family_of(struct arena *a, struct families *all, const struct plot *p)
{
    for (size_t i = 0; i < all->count; i++)
        if (are_alike(all->at[i].runs[0].plot, p))
            return &all->at[i];
    if (!array_reserve_in(a, &all->at, all->count, all->count + 1, &all->capacity, sizeof *all->at))
        return NULL;
    return &all->at[all->count++];
}

/* "tran" is every transient, "tran2" one. */
static bool is_wanted(const struct plot *p, const char *analysis)
{
    const size_t length = analysis ? strlen(analysis) : 0;
    if (length == 0 || strcasecmp(p->name, analysis) == 0)
        return true;
    return strncasecmp(p->name, analysis, length) == 0 && isdigit((unsigned char)p->name[length]) &&
           !isdigit((unsigned char)analysis[length - 1]);
}

static bool can_be_drawn(const struct plot *p)
{
    return p->scale < p->count && p->vectors[p->scale].count > 1 && strcmp(p->name, "const") != 0;
}

/* ---- labels ---- */

/* The vector is a number for each run. */
static bool is_step(const struct family *f, size_t vector)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct run *r = &f->runs[i];
        const struct vector_kept *v = &r->plot->vectors[vector];
        if (v->quantity != KN_OTHER)
            return false;
        for (size_t k = 0; k < r->count; k++)
            if (v->real[r->from + k] != v->real[r->from] || (v->imaginary && v->imaginary[r->from + k] != 0))
                return false;
    }
    return true;
}

static void count_steps(struct family *f)
{
    const struct plot *p = f->runs[0].plot;
    if (f->count > 1 && p->scale == 0)
        while (f->steps + 1 < p->count && is_step(f, f->steps + 1))
            f->steps++;
}

static const char *step_label(struct arena *a, const struct family *f, const struct run *r)
{
    struct text t = TEXT(200);
    struct text_list l = text_list(&t, ", ", 0);
    for (size_t k = 1; k <= f->steps; k++) {
        char value[64];
        decimal_engineering(r->plot->vectors[k].real[r->from], 4, "", "\xc2\xb5", value, sizeof value);
        const size_t length = strlen(value);
        value[length - (length > 0 && value[length - 1] == ' ')] = '\0';
        text_list_format(&l, "%s = %s", r->plot->vectors[k].name, value);
    }
    return text_keep(&t, a);
}

/* Xyce's plots are called "Step Analysis: Step 1 of 3 params:  name = R1 value = 500 ..". */
static const char *label_of_plot(struct arena *a, const struct plot *p)
{
    struct text t = TEXT(200);
    struct text_list l = text_list(&t, ", ", 0);
    const char *at = strstr(p->label, "params:");
    char name[80], value[80];
    while (at && (at = strstr(at, "name = ")) && sscanf(at, "name = %79s value = %79s", name, value) == 2) {
        text_list_format(&l, "%s = %s", name, value);
        at += strlen("name = ");
    }
    return t.used ? text_keep(&t, a) : NULL;
}

static bool label_runs(struct arena *a, struct family *f)
{
    count_steps(f);
    for (size_t i = 0; f->count > 1 && i < f->count; i++) {
        struct run *r = &f->runs[i];
        r->label = f->steps ? step_label(a, f, r) : label_of_plot(a, r->plot);
        if (!r->label)
            r->label = arena_format(a, "run %zu", i + 1);
        if (!r->label)
            return false;
    }
    return true;
}

bool families_find(const struct plots *plots, const char *analysis, struct arena *a, struct families *out)
{
    size_t count = 0;
    *out = (struct families){.at = NULL};
    for (const struct plot *p = plots->first; p; p = p->next)
        count++;
    const struct plot **oldest_first = arena_array(a, count + 1, sizeof *oldest_first);
    if (!oldest_first)
        return false;
    for (const struct plot *p = plots->first; p; p = p->next)
        oldest_first[--count] = p;
    for (; oldest_first[count]; count++) {
        const struct plot *p = oldest_first[count];
        if (!can_be_drawn(p) || !is_wanted(p, analysis))
            continue;
        struct family *f = family_of(a, out, p);
        if (!f || !add_runs(a, f, p))
            return false;
    }
    for (size_t i = 0; i < out->count; i++)
        if (!label_runs(a, &out->at[i]))
            return false;
    return true;
}
