/* stabilise.c - see stabilise.h. */
#include "analyses/transient/stabilise.h"

static struct kn_location option_place(const struct mna *m)
{
    const struct setting *s = circuit_option(mna_circuit(m), "ggl");
    return s ? s->where : NOWHERE;
}

static const char *const reasons[] = {
    [GGL_NONLINEAR] = "the circuit is nonlinear",
    [GGL_CHANGING] = "a capacitance or what the constraints connect changes with time",
    [GGL_DRIVEN] = "a charge depends on time itself",
    [GGL_DELAYED] = "there are delay lines",
    [GGL_HIGHER] = "the index exceeds 2",
    [GGL_LARGE] = "the circuit has more than 400 unknowns",
};

static void report_ignored(const struct mna *m, enum ggl_outcome outcome, int where, struct kn_diagnostics *d)
{
    char elements[300] = "";
    const char *hint = NULL;
    if (where >= 0) {
        mna_describe(m, where, elements, sizeof elements);
        hint = diagnostics_hint(d, "look at %s, where these meet: %s", mna_unknown(m, where)->name, elements);
    }
    diagnostics_add(d, KN_WARNING, "ggl-ignored", option_place(m), hint,
                    "option 'ggl' is ignored: it states the hidden constraints of linear circuits of index 2, but %s",
                    reasons[outcome]);
}

enum kn_status stabilise(const struct mna *m, double stop, struct kn_diagnostics *d, struct ggl **out)
{
    enum ggl_outcome outcome;
    int where;
    const enum kn_status status = ggl_new(mna_dae(m), 0, stop, out, &outcome, &where);
    if (status != KN_OK)
        return status;
    if (outcome == GGL_STATED)
        diagnostics_add(
            d, KN_NOTE, "ggl", option_place(m), NULL,
            "%d hidden constraint%s stated (experimental): the unknowns of index 2 satisfy %s at every point and "
            "count in the error control",
            ggl_count(*out), ggl_count(*out) == 1 ? " is" : "s are", ggl_count(*out) == 1 ? "it" : "them");
    else if (outcome == GGL_NONE)
        diagnostics_add(d, KN_NOTE, "ggl", option_place(m), NULL,
                        "option 'ggl' has no effect: this circuit has no hidden constraints");
    else
        report_ignored(m, outcome, where, d);
    return KN_OK;
}

void stabilise_blame_method(const struct mna *m, const struct ggl *s, const char *method, struct kn_diagnostics *d)
{
    if (ggl_was_asked_for_rates(s))
        diagnostics_add(
            d, KN_ERROR, "method-unsuitable", option_place(m),
            "choose bdf, gear, trap, trbdf2, radau or a Gauss method, or leave option 'ggl' away",
            "method %s cannot be used with option 'ggl': it takes the time derivative of the equations, and "
            "hidden constraints are derivatives already",
            method);
}
