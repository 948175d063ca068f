"""N-loop four-bar linkage that stays a parallelogram: a circulating pendulum, closed form.

All upright bars turn by the same angle theta from the upright position and the couplers only translate, so
T = 1/2 A theta'^2 with A = (N+1) m L²/3 + N m L², V = B cos(theta) with B = (N+1) m g L/2 + N m g L.
With psi = theta - pi from the lowest position: psi = 2 am(u), u = W t / 2 - K(k), W² = w0² + 4 B/A, k = 2 sqrt(B/A) / W.
"""
import numpy as np
from scipy.special import ellipj, ellipk

from common import check, check_rates, write_reference

N, L, M, G, SPEED = 2, 1.0, 1.0, 9.81, 1.0
A = (N + 1) * M * L**2 / 3 + N * M * L**2
B = (N + 1) * M * G * L / 2 + N * M * G * L
w0 = SPEED / L
W = np.sqrt(w0**2 + 4 * B / A)
m = 4 * B / A / W**2
K = ellipk(m)
print(f"  time of one turn {4 * K / W:.15g} s; bars horizontal (singular) twice a turn")


def amplitude(u):
    """Jacobi amplitude for any u: ellipj returns it continued over periods; reduced here to be sure of the digits."""
    turns = np.round(u / (2 * K))
    return turns * np.pi + ellipj(u - 2 * K * turns, m)[3]


def theta(t):
    return np.pi + 2 * amplitude(W * t / 2 - K)


def rate(t):
    return W * np.sqrt(1 - m * np.sin(amplitude(W * t / 2 - K)) ** 2)


t = np.linspace(0, 10, 201)
th, om = theta(t), rate(t)
energy = 0.5 * A * om**2 + B * np.cos(th)
check("energy", (energy - energy[0]) / B, 1e-12)
check("start angle and speed", np.array([theta(0.0), rate(0.0) - w0]), 1e-12)
check_rates("angular velocity", theta, rate, t[1:])
check_rates("angular acceleration", rate, lambda s: B / A * np.sin(theta(s)), t[1:])

angle = np.pi / 2 - th            # of the bars, from the x axis; clockwise because B0 starts in +x
columns = {}
for i in range(N + 1):
    columns |= {f"body:bar{i}.x": i * L + L / 2 * np.sin(th), f"body:bar{i}.y": L / 2 * np.cos(th),
                f"body:bar{i}.angle": angle, f"body:bar{i}.omega": -om}
for i in range(1, N + 1):
    columns |= {f"body:coupler{i}.x": (i - 0.5) * L + L * np.sin(th), f"body:coupler{i}.y": L * np.cos(th),
                f"body:coupler{i}.angle": 0 * t,
                f"body:coupler{i}.vx": L * np.cos(th) * om, f"body:coupler{i}.vy": -L * np.sin(th) * om}
write_reference("n_four_bar", "closed form of the parallelogram motion, Jacobi amplitude (tools/references/n_four_bar.py)", t, columns)
