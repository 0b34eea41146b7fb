/* field.c - see field.h. */
#include "sparse/field.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arithmetic ---- */

/* x < 2^64 to its remainder; 2^61 = 1 here. */
static field fold(uint64_t x)
{
    const uint64_t y = (x & FIELD_PRIME) + (x >> 61);
    return y >= FIELD_PRIME ? y - FIELD_PRIME : y;
}

field field_add(field a, field b)
{
    return fold(a + b);
}

field field_negate(field a)
{
    return a == 0 ? 0 : FIELD_PRIME - a;
}

/* With halves a = 2^31 a1 + a0: 2^62 = 2, and 2^31 (2^30 m1 + m0) = m1 + 2^31 m0. */
field field_multiply(field a, field b)
{
    const uint64_t low = (UINT64_C(1) << 31) - 1, a1 = a >> 31, a0 = a & low, b1 = b >> 31, b0 = b & low;
    const uint64_t middle = a1 * b0 + a0 * b1, m1 = middle >> 30, m0 = middle & (low >> 1);
    return fold(fold(2 * a1 * b1 + m1 + (m0 << 31)) + fold(a0 * b0));
}

field field_power(field a, uint64_t exponent)
{
    field result = 1;
    for (; exponent > 0; exponent >>= 1, a = field_multiply(a, a))
        if (exponent & 1)
            result = field_multiply(result, a);
    return result;
}

field field_inverse(field a)
{
    return field_power(a, FIELD_PRIME - 2);
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
field field_scattered(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return 1 + fold(z ^ (z >> 31)) % (FIELD_PRIME - 1);
}

/* ---- values ---- */

/* An element's value has been rounded once, and its reciprocal once more. */
static const double ROUNDED = 2.5 * DBL_EPSILON;

/* Decimal digits of a value that somebody wrote, and the largest terms of a fraction. */
enum { DIGITS = 12, FEW_DIGITS = 8, LARGEST_TERM = 10000 };

static field power_of_ten(int exponent)
{
    const field power = field_power(10, (uint64_t)abs(exponent));
    return exponent < 0 ? field_inverse(power) : power;
}

/* digits 10^exponent for value > 0, rounded to so many digits. */
static double to_decimal(double value, int count, uint64_t *digits, int *exponent)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *mark = strchr(text, 'e');
    *digits = 0;
    for (const char *s = text; s < mark; s++)
        if (*s >= '0' && *s <= '9')
            *digits = 10 * *digits + (uint64_t)(*s - '0');
    *exponent = (int)strtol(mark + 1, NULL, 10) - (count - 1);
    return strtod(text, NULL);
}

static bool is_same(double a, double b)
{
    return fabs(a - b) <= ROUNDED * fabs(b);
}

static bool decimal(double value, field *out)
{
    uint64_t digits;
    int exponent;
    if (!is_same(to_decimal(value, DIGITS, &digits, &exponent), value))
        return false;
    *out = field_multiply(digits, power_of_ten(exponent));
    return true;
}

static bool reciprocal(double value, field *out)
{
    field inverse;
    if (!isnormal(1 / value) || !decimal(1 / value, &inverse))
        return false;
    *out = field_inverse(inverse);
    return true;
}

/* p/q 10^e by the continued fraction of the mantissa. */
static bool fraction(double value, field *out)
{
    const int exponent = (int)floor(log10(value));
    const double mantissa = exponent < 0 ? value * pow(10, -exponent) : value / pow(10, exponent);
    double rest = mantissa, p = 1, q = 0, p_before = 0, q_before = 1;
    while (isfinite(rest) && rest < LARGEST_TERM) {
        const double whole = floor(rest), p_next = whole * p + p_before, q_next = whole * q + q_before;
        p_before = p, q_before = q, p = p_next, q = q_next;
        if (p > LARGEST_TERM || q > LARGEST_TERM)
            return false;
        if (fabs(p / q - mantissa) <= 2 * ROUNDED * mantissa) { /* the power of ten has been rounded as well */
            *out = field_multiply(field_multiply((field)p, field_inverse((field)q)), power_of_ten(exponent));
            return true;
        }
        rest = 1 / (rest - whole);
    }
    return false;
}

static field bits(double value)
{
    int exponent;
    const double mantissa = ldexp(frexp(value, &exponent), DBL_MANT_DIG);
    exponent -= DBL_MANT_DIG;
    const field power = field_power(2, (uint64_t)abs(exponent));
    return field_multiply((field)mantissa, exponent < 0 ? field_inverse(power) : power);
}

field field_of(double value, bool *exact)
{
    field result = 0;
    if (value == 0)
        return 0;
    const double size = fabs(value);
    if (!decimal(size, &result) && !reciprocal(size, &result) && !fraction(size, &result)) {
        result = bits(size);
        *exact = false;
    }
    return value < 0 ? field_negate(result) : result;
}

static bool has_few_digits(double value)
{
    uint64_t digits;
    int exponent;
    return isnormal(value) && is_same(to_decimal(value, FEW_DIGITS, &digits, &exponent), value);
}

bool field_is_simple(double value)
{
    field number;
    const double size = fabs(value);
    return has_few_digits(size) || has_few_digits(1 / size) || (isnormal(size) && fraction(size, &number));
}

/* ---- matrices ---- */

bool field_matrix_new(struct arena *memory, int rows, int columns, struct field_matrix *out)
{
    const size_t count = (size_t)rows * (size_t)columns;
    *out = (struct field_matrix){rows, columns, arena_array(memory, count + 1, sizeof *out->at)};
    return out->at != NULL;
}

bool field_matrix_multiply(struct arena *memory, const struct field_matrix *a, const struct field_matrix *b,
                           struct field_matrix *out)
{
    if (!field_matrix_new(memory, a->rows, b->columns, out))
        return false;
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->columns; k++) {
            const field factor = *field_at(a, i, k);
            for (int j = 0; factor != 0 && j < b->columns; j++)
                *field_at(out, i, j) = field_add(*field_at(out, i, j), field_multiply(factor, *field_at(b, k, j)));
        }
    return true;
}

static void swap_rows(struct field_matrix *a, int i, int k)
{
    for (int j = 0; i != k && j < a->columns; j++) {
        const field kept = *field_at(a, i, j);
        *field_at(a, i, j) = *field_at(a, k, j);
        *field_at(a, k, j) = kept;
    }
}

/* a_i -= factor a_k from a column on */
static void subtract_row(struct field_matrix *a, int i, int k, int from)
{
    const field factor = field_negate(*field_at(a, i, from));
    for (int j = from; factor != 0 && j < a->columns; j++)
        if (*field_at(a, k, j) != 0)
            *field_at(a, i, j) = field_add(*field_at(a, i, j), field_multiply(factor, *field_at(a, k, j)));
}

int field_matrix_reduce(struct field_matrix *a, int columns, int *pivot)
{
    int rank = 0;
    for (int column = 0; column < columns && rank < a->rows; column++) {
        int row = rank;
        while (row < a->rows && *field_at(a, row, column) == 0)
            row++;
        if (row == a->rows)
            continue;
        swap_rows(a, rank, row);
        const field inverse = field_inverse(*field_at(a, rank, column));
        for (int j = column; j < a->columns; j++)
            *field_at(a, rank, j) = field_multiply(*field_at(a, rank, j), inverse);
        for (int i = 0; i < a->rows; i++)
            if (i != rank)
                subtract_row(a, i, rank, column);
        if (pivot)
            pivot[rank] = column;
        rank++;
    }
    return rank;
}

static bool copy(struct arena *memory, const struct field_matrix *a, struct field_matrix *out)
{
    if (!field_matrix_new(memory, a->rows, a->columns, out))
        return false;
    memcpy(out->at, a->at, (size_t)a->rows * (size_t)a->columns * sizeof *a->at);
    return true;
}

bool field_matrix_rank(struct arena *memory, const struct field_matrix *a, int *rank)
{
    struct field_matrix work;
    if (!copy(memory, a, &work))
        return false;
    *rank = field_matrix_reduce(&work, work.columns, NULL);
    return true;
}

bool field_matrix_kernel(struct arena *memory, const struct field_matrix *a, struct field_matrix *out)
{
    struct field_matrix work;
    int *pivot = arena_array(memory, (size_t)a->rows + 1, sizeof *pivot);
    if (!pivot || !copy(memory, a, &work))
        return false;
    const int rank = field_matrix_reduce(&work, work.columns, pivot);
    if (!field_matrix_new(memory, a->columns, a->columns - rank, out))
        return false;
    for (int j = 0, row = 0, vector = 0; j < a->columns; j++) {
        if (row < rank && pivot[row] == j) {
            row++;
            continue;
        }
        *field_at(out, j, vector) = 1;
        for (int i = 0; i < row; i++)
            *field_at(out, pivot[i], vector) = field_negate(*field_at(&work, i, j));
        vector++;
    }
    return true;
}
