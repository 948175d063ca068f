"""Balls that are bodies between races of a bearing in space: where pure rolling, and where skidding, puts them.

Balls of a bearing that is pressed in evenly, p = -clearance, on rings with a fixed axis. Between the two contacts of a
ball the overlap is shared so that N_o = N_i + m R w_c^2. Rolling resistance, a lever times N, brakes the ball at both; its
friction forces are opposite and equal, f, so that 2 r f = lever (N_i + N_o). What the inner race can give is mu N_i: where
that is less than rolling takes, the cage falls back until the outer load has fallen enough.
"""

import math

from rolling_bearings import Ball

BALL, PITCH, SPEED, LEVER, FRICTION = 9.525e-3, 46e-3, 10000 * math.pi / 30, 5e-5, 0.02


def loads(b, pressed, cage):
    """N_i and N_o at a speed of the cage: the overlap of the outer contact by bisection."""
    pull = b.mass * b.pitch / 2 * cage**2
    low, high = 0.0, max(pressed, (pull / b.ko) ** (2 / 3)) + 1e-9
    for _ in range(200):
        outer = (low + high) / 2
        inner = max(pressed - outer, 0.0)
        if b.ko * outer**1.5 - b.ki * inner**1.5 < pull:
            low = outer
        else:
            high = outer
    return b.ki * inner**1.5, b.ko * outer**1.5


def settled(b, pressed):
    """Speed of the cage, loads, and whether the balls skid."""
    rolling = SPEED * (1 - b.ball / b.pitch) / 2

    def lacking(cage):
        inner, outer = loads(b, pressed, cage)
        return LEVER * (inner + outer) - b.ball * FRICTION * inner

    if lacking(rolling) <= 0:
        return (rolling, *loads(b, pressed, rolling), False)
    low, high = 0.0, rolling
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if lacking(middle) < 0 else (low, middle)
    return (low, *loads(b, pressed, low), True)


if __name__ == "__main__":
    bearing = Ball(3, BALL, PITCH, 0.52, 0.52, young=207e9)
    print("pressed in by um: cage rad/s, inner and outer load N, whether the balls skid; pure rolling %.8g rad/s, balls %.8g rad/s"
          % (SPEED * (1 - BALL / PITCH) / 2, SPEED * (PITCH / BALL - BALL / PITCH) / 2))
    for pressed in (1e-6, 1.5e-6, 2e-6, 3e-6, 5e-6, 10e-6):
        print("  %4g  %.8g  %.8g  %.8g  %s" % ((pressed * 1e6,) + settled(bearing, pressed)))
