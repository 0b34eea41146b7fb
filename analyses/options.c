/* options.c - what .options says about an analysis, with a warning for each word that means nothing here. */
#include "analyses/options.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum option_use { POSITIVE_NUMBER, OF_MNA, COUNT, WORD, FLAG, ELSEWHERE, WITHOUT_MEANING };

struct option {
    const char *name;
    enum option_use use;
};

/* `OF_MNA`: positive numbers that mna_options_of reads.  `ELSEWHERE`: read by the netlist reader or by sweeps.  `WITHOUT_MEANING`:
 * SPICE options whose purpose the methods here do not have. */
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
    {"steprows", FLAG},
    {"verify", FLAG},
    {"gmin", OF_MNA},
    {"seed", ELSEWHERE},
    {"temp", ELSEWHERE},
    {"tnom", ELSEWHERE},
    {"chgtol", WITHOUT_MEANING},
    {"trtol", WITHOUT_MEANING},
    {"pivtol", WITHOUT_MEANING},
    {"pivrel", WITHOUT_MEANING},
    {"itl2", WITHOUT_MEANING},
    {"itl3", WITHOUT_MEANING},
    {"itl5", WITHOUT_MEANING},
    {"itl6", WITHOUT_MEANING},
    {"lvltim", WITHOUT_MEANING},
    {"acct", WITHOUT_MEANING},
    {"list", WITHOUT_MEANING},
    {"node", WITHOUT_MEANING},
    {"nopage", WITHOUT_MEANING},
    {"nomod", WITHOUT_MEANING},
    {"opts", WITHOUT_MEANING},
    {"numdgt", WITHOUT_MEANING},
    {"noacct", WITHOUT_MEANING},
    {"post", WITHOUT_MEANING},
    {"limpts", WITHOUT_MEANING},
    {"ingold", WITHOUT_MEANING},
    {"gminsteps", WITHOUT_MEANING},
    {"srcsteps", WITHOUT_MEANING},
    {"savecurrents", WITHOUT_MEANING},
    {"klu", WITHOUT_MEANING},
    {"sparse", WITHOUT_MEANING},
    {"noopiter", WITHOUT_MEANING},
    {"rshunt", WITHOUT_MEANING},
    {"xmu", WITHOUT_MEANING},
    {"interp", WITHOUT_MEANING},
    {"badmos3", WITHOUT_MEANING},
    {"cptime", WITHOUT_MEANING},
};

enum { KNOWN = sizeof known_options / sizeof known_options[0] };

static const struct option *find_option(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (names_equal(known_options[i].name, name))
            return &known_options[i];
    return NULL;
}

static void warn_unknown(const struct setting *s, struct kn_diagnostics *d)
{
    const char *names[KNOWN];
    for (size_t i = 0; i < KNOWN; i++)
        names[i] = known_options[i].name;
    const char *likely = names_closest(s->name, names, KNOWN);
    diagnostics_add(d, KN_WARNING, "unknown-option", s->where,
                    diagnostics_meant(d, likely), "unknown option '%s' is ignored",
                    s->name);
}

/* reltol and the tolerances of mna decide over the digits of every result. */
static bool decides_results(const struct option *o)
{
    return o->use == OF_MNA || names_equal(o->name, "reltol");
}

static const char *needed_by(const struct option *o)
{
    return o->use == WORD    ? "a word such as bdf"
           : o->use == COUNT ? "a whole number from 1 on"
           : o->use == FLAG  ? "a number (1: on, 0: off) or none"
                             : "a positive number";
}

static bool value_fits(const struct option *o, const struct setting *s)
{
    const bool number = s->has_value && !s->text;
    switch (o->use) {
    case WORD:
        return s->text != NULL;
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
    diagnostics_add(d, severity, "unknown-method", where,
                    diagnostics_meant(d, likely),
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
    const struct integrator_class *method = integrator_find(s->text);
    if (method)
        out->method = method;
    else
        say_unknown_method(s->text, s->where, KN_WARNING, d);
}

static bool apply(const struct option *o, const struct setting *s, struct kn_diagnostics *d,
                  struct analysis_options *out)
{
    if (o->use == ELSEWHERE)
        return true;
    if (o->use == WITHOUT_MEANING) {
        diagnostics_add(d, KN_NOTE, "option-without-meaning", s->where, NULL,
                        "option '%s' has no meaning here and is ignored", s->name);
        return true;
    }
    if (o->use == OF_MNA && s->has_value && !s->text && s->value == 0) {
        diagnostics_add(d, KN_WARNING, "option-value", s->where, NULL, "%s=0 is ignored, the default is used", s->name);
        return true;
    }
    bool good = true;
    if (!takes_value(o, s, d, &good) || o->use == OF_MNA)
        return good;
    if (names_equal(o->name, "reltol")) {
        out->relative = s->value;
        if (s->value < 1) /* beyond, there are no digits left to control */
            return true;
        diagnostics_add(d, KN_ERROR, "option-value", s->where, NULL, "reltol must be less than 1");
        return false;
    }
    if (names_equal(o->name, "hidden"))
        out->watch_hidden = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "ggl"))
        out->state_hidden = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "steprows"))
        out->step_rows = !s->has_value || s->value != 0;
    else if (names_equal(o->name, "verify"))
        out->verify = !s->has_value || s->value != 0;
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
        if (o)
            good = apply(o, &c->options[i], d, out) && good;
        else
            warn_unknown(&c->options[i], d);
    }
    return good ? KN_OK : KN_ERROR_DECK;
}
