"""Force times distance slid in the wrist pin of a slider-crank without play: closed-form kinematics, free-body diagrams, and the
midpoint rule over a turn. Plain Python. Prints its own checks: the rate of the rod by differences, the power of the drive
over a turn, which is zero, and the integral with half the points."""
from math import asin, cos, hypot, pi, sin

r, l, w, g = 0.05, 0.12, 5000 * pi / 30, 9.81
m3, i3, m4 = 0.21, 2.5e-4, 0.14
journal = 0.01 - 0.025e-3  # m, radius of the journal, on which the bearing slides


def rod(t):
    return asin(-r * sin(w * t) / l)


def force_and_rate(t):
    th, ps = w * t, rod(t)
    dps = -r * cos(th) * w / (l * cos(ps))
    ddps = (r * sin(th) * w**2 + l * sin(ps) * dps**2) / (l * cos(ps))
    ddx = -r * cos(th) * w**2 - l * (cos(ps) * dps**2 + sin(ps) * ddps)
    ax3 = -r * cos(th) * w**2 - l / 2 * (cos(ps) * dps**2 + sin(ps) * ddps)
    ay3 = -r * sin(th) * w**2 + l / 2 * (-sin(ps) * dps**2 + cos(ps) * ddps)
    bx = m4 * ddx  # on the slider, whose guide is smooth
    ax = m3 * ax3 + bx  # on the rod, at the crank pin; there ay = m3 (ay3 + g) + by
    lx, ly = l / 2 * cos(ps), l / 2 * sin(ps)
    # About the mass centre of the rod: i3 ddps = -lx ay + ly ax - lx by + ly bx.
    by = (ly * (ax + bx) - lx * m3 * (ay3 + g) - i3 * ddps) / (2 * lx)
    ay = m3 * (ay3 + g) + by
    moment = r * cos(th) * ay - r * sin(th) * ax  # of the drive, without the weight of the crank
    return hypot(bx, by), dps, moment


def turn(count):
    values = [force_and_rate((k + 0.5) / count * 2 * pi / w) for k in range(count)]
    slid = sum(f * abs(rate) for f, rate, _ in values) / count * journal * 2 * pi / w
    work = sum(moment for *_, moment in values) / count * 2 * pi
    return slid, work, max(f for f, *_ in values)


for t in (1e-4, 2e-3, 7e-3):
    h = 1e-8
    assert abs((rod(t + h) - rod(t - h)) / (2 * h) - force_and_rate(t)[1]) < 1e-4
coarse, fine = turn(20000), turn(40000)
assert abs(fine[0] - coarse[0]) < 1e-7 * fine[0] and abs(fine[1]) < 1e-9
print(f"  {fine[0]:.7g} N m in a turn, {2 * fine[0]:.7g} N m in two; largest force {fine[2]:.6g} N")
