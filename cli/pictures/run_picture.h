/* run_picture.h - pictures of a run: what they need is kept while the results go by, and drawn when the run has ended. */
#ifndef CLI_PICTURES_RUN_PICTURE_H
#define CLI_PICTURES_RUN_PICTURE_H

#include "cli/pictures/compose.h"
#include "netlist/circuit.h"

enum { RUN_PICTURES = 8, RUN_FORMULAS = 64 };

struct run_picture {
    const char *paths[RUN_PICTURES]; /* of pictures that are wanted */
    size_t path_count;
    const char *formulas[RUN_FORMULAS]; /* none: those of .print, else the first few */
    size_t formula_count;
    char words[4096]; /* that the names are in */
    const struct circuit *circuit;
    struct plots plots;
    struct plot_recorder recorder;
    struct kn_sink all, kept; /* all results go on to .., those that are kept to .. */
    size_t *columns;          /* of the table, kept .. */
    struct kn_column *heads;  /* .. their names */
    double *row;
    size_t count;
    struct picture_mark *marks;
    size_t mark_count, mark_capacity;
    struct arena *arena;
    enum kn_status status; /* of what is kept */
};

/* asked: of --plot, "v(out),v(a)-v(b),x.svg": what ends like a picture is a file, the rest are formulas; NULL: nothing.  output: one
 * more file, or NULL.  False, said: a picture cannot be made. */
bool run_picture_ask(struct run_picture *p, const char *asked, const char *output);
static inline bool run_picture_wanted(const struct run_picture *p)
{
    return p->path_count > 0;
}
/* False without memory. */
bool run_picture_open(struct run_picture *p, const struct circuit *c);
/* The results on their way to `next`, which stays the caller's. */
struct kn_sink run_picture_sink(struct run_picture *p, const struct kn_sink *next);
void run_picture_measured(struct run_picture *p, const struct kn_measurement *m);
/* After the run, an exit status; what is wrong is in d or has been said. */
int run_picture_draw(struct run_picture *p, const char *deck, struct kn_diagnostics *d, bool quiet);
void run_picture_close(struct run_picture *p);

#endif
