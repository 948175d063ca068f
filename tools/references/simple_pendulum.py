"""Uniform rod swinging from its end through a large angle: closed form with Jacobi elliptic functions.

sin(theta/2) = k cd(w t, k), k = sin(theta0/2), w² = m g d / I_pivot; period 4 K(k) / w.
theta is counted from the lowest position; the rod's angle is theta - 90 degrees.
"""
import numpy as np
from scipy.special import ellipj, ellipk

from common import check, check_rates, write_reference

LENGTH, MASS, G, THETA0 = 1.0, 1.0, 9.81, np.radians(150)
d = LENGTH / 2
I_PIVOT = MASS * LENGTH**2 / 3
w = np.sqrt(MASS * G * d / I_PIVOT)
k = np.sin(THETA0 / 2)
PERIOD = 4 * ellipk(k**2) / w


def theta(t):
    sn, cn, dn, _ = ellipj(w * t, k**2)
    return 2 * np.arcsin(k * cn / dn)


def rate(t):
    sn, cn, dn, _ = ellipj(w * t, k**2)
    return -2 * k * w * (1 - k**2) * sn / dn**2 / np.sqrt(1 - (k * cn / dn) ** 2)


t = np.linspace(0, 10, 201)
th, om = theta(t), rate(t)
al = -w**2 * np.sin(th)
x, y = d * np.sin(th), -d * np.cos(th)
vx, vy = d * np.cos(th) * om, d * np.sin(th) * om
ax = d * (np.cos(th) * al - np.sin(th) * om**2)
ay = d * (np.sin(th) * al + np.cos(th) * om**2)

energy = 0.5 * I_PIVOT * om**2 + MASS * G * y
check("energy", (energy - energy[0]) / abs(energy[0]), 1e-12)
inside = t[t > 0.01]
check_rates("angular velocity", theta, rate, inside)
check_rates("angular acceleration", rate, lambda s: -w**2 * np.sin(theta(s)), inside)
check("period: return to the start", theta(PERIOD) - THETA0, 1e-7)
print(f"  period {PERIOD:.15g} s")

write_reference("simple_pendulum", "closed form, Jacobi elliptic functions (tools/references/simple_pendulum.py)", t, {
    "body:rod.x": x, "body:rod.y": y, "body:rod.angle": th - np.pi / 2,
    "body:rod.vx": vx, "body:rod.vy": vy, "body:rod.omega": om,
    "body:rod.ax": ax, "body:rod.ay": ay, "body:rod.alpha": al,
    "joint:pivot.fx": MASS * ax, "joint:pivot.fy": MASS * (ay + G),
    "joint:pivot.rotation": th - np.pi / 2})
