"""Slider-crank with a loose pin and rigid contact, against the converged solution with compliant contact of `clearance_slider_crank`.

Velocities are taken from that table as they are. The mean force of the pin over an interval is what changes the momentum of the slider: its impulse is mass times the
difference of velocities. The first tenth of the turn is left out: there the two journals bounce, at other instants.
"""
import csv

from plain import CASES, write_table

mass, from_time = 0.14, 1.2e-3
with open(CASES / "clearance_slider_crank" / "reference.csv") as file:
    table = list(csv.DictReader(line for line in file if not line.startswith("#")))
rows = []
for now in table:
    if float(now["time"]) < from_time - 1e-9:
        continue
    v = float(now["body:slider.vx"])
    rows.append([float(now["time"]), float(now["body:slider.x"]), v, float(now["body:rod.omega"])])
write_table("clearance_rigid", "reference.csv", "table e_clearance_5000rpm_c050um_mu010 as in clearance_slider_crank; impulses by tools/references/clearance_rigid.py",
            ["time", "body:slider.x", "body:slider.vx", "body:rod.omega"], rows)
# Mean force over ten intervals at a time, and where the longest steps are compared.
at = {round(row[0] * 1e6): row for row in rows}
rows = [at[t] + [mass * (at[t][2] - at[t - 600][2])] for t in range(1800, 12001, 600)]
write_table("clearance_rigid", "mean.csv", "table e_clearance_5000rpm_c050um_mu010 as in clearance_slider_crank; impulses by tools/references/clearance_rigid.py",
            ["time", "body:slider.x", "body:slider.vx", "body:rod.omega", "joint:pin.ix"], rows)
