"""A rattleback: an ellipsoid with its mass centre below its middle and its axes of inertia askew, rolls on a plane without slipping.

Shape and inertia of T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback, Int. J. Non-Linear Mechanics 17 (1982) 175-186: semi-axes 20, 3 and 2 cm, mass
centre 1 cm below the middle, moments of inertia 2, 16, 17 and -0.2 cm^2 times the mass. It starts tilted by half a degree about both axes with 5 rad/s about the vertical. One sense is steady; in the other
the rocking grows, takes the spin, and gives it back in the other sense. General equations of rolling_body.py; energy and steps of half the length are the checks. Prints
what the implicit midpoint rule makes of it with the steps of the case. Accuracy of the tables: 1e-6 of the largest values.
"""
from math import cos, radians, sin

from plain import check, grid, write_table
from rolling_body import QUANTITIES, Ellipsoid, RollingBody, dot, follow, largest_difference, print_midpoint_errors, product, turned_back

mass, gravity, off = 1.0, 9.81, -0.2e-4
inertia = ((2e-4, off, 0.0), (off, 16e-4, 0.0), (0.0, 0.0, 17e-4))
body = RollingBody(mass, inertia, gravity, Ellipsoid((0.2, 0.03, 0.02), (0.0, 0.0, 0.01)))


def start(spin):
    half = radians(0.5) / 2
    q = product([cos(half), sin(half), 0.0, 0.0], [cos(half), 0.0, sin(half), 0.0])
    return [*q, *turned_back(q, [0.0, 0.0, spin]), 0.0, 0.0]


def spin_about_vertical(s):
    return dot(turned_back(s[0:4], [0, 0, 1]), s[4:7])


times = grid(0.02, 5)
for name, spin in (("reverses", -5.0), ("steady", 5.0)):
    begin = start(spin)
    states, coarse = (follow(body, begin, times, n) for n in (400, 200))
    energy, x = body.energy(begin), body.sample(begin)
    kinetic = energy - mass * gravity * x[2]
    forces = [body.force(s) for s in states]
    print(f"{name}: quaternion {[round(v, 15) for v in begin[0:4]]}, z {x[2]:.15g}, v {[round(v, 15) for v in x[3:6]]}, kinetic {kinetic:.9g} J")
    print(f"  normal force {min(f[0] for f in forces):.4f} to {max(f[0] for f in forces):.4f} N, friction up to {max(f[1] / f[0] for f in forces):.4f} of it; spin " +
          ", ".join(f"{spin_about_vertical(s):.2f}" for s in states[::25]))
    check("energy", max(abs(body.energy(s) - energy) for s in states) / kinetic, 1e-7)
    check("steps of twice the length", max(largest_difference(body, states, coarse)[6:9]), 1e-4)
    print_midpoint_errors(body, begin, times, states, (5e-4, 2.5e-4, 1.25e-4))
    write_table("rattleback", f"reference_{name}.csv", "equations of rolling (tools/references/rattleback.py)", ["time", *("body:stone." + q for q in QUANTITIES)],
                [[t, *body.sample(s)] for t, s in zip(times, states)])
