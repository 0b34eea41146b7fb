/* cutset_balances.c - sums of parts that hang on resistances, as what flows through these and nothing of what flows inside.
 *
 * An addition of what flows inside leaves its rounding: 1e-14 A of 14 S at 10 V, which is a microvolt at 100 Mohm.
 */
#include "base/groups.h"
#include "base/rounding.h"
#include "mna/stabilised/cutset_parts.h"

#include <math.h>
#include <string.h>

enum { NOBODY = -1 };

/* Whether the current of a branch is a constant times unknowns. */
static bool is_known(const struct branch *b)
{
    return b->current > 0 || (b->kind == BRANCH_R && b->role == ROLE_VALUE && !isnan(b->constant));
}

/* What a branch brings into the balance of what it leaves at one end. */
static void add_leaving(struct cutset_equations *s, int equation, const struct branch *b, double sign)
{
    const int ends[] = {b->plus, b->minus};
    if (b->current > 0)
        s->currents[s->current_count++] = (struct cut_current){equation, b->current - 1, 0, sign};
    for (int e = 0; e < 2 && b->current <= 0; e++)
        if (ends[e] > 0)
            s->currents[s->current_count++] =
                (struct cut_current){equation, ends[e] - 1, 0, (e == 0 ? sign : -sign) / b->constant};
}

struct column {
    double *sum, *size, *charge, *charges; /* [n] by equation */
    int *first, *next;                     /* currents by unknown: the first, from 1, and the next; 0: no more */
    bool *wrong;                           /* [n] equations that do not add up */
};

static bool make_column(struct cutset_equations *s, size_t from, struct column *c)
{
    const size_t n = (size_t)s->inner->pattern->n + 1;
    c->first = arena_array(s->memory, n, sizeof *c->first);
    c->next = arena_array(s->memory, s->current_count + 1, sizeof *c->next);
    c->wrong = arena_array(s->memory, n, sizeof *c->wrong);
    if (!c->first || !c->next || !c->wrong ||
        !arena_vectors(s->memory, n, (double **const[]){&c->sum, &c->size, &c->charge, &c->charges, NULL}))
        return false;
    for (size_t i = from; i < s->current_count; i++) {
        c->next[i] = c->first[s->currents[i].unknown];
        c->first[s->currents[i].unknown] = (int)i + 1;
    }
    return true;
}

static void judge(struct column *c, int equation)
{
    c->wrong[equation] |= fabs(c->sum[equation]) > ROUNDING_BALANCE * c->size[equation] ||
                          fabs(c->charge[equation]) > ROUNDING_BALANCE * c->charges[equation];
    c->sum[equation] = c->size[equation] = c->charge[equation] = c->charges[equation] = 0;
}

/* Keeps the currents from `from` on of equations to which the rows of their owners add up, and whose charges add up to none, as the
 * numbers in G and C show. */
static enum kn_status keep_what_adds_up(struct cutset_equations *s, const int *owner, size_t from)
{
    const struct sparse_pattern *p = s->inner->pattern;
    struct column c = {0};
    if (!make_column(s, from, &c))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++) {
        for (int i = c.first[j]; i > 0; i = c.next[i - 1]) {
            c.sum[s->currents[i - 1].equation] -= s->currents[i - 1].factor;
            c.size[s->currents[i - 1].equation] += fabs(s->currents[i - 1].factor);
        }
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int equation = p->row[k] < s->dae.n ? owner[p->row[k] + 1] : NOBODY;
            if (equation == NOBODY)
                continue;
            c.sum[equation] += s->G[k];
            c.size[equation] += fabs(s->G[k]);
            c.charge[equation] += s->C[k];
            c.charges[equation] += fabs(s->C[k]);
        }
        for (int i = c.first[j]; i > 0; i = c.next[i - 1])
            judge(&c, s->currents[i - 1].equation);
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (p->row[k] < s->dae.n && owner[p->row[k] + 1] != NOBODY)
                judge(&c, owner[p->row[k] + 1]);
    }
    size_t kept = from;
    for (size_t i = from; i < s->current_count; i++)
        if (!c.wrong[s->currents[i].equation])
            s->currents[kept++] = s->currents[i];
    s->current_count = kept;
    return KN_OK;
}

/* owner [n + 1]: the equation that is to be the balance of all nodes that have it; NOBODY. */
static enum kn_status balance(struct cutset_equations *s, const struct branch_list *list, const int *owner)
{
    const size_t from = s->current_count;
    struct cut_current *all = arena_array(s->memory, from + 4 * list->count + 1, sizeof *all); /* two at either end */
    if (!all)
        return KN_ERROR_MEMORY;
    memcpy(all, s->currents, from * sizeof *all);
    s->currents = all;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (owner[b->plus] == owner[b->minus])
            continue;
        if (owner[b->plus] != NOBODY)
            add_leaving(s, owner[b->plus], b, 1);
        if (owner[b->minus] != NOBODY)
            add_leaving(s, owner[b->minus], b, -1);
    }
    return keep_what_adds_up(s, owner, from);
}

/* ---- parts that capacitances join ---- */

/* Marks equations that are not to become balances: those that are some already, and those of parts that anything else leaves or
 * that voltage sources join to ground. */
static bool leave_out(const struct cutset_equations *s, const struct branch_list *list, int *charged, const int *bearer,
                      bool *out)
{
    int *sources = groups_in(s->memory, s->dae.n);
    if (!sources)
        return false;
    branch_list_unite(list, BRANCH_V, sources);
    for (size_t i = 0; i < s->current_count; i++)
        out[s->currents[i].equation] = true;
    for (size_t i = 0; i < list->count; i++) {
        const int parts[] = {groups_find(charged, list->branches[i].plus),
                             groups_find(charged, list->branches[i].minus)};
        for (int end = 0; end < 2 && parts[0] != parts[1] && !is_known(&list->branches[i]); end++)
            if (parts[end] > 0)
                out[bearer[parts[end]] - 1] = true;
    }
    for (int i = 1; i <= s->dae.n; i++)
        if (groups_connected(sources, i, 0) && groups_find(charged, i) > 0)
            out[bearer[groups_find(charged, i)] - 1] = true;
    return true;
}

static enum kn_status balance_parts(struct cutset_equations *s, const struct branch_list *list, int *charged,
                                    const int *bearer)
{
    const size_t n = (size_t)s->dae.n + 1;
    bool *out = arena_array(s->memory, n, sizeof *out);
    int *owner = arena_array(s->memory, n, sizeof *owner);
    if (!out || !owner || !leave_out(s, list, charged, bearer, out))
        return KN_ERROR_MEMORY;
    for (int i = 0; i <= s->dae.n; i++) {
        const int part = groups_find(charged, i), equation = part > 0 ? bearer[part] - 1 : NOBODY;
        const bool sum = part > 0 && i > 0 && s->is_node[i - 1] && s->replaced[equation] && !out[equation];
        owner[i] = sum ? equation : NOBODY;
    }
    return balance(s, list, owner);
}

/* ---- what ground alone holds together ---- */

struct whole {
    bool tied, out; /* resistances lead to ground; something else does, too */
    int free;       /* a node of no part that is added up, 0: none; else .. */
    int taken;      /* .. the sum of a part, which the balance and the other sums imply */
    int parts;
};

static void mark_wholes(const struct cutset_equations *s, const struct branch_list *list, int *group,
                        struct whole *wholes)
{
    for (size_t i = 0; i < list->count; i++) { /* what a voltage source says needs no sum */
        const struct branch *b = &list->branches[i];
        if ((b->plus == 0) == (b->minus == 0))
            continue;
        struct whole *w = &wholes[groups_find(group, b->plus + b->minus)];
        w->out |= b->kind == BRANCH_V || !is_known(b);
        w->tied |= b->kind == BRANCH_R;
    }
    for (size_t i = 0; i < s->coil_currents; i++)
        wholes[groups_find(group, s->currents[i].equation + 1)].out = true;
}

/* Which node's equation the balance of each replaces. */
static void choose_bearers(const struct cutset_equations *s, int *group, int *charged, const int *bearer,
                           struct whole *wholes)
{
    for (int i = 1; i <= s->dae.n; i++) {
        const int part = groups_find(charged, i), sum = part > 0 ? bearer[part] : i;
        struct whole *w = &wholes[groups_find(group, i)];
        if (!s->is_node[i - 1])
            continue;
        w->free = s->replaced[sum - 1] ? w->free : i;
        w->taken = s->replaced[sum - 1] ? sum : w->taken;
        w->parts += sum == i;
    }
}

/* The balance of a whole stands in place of that of a part, where it has taken its equation. */
static bool drop_taken(struct cutset_equations *s, size_t from)
{
    bool *taken = arena_array(s->memory, (size_t)s->dae.n + 1, sizeof *taken);
    size_t kept = 0;
    if (!taken)
        return false;
    for (size_t i = from; i < s->current_count; i++)
        taken[s->currents[i].equation] = true;
    for (size_t i = 0; i < s->current_count; i++)
        if (i >= from || !taken[s->currents[i].equation])
            s->currents[kept++] = s->currents[i];
    s->current_count = kept;
    return true;
}

/* Parts may be held together by resistances as well (a bridge of diodes and what feeds it), and what flows through these leaves its
 * rounding in the sums of the parts.  Where nothing but resistances and coils leads from all of them to ground, their currents add to
 * zero. */
static enum kn_status balance_wholes(struct cutset_equations *s, const struct branch_list *list, int *charged,
                                     const int *bearer)
{
    const size_t n = (size_t)s->dae.n + 1, from = s->current_count;
    int *group = groups_in(s->memory, s->dae.n), *owner = arena_array(s->memory, n, sizeof *owner);
    struct whole *wholes = arena_array(s->memory, n, sizeof *wholes);
    if (!group || !owner || !wholes)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].plus > 0 && list->branches[i].minus > 0)
            groups_unite(group, list->branches[i].plus, list->branches[i].minus);
    mark_wholes(s, list, group, wholes);
    choose_bearers(s, group, charged, bearer, wholes);
    owner[0] = NOBODY;
    for (int i = 1; i <= s->dae.n; i++) {
        const struct whole *w = &wholes[groups_find(group, i)];
        const int node = w->free > 0 ? w->free : w->taken;
        owner[i] = w->tied && !w->out && w->parts > 1 && s->is_node[i - 1] ? node - 1 : NOBODY;
    }
    const enum kn_status status = balance(s, list, owner);
    return status != KN_OK || drop_taken(s, from) ? status : KN_ERROR_MEMORY;
}

enum kn_status cutset_balances(struct cutset_equations *s, const struct branch_list *list, int *charged,
                               const int *bearer)
{
    const enum kn_status status = balance_parts(s, list, charged, bearer);
    return status == KN_OK ? balance_wholes(s, list, charged, bearer) : status;
}
