/* equations_rows.c - rows of terms: signed quantities, times gains, that cancel where they can. */
#include "mna/equations/equations_parts.h"

#include "base/array.h"

#include <string.h>

void *builder_take(struct equation_builder *b, size_t count, size_t size)
{
    void *memory = b->failed ? NULL : arena_array(b->e->arena, count + 1, size);
    b->failed = b->failed || !memory;
    return memory;
}

static struct equation_term *find_term(struct equation_builder *b, struct equation *eq, const struct quantity *q)
{
    for (size_t i = 0; i < eq->count; i++)
        if (eq->terms[i].quantity == q)
            return &eq->terms[i];
    b->failed = b->failed ||
                !array_reserve_in(b->e->arena, &eq->terms, eq->count, eq->count + 1, &eq->capacity, sizeof *eq->terms);
    if (b->failed)
        return NULL;
    eq->terms[eq->count] = (struct equation_term){.quantity = q};
    return &eq->terms[eq->count++];
}

static void add_gain(struct equation_builder *b, struct coefficient *c, int number, const struct element *gain)
{
    for (size_t i = 0; i < c->gain_count; i++)
        if (c->gains[i].gain == gain) {
            c->gains[i].number += number;
            return;
        }
    struct gain_share *gains = builder_take(b, c->gain_count + 1, sizeof *gains);
    if (!gains)
        return;
    if (c->gain_count > 0)
        memcpy(gains, c->gains, c->gain_count * sizeof *gains);
    gains[c->gain_count] = (struct gain_share){number, gain};
    c->gains = gains;
    c->gain_count++;
}

void equation_add(struct equation_builder *b, struct equation *eq, int sign, const struct element *gain,
                  const struct quantity *q)
{
    struct equation_term *term = q ? find_term(b, eq, q) : NULL;
    if (!term)
        return;
    if (gain)
        add_gain(b, &term->coefficient, sign, gain);
    else
        term->coefficient.number += sign;
}

void equation_add_equation(struct equation_builder *b, struct equation *to, int sign, const struct equation *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct coefficient *c = &from->terms[i].coefficient;
        equation_add(b, to, sign * c->number, NULL, from->terms[i].quantity);
        for (size_t k = 0; k < c->gain_count; k++)
            equation_add(b, to, sign * c->gains[k].number, c->gains[k].gain, from->terms[i].quantity);
    }
}

static void tidy_gains(struct coefficient *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->gain_count; i++)
        if (c->gains[i].number != 0)
            c->gains[kept++] = c->gains[i];
    c->gain_count = kept;
}

void equation_tidy(struct equation *eq)
{
    size_t kept = 0;
    for (size_t i = 0; i < eq->count; i++) {
        tidy_gains(&eq->terms[i].coefficient);
        if (eq->terms[i].coefficient.number != 0 || eq->terms[i].coefficient.gain_count > 0)
            eq->terms[kept++] = eq->terms[i];
    }
    eq->count = kept;
}
