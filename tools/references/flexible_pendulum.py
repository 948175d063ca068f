"""Reference of flexible_pendulum: ten plane elements in absolute coordinates, written from the equations alone, integrated by Runge-Kutta.

Energy of an element between nodes (x, y, angle): with the mean angle f, the difference d and a = (d/2)/sin(d/2),
W = (h/2) (EA e² + GA g² + EI k²), (1 + e, g) = a R(f)^T (x_b - x_a)/h, k = d/h; 1/GA = 1/(k G A) + h²/(12 EI). Mass: linear interpolation.
"""
from math import cos, pi, sin

from plain import check, grid, rk4, write_table

N, LENGTH, YOUNG, POISSON, DENSITY, DIAMETER, GRAVITY = 10, 1.0, 5e6, 0.5, 1100.0, 0.02, 9.81
H = LENGTH / N
AREA, INERTIA = pi * DIAMETER**2 / 4, pi * DIAMETER**4 / 64
EA, EI = YOUNG * AREA, YOUNG * INERTIA
FACTOR = 6 * (1 + POISSON) / (7 + 6 * POISSON)
GA = 1 / (1 / (FACTOR * YOUNG / (2 * (1 + POISSON)) * AREA) + H * H / (12 * EI))


def ratio(d):
    """a(d) and its derivative."""
    if abs(d) < 1e-3:
        return 1 + d * d / 24 + 7 * d**4 / 5760, d / 12 + 7 * d**3 / 1440
    s, c = sin(d / 2), cos(d / 2)
    return d / 2 / s, 0.5 / s - d / 4 * c / (s * s)


def elastic(q):
    """Forces on x, y, angle of every node, and the strain energy."""
    fx, fy, ft, energy = [0.0] * (N + 1), [0.0] * (N + 1), [0.0] * (N + 1), 0.0
    for i in range(N):
        dx, dy = q[3 * i + 3] - q[3 * i], q[3 * i + 4] - q[3 * i + 1]
        f, d = (q[3 * i + 2] + q[3 * i + 5]) / 2, q[3 * i + 5] - q[3 * i + 2]
        a, slope = ratio(d)
        c, s = cos(f), sin(f)
        y1, y2 = c * dx + s * dy, -s * dx + c * dy
        n, g, m = EA * (a * y1 / H - 1), GA * a * y2 / H, EI * d / H
        px, py = a * (c * n - s * g), a * (s * n + c * g)
        fx[i] += px; fy[i] += py; fx[i + 1] -= px; fy[i + 1] -= py
        common, other = 0.5 * a * (n * y2 - g * y1), slope * (n * y1 + g * y2) + m
        ft[i] += other - common; ft[i + 1] -= other + common
        energy += H / 2 * (n * n / EA + g * g / GA + m * m / EI)
    return fx, fy, ft, energy


def tridiagonal(size, line, free):
    """Factors of (line h/6) tridiag(1, 4, 1) with 2 at ends that are free."""
    diagonal = [4.0] * size
    diagonal[-1] = 2.0
    if free:
        diagonal[0] = 2.0
    for i in range(1, size):
        diagonal[i] -= 1 / diagonal[i - 1]
    scale = line * H / 6

    def solve(b):
        x = [v / scale for v in b]
        for i in range(1, size):
            x[i] -= x[i - 1] / diagonal[i - 1]
        x[-1] /= diagonal[-1]
        for i in range(size - 2, -1, -1):
            x[i] = (x[i] - x[i + 1]) / diagonal[i]
        return x
    return solve


MOVE, TURN = tridiagonal(N, DENSITY * AREA, False), tridiagonal(N + 1, DENSITY * INERTIA, True)
WEIGHT = [-GRAVITY * DENSITY * AREA * H] * (N - 1) + [-GRAVITY * DENSITY * AREA * H / 2]


def rate(t, y):
    q, v = y[:3 * N + 3], y[3 * N + 3:]
    fx, fy, ft, _ = elastic(q)
    ax, ay, at = MOVE(fx[1:]), MOVE([a + b for a, b in zip(fy[1:], WEIGHT)]), TURN(ft)
    out = v + [0.0, 0.0, at[0]]
    for i in range(N):
        out += [ax[i], ay[i], at[i + 1]]
    return out


def energy(y):
    q, v = y[:3 * N + 3], y[3 * N + 3:]
    kinetic = potential = 0.0
    for i in range(N):
        for c, line in ((0, DENSITY * AREA), (1, DENSITY * AREA), (2, DENSITY * INERTIA)):
            a, b = v[3 * i + c], v[3 * i + 3 + c]
            kinetic += line * H / 6 * (a * a + a * b + b * b)
        potential += DENSITY * AREA * H * GRAVITY * (q[3 * i + 1] + q[3 * i + 4]) / 2
    return kinetic, potential + elastic(q)[3], elastic(q)[3]


def run(substeps):
    y = []
    for i in range(N + 1):
        y += [i * H, 0.0, 0.0]
    y += [0.0] * (3 * N + 3)
    states = [y]
    for t in times[1:]:
        h = 0.02 / substeps
        for k in range(substeps):
            y = rk4(rate, y, t, h)
        states.append(y)
    return states


times = grid(0.02, 1)
states, coarse = run(400), run(200)
check("error of the finer steps, by Richardson", max(abs(a - b) for p, q in zip(states, coarse) for a, b in zip(p[:3 * N + 3], q)) / 15, 1e-7)
check("energy", max(abs(sum(energy(y)[:2])) for y in states), 1e-7)
rows = []
for t, y in zip(times, states):
    kinetic, _, strain = energy(y)
    rows.append([t, y[3 * N], y[3 * N + 1], y[3 * N + 2], y[15], y[16], y[2], kinetic, strain])
write_table("flexible_pendulum", "reference.csv", "ten plane elements in absolute coordinates, Runge-Kutta; tools/references/flexible_pendulum.py",
            ["time", "body:arm-10.x", "body:arm-10.y", "body:arm-10.angle", "body:arm-5.x", "body:arm-5.y", "body:arm-0.angle", "energy.kinetic", "beam:arm.strain_energy"], rows)
