"""Hysteresis damping factors of Machado et al. (2012), Fig. 7: unit stiffness and unit speed, so that the force at 1 m of depth is 1 + chi.

The equations are those of the paper, but for (40), whose fraction stands in the wrong place: (1 + d/e)/(1 - d) = exp(d (1 + 1/e)). It is
solved by bisection here, and the factor must return its own restitution in an impact integrated step by step.
"""
from math import exp, log1p
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"


def gonthier(e):
    """d/e by (40), put right: on (0, 1) the difference of both sides starts below zero and ends above."""
    if e == 1:
        return 0.0
    f = lambda d: log1p(d / e) - log1p(-d) - d * (1 + 1 / e)
    low, high = 1e-9, 1 - 1e-15
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return (low + high) / 2 / e


FACTOR = {
    "hunt-crossley": lambda e: 1.5 * (1 - e),                                        # (29)
    "herbert-mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),            # (31)
    "lee-wang": lambda e: 0.75 * (1 - e),                                            # (33)
    "lankarani-nikravesh": lambda e: 0.75 * (1 - e * e),                             # (37)
    "gonthier": gonthier,                                                            # (39), (40)
    "gonthier-approximate": lambda e: (1 - e * e) / e,                               # (42)
    "zhiying-qishao": lambda e: 0.75 * (1 - e * e) * exp(2 * (1 - e)),               # (43)
    "flores": lambda e: 8 * (1 - e) / (5 * e),                                       # (46)
}


def returned(h, step=1e-4):
    """Restitution of an impact of unit mass, speed and stiffness, by Runge-Kutta steps of fourth order."""
    rate = lambda x, v: (v, -max(x, 0.0) ** 1.5 * (1 + h * v))
    x, v = 0.0, 1.0
    while x >= 0 or v > 0:
        a = rate(x, v)
        b = rate(x + step / 2 * a[0], v + step / 2 * a[1])
        c = rate(x + step / 2 * b[0], v + step / 2 * b[1])
        d = rate(x + step * c[0], v + step * c[1])
        last = v
        x += step / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        v += step / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    return -last


if __name__ == "__main__":
    for e in (0.9, 0.5, 0.2):
        found = returned(gonthier(e))
        print(f"gonthier, {e:g}: factor {gonthier(e):.6f}, returns {found:.6f}")
        assert abs(found - e) < 1e-3
    for e in (0.5, 0.7, 0.9):
        print(f"e = {e:g}: " + ", ".join(f"{law} {factor(e):.4f}" for law, factor in FACTOR.items()))
    lines = ["# source: closed form (tools/references/hysteresis_factor.py); peak_force is 1 + chi at 1 m of depth, 1 m/s, 1 N/m^1.5",
             "variant,number,begin,impact_speed,largest_penetration,peak_force"]
    for law, factor in FACTOR.items():
        for e in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1):
            lines.append(f"{law} {e:g},1,0.1,1,1,{1 + factor(e):.15g}")
    (CASES / "hysteresis_factor" / "contacts.csv").write_text("\n".join(lines) + "\n")
    print(f"hysteresis_factor: {len(lines) - 2} rows")
