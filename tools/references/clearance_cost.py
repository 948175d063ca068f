"""Slider-crank with one loose pin and the printed stiffness, the first turn: for the case clearance_cost.

Two coordinates, the rod's angle and the slider's place; Lankarani and Nikravesh' law, friction that grows between two speeds of slip. Small steps of the
classical Runge-Kutta method, of which the one that meets the wall is cut there.
"""
from math import cos, hypot, pi, sin

from plain import bisect, check, rk4, write_table

CRANK, ROD, SPEED, CLEARANCE = 0.05, 0.12, 5000 * pi / 30, 2.5e-5
MASS, INERTIA, SLIDER, GRAVITY = 0.21, 2.5e-4, 0.14, 9.81
STIFFNESS, RESTITUTION, FRICTION, BEGIN, FULL, BEARING = 1.072e10, 0.9, 0.01, 1e-4, 1e-3, 0.01


def contact(t, y):
    """Depth, its rate, normal, relative slip."""
    psi, x, turn, v = y
    wt = SPEED * t
    ex, ey = x - CRANK * cos(wt) - ROD * cos(psi), -CRANK * sin(wt) - ROD * sin(psi)
    ux = v + CRANK * SPEED * sin(wt) + ROD * sin(psi) * turn
    uy = -CRANK * SPEED * cos(wt) - ROD * cos(psi) * turn
    size = hypot(ex, ey)
    nx, ny = (ex / size, ey / size) if size > 0 else (1.0, 0.0)
    return size - CLEARANCE, nx * ux + ny * uy, nx, ny, -ny * ux + nx * uy - BEARING * turn


def normal_force(deep, rate, first):
    return max(0.0, STIFFNESS * deep**1.5 * (1 + 0.75 * (1 - RESTITUTION**2) * rate / first)) if deep > 0 else 0.0


def rate(first):
    def of(t, y):
        psi, x, turn, v = y
        wt = SPEED * t
        fx = fy = moment = 0.0
        deep, speed, nx, ny, slip = contact(t, y)
        if first and deep > 0:
            push = normal_force(deep, speed, first)
            share = min(1.0, max(0.0, (abs(slip) - BEGIN) / (FULL - BEGIN)))
            drag = -FRICTION * share * push * (1 if slip > 0 else -1)
            fx, fy = -push * nx - drag * ny, -push * ny + drag * nx          # on the slider
            arm_x, arm_y = ROD * cos(psi) + BEARING * nx, ROD * sin(psi) + BEARING * ny
            moment = -(arm_x * fy - arm_y * fx)
        ax, ay = -CRANK * SPEED**2 * cos(wt), -CRANK * SPEED**2 * sin(wt)
        half_x, half_y = ROD / 2 * cos(psi), ROD / 2 * sin(psi)
        moment -= MASS * (half_x * (ay + GRAVITY) - half_y * ax)
        return [turn, v, moment / (INERTIA + MASS * ROD**2 / 4), fx / SLIDER]
    return of


def run(step, every, end):
    y, t, first, rows, begun = [0.0, CRANK + ROD, -SPEED * CRANK / ROD, 0.0], 0.0, 0.0, [], []
    for k in range(round(end / step)):
        t = k * step
        after = rk4(rate(first), y, t, step)
        deep = contact(t + step, after)[0]
        if not first and deep > 0:
            part = bisect(lambda s: contact(t + s, rk4(rate(0.0), y, t, s))[0], 0.0, step)
            y = rk4(rate(0.0), y, t, part)
            first = contact(t + part, y)[1]
            begun.append((t + part, first))
            after = rk4(rate(first), y, t + part, step - part)
        elif first and deep < 0:
            first = 0.0
        y = after
        if (k + 1) % round(every / step) == 0:
            deep, speed, *_ = contact((k + 1) * step, y)
            rows.append([(k + 1) * step, y[1], y[3], y[2], normal_force(deep, speed, first) if first else 0.0])
    return rows, begun


if __name__ == "__main__":
    fine, begun = run(5e-8, 7.5e-5, 0.012)
    coarse, _ = run(1e-7, 7.5e-5, 0.012)
    for column, name in ((2, "speed of the slider"), (4, "force")):
        check(f"half the step, {name}", max(abs(a[column] - b[column]) for a, b in zip(fine, coarse)) / max(abs(a[column]) for a in fine), 1e-5)
    print(f"contacts begin at {begun}, largest force at a sample {max(row[4] for row in fine):.5g} N")
    write_table("clearance_cost", "reference.csv", "two coordinates, Runge-Kutta (tools/references/clearance_cost.py)",
                ["time", "body:slider.x", "body:slider.vx", "body:rod.omega", "joint:pin.normal_force"], fine)
    write_table("clearance_cost", "contacts.csv", "two coordinates, Runge-Kutta (tools/references/clearance_cost.py)",
                ["number", "begin", "impact_speed"], [[k, *one] for k, one in enumerate(begun, 1)])
