"""Bricard mechanism as a one-degree-of-freedom system in its own motion parameter.

Six equal links with perpendicular neighbouring hinges close when the hinge angles alternate, (phi, theta, phi, ...), on
(1 + cos phi)(1 + cos theta) = 1; the cube-edge start is phi = theta = 90 degrees. The curve is run through smoothly by
chi: 1 + cos phi = exp(p), 1 + cos theta = exp(-p), p = ln 2 sin chi. Generalised mass and potential become periodic
functions of chi, held as Fourier series (spectral accuracy), and A chi'' + 1/2 A' chi'^2 + V' = 0 is integrated.
"""
import itertools

import numpy as np
from scipy.integrate import solve_ivp

from common import check, write_reference

L, MASS, SECTION, G = 1.0, 1.0, 0.1, 9.81
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float) * L
AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
N = 512


def rotation(axis, angle):
    x = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * x + (1 - np.cos(angle)) * x @ x


def chain(turns):
    """Pose (R, p) of rods 1..5, and of the ground link as carried round the loop by hinge 6."""
    R, p, poses = np.eye(3), np.zeros(3), []
    for axis, point, angle in zip(AXES, POINTS, turns):
        turn = rotation(axis, angle)
        p = p + R @ (point - turn @ point)
        R = R @ turn
        poses.append((R, p))
    return poses


def hinge_angles(chi):
    """phi and theta as smooth functions of chi: cos phi = exp(p) - 1 with the sign carried through zero.

    sin²(phi/2) = 1 - exp(p)/2 vanishes quadratically where p = ln 2, so its signed root is smooth in chi.
    """
    # 1 - exp(p)/2 = -expm1(p - ln 2), and p - ln 2 = -2 ln 2 sin²(pi/4 - chi/2)
    a = np.sin(np.pi / 4 - chi / 2)
    b = np.cos(np.pi / 4 - chi / 2)

    def signed_root(s):
        return np.copysign(np.sqrt(-np.expm1(-2 * np.log(2) * s**2)), s)

    return 2 * np.arcsin(signed_root(a)), 2 * np.arcsin(signed_root(b))


# chi runs over 4 pi on the two-fold cover of a and b; the closed curve itself has that period.
phi, theta = hinge_angles(0.0)
check("start is the cube: phi = theta = 90 degrees", np.array([phi, theta]) - np.pi / 2, 1e-14)

# Signs of the six turns: those (up to a common sign) for which the loop closes along the whole curve.
def closure(signs, chi):
    phi, theta = hinge_angles(chi)
    turns = [s * ((phi if i % 2 == 0 else theta) - np.pi / 2) for i, s in enumerate(signs)]
    R, p = chain(turns)[-1]
    return max(np.abs(R - np.eye(3)).max(), np.abs(p).max())

SIGNS = min(itertools.product([1, -1], repeat=6), key=lambda s: max(closure(s, c) for c in (0.2, 0.5, 1.0)))
chi = np.linspace(0, 4 * np.pi, N, endpoint=False)
check("the loop closes along the whole curve", [closure(SIGNS, c) for c in chi], 1e-13)

poses = []
for c in chi:
    phi, theta = hinge_angles(c)
    poses.append(chain([s * ((phi if i % 2 == 0 else theta) - np.pi / 2) for i, s in enumerate(SIGNS)]))
wave = np.fft.fftfreq(N, 1 / N) * 0.5          # period 4 pi


def differentiate(samples):
    spectrum = np.fft.fft(samples, axis=0)
    factor = (1j * wave).reshape(-1, *[1] * (samples.ndim - 1))
    factor[N // 2] = 0
    return np.fft.ifft(factor * spectrum, axis=0).real


def along(direction):
    """Inertia of a rod of square section, in the world axes of the start position (also its body axes)."""
    I = np.full(3, MASS * (L**2 + SECTION**2) / 12)
    I[direction] = MASS * SECTION**2 / 6
    return np.diag(I)


A, V = np.zeros(N), np.zeros(N)
centre_curves, spin_curves = [], []
for n in range(5):
    middle = (POINTS[n] + POINTS[n + 1]) / 2
    inertia = along(int(np.argmax(np.abs(POINTS[n + 1] - POINTS[n]))))
    R = np.array([poses[k][n][0] for k in range(N)])
    r = np.array([poses[k][n][0] @ middle + poses[k][n][1] for k in range(N)])
    dr, dR = differentiate(r), differentiate(R)
    W = np.einsum("kij,klj->kil", dR, R)       # dR/dchi R^T, skew
    w = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)
    wb = np.einsum("kij,ki->kj", R, w)
    A += MASS * np.sum(dr**2, axis=1) + np.einsum("ki,ij,kj->k", wb, inertia, wb)
    V += MASS * G * r[:, 1]
    centre_curves.append(r)
    spin_curves.append(w)


class Series:
    def __init__(self, samples):
        self.c = np.fft.fft(samples, axis=0) / N

    def __call__(self, x, order=0):
        factor = (1j * wave) ** order * np.exp(1j * wave * x)
        return np.tensordot(factor, self.c, axes=(0, 0)).real


mass, potential = Series(A), Series(V)
tail = np.abs(mass.c[N // 4: N // 2]).max() / np.abs(mass.c).max()
check("Fourier series of the generalised mass has converged", tail, 1e-11)


def right_hand_side(t, y):
    x, v = y
    return [v, -(0.5 * mass(x, 1) * v**2 + potential(x, 1)) / mass(x)]


t = np.linspace(0, 10, 201)
run = solve_ivp(right_hand_side, (0, 10), [0.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=t)
x, v = run.y
energy = np.array([0.5 * mass(a) * b**2 + potential(a) for a, b in zip(x, v)])
print(f"  energy {energy[0]:.12g} J, chi between {x.min():.4f} and {x.max():.4f}")
check("energy", (energy - energy[0]) / abs(energy[0]), 1e-11)
again = solve_ivp(right_hand_side, (0, 10), [0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-11, t_eval=t)
check("end state against a run with a hundredfold tolerance", again.y[:, -1] - run.y[:, -1], 1e-8)

columns = {}
for n in range(5):
    curve, spin = Series(centre_curves[n]), Series(spin_curves[n])
    r = np.array([curve(a) for a in x])
    rate = np.array([curve(a, 1) * b for a, b in zip(x, v)])
    w = np.array([spin(a) * b for a, b in zip(x, v)])
    if n == 2:                                   # rod 3 has its origin at P3, its mass centre in the middle
        P3 = Series(np.array([poses[k][2][0] @ POINTS[2] + poses[k][2][1] for k in range(N)]))
        r = np.array([P3(a) for a in x])
    for i, axis in enumerate("xyz"):
        columns[f"body:rod{n + 1}.{axis}"] = r[:, i]
    for i, axis in enumerate("xyz"):
        columns[f"body:rod{n + 1}.v{axis}"] = rate[:, i]
    for i, axis in enumerate("xyz"):
        columns[f"body:rod{n + 1}.w{axis}"] = w[:, i]
numeric = np.gradient(columns["body:rod2.y"], t, edge_order=2)
check("velocity of rod 2 against a coarse difference", (numeric - columns["body:rod2.vy"])[5:-5], 1e-3)
columns["energy.kinetic"] = np.array([0.5 * mass(a) * b**2 for a, b in zip(x, v)])
write_reference("bricard", "one-parameter closed form of the linkage, integrated to 1e-13 (tools/references/bricard.py)", t, columns)
