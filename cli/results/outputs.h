/* outputs.h - everything a run puts out: the result file, and on standard output tables, listings and plots. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/results/points.h"
#include "knoten.h"
#include "netlist/circuit.h"
#include "output/sinks.h"

enum result_format { FORMAT_RAW, FORMAT_ASCII, FORMAT_CSV, FORMAT_TOUCHSTONE };

struct outputs_request {
    const struct circuit *circuit;
    struct kn_diagnostics *diagnostics;
    const char *path; /* of the result file; "-": standard output, which then carries nothing else */
    enum result_format format;
    bool plot;
    struct points *points;    /* get operating points as well */
    const char *plot_vectors; /* "v(out),i(v1)", or NULL: those of .print, else the first few */
    bool only_file;           /* the screen belongs to somebody else */
};

struct outputs {
    struct outputs_request request;
    struct kn_sink file;
    struct kn_sink screen; /* listing or plot of the current result; empty when nothing is shown */
    struct kn_sink table;  /* of .print */
    int tables;            /* that were shown, for blank lines between them */
    bool begun;            /* the result file exists */
    bool open, table_open; /* a result, a table of .print is being written */
    long rows;             /* of all results so far */
};

enum kn_status outputs_open(struct outputs *o, const struct outputs_request *request);
/* For the results. */
struct kn_sink outputs_sink(struct outputs *o);
/* For the rows of .print tables at even times, if such tables are shown. */
struct kn_sink outputs_table(struct outputs *o);
/* For the quantities of devices at operating points. */
struct kn_sink outputs_devices(struct outputs *o);
bool outputs_prints(const struct outputs *o);
/* Ends what is being written, where the run that writes it will not. */
void outputs_end_early(struct outputs *o);
void outputs_close(struct outputs *o);

/* "v(a),v(b,c)" at commas outside parentheses, `most` words at most, without spaces; cuts the text up. */
size_t outputs_split(char *text, const char **vectors, size_t most);
/* Of plots on standard output: as large as the terminal, all columns. */
struct plot_options outputs_plot_options(void);

#endif
