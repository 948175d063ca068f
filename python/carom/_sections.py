"""Methods of Model for all sections of the model file, made from the catalogues."""

from __future__ import annotations

import inspect
from typing import Any, Callable

from . import _carom
from ._section_examples import EXAMPLES

# Sections whose types have further keys: the key that names the type, and where the types come from.
TYPES: dict[str, list[tuple[str, Callable[[], list[_carom.Type]]]]] = {
    "joint": [("type", _carom.joint_types)],
    "force": [("type", _carom.force_types)],
    "signal": [("type", _carom.block_types)],
    "contact": [("law", _carom.contact_law_types), ("elastic", _carom.elastic_shape_types)],
}


def types_of(section: str) -> list[tuple[str, _carom.Type]]:
    """The types that a section can be of, each with the key that names it."""
    return [(key, kind) for key, catalogue in TYPES.get(section, []) for kind in catalogue()]


def sections() -> dict[str, tuple[str, _carom.SectionType]]:
    """Name: form ("table", "list", "named") and description of every section outside of others."""
    found = {}
    for each in _carom.model_sections():
        heading = each.heading.strip("[]")
        if "." not in heading:
            found[heading] = ("list" if each.heading.startswith("[[") else "table", each)
        elif heading.endswith(".NAME"):
            found[heading.removesuffix(".NAME")] = ("named", each)
    return found


def nested_sections(section: str) -> dict[str, _carom.SectionType]:
    """Sections that may stand inside one."""
    owner = "body" if section == "ground" else section
    found = {}
    for each in _carom.model_sections():
        parts = each.heading.strip("[]").replace(".NAME.", ".").split(".")
        if len(parts) == 2 and parts[0] == owner and parts[1] != "NAME":
            if section != "ground" or each.heading.startswith("[["):  # the ground is neither copied nor flexible
                found[parts[1]] = each
    return found


def nested_of(section: str) -> dict[str, bool]:
    """Sections that may stand inside one, and whether there may be several."""
    return {name: each.heading.startswith("[[") for name, each in nested_sections(section).items()}


def keys_of(section: str, description: _carom.SectionType) -> list[_carom.Parameter]:
    """All keys that a section of any type takes, each once."""
    known = {each.name: each for each in description.parameters}
    for _, kind in types_of(section):
        for each in kind.parameters:
            known.setdefault(each.name, each)
    return list(known.values())


def _key_lines(parameters: list[_carom.Parameter], indent: str) -> list[str]:
    lines = []
    for each in parameters:
        unit = f" [{each.unit}]" if each.unit and each.unit != "*" else ""
        more = "required" if each.required else f"default {each.default}" if each.default else ""
        if each.choices:
            more = "; ".join(filter(None, [more, "one of " + ", ".join(each.choices)]))
        lines.append(f"{indent}{each.name}{unit}  {each.meaning}" + (f" ({more})" if more else ""))
    return lines


def _documentation(name: str, section: _carom.SectionType) -> str:
    lines = [section.summary, "", *EXAMPLES.get(name, "").strip().splitlines(), "", "Keys:"]
    lines += _key_lines(section.parameters, "    ") or ["    any name"]
    for inner, each in nested_sections(name).items():
        lines += ["", f"Inside it, {inner}(…): {each.summary}", *_key_lines(each.parameters, "    ")]
    for key, kind in types_of(name):
        dimensions = "" if kind.planar and kind.spatial else " (plane only)" if kind.planar else " (space only)"
        lines += ["", f'{key}="{kind.name}"{dimensions}: {kind.summary}', *_key_lines(kind.parameters, "    ")]
    return "\n".join(lines)


def _make_method(name: str, form: str, section: _carom.SectionType, made: type) -> Callable[..., Any]:
    if form == "table":

        def method(self: Any, **keys: Any) -> Any:
            return made(self, self._table(name), name)(**keys)

    else:

        def method(self: Any, entry: str, /, **keys: Any) -> Any:  # type: ignore[misc]
            if not isinstance(entry, str):
                raise TypeError(f"the name of a {name} is a text, not a {type(entry).__name__}")
            table = self._entry(name, entry) if form == "list" else self._table(name).setdefault(entry, {})
            self._changed = True
            return made(self, table, f"{name}.{entry}")(**keys)

    method.__name__ = name
    method.__qualname__ = f"Model.{name}"
    method.__doc__ = _documentation(name, section)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    if form != "table":
        parameters.append(inspect.Parameter("name", inspect.Parameter.POSITIONAL_ONLY))
    known = [each.name for each in keys_of(name, section) if each.name != "name" or form == "table"]
    parameters += [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None) for key in known if key.isidentifier()
    ]
    parameters.append(inspect.Parameter("keys", inspect.Parameter.VAR_KEYWORD))
    method.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return method


def add_methods(model: type, made: type) -> None:
    """Methods for all sections, which make objects of the type `made`; anew after a part was added."""
    for name, (form, section) in sections().items():
        if name != "ground":
            setattr(model, name, _make_method(name, form, section, made))
