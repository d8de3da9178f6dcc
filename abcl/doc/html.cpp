#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "abcl/doc/prose.hpp"

namespace abcl {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #24292f; --faint: #667079; --line: #dcd8cf; --code: #f2efe8;
  --link: #0b5a8a; --mark: #8a4b08; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191d; --ink: #d7dce1; --faint: #8d97a1; --line: #2f353c; --code: #1f242a; --link: #7ab8e8;
    --mark: #e0a35c; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem 2rem 1.5rem;
  border-right: 1px solid var(--line); font-size: 0.9rem; overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0.2rem 0 1rem; padding-left: 0.8rem; }
nav > ul { padding: 0; }
main { padding: 1rem 2.5rem 4rem; max-width: 60rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 1.7rem; margin: 2.5rem 0 0.5rem; padding-bottom: 0.3rem; border-bottom: 2px solid var(--line);
  overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 0.5rem; }
h1 + h2 { margin-top: 1.2rem; }
h2 small, nav small { color: var(--faint); font-weight: normal; }
h3 { font-size: 0.85rem; margin: 1.2rem 0 0.3rem; color: var(--faint); font-weight: 600; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
p code, li code { background: var(--code); border-radius: 3px; padding: 0.1em 0.3em; }
pre { background: var(--code); border-radius: 5px; padding: 0.6rem 0.9rem; overflow: auto; white-space: pre-wrap; }
dl { margin: 0; }
dt { margin-top: 0.7rem; }
dt b, .messages dt code { font-weight: 600; }
.variables dt { margin-top: 0.1rem; }
dd { margin: 0.15rem 0 0 1.5rem; }
dd p, dd pre, dd ul { margin: 0.2rem 0; }
.clauses { list-style: none; padding: 0; color: var(--faint); font-size: 0.92em; }
.clauses code { background: none; padding: 0; }
.tag { color: var(--mark); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem; }
  main { padding: 0.5rem 1rem 3rem; } }
@media print { nav { display: none; } body { display: block; } }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string prose_line(std::string_view text) {
  std::string out;
  for (const prose_piece& piece : pieces_of(text))
    out += piece.code ? fmt::format("<code>{}</code>", escaped(piece.text)) : escaped(piece.text);
  return out;
}

class page {
 public:
  explicit page(const std::vector<documented_file>& files) : files_(files) {}

  std::string run() {
    for (const documented_file& file : files_) name(file);
    const std::string title = escaped(files_.size() == 1 ? files_.front().name : "ABCL/ST programs");
    out_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        title, style);
    contents();
    out_ += "<main>\n";
    for (const documented_file& file : files_) put(file);
    out_ += "</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  // A long path is broken between its words.
  static std::string breakable(std::string_view path) {
    std::string out;
    for (const char c : path) {
      out += escaped(std::string_view(&c, 1));
      if (c == '/' || c == '_') out += "<wbr>";
    }
    return out;
  }

  // ---- names of places: each is there once, and says what is there

  std::string new_anchor(std::string_view wanted) {
    std::string plain;
    for (const char c : wanted) {
      const bool good =
          ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '.' || c == '-';
      plain += good ? std::string(1, c) : "_";
    }
    std::string name = plain;
    for (int i = 2; !anchors_.insert(name).second; ++i) name = fmt::format("{}-{}", plain, i);
    return name;
  }

  void name(const documented_file& file) {
    const std::string whole = new_anchor(file.name);
    place_of_[&file] = whole;
    for (const documented_class& c : file.classes) {
      place_of_[&c] = new_anchor(whole + "-" + c.name);
      named_[c.name].emplace_back(&file, &c);
    }
    for (const documented_type& t : file.types) {
      place_of_[&t] = new_anchor(whole + "-" + t.name);
      named_[t.name].emplace_back(&file, &t);
    }
    for (const documented_function& f : file.functions) place_of_[&f] = new_anchor(whole + "-" + f.name);
  }

  // Programs that know nothing of each other may have classes or types of one name: that of the same file is meant, or
  // the only one. Null: there are several, or none.
  const void* meant(const std::string& name) const {
    const auto found = named_.find(name);
    if (found == named_.end()) return nullptr;
    for (const auto& [file, what] : found->second) {
      if (file == now_) return what;
    }
    return found->second.size() == 1 ? found->second.front().second : nullptr;
  }

  // ---- parts of the page

  void contents() {
    out_ += "<nav>\n<ul>\n";
    const auto entry = [&](const void* what, const std::string& text, const char* kind) {
      out_ += fmt::format("<li><a href=\"#{}\">{}</a>{}", place_of_.at(what), breakable(text), kind);
    };
    for (const documented_file& file : files_) {
      entry(&file, file.name, "");
      if (!file.types.empty() || !file.classes.empty() || !file.functions.empty()) {
        out_ += "\n<ul>\n";
        for (const documented_type& t : file.types) entry(&t, t.name, " <small>type</small></li>\n");
        for (const documented_class& c : file.classes) entry(&c, c.name, "</li>\n");
        for (const documented_function& f : file.functions) entry(&f, f.name, " <small>function</small></li>\n");
        out_ += "</ul>\n";
      }
      out_ += "</li>\n";
    }
    out_ += "</ul>\n</nav>\n";
  }

  // In the language's own notation: tags are marked, classes and names of types are links.
  std::string code(std::string_view text) const {
    std::string out = "<code>";
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(" ()[]\""), text.size());
      if (end == 0) {
        // A string is none of the language's words.
        std::size_t length = 1;
        while (text[0] == '"' && length < text.size() && text[length] != '"') length += text[length] == '\\' ? 2 : 1;
        if (text[0] == '"') length = std::min(length + 1, text.size());
        out += escaped(text.substr(0, length));
        text.remove_prefix(length);
        continue;
      }
      const std::string word(text.substr(0, end));
      if (word[0] == ':' && word.size() > 1 && word != ":=") {
        out += fmt::format("<span class=\"tag\">{}</span>", escaped(word));
      } else if (const void* const named = meant(word); named != nullptr) {
        out += fmt::format("<a href=\"#{}\">{}</a>", place_of_.at(named), escaped(word));
      } else {
        out += escaped(word);
      }
      text.remove_prefix(end);
    }
    return out + "</code>";
  }

  void put(const comment_lines& about) {
    using kind = prose_block::kind;
    bool in_list = false;
    for (const prose_block& block : blocks_of(about)) {
      if (in_list != (block.what == kind::item)) out_ += in_list ? "</ul>\n" : "<ul>\n";
      in_list = block.what == kind::item;
      if (block.what == kind::example) {
        out_ += fmt::format("<pre>{}</pre>\n", escaped(block.text));
      } else {
        const char* const element = in_list ? "li" : "p";
        out_ += fmt::format("<{0}>{1}</{0}>\n", element, prose_line(block.text));
      }
    }
    if (in_list) out_ += "</ul>\n";
  }

  void put(const char* title, const std::vector<documented_variable>& all) {
    if (all.empty()) return;
    out_ += fmt::format("<h3>{}</h3>\n<dl class=\"variables\">\n", title);
    for (const documented_variable& v : all) {
      out_ += fmt::format("<dt>{} <code><b>{}</b></code></dt>\n", code(v.type), escaped(v.name));
      put_description(v.about);
    }
    out_ += "</dl>\n";
  }

  void put_description(const comment_lines& about) {
    if (about.empty()) return;
    out_ += "<dd>\n";
    put(about);
    out_ += "</dd>\n";
  }

  void put(const documented_class& c) {
    out_ += fmt::format("<h2 id=\"{}\">{} <small>{}</small></h2>\n", place_of_.at(&c), escaped(c.name),
                        c.tests ? "class, a test" : "class");
    put(c.about);
    put("Creation arguments", c.arguments);
    if (!c.messages.empty()) {
      out_ += "<h3>Messages</h3>\n<dl class=\"messages\">\n";
      for (const documented_message& m : c.messages) put(m);
      out_ += "</dl>\n";
    }
    put("State", c.state);
  }

  void put(const documented_type& t) {
    out_ += fmt::format("<h2 id=\"{}\">{} <small>type</small></h2>\n", place_of_.at(&t), escaped(t.name));
    out_ += fmt::format("<pre>(type {} {})</pre>\n", escaped(t.name), code(t.type));
    put(t.about);
  }

  void put(const documented_message& m) {
    out_ += fmt::format("<dt>{}{}</dt>\n", code(m.type), m.answer.empty() ? "" : " replies " + code(m.answer));
    if (m.about.empty() && m.clauses.empty()) return;
    out_ += "<dd>\n";
    put(m.about);
    if (!m.clauses.empty()) {
      out_ += "<ul class=\"clauses\">\n";
      for (const std::string& clause : m.clauses) out_ += fmt::format("<li><code>{}</code></li>\n", escaped(clause));
      out_ += "</ul>\n";
    }
    out_ += "</dd>\n";
  }

  void put(const documented_function& f) {
    out_ += fmt::format("<h2 id=\"{}\">{} <small>function</small></h2>\n", place_of_.at(&f), escaped(f.name));
    std::string header = fmt::format("(function ({}", escaped(f.name));
    for (const documented_variable& a : f.arguments) header += fmt::format(" ({} {})", code(a.type), escaped(a.name));
    out_ += fmt::format("<pre>{}) {})</pre>\n", header, code(f.result));
    put(f.about);
  }

  void put(const documented_file& file) {
    now_ = &file;
    out_ += fmt::format("<h1 id=\"{}\">{}</h1>\n", place_of_.at(&file), escaped(file.name));
    put(file.about);
    for (const std::string& used : file.uses) out_ += fmt::format("<p>Uses <code>{}</code>.</p>\n", escaped(used));
    for (const documented_type& t : file.types) put(t);
    for (const documented_class& c : file.classes) put(c);
    for (const documented_function& f : file.functions) put(f);
  }

  const std::vector<documented_file>& files_;
  std::string out_;
  std::set<std::string> anchors_;
  std::map<const void*, std::string> place_of_;
  std::map<std::string, std::vector<std::pair<const documented_file*, const void*>>> named_;  // classes and types
  const documented_file* now_ = nullptr;  // the file that is being written
};

}  // namespace

std::string as_html(const std::vector<documented_file>& files) { return page(files).run(); }

}  // namespace abcl
