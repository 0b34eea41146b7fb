/* pole_zero_card.c - .pz in1 in2 out1 out2 cur|vol pol|zer|pz of SPICE3, and .pz v(out[,ref]) source of HSPICE. */
#include "analyses/small_signal/pole_zero_card.h"
#include "netlist/response.h"

#include "devices/device.h"

#include <math.h>

static const char FORM[] = "write .pz in1 in2 out1 out2 vol pz, or .pz v(out) V1";

enum { MOST_ASKED = 1000, MOST_WORDS = 7 };

struct reading {
    const struct circuit *circuit;
    const struct analysis_card *card;
    struct kn_diagnostics *diagnostics;
    const struct setting *words[MOST_WORDS]; /* what is no name=value; a parenthesis is one in front of what is in it */
    size_t count;
    struct pole_zero_card *out;
};

static enum kn_status fail(const struct reading *r, const struct setting *at, const char *hint, const char *what)
{
    diagnostics_add(r->diagnostics, KN_ERROR, "syntax", at ? at->where : r->card->where, hint ? hint : FORM,
                    "'.pz': %s", what);
    return KN_ERROR_DECK;
}

static bool is(const struct setting *word, const char *text)
{
    return !word->text && names_equal(word->name, text);
}

/* ---- nodes and elements ---- */

static enum kn_status find_node(const struct reading *r, const struct setting *word, int *node)
{
    *node = circuit_find_node(r->circuit, word->name);
    if (*node >= 0)
        return KN_OK;
    struct name_guess guess = name_guess(word->name);
    for (size_t i = 0; i < r->circuit->node_count; i++)
        name_guess_offer(&guess, r->circuit->nodes[i].name);
    diagnostics_add(r->diagnostics, KN_ERROR, "unknown-node", word->where,
                    diagnostics_meant(r->diagnostics, guess.found), "there is no node '%s'", word->name);
    return KN_ERROR_DECK;
}

static enum kn_status find_source(const struct reading *r, const struct setting *word, bool voltage_only, int *element)
{
    *element = circuit_find_element(r->circuit, word->name);
    const struct element *e = *element >= 0 ? &r->circuit->elements[*element] : NULL;
    if (e && (!e->kind || (e->kind->form == CARD_SOURCE && (!voltage_only || e->kind->sets_voltage))))
        return KN_OK;
    struct name_guess guess = name_guess(word->name);
    for (size_t i = 0; !e && i < r->circuit->element_count; i++)
        name_guess_offer(&guess, r->circuit->elements[i].name);
    const char *hint = diagnostics_meant(r->diagnostics, guess.found);
    diagnostics_add(r->diagnostics, KN_ERROR, "no-source", word->where, hint ? hint : FORM,
                    "'.pz': there is no %s '%s'", voltage_only ? "voltage source" : "voltage or current source",
                    word->name);
    return KN_ERROR_DECK;
}

static enum kn_status two_nodes(const struct reading *r, const struct setting *plus, const struct setting *minus,
                                const char *same, int nodes[2])
{
    const enum kn_status status = find_node(r, plus, &nodes[0]);
    const enum kn_status other = minus ? find_node(r, minus, &nodes[1]) : KN_OK;
    if (!minus)
        nodes[1] = 0;
    if (status != KN_OK || other != KN_OK)
        return KN_ERROR_DECK;
    return nodes[0] == nodes[1] ? fail(r, plus, NULL, same) : KN_OK;
}

/* ---- the two forms ---- */

static enum kn_status take_output(const struct reading *r, const struct setting *plus, const struct setting *minus)
{
    int nodes[2];
    const enum kn_status status = two_nodes(r, plus, minus, "both nodes of the output are the same", nodes);
    r->out->out_plus = nodes[0];
    r->out->out_minus = nodes[1];
    return status;
}

/* v ( out [ref] source */
static enum kn_status read_by_source(const struct reading *r)
{
    const bool current = is(r->words[0], "i");
    const struct setting *source = r->count > 3 ? r->words[r->count - 1] : NULL;
    if (!source || r->count > (current ? 4 : 5))
        return fail(r, source, NULL, source ? "too many words" : "a source is missing behind the output");
    r->out->poles = r->out->zeros = true;
    const enum kn_status input = find_source(r, source, false, &r->out->source);
    const enum kn_status output = current ? find_source(r, r->words[2], true, &r->out->out_current)
                                          : take_output(r, r->words[2], r->count == 5 ? r->words[3] : NULL);
    return input == KN_OK ? output : input;
}

static enum kn_status read_kinds(const struct reading *r)
{
    const struct setting *drive = r->words[4], *wanted = r->words[5];
    r->out->by_voltage = is(drive, "vol");
    r->out->poles = is(wanted, "pol") || is(wanted, "pz");
    r->out->zeros = is(wanted, "zer") || is(wanted, "pz");
    if (!r->out->by_voltage && !is(drive, "cur"))
        return fail(r, drive, NULL, "expected vol or cur, for a drive by a voltage or by a current");
    if (!r->out->poles && !r->out->zeros)
        return fail(r, wanted, NULL, "expected pol, zer or pz");
    return KN_OK;
}

static enum kn_status read_by_nodes(const struct reading *r)
{
    int nodes[2];
    if (r->count != 6)
        return fail(r, r->count > 6 ? r->words[6] : NULL, NULL,
                    r->count > 6 ? "too many words" : "four nodes and two words are needed");
    enum kn_status status = two_nodes(r, r->words[0], r->words[1], "both nodes of the input are the same", nodes);
    r->out->in_plus = nodes[0];
    r->out->in_minus = nodes[1];
    const enum kn_status output = take_output(r, r->words[2], r->words[3]);
    const enum kn_status kinds = read_kinds(r);
    status = status == KN_OK ? output : status;
    return status == KN_OK ? kinds : status;
}

/* ---- name=value ---- */

static enum kn_status read_value(const struct reading *r, const struct setting *s)
{
    const double value = s->value;
    if (s->text)
        return fail(r, s, "near= is a frequency in Hz, count= a number of poles", "expected a number");
    if (names_equal(s->name, "near") && value >= 0 && isfinite(value))
        r->out->near = value;
    else if (names_equal(s->name, "count") && value >= 1 && value <= MOST_ASKED && value == floor(value))
        r->out->most = (int)value;
    else
        return fail(r, s, "near= is a frequency in Hz, count= a number of poles from 1 to 1000",
                    names_equal(s->name, "near") || names_equal(s->name, "count") ? "the value is out of range"
                                                                                  : "there is no such setting");
    return KN_OK;
}

/* A word that is a number has a value, too, and begins with no letter. */
static bool is_named(const struct setting *s)
{
    const char first = (char)(s->name[0] | 0x20);
    return s->text || (s->has_value && first >= 'a' && first <= 'z');
}

static const char *of_response(const struct response *r)
{
    return r->table ? "table of" : r->of_s ? "formula of s of" : "delay of";
}

/* Delays make transcendental equations of the pencil. */
static enum kn_status look_for_lines(const struct reading *r)
{
    for (size_t i = 0; i < r->circuit->element_count; i++) {
        const struct element *e = &r->circuit->elements[i];
        if (!e->kind || !device_is_late(e))
            continue;
        diagnostics_add(r->diagnostics, KN_ERROR, "infinitely-many-poles", e->where,
                        "put L-C sections or a ratio of polynomials in its place, or look at the response by .ac",
                        "'.pz' (line %d): with the %s '%s' there are infinitely many poles and zeros",
                        r->card->where.line, e->response ? of_response(e->response) : e->kind->noun, e->name);
        return KN_ERROR_DECK;
    }
    return KN_OK;
}

enum kn_status pole_zero_read(const struct circuit *c, const struct analysis_card *card, struct kn_diagnostics *d,
                              struct pole_zero_card *out)
{
    struct reading r = {.circuit = c, .card = card, .diagnostics = d, .out = out};
    enum kn_status status = KN_OK;
    *out = (struct pole_zero_card){.card = card, .source = -1, .out_current = -1};
    for (size_t i = 0; i < card->setting_count; i++) {
        const struct setting *s = &card->settings[i];
        const enum kn_status one = is_named(s) ? read_value(&r, s) : KN_OK;
        status = status == KN_OK ? one : status;
        if (!is_named(s) && r.count < MOST_WORDS)
            r.words[r.count++] = s;
    }
    const bool by_source = r.count >= 2 && (is(r.words[0], "v") || is(r.words[0], "i")) && is(r.words[1], "(");
    const enum kn_status form = by_source ? read_by_source(&r) : read_by_nodes(&r);
    const enum kn_status lines = look_for_lines(&r);
    status = status == KN_OK ? form : status;
    return status == KN_OK ? lines : status;
}
