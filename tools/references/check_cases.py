"""Check the files of all validation cases for form: keys of model and case files, quantities, sample times.

It does not run Carom. Keys are those of docs/guide/model_file.md and cases/README.md.
"""
import csv
import re
import sys
import tomllib

from plain import CASES

BODY = {"name", "mass", "inertia", "position", "orientation", "center_of_mass", "velocity", "angular_velocity", "marker", "geometry"}
GEOMETRY = {"shape", "name", "material", "radius", "size", "length", "width", "points", "closed", "position", "orientation", "color"}
CLEARANCE = {"diametric", "radial", "bearing_diameter", "bearing_radius", "length", "bearing", "materials", "contact"}
PAIR = {"name", "bodies", "shapes", "materials", "contact", "allow_initial_penetration"}
PLACED = {"bodies", "at", "points", "markers", "axis", "axes"}
JOINT = {"revolute": set(), "prismatic": set(), "cylindrical": set(), "spherical": set(), "universal": {"axis2"}, "planar": set(), "fixed": set(),
         "screw": {"pitch"}, "point-on-line": set(), "distance": {"length", "ends"}, "gear": {"joints", "ratio"}, "coupler": {"joints", "coefficients"}}
FORCE = {"spring": {"bodies", "ends", "points", "markers", "stiffness", "damping", "free_length", "preload", "force"},
         "ligament": {"bodies", "ends", "points", "markers", "stiffness", "free_length"},
         "torsion-spring": {"joint", "stiffness", "damping", "free_angle", "torque"},
         "bushing": PLACED | {"stiffness", "damping", "rotational_stiffness", "rotational_damping"},
         "force": {"body", "point", "at", "marker", "force", "axes"}, "torque": {"body", "torque", "axes"}}
MOTION = {"name", "joint", "body", "component", "position", "speed", "acceleration"}
SOLVER = {"analysis", "method", "start", "end", "integrator", "tolerance", "step", "max_step", "first_step", "rho_infinity", "constraints", "baumgarte",
          "penetration_control", "penetration_tolerance", "smallest_step", "scheme", "impacts", "contact_solver"}
CHECK = {"reference": {"quantity"}, "final": {"quantity", "value"}, "extreme": {"quantity", "which", "value"}, "constant": {"quantity", "scale"},
         "falls": {"quantity"}, "bound": {"quantity", "limit"}, "reaches": {"quantity", "limit"}, "period": {"quantity", "value"}, "residual": set(), "drift": {"limit"},
         "mode": {"number", "frequency", "damping_ratio"}, "episodes": {"contact", "table", "columns", "count"}}
EPISODE = {"variant", "number", "begin", "end", "duration", "impact_speed", "separation_speed", "restitution", "begin_penetration", "largest_penetration", "peak_force", "dissipated"}
TOUCHING = ("touching mode penetration penetration_rate impact_speed normal_force tangential_force fx fy fz px py pz eccentricity ex ey ez "
            "dissipated status gap gap_rate normal_impulse tangential_impulse closed_force ix iy iz")
CHANNELS = {"body": "x y z angle qw qx qy qz vx vy vz omega wx wy wz ax ay az alpha lx ly lz", "joint": "fx fy fz tx ty tz rotation translation",
            "motion": "force power", "force": "force torque", "pair": ""}
ENERGY = {"energy." + name for name in "kinetic potential contact total supplied dissipated residual".split()}

problems = []


def keys(case, what, found, allowed):
    for key in found:
        if key not in allowed:
            problems.append(f"{case}: {what}: unknown key {key}")


def seconds(text):
    return float(str(text).removesuffix("s"))


for folder in sorted(p for p in CASES.iterdir() if p.is_dir()):
    case = folder.name
    for name in ("model.toml", "case.toml", "README.md"):
        if not (folder / name).exists():
            problems.append(f"{case}: {name} is missing")
    model = tomllib.loads((folder / "model.toml").read_text())
    for part in model.get("include", []):
        for key, entries in tomllib.loads((folder / part).read_text()).items():
            model[key] = entries | model.get(key, {}) if isinstance(entries, dict) else entries + model.get(key, [])
    keys(case, "model file", model, {"model", "parameters", "body", "joint", "motion", "force", "solver", "output", "material", "contact", "pair", "ground", "include"})
    keys(case, "[model]", model["model"], {"name", "plane", "gravity"})
    keys(case, "[solver]", model["solver"], SOLVER)
    keys(case, "[output]", model.get("output", {}), {"every", "record"})
    size = 2 if "plane" in model["model"] else 3
    for body in model["body"]:
        keys(case, "body", body, BODY)
        for geometry in body.get("geometry", []):
            keys(case, "geometry", geometry, GEOMETRY)
        for key in ("position", "velocity", "center_of_mass"):
            if len(body.get(key, [0] * size)) != size:
                problems.append(f"{case}: body {body['name']}: {key} needs {size} components")
    for joint in model.get("joint", []):
        allowed = {"name", "type"} | JOINT[joint["type"]] | (set() if joint["type"] in ("gear", "coupler") else PLACED)
        keys(case, f"joint {joint['name']}", joint, allowed | {"clearance"})
        keys(case, f"joint {joint['name']}", joint.get("clearance", {}), CLEARANCE)
    for pair in model.get("pair", []):
        keys(case, f"pair {pair['name']}", pair, PAIR)
    for force in model.get("force", []):
        keys(case, f"force {force['name']}", force, {"name", "type"} | FORCE[force["type"]])
    for motion in model.get("motion", []):
        keys(case, f"motion {motion['name']}", motion, MOTION)
    names = {kind: {item["name"] for item in model.get(kind, [])} for kind in CHANNELS}
    loose = {joint["name"] for joint in model.get("joint", []) if "clearance" in joint}
    for joint in model.get("joint", []) + model.get("force", []) + model.get("pair", []):
        for body in joint.get("bodies", []):
            if body not in names["body"] | {"ground", "*"}:
                problems.append(f"{case}: {joint['name']}: no body {body}")
    parameters = set(model.get("parameters", {})) | {"t", "x", "v", "pi"}
    for expression in re.findall(r'"=([^"]*)"', (folder / "model.toml").read_text()):
        for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*\b(?!\s*\()", expression):
            if word not in parameters:
                problems.append(f"{case}: unknown name {word} in ={expression}")

    def exists(quantity):
        if quantity in ENERGY:
            return True
        match = re.fullmatch(r"(\w+):([\w-]+)\.(\w+)", quantity)
        if match and (match[1] == "contact" and match[2] in names["pair"] or match[1] == "joint" and match[2] in loose):
            return match[3] in TOUCHING.split()
        return bool(match) and match[2] in names.get(match[1], ()) and match[3] in CHANNELS[match[1]].split()

    def table(name):
        lines = (folder / name).read_text().splitlines()
        if not lines[0].startswith("# source"):
            problems.append(f"{case}: {name} does not name its source")
        return list(csv.reader(line for line in lines if not line.startswith("#")))

    columns = []
    if (folder / "reference.csv").exists():
        rows = table("reference.csv")
        columns = rows[0][1:]
        for quantity in columns:
            if not exists(quantity):
                problems.append(f"{case}: reference.csv: no such quantity {quantity}")
        if model["solver"].get("analysis", "dynamic") in ("dynamic", "kinematic"):
            every, end = seconds(model["output"]["every"]), seconds(model["solver"]["end"])
            if end / every > 1000.5:
                problems.append(f"{case}: more than 1000 samples")
            for row in rows[1:]:
                ratio = float(row[0]) / every
                if abs(ratio - round(ratio)) > 1e-6 or float(row[0]) > end * (1 + 1e-12):
                    problems.append(f"{case}: reference time {row[0]} is not a sample of the model")
                    break
    about = tomllib.loads((folder / "case.toml").read_text())
    keys(case, "case.toml", about, {"title", "source", "why", "check", "convergence", "variant", "plot"})
    variants = []
    for item in about.get("variant", []):
        keys(case, "variant", item, {"name", "set", "grid", "reference"})
        made = [item.get("name", "")]
        for values in item.get("grid", {}).values():
            made = [f"{name} {value:g}" if isinstance(value, (int, float)) else f"{name} {value}" for name in made for value in values]
        variants += [name.strip() for name in made]
        if "reference" in item:
            columns += table(item["reference"])[0][1:]
    used = set()
    for item in about["check"]:
        where = f"check {item['name']}"
        keys(case, where, item, {"name", "kind", "reason", "variant", "tolerance_absolute", "tolerance_relative"} | CHECK[item["kind"]])
        if "reason" not in item:
            problems.append(f"{case}: {where}: no reason")
        if "limit" not in CHECK[item["kind"]] and not {"tolerance_absolute", "tolerance_relative"} & set(item):
            problems.append(f"{case}: {where}: no tolerance")
        if item["kind"] == "episodes":
            group, _, name = item["contact"].partition(":")
            if name not in (loose if group == "joint" else names["pair"]):
                problems.append(f"{case}: {where}: no contact {item['contact']}")
            header, *rows = table(item["table"])
            keys(case, item["table"], header, EPISODE)
            for row in rows:
                if "variant" in header and row[header.index("variant")] not in variants:
                    problems.append(f"{case}: {item['table']}: no variant {row[header.index('variant')]}")
        quantities = item.get("quantity", [])
        for quantity in [quantities] if isinstance(quantities, str) else quantities:
            if not exists(quantity):
                problems.append(f"{case}: {where}: no such quantity {quantity}")
            if item["kind"] == "reference":
                used.add(quantity)
                if quantity not in columns:
                    problems.append(f"{case}: {where}: {quantity} is not in reference.csv")
    for panel in about.get("plot", {}).get("quantities", []):
        for quantity in panel:
            if not exists(quantity):
                problems.append(f"{case}: plot: no such quantity {quantity}")
    unused = [quantity for quantity in columns if quantity not in used]
    if unused:
        print(f"note: {case}: in reference.csv but not compared: {', '.join(unused)}")

print("\n".join(problems) or f"{len([p for p in CASES.iterdir() if p.is_dir()])} cases in good form")
sys.exit(bool(problems))
