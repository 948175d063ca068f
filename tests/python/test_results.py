"""Columns, events, forces, life, spectra and pictures of results."""

import carom
import numpy
import pytest


def test_columns_are_arrays_with_units(falling):
    result = falling.run()
    assert result["body:ball.y"].dtype == numpy.float64
    assert result.unit("body:ball.vy") == "m/s"
    assert len(result) == len(result.time) == len(result["body:ball.y"])
    assert "body:ball.x" in result
    assert numpy.array_equal(result.group("body:ball")["vy"], result["body:ball.vy"])
    with pytest.raises(carom.ResultError, match="body:ball.vx"):
        result["body:ball.vv"]


def test_events_and_contacts_are_structured(bouncing):
    result = bouncing.run()
    touches = result.events("contact:bounce")
    touches = touches[touches["kind"] == "touch"]
    # It falls 0.4 m.
    assert touches["time"][0] == pytest.approx((2 * 0.4 / 9.81) ** 0.5, abs=1e-9)
    assert touches["approach_speed"][0] == pytest.approx((2 * 9.81 * 0.4) ** 0.5, rel=1e-8)
    assert list(result.contacts["contact"]) == ["contact:bounce"]
    assert len(falling_free().run().events()) == 0


def falling_free():
    model = carom.Model("Free", plane="xy")
    model.body("ball", mass=1, inertia=1)
    model.solver(end=0.1)
    return model


def test_forces_of_contacts_are_those_of_the_events(bouncing):
    result = bouncing.run()
    ended = result.events()
    ended = ended[ended["kind"] == "contact"]
    assert numpy.array_equal(result.forces()["peak_force"][: len(ended)], ended["peak_force"])


def test_forces_behind_impulses_have_the_impulse(bouncing):
    bouncing.solver(method="nonsmooth", step="1 ms")
    bouncing.output(every="1 ms")
    result = bouncing.run()
    forces, pulse = result.forces(), result.pulse()
    assert forces["impulse"][0] == pytest.approx(1.8 * (2 * 9.81 * 0.4) ** 0.5, rel=2e-2)
    hardest = forces[numpy.nanargmax(forces["peak_force"])]
    area = numpy.trapz(pulse["force"], pulse["time"])
    assert area == pytest.approx(hardest["impulse"], rel=1e-2)
    assert pulse["force"].max() == pytest.approx(hardest["peak_force"], rel=1e-3)


def test_life_counts_cycles(oscillator):
    result = oscillator.run(parameters={"stiffness": "400 N/m"})
    life = result.life("body:mass.x", woehler=(0.2, 1e6, 3))
    # x = 0.1 cos(20 t) over a second: 3.18 cycles of the range 0.2.
    assert life.damage == pytest.approx(3.18e-6, rel=0.2)
    assert life.cycles["range"].max() == pytest.approx(0.2, rel=1e-4)
    with pytest.raises(ValueError):
        result.life("body:mass.x", woehler=(1, 2))


def test_spectra_find_the_frequency(oscillator):
    oscillator.solver(end=20)
    oscillator.output(every=0.002)
    result = oscillator.run()
    spectrum = result.spectrum("body:mass.x", peaks=1)
    assert spectrum.peak_frequency[0] == pytest.approx(10 / (2 * numpy.pi), rel=1e-4)
    assert spectrum.peak_amplitude[0] == pytest.approx(0.1, rel=1e-3)
    kind = result.motion("body:mass.x", period=2 * numpy.pi / 10)
    assert kind.kind == "periodic" and kind.period == 1
    points = result.poincare("body:mass.x", "body:mass.vx", crossing=("body:mass.x", 0.0))
    assert numpy.allclose(points.y, 1.0, atol=1e-2)
    with pytest.raises(ValueError):
        result.poincare("body:mass.x")


def test_the_exponent_of_a_regular_motion_is_zero(oscillator):
    exponent, error = carom.lyapunov(oscillator, interval=0.5, start=0, end=20)
    assert abs(exponent) < 0.05


def test_pictures_are_drawn(tmp_path, bouncing):
    result = bouncing.run()
    assert result.plot("body:ball.y").svg.startswith("<?xml")
    result.plot("body:ball.y", file=tmp_path / "ball.png")
    assert (tmp_path / "ball.png").read_bytes().startswith(b"\x89PNG")
    page = result._repr_html_()
    assert "largest contact force" in page and page.count("data:image/svg+xml") == 2
    assert "http" not in page
    result.report(tmp_path / "page.html")
    assert "Bounce" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(carom.ResultError):
        result.plot("body:nobody.y")


def test_tables_for_pandas(falling):
    pandas = pytest.importorskip("pandas")
    frame = falling.run().to_pandas(["body:ball.y"])
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time"


def test_a_result_outlives_its_run_and_goes_with_its_last_reference(falling):
    result = falling.run()
    file, column = result.file, result["body:ball.y"]
    assert file.exists()
    del result
    assert not file.exists()
    assert column[-1] == pytest.approx(-5)


def test_files_that_are_no_results_are_refused(tmp_path):
    (tmp_path / "no.h5").write_bytes(b"nothing")
    with pytest.raises(carom.ResultError):
        carom.open_result(tmp_path / "no.h5")


def bytes_read():
    with open("/proc/self/io") as counts:
        return int(next(line for line in counts if line.startswith("rchar")).split()[1])


def test_a_column_is_read_without_the_rest(tmp_path):
    model = carom.Model("Many", plane="xy", gravity=[0, -1])
    for k in range(40):
        model.body(f"b{k}", mass=1, inertia=1, position=[k, 0])
    model.solver(end=10)
    model.output(every="1 ms")
    file = tmp_path / "many.h5"
    model.run(file)
    result, before = carom.open_result(file), bytes_read()
    column = result["body:b7.y"]
    # A group lies together: nine quantities of a body. The file has forty of them.
    read = bytes_read() - before
    assert len(column) == 10_001
    assert read < 9.5 * column.nbytes and file.stat().st_size > 35 * 9 * column.nbytes


def test_columns_of_runs_that_are_gone_stay(bouncing):
    columns = [bouncing.run()["body:ball.y"] for _ in range(3)]
    assert all(numpy.array_equal(columns[0], each) for each in columns[1:])
