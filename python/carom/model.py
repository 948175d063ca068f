"""Models: from files, or built with keywords; what they may say comes from the catalogues."""

from __future__ import annotations

import copy
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from . import _carom, _toml
from ._sections import add_methods, nested_of
from .result import Result

if TYPE_CHECKING:
    # What the catalogues make of sections: tools/write_stubs.
    from ._keywords import GroundSection, Keywords
else:
    Keywords = object

PathLike = str | os.PathLike[str]


class Section:
    """A section of a model, such as a body. Keys are set by calling it or by item, and read and deleted by item.

    >>> import carom
    >>> rod = carom.Model().body("rod", mass="1 kg")
    >>> rod(inertia=0.1)["inertia"]
    0.1
    """

    def __init__(self, model: Model, table: dict[str, Any], path: str) -> None:
        self._model, self._table, self._path = model, table, path

    def __call__(self, **keys: Any) -> Section:
        """Sets keys and returns the section."""
        for key, value in keys.items():
            self[key] = value
        return self

    def __setitem__(self, key: str, value: Any) -> None:
        _toml.value_text(value, f"{self._path}.{key}")  # what cannot stand in a model is refused here
        self._table[key] = copy.deepcopy(value)
        self._model._changed = True

    def __getitem__(self, key: str) -> Any:
        return self._table[key]

    def __delitem__(self, key: str) -> None:
        del self._table[key]
        self._model._changed = True

    def __contains__(self, key: object) -> bool:
        return key in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Section]:
            """A section inside this one: ``body.geometry(shape="sphere")``, ``joint.clearance(diametric="0.1 mm")``."""
            known = nested_of(self._path.split(".", 1)[0])
            if name not in known:
                raise AttributeError(f"a section {self._path} has no section `{name}` inside it; it may have: {', '.join(known) or 'none'}")
            return lambda **keys: self._inner(name, known[name])(**keys)

    def sections(self, name: str) -> list[Section]:
        """The sections of that name inside this one, to be changed.

        >>> import carom
        >>> ball = carom.Model().body("ball")
        >>> ball.geometry(shape="sphere", radius=1) and ball.sections("geometry")[0]["radius"]
        1
        """
        inner = self._table.get(name, [])
        entries = inner if isinstance(inner, list) else [inner]
        return [Section(self._model, each, f"{self._path}.{name}") for each in entries]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *nested_of(self._path.split(".", 1)[0])]

    def _inner(self, name: str, is_list: bool) -> Section:
        if not is_list:
            return Section(self._model, self._table.setdefault(name, {}), f"{self._path}.{name}")
        entry: dict[str, Any] = {}
        self._table.setdefault(name, []).append(entry)
        return Section(self._model, entry, f"{self._path}.{name}")

    def __repr__(self) -> str:
        return f"<carom.Section {self._path}>"


class Model(Keywords):
    """A model of a machine, built here key by key, loaded from a file, or both.

    Every section of the model file is a method: ``model.body("rod", mass="1 kg")`` makes a body or changes the one of
    that name; ``model.solver(end=1)`` sets keys of the one solver. ``help(carom.Model.joint)`` lists the types of joints
    with their keys and units. Numbers are in SI, texts may have units or be expressions: ``"=2*pi/speed"``.

    Nothing is checked before it is asked for: ``check()``, ``run()`` and ``Simulation(model)`` report every problem.

    >>> import carom
    >>> model = carom.Model("Pendulum", plane="xy", gravity=[0, -9.81])
    >>> rod = model.body("rod", mass="1 kg", inertia="0.1 kg m^2", position=[0.5, 0])
    >>> pivot = model.joint("pivot", type="revolute", bodies=["ground", "rod"], at=[0, 0])
    >>> model.solver(end="2 s")
    <carom.Section solver>
    >>> model.check().degrees_of_freedom
    1
    """

    def __init__(self, name: str | None = None, **keys: Any) -> None:
        self._tree: dict[str, Any] = {}
        self._file: Path | None = None
        self._folder = Path()
        self._changed = True
        if name is not None:
            keys = {"name": name, **keys}
        if keys:
            Section(self, self._table("model"), "model")(**keys)

    @classmethod
    def from_text(cls, text: str, folder: PathLike = "") -> Model:
        """The text of a model file; relative names of files in it start in the folder.

        >>> import carom
        >>> carom.Model.from_text("[model]\\nplane = 'xy'").text().splitlines()[1]
        '[model]'
        """
        model = cls()
        try:
            model._tree = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            # The reader of models says where and why.
            problems = _carom.validate(_carom.ModelText.from_text(text, Path(folder)))
            raise input_error_of(problems) from None
        model._folder = Path(folder)
        return model

    def text(self) -> str:
        """The text of a model file that says what was set here.

        >>> model.text().splitlines()[:2]
        ['', '[model]']
        """
        if not self._changed and self._file:
            return self._file.read_text(encoding="utf-8")
        return _toml.tables_text(self._tree)

    def copy(self) -> Model:
        """A model of its own with the same content.

        >>> other = model.copy()
        >>> other.solver(end=2)["end"], model.solver()["end"]
        (2, 1)
        """
        other = Model()
        other._tree = copy.deepcopy(self._tree)
        other._file, other._folder, other._changed = self._file, self._folder, self._changed
        return other

    def save(self, file: PathLike) -> None:
        """Writes the text to a file, which must not exist yet.

        >>> model.save("bounce.toml")
        >>> carom.load("bounce.toml") == model
        True
        """
        with Path(file).open("x", encoding="utf-8") as out:  # never a number, which would be a file that is open already
            out.write(self.text())

    @property
    def file(self) -> Path | None:
        """The file that the model was loaded from; None: it was built here.

        >>> model.file is None
        True
        """
        return self._file

    @property
    def ground(self) -> GroundSection:
        """The ground, which has markers and shapes.

        >>> import carom
        >>> carom.Model().ground.geometry(shape="plane")
        <carom.Section ground.geometry>
        """
        return Section(self, self._table("ground"), "ground")  # type: ignore[return-value]

    def validate(self) -> list[_carom.Problem]:
        """Every problem and warning of the model; empty when all is well.

        >>> import carom
        >>> "model.plain" in [problem.key for problem in carom.Model(plain="xy").validate()]
        True
        """
        return _carom.validate(self._core())

    def check(self) -> _carom.Structure:
        """Validates and assembles the model: degrees of freedom, constraints, redundancy. Raises InputError.

        >>> model.check()
        <carom.Structure: 3 degrees of freedom, 0 constraint rows>
        """
        return _carom.check(self._core())

    def run(
        self,
        file: PathLike | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        progress: Callable[[float, float, float, int], None] | None = None,
        replace: bool = False,
    ) -> Result:
        """Runs the analysis that the model asks for.

        file        where to keep the result; without it, it goes with the last reference to it
        parameters  values for this run alone: ``parameters={"speed": "5000 rpm"}``
        progress    called a few times a second with time, start and end (s) and the number of steps
        replace     an existing result file may be replaced

        Raises InputError with all problems; ComputationError, whose ``result`` holds what was computed, where the motion
        cannot be carried on; KeyboardInterrupt at Ctrl-C, or what `progress` raises, with the same attribute.

        >>> model.run("bounce.h5")
        <carom.Result 'A ball on a table': complete, 1001 samples to 1 s>
        """
        model = self
        if parameters:
            model = self.copy()
            model.parameters(**parameters)
        if file is not None and Path(file).exists() and not replace:
            raise FileExistsError(f"{os.fspath(file)} exists already; give another name, or replace=True")
        try:
            return Result(_carom.simulate(model._core(), None if file is None else Path(file), progress))
        except BaseException as error:
            if isinstance(getattr(error, "result", None), _carom.ResultFile):
                error.result = Result(error.result)  # type: ignore[attr-defined]
            raise

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.text() == other.text()

    def __repr__(self) -> str:
        name = self._tree.get("model", {}).get("name", "")
        return f"<carom.Model {name!r}: {len(self._tree.get('body', []))} bodies>"

    def __dir__(self) -> list[str]:
        return sorted(super().__dir__())

    def _core(self) -> _carom.ModelText:
        if self._file and not self._changed:
            return _carom.ModelText.load(self._file)
        return _carom.ModelText.from_text(self.text(), self._folder)

    def _table(self, name: str) -> dict[str, Any]:
        table: dict[str, Any] = self._tree.setdefault(name, {})
        return table

    def _entry(self, section: str, name: str) -> dict[str, Any]:
        entries: list[dict[str, Any]] = self._tree.setdefault(section, [])
        for entry in entries:
            if entry.get("name") == name:
                return entry
        entries.append({"name": name})
        self._changed = True
        return entries[-1]


def load(file: PathLike) -> Model:
    """A model file. What is set afterwards changes this model, never the file.

    >>> import carom
    >>> carom.load("missing.toml")
    Traceback (most recent call last):
    ...
    carom.InputError: missing.toml: error: found no such file; expected a file that can be read
    """
    path = Path(file)
    model = Model()
    model._file, model._folder, model._changed = path, path.parent, False
    try:
        model._tree = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise input_error_of(_carom.validate(_carom.ModelText.load(path))) from None
    return model


def input_error_of(problems: list[_carom.Problem]) -> _carom.InputError:
    """The exception that carries these problems."""
    error = _carom.InputError("\n".join(str(each) for each in problems))
    error.problems = problems
    return error


add_methods(Model, Section)
