"""The public names of the package and what is said of them: for the tests, and as a page of Markdown for the site.

``python3 -m carom._reference`` prints the page.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Iterator

import carom

from . import _carom
from ._sections import sections

GROUPS = {
    "Models and runs": ["load", "Model", "Section", "Structure", "RedundantRow"],
    "Results": ["Result", "open_result", "Quantity", "Summary", "Life", "Wear", "Picture"],
    "Step by step": ["Simulation", "Snapshot", "ContactReport", "SimulationEvent"],
    "Forces, laws and controls in Python": ["force", "contact_law", "friction_law", "drive", "controller", "callback_costs", "CallbackCost", "load_plugin"],
    "Kinds of motion": ["Spectrum", "Poincare", "MotionKind", "lyapunov", "zero_one_test"],
    "Studies": ["study", "StudyTable", "open_study", "reductions"],
    "Errors": ["Error", "InputError", "ResultError", "ComputationError", "Problem"],
}


def is_compiled(thing: Any) -> bool:
    """Whether it comes from the compiled half."""
    return getattr(_carom, getattr(thing, "__name__", ""), None) is thing


def members(made: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class."""
    for name, member in vars(made).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, (property, classmethod, staticmethod))):
            yield name, getattr(made, name) if isinstance(member, (classmethod, staticmethod)) else member


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public name, with what it stands for: ("Model", …), ("Model.run", …)."""
    for name in carom.__all__:
        thing = getattr(carom, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in members(thing):
                yield f"{name}.{member}", value


def said_of(thing: Any) -> str:
    """The docstring, without the signature that pybind11 puts before it."""
    text = inspect.getdoc(thing) or ""
    if inspect.isbuiltin(thing):
        text = text.split("\n", 2)[-1] if "\n" in text else ""
    return text.strip()


def signature_of(name: str, thing: Any) -> str:
    """As it is called; a property as its name."""
    if isinstance(thing, property):
        return name
    if inspect.isbuiltin(thing):
        return (inspect.getdoc(thing) or name).splitlines()[0].replace("carom._carom.", "carom.")
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    shown = [each.replace(annotation=inspect.Parameter.empty) for key, each in signature.parameters.items() if key != "self"]
    return name + str(signature.replace(parameters=shown, return_annotation=inspect.Signature.empty))


def _is_fenced(line: str) -> bool:
    return line.startswith((">>> ", "... ")) or line == "..."


def _row(line: str) -> str:
    """A line of a table of keys or arguments as an entry of a list; what goes on in further lines is part of it."""
    found = re.match(r"( {4})?(\w+)( \[[^]]+\])? {2,}(.*)", line)
    return f"- `{found[2]}`{found[3] or ''}: {found[4]}" if found else "  " + line.strip()


def _is_row(line: str) -> bool:
    return bool(re.match(r" {4}|\w+ {2,}\S", line))


def _as_markdown(text: str) -> str:
    """Running text as it is, examples as blocks, keys and arguments as lists."""
    parts: list[tuple[str, list[str]]] = []
    for block in re.split(r"\n\s*\n", text):
        kind = "text"
        parts.append((kind, []))
        for line in block.splitlines():
            now = "code" if _is_fenced(line) or kind == "code" else "list" if _is_row(line) or kind == "list" else "text"
            if now != kind:
                parts.append((now, []))
                kind = now
            parts[-1][1].append(line)
    shown = []
    for kind, lines in parts:
        if kind == "code":
            shown.append("```python\n" + "\n".join(lines) + "\n```")
        elif lines:
            rows = [_row(line) for line in lines] if kind == "list" else lines
            shown.append("\n".join(re.sub(r"``([^`]+)``", r"`\1`", row.replace("<", "&lt;")) for row in rows))
    return "\n\n".join(shown)


def _entry(name: str, thing: Any, level: int) -> str:
    heading = f"{'#' * level} `{name}`"
    call = signature_of(name, thing)
    shown = f"\n\n```python\n{call}\n```" if call != name and len(call) < 400 else ""
    return f"{heading}{shown}\n\n{_as_markdown(said_of(thing))}\n"


def page() -> str:
    """Everything public, as Markdown."""
    catalogues = [name for name in carom.__all__ if name not in sum(GROUPS.values(), [])]
    made = set(sections())
    text = ["# The Python module", "", _as_markdown(said_of(carom)), ""]
    for group, names in {**GROUPS, "Catalogues": catalogues}.items():
        text += [f"## {group}", ""]
        for name in names:
            thing = getattr(carom, name)
            text.append(_entry(name, thing, 3))
            if not inspect.isclass(thing):
                continue
            if is_compiled(thing):
                rows = [f"| `{each}` | {said_of(member)} |" for each, member in members(thing)]
                if rows:
                    text += ["| | |", "|---|---|", *rows, ""]
                continue
            text += [_entry(f"{name}.{each}", member, 4) for each, member in members(thing) if name != "Model" or each not in made]
            if name == "Model":
                text += [_entry(f"Model.{each}", getattr(carom.Model, each), 4) for each in sorted(made - {"ground"})]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    print(page())
