/* picture_file.c - see picture_file.h. */
#include "cli/pictures/picture_file.h"

#include "cli/command.h"
#include "cli/files.h"
#include "output/pictures/page.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 900, HEADING = 60, PANEL = 260, LEAST_HEIGHT = 480, LEAST = 200, MOST = 20000 };

static const char *const endings[] = {
    [PICTURE_SVG] = "svg", [PICTURE_PNG] = "png", [PICTURE_PDF] = "pdf", "html", "htm", NULL};

bool picture_size(const char *text, struct picture_look *look)
{
    char rest;
    if (sscanf(text, "%dx%d%c", &look->width, &look->height, &rest) == 2 && look->width >= LEAST &&
        look->height >= LEAST && look->width <= MOST && look->height <= MOST)
        return true;
    fprintf(stderr, "knoten: --size needs width and height in pixels from %d to %d, such as 1200x800, not '%s'\n",
            LEAST, MOST, text);
    return false;
}

bool picture_file_known(const char *path)
{
    return picture_format(path, endings) >= 0;
}

static bool is_page(const char *path)
{
    return picture_format(path, endings) > PICTURE_PDF;
}

bool picture_file_possible(const char *path)
{
    if (!picture_file_known(path))
        fprintf(stderr, "knoten: the picture '%s' must end in .svg, .png, .pdf or .html\n", path);
    else if (is_page(path) && !page_available())
        fprintf(stderr,
                "knoten: '%s' cannot be written: this knoten was built without npm, which pages need; install npm, run "
                "cmake again and build, or ask for an .svg\n",
                path);
    else
        return true;
    return false;
}

/* ---- gnuplot ---- */

struct drawing {
    const struct chart *chart;
    struct picture_canvas canvas;
};

static void write_script(const void *context, FILE *script)
{
    const struct drawing *d = context;
    if (chart_gnuplot(d->chart, &d->canvas, script) != KN_OK)
        fputs("\nexit status 3\n", script);
}

enum picture_outcome picture_file_draw(const struct chart *chart, const char *path, const struct picture_look *look)
{
    const int kind = picture_format(path, endings), panels = HEADING + PANEL * (int)chart->count;
    const int height = panels > LEAST_HEIGHT ? panels : LEAST_HEIGHT;
    const struct drawing d = {chart,
                              {kind >= 0 && kind <= PICTURE_PDF ? (enum picture_kind)kind : PICTURE_PNG,
                               look->width ? look->width : WIDTH, look->height ? look->height : height, look->dark}};
    char program[] = "gnuplot", script[] = "-";
    char *const arguments[] = {program, script, NULL};
    return picture_draw(arguments, write_script, &d, path);
}

/* ---- pages ---- */

static int write_page(const struct chart *chart, const char *path, const struct picture_look *look)
{
    FILE *to = files_open(path);
    const enum kn_status status = to ? chart_page(chart, look->dark, to) : KN_ERROR_IO;
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    return to && files_close(to, path) && status == KN_OK ? EXIT_DONE : EXIT_FAILED;
}

static int tell(const char *path, bool quiet)
{
    if (!quiet)
        fprintf(stderr, "knoten: the picture is in %s\n", path);
    return EXIT_DONE;
}

int picture_file_write(const struct chart *chart, const char *path, const struct picture_look *look, bool quiet)
{
    if (is_page(path))
        return write_page(chart, path, look) == EXIT_DONE ? tell(path, quiet) : EXIT_FAILED;
    switch (picture_file_draw(chart, path, look)) {
    case PICTURE_DRAWN:
        return tell(path, quiet);
    case PICTURE_NO_PROGRAM:
        fprintf(stderr, "knoten: '%s' is not written: gnuplot is not installed (on Debian: apt install gnuplot-nox)\n",
                path);
        break;
    case PICTURE_FAILED:
        fprintf(stderr, "knoten: gnuplot could not draw '%s'\n", path);
        break;
    }
    return EXIT_FAILED;
}
