"""Where a public name is used: an example line from the examples, the applications or the tests, never an invented one."""
import re
from pathlib import Path

# In the order in which a reader would look. Programs first; of the tests only what no program uses.
PLACES = ["examples/*.cpp", "examples/from_others/*.cpp", "examples/gallery/*.cpp", "apps/*/*.cpp", "apps/*/*.hpp",
          "tests/programs/*.cpp",
          "tests/acceptance/**/*.cpp", "tests/papers/**/*.cpp", "tsubu/*/*_test.cpp", "tests/**/*.cpp", "tests/**/*.hpp",
          "bench/**/*.cpp", "tsubu/**/*.cpp", "tsubu/**/*.hpp"]

# How a program writes what it does not call by its name, and what the file must have besides.
WRITTEN = {
    "object_section": (r"\.section\(", ""),
    "streamed": (r"\.stream<", ""),
    "shared_element": (r"co_await \w+\[.*\]\.(?:read|write|change)", "create_shared_array"),
    "data::shared_access": (r"co_await \w+\.(?:read|write|change)\b", "create_shared("),
    "containers::map_verbs": (r"\.(?:past|now|future)\(\)\.(?:template )?(?:insert|visit|find)\b", "create_map<"),
    "containers::set_verbs": (r"\.(?:past|now|future)\(\)\.(?:insert|contains)\(", "create_set<"),
    "containers::counting_set_verbs": (r"\.(?:now|future)\(\)\.count\(", "create_counting_set<"),
    "containers::bag_verbs": (r"\.(?:past|now|future)\(\)\.insert\(", "create_bag<"),
    "mpc::GlobalRef": (r"\barray\[\d\] = ", "GlobalPtr"),
    "mpc::trace_function": (r"\btrace_hook = ", ""),
    "default_fiber_stack": (r"\bspawn_fiber\([^,]*(?:,[^,]*)?\{", ""),
    "reduce::plus_op": (r"\breduce::plus\b", ""),
    "reduce::times_op": (r"\breduce::times\b", ""),
    "reduce::min_op": (r"\breduce::min\b", ""),
    "reduce::max_op": (r"\breduce::max\b", ""),
    "reduce::all_op": (r"\breduce::all\b", ""),
    "reduce::any_op": (r"\breduce::any\b", ""),
    "eulash::managed": (r"\beulash::w_\w+<", ""),
    "mpc::node_at": (r"^\s*invoke\(\w+, \d", "mpc"),
    "request": (r"co_await .*\w\.now<&\w+::\w+>\(", "create<"),
    "object_destination": (r"\bat\(\w+\)\.(?:now|past)<&", ""),
    "awaitable": (r"\btemplate <awaitable\b", ""),
}


class uses:
    def __init__(self, root: Path):
        self.files = {}  # in order: path -> its lines
        for place in PLACES:
            # Programs that end badly come last: they do not show how a name is meant.
            for path in sorted(root.glob(place), key=lambda path: ("ending" in path.name, path)):
                self.files.setdefault(path.relative_to(root).as_posix(), path.read_text().splitlines())

    def of(self, namespace: str, name: str, call: bool, declared_in: str, of_type: bool = False):
        """(file, line number, line) of the first use, or None; not in the header that declares it."""
        inner = namespace.removeprefix("tsubu").removeprefix("::")
        key = f"{inner}::{name}" if inner else name
        if key in WRITTEN:
            pattern, beside = WRITTEN[key]
            return self.first(re.compile(pattern), lambda lines: not beside or any(beside in line for line in lines), declared_in)
        return self.first(use_of(inner, name, call, of_type), lambda lines: may_use(lines, inner, name), declared_in)

    def first(self, pattern, of_file, declared_in):
        for path, lines in self.files.items():
            if path == declared_in or not of_file(lines):
                continue
            for number, line in enumerate(lines, 1):
                if pattern.search(code_of(line)):
                    return path, number, line.strip()
        return None


def use_of(inner: str, name: str, call: bool, of_type: bool):
    """How a name is used: called, as a type, or as a value. English words are looked for where they can only be ours."""
    after = r"[<({&\s*.;,>:)\[]"
    if call:
        after = r"(?:<[^;]*>)?\s*\("
    elif of_type:
        after = r"(?:<|\s+\w+[\s({;=,)]|\s*[&{>(]|::)"
    qualified = {"": r"(?:tsubu::)?", "mpc": r"(?:tsubu::)?(?:mpc::)?"}.get(inner, rf"{re.escape(inner)}::")
    return re.compile(rf"(?<![\w.:>\"]){qualified}{name}\b{after}")


def may_use(lines, inner: str, name: str):
    """Whether a file can mean our name by this word: it has the header, and nothing of its own is called so."""
    text = "\n".join(lines)
    if name not in text or f"namespace {name}" in text:
        return False
    if (inner == "mpc") != ("tsubu/mpc" in text or "mpcxx.h" in text):
        return False
    if (inner == "eulash") != ("eulash.hpp" in text):
        return False
    defines = re.compile(rf"^\s*(?:template.*|static |inline |constexpr |const )*(?!co_await|co_return|return|else)"
                         rf"[\w:<>,*&]+ [&*]*{name}\(.*\) ?(?:const )?\{{")
    names_class = re.compile(rf"\b(?:class|struct|enum|enum class) {name}\b")
    return not any(defines.search(line) or names_class.search(line) for line in lines)


def code_of(line: str):
    """The line without comments, directives and what stands in quotes, in which nothing is used."""
    code = line.split("//")[0]
    if code.lstrip().startswith(("#", "*", "/*", "namespace", "using namespace")):
        return ""
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', code)
