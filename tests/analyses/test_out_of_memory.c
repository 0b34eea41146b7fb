/* Every allocation may fail: a run then ends with KN_ERROR_MEMORY, gives back what it holds and says nothing untrue.
 *
 * The linker redirects malloc, calloc, realloc and free of this program to the functions below (-Wl,--wrap), which
 * count and refuse the allocation with a given number, alone or with all that follow.  Allocations inside shared
 * libraries (KLU, libc) are not reached.  Of those that one way of calls leads to, the first and the last of a deck are refused, and in
 * later decks none.
 */
#include "analyses/library.h"
#include "analyses/transient/carry.h"
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <execinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names that the linker chooses. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

static struct {
    long allocations;  /* asked for so far */
    long held;         /* not yet freed */
    long refused;      /* number of the one that fails, 0: none */
    bool for_good;     /* and so do all after it */
    bool in_parts;     /* runs are left and go on */
    struct ways *ways; /* that lead to allocations, where they are asked for; NULL: nobody does */
} memory;

enum {
    DEPTH = 5,
    SLOTS = 1 << 15,
    HASH_BITS = 15
}; /* DEPTH: this function, two around it, and the two that have led there last */

/* By hash of the return addresses (0: free). */
struct ways {
    uint64_t hash[SLOTS];
    long first[SLOTS], last[SLOTS]; /* allocations of the present deck that it leads to; 0: none */
    bool refused[SLOTS];            /* in an earlier deck */
};

static void remember_way(struct ways *w)
{
    void *calls[DEPTH];
    uint64_t hash = 14695981039346656037u; /* FNV-1a by words */
    for (int i = backtrace(calls, DEPTH) - 1; i > 0; i--)
        hash = (hash ^ (uintptr_t)calls[i]) * 1099511628211u;
    size_t slot = hash >> (64 - HASH_BITS);
    while (w->hash[slot] && w->hash[slot] != hash)
        slot = (slot + 1) % SLOTS;
    if (!w->first[slot])
        w->first[slot] = memory.allocations;
    w->hash[slot] = hash;
    w->last[slot] = memory.allocations;
}

static bool refuses(void)
{
    memory.allocations++;
    if (memory.ways)
        remember_way(memory.ways);
    return memory.refused > 0 &&
           (memory.allocations == memory.refused || (memory.for_good && memory.allocations > memory.refused));
}

void *__wrap_malloc(size_t size)
{
    void *block = refuses() ? NULL : __real_malloc(size);
    memory.held += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = refuses() ? NULL : __real_calloc(count, size);
    memory.held += block != NULL;
    return block;
}

void *__wrap_realloc(void *old, size_t size)
{
    void *block = refuses() ? NULL : __real_realloc(old, size);
    memory.held += block != NULL && old == NULL;
    return block;
}

void __wrap_free(void *block)
{
    memory.held -= block != NULL;
    __real_free(block);
}

/* Short, with every class of element, model cards, subcircuits, functions, and a note and a warning to be kept. */
static const char every_element[] =
    "Everything\n"
    ".param r0=1k\n.func half(x) {x/2}\n.global vdd\n"
    "Vdd vdd 0 5\nV1 in 0 SIN(0 1 1meg)\nI1 0 i PWL(0 0 0.2u 1m 1u 0)\nRi i 0 {half(r0)}\n"
    "R1 in a {r0} tc1=1m\nR0 a b 0\nC1 b 0 1n ic=0\nL1 b l1 1u\nRl l1 0 50\nL2 l2 0 1u\nK1 L1 L2 0.5\nRm l2 0 50\n"
    "T1 in 0 t 0 Z0=50 TD=0.1u\nRt t 0 75\nE1 e 0 in 0 2\nRe e 0 1k\nG1 0 g POLY(1) in 0 0 1m 1m\nRg g 0 1k\n"
    "F1 0 f V1 1\nRf f 0 1k\nH1 h 0 V1 10\nRh h 0 1k\nB1 bb 0 V=V(in)^2+time*1k\nRbb bb 0 1k\nB2 0 bi "
    "I=1m*tanh(V(in))\n"
    "Rbi bi 0 1k\nCq bi 0 Q='1p*V(bi)+0.1p*V(bi)^2'\nLf bb lf Flux='1u*I(Lf)'\nRlf lf 0 1k\nD1 in d dm\nRd d 0 1k\n"
    "Q1 vdd in q qn\nRq q 0 1k\nM1 m in 0 0 mn L=1u W=10u\nRmm vdd m 10k\nCa in f1 1p\nCb f1 0 1p\nX1 in x divider "
    "r=2k\nS1 in s1 in 0 sharp\nS2 in s1 vdd in smooth\nW1 in s1 V1 csharp on\nRs s1 0 1k\n"
    "E2 e2 0 TABLE {V(in)} = (-1,-5) (1,5)\nRe2 e2 0 1k\n"
    ".model sharp sw(vt=0.1 vh=0.05)\n.model smooth vswitch(von=5 voff=4)\n.model csharp csw(it=1m)\n"
    ".measure tran m1 TRIG v(in) VAL=0.1 RISE=1 TARG i(r1) VAL=0.1m CROSS=LAST\n.measure tran m2 AVG 'v(in)*i(r1)'\n"
    ".measure tran m3 MAX i(d1) FROM=0.1u\n.measure tran m4 PARAM='m2+m3'\n.measure tran m5 WHEN v(in)=7\n"
    ".measure tran m6 WHEN v(in)='0.1*m3' RISE=1\n.measure tran m7 DUTY v(in) ON=0\n.measure tran m8 MAX v(in) RISE=1\n"
    ".four 5meg 2 1 v(in)\n.fft v(in) np=8\n.measure fft m9 FIND vm(in) AT=5meg\n.measure fft m10 THD v(in)\n"
    ".subckt divider a b r=1k\nR1 a b {r}\nR2 b 0 {r}\n.ends\n"
    ".model dm D(Is=1e-14 Cjo=1p Rs=1)\n.model qn NPN(Bf=100 Cje=1p Rb=10)\n.model mn NMOS(Vto=0.7 Kp=50u nonsense=1)\n"
    ".ic v(m)=2\n.nodeset v(q)=0.1\n.save all v(a,x) i(r1) i(d1)\n.print tran v(x) i(m1)\n.op\n.tran 0.1u "
    "0.3u\n.options reltol=1e-2\n.end\n";

static enum kn_status begin(void *context, const struct kn_table *table)
{
    (void)context;
    (void)table;
    return KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    (void)values;
    ++*(long *)context;
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    (void)outcome;
    return KN_OK;
}

static void measured(void *context, const struct kn_measurement *m)
{
    (void)context;
    (void)m;
}

/* A transient that is left after its first step and goes on, as with values that have been changed. */
static enum kn_status run_in_parts(const char *text, struct kn_diagnostics *d, struct kn_sink *sink)
{
    struct carry carry = {.again = false};
    struct kn_circuit *c = NULL;
    enum kn_status status = kn_circuit_read_text("deck", text, strlen(text), d, &c);
    atomic_store(&carry.wished, true);
    if (status == KN_OK) {
        c->carry = &carry;
        status = kn_run(c, NULL, d, sink, NULL);
    }
    atomic_store(&carry.wished, false);
    carry.again = true;
    status = status == KN_INTERRUPTED ? kn_run(c, NULL, d, sink, NULL) : status == KN_OK ? KN_ERROR_CIRCUIT : status;
    kn_circuit_free(c);
    carry_forget(&carry);
    return status;
}

/* One run from text to rows; *errors receives the number of errors reported. */
static enum kn_status run_once(const char *text, long *rows, size_t *errors)
{
    *rows = 0;
    *errors = 0;
    struct kn_diagnostics *d = kn_diagnostics_new();
    if (!d)
        return KN_ERROR_MEMORY;
    struct kn_sink sink = {rows, begin, row, end};
    const enum kn_status status = memory.in_parts
                                      ? run_in_parts(text, d, &sink)
                                      : run_text(text, &(struct kn_options){.measured = measured}, d, &sink, NULL);
    *errors = kn_diagnostics_errors(d);
    kn_diagnostics_free(d);
    return status;
}

struct healthy {
    enum kn_status status;
    long rows;
};

/* A run that can do without (a message then lacks its hint or source line) does all that a healthy one does. */
static void refuse(const char *text, long number, bool for_good, const struct healthy *healthy)
{
    memory.allocations = 0;
    memory.refused = number;
    memory.for_good = for_good;
    const long held = memory.held;
    long rows;
    size_t errors;
    const enum kn_status status = run_once(text, &rows, &errors);
    const bool reached = memory.allocations >= number;
    memory.refused = 0;
    const bool complete = status == healthy->status && rows == healthy->rows;
    const bool right = (complete || (reached && status == KN_ERROR_MEMORY)) && memory.held == held;
    if (!right)
        fprintf(stderr, "\nallocation %ld refused%s: status %d, %ld blocks lost, %zu errors\n", number,
                for_good ? " with all after it" : "", (int)status, memory.held - held, errors);
    CU_ASSERT_FATAL(right);
}

/* One run for each way of calls that leads to an allocation and no deck before has gone, and one more if it leads to several; or with
 * all that follow refused, too, for every seventh way. */
static void refuse_each(const char *text, bool for_good)
{
    static struct ways ways;
    struct healthy healthy;
    size_t ignored;
    memset(ways.first, 0, sizeof ways.first);
    memset(ways.last, 0, sizeof ways.last);
    memory.allocations = 0;
    memory.ways = &ways;
    healthy.status = run_once(text, &healthy.rows, &ignored);
    memory.ways = NULL;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        const long first = ways.first[slot], last = ways.last[slot];
        if (!first || (for_good ? first % 7 != 0 : ways.refused[slot]))
            continue;
        refuse(text, first, for_good, &healthy);
        if (last > first)
            refuse(text, last, for_good, &healthy);
        ways.refused[slot] = ways.refused[slot] || !for_good;
    }
}

static void a_healthy_run_gives_everything_back(void)
{
    const long held = memory.held;
    long rows;
    size_t errors;
    memory.allocations = 0;
    CU_ASSERT_EQUAL(run_once(every_element, &rows, &errors), KN_OK);
    CU_ASSERT_EQUAL(memory.held, held);
    CU_ASSERT(rows > 4);
    CU_ASSERT(memory.allocations > 100);
}

static void every_single_failure_is_reported(void)
{
    refuse_each(every_element, false);
}

static void memory_that_stays_exhausted_is_reported(void)
{
    refuse_each(every_element, true);
}

/* Errors and their hints are made of memory as well. */
static void decks_with_errors_survive_it(void)
{
    refuse_each("Errors\nR1 a b\nD1 a 0 d1n4148x\nX1 a nosuch\n.subckt s a\nX1 a s\n.ends\nX2 a s\n"
                ".param p=q q=p\nR3 a 0 {p+nothing}\n.model d1n4148 D\nV1 a 0 PULSE(1\n.print tran v(zz)\n.end\n",
                false);
}

static void refused_circuits_survive_it(void)
{
    refuse_each("Loop\nV1 a 0 1\nV2 a 0 2\nI1 b 0 1\nR1 c d 1\n.op\n.end\n", false);
}

/* .options ggl and hidden make equations and reports of their own. */
static void stated_constraints_survive_it(void)
{
    refuse_each("Loop\nV1 1 0 SIN(0 1 1k)\nC1 1 0 1u\nR1 1 0 1k\n.options ggl hidden\n.tran 10u 30u\n.end\n", false);
}

#define DIFFERENTIATORS                                                                                                \
    "C1 1 x 1u\nVs x 0 0\nH1 c 0 Vs 1k\nC2 c y 1u\nVt y 0 0\nH2 d 0 Vt 1k\nRd d 0 1k\n.options hidden\n"               \
    ".tran 10u 30u\n.end\n"

/* Its index is known from numbers only; and from sparse matrices. */
static void circuits_that_numbers_decide_survive_it(void)
{
    enum { SECTIONS = 110 };
    char large[SECTIONS * 30 + sizeof DIFFERENTIATORS + 100];
    refuse_each("Small\nV1 1 0 SIN(0 1 1k)\n" DIFFERENTIATORS, false);
    size_t used = (size_t)snprintf(large, sizeof large, "Large\nV1 1 0 SIN(0 1 1k)\n");
    for (int k = 1; k < SECTIONS; k++)
        used += (size_t)snprintf(large + used, sizeof large - used, "R%d %d %d 1k\n", 100 + k, k, k + 1);
    snprintf(large + used, sizeof large - used, "%s", DIFFERENTIATORS);
    refuse_each(large, false);
}

static void runs_that_go_on_survive_it(void)
{
    static const char past[] =
        "Past\nV1 in 0 pulse(0 1 0 1n 1n 0.1u 0.3u)\nR1 in a 50\nT1 a 0 b 0 z0=50 td=50n\nR2 b 0 50\n"
        "O1 a 0 c 0 lossy\nR3 c 0 50\n.model lossy ltra(r=5 l=5u g=2m c=2n len=1)\nS1 a d b 0 sw\nR4 d 0 1k\n"
        ".model sw sw(vt=0.3 vh=0.1)\nA1 [in] [d1] adc\n.model adc adc_bridge\nA2 nq d1 null null q nq dff\n"
        ".model dff d_dff\nA3 [q] [e] dac\n.model dac dac_bridge\nR5 e 0 1k\nA4 a f osc\n.model osc square\n"
        "R6 f 0 1k\n.tran 0.1u 0.3u\n.end\n";
    long rows;
    size_t errors;
    memory.in_parts = true;
    CU_ASSERT_EQUAL(run_once(past, &rows, &errors), KN_OK);
    refuse_each(past, false);
    memory.in_parts = false;
}

int main(void)
{
    void *loads_its_library[1];
    backtrace(loads_its_library, 1);
    const struct claim claims[] = {
        CLAIM(a_healthy_run_gives_everything_back),
        CLAIM(every_single_failure_is_reported),
        CLAIM(memory_that_stays_exhausted_is_reported),
        CLAIM(decks_with_errors_survive_it),
        CLAIM(refused_circuits_survive_it),
        CLAIM(stated_constraints_survive_it),
        CLAIM(circuits_that_numbers_decide_survive_it),
        CLAIM(runs_that_go_on_survive_it),
    };
    return run_claims("out of memory", claims, sizeof claims / sizeof *claims);
}
