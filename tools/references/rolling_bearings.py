"""Rolling bearings in space: deflections of a ball bearing, contact angles at speed, rollers that are misaligned.

Nothing here knows of Carom. Hertz' theory as in bearing.py; the ball at speed from vectors: its rolling on both races
and the absence of spin on the outer one are three linear equations for its angular velocity and that of the cage, its
angular momentum is turned by the cage, and friction on the outer race does that. Everything is solved by bisection or
by Newton's method with differences.

Prints the numbers of docs/theory/rolling_bearings.md and writes the references of the cases rolling_*.
"""

import math
import pathlib

from bearing import CASES, hertz, solve

DENSITY = 7800.0


class Ball:
    def __init__(self, count, ball, pitch, inner, outer, angle=0.0, young=210e9, poisson=0.3, density=DENSITY):
        self.count, self.ball, self.pitch, self.angle = count, ball, pitch, angle
        self.ri, self.ro = inner * ball, outer * ball
        cosine = math.cos(angle)
        self.ki, _ = hertz(young, poisson, ball / 2, (pitch - ball * cosine) / 2 / cosine, self.ri)
        self.ko, _ = hertz(young, poisson, ball / 2, -(pitch + ball * cosine) / 2 / cosine, self.ro)
        self.k = (self.ki ** (-2 / 3) + self.ko ** (-2 / 3)) ** -1.5
        self.distance = self.ri + self.ro - ball
        self.mass = density * math.pi * ball**3 / 6
        self.inertia = self.mass * ball**2 / 10

    def centres(self, azimuth, dx, dy, dz, nx, ny, clearance=0.0):
        """Centre of the inner arc from that of the outer one: axial, radial."""
        c, s = math.cos(azimuth), math.sin(azimuth)
        radius = self.pitch / 2 + (self.ri - self.ball / 2) * math.cos(self.angle)
        along = (self.ri - self.ball / 2) * math.sin(self.angle)
        tilt = c * nx + s * ny
        return (
            self.distance * math.sin(self.angle) + dz - radius * tilt,
            self.distance * math.cos(self.angle) - clearance + c * dx + s * dy + along * tilt,
        )

    def standing(self, clearance=0.0, **moved):
        """Force x and z and moment that works on nx, all that resist."""
        place = dict(dx=0.0, dy=0.0, dz=0.0, nx=0.0, ny=0.0)
        place.update(moved)
        fx = fz = m = 0.0
        radius = self.pitch / 2 + (self.ri - self.ball / 2) * math.cos(self.angle)
        along = (self.ri - self.ball / 2) * math.sin(self.angle)
        for k in range(self.count):
            azimuth = 2 * math.pi * k / self.count
            a, r = self.centres(azimuth, clearance=clearance, **place)
            length = math.hypot(a, r)
            if length <= self.distance:
                continue
            load = self.k * (length - self.distance) ** 1.5
            c = math.cos(azimuth)
            fx += load * r / length * c
            fz += load * a / length
            m += load * (-a * radius + r * along) / length * c
        return fx, fz, m


def linear3(rows, right):
    """Cramer's rule."""

    def det(m):
        return (
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        )

    whole = det(rows)
    result = []
    for k in range(3):
        changed = [list(row) for row in rows]
        for j in range(3):
            changed[j][k] = right[j]
        result.append(det(changed) / whole)
    return result


def kinematics(b, inner_angle, outer_angle, speed):
    """Angular velocity of the ball in the frame of the cage, along the axis and along the radius, and of the cage.

    Outer ring at rest. Surfaces have the same velocity at both contacts, and the ball does not spin on the outer race.
    """
    si, ci, so, co = math.sin(inner_angle), math.cos(inner_angle), math.sin(outer_angle), math.cos(outer_angle)
    half, middle = b.ball / 2, b.pitch / 2
    # Unknown: wx, wr, cage. (w x rho) along the way: wx rho_r - wr rho_x.
    rows = [
        [half * co, -half * so, middle + half * co],
        [-half * ci, half * si, middle - half * ci],
        [so, co, so],
    ]
    return linear3(rows, [0.0, speed * (middle - half * ci), 0.0])


def at_speed(b, thrust, speed, gyroscopic=True):
    """Contact angles, loads and axial displacement of a bearing under thrust, all balls alike."""
    radial = b.distance * math.cos(b.angle)

    def ball(place, axial):
        x, y = place
        lo, li = math.hypot(x, y), math.hypot(axial - x, radial - y)
        ao, ai = math.atan2(x, y), math.atan2(axial - x, radial - y)
        qo = b.ko * max(0.0, lo - (b.ro - b.ball / 2)) ** 1.5
        qi = b.ki * max(0.0, li - (b.ri - b.ball / 2)) ** 1.5
        wx, wr, cage = kinematics(b, ai, ao, speed)
        thrown = b.mass * b.pitch / 2 * cage**2
        # Friction F along (-cos, sin) at the outer contact: torque F D/2 about the way, which turns the spin.
        friction = 2 * b.inertia * cage * wr / b.ball if gyroscopic else 0.0
        return (
            qi * math.sin(ai) - qo * math.sin(ao) - friction * math.cos(ao),
            qi * math.cos(ai) - qo * math.cos(ao) + friction * math.sin(ao) + thrown,
            qi, qo, ai, ao, cage, thrown,
        )

    def settled(axial, place):
        for _ in range(100):
            g = ball(place, axial)
            h = 1e-9
            gx, gy = ball((place[0] + h, place[1]), axial), ball((place[0], place[1] + h), axial)
            a, c = (gx[0] - g[0]) / h, (gx[1] - g[1]) / h
            e, d = (gy[0] - g[0]) / h, (gy[1] - g[1]) / h
            det = a * d - c * e
            step = (-(g[0] * d - g[1] * e) / det, -(a * g[1] - c * g[0]) / det)
            place = (place[0] + step[0], place[1] + step[1])
            if math.hypot(*step) < 1e-16:
                break
        return place

    # The thrust grows with the axial displacement: bisection between places where the ball is held on both races.
    free = b.distance * math.sin(b.angle)
    share = (b.ro - b.ball / 2) / b.distance
    memory = {}

    def force(axial):
        length = math.hypot(axial, radial)
        start = ((share + 2e-3) * axial, (share + 2e-3) * radial * b.distance / length)
        place = settled(axial, start)
        memory["state"] = ball(place, axial)
        state = memory["state"]
        return b.count * state[2] * math.sin(state[4]) - thrust

    delta = solve(lambda d: force(free + d), -3e-5, 3e-4)
    force(free + delta)
    _, _, qi, qo, ai, ao, cage, thrown = memory["state"]
    return dict(displacement=delta, inner_load=qi, outer_load=qo, inner_angle=math.degrees(ai),
                outer_angle=math.degrees(ao), cage=cage / speed if speed else 0.0, thrown=thrown)


def deflections():
    b = Ball(7, 11.5e-3, 43.5e-3, 0.52, 0.53)
    result = []
    for load in (100.0, 1000.0, 5000.0):
        result.append((
            load,
            solve(lambda d: b.standing(dx=d)[0] - load, 0.0, 1e-3),
            solve(lambda d: b.standing(dz=d)[1] - load, 0.0, 1e-3),
            solve(lambda d: b.standing(nx=d)[2] - load * 1e-3, 0.0, 0.1),
        ))
    return result


HARRIS_218 = dict(count=16, ball=22.225e-3, pitch=125.26e-3, inner=0.5232, outer=0.5232, angle=math.radians(40))


class Roller:
    """Cylindrical rollers in slices: c D^(10/9) with ISO/TS 16281's c for 207 GPa, in N and mm."""

    def __init__(self, count, diameter, pitch, length, crowning=0.0, slices=31):
        self.count, self.diameter, self.pitch, self.length, self.slices = count, diameter, pitch, length, slices
        self.stiffness = 35948 * length ** (8 / 9) / slices
        self.x = [length * ((k + 0.5) / slices - 0.5) for k in range(slices)]
        self.relief = [-2 * crowning * math.log(1 - (2 * x / length) ** 2) for x in self.x]

    def slices_of(self, azimuth, dx, nx):
        c = math.cos(azimuth)
        depths = [c * dx + c * nx * x - r for x, r in zip(self.x, self.relief)]
        return [self.stiffness * max(0.0, d) ** (10 / 9) for d in depths]

    def force(self, dx, nx):
        azimuths = [2 * math.pi * k / self.count for k in range(self.count)]
        return sum(math.cos(a) * sum(self.slices_of(a, dx, nx)) for a in azimuths)

    def under(self, load, nx):
        dx = solve(lambda d: self.force(d, nx) - load, 0.0, 0.5)
        first = self.slices_of(0.0, dx, nx)
        # Hertz' line: p = sqrt(q E*/(pi R)), at the more curved inner race; MPa.
        radius = 1 / (2 / self.diameter + 2 / (self.pitch - self.diameter))
        modulus = 207e3 / (2 * (1 - 0.09))
        edge = math.sqrt(max(first) * self.slices / self.length * modulus / (math.pi * radius))
        return dx, sum(first), edge


def csv(path, source, names, rows):
    with open(path, "w") as out:
        out.write("# source: %s; tools/references/rolling_bearings.py\n" % source)
        out.write("time," + ",".join(names) + "\n")
        for row in rows:
            out.write(",".join("%.12g" % value for value in row) + "\n")


if __name__ == "__main__":
    print("deep groove bearing: load N, radial m, axial m, tilt rad at load mm")
    for row in deflections():
        print("  %g  %.10e  %.10e  %.10e" % row)
    bearing = Ball(**HARRIS_218)
    print("218 angular contact bearing, thrust 17800 N")
    for rpm in (0.1, 2500, 5000, 7500, 10000):
        for gyroscopic in (True, False):
            r = at_speed(bearing, 17800.0, rpm * math.pi / 30, gyroscopic)
            print("  %7g rpm, gyroscopic %d: %s" % (rpm, gyroscopic, {k: float("%.8g" % v) for k, v in r.items()}))
    rows = deflections()
    csv(CASES / "rolling_deflection" / "reference.csv", "Hertz' theory and the equilibrium of a rigid ring",
        ["bearing:radial.dx", "bearing:axial.dz", "bearing:tilted.tilt_y"], [(r[0] / 1000, r[1], r[2], r[3]) for r in rows])
    print("cylindrical roller bearing, 14 rollers of 10 mm on 65 mm, 5000 N: tilt, drop; mm, N, MPa")
    for tilt in (0.0, 0.5e-3, 2e-3):
        for crowning in (0.0, 0.0035):
            print("  %g  %g  %.8g  %.8g  %.8g" % ((tilt, crowning) + Roller(14, 10.0, 65.0, 10.0, crowning).under(5000.0, tilt)))
