"""Values of Python as TOML, for the one reader that reads models."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping

import numpy


def key_text(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key) else json.dumps(key)


def value_text(value: Any, where: str = "a value") -> str:
    """A value as it stands in a model file. Numbers come back to the last bit."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return _number_text(float(value), where)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, os.PathLike):
        return value_text(os.fspath(value), where)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key_text(str(k))} = {value_text(v, where)}" for k, v in value.items())
        return "{ " + inner + " }"
    if isinstance(value, numpy.ndarray):
        return value_text(value.tolist(), where)
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(value_text(each, where) for each in value) + "]"
    raise TypeError(
        f"{where}: a {type(value).__name__} cannot stand in a model; "
        "use a number in SI, a text with a unit, a list, an array or a dict"
    )


def _number_text(number: float, where: str) -> str:
    if not math.isfinite(number):
        raise ValueError(f"{where}: {number} cannot stand in a model; expected a finite number")
    return repr(number)


def tables_text(tree: Mapping[str, Any]) -> str:
    """A tree of tables as a TOML text."""
    lines: list[str] = []
    _write_table(tree, [], lines)
    return "\n".join(lines) + "\n"


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _write_table(tree: Mapping[str, Any], path: list[str], lines: list[str]) -> None:
    nested = {}
    for key, value in tree.items():
        if isinstance(value, dict) or _is_list_of_tables(value):
            nested[key] = value
        else:
            lines.append(f"{key_text(key)} = {value_text(value, '.'.join([*path, key]))}")
    for key, value in nested.items():
        inner = [*path, key]
        heading = ".".join(key_text(each) for each in inner)
        if isinstance(value, dict):
            lines.append(f"\n[{heading}]")
            _write_table(value, inner, lines)
            continue
        for each in value:
            lines.append(f"\n[[{heading}]]")
            _write_table(each, inner, lines)
