"""Random programs in ABCL/ST that are well typed, end, and say the same on any number of PEs.

An object is known to its creator only, and asks only those that it has created: so no now send waits for ever, and no result
depends on when a message comes. What is computed is shown by Main alone. Indices and divisors are made to fit.
"""
import random

TYPES = ["Int", "Bool", "Str", "Float", "[Int Str]", "[[Int Bool] Float]", "(array Int)", "(array [Str Int])"]
# What objects of each class understand, beside its elements: the type of the reply.
MESSAGES = [("get", ["Int"], "Int"), ("name", ["Str", "Int"], "Str"), ("pair", ["Int"], "[Int Str]"),
            ("deep", ["[[Int Bool] Float]"], "[[Int Bool] Float]"), ("row", ["(array Int)"], "(array Int)"),
            ("long", ["Int"] * 33, "Int"), ("test", ["Int"], "Int")]
PAST = [("put", ["Int"]), ("keep", ["Str", "[Int Str]"]), ("fill", ["Int"] * 35)]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.functions = [("fun-int", ["Int", "Str"], "Int"), ("fun-pair", ["Int", "Bool"], "[Int Str]"),
                          ("fun-row", ["(array Int)", "Int"], "Int"), ("fun-str", ["Str", "Float", "Int"], "Str")]
        self.callable = []

    # ---- choices

    def chance(self, p):
        return self.random.random() < p

    def pick(self, of):
        return self.random.choice(of)

    def fresh(self, of="v"):
        self.names += 1
        return f"{of}{self.names}"

    # ---- expressions: `env` has names and their types; `place`: "function", "guard" or "object"

    def literal(self, t):
        if t == "Int":
            return str(self.pick([0, 1, 2, 3, 7, -1, -5, 100, 40000, 123456789012, self.random.randrange(-50, 50)]))
        if t == "Bool":
            return self.pick(["true", "false"])
        if t == "Str":
            return self.pick(['""', '"a"', '"bc"', '"a longer text"', '"\\n"'])
        return self.pick(["0.5", "1.0", "-2.25", "1e3"])

    def variables(self, t, env):
        return [name for name, (of, _) in env.items() if of == t]

    def value(self, t, env, place, depth):
        known = self.variables(t, env)
        if known and self.chance(0.35 if depth > 0 else 0.8):
            return self.pick(known)
        made = {"Int": self.integer, "Bool": self.boolean, "Str": self.text, "Float": self.real}.get(t)
        if depth > 0 and place != "guard" and self.chance(0.3):
            return self.form(t, env, place, depth - 1)
        if made:
            return made(env, place, depth - 1) if depth > 0 else self.literal(t)
        return self.compound(t, env, place, depth - 1)

    def compound(self, t, env, place, depth):
        if t.startswith("(array"):
            element = t[len("(array "):-1]
            return f"(make-array {self.pick([1, 2, 3])} {self.value(element, env, place, depth)})"
        parts = {"[Int Str]": ["Int", "Str"], "[Str Int]": ["Str", "Int"], "[Int Bool]": ["Int", "Bool"],
                 "[[Int Bool] Float]": ["[Int Bool]", "Float"]}[t]
        return "[" + " ".join(self.value(part, env, place, depth) for part in parts) + "]"

    def integer(self, env, place, depth):
        def v(t="Int"):
            return self.value(t, env, place, depth)

        kind = self.random.randrange(9)
        if kind < 3:
            return f"({self.pick('+-*')} {' '.join(v() for _ in range(self.random.randrange(1, 4)))})"
        if kind == 3:
            return f"({self.pick(['/', 'mod'])} {v()} {self.pick([1, 2, 3, 7, -3, 1000003])})"
        if kind == 4:
            return f"(length {v('Str')})"
        if kind == 5:
            rows = self.variables("(array Int)", env)
            if rows:
                row = self.pick(rows)
                return f"(aref {row} (mod {v()} (length {row})))"
            return f"(length {v('(array Int)')})"
        if kind == 6 and place != "guard":
            return f"(match {v('[Int Str]')} (=> [{(n := self.fresh())} _] (+ {n} 1)))"
        if kind == 7 and place != "guard":
            row, text, number = self.fresh(), self.fresh(), self.fresh()
            return (f"(let (((array [Str Int]) {row} {v('(array [Str Int])')})) (match (aref {row} 0)"
                    f" (=> [{text} {number}] (+ {number} (length {text})))))")
        return f"(- {v()})"

    def boolean(self, env, place, depth):
        def v(t):
            return self.value(t, env, place, depth)

        kind = self.random.randrange(5)
        if kind < 2:
            t = self.pick(["Int", "Int", "Str", "Float"])
            return f"({self.pick(['<', '>', '<=', '>=', '=', '/='])} " \
                   f"{' '.join(v(t) for _ in range(self.random.randrange(2, 4)))})"
        if kind == 2:
            return f"({self.pick(['and', 'or'])} {v('Bool')} {v('Bool')} {v('Bool')})"
        if kind == 3:
            return f"(not {v('Bool')})"
        return f"(= {v('Bool')} {v('Bool')})"

    def text(self, env, place, depth):
        return f"(str {self.value('Int', env, place, depth)} {self.value(self.pick(TYPES[:6]), env, place, depth)})"

    def real(self, env, place, depth):
        a, b = self.value("Float", env, place, depth), self.value("Float", env, place, depth)
        return self.pick([f"({self.pick('+-*')} {a} {b})", f"(/ {a} 3.0)", f"(float (mod {self.value('Int', env, place, depth)} 1000))"])

    # Forms with a value of any type.
    def form(self, t, env, place, depth):
        def v(of, more=None):
            return self.value(of, env | (more or {}), place, depth)

        kind = self.random.randrange(10)
        if kind < 2:
            return f"(if {v('Bool')} {v(t)} {v(t)})"
        if kind == 2:
            name, of = self.fresh(), self.pick(TYPES)
            more = {name: (of, True)}
            inside = env | more
            return f"(let (({of} {name} {v(of)})) {self.action(inside, place, depth)} {v(t, more)})"
        if kind == 3:
            return f"(begin {self.action(env, place, depth)} {v(t)})"
        if kind == 4:
            a, b = self.fresh(), self.fresh()
            more = {a: ("Int", False), b: ("Str", False)}
            return (f"(match {v('[Int Str]')} (=> [0 _] {v(t)}) (=> [_ \"a\"] {v(t)})"
                    f" (=> [{a} {b}] where {self.boolean(env | more, 'guard', 1)} {v(t, more)}) (=> [_ _] {v(t)}))")
        calls = [f for f in self.callable if f[2] == t]
        if kind < 7 and calls:
            name, arguments, _ = self.pick(calls)
            return f"({name} {' '.join(v(of) for of in arguments)})"
        if place == "object":
            asked = self.question(t, env, depth)
            if asked:
                return asked
        return f"(if {v('Bool')} {v(t)} {v(t)})"

    # ---- messages

    def elements(self, types, env, depth):
        return " ".join(self.value(t, env, "object", depth if i < 3 else 0) for i, t in enumerate(types))

    def question(self, t, env, depth):
        able = [m for m in MESSAGES if m[2] == t]
        known = [name for name, (of, _) in env.items() if of.startswith("C")]
        if not able or not known:
            return None
        tag, types, _ = self.pick(able)
        target = self.pick(known)
        kind = self.random.randrange(4)
        if kind < 2:
            return f"[{target} <== [:{tag} {self.elements(types, env, depth)}]]"
        if kind == 2:
            box = self.fresh("r")
            return (f"(sync {box} {self.action(env, 'object', depth)}"
                    f" [{target} <= [:{tag} {self.elements(types, env, depth)} (@ {box})]]"
                    f" {self.action(env, 'object', depth)})")
        future, other = self.fresh("f"), self.fresh("r")
        if self.chance(0.5):
            return (f"(let (((future {t}) {future} (make-future)))"
                    f" [{target} <= [:{tag} {self.elements(types, env, depth)}] $ {future}]"
                    f" {self.action(env, 'object', depth)} ({self.pick(['touch', 'next-value'])} {future}))")
        box = self.fresh("r")
        x, y, z = self.fresh(), self.fresh(), self.fresh()
        return (f"(match (sync* ({box} {other}) [{target} <= [:{tag} {self.elements(types, env, depth)} (@ {box})]]"
                f" [{self.pick(known)} <= [:get {self.value('Int', env, 'object', depth)} (@ {other})]]"
                f" {self.value('Bool', env, 'object', depth)})"
                f" (=> [{x} {y} {z}] {self.value(t, env | {x: (t, False), y: ('Int', False), z: ('Bool', False)}, 'object', depth)}))")

    # ---- what is done for its effect

    def action(self, env, place, depth):
        depth = max(depth, 0)
        kind = self.random.randrange(9)
        known = [name for name, (of, _) in env.items() if of.startswith("C")]
        changed = [name for name, (of, may) in env.items() if may and not of.startswith("C")]
        if kind < 3 and changed:
            name = self.pick(changed)
            of = env[name][0]
            if of == "(array Int)" and self.chance(0.7):
                return (f"[(aref {name} (mod {self.value('Int', env, place, depth)} (length {name}))) :="
                        f" {self.value('Int', env, place, depth)}]")
            return f"[{name} := {self.value(of, env, place, depth)}]"
        if kind < 5 and known and place == "object":
            tag, types = self.pick(PAST + [(m[0], m[1]) for m in MESSAGES[:3]])
            return f"[{self.pick(known)} <= [:{tag} {self.elements(types, env, depth)}]]"
        if kind == 5 and depth > 0:
            i = self.fresh("i")
            more = env | {i: ("Int", False)}
            return f"(for ({i} 0 {self.pick([0, 1, 3])}) {self.action(more, place, depth - 1)})"
        if kind == 6 and depth > 0:
            n = self.fresh("n")
            return (f"(let ((Int {n} {self.pick([1, 2, 3])})) (while (> {n} 0) {self.action(env, place, depth - 1)}"
                    f" [{n} := (- {n} 1)]))")
        return f"(if {self.value('Bool', env, place, depth)} {self.action(env, place, depth - 1)})" if depth > 0 else "(begin)"

    # ---- declarations

    def function(self, name, types, result):
        names = {self.fresh("a"): (t, False) for t in types}
        text = " ".join(f"({t} {n})" for n, (t, _) in names.items())
        made = f"(function ({name} {text}) {result} {self.action(names, 'function', 2)} {self.value(result, names, 'function', 3)})"
        self.callable.append((name, types, result))
        return made

    def one_class(self, number):
        state = {f"s{number}-{i}": (t, True) for i, t in enumerate(TYPES)}
        first = [f"({t} {n} := {self.value(t, {}, 'function', 1)})" for n, (t, _) in state.items()]
        own = {f"s{number}-c{i}": (f"C{i}", False) for i in range(number)}
        first += [f"({t} {n} := (new {t}))" for n, (t, _) in own.items()]
        env = state | own
        clauses = []
        for tag, types, result in MESSAGES:
            names = {self.fresh("e"): (t, False) for t in types}
            inside = env | names
            pattern = f"[:{tag} {' '.join(names)}]"
            if tag == "get":
                clauses.append(f"(==> [:get {self.pick([0, 1, 7])}] !{self.value(result, env, 'object', 1)})")
            if tag in ("get", "test"):
                clauses.append(f"(==> {pattern} where {self.boolean(inside, 'guard', 2)} {self.action(inside, 'object', 2)}"
                               f" !{self.value(result, inside, 'object', 2)})")
            waits = ""
            if tag == "test":
                n = self.fresh()
                waits = (f"[me <= [:self {self.value('Int', inside, 'object', 1)}]]"
                         f" (wait-for (=> [:self {n}] {self.action(inside | {n: ('Int', False)}, 'object', 2)}))")
            after = self.action(inside, "object", 1) if self.chance(0.3) else ""
            clauses.append(f"(==> {pattern} {self.action(inside, 'object', 2)} {waits}"
                           f" !{self.value(result, inside, 'object', 3)} {after})")
        for tag, types in PAST:
            names = {self.fresh("e"): (t, False) for t in types}
            inside = env | names
            clauses.append(f"(=> [:{tag} {' '.join(names)}] {self.action(inside, 'object', 2)} {self.action(inside, 'object', 2)})")
        understood = [f"[:{tag} {' '.join(types)} (@ {result})]" for tag, types, result in MESSAGES]
        understood += [f"[:{tag} {' '.join(types)}]" for tag, types in PAST] + ["[:self Int]"]
        return (f"[class C{number} (obj {' '.join(understood)}) () (state {' '.join(first)})\n  (script\n    "
                + "\n    ".join(clauses) + ")]")

    def main(self):
        env = {f"m{i}": (t, True) for i, t in enumerate(TYPES)}
        objects = {f"o{i}": (f"C{i}", False) for i in range(3)}
        lets = [f"({t} {n} {self.value(t, {}, 'function', 1)})" for n, (t, _) in env.items()]
        lets += [f"({t} {n} (new {t}{' :on (- (num-node) 1)' if self.chance(0.5) else ''}))" for n, (t, _) in objects.items()]
        env |= objects
        lines = []
        for _ in range(8):
            lines.append(self.action(env, "object", 2))
            t = self.pick(TYPES)
            n = self.fresh("i")
            show = self.value(t, env, "object", 3)
            if t == "(array Int)":
                row = self.fresh()
                show = f"(let (((array Int) {row} {show})) (for ({n} 0 (length {row})) (print (aref {row} {n}))) (length {row}))"
            lines.append(f"(print {show})")
        return "[class Main (obj []) ()\n  (let (" + "\n        ".join(lets) + ")\n    " + "\n    ".join(lines) + ")\n  (exit 0)]"

    def whole(self):
        functions = [self.function(*f) for f in self.functions]
        return "\n".join(functions + [self.one_class(i) for i in range(3)] + [self.main()]) + "\n"


def program(seed):
    return Program(seed).whole()
