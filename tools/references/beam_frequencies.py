"""Prints the checks of beam_frequencies: Timoshenko's beam by its characteristic determinant, and what linear shape functions of the mass add.

Stiffness is exact for loads at the nodes, so the error comes from the mass alone. Rayleigh's quotient of a mode v with the linearly interpolated
velocity gives df/f = -(h²/12) ∫v v'' / ∫v². Of the pinned beam the discrete modes are sines as well: closed form for any number of elements.
"""
from math import cos, cosh, pi, sin, sinh, sqrt

from plain import bisect, check

LENGTHS = {"clamped": 1.0, "free": 1.5, "pinned": 1.05}        # chosen so that no two of the modes are nearer than 7 %
WIDTH, HEIGHT, YOUNG, POISSON, DENSITY = 0.005, 0.02, 210e9, 0.3, 7850.0
AREA = WIDTH * HEIGHT
EI, RA, RI = YOUNG * HEIGHT * WIDTH**3 / 12, DENSITY * AREA, DENSITY * HEIGHT * WIDTH**3 / 12
GA = 10 * (1 + POISSON) / (12 + 11 * POISSON) * YOUNG / (2 * (1 + POISSON)) * AREA
SCALE = {kind: sqrt(EI / RA) / (2 * pi * length**2) for kind, length in LENGTHS.items()}


def determinant(m):
    m, d = [row[:] for row in m], 1.0
    for i in range(len(m)):
        p = max(range(i, len(m)), key=lambda r: abs(m[r][i]))
        if p != i:
            m[i], m[p], d = m[p], m[i], -d
        d *= m[i][i]
        for r in range(i + 1, len(m)):
            q = m[r][i] / m[i][i]
            m[r] = [x - q * y for x, y in zip(m[r], m[i])]
    return d


def basis(w):
    """Four solutions, each x -> (v, theta, theta', v' - theta)."""
    b = RA * w * w / GA
    s, t = b + RI * w * w / EI, RA * w * w / EI - b * RI * w * w / EI
    a, c = sqrt(-s / 2 + sqrt(s * s / 4 + t)), sqrt(s / 2 + sqrt(s * s / 4 + t))
    p, q = (a * a + b) / a, (c * c - b) / c
    return [lambda x: (cosh(a * x), p * sinh(a * x), p * a * cosh(a * x), (a - p) * sinh(a * x)),
            lambda x: (sinh(a * x), p * cosh(a * x), p * a * sinh(a * x), (a - p) * cosh(a * x)),
            lambda x: (cos(c * x), -q * sin(c * x), -q * c * cos(c * x), -(c - q) * sin(c * x)),
            lambda x: (sin(c * x), q * cos(c * x), -q * c * sin(c * x), (c - q) * cos(c * x))]


ENDS = {"clamped": ((0, 1), (2, 3)), "free": ((2, 3), (2, 3)), "pinned": ((0, 2), (0, 2))}      # which of v, theta, theta', v' - theta vanish
WAVES = {"clamped": [1.875104, 4.694091, 7.854757, 10.995541, 14.137168, 17.278760], "free": [4.730041, 7.853205, 10.995608, 14.137165, 17.278760, 20.420352],
         "pinned": [k * pi for k in range(1, 7)]}


def timoshenko(kind, wave):
    def f(w):
        functions = basis(w)
        rows = []
        for x, which in zip((0, LENGTHS[kind]), ENDS[kind]):
            for i in which:
                rows.append([g(x)[i] for g in functions])
        return determinant(rows)
    guess = 2 * pi * SCALE[kind] * wave**2
    return bisect(f, 0.985 * guess, 1.0005 * guess) / (2 * pi)


def slope(kind, wave):
    """-∫v v''/∫v² of the slender beam, in closed shape functions, by Simpson's rule."""
    if kind == "pinned":
        return wave**2
    sign = 1 if kind == "free" else -1
    r = (cosh(wave) + cos(wave) * (1 if kind == "clamped" else -1)) / (sinh(wave) + sin(wave) * (1 if kind == "clamped" else -1))
    v = lambda x: cosh(wave * x) + sign * cos(wave * x) - r * (sinh(wave * x) + sign * sin(wave * x))
    c = lambda x: wave**2 * (cosh(wave * x) - sign * cos(wave * x) - r * (sinh(wave * x) - sign * sin(wave * x)))
    n = 2000
    total = [0.0, 0.0]
    for k in range(n + 1):
        weight, x = (1 if k in (0, n) else 4 if k % 2 else 2), k / n
        total = [total[0] + weight * v(x) * c(x), total[1] + weight * v(x) ** 2]
    return -total[0] / total[1]


def pinned(m, n):
    """Discrete pinned beam: v = V sin(kj), theta = T cos(kj); two by two eigenvalue problem."""
    h, k = LENGTHS["pinned"] / n, m * pi / n
    phi, c, s = 12 * EI / (GA * h * h), cos(k), sin(k)
    f = EI / (h**3 * (1 + phi))
    kvv, kvt, ktt = 24 * f * (1 - c), -12 * f * h * s, 2 * f * h * h * ((4 + phi) + (2 - phi) * c)
    mv, mt = RA * h * (2 + c) / 3, RI * h * (2 + c) / 3
    a, b, d = mv * mt, -(kvv * mt + ktt * mv), kvv * ktt - kvt**2
    return sqrt((2 * d) / (-b + sqrt(b * b - 4 * a * d))) / (2 * pi)


for m in range(1, 6):       # closed form of Timoshenko's pinned beam
    k = (m * pi / LENGTHS["pinned"]) ** 2
    a, b, d = RA * RI, -(RA * (EI * k + GA) + RI * GA * k), EI * GA * k * k
    check(f"pinned, mode {m}", timoshenko("pinned", m * pi) / (sqrt(2 * d / (-b + sqrt(b * b - 4 * a * d))) / (2 * pi)) - 1, 1e-10)
for n in (64, 128):
    check(f"pinned, leading error at n = {n}", (pinned(3, n) / timoshenko("pinned", 3 * pi) - 1) / ((3 * pi / n) ** 2 / 12) - 1, 0.01)

def entry(name, number, frequency, variant, tolerance, reason, damping=None):
    ratio = "" if damping is None else f"damping_ratio = {damping:.10g}\n"
    print(f'\n[[check]]\nname = "{name}"\nkind = "mode"\nnumber = {number}\nfrequency = {frequency:.12g}\n{ratio}variant = "{variant}"\n'
          f'tolerance_relative = {tolerance:.2g}\nreason = "{reason}"')


for n in (8, 16, 32, 64):
    modes = []
    for kind, waves in WAVES.items():
        for m, wave in enumerate(waves, 1):
            exact = timoshenko(kind, wave)
            modes.append((exact * (1 + slope(kind, wave) / (12 * n * n)), exact, kind, m, wave / n))
    for number, (frequency, exact, kind, m, k) in enumerate(sorted(modes), 4):       # after three rigid motions of the free beam
        if m == 6 or k > 0.6:
            continue
        error = frequency / exact - 1
        entry(f"{kind}, mode {m}", number, frequency, f"{n} elements", k**4 / 12 + 1e-7,
              f"Timoshenko {exact:.8g} Hz, {error:+.2e} by the linear interpolation of velocities; limit: next order, (βh)⁴/12")
        if kind == "pinned":
            f = pinned(m, n)
            entry(f"{kind}, mode {m}, closed form", number, f, f"{n} elements", 1e-7, "the discrete beam in closed form; linearised exactly, rounding")
            if n == 32 and m < 4:
                entry(f"damping, mode {m}", number, f, "damped", 5e-5,
                      "0.02 in the first mode of the slender pinned beam, in proportion to the frequency; rounding of an unsymmetric problem with eigenvalues up to βω², 2e8 1/s: ε βω²/ω₁ · ω/ω₁ = 6e-6, times ten", 0.02 * f / (SCALE[kind] * pi**2))
