#include "abcl/doc/doc.hpp"

#include <algorithm>
#include <unordered_map>

#include "abcl/check/analysis.hpp"

namespace abcl {
namespace {

// Nothing but spaces and closing brackets.
bool closes_only(std::string_view text) { return text.find_first_not_of(" \t\r)]") == std::string_view::npos; }

// The form that stands exactly there; null if there is none.
const form* form_at(const std::vector<form>& among, span where) {
  for (const form& f : among) {
    if (f.where == where) return &f;
    if (f.where.begin <= where.begin && where.end <= f.where.end) return form_at(f.parts, where);
  }
  return nullptr;
}

// One file of the program.
class reading {
 public:
  reading(const loaded& l, const source& from, const forms& read) : l_(l), from_(from), read_(read) {
    for (const comment& c : read.comments) comment_on_[line_of(c.where.begin)] = &c;
  }

  documented_file run() {
    documented_file out;
    out.name = from_.name();
    for (const type_alias& a : l_.checked->aliases) {
      if (is_here(a.where)) out.types.push_back({std::string(a.name), written_out(a.of), above(a.where)});
    }
    for (const class_def& c : l_.checked->classes) {
      if (is_here(c.where)) out.classes.push_back(documented(c));
    }
    for (const function_def& f : l_.checked->functions) {
      if (is_here(f.where))
        out.functions.push_back({std::string(f.name), above(f.where), arguments(f.arguments), shown(f.result)});
    }
    for (const form& f : read_.all) {
      if (f.is_form("use") && f.parts.size() == 2) out.uses.push_back(f.parts[1].text);
    }
    out.about = at_the_beginning();
    return out;
  }

 private:
  bool is_here(span s) const { return from_.base() <= s.begin && s.begin < from_.end(); }
  int line_of(std::uint32_t offset) const { return from_.place_of(offset).line; }

  // ---- comments

  std::string words(const comment& c) const {
    std::string_view text = from_.text(c.where);
    text.remove_prefix(std::min(text.find_first_not_of(';'), text.size()));
    if (text.starts_with(' ')) text.remove_prefix(1);
    return std::string(text);
  }

  // Nothing but spaces is before it, or the byte order mark of the file.
  bool begins_line(std::uint32_t offset) const {
    const std::string_view before = from_.text({from_.begin_of_line(line_of(offset)), offset});
    return before.find_first_not_of(" \t\xEF\xBB\xBF") == std::string_view::npos;
  }

  // The comment that ends on this line and has its lines for itself.
  comment_lines ending_on(int line) const {
    comment_lines out;
    for (auto c = comment_on_.find(line); c != comment_on_.end(); c = comment_on_.find(--line)) {
      if (!begins_line(c->second->where.begin)) break;
      out.push_back(words(*c->second));
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  // Above what begins its line.
  comment_lines above(span of) const {
    return begins_line(of.begin) ? ending_on(line_of(of.begin) - 1) : comment_lines();
  }

  // Above, or behind what ends its line.
  comment_lines at(span whole, std::uint32_t end) const {
    comment_lines found = above(whole);
    if (!found.empty()) return found;
    const auto c = comment_on_.find(line_of(end - 1));
    if (c == comment_on_.end() || c->second->where.begin < end) return found;
    if (closes_only(from_.text({end, c->second->where.begin}))) found.push_back(words(*c->second));
    return found;
  }

  comment_lines at_the_beginning() const {
    comment_lines out;
    if (read_.comments.empty()) return out;
    const std::uint32_t code = read_.all.empty() ? from_.end() : read_.all.front().where.begin;
    int line = line_of(read_.comments.front().where.begin);
    for (const comment& c : read_.comments) {
      if (c.where.begin > code || line_of(c.where.begin) != line) break;
      out.push_back(words(c));
      ++line;
    }
    const bool belongs_to_a_definition =
        !read_.all.empty() && line_of(code) == line && !read_.all.front().is_form("use");
    return belongs_to_a_definition ? comment_lines() : out;
  }

  // ---- what is documented

  std::vector<documented_variable> arguments(const std::vector<variable*>& all) const {
    std::vector<documented_variable> out;
    out.reserve(all.size());
    for (const variable* v : all) out.push_back({shown(v->of), std::string(v->name), {}});
    return out;
  }

  documented_class documented(const class_def& c) const {
    documented_class out;
    out.name = c.name;
    out.about = above(c.where);
    out.arguments = arguments(c.arguments);
    out.tests = is_test(c);
    for (const variable* v : c.state) out.state.push_back({shown(v->of), std::string(v->name), at_state(*v)});
    for (const auto& [message, where] : c.messages) {
      documented_message m;
      m.type = written_out(message);
      if (message->wants_reply()) m.answer = shown(message->answer());
      // An interface that has a name may be of another file.
      if (is_here(where)) m.about = at(where, where.end);
      walk(c, [&, taken = message](const expression& e) {
        const auto* const cases = try_as<tree::cases>(e);
        if (cases == nullptr || !cases->take_messages()) return true;
        for (const clause& each : cases->clauses) {
          if (each.takes == taken) add_clause(m, each);
        }
        return true;
      });
      // What no clause takes: (obj []) is written of objects that understand nothing.
      const bool nothing = m.type == "[]" && m.clauses.empty() && m.about.empty();
      if (!nothing) out.messages.push_back(std::move(m));
    }
    return out;
  }

  comment_lines at_state(const variable& v) const {
    // The name stands in (Type name := value).
    const form* around = nullptr;
    const std::vector<form>* in = &read_.all;
    while (true) {
      const auto next =
          std::find_if(in->begin(), in->end(), [&](const form& f) { return f.where.contains(v.where.begin); });
      if (next == in->end() || next->where == v.where) break;
      around = &*next;
      in = &next->parts;
    }
    return around == nullptr ? comment_lines() : at(around->where, around->where.end);
  }

  void add_clause(documented_message& m, const clause& c) const {
    const form* const f = form_at(read_.all, c.where);
    if (f == nullptr || f->parts.size() < 2) return;
    const bool guarded = f->parts.size() >= 4 && f->parts[2].is_symbol("where");
    std::string header = on_one_line(f->parts[0]) + ' ' + on_one_line(f->parts[1]);
    if (guarded) header += " where " + on_one_line(f->parts[3]);
    m.clauses.push_back(std::move(header));
    if (m.about.empty()) m.about = at(c.where, f->parts[guarded ? 3 : 1].where.end);
  }

  std::string on_one_line(const form& f) const {
    if (f.is(form::kind::reply)) return '!' + on_one_line(f.parts.front());
    if (!f.is(form::kind::round) && !f.is(form::kind::square)) return std::string(from_.text(f.where));
    std::string out;
    for (const form& part : f.parts) out += (out.empty() ? "" : " ") + on_one_line(part);
    return f.is(form::kind::round) ? '(' + out + ')' : '[' + out + ']';
  }

  const loaded& l_;
  const source& from_;
  const forms& read_;
  std::unordered_map<int, const comment*> comment_on_;  // by its line, which it ends
};

}  // namespace

std::vector<documented_file> documented(const loaded& l) {
  std::vector<documented_file> all;
  auto read = l.read.begin();
  for (const source& s : l.texts.all()) all.push_back(reading(l, s, *read++).run());
  return all;
}

}  // namespace abcl
