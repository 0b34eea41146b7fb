/* canvas.c - see canvas.h.  Lines after J. Bresenham, IBM Systems Journal 4 (1965) 25-30. */
#include "output/pictures/canvas.h"

#include <stdlib.h>

enum kn_status canvas_init(struct canvas *c, int columns, int rows, bool braille)
{
    const size_t count = (size_t)columns * (size_t)rows;
    *c = (struct canvas){columns, rows, braille, calloc(count, 1), calloc(count, 1)};
    if (c->dots && c->pen)
        return KN_OK;
    canvas_free(c);
    return KN_ERROR_MEMORY;
}

void canvas_free(struct canvas *c)
{
    free(c->dots);
    free(c->pen);
    *c = (struct canvas){0};
}

int canvas_width(const struct canvas *c)
{
    return c->braille ? 2 * c->columns : c->columns;
}

int canvas_height(const struct canvas *c)
{
    return c->braille ? 4 * c->rows : c->rows;
}

static void set_dot(struct canvas *c, int x, int y, unsigned char pen)
{
    /* Bits of the Unicode block U+2800, by column and row from the top. */
    static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    if (x < 0 || y < 0 || x >= canvas_width(c) || y >= canvas_height(c))
        return;
    const int down = canvas_height(c) - 1 - y;
    const int cell = c->braille ? down / 4 * c->columns + x / 2 : down * c->columns + x;
    c->dots[cell] |= c->braille ? bits[x % 2][down % 4] : 1;
    c->pen[cell] = pen;
}

void canvas_line(struct canvas *c, int x0, int y0, int x1, int y1, unsigned char pen)
{
    const int dx = abs(x1 - x0), dy = -abs(y1 - y0);
    const int right = x0 < x1 ? 1 : -1, up = y0 < y1 ? 1 : -1;
    for (int error = dx + dy;;) {
        set_dot(c, x0, y0, pen);
        if (x0 == x1 && y0 == y1)
            return;
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x0 += right;
        }
        if (twice <= dx) {
            error += dx;
            y0 += up;
        }
    }
}

void canvas_braille(unsigned char dots, char text[4])
{
    text[0] = (char)0xe2;
    text[1] = (char)(0xa0 | dots >> 6);
    text[2] = (char)(0x80 | (dots & 0x3f));
    text[3] = '\0';
}
