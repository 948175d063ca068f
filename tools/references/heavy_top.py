"""Heavy symmetric top with a fixed point: nutation with cusps (closed form and a quadrature) and regular precession.

Axis at theta from the vertical, azimuth phi. a = I3 w3 / I1, b = a cos(theta0), beta = 2 m g l / I1 (I1 about the fixed point).
Nutation: released with theta' = phi' = 0, u = cos(theta): u'^2 = (u0 - u) [beta (1 - u²) - a² (u0 - u)].
"""
import numpy as np
from scipy.special import ellipj, ellipk

from common import check, check_rates, write_reference

m, l, G = 0.5, 0.06, 9.81
IT, I3 = 3e-4, 5e-4                             # about the mass centre, across and along the axis
I1 = IT + m * l**2
beta = 2 * m * G * l / I1

# --- nutation
THETA0, SPIN = np.radians(60), 100.0
a, u0 = I3 * SPIN / I1, np.cos(THETA0)
# remaining roots: beta u² - a² u + (a² u0 - beta) = 0
root = np.sqrt(a**4 - 4 * beta * (a**2 * u0 - beta))
u1, u3 = (a**2 - root) / (2 * beta), (a**2 + root) / (2 * beta)
rate, k2 = np.sqrt(beta * (u3 - u1)) / 2, (u0 - u1) / (u3 - u1)
K = ellipk(k2)
PERIOD = 2 * K / rate
print(f"  nutation between theta {np.degrees(THETA0):.6g} and {np.degrees(np.arccos(u1)):.12g} deg, period {PERIOD:.12g} s")
print(f"  lowest and highest z {l * u1:.15g} {l * u0:.15g}")


def u(t):
    sn, cn, dn, _ = ellipj(rate * t - 2 * K * np.round(rate * t / (2 * K)), k2)
    return u1 + (u0 - u1) * (cn / dn) ** 2


def u_rate(t):
    sn, cn, dn, _ = ellipj(rate * t - 2 * K * np.round(rate * t / (2 * K)), k2)
    return -2 * (u0 - u1) * (cn / dn) * (1 - k2) * sn / dn**2 * rate


def phi_rate(t):
    return a * (u0 - u(t)) / (1 - u(t) ** 2)


t = np.linspace(0, 2, 201)
check_rates("rate of cos(theta)", u, u_rate, t[1:])
check("first integral", u_rate(t) ** 2 - (u0 - u(t)) * (beta * (1 - u(t) ** 2) - a**2 * (u0 - u(t))), 1e-10)
nodes, weights = np.polynomial.legendre.leggauss(16)
inner = t[:-1, None] + (t[1] - t[0]) * (nodes + 1) / 2
phi = np.concatenate([[0], np.cumsum(phi_rate(inner) @ weights * (t[1] - t[0]) / 2)])
z, s = l * u(t), l * np.sqrt(1 - u(t) ** 2)
du, dphi = u_rate(t), phi_rate(t)
ds = -l * u(t) * du / np.sqrt(1 - u(t) ** 2)
vx, vy, vz = ds * np.cos(phi) - s * np.sin(phi) * dphi, ds * np.sin(phi) + s * np.cos(phi) * dphi, l * du
energy = 0.5 * I1 * (du**2 / (1 - u(t) ** 2) + (1 - u(t) ** 2) * dphi**2) + 0.5 * I3 * SPIN**2 + m * G * z
check("energy", energy / energy[0] - 1, 1e-12)
vertical = I1 * (1 - u(t) ** 2) * dphi + I3 * SPIN * u(t)
check("angular momentum about the vertical", vertical / vertical[0] - 1, 1e-12)
write_reference("heavy_top", "elliptic functions and quadrature (tools/references/heavy_top.py)", t, {
    "body:top.x": s * np.cos(phi), "body:top.y": s * np.sin(phi), "body:top.z": z,
    "body:top.vx": vx, "body:top.vy": vy, "body:top.vz": vz})

# --- regular precession at theta = 60 degrees: I1 cos(theta) W² - I3 w3 W + m g l = 0, slow root
THETA, W3 = np.radians(60), 120.0
c, s0 = np.cos(THETA), np.sin(THETA)
W = (I3 * W3 - np.sqrt((I3 * W3) ** 2 - 4 * I1 * c * m * G * l)) / (2 * I1 * c)
print(f"  regular precession {W:.15g} rad/s, period {2 * np.pi / W:.15g} s")
# Newton-Euler check at t = 0: rate of the angular momentum about the fixed point equals the moment of the weight.
e3 = lambda t: np.array([s0 * np.cos(W * t), s0 * np.sin(W * t), c])


def momentum(t):
    axis = e3(t)
    omega = W * np.array([0, 0, 1]) + (W3 - W * c) * axis
    return I1 * (omega - (omega @ axis) * axis) + I3 * (omega @ axis) * axis


check_rates("moment of the weight", momentum, lambda t: np.cross(l * e3(t), [0, 0, -m * G]), np.linspace(0, 2, 11), 1e-3)
x, y = l * s0 * np.cos(W * t), l * s0 * np.sin(W * t)
wx, wy, wz = (W3 - W * c) * s0 * np.cos(W * t), (W3 - W * c) * s0 * np.sin(W * t), W + (W3 - W * c) * c + 0 * t
write_reference("heavy_top_regular", "closed form (tools/references/heavy_top.py)", t, {
    "body:top.x": x, "body:top.y": y, "body:top.z": l * c + 0 * t,
    "body:top.vx": -W * y, "body:top.vy": W * x, "body:top.wx": wx, "body:top.wy": wy, "body:top.wz": wz,
    "joint:point.fx": -m * W**2 * x, "joint:point.fy": -m * W**2 * y, "joint:point.fz": m * G + 0 * t})
