/* controlled.h - what E, F, G, H and B have in common: a voltage or a current given by a law (law.h). */
#ifndef DEVICES_SOURCE_CONTROLLED_H
#define DEVICES_SOURCE_CONTROLLED_H

#include "devices/batch.h"

enum kn_status controlled_create(const struct device_input *in, void **batch);
bool controlled_number(void *batch, struct device_setup *s);
bool controlled_connect(void *batch, struct device_setup *s);
void controlled_prepare(void *batch, double temperature);
void controlled_stamp(const void *batch, double *G, double *C);
void controlled_drive(const void *batch, struct instant when, double source_scale, double *f);
void controlled_drive_rate(const void *batch, struct instant when, double source_scale, double *dfdt);
void controlled_eval(void *batch, const struct device_point *at, const struct device_stamp *out);
bool controlled_nonlinear(const void *batch);
double controlled_next_breakpoint(const void *batch, double over);
size_t controlled_switch_count(const void *batch);
void controlled_switches(const void *batch, struct instant when, const double *x, double *g);
void controlled_hold(void *batch, size_t number, int side);
const struct element *controlled_switch_owner(const void *batch, size_t number);
bool controlled_branches(const void *batch, struct branch_list *list);
double controlled_current(const void *batch, size_t k, int terminal, const struct device_probe *at);

/* A class; what follows the instance table in its kind is the rest of the kind. */
#define CONTROLLED_CLASS(...)                                                                                          \
    {                                                                                                                  \
        .kind = {.instance = {controlled_rows, CONTROLLED_ROWS, NULL}, __VA_ARGS__}, .create = controlled_create,      \
        .destroy = batch_destroy, .number = controlled_number, .connect = controlled_connect,                          \
        .prepare = controlled_prepare, .stamp = controlled_stamp, .drive = controlled_drive,                           \
        .drive_rate = controlled_drive_rate, .eval = controlled_eval, .nonlinear = controlled_nonlinear,               \
        .next_breakpoint = controlled_next_breakpoint, .switch_count = controlled_switch_count,                        \
        .switches = controlled_switches, .hold = controlled_hold, .switch_owner = controlled_switch_owner,             \
        .branches = controlled_branches, .current = controlled_current,                                                \
    }

enum { CONTROLLED_M, CONTROLLED_TC1, CONTROLLED_TC2, CONTROLLED_TEMP, CONTROLLED_DTEMP, CONTROLLED_ROWS };
extern const struct parameter_info controlled_rows[CONTROLLED_ROWS];

#endif
