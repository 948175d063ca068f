"""Reference of flexible_slider_crank: the rigid mechanism in closed form. Crank 50 mm, rod 120 mm, slider 0.14 kg, 5000 rpm."""
from math import cos, pi, sin, sqrt

from plain import check, grid, write_table

R, L, MASS, W = 0.05, 0.12, 0.14, 500 * pi / 3


def slider(t):
    s, c = R * sin(W * t), R * cos(W * t)
    root = sqrt(L * L - s * s)
    x = c + root
    v = -W * s - W * s * c / root
    a = -W * W * c - W * W * ((c * c - s * s) / root + (s * c) ** 2 / root**3)
    return x, v, a


d = 1e-6
check("velocity", (slider(1e-3 + d)[0] - slider(1e-3 - d)[0]) / (2 * d) - slider(1e-3)[1], 1e-5)
check("acceleration", ((slider(1e-3 + d)[1] - slider(1e-3 - d)[1]) / (2 * d) - slider(1e-3)[2]) / slider(1e-3)[2], 1e-7)
check("force at the dead centre, 2719 N", MASS * -slider(0)[2] / 2719 - 1, 1e-3)
rows = [[t, *slider(t)[:2], MASS * slider(t)[2]] for t in grid(2e-4, 0.012)[10:]]
write_table("flexible_slider_crank", "reference.csv", "rigid mechanism in closed form; tools/references/flexible_slider_crank.py", ["time", "body:slider.x", "body:slider.vx", "joint:pin.fx"], rows)
