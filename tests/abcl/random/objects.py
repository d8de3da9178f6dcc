"""Objects: classes whose clauses are of all kinds, and what is sent to them.

A *cell* is known to its creator only, which asks only those that it has created; so nobody waits for ever, and no result depends on when
a message comes. What express clauses of a cell know, its normal clauses do not (`xs`), since nobody can say which is first.
"""
from values import PARTS, TYPES, Values

ASKED = [("get", ["Int"], "Int"), ("name", ["Str", "Int"], "Str"), ("pair", ["Int"], "[Int Str]"), ("real", ["Float", "Bool"], "Float"),
         ("deep", ["[[Int Bool] Float]"], "[[Int Bool] Float]"), ("row", ["(array Int)"], "(array Int)"),
         ("rows", ["(array (array Int))", "[Int Str]"], "(array [Str Int])"), ("is", ["Int", "Str"], "Bool"),
         ("long", ["Int"] * 33, "Int"), ("test", ["Int"], "Int"), ("", ["Str"], "Str"), ("none", [], "Int")]
TOLD = [("put", ["Int"]), ("keep", ["Str", "[Int Str]"]), ("fill", ["Int"] * 35), ("rows-are", ["(array (array Int))", "Bool"])]
EXPRESS = [("x-put", ["Int"], None), ("x-get", ["Int"], "Int"), ("x-text", ["[Int Str]"], "Str")]


def message(tag, elements):
    return "[" + " ".join(([f":{tag}"] if tag else []) + [e for e in elements if e]) + "]"


class Objects(Values):
    def __init__(self, seed, suffix):
        super().__init__(seed, suffix)
        self.asked = self.random.sample(ASKED, self.random.randrange(2, 5))
        self.told_of = self.random.sample(TOLD, self.random.randrange(1, 3))
        self.express = self.random.sample(EXPRESS, self.random.randrange(0, 3))
        self.classes = []  # of cells: name, types of the creation arguments

    # ---- sends to cells

    def elements(self, types, env, depth):
        return [self.value(t, env, "object", depth if i < 3 else 0) for i, t in enumerate(types)]

    def new(self, of, env, depth, near=0.7):
        name, types = of
        where = "" if self.chance(near) else f" :on {self.pick(['0', '(- (num-node) 1)', '(mod (+ (my-node) 1) (num-node))'])}"
        return f"(new {' '.join([name, *self.elements(types, env, depth)])}{where})"

    def target(self, env, depth):
        known = self.targets(env)
        kind = self.random.randrange(12)
        if kind == 0 and depth > 0:
            return f"(if {self.value('Bool', env, 'object', depth)} {self.pick(known)} {self.pick(known)})"
        if kind == 1 and self.classes_below(env):
            return self.new(self.pick(self.classes_below(env)), env, depth)
        return self.pick(known)

    def classes_below(self, env):
        """The classes that were written before the one whose code this is: so creation comes to an end."""
        return self.classes

    def question(self, t, env, depth):
        able = [(m, "") for m in self.asked if m[2] == t] + [(m, "<") for m in self.express if m[2] == t]
        if not able or not self.targets(env):
            return None
        (tag, types, _), fast = self.pick(able)
        to, elements = self.target(env, depth), self.elements(types, env, depth)
        kind, box, d = self.random.randrange(8), self.fresh("r"), self.fresh("d")
        act = lambda: self.action(env, "object", depth)
        if kind < 3:
            return f"[{to} <{fast}== {message(tag, elements)}]"
        if kind == 3:
            return f"(sync {box} {act()} [{to} <{fast}= {message(tag, [*elements, f'(@ {box})'])}] {act()})"
        if kind == 4:
            return (f"(sync {box} (let (((@ {t}) {d} (@ {box}))) [{to} <{fast}= {message(tag, [*elements, d])}]))")
        if kind == 5:
            future = self.fresh("f")
            reads = self.pick([f"(touch {future})", f"(next-value {future})", f"(begin (touch {future}) (expect (ready? {future})) (next-value {future}))"])
            return (f"(let (((future {t}) {future} (make-future))) [{to} <{fast}= {message(tag, elements)} $ {future}] {act()} {reads})")
        x, y, z = self.fresh(), self.fresh(), self.fresh()
        of = self.pick(TYPES)
        if kind == 6:
            more = {x: (t, False), y: (of, False)}
            return (f"(match (sync2 {box} [{to} <{fast}= {message(tag, [*elements, f'(@ {box})'])}] {self.value(of, env, 'object', depth)})"
                    f" (=> [{x} {y}] {self.value(t, env | more, 'object', depth)}))")
        tag2, types2, t2 = self.pick(self.asked)
        other, also = self.fresh("r"), self.chance(0.5)
        more = {x: (t, False), y: (t2, False)} | ({z: ("Bool", False)} if also else {})
        return (f"(match (sync* ({box} {other}) [{to} <{fast}= {message(tag, [*elements, f'(@ {box})'])}]"
                f" [{self.target(env, depth)} <= {message(tag2, [*self.elements(types2, env, depth), f'(@ {other})'])}]"
                f"{' ' + self.value('Bool', env, 'object', depth) if also else ''})"
                f" (=> [{' '.join(more)}] {self.value(t, env | more, 'object', depth)}))")

    def told(self, env, depth):
        to = self.target(env, depth)
        fast = self.express and self.chance(0.3)
        tag, types = self.pick(self.express if fast else self.told_of + self.asked)[:2]
        sent = message(tag, self.elements(types, env, depth))
        if self.chance(0.15):  # the message is a value
            name = self.fresh()
            return f"(let (({self.message_type(tag, types)} {name} {sent})) [{to} <{'<' if fast else ''}= {name}])"
        return f"[{to} <{'<' if fast else ''}= {sent}]"

    def message_type(self, tag, types):
        return message(tag, types)

    # ---- classes

    def understood(self):
        return [message(tag, [*types, f"(@ {t})"]) for tag, types, t in self.asked] + [message(tag, types) for tag, types in self.told_of] \
            + [message(tag, [*types, f"(@ {t})" if t else ""]) for tag, types, t in self.express]

    def interface(self):
        return f"(obj {' '.join(self.understood())})"

    def clauses_of(self, asked, state, extra):
        """The clauses for a question; what they take besides goes into `extra`: types of messages, and clauses."""
        tag, types, t = asked
        names = {self.fresh("e"): (of, False) for of in types}
        env = state | names
        value = lambda depth=3, known=env: self.value(t, known, "object", depth)
        act = lambda depth=2: self.action(env, "object", depth)
        made = []
        if types and types[0] in ("Int", "Str") and self.chance(0.4):
            first = self.literal(types[0])
            made.append(f"(==> {message(tag, [first] + ['_'] * (len(types) - 1))} !{self.value(t, state, 'object', 1)})")
        if self.chance(0.4):
            made.append(f"(==> {message(tag, names)} where {self.boolean(env, 'guard', 2)} {act()} !{value(2)})")
        kind, d, n = self.random.randrange(12), self.fresh("d"), self.fresh()
        pattern, named = message(tag, names), message(tag, [*names, d])
        if kind == 0:  # it replies early
            made.append(f"(==> {pattern} !{value()} {act()})")
        elif kind == 1:  # in branches
            made.append(f"(==> {pattern} {act()} (if {self.boolean(env, 'object', 2)} !{value()} (begin {act()} !{value(1)})))")
        elif kind == 2:  # once in a loop
            made.append(f"(==> {pattern} (for ({n} 0 3) (if (= {n} 1) !{value(2)}) {act()}))")
        elif kind == 3:  # to a destination
            made.append(f"(=> {named} {act()} [{d} <= {value()}])")
        elif kind == 4 and self.cells(state):  # somebody else replies
            made.append(f"(=> {named} {act()} [{self.pick(self.cells(state))} <= {message(tag, [*self.elements(types, env, 1), d])}])")
        elif kind in (5, 6):  # a later clause, or a wait-for, has the destination
            later = f"later{n}"
            extra[0].append(f"[:{later} {t} (@ {t})]")
            if kind == 5:
                extra[1].append(f"(=> [:{later} {n} {d}] {self.action(state | {n: (t, False)}, 'object', 2)} [{d} <= {n}])")
                made.append(f"(=> {named} {act()} [me <= [:{later} {value()} {d}]])")
            else:
                made.append(f"(=> {named} [me <= [:{later} {value(2)} {d}]] {act()}"
                            f" (wait-for (=> [:{later} {n} to{n}] {self.action(env | {n: (t, False)}, 'object', 2)} [to{n} <= {n}])))")
        elif kind == 7:  # it waits for what it has sent to itself
            extra[0].extend([f"[:a{n} {t}]", f"[:b{n} Int]"])
            more = env | {n: (t, False)}
            sent = self.pick([f"[me <= [:a{n} {value(1)}]]", f"[me <= [:b{n} {self.value('Int', env, 'object', 1)}]]"])
            made.append(f"(==> {pattern} {sent} {act()} !(wait-for (=> [:a{n} {n}] {self.action(more, 'object', 1)} {self.value(t, more, 'object', 2)})"
                        f" (=> [:b{n} 0] {value(1)}) (=> [:b{n} x{n}] where {self.boolean(env | {f'x{n}': ('Int', False)}, 'guard', 1)} {value(1)})"
                        f" (=> [:b{n} _] {value(1)})))")
        elif kind == 8:  # the wait-for replies to what it takes
            extra[0].append(f"[:c{n} {t} (@ {t})]")
            future = self.fresh("f")
            made.append(f"(==> {pattern} (let (((future {t}) {future} (make-future))) [me <= [:c{n} {value(1)}] $ {future}]"
                        f" (wait-for (==> [:c{n} {n}] !{self.value(t, env | {n: (t, False)}, 'object', 2)} {act()})) !(touch {future})))")
        elif kind == 9:  # atomic
            made.append(f"(==> {pattern} (atomic {act()} {act()}) !(atomic {act()} {value()}))")
        else:
            made.append(f"(==> {pattern} {act()} !{value()} {act() if self.chance(0.3) else ''})")
        return made

    def cells(self, env):
        return [name for name, (of, _) in env.items() if of.startswith("C")]

    def cell_class(self):
        """A class of cells, which may create cells of the classes before it."""
        number = len(self.classes)
        name, arguments = f"C{number}{self.suffix}", self.random.sample(TYPES, self.random.randrange(0, 3))
        own = {self.fresh("p"): (t, True) for t in arguments}
        params = " ".join(f"({t} {n})" for n, (t, _) in own.items())
        fields = []
        for t in self.random.sample(TYPES, self.random.randrange(1, 4)):
            n = self.fresh("s")
            fields.append(f"({t} {n} := {self.value(t, own, 'function', 1)})" if t.startswith("(array") or self.chance(0.8) else f"({t} {n})")
            own[n] = (t, True)
        for of in self.classes[-2:] if self.chance(0.7) else []:
            n = self.fresh("o")
            fields.append(f"({of[0]} {n} := {self.new(of, own, 1)})")
            own[n] = (of[0], False)
        body = [self.action(own, "object", 2) for _ in range(self.random.randrange(0, 2))]
        extra, clauses = ([], []), []
        for asked in self.asked:
            clauses += self.clauses_of(asked, own, extra)
        for tag, types in self.told_of:
            names = {self.fresh("e"): (t, False) for t in types}
            clauses.append(f"(=> {message(tag, names)} {self.action(own | names, 'object', 2)} {self.action(own | names, 'object', 2)})")
        clauses += extra[1] + self.express_clauses(fields)
        self.classes.append((name, arguments))
        return (f"[class {name} (obj {' '.join(self.understood() + extra[0])}) ({params}) (state {' '.join(fields)})\n  "
                + "\n  ".join([*body, "(script"]) + "\n    " + "\n    ".join(clauses) + ")]")

    def express_clauses(self, fields):
        """What they know is theirs alone; they may wait for a cell of their own."""
        if not self.express:
            return []
        state = {self.fresh("xs"): (t, True) for t in ["Int", "Str"]}
        fields += [f"({t} {n})" for n, (t, _) in state.items()]
        if self.classes and self.chance(0.5):
            n = self.fresh("xo")
            fields.append(f"({self.classes[-1][0]} {n} := {self.new(self.classes[-1], {}, 1)})")
            state[n] = (self.classes[-1][0], False)
        made = []
        for tag, types, t in self.express:
            names = {self.fresh("e"): (of, False) for of in types}
            env = state | names
            reply = f"!{self.value(t, env, 'object', 2)}" if t else ""
            for arrow in ["==>>" if t else "=>>"] + ([f"{'==>' if t else '=>'}"] if self.chance(0.2) else []):
                made.append(f"({arrow} {message(tag, names)} {self.action(env, 'object', 2)} {reply})")
        return made
