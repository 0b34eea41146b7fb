/* laplace.c - E, G and B by a transfer function:
 *
 *     PSpice    E1 a b LAPLACE {V(in)} = {1/(1+s*1u)}          LTspice  E1 a b c d Laplace=1/(1+s*1u)
 *     HSPICE    E1 a b LAPLACE c d k0 k1 .. / d0 d1 ..                  coefficients of powers of s, ascending
 *               E1 a b POLE c d k z1 fz1 .. / d p1 fp1 ..               k (s + z1)^2 + (2 pi fz1)^2 .., s + z1 for fz1 0
 *     PSpice    E1 a b FREQ {V(in)} = [MAG] [RAD] [R_I] (f,dB,degrees) (f,dB,degrees) .. [DELAY=td]
 *     HSPICE    E1 a b FREQ c d f dB degrees f dB degrees ..             and E1 a b c d FREQ=(f,dB,degrees)(f,dB,degrees) ..
 *     PSpice    E1 a b CHEBYSHEV {V(in)} = LP 800 1.2k 0.1dB 50dB
 *
 * (PSpice A/D Reference Guide, analog behavioral modeling; LTspice's help, pages on E and B; HSPICE manual, E and G
 * elements.)
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/chebyshev.h"
#include "netlist/formulas/transfer_function.h"

#include <math.h>
#include <string.h>

/* ---- which cards ---- */

enum transfer_form { FORM_LAPLACE, FORM_POLE, FORM_CHEBYSHEV, FORM_FREQ, FORMS };
static const char *const form_names[FORMS] = {"laplace", "pole", "chebyshev", "freq"};

/* By the next word; FORMS: none. */
static enum transfer_form form_of(const struct card *c)
{
    const struct item *i = card_peek(c);
    int k = 0;
    while (k < FORMS && !(i && item_is(i, form_names[k])))
        k++;
    return (enum transfer_form)k;
}

bool card_has_transfer(const struct card *c)
{
    return form_of(c) < FORMS || card_assignment(c, "laplace") || card_assignment(c, "freq");
}

/* ---- transfer functions of s ---- */

static int find_s(void *context, const char *name)
{
    (void)context;
    return names_equal(name, "s") ? 0 : -1;
}

/* In functions of s LTspice's ^ is the power that ** is, not its exclusive or (LTspice's help, page on E); of complex numbers there is none
 * in the other dialects that have it either. */
static const struct expression_tree *tree_of_s(struct card *c, const struct item *i)
{
    const enum dialect dialect = c->x->deck->dialect;
    const bool is_or = dialect == DIALECT_LTSPICE || dialect == DIALECT_PSPICE || dialect == DIALECT_XYCE;
    if (!is_or || !strchr(i->text, '^'))
        return expand_tree(c->x, i);
    char *text = arena_alloc(c->x->deck->scratch, 2 * strlen(i->text) + 1), *to = text;
    for (const char *from = i->text; text && *from; from++) {
        *to++ = *from == '^' ? '*' : *from;
        if (*from == '^')
            *to++ = '*';
    }
    if (text)
        return expand_parse(c->x, text, (size_t)(to - text), i->where);
    deck_no_memory(c->x->deck);
    return NULL;
}

static const struct expression *function_of_s(struct card *c, struct item *i)
{
    const struct expression_resolver resolver = {.vector = find_s, .has_phasors = true};
    const struct expression_tree *tree = tree_of_s(c, i);
    return tree ? expression_compile(c->x->deck->arena, c->at->scope, tree, &resolver, c->x->deck->diagnostics) : NULL;
}

static bool report(struct card *c, enum transfer_outcome outcome, struct kn_location where)
{
    switch (outcome) {
    case TRANSFER_RATIONAL:
        return true;
    case TRANSFER_ADVANCED:
        return card_fail(c, "value-range", where, "a delay is written exp(-s*td)",
                         "%s: the transfer function would have to know the future", card_owner(c));
    case TRANSFER_NONE:
        return card_fail(c, "value-range", where, NULL, "%s: the transfer function divides by zero", card_owner(c));
    case TRANSFER_OTHER:
        return card_fail(c, "unsupported", where,
                         "write a ratio of polynomials of s, times exp(-s*td) where it is late",
                         "%s: the transfer function is no ratio of polynomials of s", card_owner(c));
    case TRANSFER_MEMORY:
        break;
    }
    return deck_no_memory(c->x->deck);
}

static bool read_function(struct card *c, enum element_law law, const struct expression_tree *argument,
                          struct item *function)
{
    struct response *response = arena_alloc(c->x->deck->arena, sizeof *response);
    const struct expression *of_s = response ? function_of_s(c, function) : NULL;
    if (!response)
        return deck_no_memory(c->x->deck);
    if (!of_s || !argument)
        return false;
    enum transfer_outcome outcome = transfer_of_expression(of_s, c->x->deck->arena, response);
    if (outcome == TRANSFER_OTHER) { /* for small signals any function will do */
        *response = (struct response){.of_s = of_s};
        outcome = TRANSFER_RATIONAL;
    }
    return report(c, outcome, function->where) && card_law_through(c, law, argument, "laplace", response);
}

/* ---- what it is applied to ---- */

static const struct expression_tree *voltage_between(struct card *c)
{
    struct arena *arena = c->x->deck->arena;
    const struct item *plus = card_take(c), *minus = card_take(c);
    if (!plus || !minus || plus->kind != ITEM_WORD || minus->kind != ITEM_WORD) {
        card_expected(c, "two controlling nodes or an expression");
        return NULL;
    }
    const struct circuit_name second = {minus->text, minus->where};
    return expression_tree_of(
        arena, node_voltage(arena, (struct circuit_name){plus->text, plus->where}, &second, plus->where));
}

/* ---- numbers of a list, which may stand behind `=`, in parentheses and after commas ---- */

static bool push_text(struct card *c, const struct item *i)
{
    struct arena *arena = c->x->deck->scratch;
    for (const char *at = i->text; *(at += strspn(at, " \t(),")); at += strcspn(at, " \t(),")) {
        struct item *word = arena_alloc(arena, sizeof *word), **slot = vector_push(&c->x->words);
        if (!word || !slot)
            return deck_no_memory(c->x->deck);
        *word = *i;
        word->kind = ITEM_WORD;
        word->text = arena_text(arena, at, strcspn(at, " \t(),"));
        word->next = NULL;
        word->is_number = word->text && expression_number(word->text, strlen(word->text), &word->numeric);
        *slot = word;
    }
    return true;
}

static bool push_items(struct card *c, struct item *i)
{
    bool good = true;
    for (; i && good; i = i->next) {
        const bool several = i->kind == ITEM_EXPRESSION && i->text[0] == '(';
        if (i->kind == ITEM_GROUP)
            good = push_items(c, i->inside);
        else
            good = several ? push_text(c, i) : expand_add(c->x, &c->x->words, &i);
    }
    return good;
}

/* What stands behind the `=` of an item, then the words that are left, become the words of the card. */
static bool collect_behind(struct card *c, struct item *before)
{
    const size_t count = c->word_count - c->next;
    struct item **left = arena_array(c->x->deck->scratch, count + 1, sizeof *left);
    if (!left)
        return deck_no_memory(c->x->deck);
    memcpy(left, c->words + c->next, count * sizeof *left);
    c->x->words.count = 0;
    bool good = !before || push_items(c, before->value);
    for (size_t k = 0; k < count && good; k++)
        good = left[k]->kind == ITEM_EXPRESSION && left[k]->text[0] == '(' ? push_text(c, left[k])
                                                                           : expand_add(c->x, &c->x->words, &left[k]);
    c->words = c->x->words.items;
    c->word_count = c->x->words.count;
    c->next = 0;
    return good;
}

struct number_list {
    double *at;
    size_t count;
};

/* Numbers up to a `/` or the end. */
static bool read_numbers(struct card *c, struct number_list *list)
{
    list->at = arena_array(c->x->deck->arena, c->word_count + 1, sizeof *list->at);
    list->count = 0;
    if (!list->at)
        return deck_no_memory(c->x->deck);
    for (; card_peek(c) && !item_is(card_peek(c), "/"); c->next++)
        if (!card_value(c, card_peek(c), &list->at[list->count++]))
            return false;
    return true;
}

/* Two lists with a `/` between them. */
static bool read_two_lists(struct card *c, const char *usage, struct number_list *first, struct number_list *second)
{
    if (!collect_behind(c, NULL) || !read_numbers(c, first))
        return false;
    const struct kn_location where = card_peek(c) ? card_peek(c)->where : c->statement->end;
    if (!card_take(c) || first->count == 0)
        return card_fail(c, "syntax", where, usage, "%s: expected coefficients on both sides of a '/'", card_owner(c));
    if (!read_numbers(c, second))
        return false;
    return second->count > 0 ||
           card_fail(c, "syntax", where, usage, "%s: there are no coefficients behind the '/'", card_owner(c));
}

/* ---- LAPLACE ---- */

static bool read_coefficients(struct card *c, enum element_law law, const struct expression_tree *argument)
{
    struct number_list numerator, denominator;
    struct response *response = arena_alloc(c->x->deck->arena, sizeof *response);
    if (!response)
        return deck_no_memory(c->x->deck);
    if (!read_two_lists(c, "write LAPLACE n+ n- k0 k1 / d0 d1", &numerator, &denominator))
        return false;
    const struct polynomial above = {numerator.at, numerator.count}, below = {denominator.at, denominator.count};
    const enum transfer_outcome outcome = transfer_of_factors(1, &above, 1, &below, 1, c->x->deck->arena, response);
    return report(c, outcome, c->e->where) && card_law_through(c, law, argument, "laplace", response) &&
           card_settings(c, NULL);
}

static bool read_laplace(struct card *c, enum element_law law)
{
    struct item *control = card_take(c)->next;
    c->control = control;
    if (control && control->kind == ITEM_EXPRESSION) {
        struct item *function = control->value ? control->value : control->next;
        c->next += card_peek(c) == control;
        c->next += !control->value && card_peek(c) == function;
        if (!function)
            return card_expected(c, "a transfer function: LAPLACE {V(in)} = {1/(1+s*1u)}");
        return card_end(c) && read_function(c, law, expand_tree(c->x, control), function) && card_settings(c, NULL);
    }
    const struct expression_tree *argument = voltage_between(c);
    return argument && read_coefficients(c, law, argument);
}

/* ---- POLE ---- */

/* Factors of the roots in pairs behind the first number of a list, which is a factor itself. */
static bool factors_of(struct card *c, const struct number_list *list, struct polynomial **factors, size_t *count)
{
    *count = list->count / 2;
    *factors = arena_array(c->x->deck->arena, *count + 1, sizeof **factors);
    if (!*factors)
        return deck_no_memory(c->x->deck);
    if (list->count % 2 == 0)
        return card_fail(c, "syntax", c->e->where, "write POLE n+ n- k z1 fz1 .. / d p1 fp1 ..",
                         "%s: the roots behind a factor are pairs of numbers", card_owner(c));
    for (size_t i = 0; i < *count; i++)
        if (!transfer_factor(list->at[1 + 2 * i], 2 * acos(-1) * list->at[2 + 2 * i], c->x->deck->arena,
                             &(*factors)[i]))
            return deck_no_memory(c->x->deck);
    return true;
}

static bool read_pole(struct card *c, enum element_law law)
{
    struct number_list above, below;
    struct polynomial *zeros, *poles;
    size_t zero_count, pole_count;
    struct response *response = arena_alloc(c->x->deck->arena, sizeof *response);
    if (!response)
        return deck_no_memory(c->x->deck);
    c->next++;
    const struct expression_tree *argument = voltage_between(c);
    if (!argument || !read_two_lists(c, "write POLE n+ n- k z1 fz1 .. / d p1 fp1 ..", &above, &below) ||
        !factors_of(c, &above, &zeros, &zero_count) || !factors_of(c, &below, &poles, &pole_count))
        return false;
    const enum transfer_outcome outcome = below.at[0] == 0
                                              ? TRANSFER_NONE
                                              : transfer_of_factors(above.at[0] / below.at[0], zeros, zero_count, poles,
                                                                    pole_count, c->x->deck->arena, response);
    return report(c, outcome, c->e->where) && card_law_through(c, law, argument, "pole", response) &&
           card_settings(c, NULL);
}

/* ---- an expression behind a word, and numbers behind it ---- */

/* WORD {expression} [=] ..: what is behind the expression is collected. */
static bool take_control(struct card *c, const char *word, const char *usage, struct response **response)
{
    struct item *control = card_take(c)->next;
    c->control = control;
    *response = arena_alloc(c->x->deck->arena, sizeof **response);
    if (!*response)
        return deck_no_memory(c->x->deck);
    if (!control || control->kind != ITEM_EXPRESSION)
        return card_fail(c, "syntax", c->e->where, usage, "%s: expected an expression behind %s", card_owner(c), word);
    c->next += card_peek(c) == control;
    return collect_behind(c, control);
}

/* ---- CHEBYSHEV ---- */

/* 0.1dB and 50dB are numbers with a unit, which begins like a suffix: d is none. */
static bool read_chebyshev(struct card *c, enum element_law law)
{
    static const char usage[] = "write CHEBYSHEV {V(in)} = LP 800 1.2k 0.1dB 50dB: type, frequencies (two, or four of "
                                "BP and BR), ripple, attenuation";
    struct response *response;
    struct number_list numbers;
    enum chebyshev_kind kind;
    if (!take_control(c, "CHEBYSHEV", usage, &response))
        return false;
    const struct item *control = c->control;
    if (!card_peek(c) || !chebyshev_kind_of(card_peek(c)->text, &kind))
        return card_fail(c, "syntax", control->where, usage, "%s: expected LP, HP, BP or BR", card_owner(c));
    c->next++;
    const char *why = NULL;
    if (!read_numbers(c, &numbers))
        return false;
    const enum transfer_outcome outcome =
        chebyshev_response(kind, numbers.at, numbers.count, c->x->deck->arena, response, &why);
    if (why)
        return card_fail(c, "value-range", control->where, usage, "%s: %s", card_owner(c), why);
    return report(c, outcome, control->where) &&
           card_law_through(c, law, expand_tree(c->x, control), "chebyshev", response) && card_settings(c, NULL);
}

/* ---- FREQ ---- */

/* What the numbers of a table are, by the words in front of them. */
struct table_units {
    bool magnitudes, radians, rectangular;
};

static void read_units(struct card *c, struct table_units *u)
{
    for (; card_peek(c); c->next++) {
        const struct item *i = card_peek(c);
        const bool rectangular = item_is(i, "r_i"), known = item_is(i, "db") || item_is(i, "deg");
        u->magnitudes |= item_is(i, "mag");
        u->radians |= item_is(i, "rad");
        u->rectangular |= rectangular;
        if (!known && !rectangular && !item_is(i, "mag") && !item_is(i, "rad"))
            return;
    }
}

/* A row as dB and degrees; phases of complex values go on from the row before by less than half a turn.  false: 0. */
static bool convert(const struct table_units *u, double *row, const double *before)
{
    static const double degrees = 57.29577951308232;
    const double a = row[1], b = row[2];
    if (u->rectangular) {
        row[2] = atan2(b, a) * degrees;
        row[2] += before ? 360 * round((before[2] - row[2]) / 360) : 0;
    } else if (u->radians) {
        row[2] = b * degrees;
    }
    const double magnitude = u->rectangular ? hypot(a, b) : a;
    if (u->rectangular || u->magnitudes)
        row[1] = 20 * log10(magnitude);
    return isfinite(row[1]) && isfinite(row[2]);
}

static bool make_table(struct card *c, const struct number_list *list, const struct table_units *u,
                       struct kn_location where, struct response *response)
{
    struct arena *arena = c->x->deck->arena;
    struct frequency_table *t = arena_alloc(arena, sizeof *t);
    const size_t count = list->count / 3;
    double *columns[3];
    for (int k = 0; k < 3; k++)
        columns[k] = arena_array(arena, count + 1, sizeof *columns[k]);
    if (!t || !columns[0] || !columns[1] || !columns[2])
        return deck_no_memory(c->x->deck);
    for (size_t i = 0; i < count; i++) {
        double *row = &list->at[3 * i], *before = i > 0 ? row - 3 : NULL;
        if (row[0] < 0 || (before && !(row[0] > before[0])))
            return card_fail(c, "value-range", where, NULL,
                             "%s: the frequencies of FREQ must rise, but %g is behind %g", card_owner(c), row[0],
                             before ? before[0] : 0.0);
        if (!convert(u, row, before))
            return card_fail(c, "value-range", where, "write -200 dB for what is next to nothing",
                             "%s: the magnitude at %g Hz must be greater than 0", card_owner(c), row[0]);
        for (int k = 0; k < 3; k++)
            columns[k][i] = row[k];
    }
    *t = (struct frequency_table){columns[0], columns[1], columns[2], count};
    response->table = t;
    return true;
}

static const char usage_of_table[] = "write FREQ {V(in)} = (0,0,0) (5k,0,-5760) (6k,-60,-6912): frequency, dB, degrees";

/* What rows may have behind them, and what HSPICE's inverse transform needs, which means nothing here. */
static const char *const settings_of_table[] = {"delay", "freq", "delf", "maxf", "level", NULL};

/* The rows are the words of the card. */
static bool read_rows(struct card *c, enum element_law law, const struct expression_tree *argument,
                      struct kn_location where, struct response *response)
{
    const struct item *delay = card_assignment(c, "delay");
    struct table_units units = {0};
    struct number_list numbers;
    read_units(c, &units);
    if (!read_numbers(c, &numbers) || (delay && !card_value(c, delay->value, &response->delay)))
        return false;
    if (numbers.count == 0 || numbers.count % 3 != 0 || response->delay < 0)
        return card_fail(c, "syntax", where, usage_of_table, "%s: FREQ takes rows of three numbers%s", card_owner(c),
                         response->delay < 0 ? ", and a DELAY from 0 on" : "");
    return make_table(c, &numbers, &units, where, response) && card_law_through(c, law, argument, "freq", response);
}

/* The rows stand behind the `=` of an item and, for NULL too, in the words that are left. */
static bool read_rows_behind(struct card *c, enum element_law law, const struct expression_tree *argument,
                             struct item *before)
{
    struct response *response = arena_alloc(c->x->deck->arena, sizeof *response);
    if (!response)
        return deck_no_memory(c->x->deck);
    return argument && collect_behind(c, before) && read_rows(c, law, argument, c->e->where, response);
}

static bool read_frequency_table(struct card *c, enum element_law law)
{
    struct response *response;
    const struct item *word = card_peek(c), *of = word->next;
    if (of && of->kind == ITEM_WORD) {
        c->next++;
        return read_rows_behind(c, law, voltage_between(c), NULL) && card_settings(c, settings_of_table);
    }
    return take_control(c, "FREQ", usage_of_table, &response) &&
           read_rows(c, law, expand_tree(c->x, c->control), c->control->where, response) &&
           card_settings(c, settings_of_table);
}

/* ---- the ways in ---- */

/* LTspice's numerical inverse needs settings that mean nothing here. */
bool read_transfer_of(struct card *c, enum element_law law, const struct expression_tree *argument)
{
    return read_function(c, law, argument, card_assignment(c, "laplace")->value);
}

bool read_transfer_function(struct card *c)
{
    static const char *const taken[] = {"laplace", "window", "nfft", "mtol", "cache", NULL};
    const enum element_law law = c->kind->law;
    static bool (*const readers[FORMS])(struct card *, enum element_law) = {[FORM_LAPLACE] = read_laplace,
                                                                            [FORM_POLE] = read_pole,
                                                                            [FORM_CHEBYSHEV] = read_chebyshev,
                                                                            [FORM_FREQ] = read_frequency_table};
    const enum transfer_form form = form_of(c);
    if (form < FORMS)
        return readers[form](c, law);
    if (!card_assignment(c, "laplace"))
        return read_rows_behind(c, law, voltage_between(c), card_assignment(c, "freq")) &&
               card_settings(c, settings_of_table);
    const struct expression_tree *argument = voltage_between(c);
    return argument && card_end(c) && read_transfer_of(c, law, argument) && card_settings(c, taken);
}
