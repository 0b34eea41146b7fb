/* analyses.c - the table of analyses. */
#include "analyses/list.h"

#define ADDRESS(name) &analysis_##name,
const struct analysis *const analyses[] = {ANALYSES(ADDRESS) NULL};
