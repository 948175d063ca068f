"""Forces and torques given as functions of time, in body axes and in world axes.

The craft turns with constant angular acceleration and pushes along its own x axis: its velocity is a Fresnel integral.
"""
import numpy as np
from scipy.special import fresnel

from common import check, check_rates, write_reference

m, I, thrust, moment = 2.0, 0.5, 4.0, 0.5
alpha, a = moment / I, thrust / m
scale = np.sqrt(np.pi / alpha)                 # integral of cos(alpha s²/2) from 0 to t = scale C(t / scale)


def velocity(t):
    s, c = fresnel(t / scale)
    return a * scale * np.array([c, s])


def position(t):
    q = alpha * t**2 / 2
    return t * velocity(t) - a / alpha * np.array([np.sin(q), 1 - np.cos(q)])


t = np.linspace(0, 5, 201)
check_rates("craft: velocity", position, velocity, t)
check_rates("craft: acceleration", velocity, lambda s: a * np.array([np.cos(alpha * s**2 / 2), np.sin(alpha * s**2 / 2)]), t)
r, v = np.array([position(s) for s in t]), np.array([velocity(s) for s in t])
wz, py, pv = 0.3 / (2 * I) * np.sin(2 * t), 1.5 / (3 * m) * (t - np.sin(3 * t) / 3), 1.5 / (3 * m) * (1 - np.cos(3 * t))
kinetic = 0.5 * m * np.sum(v**2, axis=1) + 0.5 * I * (alpha * t) ** 2 + 0.5 * I * wz**2 + 0.5 * m * pv**2
write_reference("loads", "Fresnel integrals (tools/references/loads.py)", t, {
    "body:craft.x": r[:, 0], "body:craft.y": r[:, 1], "body:craft.z": 0 * t, "body:craft.vx": v[:, 0], "body:craft.vy": v[:, 1],
    "body:craft.wz": alpha * t, "body:probe.y": 5 + py, "body:probe.vy": pv, "body:probe.wz": wz,
    "energy.kinetic": kinetic, "energy.supplied": kinetic})
