/* explain_laws.c - the laws of devices written out: current and charge of each piece as functions of its voltages, and what
 * their parameters are on the model cards of the deck.
 *
 * The laws are those of devices/semiconductor and devices/source, whose headers name the sources.
 */
#include "analyses/explain/explain_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the laws ---- */

/* A summand that is there where a parameter is given and not 0; NULL: always. */
struct law_term {
    const char *formula, *given;
};

enum { MOST_TERMS = 4, MOST_VALUES = 200 };

/* left = terms, when; left NULL: the law itself. */
struct law_line {
    const char *left;
    struct law_term terms[MOST_TERMS];
    const char *when;
    /* The line is there where one of these parameters is given, one of these, too, and none of those; NULL: always. */
    const char *given, *also, *absent;
};

struct law {
    const char *of;   /* struct element_kind, laws */
    int level;        /* of the model; 0: any */
    const char *part; /* short name of the piece, NULL: it has none */
    char letter;      /* 'i', 'q' */
    const struct law_line *lines;
    size_t count;
};

/* Lines of one term, without conditions and with `.when = ..` and the like. */
#define LINE(left_, formula)                                                                                           \
    {                                                                                                                  \
        .left = (left_), .terms = { {formula, NULL} }                                                                  \
    }
#define LINE_WHERE(left_, formula, ...)                                                                                \
    {                                                                                                                  \
        .left = (left_), .terms = {{formula, NULL}}, __VA_ARGS__                                                       \
    }

#define LINES(name)           name, sizeof name / sizeof *name
#define DEPLETION(c, v, m, u) c "*" v "/(1 - " m ")*(1 - (1 - " u "/" v ")^(1 - " m "))"
#define DEPLETED              "below FC of the potential; above, its parabola"

static const struct law_line diode_current[] = {
    {.terms = {{"IS*(exp(v/(N*Vt)) - 1) + gmin*v", NULL},
               {"JSW*PJ*(exp(v/(NS*Vt)) - 1)", "jsw"},
               {"ISR*(exp(v/(NR*Vt)) - 1)*((1 - v/VJ)^2 + 0.005)^(M/2)", "isr"},
               {"-IS*(exp(-(v + vb)/(NBV*Vt)) - exp(-vb/(NBV*Vt)))", "bv"}}},
    LINE_WHERE("vb", "BV - NBV*Vt*ln(IBV/IS + 1 - vb/Vt)", .when = "so that IBV flows at -BV, as in SPICE",
               .given = "bv"),
    LINE_WHERE("id", "i/(1 + sqrt(i/IKF))",
               .when =
                   "in its place for i > 0, high injection (level 2: IS and its exponential times sqrt(IKF/(IKF + i)))",
               .given = "ikf"),
};
static const struct law_line diode_charge[] = {
    {.terms = {{"TT*i", "tt"}, {DEPLETION("CJO", "VJ", "M", "v"), "cjo"}}, .when = DEPLETED},
};
static const struct law_line transport[] = {
    {.terms = {{"(if - ir)/qb", NULL}}},
    LINE("if", "IS*(exp(vbe/(NF*Vt)) - 1)"),
    LINE("ir", "IS*(exp(vbc/(NR*Vt)) - 1)"),
    LINE_WHERE("qb", "q1*(1 + (1 + 4*q2)^NK)/2", .given = "ikf ikr"),
    {.left = "q2", .terms = {{"if/IKF", "ikf"}, {"ir/IKR", "ikr"}}, .given = "ikf ikr"},
    LINE_WHERE("qb", "q1", .absent = "ikf ikr"),
    LINE_WHERE("q1", "1/(1 - vbc/VAF - vbe/VAR)", .given = "vaf", .also = "var"),
    LINE_WHERE("q1", "1/(1 - vbc/VAF)", .given = "vaf", .absent = "var"),
    LINE_WHERE("q1", "1/(1 - vbe/VAR)", .given = "var", .absent = "vaf"),
    LINE_WHERE("q1", "1", .absent = "vaf var"),
};
static const struct law_line base_emitter[] = {
    {.terms = {{"if/BF + gmin*vbe", NULL}, {"ISE*(exp(vbe/(NE*Vt)) - 1)", "ise"}}},
};
static const struct law_line base_collector[] = {
    {.terms = {{"ir/BR + gmin*vbc", NULL}, {"ISC*(exp(vbc/(NC*Vt)) - 1)", "isc"}}},
};
static const struct law_line emitter_charge[] = {
    {.terms = {{"TF*if/qb", "tf"}, {DEPLETION("CJE", "VJE", "MJE", "vbe"), "cje"}}, .when = DEPLETED},
};
static const struct law_line collector_charge[] = {
    {.terms = {{"TR*ir", "tr"}, {DEPLETION("CJC", "VJC", "MJC", "vbc"), "cjc"}}, .when = DEPLETED},
};
static const struct law_line channel[] = {
    {.terms = {{"0", NULL}}, .when = "u <= 0"},
    {.terms = {{"beta*(1 + LAMBDA*vds)*u^2/2", NULL}}, .when = "0 < u <= vds"},
    {.terms = {{"beta*(1 + LAMBDA*vds)*vds*(u - vds/2)", NULL}}, .when = "vds < u; d and s change places for vds < 0"},
    LINE("u", "vgs - VTO - GAMMA*(sqrt(PHI - vbs) - sqrt(PHI))"),
    LINE_WHERE("beta", "KP*W/L", .when = "L less 2 LD"),
};

#define NO_CURRENT                                                                                                     \
    {                                                                                                                  \
        .terms = {{"0", NULL}}, .when = "vgs <= von; d and s change places for vds < 0", .absent = "nfs"               \
    }
#define WEAK_INVERSION                                                                                                 \
    {                                                                                                                  \
        .left = "id", .terms = {{"i*exp((vgs - von)/(n*Vt))", NULL}},                                                  \
        .when = "in its place for vgs < von, weak inversion", .given = "nfs"                                           \
    }
#define DRIVEN                                                                                                         \
    LINE_WHERE("vg", "vgs", .when = "but von below it"),                                                               \
    {                                                                                                                  \
        .left = "v", .terms = {{"vds", NULL}}, .when = "but vdsat beyond it"                                           \
    }

/* Antognetti and Massobrio 1988, ch. 4, as devices/channel/mosfet_level_2.c has it. */
static const struct law_line channel_2[] = {
    NO_CURRENT,
    {.terms = {{"beta*r*((vg - vt - eta*v/2)*v - 2/3*g*((PHI - vbs + v)^1.5 - (PHI - vbs)^1.5))/(1 - dL)", NULL}}},
    WEAK_INVERSION,
    DRIVEN,
    LINE("vt", "VTO - GAMMA*sqrt(PHI) + f*(PHI - vbs)"),
    LINE_WHERE("von", "vt + g*sqrt(PHI - vbs)", .absent = "nfs"),
    LINE_WHERE("von", "vt + g*sqrt(PHI - vbs) + n*Vt",
               .when = "n is 1 + f + q NFS/Cox less the slope of g sqrt(PHI - vbs)", .given = "nfs"),
    LINE_WHERE("g", "GAMMA", .absent = "xj"),
    {.left = "g",
     .terms = {{"GAMMA*(1 - XJ/(2*L)*(sqrt(1 + 2*D*sqrt(PHI - vbs)/XJ) + sqrt(1 + 2*D*sqrt(PHI - vbs + vds)/XJ) - 2))",
                NULL}},
     .when = "D = sqrt(2 epsSi/(q NSUB)), XJ and L in m",
     .given = "xj"},
    LINE("eta", "1 + f"),
    LINE_WHERE("f", "0", .absent = "delta"),
    LINE_WHERE("f", "pi*epsSi*DELTA/(4*Cox*W)", .given = "delta"),
    LINE_WHERE("r", "1", .absent = "uexp"),
    LINE_WHERE("r", "(epsSi*UCRIT/(Cox*(vgs - von)))^UEXP", .when = "not above 1, UCRIT in V/m", .given = "uexp"),
    LINE_WHERE("vdsat", "(vg - vt)/eta + g^2/(2*eta^2)*(1 - sqrt(1 + 4*eta^2/g^2*((vg - vt)/eta + PHI - vbs)))",
               .when = "with VMAX no more than where the charge at the drain, moving at VMAX, is the current"),
    LINE_WHERE("dL", "LAMBDA*vds", .given = "lambda"),
    LINE_WHERE("dL", "D/L*sqrt((vds - vdsat)/4 + sqrt(1 + (vds - vdsat)^2/16))", .when = "D = sqrt(2 epsSi/(q NSUB))",
               .given = "nsub", .absent = "lambda vmax"),
    LINE_WHERE("dL", "h/L*(sqrt((VMAX*h/(2*UO*r))^2 + vds - vdsat) - VMAX*h/(2*UO*r))",
               .when = "h = D/sqrt(NEFF); 0 below vdsat", .given = "nsub", .also = "vmax", .absent = "lambda"),
    LINE_WHERE("dL", "0", .absent = "lambda nsub"),
    LINE_WHERE("beta", "KP*W/L", .when = "L less 2 LD"),
};
/* Likewise mosfet_level_3.c. */
static const struct law_line channel_3[] = {
    NO_CURRENT,
    {.terms = {{"beta/(1 + THETA*u)*(u - (1 + F)*v/2)*v/(1 - dL)", NULL}}, .absent = "vmax"},
    {.terms = {{"beta/(1 + THETA*u)*(u - (1 + F)*v/2)*v/((1 + v/vc)*(1 - dL))", NULL}}, .given = "vmax"},
    WEAK_INVERSION,
    LINE("u", "vg - vth"),
    DRIVEN,
    LINE("vth", "VTO - GAMMA*sqrt(PHI) + GAMMA*s*sqrt(PHI - vbs) + f*(PHI - vbs) - sigma*vds"),
    LINE_WHERE("von", "vth", .absent = "nfs"),
    LINE_WHERE("von", "vth + n*Vt",
               .when = "n = 1 + q NFS/Cox + (GAMMA s sqrt(PHI - vbs) + f (PHI - vbs))/(2 (PHI - vbs))", .given = "nfs"),
    LINE("F", "GAMMA*s/(4*sqrt(PHI - vbs)) + f"),
    LINE_WHERE("s", "1",
               .when = "with XJ and NSUB the part of the bulk's charge under the gate that is the gate's (Dang 1979)"),
    LINE_WHERE("f", "0", .absent = "delta"),
    LINE_WHERE("f", "pi*epsSi*DELTA/(2*Cox*W)", .given = "delta"),
    LINE_WHERE("sigma", "0", .absent = "eta"),
    LINE_WHERE("sigma", "k*ETA/(Cox*L^3)", .when = "k = 8.15e-22 F m", .given = "eta"),
    LINE_WHERE("vdsat", "u/(1 + F)", .absent = "vmax"),
    LINE_WHERE("vdsat", "u/(1 + F) + vc - sqrt((u/(1 + F))^2 + vc^2)", .given = "vmax"),
    LINE_WHERE("vc", "VMAX*L*(1 + THETA*u)/UO", .when = "UO in m^2/Vs", .given = "vmax"),
    LINE_WHERE("dL", "0", .absent = "nsub"),
    LINE_WHERE("dL", "D/L*sqrt(KAPPA*(vds - 7/8*vdsat))",
               .when = "D = sqrt(2 epsSi/(q NSUB)); below vdsat (vds/vdsat)^4 of its value there", .given = "nsub",
               .absent = "vmax"),
    LINE_WHERE("dL", "sqrt(e^2 + KAPPA*(D/L)^2*(vds - vdsat)) - e",
               .when = "e = KAPPA (D/L)^2 vc (vc + vdsat)/(2 vdsat), D = sqrt(2 epsSi/(q NSUB)); 0 below vdsat",
               .given = "nsub", .also = "vmax"),
    LINE_WHERE("beta", "KP*W/L", .when = "L less 2 LD"),
};
/* Sakurai and Newton 1991, as mosfet_level_6.c has it. */
static const struct law_line channel_6[] = {
    {.terms = {{"0", NULL}}, .when = "u <= 0"},
    {.terms = {{"isat", NULL}}, .when = "vdsat <= vds"},
    {.terms = {{"isat*(2 - vds/vdsat)*vds/vdsat", NULL}}, .when = "vds < vdsat; d and s change places for vds < 0"},
    LINE_WHERE("isat", "KC*W/L*u^NC*(1 + (lambda - LAMBDA1*vbs)*vds)", .when = "L less 2 LD"),
    LINE("vdsat", "KV*u^NV"),
    LINE("u", "vgs - VTO + GAMMA*(sqrt(PHI) - sqrt(PHI - vbs)) + GAMMA1*vbs + SIGMA*vds"),
    LINE_WHERE("lambda", "LAMBDA0", .given = "lambda0"),
    LINE_WHERE("lambda", "LAMBDA", .absent = "lambda0"),
};
static const struct law_line bulk_junction[] = {
    {.terms = {{"IS*(exp(v/(N*Vt)) - 1) + gmin*v", NULL}}, .when = "JS times the area where IS is not given"},
};
static const struct law_line jfet_channel[] = {
    {.terms = {{"0", NULL}}, .when = "u <= 0"},
    {.terms = {{"BETA*(1 + LAMBDA*vds)*u^2*(B + c*u)", NULL}}, .when = "0 < u <= vds"},
    {.terms = {{"BETA*(1 + LAMBDA*vds)*vds*(vds*(c*vds - B) + u*(2*B + 3*c*(u - vds)))", NULL}},
     .when = "vds < u; d and s change places for vds < 0"},
    LINE("u", "vgs - VTO"),
    LINE("c", "(1 - B)/(PB - VTO)"),
};
static const struct law_line jfet_channel_2[] = {
    {.terms = {{"BETA*(1 + LAMBDA*vds)/(1 + THETA*u)*(w - 2*a/3*((1 - (u - w)/a)^1.5 - (1 - u/a)^1.5))", NULL}},
     .when = "u > 0, otherwise 0; d and s change places for vds < 0"},
    LINE("u", "vgs - VTO"),
    LINE("w", "u*min(vds/(u + DELTA), 1)"),
    LINE("a", "PB - VTO"),
};
static const struct law_line mesfet_channel[] = {
    {.terms = {{"BETA*(1 + LAMBDA*vds)*u^2/(1 + B*u)*(1 - (1 - ALPHA*vds/3)^3)", NULL}},
     .when = "0 < u, vds < 3/ALPHA"},
    {.terms = {{"BETA*(1 + LAMBDA*vds)*u^2/(1 + B*u)", NULL}}, .when = "0 < u, 3/ALPHA <= vds"},
    {.terms = {{"0", NULL}}, .when = "u <= 0; d and s change places for vds < 0"},
    LINE("u", "vgs - VTO"),
};
static const struct law_line gate_junction[] = {
    {.terms = {{"IS*(exp(v/(N*Vt)) - 1) + gmin*v", NULL}, {"ISR*(exp(v/(NR*Vt)) - 1)", "isr"}}},
};
static const struct law_line gate_source_charge[] = {
    {.terms = {{DEPLETION("CGS", "PB", "M", "v"), "cgs"}}, .when = DEPLETED},
};
static const struct law_line gate_drain_charge[] = {
    {.terms = {{DEPLETION("CGD", "PB", "M", "v"), "cgd"}}, .when = DEPLETED},
};
/* Statz, Newman, Smith, Pucel and Haus 1987; jfet.c. */
#define STATZ_PARTS                                                                                                    \
    LINE("w", "(1 + vds/sqrt(vds^2 + 1/ALPHA^2))/2"),                                                                  \
        {.left = "c",                                                                                                  \
         .terms = {{"2*CGS*PB*(1 - sqrt(1 - x/PB))", NULL}},                                                           \
         .when = "a straight line from x = 0.5 V on"},                                                                 \
        LINE("x", "(a + VTO + sqrt((a - VTO)^2 + 0.2^2))/2"), LINE("a", "(vgs + vgd + sqrt(vds^2 + 1/ALPHA^2))/2"),    \
    {                                                                                                                  \
        .left = "b", .terms = { {"CGD*(vgs + vgd - sqrt(vds^2 + 1/ALPHA^2))/2", NULL} }                                \
    }
static const struct law_line statz_source_charge[] = {{.terms = {{"w*c + (1 - w)*b", NULL}}}, STATZ_PARTS};
static const struct law_line statz_drain_charge[] = {{.terms = {{"(1 - w)*c + w*b", NULL}}}, STATZ_PARTS};
static const struct law_line voltage_switch[] = {
    {.terms = {{"v/RON", NULL}}, .when = "u > VT + VH"},
    {.terms = {{"v/ROFF", NULL}},
     .when = "u < VT - VH; between these it stays as it was (smooth with VON, VOFF or VH < 0)"},
};
static const struct law_line current_switch[] = {
    {.terms = {{"v/RON", NULL}}, .when = "u > IT + IH"},
    {.terms = {{"v/ROFF", NULL}},
     .when = "u < IT - IH; between these it stays as it was (smooth with ION, IOFF or IH < 0)"},
};

static const struct law laws[] = {
    {"diode", 0, NULL, 'i', LINES(diode_current)},
    {"diode", 0, NULL, 'q', LINES(diode_charge)},
    {"bipolar", 0, "ce", 'i', LINES(transport)},
    {"bipolar", 0, "be", 'i', LINES(base_emitter)},
    {"bipolar", 0, "bc", 'i', LINES(base_collector)},
    {"bipolar", 0, "be", 'q', LINES(emitter_charge)},
    {"bipolar", 0, "bc", 'q', LINES(collector_charge)},
    {"mosfet", 1, "ds", 'i', LINES(channel)},
    {"mosfet", 2, "ds", 'i', LINES(channel_2)},
    {"mosfet", 3, "ds", 'i', LINES(channel_3)},
    {"mosfet", 6, "ds", 'i', LINES(channel_6)},
    {"mosfet", 0, "bd", 'i', LINES(bulk_junction)},
    {"mosfet", 0, "bs", 'i', LINES(bulk_junction)},
    {"jfet", 0, "gs", 'q', LINES(gate_source_charge)},
    {"jfet", 0, "gd", 'q', LINES(gate_drain_charge)},
    {"mesfet", 1, "gs", 'q', LINES(statz_source_charge)},
    {"mesfet", 1, "gd", 'q', LINES(statz_drain_charge)},
    {"jfet", 1, "ds", 'i', LINES(jfet_channel)},
    {"jfet", 2, "ds", 'i', LINES(jfet_channel_2)},
    {"jfet", 0, "gs", 'i', LINES(gate_junction)},
    {"jfet", 0, "gd", 'i', LINES(gate_junction)},
    {"mesfet", 1, "ds", 'i', LINES(mesfet_channel)},
    {"mesfet", 1, "gs", 'i', LINES(gate_junction)},
    {"mesfet", 1, "gd", 'i', LINES(gate_junction)},
    {"voltage switch", 0, NULL, 'i', LINES(voltage_switch)},
    {"current switch", 0, NULL, 'i', LINES(current_switch)},
    {"voltage switch", 0, "control", 'i', LINES(voltage_switch)},
    {"current switch", 0, "control", 'i', LINES(current_switch)},
};

static bool same_part(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const struct law *law_of(const struct quantity *q)
{
    const struct element *e = q->element;
    const double level = e->model ? e->model->level : 1;
    for (size_t i = 0; e->kind->laws && i < sizeof laws / sizeof *laws; i++)
        if (strcmp(laws[i].of, e->kind->laws) == 0 && laws[i].letter == q->letter && same_part(laws[i].part, q->part) &&
            (laws[i].level == 0 || laws[i].level == level))
            return &laws[i];
    return NULL;
}

/* ---- parameters ---- */

static const struct setting *given(const struct model *m, const struct element_kind *kind, const char *name)
{
    const size_t row = parameter_row(kind->model, name);
    for (size_t i = 0; m && i < m->setting_count; i++)
        if (m->settings[i].has_value && parameter_row(kind->model, m->settings[i].name) == row)
            return &m->settings[i];
    return NULL;
}

/* Whether one of the words is a parameter of the model card that is not 0. */
static bool any_given(const struct element *e, const char *words)
{
    if (!words)
        return true;
    char copy[64];
    snprintf(copy, sizeof copy, "%s", words);
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const struct setting *s = given(e->model, e->kind, word);
        if (s && s->value != 0)
            return true;
    }
    return false;
}

struct values {
    struct explain_pair pairs[MOST_VALUES];
    size_t count;
};

static void add_value(struct explanation *x, struct values *v, const char *name, const char *text)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->pairs[i].name, name) == 0)
            return;
    if (v->count < MOST_VALUES && text)
        v->pairs[v->count++] = (struct explain_pair){name, text};
    x->w.cut = x->w.cut || !text;
}

/* Boltzmann's constant over the charge of the electron (CODATA 2018), V/K. */
static const double THERMAL = 1.380649e-23 / 1.602176634e-19;

/* "IS of dm": "1e-14 A, saturation current"; where: the model or the element that it belongs to, s: NULL if not given. */
static void add_parameter(struct explanation *x, struct values *v, const char *name, const char *where,
                          const struct parameter_info *p, const struct setting *s)
{
    text_add(&x->w, formula_text(x, name));
    notation_owner(x->writer->notation, &x->w, where);
    const char *key = text_take(&x->w);
    add_value(x, v, key,
              arena_format(x->arena, "%.6g%s%s%s, %s", s ? s->value : p->fallback, *p->unit ? " " : "", p->unit,
                           s ? "" : " (not given)", p->doc));
}

static const struct setting *given_on_line(const struct element *e, size_t row)
{
    for (size_t i = 0; i < e->setting_count; i++)
        if (e->settings[i].has_value && parameter_row(e->kind->instance, e->settings[i].name) == row)
            return &e->settings[i];
    return NULL;
}

/* Of an identifier that stands in a law of an element: of the circuit, on its line, on its model card. */
static void explain_identifier(struct explanation *x, struct values *v, const struct element *e, const char *name)
{
    const struct element_kind *kind = e->kind;
    const size_t row = parameter_row(kind->model, name), own = parameter_row(kind->instance, name);
    const struct setting *on_line = own < kind->instance.count ? given_on_line(e, own) : NULL;
    if (strcmp(name, "Vt") == 0)
        add_value(x, v, formula_text(x, "Vt"),
                  arena_format(x->arena, "k T/q = %.6g V at %g degrees Celsius",
                               THERMAL * (x->circuit->temperature + 273.15), x->circuit->temperature));
    else if (strcmp(name, "gmin") == 0)
        add_value(x, v, formula_text(x, "gmin"),
                  arena_format(x->arena, "%g S, .options gmin", mna_options_of(x->circuit).gmin));
    else if (row < kind->model.count && e->model && !on_line)
        add_parameter(x, v, name, e->model->name, &kind->model.rows[row], given(e->model, kind, name));
    else if (own < kind->instance.count)
        add_parameter(x, v, name, e->name, &kind->instance.rows[own], on_line);
}

/* Parameters are written in capitals in the formulas. */
static bool is_parameter(const char *name)
{
    return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")] == '\0' && !isdigit((unsigned char)name[0]);
}

static void explain_identifiers(struct explanation *x, struct values *v, const struct element *e, const char *formula)
{
    for (const char *at = formula; *at;) {
        const size_t length = strcspn(at, " +-*/^();,<>=");
        char name[24];
        if (length > 0 && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (strcmp(name, "Vt") == 0 || strcmp(name, "gmin") == 0 || is_parameter(name))
                explain_identifier(x, v, e, name);
        }
        at += length > 0 ? length : 1;
    }
}

/* ---- lines ---- */

static const char *left_of(struct explanation *x, const struct quantity *q, const struct law_line *l)
{
    return l->left ? formula_text(x, l->left) : explain_symbol(x, q);
}

static void add_line(struct explanation *x, const struct quantity *q, const struct law_line *l, struct values *v,
                     struct explain_line *out)
{
    const struct notation *n = x->writer->notation;
    const char **terms = explain_take(x, MOST_TERMS + 1, sizeof *terms);
    size_t count = 0;
    for (size_t i = 0; i < MOST_TERMS && terms && l->terms[i].formula; i++) {
        if (!any_given(q->element, l->terms[i].given))
            continue;
        const char *formula = l->terms[i].formula;
        const bool negative = formula[0] == '-' && count > 0;
        const char *text = formula_text(x, formula + negative);
        if (count > 0)
            text_add(&x->w, notation_mark(n, negative ? MARK_MINUS : MARK_PLUS));
        text_add(&x->w, text);
        terms[count++] = text_take(&x->w);
        explain_identifiers(x, v, q->element, formula);
    }
    if (count == 0 && terms)
        terms[count++] = notation_mark(n, MARK_ZERO);
    if (l->when)
        explain_identifiers(x, v, q->element, l->when);
    *out = (struct explain_line){.left = left_of(x, q, l), .terms = terms, .term_count = count, .note = l->when};
}

static bool is_first(const struct equation_system *s, size_t row, size_t term)
{
    const struct quantity *q = s->equations[row].terms[term].quantity;
    for (size_t i = 0; i <= row; i++)
        for (size_t k = 0; k < s->equations[i].count && (i < row || k < term); k++)
            if (s->equations[i].terms[k].quantity == q)
                return false;
    return true;
}

static void write_law(struct explanation *x, const struct quantity *q, const struct law *law, struct values *v)
{
    struct explain_line *lines = explain_take(x, law->count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < law->count && lines; i++)
        if (any_given(q->element, law->lines[i].given) && any_given(q->element, law->lines[i].also) &&
            (!law->lines[i].absent || !any_given(q->element, law->lines[i].absent)))
            add_line(x, q, &law->lines[i], v, &lines[count++]);
    explain_write_lines(x, lines, count);
}

/* ---- the section ---- */

enum { MOST_LAWS = 40 };

/* The laws that are written out; of others the names. */
static size_t write_laws(struct explanation *x, struct values *v)
{
    const struct equation_system *s = &x->e->full;
    size_t known = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->equations[i].count; k++) {
            const struct quantity *q = s->equations[i].terms[k].quantity;
            if (q->kind != QUANTITY_LAW || !is_first(s, i, k))
                continue;
            const struct law *law = law_of(q);
            if (law && known++ < MOST_LAWS)
                write_law(x, q, law, v);
        }
    return known;
}

static bool has_laws(const struct explanation *x)
{
    const struct equation_system *s = &x->e->full;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->equations[i].count; k++)
            if (s->equations[i].terms[k].quantity->kind == QUANTITY_LAW && law_of(s->equations[i].terms[k].quantity))
                return true;
    return false;
}

void explain_laws(struct explanation *x)
{
    struct values *v = explain_take(x, 1, sizeof *v);
    if (!v || !has_laws(x))
        return;
    explain_piece(x, EXPLAIN_HEADING, "Laws of the devices");
    explain_say(
        x, "v is the voltage of the piece itself, vbe, vgs .. that between the (inner) nodes of these names, u of a "
           "switch its control; of devices of p type all voltages and currents have the other sign. Area factors "
           "multiply currents and charges, m= does, too; parameters are those of the nominal temperature.");
    const size_t known = write_laws(x, v);
    if (known > MOST_LAWS)
        explain_say(x, "These are the first %d of %zu.", MOST_LAWS, known);
    if (v->count > 0) {
        explain_say(x, "Their parameters:");
        x->writer->pairs(x->to, v->pairs, v->count);
    }
    explain_say(x, "Laws that are not written out here, among them the charges of MOSFETs, stand in docs/devices.md.");
}
