"""Reference of stiff_beams: the rigid slider-crank in closed form, brought to 5000 rpm smoothly within 24 ms. Crank 50 mm, rod 120 mm, slider 0.14 kg; the rod is a uniform steel bar."""
from math import cos, pi, sin, sqrt

from plain import check, grid, write_table

R, L, MASS, W, RUN_UP = 0.05, 0.12, 0.14, 500 * pi / 3, 0.024
ROD, ROTARY = 7850 * 2.2293e-4 * L, 7850 * 4.1415e-9 * L          # mass; what the height of the section adds to its inertia


def crank(t):
    """Angle, rate, acceleration: the rate is W s³ (10 - 15 s + 6 s²), s = t / RUN_UP."""
    s = min(t / RUN_UP, 1.0)
    angle = W * RUN_UP * s**4 * (2.5 - 3 * s + s * s) + W * max(t - RUN_UP, 0.0)
    return angle, W * s**3 * (10 - 15 * s + 6 * s * s), W / RUN_UP * 30 * s * s * (1 - s) ** 2


def motion(t):
    """x, velocity and acceleration of the slider; force of the pin on it, along and across the guide."""
    a, w, e = crank(t)
    px, py = R * cos(a), R * sin(a)                                # crank pin
    vx, vy = -w * py, w * px
    ax, ay = -w * w * px - e * py, -w * w * py + e * px
    rx, ry = sqrt(L * L - py * py), -py                            # rod, from the crank pin to the slider
    spin = -vy / rx
    alpha = (-ay + spin * spin * ry) / rx                          # the slider does not move across: ay + alpha rx - spin² ry = 0
    x, v, acceleration = px + rx, vx - spin * ry, ax - alpha * ry - spin * spin * rx
    fx = MASS * acceleration
    # Moments about the crank pin: -(r x f) = I alpha + ROD (r/2) x a.
    fy = (ry * fx - (ROD * L * L / 3 + ROTARY) * alpha - ROD / 2 * (rx * ay - ry * ax)) / rx
    return x, v, acceleration, fx, fy


d = 1e-6
for t in (0.005, 0.013, 0.02, 0.031):
    before, now, after = motion(t - d), motion(t), motion(t + d)
    check(f"velocity at {t} s", (after[0] - before[0]) / (2 * d) - now[1], 1e-5)
    check(f"acceleration at {t} s", ((after[1] - before[1]) / (2 * d) - now[2]) / now[2], 1e-5)
    check(f"rate of the crank at {t} s", (crank(t + d)[0] - crank(t - d)[0]) / (2 * d) / crank(t)[1] - 1, 1e-7)
check("force at the outer dead centre, 2719 N", -motion(0.036)[3] / 2719 - 1, 1e-3)
# Energy of rod and slider: its rate is the power that enters at the crank pin, force times velocity.
def energy(t):
    a, w, _ = crank(t)
    spin = -w * R * cos(a) / sqrt(L * L - (R * sin(a)) ** 2)
    vx, vy = -w * R * sin(a), w * R * cos(a)
    rx, ry = sqrt(L * L - (R * sin(a)) ** 2), -R * sin(a)
    gx, gy = vx - spin * ry / 2, vy + spin * rx / 2
    return 0.5 * MASS * motion(t)[1] ** 2 + 0.5 * ROD * (gx * gx + gy * gy) + 0.5 * (ROD * L * L / 12 + ROTARY) * spin**2
for t in (0.013, 0.031):
    a, w, e = crank(t)
    rx, ry = sqrt(L * L - (R * sin(a)) ** 2), -R * sin(a)
    spin = -w * R * cos(a) / rx
    alpha = (-(-w * w * R * sin(a) + e * R * cos(a)) + spin * spin * ry) / rx
    gx = -w * w * R * cos(a) - e * R * sin(a) - alpha * ry / 2 - spin * spin * rx / 2
    gy = -w * w * R * sin(a) + e * R * cos(a) + alpha * rx / 2 - spin * spin * ry / 2
    fx, fy = ROD * gx + motion(t)[3], ROD * gy + motion(t)[4]      # on the rod at the crank pin
    power = fx * -w * R * sin(a) + fy * w * R * cos(a)
    check(f"power at the crank pin at {t} s", ((energy(t + d) - energy(t - d)) / (2 * d) - power) / 1e4, 1e-4)

rows = [[t, *motion(t)] for t in grid(2e-4, 0.048)]
write_table("stiff_beams", "reference.csv", "rigid mechanism in closed form; tools/references/stiff_beams.py",
            ["time", "body:slider.x", "body:slider.vx", "body:slider.ax", "joint:pin.fx", "joint:pin.fy"], rows)
print("  largest", [max(abs(row[k]) for row in rows) for k in range(1, 6)])
