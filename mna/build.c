/* build.c - from a circuit description to its MNA system: unknowns, pattern, slots, constant parts, tolerances.
 *
 * MNA: Ho, Ruehli and Brennan, IEEE Trans. CAS-22 (1975) 504-509; charge-oriented form: Feldmann and Guenther, Surv.
 * Math. Ind. 8 (1999) 97-157.
 */
#include "devices/batch.h"
#include "devices/derived_branches.h"
#include "mna/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A positive numeric option of the deck, or the default. */
static double positive_option(const struct circuit *c, const char *name, double fallback)
{
    const struct setting *s = circuit_option(c, name);
    return s && s->has_value && !s->text && s->value > 0 ? s->value : fallback;
}

struct mna_options mna_options_of(const struct circuit *c)
{
    return (struct mna_options){.vntol = positive_option(c, "vntol", MNA_SPICE.vntol),
                                .abstol = positive_option(c, "abstol", MNA_SPICE.abstol),
                                .gmin = positive_option(c, "gmin", MNA_SPICE.gmin)};
}

/* ---- pattern ---- */

static enum kn_status make_pattern(struct mna *m)
{
    const struct device_setup *s = m->setup;
    const size_t count = s->request_count;
    struct arena *own = arena_new();
    int *rows = own ? arena_array(own, 3 * count + 1, sizeof *rows) : NULL;
    enum kn_status status = KN_ERROR_MEMORY;
    if (rows) {
        int *columns = rows + count, *slots = columns + count;
        for (size_t i = 0; i < count; i++) {
            rows[i] = s->requests[i].row - 1;
            columns[i] = s->requests[i].column - 1;
        }
        status = sparse_pattern_new(m->dae.n, rows, columns, count, slots, &m->pattern);
        if (status == KN_OK)
            device_setup_fix(s, slots);
    }
    arena_free(own);
    return status;
}

/* ---- constant parts ---- */

/* Nonzero entries by row: where those of row i begin goes to start[i + 1], which the caller moves on to their end. */
static void count_entries(const struct sparse_pattern *p, const double *values, int *start)
{
    for (int k = 0; k < p->entries; k++)
        if (values[k] != 0)
            start[p->row[k] + 2]++;
    for (int i = 1; i < p->n + 2; i++)
        start[i] += start[i - 1];
}

static bool compress_rows(struct arena *memory, const struct sparse_pattern *p, const double *values,
                          struct constant_rows *out)
{
    int *start = arena_array(memory, (size_t)p->n + 2, sizeof *start);
    if (!start)
        return false;
    count_entries(p, values, start);
    const size_t nonzeros = (size_t)start[p->n + 1];
    out->row = arena_array(memory, (size_t)p->n + 1, sizeof *out->row);
    out->end = arena_array(memory, (size_t)p->n + 1, sizeof *out->end);
    out->column = arena_array(memory, nonzeros + 1, sizeof *out->column);
    out->value = arena_array(memory, nonzeros + 1, sizeof *out->value);
    if (!out->row || !out->end || !out->column || !out->value)
        return false;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            if (values[k] == 0)
                continue;
            const int place = start[p->row[k] + 1]++;
            out->column[place] = j + 1;
            out->value[place] = values[k];
        }
    for (int i = 1; i <= p->n; i++)
        if (start[i] > start[i - 1]) {
            out->row[out->count] = i;
            out->end[out->count++] = start[i];
        }
    return true;
}

static enum kn_status stamp_constants(struct mna *m)
{
    if (!arena_vectors(m->memory, (size_t)m->pattern->entries + 1, (double **const[]){&m->G0, &m->C0, NULL}))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < m->families.count; i++)
        if (m->families.families[i].class->stamp)
            m->families.families[i].class->stamp(m->families.families[i].batch, m->G0, m->C0);
    m->G0[m->pattern->entries] = m->C0[m->pattern->entries] = 0; /* what belongs to ground */
    const bool done = compress_rows(m->memory, m->pattern, m->G0, &m->conductances) &&
                      compress_rows(m->memory, m->pattern, m->C0, &m->capacitances);
    return done ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- families by task ---- */

bool mna_is_nonlinear(const struct device_family *family)
{
    const struct device_class *class = family->class;
    return class->eval && (!class->nonlinear || class->nonlinear(family->batch));
}

static enum kn_status sort_families(struct mna *m)
{
    const size_t count = m->families.count;
    m->nonlinear = arena_array(m->memory, count + 1, sizeof *m->nonlinear);
    m->forcing = arena_array(m->memory, count + 1, sizeof *m->forcing);
    m->accepting = arena_array(m->memory, count + 1, sizeof *m->accepting);
    if (!m->nonlinear || !m->forcing || !m->accepting)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct device_family *family = &m->families.families[i];
        if (mna_is_nonlinear(family))
            m->nonlinear[m->nonlinear_count++] = family;
        if (family->class->force)
            m->forcing[m->forcing_count++] = family;
        if (family->class->accept)
            m->accepting[m->accepting_count++] = family;
    }
    return KN_OK;
}

/* ---- vectors and the DAE ---- */

static bool has_formulas(const struct circuit *c)
{
    size_t i = 0;
    while (i < c->element_count && !c->elements[i].expression)
        i++;
    return i < c->element_count;
}

static enum kn_status allocate_vectors(struct mna *m)
{
    const size_t n = (size_t)m->dae.n + 1;
    double **const vectors[] = {&m->asked,       &m->f,    &m->q,        &m->dfdt,
                                &m->dqdt,        &m->dxdt, &m->absolute, &m->equation_absolute,
                                &m->x_reference, NULL};
    m->fault_time = NAN;
    m->classes = arena_array(m->memory, n, sizeof *m->classes);
    m->phasors = arena_array(m->memory, n, sizeof *m->phasors);
    m->potentials = arena_array(m->memory, n, sizeof *m->potentials);
    if (!m->classes || !m->phasors || !m->potentials || !arena_vectors(m->memory, n, vectors))
        return KN_ERROR_MEMORY;
    if (has_formulas(m->circuit))
        m->fault_x = arena_array(m->memory, n, sizeof *m->fault_x);
    return m->fault_x || !has_formulas(m->circuit) ? KN_OK : KN_ERROR_MEMORY;
}

/* Node rows are sums of currents, rows of branch currents are voltage equations; those of signals are in their unit. */
static void set_tolerances(struct mna *m)
{
    for (int i = 0; i < m->dae.n; i++) {
        const struct unknown *u = mna_unknown(m, i);
        const bool voltage = u->kind == UNKNOWN_VOLTAGE;
        m->potentials[i] = voltage && !(u->scale > 0);
        const double signal = u->signal == UNKNOWN_VOLTAGE ? m->options.vntol : m->options.abstol;
        m->absolute[i] = u->scale > 0 ? u->scale * signal : voltage ? m->options.vntol : m->options.abstol;
        m->equation_absolute[i] = u->scale > 0 ? u->row_scale * signal : voltage ? m->options.abstol : m->options.vntol;
    }
}

static double step_now(void *problem)
{
    const struct mna *m = problem;
    double step = INFINITY;
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->step_now)
            step = fmin(step, family->class->step_now(family->batch));
    }
    return step;
}

static bool has_steps_of_now(const struct mna *m)
{
    bool any = false;
    for (size_t i = 0; i < m->families.count; i++)
        any = any || m->families.families[i].class->step_now;
    return any;
}

static double smallest_of_largest_steps(const struct mna *m)
{
    double largest = INFINITY;
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (family->class->largest_step)
            largest = fmin(largest, family->class->largest_step(family->batch));
    }
    return largest;
}

static int count_switches(const struct mna *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        count += family->class->switch_count ? family->class->switch_count(family->batch) : 0;
    }
    return (int)count;
}

/* Whether there are switches, or formulas of the deck's own that are more than linear. */
static bool has_own_laws(const struct mna *m)
{
    for (size_t i = 0; i < m->families.count; i++)
        if (m->families.families[i].class->switch_count && mna_is_nonlinear(&m->families.families[i]))
            return true;
    return false;
}

/* Whether what is nonlinear are formulas only, and nothing remembers where the run has been. */
static bool has_formulas_only(const struct mna *m)
{
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_class *class = m->families.families[i].class;
        const bool nonlinear = mna_is_nonlinear(&m->families.families[i]);
        if (class->accept || class->arrive || (nonlinear && !class->switch_count))
            return false;
    }
    return m->nonlinear_count > 0;
}

/* What delays read inside steps; m->dae.remembered stays NULL where a family does not say. */
static enum kn_status find_remembered(struct mna *m)
{
    bool *remembered = arena_array(m->memory, (size_t)m->dae.n + 1, sizeof *remembered); /* with ground */
    if (!remembered)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < m->accepting_count; i++) {
        const struct device_family *family = m->accepting[i];
        if (!family->class->remembered)
            return KN_OK;
        family->class->remembered(family->batch, remembered);
    }
    m->dae.remembered = remembered + 1;
    return KN_OK;
}

/* Of a system whose laws may make unknowns grow. */
static enum kn_status make_room_for_growth(struct mna *m)
{
    m->dae.grows = m->dae.bounded ? NULL : arena_array(m->memory, (size_t)m->dae.n + 1, sizeof *m->dae.grows);
    return m->dae.bounded || m->dae.grows ? KN_OK : KN_ERROR_MEMORY;
}

static void make_dae(struct mna *m)
{
    struct dae *dae = &m->dae;
    dae->pattern = m->pattern;
    dae->linear = m->nonlinear_count == 0;
    dae->bounded = dae->linear || !has_own_laws(m);
    dae->problem = m;
    dae->eval = mna_evaluate;
    dae->begin_newton = dae->linear ? NULL : mna_begin_newton;
    dae->next_breakpoint = mna_next_breakpoint;
    dae->next_quarter = mna_next_quarter;
    dae->hold_left = mna_hold_left;
    dae->accept = mna_accept;
    dae->arrive = mna_arrive;
    dae->switch_count = count_switches(m);
    dae->formulas = has_formulas_only(m) && dae->switch_count == 0;
    dae->switches = mna_switches;
    dae->hold = mna_hold;
    dae->switches_equations_only = true;
    dae->may_be_left = mna_may_be_left;
    dae->at_zero = mna_at_zero;
    dae->rectifies = mna_rectifies;
    dae->largest_step = smallest_of_largest_steps(m);
    dae->step_now = has_steps_of_now(m) ? step_now : NULL;
    dae->absolute = m->absolute;
    dae->equation_absolute = m->equation_absolute;
    dae->potentials = m->potentials;
    dae->classes = m->classes;
    dae->unknown_name = mna_unknown_name;
    dae->describe = mna_describe_unknown;
    dae->describe_switch = mna_describe_switch;
}

/* Whether equation i, of a voltage that a nonlinear law states, contains the current of its own branch: then it says what the
 * current is, and that charges nodes. */
static bool rules_itself(const struct mna *m, int i, const double *G)
{
    for (size_t k = m->dae.law_count; k < m->law_count; k++)
        if (m->laws[k].equation == i)
            return G[sparse_pattern_find(m->pattern, i, i)] != 0;
    return false;
}

/* Voltages of nodes without charge are algebraic; currents without flux (of voltage sources, shorts, ports) follow from
 * the rest. Laws are probed at a point that is not special. */
static enum kn_status classify(struct mna *m)
{
    double *C = sparse_values(m->pattern), *G = sparse_values(m->pattern), *x = calloc((size_t)m->dae.n, sizeof *x);
    struct dae_values out = {.C = C, .G = G};
    enum kn_status status = KN_ERROR_MEMORY;
    if (C && G && x) {
        for (int i = 0; i < m->dae.n; i++)
            x[i] = 1e-3 * (1 + 0.1 * (i % 7));
        status = mna_evaluate(m, 0, x, m->law_count > m->dae.law_count ? DAE_C | DAE_G : DAE_C, &out);
    }
    for (int i = 0; i < m->dae.n && status == KN_OK; i++) {
        const bool voltage = mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE;
        bool stores = false;
        for (int k = m->pattern->column_start[i]; k < m->pattern->column_start[i + 1]; k++)
            stores |= C[k] != 0;
        const bool rules = voltage || rules_itself(m, i, G);
        m->classes[i] = stores ? DAE_DIFFERENTIAL : rules ? DAE_INDEX1 : DAE_FOLLOWS;
    }
    free(C);
    free(G);
    free(x);
    return status;
}

static void add_laws(struct mna *m, const struct branch_list *list, enum branch_kind kind)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (b->kind == kind && b->controlled == (kind == BRANCH_V) && b->current > 0)
            m->laws[m->law_count++] = (struct dae_law){b->current - 1, b->plus - 1, b->minus - 1};
    }
}

/* Controlled sources of voltage: what they say of the difference between their nodes.  Linear ones do so at every point
 * that a Newton step leads to.  Behind them those that are controlled by their own current. */
static enum kn_status find_laws(struct mna *m)
{
    struct branch_list list = {0};
    bool complete = true;
    for (size_t i = 0; i < m->nonlinear_count; i++) {
        const struct device_family *family = m->nonlinear[i];
        if (family->class->branches)
            complete = complete && batch_branches(family->class, family->batch, &list);
    }
    m->laws = arena_array(m->memory, list.count + 1, sizeof *m->laws);
    if (m->laws) {
        add_laws(m, &list, BRANCH_V);
        m->dae.law_count = m->law_count;
        add_laws(m, &list, BRANCH_R);
    }
    m->dae.laws = m->laws;
    branch_list_free(&list);
    return complete && m->laws ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- the whole ---- */

static enum kn_status number_unknowns(struct mna *m, struct kn_diagnostics *d)
{
    m->setup = device_setup_new(m->circuit);
    if (!m->setup)
        return KN_ERROR_MEMORY;
    const enum kn_status status = device_families_connect(&m->families, m->setup, d);
    if (status != KN_OK)
        return status;
    m->dae.n = (int)m->setup->unknown_count - 1;
    if (m->dae.n > 0)
        return KN_OK;
    diagnostics_add(d, KN_ERROR, "no-unknowns", NOWHERE, "connect elements to nodes other than 0",
                    "the circuit has no node besides ground, so there is nothing to solve");
    return KN_ERROR_CIRCUIT;
}

static void release_requests(struct mna *m)
{
    free(m->setup->requests);
    m->setup->requests = NULL;
    m->setup->request_count = m->setup->request_capacity = 0;
}

static enum kn_status build(struct mna *m, struct kn_diagnostics *d)
{
    enum kn_status status = device_families_create(m->circuit, d, &m->families);
    if (status == KN_OK)
        status = number_unknowns(m, d);
    if (status == KN_OK)
        status = make_pattern(m);
    if (status == KN_OK)
        status = stamp_constants(m);
    if (status == KN_OK)
        status = sort_families(m);
    if (status == KN_OK)
        status = allocate_vectors(m);
    if (status == KN_OK)
        status = rest_new(m->memory, &m->families, m->pattern, &m->rest);
    if (status == KN_OK)
        status = pieces_new(m->memory, (const struct device_family *const *)m->nonlinear, m->nonlinear_count,
                            m->options.threads, &m->pieces);
    if (status != KN_OK)
        return status;
    m->rest.near = device_near(m->options.vntol);
    release_requests(m);
    set_tolerances(m);
    make_dae(m);
    status = make_room_for_growth(m);
    if (status == KN_OK)
        status = find_remembered(m);
    if (status == KN_OK)
        status = find_laws(m);
    return status == KN_OK ? classify(m) : status;
}

void mna_free(struct mna *m)
{
    if (!m)
        return;
    pieces_free(&m->pieces);
    device_families_destroy(&m->families);
    device_setup_free(m->setup);
    sparse_pattern_free(m->pattern);
    arena_free(m->memory);
}

enum kn_status mna_new(const struct circuit *c, const struct mna_options *o, struct kn_diagnostics *d, struct mna **out)
{
    *out = NULL;
    struct arena *memory;
    struct mna *m = arena_object(sizeof *m, &memory);
    if (!m)
        return KN_ERROR_MEMORY;
    m->memory = memory;
    m->circuit = c;
    m->options = *o;
    m->source_scale = 1;
    m->left_limit = INFINITY;
    m->known.from = NAN;
    for (size_t i = 0; i < c->transient_count; i++)
        m->time_span = fmax(m->time_span, c->transients[i].stop);
    const enum kn_status status = build(m, d);
    if (status != KN_OK)
        mna_free(m);
    else
        *out = m;
    return status;
}

enum kn_status mna_set_beside(struct mna *m, const int *beside)
{
    if (!m->beside && !(m->beside = arena_array(m->memory, (size_t)m->dae.n, sizeof *m->beside)))
        return KN_ERROR_MEMORY;
    memcpy(m->beside, beside, (size_t)m->dae.n * sizeof *beside);
    m->dae.beside = m->beside;
    return KN_OK;
}

void mna_set_classes(struct mna *m, const enum dae_class *classes)
{
    memcpy(m->classes, classes, (size_t)m->dae.n * sizeof *classes);
}

/* The node inside a device at one end of a series resistance of it, as a number from 1; 0 where there is none. */
static int inner_node(const struct mna *m, const struct branch *b)
{
    if (b->kind != BRANCH_R || b->role != ROLE_VALUE || !b->part || !(b->constant > 0))
        return 0;
    const int ends[] = {b->plus, b->minus};
    for (int k = 0; k < 2; k++) {
        const struct unknown *u = ends[k] > 0 ? mna_unknown(m, ends[k] - 1) : NULL;
        if (u && u->node < 0 && u->kind == UNKNOWN_VOLTAGE && u->scale == 0)
            return ends[k];
    }
    return 0;
}

/* The nodes of its device; false without memory. */
static bool find_ends(struct mna *m, int unknown, struct dae_inner *inner)
{
    const struct element *e = mna_unknown(m, unknown)->element;
    int *ends = arena_array(m->memory, e->node_count + 1, sizeof *ends);
    *inner = (struct dae_inner){.unknown = unknown, .ends = ends};
    for (size_t i = 0; i < e->node_count && ends; i++) {
        const int end = mna_node_unknown(m, e->nodes[i]);
        if (end >= 0)
            ends[inner->end_count++] = end;
    }
    return ends != NULL;
}

static bool is_grounded_port(const struct branch *b)
{
    return b->role == ROLE_PORT && b->current > 0 && b->plus > 0 && b->minus == 0;
}

/* Currents into ports of lines, and of sources that the same flows through. */
static enum kn_status find_waves(struct mna *m, const struct branch_list *list)
{
    struct dae_wave *waves = arena_array(m->memory, 2 * list->count + 1, sizeof *waves);
    double *impedance =
        arena_array(m->memory, (size_t)m->dae.n + 1, sizeof *impedance); /* of lines at each node; 0: none */
    if (!waves || !impedance)
        return KN_ERROR_MEMORY;
    m->dae.waves = waves;
    m->dae.wave_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (!is_grounded_port(b))
            continue;
        waves[m->dae.wave_count++] = (struct dae_wave){b->current - 1, b->plus - 1, b->constant, true};
        impedance[b->plus] = b->constant;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        const int ends[] = {b->plus, b->minus};
        for (int k = 0; k < 2 && b->kind == BRANCH_V && b->current > 0; k++)
            if (impedance[ends[k]] > 0)
                waves[m->dae.wave_count++] = (struct dae_wave){b->current - 1, ends[k] - 1, impedance[ends[k]], false};
    }
    return KN_OK;
}

enum kn_status mna_set_inner(struct mna *m, const struct branch_list *list)
{
    struct dae_reading *readings = arena_array(m->memory, list->count + 1, sizeof *readings);
    struct dae_inner *inner = arena_array(m->memory, list->count + 1, sizeof *inner);
    if (!readings || !inner)
        return KN_ERROR_MEMORY;
    m->dae.readings = readings;
    m->dae.inner = inner;
    m->dae.reading_count = m->dae.inner_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        const int node = inner_node(m, b);
        if (node == 0)
            continue;
        if (b->plus == 0 || b->minus == 0)
            readings[m->dae.reading_count++] =
                (struct dae_reading){node - 1, fmin(m->options.vntol, b->constant * m->options.abstol)};
        struct dae_inner *next = &inner[m->dae.inner_count];
        if (!find_ends(m, node - 1, next))
            return KN_ERROR_MEMORY;
        m->dae.inner_count += next->end_count > 0;
    }
    return find_waves(m, list);
}

void mna_set_source_scale(struct mna *m, double scale)
{
    m->source_scale = scale;
}

void mna_set_junction_gmin(struct mna *m, double gmin)
{
    m->extra_gmin = gmin;
}

/* ---- what all families declare ---- */

enum kn_status mna_branches(const struct mna *m, struct branch_list *out)
{
    *out = (struct branch_list){0};
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        enum kn_status status = KN_OK;
        if (!family->class->branches)
            status = derived_branches(family, m->setup, out);
        else if (!batch_branches(family->class, family->batch, out))
            status = KN_ERROR_MEMORY;
        if (status == KN_OK)
            continue;
        branch_list_free(out);
        return status;
    }
    return KN_OK;
}

enum kn_status mna_initial_values(const struct mna *m, struct initial_list *out)
{
    *out = (struct initial_list){0};
    for (size_t i = 0; i < m->families.count; i++) {
        const struct device_family *family = &m->families.families[i];
        if (batch_initial(family->class, family->batch, out))
            continue;
        initial_list_free(out);
        return KN_ERROR_MEMORY;
    }
    return KN_OK;
}
