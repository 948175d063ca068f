# Friction and restitution of a cube on a table from measured tosses (docs/guide/python.md says where to get them).
import sys

import carom
import numpy

tosses = numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)  # number, time, pose, velocities
count = int(sys.argv[2]) if len(sys.argv) > 2 else 20

model = carom.Model("Cube", gravity=[0, 0, -9.81])
model.parameters(mu=0.18, e=0.125)
cube = model.body("cube", mass="0.37 kg", inertia=[8.1e-4, 8.1e-4, 8.1e-4], position=[0, 0, 1])
cube.geometry(shape="box", size=["104.8 mm", "104.8 mm", "104.8 mm"])
model.ground.geometry(shape="plane")
model.contact("acrylic", friction="=mu", restitution="=e")
model.pair("table", bodies=["cube", "ground"], contact="acrylic")
model.solver(method="nonsmooth", step="0.68 ms", end=5)


def distance(mu, e):
    """Mean distance of the cube's centre from the film, in edges, over all samples of the tosses."""
    now = model.copy()
    now.parameters(mu=float(mu), e=float(e))
    errors = []
    for number in range(count):
        toss = tosses[tosses[:, 0] == number]
        simulation = carom.Simulation(now)
        simulation.set_state(toss[0, 2:9], toss[0, 9:15])
        for sample in toss[1:]:
            simulation.advance_to(sample[1] - toss[0, 1])
            errors.append(numpy.linalg.norm(simulation.positions[:3] - sample[2:5]) / 0.1048)
    return numpy.mean(errors)


grid = [(distance(mu, e), mu, e) for mu in numpy.arange(0.12, 0.25, 0.02) for e in numpy.arange(0.05, 0.21, 0.025)]
error, mu, e = min(grid)
print(f"friction {mu:.2f}, restitution {e:.3f}: {error:.3f} edges off on the mean; 0.18 and 0.125: {distance(0.18, 0.125):.3f}")
