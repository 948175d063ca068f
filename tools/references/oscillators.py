"""One-degree-of-freedom oscillators: damped spring, torsion spring, Duffing spring, ligament. All closed forms."""
import numpy as np
from scipy.special import beta, betaincinv, ellipj, ellipk

from common import check, check_rates, write_reference


def damped(t, x0, v0, w0, zeta):
    """Displacement and rate of x'' + 2 zeta w0 x' + w0² x = 0, zeta < 1."""
    wd = w0 * np.sqrt(1 - zeta**2)
    decay = np.exp(-zeta * w0 * t)
    b = (v0 + zeta * w0 * x0) / wd
    c, s = np.cos(wd * t), np.sin(wd * t)
    return decay * (x0 * c + b * s), decay * (v0 * c - (zeta * w0 * b + wd * x0) * s)


# --- mass hanging from a spring-damper
m, k, c, free, length, G = 2.0, 200.0, 4.0, 0.4, 0.7, 9.81
w0, zeta, rest = np.sqrt(k / m), c / (2 * np.sqrt(k * m)), free + m * G / k
t = np.linspace(0, 5, 251)
x, v = damped(t, length - rest, 0.0, w0, zeta)
a = -2 * zeta * w0 * v - w0**2 * x
check_rates("oscillator rate", lambda s: damped(s, length - rest, 0.0, w0, zeta)[0], lambda s: damped(s, length - rest, 0.0, w0, zeta)[1], t)
check_rates("oscillator acceleration", lambda s: damped(s, length - rest, 0.0, w0, zeta)[1],
            lambda s: -2 * zeta * w0 * damped(s, length - rest, 0.0, w0, zeta)[1] - w0**2 * damped(s, length - rest, 0.0, w0, zeta)[0], t)
stored = 0.5 * m * v**2 + 0.5 * k * x**2             # about the rest position; equals the total but for a constant
write_reference("linear_oscillator", "closed form (tools/references/oscillators.py)", t, {
    "body:block.y": -(rest + x), "body:block.vy": -v, "body:block.ay": -a,
    "joint:rail.translation": length - (rest + x),
    "force:spring.force": k * (rest + x - free) + c * v, "energy.dissipated": stored[0] - stored})

# --- torsion pendulum
I, kt, ct, free, start = 0.02, 5.0, 0.05, 0.3, 1.0
w0, zeta = np.sqrt(kt / I), ct / (2 * np.sqrt(kt * I))
t = np.linspace(0, 4, 201)
x, v = damped(t, start - free, 0.0, w0, zeta)
check_rates("torsion rate", lambda s: damped(s, 0.7, 0.0, w0, zeta)[0], lambda s: damped(s, 0.7, 0.0, w0, zeta)[1], t)
stored = 0.5 * I * v**2 + 0.5 * kt * x**2
write_reference("torsion_pendulum", "closed form (tools/references/oscillators.py)", t, {
    "body:disc.angle": free + x, "body:disc.omega": v, "joint:axle.rotation": free + x,
    "force:spring.torque": kt * x + ct * v, "energy.dissipated": stored[0] - stored})

# --- Duffing oscillator, m x'' = -(k x + k3 x³), released at A: x = A cn(W t, mod)
m, k, k3, A, free = 1.0, 100.0, 2000.0, 0.4, 1.0
W = np.sqrt((k + k3 * A**2) / m)
mod = k3 * A**2 / (2 * (k + k3 * A**2))
K = ellipk(mod)
duffing = lambda t: A * ellipj(W * t, mod)[1]
duffing_rate = lambda t: -A * W * ellipj(W * t, mod)[0] * ellipj(W * t, mod)[2]
t = np.linspace(0, 3, 201)
check_rates("Duffing rate", duffing, duffing_rate, t)
check_rates("Duffing acceleration", duffing_rate, lambda s: -(k * duffing(s) + k3 * duffing(s) ** 3) / m, t)
print(f"  Duffing period {4 * K / W:.15g} s")
x = duffing(t)
write_reference("duffing", "closed form, Jacobi cn (tools/references/oscillators.py)", t, {
    "body:block.x": free + x, "body:block.vx": duffing_rate(t), "force:spring.force": k * x + k3 * x**3,
    "energy.potential": k * x**2 / 2 + k3 * x**4 / 4})

# --- ligament: slack flight, taut phase m x'' = -k x², slack flight
m, k, free, start, v0 = 1.0, 1e5, 0.30, 0.25, 2.0
xm = (3 * m * v0**2 / (2 * k)) ** (1 / 3)
slack = (free - start) / v0
half = xm / v0 * beta(1 / 3, 1 / 2) / 3              # from taut to the largest stretch


def stretch(s):
    """Stretch at a time s after the ligament became taut: incomplete beta function inverted."""
    s = min(s, 2 * half - s)
    return xm * betaincinv(1 / 3, 1 / 2, s / half) ** (1 / 3)


def ligament(t):
    if t <= slack:
        return start + v0 * t, v0, 0.0
    if t >= slack + 2 * half:
        return free - v0 * (t - slack - 2 * half), -v0, 0.0
    x = stretch(t - slack)
    speed = np.sqrt(max(v0**2 - 2 * k * x**3 / (3 * m), 0))
    return free + x, speed if t < slack + half else -speed, k * x**2


t = np.linspace(0, 0.1, 201)
values = np.array([ligament(s) for s in t])
inside = [s for s in t if slack + 0.002 < s < slack + 2 * half - 0.002 and abs(s - slack - half) > 0.002]
check_rates("ligament rate", lambda s: ligament(s)[0], lambda s: ligament(s)[1], inside, 1e-4, 1e-7)
check_rates("ligament acceleration", lambda s: ligament(s)[1], lambda s: -ligament(s)[2] / m, inside, 1e-4, 1e-7)
print(f"  ligament: largest stretch {xm:.15g} m, peak force {k * xm**2:.15g} N, taut for {2 * half:.15g} s, "
      f"end position {values[-1, 0]:.15g} m")
write_reference("ligament", "closed form, inverse incomplete beta function (tools/references/oscillators.py)", t, {
    "body:block.x": values[:, 0], "body:block.vx": values[:, 1], "force:band.force": values[:, 2]})
