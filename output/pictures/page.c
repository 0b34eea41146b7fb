/* page.c - see page.h.
 *
 * The page holds uPlot with its licence, our script and style (page/), a description of the chart as JSON, and the numbers as
 * base64 (RFC 4648): doubles, or singles where these say the same, the low byte first.  It asks for nothing: its policy forbids
 * every request. */
#include "output/pictures/page.h"

#include "base/array.h"
#include "base/html.h"
#include "base/json.h"
#include "output/pictures/page_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Vectors that are in the page, each once. */
struct vectors {
    struct vector {
        const double *at;
        size_t count;
    } * list;
    size_t count, capacity;
};

bool page_available(void)
{
    return page_uplot_script_size > 0;
}

/* ---- numbers ---- */

static bool vector_number(struct vectors *v, const double *at, size_t count, size_t *number)
{
    for (*number = 0; *number < v->count; ++*number)
        if (v->list[*number].at == at && v->list[*number].count == count)
            return true;
    if (!array_reserve(&v->list, v->count + 1, &v->capacity, sizeof *v->list))
        return false;
    v->list[v->count++] = (struct vector){at, count};
    return true;
}

static bool fits_singles(const struct vector *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (isfinite(v->at[i]) && (!(fabs(v->at[i]) <= 3e38) || (double)(float)v->at[i] != v->at[i]))
            return false;
    return true;
}

struct base64 {
    FILE *to;
    unsigned char group[3];
    int held;
};

static void base64_put(struct base64 *b)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits = (unsigned)b->group[0] << 16 | (unsigned)b->group[1] << 8 | b->group[2];
    const char text[] = {digits[bits >> 18], digits[bits >> 12 & 63], b->held > 1 ? digits[bits >> 6 & 63] : '=',
                         b->held > 2 ? digits[bits & 63] : '='};
    fwrite(text, 1, sizeof text, b->to);
    b->held = 0;
    memset(b->group, 0, sizeof b->group);
}

static void base64_bytes(struct base64 *b, uint64_t bits, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        b->group[b->held++] = (unsigned char)(bits >> 8 * i);
        if (b->held == 3)
            base64_put(b);
    }
}

static void write_vector(FILE *to, const struct vector *v, size_t number)
{
    struct base64 b = {.to = to};
    const bool singles = fits_singles(v);
    fprintf(to, "<script type=\"text/plain\" id=\"v%zu\" data-bytes=\"%d\">", number, singles ? 4 : 8);
    for (size_t i = 0; i < v->count; i++) {
        uint64_t bits = 0;
        if (singles) {
            const float single = (float)v->at[i];
            uint32_t low;
            memcpy(&low, &single, sizeof low);
            bits = low;
        } else {
            memcpy(&bits, &v->at[i], sizeof bits);
        }
        base64_bytes(&b, bits, singles ? 4 : 8);
    }
    if (b.held > 0)
        base64_put(&b);
    fputs("</script>\n", to);
}

/* ---- the description ---- */

static void member(FILE *to, const char *name, const char *text)
{
    fprintf(to, "\"%s\": ", name);
    json_write_string(to, text ? text : "", false);
}

static void write_axis(FILE *to, const char *name, const struct chart_axis *a)
{
    fprintf(to, "\"%s\": {", name);
    member(to, "label", a->label);
    fputs(", ", to);
    member(to, "unit", a->unit);
    fprintf(to, ", \"log\": %s, \"from\": ", a->logarithmic ? "true" : "false");
    json_write_number(to, a->from);
    fputs(", \"to\": ", to);
    json_write_number(to, a->to);
    fputs("}, ", to);
}

static bool write_trace(FILE *to, struct chart *c, const struct chart_trace *t, struct vectors *v)
{
    size_t x, y;
    if (!vector_number(v, t->x, t->count, &x) || !vector_number(v, t->y, t->count, &y))
        return false;
    fputs("{", to);
    member(to, "name", chart_label(c, t));
    fprintf(to, ", \"light\": \"%s\", \"dark\": \"%s\", \"dash\": %d, \"listed\": %s, \"x\": %zu, \"y\": %zu}",
            chart_colour(t->colour, false), chart_colour(t->colour, true), t->colour / CHART_COLOURS % 3,
            t->unlisted ? "false" : "true", x, y);
    return true;
}

static void write_marks(FILE *to, const struct chart *c, size_t panel)
{
    bool any = false;
    fputs("\"marks\": [", to);
    for (size_t i = 0; i < c->mark_count; i++) {
        const struct chart_mark *m = &c->marks[i];
        if (m->panel != panel)
            continue;
        fputs(any ? ", {" : "{", to);
        any = true;
        member(to, "label", m->label);
        fputs(", \"x\": ", to);
        json_write_number(to, m->x);
        fputs(", \"to\": ", to);
        json_write_number(to, m->to);
        fputs(", \"y\": ", to);
        json_write_number(to, m->y);
        fputs("}", to);
    }
    fputs("]", to);
}

static bool write_panel(FILE *to, struct chart *c, size_t number, struct vectors *v)
{
    const struct chart_panel *p = &c->panels[number];
    bool good = true;
    fputs("{", to);
    member(to, "title", p->title);
    fprintf(to, ", \"group\": %zu, \"disordered\": %s, ", p->group, p->disordered ? "true" : "false");
    write_axis(to, "x", &p->x);
    write_axis(to, "y", &p->y);
    fputs("\"traces\": [", to);
    for (size_t i = 0; good && i < p->count; i++) {
        fputs(i ? ",\n  " : "\n  ", to);
        good = write_trace(to, c, &p->traces[i], v);
    }
    fputs("],\n ", to);
    write_marks(to, c, number);
    fputs("}", to);
    return good;
}

/* In a script no tag may begin. */
static void write_guarded(FILE *to, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            fputs("\\u003c", to);
        else
            putc(json[i], to);
}

static enum kn_status write_description(FILE *to, struct chart *c, struct vectors *v)
{
    char *json = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&json, &length);
    bool good = text != NULL;
    if (text) {
        fputs("{", text);
        member(text, "title", c->title);
        fputs(", \"panels\": [", text);
        for (size_t i = 0; good && i < c->count; i++) {
            fputs(i ? ",\n " : "\n ", text);
            good = write_panel(text, c, i, v);
        }
        fputs("\n]}", text);
        good = !ferror(text) && good;
        good = fclose(text) == 0 && good;
    }
    if (good) {
        fputs("<script type=\"application/json\" id=\"chart\">\n", to);
        write_guarded(to, json, length);
        fputs("\n</script>\n", to);
    }
    free(json);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- the page ---- */

static void write_head(FILE *to, const struct chart *c, bool dark)
{
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"en\"%s>\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
            "style-src 'unsafe-inline'; img-src data:\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"generator\" content=\"knoten " KNOTEN_VERSION
            "\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
            dark ? " data-theme=\"dark\"" : "");
    html_write(to, c->title);
    fputs("</title>\n<style>\n", to);
    fwrite(page_uplot_style, 1, page_uplot_style_size, to);
    putc('\n', to);
    fwrite(page_style, 1, page_style_size, to);
    fputs("</style>\n</head>\n<body>\n<noscript>This page draws its curves by a script.</noscript>\n", to);
}

enum kn_status chart_page(const struct chart *given, bool dark, FILE *to)
{
    struct chart c = *given;
    struct vectors v = {.list = NULL};
    write_head(to, &c, dark);
    const enum kn_status status = write_description(to, &c, &v);
    for (size_t i = 0; i < v.count; i++)
        write_vector(to, &v.list[i], i);
    fputs("<script>\n/* uPlot is under this licence:\n", to);
    fwrite(page_uplot_licence, 1, page_uplot_licence_size, to);
    fputs("\n*/\n", to);
    fwrite(page_uplot_script, 1, page_uplot_script_size, to);
    fputs("\n</script>\n<script>\n", to);
    fwrite(page_dots, 1, page_dots_size, to);
    fwrite(page_script, 1, page_script_size, to);
    fputs("</script>\n</body>\n</html>\n", to);
    free(v.list);
    return status == KN_OK && ferror(to) ? KN_ERROR_IO : status;
}
