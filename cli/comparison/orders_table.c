/* orders_table.c - see orders_table.h. */
#include "cli/comparison/orders_table.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {"differential", "index 1", "index 2", "index 3"};

static bool has(const struct orders *o, int kind)
{
    return o->members[kind] > 0;
}

/* ---- table ---- */

static void print_members(const struct orders *o, int kind)
{
    enum { SHOWN = 8 };
    size_t shown = 0;
    printf("%-13s", kinds[kind]);
    for (size_t i = 0; i < o->n && shown < SHOWN; i++)
        if (o->kinds[i] == kind)
            printf("%s%s", shown++ ? ", " : "", o->names[i]);
    if (o->members[kind] > shown)
        printf(" and %zu more", o->members[kind] - shown);
    if (o->judge[kind] >= 0)
        printf("; errors below %.1e cannot be told", o->limit[kind]);
    putchar('\n');
}

static void print_head(const struct orders *o)
{
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            print_members(o, kind);
    printf("\n%-8s", "");
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            printf("  %-23s", kinds[kind]);
    printf("\n%-8s", "method");
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            printf("  %8s %6s %6s ", "error", "order", "theory");
    putchar('\n');
}

/* "4", "none", "?" */
static const char *theory(double order, char *text, size_t size)
{
    if (isnan(order))
        return "?";
    if (order <= 0)
        return "none";
    snprintf(text, size, "%g", order);
    return text;
}

static void print_curve(const struct orders *o, const struct orders_result *r, int kind)
{
    const struct orders_curve *c = &r->curves[kind];
    char order[20] = "-", error[20] = "-", expected[20];
    if (c->level >= 0) {
        snprintf(order, sizeof order, "%.2f", c->order);
        snprintf(error, sizeof error, "%.1e", c->errors[c->level]);
    }
    printf("  %8s %6s %6s ", error, order,
           theory(orders_expected(o, r->method, (enum orders_kind)kind), expected, sizeof expected));
}

void orders_print_last(const struct orders *o)
{
    const struct orders_result *r = &o->results[o->count - 1];
    if (o->count == 1)
        print_head(o);
    printf("%-8s", r->method->label);
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            print_curve(o, r, kind);
    printf("%s%s\n", *r->reason ? " failed: " : "", r->reason);
}

void orders_print_legend(const struct orders *o)
{
    printf("\nerror: largest at the common times of the second half of the run, relative to the largest value of the "
           "unknown\nthere; order: log2 of the error of twice the step divided by it, from the two shortest steps of "
           "those of\n%ld to %ld in a run whose errors can be told from those of the reference, radau of order 13 with "
           "equal steps;\ntheory: at least, of smooth problems, where known; -: no two such errors; docs/methods.md "
           "has the "
           "sources\n",
           o->steps[0], o->steps[ORDERS_LEVELS - 1]);
}

void orders_print_last_csv(const struct orders *o)
{
    const struct orders_result *r = &o->results[o->count - 1];
    if (o->count == 1)
        printf("method,kind,steps,error,order,theory,limit\n");
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        for (int k = 0; k < ORDERS_LEVELS && has(o, kind); k++) {
            const struct orders_curve *c = &r->curves[kind];
            printf("%s,%s,%ld,%.4e,%.3f,%g,%.1e\n", r->method->label, kinds[kind], o->steps[k], c->errors[k], c->order,
                   orders_expected(o, r->method, (enum orders_kind)kind), o->limit[kind]);
        }
}

/* ---- JSON ---- */

static void write_json_curve(struct json *w, const struct orders *o, const struct orders_result *r, int kind)
{
    const struct orders_curve *c = &r->curves[kind];
    json_open(w, kinds[kind], '{');
    json_number(w, "order", c->order);
    json_number(w, "theory", orders_expected(o, r->method, (enum orders_kind)kind));
    json_open(w, "errors", '[');
    for (int k = 0; k < ORDERS_LEVELS; k++)
        json_number(w, NULL, c->errors[k]);
    json_close(w);
    json_close(w);
}

static void write_json_result(struct json *w, const struct orders *o, const struct orders_result *r)
{
    json_open(w, NULL, '{');
    json_text(w, "method", r->method->label);
    json_text(w, "reason", *r->reason ? r->reason : NULL);
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            write_json_curve(w, o, r, kind);
    json_close(w);
}

void orders_write_json(const struct orders *o, const char *title, FILE *to)
{
    struct json w = json_begin(to);
    json_open(&w, NULL, '{');
    json_text(&w, "title", title);
    json_open(&w, "steps", '[');
    for (int k = 0; k < ORDERS_LEVELS; k++)
        json_number(&w, NULL, (double)o->steps[k]);
    json_close(&w);
    json_open(&w, "unknowns", '{');
    for (size_t i = 0; i < o->n; i++)
        json_text(&w, o->names[i], o->kinds[i] >= 0 ? kinds[o->kinds[i]] : NULL);
    json_close(&w);
    json_open(&w, "methods", '[');
    for (size_t i = 0; i < o->count; i++)
        write_json_result(&w, o, &o->results[i]);
    json_close(&w);
    json_close(&w);
}

/* ---- drawn in characters ---- */

enum { PLACE = 8, DECADES = 16 };

static char letter_of(size_t result)
{
    return (char)(result < 26 ? 'a' + result : 'A' + (result - 26) % 26);
}

static bool is_drawn(double error)
{
    return isfinite(error) && error > 0;
}

/* What is larger than 1 stands with what is nearly 1. */
static int decade_of(double error)
{
    return is_drawn(error) ? (int)fmax(floor(-log10(error)), 0) : -1;
}

/* A letter for each method in the row of its error's decade; those beside each other have the same one. */
static void draw_row(const struct orders *o, int kind, int decade, FILE *to)
{
    fprintf(to, "1e%+03d |", -decade);
    for (int k = 0; k < ORDERS_LEVELS; k++) {
        char cell[PLACE + 1];
        size_t used = 0;
        for (size_t i = 0; i < o->count && used < PLACE; i++) {
            if (decade_of(o->results[i].curves[kind].errors[k]) == decade)
                cell[used++] = letter_of(i);
        }
        cell[used] = '\0';
        fprintf(to, "%-*s ", PLACE, cell);
    }
    fputc('\n', to);
}

static void draw_kind(const struct orders *o, int kind, FILE *to)
{
    int first = DECADES, last = -1;
    for (size_t i = 0; i < o->count; i++)
        for (int k = 0; k < ORDERS_LEVELS; k++) {
            const int decade = decade_of(o->results[i].curves[kind].errors[k]);
            if (decade < 0 || decade >= DECADES)
                continue;
            first = decade < first ? decade : first;
            last = decade > last ? decade : last;
        }
    fprintf(to, "\n%s: error against steps\n", kinds[kind]);
    for (int decade = first; decade <= last; decade++)
        draw_row(o, kind, decade, to);
    fprintf(to, "%6s ", "");
    for (int k = 0; k < ORDERS_LEVELS; k++)
        fprintf(to, "%-*ld ", PLACE, o->steps[k]);
    fputc('\n', to);
}

void orders_draw(const struct orders *o, FILE *to)
{
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (has(o, kind))
            draw_kind(o, kind, to);
    for (size_t i = 0; i < o->count; i++)
        fprintf(to, "%s%c %s", i == 0 ? "\n" : i % 9 == 0 ? ",\n" : ", ", letter_of(i), o->results[i].method->label);
    fputc('\n', to);
}
