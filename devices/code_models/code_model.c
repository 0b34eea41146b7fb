/* code_model.c - see code_model.h: unknowns, entries, evaluation and branches of all code models. */
#include "devices/code_models/code_model.h"

#include "devices/model_cards.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct code_batch {
    struct batch base;
    struct model_cards cards;
    struct code_item *items;
    size_t switch_count;
    size_t *switch_item; /* [switch_count] whose it is */
    bool nonlinear;
    bool runs; /* a transient has begun */
};

static const struct code_model *model_of(const struct element *e)
{
    return (const struct code_model *)(const void *)e->kind;
}

bool code_initial_state(const struct code_item *i, size_t state, double value, struct initial_list *list)
{
    const struct initial_value v = {.kind = INITIAL_VOLTAGE,
                                    .plus = i->columns[i->column_count - i->state_count + state].plus,
                                    .value = value,
                                    .element = i->element,
                                    .settled = i->model->rests_apart,
                                    .stored = true};
    return initial_add(list, &v);
}

/* ---- making ---- */

static size_t count_states(const struct code_model *m, const struct element *e)
{
    size_t count = 0;
    if (m->count_states)
        return m->count_states(e);
    while (m->states && m->states[count])
        count++;
    return count;
}

/* Connections come in the order of the ports. */
static void count_places(struct code_item *i)
{
    const struct element *e = i->element;
    size_t c = 0;
    for (size_t port = 0; port <= e->kind->port_count; port++) {
        i->first_column[port] = i->column_count;
        i->first_row[port] = i->row_count;
        for (; c < e->connection_count && e->connections[c].port == port; c++) {
            const enum port_direction direction = e->kind->ports[port].direction;
            i->column_count += direction != PORT_OUT;
            i->row_count += direction != PORT_IN;
        }
    }
    i->column_count += i->state_count;
    i->row_count += i->state_count;
}

static bool allocate(struct code_item *i, struct arena *arena)
{
    const size_t connections = i->element->connection_count, ports = i->element->kind->port_count;
    i->first_column = arena_array(arena, ports + 1, sizeof *i->first_column);
    i->first_row = arena_array(arena, ports + 1, sizeof *i->first_row);
    if (!i->first_column || !i->first_row)
        return false;
    count_places(i);
    i->columns = arena_array(arena, i->column_count + 1, sizeof *i->columns);
    i->rows = arena_array(arena, i->row_count + 1, sizeof *i->rows);
    i->currents = arena_array(arena, connections + 1, sizeof *i->currents);
    i->incidences = arena_array(arena, connections + 1, sizeof *i->incidences);
    i->ends = arena_array(arena, connections + 1, sizeof *i->ends);
    i->controls = arena_array(arena, 2 * i->column_count + 1, sizeof *i->controls);
    i->held = arena_array(arena, i->model->switches + 1, sizeof *i->held);
    i->was = arena_array(arena, i->model->switches + 1, sizeof *i->was);
    if (!i->columns || !i->rows || !i->currents || !i->incidences || !i->ends || !i->controls || !i->held || !i->was)
        return false;
    for (size_t r = 0; r < i->row_count; r++)
        if (!(i->rows[r].slots = arena_array(arena, i->column_count + 1, sizeof *i->rows[r].slots)))
            return false;
    const size_t entries = i->row_count * i->column_count + 1;
    return arena_vectors(arena, i->column_count + 1, (double **const[]){&i->u, &i->rest, NULL}) &&
           arena_vectors(arena, i->row_count + 1, (double **const[]){&i->f, &i->q, &i->dfdt, NULL}) &&
           arena_vectors(arena, entries, (double **const[]){&i->df, &i->dq, NULL});
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct code_batch *b = batch;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    if (!b->items)
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < in->count; k++)
        b->switch_count += model_of(in->elements[k])->switches;
    b->switch_item = arena_array(b->base.arena, b->switch_count + 1, sizeof *b->switch_item);
    b->switch_count = 0;
    return b->switch_item ? model_cards_read(in, b->base.arena, &b->cards) : KN_ERROR_MEMORY;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct code_batch *b = batch;
    struct code_item *i = &b->items[k];
    const struct element *e = in->elements[k];
    const size_t card = model_cards_find(&b->cards, e->model);
    i->element = e;
    i->circuit = in->circuit;
    i->model = model_of(e);
    i->p = model_card_values(&b->cards, card);
    i->given = model_card_given(&b->cards, card);
    i->state_count = count_states(i->model, e);
    if (!allocate(i, b->base.arena))
        return KN_ERROR_MEMORY;
    for (size_t s = 0; s < i->model->switches; s++)
        b->switch_item[b->switch_count++] = k;
    b->nonlinear |= !i->model->linear;
    const size_t own = e->kind->instance.count;
    i->card = arena_array(b->base.arena, own + 1, sizeof *i->card);
    i->on_card = arena_array(b->base.arena, own + 1, sizeof *i->on_card);
    if (!i->card || !i->on_card)
        return KN_ERROR_MEMORY;
    if (!element_parameters_read(e, in->diagnostics, i->card, i->on_card))
        return KN_ERROR_DECK;
    return i->model->make ? i->model->make(i, b->base.arena, in->diagnostics) : KN_OK;
}

/* ---- unknowns ---- */

/* A current of its own: what keeps a voltage, and what measures a current. */
static bool has_current(enum port_direction direction, enum port_type type)
{
    if (type == PORT_V || type == PORT_VD)
        return direction == PORT_OUT;
    if (type == PORT_I || type == PORT_ID)
        return direction == PORT_IN;
    return type == PORT_H || type == PORT_HD;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct code_item *i = &((struct code_batch *)batch)->items[k];
    const struct element *e = i->element;
    char part[40];
    for (size_t c = 0; c < e->connection_count; c++) {
        const struct port_info *port = code_port_of(i, c);
        if (!has_current(port->direction, e->connections[c].type))
            continue;
        snprintf(part, sizeof part, port->list ? "%.20s%zu" : "%.20s", port->name,
                 c - i->first_column[e->connections[c].port]);
        if ((i->currents[c] = setup_branch_current(s, e, part)) < 0)
            return false;
    }
    for (size_t state = 0; state < i->state_count; state++) {
        const int unknown = setup_internal_node(s, e, i->model->states[state]);
        if (unknown < 0)
            return false;
        i->columns[i->column_count - i->state_count + state] = (struct code_column){unknown, 0, 1};
        i->rows[i->row_count - i->state_count + state] =
            (struct code_row){unknown, 0, 1, i->rows[i->row_count - i->state_count + state].slots};
    }
    return true;
}

static int node_at(const struct device_setup *s, const struct element *e, int place)
{
    return place < 0 ? 0 : setup_node(s, e->nodes[place]);
}

/* What the connection's value is told by, and which equation says it. */
static bool connect_one(struct code_batch *b, struct code_item *i, size_t c, struct device_setup *s, size_t *column,
                        size_t *row)
{
    const struct connection *at = &i->element->connections[c];
    const enum port_direction direction = code_port_of(i, c)->direction;
    const int plus = node_at(s, i->element, at->plus), minus = node_at(s, i->element, at->minus);
    const int current = i->currents[c];
    i->ends[c][0] = plus;
    i->ends[c][1] = minus;
    if (current && !incidence_connect(&i->incidences[c], s, plus, minus, current))
        return false;
    if (direction != PORT_OUT) {
        struct code_column *to = &i->columns[(*column)++];
        const int element = at->control >= 0 ? i->element->control_elements[at->control] : -1;
        if (element >= 0)
            *to = (struct code_column){
                setup_controlling_current(s, b->base.diagnostics, i->element, element, i->element->where), 0,
                setup_current_share(s, element)};
        else if (current)
            *to = (struct code_column){current, 0, 1 / element_multiplicity(i->element)};
        else
            *to = (struct code_column){plus, minus, 1};
    }
    if (direction != PORT_IN) {
        struct code_row *to = &i->rows[(*row)++];
        to->row = current ? current : plus;
        to->opposite = current ? 0 : minus;
        to->sign = current ? -1 : element_multiplicity(i->element);
    }
    return true;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct code_batch *b = batch;
    struct code_item *i = &b->items[k];
    size_t column = 0, row = 0;
    for (size_t c = 0; c < i->element->connection_count; c++)
        if (!connect_one(b, i, c, s, &column, &row))
            return false;
    for (size_t r = 0; r < i->row_count; r++)
        for (size_t u = 0; u < i->column_count; u++) {
            const struct code_row *at = &i->rows[r];
            const struct code_column *of = &i->columns[u];
            if (!setup_entry(s, at->row, of->plus, &at->slots[u][0]) ||
                !setup_entry(s, at->row, of->minus, &at->slots[u][1]) ||
                !setup_entry(s, at->opposite, of->plus, &at->slots[u][2]) ||
                !setup_entry(s, at->opposite, of->minus, &at->slots[u][3]))
                return false;
        }
    return true;
}

/* ---- evaluation ---- */

/* Where and when items are asked. */
struct question {
    struct instant when;
    bool rests;
    const struct device_point *step;
};

static struct question question_at(const struct code_batch *b, struct instant when)
{
    return (struct question){when, isinf(when.time) || !b->runs, NULL};
}

static void evaluate(const struct code_item *i, struct question at, const double *u)
{
    const size_t row_bytes = i->row_count * sizeof(double), bytes = i->column_count * row_bytes;
    memset(i->f, 0, row_bytes);
    memset(i->q, 0, row_bytes);
    memset(i->dfdt, 0, row_bytes);
    memset(i->df, 0, bytes);
    memset(i->dq, 0, bytes);
    const struct code_point p = {at.when, at.rests, at.step, u, i->f, i->q, i->df, i->dq, i->dfdt};
    i->model->evaluate(i, &p);
}

static const double *gather(const struct code_item *i, const double *x)
{
    for (size_t c = 0; c < i->column_count; c++)
        i->u[c] = i->columns[c].share * (x[i->columns[c].plus] - x[i->columns[c].minus]);
    return i->u;
}

static const double *nothing(const struct code_item *i)
{
    memset(i->u, 0, i->column_count * sizeof *i->u);
    return i->u;
}

static void add_values(const struct code_item *i, const double *values, double scale, double *to)
{
    for (size_t r = 0; r < i->row_count; r++) {
        to[i->rows[r].row] += scale * i->rows[r].sign * values[r];
        to[i->rows[r].opposite] -= scale * i->rows[r].sign * values[r];
    }
}

static void add_slopes(const struct code_item *i, const double *slopes, double *matrix)
{
    for (size_t r = 0; r < i->row_count; r++)
        for (size_t c = 0; c < i->column_count; c++)
            pair_stamp(i->rows[r].slots[c], i->rows[r].sign * i->columns[c].share * slopes[r * i->column_count + c],
                       matrix);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct code_item *i = &b->items[k];
        for (size_t c = 0; c < i->element->connection_count; c++)
            if (i->currents[c])
                incidence_stamp(&i->incidences[c], G);
        if (!i->model->linear)
            continue;
        evaluate(i, question_at(b, instant_at(0)), nothing(i));
        add_slopes(i, i->df, G);
        add_slopes(i, i->dq, C);
    }
}

static void force(const void *batch, struct instant when, double source_scale, double *f)
{
    const struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        if (b->items[k].model->linear) {
            evaluate(&b->items[k], question_at(b, when), nothing(&b->items[k]));
            add_values(&b->items[k], b->items[k].f, source_scale, f);
        }
}

static void force_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    const struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        if (b->items[k].model->linear) {
            evaluate(&b->items[k], question_at(b, when), nothing(&b->items[k]));
            add_values(&b->items[k], b->items[k].dfdt, source_scale, dfdt);
        }
}

/* What source stepping takes away: the value without any input is a source. */
static void take_sources(const struct code_item *i, struct question q, double source_scale, double *f)
{
    if (source_scale == 1)
        return;
    evaluate(i, q, nothing(i));
    for (size_t r = 0; r < i->row_count; r++)
        if (!isfinite(i->f[r]))
            return;
    add_values(i, i->f, source_scale - 1, f);
}

static void eval_item(const struct code_item *i, struct question q, const struct device_point *at,
                      const struct device_stamp *out)
{
    if (at->what & EVALUATE_F)
        take_sources(i, q, at->source_scale, out->f);
    q.step = at->limit ? at : NULL;
    evaluate(i, q, gather(i, at->x));
    if (i->model->rests_apart && q.rests)
        memcpy(i->rest, i->u, i->column_count * sizeof *i->rest);
    if (at->what & EVALUATE_F)
        add_values(i, i->f, 1, out->f);
    if (at->what & EVALUATE_Q)
        add_values(i, i->q, 1, out->q);
    if (at->what & EVALUATE_T)
        add_values(i, i->dfdt, 1, out->dfdt);
    if (at->what & EVALUATE_G)
        add_slopes(i, i->df, out->G);
    if (at->what & EVALUATE_C)
        add_slopes(i, i->dq, out->C);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++)
        if (!b->items[k].model->linear)
            eval_item(&b->items[k], question_at(b, at->when), at, out);
}

static bool nonlinear(const void *batch)
{
    return ((const struct code_batch *)batch)->nonlinear;
}

static void add_to_pair(const int slots[4], double complex slope, double complex *A)
{
    for (int slot = 0; slot < 4; slot++)
        A[slots[slot]] += slot == 1 || slot == 2 ? -slope : slope;
}

/* What small signals see besides the slope that stands in G. */
static void add_transfer(const struct code_item *i, double w, double complex *A, double complex *dAdw)
{
    double complex slope;
    const double complex more = i->model->transfer(i, w, &slope);
    const double factor = i->rows[0].sign * i->columns[0].share;
    evaluate(i, (struct question){instant_at(0), true, NULL}, nothing(i));
    add_to_pair(i->rows[0].slots[0], factor * (more - i->df[0]), A);
    add_to_pair(i->rows[0].slots[0], factor * slope, dAdw);
}

/* Small signals see what is so while time goes on, not what holds at rest: the difference of both. */
static void delay(const void *batch, double w, double _Complex *A, double _Complex *dAdw)
{
    const struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct code_item *i = &b->items[k];
        if (i->model->transfer)
            add_transfer(i, w, A, dAdw);
        if (!i->model->rests_apart)
            continue;
        for (int rest = 0; rest < 2; rest++) {
            evaluate(i, (struct question){instant_at(0), rest != 0, NULL}, i->rest);
            for (size_t r = 0; r < i->row_count; r++)
                for (size_t c = 0; c < i->column_count; c++) {
                    const double slope =
                        (rest ? -1 : 1) * i->rows[r].sign * i->columns[c].share * i->df[r * i->column_count + c];
                    add_to_pair(i->rows[r].slots[c], slope, A);
                }
        }
    }
}

static bool transcendental(const struct element *e)
{
    const struct code_model *model = (const struct code_model *)device_class_of(e->kind); /* its class is first */
    return model->transfer != NULL;
}

static double largest_step(const void *batch)
{
    (void)batch;
    return INFINITY;
}

/* ---- switching ---- */

static size_t switch_count(const void *batch)
{
    return ((const struct code_batch *)batch)->switch_count;
}

static void switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct code_batch *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct code_item *i = &b->items[k];
        if (i->model->switches == 0)
            continue;
        i->model->switching(i, when, gather(i, x), g);
        g += i->model->switches;
    }
}

/* Of a batch's switch: its item, and *number becomes that of the item. */
static struct code_item *item_of_switch(const struct code_batch *b, size_t *number)
{
    const size_t k = b->switch_item[*number];
    size_t first = *number;
    while (first > 0 && b->switch_item[first - 1] == k)
        first--;
    *number -= first;
    return &b->items[k];
}

static void hold(void *batch, size_t number, int side)
{
    struct code_item *i = item_of_switch(batch, &number);
    const int before = code_side(i, number);
    i->changed = side != 0 && (i->changed || (before != 0 && before != side));
    i->held[number] = (signed char)side;
}

static const struct element *switch_owner(const void *batch, size_t number)
{
    return item_of_switch(batch, &number)->element;
}

static bool accept(void *batch, struct instant when, const double *x, int order, enum acceptance how)
{
    struct code_batch *b = batch;
    (void)order;
    (void)how;
    (void)when;
    (void)x;
    b->runs = true;
    return true;
}

/* Besides charges and states: that a run has begun, on which sides switches are, and what has happened. */
static void remember(struct code_batch *b, size_t k, struct keepsake *to)
{
    struct code_item *i = &b->items[k];
    KEEPSAKE_PIECE(to, b->runs);
    for (size_t n = 0; n < i->model->switches; n++) {
        i->was[n] = (signed char)code_side(i, n);
        KEEPSAKE_PIECE(to, i->was[n]);
    }
    if (i->model->remember)
        i->model->remember(i, to);
}

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    struct keepsake *kept = keepsake_new(arena);
    if (kept)
        remember((struct code_batch *)batch, k, kept);
    return kept && keepsake_end(kept) == KN_OK ? kept : NULL;
}

static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    struct keepsake again = keepsake_again(kept);
    remember(batch, k, &again);
    return keepsake_end(&again);
}

static void remembered(const void *batch, bool *unknowns)
{
    (void)batch;
    (void)unknowns;
}

static enum kn_status arrive(void *batch, struct instant when, const double *x)
{
    struct code_batch *b = batch;
    b->runs = true;
    for (size_t k = 0; k < b->base.count; k++) {
        struct code_item *i = &b->items[k];
        if (i->changed && i->model->happened)
            i->model->happened(i, when.time, gather(i, x));
        i->changed = false;
    }
    return KN_OK;
}

static void rest(void *batch, bool rests)
{
    struct code_batch *b = batch;
    b->runs = !rests;
    for (size_t k = 0; rests && k < b->base.count; k++) {
        struct code_item *i = &b->items[k];
        memset(i->was, 0, i->model->switches);
        if (i->model->forget)
            i->model->forget(i);
    }
}

static double next_breakpoint(const void *batch, double over)
{
    const struct code_batch *b = batch;
    double next = INFINITY;
    for (size_t k = 0; k < b->base.count; k++)
        if (b->items[k].model->next_corner)
            next = fmin(next, b->items[k].model->next_corner(&b->items[k], over));
    return next;
}

/* ---- what others see ---- */

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    return code_branches(&((const struct code_batch *)batch)->items[k], list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct code_item *i = &((const struct code_batch *)batch)->items[k];
    return !i->model->initial || i->model->initial(i, list);
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    (void)at;
    const struct code_item *i = &((const struct code_batch *)batch)->items[k];
    return !i->model->noise || i->model->noise(i, list);
}

/* What a row drives, d/dt q included. */
static double driven(const struct code_item *i, size_t row, struct question q, const struct device_probe *at)
{
    evaluate(i, q, gather(i, at->x));
    double sum = i->f[row];
    for (size_t c = 0; c < i->column_count; c++) {
        const struct code_column *of = &i->columns[c];
        sum += i->dq[row * i->column_count + c] * of->share * (at->dxdt[of->plus] - at->dxdt[of->minus]);
    }
    return i->rows[row].sign * sum;
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct code_batch *b = batch;
    const struct code_item *i = &b->items[k];
    double sum = 0;
    size_t row = 0;
    for (size_t c = 0; c < i->element->connection_count; c++) {
        const struct connection *to = &i->element->connections[c];
        const bool says = code_port_of(i, c)->direction != PORT_IN;
        const double sign = to->plus == terminal ? 1 : to->minus == terminal ? -1 : 0;
        if (sign != 0 && i->currents[c])
            sum += sign * at->x[i->currents[c]];
        else if (sign != 0 && says)
            sum += sign * driven(i, row, question_at(b, at->when), at);
        row += says;
    }
    return sum;
}

#define CODE_FUNCTIONS                                                                                                 \
    BATCH_OF(struct code_batch), USUAL_FUNCTIONS, DELAY_FUNCTIONS, MEMORY_FUNCTIONS,                                   \
        .force = force, .force_rate = force_rate, .transcendental = transcendental, .rest = rest, .initial = initial,  \
        .noise = noise

const struct device_class code_models_class = {CODE_FUNCTIONS};
const struct device_class code_switches_class = {CODE_FUNCTIONS, SWITCH_FUNCTIONS, .switches_remember = true,
                                                 .arrive = arrive};
