/* explain_symbols.c - what the symbols in the equations stand for, with the numbers of the deck. */
#include "analyses/explain/explain_parts.h"

#include <math.h>
#include <string.h>

struct symbols {
    struct explanation *x;
    struct explain_pair *pairs;
    size_t count, capacity;
};

static void add(struct symbols *s, const char *name, const char *text)
{
    if (!text || s->count == s->capacity)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->pairs[i].name, name) == 0)
            return;
    s->pairs[s->count++] = (struct explain_pair){name, text};
}

static const char *const wave_names[] = {
    [WAVEFORM_NONE] = "constant", [WAVEFORM_PULSE] = "PULSE", [WAVEFORM_SIN] = "SIN", [WAVEFORM_EXP] = "EXP",
    [WAVEFORM_PWL] = "PWL",       [WAVEFORM_SFFM] = "SFFM",   [WAVEFORM_AM] = "AM",
};

/* 1500 ohm: "1.5 kohm" */
static const char *quantity_text(struct explanation *x, double value, const char *unit)
{
    static const char *const prefixes[] = {"f", "p", "n", "u", "m", "", "k", "M", "G"};
    enum { NONE = 5, PREFIXES = sizeof prefixes / sizeof prefixes[0] };
    const double size = fabs(value);
    int prefix = NONE;
    if (size > 0 && isfinite(size))
        prefix += (int)floor(log10(size * (1 + 1e-9)) / 3);
    if (prefix < 0 || prefix >= PREFIXES)
        prefix = NONE;
    const char *text =
        arena_format(x->arena, "%.6g %s%s", value / pow(10, 3.0 * (prefix - NONE)), prefixes[prefix], unit);
    return text ? text : "";
}

/* SIN(offset amplitude frequency delay damping phase) as it is written in books. */
static const char *describe_sine(struct explanation *x, const struct waveform *w, const char *unit)
{
    const double delay = w->count > 3 ? w->values[3] : 0, damping = w->count > 4 ? w->values[4] : 0;
    const double phase = w->count > 5 ? w->values[5] : 0;
    text_format(&x->w, "%g + %g sin(2 pi %g ", w->values[0], w->values[1], w->values[2]);
    if (delay != 0)
        text_format(&x->w, "(t - %g)", delay);
    else
        text_add(&x->w, "t");
    if (phase != 0)
        text_format(&x->w, " %+g pi/180", phase);
    text_add(&x->w, ")");
    if (damping != 0)
        text_format(&x->w, " exp(-%g (t - %g))", damping, delay);
    text_format(&x->w, " %s, SIN source", unit);
    return text_take(&x->w);
}

/* p0 + p1 x + .., of one controlling voltage or current. */
static const char *describe_polynomial(struct explanation *x, const struct element *e)
{
    text_format(&x->w, "%g", e->polynomial_count > 0 ? e->polynomial[0] : 0);
    for (size_t i = 1; i < e->polynomial_count; i++)
        text_format(&x->w, i == 1 ? " %c %g x" : " %c %g x^%zu", e->polynomial[i] < 0 ? '-' : '+',
                    fabs(e->polynomial[i]), i);
    text_format(&x->w, ", polynomial (POLY) of %s, x being what it is applied to", e->name);
    return text_take(&x->w);
}

static const char *describe_source(struct explanation *x, const struct branch *b)
{
    const struct element *e = b->element;
    const char *unit = b->kind == BRANCH_V ? "V" : "A";
    if (b->role != ROLE_SOURCE)
        return "a function of time, see the deck";
    const struct waveform *w = &e->source.wave;
    if (w->kind == WAVEFORM_NONE)
        return quantity_text(x, e->source.has_dc ? e->source.dc : 0.0, unit);
    if (w->kind == WAVEFORM_SIN && w->count >= 3)
        return describe_sine(x, w, unit);
    if (w->kind == WAVEFORM_PULSE && w->count >= 2)
        return arena_format(x->arena, "PULSE from %g to %g %s, %s source", w->values[0], w->values[1], unit,
                            b->kind == BRANCH_V ? "voltage" : "current");
    return arena_format(x->arena, "%s, %s source", wave_names[e->source.wave.kind],
                        b->kind == BRANCH_V ? "voltage" : "current");
}

static const char *describe_law(struct explanation *x, const struct quantity *q)
{
    const char *what = q->letter == LAW_LETTER_CHARGE    ? "charge"
                       : q->letter == LAW_LETTER_VOLTAGE ? "voltage"
                                                         : "current";
    const struct element *e = q->element;
    if (e->polynomial && q->input_count == 1)
        return describe_polynomial(x, e);
    if (e->polynomial)
        return arena_format(x->arena, "polynomial (POLY) %s of %s", what, e->name);
    return arena_format(x->arena, "%s of the %s %s%s%s%s%s", what, e->kind->noun, e->name, q->part ? ", " : "",
                        q->part ? q->branch->part : "", e->model ? ", model " : "", e->model ? e->model->name : "");
}

/* What a symbol stands for; NULL where it explains itself. */
static const char *describe(struct explanation *x, const struct quantity *q)
{
    const double value = q->branch->constant;
    switch (q->kind) {
    case QUANTITY_CONDUCTANCE:
        return q->part ? arena_format(x->arena, "1/(%s), %s of %s", quantity_text(x, value, "ohm"), q->branch->part,
                                      q->element->name)
                       : arena_format(x->arena, "1/%s, %s = %s", q->element->name, q->element->name,
                                      quantity_text(x, value, "ohm"));
    case QUANTITY_CAPACITANCE:
        return quantity_text(x, value, "F");
    case QUANTITY_INDUCTANCE:
        return quantity_text(x, value, "H");
    case QUANTITY_IMPEDANCE:
        return arena_format(x->arena, "%s, impedance of the line", quantity_text(x, value, "ohm"));
    case QUANTITY_MUTUAL:
        return arena_format(x->arena, "mutual inductance of %s and %s, coupling %g", q->branch->element->name,
                            q->partner->name, q->element->value);
    case QUANTITY_GAIN:
        return arena_format(x->arena, "%g, gain of %s", q->element->value, q->element->name);
    case QUANTITY_WAVE:
        return arena_format(x->arena, "wave that entered port %s of %s one delay TD ago", q->part, q->element->name);
    case QUANTITY_SOURCE:
        return describe_source(x, q->branch);
    case QUANTITY_LAW:
        return describe_law(x, q);
    case QUANTITY_VOLTAGE:
    case QUANTITY_CURRENT:
    case QUANTITY_FORMULA:
    case QUANTITY_PER_HENRY:
        break;
    }
    return NULL;
}

/* The full system has every quantity. */
void explain_symbols(struct explanation *x)
{
    const struct equation_system *s = &x->e->full;
    struct symbols list = {.x = x};
    for (size_t i = 0; i < s->count; i++)
        list.capacity += s->equations[i].count;
    list.pairs = explain_take(x, list.capacity, sizeof *list.pairs);
    if (!list.pairs || list.capacity == 0)
        return;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->equations[i].count; k++) {
            const struct quantity *q = s->equations[i].terms[k].quantity;
            const char *text = describe(x, q);
            if (text)
                add(&list, explain_symbol(x, q), text);
        }
    explain_piece(x, EXPLAIN_HEADING, "Symbols");
    x->writer->pairs(x->to, list.pairs, list.count);
}
