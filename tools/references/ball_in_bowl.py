"""A ball in a round bowl. In the plane a pendulum, in closed form by Jacobi's elliptic functions; in space the equations of rolling in a hollow sphere.

Plane: the middle of the ball swings on a circle of the radius l = R - r with theta'' = -g/(l c) sin(theta), c = 1 without friction and 1 + I/(m r^2) for a ball
that rolls. From rest at theta0: sin(theta/2) = k cd(w t, k), k = sin(theta0/2), w = sqrt(g/(l c)). Force of the wall m g cos(theta) + m l theta'^2.

Space: n points from the middle of the bowl to that of the ball. No slip: l n' = r n x w. Newton and Euler: (I + m r^2) w' = m r^2 (n.w) n' - m r n x g.
n.w is constant, as is the energy; both check it. Accuracy: closed form to rounding, the tables in space 1e-10 of the largest values. Writes ball_in_bowl (plane) and
ball_in_hollow_sphere (space).

For the limits of the cases the script prints what generalized-alpha with rho = 0.8 makes of both with their steps (bowl_scheme.py).
"""
from math import asin, cos, pi, sin, sqrt

from bowl_scheme import gravity, l, mass, radius, scheme_errors
from plain import check, grid, rk4, write_table
from rolling_body import cross, dot


def jacobi(u, k):
    """sn, cn, dn and the quarter period, by the arithmetic-geometric mean."""
    a, b, c = [1.0], sqrt(1 - k * k), [k]
    while abs(c[-1]) > 1e-16:
        last = a[-1]
        a.append((last + b) / 2)
        c.append((last - b) / 2)
        b = sqrt(last * b)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for i in range(len(a) - 1, 0, -1):
        phi = (phi + asin(c[i] * sin(phi) / a[i])) / 2
    sn, cn = sin(phi), cos(phi)
    return sn, cn, sqrt(1 - (k * sn) ** 2), pi / (2 * a[-1])


def swing(t, start, w):
    """Angle and its rate."""
    k = sin(start / 2)
    sn, cn, dn, _ = jacobi(w * t, k)
    theta = 2 * asin(k * cn / dn)
    rate = -2 * k * w * (1 - k * k) * sn / dn**2 / sqrt(1 - (k * cn / dn) ** 2)
    return theta, rate


def in_the_plane():
    start, inertia = 80 * pi / 180, 0.5 * mass * radius**2
    for name, c in (("slides", 1.0), ("rolls", 1 + inertia / (mass * radius**2))):
        w = sqrt(gravity / (l * c))
        period = 4 * jacobi(0, sin(start / 2))[3] / w
        y = [start, 0.0]
        for _ in range(2000):
            y = rk4(lambda t, y: [y[1], -w * w * sin(y[0])], y, 0, 1e-3)
        check("closed form against Runge-Kutta after 2 s", y[0] - swing(2, start, w)[0], 1e-9)
        check("period", swing(period, start, w)[0] - start, 1e-12)
        check("energy", max(abs(w * w * (cos(start) - cos(a)) + 0.5 * b * b) for a, b in (swing(0.01 * k, start, w) for k in range(500))), 1e-11)
        print(f"{name}: period {period:.10g} s, largest speed {l * 2 * w * sin(start / 2):.6f} m/s, largest normal force {mass * gravity * (1 + 2 * (1 - cos(start)) / c):.10g} N")
        most = max(abs((c - 1) / c * gravity * sin(a)) / (gravity * cos(a) + l * b * b) for a, b in (swing(0.001 * k, start, w) for k in range(2000)))
        print(f"  friction up to {most:.4f} of the normal force")
        rows = []
        for t in grid(0.02, 5):
            theta, speed = swing(t, start, w)
            spin = -l * speed / radius if c > 1 else 0.0
            rows.append([t, l * sin(theta), -l * cos(theta), l * speed * cos(theta), l * speed * sin(theta), spin, mass * (gravity * cos(theta) + l * speed**2)])
        # The plane of the model is x, z of the scheme, so that its omega is the opposite of w_y.
        samples = [(x, 0, z, vx, 0, vz, 0, -turn, 0) for _, x, z, vx, vz, turn, _ in rows]
        begin = ((sin(start), 0.0, -cos(start)), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for h in (4e-3, 2e-3, 1e-3):
            print(scheme_errors(inertia, c > 1, begin, h, 0.02, samples))
        # Forces are told from the first step on.
        write_table("ball_in_bowl", f"reference_{name}.csv", "closed form (tools/references/ball_in_bowl.py)",
                    ["time", *("body:ball." + q for q in "x y vx vy omega".split()), "contact:bowl.closed_force"], rows[1:])


class Rolling:
    """State: n, w."""

    def __init__(self):
        self.inertia = 0.4 * mass * radius**2

    def rate(self, t, s):
        n, w = s[0:3], s[3:6]
        dn = [radius / l * x for x in cross(n, w)]
        pull, spin = cross(n, (0.0, 0.0, -gravity)), dot(n, w)
        return [*dn, *((mass * radius**2 * spin * dn[i] - mass * radius * pull[i]) / (self.inertia + mass * radius**2) for i in range(3))]

    def sample(self, s):
        return [*(l * x for x in s[0:3]), *(radius * x for x in cross(s[0:3], s[3:6])), *s[3:6]]

    def energy(self, s):
        x = self.sample(s)
        return 0.5 * (mass * dot(x[3:6], x[3:6]) + self.inertia * dot(s[3:6], s[3:6])) + mass * gravity * x[2]

    def wall(self, s):
        """Normal force and friction: m v' - m g with v = r n x w."""
        d = self.rate(0, s)
        a, b = cross(d[0:3], s[3:6]), cross(s[0:3], d[3:6])
        f = [mass * (radius * (a[i] + b[i]) + (gravity if i == 2 else 0.0)) for i in range(3)]
        normal = -dot(f, s[0:3])
        return normal, sqrt(max(0.0, dot(f, f) - normal**2))

    def follow(self, s, times, substeps):
        states = [s]
        for a, b in zip(times, times[1:]):
            for _ in range(substeps):
                s = rk4(self.rate, s, 0, (b - a) / substeps)
            states.append(s)
        return states


def in_space():
    ball, times = Rolling(), grid(0.05, 10)
    for name, n, v, spin in (("bowl", (0.8, 0.0, -0.6), (0.0, 1.2, 0.0), 15.0), ("sphere", (0.96, 0.0, -0.28), (0.7, 3.0, 2.4), 30.0)):
        turn = cross(n, v)
        begin = [*n, *(spin * n[i] - turn[i] / radius for i in range(3))]
        states, coarse = (ball.follow(begin, times, k) for k in (100, 50))
        e0, kinetic = ball.energy(begin), ball.energy(begin) - mass * gravity * l * n[2]
        print(f"{name}: energy {e0:.10g} J, kinetic at the start {kinetic:.10g} J, height {l * min(s[2] for s in states):.4f} to {l * max(s[2] for s in states):.4f} m")
        forces = [ball.wall(s) for s in states]
        print(f"  normal force {min(f[0] for f in forces):.4f} to {max(f[0] for f in forces):.4f} N, friction up to {max(f[1] / f[0] for f in forces):.4f} of it")
        check("energy", max(abs(ball.energy(s) - e0) for s in states) / kinetic, 1e-10)
        check("spin about the normal", max(abs(dot(s[0:3], s[3:6]) - spin) for s in states) / spin, 1e-10)
        check("distance from the middle", max(abs(sqrt(dot(s[0:3], s[0:3])) - 1) for s in states), 1e-10)
        check("steps of twice the length", max(abs(p - q) for a, b in zip(states, coarse) for p, q in zip(ball.sample(a), ball.sample(b))), 1e-6)
        for h in (2e-3, 1e-3, 5e-4):
            print(scheme_errors(ball.inertia, True, (n, v, begin[3:6]), h, 0.05, [ball.sample(s) for s in states]))
        write_table("ball_in_hollow_sphere", f"reference_{name}.csv", "equations of rolling in a hollow sphere (tools/references/ball_in_bowl.py)",
                    ["time", *("body:ball." + q for q in "x y z vx vy vz wx wy wz".split())], [[t, *ball.sample(s)] for t, s in zip(times, states)])


in_the_plane()
in_space()
