"""Write the tables of the contact cases from the data sets on compliant contact: `python3 contact_tables.py FOLDER`.

FOLDER holds the data sets as they were made (a_two_spheres.csv, b_bouncing_ball_impacts.csv, …): converged solutions in
minimal coordinates, by an eighth-order Runge-Kutta method with located events, and closed forms. Nothing is computed
here: columns get the names of cases/README.md, rows the name of their variant. The comments of a data set are kept.
"""
import csv
import sys
from pathlib import Path

from common import CASES

LAWS = {"gonthier_exact": "gonthier", "gonthier_approx": "gonthier-approximate", "zhang2020": "zhang", "goldsmith_plastic": "goldsmith"}


def read(name):
    lines = (Path(sys.argv[1]) / name).read_text().splitlines()
    return [line for line in lines if line.startswith("#")], list(csv.DictReader(line for line in lines if not line.startswith("#")))


def law(row):
    return LAWS.get(row["model"], row["model"].replace("_", "-"))


def write(case, name, source, columns, rows):
    """`columns` maps a column of the case to the one of the data set, or to a function of the row."""
    comments, data = read(source)
    lines = [f"# source: data set {source} on compliant contact (formulation notes, section 13); its comments:", *comments, ",".join(columns)]
    for row in rows(data):
        lines.append(",".join(row[value] if isinstance(value, str) else str(value(row)) for value in columns.values()))
    (CASES / case).mkdir(exist_ok=True)
    (CASES / case / name).write_text("\n".join(lines) + "\n")
    print(f"{case}/{name}: {len(lines) - len(comments) - 2} rows")


def named(row):
    return f"{law(row)} {float(row['c_r']):g}"


IMPACT = {"largest_penetration": "delta_max_m", "peak_force": "F_max_N", "duration": "duration_s"}
for case, stem in (("bouncing_ball", "b_bouncing_ball"), ("oscillating_table", "b_oscillating_table")):
    write(case, "contacts.csv", f"{stem}_impacts.csv",
          {"variant": named, "number": "impact", "begin": "t_start_s", "impact_speed": "v0_m_s", "separation_speed": "v_sep_m_s",
           "restitution": lambda row: repr(float(row["v_sep_m_s"]) / float(row["v0_m_s"])), **IMPACT}, list)
    write(case, "permanent.csv", f"{stem}_permanent.csv",
          {"variant": named, "number": "n_contacts", "begin": "t_permanent_s", "impact_speed": "v0_last_m_s", "end": lambda row: "inf"},
          lambda data: [row for row in data if row["permanent"] == "yes"])
write("bouncing_ball", "first_impact.csv", "a_ball_first_impact.csv",
      {"variant": lambda row: f"first {named(row)}", "begin": "t_impact_s", "impact_speed": "v0_m_s", "separation_speed": "v_rebound_m_s",
       "restitution": "e_eff", **IMPACT}, list)


def with_end(row):
    for end in ("adhesive", "clamped"):
        if row["model"].endswith(end):
            return f"{law(row).removesuffix('-' + end)} {end} {float(row['c_r']):g}"
    return named(row)


write("two_spheres", "contacts.csv", "a_two_spheres.csv",
      {"variant": with_end, "restitution": "e_eff", **IMPACT, "dissipated": "energy_loss_J"}, list)
write("pendulum_wall", "contacts.csv", "d_pendulum_wall.csv",
      {"variant": named, "number": "impact", "begin": "t_start_s", "impact_speed": "v0_m_s", "restitution": "e_eff", **IMPACT}, list)
