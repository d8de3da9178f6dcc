"""The page of the papers' claims, made of the judged rows: docs/papers.md between its markers."""
from harness import KINDS

BEGIN, END = "<!-- papers:begin -->", "<!-- papers:end -->"
ANSWERS = {"holds": "yes", "known": "**no**", "MISS": "**no**", "UNEXPECTED": "yes, though listed",
           "FAILED": "not shown"}


def cell(value, most=70):
    """Short, for a table."""
    if isinstance(value, dict):
        value = "; ".join(f"{key} {cell(v, 1000)}" for key, v in value.items())
    elif isinstance(value, (list, tuple)):
        value = ", ".join(cell(v, 1000) for v in value)
    elif isinstance(value, bool):
        value = "yes" if value else "no"
    text = str(value).replace("|", "/")
    return text if len(text) <= most else text[:most - 3].rsplit(" ", 1)[0].rstrip(",;") + " ..."


def table(heads, lines):
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", *(f"| {' | '.join(line)} |" for line in lines)]


def counts(rows):
    lines = []
    for kind, meaning in KINDS.items():
        of = [row for row in rows if row["kind"] == kind]
        lines.append((kind, meaning, str(len(of)), str(sum(row["verdict"] == "holds" for row in of))))
    lines.append(("all", "", str(len(rows)), str(sum(row["verdict"] == "holds" for row in rows))))
    return table(("kind", "meaning", "rows", "hold"), lines)


def notes(claims, field):
    return [f"- **{one.row}**: {getattr(one, field)}." for one in claims if getattr(one, field)]


def mechanisms(claims):
    return [f"- **{one.row}**: {one.rests_on}{' (removed in the tests)' if one.removed else ''}." for one in claims
            if one.rests_on]


def without_row(register):
    return [f"- **{name}**, {register.texts[name]}: {why}." for name, why in register.no_row.items()]


def lines_of(rows, register):
    claims = list(register.claims.values())
    kept, missing = len(register.texts), len(register.no_row)
    yield f"{kept} claims are kept; {kept - missing} of them have rows. Of the rows, by kind:"
    yield ""
    yield from counts(rows)
    heads = "row", "claim", "kind", "paper", "here", "allowed", "holds"
    sections = {
        "The rows": table(heads, ((row["row"], row["claim"].replace("|", "/"), row["kind"], cell(row["paper"]),
                                   cell(row["simulated"]), cell(row["allowed"], 120), ANSWERS[row["verdict"]])
                                  for row in rows)),
        "What does not hold, and why": [f"- **{row}**: {why}." for row, why in register.known.items()],
        "What is not observed, but added by the row's function": notes(claims, "added"),
        "What is judged or shown otherwise than the paper or the digest's rows have it": notes(claims, "differs"),
        "What the emergent rows rest on": mechanisms(claims),
        "Claims that have no row yet": without_row(register),
    }
    for title, lines in sections.items():
        yield from ("", f"## {title}", "", *lines)


def fill(file, rows, register):
    text = file.read_text()
    if BEGIN not in text or END not in text:
        raise SystemExit(f"{file} has no {BEGIN} and {END}")
    before, rest = text.split(BEGIN, 1)
    lines = "\n".join(lines_of(rows, register))
    file.write_text(f"{before}{BEGIN}\n{lines}\n{END}{rest.split(END, 1)[1]}")
