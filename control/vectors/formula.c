/* formula.c - see formula.h.  Reads and reckons at once. */
#include "control/vectors/formula.h"

#include "control/vectors/functions.h"
#include "control/vectors/operators.h"
#include "netlist/expression/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 256, DEEPEST = 200 };

static struct values nothing(struct formula *f)
{
    return values_new(f->arena, 1);
}

static struct values fail(struct formula *f, const char *hint, const char *format, const char *what)
{
    if (!f->failed) {
        snprintf(f->why, sizeof f->why, format, what);
        snprintf(f->hint, sizeof f->hint, "%s", hint ? hint : "");
    }
    f->failed = true;
    return nothing(f);
}

static void blanks(struct formula *f)
{
    while (*f->at == ' ' || *f->at == '\t')
        f->at++;
}

bool formula_is_at_end(const struct formula *f)
{
    return f->at[strspn(f->at, " \t")] == '\0';
}

/* ---- two values ---- */

static struct values combine(struct formula *f, const struct values *a, const struct values *b, operation *of,
                             bool to_real)
{
    const size_t count = a->count == 1 ? b->count : a->count;
    if (f->failed || f->dry)
        return nothing(f);
    if ((a->count != count && a->count != 1) || (b->count != count && b->count != 1))
        return fail(f, "linearize brings vectors of different runs to one scale, v[0,9] takes part of one",
                    "the vectors have different lengths%s", "");
    struct values out = values_new(f->arena, count);
    out.is_complex = !to_real && (a->is_complex || b->is_complex);
    out.quantity = operation_quantity(a, b, of);
    out.shape = a->count == count ? a->shape : b->shape;
    out.plot = a->count == count && a->plot ? a->plot : b->plot;
    for (size_t i = 0; out.at && i < count; i++) {
        out.at[i] = of(a->at[a->count == 1 ? 0 : i], b->at[b->count == 1 ? 0 : i]);
        out.is_complex |= !to_real && cimag(out.at[i]) != 0;
    }
    return out;
}

static operation *take_operator(struct formula *f, enum operator_level level)
{
    blanks(f);
    const struct vector_operator *o = operator_at(f->at);
    if (!o || o->level != level)
        return NULL;
    f->at += strlen(o->sign);
    return o->of;
}

static struct values whole(struct formula *f);
static struct values signed_value(struct formula *f);

static struct values operate(struct formula *f, enum operator_level level)
{
    if (level == OPERATOR_LEVELS)
        return signed_value(f);
    struct values left = operate(f, (enum operator_level)(level + 1));
    for (operation *of; !f->failed && (of = take_operator(f, level));) {
        const struct values right = operate(f, (enum operator_level)(level + 1));
        left = combine(f, &left, &right, of, level <= OPERATOR_COMPARE);
    }
    return left;
}

/* ---- names ---- */

/* "tran1." in front of a name; NULL: there is no such plot, and no such prefix. */
static const struct plot *prefix(const struct plots *plots, const char *name, const char **behind)
{
    const char *dot = strchr(name, '.');
    char plot[LONGEST_NAME];
    if (!dot)
        return NULL;
    snprintf(plot, sizeof plot, "%.*s", (int)(dot - name), name);
    *behind = dot + 1;
    return plots_find(plots, plot);
}

static struct values vector_named(struct formula *f, const struct plot *p, const char *name)
{
    struct values of_device;
    if (f->dry && f->device_value)
        f->device_value(f->context, NULL, name, &of_device);
    if (f->dry)
        return nothing(f);
    const struct vector_kept *v = plots_vector(f->plots, p, name);
    if (v) {
        struct values out = plot_values(v, f->arena);
        out.plot = p;
        return out;
    }
    if (name[0] == '@' && f->device_value && f->device_value(f->context, p, name, &of_device))
        return of_device;
    if (name[0] == '@')
        return fail(f, "save all and its name before an analysis keeps a quantity of a device; op has all of them",
                    "there is no value %s", name);
    char what[LONGEST_NAME + 80];
    snprintf(what, sizeof what, "'%s' in plot %s", name, p->name);
    return fail(f, "display lists the vectors of the current plot, setplot the plots", "there is no vector %s", what);
}

/* ---- v(a,b), vdb(a) ---- */

static bool is_ground(const char *node)
{
    return strcmp(node, "0") == 0 || strcasecmp(node, "gnd") == 0;
}

static bool is_known(const struct formula *f, char letter, const char *node)
{
    const struct circuit *c = f->circuit;
    return c && (letter == 'v' ? circuit_find_node(c, node) >= 0 : circuit_find_terminal(c, node) >= 0);
}

/* vdb(v1#branch): a vector by its name, of the current of v1. */
static bool is_branch(const struct formula *f, const char *node)
{
    const char *mark = strstr(node, "#branch");
    char element[LONGEST_NAME];
    if (!mark || mark[7])
        return false;
    snprintf(element, sizeof element, "%.*s", (int)(mark - node), node);
    return !f->dry || is_known(f, 'i', element);
}

/* The node out of "ac1.out", where that is no node itself; dry: plots are not there yet. */
static const char *behind_plot(const struct formula *f, char letter, const char *node, const struct plot **p)
{
    const char *behind = strchr(node, '.');
    if (!behind || is_known(f, letter, node))
        return node;
    const struct plot *of = f->dry ? *p : prefix(f->plots, node, &behind);
    *p = of ? of : *p;
    return of ? behind + f->dry : node;
}

static struct values voltage_of(struct formula *f, const struct plot *p, const char *letter, const char *full)
{
    char name[LONGEST_NAME + 8];
    const char *node = behind_plot(f, *letter, full, &p);
    if (*letter == 'v' && is_ground(node))
        return nothing(f);
    if (*letter == 'v' && is_branch(f, node))
        return vector_named(f, p, node);
    snprintf(name, sizeof name, "%s(%s)", letter, node);
    if (f->dry && !is_known(f, *letter, node) &&
        !(*letter == 'v' && f->device_value && f->device_value(f->context, NULL, node, &(struct values){0})))
        return fail(f, NULL, *letter == 'v' ? "there is no node '%s'" : "there is no element '%s'", full);
    if (!f->dry && *letter == 'v' && !plot_find(p, name) && plots_vector(f->plots, p, node))
        return vector_named(f, p, node);
    return vector_named(f, p, name);
}

/* The text between the parentheses, which may be the name of a node of any spelling, also in quotes. */
static bool take_argument(struct formula *f, char text[LONGEST_NAME])
{
    int depth = 0;
    size_t length = 0;
    f->at++;
    for (; *f->at && (depth > 0 || *f->at != ')'); f->at++) {
        depth += (*f->at == '(') - (*f->at == ')');
        if (!strchr(" \t\"", *f->at) && length + 1 < LONGEST_NAME)
            text[length++] = *f->at;
    }
    text[length] = '\0';
    if (*f->at != ')' || length == 0)
        return false;
    f->at++;
    return true;
}

static struct values difference_of_nodes(struct formula *f, const struct plot *p, const char *letter)
{
    char text[LONGEST_NAME], both_names[LONGEST_NAME + 8];
    if (!take_argument(f, text))
        return fail(f, NULL, "expected the name of %s and ')'", *letter == 'v' ? "a node" : "an element");
    char *comma = strchr(text, ',');
    snprintf(both_names, sizeof both_names, "%s(%s)", letter, text);
    if (!comma || *letter == 'i')
        return voltage_of(f, p, letter, text);
    if (!f->dry && plot_find(p, both_names))
        return vector_named(f, p, both_names);
    *comma = '\0';
    const struct values a = voltage_of(f, p, letter, text), b = voltage_of(f, p, letter, comma + 1);
    return combine(f, &a, &b, operation_difference, false);
}

/* vm( ) and the like: the function of a part of v( ). */
static const char *part_of(const char *name)
{
    static const char *const parts[][2] = {{"vm", "mag"},  {"vdb", "db"},  {"vp", "ph"},
                                           {"vr", "real"}, {"vi", "imag"}, {"vg", "group_delay"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcasecmp(parts[i][0], name) == 0)
            return parts[i][1];
    return NULL;
}

/* Of a plot; at NULL: it has none. */
static struct values scale_of(struct formula *f, const struct plot *p)
{
    return p->scale < p->count ? plot_values(&p->vectors[p->scale], f->arena) : (struct values){0};
}

static struct values apply(struct formula *f, const struct plot *p, const char *name, const struct values *x)
{
    function_of_vector *of = function_find(name);
    const char *near = of ? NULL : function_closest(name);
    char hint[80];
    snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
    if (!of)
        return fail(f, near ? hint : NULL, "unknown function '%s'", name);
    if (f->failed || f->dry)
        return nothing(f);
    const struct values scale = scale_of(f, x->plot ? x->plot : p), current = scale_of(f, p);
    struct function_call call = {.arena = f->arena,
                                 .scale = scale.at ? &scale : NULL,
                                 .current = current.at ? &current : NULL,
                                 .set = f->set,
                                 .draws = f->draws};
    struct values out = of(&call, x);
    out.plot = out.plot ? out.plot : out.count == x->count ? x->plot : NULL;
    return call.why ? fail(f, NULL, call.why, "") : out;
}

static bool is_result_of_analysis(const char *name)
{
    return strncasecmp(name, "output_impedance_at_", 20) == 0 || strcasecmp(name, "pole") == 0 ||
           strcasecmp(name, "zero") == 0;
}

/* A vector with parentheses in its name, such as output_impedance_at_v(out). */
static bool take_vector_of_that_name(struct formula *f, const struct plot *p, const char *name, struct values *out)
{
    char whole_name[2 * LONGEST_NAME];
    const size_t length = strcspn(f->at, ")");
    snprintf(whole_name, sizeof whole_name, "%s%.*s)", name, (int)(length < LONGEST_NAME ? length : 0), f->at);
    const struct vector_kept *v = f->dry ? NULL : plot_find(p, whole_name);
    const bool to_come = f->dry && !function_find(name) && is_result_of_analysis(name);
    if ((!v && !to_come) || f->at[length] != ')')
        return false;
    *out = v ? plot_values(v, f->arena) : nothing(f);
    f->at += length + 1;
    return true;
}

/* ---- functions of several values, and those of `define` ---- */

/* Between parentheses, of which the first is next. */
static size_t take_arguments(struct formula *f, const char *name, struct values arguments[MOST_ARGUMENTS])
{
    size_t count = 0;
    const char *inside = f->at + 1 + strspn(f->at + 1, " \t");
    if (*inside == ')') {
        f->at = inside + 1;
        return 0;
    }
    do {
        f->at++;
        if (count == MOST_ARGUMENTS) {
            fail(f, NULL, "a function has 16 arguments at most%s", "");
            return 0;
        }
        arguments[count++] = whole(f);
        blanks(f);
    } while (!f->failed && *f->at == ',');
    if (!f->failed && *f->at != ')')
        fail(f, NULL, "expected ')' behind the argument of '%s'", name);
    f->at += !f->failed;
    return count;
}

/* The body, in which the names of the arguments are their values. */
static struct values defined(struct formula *f, const struct definition *d, const struct values *arguments)
{
    const struct bound outside = f->bound;
    const char *behind = f->at;
    f->bound = (struct bound){d, arguments};
    f->at = d->body;
    const struct values out = whole(f);
    if (!f->failed && !formula_is_at_end(f))
        fail(f, NULL, "in the definition of a function '%s' is one too many", f->at);
    f->bound = outside;
    f->at = behind;
    return out;
}

static const struct values *argument(const struct formula *f, const char *name)
{
    const struct definition *d = f->bound.of;
    for (size_t i = 0; d && i < d->count; i++)
        if (strcasecmp(d->parameters[i], name) == 0)
            return &f->bound.values[i];
    return NULL;
}

static struct values call(struct formula *f, const struct plot *p, const char *name)
{
    struct values found;
    const char *part = part_of(name);
    if (strcasecmp(name, "v") == 0)
        return difference_of_nodes(f, p, "v");
    if (strcasecmp(name, "i") == 0)
        return difference_of_nodes(f, p, "i");
    if (part) {
        const struct values x = difference_of_nodes(f, p, "v");
        return apply(f, p, part, &x);
    }
    if (take_vector_of_that_name(f, p, name, &found))
        return found;
    struct values arguments[MOST_ARGUMENTS];
    const size_t count = take_arguments(f, name, arguments);
    if (f->failed)
        return nothing(f);
    const struct definition *own = definition_find(f->definitions, name, count);
    operation *of = count == 2 ? operation_named(name) : NULL;
    if (own)
        return defined(f, own, arguments);
    if (of)
        return combine(f, &arguments[0], &arguments[1], of, false);
    return count == 1 ? apply(f, p, name, &arguments[0])
                      : fail(f, "define f(a,b) a+b makes one", "there is no function '%s' of so many arguments", name);
}

/* ---- what is no operator ---- */

static void take_name(struct formula *f, char name[LONGEST_NAME])
{
    size_t length = 0;
    bool device = *f->at == '@'; /* @m1[gm] or dc1.@m1[gm], up to the bracket that closes */
    for (bool closed = false;
         !closed && (operator_is_name(*f->at) || (device && length > 0 && (*f->at == '[' || *f->at == ']'))); f->at++) {
        device |= *f->at == '@' && length > 0 && f->at[-1] == '.';
        closed = device && *f->at == ']';
        if (length + 1 < LONGEST_NAME)
            name[length++] = *f->at;
    }
    if (strncasecmp(f->at, "-sweep", 6) == 0 && !operator_is_name(f->at[6]))
        for (int i = 0; i < 6; i++, f->at++)
            if (length + 1 < LONGEST_NAME)
                name[length++] = *f->at;
    name[length] = '\0';
}

static struct values named(struct formula *f)
{
    char name[LONGEST_NAME] = "";
    const char *behind = NULL;
    take_name(f, name);
    const struct values *given = argument(f, name);
    if (given && *f->at != '(')
        return *given;
    const struct plot *p = f->dry ? NULL : prefix(f->plots, name, &behind);
    const char *bare = p ? behind : name;
    if (!p && f->dry && strchr(name, '.') && *f->at == '(') /* of a plot to come */
        bare = strrchr(name, '.') + 1;
    p = p ? p : f->plots->current;
    char *power =
        *f->at == '(' ? NULL : strstr(bare, ":power"); /* ngspice's v1:power is @v1[p] where nobody asks for p(v1) */
    if (power && power[6] == '\0' && (f->dry || !plots_vector(f->plots, p, bare)))
        bare = arena_format(f->arena, "@%.*s[p]", (int)(power - bare), bare);
    return *f->at == '(' ? call(f, p, bare) : vector_named(f, p, bare ? bare : name);
}

static struct values number(struct formula *f)
{
    size_t length = strspn(f->at, "0123456789.");
    if ((f->at[length] | 0x20) == 'e') {
        const size_t sign = f->at[length + 1] == '-' || f->at[length + 1] == '+';
        const size_t digits = strspn(f->at + length + 1 + sign, "0123456789");
        length += digits ? 1 + sign + digits : 0;
    }
    while (isalpha((unsigned char)f->at[length]))
        length++;
    struct values out = values_new(f->arena, 1);
    double value = 0;
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)length, f->at);
    if (!expression_number(f->at, length, &value))
        return fail(f, NULL, "'%s' is no number", text);
    f->at += length;
    if (out.at)
        out.at[0] = value;
    return out;
}

static struct values in_parentheses(struct formula *f)
{
    const char close = *f->at == '(' ? ')' : '}';
    f->at++;
    struct values x = whole(f);
    blanks(f);
    if (!f->failed && *f->at == ',' && close == ')') {
        f->at++;
        const struct values y = whole(f);
        x = combine(f, &x, &y, operation_complex, false);
        x.is_complex = true;
        blanks(f);
    }
    if (!f->failed && *f->at != close)
        return fail(f, NULL, "a parenthesis is not closed%s", "");
    f->at += !f->failed;
    return x;
}

/* "temp-sweep" is a vector of any name, 'a+b' and "a+b" formulas. */
static struct values quoted(struct formula *f)
{
    const char *close = strchr(f->at + 1, *f->at);
    char name[LONGEST_NAME];
    if (!close)
        return fail(f, NULL, "the quotation mark at %s has no other", f->at);
    snprintf(name, sizeof name, "%.*s", (int)(close - f->at - 1), f->at + 1);
    const struct vector_kept *v = f->dry ? NULL : plots_vector(f->plots, f->plots->current, name);
    struct values out = v ? plot_values(v, f->arena) : nothing(f);
    if (!v && !(f->dry && strstr(name, "-sweep"))) {
        const char *inside = arena_text(f->arena, f->at + 1, (size_t)(close - f->at - 1));
        f->at = inside ? inside : "";
        out = whole(f);
        if (!f->failed && !formula_is_at_end(f))
            fail(f, NULL, "'%s' is one too many", f->at);
    }
    f->at = close + 1;
    return out;
}

static struct values primary(struct formula *f)
{
    blanks(f);
    if (*f->at == '"' || *f->at == '\'')
        return quoted(f);
    if (isdigit((unsigned char)*f->at) || (*f->at == '.' && isdigit((unsigned char)f->at[1])))
        return number(f);
    if (*f->at == '(' || *f->at == '{')
        return in_parentheses(f);
    if (operator_is_name(*f->at) && *f->at != '$')
        return named(f);
    return fail(f, NULL, *f->at ? "expected a number or a vector at '%s'" : "expected a number or a vector%s", f->at);
}

static bool take_index(struct formula *f, double *index)
{
    const struct values x = whole(f);
    *index = x.at && x.count == 1 ? rint(creal(x.at[0])) : -1;
    if (!f->failed && x.count != 1)
        fail(f, NULL, "an index is one number%s", "");
    return !f->failed;
}

/* x[from, to]; backwards where `from` is the larger one. */
static struct values part(struct formula *f, const struct values *x, double from, double to)
{
    char text[80];
    const size_t block = shape_block(&x->shape, x->count), count = x->count / block;
    const double low = fmin(from, to), high = fmax(from, to);
    snprintf(text, sizeof text, "%g is outside of the vector, which has %zu numbers, from 0", low < 0 ? low : high,
             count);
    if (f->dry)
        return nothing(f);
    if (!(low >= 0 && high < (double)count))
        return fail(f, NULL, "index %s", text);
    struct values out = *x;
    out.at = x->at + (size_t)low * block;
    out.count = ((size_t)(high - low) + 1) * block;
    if (to == from)
        out.shape = shape_of_block(&x->shape);
    else
        out.shape.extent[0] = (size_t)(high - low) + 1;
    for (size_t i = 0, last = out.count / block - 1; from > to && i < last; i++, last--)
        for (size_t k = 0; k < block; k++) {
            const double complex kept = out.at[i * block + k];
            out.at[i * block + k] = out.at[last * block + k];
            out.at[last * block + k] = kept;
        }
    return out;
}

static struct values indexed(struct formula *f)
{
    struct values x = primary(f);
    while (!f->failed && *f->at == '[') {
        double from = 0, to = 0;
        f->at++;
        if (!take_index(f, &from))
            break;
        to = from;
        blanks(f);
        if (*f->at == ',') {
            f->at++;
            if (!take_index(f, &to))
                break;
            blanks(f);
        }
        if (*f->at != ']')
            return fail(f, NULL, "expected ']' behind the index%s", "");
        f->at++;
        x = part(f, &x, from, to);
    }
    return x;
}

static struct values raised(struct formula *f)
{
    const struct values base = indexed(f);
    blanks(f);
    if (f->failed || (*f->at != '^' && strncmp(f->at, "**", 2) != 0))
        return base;
    f->at += *f->at == '^' ? 1 : 2;
    const struct values exponent = signed_value(f);
    return combine(f, &base, &exponent, operation_power, false);
}

static struct values signed_value(struct formula *f)
{
    blanks(f);
    if (++f->depth > DEEPEST) {
        f->depth--;
        return fail(f, NULL, "the formula is nested too deeply%s", "");
    }
    struct values out;
    const struct values zero = nothing(f);
    if (*f->at == '-') {
        f->at++;
        const struct values x = signed_value(f);
        out = combine(f, &zero, &x, operation_difference, false);
    } else if (*f->at == '+') {
        f->at++;
        out = signed_value(f);
    } else if ((*f->at == '!' && f->at[1] != '=') || *f->at == '~' || operator_begins(f->at, "not")) {
        f->at += operator_begins(f->at, "not") ? 3 : 1;
        const struct values x = operate(f, OPERATOR_COMPARE);
        out = combine(f, &x, &zero, operation_equal, true);
    } else {
        out = raised(f);
    }
    f->depth--;
    return out;
}

static struct values whole(struct formula *f)
{
    struct values x = operate(f, OPERATOR_OR);
    blanks(f);
    if (f->failed || *f->at != '?')
        return x;
    f->at++;
    const struct values yes = whole(f);
    blanks(f);
    if (!f->failed && *f->at != ':')
        return fail(f, NULL, "expected ':' behind '?'%s", "");
    f->at += !f->failed;
    const struct values no = whole(f);
    if (!f->failed && !f->dry && x.count != 1)
        return fail(f, NULL, "what stands before '?' is one number%s", "");
    return f->failed ? x : x.at && x.at[0] != 0 ? yes : no;
}

bool formula_next(struct formula *f, struct values *out, const char **begin)
{
    blanks(f);
    *begin = f->at;
    *out = whole(f);
    if (!f->failed && !out->at)
        fail(f, NULL, "memory is exhausted%s", "");
    return !f->failed;
}

bool formula_whole(struct formula *f, const char *text, struct values *out)
{
    const char *begin;
    f->at = text;
    if (formula_next(f, out, &begin) && !formula_is_at_end(f))
        fail(f, NULL, "'%s' is one too many", f->at + strspn(f->at, " \t"));
    return !f->failed;
}
