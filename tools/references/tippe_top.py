"""Tippe-top on its ball, up to the touch of its stem: a rigid body on a plane with one friction for sliding and spinning, as a smooth differential equation.

e is the axis of the top, r = a e - R e_z from the mass centre to the contact. F = N (e_z - mu u/s), M = -gamma N c w_z/s e_z, s^2 = u^2 + (c w_z)^2, c = gamma/mu. The height
R - a e_z of the mass centre gives N. Checked: energy against the work of friction; Jellett's integral L.r against the moment M.
"""
from math import cos, sin, sqrt

from plain import check, rk4, write_table

mass, gravity, mu, gamma = 0.006, 9.81, 0.3, 8.836e-5
radius, offset, stem_radius, stem = 0.015, 0.003, 0.005, 0.016
I1, I3, tilt, spin = 8e-7, 7e-7, 0.1, 180
c = gamma / mu
dot = lambda a, b: a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def forces(s):
    e, w, v = s[0:3], s[3:6], s[6:8]
    r = (offset * e[0], offset * e[1], offset * e[2] - radius)
    turn = cross(w, r)
    u = (v[0] + turn[0], v[1] + turn[1])
    size = sqrt(u[0] ** 2 + u[1] ** 2 + (c * w[2]) ** 2)
    f = (-mu * u[0] / size, -mu * u[1] / size, 1.0)  # per normal force
    m = (0, 0, -gamma * c * w[2] / size)
    we = dot(w, e)
    # L = I1 w + (I3 - I1)(w.e) e; L' = torque. The spin w.e changes by torque.e/I3.
    invert = lambda torque: tuple(torque[i] / I1 + (1 / I3 - 1 / I1) * dot(torque, e) * e[i] for i in range(3))
    gyro = cross(w, tuple(I1 * w[i] + (I3 - I1) * we * e[i] for i in range(3)))
    free = invert(tuple(-x for x in gyro))
    lever = cross(r, f)
    pushed = invert(tuple(lever[i] + m[i] for i in range(3)))
    # z'' = -offset (a x e + w x (w x e))_z = N/m - g
    spin2 = cross(w, cross(w, e))[2]
    base, slope = -offset * (cross(free, e)[2] + spin2), -offset * cross(pushed, e)[2]
    N = (base + gravity) / (1 / mass - slope)
    return N, u, size, f, m, tuple(free[i] + N * pushed[i] for i in range(3)), r


def rate(t, s):
    N, u, size, f, m, a, r = forces(s)
    de = cross(s[3:6], s[0:3])
    loss = -N * (mu * (u[0] ** 2 + u[1] ** 2) / size + gamma * c * s[5] ** 2 / size)
    return [*de, *a, N * f[0] / mass, N * f[1] / mass, loss, N * m[2] * r[2], s[6], s[7]]


def energy(s):
    e, w, v = s[0:3], s[3:6], s[6:8]
    vz = -offset * cross(w, e)[2]
    return 0.5 * (I1 * dot(w, w) + (I3 - I1) * dot(w, e) ** 2 + mass * (v[0] ** 2 + v[1] ** 2 + vz**2)) + mass * gravity * (radius - offset * e[2])


def momentum(s):
    e, w = s[0:3], s[3:6]
    return [I1 * w[i] + (I3 - I1) * dot(w, e) * e[i] for i in range(3)]


def jellett(s):
    return dot(momentum(s), (offset * s[0], offset * s[1], offset * s[2] - radius))


def run(step):
    s = [sin(tilt), 0, cos(tilt), spin * sin(tilt), 0, spin * cos(tilt), 0, 0, 0, 0, 0, 0]
    e0, j0, samples = energy(s), jellett(s), []
    every, k = round(0.02 / step), 0
    while radius + (stem - offset) * s[2] > stem_radius:
        if k % every == 0:
            samples.append((k * step, list(s)))
        before = s
        s = rk4(rate, s, 0, step)
        k += 1
    return samples, k * step, energy(before) - e0 - before[8], (jellett(before) - j0 - before[9]) / j0


samples, end, residual, drift = run(1e-4)
fine, _, _, _ = run(5e-5)
print(f"the stem touches at {end:.4f} s")
check("energy", residual / energy(samples[0][1]), 1e-6)
check("Jellett's integral", drift, 1e-6)
check("steps of half the length", max(abs(a - b) / scale for (_, p), (_, q) in zip(samples, fine) for a, b, scale in zip(p, q, [1] * 3 + [180] * 3 + [1] * 6)), 1e-4)
write_table("tippe_top", "reference.csv", "differential equation of the top on its ball (tools/references/tippe_top.py)",
            ["time", "body:top.z", "body:top.lz", "body:top.wz", "energy.total"],
            [[t, radius - offset * s[2], momentum(s)[2], s[5], energy(s)] for t, s in fine])
