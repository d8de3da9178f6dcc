"""The concepts of docs/concepts.md, each a section, and the public names that belong to each.

A line of a section that begins with "Names" lists them in backticks; the list may go on in the lines behind it, up to an
empty one. A name of an inner namespace is written with it: `reduce::plus`. Those of the section "Internal" are public
only because headers need them.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path

PAGE = "docs/concepts.md"
INTERNAL = "Internal, subject to change"


@dataclass
class concept:
    title: str
    text: list = field(default_factory=list)
    names: list = field(default_factory=list)

    @property
    def group(self):
        return "concept_" + re.sub(r"\W+", "_", self.title.lower()).strip("_")


def read(root: Path):
    found, in_names = [], False
    for line in (root / PAGE).read_text().splitlines():
        if line.startswith("## "):
            found.append(concept(line[3:].strip()))
            in_names = False
        elif found:
            if line.startswith("Names"):
                in_names = True
            elif not line.strip():
                in_names = False
            if in_names:
                found[-1].names += re.findall(r"`([^`]+)`", line)
            else:
                found[-1].text.append(line)
    return [c for c in found if c.names]


def key_of(d):
    """How the page names a declaration."""
    inner = d.namespace.removeprefix("tsubu").removeprefix("::")
    return f"{inner}::{d.name}" if inner else d.name


def groups(found):
    return {name: c for c in found for name in c.names}
