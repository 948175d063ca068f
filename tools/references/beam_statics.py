"""References of cantilever_roll_up: closed form of a beam under pure bending."""
from math import cos, pi, sin

from plain import check, write_table


def roll_up():
    """An end moment M bends a cantilever to an arc of the angle M L/EI. 1 m, 210 GPa, section 10 mm by 20 mm."""
    length, bending = 1.0, 210e9 * 0.02 * 0.01**3 / 12
    moment = 2 * pi * bending / length
    rows = {20: [], 3: []}
    for k in range(11):
        angle = k / 10 * moment * length / bending
        place = lambda s: (length * sin(angle * s) / angle, length * (1 - cos(angle * s)) / angle) if k else (length * s, 0.0)
        energy = 0.5 * angle**2 * bending / length
        root = [0, 0, -angle * bending / length]
        rows[20].append([k / 10, *place(0.5), angle / 2, *place(1), angle, angle * bending / length, angle / length, energy, *root])
        rows[3].append([k / 10, *place(1 / 3), angle / 3, *place(1), angle, angle * bending / length, angle / length, energy, *root])
    for n, middle in ((20, 10), (3, 1)):
        header = ["time"]
        for node in (middle, n):
            header += [f"body:arm-{node}.{c}" for c in ("x", "y", "angle")]
        header += ["beam:arm-2.bending_z", "beam:arm-2.curvature_z", "beam:arm.strain_energy", "joint:root.fx", "joint:root.fy", "joint:root.tz"]
        name = "reference.csv" if n == 20 else "reference_3.csv"
        write_table("cantilever_roll_up", name, "closed form, arc of a circle; tools/references/beam_statics.py", header, rows[n])
    check("the full circle closes", rows[20][-1][4], 1e-15)


roll_up()
