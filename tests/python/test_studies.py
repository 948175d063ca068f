"""Studies in threads."""

import carom
import numpy
import pytest


def test_a_study_runs_every_value(tmp_path, oscillator):
    table = carom.study(oscillator, vary={"stiffness": [100, "400 N/m"]},
                        quantities={"speed": ("body:mass.vx", "max"), "ratio": "speed/sqrt(stiffness)"})
    assert len(table) == 2
    assert table["speed"] == pytest.approx([1.0, 2.0], rel=1e-3)
    assert table["ratio"] == pytest.approx([0.1, 0.1], rel=1e-3)
    assert table.units["stiffness"] == "N/m"
    assert "max" in carom.reductions()


def test_a_table_is_kept_and_opened(tmp_path, oscillator):
    file = tmp_path / "table.h5"
    arguments = {"vary": {"stiffness": {"start": 100, "to": 400, "count": 4}}, "quantities": {"x": ("body:mass.x", "final")}, "file": file}
    table = carom.study(oscillator, **arguments)
    assert numpy.array_equal(carom.open_study(file)["x"], table["x"])
    assert numpy.array_equal(table["stiffness"], [100, 200, 300, 400])


def test_lists_and_distributions(oscillator):
    table = carom.study(oscillator, vary={"stiffness": {"type": "uniform", "from": 100, "to": 200}}, sampling="random", samples=5, seed=3,
                        quantities={"trace": {"of": "body:mass.x", "reduce": "trace", "every": 100}})
    assert len(table) == 5
    assert len(table.values("trace", 2)) > 5


def test_mistakes_are_named(oscillator):
    with pytest.raises(carom.InputError, match="stifness"):
        carom.study(oscillator, vary={"stifness": [1]}, quantities={"x": ("body:mass.x", "final")})
    with pytest.raises(carom.InputError, match="latest"):
        carom.study(oscillator, vary={"stiffness": [1]}, quantities={"x": ("body:mass.x", "latest")})
