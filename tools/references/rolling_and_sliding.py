"""Spheres that roll and slide with rolling resistance: `rolling_and_sliding` (closed form) and `ball_and_wall` (integrated between events).

p = r omega x e_z is the speed of the surface at the floor, u = v - p the slip. Sliding: v' = -mu g u/|u|, p' = (mu m g r^2 u/|u| - rho m g r p/|p|)/I.
Rolling: v' = p' = -rho m g r/(I + m r^2) v/|v|.
"""
from math import hypot

from plain import bisect, check, grid, rk4, write_table

mass, inertia, radius, gravity, rho = 1309, 131, 0.5, 9.8, 0.04
rolling_rate = rho * mass * gravity * radius / (inertia + mass * radius**2)


def straight(turn, mu, start=2.5):
    """Pieces (begin, x, v, omega, v', omega') of the motion along a line."""
    pieces = [(0, 0, start, turn, 0, 0)]
    while True:
        t, x, v, w, _, _ = pieces[-1]
        slip = v - radius * w
        if abs(slip) < 1e-12 and v < 1e-12:
            pieces[-1] = (t, x, 0, 0, 0, 0)
            return pieces
        a, b = -rolling_rate, -rolling_rate / radius
        if abs(slip) < 1e-12 and mass * abs(a) <= mu * mass * gravity:  # rolls
            end = v / rolling_rate
        else:
            a, b = -mu * gravity, (mu * radius - rho) * mass * gravity / inertia
            if w < 1e-12 and mu * radius <= rho:
                b = 0
            ends = [v / -a]
            if b < 0:
                ends.append(w / -b)
            if slip > 1e-12 and a < radius * b:
                ends.append(slip / (radius * b - a))
            end = min(ends)
        pieces[-1] = (t, x, v, w, a, b)
        pieces.append((t + end, x + v * end + a * end * end / 2, max(0, v + a * end), max(0, w + b * end), 0, 0))


def at(pieces, t):
    begin, x, v, w, a, b = [p for p in pieces if p[0] <= t][-1]
    s = t - begin
    return [t, x + v * s + a * s * s / 2, v + a * s, w + b * s]


source = "closed form (tools/references/rolling_and_sliding.py)"
known = {"I": [4.465], "II": [0.2552, 3.827], "III": [3.404, 5.102]}
for name, turn, mu in (("I", 5, 0.2), ("II", 2.5, 0.2), ("III", 5, 0.05)):
    pieces = straight(turn, mu)
    print(name, "changes at", *(f"{p[0]:.5f}" for p in pieces[1:]), "fastest turn", f"{max(p[3] for p in pieces):.4f}")
    for found, value in zip(pieces[1:], known[name]):
        check("instant of the notes", found[0] - value, 6e-4)
    write_table("rolling_and_sliding", f"reference_{name}.csv", source, ["time", "body:ball.x", "body:ball.vx", "body:ball.wy"],
                [at(pieces, t) for t in grid(0.05, 5.5)])

# Ball and wall. The state is x, y, vx, vy, px, py.
mu = 0.2


def sliding(t, s):
    ux, uy = s[2] - s[4], s[3] - s[5]
    u, p = hypot(ux, uy), hypot(s[4], s[5])
    px, py = (s[4] / p, s[5] / p) if p > 0 else (ux / u, uy / u)
    push, brake = mu * mass * gravity * radius**2 / inertia, rho * mass * gravity * radius / inertia
    return [s[2], s[3], -mu * gravity * ux / u, -mu * gravity * uy / u, push * ux / u - brake * px, push * uy / u - brake * py]


def rolling(t, s):
    v = hypot(s[2], s[3])
    ax, ay = (-rolling_rate * s[2] / v, -rolling_rate * s[3] / v)
    return [s[2], s[3], ax, ay, ax, ay]


def wall(step):
    states, events, phase = {}, [], sliding
    t, s = 0.0, [0, 0, 1.5, 1.5, 0, 0]
    for k in range(round(3 / step) + 1):
        if k % round(0.01 / step) == 0:
            states[round(k * step, 9)] = list(s)
        left = step
        while left > 0 and phase:
            after = rk4(phase, s, 0, left)
            if not events and after[0] > 0.5:
                h = bisect(lambda h: rk4(phase, s, 0, h)[0] - 0.5, 0, left)
                s = rk4(phase, s, 0, h)
                s[2] = -s[2]
                events.append(k * step + step - left + h)
                left -= h
                continue
            rate, slip = phase(0, s), hypot(s[2] - s[4], s[3] - s[5])
            stopping = hypot(rate[2] - rate[4], rate[3] - rate[5])
            if phase is sliding and slip <= stopping * left:
                h = slip / stopping
                events.append(k * step + step - left + h)
                # No slip; only the resistance changes the momentum about the contact point.
                weight, loss = mass * radius**2 / inertia, rho * mass * gravity * radius / inertia * h / hypot(s[4], s[5])
                vx, vy = ((s[i + 2] * (1 - loss) + weight * s[i]) / (1 + weight) for i in (2, 3))
                s = [s[0] + vx * h, s[1] + vy * h, vx, vy, vx, vy]
                phase, left = rolling, left - h
                continue
            if phase is rolling and hypot(s[2], s[3]) <= rolling_rate * left:
                h = hypot(s[2], s[3]) / rolling_rate
                events.append(k * step + step - left + h)
                s = [s[0] + s[2] * h / 2, s[1] + s[3] * h / 2, 0, 0, 0, 0]
                phase = None
                continue
            s, left = after, 0
    return states, events


coarse, _ = wall(1e-4)
states, events = wall(2e-5)
print("wall:", *(f"{e:.5f}" for e in events))
check("coarser steps", max(abs(a - b) for t in states for a, b in zip(states[t], coarse[t])), 1e-7)
for found, value in zip(events, (0.41160, 0.68429, 2.2632)):
    check("instant of the notes", found - value, 6e-5)
for found, value in zip(events, (0.411, 0.685, 2.266)):
    check("printed instant", found - value, 3e-3)
write_table("ball_and_wall", "reference.csv", "integrated between events (tools/references/rolling_and_sliding.py)",
            ["time", *("body:ball." + q for q in "x y vx vy wx wy".split())],
            [[t, s[0], s[1], s[2], s[3], -s[5] / radius, s[4] / radius] for t, s in states.items() if round(t * 100) % 5 == 0])
# Status of the floor (2 slips, 3 rolls, 1 rests) and of the wall at ends of steps of 1 ms.
rows = []
for t in sorted([0.1, 0.3, 0.41, 0.411, 0.413, 0.5, 0.6, 0.683, 0.684, 0.685, 0.686, 1, 2, 2.26, 2.261, 2.266, 2.27, 2.5, 3, 0.412]):
    rows.append([t, 2 if t < events[1] else 3 if t < events[2] else 1, 1 if 0 <= t - events[0] < 1e-3 else 0])
write_table("ball_and_wall", "instants.csv", "instants of the events (tools/references/rolling_and_sliding.py)", ["time", "contact:floor.status", "contact:wall.touching"], rows)
