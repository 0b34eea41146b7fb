/* shared.h - the interface of ngspice as a library: what programs that load libngspice.so.0 call and are called by.
 *
 * The layouts and names are those of the ABI that sharedspice.h of ngspice 39 declares (NGSPICE_PACKAGE_VERSION "39", with
 * XSPICE); the three functions at the end have come with later versions.
 */
#ifndef NGSPICE_SHARED_H
#define NGSPICE_SHARED_H

#include <stdbool.h>

#define SHARED_API __attribute__((visibility("default")))

/* ---- what is handed over ---- */

struct shared_complex {
    double real, imaginary;
};

enum { SHARED_REAL = 1, SHARED_COMPLEX = 2 };

/* A vector: one of the two arrays, [length]. */
struct shared_vector {
    char *name;
    int type;
    short flags;
    double *real;
    struct shared_complex *complex_numbers;
    int length;
};

/* The value of a vector at a row, and of all: rows so far. */
struct shared_value {
    char *name;
    double real, imaginary;
    bool is_scale, is_complex;
};

struct shared_row {
    int count, rows;
    struct shared_value **values; /* [count] */
};

/* A vector of a plot that begins, and all. */
struct shared_name {
    int number;
    char *name;
    bool is_real;
    void *vector, *scale;
};

struct shared_plot {
    char *name, *title, *date, *type;
    int count;
    struct shared_name **names; /* [count] */
};

/* The states of a node of logic: "0s", "1s", "Us". */
struct shared_event {
    int at_rest;
    double time;
    char *state;
};

struct shared_events {
    struct shared_event **events; /* [count] */
    int count;
};

/* ---- what the host is called for; the last two arguments: ident of ngSpice_Init_Sync, user data ---- */

typedef int shared_text(char *text, int ident, void *user);   /* a line: "stdout ..", "stderr .." */
typedef int shared_status(char *text, int ident, void *user); /* "tran: 12.3%", "--ready--" */
/* quit: by that command, else for an error; unload: at once, else when the call has returned. */
typedef int shared_exit(int status, bool unload, bool quit, int ident, void *user);
typedef int shared_take_row(struct shared_row *row, int count, int ident, void *user);
typedef int shared_take_plot(struct shared_plot *plot, int ident, void *user);
typedef int shared_running(bool stands, int ident, void *user); /* false: the thread runs; true: it does not any more */
/* The value of an external source at a time. */
typedef int shared_source(double *value, double time, char *name, int ident, void *user);
/* Asked before a step (place 0) and behind it (place 1): *step may be made smaller; behind it a result that is not 0 has the step
 * made again. */
typedef int shared_synchronise(double time, double *step, double previous, int again, int ident, int place, void *user);
typedef int shared_take_event(int node, double time, double value, char *text, void *data, int size, int mode,
                              int ident, void *user);
typedef int shared_take_node(int node, int count, char *name, char *kind, int ident, void *user);

/* ---- what the host calls ---- */

SHARED_API int ngSpice_Init(shared_text *text, shared_status *status, shared_exit *leave, shared_take_row *row,
                            shared_take_plot *plot, shared_running *running, void *user);
SHARED_API int ngSpice_Init_Sync(shared_source *voltage, shared_source *current, shared_synchronise *synchronise,
                                 int *ident, void *user);
SHARED_API int ngSpice_Init_Evt(shared_take_event *event, shared_take_node *node, void *user);
SHARED_API int ngSpice_Command(char *command);
SHARED_API int ngSpice_Circ(char **lines);
SHARED_API struct shared_vector *ngGet_Vec_Info(char *name);
SHARED_API char *ngSpice_CurPlot(void);
SHARED_API char **ngSpice_AllPlots(void);
SHARED_API char **ngSpice_AllVecs(char *plot);
SHARED_API bool ngSpice_running(void);
SHARED_API bool ngSpice_SetBkpt(double time);
SHARED_API char *ngCM_Input_Path(const char *path);
SHARED_API struct shared_events *ngGet_Evt_NodeInfo(char *node);
SHARED_API char **ngSpice_AllEvtNodes(void);
SHARED_API int ngSpice_Reset(void);
SHARED_API int ngSpice_LockRealloc(void);
SHARED_API int ngSpice_UnlockRealloc(void);

#endif
