"""Has the reference all that it promises?

Which names are public the compiler has said: tools/names keeps its list in docs/hazards.md. To these come those of the
inner namespaces, and the macros. Each belongs to a concept; each but the internal ones is in Doxygen's XML with words of
its own and an example, and each function and class with its facts.
"""
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import concepts
import headers

LISTED = re.compile(r"<!-- names:begin -->(.*?)<!-- names:end -->", re.DOTALL)
MACRO = re.compile(r"^\s*#\s*define (TSUBU_\w+)", re.MULTILINE)
BLOCKS = re.compile(r"\b(?:un)?blocks?\b|\bholds up\b")


def listed_names(root: Path):
    return set(re.findall(r"`(\w+)`", LISTED.search((root / "docs/hazards.md").read_text())[1]))


def in_xml(folder: Path):
    """name -> whether Doxygen has words for it; a name is qualified."""
    found = {}
    for path in folder.glob("*.xml"):
        if not path.name.startswith(("namespace", "class", "struct", "concept", "group")):
            continue
        for compound in ET.parse(path).getroot().iter("compounddef"):
            kind = compound.get("kind")
            if kind in ("class", "struct", "concept"):
                found[compound.find("compoundname").text] = has_words(compound)
            elif kind in ("namespace", "group"):
                for member in compound.iter("memberdef"):
                    qualified = member.find("qualifiedname")
                    name = qualified.text if qualified is not None else None
                    if name is None and kind == "namespace":
                        name = compound.find("compoundname").text + "::" + member.find("name").text
                    if name:
                        found[name] = found.get(name, False) or has_words(member)
    return found


# What the language or the standard library asks for by name.
LANGUAGE = re.compile(r"operator|~|await_|suspend$|value_type|result_type|promise_type|handle$|awaiter$|begin$|end$|min$|max$|what$"
                      r"|size$|empty$|allocate$|deallocate$|get$")


def silent_members(of, folder: Path):
    """Public methods and types of classes of which nothing is said, nor of another of that name in their header."""
    silent, said = [], set()
    for path in sorted(folder.glob("*.xml")):
        if not path.name.startswith(("class", "struct")):
            continue
        compound = ET.parse(path).getroot().find("compounddef")
        full = re.sub(r"<.*", "", compound.find("compoundname").text).strip()
        key = full.removeprefix("tsubu::")
        if key not in of.by_key or of.is_internal(key):
            continue
        for section in compound.iter("sectiondef"):
            for member in section.iter("memberdef"):
                name, file = member.find("name").text, member.find("location").get("file")
                if has_words(member) or section.find("header") is not None and "runtime" in section.find("header").text:
                    said.add((file, name))
                elif member.get("prot") == "public" and name != key.split("::")[-1] and not LANGUAGE.match(name):
                    if member.get("kind") == "function":
                        silent.append((file, name, full))
    return [f"{file}: {full}::{name}: its header says nothing of it" for file, name, full in silent
            if (file, name) not in said and not follows_comment(of.text.get(file, ""), name)]


def follows_comment(text: str, name: str):
    """A comment speaks for all members up to an empty line."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if re.search(rf"\b{name}\(", line) and not line.lstrip().startswith("//"):
            while at >= 0 and lines[at].strip() and not lines[at].rstrip().endswith(":"):
                if lines[at].lstrip().startswith("//"):
                    return True
                at -= 1
    return False


def has_words(element):
    return any("".join(part.itertext()).strip() for part in (element.find("briefdescription"), element.find("detaileddescription")))


def troubles(of, xml: Path):
    """What is missing, a line each."""
    found = []
    known = Counter(name for c in of.concepts for name in c.names)
    found += [f"{concepts.PAGE}: {name} is in {n} concepts" for name, n in known.items() if n > 1]
    public = listed_names(of.root) | set(of.by_key)
    public |= {macro for text in of.text.values() for macro in MACRO.findall(text)}
    found += [f"{concepts.PAGE}: no concept has {name}" for name in sorted(public - set(known))]
    found += [f"{concepts.PAGE}: there is no public name {name}" for name in sorted(set(known) - public)]
    documented = in_xml(xml)
    for key, declared in sorted(of.by_key.items()):
        if of.is_internal(key):
            continue
        path, first = declared[0]
        place = f"{path}:{first.line}: {key}"
        if not documented.get(f"{first.namespace}::{first.name}"):
            found.append(f"{place}: not in the reference, or without words")
        if not any(headers.prose_of(d.comment) for _, d in declared) and not of.has_head(path, first):
            found.append(f"{place}: its header says nothing of it")
        if not of.examples[key] and not of.is_said_by_compiler(key):
            found.append(f"{place}: used by no example, application or test")
        # Overloads of one header share the facts of the first, unless they have their own.
        for path in sorted({path for path, _ in declared}):
            d = next(d for p, d in declared if p == path)
            if d.is_function or d.is_type and d.has_methods:
                found += facts_troubles(f"{path}:{d.line}: {key}", d)
    return found + silent_members(of, xml)


def facts_troubles(place, d):
    facts = headers.facts_of(d.comment)
    if facts is None:
        return [f"{place}: does not say who calls it, when it blocks and what goes wrong (\"Local; ...; ...\")"]
    called, blocks, errors = facts
    found = []
    if not BLOCKS.search(blocks):
        found.append(f"{place}: says not whether it blocks: {blocks!r}")
    if not errors:
        found.append(f"{place}: says not what goes wrong")
    return found
