"""Forces, laws, drives and controls in Python."""

import math

import carom
import numpy
import pytest

names = iter(range(10_000))


def fresh(kind):
    """Parts stay until the program ends: each test has names of its own."""
    return f"{kind}-{next(names)}"


def test_a_spring_in_python_is_the_spring(oscillator):
    name = fresh("spring")

    @carom.force(name, units={"stiffness": "N/m", "length": "m"})
    def spring(t, position, velocity, axes, angular_velocity, *, stiffness, length=1.0):
        """A spring."""
        way = position[1] - position[0]
        distance = math.sqrt(way @ way)
        return -stiffness * (distance - length) / distance * way

    model = carom.Model("Oscillator", plane="xy", gravity=[0, 0])
    model.body("mass", mass=1, inertia=1, position=[0.1, 0])
    model.joint("rail", type="prismatic", bodies=["ground", "mass"], at=[0, 0], axis=[1, 0])
    model.force("own", type=name, bodies=["ground", "mass"], ends=[[-1, 0], [0.1, 0]], stiffness="100 N/m")
    model.solver(end=1, tolerance=1e-10)
    carom.callback_costs()
    result = model.run()
    assert numpy.allclose(result["body:mass.x"], 0.1 * numpy.cos(10 * result.time), atol=1e-7)
    (cost,) = carom.callback_costs()
    assert cost.part == f"force `{name}`" and cost.calls > 100 and cost.microseconds_per_call > 0
    with pytest.raises(carom.InputError, match="stiffness"):
        broken = model.copy()
        broken.force("own", stiffness="5 kg")
        broken.run()


def test_action_is_reaction(falling):
    """Two free bodies under a skew force and torque keep their momentum and spin."""
    name = fresh("skew")

    @carom.force(name)
    def skew(t, position, velocity, axes, angular_velocity):
        return (1.0, 2.0, 0.0), (0.0, 0.0, 0.5)

    model = carom.Model("Pair", plane="xy", gravity=[0, 0])
    model.body("a", mass=1, inertia=0.5)
    model.body("b", mass=2, inertia=1.5, position=[1, 0.3])
    model.force("f", type=name, bodies=["a", "b"], points=[[0, 0.1], [0.2, 0]])
    model.solver(end=0.5)
    last = {each: values[-1] for each, values in ((q, model.run()[q]) for q in
            [f"body:{b}.{c}" for b in "ab" for c in ("x", "y", "vx", "vy", "omega")])}
    for axis in ("vx", "vy"):
        assert last[f"body:a.{axis}"] + 2 * last[f"body:b.{axis}"] == pytest.approx(0, abs=1e-8)
    spin = sum(m * (last[f"body:{b}.x"] * last[f"body:{b}.vy"] - last[f"body:{b}.y"] * last[f"body:{b}.vx"]) + j * last[f"body:{b}.omega"]
               for b, m, j in (("a", 1, 0.5), ("b", 2, 1.5)))
    assert spin == pytest.approx(0, abs=1e-7)


def test_a_contact_law_in_python_keeps_the_energy(bouncing):
    name = fresh("elastic")

    @carom.contact_law(name, units={"modulus": "N/m"})
    def elastic(penetration, rate, impact_speed, deepest, *, modulus=1e5):
        return modulus * penetration, modulus * penetration, 0.5 * modulus * penetration**2

    del bouncing._tree["contact"]["rubber"]
    bouncing.contact("rubber", law=name, elastic="linear", stiffness=1e5)
    result = bouncing.run()
    assert result.summary.largest_residual < 1e-6 * result.summary.largest_energy
    late = result["body:ball.y"][result.time > 0.4]
    assert late.max() == pytest.approx(0.5, abs=1e-5)


def test_friction_and_drives_in_python():
    friction, swing = fresh("friction"), fresh("swing")

    @carom.friction_law(friction)
    def coefficient(slip_speed, normal_force, *, top=0.2):
        return top * min(1.0, slip_speed / 1e-4)

    @carom.drive(swing)
    def moved(t, *, amplitude=0.1):
        return amplitude * math.sin(t), amplitude * math.cos(t), -amplitude * math.sin(t)

    model = carom.Model("Driven", plane="xy", gravity=[0, 0])
    model.body("mass", mass=1, inertia=1)
    model.joint("rail", type="prismatic", bodies=["ground", "mass"], at=[0, 0], axis=[1, 0])
    model.motion("drive", joint="rail", position={"drive": swing, "amplitude": 0.3})
    model.solver(end=1)
    result = model.run()
    assert numpy.allclose(result["body:mass.x"], 0.3 * numpy.sin(result.time), atol=1e-7)

    slide = carom.Model("Slide", plane="xy", gravity=[0, -10])
    slide.body("box", mass=1, inertia=1, position=[0, 0.1], velocity=[1, 0]).geometry(shape="sphere", radius=0.1)
    slide.joint("upright", type="prismatic", bodies=["ground", "box"], at=[0, 0.1], axis=[1, 0])
    assert friction in [each.name for each in carom.friction_law_types()]


def test_a_controller_in_python_is_its_recursion():
    name = fresh("pi")

    @carom.controller(name, inputs=["position", "target"], memory=1)
    def pi_control(t, inputs, memory):
        """Proportional and integral."""
        error = inputs[1] - inputs[0]
        memory[0] += error
        return 4 * error + 0.5 * memory[0]

    model = carom.Model("Cart", plane="xy", gravity=[0, 0])
    model.body("cart", mass=1, inertia=1)
    model.joint("rail", type="prismatic", bodies=["ground", "cart"], at=[0, 0], axis=[1, 0])
    model.signal("place", of="joint:rail.translation")
    model.signal("push", type=name, position="=place", target=1, period=0.1, unit="N")
    model.force("motor", type="force", body="cart", force=["=push", 0])
    model.solver(end=1, tolerance=1e-10)
    result = model.run()
    x = v = total = 0.0
    for k in range(10):
        total += 1 - x
        push = 4 * (1 - x) + 0.5 * total
        x, v = x + 0.1 * v + 0.005 * push, v + 0.1 * push
    assert result["body:cart.x"][-1] == pytest.approx(x, rel=1e-9)
    simulation = carom.Simulation(model)
    simulation.advance(0.35)
    kept = simulation.snapshot()
    simulation.advance(0.4)
    there = simulation["body:cart.x"]
    simulation.restore(kept)
    simulation.advance(0.4)
    assert simulation["body:cart.x"] == there
    with pytest.raises(ValueError, match="already"):
        carom.controller(name)(pi_control.__class__ and (lambda t, inputs, memory: 0.0))


@pytest.mark.parametrize("wrong", [lambda: 1 / 0, lambda: "text", lambda: (1.0, 2.0), lambda: None, lambda: (math.nan, 0.0, 0.0), lambda: [[1, 2, 3]] * 3])
def test_functions_that_fail_end_the_run_with_their_name(wrong):
    name = fresh("wrong")
    carom.force(name)(lambda t, position, velocity, axes, angular_velocity: wrong())
    model = carom.Model("Wrong", plane="xy", gravity=[0, 0])
    model.body("a", mass=1, inertia=1)
    model.force("f", type=name, bodies=["ground", "a"], ends=[[0, 0], [0, 0]])
    model.solver(end=1)
    with pytest.raises(carom.Error, match=name):
        model.run()


def test_parts_that_cannot_be_are_refused():
    with pytest.raises(TypeError, match="5"):
        carom.force(fresh("few"))(lambda t: 0)
    with pytest.raises(TypeError, match="strength"):
        carom.force(fresh("units"), units={"strength": "N"})(lambda t, p, v, a, w: 0)
    with pytest.raises(carom.InputError):
        carom.force("spring")(lambda t, p, v, a, w: (0, 0, 0))
    with pytest.raises(carom.InputError):
        carom.force("Not a name!")(lambda t, p, v, a, w: (0, 0, 0))


def springs_between(count, kind, **keys):
    """A row of masses with springs between them, the first tied to the ground."""
    model = carom.Model("Row", plane="xy", gravity=[0, -1])
    for k in range(count):
        model.body(f"m{k}", mass=1 + 0.1 * k, inertia=0.5, position=[1.0 + k, 0.05 * (-1) ** k], orientation=0.1 * k, velocity=[0.1, 0.2 * k])
        before = "ground" if k == 0 else f"m{k - 1}"
        points = [[0, 0] if k == 0 else [0.1, 0.05], [-0.1, 0.02]]
        model.force(f"s{k}", type=kind, bodies=[before, f"m{k}"], points=points, stiffness=f"{50 + k} N/m", **keys)
    model.solver(end=0.3, tolerance=1e-9)
    return model


def own_springs():
    """The same law for each element and for all at once: a spring, a damper and a torque."""
    scalar, vector = fresh("spring"), fresh("springs")

    @carom.force(scalar, units={"stiffness": "N/m"})
    def one(t, position, velocity, axes, angular_velocity, *, stiffness, damping=0.3):
        force = -stiffness * (position[1] - position[0]) - damping * (velocity[1] - velocity[0])
        return force, -0.05 * (angular_velocity[1] - angular_velocity[0]) + 0.01 * axes[1, :, 0]

    @carom.force(vector, units={"stiffness": "N/m"}, vectorised=True)
    def many(t, position, velocity, axes, angular_velocity, *, stiffness, damping=0.3):
        assert position.shape == velocity.shape == angular_velocity.shape == (len(stiffness), 2, 3)
        force = -stiffness[:, None] * (position[:, 1] - position[:, 0]) - damping[:, None] * (velocity[:, 1] - velocity[:, 0])
        return force, -0.05 * (angular_velocity[:, 1] - angular_velocity[:, 0]) + 0.01 * axes[:, 1, :, 0]

    return scalar, vector


def moved(result):
    return numpy.array([result[name][-1] for name in result.quantities if name.startswith("body:")])


@pytest.mark.parametrize("solver", [{}, {"method": "nonsmooth", "step": "1 ms"}, *({"integrator": each.name} for each in carom.integrator_types())])
def test_vectorised_forces_move_the_model_as_scalar_ones_do(solver):
    scalar, vector = own_springs()
    results = []
    for kind in (scalar, vector):
        model = springs_between(4, kind)
        model.solver(**solver)
        results.append(model.run())
    assert moved(results[1]) == pytest.approx(moved(results[0]), rel=1e-9, abs=1e-9)
    assert results[1].summary.steps == results[0].summary.steps


def test_vectorised_forces_in_space_move_as_scalar_ones_do():
    scalar, vector = own_springs()
    found = []
    for kind in (scalar, vector):
        model = carom.Model("Two", gravity=[0, 0, 0])
        for k, name in enumerate("ab"):
            model.body(name, mass=1, inertia=[0.1, 0.2, 0.3], position=[k, 0, 0], angular_velocity=[0.3, 0.2 * k, 1])
        model.force("one", type=kind, bodies=["a", "b"], points=[[0.2, 0.1, 0], [0, 0, 0.3]], stiffness=20)
        model.force("two", type=kind, bodies=["ground", "b"], points=[[0, 0, 0], [0, 0.1, 0]], stiffness=10)
        for integrator in ("rk", "bdf", "generalized-alpha"):
            model.solver(end=0.5, tolerance=1e-9, integrator=integrator)
            found.append(moved(model.run()))
    for one, other in zip(found[:3], found[3:]):
        assert other == pytest.approx(one, rel=1e-8, abs=1e-8)


def test_a_vectorised_force_is_called_once_for_all_its_elements():
    scalar, vector = own_springs()
    carom.callback_costs()
    for kind in (scalar, vector):
        springs_between(20, kind).run()
    costs = {cost.part: cost for cost in carom.callback_costs()}
    one, many = costs[f"force `{scalar}`"], costs[f"force `{vector}`"]
    assert one.elements == one.calls and many.elements == 20 * many.calls
    assert many.calls < one.calls / 15
    assert many.microseconds_per_element < many.microseconds_per_call


def test_snapshots_and_parameters_with_vectorised_forces():
    _, vector = own_springs()
    model = springs_between(3, vector)
    model.parameters(hardness="80 N/m")
    model.force("s1", stiffness="=hardness")
    simulation = carom.Simulation(model)
    simulation.advance(0.1)
    kept = simulation.snapshot()
    simulation.advance(0.1)
    there = simulation.positions.tobytes()
    simulation.restore(kept)
    simulation.advance(0.1)
    assert simulation.positions.tobytes() == there
    simulation.restore(kept)
    simulation.set_parameter("hardness", "800 N/m")
    simulation.advance(0.1)
    assert simulation.positions.tobytes() != there


@pytest.mark.parametrize("wrong, said", [
    (lambda n: numpy.zeros(3), "shape"), (lambda n: numpy.zeros((n + 1, 3)), "shape"), (lambda n: None, "shape"), (lambda n: 1 / 0, "ZeroDivisionError"),
    (lambda n: (numpy.zeros((n, 3)), numpy.zeros((n, 2))), "shape"), (lambda n: numpy.full((n, 3), numpy.nan), "finite"), (lambda n: "text", "shape")])
def test_vectorised_functions_that_fail_end_the_run_with_their_name(wrong, said):
    name = fresh("wrong")
    carom.force(name, vectorised=True)(lambda t, position, velocity, axes, angular_velocity: wrong(len(position)))
    model = carom.Model("Wrong", plane="xy", gravity=[0, 0])
    for k in range(3):
        model.body(f"b{k}", mass=1, inertia=1)
        model.force(f"f{k}", type=name, bodies=["ground", f"b{k}"], ends=[[0, 0], [0, 0]])
    model.solver(end=1)
    with pytest.raises(carom.Error, match=said) as raised:
        model.run()
    assert name in str(raised.value)


@pytest.mark.parametrize("vectorised", [False, True])
def test_arrays_that_a_function_keeps_outlive_the_run(vectorised):
    name, kept = fresh("keeper"), []

    @carom.force(name, vectorised=vectorised)
    def keeper(t, position, velocity, axes, angular_velocity):
        kept.append((position, axes))
        return numpy.zeros((len(position), 3)) if vectorised else (0.0, 0.0, 0.0)

    model = carom.Model("Kept", plane="xy", gravity=[0, -10])
    model.body("a", mass=1, inertia=1, position=[3, 0])
    model.force("f", type=name, bodies=["ground", "a"], ends=[[0, 0], [3, 0]])
    model.solver(end=0.1)
    model.run()
    del model
    position, axes = kept[0]
    assert numpy.isfinite(position).all() and position.reshape(-1, 2, 3)[0, 1, 0] == pytest.approx(3)
    assert numpy.isfinite(axes).all()
