"""Reference of princeton_beam: the spatial rod of Reissner and Simo by shooting, against published computations of the experiment.

Straight along x, clamped at the origin; thin side along y (flap), high side along z (chord). Dead load F = P (0, sin, -cos) of the loading angle at the tip. The internal force is F everywhere; the moment at the
root is the tip's place times F, so that its x component and the tip's x are unknown.
"""
from math import atan2, cos, degrees, pi, radians, sin, sqrt, tanh

from plain import check, write_table
from spatial_rod import START, Rod

LENGTH, HEIGHT, THICKNESS, YOUNG, POISSON = 0.508, 12.377e-3, 3.2024e-3, 71.7e9, 0.31
LOADS, ANGLES = (4.448, 8.896, 13.345), (0, 15, 30, 45, 60, 75, 90)
SHEAR = YOUNG / (2 * (1 + POISSON))
AREA = HEIGHT * THICKNESS
TORSION = HEIGHT * THICKNESS**3 * (1 / 3 - 64 / pi**5 * THICKNESS / HEIGHT * sum(tanh(n * pi * HEIGHT / (2 * THICKNESS)) / n**5 for n in range(1, 60, 2)))
EA, GJ = YOUNG * AREA, SHEAR * TORSION
GA = SHEAR * AREA * 10 * (1 + POISSON) / (12 + 11 * POISSON)                  # Cowper
EIY, EIZ = YOUNG * THICKNESS * HEIGHT**3 / 12, YOUNG * HEIGHT * THICKNESS**3 / 12     # about y: chordwise, about z: flapwise
ROD = Rod(EA, GA, GJ, EIY, EIZ)

# Tip displacements, m: flapwise and chordwise, by loading angle; as quoted by Exudyn's TestModels/ANCFBeamTest.py (J. Gerstmayr), in part from Obrezkov et al., Nonlinear Dyn. 109 (2022).
PUBLISHED = {
    8.896: {"ANSYS beam": ([0, 4.208232124e-2, 7.939482948e-2, 0.108987937, 0.129887616, 0.142194370, 0.146245978],
                           [1.071417630e-2, 1.061328706e-2, 1.011169630e-2, 8.837226265e-3, 6.604665004e-3, 3.538889001e-3, 0]),
            "ANSYS solid": ([0, 4.101165651e-2, 7.696749069e-2, 0.105976311, 0.127251299, 0.139594740, 0.143848652],
                            [1.069752828e-2, 1.057180106e-2, 9.938278402e-3, 8.686786771e-3, 6.500006282e-3, 3.481999513e-3, 0]),
            "Exudyn": ([0, 0.0421374, 0.0794434, 0.1089703, 0.1297877, 0.1420319, 0.1460608],
                       [0.0107023, 0.0106295, 0.0101861, 0.0089529, 0.0067182, 0.0036079, 0])},
    13.345: {"ANSYS beam": ([0, 6.435812858e-2, 0.117735994, 0.156467239, 0.181861627, 0.196097131, 0.200677707],
                            [1.606423724e-2, 1.645825752e-2, 1.665873206e-2, 1.518618440e-2, 1.157837500e-2, 6.248967384e-3, 0]),
             "ANSYS solid": ([0, 6.270699533e-2, 0.113752002, 0.153554457, 0.179978534, 0.192972233, 0.197669499],
                             [1.603700622e-2, 1.637026068e-2, 1.640440775e-2, 1.485055210e-2, 1.127173264e-2, 6.062461977e-3, 0]),
             "Exudyn": ([0, 0.064622, 0.1179818, 0.1565214, 0.1817173, 0.1958343, 0.2003738],
                        [0.0160454, 0.0165469, 0.0169316, 0.0155488, 0.0118996, 0.0064334, 0])}}


def shoot(mx, x, force, steps):
    return ROD.advance(START + [mx, -x * force[2], x * force[1], 0], force, LENGTH, steps)


def solve(load, angle, start, steps=60):
    force = [0, load * sin(radians(angle)), -load * cos(radians(angle))]
    mx, x = start
    left = lambda y: (y[12] / (load * LENGTH), (-force[2] * y[13] + force[1] * y[14]) / (load * load * LENGTH))
    for _ in range(30):
        y = shoot(mx, x, force, steps)
        f = left(y)
        if abs(f[0]) + abs(f[1]) < 1e-12:
            break
        dm, dx = 1e-6 * load * LENGTH, 1e-6 * LENGTH
        a = [(p - q) / dm for p, q in zip(left(shoot(mx + dm, x, force, steps)), f)]
        b = [(p - q) / dx for p, q in zip(left(shoot(mx, x + dx, force, steps)), f)]
        det = a[0] * b[1] - b[0] * a[1]
        mx, x = mx - (f[0] * b[1] - b[0] * f[1]) / det, x - (a[0] * f[1] - f[0] * a[1]) / det
    if abs(f[0]) + abs(f[1]) > 1e-10:
        raise SystemExit(f"no equilibrium at {load} N, {angle} degrees")
    return y, (mx, x)


def quaternion(r):
    w = 0.5 * sqrt(1 + r[0] + r[4] + r[8])
    return [w, (r[7] - r[5]) / (4 * w), (r[2] - r[6]) / (4 * w), (r[3] - r[1]) / (4 * w)]


print(f"EA {EA:.6g} GA {GA:.6g} GJ {GJ:.6g} EI chordwise {EIY:.6g} flapwise {EIZ:.6g}; torsion constant {TORSION:.6g}")
found, worst = {}, [0, 0]
for angle in ANGLES:
    start, rows = (0.0, LENGTH), []
    for k, load in enumerate(LOADS):
        y, start = solve(load, angle, start)
        found[load, angle] = y
        rows.append([k + 1, *y[:3], *quaternion(y[3:12]), y[15], -start[0], start[1] * -load * cos(radians(angle)), -start[1] * load * sin(radians(angle))])
        # The twist as measured: how far the section has turned about the undeformed axis, seen along it.
        print(f"  {angle:2d} degrees, {load:6.3f} N: tip {y[0]:.6f} {y[1]:.6f} {y[2]:.6f} m, twist {degrees(atan2(-y[8], y[11])):.4f} degrees")
    fine, _ = solve(LOADS[-1], angle, start, 120)
    if max(abs(a - b) for a, b in zip(fine[:12], y[:12])) > 1e-9:
        raise SystemExit("steps of the integration")
    for n in (4, 8, 16, 32) if angle == 45 else (16,):
        header = ["time", *(f"body:beam-{n}.{c}" for c in ("x", "y", "z", "qw", "qx", "qy", "qz")), "beam:beam.strain_energy", *(f"joint:root.{c}" for c in ("tx", "ty", "tz"))]
        write_table("princeton_beam", f"reference_{angle:02d}.csv" if n == 16 else f"reference_{angle}_{n}.csv", "Reissner's and Simo's rod by shooting; tools/references/princeton_beam.py", header, rows)
    i, middle = ANGLES.index(angle), []
    for load, table in PUBLISHED.items():
        flap, chord = ([column[part][i] for column in table.values()] for part in (0, 1))
        middle.append([LOADS.index(load) + 1, 0.5 * (min(flap) + max(flap)), -0.5 * (min(chord) + max(chord))])
        worst = [max(w, 0.5 * (max(c) - min(c))) for w, c in zip(worst, (flap, chord))]
        for name, column in table.items():
            print(f"    {load} N {name}: {column[0][i] - found[load, angle][1]:+.6f} {column[1][i] + found[load, angle][2]:+.6f}")
    write_table("princeton_beam", f"published_{angle:02d}.csv", "middle of three published computations (ANSYS beams, ANSYS solid elements, ANCF beams), quoted in Exudyn's TestModels/ANCFBeamTest.py; tools/references/princeton_beam.py", ["time", "body:beam-16.y", "body:beam-16.z"], middle)
print("  half the spread of the published values, flapwise and chordwise:", *(f"{w:.6f}" for w in worst))
check("small load, flapwise, against beam theory", solve(1e-3, 90, (0, LENGTH))[0][1] / (1e-3 * LENGTH**3 / (3 * EIZ) + 1e-3 * LENGTH / GA) - 1, 1e-6)
check("small load, chordwise, against beam theory", -solve(1e-3, 0, (0, LENGTH))[0][2] / (1e-3 * LENGTH**3 / (3 * EIY) + 1e-3 * LENGTH / GA) - 1, 1e-6)
exact = ROD.gj
for part in (1.0, 1.03, 1.035, 1.04):
    ROD.gj, apart = exact * part, [0, 0]
    for load, table in PUBLISHED.items():
        for i, angle in enumerate(ANGLES):
            y, _ = solve(load, angle, (0.0, LENGTH))
            apart = [max(a, abs(b)) for a, b in zip(apart, (table["ANSYS beam"][0][i] - y[1], table["ANSYS beam"][1][i] + y[2]))]
    print(f"  ANSYS beams, torsional stiffness times {part}: apart by {apart[0]:.1e} {apart[1]:.1e} m")
