/* The equations of circuits in symbols: what is eliminated, which sums are algebraic, what loops and cutsets impose. */
#include "deck.h"
#include "mna/equations/equations.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct fixture {
    struct deck deck;
    struct equations *e;
};

static bool open_equations(struct fixture *f, const char *text)
{
    f->e = NULL;
    if (!deck_open(&f->deck, text))
        return false;
    if (equations_new(f->deck.mna, f->deck.topology, &f->e) == KN_OK)
        return true;
    CU_FAIL("no equations");
    deck_close(&f->deck);
    return false;
}

static void close_equations(struct fixture *f)
{
    equations_free(f->e);
    deck_close(&f->deck);
}

static int unknown_of(const struct fixture *f, const char *name)
{
    return deck_unknown(&f->deck, name) + 1;
}

static const struct equation *row_of(const struct fixture *f, const struct equation_system *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->equations[i].unknown == unknown_of(f, name))
            return &s->equations[i];
    return NULL;
}

/* The term of this kind and element, or NULL. */
static const struct equation_term *term_of(const struct equation *eq, enum quantity_kind kind, const char *element)
{
    for (size_t i = 0; eq && i < eq->count; i++)
        if (eq->terms[i].quantity->kind == kind && names_equal(eq->terms[i].quantity->element->name, element))
            return &eq->terms[i];
    return NULL;
}

static int number_of(const struct equation *eq, enum quantity_kind kind, const char *element)
{
    const struct equation_term *t = term_of(eq, kind, element);
    return t && t->coefficient.gain_count == 0 ? t->coefficient.number : 0;
}

/* Deuflhard and Bornemann, Numerische Mathematik 2, (1.12) to (1.15); g is the current of a diode. */
static const char schmitt[] = "Schmitt trigger\n"
                              "Vdd D 0 5\n"
                              "Vin in 0 SIN(0 1 1k)\n"
                              "R1 in 1 1k\nR2 D 2 1.5k\nR3 3 0 1k\nR4 2 4 39k\nR5 D 5 1k\nC0 2 4 1p\n"
                              "X1 2 1 3 t\nX2 5 4 3 t\n"
                              ".subckt t c b e\nVb b j 0\nDbe j e d\nFc c b Vb 0.98\nCj b e 50p\n.ends\n"
                              ".model d D\n.end\n";

/* ---- elimination ---- */

static void known_voltages_leave_five_balances_of_the_schmitt_trigger(void)
{
    struct fixture f;
    if (!open_equations(&f, schmitt))
        return;
    CU_ASSERT_EQUAL(f.e->reduced.count, 5);
    CU_ASSERT_EQUAL(f.e->reduced.node_count, 5);
    CU_ASSERT_EQUAL(f.e->reduced.eliminated_count, 4);
    CU_ASSERT_EQUAL(f.e->reduced.known_count, 4);
    CU_ASSERT_EQUAL(f.e->full.count, (size_t)f.e->unknown_count);
    close_equations(&f);
}

static void current_of_a_sensing_source_is_replaced_with_the_gain_as_factor(void)
{
    struct fixture f;
    if (!open_equations(&f, schmitt))
        return;
    const struct equation *base = row_of(&f, &f.e->reduced, "v(1)");
    const struct equation_term *t = term_of(base, QUANTITY_LAW, "X1.Dbe");
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_EQUAL(t->coefficient.number, 1);
    CU_ASSERT_EQUAL(t->coefficient.gain_count, 1);
    CU_ASSERT_EQUAL(t->coefficient.gains[0].number, -1);
    CU_ASSERT_TRUE(names_equal(t->coefficient.gains[0].gain->name, "X1.Fc"));
    const struct equation_term *collector = term_of(row_of(&f, &f.e->reduced, "v(2)"), QUANTITY_LAW, "X1.Dbe");
    CU_ASSERT_PTR_NOT_NULL_FATAL(collector);
    CU_ASSERT_EQUAL(collector->coefficient.number, 0);
    CU_ASSERT_EQUAL(collector->coefficient.gains[0].number, 1);
    close_equations(&f);
}

static void a_sensing_source_that_feeds_a_capacitor_keeps_its_current(void)
{
    struct fixture f;
    if (!open_equations(&f, "sensed charge\nV1 a 0 SIN(0 1 1k)\nC1 a 0 1u\nF1 b 0 V1 2\nR1 b 0 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL(f.e->reduced.eliminated_count, 0);
    CU_ASSERT_EQUAL(f.e->reduced.count, f.e->full.count);
    close_equations(&f);
}

static void a_source_in_a_formula_keeps_its_current(void)
{
    struct fixture f;
    if (!open_equations(&f, "formula\nV1 a 0 1\nR1 a 0 1k\nB1 b 0 I=I(V1)^2\nR2 b 0 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL(f.e->reduced.eliminated_count, 0);
    close_equations(&f);
}

static void floating_sources_add_up_along_their_tree(void)
{
    struct fixture f;
    if (!open_equations(&f, "stack\nR1 a 0 1k\nV1 b a 1\nV2 b c 2\nR2 c 0 1k\nR3 b 0 1k\n.end\n"))
        return;
    struct combination v = {0};
    const struct branch_control c = {unknown_of(&f, "v(c)"), 0};
    CU_ASSERT_TRUE(equations_difference(f.e, &f.e->reduced, c, &v));
    CU_ASSERT_EQUAL(v.count, 3);
    CU_ASSERT_EQUAL(v.atoms[0].unknown, unknown_of(&f, "v(a)"));
    for (size_t i = 1; i < v.count; i++)
        CU_ASSERT_EQUAL(v.atoms[i].sign, names_equal(v.atoms[i].source->element->name, "V1") ? 1 : -1);
    CU_ASSERT_EQUAL(f.e->reduced.count, 1);
    CU_ASSERT_EQUAL(f.e->reduced.equations[0].count, 3);
    const struct branch_control same = {unknown_of(&f, "v(c)"), unknown_of(&f, "v(c)")};
    CU_ASSERT_TRUE(equations_difference(f.e, &f.e->reduced, same, &v));
    CU_ASSERT_EQUAL(v.count, 0);
    close_equations(&f);
}

static void current_of_a_source_is_the_sum_beyond_it(void)
{
    struct fixture f;
    if (!open_equations(&f, "stack\nV1 a 0 1\nV2 a b 2\nR1 a 0 1k\nR2 b 0 1k\nR3 b a 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL_FATAL(f.e->reduced.eliminated_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct source_current *s = &f.e->reduced.eliminated[i];
        const bool first = names_equal(s->source->element->name, "V1");
        CU_ASSERT_EQUAL(number_of(&s->sum, QUANTITY_CONDUCTANCE, "R1"), first ? -1 : 0);
        CU_ASSERT_EQUAL(number_of(&s->sum, QUANTITY_CONDUCTANCE, "R2"), first ? -1 : 1);
        CU_ASSERT_EQUAL(number_of(&s->sum, QUANTITY_CONDUCTANCE, "R3"), first ? 0 : 1);
    }
    close_equations(&f);
}

/* ---- the split ---- */

static void capacitance_matrix_of_the_schmitt_trigger_has_rank_three(void)
{
    struct fixture f;
    if (!open_equations(&f, schmitt))
        return;
    static const int shares[5][5] = {
        {1, 0, 1, 0, 0}, {0, 1, 0, 1, 0}, {1, 0, 2, 1, 0}, {0, 1, 1, 2, 0}, {0, 0, 0, 0, 0}};
    CU_ASSERT_EQUAL(f.e->capacitance_rank, 3);
    const struct capacitance_entry *entries = equations_capacitance(f.e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entries);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const struct capacitance_entry *entry = &entries[5 * i + j];
            CU_ASSERT_EQUAL(entry->count, (size_t)shares[i][j]);
            for (size_t k = 0; k < entry->count; k++)
                CU_ASSERT_EQUAL(entry->shares[k].number, i == j ? 1 : -1);
        }
    close_equations(&f);
}

static void algebraic_sums_of_the_schmitt_trigger_are_those_of_the_book(void)
{
    struct fixture f;
    if (!open_equations(&f, schmitt))
        return;
    static const int weights[2][5] = {{1, 1, 1, 1, 1}, {0, 0, 0, 0, 1}};
    CU_ASSERT_EQUAL_FATAL(f.e->sum_count, 2);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 5; k++)
            CU_ASSERT_EQUAL(f.e->sums[i].weights[k], weights[i][k]);
    const struct equation *linear = &f.e->sums[0].equation;
    CU_ASSERT_EQUAL(linear->count, 4);
    static const char *const resistors[] = {"R1", "R2", "R3", "R5"};
    for (size_t i = 0; i < COUNT(resistors); i++)
        CU_ASSERT_PTR_NOT_NULL(term_of(linear, QUANTITY_CONDUCTANCE, resistors[i]));
    CU_ASSERT_EQUAL(f.e->sums[1].equation.count, 2);
    close_equations(&f);
}

static void no_algebraic_sum_has_a_derivative(void)
{
    static const char *const decks[] = {
        schmitt,
        "pi\nR1 a 0 1k\nC1 a b 1u\nC2 b c 1u\nC3 a c 1u\nR2 c 0 1k\nR3 b d 1\nC4 d 0 1u\n.end\n",
        "bjt\nVcc c 0 5\nRc c x 1k\nQ1 x b e m\nRb c b 1meg\nRe e 0 100\n.model m NPN(CJE=1p CJC=1p TF=1n "
        "RB=10)\n.end\n",
    };
    for (size_t d = 0; d < COUNT(decks); d++) {
        struct fixture f;
        if (!open_equations(&f, decks[d]))
            continue;
        for (size_t i = 0; i < f.e->sum_count; i++)
            for (size_t k = 0; k < f.e->sums[i].equation.count; k++)
                CU_ASSERT_FALSE(f.e->sums[i].equation.terms[k].quantity->rate);
        size_t differential = 0;
        for (size_t i = 0; i < f.e->reduced.node_count; i++)
            differential += f.e->is_differential[i];
        CU_ASSERT_EQUAL(differential, (size_t)f.e->capacitance_rank);
        CU_ASSERT_EQUAL(differential + f.e->sum_count, f.e->reduced.node_count);
        close_equations(&f);
    }
}

static void rank_counts_known_voltages_as_ground(void)
{
    struct fixture f;
    if (!open_equations(&f, "known\nV1 a 0 SIN(0 1 1k)\nC1 a b 1u\nC2 b c 1u\nR1 c 0 1k\nR2 b 0 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL(f.e->capacitance_rank, 2);
    CU_ASSERT_EQUAL(f.e->sum_count, 0);
    close_equations(&f);
}

static void equations_of_inductors_are_differential_those_of_other_branches_algebraic(void)
{
    struct fixture f;
    if (!open_equations(&f, "branches\nI1 0 a 1\nL1 a b 1m\nE1 b 0 a 0 -2\nR1 a 0 1\n.end\n"))
        return;
    const struct equation_system *s = &f.e->reduced;
    for (size_t i = s->node_count; i < s->count; i++)
        CU_ASSERT_EQUAL(f.e->is_differential[i], s->equations[i].unknown == unknown_of(&f, "i(l1)"));
    CU_ASSERT_EQUAL(s->count - s->node_count, 2);
    close_equations(&f);
}

/* ---- hidden equations ---- */

static void a_cv_loop_imposes_the_source_voltage_and_its_derivative(void)
{
    struct fixture f;
    if (!open_equations(&f, "loop\nV1 0 a SIN(0 1 1k)\nC1 a b 1u\nC2 0 b 1u\nR1 b 0 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL_FATAL(f.e->constraint_count, 1);
    const struct constraint *c = &f.e->constraints[0];
    CU_ASSERT_TRUE(c->is_loop);
    CU_ASSERT_EQUAL(c->visible.count, 3);
    CU_ASSERT_EQUAL(c->hidden.count, 3);
    /* v(a) - v(b) = u1, -v(b) = u2, v(0) - v(a) = V1: u1 - u2 + V1 = 0 */
    const int sign = number_of(&c->visible, QUANTITY_VOLTAGE, "C1");
    CU_ASSERT_EQUAL(sign * sign, 1);
    CU_ASSERT_EQUAL(number_of(&c->visible, QUANTITY_VOLTAGE, "C2"), -sign);
    CU_ASSERT_EQUAL(number_of(&c->visible, QUANTITY_SOURCE, "V1"), sign);
    for (size_t i = 0; i < c->hidden.count; i++)
        CU_ASSERT_TRUE(c->hidden.terms[i].quantity->rate);
    close_equations(&f);
}

static void the_derivative_of_a_constant_source_is_left_out(void)
{
    struct fixture f;
    if (!open_equations(&f, "loop\nV1 a 0 5\nC1 a 0 1u\nR1 a 0 1k\n.end\n"))
        return;
    CU_ASSERT_EQUAL_FATAL(f.e->constraint_count, 1);
    CU_ASSERT_EQUAL(f.e->constraints[0].visible.count, 2);
    CU_ASSERT_EQUAL(f.e->constraints[0].hidden.count, 1);
    close_equations(&f);
}

static void an_li_cutset_imposes_the_source_current_and_the_slope_of_the_inductor(void)
{
    struct fixture f;
    if (!open_equations(&f, "cutset\nI1 0 a SIN(0 1 1k)\nL1 a b 1m\nR1 b 0 1\n.end\n"))
        return;
    CU_ASSERT_EQUAL_FATAL(f.e->constraint_count, 1);
    const struct constraint *c = &f.e->constraints[0];
    CU_ASSERT_FALSE(c->is_loop);
    CU_ASSERT_EQUAL(number_of(&c->visible, QUANTITY_CURRENT, "L1"), 1);
    CU_ASSERT_EQUAL(number_of(&c->visible, QUANTITY_SOURCE, "I1"), -1);
    CU_ASSERT_EQUAL(number_of(&c->hidden, QUANTITY_PER_HENRY, "L1"), 1);
    CU_ASSERT_EQUAL(number_of(&c->hidden, QUANTITY_SOURCE, "I1"), -1);
    close_equations(&f);
}

static void the_slope_of_a_coupled_inductor_is_left_as_it_is(void)
{
    struct fixture f;
    if (!open_equations(&f,
                        "coupled\nI1 0 a SIN(0 1 1k)\nL1 a b 1m\nR1 b 0 1\nL2 c 0 1m\nR2 c 0 1\nK1 L1 L2 0.5\n.end\n"))
        return;
    CU_ASSERT_EQUAL_FATAL(f.e->constraint_count, 1);
    const struct equation_term *t = term_of(&f.e->constraints[0].hidden, QUANTITY_CURRENT, "L1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_TRUE(t->quantity->rate);
    CU_ASSERT_PTR_NOT_NULL(term_of(row_of(&f, &f.e->full, "i(l1)"), QUANTITY_MUTUAL, "K1"));
    close_equations(&f);
}

/* ---- formulas ---- */

static void formulas_of_subcircuits_get_the_names_of_the_circuit(void)
{
    struct fixture f;
    if (!open_equations(&f, "names\nV1 top 0 1\nR0 top out 1k\nX1 out 0 top s\n"
                            ".subckt s p q r params: a=2\nB1 p q I={a*V( p , q )+v(n)+ V(r)*I(Vs)+max(V(p),1)}\n"
                            "Vs n q 0\nRn p n 1k\n.ends\n.end\n"))
        return;
    const struct equation *eq = row_of(&f, &f.e->full, "v(out)");
    const struct equation_term *t = term_of(eq, QUANTITY_FORMULA, "X1.B1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_STRING_EQUAL(t->quantity->formula, "a*v(out,0) + v(X1.n) + v(top)*i(X1.Vs) + max(v(out),1)");
    close_equations(&f);
}

/* Both had become ground, because only the first mention of a node was looked for. */
static void formulas_name_a_node_that_two_ports_share(void)
{
    struct fixture f;
    if (!open_equations(&f, "shared\nV1 a 0 1\nX1 a a b s\n.subckt s p q r\nB1 r 0 I={v(p)-2*v(q)+v(0)}\n.ends\n"
                            "R2 b 0 1k\n.end\n"))
        return;
    const struct equation_term *t = term_of(row_of(&f, &f.e->full, "v(b)"), QUANTITY_FORMULA, "X1.B1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_STRING_EQUAL(t->quantity->formula, "v(a) - 2*v(a) + v(0)");
    close_equations(&f);
}

static void formulas_on_several_lines_keep_their_names_apart(void)
{
    struct fixture f;
    if (!open_equations(&f, "lines\nV1 top 0 1\nX1 top s\n.subckt s p\nB1 p 0 I={V(p)\n+ + V(x)}\nR1 p x 1\nR2 x 0 1\n"
                            ".ends\n.end\n"))
        return;
    const struct equation_term *t = term_of(row_of(&f, &f.e->full, "v(top)"), QUANTITY_FORMULA, "X1.B1");
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_STRING_EQUAL(t->quantity->formula, "v(top) + v(X1.x)");
    close_equations(&f);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(known_voltages_leave_five_balances_of_the_schmitt_trigger),
        CLAIM(current_of_a_sensing_source_is_replaced_with_the_gain_as_factor),
        CLAIM(a_sensing_source_that_feeds_a_capacitor_keeps_its_current),
        CLAIM(a_source_in_a_formula_keeps_its_current),
        CLAIM(floating_sources_add_up_along_their_tree),
        CLAIM(current_of_a_source_is_the_sum_beyond_it),
        CLAIM(capacitance_matrix_of_the_schmitt_trigger_has_rank_three),
        CLAIM(algebraic_sums_of_the_schmitt_trigger_are_those_of_the_book),
        CLAIM(no_algebraic_sum_has_a_derivative),
        CLAIM(rank_counts_known_voltages_as_ground),
        CLAIM(equations_of_inductors_are_differential_those_of_other_branches_algebraic),
        CLAIM(a_cv_loop_imposes_the_source_voltage_and_its_derivative),
        CLAIM(the_derivative_of_a_constant_source_is_left_out),
        CLAIM(an_li_cutset_imposes_the_source_current_and_the_slope_of_the_inductor),
        CLAIM(the_slope_of_a_coupled_inductor_is_left_as_it_is),
        CLAIM(formulas_of_subcircuits_get_the_names_of_the_circuit),
        CLAIM(formulas_name_a_node_that_two_ports_share),
        CLAIM(formulas_on_several_lines_keep_their_names_apart),
    };
    return run_claims("equations in symbols", claims, COUNT(claims));
}
