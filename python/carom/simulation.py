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
        """s"""
        return self._core.time

    @property
    def steps(self) -> int:
        """Of the integrator, so far."""
        return self._core.steps

    def step(self) -> bool:
        """One step of the integrator, as a run would take it. False: the end of the model has been reached."""
        return self._core.step()

    def advance(self, duration: float) -> bool:
        """On by so much time, s."""
        return self._core.advance(duration)

    def advance_to(self, time: float) -> bool:
        """On to an instant, s, that lies ahead."""
        return self._core.advance_to(time)

    def __getitem__(self, quantity: str) -> float:
        """Any quantity that a result can hold, now: ``simulation["joint:pin.fx"]``."""
        return self._core.value(quantity)

    def __setitem__(self, quantity: str, value: float) -> None:
        """A position or velocity of a body; it is put on the constraints."""
        self._core.set({quantity: float(value)})

    def set(self, values: Mapping[str, float]) -> None:
        """Several positions and velocities at once."""
        self._core.set({name: float(value) for name, value in values.items()})

    @property
    def quantities(self) -> list[str]:
        """The names of everything that can be asked for."""
        return [each.name for each in self._core.quantities()]

    @property
    def contacts(self) -> list[_carom.ContactReport]:
        """What touches now."""
        return self._core.contacts()

    def events(self) -> list[_carom.SimulationEvent]:
        """What happened since the last call."""
        return self._core.events()

    def warnings(self) -> list[str]:
        """What a user should know; since the last call."""
        return self._core.warnings()

    @property
    def positions(self) -> NDArray[numpy.float64]:
        """Generalised positions: x, y, angle of each mass centre in the plane; x, y, z and the quaternion in space."""
        return self._core.positions()

    @property
    def velocities(self) -> NDArray[numpy.float64]:
        """Generalised velocities: vx, vy, omega; in space the angular velocity in the axes of the body."""
        return self._core.velocities()

    def set_state(self, positions: ArrayLike, velocities: ArrayLike) -> None:
        """All at once; they are put on the constraints."""
        q, v = (numpy.asarray(each, dtype=float) for each in (positions, velocities))
        if q.ndim != 1 or v.ndim != 1:
            raise ValueError(f"positions and velocities are arrays of one dimension, not {q.ndim} and {v.ndim}")
        self._core.set_state(q, v)

    def set_parameter(self, name: str, value: Any) -> None:
        """A parameter that only force elements depend on, such as the torque of a motor; a number is in SI."""
        self._core.set_parameter(name, value)

    def parameter(self, name: str) -> float:
        """A parameter of the model, in SI."""
        return self._core.parameter(name)

    def snapshot(self) -> _carom.Snapshot:
        """Something to go back to: going on from here and from there gives the same bytes."""
        return self._core.snapshot()

    def restore(self, snapshot: _carom.Snapshot) -> None:
        """Back to a snapshot of this simulation, or of another one of the same model."""
        self._core.restore(snapshot)

    def __repr__(self) -> str:
        return f"<carom.Simulation at {self.time:g} s>"
