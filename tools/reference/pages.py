"""The pages of docs/ as Doxygen shall read them: links between pages, and to files of the repository, keep working."""
import re
from pathlib import Path

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
OTHERS = {"README.md": "readme", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog", "SECURITY.md": "security"}
# Doxygen tells names apart by more than their case only.
NAMES = {**OTHERS, "docs/README.md": "index_of_pages"}


def page_id(path: str):
    """The name of a page's file in Doxygen; path from the root."""
    return "page_" + NAMES.get(path, Path(path).stem)


def anchor(heading: str):
    """What GitHub calls a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")


def copy_name(path: str):
    """What a browser shows as it is keeps its name; it would save a source."""
    return path if path.endswith(".png") else path + ".txt"


class converter:
    """files: collects what the pages link to beside pages, for a copy. link(word): a code span as a link to a name, or None."""

    def __init__(self, root: Path, pages, link):
        self.root, self.pages, self.link, self.files = root, set(pages), link, set()
        self.anchors = {page: self.anchors_of(page) for page in pages}

    def anchors_of(self, page):
        found, count = {}, {}
        for line in self.lines(page):
            match = re.match(r"#+ (.*)", line)
            if match:
                base = anchor(match[1])
                n = count[base] = count.get(base, -1) + 1
                found[line, n] = base + (f"-{n}" if n else "")
        return found

    def lines(self, page):
        """The lines outside code."""
        inside = False
        for line in (self.root / page).read_text().splitlines():
            if line.lstrip().startswith("```"):
                inside = not inside
            elif not inside:
                yield line

    def section_id(self, page, name):
        return f"{page_id(page)}_{re.sub(r'[^a-z0-9_]', '_', name)}"

    def convert(self, page):
        return "\n".join(self.convert_lines(page, (self.root / page).read_text().splitlines())) + "\n"

    def convert_lines(self, page, lines):
        """These lines of the page."""
        out, inside, first, seen = [], False, True, {}
        for line in lines:
            fence = re.match(r"(\s*)```(\w*)", line)
            if fence:
                language = {"": "unparsed", "cpp": "cpp", "cmake": "unparsed", "toml": "unparsed"}.get(fence[2], "unparsed")
                out.append(fence[1] + ("```" if inside else "```{." + language + "}"))
                inside = not inside
                continue
            if inside:
                out.append(line)
                continue
            if re.match(r"\s*<!--.*-->\s*$", line):
                continue
            heading = re.match(r"(#+) (.*)", line)
            if heading:
                n = seen[line] = seen.get(line, -1) + 1
                where = self.anchors[page].get((line, n)) or anchor(heading[2])
                text = re.sub(r"`([^`]*)`", r"\1", heading[2]).replace("&", "\\&").replace("<", "\\<")
                name = page_id(page) if first else self.section_id(page, where)
                out.append(f"{heading[1]} {text} {{#{name}}}")
                first = False
                continue
            out.append(self.prose(page, line))
        return out

    def prose(self, page, line):
        parts = re.split(r"(``.+?``|`[^`]*`)", line)
        for i, part in enumerate(parts):
            if part.startswith("`"):
                # Inside the text of a link it stays as it is.
                open_link = "".join(parts[:i]).rfind("[") > "".join(parts[:i]).rfind("]")
                if not open_link:
                    parts[i] = self.link(part.strip("`")) or part
            else:
                parts[i] = re.sub(r"(\\|@|\$)(?=\w)", r"\\\1", re.sub(r"#(?=\w)(?![^(]*\))", r"\\#", part))
                parts[i] = re.sub(r"<(?!!--|/?(?:br|sub|sup|a|b|kbd|details|summary|img|p|div)\b|https?:)", r"\\<", parts[i])
        return LINK.sub(lambda m: self.linked(page, *m.groups()), "".join(parts))

    def linked(self, page, picture, text, target):
        if re.match(r"[a-z]+:", target) or target.startswith("@ref"):
            return f"{picture}[{text}]({target})"
        file, _, fragment = target.partition("#")
        path = page if not file else self.relative(page, file)
        if path is None:
            return f"{picture}[{text}]({target})"
        if picture:
            self.files.add(path)
            return f'<img src="files/{path}" alt="{text}"/>'
        # What is not there Doxygen refuses, as a page that it does not know.
        if path in self.pages or not (self.root / path).exists():
            name = self.section_id(path, fragment) if fragment else page_id(path)
            return f"[{text}](@ref {name})"
        if (self.root / path).is_file():
            self.files.add(path)
            text = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
            return f'<a href="files/{copy_name(path)}">{text}</a>'
        return text

    def relative(self, page, file):
        try:
            return (self.root / page).parent.joinpath(file).resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return None
