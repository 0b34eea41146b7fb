/* Claims about the currents that rows show: Kirchhoff's law holds between printed numbers, in .op and in .tran. */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>

enum { NODES = 6, MOST_ELEMENTS = 24, DECKS = 300, TEXT = 8192 };

/* ---- random decks ---- */

struct deck {
    uint64_t random; /* state of xorshift64* (S. Vigna, 2016) */
    char text[TEXT];
    size_t used;
    int from[MOST_ELEMENTS], to[MOST_ELEMENTS]; /* nodes, 0 is ground */
    char names[MOST_ELEMENTS][16];
    int count;
};

static unsigned below(struct deck *d, unsigned limit)
{
    d->random ^= d->random >> 12;
    d->random ^= d->random << 25;
    d->random ^= d->random >> 27;
    return (unsigned)((d->random * UINT64_C(2685821657736338717)) >> 33) % limit;
}

KN_PRINTF(2, 3) static void write(struct deck *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    d->used += (size_t)vsnprintf(d->text + d->used, sizeof d->text - d->used, format, list);
    va_end(list);
}

/* Appends the begin of a card, "R3 n1 n2", from one node to another. */
static void begin_card(struct deck *d, char letter, int from, int to)
{
    snprintf(d->names[d->count], sizeof d->names[0], "%c%d", letter, d->count);
    d->from[d->count] = from;
    d->to[d->count] = to;
    write(d, "%s n%d n%d ", d->names[d->count], from, to);
    d->count++;
}

static int other_node(struct deck *d, int node)
{
    return (node + 1 + (int)below(d, NODES)) % (NODES + 1);
}

static double value(struct deck *d)
{
    return 1 + below(d, 99);
}

/* A source whose DC value is not that of its waveform at time 0. */
static void write_source(struct deck *d, const char *unit)
{
    if (below(d, 3) > 0)
        write(d, "DC %g%s ", value(d), unit);
    const double first = value(d), second = value(d);
    switch (below(d, 3)) {
    case 0:
        write(d, "SIN(%g%s %g%s 1k)\n", first, unit, second, unit);
        break;
    case 1:
        write(d, "PULSE(%g%s %g%s 0 10u 10u 1m 3m)\n", first, unit, second, unit);
        break;
    default:
        write(d, "EXP(%g%s %g%s 0 1m)\n", first, unit, second, unit);
    }
}

/* A tree of resistors and sources with series resistors joins all nodes to ground; then whatever may stand anywhere. */
static void make(struct deck *d, uint64_t seed)
{
    *d = (struct deck){.random = seed};
    write(d, "seed %llu\n", (unsigned long long)seed);
    for (int node = 1; node <= NODES; node++) {
        const int to = (int)below(d, (unsigned)node);
        if (below(d, 3) == 0) { /* through an ammeter or a source: their nodes are made for them */
            write(d, "Rs%d n%d m%d %gk\n", node, node, node, value(d));
            write(d, "Vs%d m%d n%d ", node, node, to);
            d->from[d->count] = node;
            d->to[d->count] = to;
            snprintf(d->names[d->count++], sizeof d->names[0], "Vs%d", node);
            if (below(d, 2) == 0)
                write(d, "0\n");
            else
                write_source(d, "");
        } else {
            begin_card(d, 'R', node, to);
            write(d, "%gk\n", value(d));
        }
    }
    const int senses = d->count;
    while (d->count < NODES + 12) {
        const int from = (int)below(d, NODES + 1), to = other_node(d, from);
        switch (below(d, 5)) {
        case 0:
            begin_card(d, 'I', from, to);
            write_source(d, "m");
            break;
        case 1:
            begin_card(d, 'G', from, to);
            write(d, "n%d n%d %gu\n", (int)below(d, NODES + 1), (int)below(d, NODES + 1), value(d));
            break;
        case 2:
            begin_card(d, 'B', from, to);
            write(d, "I=%gm+%gu*v(n%d)\n", value(d), value(d), 1 + (int)below(d, NODES));
            break;
        case 3:
            begin_card(d, 'R', from, to);
            write(d, "%gk\n", value(d));
            break;
        default: {
            int sense = -1; /* the first voltage source of the tree, if there is one */
            for (int i = 0; i < senses && sense < 0; i++)
                sense = d->names[i][0] == 'V' ? i : -1;
            begin_card(d, sense < 0 ? 'R' : 'F', from, to);
            if (sense < 0)
                write(d, "%gk\n", value(d));
            else
                write(d, "%s 0.0%u\n", d->names[sense], 1 + below(d, 9));
        }
        }
    }
    write(d, "Rground n0 0 1\n.op\n.options steprows\n.tran 10u 2m\n.save");
    for (int i = 0; i < d->count; i++)
        write(d, " i(%s)", d->names[i]);
    write(d, "\n.end\n");
}

/* ---- Kirchhoff's law ---- */

struct witness {
    const struct deck *deck;
    bool has_time;
    double worst; /* imbalance at a node, as part of the largest current there */
    long rows;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct witness *w = context;
    w->has_time = table->columns[0].quantity == KN_TIME;
    CU_ASSERT_EQUAL(table->column_count, (size_t)w->deck->count + w->has_time);
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct witness *w = context;
    const double *currents = values + w->has_time;
    w->rows++;
    for (int node = 1; node <= NODES; node++) {
        double sum = 0, largest = 1e-9;
        for (int i = 0; i < w->deck->count; i++) {
            const int sign = (w->deck->from[i] == node) - (w->deck->to[i] == node);
            sum += sign * currents[i];
            largest = fmax(largest, sign ? fabs(currents[i]) : 0);
        }
        w->worst = fmax(w->worst, fabs(sum) / largest);
    }
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static void printed_currents_balance_at_every_node(void)
{
    for (uint64_t seed = 1; seed <= DECKS; seed++) {
        struct deck d;
        struct kn_diagnostics *messages = kn_diagnostics_new();
        make(&d, seed * UINT64_C(0x9E3779B97F4A7C15));
        struct witness w = {.deck = &d};
        struct kn_sink sink = {&w, begin, row, end};
        enum kn_status status = run_text(d.text, NULL, messages, &sink, NULL);
        CU_ASSERT_EQUAL(status, KN_OK);
        CU_ASSERT(w.rows > 50 && w.worst < 1e-6);
        if (status != KN_OK || !(w.worst < 1e-6))
            printf("\nimbalance %.3g, status %d of\n%s", w.worst, (int)status, d.text);
        kn_diagnostics_free(messages);
    }
}

/* ---- capacitors at the start and behind corners ---- */

struct slopes {
    double first;  /* A, current of the capacitor in the first row */
    double behind; /* .. in the row behind the corner at 1 ms */
    double worst;  /* difference to the ammeter in series, A */
    int at_corner; /* rows there so far */
    bool first_seen;
};

static enum kn_status slopes_begin(void *context, const struct kn_table *table)
{
    (void)context;
    CU_ASSERT_EQUAL(table->column_count, 3);
    return KN_OK;
}

static enum kn_status slopes_row(void *context, const double *values)
{
    struct slopes *s = context;
    if (!s->first_seen)
        s->first = values[1];
    s->first_seen = true;
    s->at_corner += values[0] == 1e-3;
    if (values[0] == 1e-3 && s->at_corner == 2)
        s->behind = values[1];
    s->worst = fmax(s->worst, fabs(values[1] - values[2]));
    return KN_OK;
}

static void capacitors_carry_the_current_of_their_source_at_the_start_and_behind_corners(void)
{
    static const char deck[] = "corner\nV1 a 0 PWL(0 0 1m 1 2m 0)\nVA a b 0\nC1 b 0 1u\n.save i(C1) i(VA)\n"
                               ".tran 10u 2m\n.options steprows\n.end\n";
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap", "dae3s", "gear"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct kn_diagnostics *messages = kn_diagnostics_new();
        struct slopes s = {.first = NAN};
        struct kn_sink sink = {&s, slopes_begin, slopes_row, end};
        const struct kn_options options = {.method = methods[i]};
        CU_ASSERT_EQUAL(run_text(deck, &options, messages, &sink, NULL), KN_OK);
        CHECK_NEAR(s.first, 1e-3, 1e-9);
        CHECK_NEAR(s.behind, -1e-3, 1e-9);
        CHECK_NEAR(s.worst, 0, 1e-9);
        kn_diagnostics_free(messages);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(printed_currents_balance_at_every_node),
        CLAIM(capacitors_carry_the_current_of_their_source_at_the_start_and_behind_corners),
    };
    return run_claims("currents", claims, sizeof claims / sizeof claims[0]);
}
