/* vbic_noise.c - noise of VBIC transistors, as release 1.2 has it: resistances, shot noise of the currents, and 1/f noise of
 * both base-emitter currents.
 */
#include "devices/noise.h"
#include "devices/vbic/vbic_batch.h"

static struct noise_place place_of(const struct vbic_transistor *t, const struct element *e, const char *name,
                                   struct vbic_ends ends)
{
    return (struct noise_place){e, name, t->unknowns[ends.from], t->unknowns[ends.to]};
}

struct noisy {
    const struct vbic_transistor *t;
    const struct element *e;
    const struct vbic_point *o;
    double kelvin;
    struct noise_list *list;
};

static bool add_resistance(const struct noisy *n, const char *name, struct vbic_ends ends, double conductance)
{
    return noise_add_thermal(n->list, place_of(n->t, n->e, name, ends), n->t->parallel * conductance, n->kelvin);
}

static double of(const struct vbic_point *o, enum vbic_warm resistance)
{
    return o->warm[resistance].value > 0 ? 1 / o->warm[resistance].value : 0;
}

static bool add_resistances(const struct noisy *n)
{
    const struct vbic_point *o = n->o;
    return add_resistance(n, "rc", (struct vbic_ends){VBIC_C, VBIC_CX}, of(o, VBIC_RCX)) &&
           add_resistance(n, "rci", vbic_current_ends[VBIC_IRCI], of(o, VBIC_RCI)) &&
           add_resistance(n, "rb", (struct vbic_ends){VBIC_B, VBIC_BX}, of(o, VBIC_RBX)) &&
           add_resistance(n, "rbi", vbic_current_ends[VBIC_IRBI], o->base.value) &&
           add_resistance(n, "re", (struct vbic_ends){VBIC_E, VBIC_EI}, of(o, VBIC_RE)) &&
           add_resistance(n, "rbp", vbic_current_ends[VBIC_IRBP], o->parasitic_base.value) &&
           add_resistance(n, "rs", (struct vbic_ends){VBIC_S, VBIC_SI}, of(o, VBIC_RS));
}

static bool add_shot(const struct noisy *n, const char *name, enum vbic_current i)
{
    const struct noise_place at = place_of(n->t, n->e, name, vbic_current_ends[i]);
    return at.plus == at.minus || noise_add_shot(n->list, at, n->t->parallel * n->o->current[i].value);
}

static bool add_flicker(const struct noisy *n, const char *name, enum vbic_current i)
{
    const double *card = n->t->law.card;
    const struct noise_source s = {.at = place_of(n->t, n->e, name, vbic_current_ends[i]),
                                   .density = noise_flicker(card[VBIC_CARD_KFN], card[VBIC_CARD_AFN],
                                                            n->t->parallel * n->o->current[i].value, n->t->multiple),
                                   .exponent = card[VBIC_CARD_BFN]};
    return s.at.plus == s.at.minus || card[VBIC_CARD_KFN] == 0 || noise_add(n->list, &s);
}

bool vbic_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct vbic_batch *b = batch;
    const struct vbic_transistor *t = &b->transistors[k];
    double v[VBIC_VARIABLES];
    struct vbic_point o;
    vbic_voltages(t, at->x, v);
    vbic_evaluate(&t->law, v, false, &o);
    const struct noisy n = {t, b->all.base.elements[k], &o, t->law.ambient + v[VBIC_HEAT], list};
    return add_resistances(&n) && add_shot(&n, "ic", VBIC_ITF) && add_shot(&n, "ib", VBIC_IBE) &&
           add_shot(&n, "ibep", VBIC_IBEP) && add_shot(&n, "iccp", VBIC_ICCP) && add_flicker(&n, "1overf", VBIC_IBE) &&
           add_flicker(&n, "1overfp", VBIC_IBEP);
}
