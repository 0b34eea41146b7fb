/* transfer.c - A s_xfer: a rational transfer function
 *
 *     H(s) = gain (b_m s^m + .. + b_0)/(a_n s^n + .. + a_0),  s in units of denormalized_freq,  m <= n
 *
 * as a chain of states w_0 .. w_(n-1) (phase variables, devices/behavioural/network.h, whose time constants tau are used
 * here too):
 *
 *     tau_k d/dt w_k = w_(k+1),   w_n = (in + in_offset - sum_(k<n) A_k w_k)/A_n,   out = gain sum_(k<=n) B_k w_k
 *
 * with A_k = a_k/(tau_0 .. tau_(k-1)), B_k likewise.  At rest the states stand where int_ic says, 0 where it says
 * nothing, as in ngspice, whose states are gain d^k/dt^k w_0, of the highest k first.
 */
#include "devices/behavioural/network.h"
#include "devices/code_models/code_model.h"
#include "devices/families.h"

#include <math.h>

enum { OFFSET, GAIN, NUMERATOR, DENOMINATOR, INITIAL, FREQUENCY, ROWS };
enum { MOST_STATES = 16 };

static const struct parameter_info rows[ROWS] = {
    [OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [GAIN] = CODE_ANY("gain", "", 1, "factor"),
    [NUMERATOR] = CODE_LIST("num_coeff", "", "coefficients of the numerator, of the highest power first"),
    [DENOMINATOR] = CODE_LIST("den_coeff", "", "of the denominator, likewise"),
    [INITIAL] = CODE_LIST("int_ic", "", "states at rest, of the highest derivative first, 0 where none is given"),
    [FREQUENCY] = CODE_FROM("denormalized_freq", "1/s", 1, 1e-300, "unit of s"),
};

static const struct port_info ports[] = {CODE_IN("in"), CODE_OUT("out")};
static const char *const names[MOST_STATES + 1] = {"w0", "w1",  "w2",  "w3",  "w4",  "w5",  "w6",  "w7", "w8",
                                                   "w9", "w10", "w11", "w12", "w13", "w14", "w15", NULL};

struct s_xfer {
    size_t order;
    double a[MOST_STATES + 1], b[MOST_STATES + 1]; /* A_k, B_k */
    double tau[MOST_STATES];                       /* s */
    double at_rest[MOST_STATES];                   /* w_k there */
};

static size_t count_states(const struct element *e)
{
    const struct setting *s = setting_find(e->model->settings, e->model->setting_count, "den_coeff");
    return !s || !s->list || s->list_count == 0 ? 0 : s->list_count - 1 > MOST_STATES ? MOST_STATES : s->list_count - 1;
}

/* Coefficients from the power 0 on, in 1/s; false where there are too many. */
static bool read_coefficients(const struct code_item *i, const char *name, double *to)
{
    size_t count;
    const double *list = code_list(i, name, &count);
    for (size_t k = 0; k < count && count <= MOST_STATES + 1; k++)
        to[k] = list[count - 1 - k] * pow(i->p[FREQUENCY], -(double)k);
    return count <= MOST_STATES + 1;
}

static void find_time_constants(struct s_xfer *t)
{
    size_t zeros = t->order;
    while (zeros > 0 && t->b[zeros] == 0)
        zeros--;
    const struct rational r = {
        .numerator = t->b, .numerator_count = zeros + 1, .denominator = t->a, .denominator_count = t->order + 1};
    network_time_constants(&r, t->tau);
    double product = 1;
    for (size_t k = 1; k <= t->order; k++) {
        product *= t->tau[k - 1];
        t->a[k] /= product;
        t->b[k] /= product;
    }
}

/* The last value is that of w_0. */
static void read_states_at_rest(const struct code_item *i, struct s_xfer *t)
{
    size_t count;
    const double *list = code_list(i, "int_ic", &count);
    double product = 1;
    for (size_t k = 0; k < t->order && k < count && i->p[GAIN] != 0; k++) {
        t->at_rest[k] = product * list[count - 1 - k] / i->p[GAIN];
        product *= t->tau[k];
    }
}

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct s_xfer *t = arena_alloc(arena, sizeof *t);
    size_t numerator;
    if (!t)
        return KN_ERROR_MEMORY;
    i->own = t;
    code_list(i, "num_coeff", &numerator);
    t->order = i->state_count;
    if (!i->given[DENOMINATOR] || numerator == 0)
        return code_fail(i, d, "write num_coeff=[1] den_coeff=[1 1]", "num_coeff and den_coeff are needed");
    if (numerator > t->order + 1 || !read_coefficients(i, "num_coeff", t->b) ||
        !read_coefficients(i, "den_coeff", t->a))
        return code_fail(i, d, "the degree of the numerator is at most that of the denominator, and this at most 16",
                         "the transfer function has too many coefficients");
    if (t->a[t->order] == 0)
        return code_fail(i, d, "leave it out", "the first coefficient of the denominator is 0");
    find_time_constants(t);
    read_states_at_rest(i, t);
    return KN_OK;
}

/* Columns: in, w_0 ..; rows: out, w_0 .. */
static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct s_xfer *t = i->own;
    const size_t n = t->order, columns = i->column_count;
    const double *w = p->u + 1, top = 1 / t->a[n], gain = i->p[GAIN];
    double next = top * (p->u[0] + i->p[OFFSET]); /* w_n, and its slopes: top, -top A_k */
    for (size_t k = 0; k < n; k++)
        next -= top * t->a[k] * w[k];
    p->f[0] = gain * t->b[n] * next;
    p->df[0] = gain * t->b[n] * top;
    for (size_t k = 0; k < n; k++) {
        double *row = p->df + (k + 1) * columns;
        p->f[0] += gain * t->b[k] * w[k];
        p->df[1 + k] = gain * (t->b[k] - t->b[n] * top * t->a[k]);
        p->q[k + 1] = t->tau[k] * w[k];
        p->dq[(k + 1) * columns + k + 1] = t->tau[k];
        if (p->rests) {
            p->f[k + 1] = w[k] - t->at_rest[k];
            row[k + 1] = 1;
        } else if (k + 1 < n) {
            p->f[k + 1] = -w[k + 1];
            row[k + 2] = -1;
        } else {
            p->f[k + 1] = -next;
            row[0] = -top;
            for (size_t j = 0; j < n; j++)
                row[j + 1] = top * t->a[j];
        }
    }
}

static bool begin(const struct code_item *i, struct initial_list *list)
{
    const struct s_xfer *t = i->own;
    for (size_t k = 0; k < t->order; k++)
        if (!code_initial_state(i, k, t->at_rest[k], list))
            return false;
    return true;
}

const struct code_model s_xfer_model = {CODE_KIND("s_xfer", "transfer function", "in out", ports, rows),
                                        .rests_apart = true,
                                        .states = names,
                                        .count_states = count_states,
                                        .make = make,
                                        .evaluate = evaluate,
                                        .initial = begin};
