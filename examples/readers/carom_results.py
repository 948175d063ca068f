#!/usr/bin/env python3
"""Reads result files of Carom with NumPy and h5py, and nothing of Carom. Take this file along; docs/guide/results.md
says what it relies on.

    from carom_results import Result

    with Result("slider_crank.h5") as result:
        t, fx = result.time, result["joint:pin.fx"]

    python3 carom_results.py FILE              what the file holds, every checksum compared
    python3 carom_results.py FILE QUANTITY…    a table
"""

import json
import sys
from collections import namedtuple

import h5py
import numpy as np

FORMAT, FORMAT_VERSION = "carom result", 1

Component = namedtuple("Component", "name unit meaning")
Event = namedtuple("Event", "time kind subject values")  # values: a dictionary


class ResultError(Exception):
    """The file is no result, of another format version, or damaged."""


class Result:
    """A result file. Samples are read and compared with their checksums when they are asked for."""

    def __init__(self, path):
        self.path = str(path)
        try:
            # A file whose run goes on, or was killed, carries a mark and opens for readers beside the writer only.
            with open(path, "rb") as raw:
                start = raw.read(12)
            self.unfinished = len(start) == 12 and start[8] >= 3 and start[11] & 1 == 1
            self._file = h5py.File(path, "r", swmr=self.unfinished)
        except OSError as error:
            raise ResultError(f"{path}: cannot be read: {error}") from None
        try:
            self._read_header()
            self._read_times()
        except BaseException:
            self._file.close()
            raise

    def _read_header(self):
        root = self._file.attrs
        if "format" not in root or text(root["format"]) != FORMAT:
            raise ResultError(f"{self.path}: an HDF5 file, but not a result of Carom")
        if int(root["format_version"]) != FORMAT_VERSION:
            raise ResultError(f"{self.path}: format version {root['format_version']}; this reader knows version {FORMAT_VERSION}")
        self.version = text(root["version"])
        self.model = text(root["model"])
        self.model_file = text(root["model_file"])
        self.settings = json.loads(text(root["settings"]))
        self.seed = int(root["seed"])
        self.status = text(root["status"])
        self.unfinished = self.unfinished or self.status == "running"
        self.statistics = json.loads(text(root["statistics"])) if "statistics" in root else {}
        samples, events = self._file["samples"], self._file["events"]
        self.groups = {name: components(samples[dataset_name(name)].attrs) for name in texts(samples.attrs["groups"])}
        self.event_kinds = {kind: components(events.attrs, kind + " ") for kind in texts(events.attrs["kinds"])}

    def _read_times(self):
        self.time = written(self._file["time"][:])
        self._compare("time", self.time, self._checksums("checksums", len(self.groups)), self._file["time"].chunks[0])

    def _checksums(self, name, column):
        """Those of a column; none in files of versions that had none yet."""
        return self._file[name][:, column] if name in self._file else np.zeros(0, np.uint64)

    def _compare(self, what, rows, expected, block):
        """Rows of a block that was not filled when the run ended early have no checksum yet."""
        full = len(rows) // block
        blocks = [(0, full, block)] + ([] if self.unfinished or full * block == len(rows) else [(full, full + 1, len(rows) % block)])
        for first, last, size in blocks:
            last = min(last, len(expected))
            if last <= first:
                continue
            found = checksums(rows[first * block:first * block + (last - first) * size].reshape(last - first, -1))
            wrong = np.flatnonzero(found != expected[first:last])
            if len(wrong):
                raise ResultError(f"{self.path}: damaged: {what}, from row {(first + wrong[0]) * block} on")

    def __getitem__(self, name):
        """`group.component` as a column, `group` as rows of samples."""
        group, component = (name, None) if name in self.groups else self._place(name)
        dataset = self._file["samples"][dataset_name(group)]
        if len(dataset) < len(self.time):
            raise ResultError(f"{self.path}: damaged: {group} has {len(dataset)} of {len(self.time)} samples")
        rows = dataset[:len(self.time)]
        self._compare(group, rows, self._checksums("checksums", list(self.groups).index(group)), dataset.chunks[0])
        return rows if component is None else rows[:, component]

    def _place(self, name):
        group, _, component = name.rpartition(".")
        names = [each.name for each in self.groups.get(group, [])]
        if component not in names:
            raise KeyError(f"{name}: not in {self.path}")
        return group, names.index(component)

    def component(self, name):
        """Name, unit and meaning of a quantity."""
        group, number = self._place(name)
        return self.groups[group][number]

    def events(self, kind=None):
        """The events in the order of their times, of one kind or of all."""
        dataset = self._file["events"]
        rows = dataset[:]
        rows = rows[:len(written(rows["time"]))]
        words = np.frombuffer(rows.tobytes(), np.uint64).reshape(len(rows), rows.dtype.itemsize // 8)
        self._compare("events", words, self._checksums("event_checksums", 0), dataset.chunks[0])
        found = []
        for row in rows:
            of, subject = text(row["kind"]), text(row["subject"])
            if kind is None or of == kind:
                names = [each.name for each in self.event_kinds.get(of, [])]
                found.append(Event(float(row["time"]), of, subject, dict(zip(names, row["values"].tolist()))))
        return found

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def text(value):
    """UTF-8 in a fixed number of bytes, filled up with zeros."""
    return bytes(value).rstrip(b"\0").decode() if isinstance(value, bytes) else str(value)


def texts(values):
    return [] if isinstance(values, h5py.Empty) else [text(each) for each in np.atleast_1d(values)]


def components(attributes, prefix=""):
    lists = [texts(attributes[prefix + name]) for name in ("components", "units", "meanings")]
    return [Component(*each) for each in zip(*lists)]


def dataset_name(group):
    """A group's name is escaped where HDF5 would take it for a path."""
    name = group.replace("%", "%25").replace("/", "%2F")
    return "%2E" if name == "." else name


def written(times):
    """Rows that a writer had set aside when it was killed have no time."""
    known = np.flatnonzero(~np.isnan(times))
    return times[:known[-1] + 1] if len(known) else times[:0]


def checksums(blocks):
    """64 bits for each row of a table of numbers of eight bytes; all rows at once, word by word."""
    words = np.ascontiguousarray(blocks).view(np.uint64)
    factor, second = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xFF51AFD7ED558CCD)
    few, many, half, last = (np.uint64(n) for n in (29, 35, 32, 33))
    value = np.full(len(words), 8 * words.shape[1], np.uint64) * factor
    for column in words.T:
        value = ((value << few | value >> many) ^ column) * factor
        value ^= value >> half
    value = (value ^ value >> last) * second
    return value ^ value >> last


def describe(result):
    print(f"{result.status}, {len(result.time)} samples", end="")
    print(f" from {result.time[0]:g} s to {result.time[-1]:g} s" if len(result.time) else "")
    for group in result.groups:
        rows = result[group]
        print(f"  {group}")
        for component, column in zip(result.groups[group], rows.T):
            finite = column[np.isfinite(column)]
            span = f"{finite.min():12.6g} … {finite.max():.6g}" if len(finite) else "nothing finite"
            print(f"    {component.name:<20} {component.unit:<8} {span}")
    events = result.events()
    for kind in result.event_kinds:
        print(f"  events {kind}: {sum(each.kind == kind for each in events)}")
    print("every checksum fits")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        with Result(sys.argv[1]) as result:
            if len(sys.argv) == 2:
                return describe(result)
            columns = [result.time] + [result[name] for name in sys.argv[2:]]
            print("time", *sys.argv[2:], sep=",")
            for row in zip(*columns):
                print(*(repr(float(each)) for each in row), sep=",")
    except (ResultError, KeyError) as error:
        sys.exit(f"carom_results: {error.args[0]}")


if __name__ == "__main__":
    main()
