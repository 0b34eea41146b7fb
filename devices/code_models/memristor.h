/* memristor.h - what memristors of all levels are: two nodes, a current of the voltage and of one state between 0 and 1. */
#ifndef DEVICES_CODE_MODELS_MEMRISTOR_H
#define DEVICES_CODE_MODELS_MEMRISTOR_H

#include "devices/code_models/code_model.h"

static const struct port_info memristor_ports[] = {
    {.name = "p", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD}};
static const struct model_type memristor_types[] = {{"memristor", NULL, NULL}, {NULL, NULL, NULL}};
static const char *const memristor_states[] = {"x", NULL};

/* A level with a list of levels that has it alone, parameters on the element and how many, parameters of the model and how many, and
 * words on model cards that are known and not parameters. */
#define MEMRISTOR(LEVELS, INSTANCE, INSTANCES, MODEL, COUNT, WORDS)                                                    \
    .class = {.kind = {.letter = 'a',                                                                                  \
                       .noun = "memristor",                                                                            \
                       .nodes = "plus minus",                                                                          \
                       .usage = "model",                                                                               \
                       .form = CARD_PORTS,                                                                             \
                       .ports = memristor_ports,                                                                       \
                       .port_count = 1,                                                                                \
                       .types = memristor_types,                                                                       \
                       .levels = LEVELS,                                                                               \
                       .instance = {INSTANCE, INSTANCES, NULL},                                                        \
                       .model = {MODEL, COUNT, WORDS}},                                                                \
              .together = &code_switches_class},                                                                       \
    .rests_apart = true, .states = memristor_states

#endif
