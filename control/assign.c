/* assign.c - see assign.h. */
#include "control/assign.h"

#include "control/analyse.h"
#include "control/report.h"
#include "control/script/lists.h"
#include "control/spectral.h"
#include "netlist/expression/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- let name = formula, let name[2] = formula ---- */

/* The plot whose vector is meant, and its name without that.  What the constants have and the current plot lacks is theirs, as
 * in ngspice: a counter from before the first analysis counts through all. */
static struct plot *plot_of(struct state *s, const char **name)
{
    const char *dot = strchr(*name, '.');
    char *prefix = dot ? arena_text(s->scratch, *name, (size_t)(dot - *name)) : NULL;
    struct plot *p = prefix ? plots_find(&s->plots, prefix) : NULL;
    if (p)
        *name = dot + 1;
    struct plot *const constants = p ? NULL : plots_find(&s->plots, "const");
    const bool is_theirs = constants && !plot_find(s->plots.current, *name) && plot_find(constants, *name);
    return p ? p : is_theirs ? constants : s->plots.current;
}

static bool put(struct state *s, struct plot *p, const char *name, const struct values *v)
{
    return plot_put(p, name, v) || state_no_memory(s);
}

/* let x[2] = 3, and of a table its rows: let x[2] = v(out), let x[2][0] = 3.  brackets: the text from the first one on. */
static bool put_element(struct state *s, struct plot *p, const char *name, const char *brackets, const struct values *v)
{
    const struct vector_kept *kept = s->dry ? NULL : plot_find(p, name);
    struct values all = kept ? plot_values(kept, s->scratch) : (struct values){0};
    if (!kept && !s->dry)
        return state_fail(s, "let x = vector(10) makes one", "let: there is no vector '%s' yet", name);
    if (kept && !all.at)
        return state_no_memory(s);
    struct values left = all;
    for (const char *close; *brackets == '['; brackets = close + 1 + strspn(close + 1, " \t")) {
        double index = 0;
        close = strchr(brackets, ']');
        const char *text = close ? arena_text(s->scratch, brackets + 1, (size_t)(close - brackets - 1)) : NULL;
        if (!close)
            return state_fail(s, NULL, "let: expected ']' behind the index of '%s'", name);
        if (!text || !state_evaluate_number(s, text, &index))
            return text ? false : state_no_memory(s);
        const size_t block = shape_block(&left.shape, left.count), count = left.count / block;
        if (!s->dry && !(rint(index) >= 0 && rint(index) < (double)count))
            return state_fail(s, NULL, "let: '%s' has %zu numbers, from 0, and one can be set at %g", name, count,
                              index);
        left.at = s->dry ? NULL : left.at + (size_t)rint(index) * block;
        left.count = block;
        left.shape = shape_of_block(&left.shape);
    }
    if (!s->dry && v->count != left.count)
        return state_fail(s, NULL, "let: this part of '%s' has %zu numbers, and is given %zu", name, left.count,
                          v->count);
    for (size_t i = 0; !s->dry && i < v->count; i++)
        left.at[i] = v->at[i];
    all.is_complex |= v->is_complex;
    return s->dry || put(s, p, name, &all);
}

static const char *trimmed(struct state *s, const char *from, const char *to)
{
    while (from < to && strchr(" \t", *from))
        from++;
    while (to > from && strchr(" \t", to[-1]))
        to--;
    return arena_text(s->scratch, from, (size_t)(to - from));
}

/* let x = a > name: ngspice writes into a file of that name, and so it is here unless the name is a number or a vector. */
static bool redirect(struct state *s, const char **rest)
{
    const char *sign = list_redirect_sign(*rest), *at = sign ? sign + 1 + (sign[1] == '>') : NULL;
    double number;
    const char *name = at ? state_word(s, &at) : NULL;
    if (!name || s->dry || at[strspn(at, " \t")] || strpbrk(name, "()*/+=<>"))
        return true;
    const bool is_number = expression_number(name, strlen(name), &number);
    if (!is_number && plots_vector(&s->plots, s->plots.current, name))
        return true;
    state_warn(s, "put a comparison into parentheses: let x = (a > b)",
               is_number ? "let: this compares with %s; ngspice would write into a file of that name"
                         : "let: there is no vector '%s', and the result goes into a file of that name, as in ngspice",
               name);
    return is_number || list_redirect(s, rest);
}

/* v(/22): what looks like the voltage of a node, which may be called anything; its length, or 0. */
static size_t length_of_node(const char *name)
{
    const size_t length = strlen(name);
    const bool voltage = length > 3 && (*name == 'v' || *name == 'V') && name[1] == '(' && name[length - 1] == ')';
    return voltage && strcspn(name + 2, " \t()") == length - 3 ? length - 3 : 0;
}

/* While the script is only looked at: a vector that there is from here on. */
static bool note(struct state *s, const char *name)
{
    const size_t length = length_of_node(name);
    const char *noted = length ? arena_text(s->scratch, name + 2, length) : name;
    return noted ? state_note_vector(s, noted) : state_no_memory(s);
}

bool assign_let(struct state *s, const char *rest)
{
    if (strchr(rest, '=') && !redirect(s, &rest))
        return false;
    const char *equals = strchr(rest, '='), *bracket = strchr(rest, '[');
    struct values v;
    if (!equals && !strchr(rest, '>') && *rest)
        return state_fail(s, "let x = 2*v(out)", "let: expected a name, = and a formula");
    if (!equals) /* alone it lists what there is */
        return report_display(s, rest);
    bracket = bracket && bracket < equals ? bracket : NULL;
    const char *name = trimmed(s, rest, bracket ? bracket : equals);
    if (!name)
        return state_no_memory(s);
    const bool is_own = spectral_is_setting(name); /* lin-tstart and the like have a minus sign in their names */
    if (!is_own && !length_of_node(name) &&
        (!(isalpha((unsigned char)*name) || *name == '_' || (unsigned char)*name >= 0x80) ||
         strpbrk(name, " \t+-*/()")))
        return state_fail(s, NULL, "let: '%s' is no name of a vector", name);
    if (!state_evaluate(s, equals + 1, &v))
        return false;
    struct plot *p = s->dry ? NULL : plot_of(s, &name);
    if (!bracket)
        return s->dry ? note(s, name) : put(s, p, name, &v);
    const char *brackets = trimmed(s, bracket, equals);
    return brackets ? put_element(s, p, name, brackets, &v) : state_no_memory(s);
}

bool assign_unlet(struct state *s, const char *rest)
{
    for (const char *word; (word = state_word(s, &rest));) {
        struct plot *p = s->dry ? NULL : plot_of(s, &word);
        struct vector_kept *v = p ? plot_find(p, word) : NULL;
        if (v && v->of_analysis && p->grows)
            return state_fail(s, "resume lets it go on to its end", "unlet: the analysis of plot %s has not ended",
                              p->name);
        if (v)
            plot_remove(p, v);
        else if (!s->dry)
            state_warn(s, NULL, "unlet: there is no vector '%s'", word);
    }
    return true;
}

/* ---- set name, set name = word, set name = ( words ) ---- */

/* The line with blanks around = and parentheses, so that they are words. */
static const char *spaced(struct state *s, const char *rest)
{
    char *out = arena_alloc(s->scratch, 3 * strlen(rest) + 1), *to = out;
    bool quoted = false;
    for (const char *c = rest; out && *c; c++) {
        quoted ^= *c == '"';
        const bool apart = !quoted && strchr("=()", *c);
        if (apart)
            *to++ = ' ';
        *to++ = *c;
        if (apart)
            *to++ = ' ';
    }
    if (!out)
        state_no_memory(s);
    return out;
}

/* curplot, curplottitle and curplotname are of the plot, as in ngspice; *taken: it was one of them. */
static bool set_plot(struct state *s, const char *name, const char *word, bool *taken)
{
    struct plot *p = s->plots.current;
    char **text = strcasecmp(name, "curplottitle") == 0  ? &p->title
                  : strcasecmp(name, "curplotname") == 0 ? &p->label
                                                         : NULL;
    *taken = word && (text || strcasecmp(name, "curplot") == 0);
    if (!*taken || s->dry)
        return true;
    if (!text)
        return assign_setplot(s, word);
    char *copy = strdup(word);
    if (!copy)
        return state_no_memory(s);
    free(*text);
    *text = copy;
    return true;
}

static bool set_one(struct state *s, const char *name, const char *const *words, size_t count)
{
    double value;
    bool taken;
    if (!set_plot(s, name, count == 1 ? words[0] : NULL, &taken) || taken)
        return s->status == KN_OK;
    if (!state_set(s, name, words, count))
        return false;
    if (!analyse_is_option(name))
        return true;
    if (count != 1 || !expression_number(words[0], strlen(words[0]), &value))
        return state_fail(s, NULL, "set: option '%s' is a number", name);
    return analyse_option(s, name, value);
}

const char *assign_set_name(struct state *s, const char *rest)
{
    const char *text = spaced(s, rest);
    return text ? state_word(s, &text) : NULL;
}

bool assign_set(struct state *s, const char *rest)
{
    const char *text = spaced(s, rest);
    const char **words = arena_array(s->scratch, strlen(rest) + 2, sizeof *words);
    bool good = text && words;
    for (const char *name; good && s->status == KN_OK && (name = state_word(s, &text));) {
        const char *after = text, *equals = state_word(s, &after), *word;
        size_t count = 0;
        if (equals && strcmp(equals, "=") == 0) {
            text = after;
            word = state_word(s, &text);
            if (word && strcmp(word, "(") == 0)
                while ((word = state_word(s, &text)) && strcmp(word, ")") != 0)
                    words[count++] = word;
            else if (word)
                words[count++] = word;
            if (!word)
                return state_fail(s, "set x = 3, set x = ( 1 2 3 )", "set: the value of '%s' is missing or not closed",
                                  name);
        }
        if (strncasecmp(name, "auto_bridge", 11) == 0 && !s->dry)
            state_warn(s, "put the bridges into the deck: A1 [analog] [logic] bridge",
                       "set: '%s' is not used: nodes of logic and voltages get an adc_bridge or a dac_bridge", name);
        good = set_one(s, name, words, count);
    }
    return good;
}

bool assign_unset(struct state *s, const char *rest)
{
    for (const char *word; (word = state_word(s, &rest));)
        state_unset(s, word);
    return true;
}

/* ---- option name = number, option flag ---- */

bool assign_option(struct state *s, const char *rest)
{
    const char *text = spaced(s, rest);
    for (const char *name; text && s->status == KN_OK && (name = state_word(s, &text));) {
        const char *behind = text, *equals = state_word(s, &behind);
        const bool flag = !equals || strcmp(equals, "=") != 0;
        const char *word = flag ? "1" : state_word(s, &behind);
        double value;
        text = flag ? text : behind;
        if (word && !flag && strcasecmp(name, "method") == 0) {
            if (!s->dry)
                diagnostics_add(s->request->diagnostics, KN_NOTE, "option-method", s->command->where,
                                "--method chooses, and .options method=trap on a card",
                                "option method=%s: the method of integration stays as it is", word);
            continue;
        }
        if (!word || !expression_number(word, strlen(word), &value))
            return state_fail(s, "option reltol = 1e-5; what is no number stands on a card, .options method=trap",
                              "option: expected a number for '%s'", name);
        if (!analyse_option(s, name, value))
            return false;
    }
    return s->status == KN_OK;
}

/* ---- functions, random numbers, texts ---- */

bool assign_define(struct state *s, const char *rest)
{
    const char *why = NULL;
    struct definition *made = arena_alloc(s->arena, sizeof *made);
    if (!made)
        return state_no_memory(s);
    for (const struct definition *d = *rest || s->dry ? NULL : s->definitions; d; d = d->next) {
        for (size_t i = 0; i < d->count; i++)
            state_print(s, "%s%s", i ? "," : arena_format(s->scratch, "%s(", d->name), d->parameters[i]);
        state_print(s, ") %s\n", d->body);
    }
    if (!*rest)
        return true;
    if (!definition_read(s->arena, rest, made, &why))
        return state_fail(s, "define mismatch(a,b,err) abs(a-b) > err", "define: %s", why);
    made->next = s->definitions;
    s->definitions = made;
    return true;
}

bool assign_undefine(struct state *s, const char *rest)
{
    for (const char *word; (word = state_word(s, &rest));) {
        const struct definition *kept = NULL;
        for (const struct definition *d = s->definitions; d; d = d->next) {
            struct definition *copy =
                strcasecmp(d->name, word) == 0 || strcmp(word, "*") == 0 ? NULL : arena_alloc(s->arena, sizeof *copy);
            if (copy) {
                *copy = *d;
                copy->next = kept;
                kept = copy;
            }
        }
        s->definitions = kept;
    }
    return true;
}

bool assign_seed(struct state *s, const char *rest)
{
    double seed = 1;
    if (*rest && !state_evaluate_number(s, rest, &seed))
        return false;
    if (!(seed >= 0 && seed <= 4294967295.0 && seed == rint(seed)))
        return state_fail(s, NULL, "setseed: a seed is a whole number from 0 to 4294967295");
    s->draws = (struct vector_draws){.seed = (uint32_t)seed};
    return true;
}

/* strcmp name "a" "b": -1, 0 or 1 into a variable. */
bool assign_compare(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest), *a = name ? state_word(s, &rest) : NULL;
    const char *b = a ? state_word(s, &rest) : NULL;
    if (!b)
        return state_fail(s, "strcmp flag \"$a\" \"$b\"", "strcmp: expected the name of a variable and two texts");
    const int order = strcmp(a, b);
    const char *const word = order < 0 ? "-1" : order > 0 ? "1" : "0";
    return state_set(s, name, &word, 1);
}

static bool set_number(struct state *s, const char *name, long number)
{
    const char *const word = arena_format(s->scratch, "%ld", number);
    return word ? state_set(s, name, &word, 1) : state_no_memory(s);
}

/* strstr name "text" "part": where the part begins, -1 without it; of an empty part the length of the text. */
bool assign_find(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest), *text = name ? state_word(s, &rest) : NULL;
    const char *part = text ? state_word(s, &rest) : NULL;
    if (!part)
        return state_fail(s, "strstr at \"$text\" \"part\"", "strstr: expected the name of a variable and two texts");
    const char *found = strstr(text, part);
    return set_number(s, name, !*part ? (long)strlen(text) : found ? (long)(found - text) : -1);
}

/* strslice name "text" offset length: a part of it; a negative offset counts from its end. */
bool assign_slice(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest), *text = name ? state_word(s, &rest) : NULL;
    const char *offset = text ? state_word(s, &rest) : NULL, *length = offset ? state_word(s, &rest) : NULL;
    double from, count;
    if (!length)
        return state_fail(s, "strslice part \"$text\" 0 3",
                          "strslice: expected the name of a variable, a text, an offset and a length");
    if (!state_evaluate_number(s, offset, &from) || !state_evaluate_number(s, length, &count))
        return false;
    const double whole = (double)strlen(text);
    from = from < 0 ? from + whole : from;
    count = count > whole - from ? whole - from : count;
    const bool some = from >= 0 && count > 0;
    const char *const part = arena_text(s->scratch, text + (some ? (size_t)from : 0), some ? (size_t)count : 0);
    return part ? state_set(s, name, &part, 1) : state_no_memory(s);
}

/* shift name [n]: a list without its first n words, 1 without a number. */
bool assign_shift(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest), *word = name ? state_word(s, &rest) : NULL;
    double count = 1;
    if (!name)
        return state_fail(s, "shift list 2", "shift: expected the name of a variable");
    if (word && !state_evaluate_number(s, word, &count))
        return false;
    const struct variable *v = state_variable(s, name);
    if (s->dry)
        return true;
    if (!v || !(count >= 0 && count <= (double)v->count))
        return state_fail(s, NULL, v ? "shift: '%s' has no %g words" : "shift: there is no variable '%s'", name, count);
    return state_set(s, name, v->words + (size_t)count, v->count - (size_t)count);
}

/* ---- plots ---- */

static struct plot *plot_named(struct state *s, const char *name)
{
    struct plot *p = plots_find(&s->plots, name);
    if (!p)
        state_fail(s, "setplot without a name lists the plots", "%s: there is no plot '%s'", s->command->name, name);
    return p;
}

bool assign_setplot(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (s->dry)
        return true;
    for (const struct plot *p = name ? NULL : s->plots.first; p; p = p->next)
        state_print(s, "%s\t%s\t%s (%s)\n", p == s->plots.current ? "Current" : "", p->name, p->title, p->label);
    if (!name)
        return true;
    struct plot *p = strcasecmp(name, "new") == 0
                         ? plots_add(&s->plots, "unknown", s->plots.current->title, "made by hand")
                     : strcasecmp(name, "previous") == 0 ? s->plots.current->next
                     : strcasecmp(name, "next") == 0     ? s->plots.first
                                                         : plot_named(s, name);
    for (struct plot *i = strcasecmp(name, "next") == 0 ? s->plots.first : NULL; i && i != s->plots.current;
         i = i->next)
        p = i;
    s->plots.current = p ? p : s->plots.current;
    return s->status == KN_OK;
}

bool assign_setscale(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (!name)
        return state_fail(s, NULL, "setscale: expected the name of a vector");
    if (s->dry)
        return true;
    struct plot *p = s->plots.current;
    const struct vector_kept *v = plots_vector(&s->plots, p, name);
    if (!v || v < p->vectors || v >= p->vectors + p->count)
        return state_fail(s, NULL, "setscale: there is no vector '%s' in plot %s", name, p->name);
    p->scale = (size_t)(v - p->vectors);
    return true;
}

bool assign_destroy(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    const bool all = name && strcasecmp(name, "all") == 0;
    if (s->dry)
        return true;
    if (!name)
        name = s->plots.current->name;
    for (; name && !all; name = state_word(s, &rest)) {
        struct plot *p = plot_named(s, name);
        if (!p)
            return false;
        if (strcmp(p->name, "const") == 0)
            return state_fail(s, NULL, "destroy: the plot of constants stays");
        plots_destroy(&s->plots, p);
    }
    if (all)
        s->plots.number = 0; /* the next one is tran1 again */
    for (struct plot *p = all ? s->plots.first : NULL, *next; p; p = next) {
        next = p->next;
        if (strcmp(p->name, "const") != 0)
            plots_destroy(&s->plots, p);
    }
    return true;
}
