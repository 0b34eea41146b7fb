/* past.h - what an element with logic remembers, for a run that goes on with other values. */
#ifndef DEVICES_LOGIC_PAST_H
#define DEVICES_LOGIC_PAST_H

#include "devices/logic/logic.h"

/* In the arena; NULL without memory. */
void *logic_item_keep(struct logic_item *i, struct logic *l, struct arena *arena);
/* KN_ERROR_CIRCUIT where the element consists of other parts. */
enum kn_status logic_item_recall(struct logic_item *i, struct logic *l, const void *kept);

#endif
