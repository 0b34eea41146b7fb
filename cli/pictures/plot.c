/* plot.c - `knoten plot FILE.raw VECTOR ..`: draws what is in a raw file. */
#include "cli/command.h"
#include "cli/files.h"
#include "cli/pictures/compose.h"
#include "cli/pictures/picture_file.h"
#include "cli/pictures/raw_input.h"
#include "cli/results/outputs.h"
#include "output/pictures/chart_terminal.h"

#include <float.h>

struct settings {
    struct common_settings common; /* deck: the raw file */
    struct more_words formulas;
    const char *output, *analysis, *size;
    int log;
    bool decibels, spectrum, xy, dark;
    double eye;
    struct picture_look look;
};

static const char *const axes[] = {"none", "x", "y", "xy", NULL};

static const struct option options[] = {
    {OPTION_FILE, "-o", "--output", "FILE", offsetof(struct settings, output),
     "a picture: .svg, .png or .pdf by gnuplot, or .html, a page to zoom and measure in; without it\nthe curves are "
     "drawn in the terminal",
     WRITES("the picture")},
    {OPTION_WORD, "--log", NULL, "AXES", offsetof(struct settings, log), "logarithmic axes: x, y or xy", ONE_OF(axes)},
    {OPTION_FLAG, "--db", NULL, NULL, offsetof(struct settings, decibels),
     "magnitudes in decibels (complex vectors have them anyhow, above their phase)", ANYTHING},
    {OPTION_FLAG, "--spectrum", NULL, NULL, offsetof(struct settings, spectrum),
     "the spectrum of each curve of a transient (Hann's window; a sine of 1 V is 0 dB)", ANYTHING},
    {OPTION_NUMBER, "--eye", NULL, "T", offsetof(struct settings, eye),
     "the eye diagram: the time folded at every multiple of T",
     RANGE(DBL_MIN, DBL_MAX, "a time in seconds such as 10n")},
    {OPTION_FLAG, "--xy", NULL, NULL, offsetof(struct settings, xy), "the first vector is the x axis of the others",
     ANYTHING},
    {OPTION_TEXT, "--analysis", NULL, "NAME", offsetof(struct settings, analysis),
     "only plots of this kind: tran, ac, dc, noise ..; tran2 is the second of them; without it all", ANYTHING},
    {OPTION_TEXT, "--size", NULL, "WxH", offsetof(struct settings, size), "pixels of the picture, such as 1200x800",
     ANYTHING},
    {OPTION_FLAG, "--dark", NULL, NULL, offsetof(struct settings, dark), "light curves on a dark ground", ANYTHING},
    QUIET_OPTION("errors and warnings only"),
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten plot rectifier.raw 'v(dc)' 'v(a)-v(ac2)'", "two curves in the terminal"},
    {"knoten plot rectifier.raw 'v(dc)' 'i(vac)' -o rectifier.html", "a page for browsers: zoom, cursors, values"},
    {"knoten plot rectifier.raw 'v(dc)' -o rectifier.svg --size 1200x800", "a picture, by gnuplot"},
    {"knoten plot --spectrum rectifier.raw 'i(vac)'", "its lines in decibels"},
    {NULL, NULL},
};

static bool understand(void *settings)
{
    struct settings *s = settings;
    if (!s->common.deck) {
        fprintf(stderr, "knoten: no raw file given: knoten plot FILE.raw 'v(out)'\n");
        return false;
    }
    if ((s->spectrum ? 1 : 0) + (s->xy ? 1 : 0) + (s->eye > 0 ? 1 : 0) > 1) {
        fprintf(stderr, "knoten: only one of --spectrum, --eye and --xy can be drawn at a time\n");
        return false;
    }
    if (s->xy && s->formulas.count < 2) {
        fprintf(stderr, "knoten: --xy needs two vectors at least, the first one for the x axis\n");
        return false;
    }
    s->look.dark = s->dark;
    return (!s->size || picture_size(s->size, &s->look)) && (!s->output || picture_file_possible(s->output));
}

static int draw(const struct settings *s, const struct chart *chart)
{
    if (s->output)
        return picture_file_write(chart, s->output, &s->look, s->common.quiet);
    const struct plot_options o = outputs_plot_options();
    return chart_terminal(chart, &o, stdout) == KN_OK ? EXIT_DONE : EXIT_FAILED;
}

static int work(void *settings, struct job *j)
{
    const struct settings *s = settings;
    const struct output_use uses[] = {{s->output, "the picture"}};
    const struct picture_request request = {.formulas = s->formulas.at,
                                            .count = s->formulas.count,
                                            .analysis = s->analysis,
                                            .log_x = s->log & 1,
                                            .log_y = s->log & 2,
                                            .decibels = s->decibels,
                                            .spectrum = s->spectrum,
                                            .xy = s->xy,
                                            .eye = s->eye};
    struct plots plots;
    struct chart chart;
    int result = EXIT_FAILED;
    if (!files_are_apart(NULL, s->common.deck, uses, s->output ? 1 : 0))
        return EXIT_USAGE;
    struct arena *a = arena_new();
    enum kn_status status = plots_open(&plots, false);
    chart_init(&chart, a, "");
    const bool read = a && status == KN_OK && raw_input_read(s->common.deck, j->messages.diagnostics, &plots);
    if (read)
        status = compose(&plots, s->common.deck, &request, j->messages.diagnostics, &chart);
    messages_show(&j->messages);
    if (read && status == KN_OK)
        result = draw(s, &chart);
    else if (!a || status == KN_ERROR_MEMORY)
        command_out_of_memory();
    plots_close(&plots);
    arena_free(a);
    return result;
}

const struct command plot_command = {
    .name = "plot",
    .usage = "[options] FILE.raw [VECTOR ..]",
    .summary = "draws vectors of a raw file of knoten, ngspice, Xyce or LTspice: in the terminal or as a picture",
    .about =
        "VECTOR is a name or a formula of vectors; without one the first few are drawn, of each analysis of the file.\n"
        "Complex vectors are drawn as decibels and phase, runs of .step as a family.  FILE.raw may be compressed by "
        "gzip;\n"
        "'-' is standard input.",
    .exits = "0 done, 1 the file is broken or has no such vector, or no picture could be made, 2 bad usage",
    .examples = examples,
    .table = {options, sizeof options / sizeof *options, sizeof(struct settings), NULL,
              offsetof(struct settings, formulas)},
    .understand = understand,
    .work = work,
};
