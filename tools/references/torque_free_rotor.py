"""Asymmetric rotor in free space, started close to its unstable axis: Euler's equations by Jacobi elliptic functions.

I1 < I2 < I3, start (0, w2, w3) in body axes with 2 T I2 < L², so that the rotation is of the kind
w1 = -A1 k' sd(u), w2 = A2 cd(u), w3 = A3 k' nd(u). Orientation: with the angular momentum along a fixed direction, two Euler angles
are algebraic in the rates and the third is a quadrature of a periodic function.
"""
import numpy as np
from scipy.special import ellipj, ellipk

from common import check, check_rates, write_reference

I = np.array([0.02, 0.03, 0.04])
I1, I2, I3 = I
START = np.array([0.0, 2 * np.pi, 0.05])
END = 100.0

L = np.linalg.norm(I * START)
T2 = I @ START**2                              # twice the kinetic energy
A1 = np.sqrt((T2 * I3 - L**2) / (I1 * (I3 - I1)))
A2 = np.sqrt((T2 * I3 - L**2) / (I2 * (I3 - I2)))
A3 = np.sqrt((L**2 - T2 * I1) / (I3 * (I3 - I1)))
n = np.sqrt((I3 - I2) * (L**2 - T2 * I1) / (I1 * I2 * I3))
m = (I2 - I1) * (T2 * I3 - L**2) / ((I3 - I2) * (L**2 - T2 * I1))
K = ellipk(m)
print(f"  modulus² {m:.12g}, the rotor turns over every {2 * K / n:.12g} s")


def body_rates(t):
    u = n * np.asarray(t, dtype=float)
    u = u - 4 * K * np.round(u / (4 * K))
    sn, cn, dn, _ = ellipj(u, m)
    k1 = np.sqrt(1 - m)
    return np.stack([-A1 * k1 * sn / dn, A2 * cn / dn, A3 * k1 / dn], axis=-1)


def euler(t):
    w = body_rates(t)
    return np.cross(I * w, w) / I


check("start", body_rates(0.0) - START, 1e-12)
samples = np.linspace(0.01, END, 331)
check_rates("Euler's equations", body_rates, euler, samples, 2e-3)
w = body_rates(samples)
check("energy", w**2 @ I / T2 - 1, 1e-12)
check("angular momentum", np.linalg.norm(w * I, axis=1) / L - 1, 1e-12)


def axis_rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


# Precession psi about L: psi' = L (I1 w1² + I2 w2²) / ((I1 w1)² + (I2 w2)²); 3-1-3 angles with I w = L (sin th sin ph, sin th cos ph, cos th).
STEP = 0.005
grid = np.arange(0, int(round(END / STEP)) + 1) * STEP
nodes, weights = np.polynomial.legendre.leggauss(8)


def psi_rate(t):
    w = body_rates(t)
    return L * (I1 * w[..., 0] ** 2 + I2 * w[..., 1] ** 2) / ((I1 * w[..., 0]) ** 2 + (I2 * w[..., 1]) ** 2)


inner = grid[:-1, None] + STEP * (nodes + 1) / 2
psi = np.concatenate([[0], np.cumsum(psi_rate(inner) @ weights * STEP / 2)])


def in_momentum_frame(t, psi):
    w = body_rates(t)
    th = np.arccos(np.clip(I3 * w[2] / L, -1, 1))
    ph = np.arctan2(I1 * w[0], I2 * w[1])
    return axis_rotation(2, psi) @ axis_rotation(0, th) @ axis_rotation(2, ph)


TO_WORLD = in_momentum_frame(0.0, 0.0).T      # the body starts aligned with the world axes


def orientation(k):
    return TO_WORLD @ in_momentum_frame(grid[k], psi[k])


every = 100                                    # a reference sample each 0.5 s
index = np.arange(0, len(grid), every)
t = grid[index]
R = np.array([orientation(k) for k in index])
world = np.array([r @ body_rates(s) for r, s in zip(R, t)])
momentum = np.array([r @ (I * body_rates(s)) for r, s in zip(R, t)])
check("start orientation", R[0] - np.eye(3), 1e-12)
check("angular momentum vector in the world", (momentum - I * START) / L, 1e-11)
# Angular velocity from differences of the orientation.
errors = []
for k in index[1:-1]:
    d = (45 * (orientation(k + 1) - orientation(k - 1)) - 9 * (orientation(k + 2) - orientation(k - 2))
         + (orientation(k + 3) - orientation(k - 3))) / (60 * STEP)
    W = d @ orientation(k).T
    errors.append(np.array([W[2, 1], W[0, 2], W[1, 0]]) - orientation(k) @ body_rates(grid[k]))
check("angular velocity against a finite difference of the orientation", np.array(errors) / np.linalg.norm(START), 1e-7)
print(f"  L = {I * START}, kinetic energy {T2 / 2:.15g}")
write_reference("torque_free_rotor", "Jacobi elliptic functions and quadrature (tools/references/torque_free_rotor.py)", t, {
    "body:rotor.wx": world[:, 0], "body:rotor.wy": world[:, 1], "body:rotor.wz": world[:, 2]})
