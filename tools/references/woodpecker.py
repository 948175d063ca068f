"""The woodpecker toy: a bird on a torsion spring pecks its way down a pole. Event-driven, with the impacts and the friction as complementarity problems.

Data: Ch. Glocker, Dynamik von Starrkoerpersystemen mit Reibung und Stoessen, VDI-Verlag 1995; R. I. Leine, Ch. Glocker, D. H. van Campen, Nonlinear dynamics of the
woodpecker toy, Proceedings of DETC 2001, Pittsburgh, VIB-21608. There angles are small; here sines and cosines are kept, as a program for large rotations must
(`linear` gives the published equations, and their published state on the limit cycle is a check).

Coordinates: height y of the sleeve, angles a of the sleeve and b of the bird. Contacts, all with the right side of the pole: 1 beak (restitution 0.5), 2 lower and 3 upper
corner of the sleeve (restitution 0). Between events the classical Runge-Kutta method with steps of 20 us, events by bisection. Every closed contact is open, sticks or slips
up or down; all combinations are tried, and exactly one must obey the laws: of forces while contacts last, of impulses (Newton's law, Coulomb's law, all closed contacts together)
at impacts. Accuracy of the table: 1e-8 of the largest values, by steps of half the length.
"""
from itertools import product
from math import cos, sin

from plain import bisect, check, grid, rk4, write_table

MM, JM, MS, JS = 0.0003, 5e-9, 0.0045, 7e-7
R0, RM, HM, LM, LG, HS, LS = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.020, 0.0201
SPRING, G, MU = 0.0056, 9.81, 0.3
RESTITUTION = (0.5, 0.0, 0.0)
OPEN, STICK, UP, DOWN = "open", "stick", "up", "down"
SIGN = {UP: 1.0, DOWN: -1.0}


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solve(a, b):
    """Gauss elimination with pivoting; rows. None if singular."""
    n = len(b)
    rows = [list(r) + [x] for r, x in zip(a, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if abs(rows[p][k]) < 1e-300:
            return None
        rows[k], rows[p] = rows[p], rows[k]
        for i in range(n):
            if i != k:
                f = rows[i][k] / rows[k][k]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


class Toy:
    """`scale` 1 is the toy. Smaller: levers longer by 1/scale and angles smaller by scale, with the same masses, gaps and speeds; 0 in the limit are the published equations."""

    def __init__(self, scale=1.0):
        self.scale = scale
        self.jm, self.js, self.spring = JM / scale**2, JS / scale**2, SPRING / scale**2
        self.rm, self.hm, self.lm, self.lg, self.hs, self.ls = (x / scale for x in (RM, HM, LM, LG, HS, LS))
        self.sleeve_wall = self.rm - (RM - R0)  # with scale 1 both walls are the side of the pole
        self.beak_wall = self.lm + self.lg - self.ls - (LM + LG - LS - R0)

    def mass(self, q):
        ca, cb, cd = cos(q[1]), cos(q[2]), cos(q[1] - q[2])
        return [[MM + MS, MS * self.lm * ca, MS * self.lg * cb],
                [MS * self.lm * ca, self.jm + MS * self.lm**2, MS * self.lm * self.lg * cd],
                [MS * self.lg * cb, MS * self.lm * self.lg * cd, self.js + MS * self.lg**2]]

    def load(self, q, u):
        _, a, b = q
        _, da, db = u
        coupling = MS * self.lm * self.lg * sin(a - b)
        return [-(MM + MS) * G + MS * (self.lm * sin(a) * da**2 + self.lg * sin(b) * db**2),
                -self.spring * (a - b) - MS * G * self.lm * cos(a) - coupling * db**2,
                -self.spring * (b - a) - MS * G * self.lg * cos(b) + coupling * da**2]

    def contacts(self, q, u):
        """Gap, rows of the normal and of the sliding velocity, and their accelerations at u' = 0."""
        _, a, b = q
        _, da, db = u
        out = []
        # Points in the frame of the bird from the hinge, and of the sleeve from its middle: place (X, Y), rates by turning.
        bx, by, hx, hy = self.lg - self.ls, self.hs, self.lm * cos(a), self.lm * sin(a)
        X, Y = bx * cos(b) - by * sin(b), bx * sin(b) + by * cos(b)
        out.append((hx + X - self.beak_wall, (0, -hy, -Y), (1, hx, X), -hx * da**2 - X * db**2, -hy * da**2 - Y * db**2))
        for corner in (-self.hm, self.hm):
            X, Y = self.rm * cos(a) - corner * sin(a), self.rm * sin(a) + corner * cos(a)
            out.append((X - self.sleeve_wall, (0, -Y, 0), (1, X, 0), -X * da**2, -Y * da**2))
        return out

    def energy(self, q, u):
        high = (MM + MS) * q[0] + MS * (self.lm * sin(q[1]) + self.lg * sin(q[2]))
        return 0.5 * dot(u, [dot(r, u) for r in self.mass(q)]) + G * high + 0.5 * self.spring * (q[1] - q[2]) ** 2

    def jammed(self):
        """Angle of the sleeve at which its lower corner touches."""
        return bisect(lambda a: self.contacts((0, a, 0), (0, 0, 0))[1][0], -0.2 * self.scale, 0.0)

    def motion(self, q, u, states):
        """u' and the normal and friction forces for given states of the contacts."""
        m, f = self.mass(q), self.load(q, u)
        k = self.contacts(q, u)
        active = [i for i in range(3) if states[i] != OPEN]
        unknowns = [(i, kind) for i in active for kind in ("n", "t") if kind == "n" or states[i] == STICK]
        size = 3 + len(unknowns)
        rows, right = [], []
        column = {}
        for j, (i, kind) in enumerate(unknowns):
            push = list(k[i][1] if kind == "n" else k[i][2])
            if kind == "n" and states[i] in SIGN:
                push = [x - SIGN[states[i]] * MU * y for x, y in zip(push, k[i][2])]
            column[j] = push
        for r in range(3):
            rows.append([*m[r], *(-column[j][r] for j in range(len(unknowns)))])
            right.append(f[r])
        for i, kind in unknowns:
            w, bias = (k[i][1], k[i][3]) if kind == "n" else (k[i][2], k[i][4])
            rows.append([*w, *[0.0] * len(unknowns)])
            right.append(-bias)
        x = solve(rows, right)
        if x is None:
            return None
        normal, tangent = [0.0] * 3, [0.0] * 3
        for j, (i, kind) in enumerate(unknowns):
            if kind == "n":
                normal[i] = x[3 + j]
                if states[i] in SIGN:
                    tangent[i] = -SIGN[states[i]] * MU * x[3 + j]
            else:
                tangent[i] = x[3 + j]
        return x[:3], normal, tangent

    def lasting(self, q, u, closed):
        """States of contacts that are closed and at rest in the normal direction: the one combination that obeys the laws."""
        k = self.contacts(q, u)
        found = []
        for choice in product((OPEN, STICK, UP, DOWN), repeat=len(closed)):
            states = [OPEN] * 3
            for i, c in zip(closed, choice):
                states[i] = c
            slip = {i: dot(k[i][2], u) for i in closed}
            if any(states[i] == STICK and abs(slip[i]) > 1e-9 or states[i] in SIGN and slip[i] * SIGN[states[i]] < -1e-9 for i in closed):
                continue
            result = self.motion(q, u, states)
            if result is None:
                continue
            acc, normal, tangent = result
            good = True
            for i in closed:
                gap2, slip2 = dot(k[i][1], acc) + k[i][3], dot(k[i][2], acc) + k[i][4]
                if states[i] == OPEN:
                    good &= gap2 >= -1e-9
                else:
                    good &= normal[i] >= -1e-12
                    if states[i] == STICK:
                        good &= abs(tangent[i]) <= MU * normal[i] + 1e-12
                    elif abs(slip[i]) <= 1e-9:
                        good &= slip2 * SIGN[states[i]] >= -1e-9
            if good:
                found.append(states)
        return found

    def impact(self, q, u, closed):
        """Velocities after an impact with all closed contacts."""
        m, k = self.mass(q), self.contacts(q, u)
        found = []
        for choice in product((OPEN, STICK, UP, DOWN), repeat=len(closed)):
            unknowns = [(i, kind) for i, c in zip(closed, choice) if c != OPEN for kind in ("n", "t") if kind == "n" or c == STICK]
            state = dict(zip(closed, choice))
            columns = []
            for i, kind in unknowns:
                push = list(k[i][1] if kind == "n" else k[i][2])
                if kind == "n" and state[i] in SIGN:
                    push = [x - SIGN[state[i]] * MU * y for x, y in zip(push, k[i][2])]
                columns.append(push)
            rows = [[*m[r], *(-c[r] for c in columns)] for r in range(3)]
            right = [dot(m[r], u) for r in range(3)]
            for i, kind in unknowns:
                rows.append([*(k[i][1] if kind == "n" else k[i][2]), *[0.0] * len(unknowns)])
                right.append(-RESTITUTION[i] * min(0.0, dot(k[i][1], u)) if kind == "n" else 0.0)
            x = solve(rows, right)
            if x is None:
                continue
            after, good = x[:3], True
            for i in closed:
                before, then, slip = dot(k[i][1], u), dot(k[i][1], after), dot(k[i][2], after)
                impulse = {kind: x[3 + j] for j, (n, kind) in enumerate(unknowns) if n == i}
                if state[i] == OPEN:
                    good &= then >= -RESTITUTION[i] * min(0.0, before) - 1e-12
                else:
                    good &= impulse["n"] >= -1e-15
                    if state[i] == STICK:
                        good &= abs(impulse["t"]) <= MU * impulse["n"] + 1e-15
                    else:
                        good &= slip * SIGN[state[i]] >= -1e-12
            if good and all(max(abs(p - r) for p, r in zip(after, other)) > 1e-9 for other, _ in found):
                found.append((after, state))
        if len(found) != 1:
            raise SystemExit(f"an impact with {len(found)} solutions")
        return found[0]


class Simulation:
    """Events are told as (time, what, detail)."""

    def __init__(self, toy, q, u, step=2e-5):
        self.toy, self.t, self.q, self.u, self.step = toy, 0.0, list(q), list(u), step
        self.states, self.events = [OPEN] * 3, []
        self.stalls, self.last = 0, -1.0
        self.settle()

    def touching(self):
        return [i for i, k in enumerate(self.toy.contacts(self.q, self.u)) if k[0] < 1e-11]

    def settle(self, left=()):
        """Impacts, until none approaches, and the states of what stays closed. `left`: states that end at this instant, where two descriptions hold."""
        for _ in range(20):
            closed = self.touching()
            k = self.toy.contacts(self.q, self.u)
            approaching = [i for i in closed if dot(k[i][1], self.u) < -1e-9]
            if not approaching:
                break
            before = self.u
            self.u, state = self.toy.impact(self.q, self.u, closed)
            self.events.append((self.t, "impact", [(i + 1, state[i], dot(k[i][1], before)) for i in closed]))
        resting = [i for i in self.touching() if abs(dot(self.toy.contacts(self.q, self.u)[i][1], self.u)) < 1e-9]
        found = [f for f in self.toy.lasting(self.q, self.u, resting) if not any(f[i] == state for i, state in left)]
        if not found:
            raise SystemExit(f"{self.t}: no state of contacts obeys the laws")
        # At an instant at which a slip has just stopped several descriptions of one motion are found; they must have one acceleration.
        motions = [self.toy.motion(self.q, self.u, s)[0] for s in found]
        if max(abs(a - b) for m in motions for a, b in zip(m, motions[0])) > 1e-6 * max(1.0, *(abs(a) for a in motions[0])):
            raise SystemExit(f"{self.t}: several motions obey the laws: {found}")
        if found[0] != self.states:
            self.events.append((self.t, "states", found[0]))
        self.states = found[0]

    def rate(self, t, s):
        return [*s[3:6], *self.toy.motion(s[0:3], s[3:6], self.states)[0]]

    def margins(self, s):
        """What must stay positive until the next event."""
        q, u = s[0:3], s[3:6]
        k = self.toy.contacts(q, u)
        out = {}
        _, normal, tangent = self.toy.motion(q, u, self.states)
        for i, state in enumerate(self.states):
            if state == OPEN:
                out[i, "gap"] = k[i][0]
            else:
                out[i, "normal"] = normal[i]
                if state == STICK:
                    out[i, "cone"] = MU * normal[i] - abs(tangent[i])
                else:
                    out[i, "slip"] = SIGN[state] * dot(k[i][2], u)
        return out

    def advance(self, end):
        while self.t < end - 1e-15:
            h = min(self.step, end - self.t)
            s = [*self.q, *self.u]
            start = self.margins(s)
            after = rk4(self.rate, s, 0, h)
            values = self.margins(after)
            crossed = [n for n in values if values[n] < 0 and (start[n] > 1e-13 or values[n] < start[n] - 1e-13 and n[1] != "gap")]
            # A contact that has just opened starts with a gap of rounding: it counts only once it has grown.
            crossed += [n for n in values if n[1] == "gap" and values[n] < -1e-11 and n not in crossed]
            if crossed:
                low, high = 0.0, h
                self.stalls = self.stalls + 1 if self.t == self.last else 0
                self.last = self.t
                if self.stalls > 20:
                    raise SystemExit(f"{self.t}: events without end: {crossed}")
                for _ in range(60):
                    middle = 0.5 * (low + high)
                    m = self.margins(rk4(self.rate, s, 0, middle))
                    if any(m[n] < 0 for n in crossed):
                        high = middle
                    else:
                        low = middle
                after, h = rk4(self.rate, s, 0, high), high
            self.q, self.u, self.t = after[0:3], after[3:6], self.t + h
            if crossed:
                # A slip that has stopped is exactly zero.
                self.clean(crossed)
                self.settle([(i, self.states[i]) for i, what in crossed if what in ("cone", "normal")])

    def clean(self, crossed):
        for i, what in crossed:
            if what == "slip":
                # Smallest change of u (in the metric of the masses) that stops the slip and leaves the normal velocities.
                k = self.toy.contacts(self.q, self.u)
                w = k[i][2]
                m = self.toy.mass(self.q)
                change = solve(m, w)
                f = dot(w, self.u) / dot(w, change)
                self.u = [x - f * y for x, y in zip(self.u, change)]


def turn(toy, lowest, step):
    """From rest with the jammed sleeve and the bird at `lowest` to the next such instant: a map of one number. Returns the simulation there."""
    run = Simulation(toy, (0.0, toy.jammed(), lowest), (0.0, 0.0, 0.0), step)
    while True:
        before = (run.t, run.q, run.u, run.states)
        run.advance(run.t + 5 * step)
        if before[2][2] < 0 <= run.u[2] and run.states[1] == STICK and before[3] == run.states:
            break
    low, high = 0.0, run.t - before[0]
    s = [*before[1], *before[2]]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if rk4(run.rate, s, 0, middle)[5] > 0 else (middle, high)
    after = rk4(run.rate, s, 0, high)
    run.t, run.q, run.u = before[0] + high, after[0:3], after[3:6]
    return run


def limit_cycle(toy, lowest, step):
    """Fixed point of the map, by secants."""
    a, fa = lowest, turn(toy, lowest, step).q[2] - lowest
    b = a + fa
    for _ in range(12):
        run = turn(toy, b, step)
        fb = run.q[2] - b
        if abs(fb) < 1e-11 * toy.scale:
            return b, run
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
    raise SystemExit("no limit cycle found")


def state_at(toy, run, angle):
    """State of the cycle that starts where `run` ended, when the bird passes `angle` downwards while its sleeve slides."""
    again = Simulation(toy, run.q, (0.0, 0.0, 0.0))
    while not (again.states[1] == DOWN and again.u[2] < 0 and again.q[2] < angle):
        before = (again.q, again.u)
        again.advance(again.t + 1e-5)
    part = (before[0][2] - angle) / (before[0][2] - again.q[2])
    return [p + part * (q - p) for p, q in zip([*before[0], *before[1]], [*again.q, *again.u])]


if __name__ == "__main__":
    # The published state on the limit cycle, q = (0, -0.1036, -0.2788), u = (-0.3411, 0, -7.4583).
    toy = Toy(1e-4)
    lowest, run = limit_cycle(toy, -5.29e-5, 2e-5)
    s = state_at(toy, run, -0.2788e-4)
    print(f"published equations: period {run.t:.6f} s, falls {-run.q[0] * 1e3:.4f} mm in it; at the published angle of the bird {s[3]:.4f} m/s and {s[5] / 1e-4:.4f} rad/s")
    check("published speed of the sleeve", s[3] + 0.3411, 2e-3)
    check("published speed of the bird", s[5] / 1e-4 + 7.4583, 2e-2)
    for name, scale, guess in (("toy", 1.0, -0.47795), ("small", 0.01, -0.0052893)):
        toy = Toy(scale)
        lowest, run = limit_cycle(toy, guess, 2e-5)
        other = turn(toy, lowest + 1e-3 * scale, 2e-5)
        print(f"{name}: sleeve jams at {run.q[1]:.15g} rad, bird from {lowest:.15g} rad; period {run.t:.10g} s, falls {-run.q[0]:.10g} m in it; "
              f"a difference of the angle grows by {(other.q[2] - run.q[2]) / (1e-3 * scale):.3f} in a period")
        fine = turn(toy, lowest, 1e-5)
        check("steps of half the length: angle after a period", (fine.q[2] - lowest) / lowest, 1e-8)
        check("steps of half the length: period", fine.t / run.t - 1, 1e-8)
        for event in run.events:
            print(f"   {event[0]:.7f} s  {event[1]}: {event[2]}")
        again, rows = Simulation(toy, (0.0, toy.jammed(), lowest), (0.0, 0.0, 0.0)), []
        for t in grid(1e-3, 0.5):
            again.advance(t)
            rows.append([t, *again.q])
        write_table("woodpecker", f"reference_{name}.csv", "event-driven, impacts and friction as complementarity problems (tools/references/woodpecker.py)",
                    ["time", "body:sleeve.y", "body:sleeve.angle", "body:bird.angle"], rows)
        pecks = [(t, -what[0][2]) for t, kind, what in again.events if kind == "impact" and what[0][0] == 1]
        write_table("woodpecker", f"pecks_{name}.csv", "event-driven (tools/references/woodpecker.py)", ["number", "begin", "impact_speed"],
                    [[k + 1, t, v] for k, (t, v) in enumerate(pecks)])
