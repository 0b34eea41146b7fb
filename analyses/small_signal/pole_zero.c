/* pole_zero.c - .pz: poles and zeros of the transfer from an input to an output, about the operating point.
 *
 * The poles are the finite eigenvalues s of G + s C, of the equations as they are when the input drives: an input by a
 * voltage between nodes without a source is one more branch.  With the input's column b and the output's row e,
 *
 *     det [G + s C, b; e, 0] = -det(G + s C) e (G + s C)^-1 b,
 *
 * so that the zeros of the transfer, times the poles it does not show, are the finite eigenvalues of the pencil with the
 * border b, e (Emami-Naeini and Van Dooren, Automatica 18, 1982).  What is at infinity is split off by the chain of the
 * index analysis (mna/index/index.h), and the rest is QZ's.
 */
#include "analyses/analysis.h"
#include "analyses/small_signal/pole_zero_card.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pole_zero {
    struct setup *setup;
    struct pole_zero_card card;
    struct arena *arena;
    double *input, *output; /* [n] column and row */
    struct index_border drive, transfer;
    int drive_count; /* 0: the input drives as the circuit stands */
};

/* What was found: poles or zeros. */
struct roots {
    const char *name, *names; /* "pole", "poles" */
    const struct index_analysis *analysis;
};

static enum kn_status fail(const struct pole_zero *z, const char *code, const char *hint, const char *what)
{
    diagnostics_add(z->setup->diagnostics, KN_ERROR, code, z->card.card->where, hint, "'.pz': %s", what);
    return KN_ERROR_CIRCUIT;
}

/* ---- input and output ---- */

static double *vector(const struct pole_zero *z)
{
    return arena_array(z->arena, (size_t)mna_unknown_count(z->setup->mna) + 1, sizeof(double));
}

/* 1 for the first node, -1 for the second. */
static double *incidence(const struct pole_zero *z, int plus, int minus)
{
    double *v = vector(z);
    const int a = mna_node_unknown(z->setup->mna, plus), b = mna_node_unknown(z->setup->mna, minus);
    if (v && a >= 0)
        v[a] = 1;
    if (v && b >= 0)
        v[b] = -1;
    return v;
}

static double *unit(const struct pole_zero *z, int unknown)
{
    double *v = vector(z);
    if (v)
        v[unknown] = 1;
    return v;
}

/* The equations in which a source stands. */
static double *column_of_source(const struct pole_zero *z, int element)
{
    const size_t n = (size_t)mna_unknown_count(z->setup->mna);
    double complex *B = arena_array(z->arena, n + 1, sizeof *B);
    double *v = vector(z);
    if (!v || !B)
        return NULL;
    mna_excite(z->setup->mna, element, 1, B);
    for (size_t i = 0; i < n; i++)
        v[i] = creal(B[i]);
    return v;
}

/* The voltage source between the nodes of the input, or NULL. */
static const struct element *source_across(const struct pole_zero *z)
{
    const struct circuit *c = z->setup->circuit;
    const int a = z->card.in_plus, b = z->card.in_minus;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (e->kind->form == CARD_SOURCE && e->kind->sets_voltage &&
            ((e->nodes[0] == a && e->nodes[1] == b) || (e->nodes[0] == b && e->nodes[1] == a)))
            return e;
    }
    return NULL;
}

/* A drive by a current where a source with an AC value holds the voltage: this source gives way, as in SPICE3. */
static enum kn_status open_source(struct pole_zero *z, const struct element *e)
{
    if (e->source.ac_magnitude == 0)
        return fail(z, "no-transfer",
                    diagnostics_hint(z->setup->diagnostics, "write vol instead of cur, or .pz v(node) %s", e->name),
                    "a voltage source lies across the input, so that a current there drives nothing");
    z->drive = (struct index_border){z->input, unit(z, mna_current_unknown(z->setup->mna, e->number))};
    z->drive_count = 1;
    return z->drive.row ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status find_input(struct pole_zero *z)
{
    const struct pole_zero_card *card = &z->card;
    const struct element *across = card->source >= 0 ? NULL : source_across(z);
    const int source = card->source >= 0 ? card->source : across ? across->number : -1;
    z->input = source >= 0 ? column_of_source(z, source) : incidence(z, card->in_plus, card->in_minus);
    if (!z->input)
        return KN_ERROR_MEMORY;
    if (across && !card->by_voltage)
        return open_source(z, across);
    if (source < 0 && card->by_voltage) {
        z->drive = (struct index_border){z->input, z->input};
        z->drive_count = 1;
    }
    return KN_OK;
}

static enum kn_status find_ports(struct pole_zero *z)
{
    const struct pole_zero_card *card = &z->card;
    const enum kn_status status = find_input(z);
    if (status != KN_OK)
        return status;
    z->output = card->out_current >= 0 ? unit(z, mna_current_unknown(z->setup->mna, card->out_current))
                                       : incidence(z, card->out_plus, card->out_minus);
    z->transfer = (struct index_border){z->input, z->output};
    return z->output ? KN_OK : KN_ERROR_MEMORY;
}

/* SPICE3 takes all voltage sources with an AC value out of the circuit, here they are short as the others. */
static void note_other_drives(const struct pole_zero *z)
{
    const struct circuit *c = z->setup->circuit;
    const struct element *across = z->card.source < 0 ? source_across(z) : NULL;
    for (size_t i = 0; i < c->element_count && z->card.source < 0; i++) {
        const struct element *e = &c->elements[i];
        if (e->kind->form == CARD_SOURCE && e->kind->sets_voltage && e->source.ac_magnitude != 0 && e != across)
            diagnostics_add(z->setup->diagnostics, KN_NOTE, "pz-source", e->where,
                            "leave it out of the deck if it is not to be there",
                            "'.pz' takes %s for a short, as any voltage source that does not drive", e->name);
    }
}

/* ---- what there is to say ---- */

/* Some of many: those nearest to a point. */
static void say_part(const struct pole_zero *z, const struct roots *r)
{
    const struct index_analysis *a = r->analysis;
    char of[40] = "";
    if (a->degrees_of_freedom >= 0)
        snprintf(of, sizeof of, " of %d", a->degrees_of_freedom);
    diagnostics_add(z->setup->diagnostics, KN_NOTE, "poles-nearest", z->card.card->where,
                    "near= on the card (Hz) looks elsewhere, count= for another number",
                    a->pole_count > 0 ? "'.pz': the %d%s %s nearest to %g Hz%s"
                                      : "'.pz': %d%s %s are found near %g Hz%s",
                    a->pole_count, of, r->names, z->card.near,
                    a->degrees_of_freedom < 0 ? "; how many there are is not known of a circuit of this size" : "");
}

/* Bounds to first order or estimates, relative; of a double at least its rounding. */
static double largest_error(const struct index_analysis *a)
{
    double largest = DBL_EPSILON;
    for (int k = 0; k < a->pole_count; k++)
        if (!isnan(creal(a->poles[k])))
            largest = fmax(largest, a->pole_errors[k]);
    return largest;
}

static void say_count(const struct pole_zero *z, const struct roots *r)
{
    const struct index_analysis *a = r->analysis;
    const int finite = a->degrees_of_freedom, infinite = a->n - finite;
    char known[60] = "";
    if (a->pole_count > 0)
        snprintf(known, sizeof known, "; known to %.1g of %s size", largest_error(a),
                 a->pole_count == 1 ? "its" : "their");
    if (a->outcome == INDEX_KNOWN)
        diagnostics_add(z->setup->diagnostics, KN_NOTE, "poles-at-infinity", z->card.card->where, NULL,
                        "'.pz': %d %s; the other %d of %d eigenvalues are at infinity (index %d)%s", finite,
                        finite == 1 ? r->name : r->names, infinite, a->n, a->index, known);
    if (a->pole_count < finite || finite < 0)
        say_part(z, r);
    if (a->outcome == INDEX_KNOWN && index_is_doubtful(a))
        diagnostics_add(z->setup->diagnostics, KN_WARNING, "rounding", z->card.card->where,
                        "knoten check tells which values lie so far apart",
                        "'.pz': values differ by so many decades that rounding may have decided how many %s there are",
                        r->names);
}

/* Errors from here on are said: results are compared to 1e-4 as a rule. */
static const double ROUGH = 1e-4;

static void say_accuracy(const struct pole_zero *z, const struct roots *r)
{
    const struct index_analysis *a = r->analysis;
    int hidden = 0, rough = 0;
    double worst = 0;
    for (int k = 0; k < a->pole_count; k++) {
        hidden += isnan(creal(a->poles[k]));
        if (isnan(creal(a->poles[k])) || !(a->pole_errors[k] > ROUGH))
            continue;
        rough++;
        worst = fmax(worst, a->pole_errors[k]);
    }
    if (hidden > 0)
        diagnostics_add(z->setup->diagnostics, KN_WARNING, "rounding", z->card.card->where, NULL,
                        "'.pz': rounding hides %d of the %d %s beside the others; left out", hidden, a->pole_count,
                        r->names);
    if (rough > 0)
        diagnostics_add(z->setup->diagnostics, KN_WARNING, "rounding", z->card.card->where, NULL,
                        "'.pz': %d of the %d %s are known up to rounding only, which moves them by up to %.1g of "
                        "their size",
                        rough, a->pole_count, r->names, worst);
}

static void say_unstable(const struct pole_zero *z, const struct index_analysis *a)
{
    struct text names = TEXT(SENTENCE);
    struct text_list list = text_list(&names, ", ", 5);
    double fastest = 0;
    for (int k = 0, shown = 0; k < a->pole_count; k++) {
        shown += !isnan(creal(a->poles[k]));
        /* On the imaginary axis rounding decides about the side. */
        if (!(creal(a->poles[k]) > fmax(a->pole_errors[k], 1e-12) * cabs(a->poles[k])))
            continue;
        text_list_format(&list, "pole(%d)", shown);
        fastest = fmax(fastest, creal(a->poles[k]));
    }
    text_list_end_and(&list);
    if (fastest > 0)
        diagnostics_add(z->setup->diagnostics, KN_NOTE, "unstable", z->card.card->where, NULL,
                        "'.pz': unstable: %s in the right half plane; there signals grow by a factor e every %.3g s",
                        names.at, 1 / fastest);
}

/* ---- the result ---- */

/* Unknowns up to which all eigenvalues are sought with dense matrices; of larger circuits those nearest to a point. */
enum { MOST_DENSE = 300, NEAREST = 20 };

static double distance(const struct pole_zero *z, double complex pole)
{
    const double w = 2 * acos(-1) * z->card.near;
    return cabs(CMPLX(creal(pole), fabs(cimag(pole))) - CMPLX(0, w));
}

/* Keeps the count= nearest to near=, in their order. */
static void keep_nearest(const struct pole_zero *z, struct index_analysis *a)
{
    while (z->card.most > 0 && a->pole_count > z->card.most) {
        int farthest = 0;
        for (int k = 1; k < a->pole_count; k++)
            if (!(distance(z, a->poles[k]) < distance(z, a->poles[farthest])))
                farthest = k;
        a->pole_count--;
        for (int k = farthest; k < a->pole_count; k++) {
            a->poles[k] = a->poles[k + 1];
            a->pole_errors[k] = a->pole_errors[k + 1];
        }
    }
}

static enum kn_status find_nearest(const struct pole_zero *z, const struct index_point *at,
                                   const struct index_options *o, struct index_analysis *a)
{
    if (!index_finds_nearest())
        return fail(z, "no-arpack", "install ARPACK (on Debian: apt install libarpack2-dev) and build knoten again",
                    "the circuit is too large for dense matrices, and knoten has been built without ARPACK");
    const int wanted = z->card.most > 0 ? z->card.most : NEAREST, all = a->degrees_of_freedom;
    const enum kn_status status = index_nearest(z->setup->mna, at, o, I * (2 * acos(-1) * z->card.near),
                                                all >= 0 && all < wanted ? all : wanted, a);
    if (status == KN_ERROR_CIRCUIT)
        a->outcome = INDEX_SINGULAR_PENCIL;
    if (status == KN_ERROR_CONVERGENCE)
        return fail(z, "no-convergence", "another point near= (Hz), or fewer with count=, may do",
                    "the Arnoldi method does not converge");
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}

static bool is_large(const struct index_analysis *a)
{
    return !a->poles && a->outcome != INDEX_SINGULAR_PENCIL && (a->n > MOST_DENSE || a->degrees_of_freedom > 0);
}

static enum kn_status find(const struct pole_zero *z, const struct index_border *border, int count,
                           struct index_analysis **out)
{
    const struct setup *s = z->setup;
    const struct index_point at = {SETUP_OPERATING_TIME, s->operating};
    const struct index_options o = {
        .spectrum = true, .alternating = true, .most_dense = MOST_DENSE, .borders = border, .border_count = count};
    enum kn_status status = index_analyze(s->mna, s->topology, &at, &o, out);
    if (status == KN_OK && is_large(*out) && !(*out)->rounding)
        status = find_nearest(z, &at, &o, *out);
    if (status == KN_OK && (*out)->poles)
        keep_nearest(z, *out);
    return status;
}

/* That is a result: the transfer is 0 at all frequencies. */
static void say_no_transfer(const struct pole_zero *z, const struct index_analysis *a)
{
    diagnostics_add(z->setup->diagnostics, KN_WARNING, "no-transfer", z->card.card->where,
                    "name an output that the input drives",
                    "'.pz': %s gets from the input to the output, so there are no zeros",
                    a->exact ? "nothing" : "nothing that could be told from rounding");
}

/* Of so few that all are wanted some were not confirmed. */
static bool lacks_some(const struct pole_zero *z, const struct index_analysis *a)
{
    const int all = a->degrees_of_freedom, wanted = z->card.most > 0 && z->card.most < all ? z->card.most : all;
    return all <= NEAREST && a->pole_count < wanted;
}

static enum kn_status cannot_count(const struct pole_zero *z, const struct roots *r)
{
    return fail(
        z, "rounding", "knoten check tells which values lie so far apart",
        diagnostics_hint(z->setup->diagnostics, "how many %s there are cannot be told from rounding", r->names));
}

static enum kn_status look_at_no_transfer(const struct pole_zero *z, const struct roots *r)
{
    const struct index_point at = {SETUP_OPERATING_TIME, z->setup->operating};
    const struct index_options o = {.alternating = true, .borders = &z->transfer, .border_count = 1};
    bool passes = false;
    const enum kn_status status = r->analysis->exact ? KN_OK : index_passes(z->setup->mna, &at, &o, &passes);
    if (status == KN_OK && passes)
        return cannot_count(z, r);
    if (status == KN_OK)
        say_no_transfer(z, r->analysis);
    return status;
}

static enum kn_status look_at(const struct pole_zero *z, const struct roots *r, bool poles)
{
    const struct index_analysis *a = r->analysis;
    if (a->outcome == INDEX_SINGULAR_PENCIL && !poles)
        return look_at_no_transfer(z, r);
    if (a->outcome == INDEX_SINGULAR_PENCIL)
        return fail(z, "singular", "knoten check says more",
                    "the circuit with this drive has no unique solution, and so no poles");
    if (!a->poles)
        return cannot_count(z, r);
    if (lacks_some(z, a))
        return fail(z, "rounding", "knoten check tells which values lie so far apart",
                    diagnostics_hint(z->setup->diagnostics, "only %d of the %d %s can be told from rounding",
                                     a->pole_count, a->degrees_of_freedom, r->names));
    say_count(z, r);
    say_accuracy(z, r);
    if (poles)
        say_unstable(z, a);
    return KN_OK;
}

static bool add_columns(const struct pole_zero *z, const struct roots *r, struct kn_column *columns, double *row,
                        size_t *count)
{
    const struct index_analysis *a = r->analysis;
    for (int k = 0, shown = 0; a && k < a->pole_count; k++) {
        if (isnan(creal(a->poles[k])))
            continue;
        const char *name = arena_format(z->arena, "%s(%d)", r->name, ++shown);
        columns[*count] = (struct kn_column){name, KN_OTHER};
        row[(*count)++] = creal(a->poles[k]) + 0.0; /* no -0 */
        columns[*count] = (struct kn_column){name, KN_IMAGINARY};
        row[(*count)++] = cimag(a->poles[k]) + 0.0;
        if (!name)
            return false;
    }
    return true;
}

static enum kn_status write_roots(const struct pole_zero *z, const struct roots list[2], struct kn_sink *sink,
                                  long *rows)
{
    size_t most = 1, count = 0;
    for (int k = 0; k < 2; k++)
        most += list[k].analysis ? 2 * (size_t)list[k].analysis->pole_count : 0;
    struct kn_column *columns = arena_array(z->arena, most, sizeof *columns);
    double *row = arena_array(z->arena, most, sizeof *row);
    if (!columns || !row || !add_columns(z, &list[0], columns, row, &count) ||
        !add_columns(z, &list[1], columns, row, &count))
        return KN_ERROR_MEMORY;
    if (count == 0)
        return KN_OK;
    const enum kn_status status = analysis_one_row(z->setup, "Pole-Zero Analysis", columns, count, row, sink);
    *rows = status == KN_OK;
    return status;
}

static enum kn_status find_roots(struct pole_zero *z, struct kn_sink *sink, long *rows)
{
    struct index_analysis *poles = NULL, *zeros = NULL;
    struct roots list[2] = {{"pole", "poles", NULL}, {"zero", "zeros", NULL}};
    enum kn_status status = find_ports(z);
    if (status == KN_OK)
        note_other_drives(z);
    if (status == KN_OK && z->card.poles)
        status = find(z, &z->drive, z->drive_count, &poles);
    list[0].analysis = poles;
    if (status == KN_OK && poles)
        status = look_at(z, &list[0], true);
    const bool known = status == KN_OK;
    if (status == KN_OK && z->card.zeros)
        status = find(z, &z->transfer, 1, &zeros);
    list[1].analysis = zeros;
    if (status == KN_OK && zeros)
        status = look_at(z, &list[1], false);
    /* Poles are a result whatever becomes of the zeros. */
    if (known && status == KN_ERROR_CIRCUIT)
        list[1].analysis = NULL;
    if (known && (status == KN_OK || status == KN_ERROR_CIRCUIT)) {
        const enum kn_status written = write_roots(z, list, sink, rows);
        status = written == KN_OK ? status : written;
    }
    index_free(poles);
    index_free(zeros);
    return status;
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    struct pole_zero_card read;
    return pole_zero_read(s->circuit, card, s->diagnostics, &read);
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct pole_zero z = {.setup = s, .arena = arena_new()};
    enum kn_status status = z.arena ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = pole_zero_read(s->circuit, analysis_card(s->circuit, ".pz", number), s->diagnostics, &z.card);
    if (status == KN_OK)
        status = setup_operating_point(s, summary);
    if (status == KN_OK)
        status = find_roots(&z, sink, &summary->rows);
    arena_free(z.arena);
    return status;
}

const struct analysis analysis_pole_zero = {
    .card = ".pz",
    .doc = "poles and zeros of a transfer about the operating point: .pz in1 in2 out1 out2 vol pz",
    .check = check,
    .run = run,
};
