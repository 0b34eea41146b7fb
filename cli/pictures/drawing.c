/* drawing.c - see drawing.h.  All vectors of a command stand in one panel. */
#include "cli/pictures/drawing.h"

#include "base/quantities.h"
#include "cli/pictures/picture_file.h"
#include "cli/terminal.h"
#include "output/pictures/chart_terminal.h"

static bool is_ordered(const double *x, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(x[i] >= x[i - 1]))
            return false;
    return true;
}

/* The unit of all vectors; "": they have several. */
static const char *unit_of(const struct control_picture *p)
{
    for (size_t i = 2; i < p->count; i++)
        if (p->quantities[i] != p->quantities[1])
            return "";
    return p->count > 1 ? quantity_words[p->quantities[1]].unit : "";
}

/* All vectors in one panel; false without memory. */
static bool make_chart(const struct control_picture *p, struct chart *c)
{
    const char *unit = unit_of(p);
    const struct chart_panel as = {.x = {p->x_label ? p->x_label : p->names[0],
                                         p->x_label ? "" : quantity_words[p->quantities[0]].unit, p->x_logarithmic,
                                         p->x_from, p->x_to, 0.0, false},
                                   .y = {p->y_label ? p->y_label
                                         : *unit    ? quantity_words[p->quantities[1]].name
                                                    : "",
                                         p->y_label ? "" : unit, p->y_logarithmic, p->y_from, p->y_to, 0.0, false},
                                   .disordered = !is_ordered(p->columns[0], p->rows)};
    struct chart_panel *panel = chart_add_panel(c, &as);
    bool good = panel != NULL;
    for (size_t i = 1; good && i < p->count; i++)
        good = chart_add_trace(
            c, panel,
            &(struct chart_trace){
                .name = p->names[i], .x = p->columns[0], .y = p->columns[i], .count = p->rows, .colour = (int)i - 1});
    return good;
}

/* An arena with the chart, to be freed; NULL without memory. */
static struct arena *open_chart(const struct control_picture *p, struct chart *c)
{
    struct arena *a = arena_new();
    chart_init(c, a, p->title ? p->title : "");
    if (a && make_chart(p, c))
        return a;
    arena_free(a);
    return NULL;
}

enum picture_outcome drawing_write(const struct control_picture *p, const char *path)
{
    struct chart c;
    struct arena *a = open_chart(p, &c);
    const struct picture_look look = {.width = 900, .height = 650};
    const enum picture_outcome outcome = a ? picture_file_draw(&c, path, &look) : PICTURE_FAILED;
    arena_free(a);
    return outcome;
}

enum kn_status drawing_show(const struct control_picture *p, FILE *screen)
{
    struct chart c;
    struct arena *a = open_chart(p, &c);
    const struct plot_options o = {.width = 100, .height = 30, .utf8 = terminal_utf8()};
    const enum kn_status status = a ? chart_terminal(&c, &o, screen) : KN_ERROR_MEMORY;
    arena_free(a);
    return status;
}
