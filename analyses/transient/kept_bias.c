/* kept_bias.c - see kept_bias.h. */
#include "analyses/transient/kept_bias.h"

#include <stdlib.h>

enum kn_status kept_bias_init(struct kept_bias *k, const struct setup *s, size_t n)
{
    k->card = bias_in_time(s, &k->time);
    k->x = k->card ? calloc(n, sizeof *k->x) : NULL;
    return k->card && !k->x ? KN_ERROR_MEMORY : KN_OK;
}

void kept_bias_free(struct kept_bias *k)
{
    free(k->x);
}

enum kn_status kept_bias_step(struct kept_bias *k, struct integrator *m)
{
    if (!k->card || k->kept || k->time > m->t)
        return KN_OK;
    k->kept = true;
    return integrator_point(m, k->time, k->x, NULL);
}

enum kn_status kept_bias_send(const struct kept_bias *k, const struct setup *s)
{
    return k->kept ? bias_send(s, k->card, k->x) : KN_OK;
}
