/* sinks.h - where rows of numbers go: raw files, CSV, tables, terminal plots.  Knows names and columns, nothing else.
 *
 * Every constructor fills a struct kn_sink; sink_free releases it.  Rows stream: memory does not grow with the length
 * of a run.  Sinks made here take several tables in turn (begin, rows, end, begin, ..): a deck with .op and .tran gives
 * one file with two plots.  Files are opened by the first begin, so a run that never gets there leaves no file behind.
 */
#ifndef OUTPUT_SINKS_H
#define OUTPUT_SINKS_H

#include "base/diagnostics.h"
#include "knoten.h"

enum raw_format { RAW_BINARY, RAW_ASCII };

/* SPICE3 raw file.  The point count is kept up to date in the file, so a file whose writer was killed can be read;
 * where the file cannot seek (a pipe) rows go through an unlinked temporary file first.  path "-" is standard output.
 */
enum kn_status raw_sink(const char *path, enum raw_format format, struct kn_diagnostics *d, struct kn_sink *out);

/* Header row of vector names, then the shortest numbers that read back exactly.  path "-" is standard output. Several
 * tables are separated by an empty line. */
enum kn_status csv_sink(const char *path, struct kn_diagnostics *d, struct kn_sink *out);

/* Touchstone (EIA/IBIS, version 1; 2.0 where the ports' impedances differ) of tables with S parameters s_1_1 .. and the
 * impedances z0_1 ..; noise parameters of two-ports behind them.  It holds one: a second is an error; other results are left
 * out with a warning. */
enum kn_status touchstone_sink(const char *path, struct kn_diagnostics *d, struct kn_sink *out);

/* Aligned text table (.print), to an open stream that the caller keeps. */
enum kn_status table_sink(FILE *to, struct kn_diagnostics *d, struct kn_sink *out);

/* One "name  value unit" line per column (.op), to an open stream that the caller keeps. */
enum kn_status listing_sink(FILE *to, bool utf8, struct kn_diagnostics *d, struct kn_sink *out);

struct plot_options {
    int width, height; /* characters, everything included; each panel gets its share of the height */
    bool utf8;         /* braille dots; otherwise letters, one per column */
    bool colour;
    const char *const *columns; /* names, compared without case; NULL: all, at most PLOT_COLUMNS */
    size_t column_count;
};

enum { PLOT_COLUMNS = 6 };

/* Keeps a bounded number of points (min/max per bucket, adaptively merged) and draws the chosen columns against the
 * first one as a plot in characters at the end: one panel per quantity. */
enum kn_status terminal_plot_sink(FILE *to, const struct plot_options *o, struct kn_diagnostics *d,
                                  struct kn_sink *out);

/* Passes on the columns of these names (compared without case) in this order; a name that the table does not have is an
 * error.  Takes `next` over, also when it fails; copies the names. */
enum kn_status select_sink(const struct kn_sink *next, const char *const *names, size_t count, struct kn_diagnostics *d,
                           struct kn_sink *out);

/* Releases a sink made here; nothing happens to an empty (zeroed) one. */
void sink_free(struct kn_sink *sink);

#endif
