"""Motions that are carried on piece by piece."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _carom
from .model import Model


class Simulation:
    """The motion of a model, carried on piece by piece. Between the pieces it can be read, changed, kept and taken back.

    >>> import carom
    >>> model = carom.Model("Fall", plane="xy", gravity=[0, -10])
    >>> ball = model.body("ball", mass=1, inertia=1)
    >>> solver = model.solver(end=1)
    >>> simulation = carom.Simulation(model)
    >>> before = simulation.snapshot()
    >>> simulation.advance(0.5)
    True
    >>> round(simulation["body:ball.vy"], 9)
    -5.0
    >>> simulation.restore(before); simulation.time
    0.0
    """

    def __init__(self, model: Model, progress: Callable[[float, float, float, int], None] | None = None) -> None:
        self._core = _carom.Simulation(model._core(), progress)

    @property
    def time(self) -> float:
        """s, reached.

        >>> simulation.time
        0.0
        """
        return self._core.time

    @property
    def steps(self) -> int:
        """Of the integrator, so far.

        >>> simulation.steps
        0
        """
        return self._core.steps

    def step(self) -> bool:
        """One step of the integrator, as a run would take it. False: the end of the model has been reached.

        >>> while simulation.step():
        ...     pass
        >>> simulation.time
        1.0
        """
        return self._core.step()

    def advance(self, duration: float) -> bool:
        """On by so much time, s. False: the end of the model has been reached.

        >>> simulation.advance(0.25)
        True
        """
        return self._core.advance(duration)

    def advance_to(self, time: float) -> bool:
        """On to an instant, s, that lies ahead. False: the end of the model has been reached.

        >>> simulation.advance_to(0.25)
        True
        >>> simulation.time
        0.25
        """
        return self._core.advance_to(time)

    def __getitem__(self, quantity: str) -> float:
        """Any quantity that a result can hold, now: ``simulation["joint:pin.fx"]``."""
        return self._core.value(quantity)

    def __setitem__(self, quantity: str, value: float) -> None:
        """A position or velocity of a body; it is put on the constraints."""
        self._core.set({quantity: float(value)})

    def set(self, values: Mapping[str, float]) -> None:
        """Several positions and velocities at once; they are put on the constraints.

        >>> simulation.set({"body:ball.vx": 2, "body:ball.y": 1.5})
        >>> simulation["body:ball.vx"], simulation["body:ball.y"]
        (2.0, 1.5)
        """
        self._core.set({name: float(value) for name, value in values.items()})

    @property
    def quantities(self) -> list[str]:
        """The names of everything that can be asked for.

        >>> simulation.quantities[:2]
        ['body:ball.x', 'body:ball.y']
        """
        return [each.name for each in self._core.quantities()]

    @property
    def contacts(self) -> list[_carom.ContactReport]:
        """Every joint with clearance and every pair, and what goes on there now.

        >>> simulation.contacts
        [<contact:bounce: open, 0 points>]
        """
        return self._core.contacts()

    def events(self) -> list[_carom.SimulationEvent]:
        """What happened since the last call.

        >>> simulation.advance_to(0.43)
        True
        >>> simulation.events()
        [<touch of contact:bounce at 0.428353 s>]
        """
        return self._core.events()

    def warnings(self) -> list[str]:
        """What a user should know; since the last call.

        >>> simulation.warnings()
        []
        """
        return self._core.warnings()

    @property
    def positions(self) -> NDArray[numpy.float64]:
        """Generalised positions: x, y, angle of each mass centre in the plane; x, y, z and the quaternion in space.

        >>> simulation.positions
        array([0., 1., 0.])
        """
        return self._core.positions()

    @property
    def velocities(self) -> NDArray[numpy.float64]:
        """Generalised velocities: vx, vy, omega; in space the angular velocity in the axes of the body.

        >>> simulation.velocities
        array([0., 0., 0.])
        """
        return self._core.velocities()

    def set_state(self, positions: ArrayLike, velocities: ArrayLike) -> None:
        """All positions and velocities at once; they are put on the constraints.

        >>> simulation.set_state([0, 2, 0], [1, 0, 0])
        >>> simulation["body:ball.y"]
        2.0
        """
        q, v = (numpy.asarray(each, dtype=float) for each in (positions, velocities))
        if q.ndim != 1 or v.ndim != 1:
            raise ValueError(f"positions and velocities are arrays of one dimension, not {q.ndim} and {v.ndim}")
        self._core.set_state(q, v)

    def set_parameter(self, name: str, value: Any) -> None:
        """A parameter that only force elements depend on, such as the torque of a motor; a number is in SI.

        >>> parameters = model.parameters(push="0 N")
        >>> force = model.force("push", type="force", body="ball", force=["=push", 0])
        >>> simulation = carom.Simulation(model)
        >>> simulation.set_parameter("push", "3 N")
        >>> simulation.advance(0.1) and round(simulation["body:ball.vx"], 9)
        0.3
        """
        self._core.set_parameter(name, value)

    def parameter(self, name: str) -> float:
        """A parameter of the model, in SI.

        >>> parameters = model.parameters(speed="60 rpm")
        >>> round(carom.Simulation(model).parameter("speed"), 4)
        6.2832
        """
        return self._core.parameter(name)

    def snapshot(self) -> _carom.Snapshot:
        """Something to go back to: going on from here and from there gives the same bytes.

        >>> kept = simulation.snapshot()
        """
        return self._core.snapshot()

    def restore(self, snapshot: _carom.Snapshot) -> None:
        """Back to a snapshot of this simulation, or of another one of the same model.

        >>> kept = simulation.snapshot()
        >>> simulation.advance(0.1)
        True
        >>> simulation.restore(kept)
        >>> simulation.time
        0.0
        """
        self._core.restore(snapshot)

    def __repr__(self) -> str:
        return f"<carom.Simulation at {self.time:g} s>"
