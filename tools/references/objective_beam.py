"""References of objective_beam and objective_beam_long: a couple bends and twists a rod with GJ = EI = 1 to a helix of constant strain, however it is turned."""
from plain import write_table

for case, step, end in (("objective_beam", 50, 1000), ("objective_beam_long", 500, 10000)):
    header = ["time", "joint:axle.rotation"] + [f"beam:rod-{i}.{c}" for i in (1, 2) for c in ("twist", "curvature_y", "curvature_z", "axial_strain", "shear_strain_y", "shear_strain_z")]
    rows = [[t, t] + [1, 1.5, 2, 0, 0, 0] * 2 for t in range(max(step, 150), end + 1, step)]
    write_table(case, "reference.csv", "closed form, strain = couple over stiffness; tools/references/objective_beam.py", header, rows)
