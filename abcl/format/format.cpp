#include "abcl/format/format.hpp"

#include <algorithm>
#include <map>

namespace abcl {
namespace {

// How many parts of a form stand on its first line; what is behind them is its body, which is indented by two. Forms
// that are not here are calls, lists and messages: their parts stand below the second one.
int header_parts(const form& f) {
  static const std::map<std::string_view, int> headers = {
      {"class", 2}, {"function", 3}, {"type", 2},  {"foreign", 2}, {"script", 1}, {"wait-for", 1}, {"begin", 1},
      {"cond", 1},  {"atomic", 1},   {"while", 2}, {"for", 2},     {"let", 2},    {"sync", 2},     {"sync2", 2},
      {"sync*", 2}, {"match", 2},    {"if", 2},    {"=>", 2},      {"==>", 2},    {"=>>", 2},      {"==>>", 2}};
  if (f.parts.empty() || !f.parts[0].is(form::kind::symbol)) return 0;
  const auto found = headers.find(f.parts[0].word);
  if (found == headers.end()) return 0;
  const bool guarded =
      found->first.find("=>") != std::string_view::npos && f.parts.size() > 2 && f.parts[2].is_symbol("where");
  return found->second + (guarded ? 2 : 0);
}

// [target <= message] and its like: the message stands two behind the bracket.
bool is_send(const form& f) {
  return f.is(form::kind::square) && f.parts.size() >= 2 && f.parts[1].is(form::kind::symbol) &&
         (f.parts[1].word.starts_with("<") || f.parts[1].word == ":=");
}

class layout {
 public:
  layout(const source& from, const forms& read) : from_(from), read_(read) {}

  std::string run() {
    std::size_t begin_before = 0;  // of the form before, in the output
    for (const form& f : read_.all) {
      comments_before(f.where.begin, 0);
      const bool first = out_.empty();
      if (!first) {
        end_line();
        // Behind what has several lines there is an empty one.
        const bool long_one = out_.find('\n', begin_before) + 1 < out_.size();
        if (blank_between(last_end_, f.where.begin) || (long_one && !comment_on_last_line_)) blank_line();
      }
      begin_before = out_.size();
      put(f);
      trailing_comment();
    }
    comments_before(from_.end(), 0);
    end_line();
    return std::move(out_);
  }

 private:
  // ---- what the source says

  int newlines_between(std::uint32_t begin, std::uint32_t end) const {
    const std::string_view between = from_.text({begin, end});
    return static_cast<int>(std::count(between.begin(), between.end(), '\n'));
  }
  bool blank_between(std::uint32_t begin, std::uint32_t end) const { return newlines_between(begin, end) > 1; }
  bool more_comments() const { return next_comment_ < read_.comments.size(); }
  const comment& next_comment() const { return read_.comments[next_comment_]; }

  // ---- the output

  void put(std::string_view text) {
    out_ += text;
    column_ += width_of(text);
    comment_on_last_line_ = false;
  }
  void end_line() {
    while (out_.ends_with(' ')) out_.pop_back();
    if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
    column_ = 0;
  }
  void blank_line() {
    end_line();
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }
  void begin_line(int indent) {
    end_line();
    out_.append(static_cast<std::size_t>(indent), ' ');
    column_ = indent;
  }

  // ---- comments

  // Those before the form that begins at `end`, each on a line of its own if it stood so.
  void comments_before(std::uint32_t end, int indent) {
    while (more_comments() && next_comment().where.begin < end) {
      const comment& c = next_comment();
      if (c.alone || out_.empty() || comment_on_last_line_) {
        if (!out_.empty() && blank_between(last_end_, c.where.begin)) blank_line();
        begin_line(indent);
      } else {
        put("  ");
      }
      put_comment(c);
    }
  }
  // That behind the form that has just been put, on its line.
  void trailing_comment() {
    if (!more_comments() || next_comment().alone || newlines_between(last_end_, next_comment().where.begin) > 0) return;
    // It belongs to what is put next if that stands before it.
    put("  ");
    put_comment(next_comment());
  }
  void put_comment(const comment& c) {
    put(from_.text(c.where));
    last_end_ = c.where.end;
    comment_on_last_line_ = true;
    ++next_comment_;
  }

  // ---- forms

  // Columns that `f` takes up to where the source breaks it, or all of it.
  int width(const form& f) const {
    int columns = 0;
    add_width(f, columns);
    return columns;
  }
  // Whether that is all of it.
  bool add_width(const form& f, int& columns) const {
    if (f.is(form::kind::reply)) {
      ++columns;
      return add_width(f.parts[0], columns);
    }
    if (!f.is(form::kind::round) && !f.is(form::kind::square)) {
      columns += width_of(from_.text(f.where));
      return true;
    }
    ++columns;
    std::uint32_t end = f.where.begin;
    for (const form& part : f.parts) {
      const bool first = &part == &f.parts.front();  // stands at its bracket, whatever was written
      if (!first && newlines_between(end, part.where.begin) > 0) return false;
      if (!first) ++columns;
      if (!add_width(part, columns)) return false;
      end = part.where.end;
    }
    ++columns;
    return true;
  }

  void put(const form& f) { put_from(f, column_); }

  // `begin` is the column that the body is indented from: before it may stand a `!`.
  void put_from(const form& f, int begin) {
    if (f.is(form::kind::reply)) {
      put("!");
      last_end_ = f.where.begin + 1;
      comments_before(f.parts[0].where.begin, begin + 1);
      if (comment_on_last_line_) begin_line(begin + 1);
      put_from(f.parts[0], begin);
    } else if (f.is(form::kind::round) || f.is(form::kind::square)) {
      put_brackets(f, begin);
    } else {
      put(from_.text(f.where));
    }
    last_end_ = f.where.end;
  }

  void put_brackets(const form& f, int begin) {
    const int header = header_parts(f);
    int aligned = column_ + 1;  // where parts stand that are not of the body
    put(f.is(form::kind::round) ? "(" : "[");
    last_end_ = f.where.begin + 1;
    for (std::size_t i = 0; i < f.parts.size(); ++i) {
      const form& part = f.parts[i];
      const bool in_body = header != 0 && i >= static_cast<std::size_t>(header);
      const int indent = in_body || (is_send(f) && i >= 2) ? begin + 2 : aligned;
      const std::uint32_t before = last_end_;
      const bool breaks = newlines_between(before, part.where.begin) > 0;
      comments_before(part.where.begin, indent);
      const bool fits = column_ + 1 + width(part) + (i + 1 == f.parts.size() ? 1 : 0) <= line_width;
      if (i == 0 && !comment_on_last_line_) {
        // The first stands at its bracket, whatever was written.
      } else if (breaks || comment_on_last_line_ || (!fits && column_ > indent)) {
        if (blank_between(last_end_, part.where.begin)) blank_line();
        begin_line(indent);
      } else {
        put(" ");
      }
      // Lists of lists, as the variables of `let`, stand below their first one; calls below their first argument.
      const bool first_argument = i == (f.begins_with("new") ? 2U : 1U);
      if (first_argument && header == 0 && f.parts[0].is(form::kind::symbol) && !is_send(f) && column_ > indent)
        aligned = column_;
      put(part);
    }
    comments_before(f.where.end - 1, f.parts.empty() ? begin + 1 : begin + 2);
    if (comment_on_last_line_) begin_line(begin);
    put(f.is(form::kind::round) ? ")" : "]");
  }

  const source& from_;
  const forms& read_;
  std::string out_;
  int column_ = 0;
  std::size_t next_comment_ = 0;
  std::uint32_t last_end_ = 0;         // of what has been put
  bool comment_on_last_line_ = false;  // so that nothing may follow on it
};

}  // namespace

std::string formatted(const source& from, const forms& read) { return layout(from, read).run(); }

}  // namespace abcl
