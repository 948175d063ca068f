"""Stiff flyball governor in three coordinates: spin psi, slider height s, rod angle alpha below the horizontal.

Both rods move alike by symmetry. The moment of momentum about the shaft is conserved and gives the spin rate; the other
two equations are integrated with an implicit method because the damper makes them stiff.
"""
import numpy as np
from scipy.integrate import solve_ivp

from common import check, write_reference

G, RHO, BALL = 9.81, 3000.0, 5.0
LENGTH, WIDTH, CUBE, OFFSET = 1.0, 0.01, 0.1, 0.05
K, C, FREE = 8e5, 4e4, 0.5
S0, ALPHA0, SPIN0 = 0.5, np.radians(30), 2 * np.pi

rod = RHO * LENGTH * WIDTH**2
base = RHO * CUBE**3
rod_axial = rod * WIDTH**2 / 6
rod_cross = rod * (LENGTH**2 + WIDTH**2) / 12
shaft_axial = rod_axial
base_axial = base * CUBE**2 / 6
swing = rod_cross + rod * (LENGTH / 2) ** 2 + BALL * LENGTH**2       # one rod and ball about the hinge


def inertia(a):
    """Moment of inertia about the shaft and its derivative by alpha."""
    c, s = np.cos(a), np.sin(a)
    value = shaft_axial + base_axial + 2 * (rod_axial * s**2 + rod_cross * c**2
            + rod * (OFFSET + LENGTH / 2 * c) ** 2 + BALL * (OFFSET + LENGTH * c) ** 2)
    slope = 2 * (2 * (rod_axial - rod_cross) * s * c - rod * 2 * (OFFSET + LENGTH / 2 * c) * LENGTH / 2 * s
                 - BALL * 2 * (OFFSET + LENGTH * c) * LENGTH * s)
    return value, slope


MOMENTUM = inertia(ALPHA0)[0] * SPIN0


def spring(s, a, ds, da):
    """Length of a spring, its gradient by (s, alpha), its rate and tension."""
    x, y = LENGTH / 2 * np.cos(a), LENGTH - LENGTH / 2 * np.sin(a) - s
    length = np.hypot(x, y)
    by_s = -y / length
    by_a = (-x * LENGTH / 2 * np.sin(a) - y * LENGTH / 2 * np.cos(a)) / length
    rate = by_s * ds + by_a * da
    return length, by_s, by_a, rate, K * (length - FREE) + C * rate


def right_hand_side(t, y):
    s, a, ds, da, psi, lost = y
    J, slope = inertia(a)
    spin = MOMENTUM / J
    _, by_s, by_a, rate, tension = spring(s, a, ds, da)
    dds = (-2 * tension * by_s - base * G) / base
    weight = (rod * LENGTH / 2 + BALL * LENGTH) * G * np.cos(a)      # of one rod, pulls alpha up
    dda = (0.5 * slope * spin**2 + 2 * weight - 2 * tension * by_a) / (2 * swing)
    return [ds, da, dds, dda, spin, 2 * C * rate**2]


def energies(y):
    s, a, ds, da, psi, lost = y
    J, _ = inertia(a)
    kinetic = 0.5 * J * (MOMENTUM / J) ** 2 + 0.5 * base * ds**2 + swing * da**2
    length = spring(s, a, ds, da)[0]
    y_rod, y_ball = LENGTH - LENGTH / 2 * np.sin(a), LENGTH - LENGTH * np.sin(a)
    potential = K * (length - FREE) ** 2 + G * (base * s + 2 * rod * y_rod + 2 * BALL * y_ball + rod * LENGTH / 2)
    return kinetic, potential


# The virtual-work equations above against a difference of the energies: power balance at an arbitrary state.
y = np.array([0.47, 0.41, 0.3, -0.7, 0.0, 0.0])
h = 1e-6
rate = np.array(right_hand_side(0, y))
power = (sum(energies(y + h * rate)) - sum(energies(y - h * rate))) / (2 * h)
check("power balance at an arbitrary state", (power + rate[5]) / rate[5], 1e-6)

np.seterr(over="ignore")    # the integrator widens its differencing step for the two states that nothing depends on
t = np.linspace(0, 10, 201)
start = [S0, ALPHA0, 0.0, 0.0, 0.0, 0.0]
run = solve_ivp(right_hand_side, (0, 10), start, method="Radau", rtol=1e-11, atol=1e-12, t_eval=t)
s, a, ds, da, psi, lost = run.y
kinetic, potential = energies(run.y)
balance = kinetic + potential + lost
check("energy and dissipation", (balance - balance[0]) / max(kinetic), 1e-9)
again = solve_ivp(right_hand_side, (0, 10), start, method="Radau", rtol=1e-9, atol=1e-10, t_eval=t)
check("a run with a hundredfold tolerance, s and alpha", again.y[:2] - run.y[:2], 1e-7)
check("a run with a hundredfold tolerance, turned angle", again.y[4] - run.y[4], 1e-5)
print(f"  s between {s.min():.5f} and {s.max():.5f}, alpha between {np.degrees(a.min()):.2f} and {np.degrees(a.max()):.2f} deg")

J = inertia(a)[0]
spin = MOMENTUM / J
arm = OFFSET + LENGTH * (rod / 2 + BALL) / (rod + BALL) * np.cos(a)   # radius of the mass centre of rod and ball
arm_y = LENGTH - LENGTH * (rod / 2 + BALL) / (rod + BALL) * np.sin(a)
write_reference("flyball_governor", "minimal coordinates, implicit Runge-Kutta to 1e-11 (tools/references/flyball_governor.py)", t, {
    "body:slider.y": s, "body:slider.vy": ds, "body:slider.wy": spin,
    "body:shaft.wy": spin,
    "body:rod1.x": arm * np.cos(psi), "body:rod1.y": arm_y, "body:rod1.z": -arm * np.sin(psi),
    "body:rod2.x": -arm * np.cos(psi), "body:rod2.y": arm_y, "body:rod2.z": arm * np.sin(psi),
    "joint:guide.translation": s - S0,
    "energy.kinetic": kinetic, "energy.dissipated": lost})
