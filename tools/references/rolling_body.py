"""A rigid body that rolls without slipping on a horizontal plane, as an ordinary differential equation in body axes. Python alone.

gamma is the upward vertical and rho(gamma) the vector from the mass centre to the contact, both in body axes; the surface is given by rho and its rate.
No slip gives the velocity of the mass centre, V = rho x w, and Newton and Euler, with the force of the plane eliminated,

    I w' - m rho x (rho x w') = -w x I w + rho x (m rho' x w + m w x (rho x w) + m g gamma).

State: quaternion (4), w in body axes (3), x and y of the mass centre. z up, angles in rad, SI units.
"""
from math import sqrt

from plain import rk4


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turned(q, a):
    """Vector a of body axes, in space."""
    u = q[1:4]
    t = [2 * x for x in cross(u, a)]
    c = cross(u, t)
    return [a[i] + q[0] * t[i] + c[i] for i in range(3)]


def turned_back(q, a):
    return turned([q[0], -q[1], -q[2], -q[3]], a)


def product(p, q):
    c = cross(p[1:4], q[1:4])
    return [p[0] * q[0] - dot(p[1:4], q[1:4]), *(p[0] * q[i + 1] + q[0] * p[i + 1] + c[i] for i in range(3))]


def solve3(a, b):
    """Cramer's rule; a is a list of columns."""
    det = dot(a[0], cross(a[1], a[2]))
    return [dot(b, cross(a[1], a[2])) / det, dot(a[0], cross(b, a[2])) / det, dot(a[0], cross(a[1], b)) / det]


class Sphere:
    """A sphere whose middle lies at `centre` from the mass centre."""

    def __init__(self, radius, centre=(0.0, 0.0, 0.0)):
        self.radius, self.centre = radius, centre

    def contact(self, gamma, rate):
        return [c - self.radius * g for c, g in zip(self.centre, gamma)], [-self.radius * g for g in rate]


class Ellipsoid:
    """An ellipsoid with the half axes `half` along the axes of the body, whose middle lies at `centre` from the mass centre.

    The plane touches where its normal points down: rho = centre - S gamma/sqrt(gamma.S gamma), S = diag(half^2).
    """

    def __init__(self, half, centre=(0.0, 0.0, 0.0)):
        self.centre, self.squares = centre, [x * x for x in half]

    def contact(self, gamma, rate):
        s = self.squares
        size = sqrt(sum(s[i] * gamma[i] ** 2 for i in range(3)))
        change = sum(s[i] * gamma[i] * rate[i] for i in range(3)) / size**2
        from_middle = [-s[i] * gamma[i] / size for i in range(3)]
        speed = [-s[i] * rate[i] / size - change * from_middle[i] for i in range(3)]
        return [c + x for c, x in zip(self.centre, from_middle)], speed


class RollingBody:
    def __init__(self, mass, inertia, gravity, surface):
        self.mass, self.inertia, self.gravity, self.surface = mass, inertia, gravity, surface

    def momentum(self, w):
        """inertia: three principal values, or the rows of a symmetric matrix."""
        if isinstance(self.inertia[0], (int, float)):
            return [i * x for i, x in zip(self.inertia, w)]
        return [dot(row, w) for row in self.inertia]

    def at(self, s):
        """gamma, w, rho, rho'."""
        w = s[4:7]
        gamma = turned_back(s[0:4], [0, 0, 1])
        rho, speed = self.surface.contact(gamma, cross(gamma, w))
        return gamma, w, rho, speed

    def acceleration(self, s):
        gamma, w, rho, speed = self.at(s)
        m = self.mass
        slide = cross(speed, w)
        turn = cross(w, cross(rho, w))
        push = cross(rho, [m * (slide[i] + turn[i] + self.gravity * gamma[i]) for i in range(3)])
        gyro = cross(w, self.momentum(w))
        columns = []
        for e in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]):
            lever = cross(rho, cross(rho, e))
            own = self.momentum(e)
            columns.append([own[i] - m * lever[i] for i in range(3)])
        return solve3(columns, [push[i] - gyro[i] for i in range(3)])

    def rate(self, t, s):
        gamma, w, rho, _ = self.at(s)
        v = turned(s[0:4], cross(rho, w))
        return [*(0.5 * x for x in product(s[0:4], [0.0, *w])), *self.acceleration(s), v[0], v[1]]

    def energy(self, s):
        gamma, w, rho, _ = self.at(s)
        v = cross(rho, w)
        return 0.5 * (dot(w, self.momentum(w)) + self.mass * dot(v, v)) - self.mass * self.gravity * dot(rho, gamma)

    def force(self, s):
        """Normal force and friction of the plane."""
        gamma, w, rho, speed = self.at(s)
        a = self.acceleration(s)
        v = cross(rho, w)
        parts = zip(cross(speed, w), cross(rho, a), cross(w, v), gamma)
        f = [self.mass * (p + q + r + self.gravity * g) for p, q, r, g in parts]
        normal = dot(f, gamma)
        return normal, sqrt(max(0.0, dot(f, f) - normal**2))

    def sample(self, s):
        """As Carom names them: x y z, vx vy vz, wx wy wz, lx ly lz."""
        gamma, w, rho, _ = self.at(s)
        q = s[0:4]
        return [s[7], s[8], -dot(rho, gamma), *turned(q, cross(rho, w)), *turned(q, w), *turned(q, self.momentum(w))]


QUANTITIES = "x y z vx vy vz wx wy wz lx ly lz".split()


def normalised(s):
    size = sqrt(sum(x * x for x in s[0:4]))
    return [*(x / size for x in s[0:4]), *s[4:]]


def follow(body, s, times, substeps):
    """States at the times, by the classical Runge-Kutta method."""
    states = [normalised(s)]
    for a, b in zip(times, times[1:]):
        s = states[-1]
        for _ in range(substeps):
            s = normalised(rk4(body.rate, s, 0, (b - a) / substeps))
        states.append(s)
    return states


def midpoint(body, s, times, substeps):
    """The same by the implicit midpoint rule: what a scheme of second order makes of it, for the limits of a case."""
    states = [normalised(s)]
    for a, b in zip(times, times[1:]):
        s, h = states[-1], (b - a) / substeps
        for _ in range(substeps):
            k = body.rate(0, s)
            for _ in range(12):
                k = body.rate(0, [x + 0.5 * h * y for x, y in zip(s, k)])
            s = normalised([x + h * y for x, y in zip(s, k)])
        states.append(s)
    return states


def largest_difference(body, a, b):
    """Largest difference of each quantity of `sample` over the states."""
    rows = [(body.sample(p), body.sample(q)) for p, q in zip(a, b)]
    return [max(abs(p[i] - q[i]) for p, q in rows) for i in range(len(QUANTITIES))]


def print_midpoint_errors(body, begin, times, states, steps):
    """What the implicit midpoint rule makes of the motion with these steps, against the states at the times."""
    energy = body.energy(begin)
    for h in steps:
        other = midpoint(body, begin, times, round((times[1] - times[0]) / h))
        errors = largest_difference(body, states, other)
        print(f"  implicit midpoint rule, step {h}: " + ", ".join(f"{q} {max(errors[k:k + 3]):.1e}" for q, k in (("place", 0), ("speed", 3), ("angular velocity", 6), ("angular momentum", 9)))
              + f", energy {max(abs(body.energy(s) - energy) for s in other):.1e} J")
