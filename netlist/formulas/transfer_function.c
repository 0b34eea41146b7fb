/* transfer_function.c - see transfer_function.h.
 *
 * The program of an expression in s is run on ratios of polynomials instead of numbers: each value is a product of
 * polynomials over another one, times e^(-s delay).  Products keep their factors, because the roots of a product that is
 * multiplied out are known worse than those of its factors (J. H. Wilkinson, Rounding Errors in Algebraic Processes,
 * 1963, chapter 2); the sections of the response are made of them.
 */
#include "netlist/formulas/transfer_function.h"

#include "netlist/expression/expression_program.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- polynomials ---- */

/* What is left where leading terms cancel: so many roundings of them. */
static const double CANCELLED = 8 * DBL_EPSILON;

/* Highest power of s in one polynomial, and how many factors a value may have. */
enum { MOST_DEGREE = 400, MOST_FACTORS = 400 };

static struct polynomial trimmed(struct polynomial p)
{
    while (p.count > 0 && p.at[p.count - 1] == 0)
        p.count--;
    return p;
}

static struct polynomial product(struct arena *arena, struct polynomial a, struct polynomial b)
{
    const size_t count = a.count + b.count > 0 ? a.count + b.count - 1 : 0;
    double *at = count <= MOST_DEGREE + 1 ? arena_array(arena, count + 1, sizeof *at) : NULL;
    for (size_t i = 0; at && i < a.count; i++)
        for (size_t k = 0; k < b.count; k++)
            at[i + k] += a.at[i] * b.at[k];
    return (struct polynomial){at, at ? count : 0};
}

/* a + sign b */
static struct polynomial sum(struct arena *arena, struct polynomial a, struct polynomial b, double sign)
{
    const size_t count = a.count > b.count ? a.count : b.count;
    double *at = arena_array(arena, count + 1, sizeof *at);
    for (size_t i = 0; at && i < count; i++) {
        const double first = i < a.count ? a.at[i] : 0, second = i < b.count ? sign * b.at[i] : 0;
        at[i] = first + second;
        if (fabs(at[i]) <= CANCELLED * fmax(fabs(first), fabs(second)))
            at[i] = 0;
    }
    return trimmed((struct polynomial){at, at ? count : 0});
}

static bool is_number(struct polynomial p)
{
    return p.count <= 1;
}

/* ---- ratios ---- */

struct factors {
    const struct polynomial *at;
    size_t count;
};

struct ratio {
    double gain;
    struct factors numerator, denominator; /* of degree 1 and more; none where gain is 0 */
    double delay;                          /* s */
};

struct work {
    struct arena *arena;
    enum transfer_outcome outcome; /* TRANSFER_RATIONAL as long as all is well */
};

static struct ratio failed(struct work *w, enum transfer_outcome outcome)
{
    if (w->outcome == TRANSFER_RATIONAL)
        w->outcome = outcome;
    return (struct ratio){0};
}

static struct ratio number(double value)
{
    return (struct ratio){.gain = value};
}

static struct factors join(struct work *w, struct factors a, struct factors b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    struct polynomial *at =
        a.count + b.count <= MOST_FACTORS ? arena_array(w->arena, a.count + b.count, sizeof *at) : NULL;
    if (!at) {
        failed(w, TRANSFER_MEMORY);
        return a;
    }
    memcpy(at, a.at, a.count * sizeof *at);
    memcpy(at + a.count, b.at, b.count * sizeof *at);
    return (struct factors){at, a.count + b.count};
}

/* All factors multiplied, and a number. */
static struct polynomial expand(struct work *w, struct factors f, double gain)
{
    double *at = arena_array(w->arena, 1, sizeof *at);
    struct polynomial p = {at, 1};
    if (at)
        *at = gain;
    for (size_t i = 0; i < f.count && p.at; i++)
        p = product(w->arena, p, f.at[i]);
    if (!p.at)
        failed(w, TRANSFER_MEMORY);
    return p;
}

static struct ratio multiply(struct work *w, struct ratio a, struct ratio b)
{
    if (a.gain == 0 || b.gain == 0)
        return number(0);
    return (struct ratio){.gain = a.gain * b.gain,
                          .numerator = join(w, a.numerator, b.numerator),
                          .denominator = join(w, a.denominator, b.denominator),
                          .delay = a.delay + b.delay};
}

static struct ratio inverse(struct work *w, struct ratio a)
{
    if (a.gain == 0)
        return failed(w, TRANSFER_NONE);
    return (struct ratio){1 / a.gain, a.denominator, a.numerator, -a.delay};
}

/* A polynomial as a ratio. */
static struct ratio of_polynomial(struct work *w, struct polynomial p)
{
    if (is_number(p))
        return number(p.count ? p.at[0] : 0);
    struct polynomial *at = arena_array(w->arena, 1, sizeof *at);
    if (!at)
        return failed(w, TRANSFER_MEMORY);
    *at = p;
    return (struct ratio){.gain = 1, .numerator = {at, 1}};
}

/* a + sign b over their denominators, once where these are the same. */
static struct ratio add(struct work *w, struct ratio a, struct ratio b, double sign)
{
    if (a.gain == 0 || b.gain == 0) {
        b.gain *= sign;
        return a.gain == 0 ? b : a;
    }
    if (a.delay != b.delay)
        return failed(w, TRANSFER_OTHER);
    const bool same = a.denominator.at == b.denominator.at && a.denominator.count == b.denominator.count;
    const struct factors first = same ? a.numerator : join(w, a.numerator, b.denominator);
    const struct factors second = same ? b.numerator : join(w, b.numerator, a.denominator);
    struct ratio r = of_polynomial(w, sum(w->arena, expand(w, first, a.gain), expand(w, second, b.gain), sign));
    if (r.gain == 0)
        return r;
    r.denominator = same ? a.denominator : join(w, a.denominator, b.denominator);
    r.delay = a.delay;
    return r;
}

static struct ratio power(struct work *w, struct ratio a, double exponent)
{
    struct ratio r = number(1);
    const struct ratio one = exponent < 0 ? inverse(w, a) : a;
    if (exponent != floor(exponent) || fabs(exponent) > MOST_DEGREE)
        return a.numerator.count + a.denominator.count == 0 && a.delay == 0 && a.gain > 0
                   ? number(pow(a.gain, exponent))
                   : failed(w, TRANSFER_OTHER);
    for (double i = 0; i < fabs(exponent) && w->outcome == TRANSFER_RATIONAL; i++)
        r = multiply(w, r, one);
    return r;
}

static bool is_constant(struct ratio a)
{
    return a.numerator.count == 0 && a.denominator.count == 0 && a.delay == 0;
}

/* e^(c - s td) */
static struct ratio exponential(struct work *w, struct ratio a)
{
    const struct polynomial p = a.denominator.count == 0 && a.delay == 0 ? expand(w, a.numerator, a.gain)
                                                                         : (struct polynomial){NULL, MOST_DEGREE};
    if (p.count > 2)
        return failed(w, TRANSFER_OTHER);
    struct ratio r = number(exp(p.count > 0 ? p.at[0] : 0));
    r.delay = p.count > 1 ? -p.at[1] : 0;
    return r;
}

static struct ratio apply(struct work *w, enum operation op, struct ratio a, struct ratio b)
{
    switch (op) {
    case OP_ADD:
        return add(w, a, b, 1);
    case OP_SUBTRACT:
        return add(w, a, b, -1);
    case OP_MULTIPLY:
        return multiply(w, a, b);
    case OP_DIVIDE:
        return multiply(w, a, inverse(w, b));
    case OP_NEGATE:
        a.gain = -a.gain;
        return a;
    case OP_MOVE:
        return a;
    case OP_SQUARE:
        return multiply(w, a, a);
    case OP_EXP:
        return exponential(w, a);
    case OP_POWER:
    case OP_SIGNED_POWER:
        if (is_constant(b))
            return power(w, a, b.gain);
        return is_constant(a) && a.gain > 0 ? exponential(w, multiply(w, b, number(log(a.gain))))
                                            : failed(w, TRANSFER_OTHER);
    case OP_INTEGER_POWER:
    case OP_FIXED_POWER:
    case OP_FIXED_SIGNED_POWER:
        return power(w, a, b.gain);
    default:
        break;
    }
    if (!is_constant(a) || (operation_has_second(op) && !is_constant(b)) || op >= OP_PWL)
        return failed(w, TRANSFER_OTHER);
    return number(operation_value(op, a.gain, b.gain));
}

/* The only input is s. */
static bool load(const struct expression *e, struct work *w, struct ratio *slots)
{
    static const double s[] = {0, 1};
    for (size_t i = 0; i < e->constant_count; i++)
        slots[i] = number(e->constants[i]);
    for (size_t i = 0; i < e->input_count; i++)
        slots[e->input_slot + (int)i] = of_polynomial(w, (struct polynomial){s, 2});
    if (e->temperature_slot >= 0 || e->time_slot >= 0)
        failed(w, TRANSFER_OTHER);
    return w->outcome == TRANSFER_RATIONAL;
}

static struct ratio run(const struct expression *e, struct work *w, struct ratio *slots)
{
    if (!load(e, w, slots))
        return number(0);
    for (size_t k = 0; k < e->instruction_count && w->outcome == TRANSFER_RATIONAL; k++) {
        const struct instruction *i = &e->instructions[k];
        const enum operation op = (enum operation)i->operation;
        if (op == OP_JUMP || op == OP_BRANCH_IF_ZERO || op == OP_PWL)
            failed(w, TRANSFER_OTHER);
        else
            slots[i->result] = apply(w, op, slots[i->a], operation_has_second(op) ? slots[i->b] : number(0));
    }
    return slots[e->result];
}

/* ---- sections ---- */

/* How many times s divides all of the factors together; they lose it. */
static size_t take_out_s(struct factors f, struct polynomial *left)
{
    size_t times = 0;
    for (size_t i = 0; i < f.count; i++) {
        left[i] = f.at[i];
        for (; left[i].count > 1 && left[i].at[0] == 0; times++)
            left[i] = (struct polynomial){left[i].at + 1, left[i].count - 1};
    }
    return times;
}

/* Magnitude of a typical root. */
static double speed_of(struct polynomial p)
{
    return p.count > 1 && p.at[0] != 0 ? pow(fabs(p.at[0] / p.at[p.count - 1]), 1.0 / (double)(p.count - 1)) : 0;
}

struct section {
    struct polynomial numerator, denominator;
};

struct sections {
    struct section *at;
    size_t count;
};

static double distance(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : a == b ? 0 : INFINITY;
}

/* The section in which a numerator of that degree has room and whose poles are nearest; count: none has. */
static size_t nearest_room(const struct sections *s, struct polynomial p)
{
    size_t found = s->count;
    double best = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        const struct section *at = &s->at[i];
        const double far = distance(speed_of(at->denominator), speed_of(p));
        if (at->numerator.count + p.count - 1 <= at->denominator.count && (far < best || found == s->count)) {
            best = far;
            found = i;
        }
    }
    return found;
}

/* One section of all. */
static void unite(struct work *w, struct sections *s)
{
    for (; s->count > 1; s->count--) {
        const struct section *last = &s->at[s->count - 1];
        s->at[0].numerator = product(w->arena, s->at[0].numerator, last->numerator);
        s->at[0].denominator = product(w->arena, s->at[0].denominator, last->denominator);
    }
}

static void place_numerator(struct work *w, struct sections *s, struct polynomial p)
{
    size_t at = nearest_room(s, p);
    if (at == s->count) {
        unite(w, s);
        at = 0;
    }
    s->at[at].numerator = product(w->arena, s->at[at].numerator, p);
    if (!s->at[at].numerator.at || !s->at[at].denominator.at)
        failed(w, TRANSFER_MEMORY);
}

static struct polynomial one_times(struct work *w, double value)
{
    return expand(w, (struct factors){0}, value);
}

static struct polynomial power_of_s(struct work *w, size_t power)
{
    double *at = arena_array(w->arena, power + 1, sizeof *at);
    if (!at) {
        failed(w, TRANSFER_MEMORY);
        return (struct polynomial){NULL, 0};
    }
    at[power] = 1;
    return (struct polynomial){at, power + 1};
}

/* The denominators that are left without common powers of s, each a section; numbers among them go into the gain. */
static void open_sections(struct work *w, const struct factors *below, size_t power, double *gain, struct sections *s)
{
    for (size_t i = 0; i < below->count; i++)
        if (is_number(below->at[i]))
            *gain /= below->at[i].at[0];
        else
            s->at[s->count++] = (struct section){one_times(w, 1), below->at[i]};
    if (power > 0 || s->count == 0)
        s->at[s->count++] = (struct section){one_times(w, 1), power_of_s(w, power)};
}

static void make_sections(struct work *w, const struct ratio *r, struct sections *s)
{
    struct polynomial *above = arena_array(w->arena, r->numerator.count + 1, sizeof *above);
    struct polynomial *below = arena_array(w->arena, r->denominator.count + 1, sizeof *below);
    s->at = arena_array(w->arena, r->denominator.count + 2, sizeof *s->at);
    if (!above || !below || !s->at) {
        failed(w, TRANSFER_MEMORY);
        return;
    }
    const size_t zeros = take_out_s(r->numerator, above), poles = take_out_s(r->denominator, below);
    double gain = r->gain;
    open_sections(w, &(struct factors){below, r->denominator.count}, poles > zeros ? poles - zeros : 0, &gain, s);
    for (size_t i = 0; i < r->numerator.count; i++)
        place_numerator(w, s, above[i]);
    if (zeros > poles)
        place_numerator(w, s, power_of_s(w, zeros - poles));
    s->at[0].numerator = product(w->arena, s->at[0].numerator, one_times(w, gain));
}

static enum transfer_outcome keep(struct work *w, const struct ratio *r, struct response *out)
{
    struct sections s = {0};
    if (w->outcome == TRANSFER_RATIONAL && r->delay < 0)
        return TRANSFER_ADVANCED;
    if (w->outcome == TRANSFER_RATIONAL)
        make_sections(w, r, &s);
    struct rational *sections =
        w->outcome == TRANSFER_RATIONAL ? arena_array(w->arena, s.count + 1, sizeof *sections) : NULL;
    if (!sections)
        return w->outcome == TRANSFER_RATIONAL ? TRANSFER_MEMORY : w->outcome;
    for (size_t i = 0; i < s.count; i++)
        sections[i] = (struct rational){s.at[i].numerator.at, s.at[i].denominator.at, s.at[i].numerator.count,
                                        s.at[i].denominator.count};
    *out = (struct response){.sections = sections, .section_count = s.count, .delay = r->delay};
    return TRANSFER_RATIONAL;
}

/* ---- the ways in ---- */

enum transfer_outcome transfer_of_expression(const struct expression *e, struct arena *arena, struct response *out)
{
    struct work w = {arena, TRANSFER_RATIONAL};
    struct ratio *slots = arena_array(arena, expression_workspace(e) + 1, sizeof *slots);
    if (!slots)
        return TRANSFER_MEMORY;
    const struct ratio r = run(e, &w, slots);
    return keep(&w, &r, out);
}

enum transfer_outcome transfer_of_factors(double gain, const struct polynomial *numerators, size_t numerator_count,
                                          const struct polynomial *denominators, size_t denominator_count,
                                          struct arena *arena, struct response *out)
{
    struct work w = {arena, TRANSFER_RATIONAL};
    struct ratio r = number(gain);
    for (size_t i = 0; i < numerator_count; i++)
        r = multiply(&w, r, of_polynomial(&w, trimmed(numerators[i])));
    for (size_t i = 0; i < denominator_count; i++)
        r = multiply(&w, r, inverse(&w, of_polynomial(&w, trimmed(denominators[i]))));
    return keep(&w, &r, out);
}

bool transfer_factor(double real, double imaginary, struct arena *arena, struct polynomial *out)
{
    double *at = arena_array(arena, 3, sizeof *at);
    if (!at)
        return false;
    at[0] = imaginary != 0 ? real * real + imaginary * imaginary : real;
    at[1] = imaginary != 0 ? 2 * real : 1;
    at[2] = 1;
    *out = (struct polynomial){at, imaginary != 0 ? 3 : 2};
    return true;
}
