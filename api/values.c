/* values.c - kn_circuit_set_.. and kn_circuit_alter..: a circuit with other values than the deck's.
 *
 * Values are overrides of the deck, as those of a sweep and of alter in .control: the deck is expanded again with all of
 * them, so that whatever depends on a value follows it.
 */
#include "analyses/faults.h"
#include "analyses/library.h"
#include "base/names.h"
#include "netlist/netlist.h"

#include <stdlib.h>
#include <string.h>

/* The circuits of all variants with these values; none where one cannot be made. */
static enum kn_status expand_all(struct kn_circuit *c, const struct overrides *all, struct kn_diagnostics *d)
{
    const size_t count = (c->alters + 1) * c->sections;
    struct circuit **made = calloc(count, sizeof *made);
    enum kn_status status = made ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; status == KN_OK && i < count; i++)
        status = deck_expand(c->variants[i].deck, all, faults_of_deck, d, &made[i]);
    for (size_t i = 0; made && i < count; i++) {
        struct circuit *gone = status == KN_OK ? c->variants[i].circuit : made[i];
        if (status == KN_OK)
            c->variants[i].circuit = made[i];
        if (gone)
            circuit_free(gone);
    }
    c->circuit = c->variants[0].circuit;
    free(made);
    return status;
}

static enum kn_status use(struct kn_circuit *c, const struct overrides *all, struct kn_diagnostics *d)
{
    struct changes changes;
    if (!changes_copy(&changes, all))
        return KN_ERROR_MEMORY;
    const enum kn_status status = expand_all(c, &changes.all, d);
    arena_free(status == KN_OK ? c->changes.memory : changes.memory);
    if (status == KN_OK)
        c->changes = changes;
    return status;
}

/* In the place of an earlier one of the same. */
static enum kn_status change(struct kn_circuit *c, struct override o, struct kn_diagnostics *d)
{
    const size_t count = c->changes.all.count;
    struct override *items = calloc(count + 1, sizeof *items);
    if (!items)
        return KN_ERROR_MEMORY;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        items[i] = c->changes.all.items[i];
        at += at == i && !override_same(&items[i], &o);
    }
    items[at] = o;
    const enum kn_status status =
        use(c, &(struct overrides){.items = items, .count = at < count ? count : count + 1}, d);
    free(items);
    return status;
}

enum kn_status kn_circuit_set_parameter(struct kn_circuit *c, const char *name, double value, struct kn_diagnostics *d)
{
    return change(c, (struct override){.kind = OVERRIDE_PARAMETER, .name = name, .value = value}, d);
}

enum kn_status kn_circuit_set_option(struct kn_circuit *c, const char *name, double value, struct kn_diagnostics *d)
{
    const bool temperature = names_equal(name, "temp");
    const struct override o = {.kind = temperature ? OVERRIDE_TEMPERATURE : OVERRIDE_OPTION,
                               .name = temperature ? NULL : name,
                               .value = value};
    return change(c, o, d);
}

enum kn_status kn_circuit_alter(struct kn_circuit *c, const char *element, const char *setting, double value,
                                struct kn_diagnostics *d)
{
    return change(c, (struct override){.kind = OVERRIDE_ELEMENT, .name = element, .setting = setting, .value = value},
                  d);
}

enum kn_status kn_circuit_alter_model(struct kn_circuit *c, const char *model, const char *setting, double value,
                                      struct kn_diagnostics *d)
{
    return change(c, (struct override){.kind = OVERRIDE_MODEL, .name = model, .setting = setting, .value = value}, d);
}

enum kn_status kn_circuit_reset(struct kn_circuit *c, struct kn_diagnostics *d)
{
    return use(c, &(struct overrides){.count = 0}, d);
}

/* ---- reading ---- */

/* The deck evaluates it in the place of an option, where parameters have their last values; nobody reads this option. */
enum kn_status kn_circuit_parameter(const struct kn_circuit *c, const char *formula, double *value,
                                    struct kn_diagnostics *d)
{
    static const char option[] = "value_that_is_asked_for";
    struct arena *memory = arena_new();
    struct kn_circuit *made = NULL;
    const char *card = memory ? arena_format(memory, "options %s={%s}", option, formula) : NULL;
    const enum kn_status status = card ? library_with_card(c, card, d, &made) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        *value = circuit_option(made->circuit, option)->value;
    kn_circuit_free(made);
    arena_free(memory);
    return status;
}

enum kn_status kn_circuit_value(const struct kn_circuit *c, const char *element, const char *setting, double *value,
                                struct kn_diagnostics *d)
{
    const int number = circuit_find_element(c->circuit, element);
    const struct element *e = number >= 0 ? &c->circuit->elements[number] : NULL;
    const struct setting *s = e && setting ? setting_find(e->settings, e->setting_count, setting) : NULL;
    const bool source = e && e->kind->form == CARD_SOURCE;
    if (e && !setting && (source || e->has_value)) {
        *value = source ? e->source.dc : e->value;
        return KN_OK;
    }
    if (s && s->has_value && !s->text) {
        *value = s->value;
        return KN_OK;
    }
    if (!e)
        diagnostics_add(d, KN_ERROR, "argument", NOWHERE, NULL, "there is no element '%s'", element);
    else
        diagnostics_add(d, KN_ERROR, "argument", e->where, NULL, "%s has no %s%s that is a number", e->name,
                        setting ? "setting " : "value", setting ? setting : "");
    return KN_ERROR_ARGUMENT;
}

/* ---- analyses ---- */

enum kn_status kn_analyse(const struct kn_circuit *c, const char *card, const struct kn_options *options,
                          struct kn_diagnostics *d, struct kn_sink *sink, struct kn_summary *summary)
{
    struct kn_circuit *made;
    const enum kn_status status = library_with_card(c, card, d, &made);
    if (status != KN_OK)
        return status;
    const enum kn_status outcome = kn_run(made, options, d, sink, summary);
    kn_circuit_free(made);
    return outcome;
}
