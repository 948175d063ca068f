# The speed at which the valve of examples/cam_valve.toml leaves its cam, by bisection, beside the formula.
import math

import carom

model = carom.load("examples/cam_valve.toml")


def flies(speed):
    result = model.run(parameters={"speed": speed})
    return result["contact:lift.gap"].max() > 1e-7  # m


low, high = 400.0, 900.0  # rad/s
while high - low > 0.5:
    middle = 0.5 * (low + high)
    low, high = (low, middle) if flies(middle) else (middle, high)

# At the top of its lift h the valve needs m h ω²/2 downwards; the spring gives F₀ + k h.
mass, lift, stiffness, preload = 0.1, 8e-3, 20e3, 20.0
by_hand = math.sqrt((preload + stiffness * lift) / (0.5 * mass * lift))
print(f"the valve leaves its cam above {high:.0f} rad/s; by hand {by_hand:.0f} rad/s")
