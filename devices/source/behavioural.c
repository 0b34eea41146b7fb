/* behavioural.c - B: a voltage (`V=`) or current (`I=`) given by an expression of voltages, currents and time.
 *
 * An E or G with an expression is the same thing under another letter; law.c evaluates all of them with exact
 * derivatives, controlled.c puts them into the equations.
 */
#include "devices/families.h"
#include "devices/source/controlled.h"

const struct device_class behavioural_class =
    CONTROLLED_CLASS(.letter = 'b', .noun = "behavioural source", .nodes = "n+ n-",
                     .usage = "I=expression or V=expression", .form = CARD_LAW, .sets_voltage = true,
                     .parasitics = PARASITIC_RPAR | PARASITIC_CPAR);
