/* canvas.h - dots and lines in a field of characters: braille (2 x 4 dots per character) or one letter per dot. */
#ifndef OUTPUT_PICTURES_CANVAS_H
#define OUTPUT_PICTURES_CANVAS_H

#include "knoten.h"

struct canvas {
    int columns, rows; /* characters */
    bool braille;
    unsigned char *dots; /* [rows][columns] braille mask, or 1 */
    unsigned char *pen;  /* [rows][columns] who drew there last */
};

enum kn_status canvas_init(struct canvas *c, int columns, int rows, bool braille);
void canvas_free(struct canvas *c);

/* Size in dots. */
int canvas_width(const struct canvas *c);
int canvas_height(const struct canvas *c);

/* A straight line between two dots, (0, 0) at the bottom left; what lies outside is left out. */
void canvas_line(struct canvas *c, int x0, int y0, int x1, int y1, unsigned char pen);

/* UTF-8 text of a braille character, NUL-terminated. */
void canvas_braille(unsigned char dots, char text[4]);

#endif
