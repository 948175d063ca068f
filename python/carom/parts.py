"""Forces, contact laws, friction laws, drives and controls written in Python."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

from . import _carom
from ._sections import add_methods

Function = Callable[..., Any]


@dataclass(frozen=True)
class CallbackCost:
    """What the calls of a Python function have cost.

    >>> carom.CallbackCost("force `magnet`", calls=1000, seconds=1e-3, elements=1000).microseconds_per_call
    1.0
    """

    part: str
    calls: int
    seconds: float
    elements: int = 0  #: worked out by all calls; more than calls where a force is vectorised

    @property
    def microseconds_per_call(self) -> float:
        """Mean time of a call, with what Carom adds to it.

        >>> carom.CallbackCost("force `magnet`", calls=1000, seconds=2e-3).microseconds_per_call
        2.0
        """
        return 1e6 * self.seconds / self.calls

    @property
    def microseconds_per_element(self) -> float:
        """Mean time for one element, of all those that a vectorised force works out in a call.

        >>> carom.CallbackCost("force `springs`", calls=10, seconds=1e-3, elements=1000).microseconds_per_element
        1.0
        """
        return 1e6 * self.seconds / max(self.elements, 1)


def callback_costs() -> list[CallbackCost]:
    """How often Python functions were called by motions, and how long they took, since this was last asked.

    >>> import carom
    >>> costs = carom.callback_costs()
    >>> carom.callback_costs()
    []
    """
    return [CallbackCost(*each) for each in _carom.take_callback_costs()]


def _keys(function: Function, arguments: int, units: Mapping[str, str]) -> dict[str, tuple[str, float | None, str]]:
    """Keyword-only arguments of a function are keys of the model file; their defaults are those of the keys."""
    keys: dict[str, tuple[str, float | None, str]] = {}
    positional = 0
    for each in inspect.signature(function).parameters.values():
        if each.kind is inspect.Parameter.KEYWORD_ONLY:
            default = None if each.default is inspect.Parameter.empty else float(each.default)
            keys[each.name] = (units.get(each.name, ""), default, f"key of the Python function {function.__name__}")
        elif each.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            positional += 1
    if positional != arguments:
        raise TypeError(f"{function.__name__} takes {positional} arguments by position; it is called with {arguments}")
    unknown = set(units) - set(keys)
    if unknown:
        raise TypeError(f"{function.__name__} has no keyword-only argument {', '.join(sorted(unknown))}")
    return keys


def _maker(function: Function, keys: Mapping[str, Any]) -> Function:
    """Binds the values that a model gives to the keys."""

    def make(**values: Any) -> Function:
        def bound(*arguments: Any) -> Any:
            return function(*arguments, **values)

        made: Function = bound
        return made if keys else function

    return make


def _summary(function: Function) -> str:
    return (inspect.getdoc(function) or f"The Python function {function.__name__}").splitlines()[0]


def force(
    name: str, *, one_body: bool = False, supplies: bool = False, units: Mapping[str, str] = {}, vectorised: bool = False
) -> Callable[[Function], Function]:
    """Makes a force element of a function, to be named by ``type`` of a force.

    The function is called with the time and arrays of both ends, world axes: positions and velocities (2 × 3), axes of the
    bodies (2 × 3 × 3), angular velocities (2 × 3). It returns the force on the second end, N, or force and torque; the first
    end gets the opposite. Keyword-only arguments are keys of the model. The arrays are views that the next call overwrites.

    one_body    the element acts on one body, from the ground
    supplies    its power counts as supplied, not as dissipated
    units       of the keys: ``units={"stiffness": "N/m"}``
    vectorised  one call works out all n elements of the type: arrays are n × 2 × 3 and n × 2 × 3 × 3, keys are arrays of n
                numbers, and what is returned is an array n × 3, or a tuple of two, forces and torques. The force on an
                element must depend on its own row alone.

    >>> import carom
    >>> @carom.force("magnet", units={"strength": "N m^2"})
    ... def magnet(t, position, velocity, axes, angular_velocity, *, strength=1e-3):
    ...     "Attraction with the square of the distance."
    ...     way = position[0] - position[1]
    ...     return strength * way / (way @ way) ** 1.5
    >>> [each.summary for each in carom.force_types() if each.name == "magnet"]
    ['Attraction with the square of the distance.']
    >>> @carom.force("springs", units={"stiffness": "N/m"}, vectorised=True)
    ... def springs(t, position, velocity, axes, angular_velocity, *, stiffness=100.0):
    ...     return stiffness[:, None] * (position[:, 0] - position[:, 1])
    """

    def add(function: Function) -> Function:
        keys = _keys(function, 5, units)
        register = _carom.register_vectorised_force if vectorised else _carom.register_force
        register(name, _summary(function), keys, _maker(function, keys), one_body, supplies)
        _refresh()
        return function

    return add


def contact_law(name: str, *, remembers_depth: bool = False, units: Mapping[str, str] = {}) -> Callable[[Function], Function]:
    """Makes a law of the normal force of a function f(penetration, rate, impact_speed, deepest), all in SI.

    It returns the force, N, or force, its elastic part and the energy stored, so that the books can balance; without
    these all of it counts as dissipated.

    >>> import carom
    >>> @carom.contact_law("soft", units={"modulus": "N/m^2"})
    ... def soft(penetration, rate, impact_speed, deepest, *, modulus=1e8):
    ...     force = modulus * penetration**2
    ...     return force, force, modulus * penetration**3 / 3
    """

    def add(function: Function) -> Function:
        keys = _keys(function, 4, units)
        _carom.register_contact_law(name, _summary(function), keys, _maker(function, keys), remembers_depth)
        _refresh()
        return function

    return add


def friction_law(name: str, *, units: Mapping[str, str] = {}) -> Callable[[Function], Function]:
    """Makes a friction law of a function f(slip_speed, normal_force) that returns the coefficient, which must rise from
    zero at standstill.

    >>> import carom
    >>> @carom.friction_law("rising")
    ... def rising(slip_speed, normal_force, *, top=0.2):
    ...     return top * min(1.0, slip_speed / 1e-3)
    """

    def add(function: Function) -> Function:
        keys = _keys(function, 2, units)
        _carom.register_friction_law(name, _summary(function), keys, _maker(function, keys))
        _refresh()
        return function

    return add


def drive(name: str, *, breakpoints: Sequence[float] = (), units: Mapping[str, str] = {}) -> Callable[[Function], Function]:
    """Makes a function of the time, f(t) -> (value, rate, acceleration), for ``position={"drive": name}`` and wherever
    else a function of the time may stand. Steps end at the breakpoints, s.

    >>> import carom, math
    >>> @carom.drive("swing")
    ... def swing(t, *, amplitude=0.1):
    ...     return amplitude * math.sin(t), amplitude * math.cos(t), -amplitude * math.sin(t)
    """

    def add(function: Function) -> Function:
        keys = _keys(function, 1, units)
        _carom.register_drive(name, _summary(function), keys, _maker(function, keys), list(map(float, breakpoints)))
        _refresh()
        return function

    return add


def controller(name: str, *, inputs: Sequence[str] = ("input",), memory: int = 0) -> Callable[[Function], Function]:
    """Makes a sampled control of a function, a block for ``model.signal(…, type=name, period=…)``.

    At its instants the function f(t, inputs, memory) returns the output, which is held until the next one. `memory` is an
    array of so many numbers that it may change; they are states of the model, so that snapshots bring them back.

    >>> import carom
    >>> @carom.controller("bang-bang")
    ... def bang_bang(t, inputs, memory):
    ...     return 1.0 if inputs[0] > 0 else -1.0
    """
    if memory < 0:
        raise ValueError(f"memory: found {memory}; expected 0 or more")

    def add(function: Function) -> Function:
        if _keys(function, 3, {}):
            raise TypeError(f"{function.__name__}: a controller has no keyword-only arguments; use inputs")
        _carom.register_controller(name, _summary(function), list(inputs), memory, function)
        _refresh()
        return function

    return add


def _refresh() -> None:
    from .model import Model, Section

    add_methods(Model, Section)
