"""Impacts of one point with friction in the plane: a slanted rod in all regimes of Routh's diagram, Kane's double pendulum.

The process in the normal impulse is followed by pieces, and checked against tiny steps. Newton's law is the algebraic one: all
states (open, stick, slip either way) are tried, and exactly one must fit; where it gains energy its restitution is reduced until
it does not.
"""
from math import cos, inf, radians, sin, sqrt

from plain import bisect, check, write_table


def process(w, u, mu, e, law):
    """Impulse (normal, tangential) and regimes; w = (w_nn, w_nt, w_tt), u = (u_n, u_t)."""
    nn, nt, tt = w
    un, ut = u
    p = [0.0, 0.0]
    compression = [0.0, 0.0]  # impulse, work
    work, restituting, regimes = 0.0, False, []
    while True:
        if ut != 0:
            s = 1 if ut > 0 else -1
            tau, rate = -mu * s, s * nt - mu * tt
            length = abs(ut) / -rate if rate < 0 else inf
            regimes.append("jam" if nn + tau * nt < 0 else "slide")
        elif abs(nt) <= mu * tt:
            tau, length = -nt / tt, inf
            regimes.append("stick")
        else:
            tau, length = (-mu if nt > 0 else mu), inf
            regimes.append("reversed" if regimes else "slide")
        a, b = nn + tau * nt, nt + tau * tt
        while True:
            if not restituting:
                stage = -un / a if a > 0 else inf
            elif law == "poisson":
                stage = (1 + e) * compression[0] - p[0]
            else:
                left = -e * e * compression[1] - work
                stage = (sqrt(un * un + 2 * a * left) - un) / a
            part = min(stage, length)
            work += un * part + a * part * part / 2
            p = [p[0] + part, p[1] + tau * part]
            un, ut = un + a * part, ut + b * part
            length -= part
            if part < stage:
                ut = 0.0
                break
            if restituting or e == 0:
                return p, regimes
            restituting, un = True, 0.0
            compression, work = [p[0], work], 0.0


def tiny_steps(w, u, mu, normal_impulse, count=400000):
    """Velocities after a normal impulse, by small steps of it; stick is a slip that is stopped and does not set in again."""
    nn, nt, tt = w
    un, ut = u
    h = normal_impulse / count
    for _ in range(count):
        tau = max(-mu, min(mu, -(ut / h + nt) / tt))  # that stops the slip, within the cone
        un, ut = un + h * (nn + tau * nt), ut + h * (nt + tau * tt)
    return un, ut


def after(w, u, p):
    nn, nt, tt = w
    return u[0] + nn * p[0] + nt * p[1], u[1] + nt * p[0] + tt * p[1]


def gain(w, u, p):
    v = after(w, u, p)
    return 0.5 * (p[0] * (u[0] + v[0]) + p[1] * (u[1] + v[1]))


def newton(w, u, mu, e):
    """The impulse with which u_n = -e u_n before and Coulomb's law holds after the impact."""
    nn, nt, tt = w
    right = -(1 + e) * u[0]
    found = []
    determinant = nn * tt - nt * nt
    p = [(right * tt + u[1] * nt) / determinant, (-u[1] * nn - right * nt) / determinant]
    if p[0] >= 0 and abs(p[1]) <= mu * p[0]:
        found.append(p)
    for s in (1, -1):
        normal = right / (nn - mu * s * nt)
        p = [normal, -mu * s * normal]
        if normal > 0 and s * after(w, u, p)[1] > 0:
            found.append(p)
    if len(found) != 1:
        raise SystemExit(f"Newton's law has {len(found)} solutions")
    return found[0]


def impact(w, u, mu, e, law):
    """Impulse, and a text about it."""
    if law != "newton":
        p, regimes = process(w, u, mu, e, law)
        v = after(w, u, p)
        tiny = tiny_steps(w, u, mu, p[0])
        check(f"{law} against tiny steps", max(abs(a - b) for a, b in zip(v, tiny)), 1e-4)
        return p, " ".join(regimes)
    p = newton(w, u, mu, e)
    if gain(w, u, p) <= 0:
        return p, "as asked for"
    share = bisect(lambda f: gain(w, u, newton(w, u, mu, f * e)), 0.0, 1.0)
    return newton(w, u, mu, share * e), f"would gain {gain(w, u, p):.6g} J, restitution reduced to {share * e:.6f}"


def slanted_rod():
    mass, inertia, slant, radius, e = 1.0, 1 / 12, radians(30), 1e-3, 0.8
    x, y = 0.5 * sin(slant), -0.5 * cos(slant) - radius  # contact point from the centre
    w = (1 / mass + x * x / inertia, -x * y / inertia, 1 / mass + y * y / inertia)
    print(f"rod: W_NN {w[0]:.6f}, W_NT {w[1]:.6f}, W_TT {w[2]:.6f}; sticks above mu = {w[1] / w[2]:.4f}, jams above {w[0] / w[1]:.4f}")
    for name, mu, speed in (("slide", 0.1, -3.0), ("stick", 0.6, 0.3), ("reversed", 0.2, -0.5), ("jam", 2.0, 0.5)):
        for law in ("newton", "poisson", "energetic"):
            u = (-1.0, speed)
            p, text = impact(w, u, mu, e, law)
            # What the whole body has gained is the work of the impulse.
            vx, vy, spin = speed + p[1] / mass, -1 + p[0] / mass, (x * p[0] - y * p[1]) / inertia
            energy = 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia * spin * spin
            check("energy", energy - 0.5 * mass * (1 + speed * speed) - gain(w, u, p), 1e-13)
            print(f"  {name}, {law}: {text}; {vx:.9f} {vy:.9f} {spin:.9f}, gain {gain(w, u, p):.6f} J")
            write_table("slanted_rod", f"reference_{name}_{law}.csv",
                        "impulse process by pieces, or Newton's law for all states (tools/references/one_point_impacts.py)",
                        ["time", "body:rod.vx", "body:rod.vy", "body:rod.omega"], [[4e-6, vx, vy, spin]])


def kanes_pendulum():
    """Two equal uniform rods that hang from a pivot, angles from the vertical; the lower tip strikes the floor."""
    mass, length, inertia, radius = 1.0, 1.0, 1 / 12, 1e-3
    a1, a2, w1, w2 = radians(20), radians(30), -0.1, -0.2
    # Velocities of the centres and of the contact point are linear in the two angular velocities.
    m11 = inertia + mass * (0.25 + 1) * length**2
    m12 = mass * 0.5 * length**2 * cos(a1 - a2)
    m22 = inertia + mass * 0.25 * length**2
    determinant = m11 * m22 - m12 * m12
    jn = (length * sin(a1), length * sin(a2))
    jt = (length * cos(a1), length * cos(a2) + radius)
    solve = lambda r: ((m22 * r[0] - m12 * r[1]) / determinant, (m11 * r[1] - m12 * r[0]) / determinant)
    dot = lambda a, b: a[0] * b[0] + a[1] * b[1]
    energy = lambda v: 0.5 * (m11 * v[0] ** 2 + 2 * m12 * v[0] * v[1] + m22 * v[1] ** 2)
    an, at = solve(jn), solve(jt)
    w = (dot(jn, an), dot(jn, at), dot(jt, at))
    before = (w1, w2)
    u = (dot(jn, before), dot(jt, before))
    print(f"pendulum: W {w}, u {u}, energy {energy(before):.9f} J")
    for name, mu, e in (("rough", 1.0, 0.9), ("half", 0.5, 0.5)):
        for law in ("newton", "poisson", "energetic"):
            p, text = impact(w, u, mu, e, law)
            v = [before[k] + an[k] * p[0] + at[k] * p[1] for k in range(2)]
            check("energy", energy(v) - energy(before) - gain(w, u, p), 1e-14)
            print(f"  {name}, {law}: {text}; {v[0]:.9f} {v[1]:.9f}, energy {energy(v):.9f} J")
            write_table("kanes_pendulum", f"reference_{name}_{law}.csv",
                        "impulse process by pieces, or Newton's law for all states (tools/references/one_point_impacts.py)",
                        ["time", "body:upper.omega", "body:lower.omega"], [[4e-6, v[0], v[1]]])


slanted_rod()
kanes_pendulum()
