"""Billiard balls: `thirty_degree_rule`, `cut_shot` and `throw_angle`, in closed form.

A ball that leaves an impact with v and w slides with u = v - r w x e_z, whose direction stays: v(t) = v - mu g t u/|u| until 2|u|/(7 mu g), then it rolls.
Impact of equal balls along n: normal impulse m (1 + e)/2 times the approach, friction mu_b times that against the slip, or as much as ends the slip, m/7 times it.
"""
from math import acos, asin, atan, atan2, cos, degrees, exp, hypot, pi, radians, sin, sqrt

from plain import check, grid, write_table

radius, gravity, cloth = 0.028575, 9.8, 0.2
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
add = lambda a, b, c=1: [x + c * y for x, y in zip(a, b)]
cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def impact(v, w, n, e, mu):
    """Velocities after ball 1 (v, w) hits a ball at rest along n; masses one, inertia 2/5 r^2."""
    approach = dot(v, n)
    normal = (1 + e) / 2 * approach
    slip = add(add(v, n, -approach), cross(w, n), radius)
    size = sqrt(dot(slip, slip))
    push = [0, 0, 0] if size < 1e-15 else [-s * min(mu * normal / size, 1 / 7) for s in slip]
    kick = add(push, n, -normal)  # on ball 1
    turn = [x / (0.4 * radius) for x in cross(n, push)]
    return add(v, kick), add(w, turn), [-x for x in kick], turn


def path(place, v, w, t):
    """Place and velocity in the plane, a time t after the impact; vertical parts are left out."""
    u = [v[0] - radius * w[1], v[1] + radius * w[0]]
    size = hypot(*u)
    end = 2 * size / (7 * cloth * gravity)
    s, d = min(t, end), [x / size if size > 0 else 0 for x in u]
    now = [v[i] - cloth * gravity * s * d[i] for i in (0, 1)]
    return [place[i] + v[i] * s - cloth * gravity * s * s / 2 * d[i] + now[i] * (t - s) for i in (0, 1)] + now


# The rule: deflection of a rolling ball for seven hit fractions.
speed = 1.8
known = {0: 0, 0.125: 19.97, 0.25: 27.27, 0.5: 33.67, 0.75: 27.63, 0.875: 16.61, 1: 0}
print("thirty_degree_rule: final velocities of the cue ball and of the other, deflection")
for f, angle in known.items():
    cut = asin(1 - f)
    n = [cos(cut), sin(cut), 0]
    v, w, v2, w2 = impact([speed, 0, 0], [0, speed / radius, 0], n, 1, 0)
    last, other = path([0, 0], v, w, 9), path([0, 0], v2, w2, 9)
    print(f"  {f:5g} {last[2]:.10f} {last[3]:.10f} {other[2]:.10f} {other[3]:.10f} {degrees(atan2(-last[3], last[2])):.4f}")
    check("angle of the notes", degrees(atan2(-last[3], last[2])) - angle, 6e-3)
    check("published formula", atan2(-last[3], last[2]) - atan(sin(cut) * cos(cut) / (sin(cut) ** 2 + 0.4)), 1e-12)

# Half-ball hit with and without friction and loss. Contact after 1 mm.
cut = radians(30)
n = [cos(cut), sin(cut), 0]
touch = 1e-3 / speed
for name, e, mu in (("smooth", 1, 0), ("rough", 1, 0.06), ("lossy", 0.94, 0)):
    v, w, v2, w2 = impact([speed, 0, 0], [0, speed / radius, 0], n, e, mu)
    rows = []
    for t in grid(0.05, 1)[1:]:
        rows.append([t, *path([-2 * radius * n[0], -2 * radius * n[1]], v, w, t - touch), *path([0, 0], v2, w2, t - touch)])
    print(name, "after the impact", [round(x, 5) for x in v + w], [round(x, 5) for x in v2 + w2], "rolls after", 2 * hypot(v[0] - radius * w[1], v[1] + radius * w[0]) / (7 * cloth * gravity))
    write_table("cut_shot", f"reference_{name}.csv", "closed form, motion in the plane (tools/references/billiards.py)",
                ["time", *(f"body:{b}.{q}" for b in ("cue", "object") for q in ("x", "y", "vx", "vy"))], rows)

# Throw: velocity of the object ball across the line of centres. First the published formula, which takes the direction of the slip before the impact;
# then Coulomb's law with the slip after the impact, for an object ball that the cloth keeps from being pushed down.


def thrown(normal, mu, across, down):
    """Impulse per mass across the line of centres; slip `across` and `down` of the cue ball's surface."""
    stiff = (7, 6)  # change of the slip per impulse; the object ball cannot move down
    slip, limit = (across, down), mu * normal
    if sum((u / k) ** 2 for u, k in zip(slip, stiff)) <= limit**2:
        return across / 7
    size = 0.0  # of the slip afterwards: sum of (u/(size + k limit))^2 = 1
    excess = lambda s: sum((u / (s + k * limit)) ** 2 for u, k in zip(slip, stiff)) - 1
    low, high = 0.0, hypot(*slip)
    for _ in range(100):
        size = (low + high) / 2
        low, high = (size, high) if excess(size) > 0 else (low, size)
    return limit * across / (size + 7 * limit)


speed = 1.341
check("printed rolling speed", speed / radius - 46.929, 1e-3)
print("throw_angle: spin, roll, cut, friction, angle and velocity by the formula, by Coulomb's law")
for s in (-1.25, -0.9, -0.4, 0, 0.4, 0.9, 1.25):
    for roll in (0, 0.5):
        for cut in (0, 30):
            along, across, down = speed * cos(radians(cut)), speed * (sin(radians(cut)) - s), speed * roll * cos(radians(cut))
            slip = hypot(across, down)
            mu = 9.951e-3 + 0.108 * exp(-1.088 * slip)
            formula = min(mu * along / slip, 1 / 7) * across if slip > 0 else 0
            law = thrown(along, mu, across, down) if slip > 0 else 0
            print(f"  {s:5g} {roll:3g} {cut:2d} {mu:.5f} {degrees(atan(formula / along)):7.3f} {formula:.8f}  {degrees(atan(law / along)):7.3f} {law:.8f}")
