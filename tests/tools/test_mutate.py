"""tools/mutate on small cases: what no check notices is reported, an excuse silences it, a stale excuse is reported."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["CAROM_PROGRAM"]
sys.path.insert(0, str(ROOT / "tools" / "mutation"))
import parameters  # noqa: E402
import toml_text  # noqa: E402
import trial  # noqa: E402

MODEL = """[model]
plane = "xy"
gravity = [0, -9.81]

[parameters]
height = "2 m"
turns = 3

[[body]]
name = "ball"
mass = "2 kg"                # cancels
inertia = 0.1
position = [0, "=height"]
velocity = ["=0.5*height/1[s]", 0]
[[body.geometry]]
shape = "sphere"
radius = 0.1

[solver]
end = "=turns*0.1[s]"
integrator = "rk"

[output]
every = "0.1 s"
"""
CASE = """title = "t"
source = "s"
why = "w"

[[check]]
name = "way"
kind = "final"
quantity = ["body:ball.x"]
value = 0.3
tolerance_relative = 1e-6
reason = "closed form"

[[check]]
name = "height"
kind = "final"
quantity = ["body:ball.y"]
value = 1.55855
tolerance_relative = 1e-6
reason = "closed form"
"""


class Mutate(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.output = self.folder / "mutation.json"
        self.case("falling", CASE)

    def tearDown(self):
        self.temporary.cleanup()

    def case(self, name, text, model=MODEL):
        folder = self.folder / "cases" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "case.toml").write_text(text)
        (folder / "model.toml").write_text(model)

    def command(self, *arguments, program=PROGRAM):
        return [str(ROOT / "tools" / "mutate"), "--program", program, "--folder", str(self.folder / "cases"), "--output", str(self.output), "-j", "2", *arguments]

    def run_tool(self, *arguments, program=PROGRAM):
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        done = subprocess.run(self.command(*arguments, program=program), capture_output=True, text=True, env=os.environ | {"TMPDIR": str(scratch)})
        self.assertEqual(list(scratch.iterdir()), [])
        return done

    def test_parameters(self):
        names = self.run_tool("--list").stdout
        for name in ("model.gravity.2", "parameters.height", "body.ball.mass", "body.ball.inertia", "body.ball.velocity.1"):
            self.assertIn(name, names)
        # Derived, for the solver alone, drawn only.
        for name in ("position", "turns", "radius", "solver"):
            self.assertNotIn(name, names)

    def test_what_no_check_notices_is_reported(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("unnoticed: body.ball.mass = 2 kg", done.stdout)
        self.assertIn("unnoticed: body.ball.inertia = 0.1", done.stdout)
        case = json.loads(self.output.read_text())["cases"]["falling"]
        self.assertEqual((case["noticed"], case["unnoticed"]), (3, 2))
        by = {one["parameter"]: one["by"] for one in case["parameters"]}
        self.assertEqual(by["model.gravity.2"], "check: height")
        self.assertEqual(by["body.ball.velocity.1"], "check: way")

    def test_an_excuse_silences_and_nothing_runs_again(self):
        self.run_tool()
        self.case("falling", CASE + '\n[[unnoticed]]\nparameter = ["body.ball.mass", "body.*.inertia"]\nreason = "cancel"\n')
        done = self.run_tool(program="/bin/false")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 noticed,   0 if large,   2 excused,   0 unnoticed", done.stdout)

    def test_a_stale_excuse_is_reported(self):
        excuses = '\n[[unnoticed]]\nparameter = "body.ball.*"\nreason = "r"\n[[unnoticed]]\nparameter = "body.bal.mass"\nreason = "r"\n'
        self.case("falling", CASE + excuses)
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("stale excuse: body.ball.*: body.ball.velocity.1 is noticed", done.stdout)
        self.assertIn("stale excuse: body.bal.mass: no parameter", done.stdout)

    def test_a_sharper_check_is_tried_on_what_was_unnoticed_only(self):
        self.run_tool()
        before = json.loads(self.output.read_text())["cases"]["falling"]["parameters"]
        energy = '\n[[check]]\nname = "energy"\nkind = "final"\nquantity = "energy.kinetic"\nvalue = 9.661249\ntolerance_relative = 1e-6\nreason = "m v²/2"\n'
        self.case("falling", CASE + energy)
        done = self.run_tool()
        after = {one["parameter"]: one for one in json.loads(self.output.read_text())["cases"]["falling"]["parameters"]}
        self.assertEqual(after["body.ball.mass"]["by"], "check: energy", done.stdout)
        for one in before:
            if one["outcome"] == "noticed":
                self.assertEqual(after[one["parameter"]], one)

    def test_a_case_that_fails_as_it_is(self):
        self.case("falling", CASE.replace("0.3", "0.4"))
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("fails as it is: check: way", done.stdout)

    def test_variants_are_changed_with_the_model(self):
        grid = CASE.replace("value = 0.3", "value = 0.3\nvariant = \"2 m\"") + '\n[[variant]]\ngrid = { "parameters.height" = ["2 m"], "body.ball.mass" = [1, 1.5] }\n'
        self.case("falling", grid.replace('"2 m"\n', '"2 m *"\n'))
        done = self.run_tool()
        self.assertNotIn("fails as it is", done.stdout)
        rows = {one["parameter"]: one["outcome"] for one in json.loads(self.output.read_text())["cases"]["falling"]["parameters"]}
        self.assertEqual(rows["parameters.height"], "noticed")
        self.assertEqual(rows["body.ball.mass"], "unnoticed")

    def test_stops_when_asked_to(self):
        slow = self.folder / "slow"
        slow.write_text("#!/bin/sh\nsleep 60\n")
        slow.chmod(0o755)
        scratch = self.folder / "scratch"
        scratch.mkdir()
        process = subprocess.Popen(self.command(program=str(slow)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(scratch)})
        while not list(scratch.glob("*/1/out")):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertIn("goes on from there", errors)
        self.assertEqual(list(scratch.iterdir()), [])

    def test_a_run_that_does_not_finish(self):
        busy = self.folder / "busy"
        busy.write_text("#!/bin/sh\nwhile :; do :; done\n")
        busy.chmod(0o755)
        runner = trial.Runner(str(busy), self.folder)
        code, seconds = runner.run([], runner.folder(), 1)
        self.assertIsNone(code)
        self.assertGreater(seconds, 0.9)


class Outcomes(unittest.TestCase):
    def outcome(self, name, *found):
        """What is made of what runs with ever other changes show."""
        answers = iter(found)
        before, trial.run_case = trial.run_case, lambda *_: (next(answers), 0)
        try:
            text = parameters.CaseText(Path(), {}, {}, [])
            return trial.try_parameter(None, text, parameters.Parameter(name, "1"), 1)
        finally:
            trial.run_case = before

    def test_small_changes_first(self):
        self.assertEqual(self.outcome("body.a.mass", "check: x")["change"], "× 1.05")
        self.assertEqual(self.outcome("body.a.mass", "", "run fails: x")["change"], "× 0.95")
        self.assertEqual(self.outcome("body.a.mass", "", "", "check: x")["outcome"], "coarse")
        self.assertEqual(self.outcome("body.a.position.1", "", "")["outcome"], "unnoticed")

    def test_what_is_refused_was_not_changed(self):
        self.assertEqual(self.outcome("contact.a.restitution", "refused: above 1", "", "")["outcome"], "unnoticed")
        self.assertEqual(self.outcome("contact.a.restitution", "refused: above 1", "check: x")["change"], "× 0.95")
        self.assertEqual(self.outcome("body.a.position.1", "refused: x", "refused: y")["outcome"], "noticed")
        self.assertEqual(self.outcome("body.a.inertia", "", "", "refused: x", "run fails: y")["outcome"], "unnoticed")


class Texts(unittest.TestCase):
    def test_one_value_changes_and_nothing_else(self):
        text = 'a = [1, 1] # 1\n[b.c]\nd = { e = "1 mm", f = 1 }\n[[g]]\nh = 1\n[[g]]\nh = 1\n[g.i]\nj = 1\n'
        self.assertEqual(toml_text.replace(text, {("a", 1): "2"}), text.replace("[1, 1]", "[1, 2]"))
        self.assertEqual(toml_text.replace(text, {("b", "c", "d", "e"): '"2 mm"'}), text.replace("1 mm", "2 mm"))
        self.assertEqual(toml_text.replace(text, {("g", 1, "i", "j"): "2"}), text.replace("j = 1", "j = 2"))
        with self.assertRaises(ValueError):
            toml_text.replace(text, {("g", 2, "h"): "2"})

    def test_every_case_is_understood(self):
        import tomllib
        for file in (ROOT / "cases").glob("*/*.toml"):
            text = file.read_text()
            tree = tomllib.loads(text)
            self.assertEqual({path for path, *_ in toml_text.scalars(text)}, set(toml_text.leaves(tree)), file)
            self.assertEqual(tomllib.loads(toml_text.write_file(tree)), tree, file)

    def test_numbers_of_expressions(self):
        own = lambda value: parameters.own_numbers(value, {"a", "b"})
        self.assertEqual(own("=a + 2*b/3"), [])
        self.assertEqual(own("=a + 0.5*b"), [None])
        self.assertEqual(own("=1/12"), [None])
        self.assertEqual(own("=a*(1e-4 + b)"), [None])
        self.assertEqual(own("=0.05*sin(6*t)"), [None, 0])
        self.assertEqual(own("steel"), [])
        self.assertEqual(own(0), [])
        self.assertEqual(parameters.changed("2 mm", 1.05), "2.1 mm")
        self.assertEqual(parameters.changed("=a + 0.5[m]*t^2", 2, 0), "=a + (1.0)[m]*t^2")


if __name__ == "__main__":
    unittest.main()
