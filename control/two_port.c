/* two_port.c - see two_port.h.  As in ngspice they are vectors of the current plot, which a script may have computed, over
 * the frequency; a vector rbase has the reference impedance of both ports.
 */
#include "control/two_port.h"

#include "output/sinks.h"

#include <complex.h>

enum { FREQUENCY, S11, S12, S21, S22, RBASE, VECTORS, PARAMETERS = 4, COLUMNS = 1 + 2 * PARAMETERS + 2 };

static const char *const names[VECTORS] = {"frequency", "s11", "s12", "s21", "s22", "rbase"};

static const struct kn_column columns[COLUMNS] = {
    {"frequency", KN_FREQUENCY}, {"s_1_1", KN_OTHER}, {"s_1_1", KN_IMAGINARY}, {"s_1_2", KN_OTHER},
    {"s_1_2", KN_IMAGINARY},     {"s_2_1", KN_OTHER}, {"s_2_1", KN_IMAGINARY}, {"s_2_2", KN_OTHER},
    {"s_2_2", KN_IMAGINARY},     {"z0_1", KN_OTHER},  {"z0_2", KN_OTHER}};

/* As the analysis sp and newer versions of ngspice call them, s_1_1, where nobody has made an s11. */
static const char *name_of(const struct state *s, int i)
{
    static const char *const others[VECTORS] = {[S11] = "s_1_1", [S12] = "s_1_2", [S21] = "s_2_1", [S22] = "s_2_2"};
    const struct plot *p = s->plots.current;
    return others[i] && !plots_vector(&s->plots, p, names[i]) && plots_vector(&s->plots, p, others[i]) ? others[i]
                                                                                                       : names[i];
}

static bool read_vectors(struct state *s, struct values *v)
{
    for (int i = 0; i < VECTORS; i++) {
        if (!state_evaluate(s, name_of(s, i), &v[i]))
            return false;
        if (!s->dry && v[i].count != v[i == RBASE ? i : FREQUENCY].count)
            return state_fail(s, NULL, "wrs2p: '%s' has %zu numbers, the frequency %zu", names[i], v[i].count,
                              v[FREQUENCY].count);
    }
    return true;
}

static enum kn_status send(const struct state *s, const struct values *v, struct kn_sink *to)
{
    const struct plot *p = s->plots.current;
    const struct kn_table table = {p->title, p->label, columns, COLUMNS, 1, 0};
    enum kn_status status = to->begin(to->context, &table);
    if (status != KN_OK)
        return status;
    for (size_t k = 0; status == KN_OK && k < v[FREQUENCY].count; k++) {
        double row[COLUMNS] = {creal(v[FREQUENCY].at[k])};
        for (int i = 0; i < PARAMETERS; i++) {
            row[1 + 2 * i] = creal(v[S11 + i].at[k]);
            row[2 + 2 * i] = cimag(v[S11 + i].at[k]);
        }
        row[COLUMNS - 2] = row[COLUMNS - 1] = creal(v[RBASE].at[0]);
        status = to->row(to->context, row);
    }
    const enum kn_status ended = to->end(to->context, status);
    return status == KN_OK ? ended : status;
}

bool two_port_write(struct state *s, const char *rest)
{
    struct values v[VECTORS];
    struct kn_sink sink = {0};
    const char *name = state_word(s, &rest), *path = name ? state_place(s, name) : NULL;
    if (!name)
        return state_fail(s, "wrs2p name.s2p", "wrs2p: expected the name of a file");
    if (!path || s->dry)
        return path != NULL;
    if (!read_vectors(s, v))
        return false;
    enum kn_status status = touchstone_sink(path, s->request->diagnostics, &sink);
    status = status == KN_OK ? send(s, v, &sink) : status;
    sink_free(&sink);
    s->status = status == KN_OK ? s->status : status;
    return status == KN_OK;
}
