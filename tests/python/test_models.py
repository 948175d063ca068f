"""Models from keywords and files; their checks and runs."""

import inspect
import os
import subprocess
import sys

import carom
import numpy
import pytest


def test_a_fall_is_the_closed_form(falling):
    result = falling.run()
    assert result.summary.status == "complete"
    assert numpy.allclose(result["body:ball.y"], -5 * result.time**2, atol=1e-9)
    assert numpy.allclose(result["body:ball.vy"], -10 * result.time, atol=1e-9)


def test_an_oscillator_swings_at_its_frequency(oscillator):
    result = oscillator.run()
    assert numpy.allclose(result["body:mass.x"], 0.1 * numpy.cos(10 * result.time), atol=1e-8)
    other = oscillator.run(parameters={"stiffness": "400 N/m"})
    assert numpy.allclose(other["body:mass.x"], 0.1 * numpy.cos(20 * other.time), atol=1e-8)
    assert "100 N/m" in oscillator.text()


def test_every_section_of_the_file_is_a_method_with_its_keys():
    for section in carom.model_sections():
        name = section.heading.strip("[]").split(".")[0]
        assert hasattr(carom.Model, name), name
    keywords = inspect.signature(carom.Model.joint).parameters
    assert {"type", "bodies", "at", "axis"} <= set(keywords)
    text = carom.Model.joint.__doc__
    for joint in carom.joint_types():
        assert f'type="{joint.name}"' in text
    assert "[m]" in text
    assert 'type="pid"' in carom.Model.signal.__doc__


def test_all_problems_are_in_the_exception(falling):
    falling.body("ball", mass="5 m", colour="red")
    falling.solver(ende=1)
    with pytest.raises(carom.InputError) as raised:
        falling.run()
    keys = [problem.key for problem in raised.value.problems]
    assert {"body.ball.mass", "body.ball.colour", "solver.ende"} <= set(keys)
    assert all(str(problem) in str(raised.value) for problem in raised.value.problems)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("value", [object(), float("nan"), float("inf"), {1, 2}, numpy.array([1.0, numpy.nan]), 1j])
def test_values_that_cannot_stand_in_a_model_are_refused_at_once(falling, value):
    with pytest.raises((TypeError, ValueError)) as raised:
        falling.body("ball", mass=value)
    assert "body.ball.mass" in str(raised.value)


def test_a_loaded_file_can_be_changed_and_is_left_alone(tmp_path, oscillator):
    file = tmp_path / "model.toml"
    oscillator.save(file)
    before = file.read_bytes()
    model = carom.load(file)
    assert model.text() == file.read_text()
    model.body("mass", mass=4)
    result = model.run()
    assert numpy.allclose(result["body:mass.x"], 0.1 * numpy.cos(5 * result.time), atol=1e-8)
    assert file.read_bytes() == before
    with pytest.raises(FileExistsError):
        model.save(file)


def test_files_that_cannot_be_read_name_their_line(tmp_path):
    file = tmp_path / "broken.toml"
    file.write_text("[model]\nplane = \n")
    with pytest.raises(carom.InputError) as raised:
        carom.load(file)
    assert "broken.toml:2" in str(raised.value)
    assert raised.value.problems[0].line == 2


def test_a_result_is_not_replaced_unasked(tmp_path, falling):
    file = tmp_path / "fall.h5"
    falling.run(file)
    with pytest.raises(FileExistsError):
        falling.run(file)
    assert len(falling.run(file, replace=True)) > 0


def test_text_in_any_language_comes_back(tmp_path):
    name = 'Kurbel "schnell" \\ größer\n\t× 2'
    model = carom.Model(name, plane="xy")
    model.body("ball", mass=1, inertia=1)
    model.solver(end=0.1)
    assert model.run().summary.model == name


# All examples by CAROM_ALL_EXAMPLES=1; in continuous integration those that take a moment.
FOLDER = os.environ["CAROM_EXAMPLES"]
QUICK = ["loose_slider_crank.toml", "servo_press.toml", "automatic_door.toml", "hopper.toml", "nonsmooth_slider_crank.toml"]


def examples():
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".toml") or not (os.environ.get("CAROM_ALL_EXAMPLES") or name in QUICK):
            continue
        with open(os.path.join(FOLDER, name), encoding="utf-8") as text:
            if "[study]" not in text.read():
                yield name


@pytest.mark.parametrize("name", examples())
def test_examples_give_the_bytes_of_the_command_line(tmp_path, name):
    source = os.path.join(FOLDER, name)
    subprocess.run([os.environ["CAROM_PROGRAM"], "run", source, "-o", tmp_path / "a.h5", "--quiet"], check=True, cwd=tmp_path)
    # In a process of its own: a result names the parts that the program has.
    script = f"import carom; carom.load({source!r}).run({str(tmp_path / 'b.h5')!r})"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def test_a_model_is_not_written_to_a_number(falling):
    # open(1, "x") would write to the standard output and close it.
    for number in (0, 1, True):
        with pytest.raises(TypeError):
            falling.save(number)


@pytest.mark.parametrize("name", examples())
def test_examples_go_on_from_a_snapshot_to_the_same_bytes(name):
    model = carom.load(os.path.join(FOLDER, name))
    if "analysis" in model.solver():
        pytest.skip("it does not move")
    simulation = carom.Simulation(model)
    span = 2e-4 if "crank" in name else 0.02  # s
    simulation.advance(span)
    kept, ends = simulation.snapshot(), []
    for _ in range(2):
        simulation.restore(kept)
        simulation.advance(span)
        ends.append((simulation.positions.tobytes(), simulation.velocities.tobytes(), simulation.time))
    assert ends[0] == ends[1]
