"""A plane beam of elements with constant strain in absolute coordinates, written from the equations alone; used by flexible_pendulum.py and flying_beam.py.

Energy of an element between nodes (x, y, angle): with the mean angle f, the difference d and a = (d/2)/sin(d/2),
W = (h/2) (EA e² + GA g² + EI k²), (1 + e, g) = a R(f)^T (x_b - x_a)/h, k = d/h; 1/GA = 1/(k G A) + h²/(12 EI). Mass: linear interpolation.
"""
from math import cos, sin


def ratio(d):
    """a(d) and its derivative."""
    if abs(d) < 1e-3:
        return 1 + d * d / 24 + 7 * d**4 / 5760, d / 12 + 7 * d**3 / 1440
    s, c = sin(d / 2), cos(d / 2)
    return d / 2 / s, 0.5 / s - d / 4 * c / (s * s)


class PlaneBeam:
    def __init__(self, n, length, ea, ga, ei, line, rotary, pinned):
        """line, rotary: mass and rotary inertia per length; pinned: the first node stays where it is."""
        self.n, self.h, self.ea, self.ei, self.line, self.rotary, self.pinned = n, length / n, ea, ei, line, rotary, pinned
        self.ga = 1 / (1 / ga + self.h**2 / (12 * ei))
        self.move, self.turn = self.tridiagonal(n if pinned else n + 1, line, not pinned), self.tridiagonal(n + 1, rotary, True)

    def tridiagonal(self, size, line, free):
        """Solver of (line h/6) tridiag(1, 4, 1), with 2 instead of 4 at free ends."""
        diagonal = [4.0] * size
        diagonal[-1] = 2.0
        if free:
            diagonal[0] = 2.0
        for i in range(1, size):
            diagonal[i] -= 1 / diagonal[i - 1]
        scale = line * self.h / 6

        def solve(b):
            x = [v / scale for v in b]
            for i in range(1, size):
                x[i] -= x[i - 1] / diagonal[i - 1]
            x[-1] /= diagonal[-1]
            for i in range(size - 2, -1, -1):
                x[i] = (x[i] - x[i + 1]) / diagonal[i]
            return x
        return solve

    def elastic(self, q):
        """Forces on x, y, angle of every node, and the strain energy."""
        n_, h = self.n, self.h
        fx, fy, ft, energy = [0.0] * (n_ + 1), [0.0] * (n_ + 1), [0.0] * (n_ + 1), 0.0
        for i in range(n_):
            dx, dy = q[3 * i + 3] - q[3 * i], q[3 * i + 4] - q[3 * i + 1]
            f, d = (q[3 * i + 2] + q[3 * i + 5]) / 2, q[3 * i + 5] - q[3 * i + 2]
            a, slope = ratio(d)
            c, s = cos(f), sin(f)
            y1, y2 = c * dx + s * dy, -s * dx + c * dy
            n, g, m = self.ea * (a * y1 / h - 1), self.ga * a * y2 / h, self.ei * d / h
            px, py = a * (c * n - s * g), a * (s * n + c * g)
            fx[i] += px
            fy[i] += py
            fx[i + 1] -= px
            fy[i + 1] -= py
            common, other = 0.5 * a * (n * y2 - g * y1), slope * (n * y1 + g * y2) + m
            ft[i] += other - common
            ft[i + 1] -= other + common
            energy += h / 2 * (n * n / self.ea + g * g / self.ga + m * m / self.ei)
        return fx, fy, ft, energy

    def rate(self, y, loads):
        """Rates of places and velocities; loads: x, y, angle of every node."""
        size = 3 * self.n + 3
        fx, fy, ft, _ = self.elastic(y[:size])
        fx, fy, ft = ([a + b for a, b in zip(f, loads[c::3])] for c, f in enumerate((fx, fy, ft)))
        if self.pinned:
            ax, ay = [0.0] + self.move(fx[1:]), [0.0] + self.move(fy[1:])
        else:
            ax, ay = self.move(fx), self.move(fy)
        out = y[size:]
        for a in zip(ax, ay, self.turn(ft)):
            out += a
        return out

    def momentum(self, y):
        """Kinetic energy, momentum, angular momentum about the origin."""
        q, v = y[:3 * self.n + 3], y[3 * self.n + 3:]
        kinetic = px = py = spin = 0.0
        w = self.h / 6
        for i in range(self.n):
            for a, b in ((i, i), (i, i + 1), (i + 1, i), (i + 1, i + 1)):
                m = w * (2 if a == b else 1)
                kinetic += 0.5 * m * (self.line * (v[3 * a] * v[3 * b] + v[3 * a + 1] * v[3 * b + 1]) + self.rotary * v[3 * a + 2] * v[3 * b + 2])
                px, py = px + m * self.line * v[3 * b], py + m * self.line * v[3 * b + 1]
                spin += m * (self.line * (q[3 * a] * v[3 * b + 1] - q[3 * a + 1] * v[3 * b]) + self.rotary * v[3 * b + 2])
        return kinetic, px, py, spin
