"""Solvers of contact problems on the files of a folder: Carom's beside those of Siconos.

    python3 benchmarks/problem_report.py problem_carom FOLDER [--limit SECONDS] [--figure FILE] [--json FILE]

Every solver gets every problem of the folder (FCLIB layout, local or global), to 1e-4 and to 1e-8 of the natural map, from zero impulses.
What it returns is judged here, by code that shares nothing with any of them. Siconos' solvers stop by an error of their own: a run that
the natural map does not accept is done again with a tolerance 10, 100 and 1000 times smaller, and the time of the first one that is
accepted counts. Times are processor times of the solution alone, the fastest of three rounds; problems are read before. Siconos gets
sparse matrices, its best form here, for problems in space, and its planar Gauss-Seidel, CPG and Lemke solvers for those in the plane.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import scipy.sparse as sparse

TOLERANCES = (1e-4, 1e-8)
CAROM = ("auto", "interior-point", "newton", "gauss-seidel", "admm")
SICONOS = ("NSGS", "ADMM", "NSN")


# ------------------------------------------------------------------------------------------------------------- problems
def matrix_of(group):
    """A matrix of FCLIB: triplets, compressed columns or compressed rows."""
    form, rows, columns = (int(np.ravel(group[key])[0]) for key in ("nz", "m", "n"))
    values, i, p = (np.ravel(group[key]) for key in ("x", "i", "p"))
    if form >= 0:
        return sparse.coo_matrix((values[:form], (i[:form], p[:form])), shape=(rows, columns)).tocsc()
    kind = sparse.csc_matrix if form == -1 else sparse.csr_matrix
    return kind((values, i, p), shape=(rows, columns)).tocsc()


def read(path):
    """W, q, µ and the dimension; a global problem without constraints is reduced."""
    with h5py.File(path) as file:
        form = file["fclib_local"] if "fclib_local" in file else file["fclib_global"]
        friction = np.ravel(form["vectors/mu"]).astype(float)
        dimension = int(np.ravel(form["spacedim"])[0])
        if "fclib_local" in file:
            return matrix_of(form["W"]).toarray(), np.ravel(form["vectors/q"]), friction, dimension
        if "G" in form:
            raise ValueError(f"{path}: equality constraints are not read here")
        mass, rows = matrix_of(form["M"]).toarray(), matrix_of(form["H"]).toarray()
        lighter = np.linalg.solve(mass, np.column_stack([rows, np.ravel(form["vectors/f"])]))
        w = rows.T @ lighter[:, :-1]
        return w, rows.T @ lighter[:, -1] + np.ravel(form["vectors/w"]), friction, dimension


def natural_map(w, q, friction, dimension, r):
    """The relative natural map of Coulomb's law, as docs/guide/contact_problems.md defines it."""
    if not np.all(np.isfinite(r)):
        return np.inf
    u = (w @ r + q).reshape(-1, dimension)
    r = r.reshape(-1, dimension)
    blocks = np.array([w[k:k + dimension, k:k + dimension] for k in range(0, len(q), dimension)])
    floor = 1e-9 * np.diag(w).max()
    normal_weight = 1 / np.maximum(blocks[:, 0, 0], floor)
    slip_weight = 1 / np.maximum(np.abs(blocks[:, 1:, 1:]).sum(axis=2).max(axis=1), floor)
    shifted = u[:, 0] + friction * np.linalg.norm(u[:, 1:], axis=1)
    a = r[:, 0] - normal_weight * shifted
    t = r[:, 1:] - slip_weight[:, None] * u[:, 1:]
    size = np.linalg.norm(t, axis=1)
    # The nearest point of the cone in the metric of the weights.
    beyond = size > friction * a
    share = (a / normal_weight + friction * size / slip_weight) / (1 / normal_weight + friction**2 / slip_weight)
    normal = np.maximum(0, np.where(beyond, share, a))
    shrink = np.where(beyond, friction * normal / np.maximum(size, 1e-300), 1)
    wrong = (r[:, 0] - normal)**2 / normal_weight + ((r[:, 1:] - shrink[:, None] * t)**2).sum(axis=1) / slip_weight
    free = q.reshape(-1, dimension)
    scale = (normal_weight * free[:, 0]**2 + slip_weight * (free[:, 1:]**2).sum(axis=1)).sum()
    return float(np.sqrt(wrong.sum() / (scale or 1)))


# -------------------------------------------------------------------------------------------------------------- Siconos
def siconos(path, name, tolerance, out):
    """One solver of Siconos on one problem: prints seconds and iterations, writes the impulses. In a process of its own."""
    import siconos.numerics as numerics
    w, q, friction, dimension = read(path)
    planar = {"NSGS": numerics.SICONOS_FRICTION_2D_NSGS, "CPG": numerics.SICONOS_FRICTION_2D_CPG,
              "Lemke": numerics.SICONOS_FRICTION_2D_LEMKE}
    spatial = {"NSGS": numerics.SICONOS_FRICTION_3D_NSGS, "ADMM": numerics.SICONOS_FRICTION_3D_ADMM,
               "NSN": numerics.SICONOS_FRICTION_3D_NSN_AC}
    solver = (planar if dimension == 2 else spatial)[name]
    driver = numerics.fc2d_driver if dimension == 2 else numerics.fc3d_driver
    form = w if dimension == 2 else sparse.csc_matrix(w)
    problem = numerics.FrictionContactProblem(dimension, len(friction), form, q, friction)

    def solve():
        options = numerics.SolverOptions(solver)
        options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000 if name == "NSN" else 10_000_000
        r, u = np.zeros(len(q)), np.zeros(len(q))
        start = time.process_time()
        driver(problem, r, u, options)
        return time.process_time() - start, options.iparam[numerics.SICONOS_IPARAM_ITER_DONE], r

    best = np.inf
    for _ in range(3):
        spent, runs = 0.0, 0
        while spent < 0.05:
            seconds, iterations, r = solve()
            spent, runs = spent + seconds, runs + 1
        best = min(best, spent / runs)
        if best > 0.5:
            break
    r.tofile(out)
    print(f"{best:.9g} {iterations}")


# --------------------------------------------------------------------------------------------------------------- report
def run(command, out, limit):
    """Seconds, iterations and impulses; None where it failed or took too long."""
    pathlib.Path(out).unlink(missing_ok=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        seconds, iterations = done.stdout.strip().splitlines()[-1].split()
        return float(seconds), int(iterations), np.fromfile(out)
    except (subprocess.SubprocessError, IndexError, ValueError, OSError):
        return None


def measure(carom, path, solver, tolerance, limit, out):
    """What a solver needs to reach the tolerance on a problem, and what it reached."""
    house, name = solver.split(" ", 1)
    w, q, friction, dimension = read(path)
    if house == "Siconos" and dimension == 2:
        name = {"NSGS": "NSGS", "ADMM": "CPG", "NSN": "Lemke"}[name]
    result = {"seconds": None, "iterations": None, "residual": None}
    for stricter in (1,) if house == "Carom" else (1, 0.1, 0.01, 0.001):
        its_own = tolerance * stricter
        command = [carom, path, name, str(its_own), out] if house == "Carom" else [
            sys.executable, __file__, "--siconos", path, name, str(its_own), out]
        got = run(command, out, limit)
        if got is None:
            return result
        residual = natural_map(w, q, friction, dimension, got[2])
        if result["residual"] is None or residual < result["residual"]:
            result["residual"] = residual
        if residual <= tolerance:
            return {"seconds": got[0], "iterations": got[1], "residual": residual}
    return result


def draw(table, names, solvers, file):
    """Performance profiles: the share of the problems that a solver solves in at most so many times the time of the fastest."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    figure, axes = plot.subplots(1, len(TOLERANCES), figsize=(11, 4.2), sharey=True)
    ratios = np.logspace(0, 4, 400)
    for axis, tolerance in zip(axes, TOLERANCES):
        for k, solver in enumerate(solvers):
            share = np.zeros_like(ratios)
            for name in names:
                times = [table[name][str(tolerance)][other]["seconds"] for other in solvers]
                own = table[name][str(tolerance)][solver]["seconds"]
                fastest = min((each for each in times if each is not None), default=None)
                if own is not None:
                    share += own <= ratios * fastest
            line = "-" if solver.startswith("Carom") else "--"
            axis.step(ratios, share / len(names), line, where="post", label=solver, color=f"C{k}")
        axis.set(xscale="log", xlabel="times the fastest solver", title=f"natural map ≤ {tolerance:g}", ylim=(0, 1.02), xlim=(1, 1e4))
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("share of the problems solved")
    axes[1].legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.savefig(file, dpi=110)


def text_of(entry):
    if entry["seconds"] is not None:
        return f"{entry['seconds'] * 1e3:.3g} ms"
    return "–" if entry["residual"] is None else f"({entry['residual']:.0e})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom")
    parser.add_argument("folder")
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time for a solver on a problem")
    parser.add_argument("--figure", help="write the performance profiles to this file")
    parser.add_argument("--json", help="write all numbers to this file")
    arguments = parser.parse_args()
    solvers = [f"Carom {each}" for each in CAROM] + [f"Siconos {each}" for each in SICONOS]
    try:
        import siconos.numerics  # noqa: F401
    except ImportError:
        print("python3-siconos is not installed: without the solvers of Siconos")
        solvers = solvers[:len(CAROM)]
    table = {}
    with tempfile.TemporaryDirectory() as folder:
        out = str(pathlib.Path(folder) / "impulses")
        for path in sorted(pathlib.Path(arguments.folder).glob("*.hdf5")):
            table[path.stem] = {str(tolerance): {solver: measure(arguments.carom, str(path), solver, tolerance, arguments.limit, out)
                                                 for solver in solvers} for tolerance in TOLERANCES}
            for tolerance in TOLERANCES:
                row = table[path.stem][str(tolerance)]
                print(f"{path.stem[:30]:30} {tolerance:g}  " + "  ".join(f"{text_of(row[each]):>11}" for each in solvers), flush=True)
    names = list(table)
    print()
    for tolerance in TOLERANCES:
        rows = [table[name][str(tolerance)] for name in names]
        for solver in solvers:
            solved = [row for row in rows if row[solver]["seconds"] is not None]
            print(f"{tolerance:g}: {solver:22} solves {len(solved)} of {len(names)}")
        peers = [min((row[each]["seconds"] for each in solvers[len(CAROM):] if row[each]["seconds"] is not None), default=np.inf) for row in rows]
        own = [row["Carom auto"]["seconds"] or np.inf for row in rows]
        near = sum(a <= 2 * b and a < np.inf for a, b in zip(own, peers))
        print(f"{tolerance:g}: Carom auto within 2 × the best solver of Siconos on {near} of {len(names)}, faster on "
              f"{sum(a < b for a, b in zip(own, peers))}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(table, indent=1) + "\n")
    if arguments.figure:
        draw(table, names, solvers, arguments.figure)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--siconos"]:
        siconos(sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5])
    else:
        main()
