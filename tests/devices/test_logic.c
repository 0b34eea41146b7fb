/* test_logic.c - the engine of logic: truth tables with unknown inputs, resolution, delays, flip-flops, memories; random
 * networks against a table of all nets at all times that is filled in here. */
#include "claims.h"
#include "devices/logic/parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* A bench of parts with nets; all in one arena. */
struct bench {
    struct arena *arena;
    struct logic *l;
};

static struct bench bench_open(void)
{
    struct bench b = {.arena = arena_new()};
    CU_ASSERT_PTR_NOT_NULL_FATAL(b.arena);
    b.l = logic_new(b.arena);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b.l);
    return b;
}

static void bench_close(struct bench *b)
{
    logic_free(b->l);
    arena_free(b->arena);
}

static struct logic_part *part(struct bench *b, const struct logic_part_class *class, size_t inputs, const int *nets,
                               size_t drivers, const int *outputs, const void *own, size_t size)
{
    struct logic_part *p = arena_alloc(b->arena, sizeof *p);
    *p = (struct logic_part){.class = class, .input_count = inputs, .driver_count = drivers};
    p->inputs = arena_array(b->arena, inputs + 1, sizeof *p->inputs);
    p->drivers = arena_array(b->arena, drivers + 1, sizeof *p->drivers);
    p->own = arena_alloc(b->arena, size + 1);
    memcpy(p->own, own, size);
    for (size_t i = 0; i < inputs; i++)
        p->inputs[i].net = nets[i];
    for (size_t i = 0; i < drivers; i++)
        p->drivers[i] = outputs[i] < 0 ? -1 : logic_add_driver(b->l, outputs[i], false);
    CU_ASSERT(logic_add_part(b->l, p));
    return p;
}

static void gate(struct bench *b, struct gate g, size_t inputs, const int *nets, int output)
{
    part(b, &gate_part, inputs, nets, 1, &output, &g, sizeof g);
}

/* ---- truth ---- */

static int boolean(enum gate_function f, bool inverts, const int *in, size_t count)
{
    int ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += in[i];
    const int value = f == GATE_AND ? ones == (int)count : f == GATE_XOR ? ones % 2 : ones > 0;
    return inverts ? !value : value;
}

/* What all completions of the unknown inputs agree on. */
static enum logic_level by_completions(enum gate_function f, bool inverts, const enum logic_level *in, size_t count)
{
    int seen[2] = {0, 0};
    for (unsigned bits = 0; bits < 1u << count; bits++) {
        int values[MOST];
        bool fits = true;
        for (size_t i = 0; i < count; i++) {
            values[i] = bits >> i & 1;
            fits &= in[i] == LOGIC_UNKNOWN || (in[i] == LOGIC_ONE) == values[i];
        }
        if (fits)
            seen[boolean(f, inverts, values, count)] = 1;
    }
    return seen[0] && seen[1] ? LOGIC_UNKNOWN : seen[1] ? LOGIC_ONE : LOGIC_ZERO;
}

static void gates_give_what_unknown_inputs_cannot_change(void)
{
    for (int f = GATE_BUFFER; f <= GATE_XOR; f++)
        for (int inverts = 0; inverts < 2; inverts++)
            for (size_t count = 1; count <= (f == GATE_BUFFER ? 1 : 4); count++)
                for (unsigned code = 0, codes = count == 1   ? 3
                                                : count == 2 ? 9
                                                : count == 3 ? 27
                                                             : 81;
                     code < codes; code++) {
                    struct bench b = bench_open();
                    int nets[4], drivers[4], out = logic_add_net(b.l);
                    enum logic_level in[4];
                    unsigned rest = code;
                    for (size_t i = 0; i < count; i++, rest /= 3) {
                        in[i] = (enum logic_level)(rest % 3);
                        nets[i] = logic_add_net(b.l);
                        drivers[i] = logic_add_driver(b.l, nets[i], false);
                    }
                    gate(&b, (struct gate){.function = f, .inverts = inverts != 0}, count, nets, out);
                    logic_begin(b.l);
                    for (size_t i = 0; i < count; i++)
                        logic_post(b.l, drivers[i], logic_strong(in[i]), 0);
                    CU_ASSERT_EQUAL(logic_settle(b.l), KN_OK);
                    CU_ASSERT_EQUAL(logic_state_of(b.l, out).level, by_completions(f, inverts != 0, in, count));
                    bench_close(&b);
                }
}

static void stronger_drivers_win_and_equal_ones_that_differ_are_unknown(void)
{
    const struct logic_state one = {LOGIC_ONE, LOGIC_STRONG, 0}, zero = {LOGIC_ZERO, LOGIC_STRONG, 0};
    const struct logic_state up = {LOGIC_ONE, LOGIC_RESISTIVE, 0}, off = {LOGIC_UNKNOWN, LOGIC_OFF, 0};
    const struct logic_state perhaps = {LOGIC_ONE, LOGIC_UNDETERMINED, 0};
    CU_ASSERT(logic_same(logic_resolve(zero, up), zero));
    CU_ASSERT(logic_same(logic_resolve(off, up), up));
    CU_ASSERT_EQUAL(logic_resolve(one, zero).level, LOGIC_UNKNOWN);
    CU_ASSERT_EQUAL(logic_resolve(one, one).level, LOGIC_ONE);
    CU_ASSERT_EQUAL(logic_resolve(perhaps, zero).level, LOGIC_UNKNOWN);
    CU_ASSERT_EQUAL(logic_resolve(perhaps, one).level, LOGIC_ONE);
}

/* ---- time ---- */

static void events_come_in_the_order_of_their_times(void)
{
    struct bench b = bench_open();
    uint64_t seed = 20261122;
    double times[200];
    int nets[200];
    for (int i = 0; i < 200; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        times[i] = 1e-9 * (1 + (double)(seed >> 54));
        nets[i] = logic_add_net(b.l);
    }
    int drivers[200];
    for (int i = 0; i < 200; i++)
        drivers[i] = logic_add_driver(b.l, nets[i], false);
    logic_begin(b.l);
    logic_settle(b.l);
    logic_at(b.l, 0);
    for (int i = 0; i < 200; i++)
        logic_post(b.l, drivers[i], logic_strong(LOGIC_ONE), times[i]);
    for (double next = logic_next(b.l, 0), last = 0; next < INFINITY; last = next, next = logic_next(b.l, next)) {
        CU_ASSERT(next > last);
        logic_at(b.l, next);
        CU_ASSERT_EQUAL(logic_run(b.l, next), KN_OK);
        for (int i = 0; i < 200; i++)
            CU_ASSERT_EQUAL(logic_state_of(b.l, nets[i]).level == LOGIC_ONE, times[i] <= next);
    }
    bench_close(&b);
}

/* A pulse of 2 ns through delays of 5 ns up and 3 ns down, transport and inertial. */
static void pulses_shorter_than_the_difference_of_delays_are_taken_back(void)
{
    static const struct {
        double rise, fall;
        bool inertial;
        int changes;
    } cases[] = {{5e-9, 3e-9, false, 0},
                 {3e-9, 5e-9, false, 2},
                 {5e-9, 5e-9, false, 2},
                 {5e-9, 5e-9, true, 0},
                 {1e-9, 1e-9, true, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b = bench_open();
        const int in = logic_add_net(b.l), out = logic_add_net(b.l), driver = logic_add_driver(b.l, in, false);
        struct gate g = {.function = GATE_BUFFER, .rise = cases[i].rise, .fall = cases[i].fall};
        struct logic_part *p = part(&b, &gate_part, 1, &in, 0, NULL, &g, sizeof g);
        p->drivers[0] = logic_add_driver(b.l, out, cases[i].inertial);
        p->driver_count = 1;
        logic_begin(b.l);
        logic_post(b.l, driver, logic_strong(LOGIC_ZERO), 0);
        logic_settle(b.l);
        logic_at(b.l, 0);
        logic_post(b.l, driver, logic_strong(LOGIC_ONE), 1e-9);
        logic_post(b.l, driver, logic_strong(LOGIC_ZERO), 3e-9);
        int changes = 0;
        enum logic_level before = LOGIC_ZERO;
        for (int t = 0; t < 40; t++) {
            logic_at(b.l, t * 0.5e-9);
            logic_run(b.l, t * 0.5e-9 + 1e-12);
            changes += logic_state_of(b.l, out).level != before;
            before = logic_state_of(b.l, out).level;
        }
        CU_ASSERT_EQUAL(changes, cases[i].changes);
        bench_close(&b);
    }
}

/* A ring of three inverters without delay has no state once it is not unknown. */
static void loops_without_delay_are_errors_and_with_delay_oscillate(void)
{
    for (int delayed = 0; delayed < 2; delayed++) {
        struct bench b = bench_open();
        int nets[4];
        for (int i = 0; i < 4; i++)
            nets[i] = logic_add_net(b.l);
        const int driver = logic_add_driver(b.l, nets[3], false);
        const double delay = delayed ? 1e-9 : 0;
        const struct gate nand = {.function = GATE_AND, .inverts = true, .rise = delay, .fall = delay};
        const struct gate inverter = {.function = GATE_BUFFER, .inverts = true, .rise = delay, .fall = delay};
        gate(&b, nand, 2, (const int[]){nets[3], nets[2]}, nets[0]);
        gate(&b, inverter, 1, &nets[0], nets[1]);
        gate(&b, inverter, 1, &nets[1], nets[2]);
        logic_begin(b.l);
        logic_post(b.l, driver, logic_strong(LOGIC_ZERO), 0);
        CU_ASSERT_EQUAL(logic_settle(b.l), KN_OK);
        logic_at(b.l, 0);
        CU_ASSERT_EQUAL(logic_run(b.l, 0), KN_OK);
        logic_post(b.l, driver, logic_strong(LOGIC_ONE), 10e-9);
        logic_at(b.l, 10e-9);
        enum kn_status status = logic_run(b.l, 10e-9);
        int changes = 0;
        enum logic_level before = logic_state_of(b.l, nets[0]).level;
        for (int t = 1; delayed && t <= 30; t++) {
            logic_at(b.l, (10 + t) * 1e-9);
            status = logic_run(b.l, (10.2 + t) * 1e-9);
            changes += logic_state_of(b.l, nets[0]).level != before;
            before = logic_state_of(b.l, nets[0]).level;
        }
        CU_ASSERT_EQUAL(status, delayed ? KN_OK : KN_ERROR_CIRCUIT);
        CU_ASSERT_EQUAL(changes, delayed ? 10 : 0); /* every 3 ns */
        bench_close(&b);
    }
}

/* ---- random networks ---- */

enum { NETS = 14, SOURCES = 4, TIMES = 120, NOTHING = -1 };

struct network {
    int function[NETS], inverts[NETS], inputs[NETS][3], count[NETS], rise[NETS], fall[NETS];
    int source[SOURCES][TIMES]; /* levels */
};

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % below;
}

static struct network random_network(uint64_t *seed)
{
    struct network n;
    for (int i = SOURCES; i < NETS; i++) {
        n.function[i] = 1 + (int)draw(seed, 3);
        n.inverts[i] = (int)draw(seed, 2);
        n.count[i] = 1 + (int)draw(seed, 3);
        for (int k = 0; k < 3; k++)
            n.inputs[i][k] = (int)draw(seed, NETS); /* loops too */
        n.rise[i] = 1 + (int)draw(seed, 6);
        n.fall[i] = 1 + (int)draw(seed, 6);
    }
    for (int s = 0; s < SOURCES; s++)
        for (int t = 0, level = 0; t < TIMES; t++) {
            level = draw(seed, 6) == 0 ? (int)draw(seed, 3) : level;
            n.source[s][t] = level;
        }
    return n;
}

static int level_of(const struct network *n, int i, const int *levels)
{
    enum logic_level in[3];
    for (int k = 0; k < n->count[i]; k++)
        in[k] = (enum logic_level)levels[n->inputs[i][k]];
    return (int)by_completions((enum gate_function)n->function[i], n->inverts[i] != 0, in, (size_t)n->count[i]);
}

/* All nets at all times: future[i][t] is what net i has been told to become at t. */
static void fill_table(const struct network *n, const int *at_rest, int (*table)[NETS])
{
    static int future[NETS][TIMES + 10];
    int levels[NETS], last_output[NETS];
    memcpy(levels, at_rest, sizeof levels);
    memcpy(last_output, at_rest, sizeof last_output);
    for (int i = 0; i < NETS; i++)
        for (int t = 0; t < TIMES + 10; t++)
            future[i][t] = NOTHING;
    for (int t = 0; t < TIMES; t++) {
        int before[NETS];
        memcpy(before, levels, sizeof before);
        for (int i = 0; i < NETS; i++)
            levels[i] = i < SOURCES ? n->source[i][t] : future[i][t] != NOTHING ? future[i][t] : levels[i];
        for (int i = SOURCES; i < NETS; i++) {
            bool changed = false;
            for (int k = 0; k < n->count[i]; k++)
                changed |= levels[n->inputs[i][k]] != before[n->inputs[i][k]];
            if (!changed)
                continue;
            const int level = level_of(n, i, levels), was = last_output[i];
            const int delay = level == LOGIC_ONE    ? n->rise[i]
                              : level == LOGIC_ZERO ? n->fall[i]
                              : was == LOGIC_ONE    ? n->fall[i]
                                                    : n->rise[i];
            for (int later = t + delay; later < TIMES + 10; later++)
                future[i][later] = NOTHING;
            future[i][t + delay] = level;
            last_output[i] = level;
        }
        memcpy(table[t], levels, sizeof levels);
    }
}

static void random_networks_agree_with_a_table(void)
{
    for (uint64_t number = 0; number < 300; number++) {
        uint64_t seed = 20261122 + number;
        const struct network n = random_network(&seed);
        struct bench b = bench_open();
        int nets[NETS], drivers[SOURCES], rest[NETS];
        static int table[TIMES][NETS];
        for (int i = 0; i < NETS; i++)
            nets[i] = logic_add_net(b.l);
        for (int i = 0; i < SOURCES; i++)
            drivers[i] = logic_add_driver(b.l, nets[i], false);
        for (int i = SOURCES; i < NETS; i++) {
            int inputs[3];
            for (int k = 0; k < n.count[i]; k++)
                inputs[k] = nets[n.inputs[i][k]];
            gate(&b,
                 (struct gate){.function = n.function[i],
                               .inverts = n.inverts[i] != 0,
                               .rise = n.rise[i] * 1e-9,
                               .fall = n.fall[i] * 1e-9},
                 (size_t)n.count[i], inputs, nets[i]);
        }
        logic_begin(b.l);
        for (int i = 0; i < SOURCES; i++)
            logic_post(b.l, drivers[i], logic_strong((enum logic_level)n.source[i][0]), 0);
        CU_ASSERT_EQUAL(logic_settle(b.l), KN_OK);
        for (int i = 0; i < NETS; i++)
            rest[i] = (int)logic_state_of(b.l, nets[i]).level;
        for (int i = SOURCES; i < NETS; i++)
            CU_ASSERT_EQUAL(rest[i], level_of(&n, i, rest)); /* a state of rest */
        fill_table(&n, rest, table);
        bool same = true;
        for (int t = 0; t < TIMES; t++) {
            logic_at(b.l, t * 1e-9);
            for (int i = 0; i < SOURCES; i++)
                logic_post(b.l, drivers[i], logic_strong((enum logic_level)n.source[i][t]), 0);
            CU_ASSERT_EQUAL(logic_run(b.l, (t + 0.1) * 1e-9), KN_OK);
            for (int i = 0; i < NETS; i++)
                same &= (int)logic_state_of(b.l, nets[i]).level == table[t][i];
        }
        CU_ASSERT(same);
        if (!same)
            printf("\nseed %llu\n", (unsigned long long)(20261122 + number));
        bench_close(&b);
    }
}

/* ---- flip-flops ---- */

static void flip_flops_take_over_where_the_clock_rises(void)
{
    static const struct {
        enum flop_kind kind;
        bool latch;
    } kinds[] = {{FLOP_D, false}, {FLOP_T, false}, {FLOP_JK, false}, {FLOP_SR, false}, {FLOP_D, true}, {FLOP_SR, true}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench b = bench_open();
        int nets[FLOP_INPUTS + 2], drivers[FLOP_INPUTS];
        for (int i = 0; i < FLOP_INPUTS + 2; i++)
            nets[i] = logic_add_net(b.l);
        for (int i = 0; i < FLOP_INPUTS; i++)
            drivers[i] = logic_add_driver(b.l, nets[i], false);
        const struct flop f = {.kind = kinds[k].kind, .latch = kinds[k].latch};
        part(&b, &flop_part, FLOP_INPUTS, nets, 2, nets + FLOP_INPUTS, &f, sizeof f);
        logic_begin(b.l);
        for (int i = 0; i < FLOP_INPUTS; i++)
            logic_post(b.l, drivers[i], logic_strong(LOGIC_ZERO), 0);
        logic_settle(b.l);
        uint64_t seed = 99 + k;
        int state = 0, in[FLOP_INPUTS] = {0};
        for (int t = 1; t < 2000; t++) {
            const int which = (int)draw(&seed, FLOP_INPUTS), clock = in[FLOP_CLOCK];
            in[which] = which >= FLOP_SET ? draw(&seed, 8) == 0 : !in[which];
            logic_at(b.l, t * 1e-9);
            logic_post(b.l, drivers[which], logic_strong((enum logic_level)in[which]), 0);
            logic_run(b.l, (t + 0.5) * 1e-9);
            const bool takes = kinds[k].latch ? in[FLOP_CLOCK] : in[FLOP_CLOCK] && !clock;
            const int a = in[FLOP_FIRST], c = in[FLOP_SECOND];
            if (in[FLOP_SET] || in[FLOP_RESET])
                state = in[FLOP_SET] && in[FLOP_RESET] ? 2 : in[FLOP_SET];
            else if (takes)
                state = kinds[k].kind == FLOP_D    ? a
                        : kinds[k].kind == FLOP_T  ? (a ? (state == 2 ? 2 : !state) : state)
                        : kinds[k].kind == FLOP_JK ? (state == 2 ? (a && !c   ? 1
                                                                    : !a && c ? 0
                                                                              : 2)
                                                                 : (a && !state) || (!c && state))
                                                   : (a && c ? 2
                                                      : a    ? 1
                                                      : c    ? 0
                                                             : state);
            CU_ASSERT_EQUAL((int)logic_state_of(b.l, nets[FLOP_INPUTS]).level, state);
            CU_ASSERT_EQUAL(logic_state_of(b.l, nets[FLOP_INPUTS + 1]).level, logic_not((enum logic_level)state));
        }
        bench_close(&b);
    }
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(gates_give_what_unknown_inputs_cannot_change),
        CLAIM(stronger_drivers_win_and_equal_ones_that_differ_are_unknown),
        CLAIM(events_come_in_the_order_of_their_times),
        CLAIM(pulses_shorter_than_the_difference_of_delays_are_taken_back),
        CLAIM(loops_without_delay_are_errors_and_with_delay_oscillate),
        CLAIM(random_networks_agree_with_a_table),
        CLAIM(flip_flops_take_over_where_the_clock_rises),
    };
    return run_claims("logic", claims, sizeof claims / sizeof *claims);
}
