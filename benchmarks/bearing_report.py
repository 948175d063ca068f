"""What the ball bearing of the thesis costs by impulses and by forces, at the same error of the load of a ball.

    python3 benchmarks/bearing_report.py CAROM [seconds]

One second of the bearing of cases/bearing_500rpm. The error is the largest difference, over means of 5 ms after the first
20 ms, between the load of the first ball on the inner race and that of statics and pure rolling. By impulses it depends on chance,
and is the median of starts that differ by nanometres. By impulses the time of
`carom forces` is told as well. By forces the cheapest of several runs counts that meets the error by impulses; they differ in
integrator, tolerance and the speed that sets the damping of resting contacts, the more damping the cheaper. Seconds are
those of the processor. Instructions, where valgrind is there, are the difference of runs over 0.05 and 0.02 s.
"""

import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "references"))
import bearing  # noqa: E402

CAROM = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
EVERY, WINDOW, SETTLED = 1e-4, 5e-3, 0.02
STARTS = 7
SPRINGS = re.sub(r"(?m)^(integrator|tolerance) = .*\n", "",
                 (ROOT / "cases" / "bearing_two_methods" / "model.toml").read_text())
RIGID = re.sub(r"(?s)\[bearing.cage\].*(?=\[solver\])", """[bearing.cage]
type = "rigid"
pocket_clearance = "0.1 mm"
mass = "5 g"
inertia = "1.4e-6 kg m^2"

""", SPRINGS)
CAGE = bearing.SPEED * bearing.INNER / (bearing.INNER + bearing.OUTER)


def model(base, end, settings):
    text = re.sub(r"(?m)^end = .*$", f"end = {end}", base)
    text = re.sub(r"(?m)^every = .*$", f'every = {EVERY}\nrecord = ["contact:bearing-inner1"]', text)
    for old, new in settings:
        text, count = re.subn(old, new, text)
        assert count == 1, old
    return text


IMPULSES = [('"compliant"', '"nonsmooth"\nstep = 1e-4'), ("-12.49 um", "-10 um")]


def forces(integrator, tolerance, damping_speed):
    return [('"compliant"', f'"compliant"\nintegrator = "{integrator}"\ntolerance = {tolerance}'),
            (r"minimum_speed = \S+", f"minimum_speed = {damping_speed}")]


def measured(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def error(result, quantity, per_sample):
    lines = subprocess.run([CAROM, "export", "--csv", result, "contact:bearing-inner1." + quantity], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    values = [float(line.split(",")[1]) for line in lines[1:]]
    count, worst = round(WINDOW / EVERY), 0.0
    for k in range(round(SETTLED / WINDOW), round(SECONDS / WINDOW)):
        mean = sum(values[k * count + 1:(k + 1) * count + 1]) / count / per_sample
        expected = sum(bearing.load_at(CAGE * (k + (p + 0.5) / 200) * WINDOW) for p in range(200)) / 200
        worst = max(worst, abs(mean - expected))
    return worst


def instructions(folder, base, settings):
    if not shutil.which("valgrind"):
        return float("nan")
    totals = []
    for end in (0.02, 0.05):
        (folder / "count.toml").write_text(model(base, end, settings))
        text = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", CAROM, "run",
                               folder / "count.toml", "-o", folder / "count.h5"], capture_output=True, text=True).stderr
        totals.append(int(re.search(r"Collected : (\d+)", text).group(1)))
    return (totals[1] - totals[0]) / 0.03


def contest(base, folder):
    file, result = folder / "model.toml", folder / "model.h5"
    file.write_text(model(base, SECONDS, IMPULSES))
    time = measured([CAROM, "run", file, "-o", result])
    recovery = measured([CAROM, "forces", result])
    limits = []
    for start in range(STARTS):
        file.write_text(model(base, SECONDS, IMPULSES).replace("-10 um", f"{-10 - 1e-3 * start} um"))
        subprocess.run([CAROM, "run", file, "-o", result], check=True, capture_output=True)
        limits.append(error(result, "normal_impulse", EVERY))
    limit = statistics.median(limits)
    count = instructions(folder, base, IMPULSES)
    print(f"  impulses, 0.1 ms      {time:7.2f} s, and {recovery:.2f} s for the forces of impacts; error {limit:.3f} N "
          f"({min(limits):.3f} to {max(limits):.3f}); "
          f"{count:.3g} instructions a second of motion", flush=True)
    best, best_settings = float("inf"), None
    for way in (("rk", "1e-4", "0.01"), ("bdf", "1e-5", "0.01"), ("rk", "1e-6", "0.03"), ("rk", "1e-6", "0.01"), ("rk", "1e-6", "0.005")):
        name = f"  forces, {way[0]:4}{way[1]}, {way[2]:5}"
        file.write_text(model(base, SECONDS, forces(*way)))
        try:
            by_forces = measured([CAROM, "run", file, "-o", result])
        except subprocess.CalledProcessError:
            print(f"{name} fails")
            continue
        off = error(result, "normal_force", 1)
        print(f"{name}{by_forces:7.2f} s; error {off:.3f} N", flush=True)
        if off <= limit and by_forces < best:
            best, best_settings = by_forces, forces(*way)
    if best_settings is None:
        return print("  no run by forces is as accurate")
    more = instructions(folder, base, best_settings)
    print(f"  forces take {best / time:.1f} times as long, {best / (time + recovery):.1f} times with the forces of impacts, and "
          f"{more / count:.1f} times the instructions ({more:.3g})")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for title, text in (("cage of springs", SPRINGS), ("rigid cage", RIGID)):
            print(title)
            contest(text, pathlib.Path(name))
