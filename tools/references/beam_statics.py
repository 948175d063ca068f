"""References of cantilever_roll_up and cantilever_tip_load: closed forms, and Reissner's equations of the plane beam."""
from math import asin, cos, pi, sin, sqrt

from plain import bisect, check, rk4, write_table


def roll_up():
    """An end moment M bends a cantilever to an arc of the angle M L/EI. 1 m, 210 GPa, section 10 mm by 20 mm."""
    length, bending = 1.0, 210e9 * 0.02 * 0.01**3 / 12
    moment = 2 * pi * bending / length
    rows = {20: [], 3: []}
    for k in range(11):
        angle = k / 10 * moment * length / bending
        place = lambda s: (length * sin(angle * s) / angle, length * (1 - cos(angle * s)) / angle) if k else (length * s, 0.0)
        energy = 0.5 * angle**2 * bending / length
        root = [0, 0, -angle * bending / length]
        rows[20].append([k / 10, *place(0.5), angle / 2, *place(1), angle, angle * bending / length, angle / length, energy, *root])
        rows[3].append([k / 10, *place(1 / 3), angle / 3, *place(1), angle, angle * bending / length, angle / length, energy, *root])
    for n, middle in ((20, 10), (3, 1)):
        header = ["time"]
        for node in (middle, n):
            header += [f"body:arm-{node}.{c}" for c in ("x", "y", "angle")]
        header += ["beam:arm-2.bending_z", "beam:arm-2.curvature_z", "beam:arm.strain_energy", "joint:root.fx", "joint:root.fy", "joint:root.tz"]
        name = "reference.csv" if n == 20 else "reference_3.csv"
        write_table("cantilever_roll_up", name, "closed form, arc of a circle; tools/references/beam_statics.py", header, rows[n])
    check("the full circle closes", rows[20][-1][4], 1e-15)


def elliptic(phi, m):
    """Incomplete elliptic integrals F(phi|m) and E(phi|m), by Simpson's rule."""
    n = 400
    h = phi / n
    total = [0.0, 0.0]
    for k in range(n + 1):
        weight = (1 if k in (0, n) else 4 if k % 2 else 2) * h / 3
        root = sqrt(1 - m * sin(k * h) ** 2)
        total = [total[0] + weight / root, total[1] + weight * root]
    return total


def elastica(load):
    """Tip of a cantilever that cannot stretch or shear, P L^2/EI = load: x/L, y/L, angle. Bisshopp and Drucker 1945."""
    def length(m):
        first = asin(1 / sqrt(2 * m))
        return elliptic(pi / 2, m)[0] - elliptic(first, m)[0] - sqrt(load)
    m = bisect(length, 0.5 + 1e-15, 1 - 1e-9)
    first = asin(1 / sqrt(2 * m))
    e = elliptic(pi / 2, m)[1] - elliptic(first, m)[1]
    angle = asin(2 * m - 1)
    return sqrt(2 * (2 * m - 1) / load), 1 - 2 * e / sqrt(load), angle


class Reissner:
    """Plane cantilever that stretches, shears and bends, with a dead load P across its tip; shooting for the root moment."""

    def __init__(self, length, extension, shear, bending, load, steps=800):
        def rate(s, y):
            angle, moment = y[2], y[3]
            n, q = load * sin(angle), load * cos(angle)
            e, g = n / extension, q / shear
            return [(1 + e) * cos(angle) - g * sin(angle), (1 + e) * sin(angle) + g * cos(angle), moment / bending, -((1 + e) * q - g * n),
                    n * n / (2 * extension) + q * q / (2 * shear) + moment * moment / (2 * bending)]

        def shoot(moment):
            y, h = [0.0, 0.0, 0.0, moment, 0.0], length / steps
            self.states = [y]
            for k in range(steps):
                y = rk4(rate, y, k * h, h)
                self.states.append(y)
            return y[3]
        b = load * length * elastica(load * length**2 / bending)[0]
        a = 0.999 * b
        fa, fb = shoot(a), shoot(b)
        for _ in range(60):                    # secant, from the moment of the beam that cannot stretch
            if fb == fa or abs(fb) < 1e-14 * load * length:
                break
            a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
            fb = shoot(b)
        check(f"no moment at the tip, load {load:g}", fb / (load * length), 1e-12)
        self.load, self.steps = load, steps

    def at(self, part):
        """x, y, angle, moment, normal force, shear force at a part of the length."""
        x, y, angle, moment, _ = self.states[round(part * self.steps)]
        return x, y, angle, moment, self.load * sin(angle), self.load * cos(angle)

    def energy(self):
        return self.states[-1][4]


def tip_load():
    """1 m, 210 GPa, nu 0.3, section 10 mm by 20 mm, P up to 10 EI/L^2; and 200 mm by 20 mm under a small load."""
    for load, x, y, angle in ((1, 1 - 0.05643, 0.30172, 0.46135), (10, 1 - 0.55500, 0.81061, 1.43029)):
        error = max(abs(a - b) for a, b in zip(elastica(load), (x, y, angle)))
        check(f"Mattiasson's table (1981), P L^2/EI = {load}", error, 6e-6)
    young, poisson, height = 210e9, 0.3, 0.02
    factor = 10 * (1 + poisson) / (12 + 11 * poisson)
    bending = young * height * 0.01**3 / 12
    stiff = Reissner(1, 1e14 * bending, 1e14 * bending, bending, 10 * bending)
    check("elliptic integrals", max(abs(a - b) for a, b in zip(stiff.at(1)[:3], elastica(10))), 1e-9)
    area = height * 0.01
    beams = [None] + [Reissner(1, young * area, factor * young / (2 * (1 + poisson)) * area, bending, k * bending) for k in range(1, 11)]
    fine = [Reissner(1, young * area, factor * young / (2 * (1 + poisson)) * area, bending, k * bending / 5, 400) for k in range(1, 51)]
    work = sum(0.5 * (a.load + b.load) * (b.at(1)[1] - a.at(1)[1]) for a, b in zip(fine, fine[1:])) + 0.5 * fine[0].load * fine[0].at(1)[1]
    check("work of the growing load is the strain energy", work / beams[10].energy() - 1, 1e-3)
    for k in (1, 10):
        print("  P L^2/EI =", k, "tip with stretch and shear:", *beams[k].at(1)[:3], " elastica:", *elastica(k))
    source = "Reissner's equations by shooting; tools/references/beam_statics.py"
    for n in (4, 8, 16, 32):
        header = ["time", *(f"body:tip.{c}".replace("tip", f"arm-{n}") for c in ("x", "y", "angle")), "beam:arm.strain_energy", "joint:root.fx", "joint:root.fy", "joint:root.tz"]
        if n == 32:
            header += [f"beam:arm-{i}.{c}" for i in (1, 16) for c in ("bending_z", "normal_force", "shear_y")]
        rows = []
        for k in range(11):
            if k == 0:
                rows.append([0, 1, 0, 0] + [0] * (len(header) - 4))
                continue
            b = beams[k]
            row = [k / 10, *b.at(1)[:3], b.energy(), 0, -b.load, -b.at(0)[3]]
            if n == 32:
                for i in (1, 16):
                    row += b.at((i - 0.5) / 32)[3:]
            rows.append(row)
        write_table("cantilever_tip_load", "reference.csv" if n == 32 else f"reference_{n}.csv", source, header, rows)
    # small load: Timoshenko's beam, 200 mm deep
    load, deep, area = 1.0, young * height * 0.2**3 / 12, height * 0.2
    shear = factor * young / (2 * (1 + poisson)) * area
    header, row = ["time"], [1]
    for i in range(1, 5):
        x = i / 4
        header += [f"body:arm-{i}.y", f"body:arm-{i}.angle"]
        row += [load * x * x * (3 - x) / (6 * deep) + load * x / shear, load * x * (2 - x) / (2 * deep)]
        header += [f"beam:arm-{i}.bending_z", f"beam:arm-{i}.shear_y", f"beam:arm-{i}.shear_strain_y"]
        row += [load * (1 - (i - 0.5) / 4), load, load / shear]
    header += ["beam:arm.strain_energy", "joint:root.fy", "joint:root.tz"]
    row += [0.5 * load * row[header.index("body:arm-4.y")], -load, -load]
    write_table("cantilever_tip_load", "reference_small.csv", "Timoshenko's beam in closed form; tools/references/beam_statics.py", header, [row])


roll_up()
tip_load()
