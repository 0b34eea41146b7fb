/* drawing.h - the pictures of commands: by gnuplot into a file, or in characters on the screen. */
#ifndef CLI_PICTURES_DRAWING_H
#define CLI_PICTURES_DRAWING_H

#include "cli/results/picture.h"
#include "control/control.h"

/* PICTURE_FAILED without memory, too. */
enum picture_outcome drawing_write(const struct control_picture *p, const char *path);
enum kn_status drawing_show(const struct control_picture *p, FILE *screen);

#endif
