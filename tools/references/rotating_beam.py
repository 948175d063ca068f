"""Reference of rotating_beam: bending in rotating axes with the stiffness of the centrifugal tension, by Ritz with cantilever modes; steady extension in closed form."""
from math import cos, cosh, pi, sin, sinh, sqrt, tan

from plain import check, grid, solve, write_table

LENGTH, EI, EA, LINE = 10.0, 1.4e4, 2.8e7, 1.2
WAVES = [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349]
POINTS = 2000


def spin(t):
    """Angle, rate and acceleration of the hub (Kane, Ryan, Banerjee 1987): 6 rad/s after 15 s."""
    if t >= 15:
        return 6 * t - 45, 6.0, 0.0
    return 0.4 * (t * t / 2 + (7.5 / pi) ** 2 * (cos(2 * pi * t / 15) - 1)), 0.4 * (t - 7.5 / pi * sin(2 * pi * t / 15)), 0.4 * (1 - cos(2 * pi * t / 15))


def shape(wave, s):
    """Cantilever mode, its slope and curvature by s = x/L."""
    r = (cosh(wave) + cos(wave)) / (sinh(wave) + sin(wave))
    z = wave * s
    return (cosh(z) - cos(z) - r * (sinh(z) - sin(z)), wave * (sinh(z) + sin(z) - r * (cosh(z) - cos(z))), wave**2 * (cosh(z) + cos(z) - r * (sinh(z) + sin(z))))


def integral(f):
    return sum((1 if k in (0, POINTS) else 4 if k % 2 else 2) * f(k) for k in range(POINTS + 1)) / (3 * POINTS)


TABLE = [[shape(w, k / POINTS) for k in range(POINTS + 1)] for w in WAVES]
N = range(len(WAVES))
MASS = [integral(lambda k: TABLE[i][k][0] ** 2) for i in N]
PUSH = [integral(lambda k: TABLE[i][k][0] * k / POINTS) for i in N]
STIFF = [integral(lambda k: TABLE[i][k][2] ** 2) * EI / (LINE * LENGTH**4) for i in N]
TENSION = [[integral(lambda k: TABLE[i][k][1] * TABLE[j][k][1] * 0.5 * (1 - (k / POINTS) ** 2)) for j in N] for i in N]
SHORT = [[integral(lambda k: TABLE[i][k][1] * TABLE[j][k][1]) / (2 * LENGTH) for j in N] for i in N]
check("modes are orthogonal", integral(lambda k: TABLE[0][k][0] * TABLE[1][k][0]), 1e-8)


def rate(t, y):
    q, v = y[:len(WAVES)], y[len(WAVES):]
    _, w, a = spin(t)
    return v + [(-STIFF[i] * q[i] - w * w * (sum(TENSION[i][j] * q[j] for j in N) - MASS[i] * q[i]) - a * LENGTH * PUSH[i]) / MASS[i] for i in N]


k = 6 * sqrt(LINE / EA)
steady = tan(k * LENGTH) / k - LENGTH
print(f"  steady extension {steady:.9g}, first order {LINE * 36 * LENGTH**3 / (3 * EA):.9g}, published 5.14e-4")
times = grid(0.05, 20)
states = solve(rate, [0.0] * (2 * len(WAVES)), times, 20)
tip = [TABLE[i][-1][0] for i in N]
rows = []
for t, y in zip(times, states):
    dy = sum(a * b for a, b in zip(tip, y))
    short = sum(SHORT[i][j] * y[i] * y[j] for i in N for j in N)
    rows.append([t, dy, spin(t)[1] ** 2 * LINE * LENGTH**3 / (3 * EA) - short])
low = min(rows, key=lambda r: r[1])
print(f"  largest deflection {low[1]:.5f} at {low[0]:g} s (published about -0.57)")
write_table("rotating_beam", "reference.csv", "Ritz with four cantilever modes in rotating axes, centrifugal tension included; tools/references/rotating_beam.py",
            ["time", "force:gauge.dy", "force:gauge.dx"], rows[::5])
