#!/usr/bin/python3
"""Runs the notebooks of examples/notebooks and writes each as a page of Markdown with its pictures beside it, for the site.
  tools/site/notebooks.py FOLDER
What was run is kept while neither the notebook nor the package has changed. The tosses that one of them fits are made by Carom.
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import carom
import nbclient
import nbformat

SOURCES = Path(__file__).resolve().parents[2]
NOTEBOOKS = SOURCES / "examples" / "notebooks"


def run(file, folder):
    """The executed notebook; kept in the folder."""
    package = b"".join(path.read_bytes() for path in sorted(Path(carom.__file__).parent.glob("*.py")))
    mark = hashlib.sha256(file.read_bytes() + package + carom.version().encode()).hexdigest()
    kept = folder / f"{file.stem}.{mark[:16]}.ipynb"
    if kept.exists():
        return nbformat.read(kept, 4)
    for old in folder.glob(f"{file.stem}.*.ipynb"):
        old.unlink()
    notebook = nbformat.read(file, 4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    nbformat.write(notebook, kept)
    return notebook


def picture(name, data, folder, pictures):
    """Writes a picture and returns the Markdown that shows it."""
    if data in pictures:
        return f"![]({pictures[data]})"
    kind = "svg" if data.lstrip().startswith(b"<") else "png"
    pictures[data] = f"{name}_{len(pictures) + 1}.{kind}"
    (folder / pictures[data]).write_bytes(data)
    return f"![]({pictures[data]})"


def html_text(name, text, folder, pictures):
    """HTML of an output on one line, its pictures as files."""
    parts = []
    for part in re.split(r'(<img [^>]*src="data:image/[^"]*"[^>]*/?>)', text):
        found = re.search(r'src="data:image/[^;]*;base64,([^"]*)"', part)
        if found:
            parts.append("\n\n" + picture(name, base64.b64decode(found[1]), folder, pictures) + "\n\n")
        else:
            parts.append(re.sub(r"\s*\n\s*", " ", re.sub(r"</?div[^>]*>", "", part)))
    return "".join(parts)


def output_text(name, output, folder, pictures):
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```" if output.name == "stdout" else ""
    data = output.get("data", {})
    if "text/html" in data:
        return html_text(name, data["text/html"], folder, pictures)
    if "image/png" in data:
        return picture(name, base64.b64decode(data["image/png"]), folder, pictures)
    return f"```text\n{data['text/plain']}\n```" if "text/plain" in data else ""


def page(name, notebook, folder):
    blocks, pictures = [], {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            blocks.append(cell.source)
            continue
        blocks.append(f"```python\n{cell.source}\n```")
        blocks += [output_text(name, output, folder, pictures) for output in cell.outputs]
    source = f"A notebook: `examples/notebooks/{name}.ipynb`. What it shows was run."
    return "\n\n".join([blocks[0], source, *filter(None, blocks[1:])]) + "\n"


def main():
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tosses = folder / "tosses.csv"
    subprocess.run([sys.executable, SOURCES / "tests" / "python" / "made_tosses.py", tosses], check=True)
    os.environ.update(CUBE_TOSSES=str(tosses), PYDEVD_DISABLE_FILE_VALIDATION="1")
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        (folder / f"{file.stem}.md").write_text(page(file.stem, run(file, folder), folder), encoding="utf-8")


if __name__ == "__main__":
    main()
