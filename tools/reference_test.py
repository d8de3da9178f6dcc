"""Promise: the reference takes from a header what a program may use, with its comments, and says what is missing."""
import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "reference"))
import check  # noqa: E402
import concepts  # noqa: E402
import headers  # noqa: E402
import pages  # noqa: E402
import uses  # noqa: E402

HEADER = """// Boxes.
//
//   box<int> b;   // an example
#pragma once

#include "tsubu/base/types.hpp"

namespace tsubu {

namespace remote {
// Hidden.
void inner() { if (true) { return; } }
}  // namespace remote

// A box, of a < b & c.
// Local; take() blocks until it is full; throws nothing.
template <class T>
  requires(sizeof(T) > 0)
class [[nodiscard("say; so")]] box {
 public:
  // Waits, and then
  // takes.
  auto take() { return "}"; }
  int size;  // in elements

  // ---- the runtime's
  void put() {}

 private:
  T value_;
};

template <class T>
class later;

inline constexpr int most = 2 << 3;  // boxes
// Makes one.
template <class T>
auto make(T a, int b = 1) -> box<T> {
  return {a};
}
// The same from nothing.
void make();
// Shows it.
#if 0
#endif
inline void box_shown() {}

}  // namespace tsubu
"""


class reference(unittest.TestCase):
    def declared(self):
        head, found = headers.declarations(HEADER)
        self.assertEqual(head[0], "// Boxes.")
        return {(d.name, d.line): d for d in found}

    def test_what_a_program_may_use(self):
        self.assertEqual([name for name, _ in self.declared()], ["box", "most", "make", "make", "box_shown"])

    def test_kinds(self):
        kinds = {name: (d.is_type, d.is_function) for (name, _), d in self.declared().items()}
        self.assertEqual(kinds, {"box": (True, False), "most": (False, False), "make": (False, True), "box_shown": (False, True)})

    def test_bodies_are_left_out(self):
        text = "".join(d.text for d in self.declared().values())
        self.assertNotIn("return", text)
        self.assertIn("auto take() {}", text)

    def test_comments(self):
        found = {name: d.comment for (name, _), d in self.declared().items()}
        self.assertEqual(found["most"], ["// boxes"])
        self.assertEqual(found["make"], ["// The same from nothing."])
        self.assertEqual(found["box_shown"], [])  # something stands between

    def test_conversion(self):
        text = headers.converted("tsubu/box.hpp", HEADER, lambda d: "concept_boxes", lambda d: ["an example of " + d.name])
        for wanted in ("\\code{.cpp}\n * box<int> b;   // an example\n * \\endcode", "a \\< b \\& c", "\\par Blocks\n * take() blocks until",
                       " * Waits, and then\n * takes.", "/**< in elements */", "/** @name the runtime's */", "\\ingroup concept_boxes",
                       "tsubu/box.hpp, line 17"):
            self.assertIn(wanted, text)
        self.assertEqual(text.count("an example of make"), 1)  # beside the first of the overloads
        self.assertNotIn("Hidden", text)
        self.assertNotIn("value_", text)  # private
        self.assertEqual(text.count("/** @{ */"), text.count("/** @} */"))

    def test_facts(self):
        self.assertEqual(headers.facts_of(["// Does it.", "// Collective; blocks until all", "// have it; throws a; and b."]),
                         ("Collective", "blocks until all have it", "throws a; and b"))
        self.assertIsNone(headers.facts_of(["// Local to a PE; it is."]))

    def test_missing_facts(self):
        function = headers.declaration("tsubu", 1, ["// Does it."], "void f();")
        for comment, reason in ((["// Does it."], "does not say who"), (["// Local; at once; throws nothing."], "whether it blocks"),
                                (["// Local; does not block."], "what goes wrong")):
            function.comment = comment
            self.assertIn(reason, " ".join(check.facts_troubles("f", function)), comment)
        function.comment = ["// Local; does not block; throws nothing."]
        self.assertEqual(check.facts_troubles("f", function), [])

    def troubles(self, page, comment, example):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / "docs/hazards.md").write_text("<!-- names:begin -->\n`f`\n<!-- names:end -->\n")
            (root / "docs/concepts.md").write_text(page)
            (root / "namespacetsubu.xml").write_text(
                '<doxygen><compounddef kind="namespace"><compoundname>tsubu</compoundname><memberdef><name>f</name>'
                "<briefdescription>Does it.</briefdescription><detaileddescription/></memberdef></compounddef></doxygen>")
            f = headers.declaration("tsubu", 1, comment, "void f();")
            found = concepts.read(root)
            groups = concepts.groups(found)
            of = types.SimpleNamespace(
                root=root, concepts=found, text={}, by_key={"f": [("tsubu/f.hpp", f)]}, examples={"f": example},
                is_internal=lambda key: key in groups and groups[key].title == concepts.INTERNAL,
                is_said_by_compiler=lambda key: False, has_head=lambda path, d: False)
            return "\n".join(check.troubles(of, root))

    def test_what_is_missing_is_said(self):
        page, comment, example = "## Calls\n\nNames: `f`\n", ["// Does it.", "// Local; does not block; throws nothing."], ("a.cpp", 1, "f();")
        self.assertEqual(self.troubles(page, comment, example), "")
        self.assertIn("no concept has f", self.troubles("## Calls\n", comment, example))
        self.assertIn("no public name g", self.troubles(page + "`g`\n", comment, example))
        self.assertIn("2 concepts", self.troubles(page + "\n## More\n\nNames: `f`\n", comment, example))
        self.assertIn("used by no", self.troubles(page, comment, None))
        self.assertIn("says nothing", self.troubles(page, comment[1:], example))
        self.assertEqual(self.troubles("## Internal, subject to change\n\nNames: `f`\n", [], None), "")

    def test_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / "a.cpp").write_text("")
            (root / "docs/a.md").write_text("# A\n\n## Its `end`\n\n```\n# [x](b.md)\n```\n")
            (root / "docs/b.md").write_text("# B\n[a](a.md), [end](a.md#its-end), [file](../a.cpp), [far](https://a.b), `f()`, x < y\n")
            convert = pages.converter(root, ["docs/a.md", "docs/b.md"], lambda word: "LINK" if word == "f()" else None)
            self.assertEqual(convert.convert("docs/b.md"),
                             "# B {#page_b}\n[a](@ref page_a), [end](@ref page_a_its_end), <a href=\"files/a.cpp.txt\">file</a>, "
                             "[far](https://a.b), LINK, x \\< y\n")
            self.assertEqual(convert.files, {"a.cpp"})
            text = convert.convert("docs/a.md")
            self.assertIn("## Its end {#page_a_its_end}", text)
            self.assertIn("# [x](b.md)", text)

    def test_uses(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "examples").mkdir()
            (root / "examples/01_own.cpp").write_text("void send(int x) {\n}\nsend(1);\n")
            (root / "examples/02_use.cpp").write_text('// send(2)\nprint("send(3)");\n  x.send(4);\n  co_await send(5);\nbox<int> b;\n')
            found = uses.uses(root)
            self.assertEqual(found.of("tsubu", "send", True, "tsubu/send.hpp"), ("examples/02_use.cpp", 4, "co_await send(5);"))
            self.assertEqual(found.of("tsubu", "box", False, "tsubu/box.hpp", True), ("examples/02_use.cpp", 5, "box<int> b;"))
            self.assertIsNone(found.of("tsubu", "receive", True, "tsubu/send.hpp"))


if __name__ == "__main__":
    unittest.main()
