/* parts.c - see parts.h. */
#include "devices/logic/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double delay_to(enum logic_level level, enum logic_level before, double rise, double fall)
{
    if (level == LOGIC_UNKNOWN) /* on the way from where it was */
        return before == LOGIC_ONE ? fall : rise;
    return level == LOGIC_ONE ? rise : fall;
}

/* ---- gates ---- */

static void post_gate(struct logic *l, const struct gate *g, int driver, enum logic_level level)
{
    if (driver < 0)
        return;
    const enum logic_level before = logic_posted(l, driver).level;
    logic_post(l, driver, (struct logic_state){level, g->strength[level], 0},
               delay_to(level, before, g->rise, g->fall));
}

static enum logic_level exactly_one(const struct logic *l, const struct logic_part *p)
{
    size_t ones = 0, unknown = 0;
    for (size_t i = 0; i < p->input_count; i++) {
        const enum logic_level in = logic_read(l, p, i, LOGIC_ZERO);
        ones += in == LOGIC_ONE;
        unknown += in == LOGIC_UNKNOWN;
    }
    return ones > 1 || (ones == 0 && unknown == 0) ? LOGIC_ZERO : unknown > 0 ? LOGIC_UNKNOWN : LOGIC_ONE;
}

static enum logic_level gate_level(const struct logic *l, const struct logic_part *p, const struct gate *g)
{
    if (g->function == GATE_ONE)
        return g->inverts ? logic_not(exactly_one(l, p)) : exactly_one(l, p);
    enum logic_level level = g->function == GATE_AND ? LOGIC_ONE : LOGIC_ZERO;
    for (size_t i = 0; i < p->input_count; i++) {
        if (p->inputs[i].net < 0)
            continue;
        const enum logic_level in = logic_read(l, p, i, LOGIC_ZERO);
        level = g->function == GATE_AND   ? logic_and(level, in)
                : g->function == GATE_XOR ? logic_xor(level, in)
                                          : logic_or(level, in);
    }
    return g->inverts ? logic_not(level) : level;
}

static void gate_react(struct logic *l, struct logic_part *p)
{
    const struct gate *g = p->own;
    const enum logic_level level = g->starts && logic_settles(l) ? g->start : gate_level(l, p, g);
    post_gate(l, g, p->drivers[0], level);
    if (p->driver_count > 1)
        post_gate(l, g, p->drivers[1], logic_not(level));
}

const struct logic_part_class gate_part = {.react = gate_react};

static void tristate_react(struct logic *l, struct logic_part *p)
{
    const struct tristate *t = p->own;
    const enum logic_level enable = logic_read(l, p, 1, LOGIC_ONE);
    const struct logic_state state = {logic_read(l, p, 0, LOGIC_UNKNOWN),
                                      enable == LOGIC_ZERO  ? LOGIC_OFF
                                      : enable == LOGIC_ONE ? LOGIC_STRONG
                                                            : LOGIC_UNDETERMINED,
                                      0};
    logic_post(l, p->drivers[0], state, t->delay);
}

const struct logic_part_class tristate_part = {.react = tristate_react};

static void constant_react(struct logic *l, struct logic_part *p)
{
    logic_post(l, p->drivers[0], *(const struct logic_state *)p->own, 0);
}

const struct logic_part_class constant_part = {.react = constant_react};

/* ---- flip-flops and latches ---- */

static void flop_forget(struct logic_part *p)
{
    struct flop *f = p->own;
    f->state = f->initial;
    f->inverse = logic_not(f->state);
    f->clock = f->set = f->reset = LOGIC_UNKNOWN;
}

static void flop_show(struct logic *l, struct logic_part *p, enum logic_level state, enum logic_level inverse,
                      enum flop_cause cause)
{
    struct flop *f = p->own;
    const struct flop_delay *d = &f->delays[cause];
    logic_post(l, p->drivers[0], logic_strong(state), delay_to(state, f->state, d->rise, d->fall));
    logic_post(l, p->drivers[1], logic_strong(inverse), delay_to(inverse, f->inverse, d->rise, d->fall));
    f->state = state;
    f->inverse = inverse;
}

static void flop_become(struct logic *l, struct logic_part *p, enum logic_level state, enum flop_cause cause)
{
    flop_show(l, p, state, logic_not(state), cause);
}

/* Set, reset or both act. */
static void flop_force(struct logic *l, struct logic_part *p, enum flop_cause cause)
{
    const struct flop *f = p->own;
    if (f->set != LOGIC_ONE || f->reset != LOGIC_ONE)
        flop_become(l, p, f->set == LOGIC_ONE ? LOGIC_ONE : LOGIC_ZERO, cause);
    else if (f->doubles)
        flop_show(l, p, LOGIC_ONE, LOGIC_ONE, cause);
    else
        flop_become(l, p, LOGIC_UNKNOWN, cause);
}

/* What the inputs ask for. */
static enum logic_level flop_wanted(const struct logic *l, const struct logic_part *p)
{
    const struct flop *f = p->own;
    const enum logic_level a = logic_read(l, p, FLOP_FIRST, LOGIC_ONE), b = logic_read(l, p, FLOP_SECOND, LOGIC_ZERO);
    switch (f->kind) {
    case FLOP_D:
        return a;
    case FLOP_T:
        return logic_xor(f->state, a);
    case FLOP_JK: /* J Q' + K' Q, and J K' for a state that is not known */
        return logic_or(logic_and(a, logic_not(b)),
                        logic_or(logic_and(a, logic_not(f->state)), logic_and(logic_not(b), f->state)));
    case FLOP_SR: /* both, or perhaps both: not known */
        return logic_and(a, b) != LOGIC_ZERO ? LOGIC_UNKNOWN : logic_or(a, logic_and(logic_not(b), f->state));
    }
    return LOGIC_UNKNOWN;
}

static enum logic_level asserted(const struct logic *l, const struct logic_part *p, size_t input)
{
    const struct flop *f = p->own;
    const enum logic_level level = logic_read(l, p, input, f->low_set ? LOGIC_ONE : LOGIC_ZERO);
    return f->low_set ? logic_not(level) : level;
}

/* Set and reset count before the clock.  One that is not known leaves the state as it is, unless the
 * other one is on. */
static void flop_react(struct logic *l, struct logic_part *p)
{
    struct flop *f = p->own;
    const enum logic_level set = asserted(l, p, FLOP_SET), reset = asserted(l, p, FLOP_RESET);
    const enum logic_level clock = logic_read(l, p, FLOP_CLOCK, LOGIC_ONE), before = f->clock;
    const bool set_changed = set != f->set, reset_changed = reset != f->reset, clock_changed = clock != before;
    const enum logic_level edge = f->falling ? LOGIC_ZERO : LOGIC_ONE;
    f->set = set;
    f->reset = reset;
    f->clock = clock;
    if (set == LOGIC_ONE || reset == LOGIC_ONE) {
        if (logic_settles(l) || set_changed || reset_changed)
            flop_force(l, p, set_changed && set == LOGIC_ONE ? FLOP_BY_SET : FLOP_BY_RESET);
        return;
    }
    if (f->inverse != logic_not(f->state))
        flop_become(l, p, f->state, FLOP_BY_RESET);
    if (f->latch && clock == LOGIC_ONE) {
        const enum flop_cause cause = clock_changed   ? FLOP_BY_CLOCK
                                      : set_changed   ? FLOP_BY_SET
                                      : reset_changed ? FLOP_BY_RESET
                                                      : FLOP_BY_DATA;
        const enum logic_level wanted = flop_wanted(l, p);
        if (wanted != f->state || logic_settles(l))
            flop_become(l, p, wanted, cause);
    } else if (logic_settles(l)) {
        flop_become(l, p, f->follows ? logic_read(l, p, FLOP_FIRST, LOGIC_ONE) : f->state, FLOP_BY_CLOCK);
    } else if (!f->latch && clock_changed && clock == edge) {
        const enum logic_level wanted = flop_wanted(l, p);
        if (wanted != f->state)
            flop_become(l, p, wanted, FLOP_BY_CLOCK);
    }
}

static void flop_remember(struct logic_part *p, struct keepsake *k)
{
    struct flop *f = p->own;
    KEEPSAKE_PIECE(k, f->state);
    KEEPSAKE_PIECE(k, f->inverse);
    KEEPSAKE_PIECE(k, f->clock);
    KEEPSAKE_PIECE(k, f->set);
    KEEPSAKE_PIECE(k, f->reset);
}

const struct logic_part_class flop_part = {.react = flop_react, .forget = flop_forget, .remember = flop_remember};

/* ---- counting, tables, memory ---- */

static void divider_forget(struct logic_part *p)
{
    struct divider *d = p->own;
    d->count = d->first < 0 || d->first >= d->factor ? 0 : d->first;
    d->input = LOGIC_UNKNOWN;
}

static void divider_react(struct logic *l, struct logic_part *p)
{
    struct divider *d = p->own;
    const enum logic_level input = logic_read(l, p, 0, LOGIC_ZERO);
    const bool rises = !logic_settles(l) && input == LOGIC_ONE && d->input != LOGIC_ONE;
    d->input = input;
    if (rises)
        d->count = d->count >= d->factor ? 1 : d->count + 1;
    const enum logic_level level = d->count > 0 && d->count <= d->high ? LOGIC_ONE : LOGIC_ZERO;
    if (level != logic_posted(l, p->drivers[0]).level || logic_settles(l))
        logic_post(l, p->drivers[0], logic_strong(level), level == LOGIC_ONE ? d->rise : d->fall);
}

static void divider_remember(struct logic_part *p, struct keepsake *k)
{
    struct divider *d = p->own;
    KEEPSAKE_PIECE(k, d->count);
    KEEPSAKE_PIECE(k, d->input);
}

const struct logic_part_class divider_part = {
    .react = divider_react, .forget = divider_forget, .remember = divider_remember};

static bool has_risen(enum logic_level now, enum logic_level *before)
{
    const bool edge = now == LOGIC_ONE && *before == LOGIC_ZERO;
    *before = now;
    return edge;
}

static void counter_forget(struct logic_part *p)
{
    struct counter *c = p->own;
    c->count = 0;
    c->clock = LOGIC_UNKNOWN;
}

static void counter_react(struct logic *l, struct logic_part *p)
{
    struct counter *c = p->own;
    const bool edge = has_risen(logic_read(l, p, COUNTER_CLOCK, LOGIC_ZERO), &c->clock) && !logic_settles(l);
    c->count = logic_read(l, p, COUNTER_RESET, LOGIC_ZERO) == LOGIC_ONE ? 0 : (c->count + edge) % c->cycles;
    const enum logic_level level = c->count < c->high ? LOGIC_ONE : LOGIC_ZERO;
    if (level != logic_posted(l, p->drivers[0]).level || logic_settles(l))
        logic_post(l, p->drivers[0], logic_strong(level), c->delay);
}

static void counter_remember(struct logic_part *p, struct keepsake *k)
{
    struct counter *c = p->own;
    KEEPSAKE_PIECE(k, c->count);
    KEEPSAKE_PIECE(k, c->clock);
}

const struct logic_part_class counter_part = {
    .react = counter_react, .forget = counter_forget, .remember = counter_remember};

static void phase_detector_forget(struct logic_part *p)
{
    struct phase_detector *d = p->own;
    for (size_t i = 0; i < 2; i++) {
        d->ahead[i] = false;
        d->inputs[i] = LOGIC_UNKNOWN;
    }
}

static void phase_detector_react(struct logic *l, struct logic_part *p)
{
    struct phase_detector *d = p->own;
    for (size_t i = 0; i < 2; i++)
        d->ahead[i] |= has_risen(logic_read(l, p, i, LOGIC_ZERO), &d->inputs[i]) && !logic_settles(l);
    if (d->ahead[0] && d->ahead[1])
        d->ahead[0] = d->ahead[1] = false;
    for (size_t i = 0; i < 2; i++) {
        const enum logic_level level = d->ahead[i] ? LOGIC_ONE : LOGIC_ZERO;
        if (level != logic_posted(l, p->drivers[i]).level || logic_settles(l))
            logic_post(l, p->drivers[i], logic_strong(level), d->delay);
    }
}

static void phase_detector_remember(struct logic_part *p, struct keepsake *k)
{
    struct phase_detector *d = p->own;
    KEEPSAKE_PIECE(k, d->ahead);
    KEEPSAKE_PIECE(k, d->inputs);
}

const struct logic_part_class phase_detector_part = {
    .react = phase_detector_react, .forget = phase_detector_forget, .remember = phase_detector_remember};

/* The value of the table where inputs are known; where one is not, what both of its values agree on. */
static enum logic_level look_up(const struct logic *l, const struct logic_part *p, size_t input, size_t place)
{
    const struct table *t = p->own;
    if (input == p->input_count)
        return t->values[place] == '1' ? LOGIC_ONE : t->values[place] == '0' ? LOGIC_ZERO : LOGIC_UNKNOWN;
    const enum logic_level in = logic_read(l, p, input, LOGIC_ZERO);
    const size_t bit = (size_t)1 << input;
    if (in != LOGIC_UNKNOWN)
        return look_up(l, p, input + 1, in == LOGIC_ONE ? place + bit : place);
    const enum logic_level low = look_up(l, p, input + 1, place), high = look_up(l, p, input + 1, place + bit);
    return low == high ? low : LOGIC_UNKNOWN;
}

static void table_forget(struct logic_part *p)
{
    struct table *t = p->own;
    for (size_t i = 0; i < p->input_count && t->late; i++)
        t->inputs[i] = LOGIC_UNKNOWN;
    t->changed = -INFINITY;
    t->wait = 0;
}

/* Changes at one time may come one after the other. */
static double wait_for_inputs(const struct logic *l, const struct logic_part *p)
{
    struct table *t = p->own;
    if (logic_now(l) > t->changed)
        t->wait = 0;
    t->changed = logic_now(l);
    for (size_t i = 0; i < p->input_count && t->late; i++) {
        const enum logic_level in = logic_read(l, p, i, LOGIC_ZERO);
        t->wait = in != t->inputs[i] ? fmax(t->wait, t->late[i]) : t->wait;
        t->inputs[i] = in;
    }
    return t->wait;
}

static void table_react(struct logic *l, struct logic_part *p)
{
    const struct table *t = p->own;
    const enum logic_level level = look_up(l, p, 0, 0), before = logic_posted(l, p->drivers[0]).level;
    logic_post(l, p->drivers[0], logic_strong(level), wait_for_inputs(l, p) + delay_to(level, before, t->rise, t->fall));
}

static void table_remember(struct logic_part *p, struct keepsake *k)
{
    struct table *t = p->own;
    keepsake_piece(k, t->inputs, t->late ? p->input_count * sizeof *t->inputs : 0);
    KEEPSAKE_PIECE(k, t->changed);
    KEEPSAKE_PIECE(k, t->wait);
}

const struct logic_part_class table_part = {.react = table_react, .forget = table_forget, .remember = table_remember};

static void memory_forget(struct logic_part *p)
{
    struct memory *m = p->own;
    memset(m->cells, (int)m->initial, m->cell_count);
}

/* The number that `count` inputs from `first` on say, the last one of value 1; false where one is not known. */
static bool read_number(const struct logic *l, const struct logic_part *p, size_t first, size_t count,
                        unsigned long *number)
{
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        const enum logic_level level = logic_read(l, p, first + i, LOGIC_ZERO);
        if (level == LOGIC_UNKNOWN)
            return false;
        *number = 2 * *number + (level == LOGIC_ONE);
    }
    return true;
}

static void memory_react(struct logic *l, struct logic_part *p)
{
    struct memory *m = p->own;
    unsigned long select, address;
    const size_t address_at = m->width, write_at = m->width + m->bits;
    const bool known = read_number(l, p, write_at + 1, m->selects, &select);
    const bool selected = known && select == m->select, there = read_number(l, p, address_at, m->bits, &address);
    unsigned char *cells = m->cells + (there ? address * m->width : 0);
    const enum logic_level write = logic_read(l, p, write_at, LOGIC_ZERO);
    for (size_t i = 0; i < m->width; i++) {
        if (selected && there && write == LOGIC_ONE)
            cells[i] = (unsigned char)logic_read(l, p, i, LOGIC_UNKNOWN);
        const enum logic_level level = there ? (enum logic_level)cells[i] : LOGIC_UNKNOWN;
        const struct logic_state off = {LOGIC_UNKNOWN, LOGIC_OFF, 0};
        const bool reads = selected && write == LOGIC_ZERO;
        logic_post(l, p->drivers[i], reads ? logic_strong(level) : off, m->delay);
    }
}

static void memory_remember(struct logic_part *p, struct keepsake *k)
{
    struct memory *m = p->own;
    keepsake_piece(k, m->cells, m->cell_count);
}

const struct logic_part_class memory_part = {
    .react = memory_react, .forget = memory_forget, .remember = memory_remember};

/* ---- state machine ---- */

const struct machine_row *machine_find(const struct machine *m, long state)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->rows[i].state == state)
            return &m->rows[i];
    return NULL;
}

static void machine_forget(struct logic_part *p)
{
    struct machine *m = p->own;
    m->row = machine_find(m, m->first);
    m->clock = m->reset = LOGIC_UNKNOWN;
}

static void machine_become(struct logic *l, struct logic_part *p, long state, double delay)
{
    struct machine *m = p->own;
    m->row = machine_find(m, state);
    for (size_t i = 0; i < p->driver_count; i++)
        logic_post(l, p->drivers[i], m->row->outputs[i], delay);
}

static bool machine_fits(const struct logic *l, const struct logic_part *p, const struct machine_row *row)
{
    for (size_t i = MACHINE_FIRST; i < p->input_count; i++) {
        const char wanted = row->inputs[i - MACHINE_FIRST];
        const enum logic_level in = logic_read(l, p, i, LOGIC_ZERO);
        if (wanted != 'x' && in != (wanted == '1' ? LOGIC_ONE : LOGIC_ZERO))
            return false;
    }
    return true;
}

static void machine_go_on(struct logic *l, struct logic_part *p)
{
    const struct machine *m = p->own;
    const long state = m->row->state;
    for (const struct machine_row *row = m->rows; row < m->rows + m->count; row++)
        if (row->state == state && machine_fits(l, p, row)) {
            machine_become(l, p, row->next, m->clock_delay);
            return;
        }
}

static void machine_react(struct logic *l, struct logic_part *p)
{
    struct machine *m = p->own;
    const enum logic_level clock = logic_read(l, p, MACHINE_CLOCK, LOGIC_ZERO);
    const enum logic_level reset = logic_read(l, p, MACHINE_RESET, LOGIC_ZERO);
    const bool rises = clock == LOGIC_ONE && m->clock != LOGIC_ONE,
               resets = reset == LOGIC_ONE && m->reset != LOGIC_ONE;
    m->clock = clock;
    m->reset = reset;
    if (logic_settles(l) || resets)
        machine_become(l, p, m->first, m->reset_delay);
    else if (rises && reset != LOGIC_ONE)
        machine_go_on(l, p);
}

static void machine_remember(struct logic_part *p, struct keepsake *k)
{
    struct machine *m = p->own;
    long state = m->row->state;
    KEEPSAKE_PIECE(k, state);
    KEEPSAKE_PIECE(k, m->clock);
    KEEPSAKE_PIECE(k, m->reset);
    const struct machine_row *row = machine_find(m, state);
    k->failed = k->failed || !row;
    m->row = row ? row : m->row;
}

const struct logic_part_class machine_part = {
    .react = machine_react, .forget = machine_forget, .remember = machine_remember};

/* ---- adder ---- */

static void adder_react(struct logic *l, struct logic_part *p)
{
    const struct adder *d = p->own;
    const enum logic_level a = logic_read(l, p, 0, LOGIC_ZERO), b = logic_read(l, p, 1, LOGIC_ZERO);
    const enum logic_level c = logic_read(l, p, 2, LOGIC_ZERO);
    enum logic_level levels[2] = {logic_xor(logic_xor(a, b), c),
                                  logic_or(logic_and(a, b), logic_and(c, logic_or(a, b)))};
    for (size_t i = 0; i < 2; i++) {
        if (d->starts[i] && logic_settles(l))
            levels[i] = d->start[i];
        logic_post(l, p->drivers[i], logic_strong(levels[i]),
                   delay_to(levels[i], logic_posted(l, p->drivers[i]).level, d->rise, d->fall));
    }
}

const struct logic_part_class adder_part = {.react = adder_react};

/* ---- sources ---- */

static void stimulus_forget(struct logic_part *p)
{
    struct stimulus *s = p->own;
    s->next = 0;
    s->cycle = 0;
}

/* The states of the rows that are left of a cycle, each for its time. */
static void stimulus_post(struct logic *l, const struct logic_part *p, size_t outputs)
{
    struct stimulus *s = p->own;
    const double now = logic_now(l), shift = s->cycle * s->period, noise = 1e-9 * s->period; /* of sums of times */
    for (; s->next < s->count; s->next++)
        for (size_t d = 0; d < outputs; d++)
            if (s->times[s->next] + shift >= now - noise) {
                const double delay = s->times[s->next] + shift - now;
                logic_post(l, p->drivers[d], s->states[s->next * outputs + d], delay > 0 ? delay : 0);
            }
}

/* At rest the states of the first time; then those of all times, or of a cycle, are posted. */
static void stimulus_react(struct logic *l, struct logic_part *p)
{
    struct stimulus *s = p->own;
    const size_t outputs = p->driver_count - (s->period > 0);
    if (logic_settles(l)) {
        for (size_t d = 0; d < outputs; d++)
            logic_post(l, p->drivers[d], s->states[d], 0);
        return;
    }
    stimulus_post(l, p, outputs);
    const double end = s->begin + (s->cycle + 1) * s->period;
    if (s->period > 0 && (s->cycle == 0 || logic_now(l) >= end - s->period - 1e-9 * s->period)) {
        s->cycle++;
        s->next = s->again;
        logic_post(l, p->drivers[outputs], logic_strong(fmod(s->cycle, 2) != 0 ? LOGIC_ONE : LOGIC_ZERO),
                   end - logic_now(l));
    }
}

static void stimulus_remember(struct logic_part *p, struct keepsake *k)
{
    struct stimulus *s = p->own;
    KEEPSAKE_PIECE(k, s->next);
    KEEPSAKE_PIECE(k, s->cycle);
}

const struct logic_part_class stimulus_part = {
    .react = stimulus_react, .forget = stimulus_forget, .remember = stimulus_remember};
