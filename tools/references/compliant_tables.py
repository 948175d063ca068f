"""Bring the tables of converged contact solutions into the form of the cases.

The tables were made with reduced coordinates, an eighth-order Runge-Kutta method and located events, independently of
Carom; their own header lines, copied into every file written here, name data, choices and accuracy. This script only
renames columns, turns the eccentricity into the axes of the bearing's body, and leaves out what is not compared:
`python3 tools/references/compliant_tables.py FOLDER` with the folder of the tables. It needs nothing but Python.
"""
import csv
import math
import sys
from pathlib import Path

TABLES = Path(sys.argv[1])
CASES = Path(__file__).resolve().parents[2] / "cases"


def read(name):
    lines = (TABLES / f"{name}.csv").read_text().splitlines()
    header = [line for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return header, rows


def write(case, file, source, header, columns, rows):
    folder = CASES / case
    folder.mkdir(parents=True, exist_ok=True)
    text = [f"# source: table {source}, converted by tools/references/compliant_tables.py; its own header follows", *header, ",".join(columns)]
    text += [",".join(value if isinstance(value, str) else f"{value:.16g}" for value in row) for row in rows]
    (folder / file).write_text("\n".join(text) + "\n")
    print(f"{case}/{file}: {len(rows)} rows")


def episodes(case, file, source, rows, header, columns):
    """`columns` maps a column of the check to one of the table."""
    write(case, file, source, header, list(columns), [[row[column] for column in columns.values()] for row in rows])


# Slider-crank with one loose pin. Eccentricities are in world axes there, in axes of the rod (which carries the bearing) here;
# the force along the surface is signed there, a magnitude here (its sign is checked with fx and fy).
SAME = {"body:slider.x": "x_slider_m", "body:slider.vx": "v_slider_m_s", "body:slider.ax": "a_slider_m_s2", "body:rod.angle": "rod_angle_rad",
        "body:rod.omega": "rod_speed_rad_s", "body:rod.alpha": "rod_accel_rad_s2", "joint:pin.penetration": "delta_m", "joint:pin.normal_force": "F_N",
        "joint:pin.fx": "fx_N", "joint:pin.fy": "fy_N", "motion:drive.force": "crank_torque_Nm"}
for case, name in {"clearance_slider_crank": "5000rpm_c050um_mu010", "clearance_frictionless": "5000rpm_c050um_mu000",
                   "clearance_100um": "5000rpm_c100um_mu010", "clearance_500um": "5000rpm_c500um_mu010",
                   "clearance_500rpm": "500rpm_c050um_mu010", "clearance_50rpm": "50rpm_c050um_mu010"}.items():
    source = f"e_clearance_{name}"
    header, rows = read(source)
    table = []
    for row in rows:
        angle, ex, ey = (float(row[key]) for key in ("rod_angle_rad", "ex_m", "ey_m"))
        c, s = math.cos(angle), math.sin(angle)
        table.append([row["t_s"], *(row[key] for key in SAME.values()), row["F_T"].lstrip("-"), c * ex + s * ey, c * ey - s * ex])
    write(case, "reference.csv", source, header, ["time", *SAME, "joint:pin.tangential_force", "joint:pin.ex", "joint:pin.ey"], table)
    header, rows = read(source + "_contacts")
    episodes(case, "contact_times.csv", source + "_contacts", rows, header, {"begin": "t_start_s", "end": "t_end_s"})
    episodes(case, "contact_speeds.csv", source + "_contacts", rows, header, {"impact_speed": "v0_m_s"})

# Once a turn.
header, rows = read("e_poincare_5000rpm_c050um")
for case, friction in {"clearance_poincare": "0.01", "clearance_poincare_frictionless": "0"}.items():
    table = [[f"{0.012 * int(row['revolution']):.12g}", row["delta_m"], row["ddelta_m_s"], row["F_N"], row["a_slider_m_s2"]]
             for row in rows if float(row["c_f"]) == float(friction)]
    write(case, "reference.csv", "e_poincare_5000rpm_c050um", header,
          ["time", "joint:pin.penetration", "joint:pin.penetration_rate", "joint:pin.normal_force", "body:slider.ax"], table)

# Quick return: the motion up to 0.05 s, as the header says; of the contacts of each joint the first five times, the impact speeds up to 0.05 s.
source = "f_quick_return"
header, rows = read(source)
SAME = {"body:lever.x": "x3", "body:lever.y": "y3", "body:lever.angle": "phi3", "body:link.x": "x5", "body:link.y": "y5", "body:link.angle": "phi5",
        "body:ram.x": "x6", "body:lever.vx": "x3d", "body:lever.vy": "y3d", "body:lever.omega": "phi3d", "body:link.vx": "x5d",
        "body:link.vy": "y5d", "body:link.omega": "phi5d", "body:ram.vx": "x6d",
        "joint:lever_pivot.normal_force": "F1_N", "joint:crank_block.normal_force": "F2_N", "joint:lever_link.normal_force": "F3_N",
        "joint:lever_pivot.eccentricity": "e1_m", "joint:crank_block.eccentricity": "e2_m",
        "joint:lever_link.eccentricity": "e3_m", "joint:link_ram.eccentricity": "e4_m"}
case = "quick_return_clearance"
write(case, "reference.csv", source, header, ["time", *SAME, "joint:slide.translation"],
      [[row["t_s"], *(row[key] for key in SAME.values()), 0.25 + float(row["s"])] for row in rows if float(row["t_s"]) <= 0.05])
header, rows = read(source + "_contacts")
for joint in ("J1", "J2", "J3", "J4"):
    mine = [row for row in rows if row["joint"] == joint and float(row["t_start_s"]) <= 0.05]
    episodes(case, f"times_{joint.lower()}.csv", source + "_contacts", mine[:5], header, {"begin": "t_start_s"})
    episodes(case, f"speeds_{joint.lower()}.csv", source + "_contacts", mine, header, {"impact_speed": "v0_m_s"})
    print("  contacts of", joint, "up to 0.08 s:", sum(row["joint"] == joint and float(row["t_start_s"]) <= 0.08 for row in rows))

# Knee.
SAME = {"body:tibia.x": "x_m", "body:tibia.y": "y_m", "body:tibia.angle": "phi_rad", "body:tibia.vx": "xd", "body:tibia.vy": "yd",
        "body:tibia.omega": "phid", "contact:knee.penetration": "delta_m", "contact:knee.normal_force": "F_N", "force:AC.force": "F_AC",
        "force:PC.force": "F_PC", "force:MC.force": "F_MC", "force:LC.force": "F_LC"}
for case, law in {"knee_hertz": "hertz", "knee_lankarani_nikravesh": "lankarani_nikravesh", "knee_flores": "flores"}.items():
    source = f"g_knee_{law}"
    header, rows = read(source)
    write(case, "reference.csv", source, header, ["time", *SAME], [[row["t_s"], *(row[key] for key in SAME.values())] for row in rows])
    listed = next(line for line in header if "contact episodes" in line).split("v0):")[1]
    found = [part.replace(" m/s", "").replace(" s", "").split(",") for part in listed.split(";")]
    write(case, "contact_times.csv", source, header, ["begin"], [[begin.strip()] for begin, _ in found])
    write(case, "contact_speeds.csv", source, header, ["impact_speed"], [[speed.strip()] for _, speed in found])
