"""Models that several tests use."""

import carom
import pytest


@pytest.fixture
def falling():
    """A body that falls for a second with 10 m/s²."""
    model = carom.Model("Fall", plane="xy", gravity=[0, -10])
    model.body("ball", mass=1, inertia=1)
    model.solver(end=1)
    return model


@pytest.fixture
def bouncing():
    """A ball that bounces on the ground by force laws."""
    model = carom.Model("Bounce", plane="xy", gravity=[0, -9.81])
    model.body("ball", mass="1 kg", inertia="0.004 kg m^2", position=[0, "0.5 m"]).geometry(shape="sphere", radius="0.1 m")
    model.ground.geometry(shape="plane")
    model.contact("rubber", stiffness="1e5 N/m", elastic="linear", law="exact", restitution=0.8)
    model.pair("bounce", bodies=["ball", "ground"], contact="rubber")
    model.solver(end=1)
    return model


@pytest.fixture
def oscillator():
    """A mass on a rail with a spring, a parameter for its stiffness: x = 0.1 cos(10 t)."""
    model = carom.Model("Oscillator", plane="xy", gravity=[0, 0])
    model.parameters(stiffness="100 N/m")
    model.body("mass", mass=1, inertia=1, position=[0.1, 0])
    model.joint("rail", type="prismatic", bodies=["ground", "mass"], at=[0, 0], axis=[1, 0])
    model.force("spring", type="spring", bodies=["ground", "mass"], ends=[[-1, 0], [0.1, 0]], stiffness="=stiffness",
                free_length=1)
    model.solver(end=1, tolerance=1e-10)
    return model
