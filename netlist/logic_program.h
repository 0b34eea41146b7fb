/* logic_program.h - boolean expressions of PSpice's digital devices LOGICEXP and PINDLY as numbers of their element.
 *
 * A program works on a stack: a number from 0 on is the level of that input (LOGICEXP) or of that reference node (PINDLY), the others
 * are these codes.  All programs of an element stand one behind the other, each behind its length:
 *
 *     LOGICEXP  inputs, outputs, then for each output its program
 *     PINDLY    paths, enables, references, then for each path: number of its enable or -1, the level that enables, rules,
 *               then for each rule the delay (s; least, typical, most; below 0: not given) and the program that must be true
 */
#ifndef NETLIST_LOGIC_PROGRAM_H
#define NETLIST_LOGIC_PROGRAM_H

enum logic_code {
    LOGIC_CODE_ZERO = -1,
    LOGIC_CODE_ONE = -2,
    LOGIC_CODE_X = -3,
    LOGIC_CODE_NOT = -4,
    LOGIC_CODE_AND = -5,
    LOGIC_CODE_OR = -6,
    LOGIC_CODE_XOR = -7,
    LOGIC_CODE_EQUAL = -8, /* of the two levels on top */
    LOGIC_CODE_UNEQUAL = -9,
    LOGIC_CODE_CHANGED = -10,      /* behind it: reference, time (s): its last change is not longer ago */
    LOGIC_CODE_CHANGED_UP = -11,   /* the same, to a 1 */
    LOGIC_CODE_CHANGED_DOWN = -12, /* the same, to a 0 */
    LOGIC_CODE_TRANSITION = -13    /* behind it: from, to: what the output becomes (LOGIC_END_..) */
};

enum { LOGIC_END_ANY, LOGIC_END_LOW, LOGIC_END_HIGH, LOGIC_END_NOWHERE };

enum { LOGIC_RULE_DELAYS = 3, LOGIC_PROGRAM_DEPTH = 100 };

#endif
