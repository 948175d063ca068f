"""First impact in the loose pin of a flexible slider-crank, for the case flexible_clearance_forces.

Crank and rod as in flexible_clearance.py, the slider at rest and free, until the journal has gone through the clearance; Runge-Kutta. The force behind
the impact is the motion of the mass that the contact feels, slider and end of the rod, under Hertz' law with the damping that returns 0.9.
"""
from math import log, sqrt

from flexible_clearance import L, MASS, R, Mechanism
from plain import bisect, check, rk4, write_table

RESTITUTION, RADIUS, MODULUS = 0.9, 0.01, 210e9 / (2 * (1 - 0.3**2))


def fall(clearance, step):
    """Instant, speed and mass of the first touch."""
    mechanism = Mechanism(0.0004, touches=False)
    y, t = mechanism.start(), 0.0
    y[25] = R + L
    rate = lambda t, z: mechanism.force(t, z)[0]
    way = lambda z: sqrt((z[25] - z[7]) ** 2 + z[15] ** 2)
    while True:
        next_y = rk4(rate, y, t, step)
        if way(next_y) > clearance:
            part = bisect(lambda s: way(rk4(rate, y, t, s)) - clearance, 0.0, step)
            y, t = rk4(rate, y, t, part), t + part
            mechanism.force(t, y)
            nx, ny = (y[25] - y[7]) / clearance, -y[15] / clearance
            return t, nx * (y[51] - y[33]) - ny * y[41], 1 / mechanism.inverse_mass
        y, t = next_y, t + step


def hysteresis(e):
    return bisect(lambda h: log((1 + h) / (1 - h * e)) - h * (1 + e), 0.01, 1 / e - 1e-12)


def pulse(stiffness, mass, speed):
    h = hysteresis(RESTITUTION)
    force = lambda x, v: stiffness * max(x, 0.0) ** 1.5 * (1 + h * v / speed)
    x, v, t, deepest, peak, step = 0.0, speed, 0.0, 0.0, 0.0, 2e-9
    while x >= 0:
        x, v = rk4(lambda t, y: [y[1], -force(*y) / mass], [x, v], t, step)
        t, deepest, peak = t + step, max(deepest, x), max(peak, force(x, v))
    return deepest, peak, t + x / -v


if __name__ == "__main__":
    rows = []
    for name, clearance in (("first 0.05 mm", 5e-5), ("first 0.1 mm", 1e-4)):
        t, speed, mass = fall(clearance, 5e-8)
        coarse = fall(clearance, 1e-7)
        check("half the step", speed / coarse[1] - 1, 1e-7)
        stiffness = 4 / 3 * MODULUS * sqrt(RADIUS * (RADIUS - clearance) / clearance)
        deepest, peak, duration = pulse(stiffness, mass, speed)
        print(f"{name}: {t:.8g} s, {speed:.6g} m/s, {mass * 1000:.5g} g, K {stiffness:.5g}, {peak:.6g} N over {duration:.5g} s")
        rows.append([name, 1, t, speed, RESTITUTION, deepest, peak, duration])
    write_table("flexible_clearance_forces", "first.csv", "plane beams by Runge-Kutta, one impact of Hertz' law (tools/references/flexible_clearance_forces.py)",
                ["variant", "number", "begin", "impact_speed", "restitution", "largest_penetration", "peak_force", "duration"], rows)
