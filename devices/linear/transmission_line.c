/* transmission_line.c - T: lossless line, by the waves of wave_line.h; those of ic= are zero by default, as in SPICE. */
#include "devices/families.h"
#include "devices/linear/wave_line.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { ROW_Z0, ROW_TD, ROW_F, ROW_NL, ROW_V1, ROW_I1, ROW_V2, ROW_I2, ROW_M, ROWS };

static const struct parameter_info instance_rows[] = {
    {"z0", "ohm", 50.0, DBL_MIN, INFINITY, "characteristic impedance", "zo"},
    {"td", "s", 0.0, DBL_MIN, INFINITY, "delay", NULL},
    {"f", "Hz", 0.0, DBL_MIN, INFINITY, "frequency at which the line is nl wavelengths long (instead of td)", NULL},
    {"nl", "", 0.25, DBL_MIN, INFINITY, "length in wavelengths at f", NULL},
    {"ic", "V", 0.0, -INFINITY, INFINITY, "voltage of the first port before a run with uic (ic=v1,i1,v2,i2)", NULL},
    {"ic2", "A", 0.0, -INFINITY, INFINITY, "current into the first port, likewise", NULL},
    {"ic3", "V", 0.0, -INFINITY, INFINITY, "voltage of the second port, likewise", NULL},
    {"ic4", "A", 0.0, -INFINITY, INFINITY, "current into the second port, likewise", NULL},
    {"m", "", 1.0, DBL_MIN, INFINITY, "number of lines in parallel", NULL},
};

static bool read_delay(struct wave_line *l, const struct device_input *in, const double *values, const bool *given)
{
    const struct element *e = l->element;
    l->delay = given[ROW_TD] ? values[ROW_TD] : values[ROW_NL] / values[ROW_F];
    if (given[ROW_TD] && (given[ROW_F] || given[ROW_NL]))
        diagnostics_add(in->diagnostics, KN_WARNING, "parameter-twice", e->where, NULL,
                        "transmission line '%s' has td as well as f or nl; td counts", e->name);
    if (given[ROW_TD] || given[ROW_F])
        return true;
    diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where,
                    "write td=1n, or f= and nl=", "transmission line '%s' has no delay", e->name);
    return false;
}

static bool read_line(struct wave_line *l, const struct device_input *in, double *values)
{
    const struct element *e = l->element;
    bool given[ROWS];
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return false;
    if (!given[ROW_Z0]) {
        diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where, "write z0=50",
                        "transmission line '%s' has no characteristic impedance", e->name);
        return false;
    }
    l->impedance = values[ROW_Z0];
    return read_delay(l, in, values, given);
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct wave_lines *b = batch;
    struct wave_line *l = &b->lines[k];
    double values[ROWS];
    l->element = in->elements[k];
    if (!read_line(l, in, values))
        return KN_ERROR_DECK;
    l->told[0] = values[ROW_V1] + l->impedance * values[ROW_I1];
    l->told[1] = values[ROW_V2] + l->impedance * values[ROW_I2];
    l->impedance /= values[ROW_M]; /* of m lines in parallel; waves are voltages and stay */
    wave_line_begin(b, l);
    return KN_OK;
}

/* At the operating point waves arrive at once; a phasor's are late by e^(-j w td). */
static void delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct wave_lines *b = batch;
    for (size_t k = 0; k < b->base.count; k++) {
        const struct wave_line *l = &b->lines[k];
        const double complex late = cexp(-_Complex_I * w * l->delay);
        const double terms[3] = {-1.0, 1.0, -l->impedance};
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 3; i++) {
                A[l->ports[p].far_slots[i]] += terms[i] * (late - 1.0);
                dAdw[l->ports[p].far_slots[i]] -= _Complex_I * l->delay * terms[i] * late;
            }
    }
}

const struct device_class transmission_line_class = {
    .kind =
        {
            ELEMENT_KIND('t', "transmission line", "a+ a- b+ b-", "Z0=value TD=value", CARD_SETTINGS),
            .sets_voltage = true,
            .instance = {instance_rows, ROWS, NULL},
        },
    FILLED_BATCH(struct wave_lines, wave_lines_fill),
    .make = make,
    WAVE_LINE_FUNCTIONS,
    .delay = delay,
};
