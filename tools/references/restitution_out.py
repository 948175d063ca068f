"""Restitution that comes out of a free impact against the one that goes in, for every law with a closed form.

Hysteresis laws F = f(delta) (1 + h ddelta/v0): e_out is the non-trivial root of ln((1 + h)/(1 - h e)) = h (1 + e), whatever the masses,
the stiffness and the elastic law. Viscous laws that end where the penetration is zero return e, those that end where the force is zero
exp(-zeta psi/sqrt(1 - zeta^2)). Plastic laws return e, and so do `exact` and `gonthier`, whose factor is the
root of the same equation. The root is checked against a numerical solution of the impact.
"""
from math import atan2, exp, inf, log, log1p, pi, sqrt

from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from common import CASES, check


def free(h):
    """Restitution of a free impact by its first integral."""
    if h == 0:
        return 1.0
    top = min(1.0, 1 / h) * (1 - 1e-16)
    # The root e = -1 is trivial; on (0, 1/h) the difference rises from below zero to infinity.
    return brentq(lambda e: log1p(h) - (log1p(-h * e) if h * e < 1 else -inf) - h * (1 + e), 1e-9, top, xtol=1e-15, rtol=1e-15)


FACTOR = {
    "carvalho-martins": lambda e: 1.5 * (1 - e) * (11 - e) / (1 + 9 * e),
    "flores": lambda e: 8 * (1 - e) / (5 * e),
    "gharib-hurmuzlu": lambda e: 1 / e,
    "gonthier-approximate": lambda e: (1 - e * e) / e,
    "herbert-mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "hu": lambda e: -6.66264 * log(e) / (3.85238 + log(e)),
    "hu-guo": lambda e: 3 * (1 - e) / (2 * e),
    "hunt-crossley": lambda e: 1.5 * (1 - e),
    "lankarani-nikravesh": lambda e: 0.75 * (1 - e * e),
    "lee-wang": lambda e: 0.75 * (1 - e),
    "safaeifar": lambda e: 5 * (1 - e) / (4 * e),
    "zhang": lambda e: 3 * (1 - e) / (2 * e * (0.6181 * exp(-3.52 * e) + 0.899 * exp(0.09025 * e))),
    "zhiying-qishao": lambda e: 0.75 * (1 - e * e) * exp(2 * (1 - e)),
}


def clamped(e):
    zeta = -log(e) / sqrt(pi**2 + log(e) ** 2)
    root = sqrt(1 - zeta * zeta)
    return exp(-zeta * atan2(2 * zeta * root, 2 * zeta * zeta - 1) / root) if e < 1 else 1.0


def by_steps(h):
    """The impact with unit mass, speed and stiffness, exponent 3/2, integrated."""
    leaves = lambda t, y: y[0]
    leaves.terminal, leaves.direction = True, -1
    force = lambda t, y: [y[1], -max(y[0], 0) ** 1.5 * (1 + h * y[1])]
    return -solve_ivp(force, (0, 1e3), [0, 1], "DOP853", events=leaves, rtol=1e-12, atol=1e-14).y[1, -1]


inputs = [k / 10 for k in range(1, 11)]
check("first integral against integration", [free(h) - by_steps(h) for h in (0.1, 0.5, 1.0, 2.0, 5.0)], 1e-9)
check("printed values of the formulation notes", [free(FACTOR["hunt-crossley"](0.6)) - 0.71195, free(FACTOR["hu"](0.2)) - 0.20537], 5e-6)
lines = ["# source: closed form (tools/references/restitution_out.py)", "variant,restitution"]
for law, factor in FACTOR.items():
    lines += [f"{law} {e:g},{free(factor(e)):.15g}" for e in inputs]
for law in ("exact", "gonthier", "goldsmith", "walton-braun"):
    lines += [f"{law} {e:g},{e:g}" for e in inputs]
for law in ("kelvin-voigt", "tsuji"):
    lines += [f"{law} adhesive {e:g},{e:g}" for e in inputs] + [f"{law} clamped {e:g},{clamped(e):.15g}" for e in inputs]
(CASES / "restitution_out" / "contacts.csv").write_text("\n".join(lines) + "\n")
print(f"restitution_out: {len(lines) - 2} rows")
