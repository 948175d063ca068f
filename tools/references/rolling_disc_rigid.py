"""Disc that rolls on the edge of its rim without slipping on a rigid floor: steady precession in closed form, and nodding by the equations of rolling.

The rim is blunted: a flat spheroid with the half axes a and a/10000 that touches the end face from inside. Its lowest point lies p from the axis and b below the
mass centre along it, both functions of the tilt alone. Steady precession with the mass centre at rest: w1 = -W sin(tilt), w3 = W (b/p) sin(tilt) and
W^2 sin(tilt) (I1 cos(tilt) - I3 (b/p) sin(tilt)) = m g (p cos(tilt) - b sin(tilt)). Checked: the general equations keep it; energy of the nodding disc;
steps of half the length. Prints what the implicit midpoint rule makes of both with the steps of the case. Accuracy of the tables: 1e-10 of the largest values.
"""
from math import cos, pi, radians, sin, sqrt

from plain import check, grid, write_table
from rolling_body import QUANTITIES, Ellipsoid, RollingBody, follow, largest_difference, midpoint

radius, half, mass, gravity, tilt = 0.04, 0.005, 0.5, 9.81, radians(20)
flat = 1e-4 * radius
I1, I3 = mass * (3 * radius**2 + 4 * half**2) / 12, mass * radius**2 / 2
body = RollingBody(mass, (I1, I1, I3), gravity, Ellipsoid((radius, radius, flat), (0, 0, -(half - flat))))

root = sqrt(sin(tilt) ** 2 + (1e-4 * cos(tilt)) ** 2)
p, b = radius * sin(tilt) / root, half - flat + 1e-4 * flat * cos(tilt) / root
rate = sqrt(mass * gravity * (p * cos(tilt) - b * sin(tilt)) / (sin(tilt) * (I1 * cos(tilt) - I3 * b / p * sin(tilt))))
height = p * sin(tilt) + b * cos(tilt)
print(f"steady precession: {rate:.10g} rad/s, a turn in {2 * pi / rate:.10g} s, height {height:.12g} m")


def start(factor):
    """Tilted about y, turning by `factor` times the steady rate."""
    return [cos(tilt / 2), 0.0, sin(tilt / 2), 0.0, -factor * rate * sin(tilt), 0.0, factor * rate * b / p * sin(tilt), 0.0, 0.0]


def steady(t):
    """Everything turns about the vertical with the rate W."""
    c, s = cos(rate * t), sin(rate * t)
    w1, w3 = -rate * sin(tilt), rate * b / p * sin(tilt)
    across, up = w1 * cos(tilt) + w3 * sin(tilt), -w1 * sin(tilt) + w3 * cos(tilt)
    l_across, l_up = I1 * w1 * cos(tilt) + I3 * w3 * sin(tilt), -I1 * w1 * sin(tilt) + I3 * w3 * cos(tilt)
    return [0, 0, height, 0, 0, 0, across * c, across * s, up, l_across * c, l_across * s, l_up]


times = grid(0.01, 0.5)
for name, factor in (("steady", 1.0), ("nods", 0.9)):
    states, coarse = (follow(body, start(factor), times, n) for n in (200, 100))
    energy = body.energy(states[0])
    print(f"{name}: energy {energy:.12g} J, kinetic {energy - mass * gravity * height:.12g} J, friction up to "
          f"{max(body.force(s)[1] / body.force(s)[0] for s in states):.4f} of the normal force, which is {min(body.force(s)[0] for s in states):.4f} to {max(body.force(s)[0] for s in states):.4f} N")
    check("energy", max(abs(body.energy(s) / energy - 1) for s in states), 1e-11)
    check("steps of twice the length", max(largest_difference(body, states, coarse)), 1e-7)
    heights = [body.sample(s)[2] for s in states]
    print(f"  height {min(heights):.6f} to {max(heights):.6f} m, way {max(abs(body.sample(s)[0]) + abs(body.sample(s)[1]) for s in states):.4f} m")
    if name == "steady":
        check("closed form", max(abs(x - y) / (1 if i < 9 else I1) for t, s in zip(times, states) for i, (x, y) in enumerate(zip(steady(t), body.sample(s)))), 1e-8)
    for h in (2e-4, 1e-4, 5e-5):
        other = midpoint(body, start(factor), times, round(0.01 / h))
        errors = dict(zip(QUANTITIES, largest_difference(body, states, other)))
        print(f"  implicit midpoint rule, step {h}: " + ", ".join(f"{q} {e:.1e}" for q, e in errors.items()) + f", energy {max(abs(body.energy(s) - energy) for s in other):.1e} J")
    chosen = [0, 1, 2, 6, 7, 8, 9, 10, 11]
    rows = [[t, *(body.sample(s)[i] for i in chosen)] for t, s in zip(times, states)]
    header, source = ["time", *("body:disc." + QUANTITIES[i] for i in chosen)], "equations of rolling"
    if name == "steady":
        rows, source = [[t, *(steady(t)[i] for i in chosen)] for t in times], "closed form"
        write_table("rolling_disc_rigid", "reference_long.csv", "closed form (tools/references/rolling_disc_rigid.py)", header,
                    [[t, *(steady(t)[i] for i in chosen)] for t in grid(0.1, 10)])
    write_table("rolling_disc_rigid", f"reference_{name}.csv", f"{source} (tools/references/rolling_disc_rigid.py)", header, rows)
