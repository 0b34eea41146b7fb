/* deck_fixture.h - reads a netlist from a string and claims things about the circuit or the messages. */
#ifndef TESTS_DECK_FIXTURE_H
#define TESTS_DECK_FIXTURE_H

#include "claims.h"
#include "devices/device.h"
#include "read_circuit.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct kn_diagnostics *diagnostics;
    struct circuit *circuit;
    enum kn_status status;
};

static inline struct reading read_named(const char *file, const char *text, size_t length)
{
    struct reading r = {.diagnostics = kn_diagnostics_new()};
    r.status = circuit_read_text(&device_catalogue, file, text, length, r.diagnostics, &r.circuit);
    return r;
}

static inline void end_reading(struct reading *r)
{
    circuit_free(r->circuit);
    kn_diagnostics_free(r->diagnostics);
    *r = (struct reading){0};
}

static inline void show_messages(const struct reading *r)
{
    for (size_t i = 0; i < kn_diagnostics_count(r->diagnostics); i++)
        kn_diagnostic_write(kn_diagnostics_get(r->diagnostics, i), stderr, false);
}

/* A deck that must be read without errors; the title line is added. */
static inline struct reading read_good(const char *body)
{
    char text[20000];
    const int length = snprintf(text, sizeof text, "title\n%s", body);
    struct reading r = read_named("deck.cir", text, (size_t)length);
    CU_ASSERT_EQUAL(r.status, KN_OK);
    CU_ASSERT_PTR_NOT_NULL(r.circuit);
    if (!r.circuit) {
        fprintf(stderr, "\nunexpected errors in:\n%s", text);
        show_messages(&r);
    }
    return r;
}

static inline const struct element *element_named(const struct reading *r, const char *name)
{
    const int number = r->circuit ? circuit_find_element(r->circuit, name) : -1;
    if (number < 0)
        fprintf(stderr, "\nno element '%s'\n", name);
    CU_ASSERT_FATAL(number >= 0);
    return &r->circuit->elements[number];
}

static inline const char *node_of(const struct reading *r, const struct element *e, size_t i)
{
    CU_ASSERT_FATAL(i < e->node_count);
    return r->circuit->nodes[e->nodes[i]].name;
}

static inline const struct setting *setting_named(const struct setting *settings, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (names_equal(settings[i].name, name))
            return &settings[i];
    fprintf(stderr, "\nno setting '%s'\n", name);
    CU_FAIL_FATAL("a setting is missing");
    return NULL;
}

static inline double setting_of(const struct element *e, const char *name)
{
    return setting_named(e->settings, e->setting_count, name)->value;
}

/* What a message must be: place (the title is line 1), code, and parts of text and hint (NULL: any). */
struct expected {
    int line, column;
    const char *code, *text, *hint;
};

static inline bool fits(const struct kn_diagnostic *m, const struct expected *e)
{
    return m->where.file && m->where.line == e->line && m->where.column == e->column && strcmp(m->code, e->code) == 0 &&
           (!e->text || strstr(m->text, e->text)) && (!e->hint || (m->hint && strstr(m->hint, e->hint)));
}

static inline bool has_message(const struct reading *r, enum kn_severity severity, const struct expected *e)
{
    for (size_t i = 0; i < kn_diagnostics_count(r->diagnostics); i++) {
        const struct kn_diagnostic *m = kn_diagnostics_get(r->diagnostics, i);
        if (m->severity == severity && fits(m, e))
            return true;
    }
    return false;
}

/* Exactly these errors, in any order. */
static inline void claim_errors(const char *body, const struct expected *expected, size_t count)
{
    char text[20000];
    const int length = snprintf(text, sizeof text, "title\n%s", body);
    struct reading r = read_named("deck.cir", text, (size_t)length);
    bool good = r.status == KN_ERROR_DECK && !r.circuit && kn_diagnostics_errors(r.diagnostics) == count;
    for (size_t i = 0; i < count; i++) {
        const bool found = has_message(&r, KN_ERROR, &expected[i]);
        if (!found)
            fprintf(stderr, "\nmissing: %d:%d %s\n", expected[i].line, expected[i].column, expected[i].code);
        good = good && found;
    }
    if (!good) {
        fprintf(stderr, "\nstatus %d, %zu errors, expected %zu, in:\n%s\nmessages:\n", (int)r.status,
                kn_diagnostics_errors(r.diagnostics), count, text);
        show_messages(&r);
    }
    CU_ASSERT(good);
    end_reading(&r);
}

/* Exactly one error. */
static inline void claim_error(const char *body, int line, int column, const char *code, const char *text,
                               const char *hint)
{
    claim_errors(body, &(struct expected){line, column, code, text, hint}, 1);
}

/* A deck that is read, with this warning. */
static inline void claim_warning(const char *body, int line, int column, const char *code, const char *text)
{
    struct reading r = read_good(body);
    const bool found = has_message(&r, KN_WARNING, &(struct expected){line, column, code, text, NULL});
    if (!found) {
        fprintf(stderr, "\nmissing warning %d:%d %s; messages:\n", line, column, code);
        show_messages(&r);
    }
    CU_ASSERT(found);
    end_reading(&r);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
