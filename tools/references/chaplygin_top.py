"""Chaplygin's top: a ball whose mass centre is off its middle, with three different moments of inertia, rolls on a plane without slipping.

Data as in A. V. Borisov, A. O. Kazakov, I. R. Sataev, The reversal and chaotic attractor in the nonholonomic model of Chaplygin's top, Regular and Chaotic Dynamics 19 (2014)
718-733, scaled to a ball of 30 mm and 0.1 kg. It starts near its lowest position with a spin about the vertical. One sense is braked by growing oscillations, the other is not: the
cause of the rattleback's reversal. General equations of rolling_body.py; energy and steps of half the length are the checks. Prints what the implicit midpoint rule makes of it
with the steps of the case. Accuracy of the tables: 1e-9 of the largest values.
"""
from math import atan2, cos, sin, sqrt

from plain import check, grid, write_table
from rolling_body import QUANTITIES, RollingBody, Sphere, cross, dot, follow, largest_difference, print_midpoint_errors, turned_back

mass, radius, gravity, inertia = 0.1, 0.03, 9.81, (2e-5, 6e-5, 7e-5)
centre = (0.010, 0.015, 0.012)  # of the ball, from the mass centre
body = RollingBody(mass, inertia, gravity, Sphere(radius, centre))


def start(spin):
    """The direction (1, 1.6, 1.2) of the body points up, near `centre`; it turns about it."""
    up = [x / sqrt(1 + 1.6**2 + 1.2**2) for x in (1, 1.6, 1.2)]
    axis = cross(up, [0, 0, 1])
    size = sqrt(dot(axis, axis))
    angle = atan2(size, up[2])
    q = [cos(angle / 2), *(sin(angle / 2) * x / size for x in axis)]
    return [*q, *(spin * x for x in up), 0.0, 0.0]


def spin_about_vertical(s):
    return dot(turned_back(s[0:4], [0, 0, 1]), s[4:7])


times = grid(0.02, 4)
for name, spin in (("left", 20.0), ("right", -20.0)):
    begin = start(spin)
    states, coarse = (follow(body, begin, times, n) for n in (40, 20))
    energy, x = body.energy(begin), body.sample(begin)
    kinetic = energy - mass * gravity * x[2]
    forces = [body.force(s) for s in states]
    print(f"{name}: quaternion {[round(v, 15) for v in begin[0:4]]}, z {x[2]:.15g}, v {[round(v, 15) for v in x[3:6]]}, kinetic {kinetic:.9g} J")
    print(f"  normal force {min(f[0] for f in forces):.4f} to {max(f[0] for f in forces):.4f} N, friction up to {max(f[1] / f[0] for f in forces):.4f} of it; spin " +
          ", ".join(f"{spin_about_vertical(s):.2f}" for s in states[::25]))
    check("energy", max(abs(body.energy(s) - energy) for s in states) / kinetic, 1e-9)
    check("steps of twice the length", max(largest_difference(body, states, coarse)[6:9]), 1e-4)
    print_midpoint_errors(body, begin, times, states, (1e-3, 5e-4, 2.5e-4))
    write_table("chaplygin_top", f"reference_{name}.csv", "equations of rolling (tools/references/chaplygin_top.py)", ["time", *("body:top." + q for q in QUANTITIES)],
                [[t, *body.sample(s)] for t, s in zip(times, states)])
