/* state_machine.c - LTspice's state machine (netlist/deck/deck_machine.c).
 *
 * Nodes: a voltage for each rule, which holds above 0.5 V, then that of the state, whose voltage is the state's value behind
 * 1 ohm.  Rules from any state are looked at first, the others in their order.  LTspice follows one rule in each of its
 * steps; here, where steps mean nothing, rules follow one another at once until none holds or a state comes again.  At the
 * operating point a run goes on from the first state.  Source: LTspice's help, ".MACHINE".
 */
#include "devices/families.h"
#include "devices/logic/logic.h"

struct state_machine {
    const double *values; /* [states] */
    const double *rules;  /* [inputs][2] from, which is -1 for any, and to */
    bool *visited;        /* [states] in a reaction */
    size_t states, state;
};

/* The first rule that holds; the number of rules: none. */
static size_t rule_of(const struct logic *l, const struct logic_part *p, bool any)
{
    const struct state_machine *m = p->own;
    size_t k = 0;
    for (; k < p->input_count; k++) {
        const double from = m->rules[2 * k];
        const bool fits = any ? from < 0 : from == (double)m->state;
        if (fits && logic_read(l, p, k, LOGIC_ZERO) == LOGIC_ONE)
            break;
    }
    return k;
}

static void react(struct logic *l, struct logic_part *p)
{
    struct state_machine *m = p->own;
    if (logic_settles(l))
        m->state = 0;
    for (size_t k = 0; k < m->states; k++)
        m->visited[k] = false;
    for (bool goes_on = true; goes_on;) {
        m->visited[m->state] = true;
        size_t rule = rule_of(l, p, true);
        if (rule == p->input_count)
            rule = rule_of(l, p, false);
        goes_on = rule < p->input_count;
        if (goes_on)
            m->state = (size_t)m->rules[2 * rule + 1];
        goes_on = goes_on && !m->visited[m->state];
    }
    logic_post(l, p->drivers[0], (struct logic_state){LOGIC_ZERO, LOGIC_STRONG, m->values[m->state]}, 0);
}

static void forget(struct logic_part *p)
{
    ((struct state_machine *)p->own)->state = 0;
}

static void remember(struct logic_part *p, struct keepsake *k)
{
    KEEPSAKE_PIECE(k, ((struct state_machine *)p->own)->state);
}

static const struct logic_part_class state_machine_part = {.react = react, .forget = forget, .remember = remember};

static bool sense(struct logic_item *i, struct logic_part *p, size_t rule)
{
    static const double threshold = 0.5; /* V */
    p->inputs[rule].net = logic_item_net(i, -1);
    struct logic_sensor *s = logic_item_sensor(i, (int)rule, -1, p->inputs[rule].net);
    if (s)
        s->low = s->high = threshold;
    return s != NULL;
}

static bool show(struct logic_item *i, struct logic_part *p, int place, double first)
{
    const int net = logic_item_net(i, -1);
    struct logic_actuator *a = logic_item_actuator(i, ACTUATOR_RESISTIVE, place, -1, net, false);
    if (!a || !logic_item_drive(i, p, 0, net, false))
        return false;
    a->of_number = true;
    a->factor = 1;
    a->conductance = 1;
    ramp_rest(&a->ramp, first);
    return true;
}

static enum kn_status make(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct element *e = i->element;
    const size_t rules = e->node_count - 1, states = (size_t)e->numbers[0];
    struct logic_part *p = logic_item_part(i, &state_machine_part, rules, 1, sizeof(struct state_machine));
    bool *visited = arena_array(logic_item_arena(i), states, sizeof *visited);
    bool good = p && visited;
    (void)d;
    if (!good)
        return KN_ERROR_MEMORY;
    *(struct state_machine *)p->own = (struct state_machine){
        .values = e->numbers + 1, .rules = e->numbers + 1 + states, .visited = visited, .states = states};
    for (size_t k = 0; k < rules && good; k++)
        good = sense(i, p, k);
    return good && show(i, p, (int)rules, e->numbers[1]) && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind state_machine_logic = {
    .class = {.kind = {ELEMENT_KIND(KIND_MACHINE, "state machine", NULL, "made by .machine", CARD_MACHINE)},
              .together = &logic_class},
    .make = make};
