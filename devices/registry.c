/* registry.c - the catalogue of the families that are compiled in. */
#include "devices/families.h"

#define KIND_OF(name) &name##_class.kind,

static const struct element_kind *const kinds[] = {DEVICE_FAMILIES(KIND_OF) NULL};

const struct catalogue device_catalogue = {.kinds = kinds};
