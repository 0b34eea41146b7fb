/* sinks.h - where rows of numbers go: raw files, CSV, tables, terminal plots.  Knows names and columns, nothing else.
 *
 * Every constructor fills a struct kn_sink; sink_free releases it.  Rows stream: memory does not grow with the length of
 * a run.
 */
#ifndef OUTPUT_SINKS_H
#define OUTPUT_SINKS_H

#include "base/diagnostics.h"
#include "knoten.h"

enum raw_format { RAW_BINARY, RAW_ASCII };

/* SPICE3 raw file.  The point count is patched in at the end; where the file cannot seek (a pipe) rows go through an
 * unlinked temporary file first.  Partial files stay readable: the count is also brought up to date when the run fails. */
enum kn_status raw_sink(const char *path, enum raw_format format, struct kn_diagnostics *d, struct kn_sink *out);

/* Header row of vector names, then numbers with 17 significant digits where needed (shortest that reads back exactly).
 * path "-" is standard output. */
enum kn_status csv_sink(const char *path, struct kn_diagnostics *d, struct kn_sink *out);

/* Aligned text table (.print), to an open stream that the caller keeps. */
enum kn_status table_sink(FILE *to, struct kn_sink *out);

/* Keeps a bounded number of points (min/max per bucket, adaptively merged) and draws the chosen columns as a plot in
 * characters at the end. width x height in characters; columns NULL: all, at most 6. UTF-8 when utf8 is set. */
enum kn_status terminal_plot_sink(FILE *to, int width, int height, bool utf8, bool colour,
                                  const char *const *columns, size_t column_count, struct kn_sink *out);

/* Passes everything on to several sinks. Takes them over. */
enum kn_status tee_sink(struct kn_sink *parts, size_t count, struct kn_sink *out);

/* Passes chosen columns on (indices into the incoming table), with their own labels. Takes `next` over. */
enum kn_status select_sink(const struct kn_sink *next, const size_t *columns, const char *const *labels,
                           size_t column_count, struct kn_sink *out);

void sink_free(struct kn_sink *sink);

#endif
