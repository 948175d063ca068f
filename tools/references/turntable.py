"""Turntable and preloaded springs: closed forms. Needs the standard library only."""
from math import cos, exp, pi, sin, sqrt
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"


def write(case, times, rows):
    """rows(t) maps quantity names to values."""
    names = list(rows(0.0))
    lines = ["# source: closed form (tools/references/turntable.py)", ",".join(["time", *names])]
    lines += [",".join([f"{t:.12g}", *(f"{v + 0.0:.16g}" for v in rows(t).values())]) for t in times]
    (CASES / case / "reference.csv").write_text("\n".join(lines) + "\n")
    print(f"{case}: {len(times)} samples of {len(names)} quantities")


def check_rate(case, rows, position, rate):
    """Sixth-order difference of one column against another."""
    h = 1e-3
    for t in (0.3, 0.71, 1.4):
        f = lambda s: rows(t + s * h)[position]
        numeric = (45 * (f(1) - f(-1)) - 9 * (f(2) - f(-2)) + (f(3) - f(-3))) / (60 * h)
        if abs(numeric - rows(t)[rate]) > 1e-8 * (1 + abs(numeric)):
            raise SystemExit(f"check failed: {case} {rate}: {numeric} {rows(t)[rate]}")


G = 9.81


def turntable(t):
    m, r, d, inertia, alpha = 2.0, 0.4, 0.1, 0.025, 1.0
    phi, w = alpha * t * t / 2, alpha * t
    er, et = (cos(phi), sin(phi)), (-sin(phi), cos(phi))
    fr, ft, fz = -m * r * w * w, m * r * alpha, m * G
    torque = (0.2 + inertia + m * r * r) * alpha
    z, vz, az = 0.1 * sin(3 * t), 0.3 * cos(3 * t), -0.9 * sin(3 * t)
    spin = 0.02 / 0.01
    hx, hvx, hax = 0.1 * sin(2 * t), 0.2 * cos(2 * t), -0.4 * sin(2 * t)
    hz, hvz, haz = t**3 / 12, t * t / 4, t / 2
    kinetic = torque / alpha * w * w / 2 + 0.5 * 2 * (vz * vz - 0.09) + 0.5 * 0.01 * (spin * t) ** 2
    kinetic += 0.5 * 3 * (hvx * hvx + hvz * hvz - 0.04)
    return {
        "joint:bearing.rotation": phi, "body:hub.wz": w,
        "body:plate.x": r * er[0], "body:plate.y": r * er[1], "body:plate.vx": r * w * et[0], "body:plate.vy": r * w * et[1],
        "body:plate.wz": w,
        "joint:bolts.fx": fr * er[0] + ft * et[0], "joint:bolts.fy": fr * er[1] + ft * et[1], "joint:bolts.fz": fz,
        "joint:bolts.tx": -d * fz * et[0], "joint:bolts.ty": -d * fz * et[1], "joint:bolts.tz": inertia * alpha + d * ft,
        "motion:table.force": torque, "motion:table.power": torque * w,
        "joint:post.translation": z, "joint:post.rotation": spin * t * t / 2, "body:spindle.vz": vz, "body:spindle.wz": spin * t,
        "motion:lift.force": 2 * (az + G),
        "body:hook.x": hx, "body:hook.y": 2 + 0.25 * t, "body:hook.z": hz, "body:hook.vx": hvx, "body:hook.vz": hvz,
        "motion:traverse.force": 3 * hax, "motion:hoist.force": 3 * (haz + G),
        "energy.supplied": kinetic + 2 * G * z + 3 * G * hz}


for a, b in (("body:plate.x", "body:plate.vx"), ("body:plate.y", "body:plate.vy"), ("joint:post.translation", "body:spindle.vz"),
             ("body:hook.x", "body:hook.vx"), ("body:hook.z", "body:hook.vz"), ("joint:bearing.rotation", "body:hub.wz")):
    check_rate("turntable", turntable, a, b)
write("turntable", [k / 50 for k in range(101)], turntable)


def springs(t):
    m, k, preload = 2.0, 200.0, 30.0
    w = sqrt(k / m)
    x, v = preload / k * (cos(w * t) - 1), -preload / k * w * sin(w * t)
    inertia, stiff, damp = 0.02, 0.5, 0.02
    delta, w0 = damp / (2 * inertia), sqrt(stiff / inertia)
    wd = sqrt(w0 * w0 - delta * delta)
    a = 0.5 * exp(-delta * t) * (cos(wd * t) + delta / wd * sin(wd * t))
    va = -0.5 * exp(-delta * t) * w0 * w0 / wd * sin(wd * t)
    phi = 2 * 0.25 / 0.04 * t * t / 2
    return {
        "body:cart.x": 0.5 + x, "body:cart.vx": v, "force:spring.force": preload + k * x,
        "body:balance.angle": a, "body:balance.omega": va, "force:hairspring.torque": stiff * a + damp * va,
        "body:wheel.angle": phi, "body:wheel.omega": 12.5 * t,
        "joint:axle.fx": 2 * cos(phi), "joint:axle.fy": 2 * sin(phi),
        # The hairspring by function stores what it does at rest; the part with the rate is a damper.
        "energy.potential": preload * x + k * x * x / 2 + stiff * a * a / 2, "energy.supplied": 0.5 * 0.04 * (12.5 * t) ** 2,
        "energy.dissipated": stiff * (0.5 ** 2 - a * a) / 2 - 0.5 * inertia * va * va}


for a, b in (("body:cart.x", "body:cart.vx"), ("body:balance.angle", "body:balance.omega"), ("body:wheel.angle", "body:wheel.omega")):
    check_rate("preloaded_springs", springs, a, b)
write("preloaded_springs", [k / 50 for k in range(201)], springs)
