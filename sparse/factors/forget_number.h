/* forget_number.h - the end of what kept_pivots_numbers.h says of one kind of numbers. */
#undef NUMBER
#undef NAME
#undef SIZE
#undef ZERO
#undef IS_ZERO
#undef MINUS
#undef DIVISOR
#undef OVER
