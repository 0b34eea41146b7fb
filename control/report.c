/* report.c - see report.h. */
#include "control/report.h"

#include "base/quantities.h"
#include "control/script/lists.h"
#include "control/vectors/functions.h"
#include "output/decimal.h"
#include "output/sinks.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- echo ---- */

/* The next word of a text, without the quotes that hold it, 'a  b' or "a  b", and single ones in it; NULL at the end. */
static const char *echoed_word(struct state *s, const char **text)
{
    const char *at = *text + strspn(*text, " \t");
    if (*at == '"' || !strchr(at, '\''))
        return state_word(s, text);
    char *word = arena_text(s->scratch, at, strlen(at));
    bool quoted = false;
    size_t length = 0;
    for (; *at && (quoted || (*at != ' ' && *at != '\t')); at++)
        if (*at == '\'')
            quoted = !quoted;
        else if (word)
            word[length++] = *at;
    *text = at;
    if (word)
        word[length] = '\0';
    else
        state_no_memory(s);
    return word;
}

bool report_echo(struct state *s, const char *rest)
{
    const bool goes_on = script_word(&rest, "-n");
    if (!list_redirect(s, &rest))
        return false;
    for (const char *at = rest, *word; !s->dry && at[strspn(at, " \t")] && (word = echoed_word(s, &at));) {
        const char *next = at + strspn(at, " \t");
        state_print(s, "%s%s", word, *next ? " " : "");
    }
    if (!goes_on && !s->dry)
        state_print(s, "\n");
    return list_end_redirect(s);
}

/* ---- print ---- */

static int digits_of(const struct state *s, int otherwise)
{
    const double wanted = state_number(s, "numdgt", otherwise);
    return wanted >= 1 && wanted <= 17 ? (int)wanted : otherwise;
}

static void print_number(struct state *s, double complex z, bool is_complex, int digits)
{
    char real[64], imaginary[64];
    decimal_scientific(creal(z), digits + 1, real, sizeof real);
    decimal_scientific(cimag(z), digits + 1, imaginary, sizeof imaginary);
    state_print(s, "%s%s%s", real, is_complex ? "," : "", is_complex ? imaginary : "");
}

static void print_scalar(struct state *s, const struct listed *l)
{
    state_print(s, "%s = ", l->name);
    print_number(s, l->values.at[0], l->values.is_complex, digits_of(s, 6));
    state_print(s, "\n");
}

/* Those with more than one number side by side, over the scale. */
static void print_columns(struct state *s, const struct list *l)
{
    size_t rows = 0;
    bool with_scale = false;
    const int digits = digits_of(s, 6);
    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].values.count > 1 && l->items[i].values.count > rows)
            rows = l->items[i].values.count;
        with_scale |= l->items[i].values.count > 1 && list_has_scale(l, i);
    }
    if (rows == 0)
        return;
    state_print(s, "Index\t%s%s", with_scale ? l->scale_name : "", with_scale ? "\t" : "");
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].values.count > 1)
            state_print(s, "%s\t", l->items[i].name);
    state_print(s, "\n");
    for (size_t row = 0; row < rows && s->status == KN_OK; row++) {
        state_print(s, "%zu\t", row);
        if (with_scale && row < l->scale.count)
            print_number(s, creal(l->scale.at[row]), false, digits);
        state_print(s, with_scale ? "\t" : "");
        for (size_t i = 0; i < l->count; i++) {
            const struct values *v = &l->items[i].values;
            if (v->count > 1 && row < v->count)
                print_number(s, v->at[row], v->is_complex, digits);
            state_print(s, v->count > 1 ? "\t" : "");
        }
        state_print(s, "\n");
    }
}

bool report_print(struct state *s, const char *rest)
{
    struct list l;
    if (!script_word(&rest, "col"))
        script_word(&rest, "line");
    if (!list_redirect(s, &rest))
        return false;
    const bool good = list_read(s, rest, false, &l);
    for (size_t i = 0; good && !s->dry && i < l.count; i++)
        if (l.items[i].values.count == 1)
            print_scalar(s, &l.items[i]);
    if (good && !s->dry)
        print_columns(s, &l);
    return list_end_redirect(s) && good;
}

/* ---- display ---- */

bool report_display(struct state *s, const char *rest)
{
    if (!list_redirect(s, &rest))
        return false;
    const struct plot *p = s->plots.current;
    if (!s->dry)
        state_print(s, "Title: %s\nName: %s (%s)\n", p->title, p->name, p->label);
    for (size_t i = 0; !s->dry && i < p->count; i++) {
        const struct vector_kept *v = &p->vectors[i];
        const char *type = quantity_words[v->quantity].type;
        state_print(s, "    %-20s: %s, %s, %zu long%s\n", v->name, type ? type : "number",
                    v->is_complex ? "complex" : "real", v->count, i == p->scale ? " [default scale]" : "");
    }
    return list_end_redirect(s);
}

/* ---- files of numbers ---- */

/* The scale and the vectors as columns of numbers: names, quantities and for each column vector and part. */
struct columns {
    struct kn_column *columns;
    const struct values **sources;
    bool *imaginary;
    size_t count, rows;
};

static void add_column(struct columns *c, const char *name, const struct values *v)
{
    for (int part = 0; part <= v->is_complex; part++) {
        c->columns[c->count] = (struct kn_column){name, part ? KN_IMAGINARY : v->quantity};
        c->sources[c->count] = v;
        c->imaginary[c->count++] = part;
    }
}

/* As many as the longest vector has. */
static size_t rows_of(const struct list *l)
{
    size_t rows = 0;
    for (size_t i = 0; i < l->count; i++)
        rows = l->items[i].values.count > rows ? l->items[i].values.count : rows;
    return rows;
}

static bool has_scale(const struct list *l)
{
    bool one = false;
    for (size_t i = 0; i < l->count && !one; i++)
        one = list_has_scale(l, i);
    return one;
}

static bool columns_of(struct state *s, const struct list *l, struct columns *c)
{
    const size_t most = 2 * (l->count + 1);
    *c = (struct columns){.columns = arena_array(s->scratch, most, sizeof *c->columns),
                          .sources = arena_array(s->scratch, most, sizeof *c->sources),
                          .imaginary = arena_array(s->scratch, most, sizeof *c->imaginary)};
    if (!c->columns || !c->sources || !c->imaginary)
        return state_no_memory(s);
    c->rows = rows_of(l);
    if (has_scale(l) && strcasecmp(l->items[0].name, l->scale_name) != 0)
        add_column(c, l->scale_name, &l->scale);
    for (size_t i = 0; i < l->count; i++)
        add_column(c, l->items[i].name, &l->items[i].values);
    return true;
}

static double number_in(const struct columns *c, size_t column, size_t row)
{
    const struct values *v = c->sources[column];
    const double complex z = row < v->count ? v->at[row] : 0; /* behind the end of a shorter one, as in ngspice */
    return c->imaginary[column] ? cimag(z) : creal(z);
}

static enum kn_status send(struct state *s, const struct plot *p, const struct columns *c, struct kn_sink *to)
{
    const bool swept = c->count > 1 && c->rows > 1;
    const struct kn_table table = {
        p->title, p->label, c->columns, c->count, swept && c->columns[0].quantity != KN_TIME ? 1 : 0, 0};
    double *row = arena_array(s->scratch, c->count, sizeof *row);
    enum kn_status status = row ? to->begin(to->context, &table) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    for (size_t i = 0; status == KN_OK && i < c->rows; i++) {
        for (size_t k = 0; k < c->count; k++)
            row[k] = number_in(c, k, i);
        status = to->row(to->context, row);
    }
    const enum kn_status ended = to->end(to->context, status);
    return status == KN_OK ? ended : status;
}

static struct open_result *result_at(struct state *s, const char *path)
{
    for (struct open_result *r = s->results; r; r = r->next)
        if (strcmp(r->path, path) == 0)
            return r;
    return NULL;
}

/* With `set appendwrite` a file that the script has written goes on. */
static struct open_result *open_result(struct state *s, const char *path)
{
    struct open_result *r = result_at(s, path);
    if (r && state_is_set(s, "appendwrite"))
        return r;
    if (!r && (r = arena_alloc(s->arena, sizeof *r)) && (r->path = arena_text(s->arena, path, strlen(path)))) {
        r->next = s->results;
        s->results = r;
    }
    if (!r || !r->path) {
        state_no_memory(s);
        return NULL;
    }
    sink_free(&r->sink);
    r->sink = (struct kn_sink){0};
    const struct variable *type = state_variable(s, "filetype");
    const bool ascii = type && type->count == 1 && strcasecmp(type->words[0], "ascii") == 0;
    const enum kn_status status = raw_sink(r->path, ascii ? RAW_ASCII : RAW_BINARY, s->request->diagnostics, &r->sink);
    s->status = status == KN_OK ? s->status : status;
    return status == KN_OK ? r : NULL;
}

bool report_write(struct state *s, const char *rest)
{
    struct list l;
    struct columns c;
    const char *name = state_word(s, &rest), *path = name ? state_place(s, name) : NULL;
    if (!name)
        return state_fail(s, NULL, "write: expected the name of a file and vectors");
    if (!path || !list_read(s, rest, true, &l) || s->dry)
        return path && s->status == KN_OK;
    if (l.count == 0)
        return state_fail(s, NULL, "write: plot %s has no vectors", l.plot->name);
    if (!columns_of(s, &l, &c))
        return false;
    struct open_result *r = open_result(s, path);
    const enum kn_status status = r ? send(s, l.plot, &c, &r->sink) : s->status;
    s->status = status == KN_OK ? s->status : status;
    return status == KN_OK;
}

static void write_numbers(const struct state *s, const struct list *l, FILE *to)
{
    const size_t rows = rows_of(l);
    const bool one_scale = state_is_set(s, "wr_singlescale");
    const int digits = digits_of(s, 15);
    char text[64];
    for (size_t i = 0; state_is_set(s, "wr_vecnames") && i < l->count; i++) {
        if (i == 0 || !one_scale)
            fprintf(to, " %s ", l->scale_name ? l->scale_name : "index");
        fprintf(to, " %s %s", l->items[i].name, l->items[i].values.is_complex ? l->items[i].name : "");
    }
    if (state_is_set(s, "wr_vecnames"))
        fputc('\n', to);
    for (size_t row = 0; row < rows; row++, fputc('\n', to))
        for (size_t i = 0; i < l->count; i++) {
            const struct values *v = &l->items[i].values;
            const size_t at = row < v->count ? row : v->count - 1;
            const double scale = list_has_scale(l, i) ? creal(l->scale.at[at]) : (double)at;
            if (i == 0 || !one_scale) {
                decimal_scientific(scale, digits, text, sizeof text);
                fprintf(to, " %s ", text);
            }
            decimal_scientific(creal(v->at[at]), digits, text, sizeof text);
            fprintf(to, " %s ", text);
            decimal_scientific(cimag(v->at[at]), digits, text, sizeof text);
            if (v->is_complex)
                fprintf(to, " %s ", text);
        }
}

bool report_wrdata(struct state *s, const char *rest)
{
    struct list l;
    const char *name = state_word(s, &rest);
    if (!name)
        return state_fail(s, NULL, "wrdata: expected the name of a file and vectors");
    if (s->dry)
        return state_place(s, name) && list_read(s, rest, false, &l);
    if (!list_read(s, rest, false, &l))
        return false;
    for (size_t i = 0; i < l.count; i++)
        if (l.items[i].values.count == 0)
            return state_fail(s, NULL, "wrdata: '%s' is empty", l.items[i].name);
    FILE *f = state_open(s, name, state_is_set(s, "appendwrite"));
    if (!f)
        return false;
    write_numbers(s, &l, f);
    return state_close(s, f, name);
}

/* ---- plots ---- */

struct picture_words {
    struct control_picture picture;
    bool plane; /* of complex numbers */
};

static bool take_limits(struct state *s, const char **rest, double *from, double *to)
{
    const char *a = state_word(s, rest), *b = a ? state_word(s, rest) : NULL;
    if (!b)
        return state_fail(s, NULL, "%s: expected two limits", s->command->name);
    return state_evaluate_number(s, a, from) && state_evaluate_number(s, b, to);
}

/* A title in quotes of either kind, or a word. */
static const char *take_label(struct state *s, const char **rest)
{
    const char *at = *rest + strspn(*rest, " \t"), *close = *at == '\'' ? strchr(at + 1, '\'') : NULL;
    if (!close)
        return state_word(s, rest);
    *rest = close + 1;
    return arena_text(s->scratch, at + 1, (size_t)(close - at - 1));
}

static bool is_among(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(*words, word) == 0)
            return true;
    return false;
}

/* What only says how ngspice draws lines, alone and with a number behind it. */
static const char *const flags[] = {"linear",    "linplot",  "lingrid", "nogrid",  "nointerp", "retraceplot",
                                    "pointplot", "combplot", "samep",   "loggrid", "digitop",  NULL};
static const char *const settings[] = {"xdelta", "ydelta", "xcompress", "digits", NULL};
static const char *const planes[] = {"polar", "smith", "smithgrid", NULL};

/* Takes the words about axes out of the line, which leaves the vectors. */
static bool take_axes(struct state *s, const char *rest, struct picture_words *w, const char **vectors)
{
    struct control_picture *p = &w->picture;
    const char *kept = "", *given;
    for (const char *word; kept && (given = rest, word = state_word(s, &rest));) {
        if (strcasecmp(word, "xlimit") == 0 || strcasecmp(word, "xl") == 0) {
            if (!take_limits(s, &rest, &p->x_from, &p->x_to))
                return false;
        } else if (strcasecmp(word, "ylimit") == 0 || strcasecmp(word, "yl") == 0) {
            if (!take_limits(s, &rest, &p->y_from, &p->y_to))
                return false;
        } else if (strcasecmp(word, "title") == 0) {
            p->title = take_label(s, &rest);
        } else if (strcasecmp(word, "xlabel") == 0) {
            p->x_label = take_label(s, &rest);
        } else if (strcasecmp(word, "ylabel") == 0) {
            p->y_label = take_label(s, &rest);
        } else if (strcasecmp(word, "xlog") == 0 || strcasecmp(word, "ylog") == 0 || strcasecmp(word, "loglog") == 0) {
            p->x_logarithmic |= *word != 'y' && *word != 'Y';
            p->y_logarithmic |= *word != 'x' && *word != 'X';
        } else if (is_among(word, planes)) {
            w->plane = true;
        } else if (is_among(word, settings)) {
            state_word(s, &rest);
        } else if (!is_among(word, flags)) {
            kept = arena_format(s->scratch, "%s%.*s", kept, (int)(rest - given), given);
        }
    }
    *vectors = kept;
    return kept || state_no_memory(s);
}

/* Of complex numbers the imaginary parts over the real ones, one vector behind the other; between them nothing is drawn. */
static bool to_plane(struct state *s, struct list *l)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < l->count; i++)
        total += l->items[i].values.count;
    struct values scale = values_new(s->scratch, total);
    if (!scale.at)
        return state_no_memory(s);
    for (size_t i = 0; i < l->count; i++) {
        const struct values from = l->items[i].values;
        struct values to = values_new(s->scratch, total);
        if (!to.at)
            return state_no_memory(s);
        for (size_t k = 0; k < total; k++)
            to.at[k] = NAN;
        for (size_t k = 0; k < from.count; k++) {
            scale.at[at + k] = creal(from.at[k]);
            to.at[at + k] = cimag(from.at[k]);
        }
        at += from.count;
        to.quantity = from.quantity;
        l->items[i].values = to;
        l->items[i].name = arena_format(s->scratch, "imag(%s)", l->items[i].name);
    }
    l->scale = scale;
    l->scale_name = "real part";
    return true;
}

/* Complex vectors are drawn by their magnitude, and of decibels and phases each as what it is. */
static const double *drawn(struct state *s, const struct values *v)
{
    double *out = arena_array(s->scratch, v->count + 1, sizeof *out);
    for (size_t i = 0; out && i < v->count; i++)
        out[i] = v->is_complex ? cabs(v->at[i]) : creal(v->at[i]);
    return out;
}

static bool draw(struct state *s, const struct list *l, struct control_picture *p)
{
    const size_t count = l->count + 1;
    const char **names = arena_array(s->scratch, count, sizeof *names);
    const double **columns = arena_array(s->scratch, count, sizeof *columns);
    enum kn_quantity *quantities = arena_array(s->scratch, count, sizeof *quantities);
    if (!names || !columns || !quantities)
        return state_no_memory(s);
    struct values index = {.quantity = KN_OTHER};
    if (l->scale.count == 0) {
        index = l->items[0].values;
        index.at = arena_array(s->scratch, index.count + 1, sizeof *index.at);
        for (size_t i = 0; index.at && i < index.count; i++)
            index.at[i] = (double)i;
    }
    const struct values *scale = l->scale.count ? &l->scale : &index;
    names[0] = l->scale.count ? l->scale_name : "index";
    quantities[0] = l->scale.count ? scale->quantity : KN_OTHER;
    columns[0] = scale->at ? drawn(s, scale) : NULL;
    bool good = columns[0] != NULL;
    for (size_t i = 0; good && i < l->count; i++) {
        const struct values *v = &l->items[i].values;
        if (v->count != scale->count)
            return state_fail(s, "plot x vs y takes another scale", "%s: '%s' has %zu numbers, the scale '%s' has %zu",
                              s->command->name, l->items[i].name, v->count, names[0], scale->count);
        names[i + 1] = v->is_complex ? arena_format(s->scratch, "mag(%s)", l->items[i].name) : l->items[i].name;
        quantities[i + 1] = v->quantity;
        columns[i + 1] = drawn(s, v);
        good = names[i + 1] && columns[i + 1];
    }
    if (!good)
        return state_no_memory(s);
    p->names = names;
    p->columns = columns;
    p->quantities = quantities;
    p->count = count;
    p->rows = scale->count;
    p->x_logarithmic |= quantities[0] == KN_FREQUENCY && columns[0][0] > 0;
    const struct control_hooks *hooks = s->request->hooks;
    if (!hooks->draw)
        return state_fail(s, "write and wrdata put the numbers into files", "%s: there is no screen to draw on",
                          s->command->name);
    plots_let(&s->plots);
    const enum kn_status status = hooks->draw(hooks->context, p);
    plots_hold(&s->plots);
    s->status = status == KN_OK ? s->status : status;
    return status == KN_OK;
}

static bool plot_to(struct state *s, const char *file, const char *rest)
{
    struct picture_words w = {.picture = {.file = file,
                                          .title = s->plots.current->title,
                                          .where = s->command->where,
                                          .x_from = NAN,
                                          .x_to = NAN,
                                          .y_from = NAN,
                                          .y_to = NAN}};
    struct list l;
    const char *vectors;
    if (!take_axes(s, rest, &w, &vectors) || !list_read(s, vectors, false, &l) || s->dry)
        return s->status == KN_OK;
    if (l.count == 0)
        return state_fail(s, NULL, "%s: plot %s has no vectors", s->command->name, s->plots.current->name);
    return (!w.plane || to_plane(s, &l)) && draw(s, &l, &w.picture);
}

bool report_plot(struct state *s, const char *rest)
{
    return plot_to(s, NULL, rest);
}

/* The name with the ending of a kind of picture that there is; NULL without memory. */
static const char *picture_name(struct state *s, const char *name, const char *usual)
{
    const char *dot = strrchr(name, '.');
    const bool has_type = dot && (strcasecmp(dot, ".svg") == 0 || strcasecmp(dot, ".png") == 0);
    return has_type ? name : arena_format(s->scratch, "%s.%s", name, usual);
}

/* gnuplot name v(out), and pyplot likewise: ngspice has gnuplot draw name.svg, or name.png where the variable says so. */
bool report_gnuplot(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (!name)
        return state_fail(s, NULL, "%s: expected the name of a file and vectors", s->command->name);
    const struct variable *v = state_variable(s, "gnuplot_terminal");
    const bool png = v && v->count == 1 && strncasecmp(v->words[0], "png", 3) == 0;
    const char *whole = picture_name(s, name, png ? "png" : "svg");
    const char *path = whole ? state_place(s, whole) : NULL;
    return path && plot_to(s, path, rest);
}

bool report_hardcopy(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (!name)
        return state_fail(s, NULL, "hardcopy: expected the name of a file and vectors");
    const char *whole = picture_name(s, name, "svg");
    if (whole && whole != name && !s->dry)
        state_warn(s, "names that end in .svg or .png are taken as they are", "hardcopy: '%s' is written as '%s'", name,
                   whole);
    const char *path = whole ? state_place(s, whole) : NULL;
    return path && plot_to(s, path, rest);
}
