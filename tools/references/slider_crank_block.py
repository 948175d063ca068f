"""Slider-crank hit by a free block: one coordinate for the mechanism, one for the block, seven contact laws.

Lagrange's equation of the mechanism in the crank angle, J(phi) phi'' + J'(phi)/2 phi'^2 + V'(phi) = F dx/dphi. DOP853 with the step ends at
touch and release (terminal events, restart). Checked against the data set c_block_impacts.csv where it is given: `slider_crank_block.py [FILE]`.
"""
import csv
import sys
from math import exp

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from common import CASES, check

CRANK, ROD = 0.153, 0.306                       # m
M2, M3, M4, M5 = 0.038, 0.076, 0.038, 0.190     # kg: crank, rod, slider, block
I2, I3 = 7.4e-5, 5.9e-5                         # kg m^2; that of the rod as printed
A, K, E, G = 0.01693, 9.5e9, 0.7, 9.81
END, EVERY = 0.1, 5e-4
RUN = dict(method="DOP853", rtol=1e-13, atol=[1e-15, 1e-12, 1e-15, 1e-12])


def geometry(phi):
    """Slider position and rod angle psi (below the guide positive), with first and second derivatives by phi."""
    s, c = np.sin(phi), np.cos(phi)
    sp = CRANK / ROD * s
    cp = np.sqrt(1 - sp * sp)
    dpsi = CRANK * c / (ROD * cp)
    ddpsi = (-CRANK * s + ROD * sp * dpsi**2) / (ROD * cp)
    x = CRANK * c + ROD * cp
    dx = -CRANK * s - ROD * sp * dpsi
    ddx = -CRANK * c - ROD * cp * dpsi**2 - ROD * sp * ddpsi
    return x, dx, ddx, sp, cp, dpsi, ddpsi


def mechanism(phi):
    """Generalised inertia J, its derivative, and the derivative of the potential energy."""
    s, c = np.sin(phi), np.cos(phi)
    x, dx, ddx, sp, cp, dpsi, ddpsi = geometry(phi)
    # Mass centre of the rod half-way: x = r cos phi + L/2 cos psi, y = r sin phi - L/2 sin psi = L/2 sin psi.
    ux, uy = -CRANK * s - ROD / 2 * sp * dpsi, CRANK * c - ROD / 2 * cp * dpsi
    dux = -CRANK * c - ROD / 2 * (cp * dpsi**2 + sp * ddpsi)
    duy = -CRANK * s + ROD / 2 * (sp * dpsi**2 - cp * ddpsi)
    inertia = I2 + M2 * (CRANK / 2) ** 2 + M3 * (ux**2 + uy**2) + I3 * dpsi**2 + M4 * dx**2
    slope = 2 * (M3 * (ux * dux + uy * duy) + I3 * dpsi * ddpsi + M4 * dx * ddx)
    return inertia, slope, G * (M2 * CRANK / 2 * c + M3 * uy)


def penetration(y):
    return geometry(y[0])[0] + 2 * A - y[2]


def rate(y):
    return geometry(y[0])[1] * y[1] - y[3]


def equations(h, v0):
    def f(t, y):
        inertia, slope, weight = mechanism(y[0])
        delta = penetration(y) if v0 else 0.0
        force = max(0.0, K * delta**1.5 * (1 + h * rate(y) / v0)) if delta > 0 else 0.0
        push = geometry(y[0])[1]
        return [y[1], (-force * push - weight - 0.5 * slope * y[1] ** 2) / inertia, y[3], force / M5]

    return f


def energy(y):
    x, dx, *_ = geometry(y[0])
    inertia = mechanism(y[0])[0]
    height = M2 * CRANK / 2 * np.sin(y[0]) + M3 * CRANK / 2 * np.sin(y[0])
    return 0.5 * inertia * y[1] ** 2 + 0.5 * M5 * y[3] ** 2 + G * height


def peak(f, low, high):
    """Largest value of f by golden section."""
    ratio = (np.sqrt(5) - 1) / 2
    for _ in range(90):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if f(a) > f(b) else (a, high)
    return f(0.5 * (low + high))


def solve(h):
    """State at every sample time, and the impacts."""
    times = np.linspace(0, END, round(END / EVERY) + 1)
    samples = np.empty((len(times), 4))
    t, y, v0, impacts = 0.0, np.array([0.0, 150.0, 0.914, -15.0]), 0.0, []
    while t < END:
        event = lambda _, y: penetration(y)
        event.terminal, event.direction = True, -1 if v0 else 1
        # A short step first: at a touch the event function starts at zero.
        part = solve_ivp(equations(h, v0), (t, END), y, dense_output=True, events=event, first_step=1e-8, **RUN)
        inside = (times >= t) & (times <= part.t[-1])
        if inside.any():
            samples[inside] = part.sol(times[inside]).T
        if v0:
            force = lambda s: K * max(0.0, penetration(part.sol(s))) ** 1.5 * (1 + h * rate(part.sol(s)) / v0)
            turn = brentq(lambda s: rate(part.sol(s)), t, part.t[-1], xtol=1e-18)
            after = part.y[:, -1]
            impacts.append({"number": len(impacts) + 1, "begin": t, "impact_speed": v0, "separation_speed": -rate(after),
                            "restitution": -rate(after) / v0, "largest_penetration": penetration(part.sol(turn)),
                            "peak_force": peak(force, t, turn), "duration": part.t[-1] - t, "dissipated": energy(y) - energy(after),
                            "block": after[3]})
        t, y = part.t[-1], part.y[:, -1]
        v0 = 0.0 if v0 else rate(y)
    return times, samples, impacts


def exact(e):
    f = lambda h: np.log1p(h) - np.log1p(-e * h) - h * (1 + e)
    return brentq(f, 1e-3, (1 - 1e-12) / e, xtol=1e-16)


LAWS = {"hunt-crossley": 1.5 * (1 - E), "herbert-mcwhannell": 6 * (1 - E) / ((2 * E - 1) ** 2 + 3), "lee-wang": 0.75 * (1 - E),
        "lankarani-nikravesh": 0.75 * (1 - E * E), "gonthier": exact(E), "zhiying-qishao": 0.75 * (1 - E * E) * exp(2 * (1 - E)),
        "flores": 8 * (1 - E) / (5 * E)}
given = {}
if len(sys.argv) > 1:
    lines = [line for line in open(sys.argv[1]) if not line.startswith("#")]
    given = {(row["model"].replace("_", "-"), int(row["impact"])): row for row in csv.DictReader(lines)}
NAMES = {"begin": "t_start_s", "impact_speed": "v0_m_s", "restitution": "e_eff", "largest_penetration": "delta_max_m", "peak_force": "F_max_N",
         "duration": "duration_s", "dissipated": "energy_loss_J", "block": "v_block_after"}
HEADER = ["number", "begin", "impact_speed", "separation_speed", "restitution", "largest_penetration", "peak_force", "duration", "dissipated"]
SOURCE = "# source: minimal coordinates, DOP853 with located events (tools/references/slider_crank_block.py)"
table = [SOURCE, ",".join(["variant", *HEADER])]
for law, h in LAWS.items():
    times, samples, impacts = solve(h)
    for impact in impacts:
        table.append(",".join([law, *(f"{impact[name]:.15g}" for name in HEADER)]))
        row = given.get((law, impact["number"]))
        if row:
            check(f"{law}, impact {impact['number']}, against the data set", [impact[a] / float(row[b]) - 1 for a, b in NAMES.items()], 1e-9)
    x, dx = np.array([geometry(phi)[:2] for phi in samples[:, 0]]).T
    rows = [SOURCE, "time,body:slider.x,body:slider.vx,body:block.x,body:block.vx,body:crank.angle,body:crank.omega"]
    columns = zip(times, x, dx * samples[:, 1], samples[:, 2], samples[:, 3], samples[:, 0], samples[:, 1])
    rows += [",".join([f"{row[0]:.12g}", *(f"{value + 0.0:.15g}" for value in row[1:])]) for row in columns]
    (CASES / "slider_crank_block" / f"reference_{law}.csv").write_text("\n".join(rows) + "\n")
    print(f"{law}: {len(impacts)} impacts")
(CASES / "slider_crank_block" / "contacts.csv").write_text("\n".join(table) + "\n")
