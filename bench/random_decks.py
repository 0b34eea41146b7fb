# random_decks.py - families of random circuits for bench/differential.
#
# deck(family, seed, number) is always the same deck.  Every node has a resistive way to ground, and sources are voltages behind
# resistors or across nodes of their own, so that each circuit has an operating point; loop gains stay below one except in
# "unstable", so that it has only one.
import random


class Deck:
    def __init__(self, family, seed, number):
        self.name = f'{family}-{seed}-{number}'
        self.lines, self.models = [], {}
        self.stop = 1e-3   # s
        self.uic = ''
        self.moves = False  # compare only how far each vector moves: the moment of a departure from rest is chance
        self.own = False    # what ngspice lacks or defines otherwise: charges of MOS transistors, ddt, idt, ..

    def add(self, *lines):
        self.lines += lines

    def text(self):
        models = [f'.model {name} {card}' for name, card in self.models.items()]
        tran = f'.tran {self.stop / 500:g} {self.stop:g}{self.uic}'
        return '\n'.join([self.name + (' (moves)' if self.moves else '')] + self.lines + models + [tran, '.end', ''])


class Chance(random.Random):
    def value(self, low, high):
        """Log-uniform, three digits."""
        return float(f'{low * (high / low) ** self.random():.3g}')

    def level(self, size):
        return float(f'{self.uniform(-size, size):.3g}')

    def one(self, *things):
        return self.choice(things)

    def happens(self, probability):
        return self.random() < probability


def numbers(*values):
    return ' '.join(f'{v:.6g}' for v in values)


# ---- sources ----

def pulse(r, T, low, high):
    edge = lambda: T * r.value(1e-5, 0.05)
    return f'PULSE({numbers(low, high, T * r.uniform(0, 0.3), edge(), edge(), T * r.uniform(0.05, 0.4), T * r.uniform(0.5, 1.2))})'


def sine(r, T, low, high):
    late = r.one('', '', f' {T * r.uniform(0.05, 0.3):.3g} {r.uniform(0, 3) / T:.3g}')
    return f'SIN({numbers((low + high) / 2, (high - low) / 2, r.one(1, 2, 3.5) / T)}{late})'


def piecewise(r, T, low, high):
    times = sorted(T * r.random() for _ in range(r.randint(2, 6)))
    return 'PWL(' + numbers(0, low, *(x for t in times for x in (t, r.uniform(low, high)))) + ')'


def exponential(r, T, low, high):
    return f'EXP({numbers(low, high, T * r.uniform(0, 0.2), T * r.value(1e-3, 0.1), T * r.uniform(0.3, 0.6), T * r.value(1e-3, 0.2))})'


def modulated(r, T, low, high):
    middle, size = (low + high) / 2, (high - low) / 2
    return r.one(f'SFFM({numbers(middle, size, 4 / T, 2, 1 / T)})', f'AM({numbers(size, middle, 0.5, 1 / T, 5 / T)} 0)')


def wave(r, T, low, high):
    return r.one(pulse, pulse, sine, piecewise, exponential, modulated)(r, T, low, high)


# ---- devices: each adds one between nodes of a list ----

DIODES = {'dplain': 'd(is=1e-14)', 'dfast': 'd(is=1e-14 rs=2 cjo=2p tt=1n)', 'dslow': 'd(is=1e-12 rs=0.1 cjo=100p tt=100n m=0.4)',
          'dzener': 'd(is=1e-13 bv=3.3 ibv=1m cjo=20p)', 'dschottky': 'd(is=1u n=1.05 rs=1 cjo=50p)'}
BIPOLAR = {'qplain': 'npn(is=1e-15 bf=100)',
        'qfull': 'npn(is=1e-15 bf=120 vaf=60 rb=100 rbm=20 re=1 rc=10 cje=2p cjc=1p tf=0.4n tr=20n ikf=50m)',
           'qbase': 'npn(is=1e-15 bf=80 rb=300 cjc=2p xcjc=0.5)',
                   'qslow': 'npn(is=1e-14 bf=200 cje=20p cjc=8p tf=5n xtf=2 vtf=3 itf=20m tr=100n)'}
PNP = {'pplain': 'pnp(is=1e-15 bf=60)', 'pfull': 'pnp(is=1e-15 bf=50 vaf=40 rb=150 cje=3p cjc=2p tf=1n)'}
MOS = {'m1': 'nmos(level=1 vto=0.8 kp=100u lambda=0.02 gamma=0.4 phi=0.6)',
        'm1c': 'nmos(level=1 vto=0.8 kp=100u lambda=0.02 gamma=0.4 tox=20n cgso=0.3n cgdo=0.3n cbd=0.1p cbs=0.1p)',
       'm2': 'nmos(level=2 vto=0.8 uo=600 tox=40n nsub=1e16 cgso=0.3n cgdo=0.3n xj=0.5u)',
               'm3': 'nmos(level=3 vto=0.7 uo=550 tox=25n nsub=2e16 theta=0.1 eta=0.05 kappa=0.3 cgso=0.3n cgdo=0.3n)',
       'p1c': 'pmos(level=1 vto=-0.8 kp=40u lambda=0.03 gamma=0.4 tox=20n cgso=0.3n cgdo=0.3n)'}
JFET = {'jn': 'njf(vto=-2 beta=1m lambda=0.01 cgs=5p cgd=2p rd=10 rs=10)', 'jp': 'pjf(vto=-1.5 beta=0.5m cgs=4p cgd=2p)'}
POWER = {'vn': 'vdmos(vto=1.5 kp=2 rd=0.1 rs=0.05 rg=5 cgdmax=200p cgdmin=10p cgs=150p cjo=100p is=1e-13 rb=0.1)'}


def model(d, r, cards):
    name = r.choice(list(cards))
    d.models[name] = cards[name]
    return name


def diode(d, r, i, n):
    a, b = r.sample(n, 2)
    d.add(f'D{i} {a} {b} {model(d, r, DIODES)}')


def npn(d, r, i, n):
    b, e = r.sample(n, 2)
    d.add(f'Q{i} c{i} b{i} {r.one(e, "0")} {model(d, r, BIPOLAR)}', f'Rb{i} {b} b{i} {r.value(1e3, 5e4):g}',
            f'Rc{i} s c{i} {r.value(500, 1e4):g}')


def pnp(d, r, i, n):
    b = r.choice(n)
    d.add(f'Q{i} c{i} b{i} s {model(d, r, PNP)}', f'Rb{i} {b} b{i} {r.value(5e3, 1e5):g}', f'Rc{i} c{i} 0 {r.value(500, 1e4):g}')


def mos(d, r, i, n):
    m = model(d, r, MOS)
    d.own |= m != 'm1'
    size = f'w={r.one(5, 20, 100)}u l={r.one(1, 2)}u'
    if m[0] == 'p': d.add(f'M{i} d{i} {r.choice(n)} s s {m} {size}', f'Rd{i} d{i} 0 {r.value(1e3, 5e4):g}')
    else:
        e = r.one('0', '0', r.choice(n))  # also the bulk: junctions forward by volts carry any current
        d.add(f'M{i} d{i} {r.choice(n)} {e} {e} {m} {size}', f'Rd{i} s d{i} {r.value(1e3, 5e4):g}')


def jfet(d, r, i, n):
    m = model(d, r, JFET)
    d.add(f'J{i} d{i} {r.choice(n)} k{i} {m}', f'Rk{i} k{i} {"0" if m == "jn" else "s"} {r.value(200, 5e3):g}',
            f'Rd{i} d{i} {"s" if m == "jn" else "0"} {r.value(500, 5e3):g}')


def power(d, r, i, n):
    d.own = True
    d.add(f'M{i} d{i} g{i} 0 {model(d, r, POWER)}', f'Rg{i} {r.choice(n)} g{i} {r.value(10, 1e3):g}', f'Rd{i} s d{i} {r.value(50, 2e3):g}')


def switch(d, r, i, n):
    a, b, c = (r.sample(n, 3) if len(n) > 2 else n + n[:1])
    threshold, width = r.level(1.5), r.one(0.05, 0.2, -0.2, -0.5)
    d.own |= width < 0
    if r.happens(0.7):
        d.models[f'sw{i}'] = f'sw(vt={threshold} vh={width} ron={r.one(1, 50)} roff=1meg)'
        d.add(f'S{i} {a} x{i} {r.one("in", c)} 0 sw{i}', f'Rx{i} x{i} {b} {r.value(100, 3e3):g}')
    else:
        d.models[f'cw{i}'] = f'csw(it={threshold / 1e3:.3g} ih={abs(width) / 2e3:.3g} ron=10 roff=1meg)'
        d.add(f'Vw{i} in w{i} 0', f'Rw{i} w{i} 0 1k', f'W{i} {a} x{i} Vw{i} cw{i}', f'Rx{i} x{i} {b} {r.value(100, 3e3):g}')


def controlled(d, r, i, n):
    a, b = r.sample(n, 2)
    kind = r.one('E', 'G', 'F', 'H')
    if kind == 'E': d.add(f'E{i} e{i} 0 in {a} {r.level(1)}', f'Re{i} e{i} {b} {r.value(500, 1e4):g}')
    if kind == 'G': d.add(f'G{i} {a} 0 in {b} {r.level(1e-4):g}')
    if kind in 'FH': d.add(f'Vm{i} in v{i} 0', f'Rm{i} v{i} 0 {r.value(500, 5e3):g}')
    if kind == 'F': d.add(f'F{i} {a} {b} Vm{i} {r.level(0.5)}')
    if kind == 'H': d.add(f'H{i} h{i} 0 Vm{i} {r.level(500):g}', f'Rh{i} h{i} {b} {r.value(500, 1e4):g}')


def formula(d, r, i, n):
    a, b = r.sample(n, 2)
    x, y = 'v(in)', f'v({a})'
    text = r.one(f'tanh({r.value(0.5, 30):g}*{x})', f'{x}*{y}*0.2', f'sin({x}+0.3*{y})', f'abs({x})-0.2*{y}', f'max({x},0.5)',
            f'exp(-{x}^2)', f'atan(5*{x})+0.2*{y}', f'sqrt({x}^2+0.01)')
    if r.happens(0.5): d.add(f'B{i} e{i} 0 V={text}', f'Re{i} e{i} {b} {r.value(500, 1e4):g}')
    else: d.add(f'B{i} 0 {b} I=1m*({text})')


def coils(d, r, i, n):
    a, b = r.sample(n, 2)
    L = d.stop * r.value(0.3, 30)  # H, so that L / 1 kohm is a part of the run
    ratio = r.value(0.2, 5)
    d.add(f'L{i}a {a} y{i} {L:.3g}', f'Ry{i} y{i} 0 {r.value(50, 1e3):g}')
    if r.happens(0.6): d.add(f'L{i}b z{i} 0 {L * ratio:.3g}', f'Rz{i} z{i} {b} {r.value(200, 5e3):g}',
            f'K{i} L{i}a L{i}b {r.one(0.5, 0.9, 0.99)}')


def line(d, r, i, n):
    a, b = r.sample(n, 2)
    d.add(f'T{i} t{i} 0 u{i} 0 z0={r.one(50, 100, 500)} td={d.stop * r.value(0.01, 0.2):.3g}', f'Rt{i} {a} t{i} {r.value(50, 1e3):g}',
            f'Ru{i} u{i} {b} {r.value(50, 2e3):g}', f'Rv{i} u{i} 0 {r.value(50, 5e3):g}')


def capacitor(d, r, i, n, other=None):
    a = r.choice(n)
    d.add(f'C{i} {a} {other or r.one("0", *(x for x in n if x != a))} {d.stop / 1e3 * r.value(1e-4, 0.3):.3g}')


# ---- families ----

def frame(d, r, size):
    """A supply "s", a moving input "in" and a ladder of nodes between both and ground."""
    supply = r.one(3, 5, 12)
    d.add(f'Vs s 0 {supply}', f'Vin in 0 {wave(r, d.stop, r.one(0, -supply, -1), r.one(1, supply, supply))}')
    nodes = [f'n{i}' for i in range(size)]
    for i, name in enumerate(nodes):
        d.add(f'R{i}u {r.choice(["in", "s"] + nodes[:i])} {name} {r.value(200, 2e4):g}', f'R{i}d {name} 0 {r.value(1e3, 5e4):g}')
    return nodes


def mixed(d, r):
    d.stop = r.one(1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
    n = frame(d, r, r.randint(2, 5))
    kinds = [diode, diode, npn, npn, pnp, mos, mos, jfet, power, switch, controlled, formula, coils, line]
    for i in range(r.randint(1, 5)): r.choice(kinds)(d, r, i, n)
    for i in range(r.randint(0, 4)): capacitor(d, r, f'x{i}', n)


def lines(d, r):
    d.stop = r.one(1e-8, 1e-6, 1e-4)
    T = d.stop
    low, high = r.one((0, 1), (0, 5), (-2, 2))
    z, delay = r.one(50, 75, 120), T * r.value(0.01, 0.3)
    d.add(f'V1 in 0 {wave(r, T, low, high)}', f'Rs in a {z * r.value(0.1, 3):.3g}', f'Re b 0 {z * r.one(0.5, 1, 10, 1000):g}')
    L, C = z * delay, delay / z
    kind = r.one('T', 'T', 'O', 'O', 'P', 'Y')
    if kind == 'T': d.add(f'T1 a 0 b 0 z0={z} td={delay:.3g}')
    if kind in 'OY':
        loss = z * r.value(0.02, 3)
        if kind == 'O': d.models['wire'] = f'ltra(r={loss:.3g} l={r.one(L, L, 0):.3g} g=0 c={C:.3g} len=1)'
        else: d.models['wire'] = f'txl(r={loss:.3g} l={L:.3g} g=0 c={C:.3g} length=1)'
        d.add(f'{kind}1 a 0 b 0 wire')
    if kind == 'P':
        loss, k = z * r.one(0, 0.1, 0.5), r.uniform(0.05, 0.4)
        different = r.one(1, 1, 1, 1.3)  # then no modes: sections, which take much longer
        d.models['pair'] = (f'cpl(r={loss:.3g} 0 {loss * different:.3g} l={L:.4g} {k * L:.4g} {L:.4g} g=0 0 0 '
                            f'c={C:.4g} {-k * C:.4g} {C * different:.4g} length=1)')
        d.add('P1 a a2 0 b b2 0 pair', f'Rn a2 0 {z}', f'Rf b2 0 {z * r.one(1, 5):g}')
        d.own = True
    if r.happens(0.3): d.add(f'T9 b 0 c 0 z0={r.one(50, 100)} td={delay * r.one(0.3, 1, 0.5):.3g}', f'Rc c 0 {r.value(30, 1e4):g}')
    for i in range(r.randint(0, 2)):
        end = r.one('a', 'b')
        load = r.one(lambda: diode(d, r, i, [end, '0']), lambda: d.add(f'C{i} {end} 0 {C * r.value(0.01, 1):.3g}'),
                     lambda: d.add(f'B{i} {end} 0 I={1 / z:.3g}*tanh(v({end}))'), lambda: d.add(f'D{i} {end} e{i} dclamp',
                             f'Ve{i} e{i} 0 {high * 0.6:g}'),
                     lambda: d.add(f'L{i} {end} l{i} {L * r.value(0.05, 1):.3g}', f'Rl{i} l{i} 0 {z}'))
        d.models['dclamp'] = f'd(is=1e-14 rs=1 cjo={C * 0.05:.3g})'
        load()


def behavioural(d, r):
    d.own = True
    T = d.stop = r.one(1e-6, 1e-3, 1)
    d.add(f'V1 in 0 {r.one(sine, piecewise, exponential, modulated, pulse)(r, T, -1, 1)}', 'R1 in a 1k',
            f'C1 a 0 {T / 1e3 * r.value(1e-3, 0.2):.3g}', 'R2 a 0 10k')
    x = 'v(a)'
    f = lambda: r.one(f'tanh({r.value(1, 50):g}*{x})', f'table({x},-1,-1,-0.3,0,0.2,0.1,1,2)', f'{x}>{r.level(0.5)}?1:-1',
            f'if({x}>{r.level(0.5)},{x},0)', f'limit({x},-0.4,0.4)',
                      f'{x}^3', f'idt({x})*{2 / T:.3g}', f'ddt({x})*{T * 0.05:.3g}', 'v(in)*v(a)', f'sdt(abs({x}))*{1 / T:.3g}',
                              f'min({x},0.1)', 'u(v(in))', f'exp({x})', f'pwl({x},-1,1,0,0,1,1)')
    for i in range(r.randint(1, 4)):
        text = f'{f()}+{r.level(0.5)}*({f()})' if r.happens(0.4) else f()
        if r.happens(0.6): d.add(f'B{i} e{i} 0 V={text}', f'Re{i} e{i} f{i} {r.value(100, 1e4):g}', f'Rf{i} f{i} 0 10k')
        else: d.add(f'B{i} 0 f{i} I=1m*({text})', f'Rf{i} f{i} 0 1k')
        if r.happens(0.5): d.add(f'Cf{i} f{i} 0 {T / 1e3 * r.value(1e-4, 0.1):.3g}')
        if r.happens(0.3): diode(d, r, i, [f'f{i}', r.one('0', 'a')])
        if r.happens(0.3): x = f'v(f{i})'


def coinciding(d, r):
    d.stop = T = r.one(1e-6, 1e-3, 1e-4)
    unit = T / r.one(10, 20, 25)
    V = r.one(1, 5, 100)
    names = []
    for i in range(r.randint(2, 4)):
        steps = lambda *choice: unit * r.one(*choice)
        edge = lambda: unit * r.one(1e-6, 1e-4, 1e-3, 0.1, 1)
        shape = r.one('pulse', 'pulse', 'pwl', 'exp')
        if shape == 'pulse': 
            times = steps(1, 2, 3), edge(), edge(), steps(1, 2, 3), steps(4, 5, 6, 8)
            text = f'PULSE({r.one(0, -V)} {V} ' + ' '.join(f'{t:.15g}' for t in times) + ')'
        elif shape == 'pwl':
            t = sorted({r.randint(1, 9) for _ in range(4)})
            text = 'PWL(0 0 ' + ' '.join(f'{unit * k:.15g} {r.one(0, V, -V, V / 2)}' for k in t) + ')'
        else: text = f'EXP(0 {V} {steps(1, 2, 3):.15g} {steps(0.1, 1):.6g} {steps(4, 5, 6):.15g} {steps(0.1, 1):.6g})'
        d.add(f'V{i} p{i} 0 {text}', f'R{i} p{i} {r.one("a", "b")} {r.value(100, 1e4):g}')
        names.append(f'p{i}')
    d.add('Ra a 0 10k', 'Rab a b 1k', 'Rb b 0 10k')
    extras = [lambda: capacitor(d, r, 'a', ['a'], '0'), lambda: capacitor(d, r, 'b', ['b'], 'a'),
            lambda: d.add(f'La a la {T * r.value(0.1, 10):.3g}', 'Rla la 0 1k'),
              lambda: diode(d, r, 'b', ['b', '0']), lambda: d.add(f'Cp {r.choice(names)} a {T / 1e3 * r.value(1e-3, 0.1):.3g}'),
                      lambda: formula(d, r, 'f', ['a', 'b', 'in']),
              lambda: switch(d, r, 's', ['a', 'b', '0'])]
    d.add(f'Vin in 0 {pulse(r, T, 0, 1)}', 'Rin in 0 1k')
    for extra in r.sample(extras, r.randint(1, 4)): extra()


def own_current(d, r):
    T = d.stop
    d.add(f'V1 in 0 {wave(r, T, -2, 2)}', 'R1 in a 1k', 'R2 a 0 10k')
    if r.happens(0.6): capacitor(d, r, 'a', ['a'], '0')
    R = r.value(10, 5e3)
    for i in range(r.randint(1, 3)):
        a = r.one('a', 'in', 'a')
        kind = r.one('h', 'f', 'bv', 'bi', 'e', 'g', 'bself')
        if kind != 'bself': d.add(f'Vm{i} {a} m{i} 0')
        if kind == 'h': d.add(f'H{i} m{i} q{i} Vm{i} {R:g}', f'Rq{i} q{i} 0 {r.value(100, 1e4):g}')
        if kind == 'f': d.add(f'Rq{i} m{i} 0 {r.value(500, 1e4):g}', f'F{i} m{i} 0 Vm{i} {r.uniform(-0.8, 0.6):.3g}')
        if kind == 'bv': d.add(f'B{i} m{i} q{i} V={R:g}*i(Vm{i})+{r.value(1e3, 1e5):g}*i(Vm{i})^3', f'Rq{i} q{i} 0 1k')
        if kind == 'bi': d.add(f'Rq{i} m{i} 0 {r.value(500, 1e4):g}', f'B{i} m{i} 0 I=0.5m*tanh(1000*i(Vm{i}))')
        if kind == 'e': d.add(f'E{i} m{i} q{i} m{i} 0 {r.uniform(-0.5, 0.5):.3g}', f'Rq{i} q{i} 0 {r.value(500, 1e4):g}')
        if kind == 'g': d.add(f'G{i} m{i} 0 m{i} 0 {r.value(1e-4, 2e-3):g}')
        if kind == 'bself':
            d.own = True
            d.add(f'B{i} {a} q{i} V={R:g}*i(B{i})+0.1*tanh(100*i(B{i}))', f'Rq{i} q{i} 0 {r.value(500, 1e4):g}')
        if kind != 'bself' and r.happens(0.4): d.add(f'Cq{i} m{i} 0 {T / 1e3 * r.value(1e-3, 0.1):.3g}')
        if r.happens(0.3): diode(d, r, i, ['a', '0'])


def unstable(d, r):
    """Starts at rest on an unstable point: from a kick of some per cent the way is determined; without one only that it moves."""
    d.own = True
    T = d.stop = r.one(1e-6, 1e-4, 1e-3)
    kick = r.happens(0.75)
    d.moves = not kick
    size = r.uniform(0.02, 0.1) if kick else 0
    if r.happens(0.5):
        tau, gain = T / r.uniform(10, 40), r.uniform(1.5, 4)  # bistable pair; the root is (gain - 1)/tau
        for i, (a, b) in enumerate((('a', 'b'), ('b', 'a'))):
            d.add(f'B{i} 0 {a} I=-1m*tanh({gain:.3g}*v({b}))', f'R{i} {a} 0 1k', f'C{i} {a} 0 {tau / 1e3:.3g}')
        if kick: d.add(f'Ik 0 a PULSE(0 {size * 1e-3:.3g} {T * 0.1:.3g} {T * 0.01:.3g} {T * 0.01:.3g} {tau:.3g} {3 * T:.3g})')
    else:
        f, C = r.uniform(3, 6) / T, T / 1e3 * r.value(0.01, 1)  # oscillator with a cubic characteristic: growth by e in some 1 to 3 periods
        L = 1 / (C * (6.2832 * f) ** 2)
        g = 2 * C * f / r.uniform(1, 3)
        d.add(f'L1 a 0 {L:.5g}', f'C1 a 0 {C:.5g}', f'B1 0 a I={g:.4g}*(v(a)-v(a)^3)')
        if kick: d.add(f'Ik 0 a PULSE({numbers(0, size * 6.2832 * f * C, T * 0.05, T * 0.001, T * 0.001, 0.2 / f, 3 * T)})')
        if r.happens(0.3): d.add(f'D1 a k {model(d, r, DIODES)}', 'Vk k 0 0.5')


def initial(d, r):
    T = d.stop = r.one(1e-6, 1e-3)
    n = ['a', 'b', 'c']
    for i, name in enumerate(n): d.add(f'R{i} {name} {r.one("0", *n[:i])} {r.value(500, 1e4):g}')
    uic = r.happens(0.6)
    d.uic = ' uic' if uic else ''
    group = {x: x for x in n + ['0']}  # no loops of capacitors: their values could contradict each other
    for i in range(4):
        a, b = r.sample(n + ['0'], 2)
        if group[a] == group[b]: continue
        old, new = group[a], group[b]
        group = {x: new if g == old else g for x, g in group.items()}
        d.add(f'C{i} {a} {b} {T / 1e3 * r.value(1e-3, 0.3):.3g}' + (r.one('', f' ic={r.level(5)}') if uic else ''))
    if r.happens(0.5): d.add(f'L1 a l {T * r.value(1, 100):.3g}' + (f' ic={r.level(2) / 1e3:g}' if uic else ''), 'Rl l 0 200')
    if r.happens(0.7): d.add(f'V1 v 0 {r.one(str(r.level(5)), wave(r, T, 0, 3))}', f'Rv v {r.choice(n)} {r.value(300, 5e3):g}')
    if r.happens(0.5): diode(d, r, 0, n + ['0'])
    if r.happens(0.3): d.add('Vs s 0 5'); r.one(npn, mos, jfet)(d, r, 'q', n)
    if not uic: d.add('.ic ' + ' '.join(f'v({x})={r.level(3)}' for x in r.sample(n, r.randint(1, 2))))


def charges(d, r):
    d.own = True
    T = d.stop = r.one(1e-7, 1e-5, 1e-3)
    C = T / 1e3
    d.add(f'V1 in 0 {wave(r, T, r.one(-5, -1, 0), r.one(1, 5, 10))}', f'R1 in a {r.value(100, 5e3):g}', 'R2 a 0 100k',
            f'R3 a b {r.value(100, 5e3):g}', 'R4 b 0 20k')
    for i in range(r.randint(1, 3)):
        a, b = r.one(('a', '0'), ('b', '0'), ('a', 'b'), ('in', 'b'))
        v, c = (f'v({a},{b})' if b != '0' else f'v({a})'), C * r.value(1e-3, 0.1)
        text = r.one(f'Q={c:.3g}*({v}+0.3*{v}^3)', f'Q={c:.3g}*tanh({v})+{c / 50:.3g}*{v}', f'C={c:.3g}*(1+{v}^2)',
                f'C={c:.3g}/(1+exp(-5*{v}))+{c / 100:.3g}',
                     f'Q={c:.3g}*sqrt({v}^2+0.01)*{v}+{c / 50:.3g}*{v}', f'{c:.3g}')
        if r.happens(0.6): d.add(f'C{i} {a} {b} {text}')
        else:
            d.models[f'dv{i}'] = (f'd(is=1e-15 cjo={c * r.one(1, 10):.3g} vj={r.uniform(0.5, 0.9):.3g} m={r.one(0.33, 0.5, 0.9)} '
                                  f'tt={r.one(0, c * 100):.3g} rs={r.one(0, 1)} fc={r.one(0.5, 0.9)})')
            d.add(f'D{i} {b} {a} dv{i}' if r.happens(0.7) else f'D{i} {a} {b} dv{i}')
    if r.happens(0.3): d.add(f'L1 b l {T * r.value(0.1, 10):.3g}', 'Rl l 0 1k')


def tanks(d, r):
    """Hundreds of periods of little loss beside something that bends or switches: a window of two periods compares envelopes."""
    T = d.stop = r.one(1e-5, 1e-3, 0.1)
    f, quality = r.uniform(400, 600) / T, r.value(100, 1e5)
    impedance = r.value(30, 3e3)
    omega = 6.2832 * f
    L, C = impedance / omega, 1 / (impedance * omega)
    d.add('Vs s 0 5', f'L1 t l {L:.5g}', f'Rl l {r.one("0", "s")} {impedance / quality:.4g}')
    if r.happens(0.4):  # a divided capacitance, as of Colpitts, Clapp and Pierce
        d.add(f'C1 t m {2 * C:.5g}', f'C2 m 0 {2 * C:.5g}', f'Rm m 0 {impedance * quality * r.value(0.3, 10):.4g}')
    else:
        d.add(f'C1 t 0 {C:.5g}', f'Rm m t {r.value(0.1, 10) * impedance:.4g}', f'Cm m 0 {C * r.value(1e-3, 0.3):.4g}')
    size = r.uniform(0.2, 3)
    if r.happens(0.5): d.add(f'Ik 0 t PULSE({numbers(0, size / impedance, 0, 0.02 / f, 0.02 / f, 0.2 / f, 3 * T)})')
    else: d.add(f'Ik 0 t SIN({numbers(0, size / impedance / quality * 3, f * r.uniform(0.99, 1.01))})')
    beside = r.one('saturated', 'clamp', 'varactor', 'follower', 'gate', 'switched', 'negative', 'none')
    if beside == 'saturated':
        d.add(f'Rb s b {r.value(2e3, 5e4):g}', f'Rc s c {r.value(500, 5e3):g}', f'Q1 c b 0 {model(d, r, BIPOLAR)}', f'Cb b m {C * r.value(1e-3, 0.1):.4g}')
    if beside == 'clamp': d.add(f'D1 k m {model(d, r, DIODES)}', f'Rk k 0 {r.value(1e3, 1e5):g}', f'Ck k 0 {C * r.value(0.1, 100):.4g}')
    if beside == 'varactor': d.models['dv'] = f'd(is=1e-15 cjo={C * r.value(1e-3, 0.2):.3g} vj=0.7 m=0.5)'; d.add('D1 m v dv', 'Rv v s 100k', f'Cv v 0 {C:.4g}')
    if beside == 'follower': d.add(f'Q1 s m e {model(d, r, BIPOLAR)}', f'Re e 0 {r.value(1e3, 1e5):g}')
    if beside == 'gate': d.add(f'M1 g m 0 0 {model(d, r, {k: v for k, v in MOS.items() if k[0] != "p"})} w={r.value(2e-6, 1e-4):g} l=2u', f'Rg s g {r.value(1e3, 1e5):g}')
    if beside == 'switched': d.models['sw'] = 'sw(vt=2.5 vh=0.2 ron=10 roff=1meg)'; d.add(f'Vc c 0 {pulse(r, T / 8, 0, 5)}', f'S1 s o c 0 sw', 'Ro o 0 1k', f'Co o m {C * r.value(1e-3, 0.03):.4g}')
    if beside == 'negative': d.own = True; d.add(f'B1 0 t I={r.uniform(0.5, 3) / impedance / quality:.4g}*(v(t)-v(t)^3)')
    if r.happens(0.3): d.add(f'Rx s x {r.value(1e3, 1e5):g}', f'Cx x 0 {T / 1e4 * r.value(1e-3, 1):.4g}', f'Rxm x m {r.value(10, 1000) * impedance * quality:.4g}')


def ideal_diode(r):
    card = f"d(ron={r.one('1m', '10m', '0.05', '0.1')} roff={r.one('100k', '1meg', '10meg', '1g')} vfwd={r.one(0, 0.4, 0.7, 0.8)}"
    return card + r.one('', '', ' vrev=200 rrev=1', ' epsilon=10m') + ')'


def gate(d, r, name, T, duty):
    d.add(f'v{name} {name} 0 pulse(0 5 0 {T / 100:g} {T / 100:g} {duty * T:.4g} {T:g})')


def ideal_switch(d, r, nodes, control):
    d.add(f's{control} {nodes} {control} 0 sw')
    d.models.setdefault('sw', f"sw(ron={r.one('10m', '50m')} roff={r.one('1meg', '10meg')} vt=2.5 vh={r.one(0, -0.5, 0.1)})")


def output(d, r, node, C, *loads):
    d.add(f'co {node} 0 {r.one(*C):g}', f'ro {node} 0 {r.one(*loads)}')


def single_phase(d, r, T):
    d.add(f'v1 a 0 sin(0 {r.one(10, 24, 325)} {1 / T:g})')
    d.add(f'l1 a b {r.one(1e-5, 1e-4, 1e-3) * 50 * T:.3g}' if r.happens(1 / 3) else f'r1 a b {r.one(0.1, 1, 10)}')
    d.add('d1 b p d', 'd2 m b d', 'd3 0 p d', 'd4 m 0 d')
    d.add(f'c1 p m {r.one(1e-5, 1e-4, 1e-3) * 50 * T:.3g}', f'r2 p m {r.one(50, 500)}')


def three_phase(d, r, T):
    size, lead = r.one(24, 325), r.happens(1 / 3)
    for k in range(3):
        d.add(f'v{k} v{k} 0 sin(0 {size} {1 / T:g} 0 0 {-120 * k})')
        d.add(f'l{k} v{k} a{k} {r.one(1e-5, 1e-4, 1e-3) * 50 * T:.3g}' if lead else f'r{k} v{k} a{k} {r.one(0.1, 1)}')
        d.add(f'd{k} a{k} p d', f'd{k + 3} m a{k} d')
    d.add(r.one(f'lf p q {0.05 * T:.3g}', 'rf p q 10m'), f'rl q m {r.one(10, 50)}', f'cl q m {r.one(5e-4, 5e-3) * T:.3g}')


def mains_transformer(d, r, T):
    turns, L = r.one(0.05, 0.1, 0.3), r.one(50, 250) * T
    d.add(f'v1 a 0 sin(0 325 {1 / T:g})', f'r1 a b {r.one(1, 10)}', f'l1 b 0 {L:.4g}', f'l2 s 0 {L * turns ** 2:.4g}',
          f'l3 0 t {L * turns ** 2:.4g}', f'k1 l1 l2 {r.one(0.999, 0.99, 0.95)}', 'k2 l1 l3 0.97', 'k3 l2 l3 0.97',
          'd1 s p d', 'd2 t p d', f'c1 p 0 {0.05 * T:.3g}', f'r2 p 0 {r.one(10, 100)}')


def clamps(d, r, T):
    d.add(f'v1 a 0 sin(0 10 {1 / T:g})', f'r1 a b {r.one(100, 1000)}', 'd1 b c d', f'vc c 0 {r.uniform(0, 4):.3g}', 'd2 e b d',
          f've e 0 {-r.uniform(0, 4):.3g}', f'l1 b f {0.5 * T:.3g}', f'r2 f 0 {r.one(10, 1000)}')


def multiplier(d, r, T):
    C = f'{5e-4 * T:.3g}'
    d.add(f'v1 a 0 sin(0 {r.one(10, 325)} {1 / T:g})', 'r1 a b 1', f'c1 b c {C}', 'd1 0 c d', 'd2 c o d', f'c2 o 0 {C}',
          f"r2 o 0 {r.one('10k', '100k')}", f'c3 c e {C}', 'd3 o e d', 'd4 e q d', f'c4 q o {C}', 'r3 q 0 100k')


def buck(d, r, T):
    d.add(f'vin in 0 {r.one(12, 48)}', 'd1 0 x d', f'l1 x o {r.one(1, 10) * T:.3g}')
    ideal_switch(d, r, 'in x', 'g')
    output(d, r, 'o', (1e-6, 1e-5), 2, 10, 100)
    if r.happens(0.4):
        d.add('cs x y 1n', 'rs y 0 10')


def boost(d, r, T):
    d.add('vin in 0 12', f'l1 in x {r.one(1, 10) * T:.3g}', 'd1 x o d')
    ideal_switch(d, r, 'x 0', 'g')
    output(d, r, 'o', (1e-6, 1e-5), 10, 50, 500)


def flyback(d, r, T):
    turns, L = r.one(0.2, 0.5, 1), r.one(5, 30) * T
    d.add(f'vin in 0 {r.one(12, 48)}', f'l1 in x {L:.3g}', f'l2 0 s {L * turns ** 2:.3g}', f'k1 l1 l2 {r.one(0.98, 0.99, 0.999)}',
          'd1 s o d', 'rc x y 100', 'cc y in 1n', 'd2 x z d', 'cz z in 10n', 'rz z in 10k')
    ideal_switch(d, r, 'x 0', 'g')
    output(d, r, 'o', (4.7e-6, 2.2e-5), 5, 50)


def half_bridge(d, r, T):
    d.add('vin in 0 48', 'd1 x in d', 'd2 0 x d', f'l1 x o {5 * T:.3g}', f'vh h 0 pulse(5 0 0 {T / 100:g} {T / 100:g} {0.75 * T:.4g} {T:g})')
    ideal_switch(d, r, 'in x', 'g')
    ideal_switch(d, r, 'x 0', 'h')
    output(d, r, 'o', (4.7e-6,), 3, 20)


def resonant(d, r, T):
    d.add(f'v1 a 0 pulse(-24 24 0 {T / 100:g} {T / 100:g} {0.49 * T:.4g} {T:g})', f'c1 a b {T * T / 7.9e-4:.3g}', 'l4 b c 20u', 'r1 c e 50m',
          'l1 e 0 100u', 'l2 s t 10u', 'l3 t u 10u', 'k1 l1 l2 0.999', 'k2 l1 l3 0.999', 'k3 l2 l3 0.999', 'd1 s o d', 'd2 u o d',
          'rt t 0 1m')
    output(d, r, 'o', (1e-5,), 1, 5, 20)


def rectifiers(d, r):
    """Diodes of straight lines between coils: a current that comes to zero leaves megohms behind it."""
    mains = r.happens(0.5)
    if mains:
        T, circuit = 1 / r.one(50, 400, 1000), r.one(single_phase, three_phase, mains_transformer, clamps, multiplier)
    else:
        T, circuit = 1 / r.one(50e3, 100e3, 250e3), r.one(buck, boost, flyback, half_bridge, resonant)
    d.models['d'] = ideal_diode(r)
    circuit(d, r, T)
    if 'sw' in d.models:
        gate(d, r, 'g', T, r.uniform(0.2, 0.7))
    d.stop = (2.5 if mains else 30) * T
    d.own = True  # ngspice has no such diodes


FAMILIES = {'mixed': mixed, 'lines': lines, 'behavioural': behavioural, 'coinciding': coinciding, 'own-current': own_current,
        'unstable': unstable, 'ic': initial, 'charges': charges,
        'tanks': tanks, 'rectifiers': rectifiers}


def deck(family, seed, number):
    d = Deck(family, seed, number)
    FAMILIES[family](d, Chance(f'{family} {seed} {number}'))
    return d
