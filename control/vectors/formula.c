/* formula.c - see formula.h.  Reads and reckons at once. */
#include "control/vectors/formula.h"

#include "control/vectors/functions.h"
#include "netlist/expression/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 256, DEEPEST = 200 };

static struct values nothing(struct formula *f)
{
    return (struct values){values_new(f->arena, 1).at, 1, false, KN_OTHER};
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

typedef double complex operation(double complex a, double complex b);

static enum kn_quantity quantity_of(const struct values *a, const struct values *b, operation *of);

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
    out.quantity = quantity_of(a, b, of);
    for (size_t i = 0; out.at && i < count; i++) {
        out.at[i] = of(a->at[a->count == 1 ? 0 : i], b->at[b->count == 1 ? 0 : i]);
        out.is_complex |= !to_real && cimag(out.at[i]) != 0;
    }
    return out;
}

static double complex sum(double complex a, double complex b)
{
    return a + b;
}

static double complex difference(double complex a, double complex b)
{
    return a - b;
}

static double complex product(double complex a, double complex b)
{
    return cimag(a) == 0 && cimag(b) == 0 ? CMPLX(creal(a) * creal(b), 0) : a * b;
}

static double complex quotient(double complex a, double complex b)
{
    return cimag(a) == 0 && cimag(b) == 0 ? CMPLX(creal(a) / creal(b), 0) : a / b;
}

static double complex rest(double complex a, double complex b)
{
    return fmod(creal(a), creal(b));
}

static double complex power(double complex a, double complex b)
{
    const bool real = cimag(a) == 0 && cimag(b) == 0 && (creal(a) >= 0 || creal(b) == rint(creal(b)));
    return real ? CMPLX(pow(creal(a), creal(b)), 0) : cpow(a, b);
}

static double complex complex_number(double complex a, double complex b)
{
    return CMPLX(creal(a), creal(b));
}

static double complex equal(double complex a, double complex b)
{
    return a == b;
}

static double complex different(double complex a, double complex b)
{
    return a != b;
}

static double complex greater(double complex a, double complex b)
{
    return creal(a) > creal(b);
}

static double complex less(double complex a, double complex b)
{
    return creal(a) < creal(b);
}

static double complex at_least(double complex a, double complex b)
{
    return creal(a) >= creal(b);
}

static double complex at_most(double complex a, double complex b)
{
    return creal(a) <= creal(b);
}

static double complex both(double complex a, double complex b)
{
    return a != 0 && b != 0;
}

static double complex either(double complex a, double complex b)
{
    return a != 0 || b != 0;
}

/* What two values give: twice a voltage is one, a voltage times a current a power. */
static enum kn_quantity quantity_of(const struct values *a, const struct values *b, operation *of)
{
    const bool plain_a = a->count == 1 && a->quantity == KN_OTHER, plain_b = b->count == 1 && b->quantity == KN_OTHER;
    if (of == product && (plain_a || plain_b))
        return plain_a ? b->quantity : a->quantity;
    const bool vi = a->quantity == KN_VOLTAGE && b->quantity == KN_CURRENT;
    const bool iv = a->quantity == KN_CURRENT && b->quantity == KN_VOLTAGE;
    if (of == product)
        return vi || iv ? KN_POWER : KN_OTHER;
    if (of == quotient)
        return plain_b ? a->quantity : iv ? KN_ADMITTANCE : KN_OTHER;
    if (of == sum || of == difference)
        return plain_a ? b->quantity : plain_b || a->quantity == b->quantity ? a->quantity : KN_OTHER;
    return KN_OTHER;
}

/* ---- operators ---- */

enum level { OR, AND, COMPARE, ADD, MULTIPLY, LEVELS };

static const struct {
    const char *sign;
    enum level level;
    operation *of;
} operators[] = {{"||", OR, either},         {"|", OR, either},          {"or", OR, either},
                 {"&&", AND, both},          {"&", AND, both},           {"and", AND, both},
                 {"<>", COMPARE, different}, {"!=", COMPARE, different}, {"ne", COMPARE, different},
                 {"==", COMPARE, equal},     {"=", COMPARE, equal},      {"eq", COMPARE, equal},
                 {">=", COMPARE, at_least},  {"ge", COMPARE, at_least},  {"<=", COMPARE, at_most},
                 {"le", COMPARE, at_most},   {">", COMPARE, greater},    {"gt", COMPARE, greater},
                 {"<", COMPARE, less},       {"lt", COMPARE, less},      {"+", ADD, sum},
                 {"-", ADD, difference},     {"*", MULTIPLY, product},   {"/", MULTIPLY, quotient},
                 {"%", MULTIPLY, rest}};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_#.@$:", c)) || (unsigned char)c >= 0x80;
}

static bool begins(const char *at, const char *sign)
{
    const size_t length = strlen(sign);
    return strncasecmp(at, sign, length) == 0 && !(isalpha((unsigned char)sign[0]) && is_name(at[length]));
}

static operation *take_operator(struct formula *f, enum level level)
{
    blanks(f);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (begins(f->at, operators[i].sign)) {
            if (operators[i].level != level || strncmp(f->at, "**", 2) == 0)
                return NULL;
            f->at += strlen(operators[i].sign);
            return operators[i].of;
        }
    return NULL;
}

static struct values whole(struct formula *f);
static struct values signed_value(struct formula *f);

static struct values operate(struct formula *f, enum level level)
{
    if (level == LEVELS)
        return signed_value(f);
    struct values left = operate(f, (enum level)(level + 1));
    for (operation *of; !f->failed && (of = take_operator(f, level));) {
        const struct values right = operate(f, (enum level)(level + 1));
        left = combine(f, &left, &right, of, level <= COMPARE);
    }
    return left;
}

/* ---- names ---- */

static struct vector_kept *in_plot(const struct plot *p, const char *name)
{
    char other[LONGEST_NAME + 8];
    struct vector_kept *v = plot_find(p, name);
    const char *branch = strstr(name, "#branch"), *bracket = strchr(name, '[');
    if (!v && branch)
        snprintf(other, sizeof other, "i(%.*s)", (int)(branch - name), name);
    else if (!v && name[0] == '@' && bracket && strcasecmp(bracket, "[i]") == 0)
        snprintf(other, sizeof other, "i(%.*s)", (int)(bracket - name - 1), name + 1);
    else if (!v)
        snprintf(other, sizeof other, "v(%s)", name);
    const size_t length = strlen(name);
    if (!v && p->count > p->scale && length > 6 && strcasecmp(name + length - 6, "-sweep") == 0)
        return &p->vectors[p->scale];
    return v ? v : plot_find(p, other);
}

struct vector_kept *formula_vector(const struct plots *plots, const struct plot *in, const char *name)
{
    struct vector_kept *v = in_plot(in, name);
    const struct plot *constants = plots_find(plots, "const");
    return v || !constants ? v : plot_find(constants, name);
}

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
    if (f->dry)
        return nothing(f);
    const struct vector_kept *v = formula_vector(f->plots, p, name);
    if (v)
        return plot_values(v, f->arena);
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
    return c && (letter == 'v' ? circuit_find_node(c, node) : circuit_find_element(c, node)) >= 0;
}

static struct values voltage_of(struct formula *f, const struct plot *p, const char *letter, const char *node)
{
    char name[LONGEST_NAME + 8];
    if (*letter == 'v' && is_ground(node))
        return nothing(f);
    snprintf(name, sizeof name, "%s(%s)", letter, node);
    if (f->dry && !is_known(f, *letter, node))
        return fail(f, NULL, *letter == 'v' ? "there is no node '%s'" : "there is no element '%s'", node);
    if (!f->dry && *letter == 'v' && !plot_find(p, name) && plot_find(p, node))
        return vector_named(f, p, node);
    return vector_named(f, p, name);
}

/* The text between the parentheses, which may be the name of a node of any spelling. */
static bool take_argument(struct formula *f, char text[LONGEST_NAME])
{
    int depth = 0;
    size_t length = 0;
    f->at++;
    for (; *f->at && (depth > 0 || *f->at != ')'); f->at++) {
        depth += (*f->at == '(') - (*f->at == ')');
        if (*f->at != ' ' && *f->at != '\t' && length + 1 < LONGEST_NAME)
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
    return combine(f, &a, &b, difference, false);
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
    struct values scale;
    struct function_call call = {.arena = f->arena, .degrees = f->degrees};
    if (p->scale < p->count) {
        scale = plot_values(&p->vectors[p->scale], f->arena);
        call.scale = scale.at ? &scale : NULL;
    }
    const struct values out = of(&call, x);
    return call.why ? fail(f, NULL, call.why, "") : out;
}

/* A vector with parentheses in its name, such as output_impedance_at_v(out). */
static bool take_vector_of_that_name(struct formula *f, const struct plot *p, const char *name, struct values *out)
{
    char whole_name[2 * LONGEST_NAME];
    const size_t length = strcspn(f->at, ")");
    snprintf(whole_name, sizeof whole_name, "%s%.*s)", name, (int)(length < LONGEST_NAME ? length : 0), f->at);
    const struct vector_kept *v = f->dry ? NULL : plot_find(p, whole_name);
    const bool to_come = f->dry && !function_find(name) && strncasecmp(name, "output_impedance_at_", 20) == 0;
    if ((!v && !to_come) || f->at[length] != ')')
        return false;
    *out = v ? plot_values(v, f->arena) : nothing(f);
    f->at += length + 1;
    return true;
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
    f->at++;
    const struct values x = whole(f);
    blanks(f);
    if (!f->failed && *f->at != ')')
        return fail(f, NULL, "expected ')' behind the argument of '%s'", name);
    f->at++;
    return f->failed ? nothing(f) : apply(f, p, name, &x);
}

/* ---- what is no operator ---- */

static void take_name(struct formula *f, char name[LONGEST_NAME])
{
    size_t length = 0;
    for (; is_name(*f->at) || (name[0] == '@' && length > 0 && (*f->at == '[' || *f->at == ']')); f->at++)
        if (length + 1 < LONGEST_NAME)
            name[length++] = *f->at;
    if (strncasecmp(f->at, "-sweep", 6) == 0 && !is_name(f->at[6]))
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
    const struct plot *p = f->dry ? NULL : prefix(f->plots, name, &behind);
    const char *bare = p ? behind : name;
    if (!p && f->dry && strchr(name, '.') && *f->at == '(') /* of a plot to come */
        bare = strrchr(name, '.') + 1;
    p = p ? p : f->plots->current;
    return *f->at == '(' ? call(f, p, bare) : vector_named(f, p, bare);
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
        x = combine(f, &x, &y, complex_number, false);
        x.is_complex = true;
        blanks(f);
    }
    if (!f->failed && *f->at != close)
        return fail(f, NULL, "a parenthesis is not closed%s", "");
    f->at += !f->failed;
    return x;
}

static struct values primary(struct formula *f)
{
    blanks(f);
    if (isdigit((unsigned char)*f->at) || (*f->at == '.' && isdigit((unsigned char)f->at[1])))
        return number(f);
    if (*f->at == '(' || *f->at == '{')
        return in_parentheses(f);
    if (is_name(*f->at) && *f->at != '$')
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

static struct values part(struct formula *f, const struct values *x, double from, double to)
{
    char text[80];
    snprintf(text, sizeof text, "%g is outside of the vector, which has %zu numbers, from 0", from < 0 ? from : to,
             x->count);
    if (f->dry)
        return nothing(f);
    if (!(from >= 0 && to >= from && to < (double)x->count))
        return fail(f, NULL, "index %s", text);
    struct values out = *x;
    out.at = x->at + (size_t)from;
    out.count = (size_t)(to - from) + 1;
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
    return combine(f, &base, &exponent, power, false);
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
        out = combine(f, &zero, &x, difference, false);
    } else if (*f->at == '+') {
        f->at++;
        out = signed_value(f);
    } else if ((*f->at == '!' && f->at[1] != '=') || *f->at == '~' || begins(f->at, "not")) {
        f->at += begins(f->at, "not") ? 3 : 1;
        const struct values x = operate(f, COMPARE);
        out = combine(f, &x, &zero, equal, true);
    } else {
        out = raised(f);
    }
    f->depth--;
    return out;
}

static struct values whole(struct formula *f)
{
    struct values x = operate(f, OR);
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
