"""What studies cost.

    python3 benchmarks/study_report.py CAROM

The study of examples/clearance_paper by one worker, by two, and twice side by side by one each, in turn, the fastest of three: runs
an hour and core, and the efficiency of two workers and of the machine itself. What the study layer adds to the runs, where valgrind is there: all instructions of studies of the example
clearance_study.toml but those of reading its models and of the runs, as the difference of 6 and 18 runs. And a hundred thousand short runs: seconds, memory, files.
"""

import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CAROM = pathlib.Path(sys.argv[1]).resolve()
PAPER = ROOT / "examples" / "clearance_paper" / "study.toml"
SHORT = ROOT / "examples" / "clearance_study.toml"
MANY = 100_000

PENDULUM = """[model]
plane = "xy"
gravity = [0, -9.81]
[parameters]
length = 1
[[body]]
name = "bob"
mass = 1
inertia = 0.1
position = ["=length", 0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "bob"]
at = [0, 0]
[solver]
end = 0.01
[output]
every = 0.005
"""
PENDULUMS = f"""[study]
model = "pendulum.toml"
[[vary]]
parameter = "length"
range = {{ from = 0.5, to = 2, count = {MANY} }}
[[quantity]]
name = "lowest"
of = "body:bob.y"
reduce = "min"
"""


def study(file, folder, *more):
    return [str(CAROM), "study", str(file), "-o", str(folder / "study.h5"), "--fresh", *more]


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def workers(folder):
    runs = subprocess.run([str(CAROM), "study", str(PAPER), "--list"], check=True, capture_output=True, text=True).stdout.count("\n") - 1
    times = {"one": [], "two": [], "beside": []}
    for name in ("first", "second"):
        (folder / name).mkdir()
    for _ in range(3):
        times["one"].append(seconds(study(PAPER, folder, "-j", "1")))
        times["two"].append(seconds(study(PAPER, folder, "-j", "2")))
        begin = time.perf_counter()
        both = [subprocess.Popen(study(PAPER, folder / name, "-j", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for name in ("first", "second")]
        for each in both:
            each.wait()
        times["beside"].append(time.perf_counter() - begin)
    one, two, beside = (min(times[name]) for name in ("one", "two", "beside"))
    print(f"study of {PAPER.parent.name}: {runs} runs, {one:.1f} s by one worker, {two:.1f} s by two, {beside:.1f} s for two side by side")
    print(f"  {3600 * runs / one:.0f} runs an hour and core; efficiency of two workers {one / two / 2:.3f}, of the machine {one / beside:.3f}")


def instructions(folder, count):
    """Of models and runs, and of the rest of a study of so many clearances."""
    folder = folder / f"clearances_{count}"
    folder.mkdir()
    text = SHORT.read_text().replace('model = "', f'model = "{SHORT.parent}/').replace("count = 4", f"count = {count}")
    text = text[:text.find("[[figure]]")] if "[[figure]]" in text else text
    (folder / "short.toml").write_text(text)
    out = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *study(folder / "short.toml", folder, "-j", "1")],
                   check=True, capture_output=True)
    profile = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)], check=True,
                             capture_output=True, text=True).stdout

    def inclusive(pattern):
        return max(int(line.split()[0].replace(",", "")) for line in profile.splitlines() if re.search(pattern, line))

    own = inclusive(r":carom::run\(carom::Model") + inclusive(r":carom::model_of_run\(")
    return own, inclusive("PROGRAM TOTALS") - own


def share(folder):
    if not shutil.which("callgrind_annotate"):
        return
    (few, few_rest), (more, more_rest) = instructions(folder, 2), instructions(folder, 6)
    each = (more_rest - few_rest) / (more - few)
    print(f"runs of {SHORT.name}, {(more - few) / 12e6:.0f} million instructions each: the study adds {100 * each:.2f} %, and "
          f"{(few_rest - each * few) / 1e6:.0f} million once")


def many(folder):
    (folder / "pendulum.toml").write_text(PENDULUM)
    (folder / "pendulums.toml").write_text(PENDULUMS)
    took = seconds(study(folder / "pendulums.toml", folder))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    files = [each for each in folder.iterdir() if each.name.startswith("study")]
    size = sum(each.stat().st_size for each in files) / 1e6
    print(f"{MANY} runs of a pendulum: {took:.1f} s, at most {memory:.0f} MB of memory, {len(files)} files of {size:.0f} MB")


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    many(place)
    workers(place)
    share(place)
