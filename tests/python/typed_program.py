"""A typed program, for mypy: right as it is; test_typing.py makes it wrong."""

import carom
import numpy
from numpy.typing import NDArray

model = carom.Model("Pendulum", plane="xy", gravity=[0, "-9.81 m/s^2"])
rod = model.body("rod", mass="1 kg", inertia=0.1, position=numpy.array([0.5, 0]))
rod.geometry(shape="box", size=["1 m", 0.1])
model.ground.geometry(shape="plane")
model.joint("pivot", type="revolute", bodies=["ground", "rod"], at=[0, 0]).clearance(diametric="0.1 mm")
model.contact("hard", restitution=0.8, friction=0.1, stiffness="1e6 N/m")
model.force("own", type="a-part-of-ones-own", bodies=["ground", "rod"], strength=3)
model.solver(end="2 s", method="nonsmooth")

result: carom.Result = model.run(parameters={"a": 1})
y: NDArray[numpy.float64] = result["body:rod.y"]
peak: float = result.summary.peak_force
simulation = carom.Simulation(model)
going_on: bool = simulation.advance(0.1)
keys: list[str] = [parameter.name for joint in carom.joint_types() for parameter in joint.parameters]
try:
    model.check()
except carom.InputError as error:
    print([problem.key for problem in error.problems])
