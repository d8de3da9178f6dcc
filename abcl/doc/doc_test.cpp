// Promise: the documentation of a program has its classes, messages and functions with the comments that belong to
// them and no others, and shows what is in them as it is, whatever Markdown and HTML would take it for. Method: small
// programs, all of the Markdown, parts of the HTML.
#include "abcl/doc/doc.hpp"

#include <gtest/gtest.h>

#include "abcl/doc/prose.hpp"

namespace abcl {
namespace {

std::vector<documented_file> read(const std::string& text) {
  const loaded l = load_text("small.abcl", text);
  EXPECT_FALSE(l.said.any_errors()) << text;
  return documented(l);
}

constexpr const char* small = R"(;; Two classes and a function.
;;
;; - *One* counts.
;; - The other asks `Counter`:
;;
;;     [c <== [:get]]

;; Nobody's comment.

;; Counts from 0 to `limit`.
[class Counter (obj [:add Int]
                    ;; The count, as soon as it is positive.
                    [:get (@ Int)]
                    [Str])  ; for others
  ((Int limit) (Counter next))
  (state (Int n := 0)  ; what was added
         (Bool full))
  (script
    (=> [:add _] where full)
    ;; Up to the limit.
    (=> [:add k]
      ;; not this
      [n := (+ n k)] [full := (>= n limit)])
    (==> [:get] where (and (> n 0)
                           true)
      (wait-for (=> ["a\n b"]) (=> [_]))
      !n))]

; One less.
(function (less (Int n) (array Counter) ) Int
  (- n 1))
)";

TEST(documentation, is_written_as_markdown) {
  std::string text = small;
  text.replace(text.find("(array Counter) "), 16, "((array Counter) all)");
  EXPECT_EQ(as_markdown(read(text)), R"(# small.abcl

Two classes and a function.

- \*One\* counts.
- The other asks `Counter`:

      [c <== [:get]]

## Class Counter

Counts from 0 to `limit`.

Creation arguments:

- `Int limit`
- `Counter next`

Messages:

- `[:add Int]`

  Up to the limit.

  - `=> [:add _] where full`
  - `=> [:add k]`

- `[:get (@ Int)]` replies `Int`

  The count, as soon as it is positive.

  - `==> [:get] where (and (> n 0) true)`

- `[Str]`

  for others

  - `=> ["a\n b"]`
  - `=> [_]`

State:

- `Int n`

  what was added

- `Bool full`

## Function less

`(function (less (Int n) ((array Counter) all)) Int)`

One less.
)");
}

TEST(documentation, has_comments_only_where_they_belong) {
  const auto about = [](const std::string& text) {
    const std::vector<documented_file> files = read(text);
    return files[0].classes[0].about;
  };
  const std::string a = "[class A (obj []) ()]";
  EXPECT_EQ(about("; one\n;;   two\n" + a), (comment_lines{"one", "  two"}));
  EXPECT_EQ(about("; one\n\n" + a), comment_lines());
  EXPECT_EQ(about("; one\n\n; two\n" + a), comment_lines{"two"});
  EXPECT_EQ(about("[class B (obj []) ()]\n; one\n" + a), comment_lines());
  EXPECT_EQ(about("\xEF\xBB\xBF; one\r\n" + a), comment_lines{"one"});
  EXPECT_EQ(about("(function (f) Int 1)  ; one\n" + a), comment_lines());
}

TEST(documentation, names_types) {
  const std::vector<documented_file> files = read(
      ";; Takes what comes.\n(type Sink (obj [:put Row]))\n(type Row (array Int))\n"
      "[class Printer Sink () (script\n  ;; A line.\n  (=> [:put r] (print (length r))))]\n");
  EXPECT_EQ(as_markdown(files), R"(# small.abcl

## Type Sink

`(type Sink (obj [:put Row]))`

Takes what comes.

## Type Row

`(type Row (array Int))`

## Class Printer

Messages:

- `[:put Row]`

  A line.

  - `=> [:put r]`
)");
  const std::string html = as_html(files);
  EXPECT_NE(html.find("<h2 id=\"small.abcl-Row\">Row <small>type</small></h2>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"tag\">:put</span> <a href=\"#small.abcl-Row\">Row</a>"), std::string::npos);
}

TEST(documentation, of_a_file_is_what_it_begins_with) {
  const auto about = [](const std::string& text) { return read(text)[0].about; };
  const std::string a = "[class A (obj []) ()]";
  EXPECT_EQ(about("; one\n" + a), comment_lines());
  EXPECT_EQ(about("; one\n; two\n\n" + a), (comment_lines{"one", "two"}));
  EXPECT_EQ(about("\n; one"), comment_lines{"one"});
  EXPECT_EQ(about(a + "\n; one"), comment_lines());
  EXPECT_EQ(about(""), comment_lines());
}

TEST(documentation, shows_markdown_and_html_as_they_are) {
  const std::vector<documented_file> files = read(
      ";; Is a < b & *c*? # <script>alert(1)</script> `x < y` [l](m)\n"
      "[class A<b> (obj [:m&m]) ((Str <i>))\n  (script (=> [:m&m] where (/= <i> \"</code>\")))]\n"
      ";; 1. one\n(function (f`g (A<b> a)) A<b> a)");
  const std::string markdown = as_markdown(files), html = as_html(files);
  for (const char* part :
       {"## Class A\\<b\\>", "Is a \\< b \\& \\*c\\*? \\# \\<script\\>alert(1)\\</script\\> `x < y` \\[l\\](m)",
        "1\\. one", "`` (function (f`g (A<b> a)) A<b>) ``", "- `Str <i>`"})
    EXPECT_NE(markdown.find(part), std::string::npos) << part << " is not in\n" << markdown;
  for (const char* part :
       {"&lt;script&gt;alert(1)&lt;/script&gt; <code>x &lt; y</code>", "<span class=\"tag\">:m&amp;m</span>",
        "Is a &lt; b &amp; *c*?", "where (/= &lt;i&gt; &quot;&lt;/code&gt;&quot;)",
        "<code><a href=\"#small.abcl-A_b_\">A&lt;b&gt;</a></code> a)", "<h2 id=\"small.abcl-A_b_\">A&lt;b&gt; "})
    EXPECT_NE(html.find(part), std::string::npos) << part << " is not in\n" << html;
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<i>"), std::string::npos);
}

TEST(documentation, links_classes_to_those_of_their_own_program) {
  std::vector<documented_file> files = read("[class A (obj []) ((A next) (B b))] [class B (obj []) ()]");
  files.push_back(read("[class A (obj []) ((A next))]")[0]);
  const std::string html = as_html(files);
  EXPECT_NE(html.find("<a href=\"#small.abcl-A\">A</a></code> <code><b>next"), std::string::npos) << html;
  EXPECT_NE(html.find("<a href=\"#small.abcl-B\">B</a></code> <code><b>b"), std::string::npos) << html;
  EXPECT_NE(html.find("<a href=\"#small.abcl-2-A\">A</a></code> <code><b>next"), std::string::npos) << html;
}

TEST(documentation, has_prose) {
  using kind = prose_block::kind;
  const auto blocks = blocks_of({"a", "b", "", "c", "- d", "  e", "- f", "", "    g", "     h", "i"});
  const std::vector<std::pair<kind, std::string>> expected = {{kind::paragraph, "a b"},     {kind::paragraph, "c"},
                                                              {kind::item, "d e"},          {kind::item, "f"},
                                                              {kind::example, "  g\n   h"}, {kind::paragraph, "i"}};
  ASSERT_EQ(blocks.size(), expected.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].what, expected[i].first) << i;
    EXPECT_EQ(blocks[i].text, expected[i].second) << i;
  }
  std::string all;
  for (const prose_piece& p : pieces_of("a `b` c`d`e `` f ` g"))
    all += (p.code ? '<' : '(') + std::string(p.text) + '|';
  EXPECT_EQ(all, "(a |<b|( c|<d|(e `` f ` g|");
}

}  // namespace
}  // namespace abcl
