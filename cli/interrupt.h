/* interrupt.h - Ctrl-C and SIGTERM ask a run to end in good order; a second one kills. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
/* Whether a signal came.  As the `interrupted` of options: the context is not looked at. */
bool interrupt_came(void *context);

#endif
