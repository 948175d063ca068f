"""The notebooks run, their results show themselves, and the fit finds what the data were made with."""

import base64
import os
import pathlib
import re

import carom
import pytest
from made_tosses import FRICTION, RESTITUTION, make

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = pathlib.Path(os.environ["CAROM_EXAMPLES"]) / "notebooks"
NAMES = sorted(file.stem for file in FOLDER.glob("*.ipynb"))


def run(name, tmp_path, monkeypatch):
    """The outputs of all cells."""
    tosses = tmp_path / "tosses.csv"
    if name == "fit_tosses":
        make(tosses)
    for variable, value in {"CUBE_TOSSES": str(tosses), "IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path),
                            "MPLCONFIGDIR": str(tmp_path), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}.items():
        monkeypatch.setenv(variable, value)
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", 4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(FOLDER)}}).execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def frames_of(page):
    """The pictures of the moving picture in the HTML of a result."""
    for found in re.finditer(r'src="data:image/svg\+xml;base64,([^"]*)"', page):
        svg = base64.b64decode(found[1]).decode()
        if "animation" in svg:
            return re.findall(r'<g class="f[^"]*"[^>]*>(.*?)(?=<g class="f|$)', svg, re.S)
    return []


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_run_and_show_their_results(name, tmp_path, monkeypatch):
    outputs = run(name, tmp_path, monkeypatch)
    pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    moving = [frames for frames in map(frames_of, pages) if frames]
    assert moving and all(len(frames) > 20 and len(set(frames)) > 20 for frames in moving)
    # Nothing is fetched from elsewhere, and no script runs.
    assert not any(re.search(r"(src|href)=(?![\"']?data:)|<script|@import|url\(", page) for page in pages)
    assert not any(output.output_type == "error" for output in outputs)
    if name == "fit_tosses":
        text = "".join(output.text for output in outputs if output.output_type == "stream")
        mu, e = map(float, re.search(r"friction ([\d.]+), restitution ([\d.]+)", text).groups())
        assert mu == pytest.approx(FRICTION, abs=1e-3) and e == pytest.approx(RESTITUTION, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_are_kept_without_what_they_have_shown(name):
    for cell in nbformat.read(FOLDER / f"{name}.ipynb", 4).cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_there_are_five():
    assert NAMES == ["contact_laws", "controller", "design_study", "fit_tosses", "loose_slider_crank"]
    assert carom.__doc__
