"""Billiard break: closed form up to the impact, and after it for smooth balls and cloth.

Smooth balls: the cue ball hits ball 3; ball 3 hits balls 4 and 5 at once, 30 degrees to both sides; ball 3 comes back and hits the cue ball.
"""
from math import cos, radians, sin, sqrt

from plain import check, grid, rk4, write_table

radius, mass, inertia, gravity, mu, e, start, way = 0.028575, 1.666 / 9.81, 5.5e-5, 9.81, 0.2, 0.93, 10.729, 1.27 - 2 * 0.028575
hit = (start - sqrt(start**2 - 2 * mu * gravity * way)) / (mu * gravity)
print(f"impact at {hit:.5f} s with {start - mu * gravity * hit:.4f} m/s")
check("printed instant", hit - 0.114, 5e-4)
rows = [[t, -0.635 + start * t - mu * gravity * t * t / 2, start - mu * gravity * t, mu * mass * gravity * radius * t / inertia, 0] for t in grid(1e-3, 0.114)]
write_table("billiard_break", "before.csv", "closed form (tools/references/billiard_break.py)", ["time", "body:2.x", "body:2.vx", "body:2.wy", "body:3.vx"], rows)

c, s = cos(radians(30)), sin(radians(30))
cue, third = (1 - e) / 2 * start, (1 + e) / 2 * start
side = (1 + e) * third * c / (1 + 2 * c * c)
third -= 2 * side * c
change = (1 + e) / 2 * (cue - third)
cue, third = cue - change, third + change
print(f"smooth: impact at {way / start:.6f} s, cue ball {cue:.8f}, ball 3 {third:.8f}, balls 4 and 5 {side * c:.8f}, {side * s:.8f} m/s")
check("momentum", cue + third + 2 * side * c - start, 1e-12)
check("ball 3 does not reach the others again", max(0, third * c - side), 0.5)

# One ball on cloth and cushions, after the cue: it slides, meets two smooth cushions, rolls, and rests where rolling has a resistance.


def sign_of(x, y):
    size = sqrt(x * x + y * y)
    return (x / size, y / size) if size > 1e-12 else (0.0, 0.0)


def ball(velocity, resistance, end, every, step=1e-5):
    """Places, speeds and angular speeds at multiples of `every`, and the instants of cushions: the motion between is integrated by small steps."""
    x, y, vx, vy, wx, wy = -0.635, 0.0, *velocity, 0.0, 0.0
    rows, met, rolls = [], [], False
    limit_x, limit_y = 1.27 - radius, 0.635 - radius
    for k in range(round(end / step)):
        if k % round(every / step) == 0:
            rows.append([k * step, x, y, vx, vy, wx, wy])
        ux, uy = vx - radius * wy, vy + radius * wx
        slip = sqrt(ux * ux + uy * uy)
        turn = sign_of(wx, wy)
        grip = mu * gravity * (1 + mass * radius**2 / inertia) * step + mass * gravity * resistance * radius / inertia * step
        rolls = slip <= grip
        if rolls:  # friction as large as rolling asks for
            slow = resistance * gravity / (radius * (1 + inertia / (mass * radius**2)))
            speed = sqrt(vx * vx + vy * vy)
            share = max(0.0, speed - slow * step) / speed if speed > 0 else 0.0
            x, y = x + vx * step * (1 + share) / 2, y + vy * step * (1 + share) / 2
            vx, vy = vx * share, vy * share
            wx, wy = -vy / radius, vx / radius
        else:
            fx, fy = -mu * gravity * ux / slip, -mu * gravity * uy / slip
            tx = (radius * mass * fy - resistance * mass * gravity * turn[0]) / inertia
            ty = (-radius * mass * fx - resistance * mass * gravity * turn[1]) / inertia
            x, y = x + vx * step + fx * step**2 / 2, y + vy * step + fy * step**2 / 2
            vx, vy, wx, wy = vx + fx * step, vy + fy * step, wx + tx * step, wy + ty * step
        if abs(x) > limit_x and x * vx > 0:
            met.append(k * step)
            x, vx = (2 * limit_x - abs(x)) * (1 if x > 0 else -1), -0.85 * vx
        if abs(y) > limit_y and y * vy > 0:
            met.append(k * step)
            y, vy = (2 * limit_y - abs(y)) * (1 if y > 0 else -1), -0.85 * vy
    rows.append([end, x, y, vx, vy, wx, wy])
    return rows, met


free, _ = ball((3.0, 0.0), 0.0, 0.5, 0.5)
rolling = 3.0 / (1 + inertia / (mass * radius**2))
check("speed of rolling", free[-1][3] - rolling, 2e-4)
for name, velocity, resistance, end in (("cushions", (-3.0, 2.2), 0.0, 1.2), ("rests", (-1.6, 1.3), 0.005, 1.6)):
    fine, met = ball(velocity, resistance, end, 0.02)
    finer, _ = ball(velocity, resistance, end, 0.02, 5e-6)
    kept = [row for row in finer if all(abs(row[0] - t) > 2e-3 for t in met)]
    check("half the step", max(abs(a - b) for p, q in zip(fine, finer) for a, b in zip(p[:3], q[:3])), 1e-4)
    print(f"{name}: cushions at {[round(t, 4) for t in met]}, at the end {finer[-1]}")
    write_table("billiard_break", f"{name}.csv", "one ball by small steps (tools/references/billiard_break.py)",
                ["time", "body:2.x", "body:2.y", "body:2.vx", "body:2.vy", "body:2.wx", "body:2.wy"], kept)

# The break by forces: four smooth balls with springs of Hertz between them, without loss.
STIFFNESS = 5e8  # N/m^1.5, about that of phenolic resin (5.8 GPa)
places = [(-2 * radius, 0.0), (0.0, 0.0), (sqrt(3) * radius, radius), (sqrt(3) * radius, -radius)]


def rate(t, y):
    out = list(y[8:]) + [0.0] * 8
    for i in range(4):
        for k in range(i + 1, 4):
            dx, dy = y[2 * k] - y[2 * i], y[2 * k + 1] - y[2 * i + 1]
            apart = sqrt(dx * dx + dy * dy)
            deep = 2 * radius - apart
            if deep > 0:
                push = STIFFNESS * deep**1.5 / mass / apart
                out[8 + 2 * i] -= push * dx
                out[9 + 2 * i] -= push * dy
                out[8 + 2 * k] += push * dx
                out[9 + 2 * k] += push * dy
    return out


def penalty(step):
    y = [q for p in places for q in p] + [start] + [0.0] * 7
    for k in range(round(1e-3 / step)):
        y = rk4(rate, y, 0, step)
    return y


y = penalty(1e-7)
finer = penalty(5e-8)
check("half the step", max(abs(a - b) for a, b in zip(y[8:], finer[8:])), 1e-8)
check("energy", sum(v * v for v in finer[8:]) / start**2 - 1, 1e-9)
print(f"by forces: cue ball {finer[8]:.8f}, ball 3 {finer[10]:.8f}, balls 4 and 5 {finer[12]:.8f}, {finer[13]:.8f} m/s")
