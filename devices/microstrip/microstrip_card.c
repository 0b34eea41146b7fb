/* microstrip_card.c - see microstrip_card.h. */
#include "devices/microstrip/microstrip_card.h"

enum kn_status strip_card_fail(const struct model *model, struct kn_diagnostics *d, const char *what)
{
    diagnostics_add(d, KN_ERROR, "line-values", model->where, NULL, "model '%s': %s", model->name, what);
    return KN_ERROR_DECK;
}

static bool is_of_pairs(const struct microstrip *m)
{
    return (m->model == STRIP_HAMMERSTAD || m->model == STRIP_KIRSCHNING) &&
           (m->dispersion == DISPERSION_KIRSCHNING || m->dispersion == DISPERSION_GETSINGER ||
            m->dispersion == DISPERSION_NONE);
}

enum kn_status strip_card_read(struct microstrip *out, const double *rows, enum microstrip_mode mode,
                               const struct model *model, struct kn_diagnostics *d)
{
    *out = (struct microstrip){.mode = mode,
                               .model = (enum microstrip_model)rows[STRIP_MODEL],
                               .dispersion = (enum microstrip_dispersion)rows[STRIP_DISPERSION],
                               .width = rows[STRIP_WIDTH],
                               .height = rows[STRIP_HEIGHT],
                               .thickness = rows[STRIP_THICKNESS],
                               .permittivity = rows[STRIP_PERMITTIVITY],
                               .loss = rows[STRIP_LOSS],
                               .resistivity = rows[STRIP_RESISTIVITY],
                               .roughness = rows[STRIP_ROUGHNESS]};
    if (mode != STRIP_ALONE && !is_of_pairs(out))
        return strip_card_fail(model, d, "of two strips model is 0 or 1, disp 0, 4 or 7");
    if (mode == STRIP_ALONE && out->model == STRIP_KIRSCHNING)
        return strip_card_fail(model, d, "of a strip alone model is 0, 2 or 3; 1 is of two");
    return KN_OK;
}
