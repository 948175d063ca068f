"""A follower on a guide whose pin runs in a circular groove about a point beside the shaft of a disc, driven evenly."""
import numpy as np

from common import check_rates, write_reference

speed, radius, offset, mass, gravity = 20.0, 0.05, 0.02, 0.4, 9.81


def height(t):
    a = speed * t
    return offset * np.sin(a) + np.sqrt(radius**2 - (offset * np.cos(a)) ** 2)


def rate(t):
    a = speed * t
    root = np.sqrt(radius**2 - (offset * np.cos(a)) ** 2)
    return speed * (offset * np.cos(a) + offset**2 * np.sin(a) * np.cos(a) / root)


def acceleration(t):
    a = speed * t
    root = np.sqrt(radius**2 - (offset * np.cos(a)) ** 2)
    slope = offset**2 * np.sin(a) * np.cos(a) / root
    return speed**2 * (-offset * np.sin(a) + offset**2 * np.cos(2 * a) / root - slope**2 / root)


def main():
    times = np.arange(0, 201) * 2e-3
    check_rates("speed", height, rate, times, 1e-4)
    check_rates("acceleration", rate, acceleration, times, 1e-4)
    y, vy, ay = height(times), rate(times), acceleration(times)
    torque = mass * (ay + gravity) * vy / speed
    write_reference("eccentric_groove", "closed form (tools/references/eccentric_groove.py)", times,
                    {"body:follower.y": y, "body:follower.vy": vy, "body:follower.ay": ay, "motion:drive.force": torque,
                     "motion:drive.power": torque * speed})


if __name__ == "__main__":
    main()
