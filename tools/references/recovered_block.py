"""Slider-crank hit by a free block, impacts as of rigid bodies: for the case recovered_block.

One coordinate for the mechanism, the crank's angle, one for the block. Between impacts Lagrange's equation, by Runge-Kutta steps whose last ends at
the touch; at an impact impulse and speeds follow from Newton's law with the given restitution. The force behind it is the motion of the mass that
the contact feels under the law of Flores, in closed form but for one integration. Nothing of Carom is used; the compliant solution of
slider_crank_block.py has the same first impact.
"""
from math import asin, cos, sin, sqrt

from plain import bisect, check, rk4, write_table

CRANK, ROD = 0.153, 0.306                       # m
M2, M3, M4, M5 = 0.038, 0.076, 0.038, 0.190     # kg: crank, rod, slider, block
I2, I3 = 7.4e-5, 5.9e-5                         # kg m^2; that of the rod as printed
REACH, STIFFNESS, RESTITUTION, GRAVITY = 0.01693, 9.5e9, 0.7, 9.81


def geometry(phi):
    """Slider and rod's angle below the guide, and their derivatives by the crank's angle."""
    psi = asin(CRANK * sin(phi) / ROD)
    turn = CRANK * cos(phi) / (ROD * cos(psi))
    return CRANK * cos(phi) + ROD * cos(psi), psi, -CRANK * sin(phi) - ROD * sin(psi) * turn, turn


def inertia(phi):
    """Of the mechanism, reduced to the crank's angle."""
    _, psi, slide, turn = geometry(phi)
    centre_x, centre_y = -CRANK * sin(phi) - ROD / 2 * sin(psi) * turn, CRANK * cos(phi) - ROD / 2 * cos(psi) * turn
    return M2 * CRANK**2 / 4 + I2 + M3 * (centre_x**2 + centre_y**2) + I3 * turn**2 + M4 * slide**2


def weight(phi):
    """Derivative of the potential energy."""
    _, psi, _, turn = geometry(phi)
    return GRAVITY * (M2 * CRANK / 2 * cos(phi) + M3 * (CRANK * cos(phi) - ROD / 2 * cos(psi) * turn))


def rate(t, y):
    phi, speed, _, block = y
    d = 1e-6
    change = (inertia(phi + d) - inertia(phi - d)) / (2 * d)
    return [speed, -(change * speed**2 / 2 + weight(phi)) / inertia(phi), block, 0.0]


def gap(y):
    return y[2] - geometry(y[0])[0] - 2 * REACH


def energy(y):
    _, psi, _, _ = geometry(y[0])
    high = M2 * CRANK / 2 * sin(y[0]) + M3 * (CRANK * sin(y[0]) - ROD / 2 * sin(psi))
    return inertia(y[0]) * y[1] ** 2 / 2 + GRAVITY * high + M5 * y[3] ** 2 / 2


def run(every, end):
    """States at multiples of `every`, and the impacts: time, speed, mass, speed of the mechanism at its contact."""
    h = 1e-6
    y, states, impacts = [0.0, 150.0, 0.914, -15.0], [[0.0, 150.0, 0.914, -15.0]], []
    start = energy(y)
    for k in range(round(end / h)):
        next_y = rk4(rate, y, k * h, h)
        if gap(next_y) < 0:
            part = bisect(lambda s: gap(rk4(rate, y, 0, s)), 0.0, h)
            y = rk4(rate, y, 0, part)
            slide = geometry(y[0])[2]
            speed = slide * y[1] - y[3]
            mass = 1 / (1 / M5 + slide**2 / inertia(y[0]))
            impulse = mass * (1 + RESTITUTION) * speed
            before = energy(y)
            y = [y[0], y[1] - impulse * slide / inertia(y[0]), y[2], y[3] + impulse / M5]
            check("energy of the impact", before - energy(y) - mass * speed**2 / 2 * (1 - RESTITUTION**2), 1e-9)
            impacts.append((k * h + part, speed, mass))
            start -= before - energy(y)
            next_y = rk4(rate, y, 0, h - part)
        y = next_y
        if (k + 1) % round(every / h) == 0:
            states.append(y)
    check("energy between impacts", energy(y) - start, 1e-6)
    return states, impacts


def pulse(mass, speed):
    """Law of Flores: restitution that comes out, depth, force and duration."""
    h = 8 * (1 - RESTITUTION) / (5 * RESTITUTION)
    force = lambda x, v: STIFFNESS * max(x, 0.0) ** 1.5 * (1 + h * v / speed)
    x, v, t, deepest, peak, step = 0.0, speed, 0.0, 0.0, 0.0, 1e-8
    while x >= 0:
        x, v = rk4(lambda t, y: [y[1], -force(*y) / mass], [x, v], t, step)
        t, deepest, peak = t + step, max(deepest, x), max(peak, force(x, v))
    return -v / speed, deepest, peak, t + x / -v


if __name__ == "__main__":
    states, impacts = run(1e-3, 0.1)
    rows, table = [], []
    for number, (t, speed, mass) in enumerate(impacts, 1):
        out, deepest, peak, duration = pulse(mass, speed)
        print(f"impact {number} at {t:.9f} s: {speed:.6f} m/s, {mass:.6f} kg, {peak:.6g} N over {duration:.6g} s")
        table.append([number, t, speed, out, deepest, peak, duration])
    check("first impact as in the compliant solution, s", table[0][1] - 0.0434454904529665, 1e-8)
    check("its force", table[0][5] / 112346.185616423 - 1, 1e-3)
    for k, (phi, speed, place, block) in enumerate(states):
        if k and all(abs(k * 1e-3 - t) > 1.05e-3 for t, *_ in impacts):
            x, _, slide, _ = geometry(phi)
            rows.append([k * 1e-3, phi, speed, x, slide * speed, place, block])
    source = "minimal coordinates, impacts of rigid bodies (tools/references/recovered_block.py)"
    write_table("recovered_block", "reference.csv", source,
                ["time", "body:crank.angle", "body:crank.omega", "body:slider.x", "body:slider.vx", "body:block.x", "body:block.vx"], rows)
    write_table("recovered_block", "contacts.csv", source + ", force by the law of Flores",
                ["number", "begin", "impact_speed", "restitution", "largest_penetration", "peak_force", "duration"], table)
