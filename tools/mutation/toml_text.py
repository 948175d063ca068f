"""Where each scalar of a TOML text stands, so that one of them can be changed and everything else stays as it is.

`scalars(text)` agrees with `tomllib` on the tree: the caller can parse a changed text and compare.
"""
import re
import tomllib

STRING = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.S)
BARE = re.compile(r"[^\s,\]\}#=]+(?: [0-9:.]+)?")
KEY = re.compile(r'[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')
SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")


class Scanner:
    def __init__(self, text):
        self.text, self.place, self.found, self.lists = text, 0, [], {}

    def skip(self):
        self.place = SPACE.match(self.text, self.place).end()

    def take(self, mark):
        self.skip()
        if not self.text.startswith(mark, self.place):
            return False
        self.place += len(mark)
        return True

    def key(self):
        """A dotted key."""
        parts = []
        while True:
            self.skip()
            match = KEY.match(self.text, self.place)
            if not match:
                raise ValueError(f"no key at {self.text[self.place:self.place + 20]!r}")
            self.place, word = match.end(), match.group()
            parts.append(next(iter(tomllib.loads(f"{word} = 0"))) if word[0] in "\"'" else word)
            if not self.take("."):
                return parts

    def value(self, path):
        self.skip()
        if self.take("["):
            count = 0
            while not self.take("]"):
                self.value((*path, count))
                count += 1
                self.take(",")
        elif self.take("{"):
            while not self.take("}"):
                key = self.key()
                self.take("=")
                self.value((*path, *key))
                self.take(",")
        else:
            match = STRING.match(self.text, self.place) or BARE.match(self.text, self.place)
            self.found.append((path, match.start(), match.end()))
            self.place = match.end()

    def header(self, of_list):
        """The path of a [table] or of the next entry of a [[list]]; parts before it that are lists mean their last entry."""
        parts, path = self.key(), ()
        for k, part in enumerate(parts):
            path = (*path, part)
            if k == len(parts) - 1 and of_list:
                self.lists[path] = self.lists.get(path, -1) + 1
            if path in self.lists:
                path = (*path, self.lists[path])
        self.take("]]" if of_list else "]")
        return path

    def scan(self):
        table = ()
        while True:
            self.skip()
            if self.place >= len(self.text):
                return self.found
            if self.take("[["):
                table = self.header(True)
            elif self.take("["):
                table = self.header(False)
            else:
                key = self.key()
                self.take("=")
                self.value((*table, *key))


def scalars(text):
    """[(path, begin, end)]: keys of tables and numbers of entries, and which characters are its value."""
    return Scanner(text).scan()


def leaves(tree, path=()):
    """{path: value} of a parsed text."""
    if isinstance(tree, dict):
        return {place: value for key, one in tree.items() for place, value in leaves(one, (*path, key)).items()}
    if isinstance(tree, list):
        return {place: value for k, one in enumerate(tree) for place, value in leaves(one, (*path, k)).items()}
    return {path: tree}


def replace(text, changes):
    """The text with other values: changes = {path: text of the new value}. Nothing else may differ."""
    before = leaves(tomllib.loads(text))
    changed = text
    for path, begin, end in sorted(scalars(text), key=lambda one: -one[1]):
        if path in changes:
            changed = changed[:begin] + changes[path] + changed[end:]
    after = leaves(tomllib.loads(changed))
    if before.keys() != after.keys() or {path for path in before if before[path] != after[path]} != set(changes):
        raise ValueError("another value than the one that was meant would change")
    return changed


def write(value):
    """A value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write(str(key))} = {write(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
        return '"' + "".join(escapes.get(c, c) for c in value) + '"'
    return repr(value)


def write_file(tree):
    """A whole file: a line for each key of the root."""
    return "".join(f"{write(key)} = {write(value)}\n" for key, value in tree.items())
