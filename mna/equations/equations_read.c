/* equations_read.c - voltages and capacitances as a system of equations sees them. */
#include "mna/equations/equations.h"

/* Adds to an atom that is there already, or makes one; there is room. */
static void add_atom(struct combination *c, int sign, int unknown, const struct branch *source)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->atoms[i].unknown == unknown && c->atoms[i].source == source) {
            c->atoms[i].sign += sign;
            return;
        }
    c->atoms[c->count++] = (struct atom){sign, unknown, source};
}

static void add_potential(struct combination *c, int sign, const struct potential *p)
{
    if (p->base > 0)
        add_atom(c, sign, p->base, NULL);
    for (size_t i = 0; i < p->source_count; i++)
        add_atom(c, sign * p->sources[i].sign, 0, p->sources[i].source);
}

bool equations_difference(const struct equations *e, const struct equation_system *s, struct branch_control input,
                          struct combination *out)
{
    const struct potential *plus = &s->potentials[input.plus], *minus = &s->potentials[input.minus];
    const size_t most = plus->source_count + minus->source_count + 2;
    *out = (struct combination){.atoms = arena_array(e->arena, most, sizeof *out->atoms)};
    if (!out->atoms)
        return false;
    add_potential(out, 1, plus);
    add_potential(out, -1, minus);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (out->atoms[i].sign != 0)
            out->atoms[kept++] = out->atoms[i];
    out->count = kept;
    return true;
}

/* ---- capacitances ---- */

struct capacitances {
    const struct equations *e;
    struct capacitance_entry *entries;
    bool failed;
};

static void add_share(struct capacitances *c, int row, int column, const struct capacitance_share *share)
{
    if (row < 0 || column < 0 || c->failed)
        return;
    struct capacitance_entry *entry = &c->entries[(size_t)row * c->e->reduced.node_count + (size_t)column];
    for (size_t i = 0; i < entry->count; i++)
        if (entry->shares[i].charge == share->charge && entry->shares[i].input == share->input) {
            entry->shares[i].number += share->number;
            return;
        }
    struct capacitance_share *shares = arena_array(c->e->arena, entry->count + 1, sizeof *shares);
    if (!shares) {
        c->failed = true;
        return;
    }
    for (size_t i = 0; i < entry->count; i++)
        shares[i] = entry->shares[i];
    shares[entry->count++] = *share;
    entry->shares = shares;
}

/* Place of the balance of an unknown; -1 for ground, known voltages and currents. */
static int row_of(const struct equations *e, int unknown)
{
    const struct equation_system *s = &e->reduced;
    const int base = s->potentials[unknown].base;
    for (size_t i = 0; i < s->node_count; i++)
        if (base > 0 && s->equations[i].unknown == base)
            return (int)i;
    return -1;
}

static void add_row(struct capacitances *c, size_t row, const struct equation_term *term)
{
    const struct quantity *q = term->quantity;
    for (size_t k = 0; k < q->input_count; k++) {
        struct capacitance_share share = {term->coefficient.number, q, k};
        add_share(c, (int)row, row_of(c->e, q->inputs[k].plus), &share);
        share.number = -share.number;
        add_share(c, (int)row, row_of(c->e, q->inputs[k].minus), &share);
    }
}

/* Shares that cancelled go. */
static void tidy(struct capacitance_entry *entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->count; i++)
        if (entry->shares[i].number != 0)
            entry->shares[kept++] = entry->shares[i];
    entry->count = kept;
}

struct capacitance_entry *equations_capacitance(const struct equations *e)
{
    const struct equation_system *s = &e->reduced;
    struct capacitances c = {.e = e,
                             .entries = arena_array(e->arena, s->node_count * s->node_count + 1, sizeof *c.entries)};
    if (!c.entries)
        return NULL;
    for (size_t row = 0; row < s->node_count; row++)
        for (size_t k = 0; k < s->equations[row].count; k++)
            if (s->equations[row].terms[k].quantity->rate)
                add_row(&c, row, &s->equations[row].terms[k]);
    for (size_t i = 0; i < s->node_count * s->node_count; i++)
        tidy(&c.entries[i]);
    return c.failed ? NULL : c.entries;
}
