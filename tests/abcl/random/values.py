"""Types, and expressions of them that compute: the part of a random program that has no objects in it.

`env` has the names that may be used, with their types and whether they may be assigned to; `place` is "function", "guard" (which only
computes) or "object" (which also sends and waits: objects.py). Indices, divisors and what is parsed are made to fit.
"""
import random

TYPES = ["Int", "Bool", "Str", "Float", "[Int Str]", "[[Int Bool] Float]", "(array Int)", "(array [Str Int])", "(array (array Int))"]
PARTS = {"[Int Str]": ["Int", "Str"], "[Str Int]": ["Str", "Int"], "[Int Bool]": ["Int", "Bool"],
         "[[Int Bool] Float]": ["[Int Bool]", "Float"]}
INTS = [0, 1, 2, 3, 7, -1, -5, 100, 40000, 123456789012, 9223372036854775807, -9223372036854775808]


class Values:
    def __init__(self, seed, suffix):
        self.random = random.Random(seed)
        self.suffix = suffix  # what the names of this case's classes and functions end with
        self.names = 0
        self.callable = []  # functions: name, types of the arguments, type of the result

    # ---- choices

    def chance(self, p):
        return self.random.random() < p

    def pick(self, of):
        return self.random.choice(of)

    def fresh(self, of="v"):
        self.names += 1
        return f"{of}{self.names}"

    # ---- expressions

    def literal(self, t):
        if t == "Int":
            return str(self.pick([*INTS, self.random.randrange(-50, 50), self.random.randrange(-50, 50)]))
        if t == "Bool":
            return self.pick(["true", "false"])
        if t == "Str":
            return self.pick(['""', '"a"', '"bc"', '"a longer text"', '"\\n"', '"\\t\\"q\\"\\\\"', '"größe"', '" 42 "'])
        return self.pick(["0.5", "1.0", "-2.25", "1e3", "1.0e-6", "1e22", "0.1", "-0.0"])

    def variables(self, t, env):
        return [name for name, (of, _) in env.items() if of == t]

    def value(self, t, env, place, depth):
        known = self.variables(t, env)
        if known and self.chance(0.35 if depth > 0 else 0.8):
            return self.pick(known)
        if depth > 0 and place != "guard" and self.chance(0.35):
            return self.form(t, env, place, depth - 1)
        made = {"Int": self.integer, "Bool": self.boolean, "Str": self.text, "Float": self.real}.get(t)
        if made:
            return made(env, place, depth - 1) if depth > 0 else self.literal(t)
        return self.compound(t, env, place, depth - 1)

    def compound(self, t, env, place, depth):
        if t.startswith("(array"):
            element = t[len("(array "):-1]
            if self.chance(0.15):
                rows = self.variables(t, env)
                if rows:  # whose lengths nobody knows: parts that are there in all of them
                    row = self.pick(rows)
                    return self.pick([f"(subarray {row} 0 (/ (+ 1 (length {row})) 2))", f"(subarray {row} (/ (length {row}) 2) (length {row}))",
                                      f"(subarray {row} 0 (length {row}))"])
                return f"(subarray (array {' '.join(self.value(element, env, place, depth) for _ in range(3))}) {self.pick(['0 1', '1 3', '0 3', '2 3'])})"
            if self.chance(0.4):
                return f"(array {' '.join(self.value(element, env, place, depth) for _ in range(self.pick([1, 2, 3])))})"
            return f"(make-array {self.pick([1, 2, 3])} {self.value(element, env, place, depth)})"
        return "[" + " ".join(self.value(part, env, place, depth) for part in PARTS[t]) + "]"

    def integer(self, env, place, depth):
        def v(t="Int"):
            return self.value(t, env, place, depth)

        kind = self.random.randrange(14)
        if kind < 3:
            return f"({self.pick('+-*')} {' '.join(v() for _ in range(self.random.randrange(1, 4)))})"
        if kind == 3:
            return f"({self.pick(['/', 'mod'])} {v()} {self.pick([1, 2, 3, 7, -3, 1000003])})"
        if kind == 4:
            return f"(length {v(self.pick(['Str', '(array [Str Int])']))})"
        if kind == 5:
            rows = self.variables("(array Int)", env)
            if rows:
                row = self.pick(rows)
                return f"(aref {row} (mod {v()} (length {row})))"
            return f"(aref {self.compound('(array Int)', env, place, depth)} 0)"
        if kind == 6 and place != "guard":
            return f"(match {v('[Int Str]')} (=> [{(n := self.fresh())} _] (+ {n} 1)))"
        if kind == 7 and place != "guard":
            row, text, number = self.fresh(), self.fresh(), self.fresh()
            return (f"(let (((array [Str Int]) {row} {v('(array [Str Int])')})) (match (aref {row} 0)"
                    f" (=> [{text} {number}] (+ {number} (length {text})))))")
        if kind == 8:
            return self.pick([f"(int (float (mod {v()} 1000)))", f"(parse-int (str {v()}))", f"(index-of {v('Str')} {v('Str')})"])
        if kind == 9:
            return self.pick([f"(length (words {v('Str')}))", f'(length (split {v("Str")} "{self.pick(["a", ",", " "])}"))',
                              f"(length (aref {v('(array (array Int))')} 0))"])
        if kind == 10:
            return f"({self.pick(['bit-and', 'bit-or', 'bit-xor'])} {v()} {v()})"
        if kind == 11:
            places = self.pick([0, 1, 3, 31, 63, 64, 65, -1, -63, -64, -9223372036854775808, v()])
            return f"({self.pick(['shift-left', 'shift-right', 'shift-right-zero'])} {v()} {places})"
        if kind == 12:
            return f"(bit-not {v()})"
        return f"(- {v()})"

    def boolean(self, env, place, depth):
        def v(t):
            return self.value(t, env, place, depth)

        kind = self.random.randrange(7)
        if kind < 2:
            t = self.pick(["Int", "Int", "Str", "Float"])
            return f"({self.pick(['<', '>', '<=', '>=', '=', '/='])} " \
                   f"{' '.join(v(t) for _ in range(self.random.randrange(2, 4)))})"
        if kind == 2:
            return f"({self.pick(['and', 'or'])} {v('Bool')} {v('Bool')} {v('Bool')})"
        if kind == 3:
            return f"(not {v('Bool')})"
        if kind == 4:
            return f"({self.pick(['int?', 'float?'])} {v('Str')})"
        cells = self.targets(env)
        if kind == 5 and cells:
            cell = self.pick(cells)
            return self.pick([f"(null? {cell})", f"(= {cell} nil)", f"(/= {cell} {cell})"])
        return f"({self.pick(['=', '/='])} {v('Bool')} {v('Bool')})"

    def text(self, env, place, depth):
        def v(t):
            return self.value(t, env, place, depth)

        kind = self.random.randrange(8)
        if kind == 0 and place != "guard":
            text = self.fresh()
            return f"(let ((Str {text} {v('Str')})) (substring {text} 0 (/ (length {text}) {self.pick([1, 2, 3])})))"
        if kind == 1:
            return f'(join (words {v("Str")}) "-")'
        if kind == 2:
            return f'(join (split {v("Str")} "{self.pick(["a", ",", " "])}") "{self.pick(["", "+"])}")'
        if kind == 3:
            return f"(trim {v('Str')})"
        return f"(str {v('Int')} {v(self.pick(TYPES[:6]))})"

    def real(self, env, place, depth):
        a, b = self.value("Float", env, place, depth), self.value("Float", env, place, depth)
        return self.pick([f"({self.pick('+-*')} {a} {b})", f"(/ {a} {self.pick(['3.0', b])})", f"(sqrt (* {a} {a}))" if len(a) < 9 else f"(- {a})",
                          f"(float {self.value('Int', env, place, depth)})", f"(parse-float (str (float (mod {self.value('Int', env, place, depth)} 99))))"])

    def form(self, t, env, place, depth):
        """A form with a value of any type."""
        def v(of, more=None):
            return self.value(of, env | (more or {}), place, depth)

        kind = self.random.randrange(11)
        if kind < 2:
            return f"(if {v('Bool')} {v(t)} {v(t)})"
        if kind == 10:
            return (f"(cond ({v('Bool')} {v(t)}) ({v('Bool')} {self.action(env, place, depth)} {v(t)})"
                    f" (else {self.pick(['', self.action(env, place, depth) + ' '])}{v(t)}))")
        if kind == 2:
            name, of = self.fresh(), self.pick(TYPES)
            more = {name: (of, True)}
            return f"(let (({of} {name} {v(of)})) {self.action(env | more, place, depth)} {v(t, more)})"
        if kind == 3:
            return f"(begin {self.action(env, place, depth)} {v(t)})"
        if kind == 4:
            a, b = self.fresh(), self.fresh()
            more = {a: ("Int", False), b: ("Str", False)}
            return (f"(match {v('[Int Str]')} (=> [0 _] {v(t)}) (=> [_ \"a\"] {v(t)})"
                    f" (=> [{a} {b}] where {self.boolean(env | more, 'guard', 1)} {v(t, more)}) (=> [_ _] {v(t)}))")
        calls = [f for f in self.callable if f[2] == t]
        if kind == 5 and calls:
            name, arguments, _ = self.pick(calls)
            return f"({name} {' '.join(v(of) for of in arguments)})"
        if place == "object":
            asked = self.question(t, env, depth)
            if asked:
                return asked
        of = self.pick(["Float", "Bool", "Str"])
        literal = {"Float": "0.5", "Bool": "true", "Str": '"bc"'}[of]
        return f"(match {v(of)} (=> [{literal}] {v(t)}) (=> [_] {v(t)}))"

    # ---- what is done for its effect

    def action(self, env, place, depth):
        depth = max(depth, 0)
        kind = self.random.randrange(10)
        changed = [name for name, (of, may) in env.items() if may]
        if kind < 3 and changed:
            name = self.pick(changed)
            of = env[name][0]
            if of.startswith("(array") and self.chance(0.3):
                part = self.pick([f"(subarray {name} 0 1) := (subarray {name} (- (length {name}) 1) (length {name}))",
                                  f"(subarray {name} 1 (length {name})) := (subarray {name} 0 (- (length {name}) 1))",
                                  f"(subarray {name} 0 1) := (array {self.value(of[len('(array '):-1], env, place, depth)})",
                                  f"(subarray {name} 1 1) := (subarray {name} 0 0)"])
                return f"[{part}]"
            if of == "(array Int)" and self.chance(0.7):
                return (f"[(aref {name} (mod {self.value('Int', env, place, depth)} (length {name}))) :="
                        f" {self.value('Int', env, place, depth)}]")
            if of == "Str" and self.chance(0.4):
                return f"[{name} := (str {name} {self.value(self.pick(['Int', 'Str', '[Int Str]']), env, place, depth)})]"
            return f"[{name} := {self.value(of, env, place, depth)}]"
        if kind < 5 and place == "object" and self.targets(env):
            return self.told(env, depth)
        if kind == 5 and depth > 0:
            i = self.fresh("i")
            return f"(for ({i} 0 {self.pick([0, 1, 3])}) {self.body(env | {i: ('Int', False)}, place, depth - 1)})"
        if kind == 6 and depth > 0:
            n = self.fresh("n")
            return (f"(let ((Int {n} {self.pick([1, 2, 3])})) (while (> {n} 0) {self.body(env, place, depth - 1)}"
                    f" [{n} := (- {n} 1)]))")
        if kind == 9 and depth > 0:  # a value that nobody wants
            of = self.pick(["Int", "Float", "Bool", "Str"])
            return f"(begin {self.value(of, env, place, depth)} {self.action(env, place, depth - 1)})"
        if kind == 7 and place == "object":
            return f"(atomic {self.action(env, place, depth - 1)} {self.action(env, place, depth - 1)})" if depth > 0 else "(begin)"
        return f"(if {self.value('Bool', env, place, depth)} {self.action(env, place, depth - 1)})" if depth > 0 else "(begin)"

    def body(self, env, place, depth):
        """What a loop does, which it may leave."""
        if self.chance(0.5):
            return self.action(env, place, depth)
        leaves = [f"(if {self.value('Bool', env, place, 1)} (break))",
                  f"(cond ({self.value('Bool', env, place, 1)} {self.action(env, place, depth)}) ({self.value('Bool', env, place, 1)} {self.action(env, place, depth)} (break)))",
                  f"(match {self.value('[Int Str]', env, place, 1)} (=> [0 _] (break)) (=> [_ \"a\"] {self.action(env, place, depth)}) (=> [_ _] (if {self.value('Bool', env, place, 1)} (break))))",
                  f"(let ((Bool {(n := self.fresh())} {self.value('Bool', env, place, 1)})) (if {n} (break)) {self.action(env, place, depth)})"]
        if place == "object":
            leaves.append(f"(atomic {self.action(env, place, depth)} (if {self.value('Bool', env, place, 1)} (atomic (break))))")
        return f"{self.action(env, place, depth)} {self.pick(leaves)} {self.action(env, place, depth)}"

    # ---- declarations

    def function(self, types, result):
        """A function that may call those before it."""
        names = {self.fresh("a"): (t, False) for t in types}
        name = f"{self.fresh('f')}{self.suffix}"
        text = " ".join(f"({t} {n})" for n, (t, _) in names.items())
        made = f"(function ({name} {text}) {result} {self.action(names, 'function', 2)} {self.value(result, names, 'function', 3)})"
        self.callable.append((name, types, result))
        return made

    def targets(self, env):
        return [name for name, (of, _) in env.items() if of.startswith("C") or of.startswith("(obj")]
