/* kept_bias.h - the point of a transient that .savebias with a time asks for. */
#ifndef ANALYSES_TRANSIENT_KEPT_BIAS_H
#define ANALYSES_TRANSIENT_KEPT_BIAS_H

#include "analyses/bias.h"
#include "integrators/integrator.h"

struct kept_bias {
    const struct analysis_card *card; /* NULL: none is asked for */
    double time;                      /* s */
    double *x;                        /* [n] there, once the run has been there */
    bool kept;
};

/* n: length of the integrated equations.  kept_bias_free is due in any case. */
enum kn_status kept_bias_init(struct kept_bias *k, const struct setup *s, size_t n);
void kept_bias_free(struct kept_bias *k);
/* After each step. */
enum kn_status kept_bias_step(struct kept_bias *k, struct integrator *m);
/* To who keeps it; nothing where the run has not been there. */
enum kn_status kept_bias_send(const struct kept_bias *k, const struct setup *s);

#endif
