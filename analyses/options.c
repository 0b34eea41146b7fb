/* options.c - what .options says about an analysis, with a warning for each word that means nothing here. */
#include "analyses/options.h"

#include "base/names.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum option_use { POSITIVE_NUMBER, OF_MNA, COUNT, WORD, NAMES, FLAG, ELSEWHERE };

struct option {
    const char *name;
    enum option_use use;
};

/* `OF_MNA`: positive numbers that mna_options_of reads.  `ELSEWHERE`: read by the netlist reader or by sweeps. */
static const struct option known_options[] = {
    {"reltol", POSITIVE_NUMBER},
    {"method", WORD},
    {"maxord", COUNT},
    {"itl1", COUNT},
    {"itl4", COUNT},
    {"kappa", POSITIVE_NUMBER},
    {"vntol", OF_MNA},
    {"abstol", OF_MNA},
    {"hidden", FLAG},
    {"ggl", FLAG},
    {"quasistatic", NAMES},
    {"slow_start", NAMES},
    {"quasistatic_cmax", POSITIVE_NUMBER},
    {"quasistatic_lmax", POSITIVE_NUMBER},
    {"steprows", FLAG},
    {"rawindex2", FLAG},
    {"verify", FLAG},
    {"gmin", OF_MNA},
    {"seed", ELSEWHERE},
    {"temp", ELSEWHERE},
    {"tnom", ELSEWHERE},
    {"savecurrents", ELSEWHERE},
    {"distribution", ELSEWHERE},
    {"saveinternals", ELSEWHERE},
    {"delmax", ELSEWHERE},
    {"maxstep", ELSEWHERE},
    {"step", POSITIVE_NUMBER},
    {"scale", ELSEWHERE},
    {"parhier", ELSEWHERE},
    {"rshunt", ELSEWHERE},
    {"gshunt", ELSEWHERE},
    {"cshunt", ELSEWHERE},
    {"device.b3soigminscaling", ELSEWHERE},
    {"device.minres", ELSEWHERE},
    {"device.mincap", ELSEWHERE},
};

enum { KNOWN = sizeof known_options / sizeof known_options[0] };

/* Options of other programs whose purpose the methods here do not have, or that say what is printed where; those of Xyce
 * have their package in front, of which nothing else means anything. */
static const char without_meaning[] =
    /* SPICE and ngspice */
    " chgtol trtol pivtol pivrel itl2 itl3 itl5 itl6 lvltim acct list node nopage nomod opts numdgt noacct limpts"
    " gminsteps srcsteps klu sparse noopiter xmu interp badmos3 cptime noinit noasciiraw"
    " convlimit convstep convabsstep autostop keepopinfo trytocompact bypass dcpath oldlimit seedinfo warn maxwarns"
    " itl7 itl8 maxevtiter maxopalter noopalter optran num_threads soa_log units filetype no_mem_check"
    " noacctinfo lxtype indverbosity"
    /* LTspice */
    " plotwinsize numdgts measdgt fastaccess ptrantau baudrate delay topologycheck nomarch thread_priority threads"
    " plotreltol plotvntol plotabstol plotwindow compress gminsteps cshuntintern solver debugtran trtol2"
    /* PSpice */
    " filemodelsearch preorder expand library nobias nodemsg noecho noolist nooutmsg noprbmsg noreuse nosubckt stepgmin preordr"
    " usertbl advconv adeltest diginitstate digmntyscale digmntymx digiolvl digfreq digdrvf digdrvz digovrdrv"
    " digtyscale diffreltol autoconverge no_dgtl_init thread solver_method parampoints probe_zoom wcheckpoints"
    /* HSPICE */
    " post probe brief ingold accurate runlvl fast lvlfile measform measfile measout measfail nowarn nomodwarn "
    "nowarnfor"
    " csdf ascii binary post_version posttop postlvl postlvl_tran splitwave captab unwrap co notop nowarnlimit "
    "autostopp"
    " converge acout list page nopage dccap delmaxx dvdt dvtr relv relvar relvdc relq reli absv absvar absvdc absi relmos absmos kcltest newtol lvltime"
    " imin imax ft rmax rmin trtolt slopetol timeres bkpsiz bypasst mbypass dcon dchold dcstep dctran convergence itlpz"
    " pivref pivot nopiv sparsity icsweep gramp gdcpath gmindc diagnostic parhier_local search artist psf opfile"
    " statfl verify_hspice modmonte mcbrief sampling_method simprofile hier_delim hier_scale cvtol symb mtthresh"
    " optlst optpst pathnum alt9999 alt999 wnflag cnode vfloor vamodel inactive nocheck op_auto hspice s_rational_func"
    " wl zuken d_ibis warnlimit strict_check plim scalm_old unsetting xdtemp randgen altchk altcc"
    " ";

static bool is_without_meaning(const char *name)
{
    return strchr(name, '.') || name_is_among(without_meaning, name);
}

static const struct option *find_option(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (names_equal(known_options[i].name, name))
            return &known_options[i];
    return NULL;
}

/* quasistatic=c1,c2 without quotes is read as two options, of which the second must not be lost: the option that it belongs
 * to, or NULL. */
static const char *rest_of_names_of(const struct setting *s)
{
    for (size_t i = 0; i < KNOWN; i++) {
        const char *name = known_options[i].name;
        const size_t length = strlen(name);
        if (known_options[i].use == NAMES && strncasecmp(s->name, name, length) == 0 && s->name[length] >= '0' &&
            s->name[length] <= '9')
            return name;
    }
    return NULL;
}

static void warn_unknown(const struct setting *s, struct kn_diagnostics *d)
{
    const char *names[KNOWN];
    for (size_t i = 0; i < KNOWN; i++)
        names[i] = known_options[i].name;
    const char *likely = names_closest(s->name, names, KNOWN);
    diagnostics_add(d, KN_WARNING, "unknown-option", s->where, diagnostics_meant(d, likely),
                    "unknown option '%s' is ignored", s->name);
}

/* reltol, a fixed step and the tolerances of mna decide over the digits of every result, what is left out over more. */
static bool decides_results(const struct option *o)
{
    return o->use == OF_MNA || names_equal(o->name, "reltol") || names_equal(o->name, "step") ||
           names_match("quasistatic*", o->name) || names_equal(o->name, "slow_start");
}

static const char *needed_by(const struct option *o)
{
    return o->use == WORD    ? "a word such as bdf"
           : o->use == NAMES ? "names of capacitors and inductors, such as \"c1 x1.l*\""
           : o->use == COUNT ? "a whole number from 1 on"
           : o->use == FLAG  ? "a number (1: on, 0: off) or none"
                             : "a positive number";
}

/* Xyce's numbers of methods; 1 and 2 are the trapezoidal rule and Gear's formulas to PSpice and HSPICE. */
static const char *method_by_number(const struct setting *s)
{
    if (!s->has_value || s->text)
        return NULL;
    return s->value == 7 || s->value == 6 || s->value == 1 ? "trap" : s->value == 8 || s->value == 2 ? "gear" : NULL;
}

static bool value_fits(const struct option *o, const struct setting *s)
{
    const bool number = s->has_value && !s->text;
    switch (o->use) {
    case NAMES:
        return s->text;
    case WORD:
        return s->text != NULL || method_by_number(s);
    case FLAG:
        return number || !s->text;
    case COUNT:
        return number && s->value >= 1 && s->value == floor(s->value) && isfinite(s->value);
    default:
        return number && s->value > 0 && isfinite(s->value);
    }
}

/* Whether the value can be taken; says what is wrong with it otherwise, which is an error (*good = false) where results
 * depend on it. */
static bool takes_value(const struct option *o, const struct setting *s, struct kn_diagnostics *d, bool *good)
{
    if (value_fits(o, s))
        return true;
    *good = !decides_results(o);
    diagnostics_add(d, *good ? KN_WARNING : KN_ERROR, "option-value", s->where, NULL, "option '%s' needs %s%s", s->name,
                    needed_by(o), *good ? "; it is ignored, the default is used" : "");
    return false;
}

static void say_unknown_method(const char *name, struct kn_location where, enum kn_severity severity,
                               struct kn_diagnostics *d)
{
    char list[400] = "";
    const char *names[40];
    size_t count = 0;
    for (; integrator_classes[count] && count < sizeof names / sizeof *names; count++) {
        names[count] = integrator_classes[count]->name;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", names[count]);
    }
    const char *likely = names_closest(name, names, count);
    diagnostics_add(d, severity, "unknown-method", where, diagnostics_meant(d, likely),
                    "unknown integration method '%s'%s; there are: %s", name,
                    severity == KN_WARNING ? " is ignored, the default is used" : "", list);
}

const struct integrator_class *analysis_method(const char *name, struct kn_location where, struct kn_diagnostics *d)
{
    const struct integrator_class *method = integrator_find(name);
    if (!method)
        say_unknown_method(name, where, KN_ERROR, d);
    return method;
}

/* That of a deck's option; an unknown one, such as `gears` or `8`, leaves the default. */
static void set_method(const struct setting *s, struct kn_diagnostics *d, struct analysis_options *out)
{
    const char *name = s->text ? s->text : method_by_number(s);
    const struct integrator_class *method = integrator_find(name);
    if (method)
        out->method = method;
    else
        say_unknown_method(name, s->where, KN_WARNING, d);
}

static bool apply(const struct option *o, const struct setting *s, struct kn_diagnostics *d,
                  struct analysis_options *out)
{
    if (o->use == ELSEWHERE)
        return true;
    if (o->use == OF_MNA && s->has_value && !s->text && s->value == 0) {
        diagnostics_add(d, KN_WARNING, "option-value", s->where, NULL, "%s=0 is ignored, the default is used", s->name);
        return true;
    }
    bool good = true;
    if (!takes_value(o, s, d, &good) || o->use == OF_MNA)
        return good;
    if (names_equal(o->name, "reltol")) {
        if (s->value < 1) { /* beyond, there are no digits left to control */
            out->relative = s->value;
            return true;
        }
        diagnostics_add(d, KN_ERROR, "option-value", s->where, NULL, "reltol must be less than 1");
        return false;
    }
    if (names_equal(o->name, "step"))
        return true; /* read with .tran */
    if (names_equal(o->name, "hidden"))
        out->watch_hidden = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "ggl"))
        out->state_hidden = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "steprows"))
        out->step_rows = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "rawindex2"))
        out->raw_index2 = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "verify"))
        out->verify = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "quasistatic"))
        out->quasistatic.names = s->text;
    else if (names_equal(o->name, "slow_start"))
        out->slow_start.names = s->text;
    else if (names_equal(o->name, "quasistatic_cmax"))
        out->quasistatic.most_capacitance = s->value;
    else if (names_equal(o->name, "quasistatic_lmax"))
        out->quasistatic.most_inductance = s->value;
    else if (names_equal(o->name, "kappa"))
        out->kappa = s->value;
    else if (names_equal(o->name, "maxord"))
        out->max_order = (int)fmin(s->value, 100);
    else if (names_equal(o->name, "itl1"))
        out->op_iterations = (int)fmin(s->value, 1e6);
    else if (names_equal(o->name, "itl4"))
        out->step_iterations = (int)fmin(s->value, 1e6);
    else
        set_method(s, d, out);
    return true;
}

/* All of them in one note, each once. */
static bool note_without_meaning(const struct circuit *c, struct kn_diagnostics *d)
{
    struct arena *memory = arena_new();
    struct name_table *said = memory ? name_table_new(memory) : NULL;
    bool good = said != NULL;
    struct text names = TEXT(SENTENCE);
    struct text_list list = text_list(&names, ", ", 12);
    const struct setting *first = NULL;
    for (size_t i = 0; good && i < c->option_count; i++) {
        const struct setting *s = &c->options[i];
        if (find_option(s->name) || !is_without_meaning(s->name) || name_table_get(said, s->name))
            continue;
        first = first ? first : s;
        text_list_add(&list, s->name);
        good = name_table_put(said, s->name, said);
    }
    text_list_end_counted(&list);
    arena_free(memory);
    if (first)
        diagnostics_add(d, KN_NOTE, "option-without-meaning", first->where, NULL,
                        "options without meaning here are ignored: %s", names.at);
    return good;
}

enum kn_status analysis_options_of(const struct circuit *c, struct kn_diagnostics *d, struct analysis_options *out)
{
    *out = (struct analysis_options){
        .method = integrator_classes[0],
        .relative = 1e-3,
        .kappa = 0.05,
        .op_iterations = 100,
        .step_iterations = 12,
        .mna = mna_options_of(c),
    };
    bool good = true;
    for (size_t i = 0; i < c->option_count; i++) {
        const struct option *o = find_option(c->options[i].name);
        if (o) {
            good = apply(o, &c->options[i], d, out) && good;
        } else if (rest_of_names_of(&c->options[i])) {
            const char *name = rest_of_names_of(&c->options[i]);
            diagnostics_add(d, KN_ERROR, "option-value", c->options[i].where,
                            diagnostics_hint(d, "put the names between quotes: %s=\"c1 c2\"", name),
                            "several names after '%s' need quotes", name);
            good = false;
        }
        if (!o && !rest_of_names_of(&c->options[i]) && !is_without_meaning(c->options[i].name))
            warn_unknown(&c->options[i], d);
    }
    if (!note_without_meaning(c, d))
        return KN_ERROR_MEMORY;
    return good ? KN_OK : KN_ERROR_DECK;
}
