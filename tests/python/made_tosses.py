"""Tosses of a cube as a film would show them, made by Carom with known friction and restitution.

python3 made_tosses.py FILE [TOSSES]
"""

import sys

import carom
import numpy

FRICTION, RESTITUTION = 0.21, 0.11
EDGE = 0.1048  # m


def make(file, tosses=4, samples=50, rate=148.0):
    """Writes a row a sample: number of the toss, time, position, quaternion, velocity, angular velocity in body axes."""
    model = carom.Model("A tossed cube", gravity=[0, 0, -9.81])
    model.body("cube", mass="0.37 kg", inertia=[8.1e-4] * 3, position=[0, 0, 1]).geometry(shape="box", size=[EDGE] * 3)
    model.ground.geometry(shape="plane")
    model.contact("acrylic", friction=FRICTION, restitution=RESTITUTION)
    model.pair("table", bodies=["cube", "ground"], contact="acrylic")
    model.solver(method="nonsmooth", step="0.68 ms", end=5)
    draw = numpy.random.default_rng(7)
    rows = []
    for toss in range(tosses):
        turn = draw.normal(size=4)
        simulation = carom.Simulation(model)
        position = [0, 0, 0.13, *turn / numpy.linalg.norm(turn)]
        simulation.set_state(position, [draw.uniform(0.5, 1.2), draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0), *draw.uniform(-4, 4, 3)])
        for sample in range(samples):
            if sample > 0:
                simulation.advance_to(sample / rate)
            rows.append([toss, sample / rate, *simulation.positions, *simulation.velocities])
    header = "toss,t [s],x [m],y [m],z [m],qw,qx,qy,qz,vx [m/s],vy [m/s],vz [m/s],wx [rad/s],wy [rad/s],wz [rad/s]"
    numpy.savetxt(file, rows, delimiter=",", header=header)


if __name__ == "__main__":
    make(sys.argv[1], *map(int, sys.argv[2:3]))
