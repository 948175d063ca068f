"""Whatever is handed over, there is an exception or an answer, never a crash: random arguments, callbacks and threads."""

import inspect
import os
import random
import threading

import carom
import numpy
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # NumPy has an opinion of what is handed over here

PROGRAMS = int(os.environ.get("CAROM_PYTHON_PROGRAMS", "100"))


def rubbish(draw, others):
    """Something that hardly anybody expects."""
    nan = float("nan")
    plain = [None, True, nan, float("inf"), -float("inf"), -1, 0, 1e308, 10**30, 2**63, -(2**31), 0.5, 1j, "", "x", "\0", "ö" * 1000, "body:ball.y", "=1/0",
             "contact:bounce", b"bytes", [], [[]], [nan], [1, 2], [0, 1, 0], [None, "x"], (), {}, {"a": 1}, {1: 2}, set(), object(), len, range(3), slice(1)]
    arrays = [numpy.zeros(0), numpy.zeros(3), numpy.full(3, nan), numpy.zeros((3, 3)), numpy.zeros((0, 5)), numpy.zeros(3, dtype=complex),
              numpy.array(["a", "b"]), numpy.array([object()]), numpy.arange(12.0)[::-4], numpy.zeros(3, dtype=[("x", float)]), numpy.float32(1), numpy.zeros(())]
    return draw.choice([*plain, *arrays, *others])


def called(draw, function, others):
    """Calls it with what it might take and with what it does not."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    arguments = [rubbish(draw, others) for _ in range(draw.randint(0, 4))]
    names = [each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]
    keywords = {name: rubbish(draw, others) for name in draw.sample(names, min(len(names), draw.randint(0, 3)))}
    try:
        return function(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001, what it is does not matter here; a crash would
        assert str(error) is not None
        return None


def bouncing():
    model = carom.Model("Bounce", plane="xy", gravity=[0, -9.81])
    model.body("ball", mass=1, inertia=0.01, position=[0, 0.2]).geometry(shape="sphere", radius=0.1)
    model.ground.geometry(shape="plane")
    model.contact("rubber", stiffness=1e5, elastic="linear", restitution=0.8)
    model.pair("bounce", bodies=["ball", "ground"], contact="rubber")
    model.solver(end=0.05)
    return model


SIMULATION = ["advance", "advance_to", "set", "set_state", "set_parameter", "parameter", "snapshot", "restore", "events", "warnings", "__getitem__", "__setitem__"]
RESULT = ["__getitem__", "__contains__", "group", "unit", "events", "to_pandas", "forces", "pulse", "split_impulses", "wear", "life", "spectrum", "poincare",
          "motion", "plot", "film", "report"]
FUNCTIONS = ["load", "open_result", "open_study", "zero_one_test", "force", "contact_law", "friction_law", "drive", "controller", "load_plugin"]


@pytest.mark.parametrize("first", range(0, PROGRAMS, 20))
def test_random_arguments(first, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = bouncing()
    result, other = model.run(), carom.Simulation(bouncing())
    for seed in range(first, first + 20):
        draw = random.Random(seed)
        simulation = carom.Simulation(model)
        kept = simulation.snapshot()
        others = [model, result, simulation, other.snapshot(), kept, tmp_path, tmp_path / "missing.h5", open(os.devnull)]
        for _ in range(20):
            thing, names = draw.choice([(simulation, SIMULATION), (result, RESULT), (carom, FUNCTIONS), (model.copy(), ["body", "joint", "solver", "save", "check", "run"])])
            called(draw, getattr(thing, draw.choice(names)), others)
        # Nothing of it stays: the simulation can be taken back and goes on.
        others[-1].close()
        simulation.restore(kept)
        assert simulation.advance(0.01) and numpy.isfinite(simulation.positions).all()
    assert len(result["body:ball.y"]) == len(result)


class Odd(Exception):
    def __str__(self):
        raise ValueError("not even its text can be had")


def misbehaving(draw, simulation_of):
    """A function that does what it should not."""
    def recurse():
        return recurse()

    def raised(error):
        raise error

    return draw.choice([
        lambda: None, lambda: float("nan"), lambda: "text", lambda: [[1, 2], 3], lambda: numpy.zeros((2, 2)), lambda: 10**400, lambda: object(),
        lambda: raised(ValueError("no")), lambda: raised(Odd()), lambda: raised(SystemExit(3)), lambda: raised(GeneratorExit()),
        lambda: raised(StopIteration()), lambda: raised(MemoryError()), recurse, lambda: simulation_of().advance(1e-3), lambda: simulation_of().positions,
        lambda: simulation_of().restore(simulation_of().snapshot()), lambda: bouncing().run()["body:ball.y"][-1], lambda: (0.0, 0.0, 0.0),
    ])


@pytest.mark.parametrize("first", range(0, PROGRAMS, 20))
def test_functions_that_misbehave(first):
    for seed in range(first, first + 20):
        draw = random.Random(seed)
        held = []
        wrong, begin, name = misbehaving(draw, lambda: held[0]), draw.choice([0, 0.01, 0.02]), f"odd-{seed}"
        kind = draw.choice(["force", "batch", "law", "control", "drive", "progress"])
        model = bouncing()

        def answer(t, good):
            return wrong() if t >= begin else good

        if kind in ("force", "batch"):
            good = numpy.zeros((1, 3)) if kind == "batch" else (0.0, 0.0, 0.0)
            carom.force(name, vectorised=kind == "batch")(lambda t, position, velocity, axes, angular_velocity: answer(t, good))
            model.force("f", type=name, bodies=["ground", "ball"], ends=[[0, 0], [0, 0.2]])
        elif kind == "law":
            carom.contact_law(name)(lambda penetration, rate, impact_speed, deepest: answer(1, 0.0))
            model.contact("rubber", law=name)
            model.body("ball", position=[0, 0.1001])
        elif kind == "control":
            carom.controller(name)(lambda t, inputs, memory: answer(t, 0.0))
            model.signal("push", type=name, input="=0", period="1 ms", unit="N")
            model.force("f", type="force", body="ball", force=["=push", 0])
        elif kind == "drive":
            carom.drive(name)(lambda t: answer(t, (0.0, 0.0, 0.0)))
            model.force("f", type="force", body="ball", force=[{"drive": name}, 0])
        try:
            held.append(carom.Simulation(model, progress=(lambda t, *_: answer(t, None)) if kind == "progress" else None))
            kept = held[0].snapshot()
            held[0].advance(0.04)
        except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001
            assert type(error) is not AssertionError
        if held and kind == "progress":
            begin = 1e9
            held[0].restore(kept)
            assert held[0].advance(0.01)
    assert carom.callback_costs() is not None


def test_threads_that_share_one_simulation(tmp_path):
    model = bouncing()
    model.solver(end=100)
    simulation = carom.Simulation(model)
    kept, unexpected = simulation.snapshot(), []

    def hammer(seed):
        draw = random.Random(seed)
        for _ in range(100):
            try:
                draw.choice([lambda: simulation.advance(1e-3), lambda: simulation.restore(kept), lambda: simulation.positions, lambda: simulation.snapshot(),
                             lambda: simulation.contacts, lambda: simulation.events(), lambda: simulation.set({"body:ball.vx": 1}), simulation.step])()
            except RuntimeError as error:
                if "another thread" not in str(error):
                    unexpected.append(error)
            except Exception as error:  # noqa: BLE001
                unexpected.append(error)

    threads = [threading.Thread(target=hammer, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unexpected
    simulation.restore(kept)
    assert simulation.advance(0.1)


def test_threads_with_a_simulation_each_get_the_same_bytes():
    model, found = bouncing(), {}

    def work(k):
        simulation = carom.Simulation(model)
        simulation.advance(0.05)
        found[k] = simulation.positions.tobytes()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found.values())) == 1


def test_results_whose_file_is_gone_or_damaged(tmp_path):
    file = tmp_path / "bounce.h5"
    result = bouncing().run(file)
    data = file.read_bytes()
    draw = random.Random(1)
    for kind in range(30):
        damaged = bytearray(data)
        for _ in range(draw.randint(1, 20)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        broken = tmp_path / f"broken{kind}.h5"
        broken.write_bytes(damaged[: draw.randint(1, len(damaged))] if kind % 2 else damaged)
        try:
            opened = carom.open_result(broken)
            for each in opened:
                opened[each]
            opened.events(), opened.film(), opened.summary, opened.model_text
        except carom.Error:
            pass
    os.truncate(file, len(data) // 2)
    with pytest.raises(carom.Error):
        carom.open_result(file)["body:ball.y"]
    file.unlink()
    for ask in (lambda: result["body:ball.y"], lambda: result.group("body:ball"), lambda: result.events(), lambda: result.film(), lambda: result.forces()):
        try:
            ask()
        except carom.Error:
            pass
