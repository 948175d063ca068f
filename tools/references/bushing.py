"""Body on a bushing at its mass centre: six uncoupled damped oscillators (the rotations for small angles)."""
import numpy as np

from common import check_rates, write_reference

MASS, INERTIA = 2.0, np.array([0.02, 0.03, 0.04])
K, C = np.array([2000.0, 3000.0, 5000.0]), np.array([4.0, 6.0, 8.0])
KR, CR = np.array([25.0, 50.0, 120.0]), np.array([0.02, 0.03, 0.05])
V0, W0 = np.array([0.1, 0.2, -0.3]), np.array([1e-4, 2e-4, -1e-4])


def started(t, v0, m, k, c):
    """Displacement and rate of m x'' + c x' + k x = 0 from x = 0, x' = v0."""
    w, z = np.sqrt(k / m), c / (2 * np.sqrt(k * m))
    wd = w * np.sqrt(1 - z**2)
    e = np.exp(-z * w * t)
    return v0 / wd * e * np.sin(wd * t), v0 * e * (np.cos(wd * t) - z * w / wd * np.sin(wd * t))


t = np.linspace(0, 1, 201)
columns = {}
for i, axis in enumerate("xyz"):
    x, v = started(t, V0[i], MASS, K[i], C[i])
    check_rates(f"translation {axis}", lambda s: started(s, V0[i], MASS, K[i], C[i])[0], lambda s: started(s, V0[i], MASS, K[i], C[i])[1], t)
    columns[f"body:block.{axis}"] = x
    columns[f"body:block.v{axis}"] = v
for i, axis in enumerate("xyz"):
    a, w = started(t, W0[i], INERTIA[i], KR[i], CR[i])
    check_rates(f"rotation {axis}", lambda s: started(s, W0[i], INERTIA[i], KR[i], CR[i])[0], lambda s: started(s, W0[i], INERTIA[i], KR[i], CR[i])[1], t)
    columns[f"body:block.w{axis}"] = w
    columns[f"body:block.q{axis}"] = a / 2
write_reference("bushing", "closed form, six damped oscillators (tools/references/bushing.py)", t, columns)
modes = [(np.sqrt(k / m) / 2 / np.pi, c / (2 * np.sqrt(k * m))) for m, k, c in
         [*zip([MASS] * 3, K, C), *zip(INERTIA, KR, CR)]]
for n, (f, z) in enumerate(sorted(modes), 1):
    print(f"  mode {n}: {f:.15g} Hz, damping ratio {z:.15g}")
