/* test_code_models.c - A devices after XSPICE: how their cards are read, exact derivatives, and values of closed forms. */
#include "harness.h"

static const struct element *element(const struct rig *r, const char *name)
{
    return &r->c->elements[circuit_find_element(r->c, name)];
}

/* ---- cards ---- */

static void ports_are_read_with_types_lists_and_nothing(void)
{
    struct rig r = rig_need("title\nV1 a 0 1\nA1 [a %vd(b c)%vnam(V1)] %id ( d , e ) s\nA2 a null null f o\n"
                            ".model s summer(in_gain=[1 2 3])\n.model o oneshot\n");
    const struct element *e = element(&r, "A1");
    CU_ASSERT_EQUAL_FATAL(e->connection_count, 4);
    CU_ASSERT_EQUAL(e->connections[0].type, PORT_V);
    CU_ASSERT_EQUAL(e->connections[0].minus, -1);
    CU_ASSERT_EQUAL(e->connections[1].type, PORT_VD);
    CU_ASSERT_STRING_EQUAL(r.c->nodes[e->nodes[e->connections[1].minus]].name, "c");
    CU_ASSERT_EQUAL(e->connections[2].type, PORT_VNAM);
    CU_ASSERT_EQUAL(e->control_elements[e->connections[2].control], element(&r, "V1")->number);
    CU_ASSERT_EQUAL(e->connections[3].port, 1);
    CU_ASSERT_EQUAL(e->connections[3].type, PORT_ID);
    CU_ASSERT_EQUAL(element(&r, "A2")->connection_count, 2);
    rig_close(&r);
    r = rig_need("title\nA1 %vd([a b c d]) e s\nA2 %v ( [a b c] ) f s\n.model s summer\n");
    CU_ASSERT_EQUAL(element(&r, "A1")->connection_count, 3);
    CU_ASSERT_EQUAL(element(&r, "A1")->connections[1].type, PORT_VD);
    CU_ASSERT_EQUAL(element(&r, "A2")->connection_count, 4);
    rig_close(&r);
}

static void lists_of_models_have_blanks_commas_and_expressions(void)
{
    static const char *const lists[] = {"[1 2 3]", "[ 1 2 3 ]", "[1, 2, 3]", "[ 1 {1+1} 3 ]", "[1 k 3]"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "title\nV1 a 0 1\nA1 [a a a] b s\n.param k=2\n.model s summer(in_gain=%s out_gain=4)\n", lists[i]);
        struct rig r = rig_need(text);
        const struct model *m = element(&r, "A1")->model;
        const struct setting *s = setting_find(m->settings, m->setting_count, "in_gain");
        CU_ASSERT_EQUAL_FATAL(s->list_count, 3);
        CU_ASSERT_EQUAL(s->list[0], 1);
        CU_ASSERT_EQUAL(s->list[1], 2);
        CU_ASSERT_EQUAL(s->list[2], 3);
        rig_close(&r);
    }
}

static void what_does_not_fit_a_port_is_an_error(void)
{
    static const char *const cards[] = {
        "A1 a\n",             /* no model */
        "A1 a g\n",           /* no output */
        "A1 a b c g\n",       /* too much */
        "A1 %gd(a 0) b g\n",  /* a gain does not drive its input */
        "A1 %x(a 0) b g\n",   /* no such type */
        "A1 [a b] c g\n",     /* no list here */
        "A1 [a b c s\n",      /* not closed */
        "A1 null b g\n",      /* needed */
        "A1 %vnam(R1) b g\n", /* R1 has no current of its own */
        "A1 %vnam(Vx) b g\n", /* is not there */
        "A1 a b nothing\n",   /* no such model */
        "A1 a b u\n",         /* no such code model */
        "A1 a b p\n",         /* points that do not rise */
        "A1 a b q\n",         /* not as many */
        "A1 a b l\n",         /* limits the wrong way round */
    };
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "title\nR1 a b 1\n%s.model g gain\n.model s summer\n.model u d_process\n"
                 ".model p pwl(x_array=[0 1 1] y_array=[0 1 2])\n.model q pwl(x_array=[0 1] y_array=[0 1 2])\n"
                 ".model l limit(out_lower_limit=1 out_upper_limit=0)\n",
                 cards[i]);
        struct rig r = rig_open(text);
        CU_ASSERT_NOT_EQUAL(r.status, KN_OK);
        CU_ASSERT(kn_diagnostics_errors(r.d) >= 1);
        rig_close(&r);
    }
}

/* ---- derivatives ---- */

/* Every model between nodes a, b, c and sources; corners are as wide as differences need. */
static const char *const models[] = {
    "A1 a b m\n.model m gain(gain=3 in_offset=1 out_offset=2)\n",
    "A1 [a b c] %id(c a) m\n.model m summer(in_gain=[1 2 3] out_gain=-2)\n",
    "A1 [a b c] d m\n.model m mult(in_gain=[1 2 3] in_offset=[1 0.5 2] out_gain=-2 out_offset=1)\n",
    "A1 a b c m\n.model m divide(den_lower_limit=0.3 den_domain=0.2 num_gain=2 den_offset=1.7)\n",
    "A1 a b m\n.model m limit(gain=2 out_lower_limit=-0.5 out_upper_limit=0.7 limit_range=0.3)\n",
    "A1 a b c d m\n.model m climit(gain=2 limit_range=0.2 upper_delta=0.1 lower_delta=-0.3)\n",
    "A1 a b m\n.model m pwl(x_array=[-1 -0.5 0.2 1] y_array=[0 1 -1 2] input_domain=0.3)\n",
    "A1 %vd(a b) %gd(b c) m\n.model m aswitch(r_on=1 r_off=1k cntl_off=-3 cntl_on=3)\n",
    "A1 %vd(a b) %gd(b c) m\n.model m aswitch(r_on=1 r_off=1k cntl_off=-5 cntl_on=5 log=false)\n",
    "A1 %gd(a b) %gd(b c) m\n.model m pswitch(r_on=1 r_off=1k cntl_off=-3 cntl_on=3 r_cntl_in=10)\n",
    "A1 %gd(a b) m\n.model m zener(v_breakdown=1 i_breakdown=0.1 r_breakdown=2 n_forward=4)\n",
    ("A1 a b c d m\n.model m ilimit(r_out_source=2 r_out_sink=3 r_out_domain=0.2 i_limit_source=0.3 "
     "i_limit_sink=0.2 i_source_range=0.2 i_sink_range=0.2 v_pwr_range=0.3)\n"),
    "A1 a b m\n.model m int(gain=3 in_offset=1)\n",
    "A1 a b m\n.model m s_xfer(gain=2 in_offset=1 num_coeff=[1 2 3] den_coeff=[4 5 6])\n",
    "A1 a b m\n.model m s_xfer(num_coeff=[3] den_coeff=[2 1 0] int_ic=[0 0.5])\n",
    "A1 a b m\n.model m d_dt(gain=3 out_lower_limit=-0.3 out_upper_limit=0.4 limit_range=0.2)\n",
    "A1 a b m\n.model m hyst(in_low=-0.7 in_high=0.5 hyst=0.2 input_domain=0.2)\n",
    "A1 a b m\n.model m sine(cntl_array=[-3 3] freq_array=[1 2])\n",
    "A1 a b m\n.model m triangle(cntl_array=[-3 3] freq_array=[1 2] duty_cycle=0.2)\n",
    "A1 a b m\n.model m square(cntl_array=[-3 3] freq_array=[1 2])\n",
    "A1 %hd(a b) m\n.model m capacitoric(c=2)\n",
    "A1 %gd(a b) m\n.model m inductoric(l=2)\n",
    "A1 %hd(a b) %hd(c d) m\n.model m lcouple(num_turns=3)\n",
    "A1 %gd(a b) m\n.model m core(h_array=[-1 -0.3 0.3 1] b_array=[-2 -1 1 2] area=2 length=1.5 input_domain=0.4)\n",
};

static void derivatives_agree_with_differences(void)
{
    uint64_t seed = 20261122;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        char text[600];
        snprintf(text, sizeof text, "title\nR1 a b 1\nR2 b c 1\nR3 c d 1\nR4 d 0 1\n%s", models[m]);
        struct rig r = rig_need(text);
        for (int run = 0; run < 2; run++) {
            for (size_t f = 0; f < r.families.count; f++)
                if (r.families.families[f].class->rest)
                    r.families.families[f].class->rest(r.families.families[f].batch, run == 0);
            for (int i = 0; i < 60; i++) {
                for (int k = 1; k < r.n; k++)
                    r.x[k] = rig_random(&seed, -1, 1);
                const double error = rig_derivative_error(&r, 1, 1e-4, 1, 1e-6);
                CU_ASSERT(error <= 1);
                if (error > 1)
                    printf("\n%s seed %llu: %g\n", models[m], (unsigned long long)seed, error);
            }
        }
        rig_close(&r);
    }
}

/* ---- laws ---- */

/* What the deck's node d is forced to: the equation of a voltage output at v(d) = 0 is -(what it should be). */
static void functions_are_those_of_the_manual(void)
{
    static const struct {
        const char *card;
        double a, b, d; /* V: inputs, output */
    } cases[] = {
        {"A1 a d m\n.model m gain(gain=3 in_offset=1 out_offset=2)\n", 0.5, 0, 6.5},
        {"A1 [a b] d m\n.model m summer(in_gain=[2 3] in_offset=[1 -1] out_gain=2 out_offset=0.5)\n", 1, 2, 14.5},
        {"A1 [a b] d m\n.model m mult(in_gain=[2 3] in_offset=[1 -1] out_gain=2 out_offset=0.5)\n", 1, 2, 24.5},
        {"A1 a b d m\n.model m divide(num_gain=3 den_offset=1)\n", 4, 2, 4},
        {"A1 a b d m\n.model m divide(den_lower_limit=0.5)\n", 4, 0.1, 8},
        {"A1 a b d m\n.model m divide(den_lower_limit=0.5)\n", 4, -0.1, -8},
        {"A1 a d m\n.model m limit(gain=2 out_lower_limit=-1 out_upper_limit=3)\n", 0.75, 0, 1.5},
        {"A1 a d m\n.model m limit(gain=2 out_lower_limit=-1 out_upper_limit=3)\n", 9, 0, 3},
        /* the parabola of range 0.5 at its middle is 0.125 above the corner */
        {"A1 a d m\n.model m limit(out_lower_limit=-1 out_upper_limit=3 limit_range=0.5)\n", -1, 0, -0.875},
        {"A1 a b 0 d m\n.model m climit(upper_delta=0.25)\n", 5, 2, 1.75},
        {"A1 a d m\n.model m pwl(x_array=[0 1 2] y_array=[0 2 -1])\n", 1.5, 0, 0.5},
        {"A1 a d m\n.model m pwl(x_array=[0 1 2] y_array=[0 2 -1])\n", 3, 0, -4},
        {"A1 a d m\n.model m pwl(x_array=[0 1 2] y_array=[0 2 -1] limit=true)\n", 3, 0, -1},
        {"A1 a d m\n.model m pwl(x_array=[0 1 2] y_array=[0 2 2] fraction=FALSE input_domain=0.4)\n", 1, 0, 1.8},
        {"A1 [%v(a) %v(b)] %v(d) m\n.model m multi_input_pwl(x=[0 1] y=[0 5] model=\"and\")\n", 0.4, 0.8, 2},
        {"A1 [%v(a) %v(b)] %v(d) m\n.model m multi_input_pwl(x=[0 1] y=[0 5] model=\"or\")\n", 0.4, 0.8, 4},
        {"A1 [%v(a) %v(b)] %v(d) m\n.model m multi_input_pwl(x=[0 1] y=[0 5] model=\"nand\")\n", 0.4, 0.8, 3},
        {"A1 [%v(a) %v(b)] %v(d) m\n.model m multi_input_pwl(x=[0 1] y=[0 5] model=\"nor\")\n", 0.4, 3, 0},
        {"A1 a d m\n.model m hyst(in_low=0 in_high=1 hyst=0.5 out_upper_limit=4)\n", 1.25, 0, 3},
        {"A1 a d m\n.model m hyst(in_low=0 in_high=1 hyst=0.5 out_upper_limit=4)\n", 5, 0, 4},
        {"A1 a d m\n.model m int(out_ic=0.75)\n", 5, 0, 0.75},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "title\nR1 a b 1\nR2 d 0 1\n%s", cases[i].card);
        struct rig r = rig_need(text);
        rig_set(&r, "v(a)", cases[i].a);
        rig_set(&r, "v(b)", cases[i].b);
        for (int k = 1; k < r.n; k++) /* the state of an integrator at rest */
            if (strstr(r.setup->unknowns[k].name, "#state"))
                r.x[k] = 0.75;
        rig_evaluate(&r, -INFINITY, r.x);
        CHECK_NEAR(-r.f[rig_unknown(&r, "i(a1#out)")], cases[i].d, 1e-12 * (1 + fabs(cases[i].d)));
        rig_close(&r);
    }
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(ports_are_read_with_types_lists_and_nothing), CLAIM(lists_of_models_have_blanks_commas_and_expressions),
        CLAIM(what_does_not_fit_a_port_is_an_error),        CLAIM(derivatives_agree_with_differences),
        CLAIM(functions_are_those_of_the_manual),
    };
    return run_claims("code models", claims, sizeof claims / sizeof *claims);
}
