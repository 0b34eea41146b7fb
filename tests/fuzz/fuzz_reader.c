/* fuzz_reader.c - libFuzzer's way into the reader: any bytes are a deck, which is read and expanded and then freed.
 *
 * Whatever it says about them, it must come back, with bounded time and memory, and leave nothing behind.  Built and run by
 * scripts/fuzz.
 */
#include "base/diagnostics.h"
#include "devices/device.h"
#include "netlist/netlist.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct deck *deck = NULL;
    struct circuit *circuit = NULL;
    if (d && deck_parse_text(&device_catalogue, "deck.cir", (const char *)data, size, NULL, d, &deck) == KN_OK &&
        deck_expand(deck, NULL, NULL, d, &circuit) == KN_OK)
        circuit_free(circuit);
    deck_free(deck);
    kn_diagnostics_free(d);
    return 0;
}
