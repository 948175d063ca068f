"""Loads of the balls of a bearing, for the cases bearing_500rpm, bearing_two_methods and bearing_load_distribution.

Nothing here knows of Carom: Hertz' theory with elliptic integrals by the arithmetic-geometric mean, the sums of
Stribeck over single balls, Sjoevall's integral, and the statics of a rigid ring on two balls.
"""

import math
import pathlib

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"


def elliptic(kappa):
    """Complete integrals K and E of modulus sqrt(1 - kappa^2)."""
    a, b, c = 1.0, kappa, math.sqrt((1 - kappa) * (1 + kappa))
    total, power = c * c / 2, 0.5
    for _ in range(60):
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        power *= 2
        total += power * c * c
        if c < 1e-17:
            break
    first = math.pi / (2 * a)
    return first, first * (1 - total)


def hertz(young, poisson, ball, race, groove):
    """K of F = K d^1.5 and b/a; radii in m, the race negative where it is hollow, the groove as a positive number."""
    a, b = (1 / ball - 1 / groove) / 2, (1 / ball + 1 / race) / 2
    low, high = math.log(1e-4), 0.0
    for _ in range(200):
        middle = (low + high) / 2
        first, second = elliptic(math.exp(middle))
        if (second / math.exp(2 * middle) - first) / (first - second) > b / a:
            low = middle
        else:
            high = middle
    kappa = math.exp((low + high) / 2)
    first, second = elliptic(kappa)
    delta = 2 * (1 - poisson**2) / young / (a + b)
    c_b, c_delta = (3 * kappa * second / (2 * math.pi)) ** (1 / 3), 1.5 * kappa * first
    return (c_b / c_delta * math.pi / (a + b) / delta ** (2 / 3)) ** 1.5, kappa


def solve(f, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2


def in_series(young, poisson, ball, pitch, clearance, groove):
    inner, outer = pitch / 2 - clearance / 2 - ball, pitch / 2 + clearance / 2 + ball
    k_i, _ = hertz(young, poisson, ball, inner, groove)
    k_e, _ = hertz(young, poisson, ball, -outer, groove)
    return (k_i ** (-2 / 3) + k_e ** (-2 / 3)) ** -1.5


def sjoevall(epsilon):
    """Radial integral J_r of the load distribution, by Simpson's rule over the loaded zone."""
    zone = math.pi if epsilon >= 1 else math.acos(1 - 2 * epsilon)
    count = 20000
    f = lambda psi: max(0.0, 1 - (1 - math.cos(psi)) / (2 * epsilon)) ** 1.5 * math.cos(psi)
    h = zone / count
    total = f(0) + f(zone) + sum((4 if k % 2 else 2) * f(k * h) for k in range(1, count))
    return total * h / 3 / math.pi


def write(path, text, names, rows):
    with open(path, "w") as out:
        for line in text:
            out.write("# " + line + "\n")
        out.write(",".join(["time", *names]) + "\n")
        for row in rows:
            out.write(",".join(f"{value:.12g}" for value in row) + "\n")


def load_distribution():
    balls, load, pitch, ball = 24, 2000.0, 0.08, 0.004
    for name, clearance in (("", 0.0), ("_clearance", 5e-6), ("_preload", -5e-6)):
        k = in_series(207e9, 0.3, ball, pitch, clearance, 0.52 * 2 * ball)
        angles = [2 * math.pi * j / balls for j in range(balls)]
        q = lambda shift, angle: k * max(0.0, shift * math.cos(angle) - clearance) ** 1.5
        shift = solve(lambda d: sum(q(d, a) * math.cos(a) for a in angles) - load, 0, 1e-3)
        epsilon = (1 - clearance / shift) / 2
        largest = load / balls / sjoevall(epsilon)
        print(f"clearance {clearance:g}: shift {shift:.6g} m, Q_max Z/F {q(shift, 0) * balls / load:.5f}; "
              f"integral {largest * balls / load:.5f} with epsilon {epsilon:.4f}")
        assert abs(largest / q(shift, 0) - 1) < 2e-3
        if clearance == 0:
            assert abs(largest * balls / load - 4.37) < 5e-3  # Harris, Rolling Bearing Analysis
        names = ["bearing:bearing.ey"] + [f"contact:bearing-inner{j + 1}.normal_force" for j in range(balls)]
        write(CASES / "bearing_load_distribution" / f"reference{name}.csv",
              [f"Stribeck's sum over {balls} balls, clearance {clearance:g} m; tools/references/bearing.py"],
              names, [[0, -shift] + [q(shift, a) for a in angles]])


INNER, OUTER, BALL, GROOVE, LOAD, SPEED = 0.01277125, 0.02071875, 0.00396875, 0.00397875, 100.0, 500 * 2 * math.pi / 60
CLEARANCE = OUTER - INNER - 2 * BALL


def load_at(angle):
    """Load of a ball at an angle from the bottom: the rigid ring rests on it and on its neighbour."""
    angle = abs(math.remainder(angle, 2 * math.pi))
    return LOAD * math.sin(math.pi / 4 - angle) / math.sin(math.pi / 4) if angle < math.pi / 4 else 0.0


def impulses(every, end, balls):
    cage = SPEED * INNER / (INNER + OUTER)
    rows, parts = [], 200
    for n in range(1, round(end / every) + 1):
        row = [n * every]
        for ball in balls:
            total = sum(load_at(cage * (n - 1 + (p + 0.5) / parts) * every + (ball - 1) * math.pi / 4)
                        for p in range(parts))
            row.append(total / parts * every)
        rows.append(row)
    return rows


def elastic_place(angle):
    """Where the ring rests on elastic balls, m, with the first ball at an angle from the bottom: Newton's iteration for the balance of forces."""
    k = in_series(200e9, 0.3, BALL, INNER + OUTER, CLEARANCE, GROOVE)
    balls = [(math.sin(angle + n * math.pi / 4), -math.cos(angle + n * math.pi / 4)) for n in range(8)]
    x, y = 0.0, -1.3 * CLEARANCE
    for _ in range(100):
        fx, fy, xx, xy, yy = 0.0, LOAD, 0.0, 0.0, 0.0
        for a, b in balls:
            depth = max(0.0, a * x + b * y - CLEARANCE)
            force, slope = k * depth**1.5, 1.5 * k * math.sqrt(depth)
            fx, fy, xx, xy, yy = fx + force * a, fy + force * b, xx + slope * a * a, xy + slope * a * b, yy + slope * b * b
        det = xx * yy - xy * xy
        x, y = x - (yy * fx - xy * fy) / det, y - (xx * fy - xy * fx) / det
    assert math.hypot(fx, fy) < 1e-6
    return x, y


def at_500_rpm():
    cage = SPEED * INNER / (INNER + OUTER)
    ratio = cage / SPEED
    print(f"cage {cage:.5f} rad/s, ratio {ratio:.5f}; balls pass the outer race at {8 * cage / 2 / math.pi:.3f} Hz, the "
          f"inner at {8 * (SPEED - cage) / 2 / math.pi:.3f} Hz; spin {-cage * (INNER + OUTER) / 2 / BALL:.3f} rad/s")
    assert abs(ratio - 0.3813) < 1e-4  # printed
    k, kappa = hertz(200e9, 0.3, BALL, INNER, GROOVE)
    print(f"inner race: b/a {kappa:.5f}, K {k:.4g} N/m^1.5")
    write(CASES / "bearing_500rpm" / "reference.csv",
          ["impulses of two balls on the outer race, N s in 5 ms: a rigid ring on two balls, cage by pure rolling;",
           "tools/references/bearing.py"],
          ["contact:bearing-outer1.normal_impulse", "contact:bearing-outer8.normal_impulse"],
          impulses(5e-3, 1.0, (1, 8)))
    rows = [[n * 1e-3, load_at(cage * n * 1e-3), *elastic_place(cage * n * 1e-3)] for n in range(15, 31)]
    write(CASES / "bearing_two_methods" / "reference.csv",
          ["load of the first ball, N: a rigid ring on two balls, cage by pure rolling; place of the ring, m: on elastic balls; tools/references/bearing.py"],
          ["contact:bearing-inner1.normal_force", "bearing:bearing.ex", "bearing:bearing.ey"], rows)
    write(CASES / "bearing_two_methods" / "impulses.csv",
          ["impulse of the first ball, N s in 1 ms: a rigid ring on two balls, cage by pure rolling;",
           "tools/references/bearing.py"],
          ["contact:bearing-inner1.normal_impulse"], impulses(1e-3, 0.03, (1,)))


if __name__ == "__main__":
    for folder in ("bearing_load_distribution", "bearing_500rpm", "bearing_two_methods"):
        (CASES / folder).mkdir(exist_ok=True)
    load_distribution()
    at_500_rpm()
