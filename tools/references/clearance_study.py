"""Slider-crank with one, two or three loose joints, in minimal coordinates, integrated to convergence.

The crank turns at constant speed. Coordinates are the angle and the middle of the rod, the slider, and the middle of the crank
where its bearing is loose; ideal joints are eliminated by hand. A loose joint pulls by the force of Lankarani and Nikravesh on
a Hertzian contact of spheres, with friction that ramps up between two speeds of slip; touch and release are located.
Each step is extrapolated from midpoint rules (Gragg, Bulirsch, Stoer) of order 12.

Every motion is integrated with two tolerances. Rows of the table end where the two differ by more than a millionth of the largest
magnitude of a column: that is how far the motion is known. The first turns of four motions are compared with tables
of the same mechanism from another hand, which are the references of `clearance_slider_crank` and its kin.

`python3 tools/references/clearance_study.py [CASE…]`; Python alone.
"""
import csv
import sys
from math import cos, hypot, pi, sin, sqrt

from plain import CASES, check, write_table

R, L, G = 0.05, 0.12, 9.81
M_CRANK, M_ROD, I_ROD, M_SLIDER = 0.30, 0.21, 2.5e-4, 0.14
BEARING, YOUNG, POISSON, RESTITUTION, FRICTION = 0.01, 207e9, 0.3, 0.9, 0.01
SLIP_BEGIN, SLIP_FULL = 1e-4, 1e-3
HYSTERESIS = 0.75 * (1 - RESTITUTION**2)


class Motion:
    """State q, v of the loose mechanism; `loose` names its loose joints out of main, crankpin, pin."""

    def __init__(self, clearance, rpm, loose):
        self.c, self.w, self.loose = clearance / 2, rpm * pi / 30, loose
        journal = BEARING - self.c
        self.journal = journal
        self.k = 4 / (3 * 2 * (1 - POISSON**2) / YOUNG) * sqrt(BEARING * journal / (BEARING - journal))
        self.first = {name: None for name in loose}  # speed of impact of the contact that lasts; None: no contact

    def start(self):
        """Crank and rod in line, joints centred, velocities of the ideal mechanism."""
        rod = [R + L / 2, 0.0, 0.0], [0.0, self.w * R / 2, -self.w * R / L]
        if self.loose == ["pin"] or self.loose == ["crankpin"]:
            return [0.0, R + L, rod[1][2], 0.0]
        q, v = [*rod[0], R + L], [*rod[1], 0.0]
        if "main" in self.loose:
            q, v = q + [R / 2, 0.0], v + [0.0, self.w * R / 2]
        return q + v

    def bodies(self, t, y):
        """Positions, angle, velocities, rate of crank and rod, position and speed of the slider: from minimal coordinates."""
        a, w = self.w * t, self.w
        ca, sa = cos(a), sin(a)
        if len(self.loose) == 1:
            b, x, db, dx = y
            cb, sb = cos(b), sin(b)
            if self.loose == ["pin"]:
                px, py, ux, uy = R * ca, R * sa, -R * w * sa, R * w * ca
                rod = (px + L / 2 * cb, py + L / 2 * sb, b, ux - L / 2 * sb * db, uy + L / 2 * cb * db, db)
            else:
                rod = (x - L / 2 * cb, -L / 2 * sb, b, dx + L / 2 * sb * db, -L / 2 * cb * db, db)
            crank = (R / 2 * ca, R / 2 * sa, a, -R / 2 * w * sa, R / 2 * w * ca, w)
            return crank, rod, (x, dx)
        n = len(y) // 2
        rod, slider = (y[0], y[1], y[2], y[n], y[n + 1], y[n + 2]), (y[3], y[n + 3])
        if n == 6:
            crank = (y[4], y[5], a, y[n + 4], y[n + 5], w)
        else:
            crank = (R / 2 * ca, R / 2 * sa, a, -R / 2 * w * sa, R / 2 * w * ca, w)
        return crank, rod, slider

    def joint(self, name, crank, rod, slider):
        """Centre and its velocity, rate of the body: of the bearing, of the journal."""
        def end(body, half):
            x, y, a, u, v, w = body
            c, s = half * cos(a), half * sin(a)
            return x + c, y + s, u - s * w, v + c * w, w
        if name == "main":
            return (0.0, 0.0, 0.0, 0.0, 0.0), end(crank, -R / 2)
        if name == "crankpin":
            return end(crank, R / 2), end(rod, -L / 2)
        return end(rod, L / 2), (slider[0], 0.0, slider[1], 0.0, 0.0)

    def geometry(self, name, crank, rod, slider):
        """Penetration, its rate, normal from bearing to journal, slip, and the two centres."""
        b, j = self.joint(name, crank, rod, slider)
        ex, ey = j[0] - b[0], j[1] - b[1]
        e = hypot(ex, ey)
        nx, ny = (ex / e, ey / e) if e > 0 else (1.0, 0.0)
        u, v = j[2] - b[2], j[3] - b[3]
        slip = -u * ny + v * nx + j[4] * self.journal - b[4] * BEARING
        return e - self.c, u * nx + v * ny, nx, ny, slip, b, j

    def force(self, name, crank, rod, slider):
        """Force on the journal, and its normal part; None without contact."""
        if self.first[name] is None:
            return None
        depth, rate, nx, ny, slip, b, j = self.geometry(name, crank, rod, slider)
        if depth <= 0:
            return None
        normal = max(0.0, self.k * depth * sqrt(depth) * (1 + HYSTERESIS * rate / self.first[name]))
        speed = abs(slip)
        ramp = 0 if speed <= SLIP_BEGIN else min(1.0, (speed - SLIP_BEGIN) / (SLIP_FULL - SLIP_BEGIN))
        side = -FRICTION * ramp * normal * (1 if slip > 0 else -1)
        # At the surface of the bearing.
        return -normal * nx - side * ny, -normal * ny + side * nx, b[0] + BEARING * nx, b[1] + BEARING * ny, normal

    def loads(self, crank, rod, slider):
        """Force and moment about the middle of crank and rod and force along the guide, of all contacts."""
        on_crank, on_rod, on_slider = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0.0
        for name in self.loose:
            found = self.force(name, crank, rod, slider)
            if not found:
                continue
            fx, fy, px, py, _ = found
            def push(load, body, sign):
                load[0] += sign * fx
                load[1] += sign * fy
                load[2] += sign * ((px - body[0]) * fy - (py - body[1]) * fx)
            if name == "main":
                push(on_crank, crank, 1)
            elif name == "crankpin":
                push(on_crank, crank, -1)
                push(on_rod, rod, 1)
            else:
                push(on_rod, rod, -1)
                on_slider += fx
        return on_crank, on_rod, on_slider

    def rate(self, t, y):
        crank, rod, slider = self.bodies(t, y)
        on_crank, on_rod, on_slider = self.loads(crank, rod, slider)
        if len(self.loose) > 1:
            n = len(y) // 2
            result = [*y[n:], on_rod[0] / M_ROD, on_rod[1] / M_ROD - G, on_rod[2] / I_ROD, on_slider / M_SLIDER]
            return result + ([on_crank[0] / M_CRANK, on_crank[1] / M_CRANK - G] if n == 6 else [])
        b, _, db, dx = y
        cb, sb, h = cos(b), sin(b), L / 2
        if self.loose == ["pin"]:
            # The rod about the crank pin, which is accelerated towards the centre.
            ax, ay = -R * self.w**2 * cos(self.w * t), -R * self.w**2 * sin(self.w * t)
            moment = on_rod[2] + h * (cb * (on_rod[1] - M_ROD * (G + ay)) - sb * (on_rod[0] - M_ROD * ax))
            return [db, dx, moment / (I_ROD + M_ROD * h * h), on_slider / M_SLIDER]
        # Rod and slider together: rod middle = (x - h cos b, -h sin b), acceleration (ddx + h sin b ddb + h cos b db², -h cos b ddb + h sin b db²).
        m11, m12, m22 = M_ROD + M_SLIDER, M_ROD * h * sb, I_ROD + M_ROD * h * h
        f1 = on_rod[0] - M_ROD * h * cb * db * db
        f2 = on_rod[2] + h * sb * on_rod[0] - h * cb * (on_rod[1] - M_ROD * G)
        det = m11 * m22 - m12 * m12
        return [db, dx, (m11 * f2 - m12 * f1) / det, (m22 * f1 - m12 * f2) / det]

    def depth(self, name, t, y):
        return self.geometry(name, *self.bodies(t, y))[0]

    def approach(self, name, t, y):
        return self.geometry(name, *self.bodies(t, y))[1]

    def sample(self, t, y):
        """What a row of the table shows."""
        crank, rod, slider = self.bodies(t, y)
        rate = self.rate(t, y)
        one = len(self.loose) == 1
        row = {"body:slider.x": slider[0], "body:slider.vx": slider[1], "body:slider.ax": rate[3] if one else rate[len(y) // 2 + 3],
               "body:rod.angle": rod[2], "body:rod.omega": rod[5]}
        for name in self.loose:
            found = self.force(name, crank, rod, slider)
            row[f"joint:{name}.normal_force"] = found[4] if found else 0.0
            b, j = self.joint(name, crank, rod, slider)
            angle = {"main": 0.0, "crankpin": crank[2], "pin": rod[2]}[name]
            ex, ey = j[0] - b[0], j[1] - b[1]
            row[f"joint:{name}.ex"] = ex * cos(angle) + ey * sin(angle)
            row[f"joint:{name}.ey"] = ey * cos(angle) - ex * sin(angle)
        row["motion:drive.force"] = self.drive(t, crank, rod, slider, rate)
        return row

    def drive(self, t, crank, rod, slider, rate):
        """Moment on the crank that keeps its speed: against contacts, weight and, of an ideal crank pin, its reaction."""
        on_crank, on_rod, _ = self.loads(crank, rod, slider)
        moment = on_crank[2]
        ca, sa = cos(crank[2]), sin(crank[2])
        if self.loose == ["pin"]:
            b, db, ddb = rod[2], rod[5], rate[2]
            ax = -R * self.w**2 * ca - L / 2 * (sin(b) * ddb + cos(b) * db**2)
            ay = -R * self.w**2 * sa + L / 2 * (cos(b) * ddb - sin(b) * db**2)
            px, py = M_ROD * ax - on_rod[0], M_ROD * (ay + G) - on_rod[1]  # of the pin on the rod
            moment -= R * (ca * py - sa * px)
        elif "main" not in self.loose:
            moment += R / 2 * (ca * on_crank[1] - sa * on_crank[0])
        if "main" not in self.loose:
            moment -= M_CRANK * G * R / 2 * ca
        return -moment


STAGES = (2, 4, 6, 8, 10, 12)


def extrapolated(rate, t, y, h):
    """State after a step, and the difference of the two best extrapolations."""
    start, table, best = rate(t, y), [], None
    for k, n in enumerate(STAGES):
        s = h / n
        before, now = y, [a + s * b for a, b in zip(y, start)]
        for m in range(1, n):
            slope = rate(t + m * s, now)
            before, now = now, [a + 2 * s * b for a, b in zip(before, slope)]
        slope = rate(t + h, now)
        row = [[0.5 * (a + b + s * c) for a, b, c in zip(before, now, slope)]]
        for i in range(1, k + 1):
            ratio = (n / STAGES[k - i])**2 - 1
            row.append([a + (a - b) / ratio for a, b in zip(row[i - 1], table[i - 1])])
        best, table = table, row
    return table[-1], [a - b for a, b in zip(table[-1], best[-1])]


def integrate(motion, times, tolerance):
    """Rows at the times; steps end there and where a contact begins or ends."""
    t, y, h, rows = 0.0, motion.start(), 1e-7, []
    half = len(y) // 2
    scale = [1e-4] * half + [1e-4 * motion.w] * half  # m or rad, and their rates
    longest = 1e-3 / motion.w  # a milliradian of the crank: no contact is missed in between
    contacts = 0
    for end in times:
        while t < end:
            step = min(h, longest, end - t)
            new, error = extrapolated(motion.rate, t, y, step)
            size = max(abs(e) / (s * tolerance) for e, s in zip(error, scale))
            if size > 1:
                h = step * max(0.2, 0.9 * size**(-1 / 11))
                continue
            changed = [name for name in motion.loose if (motion.first[name] is None) == (motion.depth(name, t + step, new) > 0)]
            if changed:
                step, new, name = earliest(motion, changed, t, y, step)
                now_in = motion.first[name] is None
                motion.first[name] = motion.approach(name, t + step, new) if now_in else None
                contacts += now_in
                h = min(h, 1e-7)
            else:
                h = step * min(3.0, 0.9 * max(size, 1e-12)**(-1 / 11)) if step >= min(h, longest) * 0.999 else h
            t, y = (end, new) if end - (t + step) < 1e-15 else (t + step, new)
        rows.append(motion.sample(t, y))
    return rows, contacts


def earliest(motion, names, t, y, step):
    """The first change of contact in a step: how long until it, the state just after, and whose it is."""
    found = []
    for name in names:
        opens = motion.first[name] is not None
        low, high, f_low, f_high = 0.0, step, motion.depth(name, t, y), None
        for k in range(100):
            if high - low <= 1e-17 + 1e-15 * t:
                break
            middle = 0.5 * (low + high) if f_high is None or k % 3 == 2 else low - f_low * (high - low) / (f_high - f_low)
            middle = min(max(middle, low + 0.01 * (high - low)), high - 0.01 * (high - low))
            depth = motion.depth(name, t + middle, extrapolated(motion.rate, t, y, middle)[0])
            if (depth > 0) != opens:
                high, f_high = middle, depth
            else:
                low, f_low = middle, depth
        found.append((high, name))
    high, name = min(found)
    return high, extrapolated(motion.rate, t, y, high)[0], name


STUDIES = {  # clearance, rpm, loose joints, output interval, end
    "clearance_study_050um": (0.05e-3, 5000, ["pin"], 7.5e-5, 0.072),
    "clearance_study_100um": (0.1e-3, 5000, ["pin"], 7.5e-5, 0.072),
    "clearance_study_200um": (0.2e-3, 5000, ["pin"], 7.5e-5, 0.072),
    "clearance_study_500um": (0.5e-3, 5000, ["pin"], 7.5e-5, 0.072),
    "clearance_study_1000rpm": (0.05e-3, 1000, ["pin"], 3.75e-4, 0.36),
    "clearance_study_500rpm": (0.05e-3, 500, ["pin"], 7.5e-4, 0.72),
    "clearance_study_50rpm": (0.05e-3, 50, ["pin"], 7.5e-3, 3.6),
    "clearance_study_crankpin": (0.05e-3, 5000, ["crankpin"], 7.5e-5, 0.072),
    "clearance_study_two": (0.05e-3, 5000, ["crankpin", "pin"], 7.5e-5, 0.072),
    "clearance_study_three": (0.05e-3, 5000, ["main", "crankpin", "pin"], 7.5e-5, 0.072),
}
AGAINST = {"clearance_study_050um": "clearance_slider_crank", "clearance_study_100um": "clearance_100um", "clearance_study_500um": "clearance_500um",
           "clearance_study_500rpm": "clearance_500rpm"}


def compare_with_table(study):
    """The first rows of a table from another hand, as many as it holds to be converged."""
    clearance, rpm, loose, _, _ = STUDIES[study]
    with open(CASES / AGAINST[study] / "reference.csv") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))[:40]
    rows, _ = integrate(Motion(clearance, rpm, loose), [float(row["time"]) for row in table], 1e-10)
    for name in rows[0]:
        if name in table[0]:
            largest = max(abs(float(row[name])) for row in table)
            check(f"{name} against the table of {AGAINST[study]}", max(abs(float(a[name]) - b[name]) for a, b in zip(table, rows)) / largest, 1e-6)


def known_rows(coarse, fine):
    """How many rows the two have in common, to a millionth of the largest magnitude of a column."""
    largest = {name: max(abs(row[name]) for row in fine) for name in fine[0]}
    for k, (a, b) in enumerate(zip(coarse, fine)):
        if any(abs(a[name] - b[name]) > 1e-6 * largest[name] for name in b):
            return k
    return len(fine)


def make(study):
    clearance, rpm, loose, every, end = STUDIES[study]
    if study in AGAINST:
        compare_with_table(study)
    times = [4 * every * k for k in range(1, round(end / (4 * every)) + 1)]
    (coarse, _), (fine, contacts) = (integrate(Motion(clearance, rpm, loose), times, tolerance) for tolerance in (1e-9, 1e-11))
    count = known_rows(coarse, fine)
    print(f"{study}: {contacts} contacts; known until {times[count - 1] if count else 0:.6g} s of {end:g} s, {times[count - 1] * rpm / 60 if count else 0:.2f} turns")
    columns = [name for name in fine[0]]
    write_table(study, "converged.csv", "minimal coordinates, extrapolated midpoint rules of order 12, tolerances 1e-9 and 1e-11 (tools/references/clearance_study.py)",
                ["time", *columns], [[t, *(row[name] for name in columns)] for t, row in list(zip(times, fine))[:count]])


if __name__ == "__main__":
    for name in sys.argv[1:] or STUDIES:
        make(name)
