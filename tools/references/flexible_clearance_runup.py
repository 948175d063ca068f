"""Slider-crank that is brought to speed smoothly, with rigid links and an ideal pin: force in the pin times distance slid, stroke and end. Plain Python.

Angles by the closed form of the mechanism, accelerations by differences, forces by free-body diagrams, and the trapezoidal rule over the run. Prints the
values of `flexible_clearance_runup` and its own checks: force by forces of inertia at constant speed, the integral with half the points, the last angle."""
from math import asin, cos, hypot, pi, sin

from plain import check

r, l, speed, ramp, end = 0.05, 0.12, 500 * pi / 3, 0.024, 0.048
rod, slider, bearing = 7850 * 2.2293e-4 * 0.12, 0.14, 0.01
inertia = rod * l * l / 12


def angle(t):
    """Integral of the fifth-order step from 0 to `speed` within `ramp`."""
    x = min(t / ramp, 1)
    return speed * (ramp * (2.5 * x**4 - 3 * x**5 + x**6) + max(t - ramp, 0))


tilt = lambda t: asin(-r * sin(angle(t)) / l)
place = lambda t: r * cos(angle(t)) + l * cos(tilt(t))
middle = lambda t: (r * cos(angle(t)) + l / 2 * cos(tilt(t)), r * sin(angle(t)) + l / 2 * sin(tilt(t)))


def second(f, t, h=4e-6):
    return (-f(t + 2 * h) + 16 * f(t + h) - 30 * f(t) + 16 * f(t - h) - f(t - 2 * h)) / (12 * h * h)


def first(f, t, h=4e-6):
    return (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h)


def force_and_slip(t):
    b = tilt(t)
    bx = slider * second(place, t)  # on the slider
    ax = rod * second(lambda s: middle(s)[0], t) + bx  # on the rod, at the crank pin
    lx, ly = l / 2 * cos(b), l / 2 * sin(b)
    by = (ly * (ax + bx) - lx * rod * second(lambda s: middle(s)[1], t) - inertia * second(tilt, t)) / (2 * lx)
    return hypot(bx, by), abs(first(tilt, t)) * bearing


def slid(count):
    values = [f * v for f, v in (force_and_slip(end * k / count) for k in range(count + 1))]
    return end / count * (sum(values) - (values[0] + values[-1]) / 2)


fine = slid(8000)
check("half the points", slid(4000) / fine - 1, 1e-4)
check("three turns", angle(end) / (6 * pi) - 1, 1e-12)
check("largest force, r speed² (1 + r/l) times the mass of the slider", force_and_slip(ramp * 1.5)[0] / (slider * r * speed**2 * (1 + r / l)) - 1, 1e-4)
print(f"  force times distance slid {fine:.5f} N m; the slider ends at {place(end):.6f} m, its stroke begins at {r * cos(pi) + l:.6f} m")
