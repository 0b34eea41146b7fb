/* interrupt.h - Ctrl-C and SIGTERM ask a run to end in good order; a second one kills.
 *
 * A run that is asked looks up between evaluations.  Where that takes too long, in the factorisation of a large matrix
 * say, a thread that waits for this moment finishes what has been made so far and ends the program.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include "knoten.h"

#include <stdbool.h>

/* From now on; abandon finishes and reports results of a run that does not look up, and is called in another thread
 * while no one is between interrupt_hold and interrupt_let.  The exit status is then 1. */
void interrupt_catch(void (*abandon)(void *context), void *context);
/* The run has ended: abandon is not called any more. */
void interrupt_release(void);

/* Whether a signal came.  As the `interrupted` of options: the context is not looked at. */
bool interrupt_came(void *context);

/* Around everything that changes what abandon works on. */
void interrupt_hold(void);
void interrupt_let(void);
/* A sink that does so around each call of another one. */
struct kn_sink interrupt_guard(struct kn_sink *sink);

#endif
