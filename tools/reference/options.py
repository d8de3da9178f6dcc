"""The options of programs and the subcommands of `tsubu`, as a page of the reference: read from where they are declared."""
import re
from pathlib import Path

SETTINGS, COMMANDS = "tsubu/base/settings_table.cpp", "tsubu/command/subcommand.cpp"
MAIN = "tsubu/command/main.cpp"
SETTING = re.compile(r'^    \{"([\w-]+)",\s*"([^"]*)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+),', re.MULTILINE)


def options(root: Path):
    """[(name, value, help)]; as many as the table has."""
    text = (root / SETTINGS).read_text()
    found = [(name, value, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', said))) for name, value, said in SETTING.findall(text)]
    wanted = len(re.findall(r'^    \{"', text[text.index("std::to_array<setting>"):], re.MULTILINE))
    if len(found) != wanted:
        raise SystemExit(f"{SETTINGS}: {wanted} settings, of which {len(found)} could be read")
    return found


def commands(root: Path):
    """[(name, help)]; those that the command says there are, but for `hello`, which doctor starts."""
    text = (root / COMMANDS).read_text()
    found = [(name, "".join(re.findall(r'"([^"]*)"', said)))
             for name, said in re.findall(r':\s*subcommand\(of, "(\w+)",\s*((?:"[^"]*"\s*)+)\)', text)]
    listed = re.search(r"subcommands\[\] = \{([^}]*)\}", (root / MAIN).read_text())[1]
    if {name for name, _ in found} != set(re.findall(r'"(\w+)"', listed)) - {"hello"}:
        raise SystemExit(f"{COMMANDS}: other subcommands could be read than {MAIN} lists")
    return found


def page(root: Path):
    out = ["# Options and commands {#reference_options}", "",
           "A program that is started with `--tsubu-NAME=VALUE`, or with the variable `TSUBU_NAME` in its environment, takes what is "
           "said here; the option wins. `--tsubu-help` prints the same. What is wrong ends the job with one line and exit code 2.", "",
           "| option | value | what it does |", "|---|---|---|"]
    said_of = lambda text: re.sub(r"(--tsubu-[\w-]+)", r"`\1`", cell(text))
    cell = lambda text: text.replace("|", "\\|").replace("<", "\\<").replace("@", "\\@")
    for name, value, said in options(root):
        out.append(f"| `--tsubu-{name}` | {cell(value.replace('|', ', '))} | {said_of(said)} |")
    out += ["", "The command `tsubu` starts jobs of programs, here or on a simulated machine, and looks after the machine; "
            "`tsubu NAME --help` lists the options of a subcommand. An unknown one ends with code 2.", "",
            "| subcommand | what it does |", "|---|---|"]
    out += [f"| `tsubu {name}` | {said_of(said)} |" for name, said in commands(root)]
    return "\n".join(out) + "\n"
