"""Ball that bounces with a constant restitution through infinitely many impacts to rest. Closed form."""
from math import sqrt

from plain import check, grid, write_table

mass, radius, gravity, drop, interval = 1, 0.1, 9.81, 0.9, 0.01
first = sqrt(2 * drop / gravity)


def motion(t, e):
    """Height of the ball above the floor and its velocity."""
    if t < first:
        return drop - gravity * t * t / 2, -gravity * t
    rest = first * (1 + e) / (1 - e)
    if t >= rest:
        return 0.0, 0.0
    begin, speed = first, e * gravity * first
    while t >= begin + 2 * speed / gravity:
        begin, speed = begin + 2 * speed / gravity, e * speed
    s = t - begin
    return speed * s - gravity * s * s / 2, speed - gravity * s


for e in (0.8, 0.5):
    rest = first * (1 + e) / (1 - e)
    count, begin, speed = 1, first, e * gravity * first
    while 2 * speed / gravity > 1e-3:
        count, begin, speed = count + 1, begin + 2 * speed / gravity, e * speed
    print(f"e = {e}: first impact {first:.5f} s with {gravity * first:.5f} m/s, rest at {rest:.5f} s; {count} impacts until flights last less than 1 ms")
    check("accumulation", begin + 2 * speed / gravity / (1 - e) - rest, 1e-12)
    # Heights do not jump and are compared at all samples.
    write_table("bouncing_to_rest", f"reference_{e}.csv", "closed form (tools/references/bouncing_to_rest.py)", ["time", "body:ball.y"],
                [[t, radius + motion(t, e)[0]] for t in grid(interval, 6)])
    # From a tenth of a second after the last impact on nothing moves any more and the floor carries the weight.
    write_table("bouncing_to_rest", f"at_rest_{e}.csv", "closed form (tools/references/bouncing_to_rest.py)",
                ["time", "body:ball.y", "body:ball.vy", "contact:floor.touching", "contact:floor.closed_force", "contact:floor.normal_impulse"],
                [[t, radius, 0, 1, mass * gravity, mass * gravity * 1e-3] for t in grid(1e-3, 6) if t > rest + 0.1])
