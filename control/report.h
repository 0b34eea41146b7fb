/* report.h - commands that show and write vectors. */
#ifndef CONTROL_REPORT_H
#define CONTROL_REPORT_H

#include "control/script/state.h"

bool report_echo(struct state *s, const char *rest);
bool report_print(struct state *s, const char *rest);
bool report_display(struct state *s, const char *rest);
bool report_write(struct state *s, const char *rest);
bool report_wrdata(struct state *s, const char *rest);
bool report_plot(struct state *s, const char *rest);
bool report_gnuplot(struct state *s, const char *rest);
bool report_hardcopy(struct state *s, const char *rest);

#endif
