"""Many runs of a model, in threads."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

import numpy
from numpy.typing import NDArray

from . import _carom, _toml
from .model import Model

PathLike = str | os.PathLike[str]


class StudyTable:
    """The result of a study: a row a run, columns as arrays. Shows itself in notebooks.

    >>> parameters = model.parameters(height="1 m")
    >>> ball = model.body("ball", position=[0, "=height"])
    >>> table = carom.study(model, vary={"height": [1, 2]}, quantities={"force": ("contact:bounce.normal_force", "peak")})
    >>> len(table), list(table["height"])
    (2, [1.0, 2.0])
    """

    def __init__(self, shown: Mapping[str, Any]) -> None:
        self._columns = {name: numpy.asarray(values) for name, values in shown["columns"].items()}
        #: Units of the columns, SI.
        self.units: dict[str, str] = dict(shown["units"])
        self._lists = shown["lists"]

    @property
    def columns(self) -> list[str]:
        """Names of the columns: run, model, method, what was varied, what was asked for, statistics, status, reason.

        >>> "status" in table.columns
        True
        """
        return list(self._columns)

    def __getitem__(self, column: str) -> NDArray[Any]:
        if column in self._columns:
            return self._columns[column]
        raise KeyError(f"there is no column `{column}`; there are {', '.join(self._columns)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of runs."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def values(self, quantity: str, run: int) -> NDArray[numpy.float64]:
        """The list of one run, counted from 0, of a quantity that is a list, such as a trace.

        >>> table = carom.study(model, vary={}, quantities={"y": {"of": "body:ball.y", "reduce": "trace", "every": 100}})
        >>> len(table.values("y", 0))
        11
        """
        rows, values = self._lists[quantity]
        of_run: NDArray[numpy.float64] = values[rows == run]
        return of_run

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame, where pandas is installed.

        >>> try:
        ...     frame = table.to_pandas()
        ... except ImportError:
        ...     pass
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: install the package python3-pandas") from error
        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<carom.StudyTable: {len(self)} runs of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in self._columns)
        rows = "".join("<tr>" + "".join(f"<td>{self._columns[name][k]}</td>" for name in self._columns) + "</tr>"
                       for k in range(min(len(self), 20)))
        more = f"<p>… {len(self)} runs</p>" if len(self) > 20 else ""
        return f"<table><tr>{head}</tr>{rows}</table>{more}"


def _varied(parameter: str, said: Any) -> dict[str, Any]:
    """One [[vary]]: a list of values, or a dict with values, range or distribution."""
    if isinstance(said, Mapping):
        keys = {"from" if key == "start" else key: value for key, value in said.items()}
        if "type" in keys:
            return {"parameter": parameter, "distribution": keys}
        return {"parameter": parameter, "range": keys} if "from" in keys else {"parameter": parameter, **keys}
    return {"parameter": parameter, "values": list(said)}


def _asked(name: str, said: Any) -> dict[str, Any]:
    """One [[quantity]]: (quantity, reduction), an expression, or a dict of its keys."""
    if isinstance(said, str):
        return {"name": name, "value": said if said.startswith("=") else "=" + said}
    if isinstance(said, Mapping):
        return {"name": name, **said}
    of, reduce = said
    return {"name": name, "of": of, "reduce": reduce}


def study(
    model: Model | Sequence[Model],
    vary: Mapping[str, Any],
    quantities: Mapping[str, Any],
    *,
    file: PathLike | None = None,
    workers: int = 0,
    progress: Callable[[float, float, float, int], None] | None = None,
    fresh: bool = False,
    steady: Mapping[str, Any] | None = None,
    **keys: Any,
) -> StudyTable:
    """Runs a model for many values of its parameters, on all cores, with the interpreter lock released.

    vary        {"speed": [100, 200], "clearance": {"start": "0.01 mm", "to": "0.1 mm", "count": 10}} or a distribution:
                {"type": "normal", "mean": 1, "deviation": 0.1}
    quantities  {"peak": ("joint:pin.normal_force", "peak"), "ratio": "=peak/speed"}; carom.reductions() lists the ways
    file        the table to keep; the same study goes on where it was stopped
    workers     threads; 0: as many as there are cores
    keys        of [study]: sampling, samples, seed, method, keep, name

    >>> import carom
    >>> model = carom.Model("Fall", plane="xy", gravity=[0, "=-g"])
    >>> parameters = model.parameters(g="9.81 m/s^2")
    >>> ball = model.body("ball", mass=1, inertia=1)
    >>> solver = model.solver(end=1)
    >>> table = carom.study(model, vary={"g": [5, 10]}, quantities={"v": ("body:ball.vy", "final")})
    >>> [round(float(v), 6) for v in table["v"]]
    [-5.0, -10.0]
    """
    models = [model] if isinstance(model, Model) else list(model)
    with tempfile.TemporaryDirectory(prefix="carom-") as scratch:
        names = [_model_file(each, Path(scratch) / f"model{k + 1}.toml") for k, each in enumerate(models)]
        tree: dict[str, Any] = {"study": {"model": names if len(names) > 1 else names[0], **keys}}
        tree["vary"] = [_varied(parameter, said) for parameter, said in vary.items()]
        if steady:
            tree["steady"] = dict(steady)
        tree["quantity"] = [_asked(name, said) for name, said in quantities.items()]
        study_file = Path(scratch) / "study.toml"
        study_file.write_text(_toml.tables_text(tree), encoding="utf-8")
        output = Path(scratch) / "table.h5" if file is None else Path(file)
        return StudyTable(_carom.run_study(study_file, output, workers, fresh, progress))


def _model_file(model: Model, scratch: Path) -> str:
    """Where the model lies: its own file where it is unchanged, else a copy, with the files that it names beside it."""
    if model.file is not None and not model._changed:
        return str(model.file.resolve())
    text = model.text()
    folder = model._folder.resolve()
    scratch.write_text(text, encoding="utf-8")
    for each in folder.iterdir() if model.file is not None else ():
        target = scratch.parent / each.name
        if not target.exists():
            target.symlink_to(each)
    return str(scratch)


def open_study(file: PathLike) -> StudyTable:
    """Opens the table of a study (HDF5).

    >>> carom.open_study("missing.h5")
    Traceback (most recent call last):
    ...
    carom.ResultError: ...
    """
    return StudyTable(_carom.read_table(Path(file)))


def reductions() -> dict[str, str]:
    """The ways to make a number or a list of a run, with what they mean.

    >>> import carom
    >>> "peak" in carom.reductions()
    True
    """
    return _carom.reductions()
