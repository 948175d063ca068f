"""Roller-crank mechanism in its two coordinates, the crank angle a and the roller's angle b; the roller stays on the floor.

The friction F at the floor follows from sticking where |F| <= mu N, else it is -mu N times the sign of the slip. N comes from the moments
of the rod about the crank pin.
"""
from math import asin, cos, hypot, pi, sin, sqrt

from plain import bisect, check, grid, rk4, write_table

crank, rod, radius = 0.1, 0.3, 0.05
mass = {"crank": 0.12, "rod": 0.3, "roller": 0.1}
inertia = {"crank": 0.002, "rod": 0.002, "roller": 0.001}
gravity, mu = 9.8, 0.1


def geometry(a):
    """Rod angle, roller's place, rod's centre, each with first and second derivative by the crank angle."""
    g = -asin(crank * sin(a) / rod)
    g1 = -crank * cos(a) / (rod * cos(g))
    g2 = crank * sin(a) / (rod * cos(g)) - crank * cos(a) * sin(g) * g1 / (rod * cos(g) ** 2)

    def point(way):
        return ((crank * cos(a) + way * cos(g), -crank * sin(a) - way * sin(g) * g1, -crank * cos(a) - way * (cos(g) * g1**2 + sin(g) * g2)),
                (crank * sin(a) + way * sin(g), crank * cos(a) + way * cos(g) * g1, -crank * sin(a) - way * (sin(g) * g1**2 - cos(g) * g2)))

    return (g, g1, g2), point(rod)[0], point(rod / 2)


def motion(a, w, friction):
    """Crank's angular acceleration and normal force for a given friction force."""
    (g, g1, g2), (x, x1, x2), ((_, p1, p2), (_, q1, q2)) = geometry(a)
    reduced = inertia["crank"] + mass["crank"] * crank**2 / 4 + mass["rod"] * (p1**2 + q1**2) + inertia["rod"] * g1**2 + mass["roller"] * x1**2
    change = mass["rod"] * (p1 * p2 + q1 * q2) + inertia["rod"] * g1 * g2 + mass["roller"] * x1 * x2
    pull = -gravity * (mass["crank"] * crank * cos(a) / 2 + mass["rod"] * q1)
    turn = (friction * x1 + pull - change * w * w) / reduced
    # Moments of the rod about the crank pin; p is the force of the rod on the roller.
    ax, ay = p1 * turn + p2 * w * w, q1 * turn + q2 * w * w
    px = mass["roller"] * (x1 * turn + x2 * w * w) - friction
    lever = rod / 2
    spin = inertia["rod"] * (g1 * turn + g2 * w * w) + mass["rod"] * lever * (cos(g) * (ay + gravity) - sin(g) * ax)
    # spin = -(rod cos g) py + (rod sin g) px
    py = (rod * sin(g) * px - spin) / (rod * cos(g))
    return turn, mass["roller"] * gravity - py


def slip(state):
    return geometry(state[0])[1][1] * state[2] + radius * state[3]


def contact(state, sticks, sense):
    """Crank's and roller's accelerations, friction, normal force."""
    a, _, w, v = state[:4]
    (_, (_, x1, x2), _) = geometry(a)
    t0, n0 = motion(a, w, 0)
    t1, n1 = motion(a, w, 1)
    if sticks:  # x1 turn + x2 w^2 + r b'' = 0, b'' = r F/J
        friction = -(x1 * t0 + x2 * w * w) / (x1 * (t1 - t0) + radius**2 / inertia["roller"])
    else:  # F = -mu sense N, N = n0 + (n1 - n0) F
        friction = -mu * sense * n0 / (1 + mu * sense * (n1 - n0))
    return t0 + (t1 - t0) * friction, radius * friction / inertia["roller"], friction, n0 + (n1 - n0) * friction


def energy(state):
    a, _, w, v = state[:4]
    (_, g1, _), (_, x1, _), ((_, p1, _), (q, q1, _)) = geometry(a)
    reduced = inertia["crank"] + mass["crank"] * crank**2 / 4 + mass["rod"] * (p1**2 + q1**2) + inertia["rod"] * g1**2 + mass["roller"] * x1**2
    return 0.5 * reduced * w * w + 0.5 * inertia["roller"] * v * v + gravity * (mass["crank"] * crank * sin(a) / 2 + mass["rod"] * q)


def run(step, end=2, interval=0.01):
    state, sticks, sense, lost = [pi / 2, 0, 4, 8], True, 0, 0
    start, samples, changes = energy(state), [], []
    every = round(interval / step)
    for k in range(round(end / step) + 1):
        turn, roll, friction, normal = contact(state, sticks, sense)
        if sticks and abs(friction) > mu * normal:
            sticks, sense = False, -1 if friction > 0 else 1
            changes.append((k * step, "slips"))
            turn, roll, friction, normal = contact(state, sticks, sense)
        if k % every == 0:
            samples.append([k * step, state[0], geometry(state[0])[1][0], state[2], state[3], roll, friction, normal, 1 if sticks else 2])
        assert normal > 0
        rate = lambda t, s: [s[2], s[3], *contact(s, sticks, sense)[:2], (0 if sticks else contact(s, sticks, sense)[2] * slip(s))]
        whole = rk4(rate, state + [lost], 0, step)
        if not sticks and slip(whole) * sense < 0:
            h = bisect(lambda h: slip(rk4(rate, state + [lost], 0, h)) * sense, 0, step)
            middle = rk4(rate, state + [lost], 0, h)
            sticks = True
            changes.append((k * step + h, "sticks"))
            # It may slip the other way at once.
            _, _, f, n = contact(middle[:4], True, 0)
            if abs(f) > mu * n:
                sticks, sense = False, -1 if f > 0 else 1
                changes.append((k * step + h, "slips"))
            whole = rk4(rate, middle, 0, step - h)
        state, lost = whole[:4], whole[4]
    return samples, changes, energy(state) - start - lost


if __name__ == "__main__":
    samples, changes, residual = run(5e-5)
    coarse, _, _ = run(1e-4)
    print("changes:", *(f"{t:.4f} {what}" for t, what in changes))
    print("largest friction over normal force while it sticks:", max(abs(s[6]) / s[7] for s in samples if s[8] == 1), "smallest normal force", min(s[7] for s in samples))
    check("energy", residual, 1e-7)
    check("steps twice as long", max(abs(p - q) for a, b in zip(samples, coarse) for p, q in zip(a[:5], b[:5])), 1e-4)
    fine, _, _ = run(5e-5, 0.49, 1e-3)
    # Forces and accelerations jump where the roller starts or ends slipping, so samples near those instants are left out.
    far = lambda t: all(abs(t - c) > 0.012 for c, _ in changes)
    write_table("roller_crank", "reference.csv", "mechanism in minimal coordinates with Coulomb's friction (tools/references/roller_crank.py)",
                ["time", "body:crank.angle", "body:roller.x", "body:crank.omega", "body:roller.omega", "body:roller.alpha", "contact:floor.closed_force"],
                [s[:6] + [s[7]] for s in samples if 0 < s[0] <= 0.9 and far(s[0])])
    write_table("roller_crank", "each_step.csv", "as reference.csv",
                ["time", "body:roller.alpha"], [[s[0], s[5]] for s in fine if s[0] > 0 and abs(s[0] - changes[0][0]) > 0.002])
