"""References of flexible_clearance and flexible_clearance_fine. Crank 50 mm, rod 120 mm, slider 0.14 kg, 5000 rpm.

1. Rigid mechanism without play, in closed form: velocity of the slider, size of the force of its pin, its impulse over 0.6 ms; and no gap.
2. Crank and rod of four plane beam elements each, with the journal of the rod always on the wall of the bearing (0.05 mm): nodes in absolute coordinates, the
   contact as a constraint of the distance of the two centres whose multiplier is the contact force, by the classical Runge-Kutta method. No step of it knows of impacts.
"""
from math import asin, cos, pi, sin, sqrt
import sys

from plain import check, grid, rk4, write_table
from plane_beam import ratio

R, L, MASS, W, PLAY, TURN = 0.05, 0.12, 0.14, 500 * pi / 3, 5e-5, 0.012
E, G, RHO, ELEMENTS = 210e9, 210e9 / 2.6, 7850.0, 4
SECTIONS = ((R, 7.6433e-4, 4.868e-8), (L, 2.2293e-4, 4.1415e-9))


def rigid(t):
    """Velocity and acceleration of the slider."""
    s, c = R * sin(W * t), R * cos(W * t)
    root = sqrt(L * L - s * s)
    return -W * s - W * s * c / root, -W * W * c - W * W * ((c * c - s * s) / root + (s * c) ** 2 / root**3)


def ideal_force(t):
    """Size of the force of the pin of the rigid mechanism: slider along the guide, the rod about the crank pin across it."""
    fx, (a_x, a_y) = MASS * rigid(t)[1], (-W * W * R * cos(W * t), -W * W * R * sin(W * t))
    angle = lambda t: -asin(R / L * sin(W * t))
    step = 1e-5
    alpha = (angle(t + step) - 2 * angle(t) + angle(t - step)) / step**2
    mass, inertia = RHO * SECTIONS[1][1] * L, RHO * SECTIONS[1][2] * L
    x, y = L * cos(angle(t)), L * sin(angle(t))
    fy = (y * fx - (mass * L * L / 3 + inertia) * alpha - mass / 2 * (x * a_y - y * a_x)) / x
    return sqrt(fx * fx + fy * fy)


class Chain:
    """Solver of a tridiagonal mass matrix that is made of elements (m/6) [[2, 1], [1, 2]]; a fixed first node has no row."""

    def __init__(self, masses, fixed):
        size = len(masses) + 1
        diagonal, side = [0.0] * size, [m / 6 for m in masses]
        for i, m in enumerate(masses):
            diagonal[i] += m / 3
            diagonal[i + 1] += m / 3
        if fixed:
            diagonal, side = diagonal[1:], side[1:]
        self.side, self.factor = side, []
        for i in range(1, len(diagonal)):
            self.factor.append(side[i - 1] / diagonal[i - 1])
            diagonal[i] -= self.factor[-1] * side[i - 1]
        self.diagonal = diagonal

    def solve(self, b):
        x = list(b)
        for i, f in enumerate(self.factor):
            x[i + 1] -= f * x[i]
        x[-1] /= self.diagonal[-1]
        for i in range(len(x) - 2, -1, -1):
            x[i] = (x[i] - self.side[i] * x[i + 1]) / self.diagonal[i]
        return x


class Mechanism:
    """State: x of nodes 1 … 8 (crank, then rod), y of them, angles of the crank's nodes 1 … 4 and the rod's 0 … 4, x of the slider; then their rates."""

    def __init__(self, damping_ratio, touches=True):
        self.parts, self.touches = [], touches
        for length, area, inertia in SECTIONS:
            h = length / ELEMENTS
            ga = 1 / (1 / (5 / 6 * G * area) + h * h / (12 * E * inertia))
            first = (pi / length) ** 2 * sqrt(E * inertia / (RHO * area))
            self.parts.append((h, E * area, ga, E * inertia, 2 * damping_ratio / first))
        masses = [RHO * area * length / ELEMENTS for length, area, _ in SECTIONS]
        rotary = [RHO * inertia * length / ELEMENTS for length, _, inertia in SECTIONS]
        self.move = Chain([masses[0]] * ELEMENTS + [masses[1]] * ELEMENTS, True)
        self.turns = Chain([rotary[0]] * ELEMENTS, True), Chain([rotary[1]] * ELEMENTS, False)
        self.column = self.move.solve([0.0] * 7 + [1.0])              # accelerations of the nodes by a unit force on the last

    def start(self):
        """Aligned and without strain, the journal on the outer wall."""
        x = [R * k / 4 for k in range(1, 5)] + [R + L * k / 4 for k in range(1, 5)]
        vy = [W * R * k / 4 for k in range(1, 5)] + [W * R * (1 - k / 4) for k in range(1, 5)]
        spin = [W] * 4 + [-W * R / L] * 5
        return x + [0.0] * 8 + [0.0] * 9 + [R + L + PLAY] + [0.0] * 8 + vy + spin + [0.0]

    def force(self, t, y):
        """Rates of the state, and the contact force."""
        q, v = y[:26], y[26:]
        x, yy, vx, vy = [0.0] + q[:8], [0.0] + q[8:16], [0.0] + v[:8], [0.0] + v[8:16]
        angle = ([W * t] + q[16:20], q[20:25])
        spin = ([W] + v[16:20], v[20:25])
        fx, fy, ft = [0.0] * 9, [0.0] * 9, ([0.0] * 5, [0.0] * 5)
        for part, (h, ea, ga, ei, beta) in enumerate(self.parts):
            a_, w_, m_ = angle[part], spin[part], ft[part]
            for k in range(ELEMENTS):
                i = 4 * part + k
                dx, dy, ux, uy = x[i + 1] - x[i], yy[i + 1] - yy[i], vx[i + 1] - vx[i], vy[i + 1] - vy[i]
                d, dd, w = a_[k + 1] - a_[k], w_[k + 1] - w_[k], (w_[k] + w_[k + 1]) / 2
                a, slope = ratio(d)
                f = (a_[k] + a_[k + 1]) / 2
                c, s = cos(f), sin(f)
                y1, y2 = c * dx + s * dy, c * dy - s * dx
                z1, z2 = c * ux + s * uy + w * y2, c * uy - s * ux - w * y1       # rates of y1, y2
                n = ea * (a * y1 / h - 1 + beta * (a * z1 + slope * dd * y1) / h)
                g = ga * (a * y2 + beta * (a * z2 + slope * dd * y2)) / h
                m = ei * (d + beta * dd) / h
                px, py = a * (c * n - s * g), a * (s * n + c * g)
                fx[i] += px
                fy[i] += py
                fx[i + 1] -= px
                fy[i + 1] -= py
                common, other = 0.5 * a * (n * y2 - g * y1), slope * (n * y1 + g * y2) + m
                m_[k] += other - common
                m_[k + 1] -= other + common
        ax, ay = self.move.solve(fx[1:]), self.move.solve(fy[1:])
        turn = self.turns[0].solve(ft[0][1:]) + self.turns[1].solve(ft[1])
        # Distance of the centres: d.d'' + d'.d' = 0. The contact pulls the journal towards the slider, and the slider back.
        dx, dy, ux, uy = q[25] - q[7], -q[15], v[25] - v[7], -v[15]
        size = sqrt(dx * dx + dy * dy)
        nx, ny = (dx / size, dy / size) if size > 0 else (1.0, 0.0)
        self.inverse_mass = nx * nx / MASS + self.column[7]
        load = ((ux * ux + uy * uy) / size - nx * ax[7] - ny * ay[7]) / self.inverse_mass if self.touches else 0.0
        ax = [a + load * nx * b for a, b in zip(ax, self.column)]
        ay = [a + load * ny * b for a, b in zip(ay, self.column)]
        return v + ax + ay + turn + [-load * nx / MASS], load, size

    def run(self, times, substeps):
        y, out = self.start(), []
        for a, b in zip(times, times[1:] + [None]):
            out.append((*self.force(a, y)[1:], y[25], y[51]))
            if b:
                h = (b - a) / substeps
                for k in range(substeps):
                    y = rk4(lambda t, z: self.force(t, z)[0], y, a + k * h, h)
        return out


if __name__ == "__main__":
    d = 1e-6
    check("acceleration of the rigid mechanism", ((rigid(1e-3 + d)[0] - rigid(1e-3 - d)[0]) / (2 * d) - rigid(1e-3)[1]) / rigid(1e-3)[1], 1e-7)
    check("force at the dead centre, 2719 N", MASS * -rigid(0)[1] / 2719 - 1, 1e-3)

    print(f"  force of the ideal joint: {min(ideal_force(t) for t in grid(1e-5, TURN)):.1f} ... {max(ideal_force(t) for t in grid(1e-5, TURN)):.1f} N")
    ideal = "rigid mechanism without play, closed form; tools/references/flexible_clearance.py"
    shown = [t for t in grid(2e-5, 8 * TURN) if t > 6 * TURN - 1e-9]
    rows = [[t, rigid(t)[0], ideal_force(t), 0.0] for t in shown]
    for case in ("flexible_clearance", "flexible_clearance_fine"):
        write_table(case, "reference.csv", ideal, ["time", "body:slider.vx", "joint:pin.closed_force", "joint:pin.gap"], rows)
    write_table("flexible_clearance", "mean.csv", ideal, ["time", "joint:pin.ix"],
                [[t, MASS * (rigid(t)[0] - rigid(t - 6e-4)[0])] for t in grid(6e-4, 8 * TURN) if t > 6 * TURN + 1e-9])

    if "rigid" not in sys.argv:
        mechanism = Mechanism(0.04)
        times = grid(1e-5, 3 * TURN)
        fine, coarse = mechanism.run(times, 20), mechanism.run(times, 10)
        third = range(2400, 3601)
        check("error of the finer steps in force, by Richardson", max(abs(fine[i][0] - coarse[i][0]) for i in third) / 15 / 2719, 1e-5)
        check("drift of the distance of the centres", max(abs(row[1] / PLAY - 1) for row in fine), 1e-5)
        check("the third turn repeats the second", max(abs(fine[i][0] - fine[i - 1200][0]) for i in third) / 2719, 1e-3)
        check("mean force of a turn against that of the ideal joint", sum(fine[i][0] for i in third[1:]) / sum(ideal_force(times[i]) for i in third[1:]) - 1, 0.02)
        print(f"  force in the third turn: {min(fine[i][0] for i in third):.1f} ... {max(fine[i][0] for i in third):.1f} N")
        rows = [[times[i], fine[i][0], fine[i][2], fine[i][3]] for i in third]
        for case in ("flexible_clearance", "flexible_clearance_fine"):
            write_table(case, "damped.csv", "plane beams with the journal on the wall of its bearing, Runge-Kutta; tools/references/flexible_clearance.py",
                        ["time", "joint:pin.closed_force", "body:slider.x", "body:slider.vx"], rows)
