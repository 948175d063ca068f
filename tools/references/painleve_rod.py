"""Painlevé's rod: a rod slides on its tip, leaning back, with so much friction that no finite force can carry it. Closed form and a pendulum.

A uniform rod (1 m, 1 kg) ends in circles of 0.1 mm and touches the floor with its lower one, r from the mass centre to the contact. Its tip slides towards -x without normal speed; friction
mu N pushes it back and turns the rod into the floor. With A = 1/m + r_x (r_x - mu r_y)/I, the normal acceleration per normal force while it slides, and a_N = A N - g:
A > 0: it slides on with N = g/A (checked against mu below the limit). A < 0 and a_N < 0 at N = 0: no finite force obeys the laws (Painlevé 1895). An impulse without collision stops
the tip (Lecornu 1905): with e = 0 normal and sliding speed of the tip are zero afterwards, P = -W^-1 u, if P lies inside the cone of friction. Then the tip sticks, and the rod
turns about it as a pendulum whose end rolls. Accuracy of the tables: 1e-10.
"""
from math import cos, pi, sin

from plain import check, grid, rk4, write_table

mass, length, tip, gravity, angle, speed = 1.0, 1.0, 1e-4, 9.81, pi / 3, -2.0
inertia = mass * length**2 / 12
half = length / 2


def arm(a):
    """From the mass centre to the contact: the lower end circle and its lowest point."""
    return -half * cos(a), -half * sin(a) - tip


def sliding_response(a, mu):
    """Normal acceleration of the tip per normal force while it slides towards -x: friction + mu N along x."""
    x, y = arm(a)
    torque = x - y * mu
    return 1 / mass + x * torque / inertia


def limit(a):
    x, y = arm(a)
    return (inertia / mass + x * x) / (x * y)


def slide(mu, times):
    """Below the limit: x, height from the angle, angle; friction mu N towards +x. N from the height of the mass centre, half sin(a) + tip."""
    def rate(t, s):
        _, vx, a, w, _ = s
        rx, ry = arm(a)
        lever = rx - ry * mu
        # y'' = half cos(a) w' - half sin(a) w^2 = N/m - g, w' = lever N/I
        n = (gravity - half * sin(a) * w * w) / (1 / mass - half * cos(a) * lever / inertia)
        slip = vx - w * ry
        assert slip < 0 < n
        return [vx, mu * n / mass, w, lever * n / inertia, mu * n * slip]
    states, s = [], [0.0, speed, angle, 0.0, 0.0]
    for t, u in zip(times, times[1:] + [times[-1]]):
        states.append(s)
        for _ in range(50):
            s = rk4(rate, s, 0, (u - t) / 50) if u > t else s

    def energy(s):
        return 0.5 * mass * (s[1] ** 2 + (half * cos(s[2]) * s[3]) ** 2) + 0.5 * inertia * s[3] ** 2 + mass * gravity * (half * sin(s[2]) + tip)

    check("energy of the sliding rod", max(abs(energy(s) - energy(states[0]) - s[4]) for s in states), 1e-11)
    return states


def jam(mu):
    """Velocities (vx, vy, w) of the mass centre after the impulse, and its components."""
    x, y = arm(angle)
    wnn, wtt, wnt = 1 / mass + x * x / inertia, 1 / mass + y * y / inertia, -x * y / inertia
    det = wnn * wtt - wnt**2
    # u = (normal 0, sliding `speed`) + W P = 0
    pn, pt = wnt * speed / det, -wnn * speed / det
    assert 0 < abs(pt) <= mu * pn
    return speed + pt / mass, pn / mass, (x * pn - y * pt) / inertia, pn, pt


def swing(times):
    """The tip sticks: its circle rolls, the middle of the circle moves by -tip w. Angle and its rate; the middle is at rest but for that."""
    vx, vy, w0, _, _ = jam(3.0)

    def place(a, turned):
        return half * cos(a) - half * cos(angle) - tip * turned, half * sin(a) + tip

    def parts(a, w):
        """Mass centre: rates per w, and their change."""
        jx, jy = -half * sin(a) - tip, half * cos(a)
        return jx, jy, -half * cos(a) * w * w, -half * sin(a) * w * w

    def rate(t, s):
        a, w = s
        jx, jy, bx, by = parts(a, w)
        return [w, -(mass * (jx * bx + jy * by) + mass * gravity * jy) / (inertia + mass * (jx * jx + jy * jy))]

    states, s, worst = [], [angle, w0], 0.0
    for t, u in zip(times, times[1:] + [times[-1]]):
        a, w = s
        jx, jy, bx, by = parts(a, w)
        acc = rate(0, s)[1]
        fx, fy = mass * (jx * acc + bx), mass * (jy * acc + by + gravity)
        assert fy > 0
        worst = max(worst, abs(fx) / fy)
        states.append((*place(a, a - angle), a, jx * w, jy * w, w))
        for _ in range(50):
            s = rk4(rate, s, 0, (u - t) / 50) if u > t else s
    jx, jy, _, _ = parts(angle, w0)
    check("the rod turns about its tip after the impulse", max(abs(vx - jx * w0), abs(vy - jy * w0)), 1e-12)
    energies = [0.5 * mass * (p[3] ** 2 + p[4] ** 2) + 0.5 * inertia * p[5] ** 2 + mass * gravity * p[1] for p in states]
    check("energy of the pendulum", max(abs(e - energies[0]) for e in energies), 1e-10)
    return states, worst


print(f"limit of friction: {limit(angle):.6f}")
check("limit", sliding_response(angle, limit(angle)), 1e-12)
times = grid(0.01, 0.1)
states = slide(0.5, times)
print(f"mu = 0.5: normal force at the start {gravity / sliding_response(angle, 0.5):.6f} N")
write_table("painleve_rod", "reference_slides.csv", "slides, one differential equation (tools/references/painleve_rod.py)",
            ["time", "body:rod.x", "body:rod.y", "body:rod.angle", "body:rod.vx", "body:rod.omega"], [[t, s[0], half * sin(s[2]) + tip, s[2], s[1], s[3]] for t, s in zip(times, states)])
vx, vy, w, pn, pt = jam(3.0)
print(f"mu = 3: response {sliding_response(angle, 3.0):.4f} 1/kg; impulse {pn:.9f}, {pt:.9f} N s, ratio {pt / pn:.6f}; afterwards {vx:.9f}, {vy:.9f} m/s, {w:.9f} rad/s")
states, worst = swing(times)
print(f"then it turns about its tip with a friction of up to {worst:.4f} of the normal force")
write_table("painleve_rod", "reference_jams.csv", "impulse in closed form, then a pendulum (tools/references/painleve_rod.py)",
            ["time", *("body:rod." + q for q in "x y angle vx vy omega".split())], [[t, *s] for t, s in zip(times, states)][1:])
