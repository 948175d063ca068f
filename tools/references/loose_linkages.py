"""`four_bar_rigid` and `loose_guide`: positions of the ideal linkages in closed form, how far play can take them, and a block that slides to rest in its guide."""
from math import acos, asin, atan2, cos, hypot, pi, sin, sqrt

from plain import check, grid, write_table

# Four-bar linkage: crank at the origin, rocker at (ground, 0), the coupler above.
ground, crank, coupler, rocker, speed, play = 0.3, 0.1, 0.28, 0.25, 20 * pi, 1e-4


def four_bar(a):
    """Angles of coupler and rocker, sine of the transmission angle."""
    x, y = ground - crank * cos(a), -crank * sin(a)
    d = hypot(x, y)
    coupler_angle = atan2(y, x) + acos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))
    ex, ey = crank * cos(a) + coupler * cos(coupler_angle) - ground, crank * sin(a) + coupler * sin(coupler_angle)
    return coupler_angle, atan2(ey, ex), abs(sin(atan2(ey, ex) - coupler_angle))


rows, weakest = [], 1
for t in grid(1e-3, 0.2):
    c, r, s = four_bar(speed * t)
    weakest = min(weakest, s)
    h = 1e-6
    rate = [(p - q) / (2 * h) for p, q in zip(four_bar(speed * (t + h))[:2], four_bar(speed * (t - h))[:2])]
    check("rocker length", hypot(crank * cos(speed * t) + coupler * cos(c) - ground, crank * sin(speed * t) + coupler * sin(c)) - rocker, 1e-12) if t in (0, 0.1) else None
    rows.append([t, c, r, *rate])
print(f"four-bar: starts with coupler {rows[0][1]:.12f}, rocker {rows[0][2]:.12f} rad, speeds {rows[0][3]:.10f}, {rows[0][4]:.10f}; sine of the transmission angle at least {weakest:.3f}: three clearances turn the rocker by at most "
      f"{3 * play / (rocker * weakest):.2e} rad, the coupler by {3 * play / (coupler * weakest):.2e} rad")
write_table("four_bar_rigid", "reference.csv", "closed form of the linkage without play (tools/references/loose_linkages.py)", ["time", "body:coupler.angle", "body:rocker.angle", "body:coupler.omega", "body:rocker.omega"], rows)

# Force in each loose joint times distance slid on its bearing of 10 mm, in two turns of the ideal linkage: accelerations by differences, forces from the moments of rocker and coupler.
coupler_mass, rocker_mass, bearing, gravity = 0.5, 0.4, 0.01, 9.81


def joint_forces(t, h=1e-5):
    """Forces in crank pin, coupler pin and pivot, and the speeds of slip there."""
    second = lambda f: (-f(t + 2 * h) + 16 * f(t + h) - 30 * f(t) + 16 * f(t - h) - f(t - 2 * h)) / (12 * h * h)
    first = lambda f: (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h)
    c, r = (lambda s: four_bar(speed * s)[0]), (lambda s: unwound(four_bar(speed * s)[1]))
    gx, gy = lambda s: crank * cos(speed * s) + coupler / 2 * cos(c(s)), lambda s: crank * sin(speed * s) + coupler / 2 * sin(c(s))
    hx, hy = lambda s: ground + rocker / 2 * cos(r(s)), lambda s: rocker / 2 * sin(r(s))
    cx, cy, rx, ry = coupler * cos(c(t)), coupler * sin(c(t)), rocker * cos(r(t)), rocker * sin(r(t))
    ax, ay, bx, by = second(gx), second(gy) + gravity, second(hx), second(hy) + gravity
    # P on the rocker, -P on the coupler: moments of the rocker about its pivot, of the coupler about the crank pin.
    m1 = rocker_mass * rocker**2 / 12 * second(r) + rocker_mass * (rx / 2 * by - ry / 2 * bx)
    m2 = -(coupler_mass * coupler**2 / 12 * second(c) + coupler_mass * (cx / 2 * ay - cy / 2 * ax))
    det = -ry * cx + rx * cy
    px, py = (m1 * cx - rx * m2) / det, (-ry * m2 + cy * m1) / det
    forces = hypot(coupler_mass * ax + px, coupler_mass * ay + py), hypot(px, py), hypot(rocker_mass * bx - px, rocker_mass * by - py)
    wc, wr = first(c), first(r)
    return forces, (bearing * abs(wc - speed), bearing * abs(wr - wc), bearing * abs(wr))


unwound = lambda a: a % (2 * pi)
count = 4000
slid = [0.0, 0.0, 0.0]
for k in range(count):
    forces, slips = joint_forces(0.2 * (k + 0.5) / count)
    slid = [s + f * v * 0.2 / count for s, f, v in zip(slid, forces, slips)]
print("four-bar: force times distance slid, N m: crank pin {:.5f}, coupler pin {:.5f}, pivot {:.5f}".format(*slid))

# Slider-crank with a loose guide; and a block with 1 m/s that friction stops in another loose guide.
crank, rod, speed, mu, gravity = 0.05, 0.12, 20 * pi, 0.1, 9.81
offset, half, length = 0.015, 1e-4, 0.04
land = sqrt(2 * half / gravity)  # the block starts in the middle; landing costs it mu times the speed of its fall
steepest = crank / sqrt(rod**2 - crank**2)
print(f"guide: play moves the slider along by at most {half * steepest * (1 + 2 * offset / length):.2e} m and turns it by {2 * half / length:.1e} rad; the block lands at {land:.5f} s")
rows = []
for t in grid(1e-3, 0.2):
    a = speed * t
    b = -asin(crank * sin(a) / rod)
    x = crank * cos(a) + rod * cos(b) + offset
    v = -crank * sin(a) * speed - rod * sin(b) * (-crank * cos(a) * speed / (rod * cos(b)))
    rows.append([t, x, v, *((1, t, -0.2 - gravity * t * t / 2) if t < land else (1 - mu * gravity * t, t - mu * gravity * (t * t - land**2) / 2, -0.2 - half))])
write_table("loose_guide", "reference.csv", "closed form of the linkage without play, and of a block with friction (tools/references/loose_linkages.py)",
            ["time", "body:slider.x", "body:slider.vx", "body:block.vx", "body:block.x", "body:block.y"], rows)

# Force of the guide on the slider where it lies on one wall with both corners: that of the linkage without play. P is the force of the rod on the slider, from the moments of the rod about the crank pin.
slider_mass, rod_mass, rod_inertia = 0.14, 0.21, 2.5e-4


def guide_force(t):
    h = 1e-5
    second = lambda f: (f(t + h) - 2 * f(t) + f(t - h)) / h**2
    angle = lambda t: -asin(crank * sin(speed * t) / rod)
    x = lambda t: crank * cos(speed * t) + rod * cos(angle(t))
    gx, gy = lambda t: crank * cos(speed * t) + rod / 2 * cos(angle(t)), lambda t: crank * sin(speed * t) + rod / 2 * sin(angle(t))
    b, px = angle(t), slider_mass * second(x)
    spin = rod_inertia * second(angle) + rod_mass * rod / 2 * (cos(b) * (second(gy) + gravity) - sin(b) * second(gx))
    py = (rod * sin(b) * px - spin) / (rod * cos(b))
    return slider_mass * gravity - py


rows = [[t, abs(guide_force(t))] for t in grid(1e-3, 0.2) if any(0.037 <= s <= 0.053 or 0.086 <= s <= 0.098 for s in (t, t - 0.1))]
print(f"guide force: {min(r[1] for r in rows):.3f} to {max(r[1] for r in rows):.3f} N")
write_table("loose_guide", "force.csv", "force of the linkage without play (tools/references/loose_linkages.py)", ["time", "joint:guide.closed_force"], rows)
