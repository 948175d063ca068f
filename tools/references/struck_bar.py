"""References of pushed_bar and struck_bar: waves in a free bar by d'Alembert, and Saint-Venant's impact of a rigid mass."""
from math import exp, pi, sqrt

from plain import check, grid, write_table

LENGTH, YOUNG, DENSITY, DIAMETER = 1.0, 210e9, 7850.0, 0.02
AREA = pi * DIAMETER**2 / 4
SPEED = sqrt(YOUNG / DENSITY)
Z = DENSITY * SPEED * AREA
TRAVEL = LENGTH / SPEED
print(f"  speed {SPEED:.7g} m/s, travel {TRAVEL * 1e6:.6g} µs, impedance {Z:.7g} kg/s")


def push(t, rise=50e-6, force=1000.0):
    s = min(max(t / rise, 0.0), 1.0)
    return force * s**3 * (10 + s * (6 * s - 15))


def bar(x, t, f):
    """Velocity at x of a free bar pushed by f at x = 0."""
    total, k = 0.0, 0
    while 2 * k * TRAVEL < t:
        total += f(t - x / SPEED - 2 * k * TRAVEL) + f(t + x / SPEED - 2 * (k + 1) * TRAVEL)
        k += 1
    return total / Z


times = grid(1e-5, 4e-4)
rows = [[t, bar(0, t, push), bar(LENGTH / 2, t, push), bar(LENGTH, t, push)] for t in times]
check("the far end doubles", bar(LENGTH, 3e-4, push) / (2000 / Z) - 1, 1e-12)
for n in (50, 100):
    header = ["time", "body:bar-0.vx", f"body:bar-{n // 2}.vx", f"body:bar-{n}.vx"]
    write_table("pushed_bar", f"reference_{n}.csv", "d'Alembert; tools/references/struck_bar.py", header, rows)

# a rigid mass hits the end with V: it slows down as exp(-Z t/M) until the wave is back
mass, start, gap = 1.0, 1.0, 2e-5
decay = Z / mass
print(f"  decay time {1e6 / decay:.5g} µs; contact from {gap * 1e6:g} to {(gap + 2 * TRAVEL) * 1e6:.5g} µs; velocity after it {exp(-2 * TRAVEL * decay):.6g}")
rows = []
for t in grid(1e-5, 2.9e-4)[3:]:       # after the blow; before the fastest ripples of linear elements are back (group speed √2 c)
    rows.append([t, start * exp(-decay * max(t - gap, 0)), LENGTH + 2 * start / decay * (1 - exp(-decay * max(t - gap - TRAVEL, 0)))])
write_table("struck_bar", "reference_rigid.csv", "Saint-Venant's impact of a rigid mass on a bar; tools/references/struck_bar.py", ["time", "body:ball.vx", "body:bar-100.x"], rows)


def sprung(stiffness, h=1e-8):
    """The same through a spring: F' = k (v - u), u = (F(t) + 2 F(t - 2L/c))/Z, v' = -F/M, F >= 0; midpoint rule with the history of F."""
    delay, v, force, history, out = round(2 * TRAVEL / h), start, 0.0, [], {}
    steps = round(6e-4 / h)
    first = round(gap / h)
    for n in range(steps + 1):
        if n % round(1e-5 / h) == 0:
            out[n] = v
        if n < first:
            history.append(0.0)
            continue
        history.append(force)
        back = history[n - delay] if n >= delay else 0.0
        rate = lambda f, w: (stiffness * (w - (f + 2 * back) / Z), -f / mass)
        a, b = rate(force, v)
        a, b = rate(max(force + h / 2 * a, 0), v + h / 2 * b)
        force, v = max(force + h * a, 0), v + h * b
    return [[k * h, w] for k, w in out.items()]


rows = sprung(2e9)
hard = sprung(1e12, 2e-9)
check("a hard spring is the rigid impact", hard[-1][1] - exp(-2 * TRAVEL * decay), 1e-3)
print(f"  velocity after the contact through the spring {rows[-1][1]:.6g}")
write_table("struck_bar", "reference_spring.csv", "bar by d'Alembert behind a spring; tools/references/struck_bar.py", ["time", "body:ball.vx"], rows[:30])
