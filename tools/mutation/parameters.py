"""The physical numbers of the model of a case, and how each is changed.

A parameter is a number that the model states: an entry of [parameters], a mass, a dimension, a coefficient, a component of
a velocity. Values that only repeat parameters ("=crank + rod/2") follow from them and are none of their own; nor are
settings of the solver and of the output, counts, or shapes that are only drawn.
"""
import fnmatch
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from toml_text import leaves, replace, write

ROOTS = {"model", "parameters", "material", "body", "section", "beam", "ground", "joint", "motion", "force", "contact", "pair", "bearing"}
COUNTS = {"elements", "seed", "total", "count", "balls"}  # whole numbers of the schema: no change of 5 %
DIRECTIONS = {"axis", "axes", "normal", "direction", "up"}  # their length means nothing
NAMES = {"name", "bodies", "body", "joint", "joints", "shapes", "shape", "material", "materials", "ball_material", "contact", "marker", "markers", "section", "type", "law",
         "elastic", "component", "color", "file"}  # texts, even where they look like numbers
MANY = 12  # of a list that is longer, the first, the middle and the last entry stand for all

NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
QUANTITY = re.compile(rf"\s*([-+]?{NUMBER})\s*([A-Za-zµΩ°%][^=]*)?\s*$")
LITERAL = re.compile(rf"(?<![\w.^])(?<!\^-){NUMBER}(?![\w.])(\s*\[)?")
NAME = re.compile(r"[A-Za-z_]\w*(?!\w*\s*\()")

RESTITUTION = {"restitution", "tangential_restitution", "e", "e_t"}
FRICTION = {"friction", "coefficient", "mu", "rolling_resistance", "spinning_resistance", "static_coefficient"}
STIFFNESS = {"stiffness", "young", "rotational_stiffness", "damping", "rotational_damping", "damping_ratio", "hardness", "wear_coefficient", "k"}
MASSES = {"mass", "inertia", "density", "m", "moment_of_inertia", "ball_mass", "ball_inertia"}


@dataclass
class Parameter:
    name: str
    value: str  # as the model writes it
    places: list = field(default_factory=list)  # (file, path): where it stands
    literal: int | None = None  # which literal of an expression; None: the whole value


@dataclass
class CaseText:
    """The files that make the model of a case, and the case with its variants written out."""
    folder: Path
    case: dict
    files: dict  # {path of the file: text}
    variants: list  # [{"name", "set": {path: value}, …}]


def flat(table, prefix=""):
    result = {}
    for key, value in table.items():
        result.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value})
    return result


def written_out(case, names):
    """The variants one by one, as `carom cases` makes them of grids; `names` are what it calls them."""
    result = []
    for entry in case.get("variant", []):
        several = [{key: value for key, value in entry.items() if key != "grid"} | {"set": flat(entry.get("set", {}))}]
        for path, values in flat(entry.get("grid", {})).items():
            several = [one | {"set": one["set"] | {path: value}} for one in several for value in values]
        result += several
    for one, name in zip(result, names):
        one["name"] = name
    return result


def read_case(folder, variant_names):
    case = tomllib.loads((folder / "case.toml").read_text())
    variants = written_out(case, variant_names)
    files = {}

    def take(path):
        path = Path(path)
        if path in files:
            return
        files[path] = path.read_text()
        for name in tomllib.loads(files[path]).get("include", []):
            take((path.parent / name).resolve())

    model = (folder / "model.toml").resolve()
    take(model)
    for variant in variants:
        for name in variant["set"].get("include", []):
            take((model.parent / name).resolve())
    return CaseText(folder.resolve(), case, files, variants)


def label(tree, path):
    """The path of a number as people write it: entries of lists by their name or by their number from 1."""
    parts = []
    for part in path:
        tree = tree[part]
        named = isinstance(part, int) and isinstance(tree, dict) and isinstance(tree.get("name"), str)
        parts.append(tree["name"] if named else str(part + 1) if isinstance(part, int) else part)
    return ".".join(parts)


def drawn_only(trees, tree, path):
    """Whether the number belongs to a shape that no pair names, on a body that has a mass of its own."""
    if "geometry" not in path:
        return False
    at = path.index("geometry")
    shape, owner = tree, tree
    for part in path[:at + 2]:
        shape = shape[part]
    for part in path[:at]:
        owner = owner[part]
    if shape.get("visual"):
        return True
    if path[0] == "body" and not {"mass", "inertia"} <= owner.keys():
        return False
    name = owner.get("name", "ground") if path[0] != "ground" else "ground"
    for other in trees:
        for pair in other.get("pair", []):
            if any(fnmatch.fnmatch(name, pattern) or pattern.startswith(name) for pattern in pair["bodies"]):
                shapes = pair.get("shapes", ["*"])
                if any(one in ("*", shape.get("name")) for one in shapes):
                    return False
    return True


def left_out(tree, path):
    """Whether the number is one of many alike: neither of the first, nor the middle, nor the last entry of a long list."""
    for k, part in enumerate(path):
        if isinstance(part, int) and part not in (0, len(tree) // 2, len(tree) - 1) and len(tree) > MANY:
            return True
        tree = tree[part]
    return False


def is_direction(tree, path):
    """A component of a direction with no other component: a change of it would change nothing."""
    keys = [part for part in path if isinstance(part, str)]
    if keys[-1] not in DIRECTIONS or not isinstance(path[-1], int):
        return False
    for part in path[:-1]:
        tree = tree[part]
    return sum(1 for one in tree if one not in (0, "0")) < 2


def literals(value):
    """Numbers of an expression that are no exponents and stand in no unit."""
    hidden = re.sub(r"\[[^\]]*\]", lambda found: "[" + "_" * (len(found.group()) - 2) + "]", value)
    return [found for found in LITERAL.finditer(hidden) if float(found.group().rstrip(" [")) != 0]


def own_numbers(value, parameters):
    """Which literals of a value are parameters: [None] for the value as a whole, [] if it follows from parameters."""
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [None] if value != 0 and value == value and abs(value) != float("inf") else []
    if not isinstance(value, str):
        return []
    if not value.startswith("="):
        match = QUANTITY.match(value)
        return [None] if match and float(match.group(1)) != 0 else []
    names = {found.group() for found in NAME.finditer(re.sub(rf"\[[^\]]*\]|(?<![\w.]){NUMBER}", " ", value))} - {"pi"}
    numbers = [found.group() for found in literals(value)]
    physical = [k for k, text in enumerate(numbers) if not re.fullmatch(r"\d+", text)]
    if names <= parameters:
        return [None] if physical or not names else []
    return ([None] if not names & parameters or physical else []) + physical


def parameters_of(text):
    """All parameters of a case, by name, in the order of the files."""
    trees = {path: tomllib.loads(content) for path, content in text.files.items()}
    known = {name for tree in trees.values() for name in tree.get("parameters", {})}
    in_solver = [str(value) for tree in trees.values() for root in ("solver", "output") for value in leaves(tree.get(root, {})).values()]
    elsewhere = [str(value) for tree in trees.values() for path, value in leaves(tree).items() if path[0] not in ("solver", "output")]
    found = {}

    def uses(name, values):
        return any(value.startswith("=") and re.search(rf"(?<!\w){name}(?!\w)", value) for value in values)

    def add(name, value, place):
        for literal in own_numbers(value, known):
            full = name if literal is None else f"{name} #{literal + 1}"
            one = found.setdefault(full, Parameter(full, str(value), literal=literal))
            one.places.append(place)

    for file, tree in trees.items():
        for path, value in leaves(tree).items():
            keys = [part for part in path if isinstance(part, str)]
            if path[0] not in ROOTS or (path[0] == "model" and path[1] != "gravity") or COUNTS & set(keys) or keys[-1] in NAMES:
                continue
            if is_direction(tree, path) or left_out(tree, path) or drawn_only(trees.values(), tree, path):
                continue
            if path[0] == "parameters" and uses(path[1], in_solver) and not uses(path[1], elsewhere):
                continue
            add(label(tree, path), value, (file, path))
    for k, variant in enumerate(text.variants):
        for path, value in variant["set"].items():
            if path.split(".")[0] not in ROOTS or COUNTS & set(path.split(".")):
                continue
            for rest, one in leaves(value).items():
                name = ".".join([path, *(str(part + 1) for part in rest)])
                add(name, one, (None, (k, path, *rest)))
    return list(found.values())


def changed(value, factor, literal=None):
    """The value, or one literal of it, times a factor."""
    if isinstance(value, (int, float)):
        return value * factor
    if not value.startswith("="):
        match = QUANTITY.match(value)
        return f"{float(match.group(1)) * factor!r} {match.group(2) or ''}".strip()
    if literal is None:
        return f"={factor!r}*({value[1:]})"
    found = literals(value)[literal]
    number = found.group().rstrip(" [")
    return value[:found.start()] + f"({float(number) * factor!r})" + value[found.start() + len(number):]


def plain_number(value):
    if isinstance(value, (int, float)):
        return float(value)
    match = QUANTITY.match(value)
    return float(match.group(1)) if match else None


def mutations(parameter):
    """[(text, large, function of a value)]: what is tried, in this order, until a check notices."""
    literal = parameter.literal
    tried = [(f"× {factor:g}", factor not in (1.05, 0.95), lambda value, factor=factor: changed(value, factor, literal))
             for factor in (1.05, 0.95, *large_factors(parameter))]
    if key_of(parameter) in RESTITUTION and literal is None:
        other = lambda value: 0.9 if (plain_number(value) or 0) < 0.7 and plain_number(value) is not None else 0.5
        tried.append(("to 0.5, or to 0.9 where it is below 0.7", True, other))
    return tried


def key_of(parameter):
    """The last word of its name: the key that the number belongs to."""
    return [part for part in parameter.name.split(" #")[0].split(".") if not part.isdigit()][-1]


def large_factors(parameter):
    key = key_of(parameter)
    if key in RESTITUTION:
        return []
    if key in FRICTION:
        return [2, 0.01, 100]
    if key in STIFFNESS:
        return [2, 0.5, 0.1]
    return [2, 0.5] if key in MASSES else []


def mutated(text, parameter, change):
    """The files and variants with the parameter changed everywhere it stands."""
    files, variants = dict(text.files), [one | {"set": dict(one["set"])} for one in text.variants]
    by_file = {}
    for file, path in parameter.places:
        if file is None:
            index, key, *rest = path
            variants[index]["set"][key] = with_change(variants[index]["set"][key], rest, change)
        else:
            by_file.setdefault(file, []).append(path)
    for file, paths in by_file.items():
        values = leaves(tomllib.loads(files[file]))
        files[file] = replace(files[file], {path: write(change(values[path])) for path in paths})
    return files, variants


def with_change(value, rest, change):
    if not rest:
        return change(value)
    return [with_change(one, rest[1:], change) if k == rest[0] else one for k, one in enumerate(value)]
