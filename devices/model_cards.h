/* model_cards.h - the .model cards of a family, each read once however many elements use it, so that its warnings come
 * once.
 */
#ifndef DEVICES_MODEL_CARDS_H
#define DEVICES_MODEL_CARDS_H

#include "base/arena.h"
#include "devices/device.h"

/* PSpice: temperature of all its elements, or how much they are hotter than the circuit. */
#define MODEL_TEMPERATURES "t_abs t_rel_global"

struct model_cards {
    const struct model **models;       /* [count], distinct, in order of first use */
    const struct element_kind **kinds; /* [count] of the element that uses it first */
    size_t count;
    size_t *places; /* [capacity] numbers of cards from 1 on by model; 0: none */
    size_t capacity;
    size_t width;   /* parameters of one card, at most */
    double *values; /* [count][width] */
    bool *given;    /* [count][width] */
};

/* Reads the models of all elements of the family; arrays live in the arena.  KN_ERROR_DECK when a parameter is wrong,
 * KN_ERROR_MEMORY. */
enum kn_status model_cards_read(const struct device_input *in, struct arena *arena, struct model_cards *out);

/* Number of the card of a model that was read. */
size_t model_cards_find(const struct model_cards *cards, const struct model *model);

const double *model_card_values(const struct model_cards *cards, size_t card);
const bool *model_card_given(const struct model_cards *cards, size_t card);

/* Temperature of elements of a model, degrees Celsius, in a circuit of that temperature. */
double model_temperature(const struct model *model, double circuit);

#endif
