#!/usr/bin/env python3
"""References of cases/actuators: the equations of motors and cylinders (docs/theory/control.md) by the fourth-order
Runge-Kutta method with equal steps; prints the values at 0.4 s."""
import math

END = 0.4  # s


def integrate(rates, state, steps):
    h = END / steps
    for _ in range(steps):
        a = rates(state)
        b = rates([x + h / 2 * r for x, r in zip(state, a)])
        c = rates([x + h / 2 * r for x, r in zip(state, b)])
        d = rates([x + h * r for x, r in zip(state, c)])
        state = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(state, a, b, c, d)]
    return state


def direct_current(state):
    speed, current = state
    ratio, constant, friction = 3, 0.05, 1e-4
    shaft = ratio * speed
    return [ratio * (constant * current - friction * shaft) / 0.02, (12 - 0.8 * current - constant * shaft) / 5e-3]


def synchronous(state):
    speed, d, q = state
    pairs, resistance, along, across, flux = 4, 0.5, 2e-3, 3e-3, 0.1
    turning = pairs * speed
    return [1.5 * pairs * (flux + (along - across) * d) * q / 0.02,
            (-2 - resistance * d + turning * across * q) / along,
            (30 - resistance * q - turning * (along * d + flux)) / across]


def closed_gas(state):
    x, v = state
    volume = 2e-4 + 1e-3 * (x - 0.2)
    return [v, (2e5 * (2e-4 / volume) ** 1.4 - 101325) * 1e-3 / 0.5]


GAS, KAPPA, ROOM = 287.05, 1.4, 293.15
INNER = GAS / (KAPPA - 1)  # c_v


def flow(opening, pressure, temperature, lower):
    def psi(ratio):
        return math.sqrt(2 * KAPPA / (KAPPA - 1) * (ratio ** (2 / KAPPA) - ratio ** ((KAPPA + 1) / KAPPA)))
    critical, ratio = (2 / (KAPPA + 1)) ** (KAPPA / (KAPPA - 1)), lower / pressure
    share = psi(0.999) * (1 - ratio) / (1 - 0.999) if ratio > 0.999 else psi(max(ratio, critical))
    return opening * pressure / math.sqrt(GAS * temperature) * share


def air(state):
    x, v, mass, inner = state
    volume = 2e-4 + 1e-3 * (x - 0.2)
    p, temperature = (KAPPA - 1) * inner / volume, inner / (mass * INNER)
    into = flow(2e-6, 6e5, ROOM, p) if p < 6e5 else -flow(2e-6, p, temperature, 6e5)
    out = flow(5e-6, p, temperature, 1e5) if p > 1e5 else -flow(5e-6, 1e5, ROOM, p)
    heat = KAPPA * INNER
    enthalpy = heat * (into * (ROOM if into > 0 else temperature) - out * (temperature if out > 0 else ROOM))
    return [v, ((p - 101325) * 1e-3 - 800 * (x - 0.2) - 60 * v) / 0.5, into - out, enthalpy - p * 1e-3 * v]


def oil(state):
    x, v, p1, p2 = state
    a1, a2, stroke, bulk, valve = 2e-3, 1e-3, 0.5, 1.4e9, 5e-8 * 0.5

    def root(difference):
        return difference / math.sqrt(max(abs(difference), 1e3))
    dead, drawn = 0.05 * a1 * stroke, min(max(x - 0.35, 0), stroke)
    leak = 1e-13 * (p1 - p2)
    q1, q2 = valve * root(1e7 - p1) - leak, -valve * root(p2) + leak
    return [v, (p1 * a1 - p2 * a2 - 20000 * v) / 50, bulk / (dead + a1 * drawn) * (q1 - a1 * v),
            bulk / (dead + a2 * (stroke - drawn)) * (q2 + a2 * v)]


def clutch(t):
    """Speeds of both discs while the clutch slips: full torque, less what is missing until the linings are bent."""
    torque, give, one, two, slip = 2, 1e-4, 0.03, 0.02, 40
    impulse = torque * (t - give / slip)
    return slip - impulse / one, impulse / two


if __name__ == "__main__":
    print("brake: speed", 30 - 0.5 / 0.02 * (END - 1e-4 / 30))
    with open("cases/actuators/reference.csv", "w", encoding="utf-8") as file:
        file.write("# source: closed form (tools/references/actuators.py)\ntime,body:one.omega,body:two.omega\n")
        for t in (0.05, 0.1, 0.15, 0.2):
            file.write(f"{t},{clutch(t)[0]:.15g},{clutch(t)[1]:.15g}\n")
    print("dc-motor: speed, current", *integrate(direct_current, [0, 0], 40000))
    print("synchronous-motor: speed, currents", *integrate(synchronous, [0, 0, 0], 80000))
    print("torque-speed-motor: speed", 200 * (1 - math.exp(-END * 2 / (200 * 0.02))))
    print("gas-spring: place, speed", *integrate(closed_gas, [0.2, -3], 80000))
    start = 1.5e5 * 2e-4
    x, v, mass, inner = integrate(air, [0.2, 0, start / (GAS * ROOM), start / (KAPPA - 1)], 40000)
    print("pneumatic-cylinder: place, pressure, temperature, mass", x,
          (KAPPA - 1) * inner / (2e-4 + 1e-3 * (x - 0.2)), inner / (mass * INNER), mass)
    print("hydraulic-cylinder: place, speed, pressures", *integrate(oil, [0.6, 0, 5e6, 5e6], 400000))
