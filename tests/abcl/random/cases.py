"""Cases: each is an object of its own, with functions and cells, that does one of the things below and prints what comes of it.

Where several objects send to one, what is printed does not depend on who is first: messages have numbers and are taken in their order,
or are added up. `steps` are the forms of the case; `back`, messages that the case itself takes; `clauses` what it does with them.
"""
import random
import re

from objects import Objects, message
from values import TYPES

SHOWN = {"(array Int)": "(show-row {})", "(array [Str Int])": "(show-pairs {})", "(array (array Int))": "(show-rows {})"}


class Case(Objects):
    def __init__(self, seed):
        super().__init__(seed, f"-{seed}")
        self.name = f"Case{self.suffix}"
        self.declared = [self.function(self.random.choices(TYPES, k=self.random.randrange(0, 3)), self.pick(TYPES))
                         for _ in range(self.random.randrange(1, 3))]
        self.declared += [self.cell_class() for _ in range(self.random.randrange(1, 3))]
        self.steps, self.back, self.clauses = [], [], []
        self.env = {}
        lets = []
        for t in self.random.sample(TYPES, 3):
            n = self.fresh("m")
            lets.append(f"({t} {n} {self.value(t, {}, 'function', 1)})")
            self.env[n] = (t, True)
        for of in self.classes:
            n = self.fresh("o")
            if self.chance(0.25):
                lets.append(f"({self.interface()} {n} {self.new(of, {}, 1)})")
                self.env[n] = ("(obj", False)
            else:
                lets.append(f"({of[0]} {n} {self.new(of, {}, 1)})")
                self.env[n] = (of[0], False)
        self.kind = self.pick(KINDS)
        self.kind(self)
        if self.chance(0.5):
            cells(self)
        own = f"[class {self.name} (obj [:go (@ [])] {' '.join(self.back)}) ()\n  (script\n    (==> [:go]\n      (let (" \
            + "\n          ".join(lets) + ")\n        " + "\n        ".join(self.steps) + f")\n      ![])\n    {' '.join(self.clauses)})]"
        self.text = self.with_names_of_types("\n".join([*self.declared, own]))

    def with_names_of_types(self, text):
        """Some types get names, which are given before or behind what has them; one has another in it."""
        names = {f"Rows{self.suffix}": f"(array Row{self.suffix})", f"Row{self.suffix}": "(array Int)", f"Pairs{self.suffix}": "(array [Str Int])"}
        of = random.Random(f"names of types{self.suffix}")
        given = [f"(type {name} {of_what})" for name, of_what in names.items()]
        for what, name in [("(array Int)", f"Row{self.suffix}"), (f"(array Row{self.suffix})", f"Rows{self.suffix}"), ("(array [Str Int])", f"Pairs{self.suffix}")]:
            text = "".join(part if i == 0 or of.random() < 0.3 else name + part[len(what):] for i, part in enumerate(re.split(f"(?={re.escape(what)})", text)))
        return "\n".join([*given, text] if of.random() < 0.5 else [text, *given])

    def v(self, t, depth=2, more=None):
        return self.value(t, self.env | (more or {}), "object", depth)

    def act(self, depth=1):
        return self.action(self.env, "object", depth)

    def show(self, *values):
        self.steps.append(f"(print {' '.join(values)})")

    def add_class(self, name, interface, params, body):
        self.declared.append(f"[class {name}{self.suffix} (obj {interface}) ({params}) {body}]")
        return f"{name}{self.suffix}"

    def literal_of(self, t):
        """A value of this type, without names."""
        return self.value(t, {}, "function", 1)

    def on(self):
        return self.pick(["", " :on 0", " :on (- (num-node) 1)"])


def cells(c):
    for _ in range(c.random.randrange(1, 4)):
        c.steps.append(c.act(2))
        t = c.pick(TYPES)
        c.show(SHOWN.get(t, "{}").format(c.v(t, 3)))


def turns(c):
    """Guards: numbered messages of several senders, which are taken in the order of their numbers."""
    t, n = c.pick(["Int", "Str", "Float", "[Int Str]"]), c.pick([2, 5, 9])
    total = c.fresh("sum")
    desk = c.add_class("Desk", f"[:take Int {t}] [:total Int (@ Str)] [:turn (@ Int)]", "",
                       f"(state (Int turn) (Str {total}))\n  (script (=> [:take k v] where (= k turn) [turn := (+ turn 1)] [{total} := (str (length {total}) v)])\n"
                       f"    (==> [:total k] where (= k turn) !{total}) (==> [:turn] where (> turn 0) !turn))")
    sender = c.add_class("Sender", "[:go Int Int (@ [])] [:more Int Int Int]", f"({desk} d) ({t} v)",
                         f"(script (==> [:go from step] (for (i 0 {n}) (if (= (mod i step) from) [d <= [:take (- {n - 1} i) v]])) ![])"
                         f" (=> [:more k _ _] [d <= [:take k v]]))")
    d, parts = c.fresh("d"), c.pick([1, 2, 3])
    c.steps.append(f"(let (({desk} {d} (new {desk}{c.on()})))"
                   + "".join(f" [(new {sender} {d} {c.literal_of(t)}{c.on()}) {c.pick(['<=', '<=='])} [:go {i} {parts}]]" for i in range(parts))
                   + f" {c.act()} (print [{d} <== [:total {n}]]) (print [{d} {c.pick(['<==', '<<=='])} [:turn]]))")


def buffer(c):
    """A buffer whose puts wait for gets, by wait-for or by guards."""
    t, size, n = c.pick(["Int", "Str", "[Int Str]", "(array Int)"]), c.pick([1, 2, 3]), c.pick([1, 4, 70])
    store = f"(state ((array {t}) store := (make-array {size} {c.literal_of(t)})) (Int head) (Int count))"
    put = f"[(aref store (mod (+ head count) {size})) := x] [count := (+ count 1)] ![]"
    get = f"!(aref store head) [head := (mod (+ head 1) {size})] [count := (- count 1)]"
    script = c.pick([f"(script (==> [:put x] (if (= count {size}) (wait-for (==> [:get] {get}))) {put})"
                     f" (==> [:get] (if (= count 0) (wait-for (==> [:put x] {put}))) {get}))",
                     f"(script (==> [:put x] where (< count {size}) {put}) (==> [:get] where (> count 0) {get}))"])
    buffered = c.add_class("Buffer", f"[:put {t} (@ [])] [:get (@ {t})]", "", f"{store}\n  {script}")
    i = c.fresh("i")
    value = c.value(t, {i: ("Int", False)}, "function", 2)
    maker = c.add_class("Maker", "[:go]", f"((obj [:put {t} (@ [])]) b)",
                        f"(script (=> [:go] (for ({i} 0 {n}) {c.pick(['[b <== [:put %s]]', '(sync r [b <= [:put %s (@ r)]])']) % value})))")
    b = c.fresh("b")
    shown = SHOWN.get(t, "{}").format(f"[{b} <== [:get]]")
    c.steps.append(f"(let (({buffered} {b} (new {buffered}{c.on()}))) [(new {maker} {b}{c.on()}) <= [:go]] (for (k 0 {n}) (print {shown})))")


def party(c):
    """Destinations are kept, in an array or in the fields, and replied to when the last has come."""
    t, n = c.pick(TYPES), c.pick([2, 3, 4])
    host = c.add_class("Host", f"[:come (@ {t})]", "", f"(state ((array (@ {t})) guests := (make-array {n} nil)) (Int n))\n"
                       f"  (script (=> [:come guest] where (< n {n}) [(aref guests n) := guest] [n := (+ n 1)]"
                       f" (if (= n {n}) (for (i 0 {n}) [(aref guests i) <= {c.value(t, {}, 'function', 1)}]))))")
    h, boxes, names = c.fresh("h"), [c.fresh("r") for _ in range(n)], [c.fresh("x") for _ in range(n)]
    c.steps.append(f"(let (({host} {h} (new {host}{c.on()}))) (match (sync* ({' '.join(boxes)}) "
                   + " ".join(f"[{h} <= [:come (@ {b})]]" for b in boxes) + f" {c.v('Int', 1)}) (=> [{' '.join(names)} own] (print "
                   + " ".join(SHOWN.get(t, "{}").format(x) for x in names) + " own))))")


def handed(c):
    """A question goes along a chain of objects, the last of which replies to who has asked first."""
    t, n = c.pick(TYPES), c.pick([1, 3, 6])
    value = c.value(t, {"v": (t, False)}, "function", 2)
    link = f"Link{c.suffix}"
    c.add_class("Link", f"[:pass Int {t} (@ {t})] [:pair [{t} (@ {t})]]", f"({link} next)",
                f"(script (=> [:pass 0 v to] [to <= {value}])\n    (=> [:pass k v to] where (null? next) [to <= v])\n"
                f"    (=> [:pass k v to] {c.pick(['[next <= [:pass (- k 1) %s to]]', '(if (= (mod k 2) 0) [next <= [:pass (- k 1) %s to]] [next <= [:pair [%s to]]])']).replace('%s', value)})\n"
                f"    (=> [:pair both] (match both (=> [v to] [me <= [:pass {c.pick([0, 2])} v to]]))))")
    chain = "nil"
    for _ in range(3):
        chain = f"(new {link} {chain}{c.on()})"
    x, box = c.fresh("c"), c.fresh("r")
    asked = c.pick([f"[{x} <== [:pass {n} {c.v(t)}]]", f"(sync {box} [{x} <= [:pass {n} {c.v(t)} (@ {box})]] {c.act()})",
                    f"(sync {box} (let (((@ {t}) to (@ {box}))) [{x} <= [:pair [{c.v(t)} to]]]))"])
    c.steps.append(f"(let (({link} {x} {chain})) (print {SHOWN.get(t, '{}').format(asked)}))")


def called_back(c):
    """Others ask the case while it waits for that; it is a reply destination itself."""
    t = c.pick(["Int", "Str", "[Int Str]", "Float"])
    c.back += [f"[:ask {t} (@ Int)]", f"[{t}]" if not t.startswith("[") else "[Int Str]", "[:over]"]
    asks = c.pick([1, 3])
    untagged = "[w]" if not t.startswith("[") else "[w _]"
    child = c.add_class("Child", f"[:call {t} (obj [:ask {t} (@ Int)] [:over])] [:value Int (@ {t})]", "",
                        f"(script (=> [:call v who] (for (i 0 {asks}) (expect (= [who <== [:ask v]] i))) [who <= [:over]])\n"
                        f"    (==> [:value k] !{c.value(t, {'k': ('Int', False)}, 'function', 2)}))")
    d, n = c.fresh("d"), c.fresh("n")
    ask = f"(==> [:ask x] !{n} (print x) [{n} := (+ {n} 1)])"
    loop = c.pick([f"(while more (wait-for {ask} (=> [:over] [more := false])))", f"(while more (wait-for {ask} (=> [:over] (break))))",
                   f"(while true (wait-for {ask[:-1]} (if (= {n} {asks}) (break))))) (wait-for (=> [:over]))"])
    c.steps.append(f"(let (({child} {d} (new {child}{c.on()})) (Bool more true) (Int {n} 0)) [{d} <= [:call {c.v(t)} me]]\n"
                   f"          {loop} {c.act()}\n"
                   f"          [{d} <= [:value {c.v('Int', 1)} me]] (wait-for (=> {untagged} (print w))))")


def interrupted(c):
    """Express clauses begin in loops and waits of others, but not in atomic forms, which they see whole."""
    n, counted = c.pick([1, 100, 1000]), c.fresh("y")
    body = c.pick(["[a := (+ a 1)] [b := (+ b 1)]", "[a := (+ a 1)] [s <== [:nap]] [b := (+ b 1)]",
                   "(for (j 0 70) [a := (+ a 1)] [b := (+ b 1)])", "[a := (+ a 1)] (sync r [s <= [:nap (@ r)]]) [b := (+ b 1)]"])
    loop = c.pick([f"(for (i 0 k) (atomic {body}))", f"(for (i 0 (* 2 k)) (atomic {body} (if (= i (- k 1)) (break))))", f"(let ((Int i k)) (while (> i 0) [i := (- i 1)] (atomic {body})))"])
    slow = c.add_class("Slow", "[:nap (@ [])] [:tick]", "", f"(script (==> [:nap] {c.pick(['', '[me <= [:tick]] (wait-for (=> [:tick]))'])} ![]) (=> [:tick]))")
    work = c.add_class("Work", "[:work Int (@ Int)] [:whole (@ Bool)] [:count Int] [:counted (@ Int)]", f"({slow} s) ({slow} own)",
                       f"(state (Int a) (Int b) (Int {counted}))\n  (script (==> [:work k] {loop} {c.pick(['', '[s <== [:nap]]'])} !(+ a b))\n"
                       f"    (==>> [:whole] {c.pick(['', '[own <== [:nap]]'])} !(= a b)) (=>> [:count k] {c.pick(['', '[own <== [:nap]]'])} [{counted} := (+ {counted} k)])\n"
                       f"    (==>> [:counted] !{counted}))")
    w, f = c.fresh("w"), c.fresh("f")
    asks = [c.pick([f"[{w} <<= [:count {c.v('Int', 1)}]]", f"(expect [{w} <<== [:whole]])", f"(expect (sync q [{w} <<= [:whole (@ q)]]))"]) for _ in range(c.pick([1, 5]))]
    c.steps.append(f"(let (({work} {w} (new {work} (new {slow}) (new {slow}){c.on()})) ((future Int) {f} (make-future))) [{w} <= [:work {n}] $ {f}] {' '.join(asks)}"
                   f" (print [{w} <<== [:counted]]) (print (touch {f})) (print [{w} <== [:work 0]]))")


def stopped(c):
    """(non-resume): a clause that would go on for ever is left; its object takes the next message."""
    endless = c.pick(["(while true [k := (+ k 1)])", "(while true (wait-for (=> [:tick] [k := (+ k 1)] [me <= [:tick]])))", "(while true (atomic [k := (+ k 1)]))",
                      "(while (>= k 0) [s <== [:nap]])", "(while true (sync r [s <= [:nap (@ r)]]))", "(while true (for (i 0 100) [k := i]))"])
    slow = c.add_class("Slow", "[:nap (@ [])]", "", "(script (==> [:nap] ![]))")
    runner = c.add_class("Runner", "[:run] [:tick] [:begun (@ Bool)] [:stop Int (@ Int)] [:get (@ Int)]", f"({slow} s)",
                         f"(state (Int k) (Int stopped) (Bool begun))\n  (script (=> [:run] [begun := true] [me <= [:tick]] {endless} [stopped := -1]) (=> [:tick])\n"
                         f"    (==>> [:stop n] {c.pick(['(non-resume) [stopped := n] !n', '[stopped := n] !n (non-resume)', '(if (> n -1000) (non-resume)) [stopped := n] !n'])})\n"
                         f"    (==>> [:begun] !begun) (==> [:get] !stopped))")
    w = c.fresh("w")
    c.steps.append(f"(let (({runner} {w} (new {runner} (new {slow}){c.on()}))) [{w} <= [:run]] (while (not [{w} <<== [:begun]])) {c.act()}"
                   f" (print [{w} <<== [:stop {c.pick([0, 7, 55])}]] [{w} {c.pick(['<==', '<<=='])} [:get]]))")


def ahead(c):
    """An express message without an express clause goes ahead of those that wait."""
    t = c.pick(["Int", "Str", "[Int Str]", "Bool"])
    door = c.add_class("Door", f"[:open] [:knock {t}] [:said (@ Str)]", "",
                       f"(state (Bool is-open) (Str said))\n  (script (=> [:open] [is-open := true]) (=> [:knock who] where is-open [said := (str said who \",\")])\n"
                       f"    (==> [:said] where is-open !said))")
    d = c.fresh("d")
    knocks = " ".join(f"[{d} {c.pick(['<=', '<=', '<<='])} [:knock {c.literal_of(t)}]]" for _ in range(c.pick([2, 6])))
    c.steps.append(f"(let (({door} {d} (new {door}{c.on()}))) {knocks} {c.act()} [{d} <= [:open]] (print [{d} <== [:said]]))")


def spun(c):
    """A loop that ends when enough express messages have come, of several senders."""
    senders, each = c.pick([1, 2, 3]), c.pick([1, 4])
    spinner = c.add_class("Spinner", "[:hit Int] [:until Int (@ Int)]", "",
                          "(state (Int hits) (Int sum))\n  (script (==> [:until n] (while (< hits n)) !sum) (=>> [:hit k] [hits := (+ hits 1)] [sum := (+ sum k)]))")
    hitter = c.add_class("Hitter", f"[:go Int]", "((obj [:hit Int]) who)", f"(script (=> [:go k] (for (i 0 {each}) [who <<= [:hit (* i k)]])))")
    s = c.fresh("s")
    c.steps.append(f"(let (({spinner} {s} (new {spinner}{c.on()})))" + "".join(f" [(new {hitter} {s}{c.on()}) <= [:go {c.v('Int', 1)}]]" for _ in range(senders))
                   + f" (print [{s} <== [:until {senders * each}]]))")


def futures(c):
    """Futures of many values, in arrays, shared by variables."""
    t, n = c.pick(TYPES), c.pick([1, 3])
    many = c.add_class("Many", f"[:many {t} (@ {t})] [:one {t} (@ {t})]", "",
                       f"(script (==> [:many v] (for (i 0 {n}) !{c.value(t, {'v': (t, False), 'i': ('Int', False)}, 'function', 2)})) (==> [:one v] !v))")
    m, f, g, a = c.fresh("m"), c.fresh("f"), c.fresh("g"), c.fresh("a")
    show = SHOWN.get(t, "{}").format
    c.steps.append(f"(let (({many} {m} (new {many}{c.on()})) ((future {t}) {f} (make-future)) ((future {t}) {g} {f}) ((array (future {t})) {a} (make-array 2 (make-future)))) [{m} <= [:many {c.v(t)}] $ {f}]\n"
                   f"          [(aref {a} 1) := (make-future)] (for (i 0 2) [{m} <= [:one {c.v(t, 1)}] $ (aref {a} i)]) {c.act()}\n"
                   f"          (print {show(f'(touch {g})')}) (for (i 0 {n}) (print {show(f'(next-value {f})')})) (print (ready? {g}))\n"
                   f"          (for (i 0 2) (print {show(f'(touch (aref {a} (- 1 i)))')} (ready? (aref {a} i)))))")


def tree(c):
    """Objects create others, as deep as it goes, and ask them together."""
    t, n = c.pick(["Int", "Str", "Float", "[Int Str]"]), c.pick([0, 3, 6])
    name, more = f"Tree{c.suffix}", {"x": (t, False), "y": (t, False)}
    two = c.pick([f"(sync2 r [(new {name}) <= [(- n 1) (@ r)]] [(new {name}) <== [(- n 2)]])", f"(sync* (r s) [(new {name}) <= [(- n 1) (@ r)]] [(new {name}) <= [(- n 2) (@ s)]])",
                  f"(let (({name} a (new {name})) ({name} b (new {name} :on (my-node)))) [[a <== [(- n 1)]] [b <== [(- n 2)]]])"])
    c.add_class("Tree", f"[Int (@ {t})]", "", f"(script (==> [n] (if (< n 2) !{c.value(t, {'n': ('Int', False)}, 'function', 2)} !(match {two} (=> [x y] {c.value(t, more, 'function', 2)})))))")
    c.show(f"[(new {name}) <== [{n}]]")


def ended(c):
    """An object that ends drops what comes after; what it has replied counts."""
    t = c.pick(TYPES)
    short = c.add_class("Short", f"[:last {t} (@ {t})] [:more Int]", "", f"(state (Int n))\n  (script (=> [:more k] [n := (+ n k)])\n"
                        f"    (==> [:last v] {c.pick(['!v (suicide)', '!v (if (< n 1000) (suicide)) [n := 1]', '!v (for (i 0 3) (if (= i 1) (suicide)))', '!v (begin (suicide) [n := 2])'])}))")
    s = c.fresh("s")
    c.steps.append(f"(let (({short} {s} (new {short}{c.on()}))) [{s} <= [:more 2]] (print {SHOWN.get(t, '{}').format(f'[{s} <== [:last {c.v(t)}]]')}) [{s} <= [:more 3]] [{s} <<= [:last {c.v(t, 1)}]] {c.act()})")


def collected(c):
    """The case takes what several others send, with several clauses and in any order, and adds it up."""
    n = c.pick([2, 4])
    c.back += ["[:part Int]", "[:text Str Int]"]
    c.clauses.append("(=> [:part 123456] (print \"never\"))")
    part = c.add_class("Part", f"[:go (obj [:part Int] [:text Str Int])]", "(Int k)",
                       f"(script (=> [:go to] (if (= (mod k 2) 0) [to <= [:part {c.value('Int', {'k': ('Int', False)}, 'function', 2)}]] [to <= [:text \"x\" k]])))")
    total = c.fresh("t")
    c.steps.append(f"(let ((Int {total} 0)) (for (i 0 {n}) [(new {part} i{c.on()}) <= [:go me]]) {c.act()}\n"
                   f"          (for (i 0 {n}) [{total} := (+ {total} (wait-for (=> [:part x] where (/= x 123456) x) (=> [:part _] 3) (=> [:text \"y\" _] 0) (=> [:text s x] (+ x (length s)))))])"
                   f" (print {total}))")


def recursion(c):
    t, deep = c.pick(TYPES), c.pick([10, 20000])
    f, g = f"down{c.suffix}", f"other{c.suffix}"
    value = c.value(t, {"n": ("Int", False)}, "function", 1)
    c.declared.append(f"(function ({f} (Int n)) {t} (if (<= n 0) {value} ({g} (- n 1))))\n(function ({g} (Int n)) {t} (begin (if (> n 5) ({f} (- n 2)) {value})))\n"
                      f"(function (sum{c.suffix} (Int n) ((array Int) seen)) Int (if (= n 0) (aref seen 0) (begin [(aref seen (mod n (length seen))) := n] (+ n (sum{c.suffix} (- n 1) seen)))))")
    c.show(SHOWN.get(t, "{}").format(f"({f} {deep})"))
    c.show(f"(sum{c.suffix} {deep} {c.v('(array Int)')})")


def library(c):
    """Files, the standard input and chance; words of the command line are Main's."""
    t, name, text = c.fresh("t"), f'"file{c.suffix}"', c.fresh("t")
    c.steps.append(f"(let ((Str {t} {c.v('Str')})) (write-file {name} {t}) (append-file {name} {c.v('Str')}) (print (file? {name}) (file? \"none\") (read-file {name})))")
    c.steps.append(f"(begin (random-seed {c.pick([1, 77])}) (print (random 1000) (random-float) (random 3)))")
    c.show("(>= (clock) 0.0)", f"(if (more-input?) (read-line) {c.v('Str')})")
    separator = c.pick(['"a"', '" "'])
    c.steps.append(f"(let (((array Str) {text} (split {c.v('Str')} {separator}))) (for (i 0 (length {text})) (print i (aref {text} i) (trim (aref {text} i)) (int? (aref {text} i)))))")


def places(c):
    here = c.add_class("Here", "[(@ Int)] [:same Int (@ Bool)]", "", "(script (==> [] !(my-node)) (==> [:same n] !(= n (my-node))))")
    k = c.pick(["0", "(- (num-node) 1)", "(mod 5 (num-node))", "(my-node)"])
    c.show(f"[(new {here} :on {k}) <== [:same {k}]]", f"(and (>= [(new {here}) <== []] 0) (< [(new {here}) <== []] (num-node)))")
    c.steps.append(f"(for (i 0 (num-node)) (expect (= [(new {here} :on i) <== []] i)))")
    c.show("(null? (if false me nil))" if c.chance(0.5) else f"(= (new {here}) nil)", c.v("Str"), "(use-double 21)")


KINDS = [cells, turns, buffer, party, handed, called_back, interrupted, stopped, ahead, spun, futures, tree, ended, collected, recursion, library, places]

# What ends the job: the code, and the line of the program, have to be the same.
FAULTS = ["(print (/ 7 (length \"\")))", "(print (aref (make-array 2 0) (length \"abc\")))", "(print (match (length \"abc\") (=> [0] 1)))", "(exit 77)", "(expect (= 1 (length \"\")))",
          "(print (parse-int \"x\"))", "(print (int 1e300))", "(let ((Fault a)) (print [a <== [:get 1]]))", "(print [(new Fault) <== [:get 0]])",
          "(let ((Fault a (new Fault))) [a <== [:end]] (print [a <== [:get 1]]))", "(let ((Fault a (new Fault))) [a <== [:end]] (print (sync r [a <= [:get 1 (@ r)]])))",
          "(let ((Fault a (new Fault)) ((future Int) f (make-future))) [a <== [:end]] [a <= [:get 1] $ f] (print (touch f)))", "(let (((future Int) f)) (print (touch f)))",
          "(print [(new Fault) <== [:twice]])", "(print [(new Fault) <== [:none]])", "(print [(new Fault) <== [:none-by-end]])", "(print (fault-deep 3))", "(print (substring \"ab\" 1 3))",
          "(print (length (subarray (array 1 2) 1 (length \"abc\"))))", "(let (((array Int) a (array 1 2 3))) [(subarray a 0 (length \"ab\")) := (make-array 3 0)])",
          "(print (length (make-array (- 0 (length \"a\")) 1)))", "(print (fault-deep 2000000))", "(new Fault :on 99)", "(print [(new Fault) <== [:sum (make-array 2 0)]])",
          "(aref (make-array 2 0) (length \"abc\"))", "(/ 7 (length \"\"))", "(+ 1 (fault-deep 3))", "(match [(int 1e300) 1] (=> [_ n] (print n)))", "(print (begin (mod 7 (length \"\")) 1))",
          "(begin (match (length \"abc\") (=> [0] 1)) (print 1))", "(parse-int \"x\")"]
FAULT = """(function (fault-deep (Int n)) Int (if (= n 3) (mod n (length "")) (+ 1 (fault-deep (- n 1)))))
[class Fault (obj [:get Int (@ Int)] [:end (@ [])] [:twice (@ Int)] [:none (@ Int)] [:none-by-end (@ Int)] [:sum (array Int) (@ Int)]) ()
  (script
    (==> [:get n]
      !(/ 6 n))
    (==> [:end] ![] (suicide))
    (==> [:twice]
      (for (i 0 2)
        !i))
    (==> [:none])
    (==> [:none-by-end] (suicide))
    (==> [:sum a]
      !(+ (aref a 0)
          (aref a 2))))]
"""
