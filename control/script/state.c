/* state.c - see state.h. */
#include "control/script/state.h"

#include "base/array.h"
#include "netlist/deck/deck_reader.h"
#include "netlist/expression/expression.h"
#include "output/sinks.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

/* ---- messages ---- */

static void say(struct state *s, enum kn_severity severity, const char *hint, const char *format, va_list arguments)
{
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    diagnostics_add(s->request->diagnostics, severity, "control", s->command ? s->command->where : NOWHERE, hint, "%s",
                    text);
}

bool state_fail(struct state *s, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!s->forgiving || !s->dry)
        say(s, s->forgiving ? KN_WARNING : KN_ERROR, hint, format, arguments);
    va_end(arguments);
    if (s->status == KN_OK && !s->forgiving)
        s->status = s->analysed ? KN_ERROR_CIRCUIT : KN_ERROR_DECK;
    return false;
}

void state_warn(struct state *s, const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(s, KN_WARNING, hint, format, arguments);
    va_end(arguments);
}

bool state_no_memory(struct state *s)
{
    s->status = KN_ERROR_MEMORY;
    return false;
}

void state_print(struct state *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s->redirected) {
        vfprintf(s->redirected, format, arguments);
    } else {
        const char *text = arena_format_list(s->scratch, format, arguments);
        plots_let(&s->plots);
        if (text)
            s->request->hooks->print(s->request->hooks->context, text);
        else
            state_no_memory(s);
        plots_hold(&s->plots);
    }
    va_end(arguments);
}

bool state_note_vector(struct state *s, const char *name)
{
    s->made = arena_format(s->arena, "%s %s", s->made ? s->made : "", name);
    return s->made || state_no_memory(s);
}

bool state_interrupted(const struct state *s)
{
    const struct kn_options *o = s->request->options;
    return o && o->interrupted && o->interrupted(o->context);
}

/* ---- variables ---- */

const struct variable *state_variable(const struct state *s, const char *name)
{
    for (size_t i = 0; i < s->variable_count; i++)
        if (strcasecmp(s->variables[i].name, name) == 0 && s->variables[i].set)
            return &s->variables[i];
    return NULL;
}

bool state_is_set(const struct state *s, const char *name)
{
    return state_variable(s, name) != NULL;
}

double state_number(const struct state *s, const char *name, double otherwise)
{
    const struct variable *v = state_variable(s, name);
    double value;
    return v && v->count == 1 && expression_number(v->words[0], strlen(v->words[0]), &value) ? value : otherwise;
}

static struct variable *slot_of(struct state *s, const char *name)
{
    for (size_t i = 0; i < s->variable_count; i++)
        if (strcasecmp(s->variables[i].name, name) == 0)
            return &s->variables[i];
    if (!array_reserve_in(s->arena, &s->variables, s->variable_count, s->variable_count + 1, &s->variable_capacity,
                          sizeof *s->variables))
        return NULL;
    struct variable *v = &s->variables[s->variable_count];
    *v = (struct variable){.name = arena_text(s->arena, name, strlen(name))};
    s->variable_count += v->name != NULL;
    return v->name ? v : NULL;
}

bool state_set(struct state *s, const char *name, const char *const *words, size_t count)
{
    struct variable *v = slot_of(s, name);
    const char **copies = arena_array(s->arena, count + 1, sizeof *copies);
    if (!v || !copies)
        return state_no_memory(s);
    for (size_t i = 0; i < count; i++)
        if (!(copies[i] = arena_text(s->arena, words[i], strlen(words[i]))))
            return state_no_memory(s);
    v->words = copies;
    v->count = count;
    v->set = true;
    return true;
}

void state_unset(struct state *s, const char *name)
{
    for (size_t i = 0; i < s->variable_count; i++)
        if (strcasecmp(s->variables[i].name, name) == 0)
            s->variables[i].set = false;
}

/* ---- formulas ---- */

struct formula state_formula(struct state *s, const char *text)
{
    const struct variable *units = state_variable(s, "units"), *given = state_variable(s, "mtimeavgwindow");
    double window = 0;
    if (given && given->count == 1)
        expression_number(given->words[0], strlen(given->words[0]), &window);
    return (struct formula){.arena = s->scratch,
                            .plots = &s->plots,
                            .circuit = s->request->circuit ? s->request->circuit->circuit : NULL,
                            .set.degrees = units && units->count == 1 && strcasecmp(units->words[0], "degrees") == 0,
                            .set.window = window,
                            .definitions = s->definitions,
                            .device_value = s->device_value,
                            .context = s,
                            .draws = &s->draws,
                            .dry = s->dry,
                            .at = text};
}

static bool failed(struct state *s, const struct formula *f)
{
    return state_fail(s, *f->hint ? diagnostics_hint(s->request->diagnostics, "%s", f->hint) : NULL, "%s: %s",
                      s->command->name, f->why);
}

bool state_evaluate(struct state *s, const char *text, struct values *out)
{
    struct formula f = state_formula(s, text);
    return formula_whole(&f, text, out) || failed(s, &f);
}

bool state_evaluate_next(struct state *s, struct formula *f, struct values *out, const char **begin)
{
    return formula_next(f, out, begin) || failed(s, f);
}

bool state_evaluate_number(struct state *s, const char *text, double *out)
{
    struct values x;
    if (!state_evaluate(s, text, &x))
        return false;
    if (x.count != 1 || (x.is_complex && cimag(x.at[0]) != 0))
        return state_fail(s, "v[0] is the first number of a vector, vecmax(v) the largest",
                          "%s: expected one real number, '%s' has %zu%s", s->command->name, text, x.count,
                          x.is_complex ? ", complex" : "");
    *out = creal(x.at[0]);
    return true;
}

/* As in ngspice, a vector is true where one of its numbers is not 0. */
bool state_condition(struct state *s, const char *text, bool *out)
{
    struct values x;
    *out = false;
    if (text[strspn(text, " \t")] == '\0') { /* as in ngspice; a script is looked at before it is obeyed */
        if (s->dry)
            state_warn(s, NULL, "%s: there is no condition; it counts as false", s->command->name);
        return true;
    }
    if (!state_evaluate(s, text, &x))
        return false;
    for (size_t i = 0; i < x.count; i++)
        *out |= x.at[i] != 0;
    return true;
}

/* ---- files ---- */

/* Why a deck, which may come from anywhere, does not write a file of that name: it writes nowhere but beside its outputs,
 * and no file that a shell or another program reads unasked.  NULL: it may. */
static const char *not_plain(const char *name)
{
    if (*name == '\0' || strchr(name, '/'))
        return "it is no plain name";
    if (*name == '.' || *name == '-')
        return "it begins with a dot or a dash";
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return "there is a control character in it";
    return NULL;
}

/* What a deck names, without the folder, which it does not choose. */
static const char *without_folder(struct state *s, const char *name)
{
    const char *plain = name + strlen(name);
    while (plain > name && plain[-1] != '/' && plain[-1] != '\\')
        plain--;
    if (plain > name && !not_plain(plain) && !s->dry)
        state_warn(s, "--prompt writes wherever the commands say", "%s: '%s' is written as '%s' beside the result file",
                   s->command->name, name, plain);
    return plain;
}

const char *state_place(struct state *s, const char *name)
{
    char path[4096];
    const char *file = s->anywhere ? name : without_folder(s, name);
    const char *why = s->anywhere ? NULL : not_plain(file);
    if (!why)
        why = s->request->hooks->place(s->request->hooks->context, file, path, sizeof path);
    if (why) {
        state_fail(s, "a deck writes files of plain names beside the result file", "%s: '%s' is not written: %s",
                   s->command->name, name, why);
        return NULL;
    }
    const char *kept = arena_text(s->scratch, path, strlen(path));
    if (!kept)
        state_no_memory(s);
    return kept;
}

FILE *state_open(struct state *s, const char *name, bool append)
{
    const char *path = state_place(s, name);
    FILE *f = path ? fopen(path, append ? "a" : "w") : NULL;
    if (path && !f) {
        state_fail(s, NULL, "%s: cannot write '%s': %s", s->command->name, path, strerror(errno));
        s->status = KN_ERROR_IO;
    }
    return f;
}

bool state_close(struct state *s, FILE *f, const char *name)
{
    const bool bad = ferror(f);
    if (fclose(f) == 0 && !bad)
        return true;
    state_fail(s, NULL, "%s: cannot write '%s': %s", s->command->name, name, strerror(errno));
    s->status = KN_ERROR_IO;
    return false;
}

void state_close_results(struct state *s)
{
    for (; s->results; s->results = s->results->next)
        sink_free(&s->results->sink);
}

const char *state_word(struct state *s, const char **text)
{
    const char *at = *text + strspn(*text, " \t");
    if (!*at)
        return NULL;
    const bool quoted = *at == '"' && strchr(at + 1, '"');
    at += quoted;
    const size_t length = strcspn(at, quoted ? "\"" : " \t");
    *text = at + length + quoted;
    const char *word = arena_text(s->scratch, at, length);
    if (!word)
        state_no_memory(s);
    return word;
}

/* .func f(x) {x*3}; those in branches of .if are left out. */
static bool take_function(struct state *s, const struct function_card *f)
{
    const bool fits = !f->branch && f->argument_count <= MOST_ARGUMENTS && f->body && f->body->text;
    struct definition *made = fits ? arena_alloc(s->arena, sizeof *made) : NULL;
    const char **parameters = made ? arena_array(s->arena, f->argument_count + 1, sizeof *parameters) : NULL;
    if (!fits)
        return true;
    if (!parameters)
        return false;
    for (size_t i = 0; i < f->argument_count; i++)
        parameters[i] = arena_text(s->arena, f->arguments[i], strlen(f->arguments[i]));
    *made = (struct definition){.name = arena_text(s->arena, f->name, strlen(f->name)),
                                .parameters = parameters,
                                .count = f->argument_count,
                                .body = arena_text(s->arena, f->body->text, strlen(f->body->text)),
                                .next = s->of_cards};
    s->of_cards = made;
    return made->name && made->body;
}

bool state_take_deck(struct state *s, const struct kn_circuit *c)
{
    bool good = true;
    for (size_t i = 0; c && good && i < c->circuit->command_value_count; i++)
        good = plots_put_constant(&s->plots, c->circuit->command_values[i].name, c->circuit->command_values[i].value);
    s->of_cards = NULL;
    for (const struct function_card *f = c ? deck_functions(c->deck) : NULL; good && f; f = f->next)
        good = take_function(s, f);
    s->definitions = s->of_cards;
    return good || state_no_memory(s);
}
