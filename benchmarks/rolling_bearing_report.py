"""What the right-hand side of a shaft in two quasi-static rolling bearings costs, against two bushings of constant stiffness.

    python3 benchmarks/rolling_bearing_report.py CAROM

Instructions of one evaluation, counted by callgrind: the difference of two runs over that of their evaluations. All elements are loaded.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CAROM = sys.argv[1]

SHAFT = """
[model]
name = "shaft"
gravity = [0, 0, 0]

[material.steel]
young = "207 GPa"
poisson = 0.3
density = "7800 kg/m^3"

[[body]]
name = "shaft"
mass = 5
inertia = [0.05, 0.05, 0.005]
position = ["1 um", 0, 0]
angular_velocity = [0, 0, "{speed}"]

[[force]]
name = "load"
type = "force"
body = "shaft"
force = ["300 N", 0, 0]

[solver]
end = {end}
integrator = "rk"
max_step = 1e-5

[output]
every = 1
"""

SUPPORT = """
[[{section}]]
name = "support{k}"
bodies = ["ground", "shaft"]
at = [0, 0, {place}]
axis = [0, 0, {axis}]
"""
BUSHING = """type = "bushing"
stiffness = [1e8, 1e8, 1e7]
rotational_stiffness = [1e3, 1e3, 0]
"""
ROLLING = 'material = "steel"\n'
BALLS = ROLLING + 'designation = "6206"\nclearance = "-5 um"\n'
ROLLERS = ROLLING + 'designation = "NU206"\nclearance = "-5 um"\n'
LOOSE = ROLLING + 'designation = "NU206"\nclearance = "1 nm"\n'
TAPERED = ROLLING + 'designation = "30206"\npreload = "500 N"\n'
SPHERICAL = ROLLING + """type = "spherical-roller"
rollers = 16
roller_diameter = "8.5 mm"
roller_length = "8 mm"
pitch_diameter = "46 mm"
contact_angle = "9 deg"
rows = 2
row_distance = "10 mm"
arrangement = "face-to-face"
clearance = "-5 um"
"""

CASES = [("two bushings", "force", BUSHING, 0), ("two 6206, speed = 0", "bearing", BALLS + "speed = 0\n", 0),
         ("two 6206 at 5000 rpm", "bearing", BALLS, 5000), ("two 6206 at 20000 rpm", "bearing", BALLS, 20000),
         ("two NU206, speed = 0", "bearing", ROLLERS + "speed = 0\n", 0),
         ("two NU206 at 5000 rpm", "bearing", ROLLERS, 5000), ("two NU206 at 20000 rpm", "bearing", ROLLERS, 20000),
         ("two 30206, speed = 0", "bearing", TAPERED + "speed = 0\n", 0),
         ("two 30206 at 5000 rpm", "bearing", TAPERED, 5000),
         ("two NU206 at 5000 rpm, 300 N without clearance", "bearing", LOOSE, 5000),
         ("two spherical, 2 x 16 rollers, speed = 0", "bearing", SPHERICAL + "speed = 0\n", 0),
         ("two spherical, 2 x 16 rollers at 5000 rpm", "bearing", SPHERICAL, 5000)]
DAMPED = 'damping = "5 kN s/m"\n'  # the vibration of the start dies out
CASES += [("two NU206 at 5000 rpm, damped", "bearing", ROLLERS + DAMPED, 5000),
          ("two NU206 at 20000 rpm, damped", "bearing", ROLLERS + DAMPED, 20000),
          ("two 30206 at 5000 rpm, damped", "bearing", TAPERED + DAMPED, 5000),
          ("two NU206 at 5000 rpm, 300 N without clearance, damped", "bearing", LOOSE + DAMPED, 5000),
          ("two spherical, 2 x 16 rollers at 5000 rpm, damped", "bearing", SPHERICAL + DAMPED, 5000)]
FACING = (TAPERED, TAPERED + "speed = 0\n", TAPERED + DAMPED)  # face to face


def counted(folder, section, keys, speed, end):
    file = folder / "shaft.toml"
    text = SHAFT.format(speed=f"{speed} rpm", end=end)
    for k, place in enumerate((-0.1, 0.1)):
        text += SUPPORT.format(section=section, k=k, place=place, axis=-1 if k and keys in FACING else 1) + keys
    file.write_text(text)
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", CAROM, "run", file, "-o", folder / "shaft.h5"],
                         check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1)), int(re.search(r"(\d+) evaluations", run.stdout).group(1))


if __name__ == "__main__":
    bushings = None
    with tempfile.TemporaryDirectory() as name:
        for title, *case in CASES:
            (first, few), (second, many) = (counted(pathlib.Path(name), *case, end) for end in (0.002, 0.012))
            price = (second - first) / (many - few)
            bushings = bushings or price
            print(f"{title:48}{price:10.0f} instructions, {price / bushings:5.2f} times the bushings", flush=True)
