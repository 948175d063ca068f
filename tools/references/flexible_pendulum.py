"""Reference of flexible_pendulum: ten elements of plane_beam.py, pinned at one end, by Runge-Kutta."""
from math import pi

from plain import check, grid, rk4, write_table
from plane_beam import PlaneBeam

N, LENGTH, YOUNG, POISSON, DENSITY, DIAMETER, GRAVITY = 10, 1.0, 5e6, 0.5, 1100.0, 0.02, 9.81
AREA, INERTIA = pi * DIAMETER**2 / 4, pi * DIAMETER**4 / 64
SHEAR = 6 * (1 + POISSON) / (7 + 6 * POISSON) * YOUNG / (2 * (1 + POISSON)) * AREA
beam = PlaneBeam(N, LENGTH, YOUNG * AREA, SHEAR, YOUNG * INERTIA, DENSITY * AREA, DENSITY * INERTIA, True)
loads = []
for i in range(N + 1):
    loads += [0.0, -GRAVITY * DENSITY * AREA * LENGTH / N * (0.5 if i in (0, N) else 1), 0.0]


def run(substeps):
    y = []
    for i in range(N + 1):
        y += [i * LENGTH / N, 0.0, 0.0]
    y += [0.0] * (3 * N + 3)
    states = [y]
    for t in times[1:]:
        for k in range(substeps):
            y = rk4(lambda _, z: beam.rate(z, loads), y, t, 0.02 / substeps)
        states.append(y)
    return states


times = grid(0.02, 1)
states, coarse = run(400), run(200)
check("error of the finer steps, by Richardson", max(abs(a - b) for p, q in zip(states, coarse) for a, b in zip(p[:3 * N + 3], q)) / 15, 1e-7)
rows, worst = [], 0.0
for t, y in zip(times, states):
    kinetic, strain = beam.momentum(y)[0], beam.elastic(y[:3 * N + 3])[3]
    weight = sum(-a * b for a, b in zip(loads[1::3], y[1:3 * N + 3:3]))
    worst = max(worst, abs(kinetic + strain + weight))
    rows.append([t, y[3 * N], y[3 * N + 1], y[3 * N + 2], y[15], y[16], y[2], kinetic, strain])
check("energy", worst, 1e-7)
write_table("flexible_pendulum", "reference.csv", "ten plane elements in absolute coordinates, Runge-Kutta; tools/references/flexible_pendulum.py",
            ["time", "body:arm-10.x", "body:arm-10.y", "body:arm-10.angle", "body:arm-5.x", "body:arm-5.y", "body:arm-0.angle", "energy.kinetic", "beam:arm.strain_energy"], rows)
