/* ggl.c - see ggl.h.
 *
 * With W and Z bases of the left and right null spaces of C and L one of the left null space of W^T G Z, Gamma = W L:
 * then Gamma^T C = 0 and Gamma^T G Z = 0.  S = Gamma^T G.  The hidden constraint is
 *     Gamma^T f_t(t, x) - S C^- f(t, x) = 0,
 * C^- any inverse on the regular part of C: on the visible constraints f lies in im C, and S Z = 0.  Where G depends on
 * time its derivative is that of f_t by x, exact by differences because f_t is linear in x.
 */
#include "mna/stabilised/ggl_parts.h"

#include "mna/mna.h"

#include <float.h>
#include <math.h>
#include <string.h>

const struct dae *ggl_dae(const struct ggl *s)
{
    return &s->dae;
}

int ggl_count(const struct ggl *s)
{
    return s->count;
}

bool ggl_was_asked_for_rates(const struct ggl *s)
{
    return s->asked_for_rates;
}

/* ---- the constraints ---- */

/* C^- from the rows and columns on which C is regular. */
static enum kn_status invert(struct ggl *s, const struct dense *C, const struct kernel *of_C)
{
    struct dense regular, one, solved;
    const int rank = of_C->rank;
    if (!dense_new(s->memory, s->n, s->n, &s->inverse) || !dense_identity(s->memory, rank, &one) ||
        !dense_select(s->memory, C, of_C->row_kept, rank, of_C->column_kept, rank, &regular))
        return KN_ERROR_MEMORY;
    const enum kn_status status = dense_solve(s->memory, &regular, &one, &solved);
    for (int j = 0; j < rank && status == KN_OK; j++)
        for (int i = 0; i < rank; i++)
            *dense_at(&s->inverse, of_C->column_kept[i], of_C->row_kept[j]) = *dense_at(&solved, i, j);
    return status;
}

/* Gamma in echelon form: each constraint has an equation of its own, which the hidden one replaces. */
static bool choose_equations(struct ggl *s)
{
    int *kept = arena_array(s->memory, (size_t)s->n + 1, sizeof *kept);
    s->replaced = arena_array(s->memory, (size_t)s->n + 1, sizeof *s->replaced);
    s->hidden_of = arena_array(s->memory, (size_t)s->n + 1, sizeof *s->hidden_of);
    if (!kept || !s->replaced || !s->hidden_of || !dense_echelon(s->memory, &s->gamma, NULL, s->replaced, kept))
        return false;
    for (int i = 0; i < s->n; i++)
        s->hidden_of[i] = -1;
    for (int k = 0; k < s->count; k++)
        s->hidden_of[s->replaced[k]] = k;
    return true;
}

/* S C^- G Z V with V the right null vectors of W^T G Z: regular when the index is 2. */
static enum kn_status is_index2(struct ggl *s, const struct dense *GZ, const struct dense *V, bool *index2)
{
    struct dense directions, slopes, S, transposed, M;
    if (!dense_multiply(s->memory, GZ, V, &directions) ||
        !dense_multiply(s->memory, &s->inverse, &directions, &slopes) ||
        !dense_transpose(s->memory, &s->gamma, &transposed))
        return KN_ERROR_MEMORY;
    struct dense G;
    if (!dense_of(s->memory, s->inner->pattern, s->G, &G) || !dense_multiply(s->memory, &transposed, &G, &S) ||
        !dense_multiply(s->memory, &S, &slopes, &M))
        return KN_ERROR_MEMORY;
    struct kernel of_M;
    const enum kn_status status = kernel_find(s->memory, &M, 0, &of_M);
    *index2 = status == KN_OK && M.rows == M.columns && of_M.rank == M.rows;
    return status;
}

static enum kn_status find_constraints(struct ggl *s, enum ggl_outcome *outcome)
{
    struct dense C, G, W, GZ, M;
    struct kernel of_C, of_M;
    if (!dense_of(s->memory, s->inner->pattern, s->C, &C) || !dense_of(s->memory, s->inner->pattern, s->G, &G))
        return KN_ERROR_MEMORY;
    enum kn_status status = kernel_find(s->memory, &C, 0, &of_C);
    if (status != KN_OK)
        return status;
    s->Z = of_C.right;
    if (!dense_transpose(s->memory, &of_C.left, &W) || !dense_multiply(s->memory, &G, &s->Z, &GZ) ||
        !dense_multiply(s->memory, &W, &GZ, &M))
        return KN_ERROR_MEMORY;
    status = kernel_find(s->memory, &M, 0, &of_M);
    if (status != KN_OK)
        return status;
    s->count = of_M.left.columns;
    if (s->count == 0) {
        *outcome = GGL_NONE;
        return KN_OK;
    }
    if (!dense_multiply(s->memory, &of_C.left, &of_M.left, &s->gamma) || !choose_equations(s))
        return KN_ERROR_MEMORY;
    status = invert(s, &C, &of_C);
    bool index2 = false;
    if (status == KN_OK)
        status = is_index2(s, &GZ, &of_M.right, &index2);
    if (status == KN_OK && !index2)
        *outcome = GGL_HIGHER;
    return status;
}

/* ---- matrices at a time ---- */

/* H += Gamma^T df_t/dx, column by column. */
static enum kn_status add_rates(struct ggl *s, double t)
{
    struct dae_values out = {.dfdt = s->rates, .dqdt = s->dqdt};
    memset(s->unit, 0, (size_t)s->n * sizeof *s->unit);
    enum kn_status status = s->inner->eval(s->inner->problem, t, s->unit, DAE_T, &out);
    out.dfdt = s->dfdt;
    for (int j = 0; j < s->n && status == KN_OK; j++) {
        s->unit[j] = 1;
        status = s->inner->eval(s->inner->problem, t, s->unit, DAE_T, &out);
        s->unit[j] = 0;
        for (int k = 0; k < s->count; k++)
            for (int i = 0; i < s->n; i++)
                *dense_at(&s->H, k, j) += *dense_at(&s->gamma, i, k) * (s->dfdt[i] - s->rates[i]);
    }
    return status;
}

/* S, R and H from s->G; H not yet scaled. */
static enum kn_status linearize(struct ggl *s, double t)
{
    const struct sparse_pattern *p = s->inner->pattern;
    const size_t bytes = (size_t)s->count * (size_t)s->n * sizeof(double);
    memset(s->S.at, 0, bytes);
    memset(s->R.at, 0, bytes);
    memset(s->H.at, 0, bytes);
    for (int k = 0; k < s->count; k++) {
        for (int j = 0; j < s->n; j++)
            for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
                *dense_at(&s->S, k, j) += *dense_at(&s->gamma, p->row[e], k) * s->G[e];
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n; j++)
                *dense_at(&s->R, k, i) += *dense_at(&s->S, k, j) * *dense_at(&s->inverse, j, i);
        for (int j = 0; j < s->n; j++)
            for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
                *dense_at(&s->H, k, j) -= *dense_at(&s->R, k, p->row[e]) * s->G[e];
    }
    return s->varying ? add_rates(s, t) : KN_OK;
}

/* C Psi with Psi = S^T, columns of largest entry 1. */
static void couple(struct ggl *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    memset(s->coupling.at, 0, (size_t)s->count * (size_t)s->n * sizeof(double));
    for (int k = 0; k < s->count; k++) {
        double largest = DBL_MIN;
        for (int j = 0; j < s->n; j++)
            largest = fmax(largest, fabs(*dense_at(&s->S, k, j)));
        for (int j = 0; j < s->n; j++)
            for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
                *dense_at(&s->coupling, p->row[e], k) += s->C[e] * *dense_at(&s->S, k, j) / largest;
    }
}

static void scale_hidden(struct ggl *s)
{
    for (int k = 0; k < s->count; k++)
        for (int j = 0; j < s->n; j++)
            *dense_at(&s->H, k, j) *= s->hidden_scale[k];
}

/* Brings the matrices to time t; they stay where nothing depends on it. */
static enum kn_status move_to(struct ggl *s, double t)
{
    if (!s->varying || s->time == t)
        return KN_OK;
    struct dae_values out = {.G = s->G};
    memset(s->unit, 0, (size_t)s->n * sizeof *s->unit);
    enum kn_status status = s->inner->eval(s->inner->problem, t, s->unit, DAE_G, &out);
    if (status == KN_OK)
        status = linearize(s, t);
    if (status != KN_OK)
        return status;
    couple(s);
    scale_hidden(s);
    s->time = t;
    return KN_OK;
}

/* Gamma must stay what it is: Gamma^T G(t) Z = 0. */
static enum kn_status check_constancy(struct ggl *s, double start, double stop, enum ggl_outcome *outcome, int *where)
{
    for (int probe = 0; probe < GGL_PROBES && s->varying; probe++) {
        const enum kn_status status = move_to(s, start + (stop - start) * (probe + 0.5) / GGL_PROBES);
        if (status != KN_OK)
            return status;
        for (int k = 0; k < s->count; k++)
            for (int z = 0; z < s->Z.columns; z++) {
                double sum = 0, size = 0;
                for (int j = 0; j < s->n; j++) {
                    const double term = *dense_at(&s->S, k, j) * *dense_at(&s->Z, j, z);
                    sum += term;
                    size += fabs(term);
                }
                if (fabs(sum) > ROUNDING_SAME * size) {
                    *outcome = GGL_CHANGING;
                    *where = s->replaced[k];
                }
            }
    }
    return KN_OK;
}

/* ---- evaluation ---- */

static void write_equations(const struct ggl *s, const double *x, struct dae_values *out)
{
    const double *mu = x + s->n;
    for (int i = 0; i < s->n; i++) {
        out->f[i] = s->f[i];
        for (int k = 0; k < s->count; k++)
            out->f[i] -= *dense_at(&s->coupling, i, k) * mu[k];
    }
    for (int k = 0; k < s->count; k++) {
        double hidden = 0, visible = 0;
        for (int i = 0; i < s->n; i++) {
            hidden += *dense_at(&s->gamma, i, k) * s->dfdt[i] - *dense_at(&s->R, k, i) * s->f[i];
            visible += *dense_at(&s->gamma, i, k) * s->f[i];
        }
        out->f[s->replaced[k]] = s->hidden_scale[k] * hidden;
        out->f[s->n + k] = visible;
    }
}

static void write_charges(const struct ggl *s, double *q)
{
    for (int i = 0; i < s->n; i++)
        q[i] = s->hidden_of[i] < 0 ? s->q[i] : 0;
    for (int k = 0; k < s->count; k++)
        q[s->n + k] = 0;
}

static void write_jacobians(const struct ggl *s, unsigned what, struct dae_values *out)
{
    const size_t bytes = ((size_t)s->pattern->entries + 1) * sizeof(double);
    const int entries = s->inner->pattern->entries, all = s->count * s->n;
    if (what & DAE_C) {
        memset(out->C, 0, bytes);
        for (int e = 0; e < entries; e++)
            out->C[s->slot[e]] = s->C[e];
        out->C[s->pattern->entries] = 0;
    }
    if (!(what & DAE_G))
        return;
    memset(out->G, 0, bytes);
    for (int e = 0; e < entries; e++)
        out->G[s->slot[e]] = s->G[e];
    for (int e = 0; e < all; e++) { /* [count x n] is stored column by column */
        const int k = e % s->count, i = e / s->count;
        out->G[s->hidden_slot[e]] = s->H.at[e];
        out->G[s->visible_slot[e]] = s->S.at[e];
        out->G[s->coupling_slot[e]] = -*dense_at(&s->coupling, i, k);
    }
    out->G[s->pattern->entries] = 0;
}

static enum kn_status ggl_eval(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    struct ggl *s = problem;
    if (what & DAE_T) {
        s->asked_for_rates = true;
        return KN_ERROR_CONVERGENCE; /* a method that asks for rates cannot be used; others can */
    }
    enum kn_status status = move_to(s, t);
    const unsigned wanted = (what & (DAE_Q | DAE_LIMIT)) | (what & DAE_F ? DAE_F | DAE_T : 0);
    struct dae_values inner = {.f = s->f, .q = s->q, .dfdt = s->dfdt, .dqdt = s->dqdt};
    if (status == KN_OK)
        status = s->inner->eval(s->inner->problem, t, x, wanted, &inner);
    if (status != KN_OK)
        return status;
    out->limited = inner.limited;
    if (what & DAE_F)
        write_equations(s, x, out);
    if (what & DAE_Q)
        write_charges(s, out->q);
    write_jacobians(s, what, out);
    return KN_OK;
}

/* ---- what the inner equations do, and a little more ---- */

static void ggl_hold_left(void *problem, double t)
{
    struct ggl *s = problem;
    s->time = NAN;
    s->inner->hold_left(s->inner->problem, t);
}

static const char *ggl_unknown_name(void *problem, int i)
{
    const struct ggl *s = problem;
    return i < s->n ? s->inner->unknown_name(s->inner->problem, i) : "a multiplier of ggl";
}

/* A multiplier belongs where its constraint does. */
static void ggl_describe(void *problem, int i, char *buffer, size_t size)
{
    const struct ggl *s = problem;
    s->inner->describe(s->inner->problem, i < s->n ? i : s->replaced[i - s->n], buffer, size);
}

static void set_up_dae(struct ggl *s)
{
    const struct dae *inner = s->inner;
    dae_forward(inner, s, &s->dae);
    s->dae.remembered = NULL;
    s->dae.n = s->n + s->count;
    s->dae.pattern = s->pattern;
    s->dae.eval = ggl_eval;
    s->dae.no_time_derivatives = true;
    s->dae.hold_left = inner->hold_left ? ggl_hold_left : NULL;
    s->dae.unknown_name = inner->unknown_name ? ggl_unknown_name : NULL;
    s->dae.describe = inner->describe ? ggl_describe : NULL;
    s->dae.absolute = s->absolute;
    s->dae.equation_absolute = s->equation_absolute;
    s->dae.potentials = NULL; /* hidden constraints state no differences of them */
    s->dae.law_count = 0;     /* hidden constraints may stand in their place */
    s->dae.classes = s->classes;
    s->dae.beside = NULL;
}

/* ---- construction ---- */

/* Tolerances of an equation follow from those of its terms. */
static void set_tolerances(struct ggl *s)
{
    for (int i = 0; i < s->n; i++) {
        s->absolute[i] = s->inner->absolute[i];
        s->equation_absolute[i] = s->inner->equation_absolute[i];
        const enum dae_class class = s->inner->classes ? s->inner->classes[i] : DAE_DIFFERENTIAL;
        s->classes[i] = class == DAE_INDEX2 ? DAE_INDEX1 : class;
    }
    for (int k = 0; k < s->count; k++) {
        double hidden = 0, visible = 0;
        for (int i = 0; i < s->n; i++) {
            hidden = fmax(hidden, fabs(*dense_at(&s->H, k, i)) * s->inner->absolute[i]);
            visible = fmax(visible, fabs(*dense_at(&s->gamma, i, k)) * s->inner->equation_absolute[i]);
        }
        s->equation_absolute[s->replaced[k]] = hidden;
        s->equation_absolute[s->n + k] = visible;
        s->absolute[s->n + k] = DBL_MAX; /* multipliers never decide a step or an iteration */
        s->classes[s->n + k] = DAE_INDEX2;
    }
}

/* Hidden constraints get largest coefficients of 1. */
static void find_hidden_scale(struct ggl *s)
{
    for (int k = 0; k < s->count; k++) {
        double largest = DBL_MIN;
        for (int j = 0; j < s->n; j++)
            largest = fmax(largest, fabs(*dense_at(&s->H, k, j)));
        s->hidden_scale[k] = 1 / largest;
    }
}

/* Coordinates of the pattern as they are collected. */
struct coordinates {
    int *rows, *columns;
    size_t count;
};

static void add(struct coordinates *c, bool present, int row, int column)
{
    c->rows[c->count] = present ? row : -1;
    c->columns[c->count++] = present ? column : -1;
}

/* Where G depends on time, what is zero now need not stay so. */
static enum kn_status make_pattern(struct ggl *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    const size_t blocks = (size_t)s->count * (size_t)s->n, all = (size_t)p->entries + 3 * blocks;
    struct coordinates c = {arena_array(s->memory, all, sizeof(int)), arena_array(s->memory, all, sizeof(int)), 0};
    s->slot = arena_array(s->memory, all, sizeof *s->slot);
    if (!c.rows || !c.columns || !s->slot)
        return KN_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++)
        for (int e = p->column_start[j]; e < p->column_start[j + 1]; e++)
            add(&c, s->hidden_of[p->row[e]] < 0, p->row[e], j);
    for (int j = 0; j < s->n; j++)
        for (int k = 0; k < s->count; k++)
            add(&c, s->varying || *dense_at(&s->H, k, j) != 0, s->replaced[k], j);
    for (int j = 0; j < s->n; j++)
        for (int k = 0; k < s->count; k++)
            add(&c, s->varying || *dense_at(&s->S, k, j) != 0, s->n + k, j);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->count; k++)
            add(&c, s->hidden_of[i] < 0 && (s->varying || *dense_at(&s->coupling, i, k) != 0), i, s->n + k);
    s->hidden_slot = s->slot + p->entries;
    s->visible_slot = s->hidden_slot + blocks;
    s->coupling_slot = s->visible_slot + blocks;
    return sparse_pattern_new(s->n + s->count, c.rows, c.columns, c.count, s->slot, &s->pattern);
}

static bool allocate_for_looking(struct ggl *s)
{
    double **const vectors[] = {&s->f, &s->q, &s->dfdt, &s->dqdt, &s->rates, &s->unit};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = arena_array(s->memory, (size_t)s->n + 1, sizeof(double))) != NULL && complete;
    const size_t entries = (size_t)s->inner->pattern->entries + 1;
    s->G = arena_array(s->memory, entries, sizeof *s->G);
    s->C = arena_array(s->memory, entries, sizeof *s->C);
    return complete && s->G && s->C;
}

static bool allocate_constraints(struct ggl *s)
{
    const size_t all = (size_t)(s->n + s->count);
    s->hidden_scale = arena_array(s->memory, (size_t)s->count, sizeof *s->hidden_scale);
    s->absolute = arena_array(s->memory, all, sizeof *s->absolute);
    s->equation_absolute = arena_array(s->memory, all, sizeof *s->equation_absolute);
    s->classes = arena_array(s->memory, all, sizeof *s->classes);
    return s->hidden_scale && s->absolute && s->equation_absolute && s->classes &&
           dense_new(s->memory, s->count, s->n, &s->S) && dense_new(s->memory, s->count, s->n, &s->R) &&
           dense_new(s->memory, s->count, s->n, &s->H) && dense_new(s->memory, s->n, s->count, &s->coupling);
}

static enum kn_status state_constraints(struct ggl *s, double start)
{
    if (!allocate_constraints(s))
        return KN_ERROR_MEMORY;
    enum kn_status status = linearize(s, start);
    if (status != KN_OK)
        return status;
    find_hidden_scale(s);
    scale_hidden(s);
    couple(s);
    s->time = start;
    set_tolerances(s);
    status = make_pattern(s);
    set_up_dae(s);
    return status;
}

static enum kn_status build(struct ggl *s, double start, double stop, enum ggl_outcome *outcome, int *where)
{
    if (s->n > MNA_MOST_DENSE || s->inner->largest_step < INFINITY) {
        *outcome = s->n > MNA_MOST_DENSE ? GGL_LARGE : GGL_DELAYED;
        return KN_OK;
    }
    if (!allocate_for_looking(s))
        return KN_ERROR_MEMORY;
    enum kn_status status = ggl_look(s, start, stop, outcome, where);
    if (status == KN_OK && *outcome == GGL_STATED)
        status = find_constraints(s, outcome);
    if (status == KN_OK && *outcome == GGL_STATED)
        status = state_constraints(s, start);
    if (status == KN_OK && *outcome == GGL_STATED)
        status = check_constancy(s, start, stop, outcome, where);
    return status;
}

void ggl_free(struct ggl *s)
{
    if (!s)
        return;
    sparse_pattern_free(s->pattern);
    arena_free(s->memory);
}

enum kn_status ggl_new(const struct dae *dae, double start, double stop, struct ggl **out, enum ggl_outcome *outcome,
                       int *where)
{
    struct arena *memory;
    struct ggl *s = arena_object(sizeof *s, &memory);
    *out = NULL;
    *where = -1;
    *outcome = GGL_STATED;
    if (!s)
        return KN_ERROR_MEMORY;
    s->memory = memory;
    s->inner = dae;
    s->n = dae->n;
    s->time = NAN;
    const enum kn_status status = build(s, start, stop, outcome, where);
    if (status == KN_OK && *outcome == GGL_STATED)
        *out = s;
    else
        ggl_free(s);
    return status;
}
