"""Writes the model of `poured_spheres`: 200 spheres above a box, slightly out of order. The reference is the weight alone."""
from math import pi

from plain import CASES

radius, density, side, count = 0.05, 2500, 0.6, 200
mass = density * 4 / 3 * pi * radius**3
state = 1


def random():
    """Between -1 and 1, always the same sequence."""
    global state
    state = (1103515245 * state + 12345) % 2**31
    return state / 2**30 - 1


lines = ["# Written by tools/references/poured_spheres.py.", "[model]", 'name = "Spheres poured into a box"', "gravity = [0, 0, -9.81]", "", "[parameters]", f"mass = {mass:.12g}",
         f'inertia = "=0.4*mass*{radius}^2"', "", "[[ground.geometry]]", 'name = "floor"', 'shape = "plane"']
for name, place, axis, angle in (("right", [side / 2, 0, 0], [0, 1, 0], -90), ("left", [-side / 2, 0, 0], [0, 1, 0], 90), ("far", [0, side / 2, 0], [1, 0, 0], 90), ("near", [0, -side / 2, 0], [1, 0, 0], -90)):
    lines += ["[[ground.geometry]]", f'name = "{name}"', 'shape = "plane"', f"position = {place}", f'orientation = {{ axis = {axis}, angle = "{angle} deg" }}']
for k in range(count):
    layer, cell = divmod(k, 25)
    x, y = (cell % 5 - 2) * 0.11 + 0.004 * random(), (cell // 5 - 2) * 0.11 + 0.004 * random()
    lines += ["", "[[body]]", f'name = "s{k + 1}"', 'mass = "=mass"', 'inertia = ["=inertia", "=inertia", "=inertia"]', f"position = [{x:.6f}, {y:.6f}, {0.08 + 0.115 * layer:.6f}]",
              "[[body.geometry]]", 'name = "skin"', 'shape = "sphere"', f"radius = {radius}"]
lines += ["", "[contact.rough]", "restitution = 0", "friction = 0.5", "rolling_resistance = 0.002", "", "[contact.smooth]", "restitution = 0", "friction = 0", "",
          "[[pair]]", 'name = "spheres"', 'bodies = ["*", "*"]', 'contact = "rough"']
for name, contact in (("floor", "rough"), ("right", "smooth"), ("left", "smooth"), ("far", "smooth"), ("near", "smooth")):
    lines += ["", "[[pair]]", f'name = "{name}"', 'bodies = ["*", "ground"]', f'shapes = ["skin", "{name}"]', f'contact = "{contact}"']
lines += ["", "[solver]", 'method = "nonsmooth"', 'end = "2 s"', "step = 1e-3", "", "[output]", 'every = "0.01 s"', 'record = ["body:*.x", "body:*.y", "body:*.z", "contact:*", "energy"]']
(CASES / "poured_spheres").mkdir(exist_ok=True)
(CASES / "poured_spheres" / "model.toml").write_text("\n".join(lines) + "\n")
print(f"weight of {count} spheres: {count * mass * 9.81:.6f} N")
