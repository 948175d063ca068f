"""A thrown ball that spins about a fixed axis: parabola and constant rotation."""
import numpy as np

from common import check, check_rates, write_reference

G, M, I = 9.81, 2.0, 0.02
V0, W = np.array([3.0, -2.0, 10.0]), np.array([0.5, 1.0, -1.0])


def position(t):
    return V0 * t - np.array([0, 0, G]) * t**2 / 2


def quaternion(t):
    w = np.linalg.norm(W)
    return np.concatenate([[np.cos(w * t / 2)], np.sin(w * t / 2) * W / w])


def quaternion_rate(t):
    q = quaternion(t)
    s, v = q[0], q[1:]
    return 0.5 * np.concatenate([[-W @ v], s * W + np.cross(W, v)])      # world angular velocity on the left


t = np.linspace(0, 2, 101)
check_rates("velocity", position, lambda s: V0 - np.array([0, 0, G * s]), t)
check_rates("quaternion rate", quaternion, quaternion_rate, t)
r, q = np.array([position(s) for s in t]), np.array([quaternion(s) for s in t])
check("scalar part stays positive", np.minimum(q[:, 0], 0), 0)
v = V0 - np.outer(t, [0, 0, G])
kinetic = 0.5 * M * np.sum(v**2, axis=1) + 0.5 * I * W @ W
check("energy", (kinetic + M * G * r[:, 2]) / kinetic[0] - 1, 1e-14)
write_reference("free_fall", "closed form (tools/references/free_fall.py)", t, {
    "body:ball.x": r[:, 0], "body:ball.y": r[:, 1], "body:ball.z": r[:, 2],
    "body:ball.vx": v[:, 0], "body:ball.vy": v[:, 1], "body:ball.vz": v[:, 2], "body:ball.az": -G + 0 * t,
    "body:ball.wx": W[0] + 0 * t, "body:ball.wy": W[1] + 0 * t, "body:ball.wz": W[2] + 0 * t,
    "body:ball.qw": q[:, 0], "body:ball.qx": q[:, 1], "body:ball.qy": q[:, 2], "body:ball.qz": q[:, 3],
    "energy.kinetic": kinetic})
