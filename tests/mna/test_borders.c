/* Poles and zeros as eigenvalues of pencils with borders: how many there are by exact arithmetic, and where they are by
 * the determinant, det(G + s C) / det(G + s0 C) = product of (s - p) / (s0 - p), of random linear circuits. */
#include "mna/index/index.h"

#include "deck.h"
#include "exact_deck.h"

#include <complex.h>

typedef long double complex number_t;

/* ---- determinants ---- */

static number_t determinant(number_t *a, int n)
{
    number_t product = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (cabsl(a[i * n + k]) > cabsl(a[pivot * n + k]))
                pivot = i;
        for (int j = 0; j < n; j++) {
            const number_t kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        product *= pivot == k ? a[k * n + k] : -a[k * n + k];
        for (int i = k + 1; i < n && a[k * n + k] != 0; i++) {
            const number_t factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return product;
}

/* Entries rounded at random once more, as part of themselves: what the determinant makes of that is its error. */
static long double rounded(long double value, bool at_random)
{
    return at_random ? value * (1 + 2e-16L * (below(2001) - 1000) / 1000) : value;
}

static number_t determinant_at(const struct deck *s, const struct index_border *border, double complex at,
                               bool at_random)
{
    const struct dae *dae = mna_dae(s->mna);
    const int n = dae->n, size = n + (border != NULL);
    double *G = sparse_values(dae->pattern), *C = sparse_values(dae->pattern);
    number_t *a = calloc((size_t)(size * size) + 1, sizeof *a);
    struct dae_values values = {.G = G, .C = C};
    CU_ASSERT_FATAL(G && C && a && dae->eval(dae->problem, 0, s->x, DAE_G | DAE_C, &values) == KN_OK);
    for (int j = 0; j < n; j++)
        for (int e = dae->pattern->column_start[j]; e < dae->pattern->column_start[j + 1]; e++)
            a[dae->pattern->row[e] * size + j] += rounded(G[e], at_random) + at * rounded(C[e], at_random);
    for (int i = 0; border && i < n; i++) {
        a[i * size + n] = border->column[i];
        a[n * size + i] = border->row[i];
    }
    const number_t result = determinant(a, size);
    free(G);
    free(C);
    free(a);
    return result;
}

/* det / base, and how far it may miss. */
static number_t ratio_at(const struct deck *s, const struct index_border *border, double complex at,
                         double complex base, long double *error)
{
    const number_t ratio = determinant_at(s, border, at, false) / determinant_at(s, border, base, false);
    *error = 0;
    for (int trial = 0; trial < 3; trial++) {
        const number_t moved = determinant_at(s, border, at, true) / determinant_at(s, border, base, true);
        *error = fmaxl(*error, cabsl(moved - ratio));
    }
    return ratio;
}

static bool determinants_agree(const struct deck *s, const struct index_border *border, const struct index_analysis *a)
{
    double size = 0, worst = 1e-9;
    for (int k = 0; k < a->pole_count; k++) {
        if (isnan(creal(a->poles[k])))
            return true; /* said to be hidden */
        size = fmax(size, cabs(a->poles[k]));
        worst = fmax(worst, a->pole_errors[k]);
    }
    size = size > 0 ? size : 1;
    const double complex s0 = size * CMPLX(0.37, 0.81);
    for (int trial = 0; trial < 4; trial++) {
        const double complex at = size * pow(10, 0.5 - trial) * CMPLX(0.6 - 0.3 * trial, 0.7 + 0.2 * trial);
        number_t expected = 1;
        double sensitivity = 1;
        for (int k = 0; k < a->pole_count; k++) {
            expected *= (number_t)(at - a->poles[k]) / (number_t)(s0 - a->poles[k]);
            sensitivity += cabs(a->poles[k]) / cabs(at - a->poles[k]);
        }
        long double error;
        const number_t ratio = ratio_at(s, border, at, s0, &error);
        if (!(cabsl(ratio - expected) <= 1e3L * (long double)(worst * sensitivity) * cabsl(expected) + 100 * error))
            return false;
    }
    return true;
}

/* ---- random circuits ---- */

struct ends {
    int plus, minus; /* nodes */
};

static bool is_there(const struct random_deck *d, int node)
{
    return node == 0 || d->unknown_of[node] >= 0;
}

static struct ends draw_ends(const struct random_deck *d)
{
    struct ends e = {0, 0};
    while (e.plus == e.minus || !is_there(d, e.plus) || !is_there(d, e.minus)) {
        e.plus = below(MOST_NODES);
        e.minus = below(MOST_NODES);
    }
    return e;
}

static void fill_incidence(const struct deck *s, struct ends e, double *v)
{
    char name[20];
    const int nodes[2] = {e.plus, e.minus};
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "v(%d)", nodes[k]);
        if (nodes[k] > 0)
            v[deck_unknown(s, name)] = k == 0 ? 1 : -1;
    }
}

static void add_border(const struct random_deck *d, struct ends in, struct ends out, struct exact_deck *x)
{
    const struct exact_deck without = *x;
    const int n = without.n;
    memset(x, 0, sizeof *x);
    x->n = n + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x->G[i * x->n + j] = without.G[i * n + j];
            x->C[i * x->n + j] = without.C[i * n + j];
        }
    add(x, x->G, d->unknown_of[in.plus], n, 1);
    add(x, x->G, d->unknown_of[in.minus], n, EXACT_PRIME - 1);
    add(x, x->G, n, d->unknown_of[out.plus], 1);
    add(x, x->G, n, d->unknown_of[out.minus], EXACT_PRIME - 1);
}

struct tally {
    int decided, open, roots, hidden;
};

static bool compare(const struct random_deck *d, const struct deck *s, bool bordered, struct ends in, struct ends out,
                    struct tally *tally)
{
    const int n = mna_unknown_count(s->mna);
    struct exact_deck *x = malloc(sizeof *x);
    double *column = calloc((size_t)n + 1, sizeof *column), *row = calloc((size_t)n + 1, sizeof *row);
    CU_ASSERT_FATAL(x && column && row && n == d->unknowns);
    make_exact(d, x);
    if (bordered)
        add_border(d, in, out, x);
    fill_incidence(s, in, column);
    fill_incidence(s, out, row);
    const struct exact_structure exact = exact_structure(x->C, x->G, x->n);
    const struct index_border border = {column, row};
    const struct index_options o = {.spectrum = true, .borders = &border, .border_count = bordered};
    const struct index_point at = {0, s->x};
    struct index_analysis *a = NULL;
    CU_ASSERT_EQUAL_FATAL(index_analyze(s->mna, s->topology, &at, &o, &a), KN_OK);
    bool good = true;
    if (a->outcome == INDEX_OPEN) {
        tally->open++;
    } else {
        tally->decided++;
        good = (a->outcome == INDEX_SINGULAR_PENCIL) == exact.singular &&
               (exact.singular || (a->degrees_of_freedom == exact.finite && a->index == exact.index));
        if (good && a->poles) {
            tally->roots += a->pole_count;
            for (int k = 0; k < a->pole_count; k++)
                tally->hidden += isnan(creal(a->poles[k]));
            good = a->pole_count == exact.finite && determinants_agree(s, bordered ? &border : NULL, a);
        }
    }
    index_free(a);
    free(x);
    free(column);
    free(row);
    return good;
}

static void compare_all(const struct family *f, uint64_t seeds)
{
    struct tally tally = {0};
    int wrong = 0;
    for (uint64_t seed = 1; seed <= seeds && wrong < 5; seed++) {
        struct random_deck d;
        struct deck s;
        start_random(seed);
        draw_deck(&d, f);
        if (!deck_open(&s, d.text))
            continue;
        const struct ends in = draw_ends(&d), out = draw_ends(&d);
        for (int kind = 0; kind < 3; kind++) { /* as it stands, driven by a voltage, of the transfer */
            if (compare(&d, &s, kind > 0, in, kind == 2 ? out : in, &tally))
                continue;
            wrong++;
            fprintf(stderr, "\n%s, seed %llu, kind %d, in %d %d, out %d %d\n%s\n", f->name, (unsigned long long)seed,
                    kind, in.plus, in.minus, out.plus, out.minus, d.text);
        }
        deck_close(&s);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(tally.decided > 2 * (int)seeds && tally.roots > (int)seeds);
    CU_ASSERT(1000 * tally.open <= f->most_open * tally.decided);
    CU_ASSERT(1000 * tally.hidden <= 5 * tally.roots);
}

enum { SEEDS = 400 };

static uint64_t seeds(void)
{
    const char *more = getenv("KNOTEN_SEEDS"); /* by hand */
    return more ? (uint64_t)atoll(more) : SEEDS;
}

static void passive_circuits_have_the_poles_and_zeros_of_their_determinants(void)
{
    const struct family f = {"passive", "RRRCCCLLV", 9, false, 0, 1, 5};
    compare_all(&f, seeds());
}

static void circuits_with_gains_have_the_poles_and_zeros_of_their_determinants(void)
{
    const struct family f = {"gains", "RRRCCCLLVIEGFH", 99, true, -1, 3, 5};
    compare_all(&f, seeds());
}

/* ---- by hand ---- */

/* One pole, five times, of stages behind each other, and a double one of one stage. */
static void equal_poles_are_told(void)
{
    static const char text[] =
        "t\nV1 in 0 1\nR1 in a 1k\nC1 a 0 1u\nE1 b 0 a 0 1\nR2 b c 1k\nC2 c 0 1u\n"
        "E2 d 0 c 0 1\nR3 d e 1k\nC3 e 0 1u\nE3 f 0 e 0 1\nR4 f g 2k\nL4 g h 1\nC4 h 0 1u\n.end\n";
    struct deck s;
    struct index_analysis *a = NULL;
    if (!deck_open(&s, text))
        return;
    const struct index_point at = {0, s.x};
    const struct index_options o = {.spectrum = true};
    CU_ASSERT_EQUAL_FATAL(index_analyze(s.mna, s.topology, &at, &o, &a), KN_OK);
    CU_ASSERT_EQUAL_FATAL(a->pole_count, 5);
    for (int k = 0; k < 5; k++) {
        const double miss = cabs(a->poles[k] + 1e3) / 1e3;
        CU_ASSERT(miss < 1e-6 && miss <= a->pole_errors[k] && a->pole_errors[k] < 1e-5);
    }
    index_free(a);
    deck_close(&s);
}

static void nearest_poles_are_those_of_a_ladder(void)
{
    enum { STAGES = 500 };
    static char text[60 * STAGES];
    size_t used = (size_t)snprintf(text, sizeof text, "t\nV1 n0 0 1\n");
    for (int i = 1; i <= STAGES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "R%d n%d n%d 1k\nC%d n%d 0 1n\n", i, i - 1, i, i, i);
    snprintf(text + used, sizeof text - used, ".end\n");
    struct deck s;
    if (!index_finds_nearest() || !deck_open(&s, text))
        return;
    const struct index_point at = {0, s.x};
    const struct index_options o = {0};
    const double complex places[] = {0, CMPLX(-1e6, 0), CMPLX(0, 3e5)};
    for (int place = 0; place < 3; place++) {
        struct index_analysis *a = calloc(1, sizeof *a);
        CU_ASSERT_EQUAL(index_nearest(s.mna, &at, &o, places[place], 12, a), KN_OK);
        CU_ASSERT(a->pole_count >= 12);
        int found = 0;
        double farthest = 0;
        for (int i = 0; i < a->pole_count; i++)
            farthest = fmax(farthest, cabs(a->poles[i] - places[place]));
        for (int k = 1; k <= STAGES; k++) {
            const double sine = sin((2 * k - 1) * acos(-1) / (4 * STAGES + 2)), pole = -4e6 * sine * sine;
            bool here = false;
            for (int i = 0; i < a->pole_count; i++)
                here |= cabs(a->poles[i] - pole) <= 1e-9 * fabs(pole);
            found += here;
            CU_ASSERT(here || cabs(pole - places[place]) > farthest * (1 - 1e-9)); /* none is left out */
        }
        CU_ASSERT_EQUAL(found, a->pole_count);
        index_free(a);
    }
    deck_close(&s);
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(passive_circuits_have_the_poles_and_zeros_of_their_determinants),
        CLAIM(circuits_with_gains_have_the_poles_and_zeros_of_their_determinants),
        CLAIM(equal_poles_are_told),
        CLAIM(nearest_poles_are_those_of_a_ladder),
    };
    return run_claims("borders", claims, sizeof claims / sizeof *claims);
}
