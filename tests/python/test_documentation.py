"""Every public name has a docstring with an example, and the examples run."""

import doctest
import inspect

import carom
import numpy
import pytest
from carom import _reference

NAMES = dict(_reference.public_names())


def given():
    """What the examples go on from, as help(carom) says."""
    model = carom.Model("A ball on a table", plane="xy", gravity=[0, -9.81])
    model.body("ball", mass="1 kg", inertia="0.004 kg m^2", position=[0, "1 m"]).geometry(shape="sphere", radius="0.1 m")
    model.ground.geometry(shape="plane")
    model.contact("rubber", stiffness="1e6 N/m", elastic="linear", law="exact", restitution=0.8)
    model.pair("bounce", bodies=["ball", "ground"], contact="rubber")
    model.solver(end=1)
    return model


class Given(dict):
    """Names of the examples; what takes time is made when it is asked for."""

    def __missing__(self, name):
        made = {
            "model": given,
            "result": lambda: self["model"].run(),
            "simulation": lambda: carom.Simulation(self["model"]),
            "table": lambda: carom.study(self["model"], vary={}, quantities={"y": ("body:ball.y", "final")}),
        }
        if name not in made:
            raise KeyError(name)
        self[name] = made[name]()
        return self[name]


def examples_of(name, text):
    names = Given(carom=carom, numpy=numpy)
    for each in ("model", "result", "simulation", "table"):
        if each in text:
            names[each]
    return doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)


@pytest.mark.parametrize("name", ["carom", *NAMES])
def test_examples_in_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = []
    text = inspect.getdoc(carom if name == "carom" else NAMES[name]) or ""
    runner.run(examples_of(name, text), out=report.append)
    assert not runner.failures, "".join(report)


def test_every_public_name_is_documented_with_an_example():
    # What a plain value of the compiled half holds is said in a line each; the value itself has the example.
    bare = [name for name, thing in NAMES.items() if len(_reference.said_of(thing)) < 3]
    plain = {name for name, thing in NAMES.items() if inspect.isclass(thing) and _reference.is_compiled(thing)}
    without = [name for name, thing in NAMES.items()
               if name.split(".")[0] not in plain - {name} and ">>> " not in _reference.said_of(thing)]
    assert not bare and not without


def test_help_lists_joints_with_their_keys_and_units():
    text = inspect.getdoc(carom.Model.joint)
    for joint in carom.joint_types():
        assert f'type="{joint.name}"' in text
        for key in joint.parameters:
            assert f"{key.name} [{key.unit}]  {key.meaning}" in text if key.unit and key.unit != "*" else key.name in text


def test_the_reference_page_has_every_name():
    page = _reference.page()
    for name, thing in NAMES.items():
        assert f"`{name}`" in page or f"`{name.split('.')[-1]}`" in page, name
