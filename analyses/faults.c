/* faults.c - see faults.h. */
#include "analyses/faults.h"

#include "analyses/options.h"
#include "devices/setup.h"

void faults_of_devices(const struct circuit *c, struct kn_diagnostics *d)
{
    struct device_families families;
    if (device_families_create(c, d, &families) == KN_OK)
        device_families_destroy(&families);
}

void faults_of_deck(const struct circuit *c, struct kn_diagnostics *d)
{
    struct analysis_options ignored;
    analysis_options_of(c, d, &ignored);
    faults_of_devices(c, d);
}
