/* bjt_layer.h - the epitaxial layer of a transistor (bjt_epi.h) in the equations: between the node behind the collector's
 * resistance and the internal collector.
 */
#ifndef DEVICES_BIPOLAR_BJT_LAYER_H
#define DEVICES_BIPOLAR_BJT_LAYER_H

#include "devices/bipolar/bjt_batch.h"

static inline bool bjt_layer_is_there(const struct bjt_batch *b, size_t k)
{
    return b->laws[k].epi.conductance > 0;
}

bool bjt_layer_connect(struct bjt_batch *b, size_t k, struct device_setup *s);
/* Its current and Qw; excesses: proposed voltages minus those of e. */
void bjt_layer_add(const struct bjt_batch *b, size_t k, unsigned what, double vbc_excess, double vbn_excess,
                   const struct bjt_epi *e, const struct device_stamp *out);

#endif
