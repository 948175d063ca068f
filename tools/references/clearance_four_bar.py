"""Four-bar linkage in space with a loose ball joint: an independent formulation in reduced coordinates.

Crank tip on its circle, coupler as a direction and an angular velocity, rocker as an angle; the socket is a contact of a ball in a hollow ball.
Fifth-order Runge-Kutta steps with error control; touch and release are found by root finding on the length of a step. It needs nothing but
Python and writes `reference.csv` and the tables of contacts of `cases/clearance_four_bar`.
"""
import math
from pathlib import Path

CASE = Path(__file__).resolve().parents[2] / "cases" / "clearance_four_bar"

W, R, L, B, M, J, G = 20.0, 0.04, 0.18, 0.1, 0.3, 1e-4, 9.81
PIVOT = (0.12, 0.0, -0.08)
CLEARANCE, BEARING = 1e-4, 0.01
STIFFNESS = 4 / 3 * 207e9 / (2 * (1 - 0.09)) * math.sqrt(BEARING * (BEARING - CLEARANCE) / CLEARANCE)
H = 0.75 * (1 - 0.9**2)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def gap(t, y):
    """Penetration, its rate and the normal from the bearing's centre (coupler) to the ball's (rocker)."""
    u, w, beta, rate = y[0:3], y[3:6], y[6], y[7]
    c, s, cb, sb = math.cos(W * t), math.sin(W * t), math.cos(beta), math.sin(beta)
    spin = cross(w, u)
    e = (PIVOT[0] - R * c - L * u[0], PIVOT[1] + B * cb - R * s - L * u[1], PIVOT[2] + B * sb - L * u[2])
    v = (R * W * s - L * spin[0], -B * sb * rate - R * W * c - L * spin[1], B * cb * rate - L * spin[2])
    size = math.sqrt(dot(e, e))
    n = tuple(x / size for x in e) if size > 0 else (0.0, 0.0, 0.0)
    return size - CLEARANCE, dot(n, v), n


def normal_force(depth, rate, v0):
    return max(0.0, STIFFNESS * depth**1.5 * (1 + H * rate / v0)) if depth > 0 else 0.0


def rates(t, y, v0):
    u, w, beta, rate = y[0:3], y[3:6], y[6], y[7]
    force, n = 0.0, (0.0, 0.0, 0.0)
    if v0 is not None:
        depth, speed, n = gap(t, y)
        force = normal_force(depth, speed, v0)
    rho = tuple(0.5 * L * x for x in u)
    # Coupler: J α + m ρ×(α×ρ) = −m ρ×(a − g) − m (ω·ρ) ρ×ω + 2 ρ×F, forces at the crank tip eliminated.
    a = (-R * W * W * math.cos(W * t), -R * W * W * math.sin(W * t), G)
    p, q, f = cross(rho, a), cross(rho, w), cross(rho, n)
    along = dot(w, rho)
    scale = J + M * 0.25 * L * L
    alpha = [(-M * p[k] - M * along * q[k] + 2 * force * f[k]) / scale for k in range(3)]
    cb, sb = math.cos(beta), math.sin(beta)
    moment = -0.5 * B * cb * M * G + B * (cb * -force * n[2] - sb * -force * n[1])
    return [*cross(w, u), *alpha, rate, moment / (J + M * 0.25 * B * B)]


A = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
     [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
C = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def step(t, y, h, v0):
    k = []
    for a, c in zip(A, C):
        z = [y[i] + h * sum(x * d[i] for x, d in zip(a, k)) for i in range(8)]
        k.append(rates(t + c * h, z, v0))
    error = max(abs(h * sum(x * d[i] for x, d in zip(E, k))) / s for i, s in enumerate([1, 1, 1, 10, 10, 10, 1, 10]))
    return z, error


def simulate(end, every, tolerance):
    cb, sb = 0.8, -0.6
    u = (0.08 / L, 0.08 / L, -0.14 / L)
    v = (0.0, -B * sb * -0.5 * W - R * W, B * cb * -0.5 * W)
    y = [*u, *(x / L for x in cross(u, v)), math.atan2(sb, cb), -0.5 * W]
    t, v0, h, samples, contacts = 0.0, None, 1e-6, [], []
    next_sample = 1
    while t < end:
        target = next_sample * every
        h = min(h, 0.5e-3)
        last = t + h >= target - 1e-15
        trial = target - t if last else h
        z, error = step(t, y, trial, v0)
        if error > tolerance:
            h = trial * max(0.2, 0.9 * (tolerance / error) ** 0.2)
            continue
        depth, speed, _ = gap(t + trial, z)
        crossed = depth > 0 and speed > 0 if v0 is None else depth < 0 and speed < 0
        if crossed:
            low, high = 0.0, trial          # Bisection on the length of one step: slow and safe.
            for _ in range(60):
                middle = 0.5 * (low + high)
                inside = gap(t + middle, step(t, y, middle, v0)[0])[0] > 0
                low, high = (low, middle) if inside == (v0 is None) else (middle, high)
            y, t = step(t, y, high, v0)[0], t + high
            speed = gap(t, y)[1]
            if v0 is None:
                v0 = speed
                contacts.append([t, math.nan, v0])
            else:
                contacts[-1][1] = t
                v0 = None
            h = 1e-7
            continue
        if not last or error > 0.1 * tolerance:
            h = trial * min(4.0, 0.9 * (tolerance / max(error, 1e-30)) ** 0.2)
        y, t = z, target if last else t + trial
        if last:
            depth, speed, _ = gap(t, y)
            force = normal_force(depth, speed, v0) if v0 else 0.0
            samples.append([t, depth + CLEARANCE, y[6] - math.atan2(sb, cb), y[7], *y[3:6], force])
            next_sample += 1
    return samples, contacts


def write(file, header, rows, note):
    text = [f"# source: reduced coordinates, fifth-order Runge-Kutta, located events (tools/references/clearance_four_bar.py); {note}", header]
    text += [",".join(f"{x:.13g}" for x in row) for row in rows]
    (CASE / file).write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    coarse, few = simulate(0.024, 2.5e-4, 1e-12)
    fine, contacts = simulate(0.024, 2.5e-4, 1e-13)
    names = ["joint:socket.eccentricity", "joint:pivot.rotation", "body:rocker.wx", "body:coupler.wx", "body:coupler.wy", "body:coupler.wz", "joint:socket.normal_force"]
    for k, name in enumerate(names, 1):
        largest = max(abs(row[k]) for row in fine)
        print(f"  {name}: two tolerances differ by {max(abs(a[k] - b[k]) for a, b in zip(coarse, fine)) / largest:.1e} of the largest value")
    off = max(abs(a[0] - b[0]) for a, b in zip(few, contacts))
    print(f"  {len(contacts)} contacts ({len(few)} with the coarser tolerance), times differ by {off:.1e} s")
    if len(few) != len(contacts) or off > 1e-9:
        raise SystemExit("not converged")
    write("reference.csv", ",".join(["time", *names]), fine, "two tolerances, 1e-12 and 1e-13, agree as the script prints")
    write("contact_times.csv", "begin,end", [c[:2] for c in contacts], f"times differ by {off:.0e} s between two tolerances")
    write("contact_speeds.csv", "impact_speed", [c[2:] for c in contacts], "as contact_times.csv")
