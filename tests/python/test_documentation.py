"""Every public name has a docstring; the examples in them run."""

import doctest
import importlib
import inspect

import carom
import pytest


@pytest.mark.parametrize("name", ["carom", *(f"carom.{each}" for each in ("model", "result", "motion", "simulation", "parts", "study"))])
def test_examples_in_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0 and failed == 0


def test_every_public_name_is_documented():
    missing = []
    for name in carom.__all__:
        thing = getattr(carom, name)
        if not inspect.getdoc(thing):
            missing.append(name)
        if inspect.isclass(thing):
            missing += [f"{name}.{each}" for each, member in vars(thing).items()
                        if not each.startswith("_") and callable(member) and not inspect.getdoc(member)]
    assert not missing


def test_help_lists_joints_with_their_keys_and_units():
    text = inspect.getdoc(carom.Model.joint)
    for joint in carom.joint_types():
        assert joint.name in text
        for key in joint.parameters:
            assert key.name in text
