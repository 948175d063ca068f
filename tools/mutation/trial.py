"""Runs a case with a changed model in a folder of its own, and reports which check noticed."""
import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

from parameters import mutated, mutations
from toml_text import write_file

SLOWER = 10  # times the processor time of the unchanged case: a run that takes more does not finish
LEAST = 10  # s, of processor time that every run is given


class Stopped(Exception):
    """The user has asked for the end."""


class Runner:
    """Starts programs with limits, and ends all of them when asked to."""

    def __init__(self, program, scratch):
        self.program, self.scratch = program, Path(scratch)
        self.lock, self.running, self.stopped, self.count = threading.Lock(), set(), False, 0

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                end_group(process)

    def folder(self):
        with self.lock:
            self.count += 1
            path = self.scratch / f"{self.count}"
        path.mkdir()
        return path

    def run(self, arguments, folder, seconds):
        """(exit code, processor seconds); the exit code is None where the limit of processor time or of patience was reached."""
        def limits():
            os.setsid()
            if seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        environment = os.environ | {"TMPDIR": str(folder), "OMP_NUM_THREADS": "1"}
        with self.lock, open(folder / "out", "w") as out, open(folder / "err", "w") as err:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen([self.program, *arguments], env=environment, preexec_fn=limits, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            self.running.add(process)
        try:
            return self.wait(process, 20 * seconds if seconds else None)
        finally:
            with self.lock:
                self.running.discard(process)
                if self.stopped:
                    raise Stopped

    def wait(self, process, patience):
        """Patience is wall-clock time, for a machine that is busy; processor time is limited by the system."""
        begin = time.monotonic()
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                process.returncode = code
                return (None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code), used.ru_utime + used.ru_stime
            if patience and time.monotonic() - begin > patience:
                end_group(process)
                patience = None
            time.sleep(0.005 if time.monotonic() - begin < 1 else 0.05)


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def lay_out(text, files, variants, root):
    """The folders of the case and of the files it includes under `root`: models as copies, everything else as links."""
    base = text.folder.parent
    for folder in {text.folder, *(path.parent for path in files)}:
        copy = root / folder.relative_to(base)
        copy.mkdir(parents=True, exist_ok=True)
        for entry in folder.iterdir():
            if entry.resolve() not in files and entry.name != "case.toml":
                (copy / entry.name).symlink_to(entry)
    for path, content in files.items():
        (root / path.relative_to(base)).write_text(content)
    case = {key: value for key, value in text.case.items() if key not in ("variant", "plot", "unnoticed")}
    if variants:
        case["variant"] = variants
    (root / text.folder.relative_to(base) / "case.toml").write_text(write_file(case))


def run_case(runner, text, files, variants, seconds):
    """(how it failed or "", processor seconds)."""
    folder = runner.folder()
    try:
        lay_out(text, files, variants, folder / "cases")
        json_file = folder / "outcome.json"
        code, used = runner.run(["cases", text.folder.name, "--folder", str(folder / "cases"), "--json", str(json_file), "--first-failure"], folder, seconds)
        if code is None:
            return "does not finish", used
        if code == 0:
            return "", used
        if code < 0:
            return f"ends by signal {-code}", used
        if not json_file.exists():
            return "case refused: " + " ".join((folder / "err").read_text().split())[:200], used
        outcome = json.loads(json_file.read_text())[0]
        if ": error: " in outcome.get("failure", ""):
            return "refused: " + outcome["failure"].split(": error: ", 1)[1].split("\n")[0][:200], used
        if "failure" in outcome:
            return "run fails: " + " ".join(outcome["failure"].split())[:200], used
        return "check: " + next(one["check"] for one in outcome["checks"] if not one["passed"]), used
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def try_parameter(runner, text, parameter, seconds):
    """{"outcome": "noticed", "coarse" or "unnoticed", "change", "by"}: changes are tried until one is noticed.

    A model that is refused, such as an inertia that no body has, was not changed: the next change is tried. Only a
    number that can be changed by 5 % neither up nor down is noticed by that. Of large changes only checks count.
    """
    refused = []
    for change, large, function in mutations(parameter):
        files, variants = mutated(text, parameter, function)
        by, _ = run_case(runner, text, files, variants, seconds)
        if by.startswith("refused: "):
            refused.append((change, large, by))
        elif by and (not large or by.startswith(("check: ", "does not finish"))):
            return {"outcome": "coarse" if large else "noticed", "change": change, "by": by}
    if len([one for one in refused if not one[1]]) == 2:
        return {"outcome": "noticed", "change": refused[0][0], "by": refused[0][2]}
    return {"outcome": "unnoticed", "change": ", ".join(change for change, *_ in mutations(parameter)), "by": ""}
