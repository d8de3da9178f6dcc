"""Public headers as Doxygen shall read them: what of a header a program may use, and its plain comments as documentation.

The headers say what they promise in plain `//` comments. Here each is taken apart into comments and code; bodies, and
the namespaces that are no program's, are left out; and a comment directly above a declaration, or behind a member,
becomes Doxygen's. A paragraph that begins with "Local; " or "Collective; " states the facts of a declaration: from
where it is called; when it blocks; what it throws, or what ends the job.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOTS = ["tsubu/tsubu.hpp", "tsubu/mpc.hpp", "tsubu/eulash.hpp", "tsubu/outside.hpp", "tsubu/containers.hpp", "tsubu/mpi.hpp",
         "tsubu/base/memory_access.hpp"]
INCLUDE = re.compile(r'^\s*#\s*include "(tsubu/[^"]+)"', re.MULTILINE)
# Namespaces inside tsubu whose names a program writes. The others are the floors' own, and change.
PUBLIC = {"tsubu", "tsubu::exit_code", "tsubu::reduce", "tsubu::mpc", "tsubu::mpi", "tsubu::outside", "eulash"}
# Base classes of public classes in a floor's namespace, whose methods a program calls.
SHOWN = {("tsubu::data", "shared_access"), ("tsubu::containers", "map_verbs"), ("tsubu::containers", "set_verbs"),
         ("tsubu::containers", "counting_set_verbs"), ("tsubu::containers", "bag_verbs")}
# Declared and never defined: the compiler's error shows them.
SAID_BY_COMPILER = ("object_has_", "method_", "argument_of_method_")
FACTS = re.compile(r"(Local|Collective); ")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:requires\s.*\s)?(?:class|struct|union|enum)\b[^()]*$", re.DOTALL)


def reached(root: Path):
    """The headers that a program gets, as paths relative to the root."""
    found, pending = set(), list(ROOTS)
    while pending:
        path = pending.pop()
        if path in found or not (root / path).is_file():
            continue
        found.add(path)
        pending += INCLUDE.findall((root / path).read_text())
    return sorted(found)


@dataclass
class declaration:
    """One in a public namespace: what stands in the header, without bodies."""
    namespace: str
    line: int
    comment: list = field(default_factory=list)
    text: str = ""
    # (offset in text, comment) of members; an offset behind the code of its line is that of a comment behind it.
    inner: list = field(default_factory=list)

    @property
    def head(self):
        """Without members and attributes, in one line."""
        text = re.sub(r"\[\[.*?\]\]", "", self.text, flags=re.DOTALL)
        before_members = text.split("{")[0]
        return " ".join((before_members if TYPE.match(without_templates(before_members)) else text).split())

    @property
    def name(self):
        return name_of(self.head)

    @property
    def is_public(self):
        return self.namespace in PUBLIC or (self.namespace, self.name) in SHOWN

    @property
    def is_type(self):
        return bool(re.match(r"(class|struct|union|enum)\b", without_templates(self.head)))

    @property
    def has_methods(self):
        """A class that does something: no enumeration, no exception, no class of values alone."""
        methods = re.sub(rf"\b{self.name}\(.*?\)", "", self.text)
        return not re.search(r"\benum\b|: public std::|: op_base", self.head) and "(" in methods

    @property
    def is_function(self):
        return not self.is_type and "(" in without_templates(self.head).split("=")[0]

    @property
    def is_forward(self):
        """Says only that there is such a class or function, which is declared elsewhere; or defines a member."""
        head = without_templates(self.head)
        if re.match(r"(class|struct) \w+ ?;?$", head) and "{" not in self.text:
            return not self.comment and not self.name.startswith(SAID_BY_COMPILER)
        return "::" in defined(head)


def without_templates(text):
    """Without `template <...>` and `requires` clauses in front, and without what stands in angle brackets."""
    text = re.sub(r"\[\[.*?\]\]", "", text, flags=re.DOTALL).strip()
    text = re.sub(r"->|<=>|<=|>=|<<|operator[<>]|decltype\(auto\)", "", text)
    while True:
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            break
        text = shorter
    text = " ".join(text.split())
    while text.startswith("template"):
        text = text.removeprefix("template").strip()
    if text.startswith("requires"):
        text = after_requires(text)
    return text


def returned(head):
    """What stands before the name of a function, with its templates."""
    return head.split("(")[0] if not head.startswith("template") else head.split(">", 1)[-1].split("(")[0]


def after_requires(text):
    """The declaration behind a requires clause: behind its parenthesis, or behind its last && or ||."""
    rest = text.removeprefix("requires").strip()
    while True:
        if rest.startswith("("):
            depth = 0
            for at, c in enumerate(rest):
                depth += (c == "(") - (c == ")")
                if depth == 0:
                    break
            rest = rest[at + 1:].strip()
        else:
            rest = rest.split(" ", 1)[1].strip() if " " in rest else ""
        joined = re.match(r"(&&|\|\|)\s*", rest)
        if not joined:
            return rest
        rest = rest[joined.end():]


def defined(head):
    """What a declaration names, qualified if it is written so."""
    match = re.match(r"(?:concept|using) (\w+) =", head) or re.match(
        r"(?:class|struct|union|enum(?: class)?) (?:alignas\(.*?\) )?(\w+)", head)
    if match:
        return match[1]
    head = head.split(" = ")[0]
    call = re.search(r"((?:\w+::)*(?:operator\W+|~?\w+)) ?\(", head)
    if call:
        return call[1]
    variable = re.search(r"((?:\w+::)*\w+)(?: ?\[.*\])?(?: ?\{.*)? ?;?$", head)
    return variable[1] if variable else ""


def name_of(head):
    return defined(without_templates(head))


class scanner:
    """The pieces of a header: (kind, text, line). Bodies are `{}`, and what is private in a class is left out.

    A comment is a line of its own, or stands behind code of its line (kind behind). A namespace has an open and a close;
    a declaration has parts, between which its comments are, and an end.
    """

    def __init__(self, text):
        self.text, self.at, self.line = text, 0, 1
        self.code, self.begin = "", 1  # of the part that is under way, and the line on which it begins
        self.stack = []  # what each open brace belongs to: namespace, type, body, or private for what is hidden in a type
        self.fresh = True  # nothing but blanks on this line so far

    def hidden(self):
        return "body" in self.stack or "private" in self.stack

    def pieces(self):
        while self.at < len(self.text):
            c = self.text[self.at]
            if self.text.startswith("//", self.at):
                yield from self.comment()
            elif c == "#" and self.fresh:
                self.skip_directive()
            elif c == '"' or c == "'" and not self.text[self.at - 1].isalnum():
                self.take_literal(c)
            else:
                if c == "\n":
                    self.line, self.fresh = self.line + 1, True
                elif not c.isspace():
                    self.fresh = False
                if c == "{":
                    yield from self.open()
                elif c == "}":
                    yield from self.close()
                else:
                    yield from self.take(c)
                self.at += 1

    def comment(self):
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        if not self.hidden():
            if self.code.strip():
                yield "part", self.code, self.begin
            self.code = ""
            yield ("comment" if self.fresh else "behind"), self.text[self.at:end], self.line
        self.at = end

    def skip_directive(self):
        end = self.text.find("\n", self.at)
        while self.text[end - 1] == "\\":
            end = self.text.find("\n", end + 1)
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def take_literal(self, quote):
        end = self.at + 1
        while self.text[end] != quote:
            end += 2 if self.text[end] == "\\" else 1
        if not self.hidden():
            self.code += self.text[self.at:end + 1]
        self.at, self.fresh = end + 1, False

    def take(self, c):
        """A character of code that is no brace."""
        if not self.hidden():
            if not self.code.strip():
                self.begin = self.line
            self.code += c
            if c == ";" and "type" not in self.stack:
                yield from self.end()
        if c == ":" and self.stack and self.stack[-1] in ("type", "private"):
            access = re.search(r"\b(public|protected|private):$", self.text[max(self.at - 10, 0):self.at + 1])
            if access:
                self.change_access(access[1])

    def change_access(self, access):
        if self.stack[-1] == "private" and access != "private":
            self.code += access + ":"
        elif self.stack[-1] == "type" and access == "private":
            self.code = self.code.rstrip().removesuffix("private:")
        self.stack[-1] = "private" if access == "private" else "type"

    def open(self):
        statement = re.sub(r"\[\[.*?\]\]", "", self.code, flags=re.DOTALL)
        statement = re.split(r"[;{}]|\b(?:public|private|protected):", statement)[-1].strip()
        hidden = self.hidden()
        if not hidden:
            self.code += "{"
        if re.match(r"(inline )?namespace\b", statement):
            self.stack.append("namespace")
            if not hidden:
                yield "open", statement.split()[-1], self.line
                self.code = ""
        elif not hidden and TYPE.match(" ".join(without_templates(statement).split())):
            self.stack.append("private" if without_templates(statement).startswith("class") else "type")
        else:
            self.stack.append("body")

    def close(self):
        kind = self.stack.pop()
        if self.hidden():
            return
        if kind == "namespace":
            yield "close", "", self.line
            self.code = ""
            return
        self.code += "}"
        # A function ends with its body; a type and an initializer with their semicolon.
        if kind == "body" and "type" not in self.stack and ends_with_body(self.code):
            yield from self.end()

    def end(self):
        yield "part", self.code, self.begin
        yield "end", "", self.line
        self.code = ""


def scan(text):
    return scanner(text).pieces()


def ends_with_body(code):
    """Whether a declaration is over with this brace: that of a function is, that of an initializer or a concept not."""
    text = without_templates(code)
    while True:
        shorter = re.sub(r"\([^()]*\)", "", text)
        if shorter == text:
            break
        text = shorter
    return "(" in code and "=" not in text.replace("operator=", "").replace("==", "") and not text.startswith("concept")


def declarations(text):
    """(head comment of the file, [declaration]): those of public namespaces, in order."""
    head, found = [], []
    namespaces, comment, last, now = [], [], 0, None
    seen_code, last_head = False, 0
    for kind, piece, line in scan(text):
        if kind == "comment" and now is None:
            if comment and last + 1 != line:
                comment = []
            comment.append(piece)
            last = line
            if not seen_code and not namespaces and (not head or last_head + 1 == line):
                head.append(piece)
                last_head = line
        elif kind == "open":
            seen_code, comment = True, []
            namespaces.append(piece)
        elif kind == "close":
            comment = []
            namespaces.pop()
        elif kind == "part":
            seen_code = True
            if now is None:
                offset = len(piece) - len(piece.lstrip())
                piece = piece[offset:]
                now = declaration("::".join(namespaces), line, comment if last + 1 == line else [])
            now.text += piece
            comment = []
        elif kind in ("comment", "behind") and now is not None:
            now.inner.append((len(now.text), kind, piece, line))
        elif kind == "behind" and found and found[-1].line == line and not found[-1].comment:
            found[-1].comment.append(piece)
        elif kind == "end" and now is not None:
            found.append(now)
            now = None
    return head, [d for d in found if d.is_public and not d.is_forward and d.name not in ("", "static_assert")]


# ---- comments

def paragraphs(comment):
    """The comment's lines without `//`, as (kind, [line]): text or code. Code is indented by two spaces or more."""
    found = []
    for line in comment:
        text = line.strip().removeprefix("//")
        text = text[1:] if text.startswith(" ") else text
        if not text.strip():
            kind = found[-1][0] if found and found[-1][0] == "code" else "none"
        elif re.match(r"\s{2,}\S", text) and not re.match(r"\s+[-*] ", text):
            kind = "code"
        else:
            kind = "text"
            if FACTS.match(text):
                kind = "facts"
            elif found and found[-1][0] == "facts" and found[-1][1]:
                kind = "facts"
        if kind == "none":
            found.append(("none", []))
        elif found and found[-1][0] == kind and not FACTS.match(text):
            found[-1][1].append(text)
        else:
            found.append((kind, [text]))
    return [(kind, lines) for kind, lines in found if kind != "none"]


def facts_of(comment):
    """(called, blocks, errors) of a comment, or None."""
    for kind, lines in paragraphs(comment):
        if kind == "facts":
            parts = " ".join(line.strip() for line in lines).rstrip(".").split("; ")
            return (parts[0], parts[1], "; ".join(parts[2:])) if len(parts) >= 3 else (parts + ["", ""])[:3]
    return None


def prose_of(comment):
    return [line for kind, lines in paragraphs(comment) if kind in ("text", "code") for line in lines]


def escaped(text, link=lambda word: None):
    """Prose for Doxygen: what is in backticks as it is, of the rest nothing a command or a tag."""
    parts = re.split(r"(`[^`]*`)", text)
    for i, part in enumerate(parts):
        if part.startswith("`"):
            parts[i] = link(part[1:-1]) or part
        else:
            part = re.sub(r"([\\@&$#<>%])", r"\\\1", part)
            part = part.replace("..", "&hellip;")
            part = re.sub(r"\b((?:docs/)[\w/]+)\.md\b", lambda m: link(m[0]) or m[0], part)
            parts[i] = part
    return "".join(parts)


def doxygen(comment, extra=(), link=lambda word: None, shared_facts=None):
    """The lines of a Doxygen comment. shared_facts: those of an overload before it, which hold where it has none."""
    out = prose(comment, link)
    facts = facts_of(comment) or shared_facts
    if facts:
        called, blocks, errors = (escaped(part, link) for part in facts)
        called = {"Local": "by one PE", "Collective": "by every PE: collective"}[called]
        out += ["", "\\par Called", called, "\\par Blocks", blocks, "\\par Errors", errors, ""]
    return ["/**"] + [" * " + line for line in [*out, *extra]] + [" */"]


def prose(comment, link=lambda word: None):
    """The lines of a comment but its facts, as Doxygen reads them."""
    out = []
    for kind, lines in paragraphs(comment):
        if kind == "code":
            least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
            out += ["\\code{.cpp}"] + [line[least:] for line in lines] + ["\\endcode"]
        elif kind == "text":
            out += escaped("\n".join(lines), link).split("\n") + [""]
    return out


# ---- emission

def member_comments(d, link):
    """The text of a declaration, with the comments of its members as Doxygen's."""
    out, at, i, inner, section = "", 0, 0, d.inner, False

    def take(until):
        """Code up to there. A section of members ends where the access changes."""
        nonlocal section
        text = d.text[at:until]
        if section and (access := re.search(r"^\s*(?:public|protected|private):", text, re.MULTILINE)):
            section = False
            return text[:access.start()] + "\n/** @} */\n" + text[access.start():]
        return text

    while i < len(inner):
        offset, kind, piece, line = inner[i]
        out += take(offset)
        at = offset
        i += 1
        if kind == "behind":
            out += " /**< " + escaped(piece.removeprefix("//").strip(), link) + " */"
            continue
        block = [piece]
        while i < len(inner) and inner[i][0] == offset and inner[i][1] == "comment" and inner[i][3] == line + len(block):
            block.append(inner[i][2])
            i += 1
        title = re.match(r"// -+ (.*?)[ -]*$", block[0])
        if title and d.is_type:
            out += ("\n/** @} */" if section else "") + f"\n/** @name {escaped(title[1])} */\n/** @{{ */\n"
            section = True
        elif not title and re.match(r"\s*", d.text[at:])[0].count("\n") <= 1:
            out += "\n" + "\n".join(doxygen(block, (), link)) + "\n"
    rest = take(len(d.text))
    return out + (re.sub(r"\}(\s*;?\s*)$", "/** @} */\n}\\1", rest) if section else rest)


def speaks_for(found):
    """The declaration that the head of a header speaks for: its first class that has no words of its own."""
    return next((d for d in found if d.is_type and not prose_of(d.comment)), None)


def converted(path, text, group, examples, link=lambda word: None):
    """A header as Doxygen shall read it. group(d), examples(d): the concept a declaration belongs to, and its uses."""
    head, found = declarations(text)
    out = ["/**", f" * \\file {path}"] + doxygen(head, (), link)[1:]
    main = speaks_for(found)
    has_example = any(kind == "code" for kind, _ in paragraphs(head))
    shows = next((d for d in found if d.is_type), found[0] if found else None) if has_example and main is None else None
    seen, facts = set(), {}
    for d in found:
        comment = d.comment
        if d is main:
            comment = head + ["//"] + comment
        key = d.name
        extra = [f"\\ingroup {group(d)}"]
        if key not in seen:
            extra += examples(d)
        seen.add(key)
        facts.setdefault(key, facts_of(d.comment))
        extra += ["\\par Header", f"{path}, line {d.line}"]
        if d is shows:
            extra += ["\\par In full", *prose(head, link)]
        body = doxygen(comment, extra, link, facts[key])
        out += ["", f"namespace {d.namespace} {{"] + body + [member_comments(d, link).strip(), "}"]
    return "\n".join(out) + "\n"
