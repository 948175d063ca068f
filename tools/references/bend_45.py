"""Reference of bend_45: the spatial rod of Reissner and Simo by shooting, against the published tip positions.

Arc of 45 degrees, radius 100, in the plane of x and y, clamped at the origin along x; dead load P along z at the tip. The internal force is P everywhere,
and the moment about z vanishes, so two components of the moment at the root are unknown. E = 1e7, nu = 0, square section of side 1, torsion constant 1/6.
"""
from math import pi

from plain import check, write_table
from spatial_rod import START, Rod

EA, GA, EI, GJ = 1e7, 5 / 6 * 5e6, 1e7 / 12, 5e6 / 6
RADIUS, LENGTH = 100.0, 100 * pi / 4
ROD = Rod(EA, GA, GJ, EI, EI, 1 / RADIUS)


def shoot(mx, my, force, steps):
    return ROD.advance(START + [mx, my, 0, 0], [0, 0, force], LENGTH, steps)


def solve(force, start, steps):
    mx, my = start
    for _ in range(30):
        y = shoot(mx, my, force, steps)
        f = y[12:14]
        if abs(f[0]) + abs(f[1]) < 1e-11 * force * LENGTH:
            break
        d = 1e-6 * force * LENGTH
        a = [(p - q) / d for p, q in zip(shoot(mx + d, my, force, steps)[12:14], f)]
        b = [(p - q) / d for p, q in zip(shoot(mx, my + d, force, steps)[12:14], f)]
        det = a[0] * b[1] - b[0] * a[1]
        mx, my = mx - (f[0] * b[1] - b[0] * f[1]) / det, my - (a[0] * f[1] - f[0] * a[1]) / det
    check(f"no moment at the tip, load {force:g}", (abs(f[0]) + abs(f[1])) / (force * LENGTH), 1e-9)
    return y, (mx, my)


PUBLISHED = {       # x, y, z of the tip with x along the root, as printed
    300: [("Bathe, Bolourchi 1979", 59.2, 22.5, 39.5), ("Simo, Vu-Quoc 1986", 58.84, 22.33, 40.08), ("Cardona, Géradin 1988", 58.64, 22.14, 40.35), ("Crisfield 1990", 58.53, 22.16, 40.53)],
    450: [("Simo, Vu-Quoc 1986", 52.32, 18.62, 48.39), ("Cardona, Géradin 1988", 52.11, 18.38, 48.59), ("Crisfield 1990", 51.93, 18.43, 48.79)],
    600: [("Bathe, Bolourchi 1979", 47.2, 15.9, 53.4), ("Simo, Vu-Quoc 1986", 47.23, 15.79, 53.37), ("Cardona, Géradin 1988", 47.04, 15.55, 53.50), ("Crisfield 1990", 46.84, 15.61, 53.71)]}

moment, tips, rows = (0.0, 0.0), {}, []
for k in range(1, 9):
    force = 75.0 * k
    scale = k / (k - 1) if k > 1 else 1
    y, moment = solve(force, (moment[0] * scale, moment[1] * scale) if k > 1 else (force * 29.3, -force * 70.7), 160)
    check("rotation stays one", sum(y[3 + i] * y[6 + i] for i in range(3)), 1e-9)
    tips[force] = y[:3]
    rows.append([k / 8, *y[:3], y[15], 0, 0, -force, -moment[0], -moment[1], 0])
    if force in PUBLISHED:
        print("  load", force, "tip", *(f"{v:.6f}" for v in y[:3]))
        for name, *place in PUBLISHED[force]:
            print("    ", name, *(f"{a - b:+.2f}" for a, b in zip(place, y)))
fine, _ = solve(600.0, moment, 320)
check("steps of the integration", max(abs(a - b) for a, b in zip(fine[:3], tips[600.0])), 1e-7)
for n in (4, 8, 16, 32):
    header = ["time", *(f"body:arc-{n}.{c}" for c in "xyz"), "beam:arc.strain_energy", *(f"joint:root.{c}" for c in ("fx", "fy", "fz", "tx", "ty", "tz"))]
    write_table("bend_45", "reference.csv" if n == 8 else f"reference_{n}.csv", "Reissner's and Simo's rod by shooting; tools/references/bend_45.py", header, rows)
middle = []
for force, table in PUBLISHED.items():
    spread = [[row[i] for row in table] for i in (1, 2, 3)]
    middle.append([force / 600, *(0.5 * (min(c) + max(c)) for c in spread)])
    print("  literature, load", force, "half the spread:", *(f"{0.5 * (max(c) - min(c)):.3f}" for c in spread))
write_table("bend_45", "reference_literature.csv", "middle of the published values; tools/references/bend_45.py", ["time", *(f"body:arc-8.{c}" for c in "xyz")], middle)
