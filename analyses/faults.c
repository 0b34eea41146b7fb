/* faults.c - see faults.h. */
#include "analyses/faults.h"

#include "analyses/list.h"
#include "analyses/options.h"
#include "analyses/sweeps/steps.h"

enum kn_status faults_of_cards(const struct run_request *r, struct setup *s)
{
    enum kn_status status = steps_check(r);
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0;
             analyses[i]->check && status != KN_ERROR_MEMORY && k < analysis_count(analyses[i], s->circuit); k++) {
            const enum kn_status checked = analyses[i]->check(s, analysis_card(s->circuit, analyses[i]->card, k));
            status = checked == KN_OK ? status : checked;
        }
    return status;
}

void faults_of_deck(const struct circuit *c, const struct deck *k, struct kn_diagnostics *d)
{
    struct analysis_options o = {0};
    const struct run_request request = {.circuit = c, .deck = k, .diagnostics = d};
    struct setup setup = setup_of(c, &o, d);
    setup.deck = k;
    const enum kn_status options = analysis_options_of(c, d, &o);
    if (!c->is_whole || c->element_count == 0 || options != KN_OK)
        run_device_faults(c, d);
    else
        setup_open(&setup);
    faults_of_cards(&request, &setup);
    setup_close(&setup);
}
