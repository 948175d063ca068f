"""Type stubs are those of the tables, and a type checker finds wrong keywords by them."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
PACKAGE = HERE.parent.parent / "python"


def test_the_stubs_are_those_of_the_tables():
    subprocess.run([sys.executable, HERE.parent.parent / "tools" / "write_stubs", "--check"], check=True)


def checked(arguments, tmp_path, strict=True):
    pytest.importorskip("mypy")
    environment = {**os.environ, "MYPYPATH": str(PACKAGE)}
    command = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache", "--ignore-missing-imports", *(["--strict"] if strict else [])]
    return subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, cwd=tmp_path)


def test_the_package_is_typed(tmp_path):
    done = checked(["-p", "carom"], tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_typed_program_is_right_and_wrong_ones_are_found(tmp_path):
    right = (HERE / "typed_program.py").read_text(encoding="utf-8")
    wrong = {
        'mass="1 kg"': ('colour="red"', 'Unexpected keyword argument "colour"'),
        'method="nonsmooth"': ('method="magic"', "incompatible type"),
        "rod.geometry(": ("rod.geometrie(", 'no attribute "geometrie"'),
        "diametric=": ("diameter=", 'Unexpected keyword argument "diameter"'),
        "peak: float = result.summary.peak_force": ("peak: str = result.summary.peak_force", "Incompatible types"),
        "simulation.advance(0.1)": ('simulation.advance("0.1 s")', "incompatible type"),
    }
    files = {tmp_path / "right.py": right}
    for k, (old, (new, _)) in enumerate(wrong.items()):
        assert old in right
        files[tmp_path / f"wrong_{k}.py"] = right.replace(old, new)
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")
    done = checked(sorted(file.name for file in files), tmp_path)
    assert "right.py" not in done.stdout
    for k, (_, said) in enumerate(wrong.values()):
        assert any(line.startswith(f"wrong_{k}.py") and said in line for line in done.stdout.splitlines()), (said, done.stdout)
