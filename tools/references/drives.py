"""Drives by table, speed, acceleration and on a body's own coordinates: integrals of the given functions."""
import numpy as np
from scipy.interpolate import CubicSpline

from common import check, check_rates, write_reference

G, M = 9.81, 2.0
# cubic table: 0.1 sin(pi t) given at 81 points; second derivative zero at both ends, so the end rule of the spline does not matter
knots = np.linspace(0, 2, 81)
table = np.round(0.1 * np.sin(np.pi * knots), 16)
t = np.linspace(0, 2, 201)
x1, v1, a1 = 0.1 * np.sin(np.pi * t), 0.1 * np.pi * np.cos(np.pi * t), -0.1 * np.pi**2 * np.sin(np.pi * t)
for rule in ("natural", "not-a-knot"):
    spline = CubicSpline(knots, table, bc_type=rule)
    check(f"{rule} spline: position", (spline(t) - x1) / 0.1, 1e-6)
    check(f"{rule} spline: velocity", (spline(t, 1) - v1) / np.abs(v1).max(), 1e-5)
    check(f"{rule} spline: acceleration", (spline(t, 2) - a1) / np.abs(a1).max(), 2e-3)


def ramp(t):
    """Speed 0 -> 1 in 0.5 s, 1 s constant, back to 0 in 0.5 s; travel is its integral."""
    if t < 0.5:
        return t**2, 2 * t
    if t < 1.5:
        return t - 0.25, 1.0
    return 1.5 - (2 - t) ** 2, 2 * (2 - t)


x2, v2 = np.array([ramp(s) for s in t]).T
check_rates("ramp", lambda s: ramp(s)[0], lambda s: ramp(s)[1], [0.2, 0.4, 1.0, 1.3, 1.7, 1.9])
x3, v3, a3 = 0.5 / 3 * (1 - np.cos(3 * t)), 0.5 * np.sin(3 * t), 1.5 * np.cos(3 * t)
check_rates("speed drive", lambda s: 0.5 / 3 * (1 - np.cos(3 * s)), lambda s: 0.5 * np.sin(3 * s), t)
x4, v4, a4 = 0.3 * t + (1 - np.cos(4 * t)) / 8, 0.3 + 0.5 * np.sin(4 * t), 2 * np.cos(4 * t)
check_rates("acceleration drive, once", lambda s: 0.3 * s + (1 - np.cos(4 * s)) / 8, lambda s: 0.3 + 0.5 * np.sin(4 * s), t)
check_rates("acceleration drive, twice", lambda s: 0.3 + 0.5 * np.sin(4 * s), lambda s: 2 * np.cos(4 * s), t)
I = 0.05
q5, w5, a5 = 0.5 * t + 0.2 * np.sin(2 * t), 0.5 + 0.4 * np.cos(2 * t), -0.8 * np.sin(2 * t)
y6, v6, a6 = 0.05 * np.sin(6 * t), 0.3 * np.cos(6 * t), -1.8 * np.sin(6 * t)
write_reference("drives", "integrals of the given functions (tools/references/drives.py)", t, {
    "body:cubic.x": x1, "body:cubic.vx": v1, "motion:cubic.force": M * a1,
    "body:ramp.x": x2, "body:ramp.vx": v2,
    "body:speed.x": x3, "body:speed.vx": v3, "motion:speed.force": M * a3, "motion:speed.power": M * a3 * v3,
    "body:acceleration.x": x4, "body:acceleration.vx": v4, "motion:acceleration.force": M * a4,
    "body:disc.angle": q5, "body:disc.omega": w5, "motion:disc.force": I * a5, "motion:disc.power": I * a5 * w5,
    "body:platform.y": y6, "body:platform.vy": v6, "motion:platform.force": M * (a6 + G)})
