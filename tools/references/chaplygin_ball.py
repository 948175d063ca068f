"""Chaplygin's ball: a balanced ball with three different moments of inertia rolls on a plane without slipping.

Integrated with the general equations of rolling_body.py. Chaplygin's integrals are not used for it and check it: the angular momentum about the
contact, K = L + m r^2 (w - w_z e_z), is constant in space, and so is the energy. Prints what the implicit midpoint rule makes of it with the
steps of the case, from which the limits of second order are taken. Accuracy of the table: 1e-11 of the largest values.
"""
from math import sqrt

from plain import check, grid, write_table
from rolling_body import QUANTITIES, RollingBody, Sphere, follow, largest_difference, midpoint, normalised, turned_back

radius, mass, gravity, inertia = 0.1, 1.5, 9.81, (0.004, 0.007, 0.009)
orientation, spin = [0.6, 0.2, -0.5, 0.3], [4.0, 9.0, 6.0]
body = RollingBody(mass, inertia, gravity, Sphere(radius))


def integral(s):
    x = body.sample(s)
    w, l = x[6:9], x[9:12]
    return [l[0] + mass * radius**2 * w[0], l[1] + mass * radius**2 * w[1], l[2]]


q = normalised([*orientation])
start = [*q, *turned_back(q, spin), 0.0, 0.0]
times = grid(0.05, 6)
states = follow(body, start, times, 200)
coarse = follow(body, start, times, 100)
e0, k0 = body.energy(start), integral(start)
print(f"energy {e0:.10g} J, of which {e0 - mass * gravity * radius:.10g} J kinetic; angular speed {sqrt(sum(x * x for x in spin)):.4f} rad/s")
check("energy", max(abs(body.energy(s) / e0 - 1) for s in states), 1e-11)
check("Chaplygin's integral", max(abs(a - b) for s in states for a, b in zip(integral(s), k0)) / sqrt(sum(x * x for x in k0)), 1e-11)
check("steps of twice the length", max(largest_difference(body, states, coarse)), 1e-9)
check("normal force is the weight", max(abs(body.force(s)[0] / (mass * gravity) - 1) for s in states), 1e-11)
print(f"largest friction {max(body.force(s)[1] / body.force(s)[0] for s in states):.4f} of the normal force")
for h in (2e-3, 1e-3, 5e-4):
    other = midpoint(body, start, times, round(0.05 / h))
    errors = dict(zip(QUANTITIES, largest_difference(body, states, other)))
    print(f"implicit midpoint rule, step {h}: " + ", ".join(f"{name} {errors[name]:.2e}" for name in QUANTITIES if errors[name] > 1e-15)
          + f", energy {max(abs(body.energy(s) - e0) for s in other):.1e} J")
chosen = [QUANTITIES.index(n) for n in ("x", "y", "vx", "vy", "wx", "wy", "wz", "lx", "ly", "lz")]
write_table("chaplygin_ball", "reference.csv", "equations of rolling (tools/references/chaplygin_ball.py)",
            ["time", *("body:ball." + QUANTITIES[i] for i in chosen)],
            [[t, *(body.sample(s)[i] for i in chosen)] for t, s in zip(times, states)])
