/* registry.c - the catalogue of the families that are compiled in. */
#include "devices/families.h"

#define KIND_OF(name)       &name##_class.kind,
#define CODE_KIND_OF(name)  (const struct element_kind *)(const void *)&name##_model, /* which begins with its kind */
#define LOGIC_KIND_OF(name) (const struct element_kind *)(const void *)&name##_logic,

static const struct element_kind *const kinds[] = {DEVICE_FAMILIES(KIND_OF) CODE_MODELS(CODE_KIND_OF)
                                                       LOGIC_KINDS(LOGIC_KIND_OF) NULL};

const struct catalogue device_catalogue = {.kinds = kinds};
