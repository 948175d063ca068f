"""A ball in a round bowl. In the plane a pendulum, in closed form by Jacobi's elliptic functions; in space the equations of rolling in a hollow sphere.

Plane: the middle of the ball swings on a circle of the radius l = R - r with theta'' = -g/(l c) sin(theta), c = 1 without friction and 1 + I/(m r^2) for a ball
that rolls. From rest at theta0: sin(theta/2) = k cd(w t, k), k = sin(theta0/2), w = sqrt(g/(l c)). Force of the wall m g cos(theta) + m l theta'^2.

Space: n points from the middle of the bowl to that of the ball. No slip: l n' = r n x w. Newton and Euler: (I + m r^2) w' = m r^2 (n.w) n' - m r n x g.
n.w is constant, as is the energy; both check it. Prints what the implicit midpoint rule makes of it with the steps of the cases. Accuracy: closed form to rounding,
the tables in space 1e-10 of the largest values. Writes ball_in_bowl (plane) and ball_in_hollow_sphere (space).
"""
from math import asin, atan2, cos, pi, sin, sqrt

from plain import check, grid, rk4, write_table
from rolling_body import cross, dot

gravity = 9.81


def jacobi(u, k):
    """sn, cn, dn by the arithmetic-geometric mean."""
    a, b, c = [1.0], sqrt(1 - k * k), [k]
    while abs(c[-1]) > 1e-16:
        a0 = a[-1]
        a.append((a0 + b) / 2)
        c.append((a0 - b) / 2)
        b = sqrt(a0 * b)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for i in range(len(a) - 1, 0, -1):
        last = phi
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


def generalized_alpha(start, w, end, h, rho=0.8):
    """Largest error of the angle: what the smooth part of the non-smooth scheme makes of the pendulum itself."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    x, v = start, 0.0
    real = a = -w * w * sin(x)
    worst = 0.0
    for k in range(round(end / h)):
        place, speed, new = x + h * v + h * h * (0.5 - beta) * a, v + h * (1 - gamma) * a, real
        for _ in range(12):
            step = ((1 - af) * new + af * real - am * a) / (1 - am)
            new = -w * w * sin(place + h * h * beta * step)
        x, v, a, real = place + h * h * beta * step, speed + h * gamma * step, step, new
        worst = max(worst, abs(x - swing((k + 1) * h, start, w)[0]))
    return worst


def in_the_plane():
    bowl, radius, mass, start = 0.5, 0.05, 0.2, 80 * pi / 180
    inertia, l = 0.5 * mass * radius**2, bowl - radius
    for name, c in (("slides", 1.0), ("rolls", 1 + inertia / (mass * radius**2))):
        w = sqrt(gravity / (l * c))
        period = 4 * jacobi(0, sin(start / 2))[3] / w

        def rate(t, y):
            return [y[1], -w * w * sin(y[0])]

        y, h = [start, 0.0], 1e-3
        for k in range(2000):
            y = rk4(rate, y, 0, h)
        check("closed form against Runge-Kutta after 2 s", y[0] - swing(2, start, w)[0], 1e-9)
        check("period", swing(period, start, w)[0] - start, 1e-12)
        check("energy", max(abs(w * w * (cos(start) - cos(a)) + 0.5 * b * b) for a, b in (swing(0.01 * k, start, w) for k in range(500))), 1e-11)
        highest = mass * gravity * (cos(0) + 2 * (1 - cos(start)) / c)
        print(f"{name}: period {period:.10g} s, largest speed {l * 2 * w * sin(start / 2):.6f} m/s, largest normal force {highest:.10g} N")
        if c > 1:
            most = max(abs((c - 1) / c * gravity * sin(a)) / (gravity * cos(a) + l * b * b) for a, b in (swing(0.001 * k, start, w) for k in range(2000)))
            print(f"  friction up to {most:.4f} of the normal force")
        for h in (4e-3, 2e-3, 1e-3):
            y, worst, drift = [start, 0.0], [0.0, 0.0], 0.0
            for k in range(round(5 / h)):
                f = rate(0, y)
                for _ in range(12):
                    f = rate(0, [y[0] + h / 2 * f[0], y[1] + h / 2 * f[1]])
                y = [y[0] + h * f[0], y[1] + h * f[1]]
                theta, speed = swing((k + 1) * h, start, w)
                worst = [max(worst[0], abs(y[0] - theta)), max(worst[1], abs(y[1] - speed))]
                drift = max(drift, abs(w * w * (cos(start) - cos(y[0])) + 0.5 * y[1] ** 2))
            print(f"  implicit midpoint rule, 5 s with steps of {h}: {l * worst[0]:.2e} m, {l * worst[1]:.2e} m/s, energy {mass * l * l * c * drift:.1e} J")
        print(f"  generalized-alpha with rho = 0.8, 5 s with steps of 0.001: {l * generalized_alpha(start, w, 5, 1e-3):.2e} m")
        rows = []
        for t in grid(0.02, 5)[1:]:  # forces are told from the first step on
            theta, speed = swing(t, start, w)
            spin = -l * speed / radius if c > 1 else 0.0
            rows.append([t, l * sin(theta), -l * cos(theta), l * speed * cos(theta), l * speed * sin(theta), spin, mass * (gravity * cos(theta) + l * speed**2)])
        write_table("ball_in_bowl", f"reference_{name}.csv", "closed form (tools/references/ball_in_bowl.py)",
                    ["time", *("body:ball." + q for q in "x y vx vy omega".split()), "contact:bowl.closed_force"], rows)


def in_space():
    bowl, radius, mass = 0.5, 0.05, 0.2
    inertia, l = 0.4 * mass * radius**2, bowl - radius
    down = (0.0, 0.0, -gravity)

    def rate(t, s):
        n, w = s[0:3], s[3:6]
        dn = [radius / l * x for x in cross(n, w)]
        pull, spin = cross(n, down), dot(n, w)
        return [*dn, *((mass * radius**2 * spin * dn[i] - mass * radius * pull[i]) / (inertia + mass * radius**2) for i in range(3))]

    def energy(s):
        v = [radius * x for x in cross(s[0:3], s[3:6])]
        return 0.5 * (mass * dot(v, v) + inertia * dot(s[3:6], s[3:6])) + mass * gravity * l * s[2]

    def wall(s):
        """Normal force and friction: m v' - m g with v = r n x w."""
        d = rate(0, s)
        n, w, dn, dw = s[0:3], s[3:6], d[0:3], d[3:6]
        a, b = cross(dn, w), cross(n, dw)
        f = [mass * (radius * (a[i] + b[i]) - down[i]) for i in range(3)]
        normal = -dot(f, n)
        return normal, sqrt(max(0.0, dot(f, f) - normal**2))

    def sample(s):
        v = [radius * x for x in cross(s[0:3], s[3:6])]
        return [*(l * x for x in s[0:3]), *v, *s[3:6]]

    # From a place of the bowl with a velocity along the wall and a spin about n: w = spin n - n x v/r.
    def start(n, v, spin):
        turn = cross(n, v)
        return [*n, *(spin * n[i] - turn[i] / radius for i in range(3))]

    def follow(s, times, substeps, step):
        states = [s]
        for a, b in zip(times, times[1:]):
            for _ in range(substeps):
                s = step(s, (b - a) / substeps)
            states.append(s)
        return states

    def midpoint(s, h):
        f = rate(0, s)
        for _ in range(12):
            f = rate(0, [x + h / 2 * y for x, y in zip(s, f)])
        return [x + h * y for x, y in zip(s, f)]

    times = grid(0.05, 10)
    for name, n, v, spin in (("bowl", (0.8, 0.0, -0.6), (0.0, 1.2, 0.0), 15.0), ("sphere", (0.96, 0.0, -0.28), (0.7, 3.0, 2.4), 30.0)):
        begin = start(n, v, spin)
        states, coarse = (follow(begin, times, k, lambda s, h: rk4(rate, s, 0, h)) for k in (100, 50))
        e0, kinetic = energy(begin), energy(begin) - mass * gravity * l * n[2]
        print(f"{name}: energy {e0:.10g} J, kinetic at the start {kinetic:.10g} J, w = {[round(x, 6) for x in begin[3:6]]}, height {l * min(s[2] for s in states):.4f} to {l * max(s[2] for s in states):.4f} m")
        forces = [wall(s) for s in states]
        print(f"  normal force {min(f[0] for f in forces):.4f} to {max(f[0] for f in forces):.4f} N, friction up to {max(f[1] / f[0] for f in forces):.4f} of it")
        check("energy", max(abs(energy(s) - e0) for s in states) / kinetic, 1e-10)
        check("spin about the normal", max(abs(dot(s[0:3], s[3:6]) - spin) for s in states) / spin, 1e-10)
        check("distance from the middle", max(abs(sqrt(dot(s[0:3], s[0:3])) - 1) for s in states), 1e-10)
        check("steps of twice the length", max(abs(p - q) for a, b in zip(states, coarse) for p, q in zip(sample(a), sample(b))), 1e-6)
        for h in (2e-3, 1e-3, 5e-4):
            other = follow(begin, times, round(0.05 / h), midpoint)
            worst = [max(abs(p - q) for a, b in zip(states, other) for p, q in zip(sample(a)[k:k + 3], sample(b)[k:k + 3])) for k in (0, 3, 6)]
            print(f"  implicit midpoint rule, 10 s with steps of {h}: {worst[0]:.2e} m, {worst[1]:.2e} m/s, {worst[2]:.2e} rad/s, energy {max(abs(energy(s) - e0) for s in other):.1e} J")
        write_table("ball_in_hollow_sphere", f"reference_{name}.csv", "equations of rolling in a hollow sphere (tools/references/ball_in_bowl.py)",
                    ["time", *("body:ball." + q for q in "x y z vx vy vz wx wy wz".split())], [[t, *sample(s)] for t, s in zip(times, states)])


in_the_plane()
in_space()
