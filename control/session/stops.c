/* stops.c - see stops.h. */
#include "control/session/stops.h"

#include "base/array.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *sign, *word;
} signs[] = {[STOP_ABOVE] = {">", "gt"},      [STOP_NOT_BELOW] = {">=", "ge"}, [STOP_BELOW] = {"<", "lt"},
             [STOP_NOT_ABOVE] = {"<=", "le"}, [STOP_EQUAL] = {"=", "eq"},      [STOP_DIFFERENT] = {"<>", "ne"}};

enum { SIGNS = sizeof signs / sizeof *signs };

static void stop_free(struct stop *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->conditions[i].left);
        free(s->conditions[i].right);
    }
}

void stops_free(struct stops *s)
{
    for (size_t i = 0; i < s->count; i++)
        stop_free(&s->items[i]);
    free(s->items);
    *s = (struct stops){.items = NULL};
}

/* ---- while an analysis is at work ---- */

void stops_begin(struct stops *s)
{
    s->rows = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->items[i].reached = false;
        for (size_t k = 0; k < s->items[i].count; k++)
            s->items[i].conditions[k].before = NAN;
    }
}

/* The last value of a vector, or a number; false where there is neither. */
static bool value_of(const struct plots *plots, const struct plot *p, const char *name, double *out)
{
    const struct vector_kept *v = plots_vector(plots, p, name);
    if (v && v->count > 0)
        *out = v->real[v->count - 1];
    return v ? v->count > 0 : expression_number(name, strlen(name), out);
}

/* Rows are not everywhere: `=` holds at the first row behind the place where both are equal, too. */
static bool holds(struct stop_condition *c, const struct plots *plots, const struct plot *p)
{
    double left, right;
    if (!value_of(plots, p, c->left, &left) || !value_of(plots, p, c->right, &right))
        return false;
    const double difference = left - right, before = c->before;
    c->before = difference;
    switch (c->comparison) {
    case STOP_ABOVE:
        return difference > 0;
    case STOP_NOT_BELOW:
        return difference >= 0;
    case STOP_BELOW:
        return difference < 0;
    case STOP_NOT_ABOVE:
        return difference <= 0;
    case STOP_EQUAL:
        return difference == 0 || (before < 0 && difference > 0) || (before > 0 && difference < 0);
    case STOP_DIFFERENT:
        return difference != 0;
    }
    return false;
}

/* All that one of them asks for. */
static bool is_reached(struct stop *s, long rows, const struct plots *plots, const struct plot *p)
{
    bool all = s->after == 0 || (s->count > 0 ? rows >= s->after : rows == s->after);
    for (size_t i = 0; i < s->count; i++) /* each of them notes what it has seen */
        all = holds(&s->conditions[i], plots, p) && all;
    const bool before = s->reached;
    s->reached = all;
    return all && !before;
}

bool stops_reached(struct stops *s, const struct plots *plots, const struct plot *p, char *text, size_t size)
{
    bool reached = false;
    s->rows++;
    for (size_t i = 0; i < s->count; i++) {
        const bool one = is_reached(&s->items[i], s->rows, plots, p);
        if (one && !reached)
            snprintf(text, size, "stop %d", s->items[i].number);
        reached |= one;
    }
    if (s->left > 0 && --s->left == 0) {
        if (!reached)
            snprintf(text, size, "step");
        reached = true;
    }
    if (reached)
        s->left = 0;
    return reached;
}

/* Of `time = 1m` or `1m < time`; NaN: of anything else. */
static double time_of(const struct stop_condition *c)
{
    const bool left = strcasecmp(c->left, "time") == 0, right = strcasecmp(c->right, "time") == 0;
    const char *number = left ? c->right : c->left;
    double time;
    return left != right && expression_number(number, strlen(number), &time) ? time : NAN;
}

double stops_next_time(const struct stops *s, double time)
{
    double next = INFINITY;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->items[i].count; k++) {
            const double at = time_of(&s->items[i].conditions[k]);
            if (at > time)
                next = fmin(next, at);
        }
    return next;
}

/* ---- commands ---- */

static bool read_sign(const char *word, enum stop_comparison *out)
{
    for (int i = 0; i < SIGNS; i++)
        if (strcasecmp(word, signs[i].sign) == 0 || strcasecmp(word, signs[i].word) == 0) {
            *out = (enum stop_comparison)i;
            return true;
        }
    return false;
}

/* The line with blanks around signs, but not within v(a) or @m1[id]. */
static const char *spaced(struct state *s, const char *rest)
{
    char *out = arena_alloc(s->scratch, 3 * strlen(rest) + 1), *to = out;
    for (const char *c = rest; out && *c; c++) {
        const bool sign = strchr("<>=", *c) != NULL, before = c > rest && strchr("<>=", c[-1]) != NULL;
        if (sign != before && c > rest)
            *to++ = ' ';
        *to++ = *c;
    }
    if (!out)
        state_no_memory(s);
    return out;
}

static bool read_condition(struct state *s, const char **text, struct stop *out)
{
    const char *left = state_word(s, text), *sign = left ? state_word(s, text) : NULL,
               *right = sign ? state_word(s, text) : NULL;
    struct stop_condition c = {.before = NAN};
    if (!right || !read_sign(sign, &c.comparison))
        return state_fail(s, "stop when v(out) > 1", "stop: expected a condition behind 'when'");
    if (out->count == MOST_CONDITIONS)
        return state_fail(s, NULL, "stop: at most %d conditions go together", MOST_CONDITIONS);
    c.left = strdup(left);
    c.right = strdup(right);
    out->conditions[out->count++] = c;
    return (c.left && c.right) || state_no_memory(s);
}

static bool read_stop(struct state *s, const char *rest, struct stop *out)
{
    const char *text = spaced(s, rest);
    bool good = text != NULL;
    for (const char *word; good && (word = state_word(s, &text));) {
        double after = 0;
        if (strcasecmp(word, "when") == 0) {
            good = read_condition(s, &text, out);
        } else if (strcasecmp(word, "after") == 0 && (word = state_word(s, &text)) &&
                   expression_number(word, strlen(word), &after) && after >= 1) {
            out->after = (long)after;
        } else {
            return state_fail(s, "stop after 100, stop when v(out) > 1",
                              "stop: expected 'after' and a number of rows, "
                              "or 'when' and a condition");
        }
    }
    return good && (out->count > 0 || out->after > 0 ||
                    state_fail(s, "stop after 100, stop when v(out) > 1", "stop: expected 'after' or 'when'"));
}

bool stops_add(struct stops *s, struct state *state, const char *rest)
{
    struct stop one = {.number = s->numbers + 1};
    bool good = read_stop(state, rest, &one);
    if (good && !array_reserve(&s->items, s->count + 1, &s->capacity, sizeof *s->items))
        good = state_no_memory(state);
    if (!good) {
        stop_free(&one);
        return false;
    }
    s->numbers++;
    s->items[s->count++] = one;
    return true;
}

bool stops_check(struct state *state, const char *rest)
{
    struct stop one = {.number = 0};
    const bool good = read_stop(state, rest, &one);
    stop_free(&one);
    return good;
}

bool stops_delete(struct stops *s, struct state *state, const char *rest)
{
    const char *word = state_word(state, &rest);
    if (!word || strcasecmp(word, "all") == 0) {
        for (size_t i = 0; i < s->count; i++)
            stop_free(&s->items[i]);
        s->count = 0;
        return true;
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].number == atoi(word)) {
            stop_free(&s->items[i]);
            memmove(&s->items[i], &s->items[i + 1], (s->count - i - 1) * sizeof *s->items);
            s->count--;
            return true;
        }
    return state_fail(state, "status lists them", "delete: there is no stop '%s'", word);
}

void stops_list(const struct stops *s, struct state *state)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct stop *one = &s->items[i];
        state_print(state, "%d stop", one->number);
        if (one->after > 0)
            state_print(state, " after %ld", one->after);
        for (size_t k = 0; k < one->count; k++)
            state_print(state, " when %s %s %s", one->conditions[k].left, signs[one->conditions[k].comparison].sign,
                        one->conditions[k].right);
        state_print(state, "\n");
    }
}
