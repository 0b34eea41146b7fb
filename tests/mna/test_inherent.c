/* The inherent differential equation and the formulas of all other unknowns: by hand on small circuits, on random linear ones
 * against the solution at a complex frequency, which is computed from G and C alone.
 */
#include "deck.h"
#include "mna/equations/inherent.h"
#include "mna/index/index.h"

#include <complex.h>

enum { MOST = 40, CIRCUITS = 150, TEXT_SIZE = 4000 };

struct fixture {
    struct deck deck;
    struct equations *e;
    struct arena *arena;
    struct index_analysis *index;
    struct inherent *h;
};

static void close_inherent(struct fixture *f)
{
    index_free(f->index);
    arena_free(f->arena);
    equations_free(f->e);
    deck_close(&f->deck);
}

/* h stays NULL where the topology sees that there is no unique solution. */
static bool open_inherent(struct fixture *f, const char *text)
{
    *f = (struct fixture){.arena = arena_new()};
    if (!deck_open(&f->deck, text))
        return false;
    const struct index_point at = {0, f->deck.x};
    enum kn_status status = f->arena ? equations_new(f->deck.mna, f->deck.topology, &f->e) : KN_ERROR_MEMORY;
    if (status == KN_OK && f->deck.topology->verdict == TOPOLOGY_SINGULAR)
        return true;
    if (status == KN_OK)
        status = index_analyze(f->deck.mna, f->deck.topology, &at, &(struct index_options){0}, &f->index);
    if (status == KN_OK)
        status = inherent_find(f->e, f->deck.mna, f->index->outcome == INDEX_KNOWN ? f->index->order : NULL, f->arena,
                               &f->h);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    close_inherent(f);
    return false;
}

static double share_of(const struct fixture *f, const char *unknown, const char *other)
{
    return f->h->solved[deck_unknown(&f->deck, unknown)].unknowns[deck_unknown(&f->deck, other)];
}

static double input_of(const struct fixture *f, const char *unknown, const char *source, int order)
{
    for (size_t i = 0; i < f->h->input_count; i++)
        if (strcmp(f->h->inputs[i].quantity->element->name, source) == 0)
            return inherent_share(&f->h->solved[deck_unknown(&f->deck, unknown)], i, order);
    return NAN;
}

/* ---- by hand ---- */

static void index_3_chain_is_solved_to_the_second_derivative(void)
{
    struct fixture f;
    if (!open_inherent(&f, "chain\nV1 1 0 SIN(0 1 1k)\nC1 1 0 1u\nF1 0 2 V1 2\nL1 2 0 1m\nR2 1 3 1k\nC2 3 0 100n\n"
                           ".tran 1u 1m\n.end\n"))
        return;
    CU_ASSERT(f.h->solvable);
    CU_ASSERT_EQUAL(f.h->rounds, 3);
    CU_ASSERT_EQUAL(f.h->state_count, 1);
    CU_ASSERT(f.h->is_state[deck_unknown(&f.deck, "v(3)")]);
    CHECK_NEAR(share_of(&f, "v(3)", "v(3)"), -1e4, 1e-8);
    CHECK_NEAR(input_of(&f, "v(3)", "V1", 0), 1e4, 1e-8);
    CHECK_NEAR(input_of(&f, "i(v1)", "V1", 1), -1e-6, 1e-18);
    /* i(l1) = 2 i(v1), v(2) = L1 d/dt i(l1): -2 L1 C1 V1'' - 2 L1/R2 (V1' - v(3)') */
    CHECK_NEAR(input_of(&f, "v(2)", "V1", 2), -2e-9, 1e-20);
    CHECK_NEAR(input_of(&f, "v(2)", "V1", 1), -2e-6, 1e-17);
    CHECK_NEAR(share_of(&f, "v(2)", "v(3)"), -2e-2, 1e-13);
    int last = 0;
    for (size_t i = 0; i < f.h->constraint_count; i++)
        last = f.h->constraints[i].round > last ? f.h->constraints[i].round : last;
    CU_ASSERT_EQUAL(last, 2);
    close_inherent(&f);
}

static void laws_of_devices_are_inputs(void)
{
    struct fixture f;
    if (!open_inherent(&f, "diode\nV1 in 0 SIN(0 1 1k)\nR1 in out 1k\nD1 out 0 d\nC1 out 0 1u\n.model d d is=1e-14\n"
                           ".tran 1u 1m\n.end\n"))
        return;
    CU_ASSERT(f.h->solvable);
    CU_ASSERT_EQUAL(f.h->state_count, 1);
    CHECK_NEAR(share_of(&f, "v(out)", "v(out)"), -1e3, 1e-9);
    CHECK_NEAR(input_of(&f, "v(out)", "D1", 0), -1e6, 1e-6);
    close_inherent(&f);
}

static void constant_sources_have_no_derivative(void)
{
    struct fixture f;
    if (!open_inherent(&f, "constant\nV1 a 0 5\nC1 a 0 1u\nR1 a 0 1k\n.tran 1u 1m\n.end\n"))
        return;
    CU_ASSERT(f.h->solvable);
    CU_ASSERT_EQUAL(f.h->state_count, 0);
    CHECK_NEAR(input_of(&f, "i(v1)", "V1", 0), -1e-3, 1e-15);
    CU_ASSERT_EQUAL(input_of(&f, "i(v1)", "V1", 1), 0);
    close_inherent(&f);
}

/* ---- random circuits ---- */

static uint64_t state;

static int below(int limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)limit);
}

/* What source number k has at time 0. */
static double amplitude(const char *name)
{
    return 1 + 0.25 * atoi(name + 1);
}

/* A tree of elements and some more, values of one size: rounding is no question here. */
static void write_circuit(char *text, size_t size)
{
    static const char letters[] = "RRRCCCLLVIEGFH";
    int count[128] = {0};
    const int nodes = 3 + below(4), elements = nodes + 2 + below(5);
    size_t used = (size_t)snprintf(text, size, "random\n");
    for (int k = 0; k < elements; k++) {
        char letter = letters[below((int)sizeof letters - 1)];
        if (strchr("FH", letter) && count['V'] == 0)
            letter = 'R';
        const int plus = k < nodes ? k + 1 : 1 + below(nodes), minus = k < nodes ? below(k + 1) : below(nodes + 1);
        const int number = ++count[(int)letter], value = 1 + below(5);
        used += (size_t)snprintf(text + used, size - used, "%c%d %d %d", letter, number, plus, minus);
        if (strchr("VI", letter))
            used += (size_t)snprintf(text + used, size - used, " SIN(%g 0 1)\n", 1 + 0.25 * number);
        else if (strchr("EG", letter))
            used +=
                (size_t)snprintf(text + used, size - used, " %d %d %d\n", below(nodes + 1), below(nodes + 1), value);
        else if (strchr("FH", letter))
            used += (size_t)snprintf(text + used, size - used, " V%d %d\n", 1 + below(count['V']), value);
        else
            used += (size_t)snprintf(text + used, size - used, " %d\n", value);
    }
    snprintf(text + used, size - used, ".tran 1 10\n.end\n");
}

/* a x = b, x in b; Gauss with the largest pivots. */
static bool solve_dense(double complex (*a)[MOST], double complex *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = cabs(a[i][k]) > cabs(a[best][k]) ? i : best;
        if (!(cabs(a[best][k]) > 1e-9))
            return false;
        for (int j = 0; j < n; j++) {
            const double complex swapped = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swapped;
        }
        const double complex swapped = b[k];
        b[k] = b[best];
        b[best] = swapped;
        for (int i = 0; i < n; i++) {
            const double complex factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j < n && factor != 0; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= a[k][k];
    return true;
}

static const double complex frequency = 0.6 + 0.8 * _Complex_I;

/* x exp(st) for sources that have their amplitudes times exp(st). */
static bool respond(const struct fixture *f, double complex *x)
{
    static double complex a[MOST][MOST];
    const struct dae *dae = mna_dae(f->deck.mna);
    const struct sparse_pattern *p = dae->pattern;
    double *G = sparse_values(p), *C = sparse_values(p), *rest = calloc((size_t)dae->n + 1, sizeof *rest);
    struct dae_values values = {.f = rest, .G = G, .C = C};
    bool good = G && C && rest && dae->eval(dae->problem, 0, f->deck.x, DAE_F | DAE_G | DAE_C, &values) == KN_OK;
    memset(a, 0, sizeof a);
    for (int column = 0; column < p->n && good; column++)
        for (int k = p->column_start[column]; k < p->column_start[column + 1]; k++)
            a[p->row[k]][column] = G[k] + frequency * C[k];
    for (int i = 0; i < dae->n && good; i++)
        x[i] = -rest[i];
    good = good && solve_dense(a, x, dae->n);
    free(G);
    free(C);
    free(rest);
    return good;
}

/* Of a row at the response, relative to its terms. */
static double missed(const struct fixture *f, const struct inherent_row *r, const double complex *x,
                     double complex left)
{
    double complex sum = -left;
    double size = cabs(left) + 1e-3;
    for (int i = 0; i < f->h->n; i++) {
        sum += r->unknowns[i] * x[i];
        size += cabs(r->unknowns[i] * x[i]);
    }
    for (size_t i = 0; i < f->h->input_count; i++)
        for (int k = 0; k < INHERENT_ORDERS; k++) {
            const double complex term =
                inherent_share(r, i, k) * cpow(frequency, k) * amplitude(f->h->inputs[i].quantity->element->name);
            sum += term;
            size += cabs(term);
        }
    return cabs(sum) / size;
}

static double worst_of(const struct fixture *f, const double complex *x)
{
    double worst = 0;
    for (int i = 0; i < f->h->n; i++)
        worst = fmax(worst, missed(f, &f->h->solved[i], x, f->h->is_state[i] ? frequency * x[i] : x[i]));
    for (size_t i = 0; i < f->h->constraint_count; i++)
        worst = fmax(worst, missed(f, &f->h->constraints[i].row, x, 0));
    return worst;
}

/* The number of states and of rounds is what exact arithmetic says; states are the only unknowns in formulas. */
static void check_structure(const struct fixture *f, const char *text)
{
    bool good = f->h->rounds == f->index->index && f->h->state_count == f->index->degrees_of_freedom;
    for (int i = 0; i < f->h->n; i++)
        for (int k = 0; k < f->h->n; k++)
            good = good && (f->h->is_state[k] || f->h->solved[i].unknowns[k] == 0);
    CU_ASSERT(good);
    if (!good)
        fprintf(stderr, "index %d, %d rounds; %d degrees of freedom, %d states\n%s", f->index->index, f->h->rounds,
                f->index->degrees_of_freedom, f->h->state_count, text);
}

static uint64_t first_seed(void)
{
    const char *given = getenv("KNOTEN_SEED");
    return given ? strtoull(given, NULL, 10) : 1;
}

static void random_circuits_obey_their_formulas_at_any_frequency(void)
{
    int solved = 0, high = 0;
    for (uint64_t k = 0; k < CIRCUITS; k++) {
        char text[TEXT_SIZE];
        double complex x[MOST];
        struct fixture f;
        state = (first_seed() + k) * 0x9E3779B97F4A7C15u + 1;
        write_circuit(text, sizeof text);
        if (!open_inherent(&f, text))
            continue;
        const bool known = f.h && f.index->outcome == INDEX_KNOWN && f.index->index < INHERENT_ORDERS;
        if (f.h && f.h->solvable != known) {
            CU_FAIL("solvable");
            fprintf(stderr, "seed %llu: solvable %d\n%s", (unsigned long long)(first_seed() + k), f.h->solvable, text);
        }
        if (known && f.h->solvable && respond(&f, x)) {
            const double worst = worst_of(&f, x);
            solved++;
            high += f.index->index > 2;
            check_structure(&f, text);
            CU_ASSERT(worst < 1e-9);
            if (!(worst < 1e-9))
                fprintf(stderr, "seed %llu: missed by %g\n%s", (unsigned long long)(first_seed() + k), worst, text);
        }
        close_inherent(&f);
    }
    printf("%d circuits, %d of index 3 and more ", solved, high);
    CU_ASSERT(solved > CIRCUITS / 4);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(index_3_chain_is_solved_to_the_second_derivative),
        CLAIM(laws_of_devices_are_inputs),
        CLAIM(constant_sources_have_no_derivative),
        CLAIM(random_circuits_obey_their_formulas_at_any_frequency),
    };
    return run_claims("inherent differential equation", claims, sizeof claims / sizeof *claims);
}
