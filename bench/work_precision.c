/* work_precision.c - measures knoten's methods, SUNDIALS IDA and recorded runs of ngspice on one deck against one
 * reference.
 *
 *   work_precision DECK LIMIT METHODS [METHOD:RELTOL:STEPS:SECONDS:RAWFILE]..
 *
 * prints one line of CSV per run: program,method,reltol,error,final,steps,seconds.  Errors are those of `knoten
 * compare`: the largest deviation of any common waveform at 1000 times and at the end, relative to the range of that
 * waveform.
 *
 * IDA (Hindmarsh et al., ACM TOMS 31(3), 2005) solves the same DAE through struct dae, in the form
 * C(x) x' + dq/dt + f(x, t) = 0 with the Jacobian G + alpha C and KLU; it restarts at breakpoints from x' of a tiny
 * step of knoten, which is not timed.  ngspice's rows are read at the common times by straight line and by a cubic
 * through four rows, whichever is nearer to the reference, so that interpolation is not held against it.
 *
 * Compiled with -DWITH_IDA where SUNDIALS is installed.
 */
#include "analyses/columns.h"
#include "analyses/compare/compare.h"
#include "analyses/library.h"
#include "mna/start/consistent.h"
#include "tests/tools/waveforms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the processor: other processes do not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_run(const char *program, const char *method, double reltol, double error, double final, long steps,
                      double time)
{
    printf("%s,%s,%.0e,%.3e,%.3e,%ld,%.6g\n", program, method, reltol, error, final, steps, time);
    fflush(stdout);
}

/* ---- ngspice ---- */

/* Cubic through the four rows around the cursor's. */
static double cubic_value(const struct cursor *c, double t, size_t column)
{
    const struct waveforms *w = c->of;
    size_t first = c->row > 0 ? c->row - 1 : 0;
    if (w->rows < 4)
        return cursor_value(c, t, column);
    first = first + 4 > w->rows ? w->rows - 4 : first;
    double sum = 0;
    for (size_t i = first; i < first + 4; i++) {
        double weight = 1;
        for (size_t k = first; k < first + 4; k++)
            if (k != i)
                weight *= (t - waveforms_time(w, k)) / (waveforms_time(w, i) - waveforms_time(w, k));
        sum += weight * waveforms_value(w, i, column);
    }
    return isfinite(sum) ? sum : cursor_value(c, t, column);
}

static void judge_recording(const struct comparison *c, const double *reference, const struct waveforms *w,
                            double *error, double *final)
{
    *error = *final = 0;
    for (size_t i = 1; i < c->columns; i++) {
        const int column = waveforms_find(w, c->names[i]);
        struct cursor at = {w, 0};
        for (size_t k = 0; column >= 0 && k < c->rows; k++) {
            const double t = reference[k * c->columns], expected = reference[k * c->columns + i];
            cursor_seek(&at, t);
            const double line = fabs(cursor_value(&at, t, (size_t)column) - expected);
            const double cubic = fabs(cubic_value(&at, t, (size_t)column) - expected);
            const double here = fmin(line, cubic) / c->scale[i];
            *error = fmax(*error, here);
            if (k + 1 == c->rows)
                *final = fmax(*final, here);
        }
    }
}

static void measure_recording(const struct comparison *c, const double *reference, char *argument)
{
    const char *part[5];
    size_t count = 0;
    for (char *word = strtok(argument, ":"); word && count < 5; word = strtok(NULL, ":"))
        part[count++] = word;
    struct waveforms w;
    if (count < 5 || !waveforms_read(part[4], &w))
        return;
    double error, final;
    judge_recording(c, reference, &w, &error, &final);
    const double stop = reference[(c->rows - 1) * c->columns];
    if (w.rows > 1 && waveforms_time(&w, w.rows - 1) > stop * (1 - 1e-6))
        print_run("ngspice", part[0], strtod(part[1], NULL), error, final, (long)w.rows, strtod(part[3], NULL));
    waveforms_free(&w);
}

/* ---- IDA ---- */

#ifdef WITH_IDA
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

struct peer {
    struct mna *mna;
    struct topology *topology;
    const struct dae *dae;
    struct columns columns;
    const struct transient *request;
    double *x0; /* consistent start */
    double *f, *G, *C, *dfdt, *dqdt;
    double opening; /* s: equations, topology, starting values */
    double deadline;
};

static int residual(double t, N_Vector x, N_Vector slope, N_Vector r, void *context)
{
    struct peer *p = context;
    double *out = N_VGetArrayPointer(r);
    struct dae_values v = {.f = p->f, .C = p->C, .dfdt = p->dfdt, .dqdt = p->dqdt};
    if (p->dae->eval(p->dae->problem, t, N_VGetArrayPointer(x), DAE_F | DAE_C | DAE_T, &v) != KN_OK)
        return -1;
    memset(out, 0, (size_t)p->dae->n * sizeof *out);
    sparse_multiply_add(p->dae->pattern, p->C, N_VGetArrayPointer(slope), out);
    for (int i = 0; i < p->dae->n; i++) {
        out[i] += p->f[i] + p->dqdt[i];
        if (!isfinite(out[i]))
            return 1;
    }
    return 0;
}

static int jacobian(double t, double alpha, N_Vector x, N_Vector slope, N_Vector r, SUNMatrix J, void *context,
                    N_Vector a, N_Vector b, N_Vector c)
{
    struct peer *p = context;
    const struct sparse_pattern *pattern = p->dae->pattern;
    struct dae_values v = {.G = p->G, .C = p->C};
    (void)slope, (void)r, (void)a, (void)b, (void)c;
    if (p->dae->eval(p->dae->problem, t, N_VGetArrayPointer(x), DAE_G | DAE_C, &v) != KN_OK)
        return -1;
    for (int j = 0; j <= pattern->n; j++)
        SM_INDEXPTRS_S(J)[j] = pattern->column_start[j];
    for (int k = 0; k < pattern->entries; k++) {
        SM_INDEXVALS_S(J)[k] = pattern->row[k];
        SM_DATA_S(J)[k] = p->G[k] + alpha * p->C[k];
    }
    return 0;
}

/* x' at (t, x) from a tiny step of knoten. */
static void find_slope(const struct peer *p, double t, const double *x, double *slope)
{
    const struct integrator_options o = {.relative = 1e-6, .kappa = 0.01, .max_iterations = 20};
    struct integrator *m;
    memset(slope, 0, (size_t)p->dae->n * sizeof *slope);
    if (integrator_find("radau5")->create(p->dae, &o, &m) != KN_OK)
        return;
    struct step_report report;
    double *ignored = calloc((size_t)p->dae->n, sizeof *ignored);
    if (ignored && m->class->restart(m, t, x) == KN_OK) {
        m->class->step(m, t + 1e-8 * (p->request->stop - p->request->start), &report);
        if (report.outcome == STEP_ACCEPTED)
            m->class->interpolate(m, t, ignored, slope);
    }
    free(ignored);
    m->class->destroy(m);
}

struct ida_run {
    struct peer *peer;
    void *ida;
    N_Vector x, slope, absolute, largest, at, rate; /* largest: magnitudes seen in the runs so far */
    const struct comparison *comparison;
    const double *reference;
    size_t next; /* common time */
    double *row, error, final;
    long steps;
};

static void judge_step(struct ida_run *r, double t)
{
    const struct comparison *c = r->comparison;
    for (; r->next < c->rows && r->reference[r->next * c->columns] <= t; r->next++) {
        const double *expected = &r->reference[r->next * c->columns];
        IDAGetDky(r->ida, expected[0], 0, r->at);
        IDAGetDky(r->ida, expected[0], 1, r->rate);
        columns_fill(&r->peer->columns, r->peer->mna, expected[0], N_VGetArrayPointer(r->at),
                     N_VGetArrayPointer(r->rate), r->row);
        r->final = 0;
        for (size_t i = 1; i < c->columns; i++)
            r->final = fmax(r->final, fabs(r->row[i] - expected[i]) / c->scale[i]);
        r->error = fmax(r->error, r->final);
    }
}

/* From breakpoint to breakpoint; false when IDA gives up.  *restart_time receives what restarts took. */
static bool ida_integrate(struct ida_run *r, double *untimed)
{
    const struct dae *dae = r->peer->dae;
    double t = r->peer->request->start;
    const double stop = r->peer->request->stop;
    while (t < stop) {
        double corner = dae->next_breakpoint ? dae->next_breakpoint(dae->problem, t) : INFINITY;
        corner = fmin(corner, stop);
        IDASetStopTime(r->ida, corner);
        for (int outcome = IDA_SUCCESS; outcome != IDA_TSTOP_RETURN;) {
            outcome = IDASolve(r->ida, corner, &t, r->x, r->slope, IDA_ONE_STEP);
            if (outcome < 0 || seconds() > r->peer->deadline)
                return false;
            r->steps++;
            for (int i = 0; i < dae->n; i++)
                N_VGetArrayPointer(r->largest)[i] =
                    fmax(N_VGetArrayPointer(r->largest)[i], fabs(N_VGetArrayPointer(r->x)[i]));
            const double begin = seconds();
            judge_step(r, t);
            *untimed += seconds() - begin;
        }
        t = corner;
        if (corner < stop) {
            const double begin = seconds();
            find_slope(r->peer, t, N_VGetArrayPointer(r->x), N_VGetArrayPointer(r->slope));
            *untimed += seconds() - begin;
            IDAReInit(r->ida, t, r->x, r->slope);
        }
    }
    return true;
}

static void no_messages(int code, const char *module, const char *function, char *message, void *context)
{
    (void)code, (void)module, (void)function, (void)message, (void)context;
}

/* False when IDA did not reach the end. */
static bool ida_once(struct ida_run *r, SUNContext sun, double reltol, bool scaled, double limit)
{
    struct peer *p = r->peer;
    const struct dae *dae = p->dae;
    const size_t bytes = (size_t)dae->n * sizeof(double);
    memcpy(N_VGetArrayPointer(r->x), p->x0, bytes);
    find_slope(p, p->request->start, p->x0, N_VGetArrayPointer(r->slope));
    /* knoten's tolerances for voltages; far looser ones for currents, some of which IDA cannot control */
    for (int i = 0; i < dae->n; i++) {
        const double floor = mna_unknown(p->mna, i)->kind == UNKNOWN_VOLTAGE ? 1e-3 : 1e-6;
        const double size = scaled ? fmax(N_VGetArrayPointer(r->largest)[i], floor) : floor;
        N_VGetArrayPointer(r->absolute)[i] = reltol * size;
    }
    SUNMatrix J = SUNSparseMatrix(dae->n, dae->n, dae->pattern->entries, CSC_MAT, sun);
    SUNLinearSolver solver = SUNLinSol_KLU(r->x, J, sun);
    r->ida = IDACreate(sun);
    p->deadline = seconds() + limit;
    r->next = 0, r->error = r->final = 0, r->steps = 0;
    const double begin = seconds();
    double untimed = 0;
    IDASetErrHandlerFn(r->ida, no_messages, NULL);
    IDAInit(r->ida, residual, p->request->start, r->x, r->slope);
    IDASVtolerances(r->ida, scaled ? 0 : reltol, r->absolute);
    IDASetUserData(r->ida, p);
    IDASetLinearSolver(r->ida, solver, J);
    IDASetJacFn(r->ida, jacobian);
    IDASetMaxNumSteps(r->ida, -1);
    IDASetMaxErrTestFails(r->ida, 30);
    IDASetMaxConvFails(r->ida, 50);
    const bool good = ida_integrate(r, &untimed);
    if (good)
        print_run("ida", scaled ? "scaled" : "default", reltol, r->error, r->final, r->steps,
                  p->opening + seconds() - begin - untimed);
    IDAFree(&r->ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    return good;
}

static bool peer_open(struct peer *p, const struct circuit *c, const struct analysis_options *o,
                      struct kn_diagnostics *d)
{
    const struct mna_options tight = {.vntol = 1e-13, .abstol = 1e-18, .gmin = o->mna.gmin};
    *p = (struct peer){.request = &c->transients[0]};
    if (mna_new(c, &tight, d, &p->mna) != KN_OK || topology_new(p->mna, &p->topology) != KN_OK ||
        columns_init(&p->columns, p->mna, true) != KN_OK)
        return false;
    p->dae = mna_dae(p->mna);
    const size_t n = (size_t)p->dae->n;
    double **const vectors[] = {&p->x0, &p->f, &p->dfdt, &p->dqdt};
    for (size_t i = 0; i < 4; i++)
        *vectors[i] = calloc(n, sizeof(double));
    p->G = sparse_values(p->dae->pattern);
    p->C = sparse_values(p->dae->pattern);
    if (!p->x0 || !p->f || !p->dfdt || !p->dqdt || !p->G || !p->C)
        return false;
    if (p->request->uic) {
        struct consistent start = {.mna = p->mna, .topology = p->topology, .relative = 1e-10, .span = p->request->stop};
        const bool started = consistent_start(&start, 0, d, p->x0) == KN_OK;
        consistent_free(&start);
        return started;
    }
    struct operating_report report;
    const struct operating_options op = {.relative = 1e-12, .max_iterations = 200, .impose_initial = true};
    return operating_point(p->mna, p->topology, &op, d, p->x0, &report) == KN_OK;
}

static void peer_close(struct peer *p)
{
    double *const vectors[] = {p->x0, p->f, p->dfdt, p->dqdt, p->G, p->C};
    for (size_t i = 0; i < 6; i++)
        free(vectors[i]);
    columns_free(&p->columns);
    topology_free(p->topology);
    mna_free(p->mna);
}

static void measure_ida(const struct circuit *c, const struct analysis_options *o, const struct comparison *comparison,
                        const double *reference, double limit, struct kn_diagnostics *d)
{
    struct peer p;
    SUNContext sun;
    const double begin = seconds();
    const bool opened = peer_open(&p, c, o, d);
    p.opening = seconds() - begin;
    if (!opened || SUNContext_Create(NULL, &sun) != 0) {
        fprintf(stderr, "IDA: no starting values\n");
        peer_close(&p);
        return;
    }
    struct ida_run r = {.peer = &p, .comparison = comparison, .reference = reference};
    N_Vector *const vectors[] = {&r.x, &r.slope, &r.absolute, &r.largest, &r.at, &r.rate};
    for (size_t i = 0; i < 6; i++) {
        *vectors[i] = N_VNew_Serial(p.dae->n, sun);
        N_VConst(0, *vectors[i]);
    }
    r.row = calloc(comparison->columns, sizeof *r.row);
    for (int scaled = 0; scaled <= 1 && r.row; scaled++) {
        bool good = false, before = false; /* once it has worked, the first failure is the end */
        for (double reltol = 1e-2; reltol > 5e-12 && (good || !before); reltol /= 10) {
            good = ida_once(&r, sun, reltol, scaled, limit);
            before |= good;
        }
    }
    for (size_t i = 0; i < 6; i++)
        N_VDestroy(*vectors[i]);
    free(r.row);
    SUNContext_Free(&sun);
    peer_close(&p);
}
#endif

/* ---- everything on one deck ---- */

static void print_comparison(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct compare_point *p = &c->points[i];
        const bool good = p->status == KN_OK;
        print_run("knoten", p->method->name, p->reltol, good ? p->error : NAN, good ? p->final_error : NAN, p->accepted,
                  p->seconds);
    }
    fprintf(stderr, "references differ by %.1e\n", c->disagreement);
}

enum { MOST_METHODS = 40 };

/* "all" or names between commas; cuts the text up. */
static size_t choose_methods(char *text, const struct integrator_class *methods[MOST_METHODS])
{
    size_t count = 0;
    for (size_t i = 0; strcmp(text, "all") == 0 && integrator_classes[i] && count < MOST_METHODS; i++)
        methods[count++] = integrator_classes[i];
    for (char *name = count ? NULL : strtok(text, ","); name && count < MOST_METHODS; name = strtok(NULL, ","))
        if ((methods[count] = integrator_find(name)) != NULL)
            count++;
    return count;
}

/* arguments: LIMIT METHODS RECORDINGS.. */
static int measure(const struct circuit *circuit, char **arguments, int count, struct kn_diagnostics *d)
{
    struct analysis_options o;
    struct comparison c = {0};
    const struct integrator_class *methods[MOST_METHODS];
    const double limit = strtod(arguments[0], NULL);
    if (analysis_options_of(circuit, d, &o) != KN_OK)
        return 1;
    const struct compare_request request = {.methods = methods,
                                            .method_count = choose_methods(arguments[1], methods),
                                            .loosest = 1e-2,
                                            .tightest = 1e-9,
                                            .runs = 3,
                                            .limit = limit};
    const enum kn_status status = compare_run(circuit, &o, &request, d, &c);
    if (status == KN_OK) {
        const double *reference = c.references[c.references[0].method ? 0 : 1].values;
        printf("program,method,reltol,error,final,steps,seconds\n");
        print_comparison(&c);
#ifdef WITH_IDA
        measure_ida(circuit, &o, &c, reference, limit, d);
#endif
        for (int i = 2; i < count; i++)
            measure_recording(&c, reference, arguments[i]);
    }
    compare_free(&c);
    return status != KN_OK;
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: work_precision DECK LIMIT METHODS [METHOD:RELTOL:STEPS:SECONDS:RAWFILE]..\n");
        return 2;
    }
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *circuit = NULL;
    int result = 1;
    if (d && kn_circuit_read_file(arguments[1], d, &circuit) == KN_OK)
        result = measure(circuit->circuit, arguments + 2, count - 2, d);
    for (size_t i = 0; result && d && i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_circuit_free(circuit);
    kn_diagnostics_free(d);
    return result;
}
