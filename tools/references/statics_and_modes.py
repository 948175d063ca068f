"""Static equilibrium of a bar on two springs (energy minimised) and eigenmodes of small chains (closed forms)."""
import numpy as np
from scipy.optimize import fsolve

from common import check, write_reference

# --- bar of 10 kg and 1 m on two unequal springs hanging from (-0.5, 0) and (0.5, 0)
G, M, L = 9.81, 10.0, 1.0
ANCHORS, K, FREE = np.array([[-0.5, 0.0], [0.5, 0.0]]), np.array([1000.0, 2000.0]), np.array([0.3, 0.25])


def ends(q):
    half = L / 2 * np.array([np.cos(q[2]), np.sin(q[2])])
    return np.array([q[:2] - half, q[:2] + half])


def energy(q):
    lengths = np.linalg.norm(ends(q) - ANCHORS, axis=1)
    return 0.5 * np.sum(K * (lengths - FREE) ** 2) + M * G * q[1]


def balance(q):
    """Force and moment about the mass centre."""
    p = ends(q)
    d = ANCHORS - p
    lengths = np.linalg.norm(d, axis=1)
    f = (K * (lengths - FREE) / lengths)[:, None] * d
    arm = p - q[:2]
    return np.array([f[:, 0].sum(), f[:, 1].sum() - M * G, np.sum(arm[:, 0] * f[:, 1] - arm[:, 1] * f[:, 0])])


q = fsolve(balance, [0.0, -0.33, 0.03], xtol=1e-15)
check("static equilibrium: forces and moment", balance(q), 1e-10)
h = 1e-5
gradient = [(energy(q + h * e) - energy(q - h * e)) / (2 * h) for e in np.eye(3)]
check("static equilibrium: energy is stationary", gradient, 1e-6)
hessian = np.array([[(energy(q + 1e-4 * (a + b)) - energy(q + 1e-4 * (a - b)) - energy(q - 1e-4 * (a - b)) + energy(q - 1e-4 * (a + b)))
                     / 4e-8 for a in np.eye(3)] for b in np.eye(3)])
check("static equilibrium: stable (smallest stiffness positive)", min(0, np.linalg.eigvalsh(hessian)[0]), 0)
lengths = np.linalg.norm(ends(q) - ANCHORS, axis=1)
print(f"  x {q[0]:.15g} y {q[1]:.15g} angle {q[2]:.15g}")
write_reference("spring_suspension", "equilibrium solved to rounding (tools/references/statics_and_modes.py)", [0.0], {
    "body:bar.x": [q[0]], "body:bar.y": [q[1]], "body:bar.angle": [q[2]],
    "force:left.force": [K[0] * (lengths[0] - FREE[0])], "force:right.force": [K[1] * (lengths[1] - FREE[1])]})

# --- double pendulum of two equal uniform rods: w² = 3 (1 -+ 2/sqrt 7) g / L
mass = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])          # of m L², angles from the vertical
stiffness = np.diag([3 / 2, 1 / 2])                        # of m g L
w2 = np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real) * G / 1.0
check("double pendulum: closed form", w2 - 3 * (1 + np.array([-2, 2]) / np.sqrt(7)) * G, 1e-12)
for n, f in enumerate(np.sqrt(w2) / (2 * np.pi), 1):
    print(f"  double pendulum mode {n}: {f:.15g} Hz")

# --- three masses between two walls: w_j = 2 sqrt(k/m) sin(j pi / 8), stiffness-proportional damping
m, k, c = 2.0, 800.0, 1.6
A = np.array([[2, -1, 0], [-1, 2, -1], [0, -1, 2.0]])
state = np.block([[np.zeros((3, 3)), np.eye(3)], [-k / m * A, -c / m * A]])
roots = np.linalg.eigvals(state)
roots = roots[roots.imag > 0]
roots = roots[np.argsort(np.abs(roots))]
w = 2 * np.sqrt(k / m) * np.sin(np.arange(1, 4) * np.pi / 8)
check("chain: closed form of the frequencies", np.abs(roots) - w, 1e-10)
check("chain: closed form of the damping ratios", -roots.real / np.abs(roots) - c * w / (2 * k), 1e-12)
for n in range(3):
    print(f"  chain mode {n + 1}: {w[n] / (2 * np.pi):.15g} Hz, damping ratio {c * w[n] / (2 * k):.15g}")
