"""Newton's cradle without strings: rows of 5, 20 and 100 touching balls, hit by one. Writes the model too, which is long.

Reference: collisions of pairs, one at a time, the first approaching pair of the row first, until none approaches.
"""
from plain import CASES, check, write_table

rows = {"a": 5, "b": 20, "c": 100}


def collide(balls, e):
    """Velocities after a unit speed has hit a row of touching balls; pairs one after the other."""
    v = [1.0] + [0.0] * (balls - 1)
    count = 0
    while True:
        first = next((i for i in range(balls - 1) if v[i] - v[i + 1] > 1e-13), None)
        if first is None:
            return v, count
        change = (1 + e) / 2 * (v[first] - v[first + 1])
        v[first] -= change
        v[first + 1] += change
        count += 1


def clusters(balls, e):
    """The same with all pairs that approach in one go; returns whether two of them were ever neighbours."""
    v = [1.0] + [0.0] * (balls - 1)
    while True:
        hit = [i for i in range(balls - 1) if v[i] - v[i + 1] > 1e-13]
        if not hit:
            return False
        if any(b == a + 1 for a, b in zip(hit, hit[1:])):
            return True
        for i in hit:
            change = (1 + e) / 2 * (v[i] - v[i + 1])
            v[i] -= change
            v[i + 1] += change


model = ["[model]", 'name = "Rows of balls"']
for k, (row, balls) in enumerate(rows.items()):
    for i in range(balls):
        # Exact in binary, so that neighbours touch; the first ball starts a quarter of a metre away.
        x = 0.125 * i if i else -0.25
        model += ["", "[[body]]", f'name = "{row}{i + 1}"', "mass = 0.5", "inertia = [1e-3, 1e-3, 1e-3]", f"position = [{x:g}, {k}, 0]", f"velocity = [{1 if i == 0 else 0}, 0, 0]",
                  "[[body.geometry]]", 'name = "skin"', 'shape = "sphere"', "radius = 0.0625"]
model += ["", "[contact.balls]", "restitution = 1", "friction = 0", "", "[[pair]]", 'name = "balls"', 'bodies = ["*", "*"]', 'contact = "balls"', "",
          "[solver]", 'method = "nonsmooth"', 'end = "0.5 s"', "step = 1e-2", "", "[output]", 'every = "0.01 s"', 'record = ["body:*.x", "body:*.vx", "contact:*", "energy"]']
(CASES / "row_of_balls").mkdir(exist_ok=True)
(CASES / "row_of_balls" / "model.toml").write_text("\n".join(model) + "\n")

for name, e, which in (("1", 1, "abc"), ("0.9", 0.9, "ab"), ("0.99", 0.99, "abc")):
    header, end = ["time"], []
    for row in which:
        v, count = collide(rows[row], e)
        header += [f"body:{row}{i + 1}.vx" for i in range(rows[row])]
        end += v
        print(f"e = {e}: {rows[row]} balls, {count} collisions, first {v[0]:.6f}, last {v[-1]:.6f}, neighbouring pairs at once: {clusters(rows[row], e)}")
        check("momentum", sum(v) - 1, 1e-12)
        check("last ball", v[-1] - ((1 + e) / 2) ** (rows[row] - 1), 1e-12)
    start = [1.0 if q.endswith("1.vx") and q[6:-3] == "1" else 0.0 for q in header[1:]]
    # The first ball travels 0.25 m and touches a quarter of a second after the start.
    write_table("row_of_balls", f"reference_{name}.csv", "collisions of pairs, one after the other (tools/references/row_of_balls.py)", header,
                [[0.1, *start], [0.24, *start], *([t, *end] for t in (0.27, 0.3, 0.4, 0.5))])
