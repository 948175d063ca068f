"""How far the mechanism with play is from the one without: the root mean square, over the two turns that study.toml
keeps, of the difference of slider acceleration (over the rms of the ideal one) and of the force in the pin (likewise).

    python3 examples/clearance_paper/distance.py clearance_paper
"""

import csv
import math
import sys

name = sys.argv[1] if len(sys.argv) > 1 else "clearance_paper"


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines)


def lists_of(quantity):
    lists = {}
    for row in rows_of(f"{name}_{quantity}.csv"):
        run, value = list(row.values())[:2]
        lists.setdefault(int(float(run)), []).append(float(value))
    return lists


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


runs = list(rows_of(f"{name}.csv"))
ideal = {(run["speed [rad/s]"], run["clearance [m]"]): int(run["run"]) for run in runs if run["model"] == "ideal.toml"}
lists = {quantity: lists_of(quantity) for quantity in ("acceleration", "force")}
print("model,rpm,clearance [mm],acceleration,force")
for run in runs:
    if run["model"] == "ideal.toml":
        continue
    number, reference = int(run["run"]), ideal[run["speed [rad/s]"], run["clearance [m]"]]
    distances = []
    for values in lists.values():
        if number not in values:
            distances.append("")  # not asked of this model
            continue
        difference = [a - b for a, b in zip(values[number], values[reference], strict=True)]
        distances.append(f"{rms(difference) / rms(values[reference]):.4f}")
    speed, clearance = float(run["speed [rad/s]"]) * 30 / math.pi, float(run["clearance [m]"]) * 1000
    print(f"{run['model'].removesuffix('.toml')},{speed:.0f},{clearance:g}," + ",".join(distances))
