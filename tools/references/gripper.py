"""Gripper that lifts a box by friction, at the limit of friction. Closed form: two pads with the force F each carry 2 mu F at the most.

The hand rises with a from t0 to t0 + T and then on with a T. The box is held if 2 mu F >= m (g + a); it slips if that is less, with the acceleration
2 mu F/m - g until it has the speed of the hand; it stays on the table if 2 mu F < m g. Accuracy: rounding.
"""
from plain import check, grid, write_table

mass, gravity, side, mu, lift, begin, duration = 1.0, 9.81, 0.06, 0.3, 1.5, 0.3, 0.2
final = lift * duration


def hand(t):
    """Rise and speed of the hand."""
    s = min(max(t - begin, 0.0), duration)
    return lift * s * s / 2 + final * max(t - begin - duration, 0.0), lift * s


def box(t, force):
    carried = 2 * mu * force / mass - gravity
    if carried >= lift:
        return hand(t)
    if carried <= 0:
        return 0.0, 0.0
    s = max(t - begin, 0.0)
    catches = final / carried  # after the begin
    way = min(s, catches)
    return carried * way**2 / 2 + final * max(s - catches, 0.0), carried * way


print(f"needed: {mass * (gravity + lift) / (2 * mu):.6f} N each")
for name, force in (("holds", 19.04), ("slips", 18.66), ("slides", 17.5), ("stays", 16.0)):
    rows = [[t, side / 2 + box(t, force)[0], box(t, force)[1]] for t in grid(0.01, 1)]
    slip = hand(1)[0] - box(1, force)[0]
    print(f"{name}: F = {force} N, carries {2 * mu * force:.4f} N of {mass * (gravity + lift):.4f} N, slips by {slip * 1e3:.6f} mm")
    check("impulse", (rows[-1][2] - rows[0][2]) - (final if name != "stays" else 0.0), 1e-12)
    write_table("gripper", f"reference_{name}.csv", "closed form (tools/references/gripper.py)", ["time", "body:box.z", "body:box.vz"], rows)
