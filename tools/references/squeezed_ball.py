"""A light ball squeezed between a hammer and the floor: both contacts are one spring, and the hammer moves on it alone.

M x'' = -K x^(3/2) (1 + chi x'/v) with 1/K^(2/3) = 1/K_upper^(2/3) + 1/K_lower^(2/3), chi such that the hammer leaves with e v.
Peak and duration come from the phase plane: x is an integral over the speed. Writes cases/squeezed_ball/contacts.csv.
"""
import math

import plain

YOUNG, POISSON, MASS, SPEED, BALL, HAMMER = 207e9, 0.3, 1.0, 0.1, 0.005, 0.05
MODULUS = YOUNG / (1 - POISSON**2) / 2
UPPER = 4 / 3 * MODULUS * math.sqrt(BALL * HAMMER / (BALL + HAMMER))
LOWER = 4 / 3 * MODULUS * math.sqrt(BALL)
STIFFNESS = (UPPER ** (-2 / 3) + LOWER ** (-2 / 3)) ** -1.5


def hysteresis(e):
    if e == 1:
        return 0.0
    low, high = 1e-9, 1 / e - 1e-12
    for _ in range(200):
        chi = (low + high) / 2
        if chi * (1 + e) - math.log((1 + chi) / (1 - chi * e)) > 0:
            low = chi
        else:
            high = chi
    return chi


def impact(e):
    """Peak force, largest compression, duration."""
    chi = hysteresis(e)

    def work(u):  # of the elastic force until the speed is u v
        whole = (1 - u * u) / 2 if chi == 0 else (chi * (1 - u) - math.log((1 + chi) / (1 + chi * u))) / chi**2
        return MASS * SPEED**2 * max(whole, 0.0)

    def depth(u):
        return (2.5 * work(u) / STIFFNESS) ** 0.4

    def force(u):
        return STIFFNESS * depth(u) ** 1.5 * (1 + chi * u)

    # dt = M v du / F; near both ends F falls as (1 - u)^(3/5): u = 1 - s^(5/2) there keeps the integrand smooth.
    def time(width, u_of):
        count = 4000
        total = 0.0
        for k in range(count):
            s = (k + 0.5) / count
            u, slope = u_of(s * width**0.4)
            total += MASS * SPEED * slope / force(u) * width**0.4 / count
        return total

    duration = time(1.0, lambda s: (1 - s**2.5, 2.5 * s**1.5)) + time(e, lambda s: (-e + s**2.5, 2.5 * s**1.5))
    peak = max(force(-e + (1 + e) * k / 200000) for k in range(1, 200000))
    return peak, depth(0.0), duration


if __name__ == "__main__":
    constant = math.sqrt(math.pi) * math.gamma(0.4) / math.gamma(0.9) * 0.8
    peak, deepest, duration = impact(1.0)
    assert abs(duration - constant * deepest / SPEED) < 1e-7 * duration
    assert abs(peak - STIFFNESS * (1.25 * MASS * SPEED**2 / STIFFNESS) ** 0.6) < 1e-9 * peak
    assert abs(hysteresis(0.8) * 1.8 - math.log((1 + hysteresis(0.8)) / (1 - 0.8 * hysteresis(0.8)))) < 1e-12
    rows = []
    for variant, e in (("e = 1", 1.0), ("e = 0.8", 0.8), ("0.02 g", 1.0), ("by forces 2 g", 1.0), ("by forces 0.2 g", 1.0)):
        peak, deepest, duration = impact(e)
        rows.append([variant, 1, SPEED, e, (STIFFNESS / UPPER) ** (2 / 3) * deepest, peak, duration])
    plain.write_table("squeezed_ball", "contacts.csv",
                      "one spring of both contacts, phase plane (tools/references/squeezed_ball.py)",
                      ["variant", "number", "impact_speed", "restitution", "largest_penetration", "peak_force", "duration"], rows)
