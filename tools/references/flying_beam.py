"""Reference of flying_beam: ten free elements of plane_beam.py under a force and a moment for 2.5 s, by Runge-Kutta."""
from math import atan2

from plain import check, grid, rk4, write_table
from plane_beam import PlaneBeam

N, LENGTH = 10, 10.0
beam = PlaneBeam(N, LENGTH, 1e4, 5e3, 100.0, 1.0, 0.01, False)


def loads(t):
    """Triangular pulses of 2.5 s at the first node: 8 N along x and -80 N m at their peak."""
    peak = max(0.0, min(t, 2.5 - t) / 1.25)
    return [8 * peak, 0.0, -80 * peak] + [0.0] * (3 * N)


def run(substeps):
    y = []
    for i in range(N + 1):
        y += [6 - 0.6 * i, 0.8 * i, atan2(8, -6)]
    y += [0.0] * (3 * N + 3)
    states = [y]
    for t in times[1:]:
        for k in range(substeps):
            y = rk4(lambda s, z: beam.rate(z, loads(s)), y, t - 0.05 + k * 0.05 / substeps, 0.05 / substeps)
        states.append(y)
    return states


times = grid(0.05, 6)
states, coarse = run(160), run(80)
check("error of the finer steps, by Richardson", max(abs(a - b) for p, q in zip(states, coarse) for a, b in zip(p[:3 * N + 3], q)) / 15, 1e-5)
start = None
rows = []
for t, y in zip(times, states):
    kinetic, px, py, spin = beam.momentum(y)
    energy = kinetic + beam.elastic(y[:3 * N + 3])[3]
    if t > 2.45:
        start = start or (energy, spin)
        check(f"energy, momentum and angular momentum at {t:g} s", max(abs(energy / start[0] - 1), abs(px - 10), abs(py), abs(spin / start[1] - 1)), 1e-5)
    if abs(10 * t - round(10 * t)) < 1e-9:
        rows.append([t, *y[:3], *y[15:18], *y[3 * N:3 * N + 3], energy, kinetic])
print("  energy", start[0], "angular momentum", start[1])
header = ["time"]
for node in (0, 5, 10):
    header += [f"body:rod-{node}.{c}" for c in ("x", "y", "angle")]
write_table("flying_beam", "reference.csv", "ten plane elements in absolute coordinates, Runge-Kutta; tools/references/flying_beam.py", header + ["energy.total", "energy.kinetic"], rows)
