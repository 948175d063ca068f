"""Generalized-alpha for a ball on the wall of a round bowl: what a scheme of second order makes of ball_in_bowl.py, for the limits of its cases.

In the coordinates of the ball, place and quaternion, with the angular velocity in body axes, as is usual for rotations: there the axes turn with the ball, ten times faster than it goes round in the bowl,
and the error grows with the square of that. The wall is a constraint on the velocities of the end of a step, and the place is put back on it. No impulses.
"""
from math import cos, sin, sqrt

from rolling_body import cross, dot, product, solve3, turned, turned_back

gravity, mass, radius, l = 9.81, 0.2, 0.05, 0.45
DOWN = (0.0, 0.0, -gravity)
AXES = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])


def exponential(a):
    """Quaternion of the rotation vector a."""
    angle = sqrt(dot(a, a))
    return [cos(angle / 2), *((sin(angle / 2) / angle if angle > 0 else 0.5) * x for x in a)]


def add(*terms):
    """Sum of factor times vector."""
    return [sum(f * x[i] for f, x in terms) for i in range(3)]


class Scheme:
    """The ball at x (from the middle of the bowl) with the quaternion q, v, and w in body axes; the wall allows no normal velocity and, with friction, no slip."""

    def __init__(self, inertia, friction, h, rho=0.8):
        self.inertia, self.friction, self.h = inertia, friction, h
        self.am, self.af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2

    def answer(self, n, wanted):
        """Force of the wall that gives the contact the acceleration `wanted`: all of it with friction, its normal part without."""
        if not self.friction:
            return add((mass * dot(n, wanted), n))
        columns = [add((1 / mass, e), (radius**2 / self.inertia, cross(cross(n, e), n))) for e in AXES]
        return solve3(columns, wanted)

    def rates(self, n, force):
        return add((1, DOWN), (1 / mass, force)), add((radius / self.inertia, cross(n, force)))

    def start(self, n, v, w):
        # The contact keeps its velocity: v' + w' x r n + w x r n' = 0, n' = v/l; without friction n.v' = -n'.v. Body axes are those of space.
        turning = cross(w, v) if self.friction else add((dot(v, v) / radius, n))
        self.x, self.q, self.v, self.w, self.n = add((l, n)), [1.0, 0.0, 0.0, 0.0], list(v), list(w), list(n)
        self.dv, self.dw = self.rates(n, self.answer(n, add((-1, DOWN), (-radius / l, turning))))
        self.a, self.b = self.dv, self.dw

    def step(self):
        h, c, n, q, b = self.h, (1 - self.af) / (1 - self.am), self.n, self.q, self.b
        a0 = add((self.af / (1 - self.am), self.dv), (-self.am / (1 - self.am), self.a))
        b0 = add((self.af / (1 - self.am), self.dw), (-self.am / (1 - self.am), self.b))
        v0 = add((1, self.v), (h * (1 - self.gamma), self.a), (h * self.gamma, a0), (h * self.gamma * c, DOWN))
        w0 = add((1, self.w), (h * (1 - self.gamma), self.b), (h * self.gamma, b0))
        for _ in range(10):
            q = product(self.q, exponential(add((h, self.w), (h * h * (0.5 - self.beta), self.b), (h * h * self.beta, b))))
            slip = add((1, v0), (radius, cross(turned(q, w0), n)))
            dv, turn = self.rates(n, self.answer(n, add((-1 / (h * self.gamma * c), slip))))
            dw = turned_back(q, turn)
            a, b = add((1, a0), (c, dv)), add((1, b0), (c, dw))
            x = add((1, self.x), (h, self.v), (h * h * (0.5 - self.beta), self.a), (h * h * self.beta, a))
            n = add((1 / sqrt(dot(x, x)), x))
        self.v = add((1, self.v), (h * (1 - self.gamma), self.a), (h * self.gamma, a))
        self.w = add((1, self.w), (h * (1 - self.gamma), self.b), (h * self.gamma, b))
        self.x, self.q, self.n, self.a, self.b, self.dv, self.dw = add((l, n)), q, n, a, b, dv, dw

    def energy(self):
        return 0.5 * (mass * dot(self.v, self.v) + self.inertia * dot(self.w, self.w)) + mass * gravity * self.x[2]


def scheme_errors(inertia, friction, start, h, interval, samples):
    """Largest errors of place, speed, angular velocity and energy, as a line; `samples` (x, v, w) follow each other by `interval`, from the start on."""
    scheme = Scheme(inertia, friction, h)
    scheme.start(*start)
    worst, first = [0.0] * 4, scheme.energy()
    for sample in samples[1:]:
        for _ in range(round(interval / h)):
            scheme.step()
        found = (*scheme.x, *scheme.v, *turned(scheme.q, scheme.w))
        for k in range(3):
            worst[k] = max(worst[k], *(abs(p - q) for p, q in zip(found[3 * k:3 * k + 3], sample[3 * k:3 * k + 3])))
        worst[3] = max(worst[3], abs(scheme.energy() - first))
    return f"  generalized-alpha, steps of {h}: {worst[0]:.2e} m, {worst[1]:.2e} m/s, {worst[2]:.2e} rad/s, {worst[3]:.1e} J"
