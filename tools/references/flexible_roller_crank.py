"""Roller-crank with a flexible rod in minimal coordinates: angles of crank, chord of the rod and roller, and sine modes of the rod about its chord.

The rod is pinned at both ends and does not stretch, so that its deflection w(x, t) = sum q_k sin(k pi x/L) does not move the ends. Shear enters by the stiffness of a mode, rotary inertia by its mass.
The normal force is the multiplier of the roller's height; friction and rolling resistance are Coulomb's, slipping or sticking, turning or locked. Without modes the rod is rigid.
"""
from cmath import log
from math import asin, cos, pi, sin, sqrt

from plain import bisect, check, rk4, write_table

CRANK, ROD, RADIUS, GRAVITY, MU, RESISTANCE = 0.1, 0.3, 0.05, 9.8, 0.1, 0.01
CRANK_MASS, CRANK_INERTIA, ROLLER_MASS, ROLLER_INERTIA = 0.12, 0.002, 0.1, 0.001
AREA, INERTIA, YOUNG, POISSON, DENSITY = 1.1323e-4, 1.0685e-9, 4.14e9, 0.3, 7850


def solve_linear(matrix, columns):
    n = len(matrix)
    rows = [list(matrix[i]) + [c[i] for c in columns] for i in range(n)]
    for i in range(n):                                   # positive definite: no pivoting
        for j in range(i + 1, n):
            f = rows[j][i] / rows[i][i]
            if f:
                rows[j] = [a - f * b for a, b in zip(rows[j], rows[i])]
    answer = []
    for c in range(n, n + len(columns)):
        x = [0.0] * n
        for i in reversed(range(n)):
            x[i] = (rows[i][c] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
        answer.append(x)
    return answer


class Mechanism:
    """Coordinates a (crank), g (chord), q (modes), b (roller); b is apart, because only contact turns the roller."""

    def __init__(self, modes):
        self.modes = modes
        if modes:
            self.mass = DENSITY * AREA * ROD
            self.second = self.mass * ROD**2 / 3 + DENSITY * INERTIA * ROD        # about the crank pin
        else:
            self.mass, self.second = 0.3, 0.3 * (ROD / 2) ** 2 + 0.002
        wave = [k * pi / ROD for k in range(1, modes + 1)]
        shear = 5 / 6 * YOUNG / (2 * (1 + POISSON)) * AREA
        self.first = [self.mass * (1 - cos(k * pi)) / (k * pi) for k in range(1, modes + 1)]
        self.moment = [-self.mass * ROD * cos(k * pi) / (k * pi) for k in range(1, modes + 1)]
        self.modal = [self.mass / 2 + DENSITY * INERTIA * w * w * ROD / 2 for w in wave]
        self.stiffness = [YOUNG * INERTIA * w**4 * ROD / 2 / (1 + YOUNG * INERTIA * w * w / shear) for w in wave]

    def split(self, y):
        n = self.modes
        return y[0], y[1], y[2:2 + n], y[2 + n], y[3 + n], y[4 + n], y[5 + n:5 + 2 * n], y[5 + 2 * n]

    def slip(self, y):
        a, g, _, _, da, dg, _, db = self.split(y)
        return -CRANK * sin(a) * da - ROD * sin(g) * dg + RADIUS * db

    def inertia(self, a, g, q):
        n, d = self.modes, a - g
        bow = sum(s * x for s, x in zip(self.first, q))
        m = [[0.0] * (n + 2) for _ in range(n + 2)]
        m[0][0] = CRANK_INERTIA + CRANK_MASS * CRANK**2 / 4 + (self.mass + ROLLER_MASS) * CRANK**2
        m[0][1] = m[1][0] = CRANK * (cos(d) * (self.mass * ROD / 2 + ROLLER_MASS * ROD) + sin(d) * bow)
        m[1][1] = self.second + self.mass / 2 * sum(x * x for x in q) + ROLLER_MASS * ROD**2
        for k in range(n):
            m[0][k + 2] = m[k + 2][0] = CRANK * cos(d) * self.first[k]
            m[1][k + 2] = m[k + 2][1] = self.moment[k]
            m[k + 2][k + 2] = self.modal[k]
        return m, bow

    def height(self, y):
        return CRANK * sin(y[0]) + ROD * sin(y[1])

    def contact(self, y, slips, turns):
        """Accelerations, roller's angular acceleration, friction, normal force, rolling torque; slips and turns are the signs, 0 where it sticks or is locked. In flight slips is None."""
        a, g, q, _, da, dg, dq, _ = self.split(y)
        n, d = self.modes, a - g
        m, bow = self.inertia(a, g, q)
        flow = sum(s * x for s, x in zip(self.first, dq))
        lever = self.mass * ROD / 2 + ROLLER_MASS * ROD
        force = [0.0] * (n + 2)
        force[0] = -GRAVITY * CRANK * cos(a) * (CRANK_MASS / 2 + self.mass + ROLLER_MASS) - CRANK * (sin(d) * (lever * dg * dg + 2 * dg * flow) - cos(d) * dg * dg * bow)
        force[1] = -GRAVITY * (lever * cos(g) - sin(g) * bow) + CRANK * da * da * (sin(d) * lever - cos(d) * bow) - dg * self.mass * sum(x * v for x, v in zip(q, dq))
        for k in range(n):
            force[k + 2] = -GRAVITY * cos(g) * self.first[k] - self.stiffness[k] * q[k] + CRANK * da * da * sin(d) * self.first[k] + dg * dg * self.mass / 2 * q[k]
        up = [CRANK * cos(a), ROD * cos(g)] + [0.0] * n
        along = [-CRANK * sin(a), -ROD * sin(g)] + [0.0] * n
        free, push, pull = solve_linear(m, [force, up, along])
        if slips is None:
            return free, 0.0, 0.0, 0.0, 0.0
        dot = lambda u, v: u[0] * v[0] + u[1] * v[1]
        y0 = dot(up, free) - CRANK * da * da * sin(a) - ROD * dg * dg * sin(g)
        x0 = dot(along, free) - CRANK * da * da * cos(a) - ROD * dg * dg * cos(g)
        yn, yf, xf = dot(up, push), dot(up, pull), dot(along, pull)
        if slips:
            normal = -y0 / (yn - MU * slips * yf)
            friction = -MU * slips * normal
        else:                                   # yn N + yf F = -y0, (yf + spin_n) N + (xf + spin_f) F = -x0
            spin_n, spin_f = (-RADIUS * RESISTANCE * turns / ROLLER_INERTIA, RADIUS**2 / ROLLER_INERTIA) if turns else (0.0, 0.0)
            det = yn * (xf + spin_f) - yf * (yf + spin_n)
            normal = (-y0 * (xf + spin_f) + x0 * yf) / det
            friction = (-x0 * yn + y0 * (yf + spin_n)) / det
        torque = -RESISTANCE * turns * normal if turns else -RADIUS * friction
        return [f + normal * p + friction * l for f, p, l in zip(free, push, pull)], (RADIUS * friction + torque) / ROLLER_INERTIA, friction, normal, torque

    def energy(self, y):
        a, g, q, _, da, dg, dq, db = self.split(y)
        m, bow = self.inertia(a, g, q)
        v = [da, dg, *dq]
        kinetic = 0.5 * sum(v[i] * m[i][j] * v[j] for i in range(len(v)) for j in range(len(v))) + 0.5 * ROLLER_INERTIA * db * db
        height = CRANK * sin(a) * (CRANK_MASS / 2 + self.mass + ROLLER_MASS) + sin(g) * (self.mass / 2 + ROLLER_MASS) * ROD + cos(g) * bow
        return kinetic + GRAVITY * height + 0.5 * sum(k * x * x for k, x in zip(self.stiffness, q))

    def mode_of(self, y, slips, turns):
        """What the roller does from here on: the signs that contradict nothing, the given ones kept where they are not zero."""
        for s, t in ((slips, turns), (0, turns), (1, turns), (-1, turns), (slips, 1), (slips, -1), (0, 1), (0, -1)):
            if (slips and s != slips) or (turns and t != turns):
                continue
            acceleration, spin, friction, normal, torque = self.contact(y, s, t)
            a, g, _, _, da, dg, _, _ = self.split(y)
            creep = -CRANK * (sin(a) * acceleration[0] + cos(a) * da * da) - ROD * (sin(g) * acceleration[1] + cos(g) * dg * dg) + RADIUS * spin
            fits = (slips or (abs(friction) <= MU * normal if s == 0 else creep * s > 0)) and (turns or (abs(torque) <= RESISTANCE * normal if t == 0 else spin * t > 0))
            if fits:
                return s, t
        raise SystemExit("no state of the contact fits")

    def run(self, step, end, interval, speed=4.0):
        """Samples up to the end, or to the landing after the first flight."""
        n = self.modes
        y = [pi / 2, -asin(CRANK / ROD), *[0.0] * n, 0.0, speed, 0.0, *[0.0] * n, 2 * speed]
        slips, turns = self.mode_of(y, 0, 1)
        first, lost, samples, changes, every = self.energy(y), 0.0, [], [(0.0, slips, turns)], round(interval / step)

        def rate(_, z):
            acceleration, spin, friction, normal, torque = self.contact(z, slips, turns)
            return [z[3 + n], z[4 + n], *z[5 + n:5 + 2 * n], z[5 + 2 * n], *acceleration, spin, friction * self.slip(z) + torque * z[5 + 2 * n]]

        for k in range(round(end / step) + 1):
            if slips is not None and (not slips or not turns):
                new = self.mode_of(y, slips, turns)
                if new != (slips, turns):
                    slips, turns = new
                    changes.append((k * step, slips, turns))
            if k % every == 0:
                _, spin, _, normal, _ = self.contact(y, slips, turns)
                samples.append([k * step, y[0], CRANK * cos(y[0]) + ROD * cos(y[1]), y[3 + n], y[5 + 2 * n], spin, normal, 0.5 * sum(c * q * q for c, q in zip(self.stiffness, y[2:2 + n])), self.height(y)])
            left = step
            while left > 0:
                z = rk4(rate, y + [lost], 0, left)
                if slips is None:
                    if self.height(z) < 0:
                        h = bisect(lambda h: self.height(rk4(rate, y + [lost], 0, h)), 0, left)
                        changes.append(((k + 1) * step - left + h, "lands", ""))
                        z = rk4(rate, y + [lost], 0, h)
                        return samples, changes, self.energy(z[:-1]) - first - z[-1]
                    break
                if self.contact(z[:-1], slips, turns)[3] < 0:        # the step in which the floor would pull; crossings of the slip in it are not looked for
                    h = bisect(lambda h: self.contact(rk4(rate, y + [lost], 0, h)[:-1], slips, turns)[3], 0, left)
                    z = rk4(rate, y + [lost], 0, h)
                    y, lost, left, slips = z[:-1], z[-1], left - h, None
                    changes.append(((k + 1) * step - left, "lifts off", ""))
                    continue
                crossings = [f for f, sign in ((self.slip, slips), (lambda w: w[5 + 2 * n], turns)) if sign and f(z) * sign < 0]
                if not crossings:
                    break
                h, f = min((bisect(lambda h, f=f: f(rk4(rate, y + [lost], 0, h)), 0, left), i) for i, f in enumerate(crossings))
                z = rk4(rate, y + [lost], 0, h)
                if crossings[f] == self.slip:
                    slips = 0
                else:
                    turns, z[5 + 2 * n] = 0, 0.0
                y, lost, left = z[:-1], z[-1], left - h
                slips, turns = self.mode_of(y, slips, turns)
                changes.append(((k + 1) * step - left, slips, turns))
            y, lost = z[:-1], z[-1]
        return samples, changes, self.energy(y) - first - lost


def generalized_alpha(omega, step):
    """Damping ratio and relative error of the frequency of u'' = -omega^2 u by generalized-alpha with spectral radius 0: its root next to exp(i omega h)."""
    z, beta, gamma, mean = omega * step, 1.0, 1.5, -1.0

    def residual(r):                            # u, h v and h^2 a, all proportional to r^n
        a = -z * z * r / ((1 - mean) * r + mean)
        v = a * ((1 - gamma) + gamma * r) / (r - 1)
        return (r - 1) - v - a * ((0.5 - beta) + beta * r)

    r = complex(cos(z), sin(z))
    for _ in range(50):
        r -= residual(r) * 2e-7 / (residual(r + 1e-7) - residual(r - 1e-7))
    return -(log(r) / z).real, (log(r) / z).imag - 1


if __name__ == "__main__":
    header = ["time", "body:crank.angle", "body:roller.x", "body:crank.omega", "body:roller.omega", "body:roller.alpha", "contact:floor.closed_force", "beam:rod.strain_energy"]
    for modes, end, step, interval in ((0, 0.75, 1e-4, 0.01), (8, 0.4, 2.5e-5, 0.002)):
        mechanism = Mechanism(modes)
        samples, changes, residual = mechanism.run(step, end, interval)
        coarse, _, _ = mechanism.run(2 * step, end, interval)
        print(modes, "modes; changes (time, sign of slip, sign of turning):", *(f"{t:.4f} ({s}, {b})" for t, s, b in changes))
        print("  normal force", min(s[6] for s in samples), "...", max(s[6] for s in samples))
        check("energy", residual, 1e-9)
        check("steps twice as long", max(abs(p - q) for a, b in zip(samples, coarse) for p, q in zip(a[:5], b[:5])), 1e-4)
        # Accelerations and forces jump where slip or turning changes: samples near those instants are left out.
        far = lambda t: t > 0 and (modes > 0 or all(abs(t - c) > 0.012 for c, _, _ in changes))
        write_table("flexible_roller_crank", "flexible.csv" if modes else "reference.csv", "minimal coordinates with Coulomb's friction and rolling resistance" + (", rod by sine modes" if modes else ", rigid rod") + "; tools/references/flexible_roller_crank.py",
                    header if modes else header[:-1], [s[:8] if modes else s[:7] for s in samples if far(s[0])])
    fast, changes, residual = mechanism.run(2.5e-5, 0.4, 0.001, 16.0)
    print("four times as fast:", *(f"{t:.5f} ({s}, {b})" for t, s, b in changes), "height", max(s[8] for s in fast))
    check("energy", residual, 1e-8)
    coarse, _, _ = mechanism.run(5e-5, 0.4, 0.001, 16.0)
    check("steps twice as long, height", max(abs(a[8] - b[8]) for a, b in zip(fast, coarse)), 2e-6)
    flight = [s for s in fast if changes[-2][0] + 1e-3 < s[0] < changes[-1][0] - 1e-3]
    write_table("flexible_roller_crank", "fast.csv", "as flexible.csv, crank with 16 rad/s, during the flight", [header[0], header[2], "contact:floor.gap", "body:roller.omega", "body:roller.alpha"], [[s[0], s[2], s[8], s[4], s[5]] for s in flight])
    fewer, _, _ = Mechanism(4).run(5e-5, 0.4, 0.002)
    print("  4 modes instead of 8:", *(f"{name} {max(abs(a[i] - b[i]) for a, b in zip(samples, fewer)):.1e}" for i, name in enumerate(header) if i))
    omega = sqrt(mechanism.stiffness[0] / mechanism.modal[0])
    print(f"  first mode {omega:.2f} rad/s")
    for h in (1e-3, 1e-4):
        print("  step", h, "damping ratio and detuning of the first mode", *("%.2e" % x for x in generalized_alpha(omega, h)), "of the third", *("%.2e" % x for x in generalized_alpha(9 * omega, h)))
    print("  detuning by 8 and 64 elements, linear mass", *("%.2e" % (sqrt(3 / (2 + cos(pi / n))) - 1) for n in (8, 64)))
