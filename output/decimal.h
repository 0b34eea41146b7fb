/* decimal.h - numbers as text: the shortest decimal that reads back to the same double, and numbers with engineering
 * prefixes for people.  Neither depends on the locale.
 */
#ifndef OUTPUT_DECIMAL_H
#define OUTPUT_DECIMAL_H

#include <stddef.h>

enum { DECIMAL_TEXT = 32 }; /* characters of a shortest number at most, NUL included */

/* Writes the shortest decimal that strtod turns back into value ("0.1", "1e-12", "-3.3", "nan", "inf"): the
 * first of 15, 16 and 17 digits that does.  NUL-terminated; returns the length. */
size_t decimal_shortest(double value, char text[DECIMAL_TEXT]);

/* value with `digits` significant digits, an SI prefix from femto to tera and the unit: "4.7 kV", "-12.5 uA", "0 V".
 * mu is the text for micro ("u" or the Greek letter in UTF-8). */
void decimal_engineering(double value, int digits, const char *unit, const char *mu, char *text, size_t size);

/* Like printf's %.*e with a point as decimal separator whatever the locale says. */
void decimal_scientific(double value, int digits, char *text, size_t size);

#endif
