/* Claims about runs that are asked to end: wherever that happens, rows so far are those of the whole run, and nothing
 * is said to be wrong. */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 120 /* of a run in which it is interrupted */ };

/* Rows of all tables one after the other. */
struct rows {
    double *values;
    size_t count, capacity; /* numbers */
    size_t columns;
    int begun, ended;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct rows *r = context;
    r->begun++;
    r->columns = table->column_count;
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct rows *r = context;
    if (r->count + r->columns > r->capacity) {
        r->capacity = 2 * (r->count + r->columns);
        double *larger = realloc(r->values, r->capacity * sizeof *larger);
        if (!larger)
            return KN_ERROR_MEMORY;
        r->values = larger;
    }
    memcpy(r->values + r->count, values, r->columns * sizeof *values);
    r->count += r->columns;
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    ((struct rows *)context)->ended++;
    return outcome;
}

struct patience {
    long asked, most;          /* most < 0: for ever */
    long searching, advancing; /* calls of progress */
};

static bool is_over(void *context)
{
    struct patience *p = context;
    return ++p->asked > p->most && p->most >= 0;
}

static void progress(void *context, double fraction)
{
    struct patience *p = context;
    p->searching += fraction < 0;
    p->advancing += fraction >= 0;
}

static enum kn_status run(const char *deck, const char *method, struct patience *p, struct rows *out)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {out, begin, row, end};
    const struct kn_options options = {.method = method, .interrupted = is_over, .progress = progress, .context = p};
    *out = (struct rows){0};
    const enum kn_status status = run_text(deck, &options, d, &sink, NULL);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 0);
    for (size_t i = 0; i < kn_diagnostics_count(d) && kn_diagnostics_errors(d) > 0; i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_diagnostics_free(d);
    return status;
}

static const char *const decks[] = {
    "rectifier\nV1 in 0 SIN(0 10 1k)\nD1 in out DM\nC1 out 0 1u\nR1 out 0 1k\n.model DM D(cjo=10p tt=5n)\n.op\n"
    ".tran 10u 2m\n.end\n",
    "amplifier\nVCC c 0 12\nV1 in 0 PULSE(0 0.1 0.1m 1u 1u 0.3m 1m)\nC1 in b 1u\nR1 c b 47k\nR2 b 0 10k\nR3 c k 4.7k\n"
    "R4 e 0 1k\nQ1 k b e QM\n.model QM NPN(cje=5p cjc=3p tf=0.3n)\n.op\n.tran 10u 1m\n.save v(k) i(R3) i(C1)\n.end\n",
    "switch and index 2\nV1 a 0 SIN(0 5 1k)\nC1 a 0 1u\nS1 a b c 0 SM\nVC c 0 PULSE(0 1 0.2m 1u 1u 0.2m 0.5m)\n"
    "R1 b 0 1k\nL1 b d 1m\nR2 d 0 100\n.model SM SW(vt=0.5 ron=1 roff=1meg)\n.tran 10u 1m\n.end\n",
    "jumps\nB1 a 0 V={sin(6283*time) > 0.5 ? 3 : 0}\nR1 a b 1k\nC1 b 0 10n ic=1\nB2 0 o I={tanh(100*v(b))}\nVO o 0 0\n"
    ".tran 10u 1m uic\n.end\n",
};

static void rows_of_an_interrupted_run_are_the_first_of_the_whole_run(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap"};
    for (size_t k = 0; k < sizeof decks / sizeof *decks; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct patience forever = {.most = -1};
            struct rows whole, part;
            CU_ASSERT_EQUAL(run(decks[k], methods[m], &forever, &whole), KN_OK);
            CU_ASSERT(forever.asked > PLACES);
            for (long place = 0; place < PLACES; place++) {
                /* the first dozen one by one, then spread over the run */
                struct patience p = {.most = place < 12 ? place : place * (forever.asked - 1) / PLACES};
                const enum kn_status status = run(decks[k], methods[m], &p, &part);
                CU_ASSERT_EQUAL(part.begun, part.ended);
                const bool same =
                    status == KN_INTERRUPTED && part.count <= whole.count &&
                    (part.count == 0 || memcmp(part.values, whole.values, part.count * sizeof *part.values) == 0);
                CU_ASSERT(same);
                if (!same)
                    printf("\ndeck %zu, %s, status %d, asked %ld times of %ld\n", k, methods[m], (int)status, p.most,
                           forever.asked);
                free(part.values);
            }
            free(whole.values);
        }
}

static void an_interrupt_is_asked_for_soon_after_it_came(void)
{
    for (size_t k = 0; k < sizeof decks / sizeof *decks; k++) {
        struct patience forever = {.most = -1};
        struct rows rows;
        run(decks[k], "auto", &forever, &rows);
        free(rows.values);
        for (long place = 0; place < 20; place++) {
            struct patience p = {.most = place * forever.asked / 20};
            CU_ASSERT_EQUAL(run(decks[k], "auto", &p, &rows), KN_INTERRUPTED);
            CU_ASSERT(p.asked <= p.most + 1); /* it is not asked again */
            free(rows.values);
        }
    }
}

static void progress_is_told_while_the_operating_point_is_sought(void)
{
    struct patience p = {.most = -1};
    struct rows rows;
    CU_ASSERT_EQUAL(run(decks[1], "auto", &p, &rows), KN_OK);
    CU_ASSERT(p.searching > 4);
    free(rows.values);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(rows_of_an_interrupted_run_are_the_first_of_the_whole_run),
        CLAIM(an_interrupt_is_asked_for_soon_after_it_came),
        CLAIM(progress_is_told_while_the_operating_point_is_sought),
    };
    return run_claims("interrupts", claims, sizeof claims / sizeof claims[0]);
}
