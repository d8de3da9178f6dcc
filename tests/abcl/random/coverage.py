"""What there is in the language, as it looks in a text: each of it has to be in some of the generated cases.

Left out are `foreign`, which only C++ has, and classes that begin with Test, which only `abcl test` runs.
"""
import re

CONSTRUCTS = {
    "past send": r" <= \[", "now send": r" <== \[", "future send": r"\] \$ ", "express past send": r" <<= \[", "express now send": r" <<== \[",
    "send of a message that is a value": r" <= v\d+\]", "reply to a destination": r"\[(d\d+|to\d*) <= ", "me as a destination": r" me\]\]",
    "destination in a let": r"\(\(@ [^()]+\) \w+ \(@ ", "array of destinations": r"\(array \(@ ", "destination in a tuple": r"\[:pair \[",
    "clause =>": r"\(=> \[:", "clause ==>": r"\(==> ", "clause =>>": r"\(=>> ", "clause ==>>": r"\(==>> ", "message without a tag": r"\[Str \(@",
    "named destination": r"\(=> \[:\w+[^]]* d\d+\]", "literal in a pattern": r"==> \[:\w+ -?\d", "_ in a pattern": r"[ \[]_[ \]]",
    "guard": r"\] where ", "wait-for": r"\(wait-for \(=> ", "wait-for that replies": r"\(wait-for \(==> ", "atomic": r"\(atomic ",
    "non-resume": r"\(non-resume\)", "suicide": r"\(suicide\)", "sync": r"\(sync ", "sync2": r"\(sync2 ", "sync*": r"\(sync\* ",
    "touch": r"\(touch ", "next-value": r"\(next-value ", "ready?": r"\(ready\? ", "make-future": r"\(make-future\)",
    "array of futures": r"\(array \(future ", "nested array": r"\(array \(array ", "tuple": r"\[\[Int Bool\] Float\]", "aref": r"\(aref ",
    "assignment": r" := ", "assignment to an element": r"\[\(aref [^:]*:=", "part of an array": r"[^[]\(subarray ", "assignment to a part": r"\[\(subarray [^:]*:=", "match": r"\(match ", "let": r"\(let ", "while": r"\(while ",
    "for": r"\(for ", "break": r"\(break\)", "cond": r"\(cond ", "break out of a match": r"\(=> \[0 _\] \(break\)",
    "break out of atomic forms": r"\(atomic \(break\)", "break in a wait-for": r"\(wait-for [^\n]*\(break\)", "break behind a reply": r"\(wait-for \(==> \[:ask x\][^(\n]*\(print x\) \[[^]]*\] \(if ", "array of elements": r"\(array [^A-Z(\[]", "if": r"\(if ", "begin": r"\(begin ", "text put behind a variable's": r"\[(\w+) := \(str \1 ", "value that nobody wants": r"\(begin \([-+*/] ", "expect": r"\(expect ", "print": r"\(print ", "null?": r"\(null\? ", "nil": r"\bnil\b",
    "creation arguments": r"\(new \S+ [^:)]", ":on": r" :on ", "my-node": r"\(my-node\)", "num-node": r"\(num-node\)", "function": r"\(function ", "name of a type": r"\(type Row-",
    "object type": r"\(obj \[[^\n]*\(obj \[", "state without a first value": r"\(Int \w+\)", "object asked as it is made": r"\[\(new \S+[^]]*<==",
    **{f"operator {o}": rf"\({re.escape(o)} " for o in ["+", "-", "*", "/", "mod", "=", "/=", "<", ">", "<=", ">=", "and", "or", "not", "sqrt",
                                                       "int", "float", "str", "length", "make-array"]},
    **{f"library {f}": rf"\({re.escape(f)}[ )]" for f in ["read-line", "more-input?", "read-file", "write-file", "append-file", "file?", "clock", "random",
                                                          "random-float", "random-seed", "substring", "index-of", "split", "words", "join", "trim",
                                                          "parse-int", "parse-float", "int?", "float?", "bit-and", "bit-or", "bit-xor", "bit-not", "shift-left",
                                                          "shift-right", "shift-right-zero"]},
}


def table(texts):
    """Construct -> in how many of these texts it is."""
    return {name: sum(bool(re.search(pattern, text)) for text in texts) for name, pattern in CONSTRUCTS.items()}
