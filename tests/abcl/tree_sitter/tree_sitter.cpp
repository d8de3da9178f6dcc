// Promise: the tree-sitter grammar of ABCL/ST reads all programs that the compiler takes, without an ERROR and without
// a MISSING node, and objects to texts that are none; its queries compile, and find what they are for. Method: the
// parser of abcl/editors/tree-sitter, by the library, on the files that are named; chosen texts.
#include <gtest/gtest.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/base/files.hpp"

extern "C" const TSLanguage* tree_sitter_abcl();

namespace {

// ABCL_GRAMMAR is its folder; ABCL_PROGRAMS are the paths of programs, with `|` between two.
std::string contents(const std::string& path) {
  std::string why;
  const std::optional<std::string> text = tsubu::read_file(path, why);
  if (!text) ADD_FAILURE() << path << ": " << why;
  return text.value_or("");
}

std::vector<std::string> programs() {
  std::vector<std::string> all;
  std::string_view rest = ABCL_PROGRAMS;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

struct deleter {
  void operator()(TSParser* p) const { ts_parser_delete(p); }
  void operator()(TSTree* t) const { ts_tree_delete(t); }
  void operator()(TSQuery* q) const { ts_query_delete(q); }
  void operator()(TSQueryCursor* c) const { ts_query_cursor_delete(c); }
};
template <class T>
using owned = std::unique_ptr<T, deleter>;

owned<TSTree> parsed(const std::string& text, const TSTree* old = nullptr) {
  const owned<TSParser> parser(ts_parser_new());
  EXPECT_TRUE(ts_parser_set_language(parser.get(), tree_sitter_abcl()));
  return owned<TSTree>(ts_parser_parse_string(parser.get(), old, text.data(), static_cast<std::uint32_t>(text.size())));
}

// The line and the kind of the first node that is wrong; "" if there is none.
std::string trouble_in(const TSTree* tree) {
  const std::function<std::string(TSNode)> look = [&](TSNode node) -> std::string {
    const std::string line = std::to_string(ts_node_start_point(node).row + 1);
    if (ts_node_is_missing(node)) return "line " + line + ": MISSING " + ts_node_type(node);
    if (std::string_view(ts_node_type(node)) == "ERROR") return "line " + line + ": ERROR";
    for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) {
      if (std::string found = look(ts_node_child(node, i)); !found.empty()) return found;
    }
    return {};
  };
  return look(ts_tree_root_node(tree));
}

std::string shape_of(const std::string& text) {
  const owned<TSTree> tree = parsed(text);
  const std::unique_ptr<char, decltype(&std::free)> shape(ts_node_string(ts_tree_root_node(tree.get())), &std::free);
  return shape.get();
}

// What a query finds in a text: the name of each capture, and the text of its node.
using captures = std::set<std::pair<std::string, std::string>>;
captures found_by(const std::string& query_name, const std::string& text) {
  const std::string source = contents(ABCL_GRAMMAR "/queries/" + query_name);
  std::uint32_t where = 0;
  TSQueryError what = TSQueryErrorNone;
  const owned<TSQuery> query(
      ts_query_new(tree_sitter_abcl(), source.data(), static_cast<std::uint32_t>(source.size()), &where, &what));
  captures out;
  if (!query) {
    ADD_FAILURE() << query_name << ": error " << what << " at " << source.substr(where, 40);
    return out;
  }
  const owned<TSTree> tree = parsed(text);
  const owned<TSQueryCursor> cursor(ts_query_cursor_new());
  ts_query_cursor_exec(cursor.get(), query.get(), ts_tree_root_node(tree.get()));
  std::map<const void*, std::string> name_of;  // of each node
  TSQueryMatch match;
  std::uint32_t index = 0;
  while (ts_query_cursor_next_capture(cursor.get(), &match, &index)) {
    const TSQueryCapture& capture = match.captures[index];
    std::uint32_t length = 0;
    const char* const name = ts_query_capture_name_for_id(query.get(), capture.index, &length);
    const std::uint32_t begin = ts_node_start_byte(capture.node), end = ts_node_end_byte(capture.node);
    const auto [known, is_new] = name_of.emplace(capture.node.id, std::string(name, length));
    if (query_name == "highlights.scm" && !is_new)
      ADD_FAILURE() << text.substr(begin, end - begin) << " is a " << name << " and a " << known->second;
    out.emplace(std::string(name, length), text.substr(begin, end - begin));
  }
  return out;
}

TEST(tree_sitter, reads_all_programs) {
  const std::vector<std::string> all = programs();
  EXPECT_GT(all.size(), 90U);
  for (const std::string& path : all) {
    const owned<TSTree> tree = parsed(contents(path));
    EXPECT_EQ(trouble_in(tree.get()), "") << path;
  }
}

TEST(tree_sitter, objects_to_what_is_no_program) {
  for (const char* text : {
           "(print 1)",                                     // no definition
           "[class A (obj []) () (print 1)",                // a bracket is not closed
           "[class A (obj []) () (print 1)]]",              // one too many
           "[class A (obj []) () (print 1])",               // of the other kind
           "[class A () (print 1)]",                        // no interface
           "[class A (obj []) ((n Int Int)) (print n)]",    // an argument of three parts
           "[class A (obj []) () (print \"open)]",          // a string without an end
           "[class A (obj []) () (print \"\\q\")]",         // an escape that means nothing
           "[class A (obj []) () [a <= b c]]",              // two messages in a send
           "[class A (obj []) () [a => b]]",                // the arrow of a clause in a send
           "[class A (obj []) () (script (:get n))]",       // a clause without an arrow
           "[class A (obj [:m]) () (script (=> (:m) 1))]",  // a pattern in round brackets
           "[class A (obj []) () !]",                       // a reply with nothing
           "[class A (obj []) () [x := ]]",                 // nothing is assigned
           "[class A (obj []) () [a <== b $ f]]",           // a future for what is waited for
           "(function f (Int n) n)",                        // a name without its brackets
           "(use file)",                                    // a file that is no string
           "(type Row (array Int) 1)",                      // a name for two types
           "[class A (obj []) () (cond n)]",                // a branch without brackets
           "[class A (obj []) () (break 1)]",               // a loop is left with nothing
       }) {
    EXPECT_NE(trouble_in(parsed(text).get()), "") << text;
  }
}

TEST(tree_sitter, tells_brackets_apart_by_their_second_part) {
  const auto shape = [](const std::string& e) { return shape_of("[class A (obj) () " + e + "]"); };
  const auto has = [&](const std::string& e, const char* part) {
    EXPECT_NE(shape(e).find(part), std::string::npos) << e << " is " << shape(e);
  };
  has("[a <= b]", "(send target: (name) arrow: (send_arrow) message: (name))");
  has("[a <<= b $ f]", "(send target: (name) arrow: (send_arrow) message: (name) future: (name))");
  has("[a <== [:get]]", "(send target: (name) arrow: (send_arrow) message: (message (tag)))");
  has("[a <<== b]", "(send ");
  has("[a := b]", "(assignment place: (name) value: (name))");
  has("[(aref a 0) := b]", "(assignment place: (builtin_call ");
  has("[(subarray a 0 2) := b]", "(assignment place: (builtin_call ");
  has("[a b]", "(message (name) (name))");
  has("[]", "(message)");
  has("(cond ((< a b) a) (else (break)))", "(cond (branch condition: (operation");
  has("(cond (a b) (else (break)))", "(branch condition: (name) (name)) (branch (break)))");
  has("(array a b)", "(builtin_call function: (builtin_function) (name) (name))");
  has("(<= a b)", "(operation operator: (operator) (name) (name))");
  has("[x := !v]", "value: (reply value: (name))");
  has("(f (@ r))", "(call function: (function_name) (destination box: (name)))");
}

TEST(tree_sitter, knows_the_words) {
  const auto kind = [](const std::string& word) {
    const std::string shape = shape_of("[class A (obj) () (f " + word + ")]"), before = "function: (function_name) ";
    return shape.substr(shape.find(before) + before.size());
  };
  const auto is = [&](const std::string& word, const std::string& what) {
    EXPECT_EQ(kind(word), what + ")))") << word;
  };
  for (const char* name : {"next-obj", "counter-obj1", "null?", "größe", "n-1", "-n", "--1", "a:b", "=a", "<=a", "x=>y",
                           "ifx", "print-all", "-.", ".", "*x*", "@home"})
    is(name, "(name)");
  for (const char* integer : {"42", "-7", "+7", "0"}) is(integer, "(integer)");
  for (const char* real : {"4.2", "1.0e-6", "1e3", ".5", "-4.", "+1E+3"}) is(real, "(float)");
  for (const char* none : {"12abc", "1.2.3", "-4x", "1e"}) is(none, "(malformed_number)");
  is("\"a; \\\"b\\\" (\"", "(string (string_content) (escape) (string_content) (escape) (string_content))");
  is("true", "(boolean)");
  is("nil", "(nil)");
  is("me", "(me)");
  is("[:on? 1]", "(message (tag) (integer))");
  is("[:größe]", "(message (tag))");
  is("a ; b)\n", "(name) (comment)");
}

TEST(tree_sitter, reads_again_what_was_changed) {
  std::string text = "[class A (obj []) () (print 1)]";
  owned<TSTree> tree = parsed(text);
  const auto at = static_cast<std::uint32_t>(text.find('1'));
  text.insert(at, "(+ 2 ");
  const TSInputEdit edit{at, at, at + 5, {0, at}, {0, at}, {0, at + 5}};
  ts_tree_edit(tree.get(), &edit);
  tree = parsed(text, tree.get());
  EXPECT_NE(trouble_in(tree.get()), "");
}

TEST(tree_sitter, highlights) {
  const captures found = found_by("highlights.scm", R"(; why
(use "a.abcl")
(type Row (array Int))
(function (twice (Int n)) Int (* 2 n))
[class Counter (obj [:get Int (@ Int)]) ((Counter next))
  (state (Float sum := 1.5) (Bool on := true))
  (script
    (==> [:get k] where (< k 3)
      [next <= [:get (twice k) (@ r)] $ f]
      [sum := nil]
      (print "a\n" (new Other :on 2))
      !me))])");
  for (const auto& [name, text] : captures{
           {"comment", "; why"},
           {"string", "\"a.abcl\""},
           {"function", "twice"},
           {"function.call", "twice"},
           {"type", "Counter"},
           {"type", "Other"},
           {"type.builtin", "Int"},
           {"keyword", "class"},
           {"keyword", "type"},
           {"type", "Row"},
           {"type.builtin", "array"},
           {"keyword", "script"},
           {"keyword", ":on"},
           {"keyword.conditional", "where"},
           {"string.special.symbol", ":get"},
           {"variable.parameter", "n"},
           {"variable.parameter", "next"},
           {"variable.parameter", "k"},
           {"variable.member", "sum"},
           {"operator", "==>"},
           {"operator", "<="},
           {"operator", "$"},
           {"operator", ":="},
           {"operator", "!"},
           {"operator", "@"},
           {"operator", "*"},
           {"function.builtin", "print"},
           {"string.escape", "\\n"},
           {"number", "2"},
           {"number.float", "1.5"},
           {"boolean", "true"},
           {"constant.builtin", "nil"},
           {"variable.builtin", "me"},
           {"punctuation.bracket", "["},
           {"punctuation.bracket", "("},
       })
    EXPECT_TRUE(found.contains({name, text})) << name << " " << text;
}

TEST(tree_sitter, knows_where_names_are_known) {
  const captures found = found_by("locals.scm", "(function (f (Int n)) Int (let ((Int m n)) m))");
  EXPECT_TRUE(found.contains({"local.definition", "n"}));
  EXPECT_TRUE(found.contains({"local.definition", "m"}));
  EXPECT_TRUE(found.contains({"local.reference", "m"}));
  EXPECT_TRUE(found.contains({"local.scope", "(let ((Int m n)) m)"}));
}

}  // namespace
