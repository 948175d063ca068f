"""Sphere on a plane: sliding until it rolls, rolling resistance, spinning resistance. Closed forms, z is up.

While it slides v = v0 - mu g t and omega = mu m g r t / I, until v = r omega. Rolling resistance takes rho m g / I from the
rolling speed, spinning resistance gamma m g / I from the spinning speed, until they are zero.
"""
from math import cos, sin, sqrt

from plain import check, grid, write_table

mass, inertia, radius, gravity = 1309, 131, 0.5, 9.8
mu, rho, gamma = 0.25, 0.01, 0.0167
speed = 1.5 * sqrt(2)


def rolls_at(inertia):
    return speed / (mu * gravity * (1 + mass * radius**2 / inertia))


def turn_after(inertia):
    return mu * mass * gravity * radius * rolls_at(inertia) / inertia


uniform = 0.4 * mass * radius**2
print(f"rolls at {rolls_at(uniform):.5f} s with {turn_after(uniform):.5f} rad/s (2/5 m r^2), at {rolls_at(inertia):.5f} s with {turn_after(inertia):.5f} rad/s (131 kg m^2)")
check("printed time, 2/5 m r^2", rolls_at(uniform) - 0.24738, 1e-5)
check("printed angular speed", turn_after(uniform) - 3.03, 5e-3)


def sliding(t):
    end, rate = rolls_at(inertia), mu * mass * gravity * radius / inertia
    s = min(t, end)
    way = speed * s - mu * gravity * s * s / 2 + (speed - mu * gravity * end) * (t - s)
    angle = rate * s * s / 2 + rate * end * (t - s)
    d = sqrt(0.5)
    return [t, 0.1 + way * d, way * d, (speed - mu * gravity * s) * d, (speed - mu * gravity * s) * d, -rate * s * d, rate * s * d,
            cos(angle / 2), -sin(angle / 2) * d, sin(angle / 2) * d]


def braked(t, start, lever):
    slow = lever * mass * gravity / inertia
    s = min(t, start / slow)
    return s, start * s - slow * s * s / 2, start - slow * s


stop, angle, _ = braked(9, 0.4, rho)
print(f"rolling stops at {stop:.5f} s after {angle:.5f} rad")
check("printed time", stop - 0.408, 6e-4)
check("printed angle", angle - 0.0816, 2e-4)
stop, angle, _ = braked(9, 1, gamma)
print(f"spinning stops at {stop:.5f} s after {angle:.5f} rad")
check("printed time", stop - 0.61149, 1e-5)
check("printed angle", angle - 0.3055, 3e-4)

case, source, times = "sphere_on_plane", "closed form (tools/references/sphere_on_plane.py)", grid(0.01, 1)
body = "body:ball."
write_table(case, "reference_sliding.csv", source, ["time", *(body + q for q in "x y vx vy wx wy qw qx qy".split())], [sliding(t) for t in times])
write_table(case, "reference_rolling.csv", source, ["time", body + "wx", body + "qw", body + "qx"],
            [[t, w, cos(a / 2), sin(a / 2)] for t in times for _, a, w in [braked(t, 0.4, rho)]])
write_table(case, "reference_spinning.csv", source, ["time", body + "wz", body + "qw", body + "qz"],
            [[t, w, cos(a / 2), sin(a / 2)] for t in times for _, a, w in [braked(t, 1, gamma)]])


def when(name, end, before, after):
    """Status at ends of steps of 1e-4 s on both sides of the instant."""
    last = int(end * 1e4)
    write_table(case, name, source, ["time", "contact:floor.status"], [[(last - k) / 1e4, before] for k in (200, 20, 2, 1, 0)] + [[(last + k) / 1e4, after] for k in (1, 2, 3, 20, 200)])


when("instant_sliding.csv", rolls_at(inertia), 2, 3)
