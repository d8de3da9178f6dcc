"""The files of the repository, and who includes whom. Shared by floors and tidy."""
import re
from pathlib import Path

# What others have written is as they have it.
SKIPPED_FOLDERS = {"build", "out", "__pycache__", "third_party"}
CXX = {".hpp", ".cpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def files(root: Path):
    """All files below root, as paths relative to it, sorted; no hidden folders, no build trees."""
    found = []
    pending = [root]
    while pending:
        for path in pending.pop().iterdir():
            if path.is_dir() and not path.is_symlink():
                if path.name not in SKIPPED_FOLDERS and not path.name.startswith(".git"):
                    pending.append(path)
            elif path.is_file():
                found.append(path.relative_to(root))
    return sorted(found)


def sources(root: Path):
    return [path for path in files(root) if path.suffix in CXX]


def lines(root: Path, path: Path):
    """(number, text) of each line; nothing for a file that is not text."""
    try:
        text = (root / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    return list(enumerate(text.splitlines(), start=1))


def includes(root: Path, path: Path):
    """(line number, included file) for every include that means a file of the repository.

    A name is looked for beside the including file and from the root, as the compiler does. One that starts with
    "tsubu/" is ours even if it is not there.
    """
    for number, text in lines(root, path):
        match = INCLUDE.match(text)
        if not match:
            continue
        quote, name = match.groups()
        beside = path.parent / name
        if quote == '"' and (root / beside).is_file():
            yield number, Path(*normal_parts(beside))
        elif (root / name).is_file() or name.startswith("tsubu/"):
            yield number, Path(name)


def normal_parts(path: Path):
    parts = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts
