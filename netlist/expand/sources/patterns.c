/* patterns.c - HSPICE's sources of bits.
 *
 * PAT(vhi vlo td tr tf tsample b0101 .. [r=n] [rb=n]): a bit lasts tsample, half of a ramp lies on either side of its ends;
 * r: how often the bits from the rb-th on come again, -1 without end (Star-HSPICE manual, pattern source); below -1 not at
 * all (as in Xyce).
 */
#include "netlist/expand/sources/waveforms.h"

#include <math.h>
#include <string.h>

static const char FORM[] = "write PAT(vhi vlo td tr tf tsample b0101)";

static bool push(struct card *c, double value)
{
    return expand_add(c->x, &c->x->numbers, &value);
}

/* ---- the card ---- */

static bool take_bits(struct card *c, const struct item *i, struct bit_pattern *p)
{
    const char *bits = i->text + 1;
    if (bits[strspn(bits, "01mM")] != '\0' || *bits == '\0')
        return card_fail(c, "waveform", i->where, "the bits are 0, 1, or m for the middle: b0101",
                         "%s: '%s' is no pattern of bits that is known", card_owner(c), i->text);
    p->bits = arena_format(c->x->deck->arena, "%s%s", p->bits, bits);
    return p->bits || deck_no_memory(c->x->deck);
}

static bool take_pattern(struct card *c, struct item **i, struct bit_pattern *p)
{
    for (; *i; *i = (*i)->next) {
        struct item *here = *i;
        const bool bits = here->kind == ITEM_WORD && !here->value && (here->text[0] | 0x20) == 'b';
        if (here->kind == ITEM_GROUP && !here->value) {
            struct item *inside = here->inside;
            if (!take_pattern(c, &inside, p))
                return false;
            if (inside)
                return card_fail(c, "waveform", inside->where, FORM,
                                 "%s: expected a number or bits in 'pat', found '%s'", card_owner(c),
                                 item_text(inside));
        } else if (bits && c->x->numbers.count >= PATTERN_NUMBERS) {
            if (!take_bits(c, here, p))
                return false;
        } else if (here->value && (item_is(here, "r") || item_is(here, "rb"))) {
            if (!card_value(c, here->value, item_is(here, "r") ? &p->repeat : &p->first))
                return false;
        } else if (!here->value && here->kind != ITEM_GROUP && c->x->numbers.count < PATTERN_NUMBERS) {
            double value = 0;
            if (!card_value(c, here, &value) || !push(c, value))
                return false;
        } else {
            break;
        }
    }
    return true;
}

/* ---- its points ---- */

/* The two corners of the edge between two bits at a time. */
static bool push_edge(struct card *c, const double *v, char before, char after, double time)
{
    const double levels[2] = {before == '1'   ? v[0]
                              : before == '0' ? v[1]
                                              : 0.5 * (v[0] + v[1]),
                              after == '1'   ? v[0]
                              : after == '0' ? v[1]
                                             : 0.5 * (v[0] + v[1])};
    const double half = 0.5 * (levels[1] > levels[0] ? v[3] : v[4]);
    if (levels[0] == levels[1])
        return true;
    return push(c, time - half) && push(c, levels[0]) && push(c, time + half) && push(c, levels[1]);
}

static bool push_bits(struct card *c, const struct bit_pattern *p)
{
    const double *v = p->numbers;
    const size_t n = strlen(p->bits), first = (size_t)p->first - 1, loop = n - first;
    const double sample = v[5], rounds = p->repeat < 0 ? 0 : floor(p->repeat);
    const double start = p->bits[0] == '1' ? v[0] : p->bits[0] == '0' ? v[1] : 0.5 * (v[0] + v[1]);
    const size_t all = n + (size_t)rounds * loop + (p->repeat < 0 ? 1 : 0);
    bool good = push(c, 0) && push(c, start);
    char before = p->bits[0];
    for (size_t k = 1; good && k < all; k++) {
        const char after = p->bits[k < n ? k : first + (k - n) % loop];
        good = push_edge(c, v, before, after, (double)k * sample);
        before = after;
    }
    const double level = before == '1' ? v[0] : before == '0' ? v[1] : 0.5 * (v[0] + v[1]);
    if (good && p->repeat < 0) {
        c->e->source.wave.repeat_from = ((double)first + 0.5) * sample;
        good = push(c, ((double)n + 0.5) * sample) && push(c, level);
    }
    return good;
}

bool pattern_points(struct card *c)
{
    struct waveform *w = &c->e->source.wave;
    const struct bit_pattern *p = w->pattern;
    const double *v = p->numbers;
    if (!(v[PATTERN_SAMPLE] > 0) || v[3] < 0 || v[4] < 0 || v[3] > v[PATTERN_SAMPLE] || v[4] > v[PATTERN_SAMPLE])
        return card_fail(c, "waveform", w->where, FORM,
                         "%s: tsample of PAT must be greater than 0, and tr and tf at most as long", card_owner(c));
    c->x->numbers.count = 0;
    w->delay = p->delay + v[PATTERN_DELAY];
    w->repeat_from = -1;
    return push_bits(c, p);
}

bool pattern_read(struct card *c, struct item **i)
{
    struct waveform *w = &c->e->source.wave;
    struct bit_pattern *p = arena_alloc(c->x->deck->arena, sizeof *p);
    if (!p)
        return deck_no_memory(c->x->deck);
    *p = (struct bit_pattern){.bits = "", .first = 1, .delay = w->delay};
    *i = (*i)->next;
    if (!take_pattern(c, i, p))
        return false;
    if (c->x->numbers.count != PATTERN_NUMBERS || !*p->bits)
        return card_fail(c, "waveform", w->where, FORM, "%s: PAT needs six numbers and bits", card_owner(c));
    memcpy(p->numbers, c->x->numbers.items, sizeof p->numbers);
    if (!(p->first >= 1 && p->first <= (double)strlen(p->bits)) || p->repeat > 1e6)
        return card_fail(c, "waveform", w->where, "rb counts bits from 1 on",
                         "%s: rb of PAT is no number of a bit, or r is more than a million", card_owner(c));
    p->repeat = p->repeat < -1 ? 0 : p->repeat;
    w->pattern = p;
    return pattern_points(c);
}

bool pattern_set(struct expansion *x, struct waveform *w, int place, double value)
{
    struct bit_pattern *p = arena_alloc(x->deck->arena, sizeof *p);
    if (!p)
        return deck_no_memory(x->deck);
    *p = *w->pattern;
    p->numbers[place] = value;
    w->pattern = p;
    return true;
}
