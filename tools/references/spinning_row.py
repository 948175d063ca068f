"""A spinning ball hits three that touch in a row: one collision after the other, each with restitution, friction and tangential restitution. Closed form.

Pair of equal balls, n from the first to the second: i_N = (1 + e) m u_N/2. Slip u_T of the surfaces, W_T = 2 (1/m + r^2/I): i_T = (1 + e_T) u_T/W_T reverses e_T of it if that is at most
mu i_N (sticking), else i_T = mu i_N against the slip, whose direction does not change. The first pair of the row that approaches collides, until none does; that no two neighbouring
pairs approach at once is checked, so that the order does not matter. Accuracy: rounding.
"""
from math import sqrt

from plain import check, write_table
from rolling_body import cross, dot

mass, inertia, radius, balls = 1.0, 0.004, 0.125, 4
speed, spin = (1.0, 0.0, 0.0), (2.0, 3.0, 5.0)
n = (1.0, 0.0, 0.0)


def collide(first, second, e, e_t, mu):
    """Velocities (v, w) of two balls after their collision; n points from the first to the second."""
    (v1, w1), (v2, w2) = first, second
    a, b = cross(w1, n), cross(w2, n)
    u = [v1[k] + radius * a[k] - v2[k] + radius * b[k] for k in range(3)]  # of the first surface against the second
    approach = dot(u, n)
    normal = (1 + e) * approach * mass / 2
    slip = [u[k] - approach * n[k] for k in range(3)]
    size = sqrt(dot(slip, slip))
    push = (1 + e_t) * size / (2 * (1 / mass + radius**2 / inertia))
    sticks = push <= mu * normal
    push = min(push, mu * normal)
    p = [normal * n[k] + (push * slip[k] / size if size > 0 else 0.0) for k in range(3)]  # on the second; opposite on the first
    turn = [radius / inertia * x for x in cross(n, p)]
    return ([v1[k] - p[k] / mass for k in range(3)], [w1[k] - turn[k] for k in range(3)]), ([v2[k] + p[k] / mass for k in range(3)], [w2[k] - turn[k] for k in range(3)]), sticks


def energy(row):
    return sum(0.5 * mass * dot(v, v) + 0.5 * inertia * dot(w, w) for v, w in row)


def sequence(e, e_t, mu):
    row = [(list(speed), list(spin))] + [([0.0] * 3, [0.0] * 3) for _ in range(balls - 1)]
    kinds, count = set(), 0
    before = energy(row)
    while True:
        approach = [row[i][0][0] - row[i + 1][0][0] > 1e-13 for i in range(balls - 1)]
        if not any(approach):
            return row, count, kinds, before - energy(row)
        if any(p and q for p, q in zip(approach, approach[1:])):
            raise SystemExit("neighbouring pairs approach at once")
        i = approach.index(True)
        row[i], row[i + 1], sticks = collide(row[i], row[i + 1], e, e_t, mu)
        kinds.add("sticks" if sticks else "slips")
        count += 1


header = ["time", *(f"body:b{i}.{q}" for i in range(balls) for q in "vx vy vz wx wy wz".split())]
for name, e, e_t, mu in (("sticks", 1.0, 0.8, 3.0), ("elastic", 1.0, 1.0, 3.0), ("plain", 1.0, 0.0, 3.0), ("slips", 1.0, 0.8, 0.05), ("loses", 0.9, 0.8, 0.1), ("passes", 1.0, -1.0, 3.0)):
    row, count, kinds, lost = sequence(e, e_t, mu)
    print(f"{name}: e = {e}, e_T = {e_t}, mu = {mu}: {count} collisions, {' and '.join(sorted(kinds))}, {lost:.9f} J lost; last ball " + ", ".join(f"{x:.9f}" for x in [*row[-1][0], *row[-1][1]]))
    check("momentum", max(abs(sum(v[k] for v, _ in row) - mass * speed[k]) for k in range(3)), 1e-14)
    # About the first middle: L = sum of x_i n x m v_i + I w_i.
    l = [sum(mass * 2 * radius * i * cross(n, v)[k] + inertia * w[k] for i, (v, w) in enumerate(row)) for k in range(3)]
    check("angular momentum", max(abs(l[k] - inertia * spin[k]) for k in range(3)), 1e-14)
    if e == 1 and e_t in (1.0, -1.0):
        check("no loss", lost, 1e-14)
    assert lost > -1e-14
    after = [x for v, w in row for x in (*v, *w)]
    start = [*speed, *spin] + [0.0] * (6 * (balls - 1))
    # They touch 10.5 ms after the start.
    write_table("spinning_row", f"reference_{name}.csv", "one collision after the other, closed form (tools/references/spinning_row.py)", header,
                [[0.01, *start], *([t, *after] for t in (0.012, 0.02, 0.05))])
