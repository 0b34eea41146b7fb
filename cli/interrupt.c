/* interrupt.c - see interrupt.h. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t stop_requested;

/* A second signal of the kind kills: SA_RESETHAND. */
static void request_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_came(void *context)
{
    (void)context;
    return stop_requested != 0;
}
