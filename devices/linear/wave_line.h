/* wave_line.h - two ports that are joined by waves, which leave at one a delay after they have entered at the other: the equations,
 * the past and the branches of lines whose impedance and delay are constant in time.
 *
 * With currents i1, i2 into the ports, the wave w_k = v_k + z0 i_k that enters at one port leaves at the other one
 * delay later (Branin, Proc. IEEE 55 (1967) 2012):
 *
 *     v1(t) - z0 i1(t) = w2(t - td),     v2(t) - z0 i2(t) = w1(t - td).
 *
 * The past comes from wave_history.c; steps may not exceed td, so that it is always known.  At the operating point (no
 * past yet, or time -INFINITY) the waves of the present take its place, which says v1 = v2, i1 = -i2; that state is
 * held before t = 0.  A run with uic starts with the waves that are told instead.
 *
 * Corners that enter the line come out td later and become breakpoints there, as long as they are worth it.
 */
#ifndef DEVICES_LINEAR_WAVE_LINE_H
#define DEVICES_LINEAR_WAVE_LINE_H

#include "devices/batch.h"
#include "devices/incidence.h"
#include "devices/linear/wave_past.h"

struct wave_port {
    int plus, minus, current;
    struct incidence incidence;
    int own_slot;     /* (current, current) */
    int far_slots[3]; /* (current, plus) (current, minus) (current, current) of the other port */
};

struct wave_line {
    const struct element *element;
    double impedance, delay;
    double told[2]; /* waves before a run with uic */
    bool prompt;    /* in runs, too, the waves of the present: a wire from port to port */
    struct wave_port ports[2];
    struct wave_past past;
};

/* First member of batches whose elements are such lines. */
struct wave_lines {
    struct batch base;
    struct wave_line *lines; /* [count] */
    bool starts_as_told;     /* uic */
};

/* Once the line's impedance, delay and what is told are known. */
void wave_line_begin(const struct wave_lines *b, struct wave_line *l);

/* The functions of their classes, as in device.h. */
enum kn_status wave_lines_fill(void *batch, const struct device_input *in);
void wave_lines_release(void *batch);
bool wave_lines_number(void *batch, size_t k, struct device_setup *s);
bool wave_lines_connect(void *batch, size_t k, struct device_setup *s);
void wave_lines_stamp(const void *batch, double *G, double *C);
void wave_lines_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
void wave_lines_begin(void *batch, struct instant when, const double *x);
bool wave_lines_accept(void *batch, struct instant when, const double *x, int order, enum acceptance how);
void wave_lines_remembered(const void *batch, bool *unknowns);
double wave_lines_next_breakpoint(const void *batch, double over);
double wave_lines_largest_step(const void *batch);
void *wave_lines_memory(const void *batch, size_t k, struct arena *arena);
enum kn_status wave_lines_recall(void *batch, size_t k, const void *memory);
bool wave_lines_branches(const void *batch, size_t k, struct branch_list *list);
double wave_lines_current(const void *batch, size_t k, int terminal, const struct device_probe *at);

#define WAVE_LINE_FUNCTIONS                                                                                            \
    .release = wave_lines_release, .number = wave_lines_number, .connect = wave_lines_connect,                         \
    .stamp = wave_lines_stamp, .eval = wave_lines_eval, .next_breakpoint = wave_lines_next_breakpoint,                 \
    .largest_step = wave_lines_largest_step, .begin = wave_lines_begin, .accept = wave_lines_accept,                   \
    .remembered = wave_lines_remembered,                                                                               \
    .memory = wave_lines_memory, .recall = wave_lines_recall, .branches = wave_lines_branches,                         \
    .current = wave_lines_current

#endif
