"""Motions piece by piece, snapshots, threads, interrupts."""

import os
import random
import signal
import subprocess
import sys
import threading

import carom
import numpy
import pytest


def test_steps_lead_to_the_end_of_a_run(bouncing):
    result = bouncing.run()
    simulation = carom.Simulation(bouncing)
    while simulation.step():
        pass
    assert simulation.time == 1
    assert simulation["body:ball.y"] == result["body:ball.y"][-1]


def test_going_on_from_a_snapshot_gives_the_same_bytes(bouncing):
    simulation = carom.Simulation(bouncing)
    simulation.advance(0.2)
    kept = simulation.snapshot()
    simulation.advance(0.3)
    there = simulation.positions.tobytes(), simulation.velocities.tobytes()
    simulation.restore(kept)
    simulation.advance(0.3)
    assert (simulation.positions.tobytes(), simulation.velocities.tobytes()) == there


def test_states_are_arrays(oscillator):
    simulation = carom.Simulation(oscillator)
    assert simulation.positions == pytest.approx([0.1, 0, 0])
    simulation.set_state([0.2, 0, 0], [0, 0, 0])
    simulation.advance_to(numpy.pi / 10)
    assert simulation["body:mass.x"] == pytest.approx(-0.2, abs=1e-7)
    simulation["body:mass.vx"] = 3
    assert simulation.velocities[0] == pytest.approx(3)
    simulation.set_parameter("stiffness", "50 N/m")
    assert simulation.parameter("stiffness") == 50


@pytest.mark.parametrize("q, v", [([0.1], [0, 0, 0]), ([numpy.nan, 0, 0], [0, 0, 0]), ([[0.1, 0, 0]], [0, 0, 0]), ("x", "y")])
def test_states_of_another_shape_are_refused(oscillator, q, v):
    simulation = carom.Simulation(oscillator)
    with pytest.raises((ValueError, carom.Error)):
        simulation.set_state(q, v)
    assert simulation.positions == pytest.approx([0.1, 0, 0])


def test_unknown_names_are_refused_with_near_ones(oscillator):
    simulation = carom.Simulation(oscillator)
    with pytest.raises(carom.ResultError, match="body:mass.x"):
        simulation["body:mass.xx"]
    with pytest.raises(carom.ResultError):
        simulation.parameter("stifness")
    with pytest.raises(carom.Error):
        simulation.advance(-1)
    with pytest.raises(carom.Error):
        simulation.advance(float("nan"))


def test_threads_that_share_a_simulation_get_an_exception(bouncing):
    simulation = carom.Simulation(bouncing, progress=lambda *_: inside.set() or go_on.wait(5))
    inside, go_on, problems = threading.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: simulation.advance(0.01))
    thread.start()
    inside.wait(5)
    try:
        simulation["body:ball.y"]
    except RuntimeError as error:
        problems.append(str(error))
    go_on.set()
    thread.join()
    assert "another thread" in problems[0]
    assert simulation.time == pytest.approx(0.01)


def test_exceptions_of_progress_leave_the_run_with_its_result(bouncing):
    def refuse(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough") as raised:
        swinging_for_ever().run(progress=refuse)
    assert raised.value.result.summary.status == "interrupted"
    simulation = carom.Simulation(bouncing, progress=refuse)
    with pytest.raises(KeyError):
        simulation.advance(1)
    assert 0 < simulation.time < 1


def swinging_for_ever():
    model = carom.Model("Long", plane="xy", gravity=[0, -10])
    model.body("rod", mass=1, inertia=0.1, position=[0.5, 0])
    model.joint("pivot", type="revolute", bodies=["ground", "rod"], at=[0, 0])
    model.solver(end=1e5)
    model.output(every=10)
    return model


LONG_RUN = """
import carom, test_simulation
model = test_simulation.swinging_for_ever()
print("ready", flush=True)
try:
    model.run()
except KeyboardInterrupt as error:
    print(error.result.summary.status, len(error.result), flush=True)
"""


def test_ctrl_c_stops_a_run_and_keeps_what_was_computed():
    child = subprocess.Popen([sys.executable, "-c", LONG_RUN], stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(__file__),
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # tests in the background ignore it
    assert child.stdout.readline() == "ready\n"
    threading.Event().wait(1)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    status, samples = out.split()
    assert status == "interrupted" and int(samples) > 1
    assert child.returncode == 0


def random_program(seed):
    """Builds, changes, runs and restores at random."""
    draw = random.Random(seed)
    model = carom.Model(f"random {seed}", plane="xy", gravity=[0, -draw.uniform(0, 20)])
    bodies = draw.randint(1, 4)
    for k in range(bodies):
        body = model.body(f"b{k}", mass=draw.uniform(0.1, 2), inertia=draw.uniform(0.01, 1), position=[2.0 * k, 1.0],
                          velocity=[draw.uniform(-1, 1), 0])
        body.geometry(shape="sphere", radius=draw.uniform(0.1, 0.5))
    model.ground.geometry(shape="plane")
    model.contact("hard", restitution=draw.uniform(0, 1), stiffness=1e6, elastic="linear", friction=draw.choice([0, 0.3]))
    model.pair("all", bodies=["*", "*"], contact="hard")
    model.pair("floor", bodies=["*", "ground"], contact="hard")
    model.solver(end=0.05, method=draw.choice(["compliant", "nonsmooth"]))
    if "nonsmooth" in model.text():
        model.solver(step=1e-3)
    if draw.random() < 0.3:
        model.body("b0", mass=draw.choice([-1, "x", "2 kg", 3]))
    try:
        if draw.random() < 0.5:
            result = model.run()
            return float(result["body:b0.y"][-1]), len(result.events())
        simulation = carom.Simulation(model)
        kept = simulation.snapshot()
        for _ in range(draw.randint(1, 4)):
            simulation.advance(draw.uniform(0, 0.01))
            if draw.random() < 0.3:
                simulation.set({"body:b0.vy": draw.uniform(-1, 1)})
        simulation.restore(kept)
        simulation.advance(0.01)
        return simulation["body:b0.y"], simulation.time
    except carom.Error as error:
        return str(error)


@pytest.mark.parametrize("first", range(0, int(os.environ.get("CAROM_PYTHON_PROGRAMS", "100")), 20))
def test_random_programs_end_with_a_value_or_an_error_and_twice_the_same(first):
    for seed in range(first, first + 20):
        assert random_program(seed) == random_program(seed)


def test_nothing_leaks(falling):
    resource = pytest.importorskip("resource")
    falling.output(every=0.1)
    for _ in range(20):
        random_program(3), falling.run()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(60):
        random_program(k % 7), falling.run()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB
