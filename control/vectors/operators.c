/* operators.c - see operators.h. */
#include "control/vectors/operators.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static double complex sum(double complex a, double complex b)
{
    return a + b;
}

double complex operation_difference(double complex a, double complex b)
{
    return a - b;
}

static double complex product(double complex a, double complex b)
{
    return cimag(a) == 0 && cimag(b) == 0 ? CMPLX(creal(a) * creal(b), 0) : a * b;
}

static double complex quotient(double complex a, double complex b)
{
    return cimag(a) == 0 && cimag(b) == 0 ? CMPLX(creal(a) / creal(b), 0) : a / b;
}

static double complex rest(double complex a, double complex b)
{
    return fmod(creal(a), creal(b));
}

double complex operation_power(double complex a, double complex b)
{
    const bool real = cimag(a) == 0 && cimag(b) == 0 && (creal(a) >= 0 || creal(b) == rint(creal(b)));
    return real ? CMPLX(pow(creal(a), creal(b)), 0) : cpow(a, b);
}

double complex operation_complex(double complex a, double complex b)
{
    return CMPLX(creal(a), creal(b));
}

double complex operation_equal(double complex a, double complex b)
{
    return a == b;
}

static double complex different(double complex a, double complex b)
{
    return a != b;
}

static double complex greater(double complex a, double complex b)
{
    return creal(a) > creal(b);
}

static double complex less(double complex a, double complex b)
{
    return creal(a) < creal(b);
}

static double complex at_least(double complex a, double complex b)
{
    return creal(a) >= creal(b);
}

static double complex at_most(double complex a, double complex b)
{
    return creal(a) <= creal(b);
}

static double complex both(double complex a, double complex b)
{
    return a != 0 && b != 0;
}

static double complex either(double complex a, double complex b)
{
    return a != 0 || b != 0;
}

double complex operation_larger(double complex a, double complex b)
{
    return creal(a) > creal(b) ? a : b;
}

double complex operation_smaller(double complex a, double complex b)
{
    return creal(a) > creal(b) ? b : a;
}

operation *operation_named(const char *name)
{
    return strcasecmp(name, "max") == 0 ? operation_larger : strcasecmp(name, "min") == 0 ? operation_smaller : NULL;
}

/* What two values give: twice a voltage is one, a voltage times a current a power. */
enum kn_quantity operation_quantity(const struct values *a, const struct values *b, operation *of)
{
    const bool plain_a = a->count == 1 && a->quantity == KN_OTHER, plain_b = b->count == 1 && b->quantity == KN_OTHER;
    if (of == product && (plain_a || plain_b))
        return plain_a ? b->quantity : a->quantity;
    const bool vi = a->quantity == KN_VOLTAGE && b->quantity == KN_CURRENT;
    const bool iv = a->quantity == KN_CURRENT && b->quantity == KN_VOLTAGE;
    if (of == product)
        return vi || iv ? KN_POWER : KN_OTHER;
    if (of == quotient)
        return plain_b ? a->quantity : iv ? KN_ADMITTANCE : KN_OTHER;
    if (of == sum || of == operation_difference || of == operation_larger || of == operation_smaller)
        return plain_a ? b->quantity : plain_b || a->quantity == b->quantity ? a->quantity : KN_OTHER;
    return KN_OTHER;
}

/* ---- the table ---- */

static const struct vector_operator operators[] = {{"||", OPERATOR_OR, either},
                                                   {"|", OPERATOR_OR, either},
                                                   {"or", OPERATOR_OR, either},
                                                   {"&&", OPERATOR_AND, both},
                                                   {"&", OPERATOR_AND, both},
                                                   {"and", OPERATOR_AND, both},
                                                   {"<>", OPERATOR_COMPARE, different},
                                                   {"><", OPERATOR_COMPARE, different},
                                                   {"!=", OPERATOR_COMPARE, different},
                                                   {"ne", OPERATOR_COMPARE, different},
                                                   {"==", OPERATOR_COMPARE, operation_equal},
                                                   {"=", OPERATOR_COMPARE, operation_equal},
                                                   {"eq", OPERATOR_COMPARE, operation_equal},
                                                   {">=", OPERATOR_COMPARE, at_least},
                                                   {"ge", OPERATOR_COMPARE, at_least},
                                                   {"<=", OPERATOR_COMPARE, at_most},
                                                   {"le", OPERATOR_COMPARE, at_most},
                                                   {">", OPERATOR_COMPARE, greater},
                                                   {"gt", OPERATOR_COMPARE, greater},
                                                   {"<", OPERATOR_COMPARE, less},
                                                   {"lt", OPERATOR_COMPARE, less},
                                                   {"+", OPERATOR_ADD, sum},
                                                   {"-", OPERATOR_ADD, operation_difference},
                                                   {"*", OPERATOR_MULTIPLY, product},
                                                   {"/", OPERATOR_MULTIPLY, quotient},
                                                   {"%", OPERATOR_MULTIPLY, rest}};

bool operator_is_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_#.@$:", c)) || (unsigned char)c >= 0x80;
}

bool operator_begins(const char *at, const char *sign)
{
    const size_t length = strlen(sign);
    return strncasecmp(at, sign, length) == 0 && !(isalpha((unsigned char)sign[0]) && operator_is_name(at[length]));
}

const struct vector_operator *operator_at(const char *text)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operator_begins(text, operators[i].sign))
            return strncmp(text, "**", 2) == 0 ? NULL : &operators[i];
    return NULL;
}
