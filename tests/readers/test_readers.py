"""The readers of results that know nothing of Carom, examples/readers, beside the program itself.

    test_readers.py PROGRAM python|octave      ends with 77 where the reader cannot run here
"""
import csv
import io
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
READERS = SOURCE / "examples/readers"
program, which = Path(sys.argv[1]).resolve(), sys.argv[2]
folder = Path(tempfile.mkdtemp())


def skip(reason):
    print(f"not tried: {reason}")
    shutil.rmtree(folder)
    sys.exit(77)


def must(*command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


try:
    import h5py
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(READERS))
    import carom_results
except ImportError as error:
    skip(f"{error} (Debian: python3-h5py; tools/packages, group test)")


class Octave:
    """carom_read.m, asked from here: what it reads comes back as text with all digits."""

    def __init__(self):
        if not shutil.which("octave") or not shutil.which("mkoctfile"):
            skip("there is no Octave with mkoctfile (Debian: octave, octave-dev; tools/packages, group test)")
        for name in ("carom_read.m", "h5read.cc"):
            shutil.copy(READERS / name, folder)
        flags = must("pkg-config", "--cflags", "--libs", "hdf5-serial").split()
        must("mkoctfile", *flags, "h5read.cc")
        (folder / "ask.m").write_text("""
function ask(file, varargin)
  try
    if numel(varargin) == 0
      result = carom_read(file);
      printf('%s\\n', jsonencode(struct('status', result.status, 'version', result.version, 'samples', numel(result.time), ...
             'groups', {{result.groups.name}}, 'seed', sprintf('%d', result.seed))));
      for event = result.events
        names = fieldnames(event.values)';
        printf('%.17g\\t%s\\t%s\\t%s\\n', event.time, event.kind, event.subject, strjoin(names, ' '));
        printf('%.17g ', cellfun(@(name) event.values.(name), names)); printf('\\n');
      end
    else
      result = carom_read(file);
      for group = result.groups
        values = carom_read(result, group.name);
        for k = 1:numel(group.components)
          printf('%.17g ', values(:, k)); printf('\\n');
        end
      end
      printf('%.17g ', carom_read(file, varargin{1})); printf('\\n');
    end
  catch failure
    printf('error: %s\\n', failure.message);
  end
end
""")

    def ask(self, file, *names):
        words = ", ".join("'" + str(word).replace("'", "''") + "'" for word in (file, *names))
        lines = must("octave-cli", "--norc", "--quiet", "--eval", f"ask({words})").splitlines()
        if lines and lines[-1].startswith("error: "):
            raise carom_results.ResultError(lines[-1][7:])
        return lines

    def columns(self, file, names):
        """All quantities, group by group as the program lists them, and the last one once more by its name."""
        columns = [[float(each) for each in line.split()] for line in self.ask(file, names[-1])]
        assert same(columns[-1], columns[-2]) or names[-1] in self.header(file)["groups"], names[-1]
        return columns[:-1]

    def header(self, file):
        return json.loads(self.ask(file)[0])

    def events(self, file):
        lines = self.ask(file)[1:]
        for heads, values in zip(lines[::2], lines[1::2]):
            at, kind, subject, names = heads.split("\t")
            yield carom_results.Event(float(at), kind, subject, dict(zip(names.split(), map(float, values.split()))))


class Python:
    def columns(self, file, names):
        with carom_results.Result(file) as result:
            return [result[name].tolist() for name in names]

    def header(self, file):
        with carom_results.Result(file) as result:
            return {"status": result.status, "version": result.version, "samples": len(result.time), "groups": list(result.groups),
                    "seed": str(result.seed)}

    def events(self, file):
        with carom_results.Result(file) as result:
            return result.events()


def same(a, b):
    return len(a) == len(b) and all(x == y or math.isnan(x) and math.isnan(y) for x, y in zip(a, b))


def table(file):
    """All quantities as the program itself exports them, with all digits."""
    rows = list(csv.reader(io.StringIO(must(program, "export", file, "--csv"))))
    names = [name.split(" [")[0] for name in rows[0]]
    return names, [[float(row[k]) for row in rows[1:]] for k in range(len(names))]


def check_all(reader, file, samples=None):
    names, columns = table(file)
    assert samples is None or len(columns[0]) >= samples
    read = reader.columns(file, names[1:])
    assert len(read) == len(names) - 1
    for name, found, wanted in zip(names[1:], read, columns[1:]):
        assert same(found, wanted), name
    assert reader.header(file)["samples"] == len(columns[0])


def check_events(reader, file, least):
    events = list(reader.events(file))
    assert len(events) >= least, len(events)
    with h5py.File(file) as raw:  # each field by its plain name
        rows = raw["events"][:]
        rows = rows[~(rows["time"] != rows["time"])]
        assert len(rows) == len(events)
        for row, event in zip(rows, events):
            assert event.time == row["time"] and event.kind.encode() == row["kind"] and event.subject.encode() == row["subject"]
            names = [name.decode() for name in raw["events"].attrs[event.kind + " components"]]
            assert list(event.values) == names
            assert same(list(event.values.values()), row["values"][:len(names)].tolist())


def must_refuse(reader, file, word):
    try:
        names = reader.header(file)["groups"]
        reader.columns(file, names)
        list(reader.events(file))
    except carom_results.ResultError as error:
        assert word in str(error), error
        return
    raise AssertionError(f"{file} was read")


def damaged(file, where, value):
    """A copy in which one number was changed behind the back of the checksums."""
    copy = folder / "damaged.h5"
    shutil.copy(file, copy)
    with h5py.File(copy, "r+") as raw:
        raw[where][...] = value(raw[where][:])
    return copy


def one_bit(rows):
    words = rows.copy().view("u8")
    words.flat[words.size // 2] += 1
    return words.view("f8")


def later_event(rows):
    changed = rows.copy()
    changed["time"][-1] += 1e-9
    return changed


def killed_run():
    """A result whose writer was killed: after its first blocks, and in the middle of one."""
    file = folder / "killed.h5"
    writer = subprocess.Popen([program, "run", SOURCE / "examples/loose_slider_crank.toml", "--set", "turns=2000", "--quiet", "-o", file], cwd=folder)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.3)
        try:
            with h5py.File(file, "r", swmr=True) as raw:
                if len(raw["time"]) > 1100:
                    break
        except OSError:
            pass
    assert writer.poll() is None, "the run ended before it could be killed"
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    return file


reader = Octave() if which == "octave" else Python()
# No events; more than a block of them, by force laws; impacts of the nonsmooth method.
for example, options, events in (("slider_crank", [], 0), ("loose_slider_crank", ["--set", "clearance=0.5mm"], 65), ("ratchet", [], 10)):
    must(program, "run", SOURCE / f"examples/{example}.toml", *options, "--quiet", "-o", f"{example}.h5")
    check_all(reader, folder / f"{example}.h5", samples=300)
    check_events(reader, folder / f"{example}.h5", least=events)
whole = folder / "loose_slider_crank.h5"
header = reader.header(whole)
assert header["status"] == "complete" and header["seed"] == "0" and "joint:pin" in header["groups"], header

must_refuse(reader, damaged(whole, "samples/joint:pin", one_bit), "damaged: joint:pin")
must_refuse(reader, damaged(whole, "time", one_bit), "damaged: time")
must_refuse(reader, damaged(whole, "events", later_event), "damaged: events")
later = folder / "later.h5"
shutil.copy(whole, later)
with h5py.File(later, "r+") as raw:
    raw.attrs["format_version"] = raw.attrs["format_version"] + 1
must_refuse(reader, later, "format version 2")
with h5py.File(folder / "other.h5", "w") as raw:
    raw.attrs["format"] = "something"
must_refuse(reader, folder / "other.h5", "not a result of Carom")

killed = killed_run()
assert reader.header(killed)["status"] == "running"
check_all(reader, killed, samples=1100)
shutil.rmtree(folder)
print(f"the {which} reader reads what the program does")
