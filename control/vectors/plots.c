/* plots.c - see plots.h. */
#include "control/vectors/plots.h"

#include "base/array.h"
#include "base/names.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- shapes ---- */

size_t shape_block(const struct shape *s, size_t count)
{
    return s->dimensions > 1 ? count / s->extent[0] : 1;
}

struct shape shape_of_block(const struct shape *s)
{
    struct shape out = {.dimensions = s->dimensions > 2 ? s->dimensions - 1 : 0};
    for (size_t i = 0; i < out.dimensions; i++)
        out.extent[i] = s->extent[i + 1];
    return out;
}

/* ---- vectors ---- */

static void vector_free(struct vector_kept *v)
{
    free(v->name);
    free(v->real);
    free(v->imaginary);
    free(v->shown);
}

/* i(x1.v2) by what follows the parenthesis. */
static struct vector_kept *find_current(const struct plot *p, const char *element)
{
    for (size_t i = 0; i < p->count; i++)
        if (strncmp(p->vectors[i].name, "i(", 2) == 0 && names_equal(p->vectors[i].name + 2, element))
            return &p->vectors[i];
    return NULL;
}

struct vector_kept *plot_find(const struct plot *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (names_equal(p->vectors[i].name, name))
            return &p->vectors[i];
    return strncasecmp(name, "i(", 2) == 0 && name_without_letter(name + 2) ? find_current(p, name + 4) : NULL;
}

static struct vector_kept *push(struct plot *p, const char *name)
{
    if (!array_reserve(&p->vectors, p->count + 1, &p->capacity, sizeof *p->vectors))
        return NULL;
    struct vector_kept *v = &p->vectors[p->count];
    *v = (struct vector_kept){.name = strdup(name)};
    if (!v->name)
        return NULL;
    if (p->scale == p->count) /* there is none */
        p->scale++;
    p->count++;
    return v;
}

/* An array that is not needed any more, but perhaps still looked at. */
static bool retire(struct plot *p, void *array)
{
    if (!array)
        return true;
    if (!p->keeps) {
        free(array);
        return true;
    }
    if (!array_reserve(&p->retired, p->retired_count + 1, &p->retired_capacity, sizeof *p->retired))
        return false;
    p->retired[p->retired_count++] = array;
    return true;
}

/* In the place of the array that is there, which goes; false, and the new one is freed, where that cannot be kept. */
static bool replace(struct plot *p, double **array, double *by)
{
    if (!retire(p, *array)) {
        free(by);
        return false;
    }
    *array = by;
    return true;
}

static bool fill(struct plot *p, struct vector_kept *v, const struct values *from)
{
    /* An analysis that is held up goes on with as many rows as there was room for. */
    const size_t room = v->of_analysis && p->row_capacity > from->count ? p->row_capacity : from->count + 1;
    double *real = calloc(room, sizeof *real);
    double *imaginary = from->is_complex ? calloc(room, sizeof *imaginary) : NULL;
    if (!real || (from->is_complex && !imaginary)) {
        free(real);
        free(imaginary);
        return false;
    }
    for (size_t i = 0; i < from->count; i++) {
        real[i] = creal(from->at[i]);
        if (imaginary)
            imaginary[i] = cimag(from->at[i]);
    }
    v->shown_count = SIZE_MAX; /* all is to be shown anew */
    v->count = from->count;
    v->quantity = from->quantity;
    v->shape = from->shape;
    v->is_complex = from->is_complex;
    const bool kept = replace(p, &v->real, real);
    return replace(p, &v->imaginary, imaginary) && kept;
}

bool plot_put(struct plot *p, const char *name, const struct values *v)
{
    struct vector_kept *to = plot_find(p, name);
    if (!to)
        to = push(p, name);
    return to && fill(p, to, v);
}

/* Vectors that are known by their names; NULL without memory. */
static struct name_table *names_of(const struct plot *p, struct arena *a)
{
    struct name_table *known = a ? name_table_new(a) : NULL;
    bool good = known != NULL;
    for (size_t i = 0; good && i < p->count; i++)
        good = name_table_put(known, p->vectors[i].name, p->vectors[i].name);
    return good ? known : NULL;
}

void plot_remove(struct plot *p, struct vector_kept *v)
{
    const size_t i = (size_t)(v - p->vectors);
    vector_free(v);
    memmove(v, v + 1, (p->count - i - 1) * sizeof *v);
    if (p->scale == p->count || p->scale == i)
        p->scale = p->count - 1;
    else if (p->scale > i)
        p->scale--;
    p->count--;
}

struct values plot_values(const struct vector_kept *v, struct arena *a)
{
    struct values out = {.at = arena_array(a, v->count + 1, sizeof *out.at),
                         .count = v->count,
                         .is_complex = v->is_complex,
                         .quantity = v->quantity,
                         .shape = v->shape};
    for (size_t i = 0; out.at && i < v->count; i++)
        out.at[i] = CMPLX(v->real[i], v->is_complex ? v->imaginary[i] : 0);
    return out;
}

const double complex *plot_complex(struct plot *p, struct vector_kept *v)
{
    if (v->shown && v->shown_count == v->count)
        return v->shown;
    double complex *made = calloc(v->count + 1, sizeof *made);
    if (!made || !retire(p, v->shown)) {
        free(made);
        return NULL;
    }
    for (size_t i = 0; i < v->count; i++)
        made[i] = CMPLX(v->real[i], v->is_complex ? v->imaginary[i] : 0);
    v->shown = made;
    v->shown_count = v->count;
    return made;
}

/* ---- plots ---- */

struct plot *plots_find(const struct plots *p, const char *name)
{
    for (struct plot *i = p->first; i; i = i->next)
        if (names_equal(i->name, name))
            return i;
    return NULL;
}

/* ---- vectors by the names of ngspice ---- */

enum { LONGEST_NAME = 256 };

/* ngspice's r1_scale of a sensitivity: r1:scale. */
static struct vector_kept *with_underscore(const struct plot *p, const char *name)
{
    char other[LONGEST_NAME];
    const char *mark = strrchr(name, '_');
    if (!mark || strlen(name) >= sizeof other)
        return NULL;
    strcpy(other, name);
    other[mark - name] = ':';
    return plot_find(p, other);
}

static struct vector_kept *in_plot(const struct plot *p, const char *name)
{
    char other[LONGEST_NAME + 8];
    struct vector_kept *v = plot_find(p, name);
    const char *branch = strstr(name, "#branch"), *bracket = strchr(name, '['), *power = strstr(name, ":power");
    if (!v && branch)
        snprintf(other, sizeof other, "i(%.*s)", (int)(branch - name), name);
    else if (!v && name[0] == '@' && bracket && strcasecmp(bracket, "[i]") == 0)
        snprintf(other, sizeof other, "i(%.*s)", (int)(bracket - name - 1), name + 1);
    else if (!v && power && power[6] == '\0')
        snprintf(other, sizeof other, "p(%.*s)", (int)(power - name), name);
    else if (!v)
        snprintf(other, sizeof other, "v(%s)", name);
    const size_t length = strlen(name);
    if (!v && p->count > p->scale && length > 6 && strcasecmp(name + length - 6, "-sweep") == 0)
        return &p->vectors[p->scale];
    v = v ? v : plot_find(p, other);
    return v ? v : with_underscore(p, name);
}

struct vector_kept *plots_vector(const struct plots *plots, const struct plot *in, const char *name)
{
    struct vector_kept *v = in_plot(in, name);
    const struct plot *constants = plots_find(plots, "const");
    return v || !constants ? v : plot_find(constants, name);
}

/* ---- plots that come and go ---- */

static void plot_free(struct plot *p)
{
    for (size_t i = 0; i < p->count; i++)
        vector_free(&p->vectors[i]);
    for (size_t i = 0; i < p->retired_count; i++)
        free(p->retired[i]);
    free(p->retired);
    free(p->vectors);
    free(p->name);
    free(p->title);
    free(p->label);
    free(p);
}

static struct plot *add(struct plots *p, const char *name, const char *title, const char *label)
{
    struct plot *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->name = strdup(name);
    made->title = strdup(title);
    made->label = strdup(label);
    if (!made->name || !made->title || !made->label) {
        plot_free(made);
        return NULL;
    }
    made->keeps = p->keeps;
    made->next = p->first;
    p->first = p->current = made;
    return made;
}

struct plot *plots_add(struct plots *p, const char *kind, const char *title, const char *label)
{
    char name[64];
    p->number = p->number > 0 ? p->number : 1;
    for (snprintf(name, sizeof name, "%s%d", kind, p->number); plots_find(p, name);)
        snprintf(name, sizeof name, "%s%d", kind, ++p->number);
    return add(p, name, title, label);
}

/* Exact values of the SI (2019), and of the others those of CODATA 2018. */
static const struct {
    const char *name;
    double value;
} constants[] = {{"yes", 1},
                 {"true", 1},
                 {"no", 0},
                 {"false", 0},
                 {"pi", 3.14159265358979323846},
                 {"e", 2.71828182845904523536},
                 {"c", 299792458},
                 {"kelvin", -273.15},
                 {"echarge", 1.602176634e-19},
                 {"boltz", 1.380649e-23},
                 {"planck", 6.62607015e-34}};

bool plots_put_constant(struct plots *p, const char *name, double value)
{
    double complex at = value;
    struct plot *made = plots_find(p, "const");
    return made && plot_put(made, name, &(struct values){.at = &at, .count = 1, .quantity = KN_OTHER});
}

enum kn_status plots_open(struct plots *p, bool keeps)
{
    *p = (struct plots){.keeps = keeps, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct plot *made = add(p, "const", "Constant values", "constants");
    bool good = made != NULL;
    for (size_t i = 0; good && i < sizeof constants / sizeof *constants; i++) {
        double complex value = constants[i].value;
        good = plot_put(made, constants[i].name, &(struct values){.at = &value, .count = 1, .quantity = KN_OTHER});
    }
    double complex unit = CMPLX(0, 1);
    return good && plot_put(made, "i",
                            &(struct values){.at = &unit, .count = 1, .is_complex = true, .quantity = KN_OTHER})
               ? KN_OK
               : KN_ERROR_MEMORY;
}

void plots_close(struct plots *p)
{
    for (struct plot *next; p->first; p->first = next) {
        next = p->first->next;
        plot_free(p->first);
    }
    pthread_mutex_destroy(&p->lock);
}

void plots_hold(struct plots *p)
{
    pthread_mutex_lock(&p->lock);
}

void plots_let(struct plots *p)
{
    pthread_mutex_unlock(&p->lock);
}

void plots_destroy(struct plots *p, struct plot *plot)
{
    struct plot **at = &p->first;
    while (*at != plot)
        at = &(*at)->next;
    *at = plot->next;
    plot_free(plot);
    if (p->current == plot)
        p->current = p->first;
}

/* ---- tables ---- */

/* ngspice's words for plots, by the first words of what analyses call theirs. */
static const char *kind_of(const char *plot)
{
    static const char *const kinds[][2] = {{"Transient", "tran"},   {"AC", "ac"},       {"DC", "dc"},
                                           {"Operating", "op"},     {"Noise", "noise"}, {"Integrated", "noise"},
                                           {"DISTORTION", "disto"}, {"SP", "sp"},       {"Sensitivity", "sens"},
                                           {"Transfer", "tf"},      {"Pole", "pz"},     {"Fourier", "four"},
                                           {"FFT", "spec"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(plot, kinds[i][0], strlen(kinds[i][0])) == 0)
            return kinds[i][1];
    return "unknown";
}

static bool add_vectors(struct plot_recorder *r, const struct kn_table *t)
{
    for (size_t i = 0; i < t->column_count; i++) {
        r->imaginary[i] = t->columns[i].quantity == KN_IMAGINARY && i > 0;
        struct vector_kept *v =
            r->imaginary[i] ? &r->plot->vectors[r->plot->count - 1] : push(r->plot, t->columns[i].name);
        if (!v)
            return false;
        v->is_complex = r->imaginary[i];
        if (!r->imaginary[i])
            v->quantity = t->columns[i].quantity;
        v->of_analysis = true;
        r->columns[i] = r->plot->count - 1;
    }
    return true;
}

/* The newest plot counts as older than the one before it. */
static void stand_behind(struct plots *p, struct plot *newest)
{
    struct plot *before = newest->next;
    if (!before)
        return;
    newest->next = before->next;
    before->next = newest;
    p->first = p->current = before;
}

/* Whether the plot before it stays the current one: it is the same in other units, or .four and .fft made it of that. */
static bool is_aside(const char *plot)
{
    const char *kind = kind_of(plot);
    return strstr(plot, ", per percent") || strcmp(kind, "four") == 0 || strcmp(kind, "spec") == 0 ||
           strcmp(plot, "Distortion") == 0;
}

static bool make_plot(struct plot_recorder *r, const struct kn_table *t)
{
    free(r->columns);
    free(r->imaginary);
    r->column_count = t->column_count;
    r->columns = calloc(t->column_count + 1, sizeof *r->columns);
    r->imaginary = calloc(t->column_count + 1, sizeof *r->imaginary);
    r->plot = plots_add(r->plots, kind_of(t->plot), t->title, t->plot);
    if (!r->columns || !r->imaginary || !r->plot || !add_vectors(r, t))
        return false;
    if (is_aside(t->plot))
        stand_behind(r->plots, r->plot);
    r->plot->scale = t->sweeps > 0 || t->columns[0].quantity == KN_TIME || t->columns[0].quantity == KN_HARMONIC
                         ? 0
                         : r->plot->count;
    r->plot->step = t->columns[0].quantity == KN_TIME ? r->step : 0;
    r->plot->grows = true;
    return true;
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct plot_recorder *r = context;
    plots_hold(r->plots);
    const bool made = make_plot(r, t);
    plots_let(r->plots);
    if (!made)
        return KN_ERROR_MEMORY;
    return r->next ? r->next->begin(r->next->context, t) : KN_OK;
}

/* Room for more numbers in an array of the plot. */
static bool grow(struct plot *p, double **array, size_t more)
{
    if (!p->keeps)
        return array_resize(array, more, sizeof **array);
    double *made = malloc(more * sizeof *made);
    if (made && *array)
        memcpy(made, *array, p->rows * sizeof *made);
    return made && replace(p, array, made);
}

static bool reserve(struct plot_recorder *r)
{
    struct plot *p = r->plot;
    if (p->rows < p->row_capacity)
        return true;
    const size_t more = p->row_capacity ? 2 * p->row_capacity : 64;
    for (size_t i = 0; i < r->column_count; i++) {
        struct vector_kept *v = &p->vectors[r->columns[i]];
        if (!grow(p, r->imaginary[i] ? &v->imaginary : &v->real, more))
            return false;
    }
    p->row_capacity = more;
    return true;
}

static bool is_noise(const char *label)
{
    return strcmp(kind_of(label), "noise") == 0;
}

static bool add_row(struct plot_recorder *r, const double *values)
{
    struct plot *p = r->plot;
    if (!reserve(r))
        return false;
    for (size_t i = 0; i < r->column_count; i++) {
        struct vector_kept *v = &p->vectors[r->columns[i]];
        double *part = r->imaginary[i] ? v->imaginary : v->real;
        const bool squared = r->squares && is_noise(p->label) && v->quantity != KN_FREQUENCY;
        if (part) /* a real vector has taken the place of a complex one */
            part[p->rows] = squared ? values[i] * values[i] : values[i];
        v->count = p->rows + 1;
    }
    p->rows++;
    return true;
}

static enum kn_status row(void *context, const double *values)
{
    struct plot_recorder *r = context;
    plots_hold(r->plots);
    const bool added = add_row(r, values);
    plots_let(r->plots);
    if (!added)
        return KN_ERROR_MEMORY;
    return r->next ? r->next->row(r->next->context, values) : KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct plot_recorder *r = context;
    if (r->plot)
        r->plot->grows = false;
    return r->next ? r->next->end(r->next->context, outcome) : KN_OK;
}

struct kn_sink plot_recorder_sink(struct plot_recorder *r)
{
    return (struct kn_sink){r, begin, row, end};
}

bool plot_recorder_add(struct plot_recorder *r, const struct kn_column *columns, size_t count, const double *values)
{
    struct plot *p = r->plot;
    if (!p)
        return true;
    struct arena *memory = arena_new();
    plots_hold(r->plots);
    const struct name_table *known = names_of(p, memory);
    bool good = known != NULL;
    for (size_t i = 0; good && i < count; i++) { /* of a large circuit they are hundreds of thousands */
        const char *name = columns[i].name;
        double complex value = values[i];
        struct vector_kept *to = name_table_get(known, name) ? plot_find(p, name) : push(p, name);
        good = to && fill(p, to, &(struct values){.at = &value, .count = 1, .quantity = columns[i].quantity});
    }
    plots_let(r->plots);
    arena_free(memory);
    return good;
}

void plot_recorder_close(struct plot_recorder *r)
{
    free(r->columns);
    free(r->imaginary);
}
