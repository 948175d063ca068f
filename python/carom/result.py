"""Results: columns as arrays, events as structured arrays, forces, life, wear, pictures."""

from __future__ import annotations

import html
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy
from numpy.typing import NDArray

from . import _carom
from .motion import MotionKind, Poincare, Spectrum, classify, poincare_map

Array = NDArray[numpy.float64]
PathLike = str | os.PathLike[str]


def structured(table: Mapping[str, Any]) -> NDArray[Any]:
    """Columns as one structured array; texts become fixed-width strings."""
    columns = {name: numpy.asarray(values) for name, values in table.items()}
    columns = {name: values.astype("U1") if values.size == 0 and not values.dtype.names and isinstance(table[name], list) else values
               for name, values in columns.items()}
    count = len(next(iter(columns.values()))) if columns else 0
    rows = numpy.empty(count, dtype=[(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        rows[name] = values
    return rows


def _names(contacts: str | Sequence[str] | None) -> list[str]:
    return [] if contacts is None else [contacts] if isinstance(contacts, str) else list(contacts)


@dataclass(frozen=True)
class Life:
    """Counted load cycles and what they mean for a bearing or a material; what was not asked for is None.

    >>> life = result.life("contact:bounce.normal_force", woehler=(1000, 1e6, 3))
    >>> life.unit, life.L10h is None, life.damage > 0
    ('N', True, True)
    """

    quantity: str
    unit: str
    cycles: NDArray[Any] = field(repr=False)  #: range, mean and count of each, by the rainflow method
    equivalent: float = 0.0  #: constant load with the same effect, in the unit
    exponent: float = 3.0
    rating: float | None = None  #: N, dynamic
    L10: float | None = None  #: revolutions
    Lnm: float | None = None  #: revolutions, modified
    speed: float | None = None  #: rad/s, mean
    L10h: float | None = None  #: h
    L10_from_stresses: float | None = None  #: revolutions, by Lundberg and Palmgren
    damage: float | None = None  #: of one run, by Palmgren and Miner


@dataclass(frozen=True)
class Wear:
    """Wear of one contact by Archard's law; what the model does not tell is NaN.

    >>> (wear,) = result.wear()
    >>> wear.contact, wear.missing != ""
    ('contact:bounce', True)
    """

    contact: str
    force_distance: float  #: N m
    materials: tuple[str, str]
    missing: str  #: what the model lacks for volumes; empty: nothing
    volumes: tuple[float, float]  #: m³
    bearing_depth: float  #: m
    journal_depth: float  #: m
    bearing_angle: float  #: rad
    mean_growth: float  #: m


class Result:
    """The samples of a run.

    >>> import carom
    >>> model = carom.Model("Fall", plane="xy", gravity=[0, -10])
    >>> ball = model.body("ball", mass=1, inertia=1)
    >>> solver = model.solver(end=1)
    >>> result = model.run()
    >>> bool(abs(result["body:ball.y"][-1] + 5) < 1e-9)
    True
    >>> result.unit("body:ball.vy")
    'm/s'
    """

    def __init__(self, file: _carom.ResultFile | PathLike) -> None:
        self._core = file if isinstance(file, _carom.ResultFile) else _carom.ResultFile(Path(file))
        self._times: Array | None = None

    @property
    def file(self) -> Path:
        """The result file; of a run without one, a temporary file that goes with the last reference to the result.

        >>> result.file.suffix
        '.h5'
        """
        return Path(self._core.file)

    @property
    def summary(self) -> _carom.Summary:
        """What happened in the run: status, steps, energies, the largest contact force, warnings.

        >>> result.summary.status
        'complete'
        """
        return self._core.summary

    @property
    def statistics(self) -> dict[str, Any]:
        """Everything that the run has reported of itself, as the result file keeps it; matrices of a linear analysis among it.

        >>> "steps" in str(result.statistics)
        True
        """
        text = self._core.statistics()
        said: dict[str, Any] = json.loads(text) if text else {}
        return said

    @property
    def time(self) -> Array:
        """Times of the samples, s.

        >>> float(result.time[-1])
        1.0
        """
        if self._times is None:
            self._times = self._core.times()
        return self._times

    @property
    def quantities(self) -> list[str]:
        """The names of everything that was recorded.

        >>> result.quantities[:2]
        ['body:ball.x', 'body:ball.y']
        """
        return [each.name for each in self._core.quantities]

    def describe(self) -> list[_carom.Quantity]:
        """Name, unit and meaning of everything that was recorded.

        >>> result.describe()[1].unit
        'm'
        """
        return list(self._core.quantities)

    def __getitem__(self, quantity: str) -> Array:
        """The samples of one quantity, such as ``result["joint:pin.fx"]``; only its group is read from the file."""
        return self._core.column(quantity)

    def __contains__(self, quantity: object) -> bool:
        return quantity in self.quantities

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def __len__(self) -> int:
        """The number of samples."""
        return self._core.sample_count

    def group(self, name: str) -> NDArray[Any]:
        """All quantities of a body, joint or contact as a structured array, read at once.

        >>> ball = result.group("body:ball")
        >>> bool((ball["y"] == result["body:ball.y"]).all())
        True
        """
        rows = self._core.group(name)
        names = [each.split(".", name.count(".") + 1)[-1] for each in self.quantities if each.startswith(name + ".")]
        dtype = numpy.dtype([(each, numpy.float64) for each in names])
        return rows.view(dtype).reshape(len(rows)) if len(rows) else numpy.empty(0, dtype)

    def unit(self, quantity: str) -> str:
        """The unit of a quantity; empty: it has none.

        >>> result.unit("body:ball.vy")
        'm/s'
        """
        return self._core.unit(quantity)

    @property
    def model_text(self) -> str:
        """The model as it was run.

        >>> carom.Model.from_text(result.model_text).check().degrees_of_freedom
        3
        """
        return self._core.model_text()

    def events(self, contact: str = "") -> NDArray[Any]:
        """Contacts and impacts by time, as a structured array: time, kind, contact, begin, approach_speed,
        separation_speed, impulse, peak_force, duration, penetration. A name or pattern takes some: ``"joint:*"``.
        What a kind does not tell is NaN.

        >>> touches = result.events("contact:bounce")
        >>> touches[touches["kind"] == "touch"]["approach_speed"].round(3)
        array([4.202])
        """
        return structured(self._core.events(contact))

    @property
    def contacts(self) -> NDArray[Any]:
        """Every joint with clearance and every pair: events, peak_force, impulses, largest_penetration.

        >>> result.contacts["events"]
        array([1.])
        """
        return structured(self._core.contacts())

    def to_pandas(self, quantities: Sequence[str] | None = None) -> Any:
        """The samples as a pandas DataFrame over time; all quantities, or those that are named.

        >>> try:
        ...     frame = result.to_pandas(["body:ball.y"])
        ... except ImportError:
        ...     pass
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: install the package python3-pandas") from error
        names = self.quantities if quantities is None else list(quantities)
        return pandas.DataFrame({name: self[name] for name in names}, index=pandas.Index(self.time, name="time"))

    # ------------------------------------------------------------------------------------------- what follows

    def forces(self, contacts: str | Sequence[str] | None = None, *, law: str = "", profile: str = "exact") -> NDArray[Any]:
        """Forces and Hertz stresses behind every impact, or of every contact of the compliant method.

        A structured array: time, contact, impulse, impact_speed, effective_mass, restitution, peak_force, duration,
        penetration, dissipated, max_pressure, half axes, max_shear and its depth, …; `unknown` says why a force is NaN.
        `law` takes another contact law than that of the model, `profile="cubic"` two cubics for the velocity.

        >>> forces = result.forces()
        >>> bool(forces["peak_force"].max() == result.summary.peak_force)
        True
        """
        if profile not in ("exact", "cubic"):
            raise ValueError(f"profile: found {profile!r}; expected 'exact' or 'cubic'")
        return structured(_carom.forces(self.file, _names(contacts), law, profile == "cubic"))

    def pulse(self, contacts: str | Sequence[str] | None = None, samples: int = 200) -> NDArray[Any]:
        """The hardest impact over time: time, penetration, rate, force. Of runs by the nonsmooth method.

        >>> solver = model.solver(method="nonsmooth", step="1 ms")
        >>> pulse = model.run().pulse(samples=50)
        >>> len(pulse), pulse["force"].max() > 1000
        (50, True)
        """
        if samples < 2:
            raise ValueError(f"samples: found {samples}; expected 2 or more")
        return structured(_carom.pulse(self.file, _names(contacts), samples))

    def split_impulses(self, contacts: str | Sequence[str] | None = None, parts: int = 2) -> dict[str, NDArray[Any]]:
        """Impulses of every step and contact, split into what closed contact transmits and what impacts add. Of runs by the
        nonsmooth method.

        >>> solver = model.solver(method="nonsmooth", step="1 ms")
        >>> output = model.output(every="1 ms")
        >>> list(model.run().split_impulses())
        ['contact:bounce']
        """
        if parts not in (2, 3):
            raise ValueError(f"parts: found {parts}; expected 2 or 3")
        tables = _carom.split_impulses(self.file, _names(contacts), parts == 3)
        return {table.pop("contact"): structured(table) for table in tables}

    def wear(self, contacts: str | Sequence[str] | None = None, *, cycles: float = 1, start: float = -1e300) -> list[Wear]:
        """Wear of every contact by Archard's law, for so many runs like this one.

        >>> [each.contact for each in result.wear(cycles=1e6)]
        ['contact:bounce']
        """
        return [Wear(**each) for each in _carom.wear(self.file, _names(contacts), cycles, start)]

    def life(
        self,
        load: str | Sequence[str],
        *,
        rating: float | None = None,
        speed: float | str | None = None,
        bearing: Mapping[str, float] | None = None,
        ball_loads: Sequence[str] = (),
        woehler: Sequence[float] | None = None,
        pressure: bool = False,
        roller: bool = False,
        reliability: float = 0.9,
        a_iso: float = 1.0,
        start: float | None = None,
        end: float | None = None,
    ) -> Life:
        """Counts the cycles of a load (several quantities: the length of their vector) and gives the life under them.

        rating    N, dynamic rating of a bearing; or `bearing` with balls, ball_diameter, pitch_diameter (m), contact_angle
        speed     rad/s, or the name of a recorded quantity
        woehler   (range, cycles, exponent[, limit]) of a material: damage
        pressure  count the largest Hertz pressure under the load instead of the load

        >>> result.life("contact:bounce.normal_force", rating=5000, speed=100).L10 > 0
        True
        """
        request = {
            "load": _names(load), "rating": rating, "bearing": None if bearing is None else dict(bearing), "ball_loads": list(ball_loads),
            "woehler": None if woehler is None else [float(each) for each in woehler], "pressure": pressure, "roller": roller,
            "reliability": reliability, "a_iso": a_iso, "from": start, "to": end,
            "speed": speed if isinstance(speed, (int, float)) else None, "speed_quantity": speed if isinstance(speed, str) else None,
        }
        found = _carom.life(self.file, request)
        found["cycles"] = structured(found["cycles"])
        return Life(**found)

    def spectrum(self, quantity: str, *, start: float = -numpy.inf, end: float = numpy.inf, peaks: int = 5) -> Spectrum:
        """Amplitudes over frequency, with the strongest lines.

        >>> len(result.spectrum("body:ball.y", peaks=3).peak_frequency) <= 3
        True
        """
        t, (y,) = self._part(start, end, quantity)
        return Spectrum(**_carom.spectrum(t, y, peaks))

    def poincare(
        self,
        x: str,
        y: str | None = None,
        *,
        period: float | None = None,
        crossing: tuple[str, float] | None = None,
        direction: str = "rising",
        event: str | None = None,
        start: float = -numpy.inf,
        end: float = numpy.inf,
    ) -> Poincare:
        """Points of a motion taken once a `period`, where a quantity crosses a level, or at the events of a contact.

        >>> points = result.poincare("body:ball.y", "body:ball.vy", crossing=("body:ball.vy", 0), direction="falling")
        >>> bool(points.y.max() < 0.1)
        True
        """
        t, (first, second) = self._part(start, end, x, y or x)
        instants = None
        if event is not None:
            instants = numpy.sort(self.events(event)["begin"])
        return poincare_map(t, first, second, period, self._crossing(crossing, start, end), direction, instants)

    def motion(self, quantity: str, *, period: float, start: float = -numpy.inf, end: float = numpy.inf, tolerance: float = 1e-3) -> MotionKind:
        """Whether the motion is periodic, quasi-periodic or chaotic, from points taken once a period.

        >>> guide = model.joint("guide", type="prismatic", bodies=["ground", "ball"], at=[0, 1], axis=[0, 1])
        >>> lift = model.motion("lift", joint="guide", position="=0.1*sin(20*t)")
        >>> solver = model.solver(end=20)
        >>> model.run().motion("body:ball.y", period=0.1 * numpy.pi).kind
        'periodic'
        """
        t, (y,) = self._part(start, end, quantity)
        return classify(poincare_map(t, y, y, period, None, "rising", None).x, float(numpy.ptp(y)), tolerance)

    def _part(self, start: float, end: float, *names: str) -> tuple[Array, list[Array]]:
        inside = (self.time >= start) & (self.time <= end)
        return self.time[inside], [self[name][inside] for name in names]

    def _crossing(self, crossing: tuple[str, float] | None, start: float, end: float) -> tuple[Array, float] | None:
        if crossing is None:
            return None
        _, (values,) = self._part(start, end, crossing[0])
        return values, float(crossing[1])

    # ------------------------------------------------------------------------------------------- pictures

    def plot(
        self,
        *quantities: str,
        x: str = "time",
        file: PathLike | None = None,
        start: float = -numpy.inf,
        end: float = numpy.inf,
        units: Sequence[str] = (),
        mechanism: bool = False,
        bode: bool = False,
        title: str = "",
        paper: bool = False,
        dpi: float = 144,
    ) -> Picture:
        """Draws quantities, patterns or expressions over time or over another one, as `carom plot` does; shows itself in
        notebooks, and writes a file (.svg, .png or .pdf) where one is named.

        >>> picture = result.plot("body:ball.y", file="ball.png")
        >>> picture.svg.startswith("<?xml")
        True
        """
        said = {
            "quantities": list(quantities), "x": x, "from": float(start), "to": float(end), "units": list(units),
            "mechanism": mechanism, "bode": bode, "title": title, "paper": paper, "dpi": float(dpi),
        }
        if file is not None:
            if Path(file).exists() and Path(file).suffix not in (".svg", ".png", ".pdf"):
                raise FileExistsError(f"{os.fspath(file)} is no picture and is not replaced")
            _carom.write_figure(self.file, said, Path(file))
        return Picture(_carom.figure_svg(self.file, said))

    def film(self, quantity: str = "", *, seconds: float = 8, file: PathLike | None = None) -> Picture:
        """The mechanism in motion with its contact forces, as a moving picture (SVG).

        >>> "animation" in result.film(seconds=4).svg
        True
        """
        picture = Picture(_carom.film(self.file, seconds, quantity))
        if file is not None:
            picture.save(file)
        return picture

    def report(self, file: PathLike, quantities: Sequence[str] = ()) -> Path:
        """Writes one page about the result: motion, answers, plots, contacts, energies, model.

        >>> result.report("bounce.html").name
        'bounce.html'
        """
        page = _carom.report(self.file, list(quantities))
        Path(file).write_text(page, encoding="utf-8")
        return Path(file)

    def draw(self, *quantities: str, axes: Any = None, **style: Any) -> Any:
        """Curves over time by Matplotlib, with names and units at the axes; returns the axes.

        >>> try:
        ...     axes = result.draw("body:ball.y", "body:ball.x", color="black")
        ... except ImportError:
        ...     pass
        """
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("draw needs Matplotlib: install the package python3-matplotlib; plot() needs nothing") from error
        axes = axes or pyplot.subplots()[1]
        for name in quantities:
            axes.plot(self.time, self[name], label=name, **style)
        units = {self.unit(name) for name in quantities}
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"[{units.pop()}]" if len(units) == 1 else "")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        summary = self.summary
        return f"<carom.Result {summary.model!r}: {summary.status}, {len(self)} samples to {summary.time:g} s>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the motion, the answers, the curves that tell most. Needs nothing but itself."""
        parts = [f"<h4>{html.escape(self.summary.model or 'Result')}</h4>", _answers(self)]
        drawings: list[Callable[[], Picture]] = [self.film, lambda: self.plot(*_telling(self))]
        for draw in drawings:
            try:
                parts.append(draw()._repr_html_())
            except _carom.Error as error:
                parts.append(f"<p>{html.escape(str(error))}</p>")
        return "<div>" + "".join(parts) + "</div>"


def _telling(result: Result) -> list[str]:
    """The quantities that a reader wants to see first: forces of the hardest contacts, signals, where bodies are, energies."""
    contacts = result.contacts
    hardest = [str(each) for each in contacts["contact"][numpy.argsort(-contacts["peak_force"])][:3]] if len(contacts) else []
    known = result.quantities
    signals = [name for name in known if re.fullmatch(r"signal:[^.]+\.value", name)][:4]
    bodies = list(dict.fromkeys(name.split(".")[0] for name in known if name.startswith("body:")))[:3]
    places = [f"{body}.{axis}" for body in bodies for axis in "xyz"]
    wanted = [*(f"{name}.normal_force" for name in hardest), *signals, *places, *(f"energy.{name}" for name in ("kinetic", "potential", "total"))]
    return [name for name in wanted if name in known]


def _answers(result: Result) -> str:
    summary = result.summary
    rows = [("status", summary.status + (f": {summary.reason}" if summary.reason else "")),
            ("time", f"{summary.time:g} s in {summary.steps} steps"),
            ("contacts", f"{summary.contacts}")]
    if summary.peak_force > 0:
        rows.append(("largest contact force", f"{summary.peak_force:.5g} N at {summary.peak_contact}"))
    if summary.largest_energy > 0:
        rows.append(("energy residual", f"{summary.largest_residual / summary.largest_energy:.2g} of the largest energy"))
    rows += [("warning", text) for text in summary.warnings]
    cells = "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{cells}</table>"


class Picture:
    """A picture in SVG that shows itself in notebooks.

    >>> result.plot("body:ball.y").save("height.svg")
    """

    def __init__(self, svg: str) -> None:
        #: The picture as a text.
        self.svg = svg

    def save(self, file: PathLike) -> None:
        """Writes the SVG; a file that is no SVG is not replaced.

        >>> result.film().save("bounce.svg")
        """
        if Path(file).exists() and Path(file).suffix != ".svg":
            raise FileExistsError(f"{os.fspath(file)} is no SVG and is not replaced")
        Path(file).write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        # In a frame of its own: names inside two pictures of a page must not meet.
        return f'<img style="max-width:100%" alt="" src="data:image/svg+xml;base64,{_base64(self.svg)}"/>'

    def __repr__(self) -> str:
        return f"<carom.Picture, {len(self.svg)} bytes of SVG>"


def _base64(text: str) -> str:
    import base64

    return base64.b64encode(text.encode("utf-8")).decode("ascii")


def open_result(file: PathLike) -> Result:
    """Opens a result file; an unfinished one shows what is there so far.

    >>> import carom
    >>> carom.open_result("missing.h5")
    Traceback (most recent call last):
    ...
    carom.ResultError: cannot read result file missing.h5: No such file or directory; check the name and the permissions
    """
    return Result(file)
