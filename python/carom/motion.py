"""Kinds of motion: spectra, Poincaré maps, Lyapunov exponents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _carom

if TYPE_CHECKING:
    from .model import Model

Array = NDArray[numpy.float64]


@dataclass(frozen=True)
class Spectrum:
    """How strongly a quantity swings at which frequency.

    >>> spectrum = result.spectrum("body:ball.y", peaks=1)
    >>> len(spectrum.peak_frequency), spectrum.frequency[0]
    (1, 0.0)
    """

    frequency: Array = field(repr=False)  #: Hz
    amplitude: Array = field(repr=False)  #: in the unit of the quantity
    peak_frequency: Array  #: Hz, of the strongest lines
    peak_amplitude: Array
    entropy: float  #: near 0 for a few tones, near 1 for noise


@dataclass(frozen=True)
class Poincare:
    """Points of a motion taken once a turn.

    >>> len(result.poincare("body:ball.y", "body:ball.vy", period=0.25).x)
    5
    """

    time: Array = field(repr=False)
    x: Array
    y: Array


@dataclass(frozen=True)
class MotionKind:
    """Whether a motion repeats itself: periodic, quasi-periodic, chaotic or unclear.

    >>> guide = model.joint("guide", type="prismatic", bodies=["ground", "ball"], at=[0, 1], axis=[0, 1])
    >>> lift = model.motion("lift", joint="guide", position="=0.1*sin(20*t)")
    >>> solver = model.solver(end=20)
    >>> kind = model.run().motion("body:ball.y", period=0.1 * numpy.pi)
    >>> kind.kind, kind.period
    ('periodic', 1)
    """

    kind: str
    period: int  #: points until a periodic motion repeats
    repetition: float
    zero_one: float  #: K of the 0–1 test
    evidence: str


def poincare_map(
    time: Array,
    x: Array,
    y: Array,
    period: float | None,
    crossing: tuple[Array, float] | None,
    direction: str,
    instants: Array | None,
) -> Poincare:
    """The points by exactly one of the three ways."""
    if sum(each is not None for each in (period, crossing, instants)) != 1:
        raise ValueError("give one of period, crossing and event")
    ways = {"rising": 1, "falling": -1, "both": 0}
    if direction not in ways:
        raise ValueError(f"direction: found {direction!r}; expected 'rising', 'falling' or 'both'")
    if period is not None:
        first = float(time[0]) if len(time) else 0.0
        return Poincare(**_carom.stroboscopic_map(time, x, y, first, period))
    if instants is not None:
        return Poincare(**_carom.instant_map(time, x, y, instants))
    assert crossing is not None
    return Poincare(**_carom.section_map(time, x, y, crossing[0], crossing[1], ways[direction]))


def classify(points: Array, scale: float, tolerance: float) -> MotionKind:
    """From points taken once a turn."""
    return MotionKind(**_carom.classify_motion(points, scale, tolerance))


def zero_one_test(series: ArrayLike) -> float:
    """The 0–1 test for chaos of Gottwald and Melbourne: near 0 for regular, near 1 for chaotic series.

    >>> import carom
    >>> x = [0.4]
    >>> for _ in range(2000): x.append(4 * x[-1] * (1 - x[-1]))
    >>> carom.zero_one_test(x) > 0.9
    True
    """
    return _carom.zero_one_test([float(each) for each in numpy.asarray(series).ravel()])


def lyapunov(
    model: Model, *, interval: float, start: float, end: float, separation: float = 1e-6, variation: bool = False
) -> tuple[float, float]:
    """The largest Lyapunov exponent of a model and its standard error, 1/s, counted from start to end, s.

    From two motions kept near each other and brought together every `interval`, s; with `variation=True` from the
    linearised equations, for models without contacts.

    >>> pendulum = carom.Model("Pendulum", plane="xy", gravity=[0, -9.81])
    >>> rod = pendulum.body("rod", mass=1, inertia=0.1, position=[0, -0.5], angular_velocity="1 rad/s")
    >>> pivot = pendulum.joint("pivot", type="revolute", bodies=["ground", "rod"], at=[0, 0])
    >>> solver = pendulum.solver(end=20)
    >>> exponent, error = carom.lyapunov(pendulum, interval=0.5, start=0, end=20)
    >>> abs(exponent) < 0.2
    True
    """
    exponent, error = _carom.lyapunov(model._core(), interval, start, end, separation, variation)
    return float(exponent), float(error)
